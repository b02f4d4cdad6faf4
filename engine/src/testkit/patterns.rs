//! Reading the events that a case names: `barked dog=dog`. A kind or field that the game does not
//! have could never occur, so a case that forbids it would always pass.

use crate::{
    base::Name,
    content::{Node, nearest},
    rules::{FLOW_EVENTS, Game, read::Reader},
};

/// Patterns of events, each checked against what the game has.
pub(super) fn patterns(game: &Game, reader: &Reader<'_>, node: Option<&Node>) -> Vec<String> {
    let read = |item: &Node| {
        let text = reader.text(Some(item));
        check(game, reader, item, &text);
        text
    };
    reader.items(node).iter().map(read).collect()
}

/// Tells of a kind of event, or a field, that the game does not have.
pub(super) fn check(game: &Game, reader: &Reader<'_>, node: &Node, pattern: &str) {
    let mut words = pattern.split_whitespace();
    let Some(kind) = words.next() else { return };
    if FLOW_EVENTS.contains(&kind) {
        return;
    }
    let wrong = |message: String, help: String| reader.defect("test.event", node.named_at(), message, Some(help));
    let Some(event) = game.events.get(&crate::base::name(kind)) else {
        let help = nearest(kind, game.events.keys().map(Name::as_str)).map_or_else(
            || format!("`sandtable show {} events` lists the events", game.id),
            |near| format!("did you mean {near}?"),
        );
        return wrong(format!("there is no event {kind}"), help);
    };
    let listed = || event.fields.keys().map(Name::as_str).collect::<Vec<_>>().join(", ");
    for (index, word) in words.enumerate() {
        let field = match word.split_once('=') {
            Some((field, _)) => field,
            None if index == 0 => {
                return wrong(format!("`{word}` is no `field=value`"), format!("fields of {kind}: {}", listed()));
            }
            // A value of several words.
            None => continue,
        };
        if !event.fields.iter().any(|(known, _)| known.as_str() == field) {
            let help = nearest(field, event.fields.keys().map(Name::as_str))
                .map_or_else(|| format!("fields of {kind}: {}", listed()), |near| format!("did you mean {near}?"));
            return wrong(format!("the event {kind} has no field {field}"), help);
        }
    }
}
