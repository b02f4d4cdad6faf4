//! The assembled board: which squares exist, what they and their edges are called.
//!
//! A square's name is its column in letters and its row as a number: column 0, row 0 is
//! `a1`. Rows south of it go on downwards (`a0`, `a-1`), columns west of it count from `-a`
//! (`-a1`, `-b1`). An edge is named by the squares on its sides (`d4|e4`), whether or not
//! both exist.

use indexmap::IndexMap;

use super::{DrawnTile, Facing};
use crate::base::{Name, SpaceId, name};

/// The longest side of a board in squares.
pub const BOARD_SIDE_MAX: i32 = 1024;

/// The farthest that a tile's south-west corner may lie from square `a1`.
pub const COORDINATE_MAX: i32 = 100_000;

/// A tile, already turned, and where its south-west corner lies.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'tile> {
    /// The tile as it lies.
    pub tile: &'tile DrawnTile,
    /// The region that its squares belong to; tiles may share one.
    pub region: Name,
    /// Column of its south-west square; 0 is column `a`.
    pub col: i32,
    /// Row of its south-west square; 0 is row 1.
    pub row: i32,
}

/// Why tiles do not make a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyFault {
    /// No tile has a square.
    #[error("a board needs at least one square")]
    Empty,
    /// Two tiles cover the same square.
    #[error("{first} and {second} both cover {square}")]
    Overlap {
        /// Region of the tile that was laid first.
        first: Name,
        /// Region of the tile that was laid on top.
        second: Name,
        /// The first square that both cover.
        square: String,
    },
    /// A tile lies too far away.
    #[error("{region} lies more than {COORDINATE_MAX} squares from a1")]
    TooFar {
        /// Region of the tile.
        region: Name,
    },
    /// The board is too wide or too high.
    #[error("the board measures {width} by {height} squares, but at most {BOARD_SIDE_MAX} a side are allowed")]
    TooLarge {
        /// Columns from the westernmost to the easternmost square.
        width: i32,
        /// Rows from the southernmost to the northernmost square.
        height: i32,
    },
}

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
    origin: (i32, i32),
    width: i32,
    height: i32,
    by_place: Vec<Option<SpaceId>>,
    horizontal: Vec<Option<EdgeId>>,
    vertical: Vec<Option<EdgeId>>,
    cells: Vec<Cell>,
    coords: Vec<(i32, i32)>,
    names: Vec<Name>,
    neighbours: Vec<[Option<SpaceId>; 8]>,
    sides: Vec<[EdgeId; 4]>,
    edges: Vec<Edge>,
    regions: IndexMap<Name, Vec<SpaceId>>,
}

