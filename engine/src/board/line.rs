//! Straight lines from centre to centre, and exactly what they pass.
//!
//! A line passes the interior of squares and of edges, and now and then exactly a corner.
//! Where the line between squares runs is settled by comparing whole numbers, so nothing is
//! rounded. Walking costs one comparison for each square passed, less than looking a
//! remembered line up.

use std::cmp::Ordering;

use super::{EdgeId, Grid};
use crate::base::SpaceId;

/// What lies on one side of a corner that a line passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CornerSide {
    /// The square that the line leaves aside.
    pub cell: Option<SpaceId>,
    /// The two edges of that square that end at the corner, in the order of travel.
    pub edges: [Option<EdgeId>; 2],
}

impl CornerSide {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cell.is_none() && self.edges == [None, None]
    }

    fn blocking(self, blocks: &mut Blocks<'_>) -> Self {
        Self {
            cell: self.cell.filter(|cell| (blocks.cell)(*cell)),
            edges: self.edges.map(|edge| edge.filter(|edge| (blocks.edge)(*edge))),
        }
    }
}

/// Something that a line passes. Squares and edges off the board are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A square, not at either end, whose interior is crossed.
    Cell(SpaceId),
    /// An edge crossed between its ends.
    Edge(EdgeId),
    /// A corner passed exactly.
    Corner {
        /// What lies to the left of the direction of travel.
        left: CornerSide,
        /// What lies to the right.
        right: CornerSide,
    },
}

/// What a line passes, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The squares, edges and corners from the start to the end.
    pub items: Vec<Item>,
}

/// Something in the way of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// A square that blocks.
    Cell(SpaceId),
    /// An edge that blocks.
    Edge(EdgeId),
    /// A corner with something that blocks on both sides; only what blocks is listed.
    Corner {
        /// What blocks to the left of the direction of travel.
        left: CornerSide,
        /// What blocks to the right.
        right: CornerSide,
    },
}

/// How a line passes a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// Through its interior.
    Through,
    /// Exactly over a corner of it.
    Corner,
    /// Not at all.
    By,
}

struct Blocks<'ask> {
    cell: &'ask mut dyn FnMut(SpaceId) -> bool,
    edge: &'ask mut dyn FnMut(EdgeId) -> bool,
}

impl Grid {
    /// What the line between the centres of two spaces passes.
    #[must_use]
    pub fn trace(&self, a: SpaceId, b: SpaceId) -> Trace {
        Trace { items: self.walk(a, b).collect() }
    }

    /// Reports everything in the way between two spaces, in order.
    ///
    /// A corner counts only if something blocks on both sides of it, be it the square there
    /// or one of its two edges. The squares at the ends never block.
    pub fn meets(
        &self,
        a: SpaceId,
        b: SpaceId,
        cell_blocks: &mut dyn FnMut(SpaceId) -> bool,
        edge_blocks: &mut dyn FnMut(EdgeId) -> bool,
        found: &mut dyn FnMut(Met),
    ) {
        let mut blocks = Blocks { cell: cell_blocks, edge: edge_blocks };
        self.walk(a, b).filter_map(|item| met(item, &mut blocks)).for_each(found);
    }

    /// Whether nothing is in the way between two spaces; asks no further than the first
    /// thing that blocks.
    pub fn is_open(
        &self,
        a: SpaceId,
        b: SpaceId,
        cell_blocks: &mut dyn FnMut(SpaceId) -> bool,
        edge_blocks: &mut dyn FnMut(EdgeId) -> bool,
    ) -> bool {
        let mut blocks = Blocks { cell: cell_blocks, edge: edge_blocks };
        self.walk(a, b).all(|item| met(item, &mut blocks).is_none())
    }

