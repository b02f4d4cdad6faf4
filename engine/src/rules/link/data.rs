//! Reading sections that content declares for itself: names and types of fields, and records.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::{kinds::type_name, section};
use crate::{
    base::{Name, Value, name},
    content::{Node, nearest},
    rules::{
        effects::fits,
        game::Game,
        read::{Reader, known_fields, missing, plain},
    },
};

/// A declaration, with all records of its section.
pub(super) fn data(game: &mut Game, reader: &Reader<'_>, id: &str, node: &Node) {
    let fields = reader.fields(node);
    let _ = fields.required("doc");
    let declared = fields
        .entries("fields")
        .into_iter()
        .filter_map(|(field, node)| Some((field, type_name(reader, node)?)))
        .collect();
    let _ = (fields.optional("names"), fields.optional("ids"));
    let asked = reader.conditions(fields.optional("where"), &[name("it")]);
    game.data_checks.insert(name(id), asked);
    fields.finish();
    let records = section(reader.sources, id);
    let records: BTreeMap<Name, Value> =
        records.map(|(id, found)| (name(id), record(reader, &declared, &found.node))).collect();
    game.data.insert(name(id), records.into_iter().collect());
}

fn record(reader: &Reader<'_>, declared: &IndexMap<Name, Name>, node: &Node) -> Value {
    let mut values: BTreeMap<Name, Value> = declared.keys().map(|field| (*field, Value::None)).collect();
    let given = reader.fields(node);
    let mut misspelt: Vec<Name> = Vec::new();
    for (field, node) in given.rest() {
        let Some(kind) = declared.get(&field) else {
            let near = nearest(&field, declared.keys().map(Name::as_str));
            misspelt.extend(near.map(name));
            let help = near.map_or_else(|| known(declared), |near| format!("did you mean {near}?"));
            reader.defect("field.unknown", node.named_at(), format!("there is no field {field} here"), Some(help));
            continue;
        };
        let value = plain(node);
        if fits(&value, kind.trim_end_matches('?')) {
            values.insert(field, value);
        } else {
            reader.wrong_type(node, kind.trim_end_matches('?'));
        }
    }
    let is_there = |field: &Name| node.as_map().is_some_and(|map| map.contains_key(field.as_str()));
    let absent = musts(declared).filter(|field| !is_there(field) && !misspelt.contains(field));
    let absent: Vec<&str> = absent.map(Name::as_str).collect();
    if let Some((message, help)) = missing(&absent) {
        let of = absent
            .iter()
            .filter_map(|field| declared.get(&name(field)).map(|kind| format!("{field} is of type {kind}")));
        let help = format!("{help}; {}", of.collect::<Vec<_>>().join(", "));
        reader.defect("field.missing", node.named_at(), message, Some(help));
    }
    Value::map(values)
}

/// The fields that every record has.
fn musts(declared: &IndexMap<Name, Name>) -> impl Iterator<Item = &Name> {
    declared.iter().filter(|(_, kind)| !kind.ends_with('?')).map(|(field, _)| field)
}

fn known(declared: &IndexMap<Name, Name>) -> String {
    let musts: Vec<&str> = musts(declared).map(Name::as_str).collect();
    let others: Vec<&str> = declared.keys().map(Name::as_str).filter(|field| !musts.contains(field)).collect();
    known_fields(&musts, &others)
}
