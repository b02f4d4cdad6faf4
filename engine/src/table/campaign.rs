//! Missions of a campaign: which one waits, how one has ended, and whether its log agrees with what
//! the campaign's log says of it.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    AnswerFault, Settings, StartFault, Table, done,
    log::{LogFile, fold_log},
    verify::{replay, settings_of},
};
use crate::{
    base::{Map, Name, NoKeys, Value, name, value_to_json},
    kernel::{Fault, Record},
    rules::{Game, MISSION_ENDED, MISSION_STARTED, MissionCall, MissionReport, leaves},
};

/// A mission that a campaign has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number, from 1.
    pub number: usize,
    /// What it was begun with.
    pub call: MissionCall,
    /// How it has ended; none while it is played.
    pub report: Option<MissionReport>,
}

impl Played {
    /// The name of its log in the folder of the campaign's log.
    #[must_use]
    pub fn log_name(&self) -> String {
        format!("{}-{}.jsonl", self.number, self.call.mission)
    }
}

impl Settings {
    /// The settings of a mission of a campaign that is played with `self`.
    #[must_use]
    pub fn of_mission(&self, call: &MissionCall) -> Self {
        Self { mission: call.mission, seed: call.seed, legacy: call.legacy.clone(), ..self.clone() }
    }
}

impl Table {
    /// Whether this is the table of a campaign.
    #[must_use]
    pub fn is_campaign(&self) -> bool {
        self.game().campaigns.contains_key(&self.settings().mission)
    }

    /// The mission that this campaign waits for.
    #[must_use]
    pub fn awaited(&self) -> Option<MissionCall> {
        MissionCall::of(&self.open()?)
    }

    /// The missions that this campaign has begun, in order.
    #[must_use]
    pub fn played(&self) -> Vec<Played> {
        self.with_records(|records| {
            let mut live: Vec<(usize, &Record)> = Vec::new();
            for (number, record) in records.iter().enumerate() {
                match record {
                    Record::Undone { to } => live.retain(|(other, _)| (*other as u64) < *to),
                    record => live.push((number, record)),
                }
            }
            played(live.into_iter().filter_map(|(_, record)| match record {
                Record::Event { kind, fields, .. } => Some((kind.as_str(), fields)),
                _ => None,
            }))
        })
    }

    /// How this mission has ended, and what it leaves; `log` is the hash of the last line of its log.
    ///
    /// # Errors
    /// When it is not over, or what it leaves cannot be worked out.
    pub fn report(&self, log: &str) -> Result<MissionReport, Fault> {
        let end = self.outcome().ok_or_else(|| Fault("the mission is not over".into()))?;
        let setting = &self.instance().setting;
        let leaves = self.with_world(|world| leaves(self.game(), setting, world))?;
        Ok(MissionReport { outcome: name(&end.outcome), reason: name(&end.reason), leaves, log: name(log) })
    }

    /// Tells this campaign how the mission has ended for which it waits, and runs on.
    ///
    /// # Errors
    /// When it waits for none, or a script fails; nothing has changed then.
    pub fn end_mission(&self, report: &MissionReport, ms: u64) -> Result<(), AnswerFault> {
        self.give_report(report.to_value(), ms)
    }

    /// As [`Table::end_mission`], as it stands in a log.
    pub(super) fn give_report(&self, report: Value, ms: u64) -> Result<(), AnswerFault> {
        done(self.run.report(report, ms, self.settings().steps_max))?;
        self.stop_if_due().map_err(AnswerFault::Fault)
    }
}

/// What a mission is given, as it stands in a header: nothing that passes from mission to mission names
/// entities or spaces.
pub(super) fn legacy_to_json(legacy: &BTreeMap<Name, Value>) -> serde_json::Map<String, serde_json::Value> {
    legacy.iter().map(|(id, value)| (id.to_string(), value_to_json(value, &NoKeys))).collect()
}

fn played<'a>(events: impl Iterator<Item = (&'a str, &'a BTreeMap<Name, Value>)>) -> Vec<Played> {
    let mut found: Vec<Played> = Vec::new();
    for (kind, fields) in events {
        let field = |key: &str| fields.get(&name(key)).cloned().unwrap_or_default();
        if kind == MISSION_STARTED {
            let seed = field("seed").as_int().and_then(|seed| u64::try_from(seed).ok()).unwrap_or_default();
            let legacy = field("legacy").as_map().map(Map::to_tree).unwrap_or_default();
            let call = MissionCall { mission: field("mission").as_name().unwrap_or_default(), seed, legacy };
            found.push(Played { number: found.len() + 1, call, report: None });
        } else if kind == MISSION_ENDED {
            let report = MissionReport::of(&Value::map(fields.clone()));
            if let Some(last) = found.last_mut() {
                last.report = report;
            }
        }
    }
    found
}

fn in_words(values: &BTreeMap<Name, Value>) -> String {
    serde_json::Value::Object(legacy_to_json(values)).to_string()
}

/// What does not agree between the log of a mission and what its campaign's log says of it; and
/// whether the mission's own log folds and comes again. None when all is well.
///
/// # Errors
/// When the mission cannot be started.
pub fn disagreement(
    game: &Arc<Game>,
    campaign: &LogFile,
    played: &Played,
    log: &LogFile,
) -> Result<Option<String>, StartFault> {
    let (settings, call) = (settings_of(log), &played.call);
    let said = |what: &str, is: String, was: String| Ok(Some(format!("its {what} is {is}, the campaign says {was}")));
    if log.header.game != campaign.header.game {
        return said("game", log.header.game.clone(), campaign.header.game.clone());
    }
    if settings.mission != call.mission {
        return said("mission", settings.mission.to_string(), call.mission.to_string());
    }
    if settings.seed != call.seed {
        return said("seed", settings.seed.to_string(), call.seed.to_string());
    }
    if settings.legacy != call.legacy {
        let (is, was) = (in_words(&settings.legacy), in_words(&call.legacy));
        return Ok(Some(format!("it was given {is}, the campaign says {was}")));
    }
    if log.header.lock != campaign.header.lock {
        return Ok(Some("it was played with other content than the campaign".into()));
    }
    if let Err(fault) = fold_log(log, None) {
        return Ok(Some(fault.to_string()));
    }
    let again = replay(game, log)?;
    if let Some(difference) = again.compare(log).difference {
        return Ok(Some(format!("record {} does not come again", difference.number)));
    }
    let Some(report) = &played.report else { return Ok(None) };
    let found = match again.table.report(log.lines.last().map_or("", |line| line.hash.as_str())) {
        Ok(found) => found,
        Err(fault) => return Ok(Some(format!("{fault}, the campaign says {}", report.outcome))),
    };
    if (found.outcome, found.reason) != (report.outcome, report.reason) {
        let (is, was) = (found.outcome, report.outcome);
        return said("end", format!("{is} ({})", found.reason), format!("{was} ({})", report.reason));
    }
    if found.leaves != report.leaves {
        let (is, was) = (in_words(&found.leaves), in_words(&report.leaves));
        return Ok(Some(format!("it leaves {is}, the campaign says {was}")));
    }
    if found.log != report.log {
        return said("last line", found.log.to_string(), report.log.to_string());
    }
    Ok(None)
}
