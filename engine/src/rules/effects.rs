//! What events do: their fields checked, their effects turned into changes.

use std::collections::BTreeMap;

use super::{
    game::{Effect, EventKind},
    instance::Instance,
    piles,
    scene::{self, SCENE_EVENT},
    view::View,
};
use crate::{
    base::{EntityId, Map, Name, Value, name},
    kernel::{Draft, Fault, Mask, Position},
};

/// Events of the flow itself; content cannot emit them.
pub const FLOW_EVENTS: [&str; 6] =
    ["phase_began", "phase_skipped", "phase_moved", "phase_ended", GAME_STOPPED, SCENE_EVENT];
/// The event by which a game ends that its rules did not end.
pub(crate) const GAME_STOPPED: &str = "game_stopped";

/// Applies an event to the world of `draft`.
pub(super) fn apply(
    instance: &Instance,
    draft: &mut Draft<'_>,
    kind: Name,
    fields: &BTreeMap<Name, Value>,
) -> Result<(), Fault> {
    if kind.as_str() == SCENE_EVENT {
        return scene::apply(instance, draft, fields);
    }
    if FLOW_EVENTS.contains(&kind.as_str()) {
        return apply_flow(draft, kind, fields);
    }
    let record = instance.game.events.get(&kind).ok_or_else(|| Fault("no such event".into()))?;
    let values = check_fields(record, fields)?;
    note(&instance.game, draft.world(), kind, &values);
    if piles::is_event(kind) {
        return piles::apply(draft, kind, fields);
    }
    for effect in &record.effects {
        apply_effect(instance, draft, effect, fields, &values)?;
    }
    Ok(())
}

/// Notes an event, and the cards that it names.
fn note(game: &super::game::Game, world: &crate::kernel::World, kind: Name, values: &[Value]) {
    if !game.trace.is_on() {
        return;
    }
    game.trace.happen("events", kind);
    for thing in values.iter().filter_map(|value| world.entity(value.as_entity()?)) {
        if game.kinds.get(&thing.kind).is_some_and(|kind| kind.tags.contains(&name("card"))) {
            game.trace.happen("cards", thing.kind);
        }
    }
}

/// The values of an event's fields, in the order of their declaration.
pub(super) fn check_fields(record: &EventKind, fields: &BTreeMap<Name, Value>) -> Result<Vec<Value>, Fault> {
    if let Some(unknown) = fields.keys().find(|field| !record.fields.contains_key(*field)) {
        return Err(Fault(format!("it has no field {unknown}")));
    }
    let mut values = Vec::with_capacity(record.fields.len());
    for (field, declared) in &record.fields {
        let value = fields.get(field).cloned().unwrap_or_default();
        let fits = match &value {
            Value::None => declared.optional,
            value => fits(value, declared.kind.as_str()),
        };
        if !fits {
            return Err(Fault(format!("field {field} is {} where {} was declared", value.type_name(), declared.kind)));
        }
        values.push(value);
    }
    Ok(values)
}

/// Whether a value is of a declared type.
pub(crate) fn fits(value: &Value, declared: &str) -> bool {
    match (value, declared) {
        (_, "any") => true,
        (Value::Bool(_), "bool") | (Value::Int(_), "int") | (Value::Entity(_), "entity") => true,
        (Value::Space(_), "space") | (Value::Map(_), "map") | (Value::Name(_), "name") => true,
        (Value::Name(text), "facing") => matches!(text.as_str(), "N" | "E" | "S" | "W"),
        (Value::List(items), _) => {
            inner(declared, "list<").is_some_and(|kind| items.iter().all(|item| fits(item, kind)))
        }
        (Value::Set(items), _) => inner(declared, "set<").is_some_and(|kind| items.iter().all(|item| fits(item, kind))),
        _ => false,
    }
}

fn inner<'a>(declared: &'a str, outer: &str) -> Option<&'a str> {
    declared.strip_prefix(outer)?.strip_suffix('>')
}

fn apply_flow(draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
    let field = |text: &str| fields.get(&name(text)).cloned().unwrap_or_default();
    if kind.as_str() == GAME_STOPPED {
        return draft.end(Value::list(vec![field("outcome"), field("reason")]));
    }
    let phase = field("phase").as_name().ok_or_else(|| Fault("a phase event names its phase".into()))?;
    if let Value::Int(index) = field("index") {
        draft.local(name("_index"), Value::Int(index))?;
    }
    match kind.as_str() {
        "phase_skipped" => Ok(()),
        "phase_began" => {
            let mut locals = field("locals").as_map().map(Map::to_tree).unwrap_or_default();
            locals.retain(|_, value| !value.is_none());
            draft.push(phase, locals)
        }
        "phase_moved" => {
            draft.local(name("_stage"), field("stage"))?;
            draft.local(name("_index"), Value::None)
        }
        _ => draft.pop(),
    }
}

