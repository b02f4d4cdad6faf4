//! Reading what seats may not know: seats, audiences of events, windows.

use indexmap::IndexMap;

use super::section;
use crate::{
    base::{Name, name},
    content::{Node, NodeValue},
    rules::{
        game::Game,
        read::{Fields, Reader},
        secrets::{Secrecy, Told, WindowRecord},
    },
};

/// The most seats of a game.
const SEATS_MAX: usize = 31;

pub(super) fn seats(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "seats") {
        game.seats.push(name(id));
        if let NodeValue::Map(_) = record.node.value {
            let fields = reader.fields(&record.node);
            let _ = fields.optional("name");
            if reader.yes(fields.optional("secret")) {
                game.secret_seats.push(name(id));
            }
            fields.finish();
        }
        if game.seats.len() > SEATS_MAX {
            reader.defect("seats.many", record.node.place, format!("more than {SEATS_MAX} seats"), None);
        }
    }
}

pub(super) fn windows(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "windows") {
        let fields = reader.fields(&record.node);
        let args = reader.names(fields.optional("args"));
        let mut with_it = args.clone();
        with_it.push(name("it"));
        let opens = fields.optional("opens").and_then(|node| reader.condition(node, &args));
        let from = fields.required("from").and_then(|node| reader.listed(node, &args));
        let conditions = reader.conditions_of_items(fields.optional("where"), &with_it);
        let until = fields.optional("until").and_then(|node| reader.name(node));
        if let (Some(until), Some(node)) = (until, fields.optional("until"))
            && !section(reader.sources, "phases").any(|(phase, _)| *phase == until.as_str())
        {
            reader.defect("reference.unknown", node.place, format!("there is no phase {until}"), None);
        }
        fields.finish();
        if let Some(from) = from {
            game.windows.insert(name(id), WindowRecord { args, opens, from, conditions, until });
        }
    }
}

/// Who learns of an event with these fields.
pub(super) fn secrecy(reader: &Reader<'_>, fields: &Fields<'_>, declared: &[Name]) -> Secrecy {
    let mut only = IndexMap::new();
    for (field, node) in fields.entries("only") {
        if !declared.contains(&field) {
            reader.defect("field.unknown", node.named_at(), format!("the event has no field {field}"), None);
        }
        only.insert(field, told(reader, node, declared));
    }
    Secrecy {
        audience: fields.optional("audience").map(|node| told(reader, node, declared)).unwrap_or_default(),
        only,
        why: reader.yes(fields.optional("why")),
        barrier: reader.yes(fields.optional("barrier")),
    }
}

/// `all`, `changed`, a seat, a field that names a seat, or a list of seats.
pub(super) fn told(reader: &Reader<'_>, node: &Node, declared: &[Name]) -> Told {
    if let NodeValue::List(_) = node.value {
        let seats = reader.names(Some(node));
        seats.iter().for_each(|seat| check_seat(reader, node, *seat));
        return Told::Seats(seats);
    }
    match reader.name(node) {
        Some(text) if text.as_str() == "all" => Told::All,
        Some(text) if text.as_str() == "changed" => Told::Changed,
        Some(text) if declared.contains(&text) => Told::Field(text),
        Some(seat) => {
            check_seat(reader, node, seat);
            Told::Seats(vec![seat])
        }
        None => Told::All,
    }
}

/// The seat that a record names.
pub(super) fn seat(reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let seat = reader.name(node)?;
    check_seat(reader, node, seat);
    Some(seat)
}

fn check_seat(reader: &Reader<'_>, node: &Node, seat: Name) {
    if !section(reader.sources, "seats").any(|(id, _)| *id == seat.as_str()) {
        reader.defect("reference.unknown", node.place, format!("there is no seat {seat}"), None);
    }
}
