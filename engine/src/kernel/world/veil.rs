//! What lies face down: a world as whoever looks at it sees it.
//!
//! A kind may have a *back*: the kind that a thing is taken for by whoever may not know it. In the
//! world that is looked at a thing that lies face down is of its back's kind, is called by a number
//! of that, and of its properties only those can be read that are open. The rules see the truth.

use std::{borrow::Cow, cell::RefCell, ops::Deref, rc::Rc};

use super::World;
use crate::{
    base::{EntityId, Name, Value, name},
    kernel::{BackDecl, Change, Mask, Part, Position, Record, fresh, stamps::Stamps},
};

/// A world as whoever looks at it sees it.
pub enum Seen<'w> {
    /// Nothing lies face down: it is the truth.
    Truth(&'w World),
    /// Some things are only known by their backs.
    Backs(Rc<World>),
}

impl Deref for Seen<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        match self {
            Self::Truth(world) => world,
            Self::Backs(world) => world,
        }
    }
}

/// What was seen last.
struct Last {
    /// What lay face down.
    down: Vec<EntityId>,
    /// The newest stamp of what that hides.
    newest: u64,
    stamp: u64,
    /// The stamp of the whole truth, and how it was seen.
    whole: (u64, Rc<World>),
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

impl World {
    /// The back that a thing shows to everybody; none if it lies face up or has none.
    #[must_use]
    pub fn back_of(&self, entity: EntityId) -> Option<Name> {
        self.face_down(entity).map(|decl| decl.back)
    }

    fn face_down(&self, entity: EntityId) -> Option<&BackDecl> {
        if self.schema.backs.is_empty() {
            return None;
        }
        let thing = self.entity(entity)?;
        let decl = self.schema.back(thing.kind)?;
        let lies_so = decl.face_up.is_some_and(|up| self.property(entity, up) == Some(&Value::Bool(false)));
        // What a seat has been shown of a hidden pile it knows all the same.
        let is_secret = || !self.schema.has_secrets() || thing.seen == Mask::NONE;
        let in_hidden = || matches!(&thing.at, Position::Zone(zone, _) if self.schema.seen_in(*zone) == Mask::NONE);
        (lies_so || (in_hidden() && is_secret())).then_some(decl)
    }

    /// What a thing is called by whoever looks: its key, or a number of its back.
    #[must_use]
    pub fn seen_key(&self, entity: EntityId) -> Option<Name> {
        match self.back_of(entity) {
            Some(back) => Some(self.key_of_back(entity, back)),
            None => self.entity(entity).map(|thing| thing.key),
        }
    }

    /// Things of a back are numbered in the order in which they were made, whether or not they lie face down.
    fn key_of_back(&self, entity: EntityId, back: Name) -> Name {
        let before = self.entities.iter().take(entity.index() + 1);
        let n = before.filter(|thing| self.schema.back(thing.kind).is_some_and(|decl| decl.back == back)).count();
        name(&format!("{back}#{}", self.serials.get(&back).map_or(0, |serial| *serial as usize) + n))
    }

    /// The world as whoever looks at it sees it: what lies face down is as its back says.
    #[must_use]
    pub fn seen(&self) -> Seen<'_> {
        if self.schema.backs.is_empty() || self.is_seen() {
            return Seen::Truth(self);
        }
        let whole = self.stamp(&[Part::ANY]);
        let known = |last: &Option<Last>| {
            last.as_ref().filter(|last| last.whole.0 == whole).map(|last| Rc::clone(&last.whole.1))
        };
        if let Some(seen) = LAST.with_borrow(known) {
            return Seen::Backs(seen);
        }
        let living = self.entities().map(|(entity, _)| entity);
        let down: Vec<_> = living.filter_map(|entity| Some((entity, self.face_down(entity)?))).collect();
        if down.is_empty() {
            return Seen::Truth(self);
        }
        // What does not lie face down is as it was, and keeps its stamps.
        let hidden = self.schema.entity.iter().enumerate().filter(|(_, property)| !property.open);
        let parts: Vec<Part> = hidden.map(|(column, _)| Part::of_property(column)).chain([Part::ENTITIES]).collect();
        let (ids, newest) = (down.iter().map(|(entity, _)| *entity).collect(), self.stamps.newest(&parts));
        LAST.with_borrow_mut(|last| {
            let same = last.as_ref().filter(|last| last.newest == newest && last.down == ids);
            let stamp = same.map_or_else(fresh, |last| last.stamp);
            let seen = Rc::new(self.with_backs(&down, self.stamps.clone().seen(&parts, stamp)));
            *last = Some(Last { down: ids, newest, stamp, whole: (whole, Rc::clone(&seen)) });
            Seen::Backs(seen)
        })
    }

    /// The same world with some things as their backs say.
    fn with_backs(&self, down: &[(EntityId, &BackDecl)], stamps: Stamps) -> Self {
        let mut seen = Self { stamps, ..self.clone() };
        let n = self.schema.entity.len();
        for (entity, decl) in down {
            let (entity, decl) = (*entity, *decl);
            let key = self.key_of_back(entity, decl.back);
            let thing = &mut seen.entities[entity.index()];
            seen.keys.swap_remove(&thing.key);
            seen.keys.insert(key, entity);
            (thing.key, thing.kind) = (key, decl.back);
            let row = seen.properties.iter_mut().skip(entity.index() * n).take(n);
            for (slot, property) in row.zip(&self.schema.entity) {
                if !property.open && decl.face_up != Some(property.name) {
                    *slot = Value::Unknown;
                }
            }
        }
        seen
    }

    /// A record as whoever looks at this world, as it is seen, is told it: an event does not say by name what it
    /// has made, if that lies face down.
    #[must_use]
    pub fn seen_record<'r>(&self, record: &'r Record) -> Cow<'r, Record> {
        let Record::Event { kind, fields, changes, cause } = record else { return Cow::Borrowed(record) };
        if self.schema.backs.is_empty() {
            return Cow::Borrowed(record);
        }
        let hidden = |change: &Change| match change {
            Change::Create { entity, key, kind, .. } => {
                let thing = self.entity(*entity).filter(|thing| thing.kind != *kind)?;
                Some([(*kind, thing.kind), (*key, thing.key)])
            }
            _ => None,
        };
        let names: Vec<(Name, Name)> = changes.iter().filter_map(hidden).flatten().collect();
        if names.is_empty() {
            return Cow::Borrowed(record);
        }
        let fields = fields.iter().map(|(field, value)| (*field, renamed(value, &names))).collect();
        Cow::Owned(Record::Event { kind: *kind, fields, changes: changes.clone(), cause: cause.clone() })
    }
}

/// A value with other names.
fn renamed(value: &Value, names: &[(Name, Name)]) -> Value {
    match value {
        Value::Name(old) => names.iter().find(|(name, _)| name == old).map_or(*old, |(_, new)| *new).into(),
        Value::List(items) => Value::list(items.iter().map(|item| renamed(item, names)).collect()),
        Value::Set(items) => Value::set(items.iter().map(|item| renamed(item, names)).collect()),
        Value::Map(entries) => Value::map(entries.iter().map(|(key, value)| (*key, renamed(value, names)))),
        other => other.clone(),
    }
}
