//! The assembled board: which squares exist, what they and their edges are called.
//!
//! A square's name is its column in letters and its row as a number: column 0, row 0 is
//! `a1`. Rows south of it go on downwards (`a0`, `a-1`), columns west of it count from `-a`
//! (`-a1`, `-b1`). An edge is named by the squares on its sides (`d4|e4`), whether or not
//! both exist.

use super::{Facing, regions::Regions};
use crate::base::{Name, SpaceId};

/// What is drawn on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The terrain, then what stands there.
    pub things: Vec<Name>,
    /// The region of the tile.
    pub region: Name,
}

/// A side of a square. Numbered: first those that run west to east, row by row from the
/// south, then the others likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

impl EdgeId {
    /// The id as an index into a flat array.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How an edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// West to east, between two rows.
    Horizontal,
    /// South to north, between two columns.
    Vertical,
}

/// A side of at least one square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What is drawn on it, each mark once.
    pub marks: Vec<Name>,
    /// The square to the south or west, unless the board ends there.
    pub low_side: Option<SpaceId>,
    /// The square to the north or east, unless the board ends there.
    pub high_side: Option<SpaceId>,
    /// How the edge runs.
    pub axis: Axis,
    /// Column and row of the low side, whether or not there is a square.
    pub low: (i32, i32),
}

impl Edge {
    /// Column and row of the high side, whether or not there is a square.
    #[must_use]
    pub fn high(&self) -> (i32, i32) {
        match self.axis {
            Axis::Horizontal => (self.low.0, self.low.1 + 1),
            Axis::Vertical => (self.low.0 + 1, self.low.1),
        }
    }

    /// Whether the edge bears any of `marks`.
    #[must_use]
    pub fn bears_any(&self, marks: &[Name]) -> bool {
        self.marks.iter().any(|mark| marks.contains(mark))
    }

    /// Whether the board ends at this edge.
    #[must_use]
    pub fn is_border(&self) -> bool {
        self.low_side.is_none() || self.high_side.is_none()
    }
}

/// The eight directions in the order of [`Grid::neighbours`]: clockwise from north.
pub(super) const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A board that never changes. Spaces are numbered row by row from the south, west to east.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Column and row of the south-west corner of the box around all squares.
    pub(super) origin: (i32, i32),
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) by_place: Vec<Option<SpaceId>>,
    pub(super) horizontal: Vec<Option<EdgeId>>,
    pub(super) vertical: Vec<Option<EdgeId>>,
    pub(super) cells: Vec<Cell>,
    pub(super) coords: Vec<(i32, i32)>,
    pub(super) names: Vec<Name>,
    pub(super) neighbours: Vec<[Option<SpaceId>; 8]>,
    pub(super) sides: Vec<[EdgeId; 4]>,
    pub(super) edges: Vec<Edge>,
    pub(super) regions: Regions,
}

