//! Files that cannot be read.

use std::{fs, os::unix::fs::symlink};

use sandtable::rules;

use super::{GOOD, check, defects, on_disk, one, pack, packs, root};

#[track_caller]
fn file(test: &str, name: &str, bytes: &[u8], place: &str, message: &str, help: &str) {
    one(&on_disk(&root(test, name, bytes), &[]), place, message, help);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_accepted() {
    let windows = root("bom", "more.yaml", "\u{feff}kinds:\r\n  rook: {name: Rook}\r\n".as_bytes());
    assert!(on_disk(&windows, &[]).is_empty());
    let plain = root("lf", "more.yaml", b"kinds:\n  rook: {name: Rook}\n");
    let hash = |root| sandtable::content::load(&[root], "chess", &[]).map(|sources| sources.packs[0].hash.clone());
    assert_eq!(hash(windows), hash(plain));
}

#[test]
fn names_encodings_and_sizes_are_checked() {
    file("yml", "bad.yml", b"kinds: {}\n", "file.ending core/bad.yml:0", "no content is read", "rename it to .yaml");
    file("txt", "bad.txt", b"kinds: {}\n", "file.ending core/bad.txt:0", "no content is read", "rename it to .yaml");
    file("utf8", "bad.yaml", b"kinds: \xff\n", "file.encoding core/bad.yaml:0", "not UTF-8", "byte is number 8");
    let large = vec![b'#'; 50 << 20];
    file("size", "bad.yaml", &large, "file.size core/bad.yaml:0", "52428800 bytes", "at most 1 MiB");
}

#[test]
fn links_do_not_lead_out_of_a_root() {
    let outside = root("outside", "more.yaml", b"kinds:\n  rook: {name: Rook}\n").join("content/chess/core");
    let here = root("links", "more.yaml", b"kinds: {}\n").join("content/chess/core");
    symlink(outside.join("more.yaml"), here.join("link.yaml")).expect("a link");
    let found = on_disk(&here.join("../../.."), &[]);
    one(&found, "file.outside core/link.yaml:0", "outside of its root", "copy it into the root");
    fs::remove_file(here.join("link.yaml")).expect("it is there");
    symlink(&outside, here.join("link")).expect("a link");
    one(&on_disk(&here.join("../../.."), &[]), "file.outside core/link:0", "not followed", "copy the folder");
    fs::remove_file(here.join("link")).expect("it is there");
    symlink(here.join("nowhere.yaml"), here.join("link.yaml")).expect("a link");
    one(&on_disk(&here.join("../../.."), &[]), "file.unreadable core/link.yaml:0", "No such file", "delete it");
    fs::remove_file(here.join("link.yaml")).expect("it is there");
    fs::create_dir_all(here.join("../more")).expect("a folder");
    symlink(outside.join("pack.yaml"), here.join("../more/pack.yaml")).expect("a link");
    one(&on_disk(&here.join("../../.."), &[]), "file.outside more/pack.yaml:0", "outside of its root", "copy it");
}

#[test]
fn text_that_is_no_yaml_names_the_remedy() {
    check("\n", "file.empty core/more.yaml:1", "empty", "delete it, or write a section with a record");
    check("# Later.\n", "file.empty core/more.yaml:1", "nothing but comments", "delete it");
    check("kinds:\n\trook: {name: Rook}\n", "file.tabs core/more.yaml:2", "a tab", "indent with spaces");
    check("texts:\n  note: As Hit: and Run\n", "file.yaml core/more.yaml:2", "mapping values", "is quoted");
    check("texts:\n  note: {says: Win: one}\n", "file.yaml core/more.yaml:2", "", "is quoted");
    check("kinds:\n  rook: {name: [\n", "file.yaml core/more.yaml:2", "", "mend the YAML here");
    check("kinds:\n  rook: {name: \"\u{202e}\"}\n", "file.bidirectional core/more.yaml:2", "direction", "remove it");
    check("- a\n", "file.shape core/more.yaml:1", "holds a list", "write sections");
    check("kinds: 3\n", "file.shape core/more.yaml:1", "section kinds holds a number", "write records by id");
    check("kinds:\n  rook: !king {name: Rook}\n", "file.tag core/more.yaml:2", "king", "take the tag away");
    check("terms:\n  far: {is: !near}\n", "file.tag core/more.yaml:2", "near", "quote an expression");
    let open = "terms:\n  far: {is: 1, doc: x\n  near: {is: 2, doc: y}\n  next: {is: 3, doc: z}\n";
    check(open, "file.yaml core/more.yaml:2", "a `{` is opened here and not closed", "mend the YAML here: close it");
    let unquoted = "phases:\n  late: {step: emit(\"rung\", #{times: 1})}\n  more: {}\n  rest: {}\n";
    check(unquoted, "file.yaml core/more.yaml:2", "`#` begins a comment here", "quote the expression");
    check("kinds:\n  rook: {name: Rook, worth: 1.5}\n", "file.yaml core/more.yaml:2", "1.5 is not a whole", "mend");
    for huge in ["9223372036854775808", "-9223372036854775809", "99999999999999999999", "1".repeat(60).as_str(), "1e40"]
    {
        let text = format!("kinds:\n  rook: {{name: Rook, worth: {huge}}}\n");
        check(&text, "file.yaml core/more.yaml:2", "is out of range; a number lies between", "rest of the file");
    }
    check("kinds: {}\n---\nkinds: {}\n", "file.too_much core/more.yaml:2", "more than one document", "split the file");
}

/// A game whose one file of a name is empty: what it is told to write there is enough.
#[test]
fn the_remedy_for_an_empty_file_is_content_that_loads() {
    let mission = "legends: {l: {cells: {'.': [plain]}}}\ntiles: {t: {legend: l, cells: '.'}}\n\
        missions: {short: {name: S, briefing: B, order: 1, tiles: [[t]], source: {house: h}}}\n";
    let files = |name: &str, text: &str| {
        [("flow.yaml", GOOD), ("m.yaml", mission), (name, text)].map(|(a, b)| (a.to_string(), b.to_string()))
    };
    let loaded = |name: &str, text: &str| {
        let root = root("least", "m.yaml", mission.as_bytes());
        for (name, text) in files(name, text) {
            let path = root.join("content/chess/core").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        sandtable::testkit::Kit::load(&[root], "chess", &[]).map_err(|defects| defects.0)
    };
    for (name, from, to) in [("pack.yaml", "name:", ""), ("tests/t.yaml", "scenes:", "MISSION")] {
        let found = loaded(name, "").err().unwrap_or_default();
        let [only] = &found[..] else { panic!("one defect was expected, not {found:#?}") };
        let help = only.help.clone().unwrap_or_default();
        let least = &help[help.find(from).expect("content")..];
        let least = if to.is_empty() { least.to_string() } else { least.replace(to, "short") };
        let kit = loaded(name, &least).unwrap_or_else(|defects| panic!("{least}: {defects:?}"));
        for suite in &kit.suites {
            let report = kit.run(suite, &suite.cases[0]);
            assert_eq!(report.verdict, sandtable::testkit::Verdict::Passed, "{least}");
        }
    }
    for name in ["rules.yaml", "survivors.yaml"] {
        let found = loaded(name, "").err().unwrap_or_default();
        let help = found[0].help.clone().unwrap_or_default();
        let lines: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
        assert!(loaded(name, &lines.join("\n")).is_ok(), "{help}");
    }
}

#[test]
fn a_key_that_stands_twice_is_a_defect() {
    let text = "kinds:\n  rook: {name: A}\n  rook: {name: B}\n";
    check(text, "key.twice core/more.yaml:3", "the key rook stands twice", "in line 2 already: rename one of the two");
    check("kinds:\n  rook: {name: A, name: B}\n", "key.twice core/more.yaml:2", "name", "in the same line: rename");
    let sections = "kinds:\n  rook: {name: A}\ntexts: {a: b}\nkinds:\n  king: {name: B}\n";
    check(
        sections,
        "key.twice core/more.yaml:4",
        "the key kinds stands twice",
        "line 1 already: move what stands below",
    );
}

#[test]
fn alias_bombs_and_deep_nesting_end_in_a_defect() {
    let mut text = String::from("a0: &a0 {x: 1}\n");
    for level in 1..24 {
        let refs = format!("*a{}, ", level - 1).repeat(9);
        text.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    let found = defects(&packs(&[("core", &text)]));
    assert!(found[0][0].starts_with("file.too_much core/more.yaml:"), "{found:#?}");
    assert!(found[0][2].contains("fewer aliases"), "{found:#?}");
    for open in ["[", "{a: ", "- "] {
        let found = defects(&packs(&[("core", &open.repeat(200_000))]));
        assert!(found[0][0].starts_with("file.too_much core/more.yaml:1"), "{found:#?}");
        assert!(found[0][2].contains("fewer aliases and levels"));
    }
    let found = defects(&packs(&[("core", "kinds: &all {rook: *all}\n")]));
    assert!(found[0][0].starts_with("file."), "{found:#?}");
}

#[test]
fn every_defect_of_every_file_is_told_at_once() {
    let files = [("flow.yaml", "phases:\n  game: {}\n"), ("a.yaml", "- a\n"), ("b.yaml", "\n"), ("c.yaml", "x: 1\n")];
    let codes: Vec<String> = defects(&[pack("core", &files)]).into_iter().map(|[place, ..]| place).collect();
    assert_eq!(codes, ["file.shape core/a.yaml:1", "file.empty core/b.yaml:1", "file.shape core/c.yaml:1"]);
}

#[test]
fn a_defect_on_a_very_long_line_is_told_without_its_picture() {
    let long = format!("kinds:\n  rook: {{name: Rook, tags: [{}], wings: 3}}\n", "a, ".repeat(40_000));
    let found = rules::load_with(&[], "chess", &[], &packs(&[("core", &long)])).expect_err("wings are unknown");
    let defect = found.0.into_iter().next().expect("a defect");
    let shown = format!("{:?}", miette::Report::new(defect));
    assert!(shown.contains("wings") && shown.len() < 4000, "{} bytes", shown.len());
}

#[test]
fn ids_and_what_events_touch_are_checked() {
    check("kinds:\n  'a rook': {name: Rook}\n", "record.id core/more.yaml:2", "a rook", "no blanks");
    let event = "events:\n  e: {doc: E, fields: {a: int}, effects: [{set: {table.nope: a}}]}\n";
    check(event, "reference.unknown core/more.yaml:2", "sets nope", "");
}

#[test]
fn scripts_that_belong_to_no_pack_are_told() {
    let root = root("stray", "more.yaml", b"texts: {a: b}\n");
    let told = || {
        let found = sandtable::content::stray_scripts(std::slice::from_ref(&root)).into_iter();
        found.map(|warning| format!("{warning} ({})", warning.help.clone().unwrap_or_default())).collect::<Vec<_>>()
    };
    let write = |path: &str| {
        let path = root.join("scripts").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, "fn f() {}\n").expect("a file");
    };
    write("chess/core/x.rhai");
    write("README.md");
    assert_eq!(told(), [""; 0]);
    ["chess/cor/x.rhai", "chess/x.rhai", "ludo/core/x.rhai"].into_iter().for_each(write);
    assert_eq!(
        told(),
        [
            "scripts/chess/cor: there is no pack chess/cor, so these scripts are not read (did you mean scripts/chess/core?)",
            "scripts/ludo/core: there is no pack ludo/core, so these scripts are not read \
             (name it as its pack, or write content/ludo/core/pack.yaml)",
            "scripts/chess/x.rhai: this script lies in the folder of no pack and is not read (move it to scripts/GAME/PACK/)",
        ]
    );
}

#[test]
fn a_defect_in_a_further_root_names_the_root() {
    let first = root("first_root", "more.yaml", b"texts: {a: b}\n");
    let further = root("further_root", "more.yaml", b"texts: {a: b}\n");
    let pack = further.join("content/chess");
    fs::rename(pack.join("core"), pack.join("more")).expect("a folder");
    fs::remove_file(pack.join("more/flow.yaml")).expect("a file");
    fs::write(pack.join("more/more.yaml"), "terms: {t: {is: '1 +'}}\n").expect("a file");
    let told = rules::load(&[first, further.clone()], "chess", &[]).err().unwrap_or_default().to_string();
    let place = format!("{}/content/chess/more/more.yaml:1:17: ", further.display());
    assert!(told.starts_with(&place), "{told}");
}
