//! Bad content ends with a defect that names code and line, and loads nothing.

use std::{fs, path::PathBuf};

use sandtable::{
    content::{Defects, Overlay},
    rules,
};

const GOOD: &str = "phases:\n  game: {}\n";

/// A root with one pack of one content file, and what loading it gives.
fn load(test: &str, file: &str, bytes: &[u8]) -> Result<(), Defects> {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("roots").join(test);
    let _ = fs::remove_dir_all(&root);
    let pack = root.join("content/chess/core");
    fs::create_dir_all(&pack).expect("a folder");
    fs::write(pack.join("pack.yaml"), "name: Chess\nversion: 1.0.0\n").expect("a pack");
    fs::write(pack.join("flow.yaml"), GOOD).expect("a file");
    fs::write(pack.join(file), bytes).expect("a file");
    rules::load(&[root], "chess", &[]).map(|_| ())
}

#[track_caller]
fn check(test: &str, text: &str, code: &str, line: usize) {
    let defects = load(test, "bad.yaml", text.as_bytes()).expect_err("it must not load");
    let found: Vec<(&str, usize)> = defects.0.iter().map(|defect| (defect.code, defect.line)).collect();
    assert!(found.contains(&(code, line)), "{test}: {found:?}\n{defects}");
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_accepted() {
    let text = "\u{feff}kinds:\r\n  rook: {name: Rook}\r\n";
    load("bom", "good.yaml", text.as_bytes()).unwrap_or_else(|defects| panic!("{defects}"));
}

#[test]
fn files_that_cannot_be_read_name_the_remedy() {
    check("tabs", "kinds:\n\trook: {name: Rook}\n", "file.tabs", 2);
    check("empty", "\n", "file.empty", 1);
    check("twice", "kinds:\n  rook: {name: A}\n  rook: {name: B}\n", "key.twice", 3);
    check("syntax", "kinds:\n  rook: {name: [\n", "file.yaml", 2);
    check("direction", "kinds:\n  rook: {name: \"\u{202e}\"}\n", "file.bidirectional", 2);
    check("shape", "- a\n", "file.shape", 1);
}

#[test]
fn names_and_encodings_of_files_are_checked() {
    let code = |result: Result<(), Defects>| result.expect_err("it must not load").0[0].code;
    assert_eq!(code(load("yml", "bad.yml", b"kinds: {}\n")), "file.ending");
    assert_eq!(code(load("utf8", "bad.yaml", b"kinds: \xff\n")), "file.encoding");
    assert_eq!(code(load("size", "bad.yaml", &vec![b'#'; 2 << 20])), "file.size");
}

#[test]
fn an_alias_bomb_ends_in_a_defect() {
    let mut text = String::from("a0: &a0 {x: 1}\n");
    for level in 1..24 {
        let refs = format!("*a{}, ", level - 1).repeat(9);
        text.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    load("bomb", "bad.yaml", text.as_bytes()).expect_err("it must not load");
}

#[test]
fn fields_and_references_name_the_nearest() {
    check("field", "terms:\n  far: {args: [], iss: '1'}\n", "field.unknown", 2);
    check("missing", "terms:\n  far: {args: []}\n", "field.missing", 2);
    check("expression", "terms:\n  far:\n    is: 'distanc(1, 2)'\n", "expression", 3);
    check("phase", "phases:\n  late: {phases: [gme]}\n", "reference.unknown", 2);
    check("section", "kindz:\n  rook: {name: Rook}\n", "section.unknown", 2);
    check("record", "phases:\n  game: {}\n", "record.twice", 2);
}

#[test]
fn an_overlay_is_a_pack_that_is_read_last() {
    let overlay =
        |pack: &str, file: &str, text: &str| Overlay { pack: pack.into(), files: vec![(file.into(), text.into())] };
    let base = overlay("core", "flow.yaml", GOOD);
    let more = overlay("chess/more", "kinds.yaml", "kinds:\n  rook: {name: Rook}\n");
    let game = rules::load_with(&[], "chess", &[], &[base.clone(), more]).unwrap_or_else(|defects| panic!("{defects}"));
    let packs: Vec<&str> = game.packs.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(packs, ["chess/core", "chess/more"]);
    let bad = overlay("more", "kinds.yaml", "kinds:\n  rook: {}\n");
    let defects = rules::load_with(&[], "chess", &[], &[base, bad]).expect_err("it must not load");
    assert_eq!(defects.0[0].to_string(), "content/chess/more/kinds.yaml:2:9: the field name is missing");
}
