//! Missions are tried before anybody plays them.

use sandtable::{
    content::{Defects, load_with},
    rules,
};

use super::{records::mission, scripted};

/// What a trial of every mission tells: `code file:line`, message and remedy.
fn tried(text: &str) -> Vec<[String; 3]> {
    let mut packs = scripted(text);
    packs[0].files.remove(0);
    tried_with(&packs)
}

/// The same of whole packs.
pub(super) fn tried_with(packs: &[sandtable::content::Overlay]) -> Vec<[String; 3]> {
    let sources = load_with(&[], "chess", &[], packs).unwrap_or_else(|defects| panic!("{defects}"));
    let game = rules::link("chess", &sources).unwrap_or_else(|defects| panic!("{defects}"));
    let defects = rules::try_missions(&game, &sources);
    super::shown(if defects.is_empty() { Ok(()) } else { Err(Defects(defects)) })
}

/// A mission that places rooks, at most one a square.
fn rooks(starts: &str, units: &str) -> String {
    let text = mission(units, "").replace("units:", &format!("starts: {starts}, units:"));
    text + "phases:\n  game: {step: 'x::starts()'}\n\
        events:\n  placed: {doc: P, fields: {at: space}, effects: [{create: {kind: '\"rook\"', at: at}}]}\n\
        invariants:\n  alone: {holds: 'all(\"rook\").all(r, r.at.on(\"rook\").count(o, true) == 1)', \
        doc: A square holds one rook.}\n"
}

#[test]
fn a_mission_whose_set_up_breaks_an_invariant_is_told_with_its_place() {
    assert!(tried(&rooks("[a1, b1]", "")).is_empty());
    let found = tried(&rooks("[a1, b1, a1]", "{kind: rook, at: a1}, {kind: rook, at: a1}"));
    let message = "m cannot be set up: event placed: invariants.alone is broken: A square holds one rook.";
    super::one(&found, "mission.set_up core/more.yaml:7", message, "rook, rook on a1");
}

#[test]
fn a_mission_whose_set_up_fails_is_told_with_function_and_line() {
    let found = tried(&rooks("[a1, c9]", ""));
    super::one(
        &found,
        "mission.set_up scripts/chess/core/x.rhai:1",
        "field at is none",
        "when the mission m is set up",
    );
}

#[test]
fn hooks_that_stir_themselves_are_told_where_they_stand() {
    let hooks = "hooks:\n  first: {on: placed, run: 'emit(\"rang\")'}\n  again: {on: rang, run: 'emit(\"rang\")'}\n";
    let text = rooks("[a1]", "").replace("invariants:", &format!("{hooks}invariants:"));
    let text = text.replace("events:\n", "events:\n  rang: {doc: R, fields: {}, effects: []}\n");
    let line = text.lines().position(|line| line.contains("again:")).map_or(0, |line| line + 1);
    let message = "hooks trigger each other more than 16 deep: hooks.again";
    super::one(
        &tried(&text),
        &format!("mission.set_up core/more.yaml:{line}"),
        message,
        "when the mission m is set up",
    );
}