impl Grid {
    /// Lays tiles side by side. Edges that two tiles share bear the marks of both.
    ///
    /// # Errors
    /// All pairs of tiles that overlap, or what makes the board impossible.
    pub fn assemble(placed: &[Placed<'_>]) -> Result<Self, Vec<AssemblyFault>> {
        let (origin, width, height) = bounds(placed)?;
        let box_index = |col: i32, row: i32| ((row - origin.1) * width + col - origin.0) as usize;
        let mut owners: Vec<Option<usize>> = vec![None; (width * height) as usize];
        let mut overlaps: IndexMap<(usize, usize), String> = IndexMap::new();
        for (index, place) in placed.iter().enumerate() {
            for (col, row) in squares(place) {
                match &mut owners[box_index(col, row)] {
                    Some(first) => {
                        overlaps.entry((*first, index)).or_insert_with(|| coord_name(col, row));
                    }
                    free => *free = Some(index),
                }
            }
        }
        if !overlaps.is_empty() {
            let fault = |((first, second), square): ((usize, usize), String)| AssemblyFault::Overlap {
                first: placed[first].region,
                second: placed[second].region,
                square,
            };
            return Err(overlaps.into_iter().map(fault).collect());
        }
        let mut grid = Self {
            origin,
            width,
            height,
            by_place: vec![None; owners.len()],
            horizontal: Vec::new(),
            vertical: Vec::new(),
            cells: Vec::new(),
            coords: Vec::new(),
            names: Vec::new(),
            neighbours: Vec::new(),
            sides: Vec::new(),
            edges: Vec::new(),
            regions: IndexMap::new(),
        };
        grid.add_spaces(placed, &owners);
        grid.add_edges(placed);
        grid.link();
        Ok(grid)
    }

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

    /// The spaces of a region in the order of their numbers; none if there is no such region.
    #[must_use]
    pub fn region(&self, name: Name) -> &[SpaceId] {
        self.regions.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The names of all regions, in the order in which their tiles were given.
    pub fn regions(&self) -> impl Iterator<Item = Name> + '_ {
        self.regions.keys().copied()
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

    /// Whether two different spaces share a side or a corner.
    #[must_use]
    pub fn adjacent(&self, a: SpaceId, b: SpaceId) -> bool {
        self.distance(a, b) == 1
    }

    fn add_spaces(&mut self, placed: &[Placed<'_>], owners: &[Option<usize>]) {
        for place in placed {
            self.regions.entry(place.region).or_default();
        }
        for (index, owner) in owners.iter().enumerate() {
            let Some(place) = owner.map(|owner| &placed[owner]) else { continue };
            let (col, row) = (index as i32 % self.width + self.origin.0, index as i32 / self.width + self.origin.1);
            let space = SpaceId(self.cells.len() as u32);
            self.by_place[index] = Some(space);
            let things = place.tile.cell((col - place.col) as usize, (row - place.row) as usize).to_vec();
            self.cells.push(Cell { things, region: place.region });
            self.coords.push((col, row));
            self.names.push(name(&coord_name(col, row)));
            self.regions.entry(place.region).or_default().push(space);
        }
    }

    fn add_edges(&mut self, placed: &[Placed<'_>]) {
        let ((west, south), width, height) = self.extent();
        for (row, col) in (south..=south + height).flat_map(|row| (west..west + width).map(move |col| (row, col))) {
            let edge = self.add_edge(Axis::Horizontal, (col, row - 1), (col, row));
            self.horizontal.push(edge);
        }
        for (row, col) in (south..south + height).flat_map(|row| (west..=west + width).map(move |col| (row, col))) {
            let edge = self.add_edge(Axis::Vertical, (col - 1, row), (col, row));
            self.vertical.push(edge);
        }
        for place in placed {
            let (width, height) = (place.tile.width(), place.tile.height());
            for (line, col) in (0..=height).flat_map(|line| (0..width).map(move |col| (line, col))) {
                let edge = self.horizontal_edge(place.col + col as i32, place.row + line as i32);
                self.add_marks(edge, place.tile.horizontal_edge(col, line));
            }
            for (row, line) in (0..height).flat_map(|row| (0..=width).map(move |line| (row, line))) {
                let edge = self.vertical_edge(place.col + line as i32, place.row + row as i32);
                self.add_marks(edge, place.tile.vertical_edge(line, row));
            }
        }
    }

    fn add_edge(&mut self, axis: Axis, low: (i32, i32), high: (i32, i32)) -> Option<EdgeId> {
        let (low_side, high_side) = (self.at(low.0, low.1), self.at(high.0, high.1));
        low_side.or(high_side)?;
        self.edges.push(Edge { marks: Vec::new(), low_side, high_side, axis, low });
        Some(EdgeId(self.edges.len() as u32 - 1))
    }

    fn add_marks(&mut self, edge: Option<EdgeId>, marks: &[Name]) {
        let Some(edge) = edge else { return };
        let known = &mut self.edges[edge.index()].marks;
        for mark in marks {
            if !known.contains(mark) {
                known.push(*mark);
            }
        }
    }

    fn link(&mut self) {
        self.neighbours = self
            .coords
            .iter()
            .map(|(col, row)| DIRECTIONS.map(|(dcol, drow)| self.at(col + dcol, row + drow)))
            .collect();
        self.sides = vec![[EdgeId(0); 4]; self.cells.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            let (of_low, of_high) = match edge.axis {
                Axis::Horizontal => (Facing::North, Facing::South),
                Axis::Vertical => (Facing::East, Facing::West),
            };
            for (space, facing) in [(edge.low_side, of_low), (edge.high_side, of_high)] {
                if let Some(space) = space {
                    self.sides[space.index()][facing.index()] = EdgeId(index as u32);
                }
            }
        }
    }
}

/// South-west corner, width and height of the box around all tiles.
fn bounds(placed: &[Placed<'_>]) -> Result<((i32, i32), i32, i32), Vec<AssemblyFault>> {
    let far = |place: &&Placed<'_>| {
        let size = place.tile.width().max(place.tile.height());
        place.col.unsigned_abs().max(place.row.unsigned_abs()) > COORDINATE_MAX as u32 || size > COORDINATE_MAX as usize
    };
    let faults: Vec<_> =
        placed.iter().filter(far).map(|place| AssemblyFault::TooFar { region: place.region }).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let full = |place: &&Placed<'_>| place.tile.width() > 0 && place.tile.height() > 0;
    let corners = |place: &Placed<'_>| {
        (place.col, place.row, place.col + place.tile.width() as i32, place.row + place.tile.height() as i32)
    };
    let (west, south, east, north) = placed
        .iter()
        .filter(full)
        .map(corners)
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))
        .ok_or_else(|| vec![AssemblyFault::Empty])?;
    let (width, height) = (east - west, north - south);
    if width.max(height) > BOARD_SIDE_MAX {
        return Err(vec![AssemblyFault::TooLarge { width, height }]);
    }
    Ok(((west, south), width, height))
}

/// The squares that a tile covers, row by row from the south.
fn squares(place: &Placed<'_>) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (west, south) = (place.col, place.row);
    let (east, north) = (west + place.tile.width() as i32, south + place.tile.height() as i32);
    (south..north).flat_map(move |row| (west..east).map(move |col| (col, row)))
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
mod tests {
    use super::*;
    use crate::board::sample::{empty_grid, grid, random_grid, tile};
    use proptest::prelude::*;

    #[test]
    fn names_go_on_beyond_a1() {
        for (col, row, text) in [
            (0, 0, "a1"),
            (25, 8, "z9"),
            (26, 0, "aa1"),
            (4, -1, "e0"),
            (4, -2, "e-1"),
            (-1, 4, "-a5"),
            (-2, -3, "-b-2"),
            (-27, 0, "-aa1"),
        ] {
            assert_eq!(coord_name(col, row), text);
            assert_eq!(coord_of_name(text), Some((col, row)));
        }
        for text in
            ["", "a", "1", "a01", "a+1", "A1", "a--1", "a-0", "--a1", "a1 ", "zzzzzz1", "a99999999999", "é1", "aé"]
        {
            assert_eq!(coord_of_name(text), None, "{text}");
        }
    }

    #[test]
    fn small_tiles_lie_outside_and_shared_edges_unite() {
        let main = tile(&["..", ".."], Some(&["+ +", " . .#", "", " . .", ""]));
        let annex = tile(&["~"], Some(&["+ +", "g. ", "+ +"]));
        let grid = Grid::assemble(&[
            Placed { tile: &main, region: name("main"), col: 0, row: 0 },
            Placed { tile: &annex, region: name("annex"), col: 2, row: 1 },
            Placed { tile: &annex, region: name("annex"), col: -1, row: -1 },
        ])
        .unwrap();
        let names: Vec<_> = grid.spaces().map(|space| grid.name(space).to_string()).collect();
        assert_eq!(names, ["-a0", "a1", "b1", "a2", "b2", "c2"]);
        assert_eq!(grid.region(name("annex")), [SpaceId(0), SpaceId(5)]);
        assert_eq!(grid.region(name("none")), []);
        let edge = grid.edge_of_name("c2|b2").unwrap();
        assert_eq!(grid.edge(edge).marks, [name("wall"), name("gate")]);
        assert_eq!(grid.edge_name(edge), "b2|c2");
        assert_eq!(grid.space("c1"), None);
        assert!(grid.edge_of_name("c0|c1").is_none());
        assert!(grid.edge_of_name("a1|b2").is_none());
        assert!(grid.edge(grid.edge_of_name("a0|a1").unwrap()).is_border());
        assert_eq!(grid.cell(SpaceId(5)).things, [name("marsh")]);
    }

    #[test]
    fn tiles_may_not_overlap_or_lie_absurdly() {
        let piece = tile(&["..", ".."], None);
        let at = |col, row| Placed { tile: &piece, region: name("main"), col, row };
        let faults = Grid::assemble(&[at(0, 0), at(1, 1), at(0, 1)]).unwrap_err();
        assert_eq!(faults.len(), 3);
        assert_eq!(faults[0].to_string(), "main and main both cover b2");
        assert_eq!(Grid::assemble(&[]).unwrap_err(), [AssemblyFault::Empty]);
        assert!(matches!(Grid::assemble(&[at(i32::MAX, 0)]).unwrap_err()[..], [AssemblyFault::TooFar { .. }]));
        assert!(matches!(Grid::assemble(&[at(0, 0), at(0, 9999)]).unwrap_err()[..], [AssemblyFault::TooLarge { .. }]));
    }

    #[test]
    fn neighbours_go_clockwise_from_north() {
        let grid = empty_grid(3, 3);
        let middle = grid.space("b2").unwrap();
        let around: Vec<_> =
            grid.neighbours(middle).iter().map(|space| grid.name(space.unwrap()).to_string()).collect();
        assert_eq!(around, ["b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"]);
        assert_eq!(grid.at(i32::MIN, i32::MAX), None);
    }

    #[test]
    fn a_picture_lands_on_named_edges() {
        let grid = grid(&["..", ".."], Some(&["+ + +", " .#. ", "+ +h+", " . . ", "+ + +"]));
        let marks = |edge| grid.edge(grid.edge_of_name(edge).unwrap()).marks.clone();
        assert_eq!(marks("a2|b2"), [name("wall")]);
        assert_eq!(marks("b2|b1"), [name("hedge")]);
        assert!(marks("a1|b1").is_empty());
    }

    proptest! {
        #[test]
        fn names_and_numbers_lead_back(grid in random_grid()) {
            for space in grid.spaces() {
                prop_assert_eq!(grid.space(&grid.name(space)), Some(space));
                let (col, row) = grid.coord(space);
                prop_assert_eq!(grid.at(col, row), Some(space));
                for facing in Facing::ALL {
                    let edge = grid.edge(grid.side(space, facing));
                    prop_assert!(edge.low_side == Some(space) || edge.high_side == Some(space));
                    if let Some(other) = grid.neighbours(space)[2 * facing.index()] {
                        prop_assert_eq!(grid.edge_between(space, other), Some(grid.side(space, facing)));
                        prop_assert_eq!(grid.edge_between(other, space), Some(grid.side(space, facing)));
                        prop_assert!(grid.adjacent(space, other));
                    } else {
                        prop_assert!(edge.is_border());
                    }
                }
            }
            for edge in grid.edges() {
                prop_assert_eq!(grid.edge_of_name(&grid.edge_name(edge)), Some(edge));
            }
        }
    }
}
