//! Laws that hold for every mission of every game in this repository, on random play.
//!
//! `LAW_GAMES=n` asks for n games of each mission instead of a few, `LAW_BOT=random` for those of
//! one bot only, `LAW_GAME=id` for those of one game. `LAW_HASHES=file` writes
//! a line for each of these games with the hash of its log: two builds, or two machines, play
//! the same if their files are equal.

use std::{cell::RefCell, fs, path::PathBuf, rc::Rc, sync::Arc, thread};

use sandtable::{
    base::Name,
    content::games,
    kernel::{Choice, Record, Responder, World},
    rules::{self, Game},
    script::with_stack,
    table::{
        Settings, Table,
        bot::{Mind, RANDOM, Random},
        log::{LogWriter, fold_log, parse_log},
        rerun,
    },
};

/// How many games of each mission are asked for.
fn asked() -> Option<u64> {
    std::env::var("LAW_GAMES").ok().and_then(|games| games.parse().ok())
}

fn seeds() -> u64 {
    asked().unwrap_or(2)
}

/// The most answers in a game: enough for most to end if more games are asked for.
fn answers_max() -> u64 {
    if asked().is_some() { TO_THE_END } else { 60 }
}

const TO_THE_END: u64 = 400;

fn roots() -> Vec<PathBuf> {
    vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")]
}

