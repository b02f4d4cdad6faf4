//! The board as text: one mark a square, north first, with the coordinates around.

use super::Table;
use crate::{
    base::{Name, SpaceId},
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
            .map(|col| board.at(col, south.max(0)).map_or_else(|| " ".into(), |space| column(&board.name(space))))
            .collect();
        lines.push(format!("    {}", letters.join(" ")));
        lines
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
