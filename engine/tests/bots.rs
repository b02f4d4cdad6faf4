//! Bots that content writes: what they answer, what they cannot know, what they may use up, and
//! what is wrong with them when they are loaded.

use std::{path::PathBuf, rc::Rc, sync::Arc};

use sandtable::{
    base::{Value, name},
    content::{Defects, Overlay},
    kernel::{Choice, Record, World},
    rules::{self, Advice, Game, Policy},
    script::with_stack,
    table::{Settings, Table, bot::Mind},
};

/// The toy of two seats with secrets, with a bot as a further pack.
fn with_bot(bots: &str, script: &str) -> Result<Arc<Game>, Defects> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
    let pack = "requires: {toy/base: '*'}\nname: Keen\nversion: 0.1.0\n";
    let mut files = vec![("pack.yaml".to_string(), pack.to_string()), ("bots.yaml".to_string(), bots.to_string())];
    if !script.is_empty() {
        files.push(("keen.rhai".into(), script.into()));
    }
    rules::load_with(&[root], "toy", &[], &[Overlay { pack: "keen".into(), files }])
}

fn game(bots: &str, script: &str) -> Arc<Game> {
    with_bot(bots, script).unwrap_or_else(|defects| panic!("{defects}"))
}

fn table(game: &Arc<Game>, seed: u64) -> Table {
    Table::start(game, Settings::new("toy", seed)).expect("the board is there")
}

fn policy(table: &Table) -> Policy {
    Policy::new(table.game(), &table.instance().setting, name("keen"))
        .expect("its scripts are right")
        .expect("it is there")
}

/// Plays a whole game; gives what the bot answered and what it cost.
fn played(game: &Arc<Game>, seed: u64) -> (Table, Vec<String>, rules::Tally) {
    let table = table(game, seed);
    let mind = Mind::new(&table, "keen").expect("it is there");
    table.set_responder(Some(mind.responder(seed, 200)));
    table.advance().expect("it runs");
    table.set_responder(None);
    let answers = table.with_records(|records| {
        let given = records.iter().filter_map(|record| match record {
            Record::Answered { answer, .. } => Some(answer.id.to_string()),
            _ => None,
        });
        given.collect()
    });
    (table, answers, mind.take_tally())
}

/// What the bot advises for the first choice of a prompt, when all others get their first option.
fn advised(game: &Arc<Game>, prompt: &str, f: impl Fn(&Policy, &World, &Choice)) {
    let table = table(game, 7);
    table.advance().expect("it runs");
    let policy = policy(&table);
    while let Some(choice) = table.open() {
        if choice.prompt.as_str() == prompt {
            return table.with_known_world(choice.seat, |world| f(&policy, world, &choice));
        }
        let id = choice.options().next().expect("an option").id;
        table.answer_to(&choice.seat, &choice.path, &id, 0).expect("an option is legal");
    }
    panic!("{prompt} is never asked");
}

fn ids(names: &[&str]) -> Vec<sandtable::base::Name> {
    names.iter().map(|id| name(id)).collect()
}

#[test]
fn the_greatest_score_is_answered_and_equal_ones_are_drawn() {
    with_stack(|| {
        let bots = "bots:\n  keen:\n    doc: d\n    answers:\n      card: {score: it.rank}\n      note: {score: 'if it == 2 { 0 } else { 1 }'}\n";
        let game = game(bots, "");
        advised(&game, "note", |policy, world, choice| {
            assert_eq!(policy.advise(world, choice), Advice::One(ids(&["1", "3"])));
        });
        advised(&game, "aim", |policy, world, choice| assert_eq!(policy.advise(world, choice), Advice::Any));
        let notes: std::collections::BTreeSet<String> = (0..20)
            .flat_map(|seed| played(&game, seed).1)
            .filter(|id| ["1", "2", "3"].contains(&id.as_str()))
            .collect();
        assert!(notes.contains("1") && notes.contains("3"), "{notes:?}");
    });
}

