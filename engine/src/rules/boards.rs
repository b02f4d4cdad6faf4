//! Boards and missions as the rules use them: costs of steps, sight, tiles, piles, what stands where.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::expr::Expr;
use crate::{
    base::{Name, NameMap, Value},
    board::{DrawnTile, Facing, Points},
};

/// What steps cost: by the things on a square and the marks of an edge.
#[derive(Clone, Debug, Default)]
pub struct Movement {
    /// Points for entering a square with such a thing, or with an entity of such a kind or tag.
    pub cells: BTreeMap<Name, CellCost>,
    /// Points for crossing an edge with such a mark.
    pub edges: BTreeMap<Name, EdgeCost>,
}

/// What a step onto a square with something costs; none forbids it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellCost {
    /// Points from a square without it.
    pub enter: Option<u32>,
    /// Points from another square of the same thing.
    pub within: Option<u32>,
}

/// What crossing an edge costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeCost {
    /// Points straight across; none forbids it.
    pub straight: Option<u32>,
    /// Whether a diagonal step may go round its end past it.
    pub diagonal: bool,
}

/// What stops a line between two squares.
#[derive(Debug, Default)]
pub struct Sight {
    /// Things on a square that stop it.
    pub cells: Vec<Name>,
    /// Entities on a square that stop it, on the variable `it`.
    pub entities: Option<Expr>,
    /// Marks of an edge that stop it, each perhaps with an exception.
    pub edges: BTreeMap<Name, EdgeException>,
    /// Things on the last square that hide what is on it, unless the viewer is adjacent.
    pub hides_in: Vec<Name>,
    /// Whether only what touches the last square counts.
    pub near_end: bool,
}

/// When an edge that stops a line does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeException {
    /// Never.
    Never,
    /// When the viewer's square lies in one of the two rows that the edge divides.
    ViewerBeside,
    /// When one end is among the three squares nearest to the edge on its own side.
    EndAtEdge,
}

impl EdgeException {
    /// How it is written in content.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::ViewerBeside => "viewer_beside",
            Self::EndAtEdge => "end_at_edge",
        }
    }
}

/// A board of points as it is printed.
#[derive(Clone, Debug)]
pub struct Map {
    /// The board.
    pub board: Points,
    /// The printed names of its spaces.
    pub titles: NameMap<String>,
}

/// A drawn tile with what is printed on it.
#[derive(Clone, Debug)]
pub struct Tile {
    /// The picture.
    pub drawn: DrawnTile,
    /// Entities that it brings, with local squares and facings.
    pub places: Vec<TilePlace>,
    /// Its number: a tile of one number is used once.
    pub number: Option<i64>,
}

/// An entity that a tile brings.
#[derive(Clone, Debug)]
pub struct TilePlace {
    /// Its kind.
    pub kind: Name,
    /// Its properties, with squares and facings of the tile as it is drawn.
    pub properties: IndexMap<Name, Local>,
}

/// A value on a tile that turns with it.
#[derive(Clone, Debug)]
pub enum Local {
    /// A plain value.
    Value(Value),
    /// A square: column and row from the tile's south-west corner.
    Square(i32, i32),
    /// A facing.
    Facing(Facing),
    /// Several.
    List(Vec<Local>),
    /// Several by name.
    Map(IndexMap<Name, Local>),
}

/// A pile.
#[derive(Debug)]
pub struct ZoneRecord {
    /// Whether no seat knows what lies in it.
    pub hidden: bool,
    /// The only seat that knows what lies in it.
    pub seen_by: Option<Name>,
    /// The stream of its shuffles, if not its own name.
    pub stream: Option<Name>,
    /// From where it is made up when it is empty.
    pub refill: Option<Refill>,
}

/// From where a pile is made up when it is empty.
#[derive(Debug)]
pub struct Refill {
    /// The pile.
    pub from: Name,
    /// What of it goes back: each thing that meets this.
    pub when: Option<Expr>,
}

/// A mission.
#[derive(Clone, Debug, Default)]
pub struct Mission {
    /// Its printed name.
    pub title: String,
    /// What it is about.
    pub briefing: String,
    /// Its place in the book.
    pub order: i64,
    /// The map that is its board, if it is not laid with tiles.
    pub map: Option<Name>,
    /// Tiles that form its board, with their place.
    pub tiles: Vec<MissionTile>,
    /// Entities that stand on it at the start.
    pub units: Vec<MissionUnit>,
    /// Everything else that its scripts may read.
    pub facts: BTreeMap<Name, Value>,
    /// Options: names with their values, the first being the default.
    pub options: IndexMap<Name, IndexMap<Name, Value>>,
}

/// What is asked of every mission.
#[derive(Debug)]
pub struct MissionCheck {
    /// Of which missions.
    pub when: Option<Expr>,
    /// What must hold.
    pub holds: Expr,
    /// What is wrong where it does not.
    pub says: String,
    /// Whether such a mission is refused.
    pub is_error: bool,
}

/// A tile of a mission's board.
#[derive(Clone, Copy, Debug)]
pub struct MissionTile {
    /// The tile.
    pub tile: Name,
    /// The name of the region that it forms.
    pub region: Name,
    /// The column of its south-west square on the board, from 0.
    pub column: i32,
    /// The row of its south-west square on the board, from 0.
    pub row: i32,
    /// Quarter turns clockwise.
    pub turns: u8,
}

/// An entity of a mission.
#[derive(Clone, Debug)]
pub struct MissionUnit {
    /// Its kind.
    pub kind: Name,
    /// Its key, if it is named.
    pub key: Option<Name>,
    /// The squares that it stands on, by name.
    pub squares: Vec<String>,
    /// Its properties.
    pub properties: BTreeMap<Name, Value>,
}
