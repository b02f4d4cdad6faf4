//! What else holds of the toy: orders of arrival, folding and running again, undo, faults.

use super::*;
use crate::table::log::{Header, LogWriter, fold_log, parse_log};

/// A toy whose logs are written down as they grow: the game's own, then those of the seats.
struct Logged {
    run: Rc<Run>,
    logs: Vec<(LogWriter, std::path::PathBuf, usize)>,
}

impl Logged {
    fn new(test: &str, secret: Secret) -> Self {
        let run = toy(secret, Leak::None);
        let logs = ["table", "red", "blue"].map(|who| {
            let path = std::env::temp_dir().join(format!("toy-{test}-{who}-{}.jsonl", std::process::id()));
            let _ = std::fs::remove_file(&path);
            let header = Header { format: 1, schema: schema(Leak::None), ..Header::default() };
            (LogWriter::create(&path, &header).unwrap(), path, 0)
        });
        let mut logged = Self { run, logs: logs.into() };
        logged.write();
        logged
    }

    fn write(&mut self) {
        for (index, (log, _, n)) in self.logs.iter_mut().enumerate() {
            let view = [None, Some("red"), Some("blue")][index].map(|seat| self.run.view(name(seat)).unwrap());
            let (records, world) = match &view {
                None => (self.run.records().clone(), self.run.world().clone()),
                Some(view) => (view.records().to_vec(), view.world().clone()),
            };
            log.append(&records[*n..], &world).unwrap();
            *n = records.len();
        }
    }

    fn answer(&mut self, seat: &str, id: &str) {
        let given = self.run.answer_as(name(seat), id, 3, 10).unwrap();
        assert_eq!(given, Ok(()), "{:?}", self.run.records().last());
        self.write();
    }

    /// The logs as bytes, after folding each and comparing it with the live world.
    #[track_caller]
    fn finish(self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        for (index, (_, path, _)) in self.logs.iter().enumerate() {
            let bytes = std::fs::read(path).unwrap();
            let _ = std::fs::remove_file(path);
            let folded = fold_log(&parse_log(&bytes).unwrap(), None).unwrap_or_else(|fault| panic!("{index}: {fault}"));
            match [None, Some("red"), Some("blue")][index] {
                None => assert_eq!(folded, *self.run.world()),
                Some(seat) => assert_eq!(folded, *self.run.known_world(name(seat)), "{seat}"),
            }
            all.push(bytes);
        }
        all
    }

    fn card(&self, seat: &str, wanted: i64) -> Name {
        let world = self.run.known_world(name(seat));
        let card = hand(&world, seat).into_iter().find(|card| rank(&world, *card) == wanted).unwrap();
        world.entity(card).unwrap().key
    }

    /// Both pledge a card in this order of arrival: `r` and `b` are answers of red and blue.
    fn pledge(&mut self, order: &str) {
        let (red, blue) = (self.card("red", 3), self.card("blue", 2));
        let (mut reds, mut blues) = ([red.as_str(), "low"].into_iter(), [blue.as_str(), "high"].into_iter());
        for who in order.chars() {
            match who {
                'r' => self.answer("red", reds.next().unwrap()),
                'b' => self.answer("blue", blues.next().unwrap()),
                _ => {
                    self.run.undo_as(name("red")).unwrap().unwrap();
                    reds = [red.as_str(), "low"].into_iter();
                }
            }
        }
    }
}

#[test]
fn simultaneous_answers_give_the_same_logs_in_any_order_of_arrival() {
    let logs = |order: &str| {
        let mut toy = Logged::new(order, SECRET);
        toy.pledge(order);
        toy.answer("red", "a3");
        toy.finish()
    };
    let first = logs("rrbb");
    for order in ["bbrr", "rbrb", "brbr", "rbbr", "brrb", "rbubrr"] {
        let logs = logs(order);
        assert!(logs[1..] == first[1..], "{order}");
        assert_eq!(facts(&logs[0]), facts(&first[0]), "{order}");
    }
}

/// The records of a log without what was only kept for opening it again.
fn facts(log: &[u8]) -> Vec<String> {
    let fact = |line: crate::table::log::Line| {
        let mut json = line.json;
        json["n"] = 0.into();
        json["hash"] = "".into();
        json.get("kept").is_none().then(|| json.to_string())
    };
    parse_log(log).unwrap().lines.into_iter().filter_map(fact).collect()
}

