//! What stats ask of kinds: that those with a tag have them (`needed_by`), and which keys a map has (`keys`).

use super::{
    kinds::{fits_written, type_name, written_as},
    section,
};
use crate::{
    base::{Name, name},
    content::{Defect, Node, NodeValue, Place, Sources, nearest},
    rules::{
        game::Game,
        read::{Reader, plain},
    },
};

/// Something wrong with a map: code, place, message, remedy.
pub(super) type Misshapen = (&'static str, Place, String, String);

/// Reads a declaration of keys: for each a type, or a map of keys in its turn.
pub(super) fn declared_keys(reader: &Reader<'_>, node: &Node) {
    match node.as_map() {
        Some(keys) => {
            for node in keys.values() {
                if node.as_map().is_some() {
                    declared_keys(reader, node);
                } else {
                    let _ = type_name(reader, node);
                }
            }
        }
        None => reader.wrong_type(node, "a map of keys with their types"),
    }
}

/// What is wrong with a map by the keys that are declared for it.
pub(super) fn misshapen(what: &str, value: &Node, keys: &Node, found: &mut Vec<Misshapen>) {
    let Some(declared) = keys.as_map() else { return };
    let Some(given) = value.as_map() else {
        let message = format!("{} where a map was expected", value.type_name());
        let help = format!("write a map with {}", declared.keys().cloned().collect::<Vec<_>>().join(", "));
        found.push(("field.type", value.place, message, help));
        return;
    };
    for (key, node) in given {
        let Some(declared) = declared.get(key) else {
            let help = nearest(key, declared.keys().map(String::as_str)).map_or_else(
                || format!("keys here: {}", declared.keys().cloned().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean {near}?"),
            );
            found.push(("field.unknown", node.named_at(), format!("{what} has no key {key}"), help));
            continue;
        };
        match &declared.value {
            NodeValue::Map(_) => misshapen(&format!("{key} of {what}"), node, declared, found),
            NodeValue::Text(kind) if !fits_written(&plain(node), kind.trim_end_matches('?')) => {
                let kind = written_as(kind.trim_end_matches('?'));
                let message = format!("{} where {kind} was expected", node.type_name());
                found.push(("field.type", node.place, message, format!("write {kind}")));
            }
            _ => {}
        }
    }
    let is_needed = |node: &Node| !matches!(&node.value, NodeValue::Text(kind) if kind.ends_with('?'));
    let is_meant = |key: &str| given.keys().any(|own| !declared.contains_key(own) && nearest(own, [key]).is_some());
    let lacks = |key: &String| !given.contains_key(key) && !is_meant(key);
    for (key, _) in declared.iter().filter(|(key, node)| is_needed(node) && lacks(key)) {
        let message = format!("{what} lacks {key}");
        found.push(("field.missing", value.named_at(), message, format!("add `{key}:` here")));
    }
}

/// As [`misshapen`], told to the reader.
pub(super) fn shaped(reader: &Reader<'_>, what: &str, value: &Node, declaration: Option<&Node>) {
    let Some(keys) = declaration.and_then(|declared| declared.as_map()?.get("keys")) else { return };
    let mut found = Vec::new();
    misshapen(what, value, keys, &mut found);
    for (code, place, message, help) in found {
        reader.defect(code, place, message, Some(help));
    }
}

/// The declaration of a stat, or of another record.
pub(super) fn declaration<'a>(sources: &'a Sources, of: &str, id: &str) -> Option<&'a Node> {
    sources.records.get(of)?.get(id).map(|record| &record.node)
}

/// Tells of kinds that lack a stat which those with one of their tags need.
pub(super) fn needed_stats(game: &Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (stat, record) in section(sources, "stats") {
        let Some(tags) = record.node.as_map().and_then(|fields| fields.get("needed_by")) else { continue };
        let tags = reader.names(Some(tags));
        for (id, kind) in section(sources, "kinds").chain(section(sources, "cards")) {
            let Some(known) = game.kinds.get(&name(id)) else { continue };
            let Some(tag) = tags.iter().find(|tag| known.tags.contains(tag)) else { continue };
            // What is wrong with one that is written has been told.
            if !known.stats.contains_key(&name(stat)) && !is_written(&kind.node, stat) && !is_back(game, id) {
                let message = format!("{id} has no {stat}, which everything with the tag {tag} needs");
                let help = format!("add `{stat}:` here, or take the tag away");
                reader.defect("stat.needed", kind.node.named_at(), message, Some(help));
            }
        }
    }
}

fn is_written(kind: &Node, stat: &str) -> bool {
    let Some(fields) = kind.as_map() else { return true };
    fields.contains_key(stat) || fields.get("stats").and_then(Node::as_map).is_some_and(|it| it.contains_key(stat))
}

/// Whether a kind only stands for others that lie face down.
fn is_back(game: &Game, id: &str) -> bool {
    game.kinds.values().any(|kind| kind.back.as_ref().map(Name::as_str) == Some(id))
}

/// What is wrong with a fact that passes on to the next mission, by the keys of what it becomes.
pub(super) fn misshapen_fact(sources: &Sources, legacy: Name, fact: &Node) -> Vec<Defect> {
    let keys = declaration(sources, "legacy", &legacy).and_then(|declared| declared.as_map()?.get("keys"));
    let mut found = Vec::new();
    if let Some(keys) = keys {
        misshapen(&format!("what becomes {legacy}"), fact, keys, &mut found);
    }
    let defect = |(code, place, message, help): Misshapen| {
        Defect::new(code, place, &sources.files[place.file], message, Some(help))
    };
    found.into_iter().map(defect).collect()
}
