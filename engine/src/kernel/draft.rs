//! Drafts: what an event does to the world, written down as changes.

use std::collections::BTreeMap;

use super::{Change, Fault, Frame, Mask, Owner, Position, World};
use crate::base::{EntityId, Name, Value};

/// A world that an event is changing: every operation is folded at once and written down.
pub struct Draft<'a> {
    pub(super) world: &'a mut World,
    pub(super) changes: Vec<Change>,
}

impl Draft<'_> {
    /// The world as it is after the operations so far.
    #[must_use]
    pub fn world(&self) -> &World {
        self.world
    }

    /// Gives a property a value.
    ///
    /// # Errors
    /// When the owner has no such property.
    pub fn set(&mut self, owner: Owner, property: Name, new: Value) -> Result<(), Fault> {
        let old = match owner {
            Owner::Entity(entity) => self.world.property(entity, property),
            Owner::Table => self.world.table(property),
        };
        let old = old.cloned().ok_or_else(|| Fault(format!("there is no property {property} here")))?;
        if old == new { Ok(()) } else { self.apply(Change::Set { owner, property, old, new }) }
    }

    /// Gives an entity a position.
    ///
    /// # Errors
    /// When there is no such place.
    pub fn place(&mut self, entity: EntityId, new: Position) -> Result<(), Fault> {
        let old = self.world.position(entity);
        if old == new {
            return Ok(());
        }
        let zone = if let Position::Zone(zone, _) = &new { Some(*zone) } else { None };
        self.apply(Change::Place { entity, old, new })?;
        let schema = self.world.schema().clone();
        zone.filter(|_| schema.has_secrets()).map_or(Ok(()), |zone| self.see(entity, schema.seen_in(zone)))
    }

    /// Says who knows an entity from now on. Without secret seats everybody always does.
    ///
    /// # Errors
    /// When it is not in the game.
    pub fn see(&mut self, entity: EntityId, new: Mask) -> Result<(), Fault> {
        let old = self.seen(entity)?;
        let both = old.and(new);
        if !self.world.schema().has_secrets() {
            return Ok(());
        }
        if both != old {
            self.apply(Change::Hide { entity, old, new: both })?;
        }
        if both == new { Ok(()) } else { self.apply(Change::Show { entity, old: both, new }) }
    }

    /// Breaks what ties an entity to what seats saw of it, for those that do not know it.
    ///
    /// # Errors
    /// When it is not in the game.
    pub fn renew(&mut self, entity: EntityId) -> Result<(), Fault> {
        let old = self.seen(entity)?;
        if self.world.schema().has_secrets() { self.apply(Change::Hide { entity, old, new: old }) } else { Ok(()) }
    }

    fn seen(&self, entity: EntityId) -> Result<Mask, Fault> {
        self.world.entity(entity).map(|thing| thing.seen).ok_or_else(|| Fault("no such entity".into()))
    }

    /// Makes an entity; without a key it gets `kind#n`.
    ///
    /// # Errors
    /// When the key is taken or a property is unknown.
    pub fn create(
        &mut self,
        kind: Name,
        key: Option<Name>,
        properties: BTreeMap<Name, Value>,
    ) -> Result<EntityId, Fault> {
        self.create_for(Mask::ALL, kind, key, properties)
    }

    /// Makes an entity that only some seats know.
    ///
    /// # Errors
    /// As [`Draft::create`].
    pub fn create_for(
        &mut self,
        seen: Mask,
        kind: Name,
        key: Option<Name>,
        properties: BTreeMap<Name, Value>,
    ) -> Result<EntityId, Fault> {
        let seen = if self.world.schema().has_secrets() { seen } else { Mask::ALL };
        let entity = self.world.next_entity();
        let key = key.unwrap_or_else(|| self.world.next_key(kind));
        self.apply(Change::Create { entity, key, kind, properties, seen })?;
        Ok(entity)
    }

    /// Takes an entity out of the game.
    ///
    /// # Errors
    /// When it is not in the game.
    pub fn destroy(&mut self, entity: EntityId) -> Result<(), Fault> {
        self.place(entity, Position::Nowhere)?;
        self.apply(Change::Destroy { entity })
    }

    /// Gives a pile an order. Of a hidden pile nobody knows afterwards where anything lies.
    ///
    /// # Errors
    /// When the order holds other entities than the pile.
    pub fn order(&mut self, zone: Name, new: Vec<EntityId>) -> Result<(), Fault> {
        let old = self.world.zone(zone).ok_or_else(|| Fault(format!("there is no pile {zone}")))?.to_vec();
        let schema = self.world.schema().clone();
        if !schema.has_secrets() || schema.seen_in(zone) != Mask::NONE {
            return if old == new { Ok(()) } else { self.apply(Change::Order { zone, old, new }) };
        }
        for entity in &old {
            self.see(*entity, Mask::NONE)?;
        }
        // Also when it is the same order: that it is must not show.
        self.apply(Change::Order { zone, old, new })
    }

    /// Begins a phase.
    ///
    /// # Errors
    /// Never at present.
    pub fn push(&mut self, phase: Name, locals: BTreeMap<Name, Value>) -> Result<(), Fault> {
        self.apply(Change::Push(Frame { phase, locals }))
    }

    /// Ends the innermost phase.
    ///
    /// # Errors
    /// When none is running.
    pub fn pop(&mut self) -> Result<(), Fault> {
        let frame = self.world.flow().last().cloned().ok_or_else(|| Fault("no phase is running".into()))?;
        self.apply(Change::Pop(frame))
    }

    /// Gives a local of the innermost phase a value.
    ///
    /// # Errors
    /// When no phase is running.
    pub fn local(&mut self, local: Name, new: Value) -> Result<(), Fault> {
        let old = self.world.flow().last().and_then(|frame| frame.locals.get(&local)).cloned().unwrap_or_default();
        if old == new { Ok(()) } else { self.apply(Change::Next { frame: None, local, old, new }) }
    }

    /// Gives a local of a running phase a value, the outermost being 0.
    ///
    /// # Errors
    /// When no such phase is running.
    pub fn local_of(&mut self, frame: usize, local: Name, new: Value) -> Result<(), Fault> {
        let old = self.world.flow().get(frame).and_then(|frame| frame.locals.get(&local)).cloned().unwrap_or_default();
        let frame = u32::try_from(frame).ok();
        if old == new { Ok(()) } else { self.apply(Change::Next { frame, local, old, new }) }
    }

    /// Gives the game a result.
    ///
    /// # Errors
    /// When it has one.
    pub fn end(&mut self, new: Value) -> Result<(), Fault> {
        let old = self.world.outcome().clone();
        if !old.is_none() {
            return Err(Fault("the game is over already".into()));
        }
        self.apply(Change::End { old, new })
    }

    fn apply(&mut self, change: Change) -> Result<(), Fault> {
        self.world.fold(&change).map_err(|fault| Fault(fault.0))?;
        self.changes.push(change);
        Ok(())
    }
}
