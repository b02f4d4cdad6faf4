//! What becomes of a log when the program is killed, cannot write, or has a bug; and what it says
//! when nobody watches.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{ChildStdout, Stdio},
};

use crate::table::Place;

/// Reads so many lines of what a program prints; fewer if it ends before.
fn read_lines(out: &mut BufReader<ChildStdout>, n: usize) -> String {
    let mut text = String::new();
    for _ in 0..n {
        if out.read_line(&mut text).expect("UTF-8") == 0 {
            break;
        }
    }
    text
}

/// The log of a killed program is whole up to its last unit, and the game goes on.
#[track_caller]
fn assert_goes_on(place: &Place, log: &str) {
    let resumed = place.run_with(&["play", "--resume", log], "quit\n");
    assert_eq!(resumed.code, 0, "{log}: {}", resumed.err);
    place.assert_proved(log);
}

#[test]
fn a_program_that_is_killed_while_it_writes_leaves_a_log_that_goes_on() {
    let place = Place::with_copy("killed_run");
    place.edit("scripts/toy/core/walk.rhai", "if voice == \"hoarse\" { faces[9]; }", "");
    for n in [0, 1, 2, 5, 9, 14, 20, 27] {
        let log = format!("{n}.jsonl");
        let mut command = place.command(&["run", "toy/stroll", "--seed", "7", "--log", &log]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        let shown = read_lines(&mut out, n);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let there = fs::read(place.folder.join(&log)).unwrap_or_default();
        if !there.contains(&b'\n') {
            assert_eq!(n, 0, "something was shown before it was written");
            assert_eq!(place.run_with(&["play", "--resume", &log], "").code, 1);
            continue;
        }
        // What was shown is in the log.
        let last = shown.lines().rev().find_map(|line| line.split(' ').next()?.parse::<usize>().ok()).unwrap_or(0);
        assert!(there.iter().filter(|byte| **byte == b'\n').count() > last, "{last} was shown");
        assert_goes_on(&place, &log);
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let place = Place::new("killed_play");
    place.play("whole.jsonl", "a2\n1\n");
    let mut command = place.command(&["play", "toy/stroll", "--seed", "7", "--log", "a.jsonl", "--json"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
    let mut input = child.stdin.take().expect("it was piped");
    input.write_all(b"a2\n1\n").expect("it reads");
    assert_eq!(read_lines(&mut out, 3).lines().count(), 3);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(place.lines("a.jsonl"), place.lines("whole.jsonl"));
    assert_goes_on(&place, "a.jsonl");
}

#[test]
fn a_private_answer_that_was_acknowledged_survives_a_kill() {
    let place = Place::secret("killed_private");
    let mut command = place.command(&["play", "toy/toy", "--seed", "7", "--log", "a.jsonl", "--json"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
    let mut input = child.stdin.take().expect("it was piped");
    input.write_all(b"1\n1\n").expect("it reads");
    assert!(read_lines(&mut out, 3).lines().last().is_some_and(|line| line.contains("\"seat\":\"blue\"")));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let resumed = place.run_with(&["play", "--resume", "a.jsonl", "--json"], "");
    assert_eq!(resumed.json()["choice"]["seat"], "blue", "red is not asked again: {}", resumed.out);
    place.assert_proved("a.jsonl");
}

#[test]
fn a_log_that_cannot_be_written_is_said_with_its_place() {
    let place = Place::new("unwritable");
    place.write("file", b"no folder");
    for command in ["run", "play"] {
        let ran = place.run_with(&[command, "toy/stroll", "--seed", "1", "--log", "file/a.jsonl"], "");
        assert_eq!(ran.code, 1, "{}", ran.err);
        let said = ran.err.lines().last().unwrap_or_default();
        assert!(said.starts_with("error: file/a.jsonl: ") && said.ends_with("choose another file"), "{}", ran.err);
    }
    let folder = place.folder.join("shut");
    fs::create_dir(&folder).expect("a folder");
    let mut shut = fs::metadata(&folder).expect("it is there").permissions();
    shut.set_readonly(true);
    fs::set_permissions(&folder, shut).expect("it is ours");
    let ran = place.run(&["run", "toy/stroll", "--seed", "2", "--max-answers", "1", "--log", "shut/a.jsonl"]);
    // Who may write everywhere may write here too.
    let is_written = folder.join("a.jsonl").exists();
    assert_eq!(ran.code, i32::from(!is_written), "{}", ran.err);
    assert_eq!(ran.err.contains("shut/a.jsonl: "), !is_written, "{}", ran.err);
}

#[test]
fn nothing_moves_on_a_stderr_that_is_no_terminal() {
    let place = Place::with_copy("still");
    place.edit("scripts/toy/core/walk.rhai", "if voice == \"hoarse\" { faces[9]; }", "");
    let ran = place.run(&["simulate", "toy/stroll", "-n", "30", "--seed", "5", "--threads", "2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("games a second"), "{}", ran.err);
    assert!(!ran.err.contains(['\r', '\u{1b}']) && ran.err.lines().count() < 4, "{:?}", ran.err);
    assert!(!ran.out.contains(['\r', '\u{1b}']), "{:?}", ran.out);
}

/// Builds with debug assertions can be asked for a bug.
#[test]
fn a_bug_gives_70_and_says_so() {
    let place = Place::new("bug");
    let ran = |asked: bool| {
        let mut command = place.command(&["list"]);
        if asked {
            command.env("SANDTABLE_BUG", "1");
        }
        let done = command.output().expect("it ends");
        (done.status.code(), String::from_utf8(done.stderr).expect("UTF-8"))
    };
    assert_eq!(ran(false).0, Some(0));
    let (code, said) = ran(cfg!(debug_assertions));
    assert_eq!(code, Some(if cfg!(debug_assertions) { 70 } else { 0 }));
    assert_eq!(said.contains("this is a bug of ours"), cfg!(debug_assertions), "{said}");
}
