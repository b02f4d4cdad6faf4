//! Linking: the records of a game's packs become a [`Game`], or a list of all defects.

mod actions;
mod board;
mod bots;
mod campaigns;
mod check;
mod circles;
mod compared;
mod cited;
mod data;
mod doubtful;
mod event;
mod ids;
mod kinds;
mod lacking;
mod look;
mod maps;
mod mission;
mod mission_check;
mod named;
mod opens;
mod patched;
mod properties;
mod records;
mod secrets;
mod shapes;
mod trial;
mod types;
mod unread;
mod zones;

use std::{path::PathBuf, sync::Arc};

pub use self::trial::try_missions;
use self::{board::board_records, check::cross_check, kinds::kinds, records::records};
pub(crate) use self::{
    board::board_tile,
    kinds::{TYPES_TOLD, property_value},
    mission::{map_of as mission_map, mission_tiles},
};
use super::{
    game::Game,
    read::Reader,
    reads::Reads,
    tags::{ByKind, Tags},
    view::Names,
};
use crate::{
    base::{Name, name},
    content::{self, Defects, Node, NodeValue, Overlay, Place, Record, Sources},
    script::ScriptSource,
};

/// Sections that the rules read; content declares others in section `data`.
pub(crate) const SECTIONS: [&str; 32] = [
    "seats",
    "windows",
    "properties",
    "stats",
    "invariants",
    "kinds",
    "events",
    "terms",
    "choices",
    "actions",
    "menus",
    "data",
    "phases",
    "hooks",
    "values",
    "movement",
    "sight",
    "legends",
    "tiles",
    "maps",
    "zones",
    "missions",
    "campaigns",
    "legacy",
    "mission_checks",
    "texts",
    "cards",
    "bots",
    "drawings",
    "panels",
    "overlays",
    "help",
];

/// What entities and spaces have without a declaration, and keys of maps that functions give.
const FREE_KEYS: [&str; 13] = [
    "key",
    "kind",
    "alive",
    "at",
    "name",
    "things",
    "region",
    "total",
    "parts",
    "amount",
    "properties",
    "spent",
    "left",
];

/// Reads and links a game, without its tests and ledgers.
///
/// # Errors
/// All defects of all its packs.
pub fn load(roots: &[PathBuf], game: &str, without: &[String]) -> Result<Arc<Game>, Defects> {
    link(game, &content::load_to_play(roots, game, without)?)
}

/// Reads and links a game with further packs that are held in memory.
///
/// # Errors
/// All defects of all its packs.
pub fn load_with(
    roots: &[PathBuf],
    game: &str,
    without: &[String],
    overlays: &[Overlay],
) -> Result<Arc<Game>, Defects> {
    let sources = content::load_with(roots, game, without, overlays)?;
    link(game, &sources)
}

/// Links a game whose sources are read.
///
/// # Errors
/// All defects of its records.
pub fn link(id: &str, sources: &Sources) -> Result<Arc<Game>, Defects> {
    let (mut game, mut defects) = linked(id, sources);
    if defects.0.is_empty() {
        let mut warnings = Vec::new();
        check::scripts(&game, sources, &mut defects, &mut warnings);
        // Nobody else holds it yet.
        if let Some(game) = Arc::get_mut(&mut game) {
            game.warnings.append(&mut warnings);
        }
    }
    patched::name_patches(sources, &mut defects.0);
    if let Some(game) = Arc::get_mut(&mut game) {
        patched::name_patches(sources, &mut game.warnings);
    }
    defects.sort();
    if defects.0.is_empty() { Ok(game) } else { Err(defects) }
}

/// As [`link`], for records whose scripts are known to be right.
///
/// # Errors
/// All defects of the records.
pub(crate) fn relink(id: &str, sources: &Sources) -> Result<Arc<Game>, Defects> {
    let (game, mut defects) = linked(id, sources);
    defects.sort();
    if defects.0.is_empty() { Ok(game) } else { Err(defects) }
}

/// Where the expressions of a game's records stand.
pub(crate) fn expressions(sources: &Sources) -> Vec<Place> {
    let reader = Reader::new(sources, names(sources));
    let mut game = Game { locals: locals(sources), ..Game::default() };
    read(&mut game, &reader);
    reader.exprs.into_inner().into_iter().map(|(place, ..)| place).collect()
}

/// Reads every record.
fn read(game: &mut Game, reader: &Reader<'_>) {
    kinds(game, reader);
    records(game, reader);
    board_records(game, reader);
    campaigns::campaigns(game, reader);
    mission_check::mission_checks(game, reader);
    bots::bots(game, reader);
    look::looks(game, reader);
}

