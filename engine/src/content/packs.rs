//! Roots and packs: which files there are, in which order they are read, and what they hold.
//!
//! A *root* is a folder with `content/` and `scripts/`. A pack is `content/<game>/<pack>/`
//! with its `pack.yaml`; its scripts lie in `scripts/<game>/<pack>/`. Packs are read in load
//! order: what a pack requires first, then by the order of roots, then by name.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use indexmap::IndexMap;

use super::{Defect, Defects, Node, NodeValue, Place, nearest};

/// The largest file in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// A file as it was read: without a byte-order mark, lines ended by LF.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path below its root, with `/`.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
    /// The blake3 hash of the text, in hexadecimal digits.
    pub hash: String,
}

/// A versioned folder of content and scripts.
#[derive(Clone, Debug)]
pub struct Pack {
    /// `game/pack`.
    pub name: String,
    /// Its version.
    pub version: semver::Version,
    /// What it requires: pack and version.
    pub requires: Vec<(String, semver::VersionReq, Place)>,
    /// The hash over the paths and hashes of its files.
    pub hash: String,
    files: Vec<usize>,
}

/// One named thing of content.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its fields.
    pub node: Node,
    /// The pack that brings it.
    pub pack: String,
}

/// The records and scripts of one game.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Every file, by the number that places use.
    pub files: Vec<SourceFile>,
    /// The packs in load order.
    pub packs: Vec<Pack>,
    /// Records by section and id, in load order.
    pub records: IndexMap<String, IndexMap<String, Record>>,
    /// Scripts: namespace and number of the file, in load order.
    pub scripts: Vec<(String, usize)>,
}

/// The games that the roots hold.
#[must_use]
pub fn games(roots: &[PathBuf]) -> Vec<String> {
    let mut games: Vec<String> =
        roots.iter().flat_map(|root| folders(&root.join("content"))).map(|(name, _)| name).collect();
    games.sort();
    games.dedup();
    games
}

/// Reads everything of one game.
///
/// # Errors
/// All defects of all files.
pub fn load(roots: &[PathBuf], game: &str, without: &[String]) -> Result<Sources, Defects> {
    let mut reading = Reading { sources: Sources::default(), defects: Defects::default() };
    let mut found = Vec::new();
    for root in roots {
        for (name, folder) in folders(&root.join("content").join(game)) {
            let full = format!("{game}/{name}");
            if !without.contains(&full) {
                found.push((full, root.clone(), folder));
            }
        }
    }
    if found.is_empty() {
        let known = games(roots);
        let hint = nearest(game, known.iter().map(String::as_str)).map_or_else(
            || format!("games here: {}", known.join(", ")),
            |near| format!("did you mean {near}? Games here: {}", known.join(", ")),
        );
        reading.defects.0.push(Defect::of_file(
            "game.unknown",
            &format!("content/{game}"),
            format!("there is no game {game}"),
            &hint,
        ));
        return Err(reading.defects);
    }
    let mut packs: Vec<(Pack, PathBuf, PathBuf)> = Vec::new();
    for (name, root, folder) in found {
        if let Some(pack) = reading.pack(&name, &root, &folder) {
            packs.push((pack, root, folder));
        }
    }
    for (pack, root, folder) in reading.in_order(packs) {
        reading.pack_files(pack, &root, &folder);
    }
    reading.defects.sort();
    if reading.defects.0.is_empty() { Ok(reading.sources) } else { Err(reading.defects) }
}

struct Reading {
    sources: Sources,
    defects: Defects,
}

