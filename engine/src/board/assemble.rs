//! Laying tiles side by side: how a board comes to be.

use indexmap::IndexMap;

use super::{
    DrawnTile, Facing,
    grid::{Axis, Cell, DIRECTIONS, Edge, EdgeId, Grid, coord_name},
    regions::Regions,
};
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
            regions: Regions::default(),
        };
        grid.add_spaces(placed, &owners);
        grid.add_edges(placed);
        grid.link();
        Ok(grid)
    }

    fn add_spaces(&mut self, placed: &[Placed<'_>], owners: &[Option<usize>]) {
        for place in placed {
            self.regions.open(place.region);
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
            self.regions.open(place.region).push(space);
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
