//! Queries: the functions that expressions and scripts read the board and the world with.
//!
//! One table, [`QUERIES`]; `scripts/README.md` is written from it.

use super::{
    game::{EdgeException, Movement, Sight},
    view::View,
};
use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    board::{EdgeId, Facing, Met, StepCosts},
    kernel::Position,
};

/// A function that only reads.
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The least and the greatest number of arguments.
    pub args: (usize, usize),
    /// Arguments and result, as a reader would write them.
    pub signature: &'static str,
    /// What it gives.
    pub doc: &'static str,
    /// A use of it.
    pub example: &'static str,
    /// What it does.
    pub run: fn(&View<'_>, &[Value]) -> Result<Value, String>,
}

macro_rules! query {
    ($name:literal, $min:literal..=$max:literal, $signature:literal, $doc:literal, $example:literal, $run:expr) => {
        Query { name: $name, args: ($min, $max), signature: $signature, doc: $doc, example: $example, run: $run }
    };
}

/// Every query.
pub static QUERIES: &[Query] = &[
    query!(
        "all",
        1..=1,
        "all(tag) -> list<entity>",
        "The entities in the game whose kind has the tag or is of that name, in order of creation.",
        "all(\"red\")",
        all
    ),
    query!(
        "has",
        2..=2,
        "has(entity, tag) -> bool",
        "Whether the entity's kind has the tag or is of that name.",
        "unit.has(\"red\")",
        has
    ),
    query!(
        "entity",
        1..=1,
        "entity(key) -> entity?",
        "The entity of a key, none if there is none in the game.",
        "entity(\"red#1\")",
        entity
    ),
    query!(
        "on",
        1..=2,
        "on(space, tag?) -> list<entity>",
        "The entities on a space, perhaps only those with a tag.",
        "on(unit.at, \"red\")",
        on
    ),
    query!(
        "carried",
        1..=2,
        "carried(entity, slot?) -> list<entity>",
        "The entities that are with an entity, perhaps only in one slot.",
        "unit.carried(\"hand\")",
        carried
    ),
    query!("cells", 1..=1, "cells(entity) -> list<space>", "The spaces that an entity covers.", "tower.cells()", cells),
    query!(
        "pile",
        1..=1,
        "pile(zone) -> list<entity>",
        "The entities of a pile, from the top.",
        "pile(\"deck\")",
        pile
    ),
    query!("table", 1..=1, "table(property) -> value", "A property of the table.", "table(\"alarm\")", table),
    query!(
        "local",
        1..=1,
        "local(name) -> value",
        "A local of the phases that are running, the innermost first; none if there is none.",
        "local(\"turn\")",
        local
    ),
    query!(
        "fact",
        1..=1,
        "fact(name) -> value",
        "What the mission, or an option chosen for it, says under that name; none if it says nothing.",
        "fact(\"rounds\")",
        fact
    ),
    query!(
        "placements",
        1..=1,
        "placements(tag) -> list<map>",
        "What tiles and mission put on the board, of kinds with the tag: maps with `kind`, `key` (or none), `at` (a space or a list) and `properties`.",
        "placements(\"red\")",
        placements
    ),
    query!(
        "space",
        1..=1,
        "space(name) -> space?",
        "The space of a name, none if the board lacks it.",
        "space(\"e5\")",
        space
    ),
    query!("spaces", 0..=0, "spaces() -> list<space>", "All spaces, row by row from the south.", "spaces()", spaces),
    query!("region", 1..=1, "region(name) -> list<space>", "The spaces of a region.", "region(\"gate\")", region),
    query!(
        "neighbours",
        1..=1,
        "neighbours(space) -> list<space>",
        "The spaces around, from the north clockwise.",
        "neighbours(unit.at)",
        neighbours
    ),
    query!(
        "distance",
        2..=2,
        "distance(a, b) -> int",
        "The greater of the differences in columns and rows; of an entity with several squares, from the nearest.",
        "distance(unit, other)",
        distance
    ),
    query!(
        "adjacent",
        2..=2,
        "adjacent(a, b) -> bool",
        "Whether the distance is 1.",
        "adjacent(unit, other)",
        adjacent
    ),
    query!(
        "is_thing",
        2..=2,
        "is_thing(space, thing) -> bool",
        "Whether a thing stands, or a terrain is, on a space.",
        "is_thing(unit.at, \"marsh\")",
        is_thing
    ),
    query!(
        "ahead",
        2..=2,
        "ahead(space, facing) -> space?",
        "The space before one who stands there with that facing.",
        "ahead(unit.at, unit.facing)",
        ahead
    ),
    query!(
        "behind",
        2..=2,
        "behind(space, facing) -> space?",
        "The space behind one who stands there with that facing.",
        "behind(unit.at, unit.facing)",
        behind
    ),
    query!(
        "facings_to",
        2..=2,
        "facings_to(from, to) -> list<facing>",
        "The facings whose quarter holds the other space: one, or two on a diagonal, none for the same space.",
        "facings_to(unit.at, goal)",
        facings_to
    ),
    query!(
        "turned",
        2..=2,
        "turned(facing, quarters) -> facing",
        "A facing turned clockwise by a number of quarters.",
        "turned(unit.facing, 1)",
        turned
    ),
    query!(
        "quarters",
        2..=2,
        "quarters(from, to) -> int",
        "Quarter turns clockwise from one facing to another: 0 to 3.",
        "quarters(unit.facing, \"N\")",
        quarters
    ),
    query!(
        "in_field",
        4..=4,
        "in_field(space, facing, range, target) -> bool",
        "Whether the target lies in the quarter before the space up to the range, or on the square to the left or right.",
        "in_field(unit.at, unit.facing, 8, goal)",
        in_field
    ),
    query!(
        "in_wedge",
        4..=4,
        "in_wedge(space, facing, range, target) -> bool",
        "Whether the target lies in the quarter before the space up to the range (none: without limit).",
        "in_wedge(unit.at, unit.facing, none, goal)",
        in_wedge
    ),
    query!(
        "field",
        3..=3,
        "field(space, facing, range) -> list<space>",
        "All spaces for which in_field holds.",
        "field(unit.at, unit.facing, 8)",
        field
    ),
    query!(
        "line_open",
        3..=3,
        "line_open(sight, from, to) -> bool",
        "Whether nothing that the sight record names stops the line between the centres of two squares.",
        "line_open(\"standing\", a, b)",
        line_open
    ),
    query!(
        "line_meets",
        3..=3,
        "line_meets(sight, from, to) -> set<name>",
        "What the sight record names and the line meets; at a corner only if both sides are stopped.",
        "line_meets(\"cover\", a, b)",
        line_meets
    ),
    query!(
        "step_cost",
        3..=3,
        "step_cost(movement, from, to) -> int?",
        "The points for one step, none if it is not possible.",
        "step_cost(\"foot\", unit.at, it)",
        step_cost
    ),
    query!(
        "within",
        3..=3,
        "within(movement, from, points) -> list<space>",
        "The spaces that can be reached for that many points, without the first.",
        "within(\"foot\", unit.at, 4)",
        within
    ),
];