impl Reading {
    fn pack(&mut self, name: &str, root: &Path, folder: &Path) -> Option<Pack> {
        let path = folder.join("pack.yaml");
        if !path.is_file() {
            let file = below(root, folder);
            self.defects.0.push(Defect::of_file(
                "pack.missing",
                &file,
                format!("{name} has no pack.yaml"),
                "write one with name and version",
            ));
            return None;
        }
        let (file, node) = self.yaml(root, &path)?;
        let mut pack = Pack {
            name: name.into(),
            version: semver::Version::new(0, 0, 0),
            requires: Vec::new(),
            hash: String::new(),
            files: vec![file],
        };
        let entries = node.as_map().cloned().unwrap_or_default();
        match entries.get("version").map(|node| (&node.value, node.place)) {
            Some((NodeValue::Text(text), place)) => match semver::Version::parse(text) {
                Ok(version) => pack.version = version,
                Err(error) => {
                    self.at("pack.version", place, format!("{text} is no version: {error}"), "write it as 1.2.3")
                }
            },
            _ => self.at("pack.version", node.place, "the pack has no version".into(), "add `version: 0.1.0`"),
        }
        for (key, value) in &entries {
            if !["name", "version", "about", "requires"].contains(&key.as_str()) {
                self.at(
                    "field.unknown",
                    value.place,
                    format!("a pack has no field {key}"),
                    "fields: name, version, about, requires",
                );
            }
        }
        for (other, value) in entries.get("requires").and_then(Node::as_map).into_iter().flatten() {
            let NodeValue::Text(text) = &value.value else {
                self.at(
                    "pack.requires",
                    value.place,
                    format!("{} is no requirement", value.type_name()),
                    "write a version such as ^0.1",
                );
                continue;
            };
            match semver::VersionReq::parse(text) {
                Ok(requirement) => pack.requires.push((other.clone(), requirement, value.place)),
                Err(error) => self.at(
                    "pack.requires",
                    value.place,
                    format!("{text} is no requirement: {error}"),
                    "write a version such as ^0.1",
                ),
            }
        }
        Some(pack)
    }

    /// Packs in load order; those whose requirements cannot be met are reported and left out.
    fn in_order(&mut self, mut waiting: Vec<(Pack, PathBuf, PathBuf)>) -> Vec<(Pack, PathBuf, PathBuf)> {
        let mut ordered: Vec<(Pack, PathBuf, PathBuf)> = Vec::new();
        loop {
            let ready = waiting.iter().position(|(pack, ..)| {
                pack.requires.iter().all(|(other, requirement, _)| {
                    ordered.iter().any(|(there, ..)| there.name == *other && requirement.matches(&there.version))
                })
            });
            match ready {
                Some(index) => {
                    let next = waiting.remove(index);
                    if ordered.iter().any(|(pack, ..)| pack.name == next.0.name) {
                        let place = Place { file: next.0.files[0], line: 1, column: 1 };
                        self.at("pack.twice", place, format!("two roots bring {}", next.0.name), "rename one of them");
                    } else {
                        ordered.push(next);
                    }
                }
                None => break,
            }
        }
        for (pack, ..) in &waiting {
            for (other, requirement, place) in &pack.requires {
                let there = ordered.iter().chain(&waiting).find(|(there, ..)| there.name == *other);
                let message = match there {
                    None => format!("{} requires {other}, which no root brings", pack.name),
                    Some((there, ..)) if !requirement.matches(&there.version) => {
                        format!("{} requires {other} {requirement}, but there is {}", pack.name, there.version)
                    }
                    Some(_) => format!("{} and {other} wait for each other, or for a pack that is missing", pack.name),
                };
                self.at("pack.requirement", *place, message, "add the pack with --root, or change `requires`");
            }
        }
        ordered
    }

