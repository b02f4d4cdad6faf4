//! What a case names and its game never had: squares that are not on its board, things that nobody made.

use crate::{
    base::{EntityId, Name, SpaceId, name},
    content::nearest,
    kernel::World,
    rules::{Game, Setting},
};

use super::{case::PlayCase, fault::Fault};

/// Squares of the case's things that the board does not have, a sentence each.
pub(super) fn squares(case: &PlayCase, setting: &Setting) -> Vec<Fault> {
    let board = &setting.board;
    let names: Vec<Name> = board.spaces().map(|space: SpaceId| board.name(space)).collect();
    let strange = case.squares.iter().filter(|(square, _)| board.space(square).is_none());
    strange
        .map(|(square, line)| {
            let near = nearest(square, names.iter().map(Name::as_str));
            let help = match (near, names.first().zip(names.last())) {
                (Some(near), _) => format!("did you mean {near}?"),
                (None, Some((first, last))) => format!("it has {first} to {last}"),
                (None, None) => "it has none".into(),
            };
            Fault::at(*line, format!("the board has no {square}; {help}"))
        })
        .collect()
}

/// What a pattern of an event that must not occur names though no such thing was ever there: then it
/// could not occur at all. What could be made, a thing of a kind by its number, is left alone.
pub(super) fn things(game: &Game, world: &World, pattern: &str) -> Option<String> {
    let mut words = pattern.split_whitespace();
    let event = game.events.get(&name(words.next()?))?;
    let ever = (0..world.next_entity().0).map(EntityId);
    let known: Vec<Name> = ever.filter_map(|entity| Some(world.entity(entity)?.key)).collect();
    let is_kind = |text: &str| game.kinds.contains_key(&name(text.split('#').next().unwrap_or_default()));
    words.filter_map(|word| word.split_once('=')).find_map(|(field, value)| {
        let is_entity = event.fields.get(&name(field)).is_some_and(|field| field.kind.as_str() == "entity");
        if !is_entity || value == "none" || is_kind(value) || known.iter().any(|key| key.as_str() == value) {
            return None;
        }
        let near = nearest(value, known.iter().map(Name::as_str));
        let help = near.map_or("no such thing was ever there".into(), |near| format!("did you mean {near}?"));
        Some(format!("`{pattern}` cannot occur: there is no {value}; {help}"))
    })
}
