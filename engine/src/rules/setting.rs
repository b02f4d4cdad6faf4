//! The setting: a mission's board, and what its tiles and its page put on it.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::{
    flow::FIRST_PHASE,
    game::{Game, Local, Mission, MissionTile, Tile},
    scene::Scene,
    sight_table::SightTable,
    step_table::StepTable,
};
use crate::{
    base::{Name, Value, name},
    board::{Board, DrawnTile, Grid, Placed, rotated_coord},
    kernel::fresh,
};

/// The name of a tile that belongs to no record.
pub(super) const OWN_BOARD: &str = "board";

/// What a mission brings.
#[derive(Debug)]
pub struct Setting {
    /// The mission.
    pub mission: Name,
    /// Its board.
    pub board: Board,
    /// The map that this is, if it is one.
    pub map: Option<Name>,
    /// What it, and the options chosen for it, say.
    pub facts: BTreeMap<Name, Value>,
    /// What is put on the board, tile by tile, then from the mission's page.
    pub placements: Vec<Value>,
    /// Lines of the board that have been looked at.
    pub sight: SightTable,
    /// Steps over the board that have been looked at.
    pub steps: StepTable,
    /// A number of its own.
    pub(super) id: u64,
    /// The phase that runs.
    pub first: Name,
    /// What an earlier mission has left to it.
    pub legacy: BTreeMap<Name, Value>,
    /// Where the game begins, if not at its start.
    pub scene: Option<Scene>,
}

/// An option that a mission does not have, or not with that value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingFault(pub String);

impl Setting {
    /// Builds the board of a mission and collects what it brings; or the table of a campaign.
    ///
    /// # Errors
    /// When a tile or square is missing, or an option is unknown.
    pub fn new(game: &Game, mission_id: Name, options: &BTreeMap<Name, Name>) -> Result<Self, SettingFault> {
        if game.campaigns.contains_key(&mission_id) {
            return match options.keys().next() {
                None => Self::of_campaign(game, mission_id),
                Some(option) => Err(SettingFault(format!("a campaign has no options, so no {option}"))),
            };
        }
        let mission = game
            .missions
            .get(&mission_id)
            .ok_or_else(|| SettingFault(format!("{} has no mission {mission_id}", game.id)))?;
        Self::of(game, mission_id, mission, None, options)
    }

    /// A board of one square without anything on it, to try scripts on.
    pub(super) fn bare(game: &Game) -> Option<Self> {
        let legend = [('.', Vec::new())].into_iter().collect();
        let drawn = DrawnTile::parse(name(OWN_BOARD), &["."], None, &legend, &IndexMap::new()).ok()?;
        let tile = Tile { drawn, places: Vec::new(), number: None };
        let region = name(OWN_BOARD);
        let tiles = vec![MissionTile { tile: region, region, column: 0, row: 0, turns: 0 }];
        let mission = Mission { tiles, ..Mission::default() };
        Self::of(game, region, &mission, Some(&tile), &BTreeMap::new()).ok()
    }

    /// The same for a mission that is no record of the game; `board` is a tile of its own,
    /// known by the name `board`.
    ///
    /// # Errors
    /// As [`Setting::new`].
    pub fn of(
        game: &Game,
        mission_id: Name,
        mission: &Mission,
        board: Option<&Tile>,
        options: &BTreeMap<Name, Name>,
    ) -> Result<Self, SettingFault> {
        if game.missions.contains_key(&mission_id) {
            game.trace.touch("missions", mission_id);
        }
        let own = board;
        let board = board_of(game, mission, own)?;
        let mut facts = mission.facts.clone();
        choose_options(mission, options, &mut facts)?;
        let mut placements = Vec::new();
        for place in &mission.tiles {
            let grid = board.grid().ok_or_else(|| SettingFault(format!("{mission_id} has a map and tiles")))?;
            tile_placements(tile_of(game, place.tile, own)?, place, grid, &mut placements)?;
        }
        for unit in &mission.units {
            let squares: Vec<Value> = unit
                .squares
                .iter()
                .map(|square| {
                    board.space(&name(square)).map(Value::Space).ok_or_else(|| {
                        SettingFault(format!("{mission_id} puts {} on {square}, which the board lacks", unit.kind))
                    })
                })
                .collect::<Result<_, _>>()?;
            let properties = Value::map(unit.properties.clone());
            placements.push(placement(unit.kind, unit.key, squares, properties));
        }
        let sight = SightTable::new(game.sight.len(), board.len());
        let steps = StepTable::new(game.movement.len());
        let map = mission.map;
        Ok(Self {
            mission: mission_id,
            sight,
            steps,
            board,
            map,
            facts,
            placements,
            id: fresh(),
            first: name(FIRST_PHASE),
            legacy: BTreeMap::new(),
            scene: None,
        })
    }
}

