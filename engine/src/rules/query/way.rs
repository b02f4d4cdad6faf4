//! Queries on steps and ways.

use super::args::{int_arg, name_arg, place_arg, spaces_arg};
use crate::{
    base::{Name, SpaceId, Value, name},
    board::{Board, EdgeId, StepCosts},
    rules::{
        step_table::{Drawn, Steps, points},
        view::View,
    },
};

pub(super) fn step_cost(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let cost = view.board.step_cost(place_arg(view, args, 1)?, place_arg(view, args, 2)?, &costs);
    Ok(cost.map_or(Value::None, |cost| Value::Int(i64::from(cost))))
}

pub(super) fn within(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let points = u32::try_from(int_arg(args, 2)?).map_err(|_| "points below zero")?;
    let reach = view.board.reach(from, &costs, Some(points));
    let found = reach.spaces().map(|(space, _)| space).filter(|space| *space != from);
    Ok(Value::list(found.map(Value::Space).collect()))
}

pub(super) fn reachable(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let reached = view.board.reach(place_arg(view, args, 1)?, &costs, points_arg(args, 2)?);
    Ok(Value::list(reached.spaces().map(|(space, _)| Value::Space(space)).collect()))
}

/// Points, none for any number.
fn points_arg(args: &[Value], index: usize) -> Result<Option<u32>, String> {
    match &args[index] {
        Value::None => Ok(None),
        _ => u32::try_from(int_arg(args, index)?).map(Some).map_err(|_| "points below zero".into()),
    }
}

pub(super) fn reach(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let points = points_arg(args, 2)?;
    let goals = spaces_arg(args, 3)?;
    let cost = |cost: u32| Value::Int(i64::from(cost));
    let reached = match args.get(4) {
        None | Some(Value::None) => view.board.reach(from, &costs, points),
        Some(_) => {
            let barred = Dearer::new(view, Costs::new(view, args)?, &spaces_arg(args, 4)?, u32::MAX);
            view.board.reach(from, &barred, points)
        }
    };
    let wanted: Vec<SpaceId> = reached.spaces().map(|(space, _)| space).collect();
    let to_goals = view.board.reach_to_from(&goals, &costs, &wanted);
    let found = reached.spaces().map(|(space, spent)| {
        Value::map([
            (name("at"), Value::Space(space)),
            (name("spent"), cost(spent)),
            (name("left"), to_goals.from(space).map_or(Value::None, cost)),
        ])
    });
    Ok(Value::list(found.collect()))
}

pub(super) fn way_cost(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let cost = view.board.reach_to_from(&spaces_arg(args, 2)?, &costs, &[from]).from(from);
    Ok(cost.map_or(Value::None, |cost| Value::Int(i64::from(cost))))
}

pub(super) fn steps_towards(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let ways = view.board.reach_to_from(&spaces_arg(args, 2)?, &costs, &[from]);
    Ok(Value::list(view.board.steps_towards(from, &ways).into_iter().map(Value::Space).collect()))
}

pub(super) fn way_round(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let mut space = place_arg(view, args, 1)?;
    let price = u32::try_from(int_arg(args, 4)?).map_err(|_| "a price below zero")?;
    let costs = Dearer::new(view, costs, &spaces_arg(args, 3)?, price);
    let ways = view.board.reach_to_from(&spaces_arg(args, 2)?, &costs, &[space]);
    if ways.from(space).is_none() {
        return Ok(Value::None);
    }
    let mut way = Vec::new();
    // Steps that cost nothing could lead in circles.
    while let Some(next) = view.board.steps_towards(space, &ways).first().filter(|_| way.len() < view.board.len()) {
        way.push(Value::Space(*next));
        space = *next;
    }
    Ok(Value::list(way))
}

/// Costs to which something is added for each space.
struct Dearer<'a> {
    costs: Costs<'a>,
    dearer: Vec<u32>,
}

