//! The command `sight`: what a line crosses, and which row of each sight record decides.

use std::io;

use sandtable::{
    base::{Name, SpaceId, name},
    rules::{Crossed, SightVerdict, View, crossed, sight_verdicts},
    table::Table,
};
use serde_json::{Value as Json, json};

use crate::{
    games::{Packs, Start, prepare},
    out::{line, talk},
};

pub(crate) fn sight(packs: &Packs<'_>, mission: &str, start: &Start, ends: [&str; 2], as_json: bool) -> io::Result<u8> {
    let start = Start { seed: start.seed.or(Some(0)), option: start.option.clone(), ..*start };
    let Some((game, settings)) = prepare(packs, mission, &start) else { return Ok(2) };
    let table = match Table::start(&game, settings) {
        Ok(table) => table,
        Err(fault) => {
            talk(&format!("error: {fault}"));
            return Ok(2);
        }
    };
    if let Err(fault) = table.advance() {
        talk(&format!("error: a script failed: {fault}"));
        return Ok(1);
    }
    let board = &table.instance().setting.board;
    if board.grid().is_none() {
        talk(&format!("error: the board of {mission} has no squares, so there are no lines of sight"));
        return Ok(2);
    }
    let mut squares = Vec::new();
    for end in ends {
        let Some(square) = board.space(&name(end)) else {
            let all: Vec<Name> = board.spaces().map(|space| board.name(space)).collect();
            talk(&format!("error: the board has no square {end}\nhint: {}", extent(&all)));
            return Ok(2);
        };
        squares.push(square);
    }
    let (Some(from), Some(to)) = (squares.first(), squares.last()) else { return Ok(2) };
    let found = table.with_world(|world| {
        let view = View::new(world, &table.instance().setting, &game);
        [(*from, *to), (*to, *from)].map(|(from, to)| direction(&view, from, to))
    });
    let mut directions = Vec::new();
    for direction in found {
        match direction {
            Ok(direction) => directions.push(direction),
            Err(fault) => {
                talk(&format!("error: {fault}"));
                return Ok(1);
            }
        }
    }
    if as_json {
        line(
            &json!({ "mission": mission, "directions": directions.iter().map(Direction::json).collect::<Vec<_>>() })
                .to_string(),
        )?;
        return Ok(0);
    }
    directions.iter().try_for_each(Direction::tell)?;
    Ok(0)
}

/// The columns and rows of a board.
fn extent(squares: &[Name]) -> String {
    let parts = squares.iter().filter_map(|square| {
        let (column, row) = square.split_at(square.find(|c: char| !c.is_ascii_alphabetic())?);
        Some(((column.len(), column), row.parse::<i64>().ok()?))
    });
    let (columns, rows): (Vec<_>, Vec<_>) = parts.unzip();
    match (columns.iter().min(), columns.iter().max(), rows.iter().min(), rows.iter().max()) {
        (Some((_, west)), Some((_, east)), Some(south), Some(north)) => {
            format!("its columns go from {west} to {east}, its rows from {south} to {north}; not every square is there")
        }
        _ => "it has none".into(),
    }
}

/// A line one way.
struct Direction {
    from: Name,
    to: Name,
    distance: u32,
    crosses: Vec<Crossed>,
    verdicts: Vec<SightVerdict>,
}

fn direction(view: &View<'_>, from: SpaceId, to: SpaceId) -> Result<Direction, String> {
    Ok(Direction {
        from: view.board.name(from),
        to: view.board.name(to),
        distance: view.board.distance(from, to).unwrap_or_default(),
        crosses: crossed(view, from, to),
        verdicts: sight_verdicts(view, from, to)?,
    })
}

impl Direction {
    fn tell(&self) -> io::Result<()> {
        line(&format!("{} to {}, distance {}", self.from, self.to, self.distance))?;
        let crosses: Vec<String> = self.crosses.iter().map(crossed_text).collect();
        line(&format!("  crosses {}", if crosses.is_empty() { "nothing".into() } else { crosses.join(", ") }))?;
        for verdict in &self.verdicts {
            line(&format!("  {}: {}", verdict.record, if verdict.open { "open" } else { "stopped" }))?;
            for row in &verdict.rows {
                let end = match row.because {
                    Some(because) => format!("does not stop it: {because}"),
                    None => "stops it".to_owned(),
                };
                line(&format!("    {} {} ({}) {end}", row.at, row.thing, row.row))?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let names = |names: &[Name]| names.iter().map(|name| json!(name.as_str())).collect::<Vec<_>>();
        let crosses: Vec<Json> = self
            .crosses
            .iter()
            .map(|at| {
                json!({ "at": at.at, "corner": at.side, "things": names(&at.things), "entities": names(&at.entities) })
            })
            .collect();
        let records: Vec<Json> = self
            .verdicts
            .iter()
            .map(|verdict| {
                let rows: Vec<Json> = verdict
                    .rows
                    .iter()
                    .map(|row| {
                        json!({
                            "at": row.at, "thing": row.thing.as_str(), "row": row.row,
                            "stops": row.stops, "because": row.because,
                        })
                    })
                    .collect();
                json!({ "record": verdict.record.as_str(), "open": verdict.open, "rows": rows })
            })
            .collect();
        json!({
            "from": self.from.as_str(), "to": self.to.as_str(), "distance": self.distance,
            "crosses": crosses, "records": records,
        })
    }
}

fn crossed_text(at: &Crossed) -> String {
    let corner = at.side.map_or_else(String::new, |side| format!(" {side} of a corner"));
    let on: Vec<&str> = at.things.iter().chain(&at.entities).map(|name| name.as_str()).collect();
    if on.is_empty() { format!("{}{corner}", at.at) } else { format!("{}{corner} ({})", at.at, on.join(", ")) }
}
