//! Changes: all that a fold knows.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value as Json, json};

use super::Mask;
use crate::base::{EntityId, KeyBook, Name, SpaceId, Value, name, value_from_json, value_to_json};

/// Whose property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A thing on the table.
    Entity(EntityId),
    /// The table itself.
    Table,
}

/// Where an entity is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// Not on the table.
    #[default]
    Nowhere,
    /// On one space.
    Space(SpaceId),
    /// On several spaces at once.
    Cells(Arc<Vec<SpaceId>>),
    /// In a pile, at a depth: 0 is the top.
    Zone(Name, u32),
    /// With another entity, in a slot of it.
    On(EntityId, Name),
}

/// A phase that is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The phase.
    pub phase: Name,
    /// Its local values.
    pub locals: BTreeMap<Name, Value>,
}

/// One primitive operation, with what was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new entity, nowhere yet.
    Create {
        /// Its number, the next one.
        entity: EntityId,
        /// What it is called.
        key: Name,
        /// Its kind.
        kind: Name,
        /// The properties that differ from the initial ones.
        properties: BTreeMap<Name, Value>,
        /// Who knows it.
        seen: Mask,
    },
    /// An entity that is nowhere leaves the game.
    Destroy {
        /// Which.
        entity: EntityId,
    },
    /// A property gets a value.
    Set {
        /// Whose.
        owner: Owner,
        /// Which.
        property: Name,
        /// The value before.
        old: Value,
        /// The value after.
        new: Value,
    },
    /// An entity gets a position.
    Place {
        /// Which.
        entity: EntityId,
        /// Where it was.
        old: Position,
        /// Where it is.
        new: Position,
    },
    /// A pile gets an order.
    Order {
        /// Which.
        zone: Name,
        /// From the top, before.
        old: Vec<EntityId>,
        /// From the top, after.
        new: Vec<EntityId>,
    },
    /// More seats know an entity: its kind, its key, its properties.
    Show {
        /// Which.
        entity: EntityId,
        /// Who knew it.
        old: Mask,
        /// Who knows it.
        new: Mask,
    },
    /// Fewer seats know an entity. Those that do not can no longer tell which it was,
    /// also when they did not know it before.
    Hide {
        /// Which.
        entity: EntityId,
        /// Who knew it.
        old: Mask,
        /// Who knows it.
        new: Mask,
    },
    /// An entity is of another kind, or a seat learns of which.
    Become {
        /// Which.
        entity: EntityId,
        /// The kind before.
        old: Name,
        /// The kind after.
        new: Name,
    },
    /// A phase begins inside the one that is running.
    Push(Frame),
    /// The innermost phase ends.
    Pop(Frame),
    /// A local of a running phase gets a value.
    Next {
        /// The phase, counted from the outermost; the innermost if not said.
        frame: Option<u32>,
        /// Which local.
        local: Name,
        /// The value before.
        old: Value,
        /// The value after.
        new: Value,
    },
    /// The game has a result.
    End {
        /// The result before.
        old: Value,
        /// The result after.
        new: Value,
    },
}

impl Position {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self, keys: &dyn KeyBook) -> Json {
        let space = |space: &SpaceId| value_to_json(&Value::Space(*space), keys);
        match self {
            Self::Nowhere => Json::Null,
            Self::Space(id) => space(id),
            Self::Cells(cells) => json!({ "cells": cells.iter().map(space).collect::<Vec<_>>() }),
            Self::Zone(zone, index) => json!({ "in": zone.as_str(), "at": index }),
            Self::On(entity, slot) => {
                json!({ "on": value_to_json(&Value::Entity(*entity), keys), "slot": slot.as_str() })
            }
        }
    }

    /// The position of a JSON form.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn from_json(json: &Json, keys: &dyn KeyBook) -> Result<Self, String> {
        let space = |json: &Json| match value_from_json(json, keys)? {
            Value::Space(space) => Ok(space),
            other => Err(format!("a {} where a space was expected", other.type_name())),
        };
        match json {
            Json::Null => Ok(Self::Nowhere),
            Json::String(_) => space(json).map(Self::Space),
            _ => {
                if let Some(cells) = json["cells"].as_array() {
                    let cells = cells.iter().map(space).collect::<Result<Vec<_>, _>>()?;
                    Ok(Self::Cells(Arc::new(cells)))
                } else if let (Some(zone), Some(index)) = (json["in"].as_str(), json["at"].as_u64()) {
                    Ok(Self::Zone(name(zone), u32::try_from(index).map_err(|_| "a depth out of range")?))
                } else if let (Value::Entity(entity), Some(slot)) =
                    (value_from_json(&json["on"], keys)?, json["slot"].as_str())
                {
                    Ok(Self::On(entity, name(slot)))
                } else {
                    Err(format!("{json} is no position"))
                }
            }
        }
    }
}

impl Frame {
    fn to_json(&self, keys: &dyn KeyBook) -> Json {
        json!({ "phase": self.phase.as_str(), "locals": map_to_json(&self.locals, keys) })
    }

    fn from_json(json: &Json, keys: &dyn KeyBook) -> Result<Self, String> {
        Ok(Self { phase: text(&json["phase"])?, locals: map_from_json(&json["locals"], keys)? })
    }
}