    /// How the line between the centres of two spaces passes a third that lies in the box around them.
    #[must_use]
    pub fn passes(&self, space: SpaceId, a: SpaceId, b: SpaceId) -> Passes {
        let (from, to, at) = (self.coord(a), self.coord(b), self.coord(space));
        let (cols, rows) = (to.0 - from.0, to.1 - from.1);
        // Twice the distance of its centre from the line, and of its furthest corner from a parallel through
        // the centre, both as long as the line.
        let centre = 2 * (cols * (at.1 - from.1) - rows * (at.0 - from.0)).abs();
        match centre.cmp(&(cols.abs() + rows.abs())) {
            Ordering::Less => Passes::Through,
            Ordering::Equal => Passes::Corner,
            Ordering::Greater => Passes::By,
        }
    }

    fn walk(&self, a: SpaceId, b: SpaceId) -> Walk<'_> {
        let ((col, row), (to_col, to_row)) = (self.coord(a), self.coord(b));
        let (cols, rows) = (to_col - col, to_row - row);
        let step = (cols.signum(), rows.signum());
        Walk { grid: self, col, row, step, to_go: (cols.abs(), rows.abs()), gone: (0, 0), entered: false }
    }

    /// The edge crossed by a step east or west.
    fn edge_sideways(&self, col: i32, row: i32, step: i32) -> Option<EdgeId> {
        self.vertical_edge(if step > 0 { col + 1 } else { col }, row)
    }

    /// The edge crossed by a step north or south.
    fn edge_upwards(&self, col: i32, row: i32, step: i32) -> Option<EdgeId> {
        self.horizontal_edge(col, if step > 0 { row + 1 } else { row })
    }
}

fn met(item: Item, blocks: &mut Blocks<'_>) -> Option<Met> {
    match item {
        Item::Cell(cell) => (blocks.cell)(cell).then_some(Met::Cell(cell)),
        Item::Edge(edge) => (blocks.edge)(edge).then_some(Met::Edge(edge)),
        Item::Corner { left, right } => {
            let left = left.blocking(blocks);
            if left.is_empty() {
                return None;
            }
            let right = right.blocking(blocks);
            (!right.is_empty()).then_some(Met::Corner { left, right })
        }
    }
}

/// A line on its way.
struct Walk<'grid> {
    grid: &'grid Grid,
    col: i32,
    row: i32,
    step: (i32, i32),
    /// Columns and rows between the ends.
    to_go: (i32, i32),
    /// Grid lines crossed so far, by columns and rows.
    gone: (i32, i32),
    /// The line is in a square that was not yet reported.
    entered: bool,
}

impl Iterator for Walk<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.gone != self.to_go {
            if std::mem::take(&mut self.entered)
                && let Some(cell) = self.grid.at(self.col, self.row)
            {
                return Some(Item::Cell(cell));
            }
            self.entered = true;
            if let Some(item) = self.cross() {
                return Some(item);
            }
        }
        None
    }
}

