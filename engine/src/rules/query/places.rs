//! Queries on spaces and facings.

use super::args::{
    expected, facing_arg, facing_value, int_arg, name_arg, names_of, only_place, place_arg, places, range_arg,
};
use std::slice;

use crate::{
    base::{SpaceId, Value},
    board::{Facing, Grid},
    rules::{expr::Host as _, reads::Memorable, view::View},
};

pub(super) fn space(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(view.board.space(&name_arg(args, 0)?).map_or(Value::None, Value::Space))
}

pub(super) fn spaces(view: &View<'_>, _args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(view.board.spaces().map(Value::Space).collect()))
}

pub(super) fn region(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok(Value::list(view.board.region(name_arg(args, 0)?).iter().map(|space| Value::Space(*space)).collect()))
}

pub(super) fn neighbours(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let space = place_arg(view, args, 0)?;
    Ok(Value::list(view.board.neighbours(space).iter().flatten().map(|space| Value::Space(*space)).collect()))
}

pub(super) fn distance(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    if let (Some(from), Some(to)) = (only_place(view, &args[0]), only_place(view, &args[1])) {
        return Ok(view.board.distance(from, to).map_or(Value::None, |least| Value::Int(i64::from(least))));
    }
    let (from, to) = (places(view, args, 0)?, places(view, args, 1)?);
    Ok(least(view, from.as_slice(), to.as_slice())?.map_or(Value::None, |least| Value::Int(i64::from(least))))
}

/// The least distance between two of some spaces; none if there is no way.
fn least(view: &View<'_>, from: &[SpaceId], to: &[SpaceId]) -> Result<Option<u32>, String> {
    if from.is_empty() || to.is_empty() {
        return Err("there is no distance to what is nowhere".into());
    }
    if let ([from], [to]) = (from, to) {
        return Ok(view.board.distance(*from, *to));
    }
    Ok(from.iter().flat_map(|a| to.iter().filter_map(|b| view.board.distance(*a, *b))).min())
}

pub(super) fn adjacent(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    Ok((distance(view, args)? == Value::Int(1)).into())
}

pub(super) fn near(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let items = args[0].as_items().ok_or_else(|| expected(0, "a list", &args[0]))?;
    let (centre, range) = (places(view, args, 1)?, int_arg(args, 2)?);
    let mut found = Vec::new();
    let only = only_place(view, &args[1]);
    for item in items {
        // Most things cover one space, and most boards have a way to everywhere.
        if let (Some(centre), Some(space)) = (only, only_place(view, item)) {
            if view.board.distance(space, centre).is_some_and(|distance| i64::from(distance) <= range) {
                found.push(item.clone());
            }
            continue;
        }
        let squares = places(view, slice::from_ref(item), 0)?;
        if least(view, squares.as_slice(), centre.as_slice())?.is_some_and(|least| i64::from(least) <= range) {
            found.push(item.clone());
        }
    }
    Ok(Value::list(found))
}

pub(super) fn looking_at(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (property, range, target) = (name_arg(args, 0)?, range_arg(args, 2)?, place_arg(view, args, 3)?);
    let items = args[1].as_items().ok_or_else(|| expected(1, "a list", &args[1]))?;
    let grid = view.grid()?;
    let mut found = Vec::new();
    for item in items {
        let from = place_arg(view, slice::from_ref(item), 0)?;
        let facing = match view.stored(item, property) {
            Some(facing) => facing_arg(slice::from_ref(facing), 0)?,
            None => facing_arg(&[view.read(item, property).map_err(|fault| fault.message)?], 0)?,
        };
        if is_in_field(grid, from, facing, range, target) {
            found.push(item.clone());
        }
    }
    Ok(Value::list(found))
}

pub(super) fn is_thing(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let space = place_arg(view, args, 0)?;
    Ok(view.board.cell(space).things.contains(&name_arg(args, 1)?).into())
}

pub(super) fn edge_marks(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let edge = view.board.edge_between(place_arg(view, args, 0)?, place_arg(view, args, 1)?);
    let marks = edge.map_or(&[][..], |edge| view.board.marks(edge));
    Ok(Value::list(marks.iter().map(|mark| (*mark).into()).collect()))
}

pub(super) fn room(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let space = place_arg(view, args, 0)?;
    let marks = names_of(&args[1]).ok_or_else(|| expected(1, "a list of names", &args[1]))?;
    let rooms = view.remembered(Memorable::Rooms, slice::from_ref(&args[1]), || {
        let spaces = |room: Vec<SpaceId>| Value::list(room.into_iter().map(Value::Space).collect());
        Ok::<Value, String>(Value::list(view.grid()?.rooms(&marks).into_iter().map(spaces).collect()))
    })?;
    let here = |room: &&Value| room.as_items().is_some_and(|spaces| spaces.contains(&Value::Space(space)));
    let found = rooms.as_items().and_then(|rooms| rooms.iter().find(here)).cloned();
    Ok(found.unwrap_or_else(|| Value::list(Vec::new())))
}

pub(super) fn ahead(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.grid()?.ahead(place_arg(view, args, 0)?, facing_arg(args, 1)?);
    Ok(found.map_or(Value::None, Value::Space))
}

pub(super) fn behind(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.grid()?.behind(place_arg(view, args, 0)?, facing_arg(args, 1)?);
    Ok(found.map_or(Value::None, Value::Space))
}

pub(super) fn facings_to(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let found = view.grid()?.wedges_containing(place_arg(view, args, 0)?, place_arg(view, args, 1)?);
    Ok(Value::list(found.into_iter().map(facing_value).collect()))
}

pub(super) fn turned(_view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let quarters = int_arg(args, 1)?.rem_euclid(4);
    let turned = (0..quarters).fold(facing_arg(args, 0)?, |facing, _| facing.cw());
    Ok(facing_value(turned))
}

pub(super) fn quarters(_view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (mut from, to) = (facing_arg(args, 0)?, facing_arg(args, 1)?);
    let mut n = 0;
    while from != to && n < 4 {
        from = from.cw();
        n += 1;
    }
    Ok(Value::Int(n))
}

pub(super) fn in_field(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (from, facing, target) = (place_arg(view, args, 0)?, facing_arg(args, 1)?, place_arg(view, args, 3)?);
    Ok(is_in_field(view.grid()?, from, facing, range_arg(args, 2)?, target).into())
}

fn is_in_field(grid: &Grid, from: SpaceId, facing: Facing, range: Option<i32>, target: SpaceId) -> bool {
    grid.in_wedge(from, facing, target, range) || grid.beside(from, facing).contains(&Some(target))
}

pub(super) fn in_wedge(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (from, facing, target) = (place_arg(view, args, 0)?, facing_arg(args, 1)?, place_arg(view, args, 3)?);
    Ok(view.grid()?.in_wedge(from, facing, target, range_arg(args, 2)?).into())
}

pub(super) fn field(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let range = range_arg(args, 2)?.ok_or("a field needs a range")?;
    let found = view.grid()?.field(place_arg(view, args, 0)?, facing_arg(args, 1)?, Some(range));
    Ok(Value::list(found.into_iter().map(Value::Space).collect()))
}
