//! Reading campaigns, and what passes from mission to mission.

use std::collections::BTreeMap;

use super::{
    kinds::{keys, type_name},
    section,
    shapes::shaped,
};
use crate::{
    base::{Name, Value, name},
    content::{Node, NodeValue, nearest},
    rules::{
        campaign::{Campaign, Legacy, MISSION_ENDED, MISSION_EVENTS},
        effects::fits,
        game::Game,
        read::{Reader, plain},
    },
};

/// Reads what passes on, and the campaigns.
pub(super) fn campaigns(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "legacy") {
        let legacy = legacy(reader, id, &record.node);
        game.legacy.insert(name(id), legacy);
    }
    let records = section(reader.sources, "campaigns");
    let mut found: Vec<(Name, Campaign)> =
        records.map(|(id, record)| (name(id), campaign(game, reader, id, &record.node))).collect();
    found.sort_by_key(|(_, campaign)| campaign.order);
    game.campaigns = found.into_iter().collect();
    events(game, reader);
}

fn legacy(reader: &Reader<'_>, id: &str, node: &Node) -> Legacy {
    let fields = reader.fields(node);
    let kind = fields.required("type").and_then(|node| Some((node, type_name(reader, node)?)));
    if let Some((node, kind)) = kind.filter(|(_, kind)| kind.contains("entity") || kind.contains("space")) {
        let help = "numbers, names and lists of them pass on".to_string();
        reader.defect("legacy.type", node.place, format!("{kind} means nothing in another mission"), Some(help));
    }
    let kind = kind.map_or_else(|| name("any"), |(_, kind)| kind);
    let default = fields.optional("default");
    let value = default.map_or_else(|| initial(&kind), plain);
    let value = match value {
        Value::List(items) if kind.starts_with("set<") => Value::set(items.to_vec()),
        other => other,
    };
    if let Some(node) = default.filter(|_| !fits(&value, &kind)) {
        reader.wrong_type(node, &format!("{kind}, which {id} is,"));
    }
    if let Some(node) = default.filter(|node| node.as_map().is_some()) {
        shaped(reader, &format!("the default of {id}"), node, Some(fields.node()));
    }
    keys(reader, &fields, Some(kind));
    let doc = reader.text(fields.required("doc"));
    let leaves = fields.optional("leaves").and_then(|node| reader.expr(node, &[]));
    let _ = fields.optional("source");
    fields.finish();
    Legacy { doc, kind, default: value, leaves }
}

/// What nobody has given.
fn initial(kind: &str) -> Value {
    match kind {
        "int" => Value::Int(0),
        "bool" => Value::Bool(false),
        "map" => Value::map([]),
        _ if kind.starts_with("list<") => Value::list(Vec::new()),
        _ if kind.starts_with("set<") => Value::set(Vec::new()),
        _ => Value::None,
    }
}

fn campaign(game: &Game, reader: &Reader<'_>, id: &str, node: &Node) -> Campaign {
    let fields = reader.fields(node);
    let title = reader.text(fields.required("name"));
    let briefing = reader.text(fields.required("briefing"));
    let order = fields.required("order").and_then(|node| reader.int(node)).unwrap_or(0);
    let phase = fields.required("phase").and_then(|node| Some((node, reader.name(node)?)));
    if let Some((node, phase)) = phase.filter(|(_, phase)| !is_there(reader, "phases", phase)) {
        unknown(reader, node, "phase", &phase, game.phases.keys().map(Name::as_str));
    }
    let missions = fields.required("missions");
    for node in reader.items(missions) {
        known_mission(game, reader, node);
    }
    let missions = reader.names(missions);
    let _ = fields.optional("source");
    let mut facts: BTreeMap<Name, Value> = fields.rest().into_iter().map(|(key, node)| (key, plain(node))).collect();
    facts.insert(name("missions"), Value::list(missions.iter().map(|mission| Value::Name(*mission)).collect()));
    if is_there(reader, "missions", id) {
        let help = Some("give one of the two another id".into());
        reader.defect("campaign.twice", node.named_at(), format!("{id} is a mission too"), help);
    }
    Campaign { title, briefing, order, phase: phase.map(|(_, phase)| phase).unwrap_or_default(), missions, facts }
}

fn is_there(reader: &Reader<'_>, records: &str, id: &str) -> bool {
    section(reader.sources, records).any(|(known, _)| known == id)
}

/// Tells of a mission that is not there.
fn known_mission(game: &Game, reader: &Reader<'_>, node: &Node) {
    let Some(mission) = reader.name(node) else { return };
    if !is_there(reader, "missions", &mission) {
        unknown(reader, node, "mission", &mission, game.missions.keys().map(Name::as_str));
    }
}

fn unknown<'a>(reader: &Reader<'_>, node: &Node, what: &str, id: &str, known: impl Iterator<Item = &'a str>) {
    let known: Vec<&str> = known.collect();
    let help = nearest(id, known.iter().copied())
        .map_or_else(|| format!("there are: {}", known.join(", ")), |near| format!("did you mean {near}?"));
    reader.defect("reference.unknown", node.place, format!("there is no {what} {id}"), Some(help));
}

/// Tells of what phases give on, or have played, that is not there.
pub(super) fn in_phases(game: &Game, reader: &Reader<'_>) {
    for (_, record) in section(reader.sources, "phases") {
        let Some(plays) = record.node.as_map().and_then(|fields| fields.get("plays")).and_then(Node::as_map) else {
            continue;
        };
        for (id, node) in plays.get("legacy").and_then(Node::as_map).into_iter().flatten() {
            if !game.legacy.contains_key(&name(id)) {
                let place = Node { place: node.named_at(), ..node.clone() };
                unknown(reader, &place, "record of section `legacy`", id, game.legacy.keys().map(Name::as_str));
            }
        }
        // A mission that is written out.
        let Some(node) = plays.get("mission") else { continue };
        let NodeValue::Text(text) = &node.value else { continue };
        let written = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|it| !it.contains('"'));
        if let Some(mission) = written {
            known_mission(game, reader, &Node { value: NodeValue::Text(mission.into()), ..node.clone() });
        }
    }
}

/// A game with campaigns has the events with which missions begin and end.
fn events(game: &mut Game, reader: &Reader<'_>) {
    let Some((_, record)) = section(reader.sources, "campaigns").next() else { return };
    for (event, fields) in MISSION_EVENTS {
        let written: Vec<String> = fields.iter().map(|(field, kind)| format!("{field}: {kind}")).collect();
        let written = format!("write it in section `events`, with the fields {{{}}}", written.join(", "));
        let Some(declared) = game.events.get(&name(event)) else {
            let place = record.node.named_at();
            reader.defect("campaign.event", place, format!("a campaign needs the event {event}"), Some(written));
            continue;
        };
        let fits = |(field, kind): &(&str, &str)| {
            declared.fields.get(&name(field)).is_some_and(|declared| declared.kind.as_str() == *kind)
        };
        if declared.fields.len() != fields.len() || !fields.iter().all(fits) {
            let place = section(reader.sources, "events").find(|(id, _)| *id == event).map(|(_, event)| &event.node);
            let place = place.unwrap_or(&record.node).named_at();
            reader.defect("campaign.event", place, format!("the event {event} has other fields"), Some(written));
        }
    }
    // What was played is final.
    if let Some(event) = game.events.get_mut(&name(MISSION_ENDED)) {
        event.secrecy.barrier = true;
    }
}
