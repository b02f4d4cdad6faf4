//! Tests of the assembled board.

use super::*;
use crate::board::sample::{empty_grid, grid, random_grid, tile};
use crate::{
    base::name,
    board::{AssemblyFault, Placed},
};
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
    for text in ["", "a", "1", "a01", "a+1", "A1", "a--1", "a-0", "--a1", "a1 ", "zzzzzz1", "a99999999999", "é1", "aé"]
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
    assert_eq!(grid.regions().spaces(name("annex")), [SpaceId(0), SpaceId(5)]);
    assert_eq!(grid.regions().spaces(name("none")), []);
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
    let around: Vec<_> = grid.neighbours(middle).iter().map(|space| grid.name(space.unwrap()).to_string()).collect();
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
