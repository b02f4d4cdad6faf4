//! Piles in play: they get an order, and what was laid aside goes back into one that is empty.
//!
//! Both are events that the engine knows, for every game that has piles.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    game::{EventKind, FieldType, ZoneRecord},
    instance::Stage,
    look::{Piece, Sentence},
    secrets::Secrecy,
};
use crate::{
    base::{EntityId, Name, NameMap, Value, name},
    chance::Draw,
    kernel::{Draft, Fault, Mask, Position, Schema, Stop},
};

/// The event by which a pile gets an order, from the top.
pub(super) const PILE_ORDERED: &str = "pile_ordered";
/// The event by which things go back to the bottom of a pile.
pub(super) const PILE_REFILLED: &str = "pile_refilled";

/// The events of piles, for a game that has some.
pub(super) fn events() -> [(Name, EventKind); 2] {
    let field = |text: &str, kind: &str| (name(text), FieldType { kind: name(kind), optional: false });
    let event = |doc: &str, pieces: Vec<Piece>, things: &str| EventKind {
        doc: doc.into(),
        told: Some(Sentence { pieces, gathers: None }),
        stands_out: false,
        fields: NameMap::from_iter([field("pile", "name"), field(things, "list<entity>")]),
        effects: Vec::new(),
        secrecy: Secrecy::default(),
    };
    let refilled = vec![
        Piece::Text("The ".into()),
        Piece::Field(name("pile")),
        Piece::Text(" is made up again and shuffled.".into()),
    ];
    [
        (name(PILE_ORDERED), event("A pile lies in a new order, from the top.", Vec::new(), "order")),
        (name(PILE_REFILLED), event("What was laid aside goes back into an empty pile.", refilled, "cards")),
    ]
}

/// Whether an event is one of piles.
pub(super) fn is_event(kind: Name) -> bool {
    [PILE_ORDERED, PILE_REFILLED].contains(&kind.as_str())
}

/// Who learns of fields that not everybody does: the order of a pile, whoever knows the pile.
pub(super) fn known_to(schema: &Schema, kind: Name, fields: &BTreeMap<Name, Value>) -> Option<(Name, Mask)> {
    let pile = fields.get(&name("pile")).and_then(Value::as_name)?;
    (kind.as_str() == PILE_ORDERED).then(|| (name("order"), schema.seen_in(pile)))
}

/// Applies an event of piles.
pub(super) fn apply(draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
    let pile = fields.get(&name("pile")).and_then(Value::as_name).unwrap_or_default();
    let things = |field: &str| -> Vec<EntityId> {
        let items = fields.get(&name(field)).and_then(Value::as_items).unwrap_or_default();
        items.iter().filter_map(Value::as_entity).collect()
    };
    if kind.as_str() == PILE_ORDERED {
        return draft.order(pile, things("order"));
    }
    for thing in things("cards") {
        let bottom = draft.world().zone(pile).map_or(0, <[EntityId]>::len);
        draft.place(thing, Position::Zone(pile, u32::try_from(bottom).unwrap_or(u32::MAX)))?;
    }
    Ok(())
}

/// Draws an order for a pile.
pub(super) fn shuffle(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let (pile, record) = zone(stage, args)?;
    let lying = lying(stage, pile)?;
    let n = u32::try_from(lying.len()).map_err(|_| Stop::fault("a draw from too many items"))?;
    let order = stage.run()?.draw(record.stream.unwrap_or(pile), Draw::Order { n })?;
    let order = order.iter().filter_map(|index| lying.get(usize::try_from(*index).ok()?).copied()).collect();
    emit(stage, PILE_ORDERED, pile, "order", order)
}

/// Gives a pile an order that a script has found.
pub(super) fn arrange(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let (pile, _) = zone(stage, args)?;
    let order = args.get(1).and_then(Value::as_items).map(|items| items.iter().map(Value::as_entity).collect());
    let order: Option<Vec<EntityId>> = order.unwrap_or_default();
    emit(stage, PILE_ORDERED, pile, "order", order.ok_or_else(|| Stop::fault("arrange: an order is a list of things"))?)
}

/// Makes up an empty pile as its record says, and shuffles it; whether something went back.
pub(super) fn refill(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let (pile, record) = zone(stage, args)?;
    let refill = record.refill.as_ref();
    let refill = refill.ok_or_else(|| Stop::fault(format!("refill: the zone {pile} does not say from where")))?;
    if !lying(stage, pile)?.is_empty() {
        return Ok(Value::Bool(false));
    }
    let run = stage.run()?;
    let goes_back = stage.look(&run, |view| {
        let mut found = Vec::new();
        for thing in view.world.zone(refill.from).unwrap_or_default() {
            let holds = refill.when.as_ref().map_or(Ok(true), |when| when.eval_bool(view, &[Value::Entity(*thing)]));
            if holds.map_err(|fault| Fault(format!("zones.{pile}: {}", fault.message)))? {
                found.push(*thing);
            }
        }
        Ok(found)
    })?;
    drop(run);
    if goes_back.is_empty() {
        return Ok(Value::Bool(false));
    }
    emit(stage, PILE_REFILLED, pile, "cards", goes_back)?;
    shuffle(stage, args).map(|_| Value::Bool(true))
}

fn emit(stage: &Rc<Stage>, event: &str, pile: Name, field: &str, things: Vec<EntityId>) -> Result<Value, Stop> {
    let things = Value::list(things.into_iter().map(Value::Entity).collect());
    let fields = BTreeMap::from([(name("pile"), Value::Name(pile)), (name(field), things)]);
    stage.run()?.emit(name(event), fields, stage.cause()).map(|()| Value::None)
}

fn lying(stage: &Rc<Stage>, pile: Name) -> Result<Vec<EntityId>, Stop> {
    let run = stage.run()?;
    stage.look(&run, |view| Ok(view.world.zone(pile).unwrap_or_default().to_vec()))
}

/// The zone that the first argument names.
fn zone<'s>(stage: &'s Rc<Stage>, args: &[Value]) -> Result<(Name, &'s ZoneRecord), Stop> {
    let named = super::functions::name_of(args, 0)?;
    let record = stage.game.zones.get(&named);
    record.map(|record| (named, record)).ok_or_else(|| Stop::fault(format!("there is no zone {named}")))
}
