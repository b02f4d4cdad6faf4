//! How far one gets: cheapest ways over the board.
//!
//! A step goes to one of the eight squares around, or along a route. What it costs is asked of a
//! [`StepCosts`]; the board itself knows only which spaces, edges and routes there are.

use std::collections::BTreeMap;

use super::grid::DIRECTIONS;
use super::{Board, EdgeId};
use crate::base::SpaceId;

/// What steps cost to whoever moves.
pub trait StepCosts {
    /// What it costs to enter a space from one next to it; `None` if it cannot be entered.
    fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32>;
    /// What it costs to cross an edge on top; `None` if it cannot be crossed. `straight` says
    /// that the step is to the square behind the edge; diagonal steps do not ask, since they
    /// cross no edge.
    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32>;
    /// Whether a diagonal step may not be thought to go round the corner over this edge.
    fn closed_to_diagonals(&self, edge: EdgeId) -> bool;
    /// What a step to the next space in a direction costs; `None` if it is not possible.
    ///
    /// A step over a side, or along a route, costs entering the space and crossing the edge or
    /// taking the route. A diagonal step costs entering the square; one of the two ways round the
    /// corner must lead over a square of the board and two edges that are not closed to diagonals.
    fn step(&self, board: &Board, from: SpaceId, to: SpaceId, direction: usize) -> Option<u32> {
        let enter = self.enter(from, to)?;
        let is_straight = board.grid().is_none() || direction.is_multiple_of(2);
        if is_straight {
            let edge = board.edge_between(from, to)?;
            return enter.checked_add(self.cross(edge, true)?);
        }
        let around = board.neighbours(from);
        let open = |corner: Option<&Option<SpaceId>>| {
            corner.copied().flatten().is_some_and(|corner| {
                [(from, corner), (corner, to)]
                    .into_iter()
                    .all(|(a, b)| board.edge_between(a, b).is_some_and(|edge| !self.closed_to_diagonals(edge)))
            })
        };
        (open(around.get(direction - 1)) || open(around.get((direction + 1) % 8))).then_some(enter)
    }

    /// What no step costs less than.
    fn least(&self) -> u32 {
        0
    }
}

/// What it costs to get from one space to all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The cost by the number of the space; `None` if it is out of reach.
    pub cost: Vec<Option<u32>>,
}

impl Reach {
    /// The cost of getting to a space.
    #[must_use]
    pub fn to(&self, space: SpaceId) -> Option<u32> {
        self.cost.get(space.index()).copied().flatten()
    }

    /// The spaces within reach in the order of their numbers, each with its cost.
    pub fn spaces(&self) -> impl Iterator<Item = (SpaceId, u32)> + '_ {
        self.cost.iter().enumerate().filter_map(|(index, cost)| Some((SpaceId(index as u32), (*cost)?)))
    }
}

/// What it costs to get from all spaces to the nearest of some goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachTo {
    /// The cost by the number of the space; `None` if no goal can be reached.
    pub cost: Vec<Option<u32>>,
    /// By the number of the space a bit for each direction in which a cheapest way goes on.
    directions: Vec<u64>,
}

impl ReachTo {
    /// The cost of getting from a space to the nearest goal.
    #[must_use]
    pub fn from(&self, space: SpaceId) -> Option<u32> {
        self.cost.get(space.index()).copied().flatten()
    }
}

impl Board {
    /// What a step costs; `None` if the spaces are not adjacent or the step is not possible.
    #[must_use]
    pub fn step_cost(&self, from: SpaceId, to: SpaceId, costs: &impl StepCosts) -> Option<u32> {
        let direction = self.neighbours(from).iter().position(|neighbour| *neighbour == Some(to))?;
        costs.step(self, from, to, direction)
    }

    /// What it costs to get from a space to all others, as far as `points_max` go.
    #[must_use]
    pub fn reach(&self, from: SpaceId, costs: &impl StepCosts, points_max: Option<u32>) -> Reach {
        let least = costs.least();
        let mut search = Search::new(self.len());
        search.offer(from, 0);
        while let Some((space, so_far)) = search.pop() {
            let next = so_far.saturating_add(least);
            if points_max.is_some_and(|max| next > max) {
                continue;
            }
            // What costs as much as the least step from here is no better with one.
            let enough = if least > 0 { next.saturating_add(1) } else { next };
            for (direction, to) in self.neighbours_of(space) {
                if search.is_below(to, enough) {
                    continue;
                }
                let total = costs.step(self, space, to, direction).and_then(|cost| so_far.checked_add(cost));
                if let Some(total) = total.filter(|total| points_max.is_none_or(|max| *total <= max)) {
                    search.offer(to, total);
                }
            }
        }
        Reach { cost: search.cost }
    }

