//! Logs that were cut, edited, reordered, or played with other content.

use std::fs;

use serde_json::Value as Json;

use crate::table::Place;

/// A log with a refused script, an answer taken back, and a standing order.
fn eventful(place: &Place) -> Vec<u8> {
    place.play("whole.jsonl", "a2\nundo\nb1\n1\nties\nhoarse\nloud\nleft\n1\nleft\n1\nquiet\n");
    place.bytes("whole.jsonl")
}

#[test]
fn a_log_cut_at_any_byte_is_refused_or_goes_on_from_its_last_whole_unit() {
    let place = Place::new("cut");
    let whole = eventful(&place);
    let header = whole.iter().position(|byte| *byte == b'\n').expect("a header") + 1;
    let n = whole.len();
    for at in (0..n).step_by(n / 40).chain([header - 1, header, header + 1, n - 2, n - 1]) {
        place.write("cut.jsonl", &whole[..at]);
        let verified = place.run(&["verify", "cut.jsonl"]);
        let resumed = place.run_with(&["play", "--resume", "cut.jsonl"], "quit\n");
        if at < header {
            assert_eq!((verified.code, resumed.code), (1, 1), "cut at {at}: {}", resumed.err);
            assert_eq!(place.bytes("cut.jsonl"), whole[..at], "what is refused is not touched");
        } else {
            assert_eq!((verified.code, resumed.code), (0, 0), "cut at {at}: {}{}", verified.out, resumed.err);
            let cut = !whole[..at].ends_with(b"\n");
            assert!(!cut || verified.err.contains("do not count"), "cut at {at}: {}", verified.err);
            let left_out = verified.err.contains("do not count");
            assert_eq!(left_out, resumed.err.contains("warning: "), "cut at {at}: {}", resumed.err);
            place.assert_proved("cut.jsonl");
        }
    }
}

#[test]
fn a_whole_answer_after_the_last_unit_is_given_again() {
    let place = Place::new("again");
    place.play("whole.jsonl", "a2\n1\nquiet\n");
    let whole = String::from_utf8(place.bytes("whole.jsonl")).expect("UTF-8");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let is_answer = |line: &&&str| line.contains("\"answered\"") && line.contains("\"by\":\"seat\"");
    let last = lines.iter().rposition(|line| is_answer(&line)).expect("an answer");
    place.write("cut.jsonl", lines[..=last].concat().as_bytes());
    let ran = place.run_with(&["play", "--resume", "cut.jsonl"], "quit\n");
    assert!(ran.err.contains("the answer quiet among them is given again"), "{}", ran.err);
    assert_eq!(String::from_utf8(place.bytes("cut.jsonl")).expect("UTF-8"), whole);
}

#[test]
fn edited_and_reordered_logs_are_refused_with_the_line() {
    let place = Place::new("edited");
    let whole = String::from_utf8(eventful(&place)).expect("UTF-8");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let swapped = [&lines[..6], &[lines[7], lines[6]], &lines[8..]].concat().concat();
    let without = [&lines[..6], &lines[7..]].concat().concat();
    for (what, text, line) in [
        ("edited", whole.replacen("\"to\":\"b1\"", "\"to\":\"a2\"", 1).replacen("#b1", "#a2", 1), None),
        ("reordered", swapped, Some(7)),
        ("a line left out", without, Some(7)),
        ("not JSON", whole.replacen("{\"n\":9,", "{\"n\":9;", 1), Some(10)),
        ("another format", whole.replacen("\"format\":1", "\"format\":99", 1), Some(1)),
        ("another seed", whole.replacen("\"seed\":7", "\"seed\":8", 1), Some(1)),
    ] {
        assert_ne!(text, whole, "{what}");
        place.write("bad.jsonl", text.as_bytes());
        let verified = place.run(&["verify", "bad.jsonl"]);
        let named = line.map_or_else(|| "line ".to_owned(), |line| format!("line {line}:"));
        assert_eq!(verified.code, 1, "{what}");
        assert!(
            verified.out.starts_with("chain: not proved") && verified.out.contains(&named),
            "{what}: {}",
            verified.out
        );
        let commands: [&[&str]; 3] = [
            &["play", "--resume", "bad.jsonl"],
            &["fork", "bad.jsonl", "--at", "9"],
            &["replay", "bad.jsonl", "--at", "9"],
        ];
        for command in commands {
            let ran = place.run(command);
            assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{what}: {command:?} {}", ran.err);
        }
        assert_eq!(place.bytes("bad.jsonl"), text.as_bytes());
    }
    place.write("empty.jsonl", b"");
    std::fs::create_dir_all(place.folder.join("folder")).expect("a folder");
    place.write("nothing.jsonl", &[0; 3000]);
    place.write("deep.jsonl", &b"[".repeat(100_000));
    for (file, why) in [
        ("empty.jsonl", "the file is empty"),
        ("folder", "Is a directory"),
        ("nothing.jsonl", "the header is cut off"),
        ("deep.jsonl", "the header is cut off"),
    ] {
        for command in [["verify", file].as_slice(), &["play", "--resume", file], &["replay", file, "--at", "1"]] {
            let ran = place.run(command);
            assert_eq!(ran.code, 1, "{command:?}");
            assert!(format!("{}{}", ran.out, ran.err).contains(why), "{command:?} {}{}", ran.out, ran.err);
            assert!(!ran.err.contains("line 0") && !ran.out.contains("line 0"), "{}{}", ran.out, ran.err);
        }
    }
    let other = place.run(&["verify", "bad.jsonl"]);
    assert!(other.out.contains("was changed"), "{}", other.out);
    place.write("bad.jsonl", whole.replacen("\"format\":1", "\"format\":99", 1).as_bytes());
    let other = place.run(&["verify", "bad.jsonl"]);
    assert!(other.out.contains("format 99 where 1 is read"), "{}", other.out);
}

