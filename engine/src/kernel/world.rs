//! The world: everything that is true at one moment of a game, and how changes apply to it.

use std::{collections::BTreeMap, sync::Arc};

use super::{Change, Frame, Mask, Owner, Part, Position, PropertyDecl, Schema, stamps::Stamps};
use crate::base::{EntityId, KeyBook, Name, NameMap, SpaceId, Value, name};

mod veil;

pub use veil::Seen;

/// A thing on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// What it is called, such as `red#3`.
    pub key: Name,
    /// Its kind.
    pub kind: Name,
    /// Where it is.
    pub at: Position,
    /// Whether it is still in the game.
    pub alive: bool,
    /// Who knows it.
    pub seen: Mask,
}

/// Everything that is true at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    schema: Arc<Schema>,
    entities: Vec<Entity>,
    /// Properties of entities, a row of columns each.
    properties: Vec<Value>,
    table: Vec<Value>,
    zones: Vec<Vec<EntityId>>,
    /// Entities that stand on a space, in order of their numbers.
    on_space: Vec<Vec<EntityId>>,
    keys: NameMap<EntityId>,
    serials: BTreeMap<Name, u32>,
    flow: Vec<Frame>,
    draws: BTreeMap<Name, u64>,
    outcome: Value,
    stamps: Stamps,
}

/// A change that does not fit the world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FoldFault(pub String);

impl World {
    /// An empty world of a schema.
    #[must_use]
    pub fn new(schema: Arc<Schema>) -> Self {
        let first = |decl: &PropertyDecl| match &decl.first {
            Value::None => Schema::initial(decl.kind),
            first => first.clone(),
        };
        let table = schema.table.iter().map(first).collect();
        let zones = vec![Vec::new(); schema.zones.len()];
        let on_space = vec![Vec::new(); schema.spaces.len()];
        Self {
            schema,
            entities: Vec::new(),
            properties: Vec::new(),
            table,
            zones,
            on_space,
            keys: NameMap::default(),
            serials: BTreeMap::new(),
            flow: Vec::new(),
            draws: BTreeMap::new(),
            outcome: Value::None,
            stamps: Stamps::new(),
        }
    }

    /// Names and types of everything in it.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// An entity, if there ever was one of that number.
    #[must_use]
    pub fn entity(&self, entity: EntityId) -> Option<&Entity> {
        self.entities.get(entity.index())
    }

    /// The entities in the game, in order of creation.
    pub fn entities(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        (0..).map(EntityId).zip(&self.entities).filter(|(_, entity)| entity.alive)
    }

    /// A property of an entity; none if the schema has no such property.
    #[must_use]
    pub fn property(&self, entity: EntityId, property: Name) -> Option<&Value> {
        let column = self.schema.entity_column(property)?;
        self.properties.get(entity.index() * self.schema.entity.len() + column)
    }

    /// A property of the table; none if the schema has no such property.
    #[must_use]
    pub fn table(&self, property: Name) -> Option<&Value> {
        self.table.get(self.schema.table_column(property)?)
    }

    /// The entities of a pile, from the top.
    #[must_use]
    pub fn zone(&self, zone: Name) -> Option<&[EntityId]> {
        Some(&self.zones[self.schema.zone(zone)?])
    }

    /// The entities that stand on or cover a space, in order of their numbers.
    #[must_use]
    pub fn on_space(&self, space: SpaceId) -> &[EntityId] {
        self.on_space.get(space.index()).map_or(&[], Vec::as_slice)
    }

    /// The phases that are running, outermost first.
    #[must_use]
    pub fn flow(&self) -> &[Frame] {
        &self.flow
    }

    /// The number of draws made on a stream.
    #[must_use]
    pub fn draws(&self, stream: Name) -> u64 {
        self.draws.get(&stream).copied().unwrap_or(0)
    }

    /// The result, none while the game goes on.
    #[must_use]
    pub fn outcome(&self) -> &Value {
        &self.outcome
    }

    /// The number of the next entity.
    #[must_use]
    pub fn next_entity(&self) -> EntityId {
        EntityId(u32::try_from(self.entities.len()).unwrap_or(u32::MAX))
    }

    /// The key that the next entity of a kind gets when nobody names one: `kind#n`.
    #[must_use]
    pub fn next_key(&self, kind: Name) -> Name {
        name(&format!("{kind}#{}", self.serials.get(&kind).copied().unwrap_or(0) + 1))
    }

    /// A number that is the same only while none of some parts changes; in another world only if
    /// one is a copy of the other.
    #[must_use]
    pub fn stamp(&self, parts: &[Part]) -> u64 {
        self.stamps.newest(parts)
    }

