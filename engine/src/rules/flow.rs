//! The flow: which step is next.
//!
//! The stack of running phases is part of the world; every move of it is an event
//! (`phase_began`, `phase_skipped`, `phase_moved`, `phase_ended`), so that it folds and unfolds like all else.
//! A running phase has two locals of its own: `_stage` (what has been started: nothing,
//! enter, body, exit) and `_index` (the next of its parts).

use std::{collections::BTreeMap, rc::Rc};

use super::{
    campaign::PLAYS,
    expr::Expr,
    game::{Body, Phase},
    instance::Instance,
    scene::{First, SCENE_EVENT},
    view::View,
};
use crate::{
    base::{KeyBook as _, Name, Value, name},
    kernel::{Call, Cause, Fault, Record, Run, Stop},
};

/// The phase that a game begins with.
pub(super) const FIRST_PHASE: &str = "game";
/// The most moves of the flow between two steps; more mean phases that never do anything.
const MOVES_MAX: usize = 10_000;

/// How many phases lie in each other at most.
const DEPTH_MAX: usize = 64;

/// The next step, after the events that lead to it.
pub(super) fn next(instance: &Instance, run: &Rc<Run>) -> Result<Option<Call>, Stop> {
    for _ in 0..MOVES_MAX {
        if !run.world().outcome().is_none() {
            return Ok(None);
        }
        let top = run.world().flow().last().map(|frame| (frame.phase, stage(&frame.locals), index(&frame.locals)));
        let Some((id, stage, index)) = top else {
            let first = instance
                .setting
                .scene
                .as_ref()
                .map_or(First::Phase(instance.setting.first), |scene| scene.first.clone());
            let begun = run.records().iter().any(|record| match record {
                Record::Step(_) => true,
                Record::Event { kind, .. } => kind.as_str() != SCENE_EVENT,
                _ => false,
            });
            if begun {
                return Ok(None);
            }
            if let Some(scene) = &instance.setting.scene {
                run.emit(name(SCENE_EVENT), scene.fields(), Cause { record: name("scene"), function: name("set") })?;
            }
            match &first {
                First::Nothing => return Ok(None),
                First::Phase(phase) => begin(instance, run, *phase, None)?,
                First::Call(script, keys) => {
                    let world = run.world();
                    let variables: Vec<Value> =
                        keys.iter().map(|key| world.entity_of_key(key).map_or(Value::None, Value::Entity)).collect();
                    return Ok(Some(instance.prepare(&world, script, &variables, name("scene"))?));
                }
            }
            continue;
        };
        let phase = instance
            .game
            .phases
            .get(&id)
            .ok_or_else(|| Stop::fault(format!("the phase {id} is running, but there is no such record")))?;
        if let Some(call) = advance(instance, run, id, phase, stage, index)? {
            return Ok(Some(call));
        }
    }
    Err(Stop::fault(format!("phases follow each other {MOVES_MAX} times without any step")))
}

/// Moves the innermost phase on by one part. Parts that it does not have are passed over without
/// a word.
fn advance(
    instance: &Instance,
    run: &Rc<Run>,
    id: Name,
    phase: &Phase,
    stage: i64,
    index: i64,
) -> Result<Option<Call>, Stop> {
    if let (0, Some(enter)) = (stage, &phase.enter) {
        moved(run, id, 1)?;
        return step_of(instance, run, id, enter).map(Some);
    }
    if stage < 2 {
        let next = match &phase.body {
            Body::Empty => None,
            Body::Step(step) => {
                moved(run, id, 2)?;
                return step_of(instance, run, id, step).map(Some);
            }
            Body::Plays { mission, legacy } => {
                moved(run, id, 2)?;
                return mission_of(instance, run, id, mission, legacy).map(Some);
            }
            Body::Phases(phases) => {
                usize::try_from(index).ok().and_then(|index| phases.get(index)).map(|child| (*child, None))
            }
            Body::Each { local, items: _, phase: child } => {
                let items = run.world().flow().last().and_then(|frame| frame.locals.get(&name("_items"))).cloned();
                let item =
                    items.as_ref().and_then(Value::as_items).and_then(|items| items.get(usize::try_from(index).ok()?));
                item.map(|item| (*child, Some((*local, item.clone()))))
            }
        };
        if let Some((child, item)) = next {
            return begin(instance, run, child, Some((index + 1, item))).map(|()| None);
        }
    }
    if stage < 3
        && let Some(again) = &phase.again
        && holds(instance, run, again, id)?
    {
        return moved(run, id, 1).map(|()| None);
    }
    if let (..4, Some(exit)) = (stage, &phase.exit) {
        moved(run, id, 4)?;
        return step_of(instance, run, id, exit).map(Some);
    }
    let fields = BTreeMap::from([(name("phase"), id.into())]);
    run.emit(name("phase_ended"), fields, cause(id, "end")).map(|()| None)
}