    /// What it costs to get from each space to the nearest of `goals`.
    #[must_use]
    pub fn reach_to(&self, goals: &[SpaceId], costs: &impl StepCosts) -> ReachTo {
        self.search_to(goals, costs, None)
    }

    /// Like [`Board::reach_to`], but only some spaces and what is nearer to a goal than the last of them is sure.
    #[must_use]
    pub fn reach_to_from(&self, goals: &[SpaceId], costs: &impl StepCosts, from: &[SpaceId]) -> ReachTo {
        self.search_to(goals, costs, Some(from))
    }

    fn search_to(&self, goals: &[SpaceId], costs: &impl StepCosts, until: Option<&[SpaceId]>) -> ReachTo {
        let least = costs.least();
        let (is_bounded, mut until) = (until.is_some(), until.unwrap_or_default());
        let mut search = Search::new(self.len());
        let mut directions = vec![0u64; self.len()];
        let goals = || goals.iter().filter(|goal| self.contains(**goal));
        for goal in goals() {
            search.offer(*goal, 0);
        }
        while let Some((space, so_far)) = search.pop() {
            // Whose cost is below what is looked at now is settled, with all its directions.
            let is_settled = |space: &SpaceId| search.cost[space.index()].is_some_and(|cost| so_far > cost);
            while until.last().is_some_and(is_settled) {
                until = &until[..until.len() - 1];
            }
            if is_bounded && until.is_empty() {
                break;
            }
            for (back, from) in self.neighbours_of(space) {
                if search.is_below(from, so_far.saturating_add(least)) {
                    continue;
                }
                let Some(forth) = self.back(space, from, back) else { continue };
                let cost = costs.step(self, from, space, forth).and_then(|cost| so_far.checked_add(cost));
                let Some(total) = cost else { continue };
                if search.offer(from, total) {
                    directions[from.index()] = 0;
                }
                if search.cost[from.index()] == Some(total) {
                    directions[from.index()] |= 1 << forth;
                }
            }
        }
        for goal in goals() {
            directions[goal.index()] = 0;
        }
        ReachTo { cost: search.cost, directions }
    }

    /// The neighbours with which a cheapest way to the nearest goal goes on, in the order of
    /// [`Board::neighbours`]; none at a goal. Steps that cost nothing may lead in circles.
    #[must_use]
    pub fn steps_towards(&self, from: SpaceId, reach: &ReachTo) -> Vec<SpaceId> {
        let directions = reach.directions.get(from.index()).copied().unwrap_or(0);
        self.neighbours_of(from).filter(|(direction, _)| directions & (1 << direction) != 0).map(|(_, to)| to).collect()
    }

    fn neighbours_of(&self, space: SpaceId) -> impl Iterator<Item = (usize, SpaceId)> + '_ {
        self.neighbours(space).iter().enumerate().filter_map(|(direction, to)| Some((direction, (*to)?)))
    }
}

// The directions are in pairs: one and its opposite are four apart.
const _: () = assert!(DIRECTIONS[1].0 == -DIRECTIONS[5].0 && DIRECTIONS[1].1 == -DIRECTIONS[5].1);

/// Costs below this have an array of buckets; few are above.
const NEAR: u32 = 256;
/// Room for the spaces of a cost, so that few searches ask for more.
const BUCKET: usize = 32;

/// Spaces by what they cost so far, the cheapest first.
struct Search {
    cost: Vec<Option<u32>>,
    near: Vec<Vec<SpaceId>>,
    far: BTreeMap<u32, Vec<SpaceId>>,
    /// No bucket below is in use.
    least: usize,
}

impl Search {
    fn new(n_spaces: usize) -> Self {
        Self { cost: vec![None; n_spaces], near: Vec::with_capacity(16), far: BTreeMap::new(), least: 0 }
    }

    /// Whether a space is known to cost less than that: then no step from there is any better.
    fn is_below(&self, space: SpaceId, cost: u32) -> bool {
        self.cost[space.index()].is_some_and(|known| known < cost)
    }

