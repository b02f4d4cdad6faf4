//! The tables of `tools/README.md` against what the program prints and writes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::table::Place;

type Fields = BTreeMap<String, BTreeSet<String>>;

const README: &str = include_str!("../../README.md");
/// What a field may be.
const TYPES: [&str; 7] = ["bool", "number", "text", "list", "map", "null", "any"];

/// The rows of the table with this head: names of the first column, and of the second.
fn documented(head: &str) -> Fields {
    let rows = README.lines().skip_while(|line| *line != head).skip(2).take_while(|line| line.starts_with('|'));
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
    each(json, path, &mut |json| found.entry(name.to_owned()).or_default().extend(keys(json)));
}

/// Every value at a path.
fn each(json: &Json, path: &[&str], see: &mut dyn FnMut(&Json)) {
    let Some((first, rest)) = path.split_first() else { return see(json) };
    if let Some(list) = first.strip_suffix("[]") {
        json[list].as_array().into_iter().flatten().for_each(|item| each(item, rest, see));
    } else if let Some(map) = first.strip_suffix("{}") {
        json[map].as_object().into_iter().flatten().for_each(|(_, item)| each(item, rest, see));
    } else {
        each(&json[*first], rest, see);
    }
}

/// The types that the table of outputs gives a field: the words behind it up to a bracket.
fn types_of(output: &str, field: &str) -> Vec<&'static str> {
    let row = README.lines().find(|line| line.starts_with(&format!("| `{output}` |"))).expect("a row");
    let (_, cell) = row[2..].split_once(" | ").expect("a second cell");
    let (_, behind) =
        cell.split_once(&format!("`{field}` ")).unwrap_or_else(|| panic!("{output}: {field} has no type"));
    let words = behind.split(['`', '(', '|']).next().unwrap_or_default();
    let words = words.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| TYPES.contains(word)).collect()
}

fn type_name(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::String(_) => "text",
        Json::Array(_) => "list",
        Json::Object(_) => "map",
    }
}

/// Fields of an output that are of another type than its table says.
fn mistyped(output: &str, json: &Json, path: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    each(json, path, &mut |json| {
        for (field, value) in json.as_object().into_iter().flatten() {
            let (types, found) = (types_of(output, field), type_name(value));
            if !types.contains(&found) && !types.contains(&"any") {
                wrong.push(format!("{output}: {field} is {found}, not {}", types.join(" or ")));
            }
        }
    });
    wrong
}

#[test]
fn every_json_object_has_the_documented_fields() {
    let documented = documented("| output | fields |");
    let place = Place::with_copy("readme_json");
    let mut outputs: Vec<(&str, Json)> = Vec::new();
    let mut print = |name, args: &[&str]| outputs.push((name, place.run(&[args, &["--json"]].concat()).json()));
    print("list", &["list"]);
    print("list GAME", &["list", "toy"]);
    print("list --functions", &["list", "toy", "--functions"]);
    let patch = "content/toy/core/patch.yaml";
    place.write(&format!("root/{patch}"), b"patches: {p: {target: kinds.pawn.mark, set: Q, source: {house: it}}, q: {target: kinds.pawn.tags, add: [a], source: {house: it}}}\n");
    print("show", &["show", "toy", "pawn"]);
    std::fs::remove_file(place.root.join(patch)).expect("it was there");
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
    // Warnings and defects of a further root name it.
    let further = place.folder.join("further/content/toy/more");
    std::fs::create_dir_all(&further).expect("the folder can be made");
    let write = |file: &str, text: &str| std::fs::write(further.join(file), text).expect("it can be written");
    write("pack.yaml", "name: More\nversion: 0.1.0\nabout: more\nrequires: {toy/core: ^1.0}\n");
    for base in ["stroll", "strol"] {
        write("more.yaml", &format!("missions: {{more: {{base: {base}, order: 3}}}}\n"));
        print("check", &["--root", "further", "check"]);
    }
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
    // Defects and warnings of a further root name it.
    place.write(
        "further/content/toy/more/pack.yaml",
        b"name: More\nversion: 0.1.0\nabout: more\nrequires: {toy/core: ^0.1}\n",
    );
    place.write("further/content/toy/more/more.yaml", b"texts: {round: 1}\nkinds: {pown: {tags: [peice]}}\n");
    print("check", &["--root", "further", "check"]);
    place.edit("scripts/toy/core/walk.rhai", "fn begins() { let;", "fn begins() {");
    place.edit("content/toy/core/toy.yaml", "from: neighbours(pawn.at)", "from: neighbours(pawn.at).filter(it, 2 > 1)");
    print("check", &["check"]);
    // Defects and warnings of a further root name it.
    place.write(
        "further/content/toy/more/pack.yaml",
        b"name: More\nversion: 0.1.0\nabout: more\nrequires: {toy/core: ^0.1}\n",
    );
    place.write("further/content/toy/more/more.yaml", b"texts: {round: 1}\nkinds: {pown: {tags: [peice]}}\n");
    print("check", &["--root", "further", "check"]);
    outputs.push(("replay", place.run(&["replay", "a.jsonl", "--at", "20"]).json()));
    let season = Place::season("readme_campaign");
    let campaign = season.run(&["campaign", "season/cup", "--seed", "5", "--log", "cup", "--bot", "random", "--json"]);
    outputs.push(("campaign", campaign.json()));
    outputs.push(("list GAME", season.run(&["list", "season", "--json"]).json()));
    outputs.push(("verify", season.run(&["verify", "cup", "--json"]).json()));
    let logs = campaign.json()["missions"].clone();
    std::fs::remove_file(season.folder.join(logs[0]["log"].as_str().expect("a log"))).expect("it was there");
    outputs.push(("verify", season.run(&["verify", "cup", "--json"]).json()));
    let played = Place::new("readme_play").run_with(&["play", "toy/stroll", "--seed", "1", "--json"], "a2\n1\nquiet\n");
    outputs.extend(played.out.lines().map(|line| ("play", serde_json::from_str(line).expect("JSON"))));

    let (mut found, mut wrong) = (Fields::new(), Vec::new());
    for name in documented.keys() {
        let (output, path): (&str, Vec<&str>) = match name.as_str() {
            name if name.starts_with("verify: rerun ") => {
                let (output, rest) = name.split_once(": difference").unwrap_or((name, ""));
                let below = (output != name).then_some("difference").into_iter().chain(rest.split_whitespace());
                (output, std::iter::once("rerun").chain(below).collect())
            }
            name => {
                let (output, path) = name.split_once(": ").unwrap_or((name, ""));
                (output, path.split_whitespace().collect())
            }
        };
        assert!(outputs.iter().any(|(name, _)| *name == output), "{name} is never printed");
        for (_, json) in outputs.iter().filter(|(name, _)| *name == output) {
            add(&mut found, name, json, &path);
            wrong.extend(mistyped(name, json, &path));
        }
    }
    assert_eq!(found, documented);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
