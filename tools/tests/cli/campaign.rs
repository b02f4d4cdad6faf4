//! Campaigns: a bot and a person play them, they are stopped and gone on with, and what was exchanged,
//! changed or taken away is told.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::table::{Place, Ran};

fn begin(place: &Place, args: &[&str], input: &str) -> Ran {
    place.run_with(&[&["campaign", "season/cup", "--seed", "5", "--log", "cup"], args].concat(), input)
}

fn bot(place: &Place) -> Ran {
    let ran = begin(place, &["--bot", "random"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// The names of the logs of missions, in order.
fn missions(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.folder.join("cup")).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "campaign.jsonl");
    names.sort();
    names
}

#[track_caller]
fn assert_proved(place: &Place, n_missions: usize) {
    let ran = place.run(&["verify", "cup"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.matches(": proved").count(), 3 + n_missions, "{}", ran.out);
}

#[test]
fn a_bot_plays_a_campaign_and_it_is_proved_with_its_missions() {
    let place = Place::season("campaign_bot");
    let ran = bot(&place);
    assert!(ran.out.contains("mission 1, ") && ran.out.contains("mission 2, "), "{}", ran.out);
    let logs = missions(&place);
    assert!(logs.len() == 2 && logs[0].starts_with("1-") && logs[1].starts_with("2-"), "{logs:?}");
    assert_proved(&place, 2);
    // Each mission's log holds without the campaign.
    for log in logs {
        place.assert_proved(&format!("cup/{log}"));
    }
    let again = begin(&place, &["--bot", "random"], "");
    assert_eq!(again.code, 1);
    assert!(again.err.contains("cup exists and is not overwritten") && again.err.contains("campaign --resume cup"));
}

#[test]
fn the_same_seed_gives_the_same_campaign() {
    let (one, two) = (Place::season("campaign_one"), Place::season("campaign_two"));
    bot(&one);
    bot(&two);
    assert_eq!(missions(&one), missions(&two));
    for log in missions(&one).iter().map(String::as_str).chain(["campaign.jsonl"]) {
        let log = format!("cup/{log}");
        let (a, b) = (one.lines(&log), two.lines(&log));
        // The hash of a mission's log depends on how long somebody took.
        assert_eq!(a.len(), b.len());
    }
}

#[test]
fn it_is_played_by_hand_stopped_anywhere_and_gone_on_with() {
    let place = Place::season("campaign_hand");
    let answers = "train\nundo\nrest\neggs\nrun\nwalk\nrun\nwalk\nrun\ntrain\nnothing\nrun\nrun\nrun\nwalk\nwalk\n";
    let whole = begin(&place, &["--line"], answers);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert_proved(&place, 2);
    // The same, a line at a time.
    let other = Place::season("campaign_lines");
    let first = begin(&other, &["--line"], "train\n");
    assert!(first.code == 0 && first.err.contains("campaign --resume cup"), "{}", first.err);
    for answer in answers.lines().skip(1) {
        let verified = other.run(&["verify", "cup"]);
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
        let ran = other.run_with(&["campaign", "--resume", "cup", "--line"], &format!("{answer}\n"));
        assert_eq!(ran.code, 0, "{answer}: {}", ran.err);
    }
    assert_proved(&other, 2);
    assert_eq!(missions(&place), missions(&other));
    for log in missions(&place) {
        assert_eq!(place.lines(&format!("cup/{log}")), other.lines(&format!("cup/{log}")));
    }
    // What is over says how it has ended.
    let over = other.run(&["campaign", "--resume", "cup/campaign.jsonl"]);
    assert!(over.code == 0 && over.out.contains("over ("), "{}{}", over.out, over.err);
}

#[test]
fn nothing_is_taken_back_past_a_mission() {
    let place = Place::season("campaign_undo");
    let ran = begin(&place, &["--line"], "rest\nnothing\nrun\nrun\nrun\nundo\nundo\nundo\n");
    assert!(ran.err.contains("taken back"), "{}", ran.err);
    assert_proved(&place, 1);
}

#[test]
fn a_killed_campaign_goes_on() {
    for n in [1, 2, 3, 4, 5, 6] {
        let place = Place::season(&format!("campaign_killed_{n}"));
        let mut command = place.command(&["campaign", "season/cup", "--seed", "5", "--log", "cup", "--bot", "random"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut line = String::new();
        for _ in 0..n {
            out.read_line(&mut line).expect("UTF-8");
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let ran = place.run(&["campaign", "--resume", "cup", "--bot", "random"]);
        assert_eq!(ran.code, 0, "{n}: {}", ran.err);
        assert_proved(&place, 2);
    }
}

#[test]
fn a_mission_that_was_over_before_the_campaign_knew_is_counted() {
    let place = Place::season("campaign_late");
    bot(&place);
    // The last unit of the campaign, the report, is gone.
    let text = String::from_utf8(place.bytes("cup/campaign.jsonl")).expect("UTF-8");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let report = lines.iter().rposition(|line| line.contains("\"report\"")).expect("a report");
    for cut in [report, report + 1] {
        place.write("cup/campaign.jsonl", lines[..cut].concat().as_bytes());
        let ran = place.run(&["campaign", "--resume", "cup", "--line"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(!ran.err.contains("not given again"), "{}", ran.err);
        assert_eq!(String::from_utf8(place.bytes("cup/campaign.jsonl")).expect("UTF-8"), text);
    }
}

#[test]
fn logs_that_were_exchanged_changed_or_taken_away_are_told() {
    let place = Place::season("campaign_exchanged");
    bot(&place);
    let logs = missions(&place);
    let (first, second) = (format!("cup/{}", logs[0]), format!("cup/{}", logs[1]));
    let whole = place.bytes(&first);
    let check = |what: &str, says: &str, hint: &str| {
        let verified = place.run(&["verify", "cup"]);
        assert_eq!(verified.code, 1, "{what}");
        let line = verified.out.lines().find(|line| line.starts_with(&first)).expect("it is named");
        assert!(line.contains("not proved") && line.contains(says), "{what}: {line}");
        let resumed = place.run(&["campaign", "--resume", "cup", "--bot", "random"]);
        assert!(resumed.code == 1 && resumed.err.contains(&logs[0]), "{what}: {}", resumed.err);
        assert!(resumed.err.contains(hint), "{what}: {}", resumed.err);
    };
    let back = "put the file back that the campaign wrote";
    fs::remove_file(place.folder.join(&first)).expect("it is there");
    check("missing", "check the name of the file", back);
    place.write(&first, &place.bytes(&second));
    check("exchanged", "its mission is", back);
    place.write(&first, &whole[..whole.len() - 40]);
    check("cut", "the mission is not over", back);
    let edited = String::from_utf8(whole.clone()).expect("UTF-8").replacen("\"run\"", "\"walk\"", 1);
    place.write(&first, edited.replacen("\"walk\"", "\"run\"", 1).replacen("\"miles\":", "\"miles\": ", 1).as_bytes());
    check("edited", "was changed", back);
    place.write(&first, &whole);
    assert_proved(&place, 2);
}

#[test]
fn the_log_of_another_game_of_the_mission_that_is_played_is_told() {
    let place = Place::season("campaign_other");
    begin(&place, &["--line"], "rest\nnothing\nrun\n");
    let log = missions(&place).remove(0);
    let mission = log.trim_start_matches("1-").trim_end_matches(".jsonl").to_owned();
    fs::remove_file(place.folder.join("cup").join(&log)).expect("it is there");
    assert_proved(&place, 1);
    let alone = format!("season/{mission}");
    place.run_with(&["play", &alone, "--seed", "1", "--log", &format!("cup/{log}"), "--line"], "run\n");
    let ran = place.run(&["campaign", "--resume", "cup", "--line"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is not the log of mission 1 of this campaign"), "{}", ran.err);
    assert!(ran.err.contains("move it away and the mission begins anew"), "{}", ran.err);
    let verified = place.run(&["verify", "cup"]);
    assert!(verified.code == 1 && verified.out.contains("its seed is 1"), "{}", verified.out);
    fs::remove_file(place.folder.join("cup").join(&log)).expect("it is there");
    assert_eq!(place.run(&["campaign", "--resume", "cup", "--bot", "random"]).code, 0);
    assert_proved(&place, 2);
}

#[test]
fn other_content_and_damage_are_told() {
    let place = Place::copy_of_season("campaign_content");
    begin(&place, &["--line"], "rest\nnothing\nrun\n");
    place.edit("content/season/core/season.yaml", "length: 9", "length: 8");
    let ran = place.run(&["campaign", "--resume", "cup", "--line"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("played with other content") && ran.err.contains("season.yaml"), "{}", ran.err);
    assert_eq!(place.run(&["verify", "cup"]).code, 1);
    place.edit("content/season/core/season.yaml", "length: 8", "length: 9");
    let whole = String::from_utf8(place.bytes("cup/campaign.jsonl")).expect("UTF-8");
    place.write("cup/campaign.jsonl", whole.replacen("rest", "best", 1).as_bytes());
    let ran = place.run(&["campaign", "--resume", "cup", "--line"]);
    assert!(ran.code == 1 && ran.err.contains("was changed") && ran.err.contains("line "), "{}", ran.err);
    place.write("cup/campaign.jsonl", b"");
    let ran = place.run(&["campaign", "--resume", "cup"]);
    assert!(ran.code == 1 && ran.err.contains("the file is empty"), "{}", ran.err);
    let ran = place.run(&["campaign", "--resume", "nowhere"]);
    assert!(ran.code == 1 && ran.err.contains("nowhere"), "{}", ran.err);
}

#[test]
fn what_is_no_campaign_is_told_with_what_helps() {
    let place = Place::season("campaign_words");
    for (args, says) in [
        (["campaign", "season/cupp"], "did you mean cup?"),
        (["campaign", "season/short_race"], "play it by `sandtable play season/short_race`"),
        (["campaign", "season"], "write game/campaign"),
        (["play", "season/cup"], "play it by `sandtable campaign season/cup`"),
        (["run", "season/cup"], "play it by `sandtable campaign season/cup`"),
    ] {
        let ran = place.run(&args);
        assert!(ran.code == 2 && ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    let ran = place.run(&["campaign", "season/cup", "--bot", "clever", "--log", "c"]);
    assert!(ran.code == 2 && ran.err.contains("clever") && !place.folder.join("c").exists(), "{}", ran.err);
    bot(&place);
    let ran = place.run(&["play", "--resume", "cup/campaign.jsonl", "--line"]);
    assert!(ran.code == 1 && ran.err.contains("campaign --resume"), "{}", ran.err);
    let ran = place.run(&["fork", "cup/campaign.jsonl", "--at", "30"]);
    assert!(ran.code == 1 && ran.err.contains("fork the log of a mission"), "{}", ran.err);
    let mission = format!("cup/{}", missions(&place)[0]);
    let ran = place.run(&["campaign", "--resume", &mission]);
    assert!(ran.code == 1 && ran.err.contains("is the log of a mission"), "{}", ran.err);
}
