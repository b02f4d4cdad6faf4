//! Tiles drawn as text, and how they turn.
//!
//! One picture shows the cells, a character each, north first. A second one shows the
//! edges as a lattice of twice as many lines and columns plus one: cells sit at odd places
//! (written `.` or space), corners at even ones (`+` or space), edges between them.

use indexmap::IndexMap;

use crate::base::Name;

/// A rectangular piece of board as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnTile {
    name: Name,
    width: usize,
    height: usize,
    /// What is in each cell, row by row from the south.
    cells: Vec<Vec<Name>>,
    /// Marks of edges that run west to east: `height + 1` lines from the south.
    horizontal: Vec<Vec<Name>>,
    /// Marks of edges that run south to north: for each row `width + 1`.
    vertical: Vec<Vec<Name>>,
}

/// Which of the two pictures of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Picture {
    /// The picture of the cells.
    Cells,
    /// The picture of the edges.
    Edges,
}

/// Something wrong in a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct DrawingFault {
    /// The picture that has the fault.
    pub picture: Picture,
    /// The line in the picture, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl DrawnTile {
    /// Reads a tile from its pictures.
    ///
    /// # Errors
    /// All faults of both pictures, in order of reading.
    pub fn parse(
        name: Name,
        cells: &[&str],
        edges: Option<&[&str]>,
        cell_legend: &IndexMap<char, Vec<Name>>,
        edge_legend: &IndexMap<char, Vec<Name>>,
    ) -> Result<Self, Vec<DrawingFault>> {
        let mut faults = Vec::new();
        let (width, height) = (cells.first().map_or(0, |row| row.chars().count()), cells.len());
        let mut tile = Self {
            name,
            width,
            height,
            cells: vec![Vec::new(); width * height],
            horizontal: vec![Vec::new(); width * (height + 1)],
            vertical: vec![Vec::new(); (width + 1) * height],
        };
        tile.read_cells(cells, cell_legend, &mut faults);
        if let Some(edges) = edges {
            tile.read_edges(edges, edge_legend, &mut faults);
        }
        if faults.is_empty() { Ok(tile) } else { Err(faults) }
    }

    /// What the tile is called.
    #[must_use]
    pub fn name(&self) -> Name {
        self.name
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// What is in a cell, its terrain first; rows count from the south, both from 0.
    /// Nothing outside the tile.
    #[must_use]
    pub fn cell(&self, col: usize, row: usize) -> &[Name] {
        if col < self.width { self.cells.get(row * self.width + col).map_or(&[], Vec::as_slice) } else { &[] }
    }

    /// Marks of the edge south of cell (`col`, `line`); line `height` is the northern border.
    #[must_use]
    pub fn horizontal_edge(&self, col: usize, line: usize) -> &[Name] {
        if col < self.width { self.horizontal.get(line * self.width + col).map_or(&[], Vec::as_slice) } else { &[] }
    }

    /// Marks of the edge west of cell (`line`, `row`); line `width` is the eastern border.
    #[must_use]
    pub fn vertical_edge(&self, line: usize, row: usize) -> &[Name] {
        if line <= self.width {
            self.vertical.get(row * (self.width + 1) + line).map_or(&[], Vec::as_slice)
        } else {
            &[]
        }
    }

    /// The tile after so many quarter turns clockwise; negative numbers turn back.
    #[must_use]
    pub fn rotated(&self, quarter_turns_clockwise: i32) -> Self {
        (0..quarter_turns_clockwise.rem_euclid(4)).fold(self.clone(), |tile, _| tile.rotated_once())
    }

    /// The tile in a mirror that swaps west and east.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let (width, height) = (self.width, self.height);
        Self {
            cells: table(width, height, |col, row| self.cell(width - 1 - col, row)),
            horizontal: table(width, height + 1, |col, line| self.horizontal_edge(width - 1 - col, line)),
            vertical: table(width + 1, height, |line, row| self.vertical_edge(width - line, row)),
            ..*self
        }
    }

    fn rotated_once(&self) -> Self {
        let (width, height) = (self.height, self.width);
        Self {
            name: self.name,
            width,
            height,
            cells: table(width, height, |col, row| self.cell(height - 1 - row, col)),
            horizontal: table(width, height + 1, |col, line| self.vertical_edge(height - line, col)),
            vertical: table(width + 1, height, |line, row| self.horizontal_edge(height - 1 - row, line)),
        }
    }

    fn read_cells(&mut self, cells: &[&str], legend: &IndexMap<char, Vec<Name>>, faults: &mut Vec<DrawingFault>) {
        let mut fault = |line: usize, column: usize, message: String| {
            faults.push(DrawingFault { picture: Picture::Cells, line: line + 1, column: column + 1, message });
        };
        if self.width == 0 {
            fault(0, 0, "the picture of the cells is empty".into());
        }
        for (line, text) in cells.iter().enumerate() {
            let length = text.chars().count();
            if length != self.width {
                let message = format!("{length} cells in this row, but {} in the first", self.width);
                fault(line, length.min(self.width), message);
            }
            for (column, mark) in text.chars().enumerate() {
                match legend.get(&mark) {
                    None => fault(line, column, format!("the legend of cells has no {mark:?}")),
                    Some(things) if column < self.width => {
                        self.cells[(self.height - 1 - line) * self.width + column].clone_from(things);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn read_edges(&mut self, edges: &[&str], legend: &IndexMap<char, Vec<Name>>, faults: &mut Vec<DrawingFault>) {
        let (lines, columns) = (2 * self.height + 1, 2 * self.width + 1);
        let mut fault = |line: usize, column: usize, message: String| {
            faults.push(DrawingFault { picture: Picture::Edges, line: line + 1, column: column + 1, message });
        };
        if edges.len() != lines {
            let message = format!("{} lines of edges, but {} rows of cells need {lines}", edges.len(), self.height);
            fault(edges.len().min(lines), 0, message);
        }
        for (line, text) in edges.iter().enumerate().take(lines) {
            let text = text.trim_end_matches(' ');
            let length = text.chars().count();
            if length > columns {
                let message = format!("{length} columns of edges, but {} cells in a row need {columns}", self.width);
                fault(line, columns, message);
            }
            for (column, mark) in text.chars().enumerate().take(columns) {
                match (column % 2 == 1, line % 2 == 1, mark) {
                    (_, _, ' ') | (true, true, '.') | (false, false, '+') => {}
                    (true, true, _) => fault(line, column, format!("{mark:?} where a cell sits: expected '.' or ' '")),
                    (false, false, _) => {
                        fault(line, column, format!("{mark:?} where a corner sits: expected '+' or ' '"));
                    }
                    (_, _, '.') => {}
                    (upright_column, _, _) => match legend.get(&mark) {
                        None => fault(line, column, format!("the legend of edges has no {mark:?}")),
                        Some(marks) if upright_column => {
                            let from_south = self.height - line / 2;
                            self.horizontal[from_south * self.width + column / 2].clone_from(marks);
                        }
                        Some(marks) => {
                            let row = self.height - 1 - line / 2;
                            self.vertical[row * (self.width + 1) + column / 2].clone_from(marks);
                        }
                    },
                }
            }
        }
    }
}

/// Where a cell of a tile of the given width and height comes to lie when the tile turns.
#[must_use]
pub fn rotated_coord(size: (i32, i32), coord: (i32, i32), quarter_turns_clockwise: i32) -> (i32, i32) {
    let ((width, height), (col, row)) = (size, coord);
    match quarter_turns_clockwise.rem_euclid(4) {
        0 => coord,
        1 => (row, width - 1 - col),
        2 => (width - 1 - col, height - 1 - row),
        _ => (height - 1 - row, col),
    }
}

/// Where a cell of a tile of the given width comes to lie in a mirror that swaps west and east.
#[must_use]
pub fn mirrored_coord(width: i32, coord: (i32, i32)) -> (i32, i32) {
    (width - 1 - coord.0, coord.1)
}

fn table<'tile>(columns: usize, rows: usize, at: impl Fn(usize, usize) -> &'tile [Name]) -> Vec<Vec<Name>> {
    let at = &at;
    (0..rows).flat_map(|row| (0..columns).map(move |col| at(col, row).to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;
    use crate::board::Facing;
    use crate::board::sample::{cell_legend, edge_legend, tile};

    const EDGES: [&str; 5] = [
        "+#+ + +", //
        "#. . .g", "+ + +#+", " . .#", "",
    ];

    #[test]
    fn a_picture_shows_cells_and_edges() {
        let tile = tile(&["..~", "T.."], Some(&EDGES));
        assert_eq!((tile.width(), tile.height()), (3, 2));
        assert_eq!(tile.cell(2, 1), [name("marsh")]);
        assert_eq!(tile.cell(0, 0), [name("field"), name("tower")]);
        assert_eq!(tile.horizontal_edge(0, 2), [name("wall")]);
        assert_eq!(tile.vertical_edge(0, 1), [name("wall")]);
        assert_eq!(tile.vertical_edge(3, 1), [name("wall"), name("gate")]);
        assert_eq!(tile.horizontal_edge(2, 1), [name("wall")]);
        assert_eq!(tile.vertical_edge(2, 0), [name("wall")]);
        assert_eq!(tile.vertical.iter().chain(&tile.horizontal).filter(|marks| !marks.is_empty()).count(), 5);
    }

    #[test]
    fn all_faults_come_at_once() {
        let faults = DrawnTile::parse(
            name("bad"),
            &["..", "?..", "."],
            Some(&["x", "+?#+ + +"]),
            &cell_legend(),
            &edge_legend(),
        )
        .unwrap_err();
        let places: Vec<_> = faults.iter().map(|fault| (fault.picture, fault.line, fault.column)).collect();
        use Picture::{Cells, Edges};
        assert_eq!(
            places,
            [
                (Cells, 2, 3),
                (Cells, 2, 1),
                (Cells, 3, 2),
                (Edges, 3, 1),
                (Edges, 1, 1),
                (Edges, 2, 6),
                (Edges, 2, 1),
                (Edges, 2, 2),
                (Edges, 2, 4)
            ]
        );
        assert!(DrawnTile::parse(name("bad"), &[], None, &cell_legend(), &edge_legend()).is_err());
    }

    #[test]
    fn turning_moves_cells_and_edges_together() {
        let start = tile(&["..~", "T.."], Some(&EDGES));
        let turned = start.rotated(1);
        assert_eq!((turned.width(), turned.height()), (2, 3));
        assert_eq!(turned.cell(0, 2), [name("field"), name("tower")]);
        assert_eq!(turned.cell(1, 0), [name("marsh")]);
        // The wall north of the north-west cell is now east of the north-east one.
        assert_eq!(turned.vertical_edge(2, 2), [name("wall")]);
        assert_eq!(start.rotated(4), start);
        assert_eq!(start.rotated(1).rotated(-1), start);
        assert_eq!(start.mirrored().mirrored(), start);
        // A half turn and a mirror commute.
        assert_eq!(start.mirrored().rotated(2), start.rotated(2).mirrored());
        assert_eq!(start.mirrored().rotated(1), start.rotated(3).mirrored());
    }

    #[test]
    fn coordinates_and_facings_turn_like_their_tile() {
        let start = tile(&["..~", "T.."], Some(&EDGES));
        let marks = |tile: &DrawnTile, (col, row): (i32, i32), facing: Facing| {
            let (col, row) = (col as usize, row as usize);
            match facing {
                Facing::North => tile.horizontal_edge(col, row + 1).to_vec(),
                Facing::South => tile.horizontal_edge(col, row).to_vec(),
                Facing::East => tile.vertical_edge(col + 1, row).to_vec(),
                Facing::West => tile.vertical_edge(col, row).to_vec(),
            }
        };
        let cell = |tile: &DrawnTile, (col, row): (i32, i32)| tile.cell(col as usize, row as usize).to_vec();
        for coord in (0..3).flat_map(|col| (0..2).map(move |row| (col, row))) {
            for facing in Facing::ALL {
                for turns in 0..4 {
                    let (turned, there) = (start.rotated(turns), rotated_coord((3, 2), coord, turns));
                    assert_eq!(cell(&turned, there), cell(&start, coord));
                    assert_eq!(marks(&turned, there, facing.rotated(turns)), marks(&start, coord, facing));
                }
                let (mirrored, there) = (start.mirrored(), mirrored_coord(3, coord));
                assert_eq!(cell(&mirrored, there), cell(&start, coord));
                assert_eq!(marks(&mirrored, there, facing.mirrored()), marks(&start, coord, facing));
            }
        }
    }
}
