//! Values of the engine as values of a script, and back.
//!
//! Entities and spaces are handles, names are strings, lists and sets are arrays. A
//! string that comes back becomes a name, so its length is checked here.

use std::ops::{Range, RangeInclusive};

use rhai::{Array, Dynamic, Map};

use super::limits::VALUE_DEPTH_MAX;
use crate::base::{EntityId, NAME_BYTES_MAX, Name, SpaceId, Value, name};

/// A value that exists but may not be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unknown;

/// The script's form of `value`.
pub(super) fn to_script(value: &Value) -> Dynamic {
    match value {
        Value::None => Dynamic::UNIT,
        Value::Unknown => Dynamic::from(Unknown),
        Value::Bool(truth) => Dynamic::from(*truth),
        Value::Int(number) => Dynamic::from(*number),
        Value::Name(name) => Dynamic::from(name.as_str().to_owned()),
        Value::Entity(entity) => Dynamic::from(*entity),
        Value::Space(space) => Dynamic::from(*space),
        Value::List(items) | Value::Set(items) => Dynamic::from_array(items.iter().map(to_script).collect::<Array>()),
        Value::Map(entries) => Dynamic::from_map(
            entries.iter().map(|(key, value)| (key.as_str().into(), to_script(value))).collect::<Map>(),
        ),
    }
}

/// The engine's form of a script's value.
///
/// # Errors
/// Names what cannot cross: a string that is too long, a range, a function.
pub(super) fn from_script(value: &Dynamic) -> Result<Value, String> {
    from_script_at(value, 0)
}

/// How many values `value` consists of.
pub(super) fn n_values(value: &Value) -> u64 {
    match value {
        Value::List(items) | Value::Set(items) => 1 + items.iter().map(n_values).sum::<u64>(),
        Value::Map(entries) => 1 + entries.values().map(n_values).sum::<u64>(),
        _ => 1,
    }
}

fn from_script_at(value: &Dynamic, depth: usize) -> Result<Value, String> {
    if depth > VALUE_DEPTH_MAX {
        return Err(format!("a value is nested more than {VALUE_DEPTH_MAX} deep"));
    }
    if value.is_unit() {
        return Ok(Value::None);
    }
    if let Ok(truth) = value.as_bool() {
        return Ok(Value::Bool(truth));
    }
    if let Ok(number) = value.as_int() {
        return Ok(Value::Int(number));
    }
    if let Ok(character) = value.as_char() {
        return Ok(Value::name(character.encode_utf8(&mut [0; 4])));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(Value::Name(short_name(&text)?));
    }
    if let Some(entity) = value.read_lock::<EntityId>() {
        return Ok(Value::Entity(*entity));
    }
    if let Some(space) = value.read_lock::<SpaceId>() {
        return Ok(Value::Space(*space));
    }
    if value.is::<Unknown>() {
        return Ok(Value::Unknown);
    }
    if let Ok(items) = value.as_array_ref() {
        let items = items.iter().map(|item| from_script_at(item, depth + 1)).collect::<Result<_, _>>()?;
        return Ok(Value::list(items));
    }
    if let Ok(entries) = value.as_map_ref() {
        let entries = entries
            .iter()
            .map(|(key, value)| Ok((short_name(key)?, from_script_at(value, depth + 1)?)))
            .collect::<Result<Vec<_>, String>>()?;
        return Ok(Value::map(entries));
    }
    if value.is::<Range<i64>>() || value.is::<RangeInclusive<i64>>() {
        return Err("`a..b` is nothing the engine can hold; range(a, b) gives a list".into());
    }
    Err(format!("a {} is nothing the engine can hold", value.type_name()))
}

fn short_name(text: &str) -> Result<Name, String> {
    if text.len() > NAME_BYTES_MAX {
        return Err(format!("a text of {} bytes where a name has at most {NAME_BYTES_MAX}", text.len()));
    }
    Ok(name(text))
}
