//! The sources of a game: every file, record and script of its packs, in load order.
//!
//! A *root* is a folder with `content/` and `scripts/`. A pack is `content/<game>/<pack>/`
//! with its `pack.yaml`; its scripts lie in `scripts/<game>/<pack>/`. Packs are read in load
//! order: what a pack requires first, then by the order of roots, then by name; overlays,
//! which are packs held in memory, come last.

use std::{path::PathBuf, sync::Arc};

use indexmap::IndexMap;

use crate::base::NAME_BYTES_MAX;

use super::{
    Defect, Defects, Node, NodeValue, Place, nearest,
    origin::{Entry, Origin, folders},
    packs::Pack,
};

/// A file as it was read: without a byte-order mark, lines ended by LF.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path below its root, with `/`.
    pub path: String,
    /// The root, if it is not the first one.
    pub root: Option<String>,
    /// The text.
    pub text: Arc<str>,
    /// The blake3 hash of the text, in hexadecimal digits.
    pub hash: String,
    /// Whether a game depends on it; tests and ledgers are only read beside it.
    pub is_content: bool,
}

/// One named thing of content.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its fields.
    pub node: Node,
    /// The pack that brings it.
    pub pack: String,
    /// Where the name of its section stands.
    pub section: Place,
}

/// A field, entry or item that a patch has changed.
#[derive(Clone, Debug)]
pub struct Patched {
    /// Its path: `section.id.field`, of an item of a list `section.id.field[item]`.
    pub path: String,
    /// How: `set`, `add`, `remove`, `insert_before` or `insert_after`.
    pub operation: String,
    /// What the whole field said before, in a line.
    pub before: String,
    /// The pack that changes it.
    pub pack: String,
    /// Where the change stands.
    pub place: Place,
}

/// A further pack that is held in memory and loaded last.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// Its name, with or without the game in front.
    pub pack: String,
    /// Paths below the pack, such as `units.yaml` or `red.rhai`, with texts. A `pack.yaml`
    /// is implied when there is none.
    pub files: Vec<(String, String)>,
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
    /// Files with content tests, by number: `tests/*.yaml` of every pack.
    pub tests: Vec<(usize, Node)>,
    /// Ledgers, by number of file: the `rules.yaml` of every pack.
    pub ledgers: Vec<(usize, Node)>,
    /// What tests are excused from showing, by number of file: the `survivors.yaml` of every pack.
    pub excuses: Vec<(usize, Node)>,
    /// The patches that were applied: id and place.
    pub patches: Vec<(String, Place)>,
    /// What they have changed, in their order.
    pub patched: Vec<Patched>,
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
    load_with(roots, game, without, &[])
}

/// Reads everything of one game, and packs that are held in memory after it.
///
/// # Errors
/// All defects of all files.
pub fn load_with(roots: &[PathBuf], game: &str, without: &[String], overlays: &[Overlay]) -> Result<Sources, Defects> {
    load_but(roots, game, without, overlays, None)
}

/// Reads what one game is played with: everything but tests, ledgers and excuses.
///
/// # Errors
/// All defects of the files that are read.
pub fn load_to_play(roots: &[PathBuf], game: &str, without: &[String]) -> Result<Sources, Defects> {
    Reading { to_play: true, ..Reading::default() }.game(roots, game, without, &[], None)
}

/// As [`load_with`], but without the patch of an id.
pub(crate) fn load_but(
    roots: &[PathBuf],
    game: &str,
    without: &[String],
    overlays: &[Overlay],
    patch: Option<&str>,
) -> Result<Sources, Defects> {
    Reading::default().game(roots, game, without, overlays, patch)
}

/// What has been read, and what was wrong with it.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) sources: Sources,
    /// The root before all others.
    pub(super) first_root: PathBuf,
    /// Packs that are there, but are not to be read.
    pub(super) left_out: Vec<String>,
    /// Whether only what a game is played with is read: no tests, ledgers and excuses.
    to_play: bool,
    pub(super) defects: Defects,
}

impl Reading {
    /// Reads a game.
    fn game(
        mut self,
        roots: &[PathBuf],
        game: &str,
        without: &[String],
        overlays: &[Overlay],
        patch: Option<&str>,
    ) -> Result<Sources, Defects> {
        self.first_root = roots.first().cloned().unwrap_or_default();
        let is_name = !["", ".", ".."].contains(&game) && !game.contains(['/', '\\']);
        let found = if is_name { self.found(roots, game, without, overlays) } else { Vec::new() };
        if found.is_empty() {
            self.no_game(roots, game);
            return Err(self.defects);
        }
        let mut packs = Vec::new();
        for (name, origin) in found {
            if let Some(pack) = self.pack(&name, &origin) {
                packs.push((pack, origin));
            }
        }
        for (pack, origin) in self.in_order(packs) {
            self.pack_files(pack, &origin);
        }
        // With a file missing, patches would miss what it brings.
        if self.defects.0.is_empty() {
            self.patches(patch);
        }
        self.defects.sort();
        if self.defects.0.is_empty() { Ok(self.sources) } else { Err(self.defects) }
    }

