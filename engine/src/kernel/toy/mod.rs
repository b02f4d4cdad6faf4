//! A toy game for two seats with secrets: red walks, blue has two posts of which one is a gate.
//!
//! Each of three rounds: both pledge a card at once and in secret; red walks; where its pawn
//! meets a post, blue may spring it (a window); a pawn that would die may be rescued by a card
//! (a rule before the event, with a window of its own); blue notes a number that nobody else
//! learns and draws a card; all cards but the hands are shuffled into the hidden deck.
//! `tests/toy` holds the same game as content and scripts; both give the same logs.
//!
//! [`Leak`] plants a mistake in each channel by which a seat could learn what is not its own.

mod flow;
mod laws;
mod play;
mod secrecy;

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use super::*;
use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    chance::{Chance, Draw, Seeded},
};

/// What a seat may not know.
#[derive(Clone, Copy, Debug)]
struct Secret {
    /// Whether the post on a3 is the gate.
    gate_first: bool,
    red_hand: [i64; 4],
    blue_hand: [i64; 3],
    deck: [i64; 4],
    deck_seed: u64,
    /// What blue notes.
    note: i64,
    /// How long each takes to answer.
    ms: [u64; 2],
}

const SECRET: Secret = Secret {
    gate_first: true,
    red_hand: [1, 1, 3, 6],
    blue_hand: [2, 2, 4],
    deck: [5, 7, 8, 9],
    deck_seed: 7,
    note: 1,
    ms: [5, 5],
};

/// A mistake in one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leak {
    None,
    Property,
    Pile,
    Table,
    Field,
    Event,
    Count,
    Options,
    Refusal,
    Window,
    Asked,
    Draw,
    Stream,
    Cause,
    Undo,
    // Mistakes that only the engine could make; the transcript has what they would tell.
    Milliseconds,
    Numbers,
    Keys,
    Answers,
}

struct Toy {
    secret: Secret,
    leak: Leak,
}

/// Dice that do not depend on how the deck is shuffled.
struct Luck {
    deck_seed: u64,
}

impl Chance for Luck {
    fn draw(&mut self, stream: Name, count: u64, draw: Draw) -> Result<Vec<i64>, String> {
        let seed = if stream.as_str() == "deck" { self.deck_seed } else { 7 };
        Seeded { seed }.draw(stream, count, draw)
    }
}

fn toy(secret: Secret, leak: Leak) -> Rc<Run> {
    let luck = Luck { deck_seed: secret.deck_seed };
    let run = Run::new(Rc::new(Toy { secret, leak }), World::new(Arc::new(schema(leak))), Box::new(luck));
    run.advance(100).unwrap();
    run
}

fn schema(leak: Leak) -> Schema {
    let slot = |slot: &str, kind: &str, open: bool| PropertyDecl {
        name: name(slot),
        kind: name(kind),
        open,
        ..PropertyDecl::default()
    };
    let pile = |pile: &str, hidden: bool, owner: &str| ZoneDecl {
        name: name(pile),
        hidden,
        owner: (!owner.is_empty()).then(|| name(owner)),
    };
    let seen_by = if leak == Leak::Table { Vec::new() } else { vec![name("blue")] };
    let mut schema = Schema::default();
    schema.entity = vec![slot("side", "name", true), slot("rank", "int", leak == Leak::Property)];
    schema.table = vec![slot("turn", "int", false), PropertyDecl { seen_by, ..slot("note", "int", false) }];
    schema.zones = vec![
        pile("deck", leak != Leak::Pile, ""),
        pile("red_hand", false, "red"),
        pile("blue_hand", false, "blue"),
        pile("heap", false, ""),
    ];
    schema.seats = ["red", "blue"].map(|seat| SeatDecl { name: name(seat), secret: true }).to_vec();
    schema.spaces = ["a1", "a2", "a3", "a4"].map(name).to_vec();
    schema.indexed()
}

fn int(world: &World, property: &str) -> i64 {
    world.table(name(property)).and_then(Value::as_int).unwrap_or(0)
}

fn rank(world: &World, card: EntityId) -> i64 {
    world.property(card, name("rank")).and_then(Value::as_int).unwrap_or(0)
}

fn cause(record: &str, function: &str) -> Cause {
    Cause { record: name(record), function: name(function) }
}

