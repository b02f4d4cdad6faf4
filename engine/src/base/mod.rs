//! The ground: names, ids, values and their two written forms.
//!
//! *Names* are interned strings; *ids* are small numbers that index flat arrays; a
//! *value* is anything a property, an event field or a local of a phase can hold.
//! A value has one JSON form (for logs and people) and one canonical byte form (for
//! hashes); both describe themselves, so that a log can be read without content.

mod json;
mod map;
mod value;
mod meter;
mod names;
mod places;

pub use json::{KeyBook, NoKeys, value_from_json, value_to_json};
pub use map::Map;
pub use names::{NAME_BYTES_MAX, Name, name};

/// A map by name that keeps the order of insertion; a name brings its own hash.
pub type NameMap<T> = indexmap::IndexMap<Name, T, std::hash::BuildHasherDefault<ustr::IdentityHasher>>;
pub(crate) use meter::Lap;
pub use meter::{Gauge, Meter, What};
pub use places::Places;
pub use value::{EntityId, SeatId, SpaceId, Value, ZoneId};