    fn pack_files(&mut self, mut pack: Pack, root: &Path, folder: &Path) {
        let mut paths = Vec::new();
        files_below(folder, &mut paths);
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
            let in_tests = path.strip_prefix(folder).is_ok_and(|below| below.starts_with("tests"));
            if name.ends_with(".yml") {
                let file = below(root, &path);
                self.defects.0.push(Defect::of_file(
                    "file.ending",
                    &file,
                    "content files end in .yaml".into(),
                    "rename it to .yaml",
                ));
            }
            if in_tests || !name.ends_with(".yaml") || name == "pack.yaml" || name == "rules.yaml" {
                continue;
            }
            if let Some((file, node)) = self.yaml(root, &path) {
                pack.files.push(file);
                self.records(&pack.name, node);
            }
        }
        let mut scripts = Vec::new();
        files_below(&root.join("scripts").join(&pack.name), &mut scripts);
        for path in scripts.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rhai")) {
            if let Some(file) = self.file(root, &path) {
                let namespace = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
                self.sources.scripts.push((namespace, file));
                pack.files.push(file);
            }
        }
        let mut hasher = blake3::Hasher::new();
        for file in &pack.files {
            let file = &self.sources.files[*file];
            hasher.update(format!("{} {}\n", file.path, file.hash).as_bytes());
        }
        pack.hash = hasher.finalize().to_hex().to_string();
        self.sources.packs.push(pack);
    }

    fn records(&mut self, pack: &str, node: Node) {
        let NodeValue::Map(sections) = node.value else {
            self.at(
                "file.shape",
                node.place,
                format!("the file holds {}", node.type_name()),
                "write sections, such as `kinds:`, with records by id",
            );
            return;
        };
        for (section, records) in sections {
            let NodeValue::Map(records) = records.value else {
                self.at(
                    "file.shape",
                    records.place,
                    format!("section {section} holds {}", records.type_name()),
                    "write records by id",
                );
                continue;
            };
            for (id, node) in records {
                let known = self.sources.records.entry(section.clone()).or_default();
                if let Some(before) = known.get(&id) {
                    let there = &self.sources.files[before.node.place.file].path;
                    let help = format!("the first stands in {there}, line {}", before.node.place.line);
                    self.at("record.twice", node.place, format!("{section}.{id} stands twice"), &help);
                    continue;
                }
                known.insert(id, Record { node, pack: pack.into() });
            }
        }
    }

    fn yaml(&mut self, root: &Path, path: &Path) -> Option<(usize, Node)> {
        let file = self.file(root, path)?;
        let text = Arc::clone(&self.sources.files[file].text);
        if text.trim().is_empty() {
            self.at(
                "file.empty",
                Place { file, line: 1, column: 1 },
                "the file is empty".into(),
                "delete it, or write a section",
            );
            return None;
        }
        if let Some(line) = text.lines().position(|line| line.trim_start_matches(' ').starts_with('\t')) {
            let place = Place { file, line: line + 1, column: 1 };
            self.at("file.tabs", place, "the line is indented with a tab".into(), "indent with spaces");
            return None;
        }
        if let Some(line) = text.lines().position(|line| line.chars().any(is_bidirectional)) {
            let place = Place { file, line: line + 1, column: 1 };
            self.at(
                "file.bidirectional",
                place,
                "the line holds a character that changes the direction of text".into(),
                "remove it",
            );
            return None;
        }
        match Node::parse(&text, file) {
            Ok(node) => Some((file, node)),
            Err((place, message)) => {
                self.at("file.yaml", place, message, "mend the YAML here");
                None
            }
        }
    }

    fn file(&mut self, root: &Path, path: &Path) -> Option<usize> {
        let name = below(root, path);
        let mut refuse = |code, message: String, help: &str| {
            self.defects.0.push(Defect::of_file(code, &name, message, help));
            None
        };
        let inside = match (fs::canonicalize(root), fs::canonicalize(path)) {
            (Ok(root), Ok(path)) => path.starts_with(root),
            _ => false,
        };
        if !inside {
            return refuse(
                "file.outside",
                "the file lies outside of its root".into(),
                "copy it into the root instead of linking to it",
            );
        }
        match fs::metadata(path) {
            Ok(about) if about.len() > FILE_BYTES_MAX => {
                return refuse(
                    "file.size",
                    format!("the file has {} bytes", about.len()),
                    "split it: a file has at most 1 MiB",
                );
            }
            Ok(_) => {}
            Err(error) => return refuse("file.unreadable", error.to_string(), "make it readable"),
        }
        let text = match fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(error)) => {
                let help = format!(
                    "save it as UTF-8; the first wrong byte is number {}",
                    error.utf8_error().valid_up_to() + 1
                );
                return refuse("file.encoding", "the file is not UTF-8".into(), &help);
            }
            Err(error) => return refuse("file.unreadable", error.to_string(), "make it readable"),
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        self.sources.files.push(SourceFile { path: name, text: text.into(), hash });
        Some(self.sources.files.len() - 1)
    }

    fn at(&mut self, code: &'static str, place: Place, message: String, help: &str) {
        let file = &self.sources.files[place.file];
        self.defects.0.push(Defect::new(code, place, file, message, Some(help.into())));
    }
}

fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn folders(path: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .collect();
    found.sort();
    found
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|about| about.file_type().is_symlink());
        if path.is_dir() && !is_link {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}
