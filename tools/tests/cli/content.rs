//! Looking at content, bad content, and bad usage.

use crate::table::Place;

#[test]
fn a_record_is_shown_with_its_place_its_text_and_what_names_it() {
    let place = Place::new("show");
    let shown = place.run(&["show", "toy", "kinds.pawn", "--json"]).json()["records"][0].clone();
    assert_eq!((&shown["file"], &shown["line"]), (&"content/toy/core/toy.yaml".into(), &14.into()));
    assert_eq!(shown["source"]["house"], "a toy");
    assert!(
        shown["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("  # Two of them.\n  pawn:\n") && text.ends_with("[piece]\n"))
    );
    let by: Vec<&str> =
        shown["references"].as_array().expect("a list").iter().filter_map(|by| by["by"].as_str()).collect();
    assert!(by.contains(&"events.pawn_placed") && by.contains(&"script walk"), "{by:?}");
    let by = |id: &str| {
        let shown = place.run(&["show", "toy", id, "--json"]).json()["records"][0].clone();
        shown["references"].as_array().expect("a list").iter().map(|by| by["by"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(by("phases.round"), ["\"phases.rounds\""], "a word of a sentence names nothing");
    let wrong = place.run(&["show", "toy", "kinds.pwan"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("did you mean kinds.pawn?"), "{}", wrong.err);
    let events = place.run(&["show", "toy", "events"]);
    assert_eq!(events.code, 0, "{}", events.err);
    let moved = events.out.lines().find(|line| line.starts_with("events.moved  ")).unwrap_or_default();
    assert!(moved.contains("{pawn: entity, to: space}") && moved.contains("toy.yaml:"), "{}", events.out);
    // A record of another section is not meant.
    let far = place.run(&["show", "toy", "kinds.stp"]);
    assert!(!far.err.contains("did you mean"), "{}", far.err);
}

#[test]
fn a_record_is_shown_as_patches_have_left_it_and_by_whom() {
    let place = Place::with_copy("show_patched");
    assert_eq!(place.run(&["show", "toy", "pawn"]).out.matches("kinds.pawn  ").count(), 1, "a bare id is shown once");
    let folder = place.root.join("content/toy/more");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("pack.yaml"), "name: M\nversion: 1.0.0\nrequires: {toy/core: ^1}\n").expect("a file");
    let patches = "patches:\n  a:\n    target: kinds.pawn.mark\n    set: Q\n    source: {house: it}\n  \
                   b: {target: kinds.pawn.tags, add: [small], source: {house: it}}\n";
    std::fs::write(folder.join("p.yaml"), patches).expect("a file");
    for args in [&["show", "toy", "kinds.pawn"][..], &["show", "toy", "kinds", "pawn"], &["show", "toy", "pawn"]] {
        let shown = place.run(args).out;
        for expected in [
            "    mark: Q\n",
            "    tags: [piece, small]\n",
            "patched by toy/more (content/toy/more/p.yaml:4)  set kinds.pawn.mark (was P)\n",
            "patched by toy/more (content/toy/more/p.yaml:6)  add kinds.pawn.tags[small]\n",
        ] {
            assert!(shown.contains(expected), "{expected} is not in {shown}");
        }
    }
    let listed = place.run(&["show", "toy", "kinds"]).out;
    assert!(listed.contains("Pawn  (patched by toy/more)\n"), "{listed}");
}

#[test]
fn what_scripts_can_call_is_listed() {
    let place = Place::with_copy("functions");
    let engine = place.run(&["list", "--functions"]).out;
    let page = include_str!("../../../scripts/README.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    for signature in headings {
        assert!(engine.contains(&format!("  {signature}  ")), "{signature} is not in {engine}");
    }
    assert!(!engine.contains("walk::"), "{engine}");
    place.edit(
        "content/toy/core/toy.yaml",
        "sight:\n",
        "terms:\n  far: {args: [a, b], is: 'a == b', doc: Whether.}\n\nsight:\n",
    );
    place.edit("scripts/toy/core/walk.rhai", "fn ends()", "// The end.\nfn ends()");
    let whole = place.run(&["list", "toy", "--functions"]).out;
    assert!(whole.contains("  far(a, b)  Whether.  content/toy/core/toy.yaml:"), "{whole}");
    assert!(whole.contains("  walk::ends()  The end.  scripts/toy/core/walk.rhai:"), "{whole}");
    let json = place.run(&["list", "--functions", "--json"]).json();
    let emit = &json["functions"][0];
    assert_eq!((&emit["name"], &emit["sort"]), (&"emit".into(), &"acting".into()));
}

#[test]
fn a_further_root_without_content_is_an_error() {
    let place = Place::new("no_root");
    for args in [&["check"][..], &["list"], &["test"]] {
        let ran = place.run(&[&["--root", "mymodd"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains("--root mymodd: there is no folder content/ in it"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn where_no_game_is_every_command_says_so() {
    let mut place = Place::new("no_game");
    place.root = place.folder.join("nowhere");
    for args in [&["list"][..], &["list", "--json"], &["rules"], &["test"], &["test", "--mutate"], &["check"]] {
        let ran = place.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains("there is no game here") && ran.err.contains("--root"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_number_that_is_too_great_is_told_as_it_is_written() {
    let place = Place::with_copy("great");
    place.edit(
        "content/toy/core/toy.yaml",
        "rounds: {of: table, type: int",
        "rounds: {of: table, type: int, max: 99999999999999999999",
    );
    let ran = place.run(&["check"]);
    assert!(ran.err.contains("99999999999999999999 is out of range"), "{}", ran.err);
}

#[test]
fn a_test_file_may_be_named_by_its_real_path() {
    let place = Place::with_copy("real_path");
    let real = place.root.join("content/toy/core/tests/walking.yaml");
    for path in ["walking", "content/toy/core/tests/walking.yaml", "root/content/toy", &real.to_string_lossy()] {
        let ran = place.run(&["test", path]);
        assert!(ran.out.contains(" passed") && !ran.out.starts_with("cases: 0"), "{path}: {}{}", ran.out, ran.err);
    }
    let seed = place.run(&["run", "toy/stroll", "--seed", "-1"]);
    assert!(seed.code == 2 && !seed.err.contains("-- -1") && seed.err.contains("--seed"), "{}", seed.err);
}

#[test]
fn a_line_is_explained_for_every_sight_record_both_ways() {
    let place = Place::new("sight");
    let sight = place.run(&["sight", "toy/stroll", "c1", "c3"]);
    assert_eq!(sight.code, 0, "{}", sight.err);
    for expected in [
        "c1 to c3, distance 2",
        "c3 to c1, distance 2",
        "c2|c3 (wall)",
        "tall: stopped",
        "c2|c3 wall (edges: wall: never) stops it",
        "low: stopped",
        "low: open",
        "c2|c3 wall (edges: wall: viewer_beside) does not stop it: the viewer is beside it",
    ] {
        assert!(sight.out.contains(expected), "{expected}: {}", sight.out);
    }
    let hidden = place.run(&["sight", "toy/stroll", "d3", "b3"]);
    assert!(hidden.out.contains("b3 marsh (hides_in: marsh) stops it"), "{}", hidden.out);
    let wrong = place.run(&["sight", "toy/stroll", "a1", "z9"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("no square z9"), "{}", wrong.err);
    assert!(wrong.err.contains("its columns go from a to d, its rows from 1 to 3"), "{}", wrong.err);
}

#[test]
fn bad_usage_ends_with_two_and_names_what_is_there() {
    let place = Place::new("usage");
    let cases: [(&[&str], &str); 22] = [
        (&[], "Usage"),
        (&["walk"], "unrecognized subcommand"),
        (&["run"], "MISSION"),
        (&["run", "toy"], "write game/mission"),
        (&["run", "tou/stroll"], "did you mean toy?"),
        (&["run", "toy/strol"], "did you mean stroll?"),
        (&["run", "toy/stroll", "--option", "length"], "write name=value"),
        (&["run", "toy/stroll", "--seed", "1", "--option", "length=tall"], "it is one of short, long"),
        (&["play", "toy/stroll", "--seed", "1", "--option", "size=tall"], "it has: length"),
        (&["simulate", "toy/stroll", "-n", "1", "--seed", "1", "--option", "length=tall"], "it is one of short, long"),
        (&["simulate", "toy/stroll", "--threads", "0"], "--threads"),
        (&["play", "toy/stroll", "--resume", "a.jsonl"], "cannot be used with"),
        (&["show", "toy", "stroll.kinds"], "sections: "),
        (&["list", "."], "there is no game ."),
        (&["list", ".."], "games here: toy"),
        (&["run", "../toy/stroll"], "there is no game .."),
        (&["run", "/stroll"], "games here: toy"),
        (&["check", "--without", "toy"], "write game/pack of a game that is there"),
        (&["check", "--without", "toy/core"], "no pack of the game toy is left"),
        (&["simulate", "toy/stroll", "-n", "0"], "--games"),
        (&["test", "--case", "nowhere"], "no case whose name holds nowhere"),
        (
            &["run", "toy/stroll", "--seed", "1", "--option", "length=long", "--option", "length=short"],
            "the option length is given twice",
        ),
    ];
    for (args, expected) in cases {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
    assert!(!place.folder.join("logs").exists());
    assert_eq!(place.run(&["verify", "nothing.jsonl"]).code, 1);
}

#[test]
fn defects_of_records_and_scripts_name_file_and_line() {
    let cases = [
        ("scripts/toy/core/walk.rhai", "emit(\"round_began\")", "emitt(\"round_began\")", "walk.rhai:10"),
        ("scripts/toy/core/walk.rhai", "fn begins() {", "fn begins() { let;", "walk.rhai:10"),
        ("content/toy/core/toy.yaml", "walk::begins()", "walk::begin()", "toy.yaml:72"),
        ("content/toy/core/toy.yaml", "walk::begins()", "walk::begins(1)", "toy.yaml:72"),
        ("content/toy/core/toy.yaml", "tags: [piece]", "tags: 1", "toy.yaml:18"),
        ("scripts/toy/core/walk.rhai", "emit(\"round_began\")", "emit(\"round_bgan\")", "walk.rhai:10"),
        ("scripts/toy/core/walk.rhai", "reason: \"tired\"", "raeson: \"tired\"", "walk.rhai:30"),
        ("scripts/toy/core/walk.rhai", ", reason: \"tired\"", "", "walk.rhai:30"),
        ("scripts/toy/core/walk.rhai", "choose(\"voice\", #{ pawn: pawn })", "choose(\"voice\")", "walk.rhai:22"),
        ("scripts/toy/core/walk.rhai", "\"walking\"", "[1][2]", "walk.rhai:14"),
        ("content/toy/core/toy.yaml", "table(\"rounds\") <", "table(\"ronds\") <", "toy.yaml:68"),
        ("content/toy/core/toy.yaml", "{short: 3, long: 6}", "{}", "toy.yaml:118"),
        ("content/toy/core/toy.yaml", ".T..", ".T.", "toy.yaml:96"),
        ("content/toy/core/toy.yaml", "starts: [a1, d3]", "starts: [a1, d9]", "walk.rhai:6"),
    ];
    for (number, (file, old, new, at)) in cases.into_iter().enumerate() {
        let place = Place::with_copy(&format!("defects_{number}"));
        place.edit(file, old, new);
        let ran = place.run(&["check"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{new}: {}", ran.err);
        assert!(ran.err.contains(at), "{new} at {at}: {}", ran.err);
        assert!(!ran.err.contains('\u{1b}'), "no colours");
        let json = place.run(&["check", "--json"]).json();
        let line = json["games"][0]["defects"][0]["line"].to_string();
        assert!(at.ends_with(&format!(":{line}")), "{json}");
        assert_eq!(json["games"][0]["defects"].as_array().map(Vec::len), Some(1), "{json}");
        assert!(json["games"][0]["defects"][0]["help"].as_str().is_some_and(|help| !help.is_empty()), "{json}");
        let ran = place.run(&["run", "toy/stroll", "--seed", "1"]);
        assert_ne!(ran.code, 0, "{new}: {}", ran.out);
    }
}

#[test]
fn a_defect_of_a_whole_file_has_no_line() {
    let place = Place::with_copy("whole_file");
    std::fs::write(place.folder.join("root/content/toy/core/bad.yaml"), b"\xff").expect("it can be written");
    let ran = place.run(&["check"]);
    assert!(ran.err.contains("content/toy/core/bad.yaml: the file is not UTF-8"), "{}", ran.err);
    let defect = place.run(&["check", "--json"]).json()["games"][0]["defects"][0].clone();
    assert_eq!((&defect["file"], defect.get("line")), (&"content/toy/core/bad.yaml".into(), None));
}

#[test]
fn packs_are_printed_in_the_order_in_which_they_are_loaded() {
    let place = Place::new("order");
    let ran = place.run(&["check", "--order"]);
    assert_eq!(ran.out, "1 toy/core 1.0.0\ntoy: 1 packs, 3 files, no defects\n");
}

#[test]
fn help_has_examples_of_the_content_that_is_there() {
    let place = Place::new("help");
    let whole = place.run(&["--help"]);
    assert_eq!(whole.code, 0);
    assert!(whole.out.contains("sandtable run toy/stroll --option length=long --json"), "{}", whole.out);
    let one = place.run(&["sight", "--help"]);
    assert!(one.out.contains("sandtable sight toy/stroll a1 d3"), "{}", one.out);
    let command = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sandtable"));
        let done = command.current_dir(&place.folder).args(args).output().expect("it runs");
        String::from_utf8(done.stdout).expect("UTF-8")
    };
    assert!(command(&["run", "--help"]).contains("sandtable run GAME/MISSION --seed 7"));
}

#[test]
fn what_is_wrong_in_a_case_is_told_by_check_too() {
    let place = Place::with_copy("check_tests");
    place.edit("content/toy/core/tests/walking.yaml", "scene: stroll", "scene: strol");
    let ran = place.run(&["check", "--json"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let defects = ran.json()["games"][0]["defects"].to_string();
    assert!(defects.contains("there is no scene of this file strol"), "{defects}");
    assert!(defects.contains("did you mean stroll?") && defects.contains("\"line\":8"), "{defects}");
}

#[test]
fn a_snapshot_that_is_accepted_is_written() {
    let place = Place::with_copy("accept");
    let ran = place.run(&["test"]);
    assert!(ran.out.contains("0 changed, 1 not there yet"), "{}", ran.out);
    let ran = place.run(&["test", "--accept"]);
    assert!(ran.out.contains("0 written anew, 1 written for the first time"), "{}", ran.out);
    let ran = place.run(&["test"]);
    assert!(ran.out.ends_with("snapshots: 1 as before, 0 changed\n"), "{}", ran.out);
}
