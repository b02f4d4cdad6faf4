//! Bad content ends with a defect that names code, place and remedy, and loads nothing.

mod expressions;
mod files;
mod maps;
mod ids;
mod near;
mod packs;
mod patches;
mod records;
mod shapes;
mod scripts;
mod trials;
mod zones;

use std::{fs, path::PathBuf};

use sandtable::{
    content::{Defects, Overlay, Sources, load_with},
    rules::{self, Game},
};

/// The least that a game needs.
const GOOD: &str = "phases:\n  game: {}\n";

/// A pack in memory.
fn pack(name: &str, files: &[(&str, &str)]) -> Overlay {
    let files = files.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string()));
    Overlay { pack: name.into(), files: files.collect() }
}

/// The packs of a small game, the first of which has a flow.
fn packs(texts: &[(&str, &str)]) -> Vec<Overlay> {
    let mut packs = vec![pack("core", &[("flow.yaml", GOOD)])];
    for (name, text) in texts {
        match packs.iter_mut().find(|pack| pack.pack == *name) {
            Some(pack) => pack.files.push(("more.yaml".into(), (*text).into())),
            None => packs.push(pack(name, &[("more.yaml", text)])),
        }
    }
    packs
}

#[track_caller]
fn loaded(overlays: &[Overlay]) -> std::sync::Arc<Game> {
    rules::load_with(&[], "chess", &[], overlays).unwrap_or_else(|defects| panic!("{defects}"))
}

#[track_caller]
fn sources(overlays: &[Overlay]) -> Sources {
    load_with(&[], "chess", &[], overlays).unwrap_or_else(|defects| panic!("{defects}"))
}

/// What is wrong with packs: `code file:line`, message and remedy.
fn defects(overlays: &[Overlay]) -> Vec<[String; 3]> {
    shown(rules::load_with(&[], "chess", &[], overlays).map(|_| ()))
}

fn shown(result: Result<(), Defects>) -> Vec<[String; 3]> {
    let defects = result.err().unwrap_or_default().0.into_iter();
    let each = defects.map(|defect| {
        let place = format!("{} {}:{}", defect.code, defect.file.replace("content/chess/", ""), defect.line);
        [place, defect.message, defect.help.unwrap_or_default()]
    });
    each.collect()
}

/// Exactly one defect: `code file:line`, and parts of its message and remedy.
#[track_caller]
fn one(found: &[[String; 3]], place: &str, message: &str, help: &str) {
    let [only] = found else { panic!("one defect was expected, not {found:#?}") };
    assert!(only[0] == place, "{place} was expected, not {only:#?}");
    assert!(only[1].contains(message), "{message} is not in {only:#?}");
    assert!(only[2].contains(help) && !only[2].is_empty(), "{help} is not in {only:#?}");
}

/// Content of the base pack that has one defect.
#[track_caller]
fn check(text: &str, place: &str, message: &str, help: &str) {
    one(&defects(&packs(&[("core", text)])), place, message, help);
}

/// What is doubtful about the base pack with further content.
#[track_caller]
fn warnings(text: &str) -> Vec<String> {
    let game = loaded(&scripted(text));
    game.warnings.iter().map(|warning| format!("{} {warning}", warning.code)).collect()
}

/// The base pack with further content and a script `x`.
fn scripted(text: &str) -> Vec<Overlay> {
    let script = "fn f() {} fn starts() { let what = \"placed\"; for unit in fact(\"starts\") { emit(what, #{ at: space(unit) }); } }";
    vec![pack("core", &[("flow.yaml", GOOD), ("more.yaml", text), ("x.rhai", script)])]
}

/// What stops a game that begins.
fn fault_of(text: &str, mission: &str) -> String {
    let game = loaded(&[pack("core", &[("more.yaml", text)])]);
    let settings = sandtable::table::Settings::new(mission, 1);
    let table = sandtable::table::Table::start(&game, settings).expect("it starts");
    table.advance().expect_err("it fails").0
}

/// A root on the disk with a good pack, and one more file in it.
fn root(test: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("roots").join(test);
    let _ = fs::remove_dir_all(&root);
    let pack = root.join("content/chess/core");
    fs::create_dir_all(&pack).expect("a folder");
    fs::write(pack.join("pack.yaml"), "name: Chess\nversion: 1.0.0\n").expect("a pack");
    fs::write(pack.join("flow.yaml"), GOOD).expect("a file");
    fs::write(pack.join(file), bytes).expect("a file");
    root
}

/// What is wrong with a root.
fn on_disk(root: &std::path::Path, without: &[String]) -> Vec<[String; 3]> {
    shown(rules::load(&[root.to_path_buf()], "chess", without).map(|_| ()))
}

/// Numbers without a source, and missions that do not fit, are only warnings; what is
/// shipped has none.
#[test]
fn what_is_shipped_has_no_warnings() {
    let roots = [PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")];
    for game in sandtable::content::games(&roots) {
        let game = rules::load(&roots, &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        let warnings: Vec<String> = game.warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn a_number_without_a_source_is_a_warning() {
    let game = loaded(&packs(&[(
        "core",
        "terms:\n  reach: {is: '1 + 8', doc: R}\n  named: {is: 8, doc: N, source: {house: h}}\n",
    )]));
    let warnings: Vec<String> = game.warnings.iter().map(|warning| format!("{} {warning}", warning.code)).collect();
    assert_eq!(
        warnings,
        ["source.missing content/chess/core/more.yaml:2:15: a number of terms.reach does not say where it comes from"]
    );
}
