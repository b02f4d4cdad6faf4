//! Playing: answers, refusals, taking back, ties, ends, many games.

use std::{
    io::{Read as _, Write as _},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::table::Place;

#[test]
fn the_bot_plays_to_the_end_and_its_log_is_proved() {
    let place = Place::new("run");
    let ran = place.run(&["run", "toy/stroll", "--seed", "2", "--max-answers", "4", "--log", "a.jsonl", "--json"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 1), "{}", ran.err);
    assert_eq!(ran.json()["outcome"], "unfinished");
    assert_eq!(ran.json()["reason"], "answers_used_up");
    place.assert_proved("a.jsonl");
    assert!(place.lines("a.jsonl").iter().any(|line| line["event"]["kind"] == "game_stopped"));
    // Without a name the log gets one, and stays as it is when it is there.
    assert_eq!(place.run(&["run", "toy/stroll", "--seed", "2", "--max-answers", "2"]).code, 0);
    let before = place.bytes("logs/toy-stroll-2.jsonl");
    let again = place.run(&["run", "toy/stroll", "--seed", "2", "--max-answers", "3"]);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("is not overwritten"), "{}", again.err);
    assert_eq!(place.bytes("logs/toy-stroll-2.jsonl"), before);
}

#[test]
fn a_seed_that_is_left_out_is_drawn_and_printed() {
    let place = Place::new("seed");
    let ran = place.run(&["run", "toy/stroll", "--log", "a.jsonl", "--json", "--max-answers", "1"]);
    assert!(ran.err.contains(&format!("seed {}", ran.json()["seed"])), "{}", ran.err);
}

#[test]
fn a_game_is_played_to_its_end_by_lines_of_input() {
    let place = Place::new("play");
    let ran = place.play("a.jsonl", "a2\n1\nquiet\n1\n1\nquiet\n1\n1\nloud\n");
    assert!(ran.out.ends_with("over (tired)\n"), "{}", ran.out);
    place.assert_proved("a.jsonl");
    let resumed = place.run(&["play", "--resume", "a.jsonl"]);
    assert_eq!(resumed.code, 0);
    assert!(resumed.out.ends_with("over (tired)\n"), "{}", resumed.out);
}

