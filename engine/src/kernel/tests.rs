//! A small game in plain Rust, and what the kernel and its logs promise of it.

use std::{cell::Cell, collections::BTreeMap, rc::Rc, sync::Arc};

use super::*;
use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    chance::{Draw, Seeded},
    table::log::{Header, LogWriter, fold_log, parse_log},
};

/// Pawns step on spaces; each step asks ten times, the sixth answer rolls a die.
struct Toy {
    choices: u32,
    moody: Cell<i64>,
    is_moody: bool,
    loops: bool,
    fails: bool,
}

fn toy() -> Toy {
    Toy { choices: 10, moody: Cell::new(0), is_moody: false, loops: false, fails: false }
}

fn call(function: &str) -> Call {
    Call {
        function: name(function),
        args: Vec::new(),
        cause: Cause { record: name("phases.march"), function: name("run") },
    }
}

impl Rules for Toy {
    fn apply(&self, draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
        match (kind.as_str(), fields.get(&name("to"))) {
            ("came", _) => {
                let pawn = draft.create(name("pawn"), None, BTreeMap::new())?;
                draft.place(pawn, Position::Zone(name("left"), 0))
            }
            ("moved", Some(Value::Space(to))) => draft.place(EntityId(0), Position::Space(*to)),
            ("counted", _) => {
                let old = match draft.world().table(name("sum")) {
                    Some(Value::Int(n)) => *n,
                    _ => 0,
                };
                draft.set(Owner::Table, name("sum"), Value::Int(old + 1))
            }
            ("rang", _) => Ok(()),
            _ => Err(Fault("no such event".into())),
        }
    }

    fn triggers(&self, _: &World, kind: Name, _: &BTreeMap<Name, Value>) -> Result<Vec<Trigger>, Fault> {
        let to = |order, function| Trigger { order, call: call(function) };
        Ok(match kind.as_str() {
            "moved" => vec![to(2, "second"), to(1, "first")],
            "rang" if self.loops => vec![to(0, "ring")],
            _ => Vec::new(),
        })
    }

    fn call(&self, run: &Rc<Run>, it: &Call) -> Result<Value, Stop> {
        let emit = |kind: &str, fields: BTreeMap<Name, Value>| run.emit(name(kind), fields, it.cause.clone());
        match it.function.as_str() {
            "first" => emit("counted", BTreeMap::new())?,
            "second" | "ring" => emit("rang", BTreeMap::new())?,
            _ => {
                emit("came", BTreeMap::new())?;
                if self.is_moody {
                    self.moody.set(self.moody.get() + 1);
                    emit("rang", BTreeMap::from([(name("mood"), Value::Int(self.moody.get()))]))?;
                }
                for i in 0..self.choices {
                    let candidates = ["a", "b", "c"].iter().zip(0..).map(|(id, space)| Candidate {
                        id: name(id),
                        value: Value::Space(SpaceId(space)),
                        reasons: if *id == "c" { vec![name("marsh"), name("wall")] } else { Vec::new() },
                    });
                    let to = run.choose(name("red"), name("where"), false, candidates.collect())?;
                    emit("moved", BTreeMap::from([(name("to"), to)]))?;
                    run.settle()?;
                    if self.fails {
                        return Err(Stop::fault("the gate fell"));
                    }
                    if i == 5 {
                        run.draw(name("luck"), Draw::Dice { n: 2, sides: 6 })?;
                    }
                }
            }
        }
        Ok(Value::None)
    }

    fn next(&self, _: &Rc<Run>) -> Result<Option<Call>, Stop> {
        Ok(Some(call("march")))
    }
}

fn schema() -> Schema {
    let spaces = ["a1", "a2", "a3"].map(name).to_vec();
    let zones = ["left", "right"].map(|pile| ZoneDecl { name: name(pile), ..ZoneDecl::default() }).to_vec();
    let table = vec![PropertyDecl { name: name("sum"), kind: name("int"), ..PropertyDecl::default() }];
    let mut schema = Schema::default();
    (schema.spaces, schema.zones, schema.table) = (spaces, zones, table);
    schema.indexed()
}

