//! Queries on what is in the game: entities, piles, the table, the mission.

use super::args::{covered, entity_arg, expected, name_arg, names_of, optional_place};
use crate::{
    base::{Value, name},
    kernel::Position,
    rules::{reads::Memorable, view::View},
};

pub(super) fn all(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let tag = name_arg(args, 0)?;
    if let Some(off) = args.get(1) {
        let things = names_of(off).ok_or_else(|| expected(1, "a list of names", off))?;
        let is_off = |space| !view.board.cell(space).things.iter().any(|thing| things.contains(thing));
        let stands = |id| covered(view, id).as_slice().first().is_some_and(|space| is_off(*space));
        let found = view.world.entities().map(|(id, _)| id).filter(|id| view.has_tag(*id, tag) && stands(*id));
        return Ok(Value::list(found.map(Value::Entity).collect()));
    }
    let found = || view.world.entities().filter(|(id, _)| view.has_tag(*id, tag)).map(|(id, _)| Value::Entity(id));
    view.remembered(Memorable::All, args, || Ok(Value::list(found().collect())))
}

pub(super) fn has(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.has_tag(entity_arg(args, 0)?, name_arg(args, 1)?).into())
}

pub(super) fn kind(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    view.game.trace.touch("kinds", id);
    let kind = view.game.kinds.get(&id);
    for stat in kind.iter().flat_map(|kind| kind.stats.keys()) {
        view.game.trace.read("kinds", *stat, id);
    }
    Ok(kind.map_or(Value::None, |kind| Value::map(kind.stats.iter().map(|(stat, value)| (*stat, value.clone())))))
}

pub(super) fn kinds(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let tag = name_arg(args, 0)?;
    let found = view.game.kinds.iter().filter(|(id, kind)| **id == tag || kind.tags.contains(&tag));
    Ok(Value::list(found.map(|(id, _)| Value::Name(*id)).collect()))
}

pub(super) fn entity(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    use crate::base::KeyBook as _;
    let found = view.world.entity_of_key(&name_arg(args, 0)?);
    Ok(found.filter(|id| view.world.entity(*id).is_some_and(|thing| thing.alive)).map_or(Value::None, Value::Entity))
}

pub(super) fn on(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let Some(space) = optional_place(view, args, 0)? else { return Ok(Value::list(Vec::new())) };
    let tag = if args.len() > 1 { Some(name_arg(args, 1)?) } else { None };
    let here = view.world.on_space(space).iter().filter(|id| tag.is_none_or(|tag| view.has_tag(**id, tag)));
    Ok(Value::list(here.map(|id| Value::Entity(*id)).collect()))
}

pub(super) fn carried(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let carrier = entity_arg(args, 0)?;
    let slot = if args.len() > 1 { Some(name_arg(args, 1)?) } else { None };
    let with = view.world.entities().filter(|(_, thing)| {
        matches!(&thing.at, Position::On(other, place) if *other == carrier && slot.is_none_or(|slot| slot == *place))
    });
    Ok(Value::list(with.map(|(id, _)| Value::Entity(id)).collect()))
}

pub(super) fn carrier(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    match view.world.entity(entity_arg(args, 0)?).map(|thing| &thing.at) {
        Some(Position::On(carrier, _)) => Ok(Value::Entity(*carrier)),
        _ => Ok(Value::None),
    }
}

pub(super) fn cells(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(covered(view, entity_arg(args, 0)?).as_slice().iter().map(|space| Value::Space(*space)).collect()))
}

pub(super) fn pile(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let zone = name_arg(args, 0)?;
    let pile = view.world.zone(zone).ok_or_else(|| format!("there is no pile {zone}"))?;
    let mut things: Vec<Value> = pile.iter().map(|id| Value::Entity(*id)).collect();
    if view.is_guest() && view.game.zones.get(&zone).is_some_and(|record| record.hidden) {
        things.sort();
    }
    Ok(Value::list(things))
}

pub(super) fn table(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let property = name_arg(args, 0)?;
    view.world.table(property).cloned().ok_or_else(|| format!("the table has no property {property}"))
}

pub(super) fn local(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let local = name_arg(args, 0)?;
    let found = view.world.flow().iter().rev().find_map(|frame| frame.locals.get(&local));
    Ok(found.cloned().unwrap_or_default())
}

pub(super) fn fact(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.setting.facts.get(&name_arg(args, 0)?).cloned().unwrap_or_default())
}

pub(super) fn legacy(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    let declared = view.game.legacy.get(&id).ok_or_else(|| format!("there is no {id} in section `legacy`"))?;
    view.game.trace.touch("legacy", id);
    Ok(view.setting.legacy.get(&id).unwrap_or(&declared.default).clone())
}

pub(super) fn leaves(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    let declared = view.game.legacy.get(&id).ok_or_else(|| format!("there is no {id} in section `legacy`"))?;
    view.nested(id, || crate::rules::campaign::leaves_of(view, id, declared))
}

pub(super) fn missions(view: &View<'_>, _args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(view.game.missions.keys().map(|id| Value::Name(*id)).collect()))
}

pub(super) fn placements(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let tag = name_arg(args, 0)?;
    let kind_key = name("kind");
    let bears = |placement: &&Value| {
        let kind = placement.as_map().and_then(|map| map.get(&kind_key)).and_then(Value::as_name);
        kind.is_some_and(|kind| view.game.tags.has(kind, tag))
    };
    Ok(Value::list(view.setting.placements.iter().filter(bears).cloned().collect()))
}
