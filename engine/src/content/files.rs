//! Reading one file: what no file may be, text without a mark, YAML as a tree.

use std::{fs, io, sync::Arc};

use super::{
    Defect, Node, NodeValue, Place, SourceFile,
    origin::{Bytes, Entry},
    sources::Reading,
};

/// The largest file in bytes.
pub(super) const FILE_BYTES_MAX: u64 = 1 << 20;

/// The least that a file of its name holds.
const PAGE: &str = "write at least these lines:\nname: My Pack\nversion: 0.1.0";
const CASES: &str = "delete it, or write at least a scene and a case:\n\
    scenes: {start: {mission: MISSION}}\n\
    cases:\n  it_begins: {scene: start, seed: 1, expect: [true]}";
const LEDGER: &str = "delete it, or write at least `game: NAME`, `source: \"the book\"` and `rules: []`";
const EXCUSES: &str = "delete it, or write at least `survivors: []`";
const RECORDS: &str = "delete it, or write a section with a record, as `texts: {a_reason: it is late}`";

/// What to write into an empty file.
fn least(within: &str) -> &'static str {
    match within {
        "pack.yaml" => PAGE,
        "rules.yaml" => LEDGER,
        "survivors.yaml" => EXCUSES,
        _ if within.starts_with("tests/") => CASES,
        _ => RECORDS,
    }
}

/// Why a file is not read: code, message and remedy.
type Refusal = (&'static str, String, String);

impl Reading {
    /// Reads a file of YAML.
    pub(super) fn yaml(&mut self, entry: &Entry<'_>) -> Option<(usize, Node)> {
        let file = self.file(entry)?;
        let text = Arc::clone(&self.sources.files[file].text);
        let whole = Place { file, line: 1, column: 1 };
        if text.trim().is_empty() {
            self.at("file.empty", whole, "the file is empty".into(), least(&entry.within));
            return None;
        }
        if let Some(line) = text.lines().position(|line| line.trim_start_matches(' ').starts_with('\t')) {
            let place = Place { line: line + 1, ..whole };
            self.at("file.tabs", place, "the line is indented with a tab".into(), "indent with spaces");
            return None;
        }
        match Node::parse(&text, file) {
            Ok(Node { value: NodeValue::Null, .. }) => {
                self.at("file.empty", whole, "the file holds nothing but comments".into(), least(&entry.within));
                None
            }
            Ok(node) => Some((file, node)),
            Err(fault) => {
                self.at(fault.code, fault.place, fault.message, &fault.help);
                None
            }
        }
    }

    /// The root of a file, if it is not the first one.
    fn further_root(&self, entry: &Entry<'_>) -> Option<String> {
        let Bytes::File { root, .. } = &entry.bytes else { return None };
        (*root != self.first_root).then(|| root.to_string_lossy().into_owned())
    }

    /// Tells of a file as a whole.
    pub(super) fn of_file(&mut self, code: &'static str, entry: &Entry<'_>, message: String, help: &str) {
        let root = self.further_root(entry);
        self.defects.0.push(Defect::of_file(code, &entry.path, message, help).in_root(root));
    }

    /// Reads a file of text.
    pub(super) fn file(&mut self, entry: &Entry<'_>) -> Option<usize> {
        let text = match &entry.bytes {
            Bytes::Text(text) => sized(text.len() as u64).map(|()| text.to_string()),
            Bytes::File { root, path } => read(root, path),
        };
        let text = match text {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"),
            Err((code, message, help)) => {
                self.of_file(code, entry, message, &help);
                return None;
            }
        };
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        let file = self.sources.files.len();
        let path = entry.path.clone();
        let root = self.further_root(entry);
        self.sources.files.push(SourceFile { path, root, text: text.into(), hash, is_content: true });
        let text = &self.sources.files[file].text;
        if let Some(line) = text.lines().position(|line| line.chars().any(is_bidirectional)) {
            let place = Place { file, line: line + 1, column: 1 };
            let message = "the line holds a character that changes the direction of text".into();
            self.at("file.bidirectional", place, message, "remove it");
            return None;
        }
        Some(file)
    }
}

fn read(root: &std::path::Path, path: &std::path::Path) -> Result<String, Refusal> {
    let unreadable = |error: io::Error| ("file.unreadable", error.to_string(), "make it readable, or delete it".into());
    let here = fs::canonicalize(root).map_err(unreadable)?;
    if !fs::canonicalize(path).map_err(unreadable)?.starts_with(here) {
        let help = "copy it into the root instead of linking to it";
        return Err(("file.outside", "the file lies outside of its root".into(), help.into()));
    }
    let about = fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(("file.unreadable", "it is no ordinary file".into(), "delete it".into()));
    }
    sized(about.len())?;
    String::from_utf8(fs::read(path).map_err(unreadable)?).map_err(|error| {
        let byte = error.utf8_error().valid_up_to() + 1;
        let help = format!("save it as UTF-8; the first wrong byte is number {byte}");
        ("file.encoding", "the file is not UTF-8".into(), help)
    })
}

fn sized(bytes: u64) -> Result<(), Refusal> {
    if bytes <= FILE_BYTES_MAX {
        return Ok(());
    }
    Err(("file.size", format!("the file has {bytes} bytes"), "split it: a file has at most 1 MiB".into()))
}

fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
