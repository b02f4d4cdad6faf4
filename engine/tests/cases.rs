//! Every content test of this repository, and its snapshot.

use std::path::{Path, PathBuf};

use sandtable::{
    content::games,
    script::with_stack,
    testkit::{Kit, Verdict, snapshot_file, snapshot_text},
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_content_case_passes_and_its_stream_is_as_in_the_snapshot() {
    let faults = with_stack(|| {
        let mut faults = Vec::new();
        for game in games(&[root()]) {
            let kit = Kit::load(&[root()], &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            for suite in &kit.suites {
                let reports: Vec<_> = suite.cases.iter().map(|case| kit.run(suite, case)).collect();
                for report in &reports {
                    if let Verdict::Failed(found) = &report.verdict {
                        faults.push(format!("{}: {}", report.name, found.join("; ")));
                    }
                }
                let streams =
                    reports.iter().filter(|report| !report.stream.is_empty() && report.verdict == Verdict::Passed);
                let text = snapshot_text(streams.map(|report| (report.name.as_str(), report.stream.as_slice())));
                if !text.is_empty() {
                    compare(&snapshot_file(&suite.file), &text);
                }
            }
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Compares with `snapshots/<file>`; `sandtable test --accept` writes it.
fn compare(file: &str, text: &str) {
    let path = Path::new(file);
    let folder = root().join("snapshots").join(path.parent().expect("a folder"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        insta::assert_snapshot!(name, text);
    });
}