fn call(function: &str, args: Vec<Value>, record: &str) -> Call {
    Call { function: name(function), args, cause: cause(record, function) }
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> BTreeMap<Name, Value> {
    fields.into_iter().map(|(field, value)| (name(field), value)).collect()
}

fn entity(fields: &BTreeMap<Name, Value>, field: &str) -> Result<EntityId, Fault> {
    fields.get(&name(field)).and_then(Value::as_entity).ok_or_else(|| Fault(format!("no entity {field}")))
}

/// The pawn and the posts on a space, as a world shows them.
fn posts(world: &World, space: SpaceId) -> Vec<EntityId> {
    let side = |post: &EntityId| world.property(*post, name("side")).cloned();
    world.on_space(space).iter().filter(|post| side(post) == Some(Value::name("blue"))).copied().collect()
}

fn space_of(world: &World, entity: EntityId) -> SpaceId {
    if let Position::Space(space) = world.position(entity) { space } else { SpaceId(u32::MAX) }
}

fn is_gate(world: &World, post: EntityId) -> bool {
    world.entity(post).is_some_and(|post| post.kind.as_str() == "gate")
}

fn candidate(id: &str, value: Value) -> Candidate {
    Candidate { id: name(id), value, reasons: Vec::new() }
}

impl Rules for Toy {
    fn apply(&self, draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
        let to = |draft: &mut Draft<'_>, field: &str, pile: &str| {
            let n = draft.world().zone(name(pile)).map_or(0, <[EntityId]>::len);
            draft.place(entity(fields, field)?, Position::Zone(name(pile), u32::try_from(n).unwrap()))
        };
        match kind.as_str() {
            "phase_began" | "phase_moved" | "phase_ended" => flow::apply(draft, kind, fields),
            "came" => {
                let side = fields.iter().filter(|(field, _)| field.as_str() == "side");
                let side = side.map(|(field, value)| (*field, value.clone())).collect();
                let kind = fields[&name("kind")].as_name().unwrap();
                create(draft, Mask::ALL, kind, side, space(fields, "at")?)
            }
            // One event for both: neither number nor order of their aliases may tell.
            "hid" => {
                for post in ["gate", "marsh"] {
                    let side = self::fields([("side", Value::name("blue"))]);
                    create(draft, Mask::of(1), name(post), side, space(fields, post)?)?;
                }
                Ok(())
            }
            "dealt_red" | "dealt_blue" | "dealt_deck" => {
                let pile = name(match kind.as_str() {
                    "dealt_red" => "red_hand",
                    "dealt_blue" => "blue_hand",
                    _ => "deck",
                });
                let n = draft.world().zone(pile).map_or(0, <[EntityId]>::len);
                let at = Position::Zone(pile, u32::try_from(n).unwrap());
                create(draft, Mask::NONE, name("card"), fields.clone(), at)
            }
            "turned" => {
                let turn = int(draft.world(), "turn");
                draft.set(Owner::Table, name("turn"), Value::Int(turn + 1))
            }
            "compared" => {
                to(draft, "red", "heap")?;
                to(draft, "blue", "heap")
            }
            "stepped" => draft.place(entity(fields, "pawn")?, space(fields, "to")?),
            "sprung" => draft.see(entity(fields, "post")?, Mask::ALL),
            "died" => draft.destroy(entity(fields, "pawn")?),
            "saved" => to(draft, "card", "heap"),
            "noted" => draft.set(Owner::Table, name("note"), fields[&name("n")].clone()),
            "drawn" => to(draft, "card", "blue_hand"),
            "gathered" => draft.place(entity(fields, "card")?, Position::Zone(name("deck"), 0)),
            "pile_ordered" => {
                let order = fields[&name("order")].as_items().unwrap_or_default();
                draft.order(name("deck"), order.iter().filter_map(Value::as_entity).collect())
            }
            "ended" => draft.end(Value::name("over")),
            "pledged" | "waved" => Ok(()),
            _ => Err(Fault("no such event".into())),
        }
    }

    fn triggers(&self, _: &World, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Vec<Trigger>, Fault> {
        let ambush = || call("toy::ambush", vec![fields[&name("pawn")].clone()], "hooks.ambush");
        Ok(if kind.as_str() == "stepped" { vec![Trigger { order: 0, call: ambush() }] } else { Vec::new() })
    }

    fn before(&self, run: &Rc<Run>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Before, Stop> {
        if kind.as_str() != "died" {
            return Ok(Before::Keep);
        }
        let pawn = fields[&name("pawn")].clone();
        Ok(match run.window(name("rescue"), name("red"), std::slice::from_ref(&pawn))? {
            Some(card) => Before::Replace(
                name("saved"),
                self::fields([("pawn", pawn), ("card", card)]),
                cause("hooks.rescue", "toy::rescue"),
            ),
            None => Before::Keep,
        })
    }

    fn audience(&self, world: &World, kind: Name, given: &BTreeMap<Name, Value>) -> Result<Audience, Fault> {
        let mut audience = Audience { why: kind.starts_with("phase"), ..Audience::default() };
        let field = |field: &str, mask: Mask| BTreeMap::from([(name(field), mask)]);
        match kind.as_str() {
            "noted" if self.leak != Leak::Event => audience.who = Who::Seats(Mask::of(1)),
            "pledged" if self.leak != Leak::Field => {
                let seat = given[&name("seat")].as_name().and_then(|seat| world.schema().seat(seat));
                audience.fields = field("card", seat.map_or(Mask::NONE, Mask::of));
                audience.fields.insert(name("aim"), Mask::NONE);
            }
            "hid" => {
                audience.fields = field("gate", Mask::of(1));
                audience.fields.insert(name("marsh"), Mask::of(1));
            }
            "dealt_red" | "dealt_blue" | "dealt_deck" => audience.fields = field("rank", Mask::NONE),
            "pile_ordered" => audience.fields = field("order", Mask::NONE),
            "stepped" => {
                audience.why = self.leak == Leak::Cause;
                audience.barrier = self.leak == Leak::Undo && self.secret.gate_first;
            }
            _ => {}
        }
        Ok(audience)
    }

    fn opens(&self, world: &World, window: Name, args: &[Value]) -> Result<bool, Fault> {
        let pawn = args[0].as_entity().ok_or_else(|| Fault("everybody sees the pawn".into()))?;
        let met = !posts(world, space_of(world, pawn)).is_empty();
        let is_near_gate = self.secret.gate_first == (space_of(world, pawn) == SpaceId(2));
        Ok(match window.as_str() {
            "ambush" => met && (self.leak != Leak::Window || is_near_gate),
            _ => true,
        })
    }

    fn offers(&self, world: &World, _: Name, window: Name, args: &[Value]) -> Result<Vec<Candidate>, Fault> {
        let pawn = args[0].as_entity().ok_or_else(|| Fault("the pawn is seen".into()))?;
        let found: Vec<EntityId> = match window.as_str() {
            "ambush" => posts(world, space_of(world, pawn)).into_iter().filter(|post| is_gate(world, *post)).collect(),
            _ => hand(world, "red").into_iter().filter(|card| rank(world, *card) == 6).collect(),
        };
        Ok(found.into_iter().map(|it| candidate(&world.entity(it).unwrap().key, it.into())).collect())
    }

    fn until(&self, _: Name) -> Option<Name> {
        Some(name("round"))
    }

    fn call(&self, run: &Rc<Run>, call: &Call) -> Result<Value, Stop> {
        self.play(run, call).map(|()| Value::None)
    }

    fn next(&self, run: &Rc<Run>) -> Result<Option<Call>, Stop> {
        flow::next(run)
    }
}

fn create(
    draft: &mut Draft<'_>,
    seen: Mask,
    kind: Name,
    properties: BTreeMap<Name, Value>,
    at: Position,
) -> Result<(), Fault> {
    let thing = draft.create_for(seen, kind, None, properties)?;
    draft.place(thing, at)
}

fn space(fields: &BTreeMap<Name, Value>, field: &str) -> Result<Position, Fault> {
    let space = fields.get(&name(field)).and_then(Value::as_space);
    space.map(Position::Space).ok_or_else(|| Fault(format!("no space {field}")))
}

fn hand(world: &World, seat: &str) -> Vec<EntityId> {
    world.zone(name(&format!("{seat}_hand"))).unwrap_or_default().to_vec()
}
