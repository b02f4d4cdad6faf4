//! The board as text: one mark a square, north first, with the coordinates around.

use std::collections::BTreeSet;

use super::Table;
use crate::{
    base::{EntityId, Name, SpaceId, Value},
    kernel::{Position, World},
};

/// The board of a table, a line a row.
#[must_use]
pub fn picture(table: &Table) -> Vec<String> {
    let board = &table.instance().setting.board;
    let coords: Vec<(i32, i32)> = board.spaces().map(|space| board.coord(space)).collect();
    let (Some(west), Some(east)) = (coords.iter().map(|at| at.0).min(), coords.iter().map(|at| at.0).max()) else {
        return Vec::new();
    };
    let (Some(south), Some(north)) = (coords.iter().map(|at| at.1).min(), coords.iter().map(|at| at.1).max()) else {
        return Vec::new();
    };
    table.with_world(|world| {
        let mut lines = Vec::new();
        for row in (south..=north).rev() {
            let marks: Vec<String> = (west..=east)
                .map(|col| board.at(col, row).map_or_else(|| " ".into(), |space| mark(table, world, space)))
                .collect();
            lines.push(format!("{:>3} {}", row + 1, marks.join(" ")));
        }
        let letters: Vec<String> = (west..=east)
            .map(|col| {
                let space = (south.max(0)..=north).chain(south..0).find_map(|row| board.at(col, row));
                space.map_or_else(|| " ".into(), |space| column(&board.name(space)))
            })
            .collect();
        lines.push(format!("    {}", letters.join(" ")));
        lines
    })
}

/// What the marks on a board stand for, those of kinds first.
#[must_use]
pub fn legend(table: &Table) -> Vec<String> {
    let game = table.game();
    let marks = game.kinds.iter().filter_map(|(_, kind)| {
        let mark = kind.stats.get(&crate::base::name("mark"))?.as_name()?;
        Some(format!("{}  {}", mark.chars().next()?, kind.title))
    });
    let board = &table.instance().setting.board;
    let things: BTreeSet<Name> = board.spaces().flat_map(|space| board.cell(space).things.iter().copied()).collect();
    let things: BTreeSet<String> = things
        .into_iter()
        .map(|thing| format!("{}  {}", terrain_mark(table, &thing), thing.replace('_', " ")))
        .collect();
    marks.chain(things).collect()
}

/// An entity in a line, as a seat knows it: its key, where it stands, and every property that it has.
#[must_use]
pub fn state(table: &Table, seat: Name, entity: EntityId) -> Option<(String, String)> {
    let board = &table.instance().setting.board;
    table.with_known_world(seat, |world| {
        let thing = world.entity(entity)?;
        let key = thing.key.to_string();
        let mut parts: Vec<String> = Vec::new();
        for decl in &world.schema().entity {
            match world.property(entity, decl.name) {
                None | Some(Value::None | Value::Bool(false) | Value::Int(0)) => {}
                Some(Value::Bool(true)) => parts.push(decl.name.replace('_', " ")),
                Some(Value::Int(number)) => parts.push(format!("{} {number}", decl.name.replace('_', " "))),
                Some(Value::Name(text)) => parts.push(format!("{} {text}", decl.name.replace('_', " "))),
                Some(Value::Entity(other)) => {
                    let other = world.entity(*other)?.key;
                    parts.push(format!("{} {other}", decl.name.replace('_', " ")));
                }
                Some(_) => {}
            }
        }
        let place = match thing.at {
            Position::Space(space) => format!(" at {}", board.name(space)),
            _ => String::new(),
        };
        let state = format!("{key}{place}: {}", parts.join(", "));
        Some((key, state))
    })
}

/// A square: the mark of what stands there, else of its terrain.
fn mark(table: &Table, world: &World, space: SpaceId) -> String {
    let game = table.game();
    let mut shown = world.on_space(space).iter().filter_map(|id| {
        let thing = world.entity(*id)?;
        let mark = game.kinds.get(&thing.kind)?.stats.get(&crate::base::name("mark"))?.as_name()?;
        matches!(thing.at, Position::Space(_) | Position::Cells(_)).then_some(mark)
    });
    if let Some(mark) = shown.next_back() {
        return mark.chars().next().unwrap_or('?').to_string();
    }
    let thing = table.instance().setting.board.cell(space).things.last().copied();
    thing.map_or_else(|| ".".into(), |thing: Name| terrain_mark(table, &thing))
}

/// The text `mark_<thing>` of the content, else the thing's first letter.
fn terrain_mark(table: &Table, thing: &str) -> String {
    let told = table.game().texts.get(&crate::base::name(&format!("mark_{thing}")));
    let mark = told.and_then(|text| text.chars().next()).or_else(|| thing.chars().next());
    mark.unwrap_or('.').to_string()
}

fn column(name: &str) -> String {
    name.chars().take_while(|c| !c.is_ascii_digit()).last().unwrap_or(' ').to_string()
}
