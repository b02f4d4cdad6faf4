//! Where things lie as seen from a square or an edge: wedges, sides, neighbours.
//!
//! A *wedge* opens from a square in the direction of a facing by 45 degrees to each side:
//! as many squares ahead, at most as many to the side.

use super::{Axis, Edge, EdgeId, Facing, Grid};
use crate::base::SpaceId;

impl Grid {
    /// Whether a space lies in one of the two rows (or columns) that the edge divides.
    #[must_use]
    pub fn edge_beside(&self, edge: EdgeId, space: SpaceId) -> bool {
        let (across, _) = place(self.edge(edge), self.coord(space));
        across == 0 || across == 1
    }

    /// Whether `a` and `b` lie on different sides of the edge's line and at least one of them
    /// is among the three squares nearest to the edge on its side: the square that the edge
    /// bounds and the two beside it along the line.
    #[must_use]
    pub fn beyond_three(&self, edge: EdgeId, a: SpaceId, b: SpaceId) -> bool {
        let across = |space| place(self.edge(edge), self.coord(space)).0;
        (across(a) <= 0) != (across(b) <= 0) && (self.touches(edge, a) || self.touches(edge, b))
    }

    /// Whether a space shares a side or an end with the edge.
    #[must_use]
    pub fn touches(&self, edge: EdgeId, space: SpaceId) -> bool {
        let (across, along) = place(self.edge(edge), self.coord(space));
        (0..=1).contains(&across) && (-1..=1).contains(&along)
    }

    /// The squares that touch the edge, up to three on its low and three on its high side,
    /// from west to east or south to north.
    #[must_use]
    pub fn side_squares(&self, edge: EdgeId) -> [Vec<SpaceId>; 2] {
        let edge = self.edge(edge);
        let (dcol, drow) = match edge.axis {
            Axis::Horizontal => (1, 0),
            Axis::Vertical => (0, 1),
        };
        let three = |(col, row): (i32, i32)| {
            (-1..=1).filter_map(|along| self.at(col + along * dcol, row + along * drow)).collect()
        };
        [three(edge.low), three(edge.high())]
    }

    /// Whether `target` lies in the wedge of `facing` from `origin`, at most `range` ahead.
    #[must_use]
    #[inline]
    pub fn in_wedge(&self, origin: SpaceId, facing: Facing, target: SpaceId, range: Option<i32>) -> bool {
        let ((col, row), (to_col, to_row)) = (self.coord(origin), self.coord(target));
        let (dcol, drow) = facing.delta();
        let (cols, rows) = (to_col - col, to_row - row);
        let forward = cols * dcol + rows * drow;
        let lateral = (cols * drow - rows * dcol).abs();
        forward >= 1 && lateral <= forward && range.is_none_or(|range| forward <= range)
    }

    /// The squares directly to the left and right of someone who looks that way.
    #[must_use]
    pub fn beside(&self, origin: SpaceId, facing: Facing) -> [Option<SpaceId>; 2] {
        [self.ahead(origin, facing.acw()), self.ahead(origin, facing.cw())]
    }

    /// The facings from `origin` in whose wedge `target` lies, clockwise from north: two on a
    /// diagonal, none for the same square, otherwise one.
    #[must_use]
    pub fn wedges_containing(&self, origin: SpaceId, target: SpaceId) -> Vec<Facing> {
        Facing::ALL.into_iter().filter(|facing| self.in_wedge(origin, *facing, target, None)).collect()
    }

    /// The square next to a space in a direction.
    #[must_use]
    pub fn ahead(&self, space: SpaceId, facing: Facing) -> Option<SpaceId> {
        self.neighbours(space)[2 * facing.index()]
    }

    /// The square behind someone who looks that way.
    #[must_use]
    pub fn behind(&self, space: SpaceId, facing: Facing) -> Option<SpaceId> {
        self.ahead(space, facing.opposite())
    }

    /// The squares of the wedge up to `range` ahead and the two beside, in the order of their
    /// numbers.
    #[must_use]
    pub fn field(&self, origin: SpaceId, facing: Facing, range: Option<i32>) -> Vec<SpaceId> {
        let ((west, south), width, height) = self.extent();
        let (col, row) = self.coord(origin);
        let reach = range.unwrap_or(i32::MAX).clamp(0, width.max(height));
        let mut squares = Vec::new();
        for up in (south - row).max(-reach)..(south + height - row).min(reach.saturating_add(1)) {
            let aside = up.abs().max(1);
            let (first, last) = match facing {
                Facing::North if up > 0 => (-up, up),
                Facing::South if up < 0 => (up, -up),
                Facing::East => (aside, reach),
                Facing::West => (-reach, -aside),
                Facing::North | Facing::South => continue,
            };
            let columns = (col + first).max(west)..(col + last + 1).min(west + width);
            squares.extend(columns.filter_map(|col| self.at(col, row + up)));
        }
        squares.extend(self.beside(origin, facing).into_iter().flatten());
        squares.sort();
        squares
    }
}