    /// Notes a cost if it is better than what is known; says whether it was.
    fn offer(&mut self, space: SpaceId, cost: u32) -> bool {
        let known = &mut self.cost[space.index()];
        let better = known.is_none_or(|known| cost < known);
        if better {
            *known = Some(cost);
            if cost < NEAR {
                let bucket = cost as usize;
                if bucket >= self.near.len() {
                    self.near.resize_with(bucket + 1, || Vec::with_capacity(BUCKET));
                }
                self.near[bucket].push(space);
                self.least = self.least.min(bucket);
            } else {
                self.far.entry(cost).or_default().push(space);
            }
        }
        better
    }

    /// The cheapest space that was not yet taken.
    fn pop(&mut self) -> Option<(SpaceId, u32)> {
        loop {
            let (space, cost) = self.next()?;
            if self.cost[space.index()] == Some(cost) {
                return Some((space, cost));
            }
        }
    }

    fn next(&mut self) -> Option<(SpaceId, u32)> {
        while let Some(bucket) = self.near.get_mut(self.least) {
            if let Some(space) = bucket.pop() {
                return Some((space, self.least as u32));
            }
            self.least += 1;
        }
        loop {
            let mut bucket = self.far.first_entry()?;
            let cost = *bucket.key();
            match bucket.get_mut().pop() {
                Some(space) => return Some((space, cost)),
                None => drop(bucket.remove()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;
    use crate::board::{
        Grid, Point, Points, Route,
        sample::{grid, random_grid},
    };
    use proptest::prelude::*;

    /// Fields cost 1, marshes 3, 1 from marsh to marsh, towers bar; gates cost 2, other walls bar, hedges bar
    /// diagonals.
    struct Pawn<'grid>(&'grid Grid);

    impl StepCosts for Pawn<'_> {
        fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
            let things = &self.0.cell(space).things;
            if things.contains(&name("tower")) {
                None
            } else {
                let marsh = |space: SpaceId| self.0.cell(space).things.contains(&name("marsh"));
                Some(if marsh(space) && !marsh(from) { 3 } else { 1 })
            }
        }

        fn cross(&self, edge: EdgeId, _straight: bool) -> Option<u32> {
            let marks = &self.0.edge(edge).marks;
            if marks.contains(&name("gate")) { Some(2) } else { (!marks.contains(&name("wall"))).then_some(0) }
        }

        fn least(&self) -> u32 {
            1
        }

        fn closed_to_diagonals(&self, edge: EdgeId) -> bool {
            !self.0.edge(edge).marks.is_empty()
        }
    }

    #[track_caller]
    fn check(grid: &Grid, from: &str, to: &str, expected: Option<u32>) {
        let (from, to) = (grid.space(from).unwrap(), grid.space(to).unwrap());
        assert_eq!(Board::Squares(grid.clone()).step_cost(from, to, &Pawn(grid)), expected);
    }

    #[test]
    fn steps_cost_squares_and_edges() {
        let grid = grid(&["~.", "T."], Some(&["", "  g", "   #", "", ""]));
        check(&grid, "b2", "a2", Some(3 + 2));
        check(&grid, "b2", "b1", None);
        check(&grid, "a2", "a1", None);
        check(&grid, "a2", "a2", None);
        // Past the tower's square, whose edges are open.
        check(&grid, "a2", "b1", Some(1));
    }

    #[test]
    fn a_diagonal_needs_one_open_way_round() {
        let wall_on = |edges: [&str; 5]| grid(&["..", ".."], Some(&edges));
        check(&wall_on(["", "", " #", "", ""]), "a1", "b2", Some(1));
        check(&wall_on(["", "", " # #", "", ""]), "a1", "b2", None);
        check(&wall_on(["", "  #", "", "  #", ""]), "a1", "b2", None);
        check(&wall_on(["", "  #", " #", "", ""]), "a1", "b2", Some(1));
        check(&wall_on(["", "  #", "   #", "", ""]), "b2", "a1", None);
    }

    #[test]
    fn ties_are_kept_in_order() {
        let grid = grid(&["...", ".T.", "..."], None);
        let board = Board::Squares(grid.clone());
        let reach = board.reach_to(&[grid.space("b3").unwrap()], &Pawn(&grid));
        let names = |from: &str| {
            let steps = board.steps_towards(grid.space(from).unwrap(), &reach);
            steps.iter().map(|space| grid.name(*space).to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(reach.from(grid.space("b1").unwrap()), Some(2));
        assert_eq!(names("b1"), "c2 a2");
        assert_eq!(names("b3"), "");
    }

    /// Paths cost 1, roads nothing; the marsh costs 3 to enter.
    struct Walker<'board>(&'board Board);

    impl StepCosts for Walker<'_> {
        fn enter(&self, _: SpaceId, space: SpaceId) -> Option<u32> {
            Some(if self.0.cell(space).things.contains(&name("marsh")) { 3 } else { 1 })
        }

        fn cross(&self, edge: EdgeId, _: bool) -> Option<u32> {
            (!self.0.marks(edge).contains(&name("closed"))).then_some(0)
        }

        fn closed_to_diagonals(&self, _: EdgeId) -> bool {
            false
        }
    }

    #[test]
    fn routes_are_walked_like_squares() {
        let point = |text: &str, thing: &str| Point {
            name: name(text),
            things: vec![name(thing)],
            region: name("land"),
            at: (0, 0),
        };
        let route = |a: &str, b: &str, mark: &str| Route { ends: [name(a), name(b)], marks: vec![name(mark)] };
        let points = [point("ford", "field"), point("fen", "marsh"), point("mill", "field"), point("hill", "field")];
        let routes = [
            route("ford", "fen", "path"),
            route("fen", "mill", "path"),
            route("ford", "hill", "path"),
            route("hill", "mill", "path"),
            route("fen", "hill", "closed"),
        ];
        let board = Board::Points(Points::new(&points, &routes).unwrap());
        let [ford, fen, mill, hill] = [0, 1, 2, 3].map(SpaceId);
        let costs = Walker(&board);
        assert_eq!(board.step_cost(ford, fen, &costs), Some(3));
        assert_eq!(board.step_cost(fen, hill, &costs), None);
        assert_eq!(board.step_cost(ford, mill, &costs), None);
        let reached: Vec<_> = board.reach(ford, &costs, Some(2)).spaces().collect();
        assert_eq!(reached, [(ford, 0), (mill, 2), (hill, 1)]);
        let to_mill = board.reach_to(&[mill], &costs);
        assert_eq!(to_mill.from(ford), Some(2));
        assert_eq!(board.steps_towards(ford, &to_mill), [hill]);
    }

    proptest! {
        #[test]
        fn ways_cost_what_patience_finds(grid in random_grid(), from in any::<prop::sample::Index>(), max in prop::option::of(0u32..9)) {
            let costs = Pawn(&grid);
            let board = Board::Squares(grid.clone());
            let from = SpaceId(from.index(grid.len()) as u32);
            let mut slow = vec![None; grid.len()];
            let mut slow_to: Vec<Option<u32>> = vec![None; grid.len()];
            slow[from.index()] = Some(0);
            slow_to[from.index()] = Some(0);
            for _ in grid.spaces() {
                for a in grid.spaces() {
                    for b in grid.neighbours(a).iter().flatten() {
                        let Some(step) = board.step_cost(a, *b, &costs) else { continue };
                        let better = |known: Option<u32>, other: Option<u32>| {
                            other.map(|other| known.map_or(other + step, |known| known.min(other + step))).or(known)
                        };
                        slow[b.index()] = better(slow[b.index()], slow[a.index()]);
                        slow_to[a.index()] = better(slow_to[a.index()], slow_to[b.index()]);
                    }
                }
            }
            let within: Vec<_> = slow.iter().map(|cost| cost.filter(|cost| max.is_none_or(|max| *cost <= max))).collect();
            prop_assert_eq!(board.reach(from, &costs, max).cost, within);
            let reach_to = board.reach_to(&[from], &costs);
            prop_assert_eq!(&reach_to.cost, &slow_to);
            for space in grid.spaces() {
                let nearer = board.reach_to_from(&[from], &costs, &[space]);
                prop_assert_eq!(nearer.from(space), reach_to.from(space));
                prop_assert_eq!(board.steps_towards(space, &nearer), board.steps_towards(space, &reach_to));
            }
            for space in grid.spaces().filter(|space| *space != from) {
                let expected: Vec<_> = grid.neighbours(space).iter().flatten().copied().filter(|to| {
                    let total = board.step_cost(space, *to, &costs).zip(slow_to[to.index()]).map(|(a, b)| a + b);
                    total.is_some() && total == slow_to[space.index()]
                }).collect();
                prop_assert_eq!(board.steps_towards(space, &reach_to), expected);
            }
        }
    }
}