#[test]
fn only_resuming_refuses_a_log_of_other_content_and_names_the_files() {
    let place = Place::with_copy("other");
    place.play("a.jsonl", "a2\n1\nloud\n");
    place.edit("scripts/toy/core/walk.rhai", "// Walking and shouting.", "// Shouting and walking.");
    let file = "scripts/toy/core/walk.rhai";
    let resumed = place.run(&["play", "--resume", "a.jsonl"]);
    assert_eq!(resumed.code, 1);
    assert!(resumed.err.contains("these files differ") && resumed.err.contains(file), "{}", resumed.err);
    let verified = place.run(&["verify", "a.jsonl"]);
    assert_eq!(verified.code, 1);
    assert!(verified.out.contains("fold: proved"), "{}", verified.out);
    assert!(verified.out.contains(&format!("rerun: not proved: these files differ: {file}")), "{}", verified.out);
    assert_eq!(place.run(&["verify", "a.jsonl", "--current"]).code, 0, "a comment breaks no log");
    place.edit(file, "roll(\"shout\", 2, 6)", "roll(\"shout\", 3, 6)");
    let current = place.run(&["verify", "a.jsonl", "--current"]);
    assert_eq!(current.code, 1);
    assert!(current.out.contains("first difference at record"), "{}", current.out);
    place.edit(file, "#{ pawn: pawn, faces: faces }", "#{ pawn: pawn, faces: [1] }");
    place.edit(file, "roll(\"shout\", 3, 6)", "roll(\"shout\", 2, 6)");
    let current = place.run(&["verify", "a.jsonl", "--current"]);
    assert!(current.out.contains("by phases.shouting, walk::shouts, content/toy/core/toy.yaml:"), "{}", current.out);
    assert!(current.out.contains(", the event hailed:\n  event.fields.faces: was ["), "{}", current.out);
    assert!(current.out.contains(", is [1]\n  by "), "only what differs: {}", current.out);
    let at = place.run(&["verify", "a.jsonl", "--current", "--json"]).json()["rerun"]["difference"]["n"].to_string();
    place.edit(file, "faces: [1] }", "faces: [9][1] }");
    let current = place.run(&["verify", "a.jsonl", "--current"]);
    assert!(current.out.contains(&format!("first difference at record {at}")), "{}", current.out);
    assert!(current.out.contains("by walk::shouts, scripts/toy/core/walk.rhai:26"), "{}", current.out);
    assert_eq!(place.run(&["replay", "a.jsonl", "--at", "20"]).code, 0);
}

#[test]
fn a_fork_ends_with_the_unit_of_its_record_and_goes_on_by_itself() {
    let place = Place::new("fork");
    let whole = eventful(&place);
    let n = place.lines("whole.jsonl").len() as u64;
    for at in [1, n / 3, n / 2, n - 1] {
        let ran =
            place.run(&["fork", "whole.jsonl", "--at", &at.to_string(), "--log", &format!("{at}.jsonl"), "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let forked = place.bytes(&format!("{at}.jsonl"));
        assert!(ran.json()["records"].as_u64() >= Some(at) && whole.starts_with(&forked));
        place.assert_proved(&format!("{at}.jsonl"));
    }
    let (taken, beyond) = (["--at", "1", "--log", "1.jsonl"], ["--at", "9999", "--log", "x.jsonl"]);
    for args in [taken, beyond] {
        assert_eq!(place.run(&[&["fork", "whole.jsonl"], &args[..]].concat()).code, 1);
    }
    assert_eq!(place.run_with(&["play", "--resume", "1.jsonl"], "b1\n1\n").code, 0);
    place.assert_proved("1.jsonl");
    place.assert_proved("whole.jsonl");
}

#[test]
fn an_event_is_explained_down_to_its_record_and_answer() {
    let place = Place::new("explain");
    place.play("a.jsonl", "a2\n1\n");
    let lines = place.lines("a.jsonl");
    let moved = lines.iter().find(|line| line["event"]["kind"] == "moved").expect("an event");
    let number = moved["n"].to_string();
    let explained = place.run(&["explain", "a.jsonl", &number, "--json"]).json();
    assert_eq!(explained["cause"]["record"], "phases.walking");
    assert_eq!(explained["place"]["file"], "content/toy/core/toy.yaml");
    assert_eq!(explained["answer"]["answer"], "a2");
    assert_eq!(place.run(&["explain", "a.jsonl", "1"]).code, 0);
    assert_eq!(place.run(&["explain", "a.jsonl", "9999"]).code, 1);
    let world = place.run(&["replay", "a.jsonl", "--at", &number]).json();
    assert_eq!(world["entities"]["left"]["at"], Json::from("#a2"));
}

#[test]
fn a_log_of_packs_that_are_not_here_says_which() {
    let place = Place::new("further");
    let more = place.folder.join("mod");
    let pack = more.join("content/toy/more");
    fs::create_dir_all(&pack).expect("a folder");
    fs::write(pack.join("pack.yaml"), "name: More\nversion: 1.0.0\nrequires: {toy/core: ^1}\n").expect("a page");
    fs::write(pack.join("more.yaml"), "texts: {stroll: A stroll}\n").expect("a file");
    let more = more.to_string_lossy().into_owned();
    let ran =
        place.run(&["--root", &more, "run", "toy/stroll", "--seed", "2", "--max-answers", "2", "--log", "a.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for args in [&["verify", "a.jsonl"][..], &["play", "--resume", "a.jsonl"]] {
        let ran = place.run(args);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.err.contains("it was played with toy/more"), "{}", ran.err);
    }
}