fn game(rules: Toy) -> Rc<Run> {
    let run = Run::new(Rc::new(rules), World::new(Arc::new(schema())), Box::new(Seeded { seed: 7 }));
    let _ = run.advance(1);
    run
}

fn answer(run: &Rc<Run>, id: &str) {
    run.answer(id, 0, 0).unwrap().unwrap();
    run.advance(1).unwrap();
}

#[test]
fn an_answer_that_is_not_legal_is_refused_with_every_reason_and_changes_nothing() {
    let run = game(toy());
    let (world, n) = (run.world().clone(), run.records().len());
    assert_eq!(run.answer("c", 0, 0).unwrap_err().reasons, [name("marsh"), name("wall")]);
    assert_eq!((&*run.world(), run.records().len()), (&world, n));
}

#[test]
fn undo_returns_to_the_same_open_choice_and_is_refused_after_a_draw() {
    let run = game(toy());
    answer(&run, "a");
    let (open, world) = (run.open(), run.world().clone());
    answer(&run, "b");
    run.undo().unwrap().unwrap();
    assert_eq!((run.open(), &*run.world()), (open, &world));
    (0..5).for_each(|_| answer(&run, "b"));
    assert!(run.undo().is_err());
}

#[test]
fn a_fault_leaves_everything_as_before_and_adds_one_record() {
    let run = game(Toy { fails: true, ..toy() });
    let (open, world, n) = (run.open(), run.world().clone(), run.records().len());
    run.answer("a", 0, 0).unwrap().unwrap_err();
    assert_eq!((run.open(), &*run.world(), run.records().len()), (open, &world, n + 1));
}

#[test]
fn a_rule_that_does_something_else_when_run_again_is_named() {
    let run = game(Toy { is_moody: true, ..toy() });
    let fault = run.answer("a", 0, 0).unwrap().unwrap_err();
    assert!(fault.0.contains("rang mood=2"), "{fault}");
}

#[test]
fn triggers_that_trigger_each_other_for_ever_end_with_a_named_function() {
    let run = game(Toy { loops: true, ..toy() });
    let fault = run.answer("a", 0, 0).unwrap().unwrap_err();
    assert!(fault.0.contains("ring"), "{fault}");
}

fn log_bytes(run: &Rc<Run>, file: &str) -> Vec<u8> {
    let path = std::env::temp_dir().join(format!("{file}-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let header = Header { format: 1, schema: schema(), ..Header::default() };
    let mut log = LogWriter::create(&path, &header).unwrap();
    assert!(LogWriter::create(&path, &header).is_err());
    log.append(&run.records(), &run.world()).unwrap();
    log.sync().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let _ = std::fs::remove_file(&path);
    bytes
}

#[test]
fn a_log_folds_to_the_live_world_also_after_an_undo() {
    let run = game(toy());
    ["a", "b", "a"].iter().for_each(|id| answer(&run, id));
    run.undo().unwrap().unwrap();
    (0..10).for_each(|_| answer(&run, "b"));
    let log = parse_log(&log_bytes(&run, "fold")).unwrap();
    assert_eq!(log.cut, None);
    assert_eq!(fold_log(&log, None).unwrap(), *run.world());
}

#[test]
fn a_log_cut_anywhere_opens_or_is_refused_and_an_edited_byte_is_noticed() {
    let run = game(toy());
    ["a", "b"].iter().for_each(|id| answer(&run, id));
    let bytes = log_bytes(&run, "cut");
    for len in 0..bytes.len() {
        if let Ok(log) = parse_log(&bytes[..len]) {
            fold_log(&log, None).unwrap();
        }
        let mut edited = bytes.clone();
        edited[len] ^= 1;
        assert!(parse_log(&edited).map_or(true, |log| log.cut.is_some()), "byte {len}");
    }
}
