//! Campaigns: missions in a row, and what passes from one to the next.
//!
//! A campaign is a table like any other, without a board. A phase of it with `plays` asks whoever
//! runs the table to have a mission played; the report of how that ended is an answer of its log.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    expr::Expr,
    instance::Stage,
    setting::{Setting, SettingFault},
    view::View,
};
use crate::{
    base::{Map, Name, Value, name},
    chance::Draw,
    content::nearest,
    kernel::{Choice, Fault, Stop, World},
    rules::{effects::fits, game::Game},
};

/// Missions in a row.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// Its printed name.
    pub title: String,
    /// What it is about.
    pub briefing: String,
    /// Its place among campaigns.
    pub order: i64,
    /// The phase that runs.
    pub phase: Name,
    /// The missions that it may play.
    pub missions: Vec<Name>,
    /// Everything else that its rules may read, and the missions.
    pub facts: BTreeMap<Name, Value>,
}

/// A value that passes from mission to mission.
#[derive(Debug)]
pub struct Legacy {
    /// What it says.
    pub doc: String,
    /// Its type.
    pub kind: Name,
    /// What a mission has that is given nothing.
    pub default: Value,
    /// What a mission leaves when it is over, if it leaves anything.
    pub leaves: Option<Expr>,
}

/// The event with which a mission begins.
pub const MISSION_STARTED: &str = "mission_started";
/// The event with which a mission is over.
pub const MISSION_ENDED: &str = "mission_ended";
/// The fields of these events, with their types.
pub(super) const MISSION_EVENTS: [(&str, &[(&str, &str)]); 2] = [
    (MISSION_STARTED, &[("mission", "name"), ("seed", "int"), ("legacy", "map")]),
    (
        MISSION_ENDED,
        &[("mission", "name"), ("outcome", "name"), ("reason", "name"), ("leaves", "map"), ("log", "name")],
    ),
];
/// The function of the flow that has a mission played.
pub(super) const PLAYS: &str = "plays";
/// What is asked of whoever runs the table.
pub const MISSION_REPORT: &str = "mission_report";
/// Seeds of missions are below this.
const SEEDS: u32 = 1_000_000_000;

/// A mission that waits to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissionCall {
    /// The mission.
    pub mission: Name,
    /// Its seed.
    pub seed: u64,
    /// What it is given.
    pub legacy: BTreeMap<Name, Value>,
}

/// How a mission has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissionReport {
    /// The result.
    pub outcome: Name,
    /// Why.
    pub reason: Name,
    /// What it leaves.
    pub leaves: BTreeMap<Name, Value>,
    /// The hash of the last line of its log.
    pub log: Name,
}

impl MissionCall {
    /// The mission that a choice waits for.
    #[must_use]
    pub fn of(choice: &Choice) -> Option<Self> {
        let about = |key: &str| choice.about.iter().find(|(id, _)| id.as_str() == key).map(|(_, value)| value);
        let seed = about("seed").and_then(Value::as_int).and_then(|seed| u64::try_from(seed).ok())?;
        let legacy = about("legacy").and_then(Value::as_map).map(Map::to_tree).unwrap_or_default();
        let mission = about("mission").and_then(Value::as_name)?;
        choice.wants_report.then_some(Self { mission, seed, legacy })
    }
}

impl MissionReport {
    /// As it stands in a log.
    #[must_use]
    pub fn to_value(&self) -> Value {
        Value::map([
            (name("outcome"), self.outcome.into()),
            (name("reason"), self.reason.into()),
            (name("leaves"), Value::map(self.leaves.clone())),
            (name("log"), self.log.into()),
        ])
    }

    /// What a log says of it.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        let map = value.as_map()?;
        let part = |key: &str| map.get(&name(key));
        let leaves = part("leaves").and_then(Value::as_map).map(Map::to_tree).unwrap_or_default();
        let word = |key: &str| part(key).and_then(Value::as_name);
        Some(Self { outcome: word("outcome")?, reason: word("reason")?, leaves, log: word("log")? })
    }
}

impl Setting {
    /// The table of a campaign: no board, and its facts.
    ///
    /// # Errors
    /// When there is no such campaign.
    pub fn of_campaign(game: &Game, id: Name) -> Result<Self, SettingFault> {
        let campaign =
            game.campaigns.get(&id).ok_or_else(|| SettingFault(format!("{} has no campaign {id}", game.id)))?;
        game.trace.touch("campaigns", id);
        let bare = Self::bare(game).ok_or_else(|| SettingFault("the table cannot be set up".into()))?;
        Ok(Self { mission: id, first: campaign.phase, facts: campaign.facts.clone(), ..bare })
    }

    /// The same with what a mission is given.
    ///
    /// # Errors
    /// When a value is not declared, or of another type.
    pub fn with_legacy(mut self, game: &Game, legacy: BTreeMap<Name, Value>) -> Result<Self, SettingFault> {
        check_legacy(game, &legacy).map_err(SettingFault)?;
        self.legacy = legacy;
        Ok(self)
    }
}