    /// Whether it is a world as whoever looks sees it: what is worked out of it is not of the truth,
    /// although a stamp may be the same.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.stamps.is_seen
    }

    /// The part that a property is; none if there is no such property.
    fn part_of(&self, owner: Owner, property: Name) -> Option<Part> {
        let column = match owner {
            Owner::Entity(_) => self.schema.entity_column(property)?,
            Owner::Table => self.schema.entity.len() + self.schema.table_column(property)?,
        };
        Some(Part::of_property(column))
    }

    fn touch(&mut self, change: &Change) {
        match change {
            Change::Create { .. } => self.stamps.touch_all(),
            Change::Destroy { .. } | Change::Become { .. } => self.stamps.touch(&[Part::ENTITIES]),
            Change::Set { owner, property, .. } => match self.part_of(*owner, *property) {
                Some(part) => self.stamps.touch(&[part]),
                None => self.stamps.touch_all(),
            },
            Change::Place { .. } => self.stamps.touch(&[Part::PLACES, Part::PILES]),
            Change::Order { .. } => self.stamps.touch(&[Part::PILES]),
            Change::Push(_) | Change::Pop(_) | Change::Next { .. } => self.stamps.touch(&[Part::FLOW]),
            Change::Show { .. } | Change::Hide { .. } | Change::End { .. } => self.stamps.touch(&[]),
        }
    }

    /// Applies a change whose old value must be what is there.
    ///
    /// # Errors
    /// Says what does not fit; the world is then as it was.
    pub fn fold(&mut self, change: &Change) -> Result<(), FoldFault> {
        self.touch(change);
        match change {
            Change::Create { entity, key, kind, properties, seen } => {
                self.create(*entity, *key, *kind, properties)?;
                self.entities[entity.index()].seen = *seen;
                Ok(())
            }
            Change::Destroy { entity } => {
                let thing = self.living(*entity)?;
                check(thing.at == Position::Nowhere, || format!("{} is destroyed where it stands", thing.key))?;
                self.entities[entity.index()].alive = false;
                Ok(())
            }
            Change::Set { owner, property, old, new } => exchange(self.slot(*owner, *property)?, old, new),
            Change::Place { entity, old, new } => self.place(*entity, old, new),
            Change::Order { zone, old, new } => {
                let zone = self.zone_mut(*zone)?;
                check(zone == old, || "the pile has another order".into())?;
                let (mut before, mut after) = (old.clone(), new.clone());
                before.sort();
                after.sort();
                check(before == after, || "the new order holds other entities".into())?;
                zone.clone_from(new);
                Ok(())
            }
            Change::Show { entity, old, new } | Change::Hide { entity, old, new } => self.look(*entity, *old, *new),
            Change::Become { entity, old, new } => self.turn(*entity, *old, *new),
            Change::Push(frame) => {
                self.flow.push(frame.clone());
                Ok(())
            }
            Change::Pop(frame) => {
                check(self.flow.last() == Some(frame), || "another phase is running".into())?;
                self.flow.pop();
                Ok(())
            }
            Change::Next { frame, local, old, new } => {
                let index = frame.map_or(self.flow.len().wrapping_sub(1), |frame| frame as usize);
                let frame = self.flow.get_mut(index).ok_or_else(|| FoldFault("no such phase is running".into()))?;
                let slot = frame.locals.entry(*local).or_default();
                exchange(slot, old, new)?;
                if slot.is_none() {
                    frame.locals.remove(local);
                }
                Ok(())
            }
            Change::End { old, new } => exchange(&mut self.outcome, old, new),
        }
    }

    /// Takes back a change that was the last to be applied.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn unfold(&mut self, change: &Change) -> Result<(), FoldFault> {
        self.touch(change);
        match change {
            Change::Create { entity, key, kind, .. } => {
                check(entity.index() + 1 == self.entities.len(), || format!("{key} is not the newest entity"))?;
                self.entities.pop();
                self.properties.truncate(self.entities.len() * self.schema.entity.len());
                self.keys.shift_remove(key);
                if let Some(serial) = self.serials.get_mut(kind) {
                    *serial -= 1;
                    if *serial == 0 {
                        self.serials.remove(kind);
                    }
                }
                Ok(())
            }
            Change::Destroy { entity } => {
                if let Some(thing) = self.entities.get_mut(entity.index()) {
                    thing.alive = true;
                }
                Ok(())
            }
            Change::Set { owner, property, old, new } => exchange(self.slot(*owner, *property)?, new, old),
            Change::Place { entity, old, new } => self.place(*entity, new, old),
            Change::Order { zone, old, .. } => {
                self.zone_mut(*zone)?.clone_from(old);
                Ok(())
            }
            Change::Push(frame) => self.fold(&Change::Pop(frame.clone())),
            Change::Pop(frame) => self.fold(&Change::Push(frame.clone())),
            Change::Show { entity, old, new } | Change::Hide { entity, old, new } => self.look(*entity, *new, *old),
            Change::Become { entity, old, new } => self.turn(*entity, *new, *old),
            Change::Next { frame, local, old, new } => {
                self.fold(&Change::Next { frame: *frame, local: *local, old: new.clone(), new: old.clone() })
            }
            Change::End { old, new } => exchange(&mut self.outcome, new, old),
        }
    }

    /// Counts a draw on a stream, which must be the draw of that number.
    ///
    /// # Errors
    /// When another draw is due.
    pub fn fold_draw(&mut self, stream: Name, count: u64) -> Result<(), FoldFault> {
        check(self.draws(stream) == count, || format!("draw {count} of {stream} is not due"))?;
        self.draws.insert(stream, count + 1);
        Ok(())
    }

    /// Takes back the last draw on a stream.
    pub fn unfold_draw(&mut self, stream: Name, count: u64) {
        if count == 0 {
            self.draws.remove(&stream);
        } else {
            self.draws.insert(stream, count);
        }
    }

    /// The blake3 hash of everything in the world, 64 hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut bytes = Vec::with_capacity(64 * self.entities.len());
        let number = |n: usize, bytes: &mut Vec<u8>| bytes.extend((n as u64).to_le_bytes());
        number(self.entities.len(), &mut bytes);
        for entity in &self.entities {
            Value::Name(entity.key).write_canonical(&mut bytes);
            Value::Name(entity.kind).write_canonical(&mut bytes);
            Value::Bool(entity.alive).write_canonical(&mut bytes);
            write_position(&entity.at, &mut bytes);
            if self.schema.has_secrets() {
                bytes.extend(entity.seen.0.to_le_bytes());
            }
        }
        for value in self.properties.iter().chain(&self.table) {
            value.write_canonical(&mut bytes);
        }
        for pile in self.zones.iter().chain(&self.on_space) {
            number(pile.len(), &mut bytes);
            for entity in pile {
                bytes.extend(entity.0.to_le_bytes());
            }
        }
        number(self.flow.len(), &mut bytes);
        for frame in &self.flow {
            Value::Name(frame.phase).write_canonical(&mut bytes);
            Value::map(frame.locals.clone()).write_canonical(&mut bytes);
        }
        for (stream, count) in &self.draws {
            Value::Name(*stream).write_canonical(&mut bytes);
            bytes.extend(count.to_le_bytes());
        }
        self.outcome.write_canonical(&mut bytes);
        blake3::hash(&bytes).to_hex().to_string()
    }

    fn create(
        &mut self,
        entity: EntityId,
        key: Name,
        kind: Name,
        properties: &BTreeMap<Name, Value>,
    ) -> Result<(), FoldFault> {
        check(entity == self.next_entity(), || format!("{key} does not get the next number"))?;
        check(!self.keys.contains_key(&key), || format!("there is already an entity {key}"))?;
        let mut row: Vec<Value> = self.schema.entity.iter().map(|decl| Schema::initial(decl.kind)).collect();
        for (property, value) in properties {
            let column = self.schema.entity_column(*property);
            row[column.ok_or_else(|| FoldFault(format!("entities have no property {property}")))?] = value.clone();
        }
        self.properties.extend(row);
        self.entities.push(Entity { key, kind, at: Position::Nowhere, alive: true, seen: Mask::ALL });
        self.keys.insert(key, entity);
        *self.serials.entry(kind).or_default() += 1;
        Ok(())
    }

    fn look(&mut self, entity: EntityId, old: Mask, new: Mask) -> Result<(), FoldFault> {
        let thing = self.living(entity)?;
        check(thing.seen == old, || format!("others know {}", thing.key))?;
        self.entities[entity.index()].seen = new;
        Ok(())
    }

    fn turn(&mut self, entity: EntityId, old: Name, new: Name) -> Result<(), FoldFault> {
        let thing = self.living(entity)?;
        check(thing.kind == old, || format!("{} is of another kind", thing.key))?;
        self.entities[entity.index()].kind = new;
        Ok(())
    }

    fn place(&mut self, entity: EntityId, old: &Position, new: &Position) -> Result<(), FoldFault> {
        let thing = self.living(entity)?;
        let here = self.position(entity);
        check(here == *old, || format!("{} is somewhere else", thing.key))?;
        self.check_position(new, entity)?;
        match old {
            Position::Space(space) => remove(&mut self.on_space[space.index()], entity),
            Position::Cells(cells) => cells.iter().for_each(|cell| remove(&mut self.on_space[cell.index()], entity)),
            Position::Zone(zone, _) => remove(self.zone_mut(*zone)?, entity),
            Position::Nowhere | Position::On(..) => {}
        }
        match new {
            Position::Space(space) => insert(&mut self.on_space[space.index()], entity),
            Position::Cells(cells) => cells.iter().for_each(|cell| insert(&mut self.on_space[cell.index()], entity)),
            Position::Zone(zone, index) => self.zone_mut(*zone)?.insert(*index as usize, entity),
            Position::Nowhere | Position::On(..) => {}
        }
        self.entities[entity.index()].at = new.clone();
        Ok(())
    }

    /// Where an entity is, with its present depth if it is in a pile.
    #[must_use]
    pub fn position(&self, entity: EntityId) -> Position {
        match self.entity(entity).map(|thing| &thing.at) {
            None => Position::Nowhere,
            Some(Position::Zone(zone, _)) => {
                let index = self.zone(*zone).and_then(|pile| pile.iter().position(|other| *other == entity));
                Position::Zone(*zone, index.and_then(|index| u32::try_from(index).ok()).unwrap_or(0))
            }
            Some(at) => at.clone(),
        }
    }

    fn check_position(&self, at: &Position, entity: EntityId) -> Result<(), FoldFault> {
        let on_board = |space: &SpaceId| space.index() < self.on_space.len();
        match at {
            Position::Nowhere => Ok(()),
            Position::Space(space) => check(on_board(space), || "a space that the board lacks".into()),
            Position::Cells(cells) => check(cells.iter().all(on_board), || "a space that the board lacks".into()),
            Position::Zone(zone, index) => {
                let pile = self.zone(*zone).ok_or_else(|| FoldFault(format!("there is no pile {zone}")))?;
                let already = usize::from(pile.contains(&entity));
                check(*index as usize <= pile.len() - already, || format!("{zone} is not that deep"))
            }
            Position::On(other, _) => {
                check(*other != entity && self.entity(*other).is_some(), || "on an entity that is not there".into())
            }
        }
    }

    fn living(&self, entity: EntityId) -> Result<&Entity, FoldFault> {
        self.entity(entity)
            .filter(|thing| thing.alive)
            .ok_or_else(|| FoldFault(format!("entity {} is not in the game", entity.0)))
    }

    fn slot(&mut self, owner: Owner, property: Name) -> Result<&mut Value, FoldFault> {
        let slot = match owner {
            Owner::Entity(entity) => self
                .schema
                .entity_column(property)
                .and_then(|column| self.properties.get_mut(entity.index() * self.schema.entity.len() + column)),
            Owner::Table => self.schema.table_column(property).and_then(|column| self.table.get_mut(column)),
        };
        slot.ok_or_else(|| FoldFault(format!("there is no property {property} here")))
    }

    fn zone_mut(&mut self, zone: Name) -> Result<&mut Vec<EntityId>, FoldFault> {
        let index = self.schema.zone(zone).ok_or_else(|| FoldFault(format!("there is no pile {zone}")))?;
        Ok(&mut self.zones[index])
    }
}

