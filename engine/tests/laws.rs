//! Laws that hold for every mission of every game in this repository, on random play.

use std::{cell::RefCell, fs, path::PathBuf, rc::Rc, sync::Arc};

use sandtable::{
    base::Name,
    content::games,
    kernel::{Choice, Record, Responder, World},
    rules::{self, Game},
    script::with_stack,
    table::{
        Settings, Table,
        bot::Random,
        log::{LogWriter, fold_log, parse_log},
        rerun,
    },
};

/// How many games of each mission; `LAW_GAMES` asks for more.
fn seeds() -> u64 {
    std::env::var("LAW_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(12)
}

const ANSWERS_MAX: u64 = 400;

fn roots() -> Vec<PathBuf> {
    vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")]
}

/// Every mission of every game whose board can be set up.
fn missions() -> Vec<(Arc<Game>, Name)> {
    let mut found = Vec::new();
    for id in games(&roots()) {
        let game = rules::load(&roots(), &id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        found.extend(game.missions.keys().map(|mission| (Arc::clone(&game), *mission)));
    }
    found
}

fn settings(mission: Name, seed: u64) -> Settings {
    let mut settings = Settings::new(&mission, seed);
    settings.answers_max = ANSWERS_MAX;
    settings
}

fn random_game(game: &Arc<Game>, mission: Name, seed: u64) -> Table {
    let table = Table::start(game, settings(mission, seed)).expect("the mission starts");
    table.set_responder(Some(Box::new(Random::new(seed, ANSWERS_MAX))));
    table.advance().unwrap_or_else(|fault| panic!("{mission}, seed {seed}: {fault}"));
    table
}

fn written(table: &Table, name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let mut writer = LogWriter::create(&path, &table.header()).expect("a new log");
    table.with_world(|world| table.with_records(|records| writer.append(records, world))).expect("it is appended");
    fs::read(path).expect("it is there")
}

#[test]
fn every_mission_can_be_set_up() {
    with_stack(|| {
        for (game, mission) in missions() {
            Table::start(&game, settings(mission, 0)).unwrap_or_else(|fault| panic!("{mission}: {fault}"));
        }
    });
}

/// A second root draws on every turn of a game's life: set-up, turns, danger, victory, defeat.
#[test]
fn draws_in_hooks_of_every_turn_of_a_games_life_run_again() {
    let mut roots = roots();
    roots.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/lifecycle"));
    with_stack(|| {
        let mut streams: Vec<String> = Vec::new();
        for id in games(&roots[1..]) {
            let game = rules::load(&roots, &id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            for (mission, seed) in game.missions.keys().flat_map(|mission| (0..6).map(move |seed| (*mission, seed))) {
                let table = random_game(&game, mission, seed);
                table.with_records(|records| {
                    streams.extend(records.iter().filter_map(|record| match record {
                        Record::Drew { stream, .. } => stream.strip_prefix("lots/").map(str::to_string),
                        _ => None,
                    }));
                });
                let log = parse_log(&written(&table, &format!("draws-{mission}-{seed}.jsonl"))).expect("it reads");
                let folded = fold_log(&log, None).expect("it folds");
                assert_eq!(folded.hash(), table.with_world(World::hash), "{mission}, seed {seed}");
                let verdict = rerun(&game, &log).expect("it starts");
                assert!(verdict.same, "{mission}, seed {seed}: {:?}", verdict.difference);
            }
        }
        streams.sort();
        streams.dedup();
        assert_eq!(streams, ["danger", "end", "set_up", "turn", "turn_end"]);
    });
}

#[test]
fn a_log_folds_to_the_live_world_and_runs_again_to_the_same_records() {
    with_stack(|| {
        for (game, mission) in missions() {
            for seed in 0..seeds() {
                let table = random_game(&game, mission, seed);
                let log = parse_log(&written(&table, &format!("law-{mission}-{seed}.jsonl"))).expect("it reads");
                let folded = fold_log(&log, None).expect("it folds");
                assert_eq!(folded.hash(), table.with_world(World::hash), "{mission}, seed {seed}");
                let verdict = rerun(&game, &log).expect("it starts");
                assert!(verdict.same, "{mission}, seed {seed}: {:?}", verdict.difference);
            }
        }
    });
}

/// A bot that writes down what it answers.
struct Noted {
    bot: Random,
    answers: Rc<RefCell<Vec<Name>>>,
}

impl Responder for Noted {
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name> {
        let answer = self.bot.answer(world, choice)?;
        self.answers.borrow_mut().push(answer);
        Some(answer)
    }
}

#[test]
fn a_person_who_gives_a_bots_answers_one_by_one_gets_the_same_log() {
    with_stack(|| {
        for (game, mission) in missions() {
            for seed in 0..3 {
                let answers = Rc::new(RefCell::new(Vec::new()));
                let table = Table::start(&game, settings(mission, seed)).expect("the mission starts");
                let bot = Random::new(seed, ANSWERS_MAX);
                table.set_responder(Some(Box::new(Noted { bot, answers: Rc::clone(&answers) })));
                table.advance().expect("it runs");
                let person = Table::start(&game, settings(mission, seed)).expect("the mission starts");
                person.advance().expect("it runs");
                for answer in answers.borrow().iter() {
                    person.answer(answer, 0).expect("a legal answer");
                }
                let bytes = |table: &Table, who: &str| written(table, &format!("{who}-{mission}-{seed}.jsonl"));
                assert!(bytes(&table, "bot") == bytes(&person, "person"), "{mission}, seed {seed}");
            }
        }
    });
}

#[test]
fn a_refused_answer_has_reasons_and_changes_nothing() {
    with_stack(|| {
        for (game, mission) in missions() {
            let mut refused = 0;
            for (seed, step, table) in (0..seeds()).flat_map(|seed| {
                let table = Rc::new(Table::start(&game, settings(mission, seed)).expect("the mission starts"));
                table.advance().expect("it runs");
                (0..if seed == 1 { 60 } else { 20 }).map(move |step| (seed as usize, step, Rc::clone(&table)))
            }) {
                let Some(choice) = table.open() else { continue };
                let mut ids: Vec<&str> = choice.candidates.iter().map(|candidate| candidate.id.as_str()).collect();
                ids.sort_unstable();
                assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "two answers of one name: {ids:?}");
                let (world, n) = (table.with_world(World::hash), table.with_records(<[_]>::len));
                for candidate in choice.candidates.iter().filter(|candidate| !candidate.reasons.is_empty()) {
                    assert_eq!(table.why_not(&candidate.id), candidate.reasons);
                    assert!(table.answer(&candidate.id, 0).is_err(), "{} was refused in the list", candidate.id);
                    refused += 1;
                }
                assert!(table.answer("no such answer", 0).is_err());
                assert_eq!(table.with_world(World::hash), world);
                assert_eq!(table.with_records(<[_]>::len), n);
                let options: Vec<Name> = choice.options().map(|option| option.id).collect();
                table.answer(&options[(step * 7 + seed) % options.len()], 0).expect("an option is legal");
            }
            assert!(refused > 20, "only {refused} answers were refused");
        }
    });
}

#[test]
fn taking_back_leads_to_the_same_open_choice_and_world() {
    with_stack(|| {
        for (game, mission) in missions() {
            let table = Table::start(&game, settings(mission, 2)).expect("the mission starts");
            table.advance().expect("it runs");
            let mut undone = 0;
            for step in 0..40 {
                let Some(choice) = table.open() else { break };
                let world = table.with_world(World::hash);
                let options: Vec<Name> = choice.options().map(|option| option.id).collect();
                let answer = options[step % options.len()];
                table.answer(&answer, 0).expect("an option is legal");
                if table.undo().is_ok() {
                    undone += 1;
                    assert_eq!(table.open(), Some(choice));
                    assert_eq!(table.with_world(World::hash), world);
                    table.answer(&answer, 0).expect("it is still legal");
                }
            }
            assert!(undone > 5, "only {undone} answers were taken back");
        }
    });
}