#[test]
fn a_sprung_gate_is_shown_and_the_death_is_intercepted_by_a_card() {
    let mut toy = Logged::new("sprung", SECRET);
    toy.pledge("rrbb");
    toy.answer("red", "a3");
    let gate = toy.run.open_for(name("blue")).unwrap().options().next().unwrap().id;
    toy.answer("blue", &gate);
    assert!(toy.run.open_for(name("red")).unwrap().path.starts_with('w'));
    let card = toy.card("red", 6);
    toy.answer("red", &card);
    let kinds: Vec<Name> = toy.run.records().iter().filter_map(event).collect();
    assert!(kinds.contains(&name("saved")) && !kinds.contains(&name("died")), "{kinds:?}");
    // Red has learnt of the gate: it is refused in red's own options from now on.
    toy.answer("blue", "1");
    toy.pledge_any();
    let shut = toy.run.open_for(name("red")).unwrap().candidate("a3").unwrap().reasons.clone();
    assert_eq!(shut, [name("shut")]);
    toy.finish();
}

fn event(record: &Record) -> Option<Name> {
    if let Record::Event { kind, .. } = record { Some(*kind) } else { None }
}

impl Logged {
    fn pledge_any(&mut self) {
        for seat in ["red", "blue"] {
            for _ in 0..2 {
                let id = self.run.open_for(name(seat)).unwrap().options().next().unwrap().id;
                self.answer(seat, &id);
            }
        }
    }
}

#[test]
fn a_pawn_that_nobody_rescues_dies() {
    let mut toy = Logged::new("dies", SECRET);
    toy.pledge("rrbb");
    toy.answer("red", "a3");
    let gate = toy.run.open_for(name("blue")).unwrap().options().next().unwrap().id;
    toy.answer("blue", &gate);
    toy.answer("red", "pass");
    assert_eq!(toy.run.world().entities().filter(|(_, it)| it.kind.as_str() == "pawn").count(), 0);
    toy.finish();
}

#[test]
fn a_seat_takes_back_what_nothing_it_has_seen_stands_against() {
    let mut toy = Logged::new("undo", SECRET);
    assert!(toy.run.undo_as(name("red")).is_err());
    toy.pledge("rrbb");
    let before = (toy.run.open(), toy.run.world().hash(), toy.run.known_world(name("red")).clone());
    toy.answer("red", "a1");
    toy.run.undo_as(name("red")).unwrap().unwrap();
    toy.write();
    assert_eq!((toy.run.open(), toy.run.world().hash(), toy.run.known_world(name("red")).clone()), before);
    toy.answer("red", "a3");
    let reason = |toy: &Logged, seat: &str| toy.run.check_undo(name(seat)).unwrap_err().reasons[0];
    assert_eq!(reason(&toy, "red"), name("a_window_has_opened_since"));
    toy.answer("blue", PASS);
    assert_eq!(reason(&toy, "red"), name("another_seat_has_answered_since"));
    toy.run.undo_as(name("blue")).unwrap().unwrap();
    toy.write();
    let gate = toy.run.open_for(name("blue")).unwrap().options().next().unwrap().id;
    toy.answer("blue", &gate);
    assert_eq!(reason(&toy, "blue"), name("a_window_has_opened_since"));
    toy.finish();
}

#[test]
fn after_the_cards_are_open_a_pledge_stands() {
    let mut toy = Logged::new("shown", SECRET);
    toy.pledge("rrbb");
    let reason = |seat: &str| toy.run.check_undo(name(seat)).unwrap_err().reasons[0];
    assert_eq!([reason("red"), reason("blue")], [name("something_was_shown_since"); 2]);
    toy.finish();
}

#[test]
fn a_fault_is_told_to_nobody_but_who_answered_and_tells_nothing() {
    let mut toy = Logged::new("fault", SECRET);
    toy.pledge("rrbb");
    toy.answer("red", "a1");
    let before = (toy.run.open(), toy.run.world().clone(), toy.run.view(name("red")).unwrap().records().to_vec());
    let n = toy.run.view(name("blue")).unwrap().records().len();
    let fault = toy.run.answer_as(name("blue"), "3", 3, 10).unwrap().unwrap_err();
    assert!(!fault.0.contains("gate"), "{fault}");
    let after = (toy.run.open(), toy.run.world().clone(), toy.run.view(name("red")).unwrap().records().to_vec());
    assert!(before == after);
    assert_eq!(toy.run.view(name("blue")).unwrap().records().len(), n + 1);
    toy.write();
    toy.answer("blue", "2");
    toy.finish();
}

