//! Seats with secrets: a log for each, and dialogues that go on.

use crate::table::Place;

/// Both seats answer their private questions, and the game goes on a little.
const ANSWERS: &str = "1\n1\n1\n1\na3\npass\n1\n";

fn play(place: &Place, log: &str, input: &str) {
    let ran = place.run_with(&["play", "toy/toy", "--seed", "7", "--log", log], input);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn each_secret_seat_has_a_log_that_folds_and_tells_nothing_of_the_others() {
    let place = Place::secret("seats");
    play(&place, "a.jsonl", ANSWERS);
    place.assert_proved("a.jsonl");
    for seat in ["red", "blue"] {
        let log = format!("a.{seat}.jsonl");
        let ran = place.run(&["verify", &log]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert_eq!(ran.out.matches(": proved").count(), 2, "{}", ran.out);
        let lines = place.lines(&log);
        assert_eq!((&lines[0]["header"]["seat"], &lines[0]["header"]["seed"]), (&seat.into(), &0.into()));
        assert!(!lines.iter().any(|line| line.get("kept").is_some()));
        let of_other = |answered: &serde_json::Value| answered["seat"] != seat && answered["answer"] != "?";
        assert!(!lines.iter().any(|line| line.get("answered").is_some_and(of_other)), "{seat}");
        assert!(lines.iter().any(|line| line["answered"]["seat"] == seat), "{seat}");
        let resumed = place.run_with(&["play", "--resume", &log], "");
        assert_eq!(resumed.code, 1);
        assert!(resumed.err.contains("does not hold the whole game"), "{}", resumed.err);
    }
    let again = place.run_with(&["play", "toy/toy", "--seed", "7", "--log", "a.jsonl"], "");
    assert_eq!(again.code, 1);
    // A log of a seat that is there is not overwritten either.
    place.write("b.red.jsonl", b"mine");
    let other = place.run_with(&["play", "toy/toy", "--seed", "7", "--log", "b.jsonl"], "");
    assert!(other.code == 1 && other.err.contains("b.red.jsonl exists"), "{}", other.err);
    assert_eq!(place.bytes("b.red.jsonl"), b"mine");
}

#[test]
fn a_game_that_stops_in_a_private_dialogue_goes_on_there() {
    let place = Place::secret("dialogue");
    play(&place, "whole.jsonl", ANSWERS);
    // Red has answered both of its questions, blue none.
    let input: Vec<&str> = ANSWERS.split_inclusive('\n').collect();
    for n in 1..input.len() {
        let log = format!("{n}.jsonl");
        play(&place, &log, &input[..n].concat());
        let resumed = place.run_with(&["play", "--resume", &log], &input[n..].concat());
        assert_eq!(resumed.code, 0, "{n}: {}", resumed.err);
        for seat in ["", ".red", ".blue"] {
            let (log, whole) = (format!("{n}{seat}.jsonl"), format!("whole{seat}.jsonl"));
            assert_eq!(place.lines(&log), place.lines(&whole), "{n} {seat}");
        }
        place.assert_proved(&log);
    }
    let asked = place.run_with(&["play", "--resume", "2.jsonl", "--json"], "");
    assert_eq!(asked.json()["end"], serde_json::Value::Null);
    // A log of a seat that is lost is written anew, one of another game is refused.
    std::fs::remove_file(place.folder.join("3.red.jsonl")).expect("it was there");
    assert_eq!(place.run_with(&["play", "--resume", "3.jsonl"], "quit\n").code, 0);
    assert_eq!(place.lines("3.red.jsonl"), place.lines("whole.red.jsonl"));
    place.write("3.red.jsonl", &place.bytes("3.blue.jsonl"));
    let refused = place.run_with(&["play", "--resume", "3.jsonl"], "quit\n");
    assert!(refused.code == 1 && refused.err.contains("is not the log of red"), "{}", refused.err);
}
