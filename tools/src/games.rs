//! Which content is loaded, what is wrong with it, and how a mission of it is started.

use std::{
    hash::{BuildHasher as _, Hasher as _},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use sandtable::{
    base::{Name, name},
    content::{self, Defect, Defects, games, nearest},
    rules::{self, Game},
    table::{Settings, bot::RANDOM},
    testkit::Kit,
};
use serde_json::{Map, Value as Json, json};

use crate::out::{line, talk};

/// Which content is loaded.
pub(crate) struct Packs<'a> {
    pub(crate) roots: &'a [PathBuf],
    pub(crate) without: &'a [String],
}

/// How a game is started.
#[derive(Args, Default)]
pub(crate) struct Start {
    /// The seed of all chance; drawn, printed and recorded if it is left out.
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// An option of the mission: `name=value`; `list GAME` names them.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) option: Vec<String>,
    /// After so many answers the game counts as unfinished.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub(crate) max_answers: u64,
}

/// Who answers.
#[derive(Args)]
pub(crate) struct Player {
    /// The bot that answers: `random`, or one of the game's section `bots`.
    #[arg(long, default_value = RANDOM, value_name = "NAME")]
    pub(crate) bot: String,
}

impl Packs<'_> {
    /// Loads a game, or reports every defect.
    pub(crate) fn load(&self, game: &str) -> Option<Arc<Game>> {
        match rules::load(self.roots, game, self.without) {
            Ok(game) => Some(game),
            Err(defects) => {
                report(defects);
                None
            }
        }
    }
}

impl Packs<'_> {
    /// The games that are there; says so if there is none.
    pub(crate) fn games(&self) -> Option<Vec<String>> {
        let games = games(self.roots);
        if games.is_empty() {
            talk("error: there is no game here\nhint: name the folder that holds content/ and scripts/ with --root");
            return None;
        }
        Some(games)
    }

    /// A path as tests are named: below the root that holds it, if there is such a file or folder.
    pub(crate) fn below_root(&self, path: &str) -> String {
        let Ok(real) = Path::new(path).canonicalize() else { return path.to_owned() };
        let roots = self.roots.iter().filter_map(|root| root.canonicalize().ok());
        let below = roots.filter_map(|root| real.strip_prefix(root).ok().map(Path::to_owned));
        // Of roots that lie in each other the inner one.
        let nearest = below.min_by_key(|path| path.components().count());
        nearest.map_or_else(|| path.to_owned(), |path| path.to_string_lossy().into_owned())
    }

    /// Whether every root has content and every pack that is left out is of a game that is there; says so
    /// if not.
    pub(crate) fn are_named(&self) -> bool {
        let is_empty = |root: &&PathBuf| self.roots.len() > 1 && !root.join("content").is_dir();
        if let Some(root) = self.roots.iter().find(is_empty) {
            talk(&format!(
                "error: --root {}: there is no folder content/ in it\nhint: name the folder that holds content/ and scripts/",
                root.display()
            ));
            return false;
        }
        let games = games(self.roots);
        let is_named =
            |pack: &&String| pack.split_once('/').is_some_and(|(game, _)| games.iter().any(|known| known == game));
        let Some(strange) = self.without.iter().find(|pack| !is_named(pack)) else { return true };
        let known = games.join(", ");
        talk(&format!(
            "error: --without {strange}: write game/pack of a game that is there\nhint: games here: {known}"
        ));
        false
    }
}

pub(crate) fn report(mut defects: Defects) {
    defects.sort();
    let n = defects.0.len();
    for defect in defects.0 {
        talk(&format!("{:?}", miette::Report::new(defect)));
    }
    talk(&format!("{n} defect{}; nothing was loaded", if n == 1 { "" } else { "s" }));
}

/// The game and the settings that a command line asks for; none after what was wrong has been said.
pub(crate) fn prepare(packs: &Packs<'_>, mission: &str, start: &Start) -> Option<(Arc<Game>, Settings)> {
    let (game, mission) = mission_of(packs, mission)?;
    Some((game, settings(&mission, start)?))
}

