//! The schema: names and types that a world and a log need, and no rule.

use serde::{Deserialize, Serialize};

use super::{Mask, mask::ONLOOKER};
use crate::base::{Name, NameMap, Places, SpaceId, Value, name};

/// A typed slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyDecl {
    /// The slot's name.
    pub name: Name,
    /// The type in content's words, such as `bool` or `set<entity>`.
    #[serde(rename = "type")]
    pub kind: Name,
    /// Whether a seat knows it also of an entity that it does not know, once it sees the entity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Of a property of the table: the seats that know it; everybody if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen_by: Vec<Name>,
    /// Of a property of the table: what it holds at first, without entities and spaces; what its
    /// type begins with if this is none.
    #[serde(default, skip_serializing_if = "Value::is_none", with = "plain")]
    pub first: Value,
}

/// Values without entities and spaces, in JSON.
mod plain {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use crate::base::{NoKeys, Value, value_from_json, value_to_json};

    pub(super) fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
        value_to_json(value, &NoKeys).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        value_from_json(&serde_json::Value::deserialize(deserializer)?, &NoKeys).map_err(D::Error::custom)
    }
}

/// An ordered pile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneDecl {
    /// The pile's name.
    pub name: Name,
    /// Whether no seat knows what lies in it.
    #[serde(default)]
    pub hidden: bool,
    /// The only seat that knows what lies in it. To others its things are as good as the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Name>,
}

/// The kind that things of another are taken for by whoever may not know them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackDecl {
    /// The kind that they are of.
    pub kind: Name,
    /// The kind that they are taken for.
    pub back: Name,
    /// The property, true or false, that says which of them everybody may know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face_up: Option<Name>,
}

/// Someone who answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatDecl {
    /// The seat's name.
    pub name: Name,
    /// Whether it knows only what it is shown. Other seats know everything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

/// What a log's header carries so that its events fold without content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Properties of entities, in the order of their columns.
    pub entity: Vec<PropertyDecl>,
    /// Properties of the table.
    pub table: Vec<PropertyDecl>,
    /// Piles.
    pub zones: Vec<ZoneDecl>,
    /// Seats.
    pub seats: Vec<SeatDecl>,
    /// Names of the spaces, by number.
    pub spaces: Vec<Name>,
    /// Kinds with a back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backs: Vec<BackDecl>,
    #[serde(skip)]
    index: SchemaIndex,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SchemaIndex {
    entity: Places,
    table: Places,
    spaces: NameMap<SpaceId>,
    backs: NameMap<usize>,
}

impl Schema {
    /// Prepares the look-ups by name; call it once after building or reading a schema.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let by_name = |decls: &[PropertyDecl]| Places::new(decls.iter().map(|decl| decl.name));
        self.index = SchemaIndex {
            entity: by_name(&self.entity),
            table: by_name(&self.table),
            spaces: self.spaces.iter().zip(0..).map(|(name, i)| (*name, SpaceId(i))).collect(),
            backs: self.backs.iter().enumerate().map(|(i, decl)| (decl.kind, i)).collect(),
        };
        self
    }

    /// The column of an entity's property.
    #[must_use]
    pub fn entity_column(&self, property: Name) -> Option<usize> {
        self.index.entity.of(property)
    }

    /// The column of a property of the table.
    #[must_use]
    pub fn table_column(&self, property: Name) -> Option<usize> {
        self.index.table.of(property)
    }

    /// What things of a kind are taken for by whoever may not know them; none if the kind has no back.
    #[must_use]
    pub fn back(&self, kind: Name) -> Option<&BackDecl> {
        self.backs.get(*self.index.backs.get(&kind)?)
    }

    /// The space of a name.
    #[must_use]
    pub fn space(&self, text: &str) -> Option<SpaceId> {
        self.index.spaces.get(&name(text)).copied()
    }

    /// The number of a zone.
    #[must_use]
    pub fn zone(&self, zone: Name) -> Option<usize> {
        self.zones.iter().position(|decl| decl.name == zone)
    }

    /// The number of a seat.
    #[must_use]
    pub fn seat(&self, seat: Name) -> Option<usize> {
        self.seats.iter().take(ONLOOKER).position(|decl| decl.name == seat)
    }

    /// Whether any seat knows only what it is shown.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.seats.iter().any(|seat| seat.secret)
    }

    /// Who knows what lies in a pile.
    #[must_use]
    pub fn seen_in(&self, zone: Name) -> Mask {
        match self.zone(zone).map(|zone| &self.zones[zone]) {
            Some(ZoneDecl { hidden: true, .. }) => Mask::NONE,
            Some(ZoneDecl { owner: Some(owner), .. }) => self.seat(*owner).map_or(Mask::NONE, Mask::of),
            _ => Mask::ALL,
        }
    }

    /// What a property of type `kind` holds before anybody sets it.
    #[must_use]
    pub fn initial(kind: Name) -> Value {
        match kind.as_str() {
            "bool" => Value::Bool(false),
            "int" => Value::Int(0),
            text if text.starts_with("list<") => Value::list(Vec::new()),
            text if text.starts_with("set<") => Value::set(Vec::new()),
            _ => Value::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::kernel::World;

    #[test]
    fn what_a_property_of_the_table_holds_at_first_is_in_the_header_of_a_log() {
        let first =
            |first: Value| PropertyDecl { name: name("fuel"), kind: name("any"), first, ..PropertyDecl::default() };
        for value in [Value::Int(3), Value::name("high"), Value::set(vec![Value::Int(1)]), Value::None] {
            let schema = Schema { table: vec![first(value.clone())], ..Schema::default() };
            let text = serde_json::to_string(&schema).unwrap();
            let read: Schema = serde_json::from_str(&text).unwrap();
            let world = World::new(Arc::new(read.indexed()));
            assert_eq!(world.table(name("fuel")), Some(&value), "{text}");
        }
    }
}
