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
        read::{Reader, plain},
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
    let _ = fields.optional("names");
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
    for (field, node) in given.rest() {
        let Some(kind) = declared.get(&field) else {
            let near = nearest(&field, declared.keys().map(Name::as_str)).map(|near| format!("did you mean {near}?"));
            reader.defect("field.unknown", node.named_at(), format!("there is no field {field} here"), near);
            continue;
        };
        let value = plain(node);
        if fits(&value, kind.trim_end_matches('?')) {
            values.insert(field, value);
        } else {
            reader.wrong_type(node, kind.trim_end_matches('?'));
        }
    }
    for (field, kind) in declared {
        if !kind.ends_with('?') && !node.as_map().is_some_and(|map| map.contains_key(field.as_str())) {
            let help = Some(format!("add `{field}:` here"));
            reader.defect("field.missing", node.named_at(), format!("{field} is missing"), help);
        }
    }
    Value::map(values)
}
