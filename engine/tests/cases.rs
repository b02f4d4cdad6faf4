//! Every content test of this repository and of the packs that its tests stack on it, and its snapshot.

use std::path::{Path, PathBuf};

use sandtable::{
    content::games,
    script::with_stack,
    testkit::{Kit, Verdict, snapshot_file, snapshot_text},
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Packs that stand on those of this repository and change none of their files.
fn mods() -> PathBuf {
    root().join("engine/tests/mods")
}

#[test]
fn every_content_case_passes_and_its_stream_is_as_in_the_snapshot() {
    run_all(&[root()], &root());
}

#[test]
fn packs_of_other_roots_bring_everything_that_a_pack_can() {
    run_all(&[root(), mods()], &mods());
}

#[test]
fn a_campaign_is_tested_with_the_reports_of_its_missions() {
    let season = root().join("engine/tests/season");
    run_all(std::slice::from_ref(&season), &season);
}

#[test]
fn what_lies_face_down_is_of_its_back_for_whoever_looks() {
    for root in ["backs", "masked"].map(|game| root().join("engine/tests").join(game)) {
        run_all(std::slice::from_ref(&root), &root);
    }
}

#[test]
fn each_pack_of_another_root_can_be_left_out() {
    for game in games(&[mods()]) {
        let packs = std::fs::read_dir(mods().join("content").join(&game)).expect("a folder");
        let packs: Vec<String> =
            packs.map(|entry| format!("{game}/{}", entry.expect("a folder").file_name().to_string_lossy())).collect();
        let whole = Kit::load(&[root(), mods()], &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        assert!(packs.len() > 1);
        for pack in packs {
            let without = [pack.clone()];
            let kit = Kit::load(&[root(), mods()], &game, &without).unwrap_or_else(|defects| panic!("{defects}"));
            assert_eq!(kit.game.packs.len() + 1, whole.game.packs.len(), "{pack}");
        }
    }
}

/// A scenario of its own on the general rules of a game: the game's other scenarios stay out.
#[test]
fn a_further_scenario_needs_only_the_packs_that_it_requires() {
    let scenario = root().join("engine/tests/scenario");
    let game = games(std::slice::from_ref(&scenario)).remove(0);
    let required = std::fs::read_dir(scenario.join("content").join(&game)).expect("a folder").map(|pack| {
        std::fs::read_to_string(pack.expect("a folder").path().join("pack.yaml")).expect("what the pack requires")
    });
    let required: String = required.collect();
    let packs =
        std::fs::read_dir(root().join("content").join(&game)).expect("a folder").map(|pack| pack.expect("a pack"));
    let packs = packs.filter(|pack| pack.path().is_dir());
    let packs = packs.map(|pack| format!("{game}/{}", pack.file_name().to_string_lossy()));
    let others: Vec<String> = packs.filter(|pack| !required.contains(pack)).collect();
    assert!(!others.is_empty());
    run_all_without(&[root(), scenario.clone()], &scenario, &others);
}

#[test]
fn two_packs_that_change_one_field_are_reported_with_both_places() {
    let clash = root().join("engine/tests/clash");
    let game = games(&[clash.join("north")]).remove(0);
    let load = |sides: &[&str]| {
        let roots: Vec<PathBuf> = std::iter::once(root()).chain(sides.iter().map(|side| clash.join(side))).collect();
        Kit::load(&roots, &game, &[])
    };
    assert!(load(&["north"]).is_ok() && load(&["south"]).is_ok());
    let defects = load(&["north", "south"]).err().expect("a defect");
    let [defect] = &defects.0[..] else { panic!("{defects}") };
    assert_eq!(defect.code, "patch.twice");
    assert!(defect.file.ends_with("south/patches.yaml"), "{defect}");
    assert!(defect.message.contains("north/patches.yaml, line 4"), "{defect}");
}

/// Runs the cases that lie in a root, on all content of some roots.
fn run_all(roots: &[PathBuf], tested: &Path) {
    run_all_without(roots, tested, &[]);
}

/// The same, without some packs.
fn run_all_without(roots: &[PathBuf], tested: &Path, without: &[String]) {
    let faults = with_stack(|| {
        let mut faults = Vec::new();
        for game in games(&[tested.to_path_buf()]) {
            let kit = Kit::load(roots, &game, without).unwrap_or_else(|defects| panic!("{defects}"));
            for suite in kit.suites.iter().filter(|suite| tested.join(&suite.file).exists()) {
                let reports: Vec<_> = suite.cases.iter().map(|case| kit.run(suite, case)).collect();
                let before = faults.len();
                for report in &reports {
                    if let Verdict::Failed(found) = &report.verdict {
                        faults.push(format!("{}: {}", report.name, found.join("; ")));
                    }
                }
                let streams =
                    reports.iter().filter(|report| !report.stream.is_empty() && report.verdict == Verdict::Passed);
                let text = snapshot_text(streams.map(|report| (report.name.as_str(), report.stream.as_slice())));
                if !text.is_empty() && faults.len() == before {
                    compare(tested, &snapshot_file(&suite.file), &text);
                }
            }
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Compares with `snapshots/<file>`; `sandtable test --accept` writes it.
fn compare(tested: &Path, file: &str, text: &str) {
    let path = Path::new(file);
    let folder = tested.join("snapshots").join(path.parent().expect("a folder"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        insta::assert_snapshot!(name, text);
    });
}
