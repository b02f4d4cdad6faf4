//! The lines of a game that README.md shows are lines of that game.

use std::{fs, path::PathBuf};

use sandtable::{
    rules::{self, FLOW_EVENTS},
    script::with_stack,
    table::{Settings, Table, bot::Random, log::event_line},
};

/// How many lines are shown, and how many of them before somebody first acts on somebody else.
const SHOWN: (usize, usize) = (8, 3);

/// The events of a game that the random bot plays, as `run` prints them.
fn events(game: &str, mission: &str, seed: u64) -> Vec<String> {
    let roots = [PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")];
    let game = rules::load(&roots, game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
    let table = Table::start(&game, Settings::new(mission, seed)).expect("it starts");
    table.set_checking(false);
    table.set_responder(Some(Box::new(Random::new(seed, u64::MAX))));
    table.advance().unwrap_or_else(|fault| panic!("{fault}"));
    table.with_world(|world| {
        table.with_records(|records| {
            let numbered = records.iter().zip(1..);
            let lines = numbered.filter_map(|(record, n)| event_line(record, n, world));
            lines.filter(|line| !FLOW_EVENTS.contains(&line.split(' ').nth(1).unwrap_or_default())).collect()
        })
    })
}

#[test]
fn the_lines_of_a_game_are_as_they_are() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("a page");
    let (_, command) = readme.split_once("cargo run --release -- run ").expect("the first command");
    let mut words = command.split_whitespace();
    let (game, mission) = words.next().and_then(|word| word.split_once('/')).expect("a mission");
    let seed = words.nth(1).and_then(|word| word.parse().ok()).expect("a seed");
    let (before, rest) = readme.split_once("from its middle:\n\n```\n").expect("some lines of it");
    let (shown, after) = rest.split_once("```\n").expect("their end");
    let events = with_stack(|| events(game, mission, seed));
    let first = events.iter().position(|line| line.contains(" by=")).unwrap_or(0).saturating_sub(SHOWN.1);
    let lines: String = events.iter().skip(first).take(SHOWN.0).map(|line| format!("{line}\n")).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}from its middle:\n\n```\n{lines}```\n{after}")).expect("it can be written");
        return;
    }
    assert_eq!(shown, lines, "renew README.md with: {}", super::RENEW);
}
