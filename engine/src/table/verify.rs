//! Running a log again: the same answers and seed on the loaded content.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Settings, StartFault, Table,
    log::{LogFile, fold_log},
};
use crate::{
    base::{Name, name},
    kernel::{Choice, Record, Responder, World},
    rules::Game,
};

/// What running a log again showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether every record came again.
    pub same: bool,
    /// How many records were compared.
    pub records: usize,
    /// The first that differs.
    pub difference: Option<Difference>,
}

/// A record that did not come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its number in the log.
    pub number: u64,
    /// What the log says.
    pub was: String,
    /// What the content says now.
    pub is: String,
}

/// The settings that a log was written with.
#[must_use]
pub fn settings_of(log: &LogFile) -> Settings {
    let header = &log.header;
    Settings {
        mission: name(&header.mission),
        seed: header.seed,
        options: header
            .options
            .iter()
            .map(|(key, value)| (name(key), name(value.as_str().unwrap_or_default())))
            .collect::<BTreeMap<_, _>>(),
        ties_first: header.lock.decide_ties,
        answers_max: header.lock.max_answers,
    }
}

/// Starts the game of a log on `game` and gives the answers that count in it.
///
/// # Errors
/// When the game cannot be started, or the log cannot be folded.
pub fn rerun(game: &Arc<Game>, log: &LogFile) -> Result<Verdict, StartFault> {
    let (table, failed) = replay(game, log)?;
    fold_log(log, None).map_err(|fault| StartFault(fault.to_string()))?;
    let was = live_lines(log);
    let is: Vec<String> = table.with_world(|now| table.with_records(|records| lines(records, now)));
    let n = was.len().max(is.len());
    for index in 0..n {
        let (old, new) = (was.get(index), is.get(index));
        if old.map(|(_, text)| text) != new {
            let end = || "nothing".to_string();
            let is = new.cloned().unwrap_or_else(|| failed.clone().unwrap_or_else(end));
            let number = old.map_or_else(|| log.lines.len() as u64 + 1, |(number, _)| *number);
            let was = old.map_or_else(end, |(_, text)| text.clone());
            return Ok(Verdict { same: false, records: index, difference: Some(Difference { number, was, is }) });
        }
    }
    Ok(Verdict { same: true, records: n, difference: None })
}

/// A table that stands where the answers of a log lead on the loaded content, and the fault
/// that stopped it, if one did.
///
/// # Errors
/// When the game cannot be started.
pub fn replay(game: &Arc<Game>, log: &LogFile) -> Result<(Table, Option<String>), StartFault> {
    let table = Table::start(game, settings_of(log))?;
    table.set_responder(Some(Box::new(Scripted { answers: answers_of(log), next: 0 })));
    let failed = table.advance().err().map(|fault| fault.to_string());
    table.set_responder(None);
    Ok((table, failed))
}

struct Scripted {
    answers: Vec<(Name, Name)>,
    next: usize,
}

impl Responder for Scripted {
    fn answer(&mut self, _world: &World, choice: &Choice) -> Option<Name> {
        let (path, id) = *self.answers.get(self.next)?;
        let legal = path == choice.path && choice.candidate(&id).is_some_and(|candidate| candidate.reasons.is_empty());
        if !legal {
            return None;
        }
        self.next += 1;
        Some(id)
    }
}

/// Path and id of the answers by seats that were not taken back.
fn answers_of(log: &LogFile) -> Vec<(Name, Name)> {
    let field = |body: &serde_json::Value, key: &str| name(body[key].as_str().unwrap_or_default());
    live(log)
        .into_iter()
        .filter_map(|(_, json)| json.get("answered").filter(|body| body["by"] == "seat"))
        .map(|body| (field(body, "path"), field(body, "answer")))
        .collect()
}

fn live(log: &LogFile) -> Vec<(u64, &serde_json::Value)> {
    let mut live: Vec<(u64, &serde_json::Value)> = Vec::new();
    for line in &log.lines {
        if let Some(to) = line.json["undone"]["to"].as_u64() {
            live.retain(|(number, _)| *number <= to);
        } else if line.json.get("fault").is_none() {
            live.push((line.n, &line.json));
        }
    }
    live
}

fn live_lines(log: &LogFile) -> Vec<(u64, String)> {
    live(log).into_iter().map(|(number, json)| (number, plain(json))).collect()
}

/// A record without its number, its hash and the time that a person took.
fn plain(json: &serde_json::Value) -> String {
    let mut json = json.clone();
    if let Some(object) = json.as_object_mut() {
        object.shift_remove("n");
        object.shift_remove("hash");
        if let Some(answered) = object.get_mut("answered").and_then(serde_json::Value::as_object_mut) {
            answered.shift_remove("ms");
        }
    }
    json.to_string()
}

fn lines(records: &[Record], world: &World) -> Vec<String> {
    records.iter().map(|record| plain(&record.to_json(world))).collect()
}
