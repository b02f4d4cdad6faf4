//! Queries on steps and ways.

use super::args::{int_arg, name_arg, place_arg, spaces_arg};
use crate::{
    base::{Name, SpaceId, Value, name},
    board::{EdgeId, StepCosts},
    rules::{
        game::{CellCost, Movement},
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
    let found = view.board.spaces().filter(|space| *space != from && reach.cost[space.index()].is_some());
    Ok(Value::list(found.map(Value::Space).collect()))
}

pub(super) fn reach(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let points = match &args[2] {
        Value::None => None,
        _ => Some(u32::try_from(int_arg(args, 2)?).map_err(|_| "points below zero")?),
    };
    let to_goals = view.board.reach_to(&spaces_arg(args, 3)?, &costs);
    let cost = |cost: u32| Value::Int(i64::from(cost));
    let reached = view.board.reach(from, &costs, points);
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
    let cost = view.board.reach_to_from(&spaces_arg(args, 2)?, &costs, from).from(from);
    Ok(cost.map_or(Value::None, |cost| Value::Int(i64::from(cost))))
}

pub(super) fn steps_towards(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let ways = view.board.reach_to_from(&spaces_arg(args, 2)?, &costs, from);
    Ok(Value::list(view.board.steps_towards(from, &ways).into_iter().map(Value::Space).collect()))
}

/// The costs of a movement record in a world.
pub(crate) struct Costs<'a> {
    view: &'a View<'a>,
    id: Name,
    movement: &'a Movement,
}

impl<'a> Costs<'a> {
    fn new(view: &'a View<'a>, args: &[Value]) -> Result<Self, String> {
        let record = name_arg(args, 0)?;
        let movement =
            view.game.movement.get(&record).ok_or_else(|| format!("there is no movement record {record}"))?;
        view.game.trace.happen("movement", record);
        Ok(Self { view, id: record, movement })
    }
}

impl StepCosts for Costs<'_> {
    fn enter(&self, from: SpaceId, space: SpaceId) -> Option<u32> {
        let mut cost = 0;
        for thing in &self.view.board.cell(space).things {
            let row = self.movement.cells.get(thing)?;
            self.view.game.trace.happen_row("movement", self.id, "cells", *thing);
            let stays = || self.view.board.cell(from).things.contains(thing);
            cost = cost.max(points(row, stays)?);
        }
        for id in self.view.world.on_space(space) {
            let Some(entity) = self.view.world.entity(*id) else { continue };
            let tags = self.view.game.kinds.get(&entity.kind).map_or(&[][..], |kind| &kind.tags);
            for word in [entity.kind].iter().chain(tags) {
                let Some(row) = self.movement.cells.get(word) else { continue };
                self.view.game.trace.happen_row("movement", self.id, "cells", *word);
                let stays = || self.view.world.on_space(from).contains(id);
                cost = cost.max(points(row, stays)?);
            }
        }
        Some(cost)
    }

    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32> {
        let mut cost = 0;
        for mark in &self.view.board.edge(edge).marks {
            let rule = self.movement.edges.get(mark);
            if rule.is_some() {
                self.view.game.trace.happen_row("movement", self.id, "edges", *mark);
            }
            match rule {
                Some(rule) if straight => cost += rule.straight?,
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
fn points(row: &CellCost, stays: impl Fn() -> bool) -> Option<u32> {
    if row.enter != row.within && stays() { row.within } else { row.enter }
}
