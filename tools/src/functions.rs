//! The command `list --functions`: what scripts and expressions can call, of the engine and of a game.

use std::io;

use sandtable::{
    content::{self, Node, NodeValue, Sources},
    rules::reference,
};
use serde_json::{Value as Json, json};

use crate::{
    games::{Packs, report},
    out::line,
};

/// Something that can be called.
struct Function {
    sort: &'static str,
    name: String,
    signature: String,
    doc: Option<String>,
    fails: Option<String>,
    example: Option<String>,
    place: Option<(String, usize)>,
}

/// Lists the engine's functions, and those of a game if one is named.
pub(crate) fn list(packs: &Packs<'_>, game: Option<&str>, as_json: bool) -> io::Result<u8> {
    let mut all = of_engine();
    if let Some(game) = game {
        match content::load(packs.roots, game, packs.without) {
            Ok(sources) => {
                all.extend(terms(&sources));
                all.extend(scripts(&sources));
            }
            Err(defects) => {
                report(defects);
                return Ok(2);
            }
        }
    }
    if as_json {
        let all: Vec<Json> = all.iter().map(to_json).collect();
        line(&json!({ "functions": all }).to_string())?;
        return Ok(0);
    }
    let mut sort = "";
    for function in &all {
        if function.sort != sort {
            if !sort.is_empty() {
                line("")?;
            }
            sort = function.sort;
            line(&format!("{sort}: {}", about(sort)))?;
        }
        let doc = function.doc.as_ref().map_or_else(String::new, |doc| format!("  {doc}"));
        let place = function.place.as_ref().map_or_else(String::new, |(file, line)| format!("  {file}:{line}"));
        line(&format!("  {}{doc}{place}", function.signature))?;
    }
    Ok(0)
}

fn to_json(function: &Function) -> Json {
    let (file, line) = function.place.clone().unzip();
    json!({
        "sort": function.sort, "name": function.name, "signature": function.signature, "doc": function.doc,
        "fails": function.fails, "example": function.example, "file": file, "line": line,
    })
}

fn about(sort: &str) -> &'static str {
    match sort {
        "term" => "Scripts and expressions; records of the section `terms`.",
        "script" => {
            "Calls of records, and scripts; a later pack's function replaces one of the same name and arguments."
        }
        _ => reference().iter().find(|part| part.title.to_lowercase() == sort).map_or("", |part| part.about),
    }
}

/// The functions of `scripts/README.md`.
fn of_engine() -> Vec<Function> {
    let sorts = [("Acting", "acting"), ("Looking", "looking"), ("Reckoning", "reckoning")];
    let parts = reference().into_iter().flat_map(|part| {
        let sort = sorts.iter().find(|(title, _)| *title == part.title).map_or("", |(_, sort)| *sort);
        part.functions.into_iter().map(move |it| Function {
            sort,
            name: it.name.into(),
            signature: it.doc.signature,
            doc: Some(it.doc.text),
            fails: Some(it.doc.errors),
            example: Some(it.doc.example),
            place: None,
        })
    });
    parts.collect()
}

/// The terms of a game.
fn terms(sources: &Sources) -> Vec<Function> {
    let term = |(id, record): (&String, &content::Record)| {
        let field = |key: &str| record.node.as_map().and_then(|fields| fields.get(key));
        let args = match field("args").map(|node| &node.value) {
            Some(NodeValue::List(args)) => args.iter().map(Node::brief).collect::<Vec<_>>().join(", "),
            _ => String::new(),
        };
        let at = record.node.named_at();
        Function {
            sort: "term",
            name: id.clone(),
            signature: format!("{id}({args})"),
            doc: field("doc").map(Node::brief),
            fails: None,
            example: None,
            place: Some((sources.files[at.file].path.clone(), at.line)),
        }
    };
    sources.records.get("terms").into_iter().flatten().map(term).collect()
}

/// The functions of a game's scripts, each once: the last one of a name and number of arguments.
fn scripts(sources: &Sources) -> Vec<Function> {
    let mut found: Vec<(usize, Function)> = Vec::new();
    for (namespace, number) in &sources.scripts {
        let file = &sources.files[*number];
        let mut comment: Vec<&str> = Vec::new();
        for (at, text) in file.text.lines().enumerate() {
            if let Some(said) = text.strip_prefix("//") {
                comment.push(said.trim_start_matches('/').trim());
                continue;
            }
            let doc = std::mem::take(&mut comment).join(" ");
            let Some((name, rest)) = text.strip_prefix("fn ").and_then(|text| text.split_once('(')) else { continue };
            let Some((args, _)) = rest.split_once(')') else { continue };
            let n_args = args.split(',').filter(|arg| !arg.trim().is_empty()).count();
            let name = format!("{namespace}::{}", name.trim());
            let function = Function {
                sort: "script",
                signature: format!("{name}({})", args.trim()),
                name,
                doc: (!doc.is_empty()).then_some(doc),
                fails: None,
                example: None,
                place: Some((file.path.clone(), at + 1)),
            };
            match found.iter_mut().find(|(n, before)| *n == n_args && before.name == function.name) {
                Some((_, before)) => {
                    let replaced =
                        before.place.take().map_or_else(String::new, |(file, line)| format!("{file}:{line}"));
                    let doc = function.doc.as_ref().map_or_else(String::new, |doc| format!("{doc} "));
                    *before = Function { doc: Some(format!("{doc}(replaces {replaced})")), ..function };
                }
                None => found.push((n_args, function)),
            }
        }
    }
    found.into_iter().map(|(_, function)| function).collect()
}
