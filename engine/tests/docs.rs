//! `scripts/README.md` lists every function of the engine that scripts may call; it is made from
//! the registrations. `UPDATE_DOCS=1 cargo test -p sandtable --test docs` writes it anew.

use std::{fs, path::PathBuf};

use sandtable::{
    content::Overlay,
    rules::{self, ACTING, QUERIES, expr::BUILTINS},
    script::{FunctionDoc, PropertyRead, ScriptFunction, ScriptHost, ScriptSource},
};

const RENEW: &str = "UPDATE_DOCS=1 cargo test -p sandtable --test docs";
const HEAD: &str = "# Scripts

<!-- Made from the engine's registrations. To renew it:
     UPDATE_DOCS=1 cargo test -p sandtable --test docs -->

`scripts/<game>/<pack>/<namespace>.rhai`. Scripts read and emit; they cannot assign to the world.
`function(a, b)` and `a.function(b)` are the same for the functions of this page and for the `terms`
of a game's content. Functions of scripts are called as `function(a)` or `namespace::function(a)`. A
later pack's function replaces an earlier one of the same namespace, name and number of parameters.

A failure of a function ends the step: the world goes back to just before the last answer, which is
refused with file, line and function. No script can catch it.
";
const BAD_TYPE: &str = "An argument of another type, or of a name that is not there.";

/// A title and what stands under it.
type Part = (&'static str, &'static str, Vec<(String, (usize, usize), FunctionDoc)>);

fn parts() -> Vec<Part> {
    let doc = |signature: &str, text: &str, errors: &str, example: &str| FunctionDoc {
        signature: signature.into(),
        text: text.into(),
        errors: errors.into(),
        example: example.into(),
    };
    let acting = ACTING.iter().map(|it| (it.name.into(), it.args, doc(it.signature, it.doc, it.errors, it.example)));
    let queries = QUERIES.iter().map(|it| (it.name.into(), it.args, doc(it.signature, it.doc, BAD_TYPE, it.example)));
    let builtins = BUILTINS.iter().map(|it| {
        let signature = format!("{}({}) -> {}", it.name, it.args, it.result);
        (it.name.into(), (it.args_min, it.args_max), doc(&signature, it.doc, BAD_TYPE, it.example))
    });
    vec![
        ("Acting", "Scripts only; each may record, draw or ask.", acting.collect()),
        ("Looking", "Scripts and expressions; the world and the board.", queries.collect()),
        ("Reckoning", "Scripts and expressions; lists, maps and numbers.", builtins.collect()),
    ]
}

fn page() -> String {
    let mut page = String::from(HEAD);
    for (title, about, functions) in parts() {
        page.push_str(&format!("\n## {title}\n\n{about}\n"));
        for (_, _, doc) in functions {
            page.push_str(&format!("\n### `{}`\n\n{}\n\n", doc.signature, sentence(&doc.text)));
            page.push_str(&format!("* Fails on: {}\n* Example: `{}`\n", sentence(&doc.errors), doc.example));
        }
    }
    page
}

/// A text that begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

#[test]
fn the_page_of_functions_is_up_to_date() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scripts/README.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("the page can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page(), "scripts/README.md is stale; renew it with: {RENEW}");
}

#[test]
fn every_function_is_described() {
    for (_, _, functions) in parts() {
        for (name, args, doc) in functions {
            assert!(doc.signature.starts_with(&format!("{name}(")), "{name}: {}", doc.signature);
            assert!(args.0 <= args.1 && !doc.text.is_empty() && !doc.errors.is_empty(), "{name}");
            assert!(doc.example.contains(&name), "{name}: {}", doc.example);
        }
    }
}

/// The words of an example that are names of variables.
fn variables(example: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in example.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let keyword = ["if", "else", "in", "true", "false", "let", "for"].contains(&word);
        if !keyword && word.starts_with(|c: char| c.is_ascii_lowercase()) && !found.iter().any(|known| known == word) {
            found.push(word.into());
        }
    }
    found
}

#[test]
fn every_example_parses_as_a_script() {
    let stub = |(name, args, doc): (String, (usize, usize), FunctionDoc)| ScriptFunction {
        name,
        args,
        doc,
        run: std::rc::Rc::new(|_| Ok(sandtable::base::Value::None)),
    };
    let functions: Vec<ScriptFunction> = parts().into_iter().flat_map(|(.., all)| all).map(stub).collect();
    let mut wrong = Vec::new();
    for (_, _, all) in parts() {
        // Rhai reserves the word `default`: only expressions can call that one.
        for (name, _, doc) in all.into_iter().filter(|(name, ..)| name != "default") {
            let params = variables(&doc.example).join(", ");
            let text = format!("fn f({params}) {{ {} }}", doc.example);
            let source = ScriptSource { namespace: "red".into(), file: "red.rhai".into(), text: text.clone().into() };
            let read = std::rc::Rc::new(|_: &_, _| Ok(sandtable::base::Value::None));
            let reader = PropertyRead { names: Vec::new(), read };
            if let Err(defects) = ScriptHost::new(&[source], functions.clone(), reader) {
                wrong.push(format!("{name}: {text}: {}", defects[0].message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_with_no_script_has_these_functions_too() {
    let files = vec![("flow.yaml".to_string(), "phases:\n  game: {}\n".to_string())];
    assert!(rules::load_with(&[], "chess", &[], &[Overlay { pack: "core".into(), files }]).is_ok());
}
