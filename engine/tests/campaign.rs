//! Campaigns: a table that has missions played. Its log folds and runs again, choices between missions
//! are taken back and missions are not, and a mission's log must agree with what the campaign says of it.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use sandtable::{
    base::{Name, Value, name},
    content::{Overlay, games},
    kernel::{Record, World},
    rules::{self, Game, MissionReport},
    script::with_stack,
    table::{
        AnswerFault, Played, Settings, Table,
        bot::{Mind, RANDOM},
        disagreement,
        log::{LogFile, LogWriter, fold_log, parse_log},
        rerun,
    },
};

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn loaded(root: PathBuf) -> Vec<Arc<Game>> {
    let roots = [root];
    let load = |id: &String| rules::load(&roots, id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
    games(&roots).iter().map(load).filter(|game| !game.campaigns.is_empty()).collect()
}

/// The game with a campaign that lies beside these tests.
fn season() -> Arc<Game> {
    loaded(here().join("tests/season")).remove(0)
}

/// The log of a table.
fn log_of(table: &Table, file: &str) -> LogFile {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    let _ = fs::remove_file(&path);
    let mut writer = LogWriter::create(&path, &table.header()).expect("a new log");
    table.with_world(|world| table.with_records(|records| writer.append(records, world))).expect("it is appended");
    let log = parse_log(&fs::read(&path).expect("it is there")).expect("it reads");
    assert_eq!(log.lines.last().map_or(&log.header_hash, |line| &line.hash), writer.head());
    fs::remove_file(path).expect("it was there");
    log
}

/// A campaign that a bot has played, with the logs of its missions.
fn played(game: &Arc<Game>, campaign: &str, seed: u64, bot: &str) -> (Table, Vec<LogFile>) {
    let start = |settings: Settings| {
        let table = Table::start(game, settings).expect("it starts");
        let mind = Mind::new(&table, bot).expect("the bot is there");
        table.set_responder(Some(mind.responder(seed, u64::MAX)));
        table.advance().unwrap_or_else(|fault| panic!("{campaign}, seed {seed}: {fault}"));
        table
    };
    let table = start(Settings::new(campaign, seed));
    let mut logs = Vec::new();
    while let Some(call) = table.awaited() {
        let mission = start(table.settings().of_mission(&call));
        let log = log_of(&mission, &format!("{campaign}-{seed}-{bot}-{}.jsonl", logs.len()));
        let report = mission.report(&log.lines.last().expect("a line").hash).expect("it is over");
        logs.push(log);
        table.end_mission(&report, 0).unwrap_or_else(|fault| panic!("{campaign}, seed {seed}: {fault}"));
    }
    assert!(table.outcome().is_some(), "{campaign}, seed {seed}");
    (table, logs)
}

/// Asserts the laws of a campaign: fold, rerun, and that each mission's log agrees.
fn assert_lawful(game: &Arc<Game>, campaign: &str, seed: u64, bot: &str) -> Table {
    let what = format!("{campaign}, seed {seed}, {bot}");
    let (table, logs) = played(game, campaign, seed, bot);
    let log = log_of(&table, &format!("{campaign}-{seed}-{bot}.jsonl"));
    let folded = fold_log(&log, None).expect("it folds");
    assert_eq!(folded.hash(), table.with_world(World::hash), "{what}");
    let verdict = rerun(game, &log).expect("it starts");
    assert!(verdict.same, "{what}: {:?}", verdict.difference);
    let missions = table.played();
    assert_eq!(missions.len(), logs.len(), "{what}");
    for (mission, mission_log) in missions.iter().zip(&logs) {
        assert_eq!(disagreement(game, &log, mission, mission_log).expect("it starts"), None, "{what}");
    }
    table
}

#[test]
fn campaigns_fold_and_run_again_and_their_missions_agree() {
    with_stack(|| {
        let mut ends = BTreeMap::new();
        for seed in 0..20 {
            let table = assert_lawful(&season(), "cup", seed, RANDOM);
            let end = table.outcome().expect("an end");
            *ends.entry((end.outcome, end.reason)).or_insert(0) += 1;
            let seeds: Vec<u64> = table.played().iter().map(|played| played.call.seed).collect();
            assert_ne!(seeds[0], seeds[1], "each mission has a seed of its own");
        }
        assert!(ends.len() > 1, "{ends:?}");
        // Those of this repository, with every bot that they have.
        for game in loaded(here().join("..")) {
            let bots: Vec<String> = game.bots.keys().map(ToString::to_string).collect();
            for campaign in game.campaigns.keys() {
                assert_lawful(&game, campaign, 1, RANDOM);
                bots.iter().for_each(|bot| drop(assert_lawful(&game, campaign, 1, bot)));
            }
        }
    });
}

/// A campaign whose first answers are given; it waits for its first mission.
fn begun(game: &Arc<Game>) -> Table {
    let table = Table::start(game, Settings::new("cup", 5)).expect("it starts");
    table.advance().expect("it runs");
    table.answer("train", 0).expect("it is legal");
    table
}

fn report() -> MissionReport {
    let leaves = BTreeMap::from([(name("gold"), Value::Int(2)), (name("kit"), Value::list(Vec::new()))]);
    MissionReport { outcome: name("won"), reason: name("far_enough"), leaves, log: name("0123") }
}

#[test]
fn choices_between_missions_are_taken_back_and_missions_are_not() {
    with_stack(|| {
        let game = season();
        let table = begun(&game);
        let before = table.with_world(World::hash);
        table.answer("eggs", 0).expect("it is legal");
        assert!(table.awaited().is_some() && table.with_world(World::hash) != before);
        // The mission has its seed: a draw stands against taking back.
        assert!(matches!(table.undo(), Err(AnswerFault::Refused(_))));
        table.end_mission(&report(), 0).expect("it waits for that");
        assert_eq!(table.with_world(|world| world.table(name("gold")).cloned()), Some(Value::Int(2)));
        // Nothing has been drawn since, but a mission is final.
        let Err(AnswerFault::Refused(refused)) = table.undo() else { panic!("it was taken back") };
        assert_eq!(refused.reasons, [name("it_cannot_be_taken_back")]);
        let after = table.with_world(World::hash);
        table.answer("train_hard", 0).expect("it is legal");
        table.undo().expect("a choice after the mission is taken back");
        assert_eq!(table.with_world(World::hash), after);
        assert_eq!(table.played().len(), 1);
        table.answer("rest", 0).expect("it is legal");
        table.answer("nothing", 0).expect("it is legal");
        table.end_mission(&report(), 0).expect("it waits for that");
        let log = log_of(&table, "undone.jsonl");
        assert_eq!(fold_log(&log, None).expect("it folds").hash(), table.with_world(World::hash));
        let verdict = rerun(&game, &log).expect("it starts");
        assert!(verdict.same, "{:?}", verdict.difference);
    });
}

#[test]
fn only_a_report_ends_a_mission_and_nothing_else_is_answered_by_one() {
    with_stack(|| {
        let table = begun(&season());
        let refused = |result: Result<(), AnswerFault>| match result {
            Err(AnswerFault::Refused(refused)) => refused.reasons,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(table.end_mission(&report(), 0)), [name("only_by_a_report")]);
        table.answer("eggs", 0).expect("it is legal");
        let records = table.with_records(<[Record]>::len);
        assert_eq!(refused(table.answer("reported", 0)), [name("only_by_a_report")]);
        assert_eq!(table.with_records(<[Record]>::len), records);
        // A report of what is not declared is a fault, and the mission waits as before.
        let wrong = |change: &dyn Fn(&mut BTreeMap<Name, Value>)| {
            let mut leaves = report().leaves;
            change(&mut leaves);
            let fault = table.end_mission(&MissionReport { leaves, ..report() }, 0);
            let Err(AnswerFault::Fault(fault)) = fault else { panic!("{fault:?}") };
            assert!(table.awaited().is_some());
            fault.0
        };
        let misnamed = wrong(&|left| drop(left.insert(name("golt"), Value::Int(2))));
        assert!(misnamed.contains("did you mean gold?"), "{misnamed}");
        let mistyped = wrong(&|left| drop(left.insert(name("gold"), Value::name("two"))));
        assert!(mistyped.contains("gold of section `legacy` is int, not name"), "{mistyped}");
        let forgotten = wrong(&|left| drop(left.remove(&name("kit"))));
        assert!(forgotten.contains("kit is missing") && forgotten.contains("season.yaml:"), "{forgotten}");
        let given = wrong(&|left| drop(left.insert(name("fitness"), Value::Int(2))));
        assert!(given.contains("fitness of section `legacy` has no `leaves`"), "{given}");
        table.end_mission(&report(), 0).expect("it waits for that");
    });
}

#[test]
fn a_mission_that_does_not_agree_is_told() {
    with_stack(|| {
        let game = season();
        let (table, logs) = played(&game, "cup", 3, RANDOM);
        let log = log_of(&table, "agrees.jsonl");
        let missions = table.played();
        let told = |played: &Played, mission: &LogFile| {
            disagreement(&game, &log, played, mission).expect("it starts").unwrap_or_default()
        };
        assert_eq!(told(&missions[0], &logs[0]), "");
        // The log of the other mission, and of another game of the same one.
        assert!(told(&missions[0], &logs[1]).starts_with("its mission is"), "{}", told(&missions[0], &logs[1]));
        let (_, others) = played(&game, "cup", 4, RANDOM);
        let same = others.iter().find(|log| log.header.mission == logs[0].header.mission).expect("it is played");
        assert!(told(&missions[0], same).starts_with("its seed is"), "{}", told(&missions[0], same));
        let mut wrong = missions[0].clone();
        wrong.call.legacy.insert(name("fitness"), Value::Int(6));
        assert!(told(&wrong, &logs[0]).contains("the campaign says {"), "{}", told(&wrong, &logs[0]));
        let mut wrong = missions[0].clone();
        let report = wrong.report.as_mut().expect("it is over");
        report.outcome = name("drawn");
        assert!(told(&wrong, &logs[0]).starts_with("its end is"), "{}", told(&wrong, &logs[0]));
        let mut wrong = missions[0].clone();
        wrong.report.as_mut().expect("it is over").leaves.insert(name("gold"), Value::Int(77));
        assert!(told(&wrong, &logs[0]).starts_with("it leaves"), "{}", told(&wrong, &logs[0]));
        let mut wrong = missions[0].clone();
        wrong.report.as_mut().expect("it is over").log = name("0123");
        assert!(told(&wrong, &logs[0]).starts_with("its last line is"), "{}", told(&wrong, &logs[0]));
    });
}

/// What is wrong with the game when this is laid over it: codes, messages and remedies.
fn defects(text: &str) -> Vec<String> {
    let files = vec![("more.yaml".to_string(), text.to_string())];
    let root = here().join("tests/season");
    let found = rules::load_with(
        &[root],
        &games(&[here().join("tests/season")])[0],
        &[],
        &[Overlay { pack: "more".into(), files }],
    );
    let Err(defects) = found else { return Vec::new() };
    let told = |defect: &sandtable::content::Defect| {
        format!(
            "{} {}:{} {} {}",
            defect.code,
            defect.file,
            defect.line,
            defect.message,
            defect.help.clone().unwrap_or_default()
        )
    };
    defects.0.iter().map(told).collect()
}

#[test]
fn misspelt_campaigns_are_told_with_place_and_nearest_name() {
    with_stack(|| {
        let campaign = |rest: &str| {
            format!("campaigns:\n  short:\n    order: 2\n    name: Short\n    briefing: One race.\n    {rest}\n")
        };
        let phase = |rest: &str| format!("phases:\n  more:\n    plays: {rest}\n");
        let cases = [
            (
                campaign("phase: season\n    missions: [short_rase]"),
                "reference.unknown",
                "there is no mission short_rase did you mean short_race?",
            ),
            (
                campaign("phase: seasons\n    missions: [short_race]"),
                "reference.unknown",
                "there is no phase seasons did you mean season?",
            ),
            (campaign("missions: [short_race]"), "field.missing", "phase"),
            (
                phase("{mission: '\"long_rase\"'}"),
                "reference.unknown",
                "there is no mission long_rase did you mean long_race?",
            ),
            (phase("{mission: race, legacy: {fitnes: 1}}"), "reference.unknown", "did you mean fitness?"),
            (phase("{mission: race, gives: {}}"), "field.unknown", "gives"),
            ("terms: {t: {args: [], is: 'legacy(\"golt\")'}}".into(), "reference.unknown", "did you mean gold?"),
            ("terms: {t: {args: [], is: 'leaves(\"kitt\")'}}".into(), "reference.unknown", "did you mean kit?"),
            ("legacy: {at: {type: space, doc: it}}".into(), "legacy.type", "space means nothing in another mission"),
            ("legacy: {at: {type: int, default: x, doc: it}}".into(), "field.type", "int, which at is,"),
            (
                "campaigns: {long_race: {order: 1, name: It, briefing: It., phase: season, missions: []}}".into(),
                "campaign.twice",
                "long_race is a mission too",
            ),
            (
                "patches: {p: {target: events.mission_ended.fields, remove: [log], source: {house: it}}}".into(),
                "campaign.event",
                "log: name",
            ),
        ];
        for (text, code, says) in cases {
            let found = defects(&text);
            let is_told = |defect: &String| defect.starts_with(code) && defect.contains(says);
            assert!(found.iter().any(is_told), "{text}\n{code} {says}\n{found:#?}");
        }
    });
}

#[test]
fn a_mission_outside_the_campaign_is_a_fault_with_the_nearest_name() {
    with_stack(|| {
        let text = "campaigns: {short: {order: 2, name: It, briefing: It., phase: one, missions: [short_race], race: short_rase}}
phases: {one: {plays: {mission: 'fact(\"race\")'}}}";
        let files = vec![("more.yaml".to_string(), text.to_string())];
        let root = here().join("tests/season");
        let overlays = [Overlay { pack: "more".into(), files }];
        let roots = [root];
        let game = rules::load_with(&roots, &games(&roots)[0], &[], &overlays);
        let game = game.unwrap_or_else(|defects| panic!("{defects}"));
        let table = Table::start(&game, Settings::new("short", 1)).expect("it starts");
        let fault = table.advance().expect_err("there is no such mission").to_string();
        assert!(
            fault.contains("short_rase is not among the missions of the campaign; did you mean short_race?"),
            "{fault}"
        );
        let mut settings = Settings::new("short_race", 1);
        settings.legacy.insert(name("fitnes"), Value::Int(1));
        let fault = Table::start(&game, settings).err().expect("it is not declared").to_string();
        assert!(fault.contains("did you mean fitness?"), "{fault}");
    });
}
