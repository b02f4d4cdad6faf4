//! What seats may not know, at work: who learns of an event, rules before an event, windows,
//! and questions to several seats at once.

use std::{collections::BTreeMap, rc::Rc};

use indexmap::IndexMap;

use super::{
    effects::{self, FLOW_EVENTS},
    expr::Expr,
    game::Condition,
    instance::{Instance, Stage, prepare},
    menu, piles,
    scene::SCENE_EVENT,
    view::View,
};
use crate::{
    base::{Map, Name, Value, name},
    kernel::{Audience, Before, Call, Candidate, Cause, Fault, Mask, Run, Schema, Stop, Who, World},
};

/// Who learns of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// Everybody.
    #[default]
    All,
    /// Those for whom an event changes something.
    Changed,
    /// These seats.
    Seats(Vec<Name>),
    /// The seat that a field of the event names.
    Field(Name),
}

/// Who learns of an event, and how much.
#[derive(Clone, Debug, Default)]
pub struct Secrecy {
    /// Who learns of it.
    pub audience: Told,
    /// Fields that only some of them learn.
    pub only: IndexMap<Name, Told>,
    /// Whether they learn why it happened.
    pub why: bool,
    /// Whether nothing can be taken back after it.
    pub barrier: bool,
}

/// A window: when a seat may react, and how.
#[derive(Debug)]
pub struct WindowRecord {
    /// Its arguments; an offer is `it`.
    pub args: Vec<Name>,
    /// Whether it opens: evaluated on what everybody knows.
    pub opens: Option<Expr>,
    /// What may be done in it, beside passing: evaluated on what the seat knows.
    pub from: Expr,
    /// What each offer must meet.
    pub conditions: Vec<Condition>,
    /// The phase with which a standing order to pass ends.
    pub until: Option<Name>,
}

impl Told {
    /// The seats, as a mask; everybody where that depends on what changes.
    pub(super) fn mask(&self, schema: &Schema, fields: &BTreeMap<Name, Value>) -> Mask {
        let seat = |seat: &Name| schema.seat(*seat).map_or(Mask::NONE, Mask::of);
        match self {
            Self::All | Self::Changed => Mask::ALL,
            Self::Seats(seats) => seats.iter().map(seat).fold(Mask::NONE, Mask::or),
            Self::Field(field) => fields.get(field).and_then(Value::as_name).map_or(Mask::NONE, |named| seat(&named)),
        }
    }
}

/// Who learns of an event.
pub(super) fn audience(
    instance: &Instance,
    world: &World,
    kind: Name,
    fields: &BTreeMap<Name, Value>,
) -> Result<Audience, Fault> {
    if FLOW_EVENTS.contains(&kind.as_str()) {
        return Ok(Audience { why: true, ..Audience::default() });
    }
    if kind.as_str() == SCENE_EVENT {
        let fields = fields.keys().map(|field| (*field, Mask::NONE)).collect();
        return Ok(Audience { who: Who::Changed, fields, ..Audience::default() });
    }
    let record = instance.game.events.get(&kind).ok_or_else(|| Fault("no such event".into()))?;
    let Secrecy { audience, only, why, barrier } = &record.secrecy;
    let who = match audience {
        Told::All => Who::All,
        Told::Changed => Who::Changed,
        told => Who::Seats(told.mask(world.schema(), fields)),
    };
    let only = only.iter().map(|(field, told)| (*field, told.mask(world.schema(), fields)));
    let fields = only.chain(piles::known_to(world.schema(), kind, fields)).collect();
    Ok(Audience { who, fields, why: *why, barrier: *barrier })
}