#[test]
fn a_script_gives_an_id_scores_or_a_plan() {
    with_stack(|| {
        let bots = "bots:\n  keen:\n    doc: d\n    answers:\n      card: {run: 'keen::plans(options)', keep: 'table(\"turn\")'}\n      where: {run: 'keen::scores(options)'}\n      note: {run: 'keen::one()'}\n";
        let script = "fn plans(options) { [[\"card\", options[options.len() - 1]], [\"aim\", \"low\"]] }\nfn scores(options) { let map = #{}; map[options[0].name] = 4; map }\nfn one() { 3 }\n";
        let game = game(bots, script);
        let (table, answers, tally) = played(&game, 3);
        assert_eq!(table.with_world(|world| world.outcome().clone()), Value::name("over"));
        assert!(answers.contains(&"low".into()) && answers.contains(&"3".into()), "{answers:?}");
        assert_eq!((tally.faults, tally.cut_short), (0, 0), "{tally:?}");
        assert!(tally.script_calls < tally.answers, "the plan serves two answers: {tally:?}");
        // The rules' scripts are counted elsewhere.
        assert!(tally.script_calls > 0 && table.instance().host().n_calls() > 0);
    });
}

#[test]
fn a_bot_knows_what_its_seat_knows_and_nothing_else() {
    with_stack(|| {
        // Red cannot see blue's posts: they add nothing to any square.
        let score = "'if on(it).exists(post, post.kind == \"marsh\") { 5 } else { 0 }'";
        let bots = format!("bots:\n  keen:\n    doc: d\n    answers:\n      where: {{score: {score}}}\n");
        let game = game(&bots, "");
        advised(&game, "where", |policy, world, choice| {
            let all = choice.options().map(|option| option.id).collect();
            assert_eq!(policy.advise(world, choice), Advice::One(all));
        });
        // The truth would have told it.
        let table = table(&game, 7);
        table.advance().expect("it runs");
        let posts =
            table.with_world(|world| world.entities().filter(|(_, thing)| thing.kind.as_str() == "marsh").count());
        assert_eq!(posts, 1);
    });
}

#[test]
fn a_hidden_pile_has_no_order_for_a_bot() {
    with_stack(|| {
        let content = "seats: {red: {name: Red}}\nzones: {deck: {hidden: yes}}\nkinds: {card: {name: Card}}\nevents:\n  laid: {doc: d, fields: {order: list<int>}, effects: [{create: {kind: '\"card\"', key: '\"card_1\"', in: deck}}, {create: {kind: '\"card\"', key: '\"card_2\"', in: deck}}, {create: {kind: '\"card\"', key: '\"card_3\"', in: deck}}]}\n  mixed: {doc: d, fields: {order: list<entity>}, effects: [{order: {deck: order}}]}\nchoices: {guess: {from: pile(\"deck\")}}\nphases: {game: {step: 'mix::mix()'}}\nlegends: {plain: {cells: {'.': []}}}\ntiles: {strip: {name: Strip, legend: plain, cells: '.'}}\nmissions: {toy: {order: 1, name: The toy, briefing: b, tiles: [[strip]]}}\ntexts: {guess: Which}\nbots: {keen: {doc: d, answers: {guess: {score: 'if it == pile(\"deck\").first() { 1 } else { 0 }'}}}}\n";
        let script = "fn mix() { emit(\"laid\", #{ order: [] }); emit(\"mixed\", #{ order: shuffled(\"deck\", pile(\"deck\")) }); choose(\"guess\"); }\n";
        let pack = "name: Core\nversion: 0.1.0\n";
        let files = [("pack.yaml", pack), ("a.yaml", content), ("mix.rhai", script)]
            .map(|(path, text)| (path.to_string(), text.to_string()));
        let game = rules::load_with(&[], "chess", &[], &[Overlay { pack: "core".into(), files: files.into() }])
            .unwrap_or_else(|defects| panic!("{defects}"));
        let mut tops = std::collections::BTreeSet::new();
        for seed in 0..12 {
            let table = table(&game, seed);
            table.advance().expect("it runs");
            let choice = table.open().expect("it asks");
            tops.insert(choice.candidates[0].id);
            let advice = table.with_known_world(choice.seat, |world| policy(&table).advise(world, &choice));
            assert_eq!(advice, Advice::One(ids(&["card_1"])));
        }
        assert!(tops.len() > 1, "the deck lies in many orders");
    });
}