fn all(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let tag = name_arg(args, 0)?;
    let found = view.world.entities().filter(|(id, _)| view.has_tag(*id, tag)).map(|(id, _)| Value::Entity(id));
    Ok(Value::list(found.collect()))
}

fn has(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.has_tag(entity_arg(args, 0)?, name_arg(args, 1)?).into())
}

fn entity(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    use crate::base::KeyBook as _;
    let found = view.world.entity_of_key(&name_arg(args, 0)?);
    Ok(found.filter(|id| view.world.entity(*id).is_some_and(|thing| thing.alive)).map_or(Value::None, Value::Entity))
}

fn on(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let Some(space) = optional_place(view, args, 0)? else { return Ok(Value::list(Vec::new())) };
    let tag = if args.len() > 1 { Some(name_arg(args, 1)?) } else { None };
    let here = view.world.on_space(space).iter().filter(|id| tag.is_none_or(|tag| view.has_tag(**id, tag)));
    Ok(Value::list(here.map(|id| Value::Entity(*id)).collect()))
}

fn carried(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let carrier = entity_arg(args, 0)?;
    let slot = if args.len() > 1 { Some(name_arg(args, 1)?) } else { None };
    let with = view.world.entities().filter(|(_, thing)| {
        matches!(&thing.at, Position::On(other, place) if *other == carrier && slot.is_none_or(|slot| slot == *place))
    });
    Ok(Value::list(with.map(|(id, _)| Value::Entity(id)).collect()))
}