fn apply_effect(
    instance: &Instance,
    draft: &mut Draft<'_>,
    effect: &Effect,
    fields: &BTreeMap<Name, Value>,
    values: &[Value],
) -> Result<(), Fault> {
    let eval = |draft: &Draft<'_>, expr: &super::expr::Expr, values: &[Value]| -> Result<Value, Fault> {
        let view = View::new(draft.world(), &instance.setting, &instance.game);
        expr.eval(&view, values).map_err(|fault| Fault(fault.message))
    };
    let entity = |value: Value| {
        value
            .as_entity()
            .ok_or_else(|| Fault(format!("an effect on {} where an entity was expected", value.type_name())))
    };
    match effect {
        Effect::Set(of, property, new) => {
            let of = eval(draft, of, values)?;
            let owner = View::owner(&of).ok_or_else(|| Fault(format!("{} has no properties", of.type_name())))?;
            let new = typed(instance, *property, eval(draft, new, values)?)?;
            draft.set(owner, *property, new)
        }
        Effect::SetTable(property, new) => {
            let new = typed(instance, *property, eval(draft, new, values)?)?;
            draft.set(crate::kernel::Owner::Table, *property, new)
        }
        Effect::Place(thing, at) => {
            let thing = entity(eval(draft, thing, values)?)?;
            let at = position(eval(draft, at, values)?)?;
            draft.place(thing, at)
        }
        Effect::PutOn(thing, carrier, slot) => {
            let thing = entity(eval(draft, thing, values)?)?;
            let carrier = entity(eval(draft, carrier, values)?)?;
            draft.place(thing, Position::On(carrier, *slot))
        }
        Effect::PutIn(thing, zone, depth) => {
            let thing = entity(eval(draft, thing, values)?)?;
            let n = draft.world().zone(*zone).map_or(0, <[EntityId]>::len);
            let present =
                usize::from(matches!(draft.world().position(thing), Position::Zone(here, _) if here == *zone));
            let depth = match depth {
                None => n - present,
                Some(depth) => {
                    let depth = eval(draft, depth, values)?.as_int().and_then(|depth| usize::try_from(depth).ok());
                    depth.ok_or_else(|| Fault("a depth is a number from 0".into()))?.min(n - present)
                }
            };
            draft.place(thing, Position::Zone(*zone, u32::try_from(depth).unwrap_or(0)))
        }
        Effect::Create(new) => create(
            instance,
            draft,
            [Some(&new.kind), new.key.as_ref(), new.properties.as_ref(), new.at.as_ref()],
            new.zone,
            new.seen_by.mask(draft.world().schema(), fields),
            values,
        ),
        Effect::Show(thing, told) => {
            let thing = entity(eval(draft, thing, values)?)?;
            let mask = told.mask(draft.world().schema(), fields);
            draft.see(thing, mask)
        }
        Effect::Destroy(thing) => {
            let thing = entity(eval(draft, thing, values)?)?;
            draft.destroy(thing)
        }
        Effect::Order(zone, order) => {
            let order = eval(draft, order, values)?;
            let order = order.as_items().ok_or_else(|| Fault("an order is a list".into()))?;
            let order = order.iter().cloned().map(entity).collect::<Result<Vec<_>, _>>()?;
            draft.order(*zone, order)
        }
        Effect::End(outcome) => {
            let outcome = eval(draft, outcome, values)?;
            draft.end(outcome)
        }
    }
}

fn create(
    instance: &Instance,
    draft: &mut Draft<'_>,
    [kind, key, properties, at]: [Option<&super::expr::Expr>; 4],
    zone: Option<Name>,
    seen: Mask,
    values: &[Value],
) -> Result<(), Fault> {
    let [kind, key, given, at] = {
        let view = View::new(draft.world(), &instance.setting, &instance.game);
        let eval = |expr: Option<&super::expr::Expr>| match expr {
            None => Ok(Value::None),
            Some(expr) => expr.eval(&view, values).map_err(|fault| Fault(fault.message)),
        };
        [eval(kind)?, eval(key)?, eval(properties)?, eval(at)?]
    };
    let kind = kind.as_name().ok_or_else(|| Fault("a kind is a name".into()))?;
    let mut properties = scene::first_properties(&instance.game, kind)?;
    if let Some(given) = given.as_map() {
        for (property, value) in given {
            properties.insert(*property, typed(instance, *property, value.clone())?);
        }
    }
    let entity = draft.create_for(seen, kind, key.as_name(), properties)?;
    let at = match zone {
        Some(zone) => Position::Zone(zone, bottom(draft, zone)?),
        None => position(at)?,
    };
    draft.place(entity, at)
}

/// The depth below all that lies in a pile.
fn bottom(draft: &Draft<'_>, zone: Name) -> Result<u32, Fault> {
    let pile = draft.world().zone(zone).ok_or_else(|| Fault(format!("there is no pile {zone}")))?;
    u32::try_from(pile.len()).map_err(|_| Fault("the pile is too high".into()))
}

/// A value as its property declares it: a list becomes the set that was declared.
pub(super) fn typed(instance: &Instance, property: Name, value: Value) -> Result<Value, Fault> {
    let declared =
        instance.game.properties.get(&property).ok_or_else(|| Fault(format!("there is no property {property}")))?;
    let value = match value {
        Value::List(items) if declared.kind.starts_with("set<") => Value::set(items.to_vec()),
        other => other,
    };
    if !value.is_none() && !fits(&value, &declared.kind) {
        return Err(Fault(format!("property {property} is {}, not {}", declared.kind, value.type_name())));
    }
    match value.as_int().and_then(|number| declared.bounds.broken_by(number)) {
        Some(wrong) => Err(Fault(format!("property {property} would be {wrong}"))),
        None => Ok(value),
    }
}

fn position(at: Value) -> Result<Position, Fault> {
    match at {
        Value::None => Ok(Position::Nowhere),
        Value::Space(space) => Ok(Position::Space(space)),
        Value::List(cells) => {
            let cells: Option<Vec<_>> = cells.iter().map(Value::as_space).collect();
            cells
                .filter(|cells| !cells.is_empty())
                .map(|cells| Position::Cells(std::sync::Arc::new(cells)))
                .ok_or_else(|| Fault("a place is a space or a list of spaces".into()))
        }
        other => Err(Fault(format!("a {} is no place", other.type_name()))),
    }
}