/// A square as seen from an edge: how far across its line (0 and below on the low side, 1
/// and above on the high side) and how far along it.
fn place(edge: &Edge, (col, row): (i32, i32)) -> (i32, i32) {
    match edge.axis {
        Axis::Horizontal => (row - edge.low.1, col - edge.low.0),
        Axis::Vertical => (col - edge.low.0, row - edge.low.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sample::{empty_grid, random_grid};
    use proptest::prelude::*;

    #[test]
    fn a_field_of_eight_has_82_squares() {
        let grid = empty_grid(21, 12);
        let origin = grid.space("k2").unwrap();
        assert_eq!(grid.field(origin, Facing::North, Some(8)).len(), 82);
        assert_eq!(grid.field(origin, Facing::North, Some(0)).len(), 2);
        assert_eq!(grid.field(origin, Facing::South, None).len(), 3 + 2);
        let [left, right] = grid.beside(origin, Facing::South).map(|space| grid.name(space.unwrap()));
        assert_eq!((left.as_str(), right.as_str()), ("l2", "j2"));
        assert_eq!(grid.behind(origin, Facing::South), grid.space("k3"));
    }

    #[test]
    fn edges_have_three_squares_on_each_side() {
        let grid = empty_grid(5, 5);
        let names = |spaces: &Vec<SpaceId>| {
            spaces.iter().map(|space| grid.name(*space).to_string()).collect::<Vec<_>>().join(" ")
        };
        let edge = grid.edge_of_name("b3|b4").unwrap();
        let [low, high] = grid.side_squares(edge);
        assert_eq!((names(&low), names(&high)), ("a3 b3 c3".into(), "a4 b4 c4".into()));
        let upright = grid.edge_of_name("a1|b1").unwrap();
        let [low, high] = grid.side_squares(upright);
        assert_eq!((names(&low), names(&high)), ("a1 a2".into(), "b1 b2".into()));
        let at = |text| grid.space(text).unwrap();
        assert!(
            grid.edge_beside(edge, at("e3")) && grid.edge_beside(edge, at("e4")) && !grid.edge_beside(edge, at("b2"))
        );
        assert!(grid.beyond_three(edge, at("c3"), at("e5")));
        assert!(grid.beyond_three(edge, at("e5"), at("c3")));
        assert!(!grid.beyond_three(edge, at("d3"), at("e5")));
        assert!(!grid.beyond_three(edge, at("c3"), at("b3")));
    }

    proptest! {
        #[test]
        fn wedges_are_what_the_sides_say(grid in random_grid(), from in any::<prop::sample::Index>(), range in prop::option::of(0i32..6)) {
            let origin = SpaceId(from.index(grid.len()) as u32);
            let (col, row) = grid.coord(origin);
            for target in grid.spaces() {
                let (to_col, to_row) = grid.coord(target);
                let (east, north) = (to_col - col, to_row - row);
                for facing in Facing::ALL {
                    let (ahead, aside) = match facing {
                        Facing::North => (north, east),
                        Facing::East => (east, north),
                        Facing::South => (-north, east),
                        Facing::West => (-east, north),
                    };
                    let expected = (1..=range.unwrap_or(99)).any(|f| f == ahead && (-f..=f).contains(&aside));
                    prop_assert_eq!(grid.in_wedge(origin, facing, target, range), expected);
                    let beside = ahead == 0 && aside.abs() == 1;
                    prop_assert_eq!(grid.field(origin, facing, range).contains(&target), expected || beside);
                }
                let facings = grid.wedges_containing(origin, target).len();
                prop_assert_eq!(facings, if target == origin { 0 } else if east.abs() == north.abs() { 2 } else { 1 });
            }
            for edge in grid.edges() {
                let sides = grid.side_squares(edge);
                for space in grid.spaces() {
                    prop_assert_eq!(grid.touches(edge, space), sides.iter().flatten().any(|side| *side == space));
                }
            }
        }
    }
}
