//! `scripts/README.md` lists every function of the engine that scripts may call; it is made from
//! the registrations. `UPDATE_DOCS=1 cargo test -p sandtable --test docs` writes it anew.

mod front;
mod guide;

use std::{fs, path::PathBuf};

use sandtable::{
    content::Overlay,
    rules::{self, BAD_ARGUMENT, FunctionEntry, reference},
    script::{
        ARRAY_ITEMS_MAX, CALL_DEPTH_MAX, FILE_BYTES_MAX, MAP_ENTRIES_MAX, PropertyRead, RESERVED, STEP_OPERATIONS_MAX,
        STRING_BYTES_MAX, ScriptFunction, ScriptHost, ScriptSource, VARIABLES_MAX,
    },
};

const RENEW: &str = "UPDATE_DOCS=1 cargo test -p sandtable --test docs";
const HEAD: &str = "# Scripts

<!-- Made from the engine's registrations. To renew it:
     UPDATE_DOCS=1 cargo test -p sandtable --test docs -->

`scripts/<game>/<pack>/<namespace>.rhai` holds functions in [Rhai](https://rhai.rs/book), which records call as
`namespace::function(a, b)`. [content/README.md](../content/README.md) says which records do, with two whole examples.
";
const RULES: &str = "
* Scripts read and emit; they cannot assign to the world. `unit.points = 3` is a fault: an event's effects set it.
* `function(a, b)` and `a.function(b)` are the same for the functions of this page and for the `terms`
  of a game's content. Functions of scripts are called as `function(a)` or `namespace::function(a)`. A
  later pack's function replaces an earlier one of the same namespace, name and number of parameters.
* A question without an answer yet ends the script; on the answer it runs again from its start and must do the
  same again. So nothing but this page decides what it does: no clock, no chance but `roll`, `die`, `pick` and shuffles.
* What hooks an event stirs run at `settle()`, or when the script ends.
* Only functions and constants stand in a file; a constant is read as `global::NAME`. There are no fractions, no
  closures (`|x| ...`), no `eval`, `import` or function pointers. `print` and `debug` write where somebody plays.
* A failure ends the step: the world goes back to just before the last answer, which is refused with
  file, line and function. No script can catch it.
";
/// A script that shows how one reads.
const EXAMPLE: &str = "// The farthest that a push carries.
const FAR = 8;

// Everybody near is pushed to a square of his choice, one after the other.
fn push(unit) {
    for other in all(\"pawn\").without([unit]) {
        if distance(unit, other) > global::FAR { continue; }
        let to = choose(\"push_to\", #{ unit: other });
        emit(\"moved\", #{ unit: other, to: to });
        settle();
    }
    let faces = roll(\"push\", 2, 6);
    if faces.contains(6) { emit(\"fell\", #{ unit: unit }); }
}
";

fn page() -> String {
    let mut page = String::from(HEAD);
    for part in reference() {
        let link = |it: &FunctionEntry| format!("[{}](#{})", it.name, anchor(&it.doc.signature));
        let links: Vec<String> = part.functions.iter().map(link).collect();
        page.push_str(&format!("\n**[{}](#{})** {}\n", part.title, anchor(part.title), links.join(" · ")));
    }
    let reserved =
        wrapped(&format!("* Reserved words, which name neither functions nor variables: {}.", RESERVED.join(" ")));
    page.push_str(&format!("\n## A script\n\n```rust\n{EXAMPLE}```\n{RULES}{reserved}\n{}", limits()));
    for part in reference() {
        page.push_str(&format!("\n## {}\n\n{}\n", part.title, part.about));
        for FunctionEntry { doc, .. } in part.functions {
            page.push_str(&format!("\n### `{}`\n\n{}\n\n", doc.signature, doc.text));
            if doc.errors != BAD_ARGUMENT {
                page.push_str(&format!("* Fails on: {}\n", doc.errors));
            }
            page.push_str(&format!("* Example: `{}`\n", doc.example));
        }
    }
    page
}

/// A text in lines of at most 110 letters, those behind the first two blanks in.
fn wrapped(text: &str) -> String {
    let (mut page, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        if length > 0 && length + word.len() >= 110 {
            page.push_str("\n ");
            length = 1;
        }
        if length > 0 {
            page.push(' ');
        }
        page.push_str(word);
        length += word.len() + 1;
    }
    page + "\n"
}

fn limits() -> String {
    let rows = [
        ("operations of a step, in all scripts together", STEP_OPERATIONS_MAX),
        ("calls inside each other", CALL_DEPTH_MAX as u64),
        ("items of a list", ARRAY_ITEMS_MAX as u64),
        ("entries of a map", MAP_ENTRIES_MAX as u64),
        ("bytes of a text", STRING_BYTES_MAX as u64),
        ("bytes of a file", FILE_BYTES_MAX as u64),
        ("variables of a function at once", VARIABLES_MAX as u64),
    ];
    let rows: Vec<String> = rows.iter().map(|(what, most)| format!("| {what} | {most} |\n")).collect();
    format!("| limit | most |\n|---|---|\n{}", rows.concat())
}

/// The anchor of a heading, as it is made for a page: letters, digits, `_` and `-`, blanks as `-`.
fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || "_- ".contains(*letter));
    letters.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
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
    for part in reference() {
        for FunctionEntry { name, args, doc } in part.functions {
            assert!(doc.signature.starts_with(&format!("{name}(")), "{name}: {}", doc.signature);
            assert!(args.0 <= args.1 && !doc.text.is_empty() && !doc.errors.is_empty(), "{name}");
            assert!(doc.example.contains(name), "{name}: {}", doc.example);
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
    let stub = |FunctionEntry { name, args, doc }: FunctionEntry| ScriptFunction {
        name: name.into(),
        args,
        doc,
        run: std::rc::Rc::new(|_| Ok(sandtable::base::Value::None)),
    };
    let functions: Vec<ScriptFunction> = reference().into_iter().flat_map(|part| part.functions).map(stub).collect();
    let host = |text: &str| {
        let source = ScriptSource { namespace: "red".into(), file: "red.rhai".into(), text: text.into() };
        let read = std::rc::Rc::new(|_: &_, _| Ok(sandtable::base::Value::None));
        let reader = PropertyRead { names: Vec::new(), read };
        ScriptHost::new(&[source], functions.clone(), reader).map_err(|defects| defects[0].message.clone())
    };
    let mut wrong: Vec<String> = host(EXAMPLE).err().into_iter().collect();
    for part in reference() {
        // Rhai reserves the word `default`: only expressions can call that one.
        for FunctionEntry { name, doc, .. } in part.functions.into_iter().filter(|it| it.name != "default") {
            let params = variables(&doc.example).join(", ");
            let text = format!("fn f({params}) {{ {} }}", doc.example);
            wrong.extend(host(&text).err().map(|message| format!("{name}: {text}: {message}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_with_no_script_has_these_functions_too() {
    let files = vec![("flow.yaml".to_string(), "phases:\n  game: {}\n".to_string())];
    assert!(rules::load_with(&[], "chess", &[], &[Overlay { pack: "core".into(), files }]).is_ok());
}