fn cells(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(covered(view, entity_arg(args, 0)?).into_iter().map(Value::Space).collect()))
}

fn pile(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let zone = name_arg(args, 0)?;
    let pile = view.world.zone(zone).ok_or_else(|| format!("there is no pile {zone}"))?;
    Ok(Value::list(pile.iter().map(|id| Value::Entity(*id)).collect()))
}

fn table(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let property = name_arg(args, 0)?;
    view.world.table(property).cloned().ok_or_else(|| format!("the table has no property {property}"))
}

fn local(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let local = name_arg(args, 0)?;
    let found = view.world.flow().iter().rev().find_map(|frame| frame.locals.get(&local));
    Ok(found.cloned().unwrap_or_default())
}

fn fact(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.setting.facts.get(&name_arg(args, 0)?).cloned().unwrap_or_default())
}

fn placements(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let tag = name_arg(args, 0)?;
    let kind_key = name("kind");
    let bears = |placement: &&Value| {
        let kind = placement.as_map().and_then(|map| map.get(&kind_key)).and_then(Value::as_name);
        kind.is_some_and(|kind| kind == tag || view.game.kinds.get(&kind).is_some_and(|kind| kind.tags.contains(&tag)))
    };
    Ok(Value::list(view.setting.placements.iter().filter(bears).cloned().collect()))
}

fn space(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.board.space(&name_arg(args, 0)?).map_or(Value::None, Value::Space))
}

fn spaces(view: &View<'_>, _args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(view.board.spaces().map(Value::Space).collect()))
}

fn region(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(view.board.region(name_arg(args, 0)?).iter().map(|space| Value::Space(*space)).collect()))
}

fn neighbours(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let space = place_arg(view, args, 0)?;
    Ok(Value::list(view.board.neighbours(space).iter().flatten().map(|space| Value::Space(*space)).collect()))
}

fn distance(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (from, to) = (places(view, args, 0)?, places(view, args, 1)?);
    let pairs = from.iter().flat_map(|a| to.iter().map(|b| view.board.distance(*a, *b)));
    let least = pairs.min().ok_or("there is no distance to what is nowhere")?;
    Ok(Value::Int(i64::from(least)))
}

fn adjacent(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok((distance(view, args)? == Value::Int(1)).into())
}

fn is_thing(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let space = place_arg(view, args, 0)?;
    Ok(view.board.cell(space).things.contains(&name_arg(args, 1)?).into())
}

fn ahead(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.board.ahead(place_arg(view, args, 0)?, facing_arg(args, 1)?);
    Ok(found.map_or(Value::None, Value::Space))
}

fn behind(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.board.behind(place_arg(view, args, 0)?, facing_arg(args, 1)?);
    Ok(found.map_or(Value::None, Value::Space))
}

fn facings_to(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.board.wedges_containing(place_arg(view, args, 0)?, place_arg(view, args, 1)?);
    Ok(Value::list(found.into_iter().map(facing_value).collect()))
}

fn turned(_view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let quarters = int_arg(args, 1)?.rem_euclid(4);
    let turned = (0..quarters).fold(facing_arg(args, 0)?, |facing, _| facing.cw());
    Ok(facing_value(turned))
}

fn quarters(_view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (mut from, to) = (facing_arg(args, 0)?, facing_arg(args, 1)?);
    let mut n = 0;
    while from != to && n < 4 {
        from = from.cw();
        n += 1;
    }
    Ok(Value::Int(n))
}

fn in_field(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (from, facing, target) = (place_arg(view, args, 0)?, facing_arg(args, 1)?, place_arg(view, args, 3)?);
    let beside = view.board.beside(from, facing).contains(&Some(target));
    Ok((beside || view.board.in_wedge(from, facing, target, range_arg(args, 2)?)).into())
}

fn in_wedge(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (from, facing, target) = (place_arg(view, args, 0)?, facing_arg(args, 1)?, place_arg(view, args, 3)?);
    Ok(view.board.in_wedge(from, facing, target, range_arg(args, 2)?).into())
}

fn field(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let range = range_arg(args, 2)?.ok_or("a field needs a range")?;
    let found = view.board.field(place_arg(view, args, 0)?, facing_arg(args, 1)?, Some(range));
    Ok(Value::list(found.into_iter().map(Value::Space).collect()))
}

