//! Values and the ids they may hold.

use std::{cmp::Ordering, sync::Arc};

use super::{Map, Name};

macro_rules! id {
    ($(#[$doc:meta])* $id:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(pub $inner);

        impl $id {
            /// The id as an index into a flat array.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A thing on the table. Numbered in order of creation, never used again.
    EntityId(u32)
);
id!(
    /// A place on the board.
    SpaceId(u32)
);
id!(
    /// An ordered pile.
    ZoneId(u16)
);
id!(
    /// Someone who answers.
    SeatId(u8)
);

/// What a property, an event field or a local can hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Nothing: an optional value that is absent.
    #[default]
    None,
    /// There is a value, but the seat that looks may not know it.
    Unknown,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A name: of a kind, a facing, a colour.
    Name(Name),
    /// A thing on the table.
    Entity(EntityId),
    /// A place on the board.
    Space(SpaceId),
    /// Values in an order.
    List(Arc<Vec<Value>>),
    /// Values without an order or repetition; kept sorted.
    Set(Arc<Vec<Value>>),
    /// Values by name.
    Map(Arc<Map>),
}

impl Value {
    /// The name of `text` as a value.
    #[must_use]
    pub fn name(text: &str) -> Self {
        Self::Name(super::name(text))
    }

    /// A list.
    #[must_use]
    pub fn list(items: Vec<Self>) -> Self {
        Self::List(Arc::new(items))
    }

    /// A set: `items` sorted, each once.
    #[must_use]
    pub fn set(mut items: Vec<Self>) -> Self {
        items.sort();
        items.dedup();
        Self::Set(Arc::new(items))
    }

    /// A map.
    #[must_use]
    pub fn map(entries: impl IntoIterator<Item = (Name, Self)>) -> Self {
        Self::Map(Arc::new(entries.into_iter().collect()))
    }

    /// What the value is, in the word that content uses for it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unknown => "unknown",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Name(_) => "name",
            Self::Entity(_) => "entity",
            Self::Space(_) => "space",
            Self::List(_) => "list",
            Self::Set(_) => "set",
            Self::Map(_) => "map",
        }
    }

    /// Whether the value is [`Value::None`].
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(number) = self { Some(*number) } else { None }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(truth) = self { Some(*truth) } else { None }
    }

    /// The name, if it is one.
    #[must_use]
    pub fn as_name(&self) -> Option<Name> {
        if let Self::Name(name) = self { Some(*name) } else { None }
    }

    /// The entity, if it is one.
    #[must_use]
    pub fn as_entity(&self) -> Option<EntityId> {
        if let Self::Entity(entity) = self { Some(*entity) } else { None }
    }

    /// The space, if it is one.
    #[must_use]
    pub fn as_space(&self) -> Option<SpaceId> {
        if let Self::Space(space) = self { Some(*space) } else { None }
    }

    /// The items of a list or set, if it is one.
    #[must_use]
    pub fn as_items(&self) -> Option<&[Self]> {
        if let Self::List(items) | Self::Set(items) = self { Some(items) } else { None }
    }

    /// The entries of a map, if it is one.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        if let Self::Map(entries) = self { Some(entries) } else { None }
    }

    /// Appends the canonical bytes: a tag, then the content, lengths before what they count.
    ///
    /// Names go in by their text, never by their number in memory.
    pub fn write_canonical(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::None => bytes.push(0),
            Self::Unknown => bytes.push(1),
            Self::Bool(truth) => bytes.extend([2, u8::from(*truth)]),
            Self::Int(number) => {
                bytes.push(3);
                bytes.extend(number.to_le_bytes());
            }
            Self::Name(name) => {
                bytes.push(4);
                write_text(name, bytes);
            }
            Self::Entity(entity) => {
                bytes.push(5);
                bytes.extend(entity.0.to_le_bytes());
            }
            Self::Space(space) => {
                bytes.push(6);
                bytes.extend(space.0.to_le_bytes());
            }
            Self::List(items) => write_items(7, items, bytes),
            Self::Set(items) => write_items(8, items, bytes),
            Self::Map(entries) => {
                bytes.push(9);
                bytes.extend((entries.len() as u64).to_le_bytes());
                for (key, value) in entries.iter() {
                    write_text(key, bytes);
                    value.write_canonical(bytes);
                }
            }
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Unknown => 1,
            Self::Bool(_) => 2,
            Self::Int(_) => 3,
            Self::Name(_) => 4,
            Self::Entity(_) => 5,
            Self::Space(_) => 6,
            Self::List(_) => 7,
            Self::Set(_) => 8,
            Self::Map(_) => 9,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Name(a), Self::Name(b)) => a.as_str().cmp(b.as_str()),
            (Self::Entity(a), Self::Entity(b)) => a.cmp(b),
            (Self::Space(a), Self::Space(b)) => a.cmp(b),
            (Self::List(a), Self::List(b)) | (Self::Set(a), Self::Set(b)) => a.cmp(b),
            (Self::Map(a), Self::Map(b)) => a
                .iter()
                .map(|(key, value)| (key.as_str(), value))
                .cmp(b.iter().map(|(key, value)| (key.as_str(), value))),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Appends the length of `text` and its bytes.
pub(crate) fn write_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn write_items(tag: u8, items: &[Value], bytes: &mut Vec<u8>) {
    bytes.push(tag);
    bytes.extend((items.len() as u64).to_le_bytes());
    for item in items {
        item.write_canonical(bytes);
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for Value {
            fn from(inner: $from) -> Self {
                Self::$variant(inner)
            }
        })*
    };
}

from! {bool => Bool, i64 => Int, Name => Name, EntityId => Entity, SpaceId => Space}
