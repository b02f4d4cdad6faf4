//! Changing the toy's content, and what its cases notice.

use crate::table::Place;

const TESTS: &str = "content/toy/core/tests/walking.yaml";
const TOY: &str = "content/toy/core/toy.yaml";

/// The toy with a case on towers, a bounded property, and a phase that ends after one round.
fn toy(test: &str) -> Place {
    let place = Place::with_copy(test);
    place.edit(
        TESTS,
        "cases:\n",
        "cases:\n  a_tower_is_no_way:\n    scene: stroll\n    play: [{refused: b2, because: [a_tower_stands_there]}]\n  \
         one_round:\n    scene: stroll\n    phase: once\n    expect: ['table(\"rounds\") == 1']\n",
    );
    place.edit(TOY, "shouts: {type: int}", "shouts: {type: int, max: 3, default: 3}");
    place.edit(
        TOY,
        "  round:\n    is_turn",
        "  once:\n    enter: walk::begins()\n    again: table(\"rounds\") < 1\n  round:\n    is_turn",
    );
    place
}

#[test]
fn changes_are_killed_refused_survive_or_are_not_looked_at() {
    let place = toy("mutate");
    let ran = place.run(&["test", "--mutate"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for expected in [
        "content/toy/core/toy.yaml:47: survived: choices.step where.square_is_taken: dropped",
        "content/toy/core/toy.yaml:36: untouched: events.hailed effects.0.set.pawn.shouts: 1 -> 2",
        "content/toy/core/toy.yaml:115: survived: missions.stroll order: 1 -> 2",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    // A condition that a case asks for, rounds that never end, a default out of bounds.
    for noticed in ["a_tower_stands_there", "table.rounds", "default: 3 -> 4", "max: 3 -> 2", "again: 1 -> 2"] {
        assert!(!ran.out.contains(noticed), "{noticed}: {}", ran.out);
    }
    let json = place.run(&["test", "--mutate", "--json"]).json();
    let counts = ["killed", "refused", "survived", "untouched"].map(|count| json[count].as_u64());
    assert_eq!(counts, [Some(4), Some(2), Some(10), Some(2)], "{json}");
    assert_eq!(json["percent"].to_string(), "33.33");
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let place = toy("mutate_threads");
    let one = place.run(&["test", "--mutate", "--threads", "1"]);
    let three = place.run(&["test", "--mutate", "--threads", "3"]);
    assert_eq!((one.code, one.out), (three.code, three.out));
}

#[test]
fn a_scope_takes_some_changes_and_some_cases() {
    let place = toy("mutate_scope");
    let one = place.run(&["test", "--mutate", "--only", "choices.step", "--at-least", "50"]);
    assert_eq!(one.code, 0, "{}", one.out);
    assert!(one.out.contains("1 killed, 0 refused, 1 survived, 0 untouched"), "{}", one.out);
    assert_eq!(place.run(&["test", "--mutate", "--only", "choices.step", "--at-least", "51"]).code, 1);
    let strange = place.run(&["test", "--mutate", "--only", "choices.ste"]);
    assert_eq!(strange.code, 2);
    assert!(!strange.err.contains("looked at"), "no case has run: {}", strange.err);
    assert_eq!(place.run(&["test", "--mutate", "--pack", "toy/other"]).code, 2);
    assert_eq!(place.run(&["test", "nowhere.yaml", "--mutate"]).code, 2);
    assert_eq!(place.run(&["test", "--only", "choices"]).code, 2);
}

#[test]
fn a_survivor_may_be_excused_and_an_excuse_must_not_be_stale() {
    let place = toy("mutate_excused");
    let excuse = |record: &str, change: &str| {
        let text = format!("survivors:\n  - {{record: {record}, change: '{change}', why: because}}\n");
        place.write("root/content/toy/core/survivors.yaml", text.as_bytes());
        place.run(&["test", "--mutate", "--only", "choices.step"])
    };
    let excused = excuse("choices.step", "where.square_is_taken: dropped");
    assert_eq!(excused.code, 0, "{}", excused.out);
    assert!(excused.out.contains("accepted: choices.step where.square_is_taken: dropped (because)"), "{}", excused.out);
    for (change, why) in
        [("where.a_tower_stands_there: dropped", "a case fails on it now"), ("where.7: dropped", "no such change")]
    {
        let stale = excuse("choices.step", change);
        assert_eq!(stale.code, 1);
        assert!(stale.out.contains("survivors.yaml:2: choices.step") && stale.out.contains(why), "{}", stale.out);
    }
    place.write("root/content/toy/core/survivors.yaml", b"survivors: [{record: choices.step, why: x}]\n");
    assert_eq!(place.run(&["test", "--mutate"]).code, 2);
}

#[test]
fn what_neither_cases_nor_games_come_to_is_named_or_excused() {
    let place = Place::with_copy("reach");
    place.edit("scripts/toy/core/walk.rhai", "if voice == \"hoarse\" { faces[9]; }", "");
    let ran = place.run(&["rules", "toy", "--reach", "--games", "0"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for never in ["toy.yaml:34: never: events.hailed", "never: choices.voice", "never: phases.shouting"] {
        assert!(ran.out.contains(never), "{never}: {}", ran.out);
    }
    assert!(!ran.out.contains("never: choices.step"), "{}", ran.out);
    assert!(ran.out.ends_with("toy: 10 happen, 4 never, 0 accepted\n"), "{}", ran.out);
    let played = place.run(&["rules", "toy", "--reach", "--games", "20", "--seed", "3"]);
    assert_eq!((played.code, played.out.as_str()), (0, "toy: 14 happen, 0 never, 0 accepted\n"), "{}", played.err);
    let excuse = b"unreached: [{record: events.hailed, why: nobody shouts}]\n";
    place.write("root/content/toy/core/survivors.yaml", excuse);
    let excused = place.run(&["rules", "toy", "--reach", "--games", "0"]);
    assert!(excused.out.contains("accepted: events.hailed (nobody shouts)"), "{}", excused.out);
    let stale = place.run(&["rules", "toy", "--reach", "--games", "20"]);
    assert_eq!(stale.code, 1);
    assert!(stale.out.contains("survivors.yaml:1: events.hailed is excused, but it happens"), "{}", stale.out);
}
