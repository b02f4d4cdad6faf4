//! Rooms: squares that separators cut off from the outside.

use super::{Facing, Grid};
use crate::base::{Name, SpaceId};

impl Grid {
    /// The parts of the board that cannot be left, over the border or to other parts, without
    /// crossing an edge that bears one of `separators`.
    ///
    /// Holes in the board are outside too. Squares of a room are in the order of their
    /// numbers, rooms in the order of their first squares.
    #[must_use]
    pub fn rooms(&self, separators: &[Name]) -> Vec<Vec<SpaceId>> {
        let mut seen = vec![false; self.len()];
        let mut rooms = Vec::new();
        for space in self.spaces() {
            if !seen[space.index()] {
                rooms.extend(self.room_around(space, separators, &mut seen));
            }
        }
        rooms
    }

    /// The part around a space, unless it leads outside; marks it as seen either way.
    fn room_around(&self, space: SpaceId, separators: &[Name], seen: &mut [bool]) -> Option<Vec<SpaceId>> {
        let mut room = vec![space];
        let mut closed = true;
        let mut next = 0;
        seen[space.index()] = true;
        while let Some(space) = room.get(next).copied() {
            next += 1;
            for facing in Facing::ALL {
                if self.edge(self.side(space, facing)).bears_any(separators) {
                    continue;
                }
                match self.ahead(space, facing) {
                    None => closed = false,
                    Some(other) if !seen[other.index()] => {
                        seen[other.index()] = true;
                        room.push(other);
                    }
                    Some(_) => {}
                }
            }
        }
        room.sort();
        closed.then_some(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;
    use crate::board::sample::{grid, random_grid};
    use proptest::prelude::*;

    #[test]
    fn walls_make_rooms_and_hedges_do_not() {
        let grid = grid(
            &["....", "....", "...."],
            Some(&[
                "+ + +#+#+", //
                " . .#. .#",
                "+#+#+#+#+",
                "#.h.#. . ",
                "+#+#+ + +",
                " . . . . ",
                "+ + + + +",
            ]),
        );
        let rooms = |marks: &[&str]| {
            let marks: Vec<_> = marks.iter().map(|mark| name(mark)).collect();
            let words = |room: Vec<SpaceId>| {
                room.iter().map(|space| grid.name(*space).to_string()).collect::<Vec<_>>().join(" ")
            };
            grid.rooms(&marks).into_iter().map(words).collect::<Vec<_>>()
        };
        assert_eq!(rooms(&["wall"]), ["a2 b2", "c3 d3"]);
        assert_eq!(rooms(&["hedge", "wall"]), ["a2", "b2", "c3 d3"]);
        assert!(rooms(&["hedge"]).is_empty());
        assert!(rooms(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn a_room_is_what_the_outside_does_not_reach(grid in random_grid()) {
            let marks = [name("wall"), name("hedge")];
            let open = |space, facing| !grid.edge(grid.side(space, facing)).bears_any(&marks);
            let mut outside = vec![false; grid.len()];
            for _ in 0..=grid.len() {
                for space in grid.spaces() {
                    outside[space.index()] |= Facing::ALL.into_iter().any(|facing| {
                        open(space, facing) && grid.ahead(space, facing).is_none_or(|other| outside[other.index()])
                    });
                }
            }
            let rooms = grid.rooms(&marks);
            let mut inside: Vec<_> = rooms.iter().flatten().copied().collect();
            inside.sort();
            prop_assert_eq!(inside, grid.spaces().filter(|space| !outside[space.index()]).collect::<Vec<_>>());
            for space in rooms.iter().flatten() {
                for facing in Facing::ALL {
                    if let Some(other) = grid.ahead(*space, facing).filter(|_| open(*space, facing)) {
                        prop_assert!(rooms.iter().any(|room| room.contains(space) && room.contains(&other)));
                    }
                }
            }
        }
    }
}