fn linked(id: &str, sources: &Sources) -> (Arc<Game>, Defects) {
    let reader = Reader::new(sources, names(sources));
    let mut game = Game { id: name(id), title: id.into(), ..Game::default() };
    game.packs =
        sources.packs.iter().map(|pack| (pack.name.clone(), pack.version.to_string(), pack.hash.clone())).collect();
    game.files = sources
        .files
        .iter()
        .filter(|file| file.is_content)
        .map(|file| (file.path.clone(), file.hash.clone()))
        .collect();
    for (section, records) in &sources.records {
        for (id, record) in records {
            let file = sources.files[record.node.place.file].path.clone();
            game.places.insert(format!("{section}.{id}"), (file, record.node.place.line));
        }
    }
    game.scripts = sources
        .scripts
        .iter()
        .map(|(namespace, file)| {
            let file = &sources.files[*file];
            ScriptSource { namespace: namespace.clone(), file: file.path.clone(), text: Arc::clone(&file.text) }
        })
        .collect();
    game.locals = locals(sources);
    read(&mut game, &reader);
    game.tags = Tags::of(&game);
    types::misfits(&game, &reader);
    named::in_expressions(&game, &reader);
    campaigns::in_phases(&game, &reader);
    let mut defects = Defects(reader.defects.take());
    cross_check(&game, sources, &mut defects);
    ids::unknown_ids(sources, &mut defects);
    let mut warnings = Vec::new();
    if defects.0.is_empty() {
        circles::circles(&game, sources, &mut defects, &mut warnings);
    }
    if defects.0.is_empty() {
        mission_check::check_missions(&mut game, sources, &mut defects);
        mission_check::check_data(&game, sources, &mut defects);
    }
    opens::windows(&game, sources, &mut defects.0, &mut warnings);
    cited::shapes_of_sources(sources, &mut defects);
    cited::sources_of_numbers(sources, &mut warnings);
    let known = doubtful::Known::new(&game, sources);
    known.in_records(&reader, &mut warnings);
    compared::Comparisons::new(&game, sources, &known).in_records(&game, &reader, &mut warnings);
    doubtful::near_facts(&game, sources, &mut warnings);
    unread::near_words(sources, &mut warnings);
    unread::unopened_menus(&game, sources, &mut warnings);
    lacking::lacking_stats(&game, sources, &mut warnings);
    types::reasons_without_text(&game, &reader, &mut warnings);
    game.warnings.append(&mut warnings);
    if defects.0.is_empty() {
        game.reads = Reads::of(&game);
        game.stoppers = game.sight.values().map(|sight| ByKind::of(&game, sight.entities.as_ref())).collect();
    }
    (Arc::new(game), defects)
}

fn section<'a>(sources: &'a Sources, section: &str) -> impl Iterator<Item = (&'a String, &'a Record)> {
    sources.records.get(section).into_iter().flatten()
}

/// The names that expressions may use, found before any expression is read.
pub(crate) fn names(sources: &Sources) -> Names {
    let n_args = |node: &Node| match node.as_map().and_then(|fields| fields.get("args")).map(|args| &args.value) {
        Some(NodeValue::List(args)) => args.len(),
        _ => 0,
    };
    let mut properties: Vec<Name> = section(sources, "properties").map(|(id, _)| name(id)).collect();
    properties.extend(FREE_KEYS.map(name));
    for (_, record) in section(sources, "kinds").chain(section(sources, "cards")) {
        keys(&record.node, &mut properties);
    }
    for (id, record) in section(sources, "legacy") {
        properties.push(name(id));
        if let Some(default) = record.node.as_map().and_then(|fields| fields.get("default")) {
            keys(default, &mut properties);
        }
    }
    properties.extend(section(sources, "stats").map(|(id, _)| name(id)));
    for (_, record) in section(sources, "data") {
        let fields = record.node.as_map().and_then(|fields| fields.get("fields")).and_then(Node::as_map);
        properties.extend(fields.into_iter().flatten().map(|(key, _)| name(key)));
    }
    Names { terms: terms(sources).map(|(id, node)| (name(id), n_args(node))).collect(), properties }
}

/// Every term: the records of `terms`, then what bots bring.
fn terms(sources: &Sources) -> impl Iterator<Item = (&String, &Node)> {
    let of_bots = section(sources, "bots").filter_map(|(_, record)| record.node.as_map()?.get("terms")?.as_map());
    section(sources, "terms").map(|(id, record)| (id, &record.node)).chain(of_bots.flatten())
}

/// All keys of maps in a node.
fn keys(node: &Node, found: &mut Vec<Name>) {
    match &node.value {
        NodeValue::Map(entries) => {
            for (key, node) in entries {
                found.push(name(key));
                keys(node, found);
            }
        }
        NodeValue::List(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// The locals that phases declare.
fn locals(sources: &Sources) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for (_, record) in section(sources, "phases") {
        let fields = record.node.as_map();
        let declared = fields.and_then(|fields| fields.get("locals")).and_then(Node::as_map);
        found.extend(declared.into_iter().flatten().map(|(local, _)| name(local)));
        let each = fields.and_then(|fields| fields.get("each")).and_then(Node::as_map);
        if let Some(NodeValue::Text(local)) = each.and_then(|each| each.get("as")).map(|node| &node.value) {
            found.push(name(local));
        }
    }
    found.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    found.dedup();
    found
}