#[test]
fn answers_that_are_not_legal_are_refused_with_reasons_and_leave_no_trace() {
    let place = Place::new("refused");
    let ran = place.play("a.jsonl", "?b2\nb2\nd3\n99\n\nnowhere\n@3 a2\na2\n");
    for expected in ["not among the answers", "the choice @3 is not open"] {
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    place.play("b.jsonl", "a2\n");
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
    // From a2 there is a tower beside.
    let ran = place.run_with(&["play", "--resume", "a.jsonl"], "?b2\nb2\n");
    assert!(ran.err.contains("Not now: a tower stands there."), "{}", ran.err);
    assert!(ran.err.contains("refused: a tower stands there"), "{}", ran.err);
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
}

#[test]
fn a_line_that_is_no_text_or_far_too_long_is_refused_and_asked_again() {
    let place = Place::new("no_text");
    let input = [b"a\xff2\n\0\n".as_slice(), &[b'1'; 1 << 20], b"\na2\n".as_slice(), &[b'x'; 5000]].concat();
    let ran = place.run_bytes(&["play", "toy/stroll", "--seed", "7", "--log", "a.jsonl"], &input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("refused: the line is not UTF-8"), "{}", ran.err);
    assert!(ran.err.contains("refused: the line has 1048577 bytes, an answer has at most 4096"), "{}", ran.err);
    assert!(ran.err.contains("refused: the line has 5000 bytes"), "{}", ran.err);
    place.assert_proved("a.jsonl");
    place.play("b.jsonl", "a2\n");
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
}

#[test]
fn an_answer_given_twice_meets_the_next_choice_and_is_refused() {
    let place = Place::new("twice");
    let asked = place.play("a.jsonl", "");
    let at = asked.out.lines().find_map(|line| line.strip_prefix('@')).and_then(|line| line.split(' ').next());
    let answer = format!("@{} a2\n", at.expect("a choice"));
    let ran = place.run_with(&["play", "--resume", "a.jsonl"], &answer.repeat(2));
    assert!(ran.err.contains("is not open"), "{}", ran.err);
    place.play("b.jsonl", "a2\n");
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
}

#[test]
fn taking_back_is_in_the_log_and_comes_again() {
    let place = Place::new("undo");
    place.play("a.jsonl", "a2\nundo\nb1\nundo\nundo\na2\n1\nquiet\n");
    assert_eq!(place.lines("a.jsonl").iter().filter(|line| line.get("undone").is_some()).count(), 2);
    place.assert_proved("a.jsonl");
    let ran = place.run_with(&["play", "--resume", "a.jsonl"], "undo\n1\n1\nloud\nundo\n");
    assert!(ran.err.contains("dice have been rolled since") || ran.err.contains("refused"), "{}", ran.err);
    place.assert_proved("a.jsonl");
}

#[test]
fn an_answer_that_gives_itself_is_told() {
    let place = Place::with_copy("only");
    place.edit("content/toy/core/toy.yaml", "[\"quiet\", \"loud\", \"hoarse\"]", "[\"quiet\"]");
    let ran = place.play("a.jsonl", "a2\n1\n");
    let told: Vec<&str> = ran.out.lines().filter(|line| line.contains("only choice")).collect();
    assert_eq!(told.len(), 1, "{}", ran.out);
    assert!(told[0].ends_with(" only choice: quiet (How loud?)"), "{}", told[0]);
}

#[test]
fn one_word_switches_whether_ties_are_asked() {
    let place = Place::new("ties");
    let ran = place.play("a.jsonl", "ties\na2\nright\nc3\n");
    assert!(ran.out.contains("who follows"), "{}", ran.out);
    place.assert_proved("a.jsonl");
    let resumed = place.run_with(&["play", "--resume", "a.jsonl"], "quiet\n");
    assert!(resumed.out.contains("who walks"), "the standing order is kept: {}", resumed.out);
    place.assert_proved("a.jsonl");
}

#[test]
fn a_script_that_fails_takes_its_answer_back() {
    let place = Place::new("fault");
    let ran = place.play("a.jsonl", "a2\n1\nhoarse\nquiet\n");
    assert!(ran.err.contains("scripts/toy/core/walk.rhai:27"), "{}", ran.err);
    assert_eq!(place.lines("a.jsonl").iter().filter(|line| line.get("fault").is_some()).count(), 1);
    assert!(!place.lines("a.jsonl").iter().any(|line| line["event"]["kind"] == "hailed"));
    place.assert_proved("a.jsonl");
    place.run_with(&["play", "--resume", "a.jsonl"], "undo\n1\n");
    place.assert_proved("a.jsonl");
}

#[test]
fn scripts_print_once_with_file_and_line_in_play_and_never_in_simulations() {
    let place = Place::new("print");
    let ran = place.play("a.jsonl", "a2\n1\n");
    assert_eq!(ran.err.matches("scripts/toy/core/walk.rhai:14: walking").count(), 1, "{}", ran.err);
    let ran = place.run(&["simulate", "toy/stroll", "-n", "2", "--seed", "1", "--max-answers", "2"]);
    assert!(!ran.err.contains("walking"), "{}", ran.err);
}

#[test]
fn many_games_give_the_same_bytes_on_any_number_of_threads() {
    let place = Place::with_copy("simulate");
    place.edit("scripts/toy/core/walk.rhai", "if voice == \"hoarse\" { faces[9]; }", "");
    let games = |threads: &str| {
        let ran = place.run(&["simulate", "toy/stroll", "-n", "40", "--seed", "5", "--threads", threads, "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let (one, three) = (games("1"), games("3"));
    assert_eq!(one.out, three.out);
    assert!(three.err.contains("games a second on 3 threads"), "{}", three.err);
    let result = one.json();
    assert_eq!(result["outcomes"][0]["games"], 40);
    assert_eq!(result["outcomes"][0]["low"].to_string(), "91.24");
    assert_eq!(result["unfinished"], 0);
    // Nine answers, and in each round one call for its start and two for its steps.
    assert_eq!(result["per_game"]["answers"].to_string(), "9.0");
    assert_eq!(result["per_game"]["script_calls"].to_string(), "11.0");
    let unfinished = place.run(&["simulate", "toy/stroll", "-n", "4", "--seed", "5", "--max-answers", "3", "--json"]);
    assert_eq!(unfinished.json()["unfinished"], 4);
    assert_eq!(unfinished.json()["outcomes"], serde_json::json!([]));
}

#[test]
fn a_bot_of_the_game_plays_and_an_unknown_one_is_told() {
    let place = Place::with_copy("bots");
    let bots = "bots:\n  meek:\n    doc: d\n    answers:\n      step: {run: 'meek::steps(options)'}\n      voice: {score: 'if it == \"quiet\" { 1 } else { 0 }'}\n";
    place.write("root/content/toy/core/bots.yaml", bots.as_bytes());
    place.write("root/scripts/toy/core/meek.rhai", b"fn steps(options) { options[0] }\n");
    let ran = |command: &[&str]| place.run(&[command, &["--seed", "1", "--bot", "meek", "--json"]].concat());
    let result = ran(&["simulate", "toy/stroll", "-n", "3"]);
    assert_eq!(result.code, 0, "{}", result.err);
    assert_eq!(result.json()["bot"], "meek");
    assert_eq!(result.json()["bot_faults"], 0);
    assert!(result.json()["per_game"]["bot_script_calls"].as_f64() > Some(0.0), "{}", result.out);
    assert_eq!(ran(&["run", "toy/stroll"]).code, 0);
    let unknown = place.run(&["run", "toy/stroll", "--seed", "1", "--bot", "meke"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean meek?\nhint: bots here: random, meek"), "{}", unknown.err);
}

#[test]
fn a_game_that_fails_in_a_simulation_is_named_by_its_seed() {
    let place = Place::new("simulate_fault");
    let ran = |threads: &str| place.run(&["simulate", "toy/stroll", "-n", "9", "--seed", "1", "--threads", threads]);
    let (one, three) = (ran("1"), ran("3"));
    assert_eq!((one.code, three.code), (1, 1));
    let named = |err: &str| err.lines().find(|line| line.contains("the game of seed")).map(str::to_owned);
    assert!(named(&one.err).is_some(), "{}", one.err);
    assert_eq!(named(&one.err), named(&three.err));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new("pipe");
    let mut command = place.command(&["play", "toy/stroll", "--seed", "1", "--log", "a.jsonl"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("it was piped");
    let _ = std::io::Write::write_all(&mut input, "a2\n1\nquiet\n".as_bytes());
    drop(input);
    let mut said = String::new();
    child.stderr.take().expect("it was piped").read_to_string(&mut said).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn the_line_mode_says_what_the_board_shows_and_takes_several_answers() {
    let place = Place::new("line_mode");
    let ran =
        place.play("a.jsonl", "where\nlook b2\nlook z9\nboard\nmarks\ntasks\nshow\nabout\noptions\nhelp\na2 1 quiet\n");
    for expected in ["a1: Left [left], ground", "b2: tower", "  1  P  .", "[ ] Rounds 1/3"] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    for expected in
        ["there is no square z9", "P    Pawn", "Walk about for a while.", "@N NAME", "play --resume a.jsonl"]
    {
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    place.play("b.jsonl", "a2\n1\nquiet\n");
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
    let ran = place.run_with(&["play", "--resume", "a.jsonl"], "1 nowhere quiet\nundo\n");
    assert!(ran.err.contains("nowhere: refused: nowhere is not among"), "{}", ran.err);
    place.assert_proved("a.jsonl");
}

/// Waits until a log holds something; it is written when the first question is asked.
fn wait_for(place: &Place, log: &str) {
    for _ in 0..600 {
        if std::fs::read(place.folder.join(log)).is_ok_and(|bytes| bytes.ends_with(b"\n")) {
            return thread::sleep(Duration::from_secs(1));
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{log} was not written");
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_a_whole_log_and_says_how_to_go_on() {
    let place = Place::new("interrupt");
    let mut command = place.command(&["play", "toy/stroll", "--seed", "7", "--log", "a.jsonl"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it was piped");
    input.write_all(b"a2\n").expect("it reads");
    wait_for(&place, "a.jsonl");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let mut said = String::new();
    child.stderr.take().expect("it was piped").read_to_string(&mut said).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
    assert!(said.contains("play --resume a.jsonl"), "{said}");
    place.assert_proved("a.jsonl");
    drop(input);
}

/// The game on a terminal of its own, made by `script`, after `first`; none where there is no such program.
#[cfg(target_os = "linux")]
fn on_a_terminal(place: &Place, first: &str) -> Option<std::process::Child> {
    let play = place.command(&["play", "toy/stroll", "--seed", "7", "--log", "a.jsonl"]);
    let words: Vec<String> =
        [play.get_program()].into_iter().chain(play.get_args()).map(|it| format!("'{}'", it.display())).collect();
    let line = format!("{first}; exec {}", words.join(" "));
    let mut script = Command::new("script");
    let script = script.args(["-qec", &line, "/dev/null"]).current_dir(&place.folder);
    let script = script.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_is_lost_without_a_signal_ends_the_game() {
    let place = Place::new("lost");
    let Some(mut child) = on_a_terminal(&place, "trap '' HUP; echo $$ > pid; stty rows 24 cols 80") else { return };
    wait_for(&place, "a.jsonl");
    child.kill().expect("it is ended");
    child.wait().expect("it ends");
    let pid = std::fs::read_to_string(place.folder.join("pid")).expect("it was written");
    let there = std::path::Path::new("/proc").join(pid.trim());
    let is_gone = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(100));
        let status = std::fs::read_to_string(there.join("status")).unwrap_or_default();
        !there.exists() || status.contains("State:\tZ")
    });
    assert!(is_gone, "{pid} is still there");
    place.assert_proved("a.jsonl");
}

/// On a terminal of its own.
#[test]
#[cfg(target_os = "linux")]
fn on_a_terminal_the_screen_is_full_and_ctrl_c_leaves_it() {
    let place = Place::new("terminal");
    let Some(mut child) = on_a_terminal(&place, "stty rows 24 cols 80") else { return };
    let mut input = child.stdin.take().expect("it was piped");
    wait_for(&place, "a.jsonl");
    // The page before the first question goes; then a square, as by a line feed; then the end.
    for keys in [&b"\r"[..], b"\t", b"\n", b"\x03"] {
        input.write_all(keys).expect("it reads");
        thread::sleep(Duration::from_millis(500));
    }
    let mut shown = Vec::new();
    child.stdout.take().expect("it was piped").read_to_end(&mut shown).expect("it is read");
    let shown = String::from_utf8_lossy(&shown).into_owned();
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{shown}");
    // The other screen comes and goes, and the last words stand on the first.
    for expected in ["\u{1b}[?1049h", "\u{1b}[?1049l", "Help 1 of 3", "Where to?", "play --resume a.jsonl"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    place.assert_proved("a.jsonl");
    assert!(place.lines("a.jsonl").iter().any(|line| line.get("answered").is_some()));
}

#[test]
fn letters_stand_for_help_taking_back_what_is_not_offered_and_the_end() {
    let place = Place::new("letters");
    let ran = place.play("a.jsonl", "h\na2\nu\na2\n?\nm\ng\nl\nq\nb1\n");
    for expected in [
        "?: what is asked and why not",
        "@N NAME",
        "\nWhere to?\n?NAME says what an answer is",
        "not now, a tower stands there: b2",
        "What may come:",
        "play --resume a.jsonl",
    ] {
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    assert_eq!(ran.out.matches("    a  b  c  d").count(), 2, "the board at first, and again: {}", ran.out);
    assert!(ran.out.matches("pawn_placed").count() > 2, "what happened is told again: {}", ran.out);
    assert_eq!(place.lines("a.jsonl").iter().filter(|line| line.get("undone").is_some()).count(), 1);
    assert_eq!(place.lines("a.jsonl").iter().filter(|line| line["answered"]["answer"] == "b1").count(), 0);
    place.assert_proved("a.jsonl");
}

#[test]
fn the_square_of_a_figure_names_it_where_figures_are_asked() {
    let place = Place::new("by_square");
    place.play("a.jsonl", "ties\na2\nd3\nc3\n");
    place.play("b.jsonl", "ties\na2\nright\nc3\n");
    assert_eq!(place.lines("a.jsonl"), place.lines("b.jsonl"));
}

#[test]
fn a_game_that_is_over_is_not_to_be_gone_on_with() {
    let place = Place::new("over");
    let game = "a2\n1\nquiet\n1\n1\nquiet\n1\n1\nquiet\n";
    place.play("a.jsonl", game);
    let again = place.run(&["play", "toy/stroll", "--seed", "7", "--log", "a.jsonl"]);
    assert!(again.err.contains("that game is over") && !again.err.contains("--resume"), "{}", again.err);
}

#[test]
fn a_question_tells_of_its_answers_and_the_end_of_what_was_to_do() {
    let place = Place::new("told");
    let ran = place.play("a.jsonl", "a2\n1\nquiet\n1\n1\nquiet\n1\n1\nquiet\n");
    assert!(ran.out.contains("  2 loud  (heard: far, by: Left)"), "{}", ran.out);
    assert!(ran.out.ends_with("[x] Rounds 3/3\nover (tired)\n"), "{}", ran.out);
}
