//! The schema: names and types that a world and a log need, and no rule.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::base::{Name, SpaceId, Value, name};

/// A typed slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyDecl {
    /// The slot's name.
    pub name: Name,
    /// The type in content's words, such as `bool` or `set<entity>`.
    #[serde(rename = "type")]
    pub kind: Name,
}

/// An ordered pile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneDecl {
    /// The pile's name.
    pub name: Name,
    /// Whether no seat knows what lies in it.
    #[serde(default)]
    pub hidden: bool,
}

/// Someone who answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatDecl {
    /// The seat's name.
    pub name: Name,
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
    #[serde(skip)]
    index: SchemaIndex,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SchemaIndex {
    entity: IndexMap<Name, usize>,
    table: IndexMap<Name, usize>,
    spaces: IndexMap<Name, SpaceId>,
}

impl Schema {
    /// Prepares the look-ups by name; call it once after building or reading a schema.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let by_name = |decls: &[PropertyDecl]| decls.iter().enumerate().map(|(i, decl)| (decl.name, i)).collect();
        self.index = SchemaIndex {
            entity: by_name(&self.entity),
            table: by_name(&self.table),
            spaces: self.spaces.iter().zip(0..).map(|(name, i)| (*name, SpaceId(i))).collect(),
        };
        self
    }

    /// The column of an entity's property.
    #[must_use]
    pub fn entity_column(&self, property: Name) -> Option<usize> {
        self.index.entity.get(&property).copied()
    }

    /// The column of a property of the table.
    #[must_use]
    pub fn table_column(&self, property: Name) -> Option<usize> {
        self.index.table.get(&property).copied()
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