impl KeyBook for World {
    fn entity_key(&self, entity: EntityId) -> Option<Name> {
        self.entity(entity).map(|entity| entity.key)
    }

    fn entity_of_key(&self, key: &str) -> Option<EntityId> {
        self.keys.get(&name(key)).copied()
    }

    fn space_name(&self, space: SpaceId) -> Option<Name> {
        self.schema.spaces.get(space.index()).copied()
    }

    fn space_of_name(&self, name: &str) -> Option<SpaceId> {
        self.schema.space(name)
    }
}

fn check(holds: bool, message: impl FnOnce() -> String) -> Result<(), FoldFault> {
    if holds { Ok(()) } else { Err(FoldFault(message())) }
}

fn exchange(slot: &mut Value, old: &Value, new: &Value) -> Result<(), FoldFault> {
    check(slot == old, || format!("the old value is {slot:?}, not {old:?}"))?;
    *slot = new.clone();
    Ok(())
}

/// Entities on a space stand in the order of their numbers, so that taking back is exact.
fn insert(pile: &mut Vec<EntityId>, entity: EntityId) {
    let index = pile.partition_point(|other| *other < entity);
    pile.insert(index, entity);
}

fn remove(pile: &mut Vec<EntityId>, entity: EntityId) {
    pile.retain(|other| *other != entity);
}

fn write_position(at: &Position, bytes: &mut Vec<u8>) {
    match at {
        Position::Nowhere => bytes.push(0),
        Position::Space(space) => {
            bytes.push(1);
            bytes.extend(space.0.to_le_bytes());
        }
        Position::Cells(cells) => {
            bytes.push(2);
            Value::list(cells.iter().map(|cell| Value::Space(*cell)).collect()).write_canonical(bytes);
        }
        // The depth is in the pile's own order.
        Position::Zone(zone, _) => {
            bytes.push(3);
            Value::Name(*zone).write_canonical(bytes);
        }
        Position::On(entity, slot) => {
            bytes.push(4);
            bytes.extend(entity.0.to_le_bytes());
            Value::Name(*slot).write_canonical(bytes);
        }
    }
}
