//! Scenes: a game that begins in the middle, for tests and puzzles.
//!
//! A scene says who stands where, what the table and the piles hold, and what runs: one
//! phase from its start to its end, one function, or nothing. It becomes the first event of
//! the game, `scene_set`, so that a log of it folds like any other.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    game::{Game, ScriptCall},
    instance::Instance,
};
use crate::{
    base::{EntityId, KeyBook as _, Map, Name, SpaceId, Value, name},
    kernel::{Draft, Fault, Owner, Position},
};

/// The event that sets a scene.
pub(super) const SCENE_EVENT: &str = "scene_set";

/// A game that begins in the middle.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// What runs.
    pub first: First,
    /// Who stands where, in the order of creation.
    pub things: Vec<SceneThing>,
    /// Properties of the table.
    pub table: BTreeMap<Name, Value>,
    /// Kinds by pile, from the top.
    pub piles: Vec<(Name, Vec<Name>)>,
}

/// What a scene runs.
#[derive(Clone, Debug, Default)]
pub enum First {
    /// Nothing.
    #[default]
    Nothing,
    /// A phase.
    Phase(Name),
    /// A function; its arguments may name the keys of things.
    Call(Arc<ScriptCall>, Vec<Name>),
}

/// Something that is there when a scene begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneThing {
    /// Its kind.
    pub kind: Name,
    /// Its key, if it is named.
    pub key: Option<Name>,
    /// The squares that it stands on, by name.
    pub squares: Vec<Name>,
    /// With whom it is, and in which slot.
    pub on: Option<(Name, Name)>,
    /// Its properties; `@key` stands for an entity, `#name` for a space.
    pub properties: BTreeMap<Name, Value>,
}

impl Scene {
    /// The fields of the event that sets the scene.
    pub(super) fn fields(&self) -> BTreeMap<Name, Value> {
        let names = |names: &[Name]| Value::list(names.iter().map(|name| Value::Name(*name)).collect());
        let things = self.things.iter().map(|thing| {
            let mut entries = vec![
                (name("kind"), Value::Name(thing.kind)),
                (name("squares"), names(&thing.squares)),
                (name("properties"), Value::map(thing.properties.clone())),
            ];
            entries.extend(thing.key.map(|key| (name("key"), Value::Name(key))));
            entries.extend(thing.on.map(|(carrier, slot)| (name("on"), names(&[carrier, slot]))));
            Value::map(entries)
        });
        BTreeMap::from([
            (name("things"), Value::list(things.collect())),
            (name("table"), Value::map(self.table.clone())),
            (name("piles"), Value::map(self.piles.iter().map(|(zone, kinds)| (*zone, names(kinds))))),
        ])
    }
}

/// Applies the event that sets a scene.
pub(super) fn apply(instance: &Instance, draft: &mut Draft<'_>, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
    let field = |text: &str| fields.get(&name(text)).cloned().unwrap_or_default();
    for thing in field("things").as_items().unwrap_or_default() {
        let part = |text: &str| thing.as_map().and_then(|map| map.get(&name(text))).cloned().unwrap_or_default();
        let kind = part("kind").as_name().unwrap_or_default();
        let given = part("properties").as_map().map(Map::to_tree).unwrap_or_default();
        let position = position(instance, draft, &part("squares"), &part("on"))?;
        let entity = create(instance, draft, kind, part("key").as_name(), &given)?;
        draft.place(entity, position)?;
    }
    for (property, value) in field("table").as_map().into_iter().flatten() {
        let value = typed(instance, draft, *property, value)?;
        draft.set(Owner::Table, *property, value)?;
    }
    for (zone, kinds) in field("piles").as_map().into_iter().flatten() {
        for (index, kind) in kinds.as_items().unwrap_or_default().iter().enumerate() {
            let kind = kind.as_name().unwrap_or_default();
            let key = draft.world().entity_of_key(&kind).is_none().then_some(kind);
            let card = create(instance, draft, kind, key, &BTreeMap::new())?;
            draft.place(card, Position::Zone(*zone, u32::try_from(index).unwrap_or(u32::MAX)))?;
        }
    }
    Ok(())
}