/// What becomes of an event before it is recorded: its instead-hooks, in order. A hook gives
/// nothing to keep the event, false to cancel it, a map of fields to change it, and a map of
/// `event` and `fields` to have another instead.
pub(super) fn before(
    instance: &Instance,
    run: &Rc<Run>,
    kind: Name,
    fields: &BTreeMap<Name, Value>,
) -> Result<Before, Stop> {
    let Some(record) = instance.game.events.get(&kind) else { return Ok(Before::Keep) };
    let hooks = instance.game.hooks.iter().filter(|(_, hook)| hook.event == kind && hook.instead);
    let mut hooks: Vec<_> = hooks.collect();
    hooks.sort_by_key(|(_, hook)| hook.order);
    let mut fields = fields.clone();
    let mut is_changed = false;
    for (id, hook) in hooks {
        let record_name = name(&format!("hooks.{id}"));
        instance.game.trace.touch("hooks", *id);
        let call = {
            let values = effects::check_fields(record, &fields)?;
            let world = run.world();
            let view = View::new(&world, &instance.setting, &instance.game);
            let holds = hook.when.as_ref().map_or(Ok(true), |when| when.eval_bool(&view, &values));
            if !holds.map_err(|fault| Fault(format!("{record_name}: {}", fault.message)))? {
                continue;
            }
            prepare(&view, &hook.run, &values, record_name)?
        };
        instance.game.trace.happen("hooks", *id);
        match run.call(&call)? {
            Value::None | Value::Bool(true) => {}
            Value::Bool(false) => return Ok(Before::Cancel),
            Value::Map(map) => {
                if let Some(other) = map.get(&name("event")).and_then(Value::as_name) {
                    let its = map.get(&name("fields")).and_then(Value::as_map).map(Map::to_tree).unwrap_or_default();
                    return Ok(Before::Replace(other, its, call.cause));
                }
                fields.extend(map.iter().map(|(field, value)| (*field, value.clone())));
                is_changed = true;
            }
            other => {
                return Err(Stop::fault(format!("{record_name} gives {} instead of an event", other.type_name())));
            }
        }
    }
    Ok(if is_changed { Before::Change(fields) } else { Before::Keep })
}

/// Whether a window opens.
pub(super) fn opens(instance: &Instance, world: &World, window: Name, args: &[Value]) -> Result<bool, Fault> {
    let record = record(instance, window)?;
    instance.game.trace.touch("windows", window);
    let view = View::new(world, &instance.setting, &instance.game);
    let opens = record.opens.as_ref().map_or(Ok(true), |opens| opens.eval_bool(&view, args));
    opens.map_err(|fault| Fault(format!("windows.{window}: {}", fault.message)))
}

/// What a seat may do in a window.
pub(super) fn offers(
    instance: &Instance,
    world: &World,
    window: Name,
    args: &[Value],
) -> Result<Vec<Candidate>, Fault> {
    let WindowRecord { from, conditions, .. } = record(instance, window)?;
    instance.game.trace.happen("windows", window);
    let view = View::new(world, &instance.setting, &instance.game);
    menu::items(&view, window, from, conditions, None, args.to_vec())
}

fn record(instance: &Instance, window: Name) -> Result<&WindowRecord, Fault> {
    instance.game.windows.get(&window).ok_or_else(|| Fault(format!("there is no window {window}")))
}

/// Lets a seat react.
pub(super) fn window(stage: &Rc<Stage>, window: Name, seat: Name, given: &Map) -> Result<Value, Stop> {
    let record = stage.game.windows.get(&window);
    let record = record.ok_or_else(|| Stop::fault(format!("there is no window {window}")))?;
    let args = menu::variables(window, &record.args, given)?;
    Ok(stage.run()?.window(window, seat, &args)?.unwrap_or_default())
}

/// Asks several seats at once, each by a function that gets its name.
pub(super) fn choose_each(stage: &Rc<Stage>, seats: &[Value], function: Name) -> Result<Value, Stop> {
    let seats = seats.iter().map(|seat| seat.as_name().ok_or_else(|| Stop::fault("a seat is a name")));
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    let prompt = name(function.rsplit("::").next().unwrap_or_default());
    let cause = Cause { function, ..stage.cause() };
    let results = stage.run()?.choose_each(&seats, prompt, &mut |run, seat| {
        run.call(&Call { function, args: vec![seat.into()], cause: cause.clone() })
    })?;
    Ok(Value::list(results))
}
