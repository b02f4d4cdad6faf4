//! What an event changes for a seat: the difference between what the seat's world holds and
//! what it may hold now.
//!
//! * A seat *knows* a thing whose mask has it. It *sees* a thing that lies on the board, in a
//!   pile or with another thing that it sees. What it sees and does not know is of the kind
//!   that is its back, or of kind `unknown`; of its properties it reads those that are open.
//! * In a pile that belongs to another seat it only counts what it does not know, by backs: these
//!   things have no alias of their own, and the one that leaves is any of them.
//! * An alias ends when its thing is hidden, enters or leaves such a pile, or lies in a
//!   hidden pile that gets an order.
//! * New aliases are given in the order of what the seat sees of them.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Change, Frame, Mask, Owner, Position, Schema, World,
    seat::{SeatView, Ties, known},
};
use crate::base::{EntityId, KeyBook as _, Name, Value, name};

/// The kind of a thing that a seat sees and does not know.
pub const UNKNOWN_KIND: &str = "unknown";

/// A thing that gets an alias: what the seat sees of it, and what it is.
struct New {
    looks: Vec<u8>,
    truth: Option<EntityId>,
    kind: Name,
    key: Option<Name>,
    properties: BTreeMap<Name, Value>,
}

impl SeatView {
    /// Brings the seat's world up to `truth`; gives the changes that it took.
    pub(super) fn redact(&mut self, truth: &World, changes: &[Change]) -> Vec<Change> {
        let mut made = Vec::new();
        let broken = self.broken(truth, changes);
        let mut ties: Ties = Ties::new();
        let mut fresh = Vec::new();
        for (entity, _) in truth.entities().filter(|(entity, _)| self.is_distinct(truth, *entity)) {
            match self.ties.get(&entity) {
                Some(alias) if !broken.contains(&entity) => {
                    ties.insert(entity, *alias);
                }
                _ => fresh.push(entity),
            }
        }
        let counted = self.counted(truth);
        self.remove_stale(&ties, &counted, &mut made);
        self.add_new(truth, &mut ties, fresh, &counted, &mut made);
        self.ties = Arc::new(ties);
        self.turn_over(truth, &mut made);
        self.put_in_place(truth, &mut made);
        self.set_properties(truth, &mut made);
        self.follow_flow(truth, &mut made);
        made
    }

    fn knows(&self, truth: &World, entity: EntityId) -> bool {
        truth.entity(entity).is_some_and(|thing| thing.seen.has(self.seat))
    }

    /// Whether things in this pile are only counted unless they are known.
    fn only_counts(&self, schema: &Schema, zone: Name) -> bool {
        let seen = schema.seen_in(zone);
        seen != Mask::NONE && !seen.has(self.seat)
    }

    /// Whether the seat can tell a thing from all others.
    fn is_distinct(&self, truth: &World, entity: EntityId) -> bool {
        let mut entity = entity;
        for _ in 0..8 {
            if self.knows(truth, entity) {
                return true;
            }
            match truth.entity(entity).map(|thing| &thing.at) {
                Some(Position::Space(_) | Position::Cells(_)) => return true,
                Some(Position::Zone(zone, _)) => return !self.only_counts(truth.schema(), *zone),
                Some(Position::On(other, _)) => entity = *other,
                _ => return false,
            }
        }
        false
    }

    /// The things whose alias ends with these changes.
    fn broken(&self, truth: &World, changes: &[Change]) -> Vec<EntityId> {
        let schema = truth.schema();
        let counts = |at: &Position| matches!(at, Position::Zone(zone, _) if self.only_counts(schema, *zone));
        let mut broken = Vec::new();
        for change in changes {
            match change {
                Change::Hide { entity, new, .. } if !new.has(self.seat) => broken.push(*entity),
                Change::Place { entity, old, new } if !self.knows(truth, *entity) && (counts(old) || counts(new)) => {
                    broken.push(*entity);
                }
                Change::Order { zone, new, .. } if schema.seen_in(*zone) == Mask::NONE => {
                    broken.extend(new.iter().filter(|entity| !self.knows(truth, **entity)));
                }
                _ => {}
            }
        }
        broken
    }

