//! Packs: order, requirements, leaving out, packs in memory.

use super::{defects, loaded, on_disk, one, pack, packs, root, sources};

#[test]
fn an_overlay_is_a_pack_that_is_read_last() {
    let game = loaded(&packs(&[("chess/more", "kinds:\n  rook: {name: Rook}\n")]));
    let names: Vec<&str> = game.packs.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["chess/core", "chess/more"]);
}

#[test]
fn tests_and_ledgers_are_read_and_change_no_hash() {
    let before = loaded(&packs(&[]));
    let mut with = packs(&[]);
    with[0].files.push(("tests/moves.yaml".into(), "cases: []\n".into()));
    with[0].files.push(("rules.yaml".into(), "- id: chess.move\n".into()));
    let sources = sources(&with);
    assert_eq!((sources.tests.len(), sources.ledgers.len()), (1, 1));
    assert_eq!(sources.files[sources.tests[0].0].path, "content/chess/core/tests/moves.yaml");
    let after = loaded(&with);
    assert_eq!((&before.packs, &before.files), (&after.packs, &after.files));
    with[0].files[1].1 = "cases: [\n".into();
    one(&defects(&with), "file.yaml core/tests/moves.yaml:1", "", "mend the YAML");
}

#[test]
fn logs_are_no_content() {
    let before = loaded(&packs(&[]));
    let mut with = packs(&[]);
    with[0].files.push(("logs/a_game.jsonl".into(), "{}\n".into()));
    with[0].files.push(("logs/a_game.answers".into(), "a1\n".into()));
    let after = loaded(&with);
    assert_eq!((&before.packs, &before.files), (&after.packs, &after.files));
}

#[test]
fn what_a_pack_requires_must_be_there() {
    let requires = |name: &str, text: &str| {
        let page = format!("name: A\nversion: 1.0.0\nrequires: {text}\n");
        pack(name, &[("pack.yaml", &page), ("more.yaml", "texts: {}\n")])
    };
    let with = |overlay| [packs(&[]), vec![overlay]].concat();
    let missing = defects(&with(requires("more", "{chess/none: ^1}")));
    one(&missing, "pack.requirement more/pack.yaml:3", "no root brings", "--root");
    let newer = defects(&with(requires("more", "{chess/core: ^2}")));
    one(&newer, "pack.requirement more/pack.yaml:3", "requires chess/core ^2, but there is 0.0.0", "--root");
    let shape = defects(&with(requires("more", "[chess/core]")));
    one(&shape, "pack.requires more/pack.yaml:3", "a list", "game/core: ^0.1");
    let version = defects(&with(requires("more", "{chess/core: newest}")));
    one(&version, "pack.requires more/pack.yaml:3", "newest is no requirement", "^0.1");
    let circle = [packs(&[]), vec![requires("a", "{chess/b: ^1}"), requires("b", "{chess/a: ^1}")]].concat();
    let circle = defects(&circle);
    assert_eq!(circle[0][0], "pack.requirement a/pack.yaml:3");
    assert_eq!(circle[1][0], "pack.requirement b/pack.yaml:3");
    assert!(circle[0][1].contains("chess/a and chess/b wait for each other"), "{circle:#?}");
}

#[test]
fn the_page_of_a_pack_is_checked() {
    let page = |text: &str| defects(&[packs(&[]), vec![pack("more", &[("pack.yaml", text)])]].concat());
    one(&page("name: A\n"), "pack.version more/pack.yaml:1", "no version", "version: 0.1.0");
    one(&page("name: A\nversion: new\n"), "pack.version more/pack.yaml:2", "new is no version", "1.2.3");
    let misspelt = page("name: A\nversion: 1.0.0\nrequire: {}\n");
    one(&misspelt, "field.unknown more/pack.yaml:3", "no field require", "did you mean requires?");
    let twice = defects(&packs(&[("more", "texts: {}\n"), ("chess/more", "texts: {}\n")]));
    one(&twice, "pack.twice more/pack.yaml:1", "there twice", "rename one of them, or name one --root less");
    let root = root("page", "more.yaml", b"texts: {}\n");
    std::fs::remove_file(root.join("content/chess/core/pack.yaml")).expect("it is there");
    one(&on_disk(&root, &[]), "pack.missing core:0", "no pack.yaml", "write one");
}

#[test]
fn what_is_left_out_must_be_there() {
    let root = root("without", "more.yaml", b"texts: {}\n");
    let found = on_disk(&root, &["chess/cor".into()]);
    one(&found, "pack.unknown cor:0", "there is no pack chess/cor", "did you mean chess/core?");
    let found = on_disk(&root, &["chess/core".into()]);
    assert!(found[0][0].starts_with("game.unknown"), "{found:#?}");
    let more = root.join("content/chess/more");
    std::fs::create_dir_all(&more).expect("a folder");
    let page = "name: More\nversion: 1.0.0\nrequires: {chess/core: ^1}\n";
    std::fs::write(more.join("pack.yaml"), page).expect("a pack");
    assert!(on_disk(&root, &["chess/more".into()]).is_empty());
    let found = on_disk(&root, &["chess/core".into()]);
    let message = "chess/more requires chess/core, which is left out";
    one(&found, "pack.requirement more/pack.yaml:3", message, "leave this pack out too");
    std::fs::remove_dir_all(&more).expect("it is there");
    let other = sandtable::rules::load(std::slice::from_ref(&root), "ches", &[]).expect_err("there is none");
    assert_eq!(other.0[0].code, "game.unknown");
    assert!(other.0[0].help.as_ref().is_some_and(|help| help.contains("did you mean chess?")));
}
