//! Reading piles: who knows them, how they are shuffled, and from where they are made up again.

use super::{secrets::seat, section};
use crate::{
    base::{Name, name},
    content::{Node, nearest},
    rules::{
        game::{Game, Refill, ZoneRecord},
        piles,
        read::Reader,
    },
};

/// The piles of a game, and the events that the engine has for them.
pub(super) fn zones(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "zones") {
        let fields = reader.fields(&record.node);
        let hidden = reader.yes(fields.optional("hidden"));
        let seen_by = fields.optional("seen_by").and_then(|node| seat(reader, node));
        let stream = fields.optional("stream").and_then(|node| reader.name(node));
        let refill = fields.optional("refill").and_then(|node| refill(reader, id, node));
        fields.finish();
        game.zones.insert(name(id), ZoneRecord { hidden, seen_by, stream, refill });
    }
    if game.zones.is_empty() {
        return;
    }
    for (id, event) in piles::events() {
        if let Some((_, record)) = section(reader.sources, "events").find(|(known, _)| *known == id.as_str()) {
            let help = Some("give it another name, or let hooks wait for the engine's own".into());
            let message = format!("{id} is an event that the engine has for zones");
            reader.defect("event.builtin", record.node.named_at(), message, help);
        }
        game.events.insert(id, event);
    }
}

fn refill(reader: &Reader<'_>, id: &str, node: &Node) -> Option<Refill> {
    let fields = reader.fields(node);
    let from = fields.required("from").and_then(|node| Some((node, reader.name(node)?)));
    let when = fields.optional("when").and_then(|node| reader.condition(node, &[name("it")]));
    fields.finish();
    let (node, from) = from?;
    let known = || section(reader.sources, "zones").map(|(zone, _)| zone.as_str()).filter(|zone| *zone != id);
    let near = |from: Name| {
        nearest(&from, known()).map_or_else(|| "name another zone".into(), |near| format!("did you mean {near}?"))
    };
    if from.as_str() == id {
        let message = format!("{id} would be made up from itself");
        reader.defect("zone.refill", node.place, message, Some("name the zone where its things are laid aside".into()));
    } else if !known().any(|zone| zone == from.as_str()) {
        let message = format!("{id} is made up from {from}, which is no zone");
        reader.defect("reference.unknown", node.place, message, Some(near(from)));
    }
    Some(Refill { from, when })
}