    /// How many things the seat only counts, by pile and what they are taken for, in the order of
    /// the piles and then of the words.
    fn counted(&self, truth: &World) -> Vec<(Name, Name, usize)> {
        let schema = truth.schema();
        let mut taken_for: Vec<Name> = schema.backs.iter().map(|decl| decl.back).chain([name(UNKNOWN_KIND)]).collect();
        taken_for.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        taken_for.dedup();
        let zones = schema.zones.iter().map(|zone| zone.name).filter(|zone| self.only_counts(schema, *zone));
        zones
            .flat_map(|zone| {
                let pile = truth.zone(zone).unwrap_or_default();
                let unknown = pile.iter().filter(|entity| !self.knows(truth, **entity));
                let kinds: Vec<Name> = unknown.map(|entity| taken(truth, *entity)).collect();
                let n = move |kind: Name| kinds.iter().filter(|other| **other == kind).count();
                taken_for.iter().map(move |kind| (zone, *kind, n(*kind))).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The aliases in a pile that stand for things which are only counted.
    fn placeholders(&self, ties: &Ties, zone: Name) -> Vec<EntityId> {
        let tied: Vec<EntityId> = ties.values().copied().collect();
        let pile = self.world.zone(zone).unwrap_or_default();
        let before: Vec<EntityId> = self.ties.values().copied().collect();
        pile.iter().filter(|alias| !tied.contains(alias) && !before.contains(alias)).copied().collect()
    }

    /// Those of them that are taken for one kind.
    fn placeholders_of(&self, ties: &Ties, zone: Name, kind: Name) -> Vec<EntityId> {
        let of = |alias: &EntityId| self.world.entity(*alias).is_some_and(|thing| thing.kind == kind);
        self.placeholders(ties, zone).into_iter().filter(of).collect()
    }

    fn remove_stale(&mut self, ties: &Ties, counted: &[(Name, Name, usize)], made: &mut Vec<Change>) {
        let mut stale: Vec<EntityId> =
            self.ties.values().filter(|alias| !ties.values().any(|kept| kept == *alias)).copied().collect();
        for (zone, kind, n) in counted {
            stale.extend(self.placeholders_of(ties, *zone, *kind).into_iter().skip(*n));
        }
        stale.sort();
        for alias in stale {
            let old = self.world.position(alias);
            if old != Position::Nowhere {
                self.fold(Change::Place { entity: alias, old, new: Position::Nowhere }, made);
            }
            self.fold(Change::Destroy { entity: alias }, made);
        }
    }

    fn add_new(
        &mut self,
        truth: &World,
        ties: &mut Ties,
        fresh: Vec<EntityId>,
        counted: &[(Name, Name, usize)],
        made: &mut Vec<Change>,
    ) {
        let mut new: Vec<New> = fresh.into_iter().map(|entity| self.looks(truth, ties, entity)).collect();
        new.sort_by(|a, b| a.looks.cmp(&b.looks));
        for (new, alias) in new.iter().zip(self.world.next_entity().0..) {
            ties.extend(new.truth.map(|entity| (entity, EntityId(alias))));
        }
        for thing in new {
            let mut properties = thing.properties;
            if let Some(entity) = thing.truth {
                properties = self.properties(truth, ties, entity);
            }
            self.create(thing.kind, thing.key, properties, made);
        }
        for (zone, kind, n) in counted {
            for at in self.placeholders_of(ties, *zone, *kind).len()..*n {
                let unknown = self.world.schema().entity.iter().map(|decl| (decl.name, Value::Unknown)).collect();
                let alias = self.create(*kind, None, unknown, made);
                let n = self.world.zone(*zone).map_or(at, <[EntityId]>::len);
                let new = Position::Zone(*zone, u32::try_from(n).unwrap_or(u32::MAX));
                self.fold(Change::Place { entity: alias, old: Position::Nowhere, new }, made);
            }
        }
    }

    fn create(
        &mut self,
        kind: Name,
        key: Option<Name>,
        properties: BTreeMap<Name, Value>,
        made: &mut Vec<Change>,
    ) -> EntityId {
        let entity = self.world.next_entity();
        let key = key.filter(|key| self.world.entity_of_key(key).is_none());
        let key = key.unwrap_or_else(|| self.world.next_key(kind));
        self.fold(Change::Create { entity, key, kind, properties, seen: Mask::ALL }, made);
        entity
    }

    /// What the seat sees of a thing, as bytes that order new aliases.
    fn looks(&self, truth: &World, ties: &Ties, entity: EntityId) -> New {
        let thing = truth.entity(entity);
        let is_known = self.knows(truth, entity);
        let kind = thing.filter(|_| is_known).map_or_else(|| taken(truth, entity), |thing| thing.kind);
        let key = thing.filter(|thing| is_known && !thing.key.starts_with(&format!("{kind}#"))).map(|thing| thing.key);
        let properties = self.properties(truth, ties, entity);
        let mut looks = Vec::new();
        Value::Name(kind).write_canonical(&mut looks);
        key.map_or(Value::None, Value::Name).write_canonical(&mut looks);
        let at = match truth.position(entity) {
            Position::Nowhere => Value::None,
            Position::Space(space) => space.into(),
            Position::Cells(cells) => Value::list(cells.iter().map(|cell| Value::Space(*cell)).collect()),
            Position::Zone(zone, _) if self.only_counts(truth.schema(), zone) => zone.into(),
            Position::Zone(zone, index) => Value::list(vec![zone.into(), Value::Int(index.into())]),
            Position::On(other, slot) => Value::list(vec![known(ties, &Value::Entity(other)), slot.into()]),
        };
        at.write_canonical(&mut looks);
        Value::map(properties.clone()).write_canonical(&mut looks);
        New { looks, truth: Some(entity), kind, key, properties }
    }

    /// The properties of a thing that are not what they are at first, as the seat knows them.
    fn properties(&self, truth: &World, ties: &Ties, entity: EntityId) -> BTreeMap<Name, Value> {
        let is_known = self.knows(truth, entity);
        let mut properties = BTreeMap::new();
        for decl in &truth.schema().entity {
            let value = truth.property(entity, decl.name).unwrap_or(&Value::None);
            let value = if is_known || decl.open { known(ties, value) } else { Value::Unknown };
            if value != Schema::initial(decl.kind) {
                properties.insert(decl.name, value);
            }
        }
        properties
    }

    /// Kinds that the seat has learnt.
    fn turn_over(&mut self, truth: &World, made: &mut Vec<Change>) {
        for (alias, entity) in by_alias(&Arc::clone(&self.ties)) {
            let Some(thing) = truth.entity(entity).filter(|thing| thing.seen.has(self.seat)) else { continue };
            let old = self.world.entity(alias).map_or(thing.kind, |alias| alias.kind);
            if old != thing.kind {
                self.fold(Change::Become { entity: alias, old, new: thing.kind }, made);
            }
        }
    }

    fn put_in_place(&mut self, truth: &World, made: &mut Vec<Change>) {
        let ties = Arc::clone(&self.ties);
        for (alias, entity) in by_alias(&ties) {
            let new = match truth.position(entity) {
                Position::Zone(..) => continue,
                Position::On(other, slot) => match ties.get(&other) {
                    Some(other) => Position::On(*other, slot),
                    None => Position::Nowhere,
                },
                at => at,
            };
            let old = self.world.position(alias);
            if old != new {
                self.fold(Change::Place { entity: alias, old, new }, made);
            }
        }
        let zones: Vec<Name> = truth.schema().zones.iter().map(|zone| zone.name).collect();
        let piles: Vec<(Name, Vec<EntityId>)> = zones
            .into_iter()
            .map(|zone| {
                let pile = truth.zone(zone).unwrap_or_default();
                let mut target: Vec<EntityId> = pile.iter().filter_map(|entity| ties.get(entity)).copied().collect();
                let mut counted = self.placeholders(&ties, zone);
                // However they came, they lie in the order of the words for what they are taken for.
                counted.sort_by_key(|alias| self.world.entity(*alias).map_or("", |thing| thing.kind.as_str()));
                target.extend(counted);
                (zone, target)
            })
            .collect();
        for (zone, target) in &piles {
            for (alias, index) in target.iter().zip(0..) {
                let old = self.world.position(*alias);
                if !matches!(&old, Position::Zone(here, _) if here == zone) {
                    self.fold(Change::Place { entity: *alias, old, new: Position::Zone(*zone, index) }, made);
                }
            }
        }
        for (zone, new) in piles {
            let old = self.world.zone(zone).unwrap_or_default().to_vec();
            if old != new {
                self.fold(Change::Order { zone, old, new }, made);
            }
        }
    }

    fn set_properties(&mut self, truth: &World, made: &mut Vec<Change>) {
        let (ties, schema) = (Arc::clone(&self.ties), Arc::clone(truth.schema()));
        for (alias, entity) in by_alias(&ties) {
            let is_known = self.knows(truth, entity);
            for decl in &schema.entity {
                let value = truth.property(entity, decl.name).unwrap_or(&Value::None);
                let new = if is_known || decl.open { known(&ties, value) } else { Value::Unknown };
                self.set(Owner::Entity(alias), decl.name, new, made);
            }
        }
        for decl in &schema.table {
            let may = decl.seen_by.is_empty() || decl.seen_by.contains(&self.own);
            let value = truth.table(decl.name).unwrap_or(&Value::None);
            let new = if may { known(&ties, value) } else { Value::Unknown };
            self.set(Owner::Table, decl.name, new, made);
        }
    }

    fn set(&mut self, owner: Owner, property: Name, new: Value, made: &mut Vec<Change>) {
        let old = match owner {
            Owner::Entity(alias) => self.world.property(alias, property),
            Owner::Table => self.world.table(property),
        };
        match old.cloned() {
            Some(old) if old != new => self.fold(Change::Set { owner, property, old, new }, made),
            _ => {}
        }
    }

    fn follow_flow(&mut self, truth: &World, made: &mut Vec<Change>) {
        let ties = Arc::clone(&self.ties);
        let mine = format!("/{}", self.own);
        let frame = |frame: &Frame| {
            let locals =
                frame.locals.iter().filter(|(local, _)| !local.starts_with("_pass/") || local.ends_with(&mine));
            let locals = locals.map(|(local, value)| (*local, known(&ties, value))).collect();
            Frame { phase: frame.phase, locals }
        };
        let target: Vec<Frame> = truth.flow().iter().map(frame).collect();
        let same = target.iter().zip(self.world.flow()).take_while(|(new, old)| new.phase == old.phase).count();
        while let Some(last) = self.world.flow().get(same..).and_then(<[Frame]>::last).cloned() {
            self.fold(Change::Pop(last), made);
        }
        for (index, new) in target.into_iter().enumerate() {
            let Some(old) = self.world.flow().get(index).cloned() else {
                self.fold(Change::Push(new), made);
                continue;
            };
            let mut locals: Vec<Name> = old.locals.keys().chain(new.locals.keys()).copied().collect();
            locals.sort_by(|a, b| a.as_str().cmp(b.as_str()));
            locals.dedup();
            for local in locals {
                let value = |frame: &Frame| frame.locals.get(&local).cloned().unwrap_or_default();
                let (before, after) = (value(&old), value(&new));
                if before != after {
                    let frame = u32::try_from(index).ok();
                    self.fold(Change::Next { frame, local, old: before, new: after }, made);
                }
            }
        }
        let (old, new) = (self.world.outcome().clone(), known(&ties, truth.outcome()));
        if old != new {
            self.fold(Change::End { old, new }, made);
        }
    }

    fn fold(&mut self, change: Change, made: &mut Vec<Change>) {
        // Made from what the seat's world holds, so that it always fits.
        let folded = self.world.fold(&change);
        debug_assert_eq!(folded, Ok(()), "{change:?}");
        if folded.is_ok() {
            made.push(change);
        }
    }
}

/// What a thing is taken for by a seat that does not know it.
fn taken(truth: &World, entity: EntityId) -> Name {
    let back = truth.entity(entity).and_then(|thing| truth.schema().back(thing.kind));
    back.map_or_else(|| name(UNKNOWN_KIND), |decl| decl.back)
}

/// Aliases in their own order: the order of the game's numbers must not show.
fn by_alias(ties: &Ties) -> BTreeMap<EntityId, EntityId> {
    ties.iter().map(|(entity, alias)| (*alias, *entity)).collect()
}
