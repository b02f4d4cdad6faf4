//! Where records and numbers come from: that a `source` says something, and that numbers have one.

use crate::content::{Defect, Defects, Node, NodeValue, Place, Sources};

/// Sections whose numbers are a game's own, and say where they come from.
const SOURCED: [&str; 10] =
    ["kinds", "cards", "values", "movement", "tiles", "missions", "terms", "choices", "actions", "mission_checks"];
/// Fields that hold expressions.
const EXPRESSIONS: [&str; 7] = ["is", "if", "from", "when", "holds", "with", "amount"];

/// The records of sections whose numbers have sources, and of those that content declares.
fn sourced(sources: &Sources) -> impl Iterator<Item = (String, &Node)> {
    let data = sources.records.get("data").into_iter().flat_map(|data| data.keys());
    let sections = SOURCED.into_iter().chain(data.map(String::as_str));
    sections.flat_map(|section| {
        let records = sources.records.get(section).into_iter().flatten();
        records.map(move |(id, record)| (format!("{section}.{id}"), &record.node))
    })
}

/// Every `source` is a text, or a map of texts such as `{book: heading}`.
pub(super) fn shapes_of_sources(sources: &Sources, defects: &mut Defects) {
    for (_, node) in sourced(sources) {
        wrong_sources(node, &mut |source| {
            let message = format!("{} says not where something comes from", source.brief());
            let help = "write `source: {book: \"heading\"}`, or `source: {house: \"why\"}`".to_string();
            defects.0.push(Defect::new(
                "source.shape",
                source.place,
                &sources.files[source.place.file],
                message,
                Some(help),
            ));
        });
    }
}

fn wrong_sources(node: &Node, found: &mut dyn FnMut(&Node)) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| wrong_sources(item, found)),
        NodeValue::Map(entries) => {
            for (key, node) in entries {
                match key.as_str() {
                    "source" if !says_where(node) => found(node),
                    "source" => {}
                    _ => wrong_sources(node, found),
                }
            }
        }
        _ => {}
    }
}

fn says_where(node: &Node) -> bool {
    match &node.value {
        NodeValue::Text(text) => !text.trim().is_empty(),
        NodeValue::Map(entries) => {
            let says = |node: &Node| match &node.value {
                NodeValue::List(items) => !items.is_empty(),
                NodeValue::Text(text) => !text.trim().is_empty(),
                NodeValue::Int(_) => true,
                _ => false,
            };
            !entries.is_empty() && entries.values().all(says)
        }
        _ => false,
    }
}

/// Every number of a game stands beside, or below, a `source`; in expressions, 0 and 1 say nothing.
pub(super) fn sources_of_numbers(sources: &Sources, warnings: &mut Vec<Defect>) {
    for (record, node) in sourced(sources) {
        let Some(number) = unsourced(node) else { continue };
        let message = format!("a number of {record} does not say where it comes from");
        let help = "add `source: {book: \"heading\"}`, or `source: {house: \"why\"}`".to_string();
        warnings.push(Defect::new("source.missing", number, &sources.files[number.file], message, Some(help)));
    }
}

/// The place of the first number without a source beside or above it.
fn unsourced(node: &Node) -> Option<Place> {
    match &node.value {
        NodeValue::Int(number) if *number != 0 => Some(node.place),
        NodeValue::List(items) => items.iter().find_map(unsourced),
        NodeValue::Map(entries) if !entries.contains_key("source") => entries.iter().find_map(|(key, node)| {
            let number = matches!(&node.value, NodeValue::Text(text) if has_number(text));
            if number && EXPRESSIONS.contains(&key.as_str()) { Some(node.place) } else { unsourced(node) }
        }),
        _ => None,
    }
}

/// Whether an expression has a number above 1 outside of names and texts.
fn has_number(text: &str) -> bool {
    let plain: String = text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    plain
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word.parse::<u64>().is_ok_and(|number| number > 1))
}
