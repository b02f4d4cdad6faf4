//! The engine knows no game: no id of its content stands in a source file.
//!
//! The list is built from the content of this repository, so a new unit, event or card is
//! forbidden at once. What is allowed is a general word that a game happens to use as well.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use sandtable::{content::games, rules};

/// General words that are ids of a game as well: the word, and why a source may use it.
const ALLOWED: [(&str, &str); 28] = [
    ("attack", "the example of a stream of draws"),
    ("axis", "how an edge of a board runs: along which axis"),
    ("card", "a piece of the toy game in the kernel's tests"),
    ("game", "what this project is about"),
    ("item", "what a list holds"),
    ("killed", "what a test does to a mutant"),
    ("laid", "a plain verb: a tile is laid, files are laid over a game"),
    ("leave", "a plain verb"),
    ("marked", "a plain verb: a callback marked as one that may change"),
    ("mission_ended", "an event that the engine records for whoever has campaigns"),
    ("mission_started", "an event that the engine records for whoever has campaigns"),
    ("move", "a keyword of Rust, and a plain verb"),
    ("moved", "a plain verb: the flow has moved"),
    ("object", "a JSON object"),
    ("operator", "an arithmetic operator of the expression language"),
    ("pile_ordered", "an event that the engine has for whoever has zones"),
    ("pile_refilled", "an event that the engine has for whoever has zones"),
    ("printed", "what stands on a tile or was written by a script"),
    ("set_up", "what happens before a game or a test begins"),
    ("small_tile", "a mission's field for tiles beside the board"),
    ("stays", "a plain verb"),
    ("throw", "a keyword of scripts"),
    ("token", "a token of the expression language's text"),
    ("trap", "a command of the shell: what a program does with a signal"),
    ("turn", "a turn of a game, or of a facing"),
    ("turned", "what has another facing"),
    ("turns", "quarter turns of a tile, and turns of a game"),
    ("unit", "a unit of a log, and the variable of actions"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every id of kinds, cards, events, actions, phases, missions, tiles and games.
fn forbidden() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for id in games(&[root()]) {
        let game = rules::load(&[root()], &id, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        words.insert(id);
        let ids = [
            game.kinds.keys().collect::<Vec<_>>(),
            game.kinds.values().flat_map(|kind| &kind.tags).collect(),
            game.events.keys().collect(),
            game.actions.keys().collect(),
            game.phases.keys().collect(),
            game.missions.keys().collect(),
            game.tiles.keys().collect(),
            game.hooks.keys().collect(),
        ];
        words.extend(ids.into_iter().flatten().map(ToString::to_string));
    }
    words
}

/// Every `.rs` file below a folder, test roots apart: those have `content` and `scripts`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_root = path.join("content").is_dir() && path.join("scripts").is_dir();
        if path.is_dir() && !is_root && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_source_file_names_anything_of_a_game() {
    let mut files = Vec::new();
    for folder in ["engine", "tools"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 60, "only {} files were found", files.len());
    let words = forbidden();
    assert!(words.len() > 150, "only {} words are forbidden", words.len());
    let allowed: BTreeMap<&str, &str> = ALLOWED.into();
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a text");
        for (index, line) in text.lines().enumerate() {
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                let single = word.strip_suffix('s').unwrap_or(word).to_ascii_lowercase();
                let Some(word) = [word.to_ascii_lowercase(), single].into_iter().find(|word| words.contains(word))
                else {
                    continue;
                };
                if allowed.contains_key(word.as_str()) {
                    used.insert(word);
                } else {
                    found.push(format!("{}:{}: {word}: {}", file.display(), index + 1, line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} words of games:\n{}", found.len(), found.join("\n"));
    let idle: Vec<&&str> = allowed.keys().filter(|word| !used.contains(**word)).collect();
    assert!(idle.is_empty(), "allowed, but no such id or no such use: {idle:?}");
}