fn line_open(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    if line.hidden_at_end() {
        return Ok(false.into());
    }
    let mut open = true;
    line.walk(&mut |_| open = false)?;
    Ok(open.into())
}

fn line_meets(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    let mut met = Vec::new();
    line.walk(&mut |name| met.push(Value::Name(name)))?;
    Ok(Value::set(met))
}

fn step_cost(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let cost = view.board.step_cost(place_arg(view, args, 1)?, place_arg(view, args, 2)?, &costs);
    Ok(cost.map_or(Value::None, |cost| Value::Int(i64::from(cost))))
}

fn within(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let costs = Costs::new(view, args)?;
    let from = place_arg(view, args, 1)?;
    let points = u32::try_from(int_arg(args, 2)?).map_err(|_| "points below zero")?;
    let reach = view.board.reach(from, &costs, Some(points));
    let found = view.board.spaces().filter(|space| *space != from && reach.cost[space.index()].is_some());
    Ok(Value::list(found.map(Value::Space).collect()))
}

/// A line between two squares under a sight record.
struct Line<'a> {
    view: &'a View<'a>,
    sight: &'a Sight,
    from: SpaceId,
    to: SpaceId,
}

impl<'a> Line<'a> {
    fn new(view: &'a View<'a>, args: &[Value]) -> Result<Self, String> {
        let record = name_arg(args, 0)?;
        let sight = view.game.sight.get(&record).ok_or_else(|| format!("there is no sight record {record}"))?;
        Ok(Self { view, sight, from: place_arg(view, args, 1)?, to: place_arg(view, args, 2)? })
    }

    fn hidden_at_end(&self) -> bool {
        let board = self.view.board;
        let hides = board.cell(self.to).things.iter().any(|thing| self.sight.hides_in.contains(thing));
        hides && board.distance(self.from, self.to) > 1
    }

    /// Tells `found` the name of everything that stops the line.
    fn walk(&self, found: &mut dyn FnMut(Name)) -> Result<(), String> {
        let mut failed = None;
        let mut cell_blocks = |space| match self.cell_blocker(space) {
            Ok(blocker) => blocker.is_some(),
            Err(message) => {
                failed = Some(message);
                false
            }
        };
        let mut edge_blocks = |edge| self.edge_blocker(edge).is_some();
        let mut met = |met: Met| {
            let (cells, edges) = pieces(&met);
            for space in cells {
                if let Ok(Some(blocker)) = self.cell_blocker(space) {
                    found(blocker);
                }
            }
            for edge in edges {
                if let Some(blocker) = self.edge_blocker(edge) {
                    found(blocker);
                }
            }
        };
        self.view.board.meets(self.from, self.to, &mut cell_blocks, &mut edge_blocks, &mut met);
        failed.map_or(Ok(()), Err)
    }

    fn cell_blocker(&self, space: SpaceId) -> Result<Option<Name>, String> {
        let view = self.view;
        if self.sight.near_end && view.board.distance(space, self.to) > 1 {
            return Ok(None);
        }
        let thing = view.board.cell(space).things.iter().find(|thing| self.sight.cells.contains(thing));
        if let Some(thing) = thing {
            return Ok(Some(*thing));
        }
        let Some(stops) = &self.sight.entities else { return Ok(None) };
        for id in view.world.on_space(space) {
            if stops.eval_bool(view, &[Value::Entity(*id)]).map_err(|fault| fault.message)? {
                return Ok(view.world.entity(*id).map(|thing| thing.kind));
            }
        }
        Ok(None)
    }

    fn edge_blocker(&self, edge: EdgeId) -> Option<Name> {
        let board = self.view.board;
        if self.sight.near_end && !board.touches(edge, self.to) {
            return None;
        }
        let stops = |mark: &&Name| match self.sight.edges.get(*mark) {
            None => false,
            Some(EdgeException::Never) => true,
            Some(EdgeException::ViewerBeside) => !board.edge_beside(edge, self.from),
            Some(EdgeException::EndAtEdge) => !board.beyond_three(edge, self.from, self.to),
        };
        board.edge(edge).marks.iter().find(stops).copied()
    }
}

