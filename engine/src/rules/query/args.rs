//! Arguments of queries.

use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    board::Facing,
    kernel::Position,
    rules::view::View,
};

/// The spaces that an entity covers.
pub(crate) fn covered(view: &View<'_>, entity: EntityId) -> Vec<SpaceId> {
    match view.world.entity(entity).map(|thing| &thing.at) {
        Some(Position::Cells(cells)) => cells.to_vec(),
        _ => view.space_of(entity).as_space().into_iter().collect(),
    }
}

pub(super) fn places(view: &View<'_>, args: &[Value], index: usize) -> Result<Vec<SpaceId>, String> {
    match &args[index] {
        Value::Space(space) => Ok(vec![*space]),
        Value::Entity(entity) => Ok(covered(view, *entity)),
        other => Err(expected(index, "a space or an entity", other)),
    }
}

pub(super) fn optional_place(view: &View<'_>, args: &[Value], index: usize) -> Result<Option<SpaceId>, String> {
    match &args[index] {
        Value::None => Ok(None),
        Value::Space(space) => Ok(Some(*space)),
        Value::Entity(entity) => Ok(view.space_of(*entity).as_space()),
        other => Err(expected(index, "a space or an entity", other)),
    }
}

pub(super) fn place_arg(view: &View<'_>, args: &[Value], index: usize) -> Result<SpaceId, String> {
    optional_place(view, args, index)?.ok_or_else(|| expected(index, "a space", &Value::None))
}

pub(super) fn spaces_arg(args: &[Value], index: usize) -> Result<Vec<SpaceId>, String> {
    if let Value::Space(space) = args[index] {
        return Ok(vec![space]);
    }
    let spaces = args[index].as_items().and_then(|items| items.iter().map(Value::as_space).collect());
    spaces.ok_or_else(|| expected(index, "a space or a list of spaces", &args[index]))
}

pub(super) fn entity_arg(args: &[Value], index: usize) -> Result<EntityId, String> {
    args[index].as_entity().ok_or_else(|| expected(index, "an entity", &args[index]))
}

pub(super) fn name_arg(args: &[Value], index: usize) -> Result<Name, String> {
    args[index].as_name().ok_or_else(|| expected(index, "a name", &args[index]))
}

pub(super) fn int_arg(args: &[Value], index: usize) -> Result<i64, String> {
    args[index].as_int().ok_or_else(|| expected(index, "a number", &args[index]))
}

pub(super) fn range_arg(args: &[Value], index: usize) -> Result<Option<i32>, String> {
    match &args[index] {
        Value::None => Ok(None),
        Value::Int(range) => i32::try_from(*range).map(Some).map_err(|_| "a range out of bounds".into()),
        other => Err(expected(index, "a range or none", other)),
    }
}

pub(super) fn facing_arg(args: &[Value], index: usize) -> Result<Facing, String> {
    args[index]
        .as_name()
        .and_then(|text| text.as_str().parse().ok())
        .ok_or_else(|| expected(index, "a facing (N, E, S or W)", &args[index]))
}

pub(super) fn facing_value(facing: Facing) -> Value {
    Value::Name(name(&facing.to_string()))
}

pub(super) fn expected(index: usize, what: &str, found: &Value) -> String {
    format!("argument {} is {} where {what} was expected", index + 1, found.type_name())
}
