//! Arrows between the layers of the engine point down.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The layers, and those that each may use.
const LAYERS: [(&str, &[&str]); 9] = [
    ("base", &[]),
    ("board", &["base"]),
    ("chance", &["base"]),
    ("kernel", &["base", "chance"]),
    ("content", &["base"]),
    ("script", &["base", "kernel"]),
    ("rules", &["base", "board", "chance", "kernel", "content", "script"]),
    ("table", &["base", "board", "chance", "kernel", "content", "script", "rules"]),
    ("testkit", &["base", "board", "chance", "kernel", "content", "script", "rules", "table"]),
];

/// Modules that are tests only; these may look at their layer from above.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "toy" || name.ends_with("tests.rs")
}

/// Every source file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries.into_iter().filter(|path| !is_test(path)) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The layers that a file names: after `crate::`, or in the first level of `use crate::{...}`.
fn used(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("crate::") {
        let line = text[..start].matches('\n').count() + 1;
        let rest = &text[start + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let (mut depth, mut word) = (1, String::new());
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    c if depth == 1 && (c.is_ascii_alphanumeric() || c == '_') => word.push(c),
                    ':' if depth == 1 && !word.is_empty() => found.push((line, std::mem::take(&mut word))),
                    _ if depth == 1 => word.clear(),
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            found.push((line, rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()));
        }
    }
    found
}

#[test]
fn no_layer_uses_one_above_it() {
    let src = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let known: Vec<&str> = LAYERS.iter().map(|(layer, _)| *layer).collect();
    let mut n = 0;
    let mut faults = Vec::new();
    for (layer, below) in LAYERS {
        let mut found = Vec::new();
        files(&src.join(layer), &mut found);
        for file in found {
            let text = fs::read_to_string(&file).expect("a text");
            for (line, other) in used(&text) {
                n += 1;
                if known.contains(&other.as_str()) && other != layer && !below.contains(&other.as_str()) {
                    faults.push(format!("{}:{line}: {layer} uses {other}", file.display()));
                }
            }
        }
    }
    assert!(n > 100, "only {n} uses were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let folders: Vec<String> = fs::read_dir(&src)
        .expect("a folder")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|folder| !known.contains(&folder.as_str()))
        .collect();
    assert!(folders.is_empty(), "layers that no rule names: {folders:?}");
}