/// The settings that a command line asks for; none after what was wrong has been said.
pub(crate) fn settings(mission: &str, start: &Start) -> Option<Settings> {
    let mut options: Vec<(&str, &str)> = Vec::new();
    for option in &start.option {
        let Some((key, value)) = option.split_once('=') else {
            talk(&format!("error: {option} is no option; write name=value"));
            return None;
        };
        if options.iter().any(|(known, _)| *known == key) {
            talk(&format!("error: the option {key} is given twice"));
            return None;
        }
        options.push((key, value));
    }
    let seed = start.seed.unwrap_or_else(|| {
        let drawn = std::hash::RandomState::new().build_hasher().finish() % 1_000_000;
        talk(&format!("seed {drawn}"));
        drawn
    });
    let mut settings = Settings::new(mission, seed);
    settings.answers_max = start.max_answers;
    settings.options = options.iter().map(|(key, value)| (name(key), name(value))).collect();
    Some(settings)
}

/// The game and the mission that `game/mission` names.
pub(crate) fn mission_of(packs: &Packs<'_>, text: &str) -> Option<(Arc<Game>, String)> {
    named(packs, text, &MISSION, &CAMPAIGN)
}

/// The game and the campaign that `game/campaign` names.
pub(crate) fn campaign_of(packs: &Packs<'_>, text: &str) -> Option<(Arc<Game>, String)> {
    named(packs, text, &CAMPAIGN, &MISSION)
}

/// What of a game is begun by name.
struct Begun {
    /// What one of them is called, and the command that plays it.
    word: &'static str,
    command: &'static str,
    ids: fn(&Game) -> Vec<&'static str>,
}

const MISSION: Begun =
    Begun { word: "mission", command: "play", ids: |game| game.missions.keys().map(Name::as_str).collect() };
const CAMPAIGN: Begun =
    Begun { word: "campaign", command: "campaign", ids: |game| game.campaigns.keys().map(Name::as_str).collect() };

