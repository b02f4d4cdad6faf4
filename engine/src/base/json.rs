//! The JSON form of a value: an entity is `"@key"`, a space `"#name"`, a name bare text,
//! unknown `"?"`, a list an array, a set `{"set": [...]}`, a map `{"map": {...}}`.

use serde_json::{Map, Value as Json, json};

use super::{EntityId, Name, SpaceId, Value, name};

/// Who can say what entities and spaces are called.
pub trait KeyBook {
    /// The key of an entity, such as `red#3`.
    fn entity_key(&self, entity: EntityId) -> Option<Name>;
    /// The entity of a key.
    fn entity_of_key(&self, key: &str) -> Option<EntityId>;
    /// The name of a space, such as `e5`.
    fn space_name(&self, space: SpaceId) -> Option<Name>;
    /// The space of a name.
    fn space_of_name(&self, name: &str) -> Option<SpaceId>;
}

/// Knows no entity and no space: for values that hold none.
#[derive(Clone, Copy, Debug)]
pub struct NoKeys;

impl KeyBook for NoKeys {
    fn entity_key(&self, _: EntityId) -> Option<Name> {
        None
    }

    fn entity_of_key(&self, _: &str) -> Option<EntityId> {
        None
    }

    fn space_name(&self, _: SpaceId) -> Option<Name> {
        None
    }

    fn space_of_name(&self, _: &str) -> Option<SpaceId> {
        None
    }
}

/// The JSON form of `value`.
#[must_use]
pub fn value_to_json(value: &Value, keys: &dyn KeyBook) -> Json {
    let items = |items: &[Value]| Json::Array(items.iter().map(|item| value_to_json(item, keys)).collect());
    match value {
        Value::None => Json::Null,
        Value::Unknown => json!("?"),
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number),
        Value::Name(name) => json!(name.as_str()),
        Value::Entity(entity) => match keys.entity_key(*entity) {
            Some(key) => json!(format!("@{key}")),
            None => json!(format!("@{}", entity.0)),
        },
        Value::Space(space) => match keys.space_name(*space) {
            Some(name) => json!(format!("#{name}")),
            None => json!(format!("#{}", space.0)),
        },
        Value::List(list) => items(list),
        Value::Set(set) => json!({ "set": items(set) }),
        Value::Map(entries) => {
            let entries: Map<String, Json> =
                entries.iter().map(|(key, value)| (key.to_string(), value_to_json(value, keys))).collect();
            json!({ "map": entries })
        }
    }
}

/// The value of a JSON form.
///
/// # Errors
/// Names what was found where a value was expected, or the key that nobody bears.
pub fn value_from_json(json: &Json, keys: &dyn KeyBook) -> Result<Value, String> {
    let items = |items: &[Json]| items.iter().map(|item| value_from_json(item, keys)).collect::<Result<Vec<_>, _>>();
    Ok(match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Int(number.as_i64().ok_or_else(|| format!("{number} is not a whole number"))?),
        Json::String(text) => match text.as_bytes().first() {
            Some(b'?') if text.len() == 1 => Value::Unknown,
            Some(b'@') => Value::Entity(
                keys.entity_of_key(&text[1..]).ok_or_else(|| format!("no entity has the key {}", &text[1..]))?,
            ),
            Some(b'#') => Value::Space(
                keys.space_of_name(&text[1..]).ok_or_else(|| format!("no space is called {}", &text[1..]))?,
            ),
            _ => Value::Name(name(text)),
        },
        Json::Array(list) => Value::list(items(list)?),
        Json::Object(object) => match (object.len(), object.get("set"), object.get("map")) {
            (1, Some(Json::Array(set)), None) => Value::set(items(set)?),
            (1, None, Some(Json::Object(entries))) => Value::map(
                entries.iter().map(|(key, value)| Ok((name(key), value_from_json(value, keys)?))).collect::<Result<
                    Vec<_>,
                    String,
                >>(
                )?,
            ),
            _ => return Err("an object that is neither a set nor a map".into()),
        },
    })
}
