//! Logs that lie beside content: `content/<game>/<pack>/logs/*.jsonl` are games that ended, and the
//! content of today plays them again record by record.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sandtable::{
    base::Value,
    content::games,
    rules,
    script::with_stack,
    table::{
        log::{fold_log, read_log},
        rerun,
    },
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The logs beside the content of a game.
fn logs(game: &str) -> Vec<PathBuf> {
    let packs = entries(&root().join("content").join(game));
    let files = packs.iter().flat_map(|pack| entries(&pack.join("logs")));
    files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")).collect()
}

#[test]
fn the_logs_beside_content_are_whole_and_come_again() {
    let mut n = 0;
    with_stack(|| {
        for id in games(&[root()]) {
            let paths = logs(&id);
            if paths.is_empty() {
                continue;
            }
            let game = rules::load(&[root()], &id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            for path in paths {
                let shown = path.display();
                let log = read_log(&path).unwrap_or_else(|fault| panic!("{shown}: {fault}"));
                assert!(log.cut.is_none(), "{shown} ends within a unit");
                let world = fold_log(&log, None).unwrap_or_else(|fault| panic!("{shown}: {fault}"));
                assert_ne!(*world.outcome(), Value::None, "{shown}: the game did not end");
                let verdict = rerun(&game, &log).unwrap_or_else(|fault| panic!("{shown}: {fault}"));
                assert_eq!(
                    verdict.difference, None,
                    "{shown}: play its answers again, as the README.md beside it says"
                );
                n += 1;
            }
        }
    });
    assert!(n > 0, "there is no log");
}