/// The game and the id that a text names; says what is wrong if it names none, or one of the other sort.
fn named(packs: &Packs<'_>, text: &str, wanted: &Begun, other: &Begun) -> Option<(Arc<Game>, String)> {
    let word = wanted.word;
    let Some((game, id)) = text.split_once('/') else {
        talk(&format!("error: {text} is no {word}; write game/{word}\nhint: `sandtable list GAME` names them"));
        return None;
    };
    let game = packs.load(game)?;
    let known = (wanted.ids)(&game);
    if known.contains(&id) {
        return Some((game, id.to_owned()));
    }
    if (other.ids)(&game).contains(&id) {
        let (is, command) = (other.word, other.command);
        talk(&format!("error: {text} is a {is}\nhint: play it by `sandtable {command} {text}`"));
        return None;
    }
    let near = nearest(id, known.iter().copied()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    let hint = if known.is_empty() { "it has none".into() } else { format!("its {word}s: {}", known.join(", ")) };
    talk(&format!("error: {} has no {word} {id}{near}\nhint: {hint}", game.id));
    None
}

pub(crate) fn list(packs: &Packs<'_>, game: Option<&str>, as_json: bool) -> io::Result<u8> {
    let Some(game) = game else {
        let Some(games) = packs.games() else { return Ok(2) };
        if as_json {
            line(&json!({ "games": games }).to_string())?;
        } else {
            games.iter().try_for_each(|game| line(game))?;
        }
        return Ok(0);
    };
    let Some(game) = packs.load(game) else { return Ok(2) };
    if as_json {
        let missions: Vec<Json> = game
            .missions
            .iter()
            .map(|(id, mission)| {
                let options: Map<String, Json> = mission
                    .options
                    .iter()
                    .map(|(option, values)| {
                        (option.to_string(), values.keys().map(|value| json!(value.as_str())).collect())
                    })
                    .collect();
                json!({
                    "mission": format!("{}/{id}", game.id), "title": mission.title,
                    "briefing": mission.briefing, "options": options,
                })
            })
            .collect();
        let campaigns: Vec<Json> = game
            .campaigns
            .iter()
            .map(|(id, campaign)| {
                let id = format!("{}/{id}", game.id);
                json!({ "campaign": id, "title": campaign.title, "briefing": campaign.briefing })
            })
            .collect();
        let json = json!({
            "game": game.id.as_str(), "title": game.title, "missions": missions, "campaigns": campaigns,
        });
        line(&json.to_string())?;
        return Ok(0);
    }
    for (id, mission) in &game.missions {
        line(&format!("{}/{id}  {}", game.id, mission.title))?;
        line(&format!("    {}", mission.briefing))?;
        for (option, values) in &mission.options {
            let values: Vec<&str> = values.keys().map(|value| value.as_str()).collect();
            line(&format!("    --option {option}={}", values.join("|")))?;
        }
    }
    for (id, campaign) in &game.campaigns {
        line(&format!("campaign {}/{id}  {}", game.id, campaign.title))?;
        line(&format!("    {}", campaign.briefing))?;
    }
    Ok(0)
}

/// Loads every game with every mission and script, and reports all defects.
pub(crate) fn check(packs: &Packs<'_>, order: bool, as_json: bool) -> io::Result<u8> {
    let mut code = 0;
    let Some(games) = packs.games() else { return Ok(2) };
    let stray = content::stray_scripts(packs.roots);
    stray.iter().for_each(warn);
    let mut checked = Vec::new();
    for id in games {
        let (n_packs, n_files, warnings, defects) = check_game(packs, &id, order && !as_json)?;
        if as_json {
            let json = |defects: &[Defect]| defects.iter().map(defect_json).collect::<Vec<Json>>();
            checked.push(json!({
                "game": id, "packs": order_of(packs, &id), "files": n_files,
                "defects": json(&defects.0), "warnings": json(&warnings),
            }));
        }
        if !defects.0.is_empty() {
            code = 2;
            report(defects);
        } else if !as_json {
            line(&format!("{id}: {n_packs} packs, {n_files} files, no defects"))?;
        }
    }
    if as_json {
        let stray: Vec<Json> = stray.iter().map(defect_json).collect();
        line(&json!({ "games": checked, "warnings": stray }).to_string())?;
    }
    Ok(code)
}

fn warn(warning: &Defect) {
    let help = warning.help.as_ref().map_or_else(String::new, |help| format!("\n  help: {help}"));
    talk(&format!("warning: {warning}{help}"));
}

fn defect_json(defect: &Defect) -> Json {
    let mut json = json!({ "code": defect.code, "file": defect.file });
    if let Some(root) = &defect.root {
        json["root"] = json!(root);
    }
    // A defect of a whole file has no line.
    for (key, number) in [("line", defect.line), ("column", defect.column)].into_iter().filter(|(_, at)| *at > 0) {
        json[key] = json!(number);
    }
    json["message"] = json!(defect.message);
    json["help"] = json!(defect.help);
    json
}

/// The packs of a game in load order; none when they cannot be read.
fn order_of(packs: &Packs<'_>, game: &str) -> Vec<Json> {
    let sources = content::load(packs.roots, game, packs.without).unwrap_or_default();
    let pack = |pack: &content::Pack| {
        let requires: Map<String, Json> =
            pack.requires.iter().map(|(other, version, _)| (other.clone(), json!(version.to_string()))).collect();
        json!({ "pack": pack.name, "version": pack.version.to_string(), "requires": requires })
    };
    sources.packs.iter().map(pack).collect()
}

/// How many packs and files a game has, what is doubtful, and what is wrong with it.
fn check_game(packs: &Packs<'_>, id: &str, order: bool) -> io::Result<(usize, usize, Vec<Defect>, Defects)> {
    let loaded = content::load(packs.roots, id, packs.without)
        .and_then(|sources| Ok((rules::link(id, &sources)?, sources)))
        .and_then(|(game, sources)| match rules::try_missions(&game, &sources) {
            defects if defects.is_empty() => {
                let kit = Kit::of(packs.roots, Arc::clone(&game), &sources, packs.without);
                kit.map(|_| game)
            }
            defects => Err(Defects(defects)),
        });
    let game = match loaded {
        Ok(game) => game,
        Err(defects) => return Ok((0, 0, Vec::new(), defects)),
    };
    game.warnings.iter().for_each(warn);
    if order {
        for (number, pack) in order_of(packs, id).iter().enumerate() {
            let requires = pack["requires"].as_object().into_iter().flatten();
            let requires: Vec<String> =
                requires.map(|(other, version)| format!("{other} {}", version.as_str().unwrap_or_default())).collect();
            let after = if requires.is_empty() { String::new() } else { format!("  requires {}", requires.join(", ")) };
            let text = |key: &str| pack[key].as_str().unwrap_or_default().to_owned();
            line(&format!("{} {} {}{after}", number + 1, text("pack"), text("version")))?;
        }
    }
    Ok((game.packs.len(), game.files.len(), game.warnings.clone(), Defects::default()))
}