impl Change {
    /// The JSON form: an object with one field, the operation.
    #[must_use]
    pub fn to_json(&self, keys: &dyn KeyBook) -> Json {
        let value = |value: &Value| value_to_json(value, keys);
        let entity = |entity: &EntityId| value(&Value::Entity(*entity));
        let zone = |order: &[EntityId]| Json::Array(order.iter().map(entity).collect());
        match self {
            Self::Create { entity, key, kind, properties, seen } => {
                let mut body = json!({
                    "id": entity.0, "key": key.as_str(), "kind": kind.as_str(), "properties": map_to_json(properties, keys)
                });
                if *seen != Mask::ALL {
                    body["seen"] = json!(seen.0);
                }
                json!({ "create": body })
            }
            Self::Destroy { entity: id } => json!({ "destroy": entity(id) }),
            Self::Set { owner, property, old, new } => {
                let owner = match owner {
                    Owner::Entity(id) => entity(id),
                    Owner::Table => json!("table"),
                };
                json!({ "set": [owner, property.as_str(), value(old), value(new)] })
            }
            Self::Place { entity: id, old, new } => {
                json!({ "place": [entity(id), old.to_json(keys), new.to_json(keys)] })
            }
            Self::Order { zone: name, old, new } => json!({ "order": [name.as_str(), zone(old), zone(new)] }),
            Self::Show { entity: id, old, new } => json!({ "show": [entity(id), old.0, new.0] }),
            Self::Hide { entity: id, old, new } => json!({ "hide": [entity(id), old.0, new.0] }),
            Self::Become { entity: id, old, new } => json!({ "become": [entity(id), old.as_str(), new.as_str()] }),
            Self::Push(frame) => json!({ "push": frame.to_json(keys) }),
            Self::Pop(frame) => json!({ "pop": frame.to_json(keys) }),
            Self::Next { frame: None, local, old, new } => {
                json!({ "next": [local.as_str(), value(old), value(new)] })
            }
            Self::Next { frame: Some(frame), local, old, new } => {
                json!({ "next": [local.as_str(), value(old), value(new), frame] })
            }
            Self::End { old, new } => json!({ "end": [value(old), value(new)] }),
        }
    }

    /// The change of a JSON form.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn from_json(json: &Json, keys: &dyn KeyBook) -> Result<Self, String> {
        let (operation, body) = json
            .as_object()
            .filter(|object| object.len() == 1)
            .and_then(|object| object.iter().next())
            .ok_or_else(|| format!("{json} is no change"))?;
        let value = |json: &Json| value_from_json(json, keys);
        let entity = |json: &Json| match value(json)? {
            Value::Entity(entity) => Ok(entity),
            other => Err(format!("a {} where an entity was expected", other.type_name())),
        };
        let zone = |json: &Json| {
            json.as_array().ok_or("a pile is a list")?.iter().map(entity).collect::<Result<Vec<_>, String>>()
        };
        Ok(match operation.as_str() {
            "create" => Self::Create {
                entity: EntityId(
                    body["id"].as_u64().and_then(|id| u32::try_from(id).ok()).ok_or("create without an id")?,
                ),
                key: text(&body["key"])?,
                kind: text(&body["kind"])?,
                properties: map_from_json(&body["properties"], keys)?,
                seen: if body["seen"].is_null() { Mask::ALL } else { mask(&body["seen"])? },
            },
            "destroy" => Self::Destroy { entity: entity(body)? },
            "set" => Self::Set {
                owner: if body[0] == "table" { Owner::Table } else { Owner::Entity(entity(&body[0])?) },
                property: text(&body[1])?,
                old: value(&body[2])?,
                new: value(&body[3])?,
            },
            "place" => Self::Place {
                entity: entity(&body[0])?,
                old: Position::from_json(&body[1], keys)?,
                new: Position::from_json(&body[2], keys)?,
            },
            "order" => Self::Order { zone: text(&body[0])?, old: zone(&body[1])?, new: zone(&body[2])? },
            "show" => Self::Show { entity: entity(&body[0])?, old: mask(&body[1])?, new: mask(&body[2])? },
            "hide" => Self::Hide { entity: entity(&body[0])?, old: mask(&body[1])?, new: mask(&body[2])? },
            "become" => Self::Become { entity: entity(&body[0])?, old: text(&body[1])?, new: text(&body[2])? },
            "push" => Self::Push(Frame::from_json(body, keys)?),
            "pop" => Self::Pop(Frame::from_json(body, keys)?),
            "next" => Self::Next {
                frame: if body[3].is_null() { None } else { Some(number(&body[3])?) },
                local: text(&body[0])?,
                old: value(&body[1])?,
                new: value(&body[2])?,
            },
            "end" => Self::End { old: value(&body[0])?, new: value(&body[1])? },
            other => return Err(format!("{other} is no change")),
        })
    }
}

/// The JSON form of named values.
pub(crate) fn map_to_json(map: &BTreeMap<Name, Value>, keys: &dyn KeyBook) -> Json {
    Json::Object(map.iter().map(|(key, value)| (key.to_string(), value_to_json(value, keys))).collect::<Map<_, _>>())
}

/// The named values of a JSON form.
pub(crate) fn map_from_json(json: &Json, keys: &dyn KeyBook) -> Result<BTreeMap<Name, Value>, String> {
    json.as_object()
        .ok_or_else(|| format!("{json} where named values were expected"))?
        .iter()
        .map(|(key, value)| Ok((name(key), value_from_json(value, keys)?)))
        .collect()
}

fn number(json: &Json) -> Result<u32, String> {
    let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{json} where a number was expected"))
}

/// The seats that a JSON number stands for.
pub(crate) fn mask(json: &Json) -> Result<Mask, String> {
    number(json).map(Mask)
}

/// The name that a JSON text holds.
pub(crate) fn text(json: &Json) -> Result<Name, String> {
    json.as_str().map(name).ok_or_else(|| format!("{json} where a name was expected"))
}
