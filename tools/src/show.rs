//! The command `show`: a record with its place, its source, its text as patches have left it, and
//! what refers to it.

use std::io;

use sandtable::content::{self, Node, NodeValue, Patched, Record, Sources, nearest};
use serde_json::{Value as Json, json};

use crate::{
    games::{Packs, report},
    out::{line, talk},
    yaml,
};

pub(crate) fn show(packs: &Packs<'_>, game: &str, id: &str, as_json: bool) -> io::Result<u8> {
    let sources = match content::load(packs.roots, game, packs.without) {
        Ok(sources) => sources,
        Err(defects) => {
            report(defects);
            return Ok(2);
        }
    };
    if let Some(records) = sources.records.get(id) {
        let all: Vec<Json> = records.iter().map(|(bare, record)| record_json(&sources, id, bare, record)).collect();
        if as_json {
            line(&json!({ "game": game, "records": all }).to_string())?;
            return Ok(0);
        }
        return records.iter().zip(&all).try_for_each(|((_, record), shown)| brief(record, shown)).map(|()| 0);
    }
    let (section, bare) = id.split_once('.').map_or((None, id), |(section, id)| (Some(section), id));
    let found: Vec<(&String, &Record)> = sources
        .records
        .iter()
        .filter(|(name, _)| section.is_some_and(|section| section == name.as_str()))
        .filter_map(|(name, records)| records.get(bare).map(|record| (name, record)))
        .chain(sources.records.iter().filter_map(|(name, records)| records.get(id).map(|record| (name, record))))
        .collect();
    if found.is_empty() {
        let all: Vec<String> = all_ids(&sources);
        // Of a section that is there only its own records are meant.
        let of_section = section.is_some_and(|section| sources.records.contains_key(section));
        let meant = sources.records.iter().filter(|(name, _)| !of_section || section == Some(name.as_str()));
        let bare_ids = meant.flat_map(|(_, records)| records.keys().map(String::as_str));
        let near = nearest(id, all.iter().map(String::as_str)).or_else(|| nearest(bare, bare_ids));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        let sections: Vec<&str> = sources.records.keys().map(String::as_str).collect();
        talk(&format!(
            "error: {game} has no record {id}{near}\nhint: write section.id; sections: {}",
            sections.join(", ")
        ));
        return Ok(2);
    }
    let is_full = found.iter().any(|(name, _)| section == Some(name.as_str()));
    let id = if is_full { bare } else { id };
    let shown: Vec<Json> = found.iter().map(|(section, record)| record_json(&sources, section, id, record)).collect();
    if as_json {
        line(&json!({ "game": game, "records": shown }).to_string())?;
        return Ok(0);
    }
    shown.iter().try_for_each(tell)?;
    Ok(0)
}

/// A record in a line, with its fields or arguments if it has some.
fn brief(record: &Record, shown: &Json) -> io::Result<()> {
    let field = |key: &str| record.node.as_map().and_then(|fields| fields.get(key)).map(Node::brief);
    let takes = field("fields").or_else(|| field("args")).map_or_else(String::new, |takes| format!("  {takes}"));
    let says = ["doc", "name", "title"].iter().find_map(|key| field(key));
    let says = says.map_or_else(String::new, |says| format!("  {says}"));
    let place = format!("{}:{}", shown["file"].as_str().unwrap_or_default(), shown["line"]);
    let mut by: Vec<&str> =
        shown["patches"].as_array().into_iter().flatten().filter_map(|it| it["pack"].as_str()).collect();
    by.dedup();
    let by = if by.is_empty() { String::new() } else { format!("  (patched by {})", by.join(", ")) };
    line(&format!("{}{takes}  {place}{says}{by}", shown["record"].as_str().unwrap_or_default()))
}

fn all_ids(sources: &Sources) -> Vec<String> {
    let sections = sources.records.iter();
    sections.flat_map(|(section, records)| records.keys().map(move |id| format!("{section}.{id}"))).collect()
}

fn tell(shown: &Json) -> io::Result<()> {
    let text = |key: &str| shown[key].as_str().unwrap_or_default().to_owned();
    line(&format!("{}  {}:{}  (pack {})", text("record"), text("file"), shown["line"], text("pack")))?;
    if !shown["source"].is_null() {
        line(&format!(
            "source: {}",
            shown["source"].as_str().map_or_else(|| shown["source"].to_string(), str::to_owned)
        ))?;
    }
    line("")?;
    line(text("text").trim_end())?;
    line("")?;
    for patch in shown["patches"].as_array().into_iter().flatten() {
        let text = |key: &str| patch[key].as_str().unwrap_or_default();
        let before = if patch["before"].is_null() { String::new() } else { format!(" (was {})", text("before")) };
        let place = format!("{}:{}", text("file"), patch["line"]);
        line(&format!("patched by {} ({place})  {} {}{before}", text("pack"), text("operation"), text("path")))?;
    }
    let references = shown["references"].as_array().into_iter().flatten();
    let mut is_named = false;
    for reference in references {
        is_named = true;
        let by = reference["by"].as_str().unwrap_or_default();
        line(&format!("named by {by}  {}:{}", reference["file"].as_str().unwrap_or_default(), reference["line"]))?;
    }
    if is_named { Ok(()) } else { line("named by nothing") }
}