impl<'a> Dearer<'a> {
    /// Each of these spaces costs so much more, as often as it is listed.
    fn new(view: &View<'_>, costs: Costs<'a>, spaces: &[SpaceId], price: u32) -> Self {
        let mut dearer = vec![0u32; view.board.len()];
        for space in spaces {
            if let Some(more) = dearer.get_mut(space.index()) {
                *more = more.saturating_add(price);
            }
        }
        Self { costs, dearer }
    }
}

impl StepCosts for Dearer<'_> {
    fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
        self.costs.enter(from, space)?.checked_add(self.dearer.get(space.index()).copied().unwrap_or(0))
    }

    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32> {
        self.costs.cross(edge, straight)
    }

    fn closed_to_diagonals(&self, edge: EdgeId) -> bool {
        self.costs.closed_to_diagonals(edge)
    }

    fn step(&self, board: &Board, from: SpaceId, to: SpaceId, direction: usize) -> Option<u32> {
        let more = self.dearer.get(to.index()).copied().unwrap_or(0);
        self.costs.step(board, from, to, direction)?.checked_add(more)
    }

    fn least(&self) -> u32 {
        self.costs.least()
    }
}

/// The costs of a movement record in a world.
struct Costs<'a> {
    view: &'a View<'a>,
    id: Name,
    drawn: Drawn<'a>,
    steps: &'a Steps,
}

impl<'a> Costs<'a> {
    fn new(view: &'a View<'a>, args: &[Value]) -> Result<Self, String> {
        let id = name_arg(args, 0)?;
        let missing = || format!("there is no movement record {id}");
        let (index, _, movement) = view.game.movement.get_full(&id).ok_or_else(missing)?;
        view.game.trace.happen("movement", id);
        let steps = view.setting.steps.of(index, view.game, view.board).ok_or_else(missing)?;
        Ok(Self { view, id, drawn: Drawn { movement, board: view.board }, steps })
    }

    /// The points that what stands on a space asks of who enters it; none forbids it.
    fn among(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
        let world = self.view.world;
        let mut cost = 0;
        for id in world.on_space(space) {
            let Some(rows) = world.entity(*id).and_then(|entity| self.steps.kinds.get(&entity.kind)) else { continue };
            let stays = || world.on_space(from).contains(id);
            for row in rows {
                cost = cost.max(points(row, stays)?);
            }
        }
        Some(cost)
    }

    /// Notes the rows that a step comes to.
    fn note(&self, from: SpaceId, space: SpaceId) {
        let (view, rows) = (self.view, self.drawn.movement);
        let kinds = view.world.on_space(space).iter().filter_map(|id| Some(view.world.entity(*id)?.kind));
        let words = kinds.flat_map(|kind| {
            std::iter::once(kind).chain(view.game.kinds.get(&kind).into_iter().flat_map(|kind| kind.tags.clone()))
        });
        for word in words.chain(view.board.cell(space).things.iter().copied()) {
            if rows.cells.contains_key(&word) {
                view.game.trace.happen_row("movement", self.id, "cells", word);
            }
        }
        let edge = view.board.edge_between(from, space);
        for mark in edge.iter().flat_map(|edge| view.board.marks(*edge)) {
            if rows.edges.contains_key(mark) {
                view.game.trace.happen_row("movement", self.id, "edges", *mark);
            }
        }
    }
}

impl StepCosts for Costs<'_> {
    fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
        Some(self.drawn.enter(from, space)?.max(self.among(from, space)?))
    }

    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32> {
        self.drawn.cross(edge, straight)
    }

    fn closed_to_diagonals(&self, edge: EdgeId) -> bool {
        self.drawn.closed_to_diagonals(edge)
    }

    fn step(&self, _: &Board, from: SpaceId, to: SpaceId, direction: usize) -> Option<u32> {
        if self.view.game.trace.is_on() {
            self.note(from, to);
        }
        let (enter, cross) = self.steps.cost(from, direction)?;
        enter.max(self.among(from, to)?).checked_add(cross)
    }

    fn least(&self) -> u32 {
        // Who takes notes is to hear of steps that lead too far, too.
        if self.view.game.trace.is_on() { 0 } else { self.steps.least }
    }
}