#[test]
fn what_a_bot_uses_up_is_counted_and_what_fails_is_told() {
    with_stack(|| {
        let endless = "fn endless() { let n = 0; while n < 1000000 { n += 1; } 3 }\nfn wrong() { 9 }\n";
        let bots = |run: &str| {
            format!(
                "bots:\n  keen:\n    doc: d\n    operations: 500\n    answers: {{note: {{run: 'keen::{run}()', score: it}}}}\n"
            )
        };
        let (_, _, tally) = played(&game(&bots("endless"), endless), 3);
        assert!(tally.cut_short > 0 && tally.faults == 0, "{tally:?}");
        let (_, answers, tally) = played(&game(&bots("wrong"), endless), 3);
        assert!(tally.faults > 0 && tally.cut_short == 0, "{tally:?}");
        assert!(tally.first_fault.is_some_and(|fault| fault.contains("keen::wrong advises what is no legal answer")));
        assert!(answers.contains(&"3".into()), "its score decides: {answers:?}");
        let costly = "bots:\n  keen:\n    doc: d\n    operations: 60\n    answers: {note: {score: 'range(0, it * 10).sum(n, n)'}}\n";
        let (_, _, tally) = played(&game(costly, ""), 3);
        assert!(tally.cut_short > 0 && tally.faults == 0, "{tally:?}");
    });
}

#[test]
fn the_same_seed_is_the_same_game() {
    with_stack(|| {
        let bots = "bots:\n  keen:\n    doc: d\n    answers: {card: {score: '0'}}\n    otherwise: {score: '1'}\n";
        let game = game(bots, "");
        let records = |seed| played(&game, seed).0.with_records(<[Record]>::to_vec);
        assert!(records(4) == records(4));
        let logs = Rc::new((0..6).map(records).collect::<Vec<_>>());
        assert!(logs.windows(2).any(|pair| pair[0] != pair[1]));
    });
}

#[track_caller]
fn refused(bots: &str, script: &str, expected: &[&str]) {
    let Err(defects) = with_bot(bots, script) else { panic!("it loads") };
    let text = format!("{defects}");
    for part in expected {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}

#[test]
fn a_wrong_bot_is_a_defect() {
    with_stack(|| {
        let one = |rule: &str| format!("bots:\n  keen:\n    doc: d\n    answers:\n      {rule}\n");
        refused(&one("wher: {score: '1'}"), "", &["nobody asks wher"]);
        refused(&one("where: {score: 'pwan'}"), "", &["pwan"]);
        refused(&one("where: {score: 'true'}"), "", &["a number"]);
        refused(&one("where: {keep: '1'}"), "", &["neither run nor score"]);
        refused(&one("where: {run: 'keen::step(pawn)'}"), "fn stepp(pawn) { 1 }", &["keen::step"]);
        refused(&one("where: {run: 'keen::step(pawn)'}"), "fn step(pawn) { emit(\"turned\"); 1 }", &["emit"]);
        refused("bots:\n  random:\n    doc: d\n", "", &["the engine has a bot random"]);
    });
}

#[test]
fn a_later_pack_changes_a_bot() {
    with_stack(|| {
        let bots = "bots:\n  keen:\n    doc: d\n    answers: {note: {score: it}}\npatches:\n  timid:\n    target: bots.keen.answers.note.score\n    set: '-it'\n    source: {house: a test}\n";
        advised(&game(bots, ""), "note", |policy, world, choice| {
            assert_eq!(policy.advise(world, choice), Advice::One(ids(&["1"])));
        });
    });
}

#[test]
fn an_unknown_bot_is_told_with_those_that_there_are() {
    with_stack(|| {
        let game = game("bots:\n  keen:\n    doc: d\n", "");
        let Err(message) = Mind::new(&table(&game, 1), "kene") else { panic!("there is no such bot") };
        assert_eq!(message, "toy has no bot kene; did you mean keen?\nhint: bots here: random, keen");
    });
}