impl Walk<'_> {
    /// Crosses into the next square. The line meets the n-th grid line between columns
    /// (2n+1)/(2 columns) of its way along, and likewise between rows.
    fn cross(&mut self) -> Option<Item> {
        let (grid, col, row, step) = (self.grid, self.col, self.row, self.step);
        let sideways = (2 * self.gone.0 + 1) * self.to_go.1;
        let upwards = (2 * self.gone.1 + 1) * self.to_go.0;
        let order = sideways.cmp(&upwards);
        if order != Ordering::Greater {
            self.gone.0 += 1;
            self.col += step.0;
        }
        if order != Ordering::Less {
            self.gone.1 += 1;
            self.row += step.1;
        }
        match order {
            Ordering::Less => grid.edge_sideways(col, row, step.0).map(Item::Edge),
            Ordering::Greater => grid.edge_upwards(col, row, step.1).map(Item::Edge),
            Ordering::Equal => {
                let beside = CornerSide {
                    cell: grid.at(self.col, row),
                    edges: [grid.edge_sideways(col, row, step.0), grid.edge_upwards(self.col, row, step.1)],
                };
                let above = CornerSide {
                    cell: grid.at(col, self.row),
                    edges: [grid.edge_upwards(col, row, step.1), grid.edge_sideways(col, self.row, step.0)],
                };
                let (left, right) = if step.0 == step.1 { (above, beside) } else { (beside, above) };
                Some(Item::Corner { left, right })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;
    use crate::board::Axis;
    use crate::board::sample::{empty_grid, grid, random_grid};
    use proptest::prelude::*;

    #[track_caller]
    fn check(grid: &Grid, a: &str, b: &str, expected: &str) {
        let side = |side: CornerSide| {
            let cell = side.cell.map_or("-".into(), |cell| grid.name(cell).to_string());
            let edges = side.edges.map(|edge| edge.map_or("-".into(), |edge| grid.edge_name(edge)));
            format!("{cell},{},{}", edges[0], edges[1])
        };
        let trace = grid.trace(grid.space(a).unwrap(), grid.space(b).unwrap());
        let words: Vec<_> = trace
            .items
            .iter()
            .map(|item| match *item {
                Item::Cell(cell) => grid.name(cell).to_string(),
                Item::Edge(edge) => grid.edge_name(edge),
                Item::Corner { left, right } => format!("({} / {})", side(left), side(right)),
            })
            .collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn lines_pass_squares_edges_and_corners() {
        let grid = empty_grid(4, 4);
        check(&grid, "a1", "a1", "");
        check(&grid, "a1", "b1", "a1|b1");
        check(&grid, "a3", "a1", "a2|a3 a2 a1|a2");
        check(&grid, "a1", "b2", "(a2,a1|a2,a2|b2 / b1,a1|b1,b1|b2)");
        check(&grid, "b2", "a1", "(b1,b1|b2,a1|b1 / a2,a2|b2,a1|a2)");
        check(&grid, "a2", "b1", "(b2,a2|b2,b1|b2 / a1,a1|a2,a1|b1)");
        check(&grid, "a1", "c2", "a1|b1 b1 b1|b2 b2 b2|c2");
        check(&grid, "a1", "d2", "a1|b1 b1 (b2,b1|b2,b2|c2 / c1,b1|c1,c1|c2) c2 c2|d2");
    }

    fn blocked(grid: &Grid, a: &str, b: &str) -> Vec<Met> {
        let (a, b) = (grid.space(a).unwrap(), grid.space(b).unwrap());
        let mut cell = |space: SpaceId| grid.cell(space).things.contains(&name("tower"));
        let mut edge = |edge: EdgeId| grid.edge(edge).marks.contains(&name("wall"));
        let mut all = Vec::new();
        grid.meets(a, b, &mut cell, &mut edge, &mut |met| all.push(met));
        assert_eq!(grid.is_open(a, b, &mut cell, &mut edge), all.is_empty());
        all
    }

    #[test]
    fn a_corner_blocks_only_from_both_sides() {
        let one = grid(&["T.", ".."], None);
        assert_eq!(blocked(&one, "a1", "b2"), []);
        let both = grid(&["T.", ".."], Some(&["", "", "   #", "", ""]));
        let [Met::Corner { left, right }] = blocked(&both, "a1", "b2")[..] else { panic!("no corner") };
        assert_eq!(left, CornerSide { cell: both.space("a2"), edges: [None, None] });
        assert_eq!(right, CornerSide { cell: None, edges: [None, both.edge_of_name("b1|b2")] });
        let twice_left = grid(&["T.", ".."], Some(&["", "  #", " #", "", ""]));
        assert_eq!(blocked(&twice_left, "a1", "b2"), []);
        // The squares at the ends do not block, those between do.
        let row = grid(&["TTT"], None);
        assert_eq!(blocked(&row, "a1", "c1"), [Met::Cell(row.space("b1").unwrap())]);
    }

    /// Which side of the line through two centres a lattice point lies on.
    fn turn(a: (i32, i32), b: (i32, i32), point: (i32, i32)) -> i32 {
        let along = (2 * (b.0 - a.0), 2 * (b.1 - a.1));
        let to = (2 * point.0 - 2 * a.0 - 1, 2 * point.1 - 2 * a.1 - 1);
        (along.0 * to.1 - along.1 * to.0).signum()
    }

    fn flipped(item: &Item) -> Item {
        let back = |side: CornerSide| CornerSide { cell: side.cell, edges: [side.edges[1], side.edges[0]] };
        match *item {
            Item::Corner { left, right } => Item::Corner { left: back(right), right: back(left) },
            other => other,
        }
    }

    #[test]
    fn a_board_can_be_shared() {
        fn check<T: Send + Sync>(_: &T) {}
        check(&empty_grid(1, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn lines_pass_what_lies_on_both_sides_of_them(grid in random_grid(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
            let (a, b) = (SpaceId(from.index(grid.len()) as u32), SpaceId(to.index(grid.len()) as u32));
            let items = grid.trace(a, b).items;
            let (from, to) = (grid.coord(a), grid.coord(b));
            let inside = |(col, row): (i32, i32)| {
                (from.0.min(to.0)..=from.0.max(to.0)).contains(&col) && (from.1.min(to.1)..=from.1.max(to.1)).contains(&row)
            };
            let parted = |points: &[(i32, i32)]| {
                let turns: Vec<_> = points.iter().map(|point| turn(from, to, *point)).collect();
                turns.contains(&1) && turns.contains(&-1)
            };
            for space in grid.spaces() {
                let (col, row) = grid.coord(space);
                let corners = [(col, row), (col + 1, row), (col, row + 1), (col + 1, row + 1)];
                let expected = space != a && space != b && inside((col, row)) && parted(&corners);
                prop_assert_eq!(items.contains(&Item::Cell(space)), expected);
                if space != a && space != b && inside((col, row)) {
                    let touched = corners.iter().any(|corner| turn(from, to, *corner) == 0);
                    let passes = if expected { Passes::Through } else if touched { Passes::Corner } else { Passes::By };
                    prop_assert_eq!(grid.passes(space, a, b), passes);
                }
            }
            for id in grid.edges() {
                let edge = grid.edge(id);
                let (col, row) = edge.high();
                let ends = match edge.axis {
                    Axis::Horizontal => [(col, row), (col + 1, row)],
                    Axis::Vertical => [(col, row), (col, row + 1)],
                };
                let expected = inside(edge.low) && inside(edge.high()) && parted(&ends);
                prop_assert_eq!(items.contains(&Item::Edge(id)), expected);
            }
            let corners = (from.0.min(to.0) + 1..=from.0.max(to.0))
                .flat_map(|col| (from.1.min(to.1) + 1..=from.1.max(to.1)).map(move |row| (col, row)))
                .filter(|point| turn(from, to, *point) == 0);
            prop_assert_eq!(items.iter().filter(|item| matches!(item, Item::Corner { .. })).count(), corners.count());
            // In order: each square lies further along.
            let along: Vec<_> = items.iter().filter_map(|item| match item {
                Item::Cell(cell) => {
                    let (col, row) = grid.coord(*cell);
                    Some((col - from.0) * (to.0 - from.0) + (row - from.1) * (to.1 - from.1))
                }
                _ => None,
            }).collect();
            prop_assert!(along.is_sorted_by(|a, b| a < b));
            let back: Vec<_> = grid.trace(b, a).items.iter().rev().map(flipped).collect();
            prop_assert_eq!(&items, &back);
            for item in &items {
                if let Item::Corner { left, right } = item {
                    let place = |side: &CornerSide| side.cell.map(|cell| grid.coord(cell));
                    // The middle of a square that lies left is left of the line.
                    let doubled = |(col, row): (i32, i32)| {
                        (to.0 - from.0) * (row - from.1) - (to.1 - from.1) * (col - from.0)
                    };
                    prop_assert!(place(left).is_none_or(|coord| doubled(coord) > 0));
                    prop_assert!(place(right).is_none_or(|coord| doubled(coord) < 0));
                }
            }
        }
    }
}