fn tile_of<'a>(game: &'a Game, tile: Name, own: Option<&'a Tile>) -> Result<&'a Tile, SettingFault> {
    let own = own.filter(|_| tile.as_str() == OWN_BOARD);
    if own.is_none() {
        game.trace.touch("tiles", tile);
    }
    own.or_else(|| game.tiles.get(&tile)).ok_or_else(|| SettingFault(format!("there is no tile {tile}")))
}

fn board_of(game: &Game, mission: &Mission, own: Option<&Tile>) -> Result<Board, SettingFault> {
    if let Some(id) = mission.map {
        let map = game.maps.get(&id).ok_or_else(|| SettingFault(format!("there is no map {id}")))?;
        game.trace.touch("maps", id);
        return Ok(Board::Points(map.board.clone()));
    }
    let mut drawn = Vec::new();
    for place in &mission.tiles {
        let tile = tile_of(game, place.tile, own)?;
        drawn.push((tile.drawn.rotated(i32::from(place.turns)), place));
    }
    let placed: Vec<Placed<'_>> = drawn
        .iter()
        .map(|(tile, place)| Placed { tile, region: place.region, col: place.column, row: place.row })
        .collect();
    Grid::assemble(&placed)
        .map(Board::Squares)
        .map_err(|faults| SettingFault(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}

fn choose_options(
    mission: &Mission,
    chosen: &BTreeMap<Name, Name>,
    facts: &mut BTreeMap<Name, Value>,
) -> Result<(), SettingFault> {
    for (option, values) in &mission.options {
        let value = match chosen.get(option) {
            Some(value) => values.get(value).ok_or_else(|| {
                let known: Vec<&str> = values.keys().map(Name::as_str).collect();
                SettingFault(format!("option {option} cannot be {value}; it is one of {}", known.join(", ")))
            })?,
            None => values.values().next().unwrap_or(&Value::None),
        };
        facts.insert(*option, value.clone());
    }
    match chosen.keys().find(|option| !mission.options.contains_key(*option)) {
        None => Ok(()),
        Some(option) => {
            let known: Vec<&str> = mission.options.keys().map(Name::as_str).collect();
            Err(SettingFault(format!("this mission has no option {option}; it has: {}", known.join(", "))))
        }
    }
}

fn tile_placements(
    tile: &Tile,
    place: &MissionTile,
    board: &Grid,
    placements: &mut Vec<Value>,
) -> Result<(), SettingFault> {
    for thing in &tile.places {
        let mut properties = BTreeMap::new();
        let mut squares = Vec::new();
        for (property, local) in &thing.properties {
            let value = turned(local, tile.drawn.width(), tile.drawn.height(), place, board)
                .ok_or_else(|| SettingFault(format!("{}: {property} of {} is off the tile", place.tile, thing.kind)))?;
            if property.as_str() == "at" {
                squares.push(value);
            } else {
                properties.insert(*property, value);
            }
        }
        placements.push(placement(thing.kind, None, squares, Value::map(properties)));
    }
    Ok(())
}

fn placement(kind: Name, key: Option<Name>, mut squares: Vec<Value>, properties: Value) -> Value {
    let at = match squares.len() {
        0 => Value::None,
        1 => squares.remove(0),
        _ => Value::list(squares),
    };
    Value::map([
        (name("kind"), kind.into()),
        (name("key"), key.map_or(Value::None, Value::Name)),
        (name("at"), at),
        (name("properties"), properties),
    ])
}

/// A value of a tile as it lies on the board.
fn turned(local: &Local, width: usize, height: usize, place: &MissionTile, board: &Grid) -> Option<Value> {
    Some(match local {
        Local::Value(value) => value.clone(),
        Local::Square(col, row) => {
            let (width, height) = (i32::try_from(width).ok()?, i32::try_from(height).ok()?);
            let at = rotated_coord((width, height), (*col, *row), i32::from(place.turns));
            Value::Space(board.at(place.column + at.0, place.row + at.1)?)
        }
        Local::Facing(facing) => {
            let facing = (0..place.turns % 4).fold(*facing, |facing, _| facing.cw());
            Value::Name(name(&facing.to_string()))
        }
        Local::List(items) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|item| turned(item, width, height, place, board)).collect();
            Value::list(items?)
        }
        Local::Map(entries) => {
            let entries: Option<Vec<(Name, Value)>> =
                entries.iter().map(|(key, item)| Some((*key, turned(item, width, height, place, board)?))).collect();
            Value::map(entries?)
        }
    })
}