fn record_json(sources: &Sources, section: &str, id: &str, record: &Record) -> Json {
    let file = &sources.files[record.node.place.file];
    let (first, text) = text_of(&file.text, id, record.node.place.line);
    let patches = patches(sources, section, id);
    let text = if patches.is_empty() { text } else { yaml::record(id, &record.node) };
    let source = record.node.as_map().and_then(|fields| fields.get("source").or_else(|| fields.get("sources")));
    json!({
        "record": format!("{section}.{id}"), "file": file.path, "line": first, "pack": record.pack,
        "source": source.map(node_json), "text": text, "patches": patches,
        "references": references(sources, section, id),
    })
}

/// What patches have changed in a record.
fn patches(sources: &Sources, section: &str, id: &str) -> Vec<Json> {
    let whole = format!("{section}.{id}");
    let is_of =
        |path: &str| path.strip_prefix(&whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let found = sources.patched.iter().filter(|it| is_of(&it.path));
    let json = |it: &Patched| {
        // What is added or taken away is told by its path.
        let before = (it.operation == "set" && it.path != whole).then_some(&it.before);
        json!({
            "path": it.path, "operation": it.operation, "before": before, "pack": it.pack,
            "file": sources.files[it.place.file].path, "line": it.place.line,
        })
    };
    found.map(json).collect()
}

/// The number of a record's first line, and its lines with the comment right above.
pub(crate) fn text_of(text: &str, id: &str, value_line: usize) -> (usize, String) {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_key = |line: &str| {
        let key = line.trim_start().trim_start_matches(['"', '\'']);
        key.strip_prefix(id).is_some_and(|rest| rest.trim_start_matches(['"', '\'']).starts_with(':'))
    };
    let last = value_line.min(lines.len());
    let first = (0..last).rev().find(|at| is_key(lines[*at])).unwrap_or(last.saturating_sub(1));
    let own = lines.get(first).map_or(0, |line| indent(line));
    let is_comment = |at: &usize| lines[*at].trim_start().starts_with('#') && indent(lines[*at]) == own;
    let top = (0..first).rev().take_while(is_comment).last().unwrap_or(first);
    let mut end = first + 1;
    while lines.get(end).is_some_and(|line| line.trim().is_empty() || indent(line) > own) {
        end += 1;
    }
    (first + 1, lines.get(top..end).unwrap_or_default().join("\n").trim_end().to_owned() + "\n")
}

/// Records and script lines that hold the id as a word.
fn references(sources: &Sources, section: &str, id: &str) -> Vec<Json> {
    let mut found = Vec::new();
    for (other_section, records) in sources.records.iter().filter(|(section, _)| section.as_str() != "texts") {
        for (other, record) in records {
            if (other_section.as_str(), other.as_str()) == (section, id) {
                continue;
            }
            if let Some(place) = names(&record.node, id) {
                let file = &sources.files[place.file];
                found.push(json!({ "by": format!("{other_section}.{other}"), "file": file.path, "line": place.line }));
            }
        }
    }
    for (namespace, number) in &sources.scripts {
        let file = &sources.files[*number];
        for (at, text) in file.text.lines().enumerate() {
            let code = text.split("//").next().unwrap_or_default();
            if has_word(code, id) {
                found.push(json!({ "by": format!("script {namespace}"), "file": file.path, "line": at + 1 }));
            }
        }
    }
    found
}

/// Fields that are written for people.
const PROSE: [&str; 8] = ["doc", "name", "briefing", "says", "about", "source", "title", "text"];

/// Where a node holds the id first, as a key or as a word of a text that is not for people.
fn names(node: &Node, id: &str) -> Option<content::Place> {
    match &node.value {
        NodeValue::Text(text) => has_word(text, id).then_some(node.place),
        NodeValue::List(items) => items.iter().find_map(|item| names(item, id)),
        NodeValue::Map(entries) => entries.iter().find_map(|(key, item)| match key.as_str() {
            key if key == id => Some(item.place),
            key if PROSE.contains(&key) => None,
            _ => names(item, id),
        }),
        _ => None,
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

fn node_json(node: &Node) -> Json {
    match &node.value {
        NodeValue::Null => Json::Null,
        NodeValue::Bool(truth) => json!(truth),
        NodeValue::Int(number) => json!(number),
        NodeValue::Text(text) => json!(text),
        NodeValue::List(items) => items.iter().map(node_json).collect(),
        NodeValue::Map(entries) => {
            Json::Object(entries.iter().map(|(key, item)| (key.clone(), node_json(item))).collect())
        }
    }
}