/// Every mission of every game, or of the one that is asked for.
fn missions() -> Vec<(Arc<Game>, Name)> {
    let mut found = Vec::new();
    let only = std::env::var("LAW_GAME").ok();
    for id in games(&roots()).into_iter().filter(|id| only.as_ref().is_none_or(|only| only == id)) {
        let game = rules::load(&roots(), &id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        found.extend(game.missions.keys().map(|mission| (Arc::clone(&game), *mission)));
    }
    found
}

fn settings(mission: Name, seed: u64) -> Settings {
    let mut settings = Settings::new(&mission, seed);
    settings.answers_max = answers_max();
    settings
}

fn random_game(game: &Arc<Game>, mission: Name, seed: u64, n_answers: u64) -> Table {
    let settings = Settings { answers_max: n_answers, ..settings(mission, seed) };
    let table = Table::start(game, settings).expect("the mission starts");
    table.set_responder(Some(Box::new(Random::new(seed, n_answers))));
    table.advance().unwrap_or_else(|fault| panic!("{mission}, seed {seed}: {fault}"));
    table
}

fn written(table: &Table, name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let mut writer = LogWriter::create(&path, &table.header()).expect("a new log");
    table.with_world(|world| table.with_records(|records| writer.append(records, world))).expect("it is appended");
    let bytes = fs::read(&path).expect("it is there");
    fs::remove_file(path).expect("it was there");
    bytes
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
            for (mission, seed) in game.missions.keys().flat_map(|mission| (0..2).map(move |seed| (*mission, seed))) {
                let table = random_game(&game, mission, seed, TO_THE_END);
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

/// Whoever takes notes of what is used has nothing remembered for him.
#[test]
fn what_is_remembered_is_what_would_be_worked_out() {
    with_stack(|| {
        let missions = missions();
        let play_all = || {
            let each = missions.iter().flat_map(|(game, mission)| (0..seeds()).map(move |seed| (game, *mission, seed)));
            each.map(|(game, mission, seed)| written(&random_game(game, mission, seed, answers_max()), "remembered"))
                .collect::<Vec<_>>()
        };
        let remembering = play_all();
        missions.iter().for_each(|(game, _)| game.trace.begin());
        assert!(remembering == play_all());
    });
}

#[test]
fn a_log_folds_to_the_live_world_and_runs_again_to_the_same_records() {
    with_stack(|| {
        for (game, mission) in missions() {
            for seed in 0..seeds() {
                let table = random_game(&game, mission, seed, answers_max());
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
    bot: Box<dyn Responder>,
    answers: Rc<RefCell<Vec<Name>>>,
}

impl Responder for Noted {
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name> {
        let answer = self.bot.answer(world, choice)?;
        self.answers.borrow_mut().push(answer);
        Some(answer)
    }
}

/// The random bot, and those of the game; or the one that is asked for.
fn bots(game: &Game) -> Vec<Name> {
    let all = [sandtable::base::name(RANDOM)].into_iter().chain(game.bots.keys().copied());
    let only = std::env::var("LAW_BOT").ok();
    all.filter(|bot| only.as_ref().is_none_or(|only| bot.as_str() == only)).collect()
}

/// A game of a bot, and the answers that it gave.
fn noted_game(game: &Arc<Game>, mission: Name, seed: u64, bot: Name) -> (Table, Vec<Name>) {
    let answers = Rc::new(RefCell::new(Vec::new()));
    let table = Table::start(game, settings(mission, seed)).expect("the mission starts");
    let mind = Mind::new(&table, &bot).expect("it is there");
    let bot = mind.responder(seed, answers_max());
    table.set_responder(Some(Box::new(Noted { bot, answers: Rc::clone(&answers) })));
    table.advance().unwrap_or_else(|fault| panic!("{mission}, seed {seed}: {fault}"));
    (table, answers.take())
}

/// Gives these answers one by one; says of each whether it could be taken back right after.
fn person(table: &Table, answers: &[Name]) -> Vec<bool> {
    table.advance().expect("it runs");
    let give = |answer: &Name| {
        let seat = table.open().expect("a choice waits").seat;
        table.answer(answer, 0).expect("a legal answer");
        table.check_undo(&seat).is_ok()
    };
    answers.iter().map(give).collect()
}

/// What was taken back is cut out, with the records that say so.
fn that_count(table: &Table) -> Vec<Record> {
    table.with_records(|records| {
        let mut live: Vec<(usize, &Record)> = Vec::new();
        for (number, record) in records.iter().enumerate() {
            match record {
                Record::Undone { to } => live.retain(|(before, _)| (*before as u64) < *to),
                _ => live.push((number, record)),
            }
        }
        live.into_iter().map(|(_, record)| record.clone()).collect()
    })
}

#[test]
fn a_person_who_gives_a_bots_answers_gets_the_same_log_also_after_taking_back() {
    with_stack(|| {
        for (game, mission) in missions() {
            let (mut undone, mut deepest) = (0, 0);
            for (seed, bot) in (0..seeds()).flat_map(|seed| bots(&game).into_iter().map(move |bot| (seed, bot))) {
                let (bot, answers) = noted_game(&game, mission, seed, bot);
                let straight = Table::start(&game, settings(mission, seed)).expect("the mission starts");
                let may = person(&straight, &answers);
                let bytes = |table: &Table| written(table, &format!("person-{mission}-{seed}.jsonl"));
                assert!(bytes(&bot) == bytes(&straight), "{mission}, seed {seed}");
                let table = Table::start(&game, settings(mission, seed)).expect("the mission starts");
                let (n, most) = taking_back_law(&table, &answers, &may);
                assert!(that_count(&table) == straight.with_records(<[Record]>::to_vec), "{mission}, seed {seed}");
                (undone, deepest) = (undone + n, deepest.max(most));
            }
            assert!(undone > 5 && deepest > 1, "{undone} answers were taken back, {deepest} in a row");
        }
    });
}

/// Where an answer can be taken back but not the next one, all that can be is taken back one by
/// one: each time the choice and the world are those of before. Then the same answers are given
/// again. Gives how many were taken back, and the most in a row.
fn taking_back_law(table: &Table, answers: &[Name], may: &[bool]) -> (usize, usize) {
    table.advance().expect("it runs");
    let Settings { mission, seed, .. } = table.settings();
    let point = || (table.open(), table.with_world(World::hash), table.n_answers());
    let (mut before, mut undone, mut deepest) = (Vec::new(), 0, 0);
    for (index, answer) in answers.iter().enumerate() {
        before.push((point(), answer));
        table.answer(answer, 0).expect("a legal answer");
        if !may[index] {
            assert!(table.undo().is_err(), "{mission}, seed {seed}, answer {index}");
            before.clear();
        } else if may.get(index + 1) != Some(&true) {
            let end = point();
            for (then, _) in before.iter().rev() {
                table.undo().expect("it could be taken back");
                assert!(point() == *then, "{mission}, seed {seed}, answer {index}");
            }
            before.iter().for_each(|(_, answer)| table.answer(answer, 0).expect("it is still legal"));
            assert!(point() == end, "{mission}, seed {seed}, answer {index}");
            (undone, deepest) = (undone + before.len(), deepest.max(before.len()));
        }
    }
    (undone, deepest)
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

/// The hashes of the logs of these games, played in this order on a thread of their own.
fn hashes(games: &[(Arc<Game>, Name, u64)], who: &str) -> Vec<String> {
    let log = |(game, mission, seed, bot): (&Arc<Game>, Name, u64, Name)| {
        let table = if bot.as_str() == RANDOM {
            random_game(game, mission, seed, answers_max())
        } else {
            noted_game(game, mission, seed, bot).0
        };
        let bytes = written(&table, &format!("{who}-{mission}-{seed}.jsonl"));
        let by = if bot.as_str() == RANDOM { String::new() } else { format!(" {bot}") };
        format!("{}/{mission} {seed}{by} {}", game.id, blake3::hash(&bytes).to_hex())
    };
    let each = |(game, mission, seed): &(Arc<Game>, Name, u64)| {
        bots(game).into_iter().map(|bot| log((game, *mission, *seed, bot))).collect::<Vec<_>>()
    };
    with_stack(|| games.iter().flat_map(each).collect())
}

/// A bot is a function of what its seat knows: asked again in a world of the same hash it says
/// the same, whatever it was asked before.
#[test]
fn a_bot_says_the_same_whenever_its_seat_knows_the_same() {
    with_stack(|| {
        for (game, mission) in missions() {
            for bot in game.bots.keys() {
                let (_, answers) = noted_game(&game, mission, 1, *bot);
                let table = Table::start(&game, settings(mission, 1)).expect("the mission starts");
                table.advance().expect("it runs");
                let policy = || {
                    rules::Policy::new(&game, &table.instance().setting, *bot).expect("it loads").expect("it is there")
                };
                let old = policy();
                for answer in answers.iter().take(40) {
                    let choice = table.open().expect("a choice waits");
                    let said = |policy: &rules::Policy| {
                        table.with_known_world(choice.seat, |world| policy.advise(world, &choice))
                    };
                    assert_eq!(said(&old), said(&policy()), "{mission}, {bot}, {}", choice.prompt);
                    table.answer(answer, 0).expect("a legal answer");
                }
            }
        }
    });
}

/// What a thread has looked up in a game another one finds there: neither may notice.
#[test]
fn games_on_two_threads_give_the_same_bytes_as_on_one() {
    let all = || {
        let of = |(game, mission): (Arc<Game>, Name)| (0..seeds()).map(move |seed| (Arc::clone(&game), mission, seed));
        missions().into_iter().flat_map(of).collect::<Vec<_>>()
    };
    let one = hashes(&all(), "one");
    let games = all();
    let (even, odd): (Vec<_>, Vec<_>) = games.iter().cloned().partition(|(_, _, seed)| seed % 2 == 0);
    let mut two = thread::scope(|scope| {
        let other = scope.spawn(|| hashes(&odd, "odd"));
        let mut both = hashes(&even, "even");
        both.extend(other.join().expect("it does not panic"));
        both
    });
    let mut sorted = one.clone();
    sorted.sort();
    two.sort();
    assert_eq!(sorted, two);
    if let Ok(file) = std::env::var("LAW_HASHES") {
        fs::write(&file, one.join("\n") + "\n").unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}