#[test]
fn a_standing_order_passes_until_the_round_ends() {
    let mut toy = Logged::new("order", SECRET);
    toy.pledge("rrbb");
    toy.answer("red", "a3");
    toy.answer("blue", PASS_UNTIL);
    let order = name("_pass/ambush/blue");
    assert!(toy.run.world().flow()[1].locals.contains_key(&order));
    assert!(!toy.run.known_world(name("red")).flow()[1].locals.contains_key(&order));
    toy.answer("blue", "1");
    assert!(!toy.run.world().flow()[1].locals.contains_key(&order));
    toy.finish();
}

/// Plays at random, taking back now and then; gives the answers that count.
fn random_game(test: &str, seed: u64) -> Logged {
    let mut toy = Logged::new(&format!("{test}-{seed}"), Secret { deck_seed: seed, ..SECRET });
    let mut luck = Seeded { seed };
    for turn in 0..60 {
        let mut pick = |n: usize| {
            let n = u32::try_from(n).unwrap();
            usize::try_from(luck.draw(name("bot"), turn * 8 + u64::from(n), Draw::Pick { n }).unwrap()[0]).unwrap()
        };
        let seats: Vec<Name> =
            ["red", "blue"].map(name).into_iter().filter(|seat| toy.run.open_for(*seat).is_some()).collect();
        let Some(seat) = seats.get(pick(seats.len().max(1))).copied() else { break };
        if pick(5) == 0 && toy.run.check_undo(seat).is_ok() {
            toy.run.undo_as(seat).unwrap().unwrap();
            toy.write();
            continue;
        }
        let choice = toy.run.open_for(seat).unwrap();
        let options: Vec<Name> = choice.options().map(|option| option.id).filter(|id| id.as_str() != "3").collect();
        toy.answer(&seat, &options[pick(options.len())]);
    }
    toy
}

#[test]
fn logs_of_random_games_fold_to_the_live_worlds_and_run_again() {
    for seed in 0..25 {
        let toy = random_game("random", seed);
        let again = self::toy(Secret { deck_seed: seed, ..SECRET }, Leak::None);
        let live = |run: &Rc<Run>| {
            let mut live: Vec<(u64, Record)> = Vec::new();
            for (n, record) in (0..).zip(run.records().iter()) {
                match record {
                    Record::Undone { to } => live.retain(|(n, _)| n < to),
                    Record::Kept { .. } => {}
                    record => live.push((n, record.clone())),
                }
            }
            live.into_iter().map(|(_, record)| record).collect::<Vec<_>>()
        };
        let records = live(&toy.run);
        for record in &records {
            match record {
                Record::Answered { seat, answer, .. } if answer.by == By::Seat => {
                    again.answer_as(*seat, &answer.id, answer.ms, 10).unwrap().unwrap();
                }
                _ => {}
            }
        }
        assert!(live(&again) == records, "seed {seed}");
        for seat in ["red", "blue"] {
            assert!(*again.known_world(name(seat)) == *toy.run.known_world(name(seat)), "seed {seed}");
        }
        toy.finish();
    }
}

/// Answers that spring the gate, rescue the pawn and pass later; the test of the same game as
/// content gives the same.
fn told_game(run: &Rc<Run>) {
    for ms in 0..60 {
        let Some(choice) = run.open() else { break };
        let has = |id: &str| choice.options().any(|option| option.id.as_str() == id);
        let wanted = match choice.prompt.as_str() {
            "where" if has("a3") => "a3",
            "where" => "a1",
            _ => &choice.options().next().unwrap().id,
        };
        run.answer_as(choice.seat, wanted, ms, 10).unwrap().unwrap();
    }
}

fn lines(records: &[Record], world: &World) -> String {
    records.iter().map(|record| format!("{}\n", record.to_json(world))).collect()
}

#[test]
fn the_toy_gives_the_logs_that_the_same_game_as_content_gives() {
    let run = toy(SECRET, Leak::None);
    told_game(&run);
    assert_eq!(*run.world().outcome(), Value::name("over"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/toy/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("table", lines(&run.records(), &run.world()));
        for seat in ["red", "blue"] {
            let view = run.view(name(seat)).unwrap();
            insta::assert_snapshot!(seat, lines(view.records(), view.world()));
        }
    });
}