impl Grid {
    /// The number of spaces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no space; never so for an assembled board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All spaces in the order of their numbers.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = SpaceId> + DoubleEndedIterator + use<> {
        (0..self.cells.len() as u32).map(SpaceId)
    }

    /// All edges in the order of their numbers.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeId> + DoubleEndedIterator + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// Whether the id is one of this board.
    #[must_use]
    pub fn contains(&self, space: SpaceId) -> bool {
        space.index() < self.cells.len()
    }

    /// South-west corner, width and height of the box around all squares.
    #[must_use]
    pub fn extent(&self) -> ((i32, i32), i32, i32) {
        (self.origin, self.width, self.height)
    }

    /// The space of a name.
    #[must_use]
    pub fn space(&self, name: &str) -> Option<SpaceId> {
        let (col, row) = coord_of_name(name)?;
        self.at(col, row)
    }

    /// The name of a space.
    #[must_use]
    pub fn name(&self, space: SpaceId) -> Name {
        self.names[space.index()]
    }

    /// Column and row of a space; square `a1` is (0, 0).
    #[must_use]
    #[inline]
    pub fn coord(&self, space: SpaceId) -> (i32, i32) {
        self.coords[space.index()]
    }

    /// The space at a column and row.
    #[must_use]
    pub fn at(&self, col: i32, row: i32) -> Option<SpaceId> {
        let (col, row) = (col.checked_sub(self.origin.0)?, row.checked_sub(self.origin.1)?);
        let inside = (0..self.width).contains(&col) && (0..self.height).contains(&row);
        if inside { self.by_place[(row * self.width + col) as usize] } else { None }
    }

    /// What is drawn on a space.
    #[must_use]
    pub fn cell(&self, space: SpaceId) -> &Cell {
        &self.cells[space.index()]
    }

    /// Its regions.
    #[must_use]
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The edge of an id.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// The edge on one side of a space.
    #[must_use]
    pub fn side(&self, space: SpaceId, facing: Facing) -> EdgeId {
        self.sides[space.index()][facing.index()]
    }

    /// The edge that two spaces share.
    #[must_use]
    pub fn edge_between(&self, a: SpaceId, b: SpaceId) -> Option<EdgeId> {
        let neighbours = &self.neighbours[a.index()];
        let facing = Facing::ALL.into_iter().find(|facing| neighbours[2 * facing.index()] == Some(b))?;
        Some(self.side(a, facing))
    }

    /// The name of an edge: the squares on its sides, south or west first.
    #[must_use]
    pub fn edge_name(&self, edge: EdgeId) -> String {
        let edge = self.edge(edge);
        let (low, high) = (edge.low, edge.high());
        format!("{}|{}", coord_name(low.0, low.1), coord_name(high.0, high.1))
    }

    /// The edge of a name, with its squares in either order.
    #[must_use]
    pub fn edge_of_name(&self, name: &str) -> Option<EdgeId> {
        let (first, second) = name.split_once('|')?;
        let (first, second) = (coord_of_name(first)?, coord_of_name(second)?);
        let (low, high) = (first.min(second), first.max(second));
        match (high.0 - low.0, high.1 - low.1) {
            (0, 1) => self.horizontal_edge(low.0, high.1),
            (1, 0) => self.vertical_edge(high.0, low.1),
            _ => None,
        }
    }

    /// The edge south of the square at a column and row, whether or not that square exists.
    pub(super) fn horizontal_edge(&self, col: i32, row: i32) -> Option<EdgeId> {
        let (col, line) = (col - self.origin.0, row - self.origin.1);
        let inside = (0..self.width).contains(&col) && (0..=self.height).contains(&line);
        if inside { self.horizontal[(line * self.width + col) as usize] } else { None }
    }

    /// The edge west of the square at a column and row, whether or not that square exists.
    pub(super) fn vertical_edge(&self, col: i32, row: i32) -> Option<EdgeId> {
        let (line, row) = (col - self.origin.0, row - self.origin.1);
        let inside = (0..=self.width).contains(&line) && (0..self.height).contains(&row);
        if inside { self.vertical[(row * (self.width + 1) + line) as usize] } else { None }
    }

    /// The squares around a space: N, NE, E, SE, S, SW, W, NW.
    #[must_use]
    pub fn neighbours(&self, space: SpaceId) -> &[Option<SpaceId>; 8] {
        &self.neighbours[space.index()]
    }

    /// The number of steps between two spaces on an open board, diagonals counting one.
    #[must_use]
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> u32 {
        let ((a_col, a_row), (b_col, b_row)) = (self.coord(a), self.coord(b));
        a_col.abs_diff(b_col).max(a_row.abs_diff(b_row))
    }

    /// Whether a space lies in the box whose corners are two others.
    #[must_use]
    pub fn lies_between(&self, space: SpaceId, a: SpaceId, b: SpaceId) -> bool {
        let ((col, row), (a_col, a_row), (b_col, b_row)) = (self.coord(space), self.coord(a), self.coord(b));
        (a_col.min(b_col)..=a_col.max(b_col)).contains(&col) && (a_row.min(b_row)..=a_row.max(b_row)).contains(&row)
    }

    /// Whether two different spaces share a side or a corner.
    #[must_use]
    pub fn adjacent(&self, a: SpaceId, b: SpaceId) -> bool {
        self.distance(a, b) == 1
    }
}

/// The name of a square, whether or not it exists.
pub(crate) fn coord_name(col: i32, row: i32) -> String {
    let (sign, mut number) = if col >= 0 { ("", i64::from(col) + 1) } else { ("-", -i64::from(col)) };
    let mut letters = Vec::new();
    while number > 0 {
        letters.push(char::from(b'a' + ((number - 1) % 26) as u8));
        number = (number - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{sign}{letters}{}", i64::from(row) + 1)
}

/// Column and row of a name as [`coord_name`] writes it, and of no other spelling.
fn coord_of_name(text: &str) -> Option<(i32, i32)> {
    let (west, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    if !(1..=5).contains(&letters) {
        return None;
    }
    let (letters, digits) = rest.split_at(letters);
    let number = letters.bytes().fold(0, |number, letter| number * 26 + i32::from(letter - b'a') + 1);
    let plain = digits.strip_prefix('-').unwrap_or(digits);
    let canonical = digits == "0" || (!plain.starts_with('0') && plain.bytes().all(|digit| digit.is_ascii_digit()));
    let row = digits.parse::<i32>().ok().filter(|row| canonical && row.unsigned_abs() < 1_000_000)? - 1;
    Some((if west { -number } else { number - 1 }, row))
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
