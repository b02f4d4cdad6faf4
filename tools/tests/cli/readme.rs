//! The tables of `tools/README.md` against what the program prints and writes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::table::Place;

type Fields = BTreeMap<String, BTreeSet<String>>;

/// The rows of the table with this head: names of the first column, and of the second.
fn documented(head: &str) -> Fields {
    let readme = include_str!("../../README.md");
    let rows = readme.lines().skip_while(|line| *line != head).skip(2).take_while(|line| line.starts_with('|'));
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut fields = Fields::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        for name in quoted(cells[0]) {
            let known = fields.insert(name.clone(), quoted(cells[1]).into_iter().collect());
            assert!(known.is_none(), "{name} stands twice");
        }
    }
    assert!(!fields.is_empty(), "{head}");
    fields
}

fn keys(json: &Json) -> BTreeSet<String> {
    json.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// Adds the fields of a value under a name; of a path in it, `a[]` for the items of `a`.
fn add(found: &mut Fields, name: &str, json: &Json, path: &[&str]) {
    let Some((first, rest)) = path.split_first() else {
        found.entry(name.to_owned()).or_default().extend(keys(json));
        return;
    };
    if let Some(list) = first.strip_suffix("[]") {
        for item in json[list].as_array().into_iter().flatten() {
            add(found, name, item, rest);
        }
    } else if let Some(map) = first.strip_suffix("{}") {
        for item in json[map].as_object().into_iter().flatten() {
            add(found, name, item.1, rest);
        }
    } else {
        add(found, name, &json[*first], rest);
    }
}

#[test]
fn every_json_object_has_the_documented_fields() {
    let documented = documented("| output | fields |");
    let place = Place::with_copy("readme_json");
    let mut outputs: Vec<(&str, Json)> = Vec::new();
    let mut print = |name, args: &[&str]| outputs.push((name, place.run(&[args, &["--json"]].concat()).json()));
    print("list", &["list"]);
    print("list GAME", &["list", "toy"]);
    print("show", &["show", "toy", "pawn"]);
    print("sight", &["sight", "toy/stroll", "a1", "d3"]);
    print("rules", &["rules", "toy"]);
    print("test", &["test", "--accept"]);
    place.write(
        "root/content/toy/core/survivors.yaml",
        b"survivors: [{record: missions.stroll, change: 'order: 1 -> 2', why: it only orders}]
unreached: [{record: choices.voice, why: nobody speaks}]",
    );
    print("test --mutate", &["test", "--mutate"]);
    print("rules --reach", &["rules", "toy", "--reach", "--games", "0"]);
    print("check", &["check"]);
    print("run", &["run", "toy/stroll", "--seed", "1", "--max-answers", "2"]);
    place.edit("scripts/toy/core/walk.rhai", "fn begins() {", "fn begins() { [][9];");
    print("run that fails", &["run", "toy/stroll", "--seed", "1", "--log", "failed.jsonl"]);
    print("simulate that fails", &["simulate", "toy/stroll", "-n", "2", "--seed", "1"]);
    place.edit("scripts/toy/core/walk.rhai", "fn begins() { [][9];", "fn begins() {");
    place.edit("scripts/toy/core/walk.rhai", "if voice == \"hoarse\" { faces[9]; }", "");
    print("simulate", &["simulate", "toy/stroll", "-n", "2", "--seed", "1"]);
    print("simulate --profile", &["simulate", "toy/stroll", "-n", "2", "--seed", "1", "--profile", "--check"]);
    place.play("a.jsonl", "a2\n1\nloud\n");
    let moved =
        place.lines("a.jsonl").iter().find(|line| line["event"]["kind"] == "moved").map(|line| line["n"].to_string());
    print("explain", &["explain", "a.jsonl", &moved.expect("an event")]);
    print("fork", &["fork", "a.jsonl", "--at", "3", "--log", "b.jsonl"]);
    let whole = place.bytes("a.jsonl");
    place.write("cut.jsonl", &whole[..whole.len() - 3]);
    print("verify", &["verify", "cut.jsonl"]);
    place.edit("scripts/toy/core/walk.rhai", "faces: faces }", "faces: [] }");
    print("verify: rerun on other content", &["verify", "a.jsonl"]);
    print("verify: rerun with a difference", &["verify", "a.jsonl", "--current"]);
    place.edit("scripts/toy/core/walk.rhai", "fn begins() {", "fn begins() { let;");
    print("check", &["check"]);
    place.edit("scripts/toy/core/walk.rhai", "fn begins() { let;", "fn begins() {");
    place.edit("content/toy/core/toy.yaml", "from: neighbours(pawn.at)", "from: neighbours(pawn.at).filter(it, 2 > 1)");
    print("check", &["check"]);
    outputs.push(("replay", place.run(&["replay", "a.jsonl", "--at", "20"]).json()));
    let played = Place::new("readme_play").run_with(&["play", "toy/stroll", "--seed", "1", "--json"], "a2\n1\nquiet\n");
    outputs.extend(played.out.lines().map(|line| ("play", serde_json::from_str(line).expect("JSON"))));

    let mut found = Fields::new();
    for name in documented.keys() {
        let (output, path) = match name.as_str() {
            name if name.starts_with("verify: rerun ") => {
                let (output, rest) =
                    name.split_once(": difference").map_or((name, false), |(output, _)| (output, true));
                (output, if rest { vec!["rerun", "difference"] } else { vec!["rerun"] })
            }
            name => {
                let (output, path) = name.split_once(": ").unwrap_or((name, ""));
                (output, path.split_whitespace().collect())
            }
        };
        assert!(outputs.iter().any(|(name, _)| *name == output), "{name} is never printed");
        for (_, json) in outputs.iter().filter(|(name, _)| *name == output) {
            add(&mut found, name, json, &path);
        }
    }
    assert_eq!(found, documented);
    let printed: BTreeSet<&str> = outputs.iter().map(|(name, _)| *name).collect();
    assert!(printed.iter().all(|name| documented.contains_key(*name)), "{printed:?}");
}

#[test]
fn every_record_and_change_of_a_log_is_documented() {
    let place = Place::new("readme_log");
    place.play("a.jsonl", "a2\nundo\na2\n1\nties\nhoarse\nloud\nleft\n1\nleft\n1\nquiet\nleft\n1\nleft\n1\nquiet\n");
    let mut lines = place.lines("a.jsonl");
    let secret = Place::secret("readme_secret");
    secret.run_with(&["play", "toy/toy", "--seed", "7", "--log", "b.jsonl"], "1\n1\nundo\n");
    lines.extend(secret.lines("b.jsonl").into_iter().filter(|line| line.get("kept").is_some()));
    let (mut records, mut changes) = (Fields::new(), Fields::new());
    for line in &lines {
        let kind = keys(line).into_iter().find(|key| !matches!(key.as_str(), "n" | "hash")).expect("a record");
        add(&mut records, &kind, line, &[&kind]);
        for change in line["event"]["changes"].as_array().into_iter().flatten() {
            let operation = keys(change).into_iter().next().expect("an operation");
            add(&mut changes, &operation, change, &[&operation]);
        }
    }
    assert_eq!(records, documented("| record | fields |"));
    let known = documented("| change | form |");
    for (operation, fields) in &changes {
        let known = known.get(operation).unwrap_or_else(|| panic!("{operation} is not documented"));
        assert!(fields.is_subset(known), "{operation}: {fields:?}");
    }
    assert!(changes.len() >= 6, "{changes:?}");
}