    /// The packs that there are, with the places of their files.
    fn found<'a>(
        &mut self,
        roots: &[PathBuf],
        game: &str,
        without: &[String],
        overlays: &'a [Overlay],
    ) -> Vec<(String, Origin<'a>)> {
        let mut found = Vec::new();
        for root in roots {
            for (name, folder) in folders(&root.join("content").join(game)) {
                found.push((format!("{game}/{name}"), Origin::Folder { root: root.clone(), folder }));
            }
        }
        for overlay in overlays {
            let prefix = format!("{game}/");
            let name = overlay.pack.strip_prefix(&prefix).unwrap_or(&overlay.pack);
            found.push((format!("{prefix}{name}"), Origin::Memory(overlay)));
        }
        for pack in without.iter().filter(|pack| pack.split('/').next() == Some(game)) {
            if !found.iter().any(|(name, _)| name == pack) {
                let known: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
                let help = nearest(pack, known.iter().copied()).map_or_else(
                    || format!("packs here: {}", known.join(", ")),
                    |near| format!("did you mean {near}?"),
                );
                let message = format!("there is no pack {pack} to leave out");
                self.defects.0.push(Defect::of_file("pack.unknown", &format!("content/{pack}"), message, &help));
            }
        }
        found.retain(|(name, _)| !without.contains(name));
        self.left_out = without.to_vec();
        found
    }

    fn no_game(&mut self, roots: &[PathBuf], game: &str) {
        let known = games(roots);
        let near = nearest(game, known.iter().map(String::as_str));
        let is_left_out = known.iter().any(|known| known == game);
        let hint = match (known.is_empty(), near) {
            (true, _) => "name the folder that holds content/ and scripts/ with --root".into(),
            _ if is_left_out => "leave fewer packs out".into(),
            (_, Some(near)) => format!("did you mean {near}? Games here: {}", known.join(", ")),
            (_, None) => format!("games here: {}", known.join(", ")),
        };
        let message = match is_left_out {
            true => format!("no pack of the game {game} is left"),
            false => format!("there is no game {}", game.chars().take(40).collect::<String>()),
        };
        self.defects.0.push(Defect::of_file("game.unknown", &format!("content/{game}"), message, &hint));
    }

    fn pack_files(&mut self, mut pack: Pack, origin: &Origin<'_>) {
        for entry in origin.content(&pack.name, &mut self.defects) {
            let name = entry.within.rsplit('/').next().unwrap_or_default();
            // Logs of games lie beside the content that they were played with.
            if name == "pack.yaml"
                || name.starts_with('.')
                || name.ends_with(".md")
                || entry.within.starts_with("logs/")
            {
                continue;
            }
            if !name.ends_with(".yaml") {
                let message = "no content is read from a file of this name".into();
                let help = match name.rsplit_once('.') {
                    Some((_, "rhai")) => "move it below scripts/",
                    _ => "rename it to .yaml, or take it out of the pack",
                };
                self.of_file("file.ending", &entry, message, help);
                continue;
            }
            let in_tests = entry.within.starts_with("tests/");
            let is_ledger = entry.within == "rules.yaml";
            let is_excuse = entry.within == "survivors.yaml";
            if self.to_play && (in_tests || is_ledger || is_excuse) {
                continue;
            }
            let Some((file, node)) = self.yaml(&entry) else { continue };
            if in_tests || is_ledger || is_excuse {
                self.sources.files[file].is_content = false;
                let sources = &mut self.sources;
                let shelf = match (in_tests, is_ledger) {
                    (true, _) => &mut sources.tests,
                    (false, true) => &mut sources.ledgers,
                    (false, false) => &mut sources.excuses,
                };
                shelf.push((file, node));
            } else {
                pack.files.push(file);
                self.records(&pack.name, node);
            }
        }
        for entry in origin.scripts(&pack.name, &mut self.defects) {
            self.script(&mut pack, &entry);
        }
        let mut hasher = blake3::Hasher::new();
        for file in &pack.files {
            let file = &self.sources.files[*file];
            hasher.update(format!("{} {}\n", file.path, file.hash).as_bytes());
        }
        pack.hash = hasher.finalize().to_hex().to_string();
        self.sources.packs.push(pack);
    }

    fn script(&mut self, pack: &mut Pack, entry: &Entry<'_>) {
        let name = entry.within.rsplit('/').next().unwrap_or_default();
        let Some(namespace) = name.strip_suffix(".rhai") else {
            if !name.starts_with('.') && !name.ends_with(".md") {
                let message = "no script is read from a file of this name".into();
                let help = match name.rsplit_once('.') {
                    Some((_, "yaml")) => "move it below content/",
                    _ => "rename it to .rhai, or take it out of the folder",
                };
                self.of_file("file.ending", entry, message, help);
            }
            return;
        };
        if let Some(file) = self.file(entry) {
            self.sources.scripts.push((namespace.to_string(), file));
            pack.files.push(file);
        }
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
            let section_place = records.named_at();
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
                if id.is_empty() || id.len() > NAME_BYTES_MAX || id.chars().any(char::is_whitespace) {
                    let shown: String = id.chars().take(40).collect();
                    let message = format!("`{shown}` is no id for a record of {section}");
                    let help = format!("an id has 1 to {NAME_BYTES_MAX} bytes and no blanks");
                    self.at("record.id", node.named_at(), message, &help);
                    continue;
                }
                let known = self.sources.records.entry(section.clone()).or_default();
                if let Some(before) = known.get(&id) {
                    let there = &self.sources.files[before.node.place.file].path;
                    let what = if before.pack == pack {
                        "rename one of the two, or write the fields of both under one id".into()
                    } else {
                        format!(
                            "rename this one; to change the first write a patch; if only one of the packs is meant to \
                             be read, leave the other out: `--without {}` or `--without {pack}`",
                            before.pack
                        )
                    };
                    let help = format!("the first stands in {there}, line {}: {what}", before.node.named_at().line);
                    self.at("record.twice", node.named_at(), format!("{section}.{id} stands twice"), &help);
                    continue;
                }
                known.insert(id, Record { node, pack: pack.into(), section: section_place });
            }
        }
    }

    pub(super) fn at(&mut self, code: &'static str, place: Place, message: String, help: &str) {
        let file = &self.sources.files[place.file];
        self.defects.0.push(Defect::new(code, place, file, message, Some(help.into())));
    }
}