/// The squares and edges that a line meets at one place.
fn pieces(met: &Met) -> (Vec<SpaceId>, Vec<EdgeId>) {
    match met {
        Met::Cell(space) => (vec![*space], Vec::new()),
        Met::Edge(edge) => (Vec::new(), vec![*edge]),
        Met::Corner { left, right } => (
            left.cell.into_iter().chain(right.cell).collect(),
            left.edges.into_iter().chain(right.edges).flatten().collect(),
        ),
    }
}

/// The costs of a movement record in a world.
pub(crate) struct Costs<'a> {
    view: &'a View<'a>,
    movement: &'a Movement,
}

impl<'a> Costs<'a> {
    fn new(view: &'a View<'a>, args: &[Value]) -> Result<Self, String> {
        let record = name_arg(args, 0)?;
        let movement =
            view.game.movement.get(&record).ok_or_else(|| format!("there is no movement record {record}"))?;
        Ok(Self { view, movement })
    }
}

impl StepCosts for Costs<'_> {
    fn enter(&self, space: SpaceId) -> Option<u32> {
        let fixed = self.view.board.cell(space).things.iter();
        let standing = self.view.world.on_space(space).iter().filter_map(|id| {
            let kind = self.view.world.entity(*id)?.kind;
            self.movement.cells.contains_key(&kind).then_some(kind)
        });
        let mut cost = 0;
        for thing in fixed.copied().chain(standing) {
            cost = cost.max((*self.movement.cells.get(&thing)?)?);
        }
        Some(cost)
    }

    fn cross(&self, edge: EdgeId, straight: bool) -> Option<u32> {
        let mut cost = 0;
        for mark in &self.view.board.edge(edge).marks {
            match self.movement.edges.get(mark) {
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

/// The spaces that an entity covers.
pub(crate) fn covered(view: &View<'_>, entity: EntityId) -> Vec<SpaceId> {
    match view.world.entity(entity).map(|thing| &thing.at) {
        Some(Position::Cells(cells)) => cells.to_vec(),
        _ => view.space_of(entity).as_space().into_iter().collect(),
    }
}

fn places(view: &View<'_>, args: &[Value], index: usize) -> Result<Vec<SpaceId>, String> {
    match &args[index] {
        Value::Space(space) => Ok(vec![*space]),
        Value::Entity(entity) => Ok(covered(view, *entity)),
        other => Err(expected(index, "a space or an entity", other)),
    }
}

fn optional_place(view: &View<'_>, args: &[Value], index: usize) -> Result<Option<SpaceId>, String> {
    match &args[index] {
        Value::None => Ok(None),
        Value::Space(space) => Ok(Some(*space)),
        Value::Entity(entity) => Ok(view.space_of(*entity).as_space()),
        other => Err(expected(index, "a space or an entity", other)),
    }
}

fn place_arg(view: &View<'_>, args: &[Value], index: usize) -> Result<SpaceId, String> {
    optional_place(view, args, index)?.ok_or_else(|| expected(index, "a space", &Value::None))
}

fn entity_arg(args: &[Value], index: usize) -> Result<EntityId, String> {
    args[index].as_entity().ok_or_else(|| expected(index, "an entity", &args[index]))
}

fn name_arg(args: &[Value], index: usize) -> Result<Name, String> {
    args[index].as_name().ok_or_else(|| expected(index, "a name", &args[index]))
}

fn int_arg(args: &[Value], index: usize) -> Result<i64, String> {
    args[index].as_int().ok_or_else(|| expected(index, "a number", &args[index]))
}

fn range_arg(args: &[Value], index: usize) -> Result<Option<i32>, String> {
    match &args[index] {
        Value::None => Ok(None),
        Value::Int(range) => i32::try_from(*range).map(Some).map_err(|_| "a range out of bounds".into()),
        other => Err(expected(index, "a range or none", other)),
    }
}

fn facing_arg(args: &[Value], index: usize) -> Result<Facing, String> {
    args[index]
        .as_name()
        .and_then(|text| text.as_str().parse().ok())
        .ok_or_else(|| expected(index, "a facing (N, E, S or W)", &args[index]))
}

fn facing_value(facing: Facing) -> Value {
    Value::Name(name(&facing.to_string()))
}

fn expected(index: usize, what: &str, found: &Value) -> String {
    format!("argument {} is {} where {what} was expected", index + 1, found.type_name())
}
