//! Arguments of queries.

use std::sync::LazyLock;

use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    board::Facing,
    kernel::Position,
    rules::view::View,
};

/// The names of the facings.
static NAMES: LazyLock<[Name; 4]> = LazyLock::new(|| Facing::ALL.map(|facing| name(&facing.to_string())));

/// The spaces that something is on.
pub(crate) enum Covered<'a> {
    /// One, or none.
    One(Option<SpaceId>),
    /// Several.
    Several(&'a [SpaceId]),
}

impl Covered<'_> {
    pub(crate) fn as_slice(&self) -> &[SpaceId] {
        match self {
            Self::One(space) => space.as_slice(),
            Self::Several(spaces) => spaces,
        }
    }
}

/// The spaces that an entity covers.
pub(crate) fn covered<'a>(view: &View<'a>, entity: EntityId) -> Covered<'a> {
    match view.world.entity(entity).map(|thing| &thing.at) {
        Some(Position::Cells(cells)) => Covered::Several(cells),
        _ => Covered::One(view.space_of(entity).as_space()),
    }
}

/// The only space of most things, and of a space; none if it takes a longer look to find out.
#[inline]
pub(super) fn only_place(view: &View<'_>, value: &Value) -> Option<SpaceId> {
    match value {
        Value::Space(space) => Some(*space),
        Value::Entity(entity) => match view.world.entity(*entity)?.at {
            Position::Space(space) => Some(space),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn places<'a>(view: &View<'a>, args: &[Value], index: usize) -> Result<Covered<'a>, String> {
    match &args[index] {
        Value::Space(space) => Ok(Covered::One(Some(*space))),
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
    if let Some(space) = only_place(view, &args[index]) {
        return Ok(space);
    }
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

/// The names in a list; none if it holds something else.
pub(super) fn names_of(list: &Value) -> Option<Vec<Name>> {
    list.as_items()?.iter().map(Value::as_name).collect()
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
    let known = |text: Name| NAMES.iter().position(|known| *known == text);
    args[index]
        .as_name()
        .and_then(|text| Facing::ALL.get(known(text)?).copied())
        .ok_or_else(|| expected(index, "a facing (N, E, S or W)", &args[index]))
}

pub(super) fn facing_value(facing: Facing) -> Value {
    Value::Name(NAMES[facing.index()])
}

pub(super) fn expected(index: usize, what: &str, found: &Value) -> String {
    format!("argument {} is {} where {what} was expected", index + 1, found.type_name())
}
