//! What steps cost as far as the board alone decides, and which kinds of entity make a
//! difference. Worked out for a movement record when it is asked for first.

use std::sync::OnceLock;

use super::{
    boards::{CellCost, Movement},
    game::Game,
};
use crate::{
    base::{Name, NameMap, SpaceId},
    board::{Board, EdgeId, StepCosts},
};

/// The steps of every movement record on one board.
#[derive(Debug, Default)]
pub struct StepTable {
    rows: Vec<OnceLock<Steps>>,
}

/// The steps of one movement record.
#[derive(Debug)]
pub(super) struct Steps {
    /// By space and direction: points for entering and for crossing; none if it is no step.
    costs: Box<[Option<(u32, u32)>]>,
    n_directions: usize,
    /// What no step costs less than; things that stand there only make it dearer.
    pub(super) least: u32,
    /// The rows for entities of a kind, by its own name and its tags.
    pub(super) kinds: NameMap<Box<[CellCost]>>,
}

impl StepTable {
    /// A table for so many movement records.
    pub(super) fn new(n_records: usize) -> Self {
        Self { rows: std::iter::repeat_with(OnceLock::new).take(n_records).collect() }
    }

    /// The steps of a movement record.
    pub(super) fn of(&self, index: usize, game: &Game, board: &Board) -> Option<&Steps> {
        let (_, movement) = game.movement.get_index(index)?;
        Some(self.rows.get(index)?.get_or_init(|| Steps::new(movement, game, board)))
    }
}

impl Steps {
    fn new(movement: &Movement, game: &Game, board: &Board) -> Self {
        let drawn = Drawn { movement, board };
        let n_directions = board.n_directions();
        let costs = board.spaces().flat_map(|from| {
            let drawn = &drawn;
            (0..n_directions).map(move |direction| {
                let to = board.neighbours(from).get(direction).copied().flatten()?;
                let (enter, total) = (drawn.enter(from, to)?, drawn.step(board, from, to, direction)?);
                Some((enter, total - enter))
            })
        });
        let of_kind = |(id, tags): (&Name, &Vec<Name>)| {
            let rows: Box<[CellCost]> =
                [*id].iter().chain(tags).filter_map(|word| movement.cells.get(word)).copied().collect();
            (!rows.is_empty()).then_some((*id, rows))
        };
        let kinds = game.kinds.iter().map(|(id, kind)| (id, &kind.tags)).filter_map(of_kind).collect();
        let costs: Box<[_]> = costs.collect();
        let least = costs.iter().flatten().map(|(enter, cross)| enter + cross).min().unwrap_or(0);
        Self { costs, n_directions, least, kinds }
    }

    /// Points for entering the next space in a direction, and for crossing what lies between.
    pub(super) fn cost(&self, from: SpaceId, direction: usize) -> Option<(u32, u32)> {
        self.costs.get(from.index() * self.n_directions + direction).copied().flatten()
    }
}

/// The costs of a movement record on an empty board.
pub(super) struct Drawn<'a> {
    pub(super) movement: &'a Movement,
    pub(super) board: &'a Board,
}

impl StepCosts for Drawn<'_> {
    fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
        let mut cost = 0;
        for thing in &self.board.cell(space).things {
            let stays = || self.board.cell(from).things.contains(thing);
            cost = cost.max(points(self.movement.cells.get(thing)?, stays)?);
        }
        Some(cost)
    }

    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32> {
        let mut cost = 0_u32;
        for mark in self.board.marks(edge) {
            match self.movement.edges.get(mark) {
                Some(rule) if straight => cost = cost.checked_add(rule.straight?)?,
                Some(rule) if !rule.diagonal => return None,
                _ => {}
            }
        }
        Some(cost)
    }

    fn closed_to_diagonals(&self, edge: EdgeId) -> bool {
        self.cross(edge, false).is_none()
    }
}

/// The points of a row for a step that stays in the same thing or not; none forbids it.
pub(super) fn points(row: &CellCost, stays: impl Fn() -> bool) -> Option<u32> {
    if row.enter != row.within && stays() { row.within } else { row.enter }
}
