//! Reading sorts of event and their effects.

use super::{
    kinds::type_name,
    secrets::{secrecy, told},
};
use crate::{
    base::{Name, NameMap, name},
    content::{self, Node, NodeValue},
    rules::{
        game::{Creation, Effect, EventKind, FieldType},
        read::Reader,
    },
};

pub(super) fn event(reader: &Reader<'_>, node: &Node) -> EventKind {
    let fields = reader.fields(node);
    let doc = reader.text(fields.required("doc"));
    let mut declared = NameMap::default();
    for (field, node) in fields.entries("fields") {
        if let Some(kind) = type_name(reader, node) {
            let optional = kind.ends_with('?');
            declared.insert(field, FieldType { kind: name(kind.trim_end_matches('?')), optional });
        }
    }
    let variables: Vec<Name> = declared.keys().copied().collect();
    let mut effects = Vec::new();
    for item in reader.items(fields.optional("effects")) {
        effect(reader, item, &variables, &mut effects);
    }
    for (field, node) in fields.entries("names") {
        if !declared.contains_key(&field) {
            let near = content::nearest(&field, declared.keys().map(Name::as_str));
            let help = near.map_or("name one of its `fields`".into(), |near| format!("did you mean {near}?"));
            reader.defect("reference.unknown", node.named_at(), format!("the event has no field {field}"), Some(help));
        }
    }
    let told = super::look::sentence(reader, &fields, &variables);
    let secrecy = secrecy(reader, &fields, &variables);
    let stands_out = reader.yes(fields.optional("stands_out"));
    fields.finish();
    EventKind { doc, told, stands_out, fields: declared, effects, secrecy }
}

fn effect(reader: &Reader<'_>, node: &Node, variables: &[Name], effects: &mut Vec<Effect>) {
    let Some((operation, body)) = node.as_map().filter(|map| map.len() == 1).and_then(|map| map.first()) else {
        reader.wrong_type(node, "one effect, such as `{set: {unit.property: value}}`");
        return;
    };
    let expr = |node: &Node| reader.expr(node, variables);
    let text = |text: &str| reader.expr(&Node::new(NodeValue::Text(text.into()), body.place), variables);
    match operation.as_str() {
        "set" => {
            for (target, value) in body.as_map().into_iter().flatten() {
                let Some((of, property)) = target.rsplit_once('.') else {
                    reader.defect(
                        "effect.target",
                        value.named_at(),
                        format!("{target} is no property"),
                        Some("write `unit.property`".into()),
                    );
                    continue;
                };
                let Some(value) = expr(value) else { continue };
                if of == "table" {
                    effects.push(Effect::SetTable(name(property), value));
                } else if let Some(of) = text(of) {
                    effects.push(Effect::Set(of, name(property), value));
                }
            }
        }
        "place" => {
            for (thing, at) in body.as_map().into_iter().flatten() {
                if let (Some(thing), Some(at)) = (text(thing), expr(at)) {
                    effects.push(Effect::Place(thing, at));
                }
            }
        }
        "put" => {
            let fields = reader.fields(body);
            let thing = fields.required("entity").and_then(expr);
            let on = fields.optional("on").and_then(expr);
            let slot = fields.optional("slot").and_then(|node| reader.name(node)).unwrap_or_default();
            let zone = fields.optional("in").and_then(|node| reader.name(node));
            let depth = fields.optional("depth").and_then(expr);
            fields.finish();
            match (thing, on, zone) {
                (Some(thing), Some(on), None) => effects.push(Effect::PutOn(thing, on, slot)),
                (Some(thing), None, Some(zone)) => effects.push(Effect::PutIn(thing, zone, depth)),
                _ => reader.defect("effect.put", body.place, "put needs `on` or `in`, not both".into(), None),
            }
        }
        "create" => {
            let fields = reader.fields(body);
            let kind = fields.required("kind").and_then(expr);
            let key = fields.optional("key").and_then(expr);
            let properties = fields.optional("properties").and_then(expr);
            let at = fields.optional("at").and_then(expr);
            let zone = fields.optional("in").and_then(|node| reader.name(node));
            let seen_by = fields.optional("seen_by").map(|node| told(reader, node, variables)).unwrap_or_default();
            fields.finish();
            if let Some(kind) = kind {
                effects.push(Effect::Create(Box::new(Creation { kind, key, properties, at, zone, seen_by })));
            }
        }
        "order" => {
            for (zone, order) in body.as_map().into_iter().flatten() {
                if let Some(order) = expr(order) {
                    effects.push(Effect::Order(name(zone), order));
                }
            }
        }
        "show" => {
            for (thing, seats) in body.as_map().into_iter().flatten() {
                effects.extend(text(thing).map(|thing| Effect::Show(thing, told(reader, seats, variables))));
            }
        }
        "destroy" => effects.extend(expr(body).map(Effect::Destroy)),
        "end" => effects.extend(expr(body).map(Effect::End)),
        other => {
            let known = ["set", "place", "put", "create", "order", "show", "destroy", "end"];
            let help =
                content::nearest(other, known).map_or_else(|| known.join(", "), |near| format!("did you mean {near}?"));
            reader.defect("effect.unknown", body.named_at(), format!("there is no effect {other}"), Some(help));
        }
    }
}