fn begin(instance: &Instance, run: &Rc<Run>, id: Name, from: Option<(i64, Option<(Name, Value)>)>) -> Result<(), Stop> {
    let phase = instance.game.phases.get(&id).ok_or_else(|| Stop::fault(format!("there is no phase {id}")))?;
    if run.world().flow().len() >= DEPTH_MAX {
        let world = run.world();
        let around = world.flow().iter().rev().map(|frame| frame.phase).take_while(|phase| *phase != id);
        let mut circle: Vec<Name> = std::iter::once(id).chain(around).chain([id]).collect();
        circle.reverse();
        let circle: Vec<&str> = circle.iter().map(Name::as_str).collect();
        let circle = circle.join(" > ");
        return Err(Stop::fault(format!("phases lie in each other more than {DEPTH_MAX} deep: {circle}")));
    }
    instance.game.trace.touch("phases", id);
    let mut locals = BTreeMap::new();
    let mut fields = BTreeMap::from([(name("phase"), id.into())]);
    if let Some((index, item)) = from {
        if let Some((local, item)) = item {
            locals.insert(local, item);
        }
        fields.insert(name("index"), Value::Int(index));
    }
    let holds = match &phase.when {
        Some(when) => {
            let world = run.world();
            let view = View::new(&world, &instance.setting, &instance.game);
            when.eval_bool(&view, &variables(instance, &world, &locals))
                .map_err(|fault| Stop::fault(format!("phases.{id}: {}", fault.message)))?
        }
        None => true,
    };
    for (local, first) in &phase.locals {
        let value = {
            let world = run.world();
            let view = View::new(&world, &instance.setting, &instance.game);
            first
                .eval(&view, &variables(instance, &world, &locals))
                .map_err(|fault| Stop::fault(format!("phases.{id}: {}", fault.message)))?
        };
        locals.insert(*local, value);
    }
    if let (true, Body::Each { items, .. }) = (holds, &phase.body) {
        let items = {
            let world = run.world();
            let view = View::new(&world, &instance.setting, &instance.game);
            items
                .eval_items(&view, &variables(instance, &world, &locals))
                .map_err(|fault| Stop::fault(format!("phases.{id}: {}", fault.message)))?
        };
        locals.insert(name("_items"), Value::list(items));
    }
    if !holds {
        return run.emit(name("phase_skipped"), fields, cause(id, "when"));
    }
    instance.game.trace.happen("phases", id);
    fields.insert(name("locals"), Value::map(locals));
    run.emit(name("phase_began"), fields, cause(id, "begin"))
}

fn moved(run: &Rc<Run>, id: Name, stage: i64) -> Result<(), Stop> {
    let fields = BTreeMap::from([(name("phase"), id.into()), (name("stage"), Value::Int(stage))]);
    run.emit(name("phase_moved"), fields, cause(id, "flow"))
}

fn step_of(instance: &Instance, run: &Rc<Run>, id: Name, script: &super::game::ScriptCall) -> Result<Call, Stop> {
    let world = run.world();
    let variables = variables(instance, &world, &BTreeMap::new());
    Ok(instance.prepare(&world, script, &variables, name(&format!("phases.{id}")))?)
}

/// The step that has a mission played.
fn mission_of(
    instance: &Instance,
    run: &Rc<Run>,
    id: Name,
    mission: &Expr,
    legacy: &[(Name, Expr)],
) -> Result<Call, Stop> {
    let world = run.world();
    let variables = variables(instance, &world, &BTreeMap::new());
    let view = View::new(&world, &instance.setting, &instance.game);
    let eval = |expr: &Expr| {
        expr.eval(&view, &variables).map_err(|fault| Stop::fault(format!("phases.{id}: {}", fault.message)))
    };
    let legacy = legacy.iter().map(|(id, expr)| Ok((*id, eval(expr)?))).collect::<Result<Vec<_>, Stop>>()?;
    Ok(Call { function: name(PLAYS), args: vec![eval(mission)?, Value::map(legacy)], cause: cause(id, PLAYS) })
}

fn holds(instance: &Instance, run: &Rc<Run>, expr: &super::expr::Expr, id: Name) -> Result<bool, Stop> {
    let world = run.world();
    let view = View::new(&world, &instance.setting, &instance.game);
    let value = expr.eval_bool(&view, &variables(instance, &world, &BTreeMap::new()));
    value.map_err(|fault| Stop::Fault(Fault(format!("phases.{id}: {}", fault.message))))
}

/// The values of all locals that phases of the game declare, the innermost first.
fn variables(instance: &Instance, world: &crate::kernel::World, fresh: &BTreeMap<Name, Value>) -> Vec<Value> {
    let find =
        |local: &Name| fresh.get(local).or_else(|| world.flow().iter().rev().find_map(|frame| frame.locals.get(local)));
    instance.game.locals.iter().map(|local| find(local).cloned().unwrap_or_default()).collect()
}

fn stage(locals: &BTreeMap<Name, Value>) -> i64 {
    locals.get(&name("_stage")).and_then(Value::as_int).unwrap_or(0)
}

fn index(locals: &BTreeMap<Name, Value>) -> i64 {
    locals.get(&name("_index")).and_then(Value::as_int).unwrap_or(0)
}

fn cause(phase: Name, function: &str) -> Cause {
    Cause { record: name(&format!("phases.{phase}")), function: name(function) }
}