/// Whether every value is declared, and of its type.
pub(crate) fn check_legacy(game: &Game, legacy: &BTreeMap<Name, Value>) -> Result<(), String> {
    for (id, value) in legacy {
        let Some(declared) = game.legacy.get(id) else {
            let near = nearest(id, game.legacy.keys().map(Name::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            return Err(format!("there is no {id} in section `legacy`{near}"));
        };
        if !fits(value, &declared.kind) {
            return Err(format!("{id} of section `legacy` is {}, not {}", declared.kind, value.type_name()));
        }
    }
    Ok(())
}

/// Whether a report brings every value that a mission leaves, and no other.
fn check_left(game: &Game, mission: Name, left: &BTreeMap<Name, Value>) -> Result<(), String> {
    let of = |why: String| format!("the report of {mission}: {why}");
    check_legacy(game, left).map_err(of)?;
    let due = || game.legacy.iter().filter(|(_, legacy)| legacy.leaves.is_some()).map(|(id, _)| id);
    if let Some(missing) = due().find(|id| !left.contains_key(*id)) {
        let place = game.places.get(&format!("legacy.{missing}"));
        let place = place.map_or_else(String::new, |(file, line)| format!(", {file}:{line},"));
        let why = format!("{missing} is missing, which by section `legacy`{place} a mission leaves; add its value");
        return Err(of(why));
    }
    let strange = left.keys().find(|id| !due().any(|known| known == *id));
    strange.map_or(Ok(()), |id| Err(of(format!("{id} of section `legacy` has no `leaves`; leave it out"))))
}

/// What a mission that is over leaves.
///
/// # Errors
/// When it cannot be worked out.
pub fn leaves(game: &Game, setting: &Setting, world: &World) -> Result<BTreeMap<Name, Value>, Fault> {
    let view = View::new(world, setting, game);
    let mut found = BTreeMap::new();
    for (id, legacy) in game.legacy.iter().filter(|(_, legacy)| legacy.leaves.is_some()) {
        found.insert(*id, leaves_of(&view, *id, legacy).map_err(Fault)?);
    }
    Ok(found)
}

/// What a value of section `legacy` would be if the mission were over now.
pub(super) fn leaves_of(view: &View<'_>, id: Name, legacy: &Legacy) -> Result<Value, String> {
    view.game.trace.touch("legacy", id);
    let Some(leaves) = &legacy.leaves else { return Ok(legacy.default.clone()) };
    let place = view.game.places.get(&format!("legacy.{id}"));
    let place = || place.map_or_else(String::new, |(file, line)| format!("\n  in legacy.{id}, {file}:{line}"));
    let value = leaves.eval(view, &[]).map_err(|fault| format!("legacy.{id}: {}{}", fault.message, place()))?;
    typed(value, legacy).map_err(|kind| format!("legacy.{id}: what is left is {kind}, not {}{}", legacy.kind, place()))
}

/// A value that is left as it is declared, or the type that it has instead.
pub(super) fn typed(value: Value, legacy: &Legacy) -> Result<Value, &'static str> {
    let value = match value {
        Value::List(items) if legacy.kind.starts_with("set<") => Value::set(items.to_vec()),
        other => other,
    };
    if fits(&value, &legacy.kind) { Ok(value) } else { Err(value.type_name()) }
}

/// Has a mission played: says that it begins, asks how it has ended, says that too.
pub(super) fn plays(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let (run, game) = (stage.run()?, &stage.game);
    let mission =
        args.first().and_then(Value::as_name).ok_or_else(|| Stop::fault("a mission is played by its name"))?;
    let missions = stage
        .look(&run, |view| Ok(game.campaigns.get(&view.setting.mission).map(|campaign| campaign.missions.clone())))?;
    let missions = missions.ok_or_else(|| Stop::fault("only a campaign has missions played"))?;
    if !missions.contains(&mission) {
        let near = nearest(&mission, missions.iter().map(Name::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Stop::fault(format!("{mission} is not among the missions of the campaign{near}")));
    }
    let legacy = args.get(1).and_then(Value::as_map).map(Map::to_tree).unwrap_or_default();
    check_legacy(game, &legacy).map_err(Stop::fault)?;
    let seed = run.draw(name("missions"), Draw::Dice { n: 1, sides: SEEDS })?.first().copied().unwrap_or_default();
    let started =
        vec![(name("mission"), mission.into()), (name("seed"), Value::Int(seed)), (name("legacy"), Value::map(legacy))];
    run.emit(name(MISSION_STARTED), started.iter().cloned().collect(), stage.cause())?;
    run.settle()?;
    let seat = game.seats.first().copied().unwrap_or_default();
    let report = run.ask_report(seat, name(MISSION_REPORT), started)?;
    let report = MissionReport::of(&report).ok_or_else(|| Stop::fault("the report says not how the mission ended"))?;
    check_left(game, mission, &report.leaves).map_err(Stop::fault)?;
    let leaves = report.leaves;
    let ended = BTreeMap::from([
        (name("mission"), mission.into()),
        (name("outcome"), report.outcome.into()),
        (name("reason"), report.reason.into()),
        (name("leaves"), Value::map(leaves)),
        (name("log"), report.log.into()),
    ]);
    run.emit(name(MISSION_ENDED), ended, stage.cause())?;
    Ok(Value::None)
}