fn create(
    instance: &Instance,
    draft: &mut Draft<'_>,
    kind: Name,
    key: Option<Name>,
    given: &BTreeMap<Name, Value>,
) -> Result<EntityId, Fault> {
    let mut properties = first_properties(&instance.game, kind)?;
    for (property, value) in given {
        properties.insert(*property, typed(instance, draft, *property, value)?);
    }
    draft.create(kind, key, properties)
}

/// What the properties of a new entity of a kind hold at first.
///
/// # Errors
/// When there is no such kind.
pub(super) fn first_properties(game: &Game, kind: Name) -> Result<BTreeMap<Name, Value>, Fault> {
    let record = game.kinds.get(&kind).ok_or_else(|| Fault(format!("there is no kind {kind}")))?;
    game.trace.happen("kinds", kind);
    let mut properties = BTreeMap::new();
    for (property, declared) in game.properties.iter().filter(|(_, declared)| !declared.of_table) {
        if let Some(stat) = declared.from {
            game.trace.read("kinds", stat, kind);
        }
        let first = declared.from.and_then(|stat| record.stats.get(&stat)).or(declared.default.as_ref());
        if let Some(first) = first {
            properties.insert(*property, first.clone());
        }
    }
    Ok(properties)
}

fn position(instance: &Instance, draft: &Draft<'_>, squares: &Value, on: &Value) -> Result<Position, Fault> {
    if let Some([carrier, slot]) = on.as_items() {
        let slot = slot.as_name().unwrap_or_default();
        return Ok(Position::On(entity(draft, &carrier.as_name().unwrap_or_default())?, slot));
    }
    let squares: Vec<SpaceId> = squares
        .as_items()
        .unwrap_or_default()
        .iter()
        .map(|square| space(instance, &square.as_name().unwrap_or_default()))
        .collect::<Result<_, _>>()?;
    Ok(match squares.as_slice() {
        [] => Position::Nowhere,
        [one] => Position::Space(*one),
        _ => Position::Cells(Arc::new(squares)),
    })
}

fn typed(instance: &Instance, draft: &Draft<'_>, property: Name, value: &Value) -> Result<Value, Fault> {
    let declared = instance.game.properties.get(&property);
    let declared = declared.ok_or_else(|| Fault(format!("there is no property {property}")))?;
    let read = converted(instance, draft, value, &declared.kind)?;
    super::effects::typed(instance, property, read)
}

/// A value as it is written, with the names of spaces and entities looked up.
fn converted(instance: &Instance, draft: &Draft<'_>, value: &Value, declared: &str) -> Result<Value, Fault> {
    let inner = ["list<", "set<"].iter().find_map(|outer| declared.strip_prefix(outer)?.strip_suffix('>'));
    match value {
        Value::Name(text) => match (declared, text.strip_prefix('@'), text.strip_prefix('#')) {
            (_, Some(key), _) => entity(draft, key).map(Value::Entity),
            (_, _, Some(square)) => space(instance, square).map(Value::Space),
            ("space", ..) => space(instance, text).map(Value::Space),
            ("entity", ..) => entity(draft, text).map(Value::Entity),
            _ => Ok(value.clone()),
        },
        Value::List(items) => {
            let items = items.iter().map(|item| converted(instance, draft, item, inner.unwrap_or("any")));
            Ok(Value::list(items.collect::<Result<_, _>>()?))
        }
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, item)| Ok((*key, converted(instance, draft, item, "any")?)));
            Ok(Value::map(entries.collect::<Result<Vec<_>, Fault>>()?))
        }
        other => Ok(other.clone()),
    }
}

fn space(instance: &Instance, square: &str) -> Result<SpaceId, Fault> {
    instance.setting.board.space(square).ok_or_else(|| Fault(format!("the board has no square {square}")))
}

fn entity(draft: &Draft<'_>, key: &str) -> Result<EntityId, Fault> {
    draft.world().entity_of_key(key).ok_or_else(|| Fault(format!("nothing that stands before it has the key {key}")))
}
