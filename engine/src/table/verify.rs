//! Running a log again: the same answers and seed on the loaded content.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    sync::Arc,
};

use super::{AnswerFault, REPLAY_NUMBER, Settings, StartFault, Table, log::LogFile};
use crate::{
    base::{Name, NoKeys, Value, name, value_from_json},
    kernel::{Choice, Responder, World},
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
        steps_max: super::STEPS_MAX,
        mission: name(&header.mission),
        seed: header.seed,
        options: header
            .options
            .iter()
            .map(|(key, value)| (name(key), name(value.as_str().unwrap_or_default())))
            .collect::<BTreeMap<_, _>>(),
        // A value that cannot be read makes another game, which tells when it is run again.
        legacy: header
            .legacy
            .iter()
            .filter_map(|(key, value)| Some((name(key), value_from_json(value, &NoKeys).ok()?)))
            .collect(),
        ties_first: header.lock.decide_ties,
        answers_max: header.lock.max_answers,
    }
}

/// What stands against running a log again on `game`: files, and numbers of the lock.
#[must_use]
pub fn differing(log: &LogFile, game: &Game) -> Vec<String> {
    let lock = &log.header.lock;
    let same = |path: &str, hash: &str| game.files.iter().any(|(other, there)| other == path && there == hash);
    let mut found: Vec<String> =
        lock.files.iter().filter(|file| !same(&file.path, &file.hash)).map(|file| file.path.clone()).collect();
    let known = |path: &str| lock.files.iter().any(|file| file.path == path);
    found.extend(game.files.iter().map(|(path, _)| path).filter(|path| !known(path)).cloned());
    if lock.replay != REPLAY_NUMBER {
        found.push(format!("the replay number, {} then and {REPLAY_NUMBER} now", lock.replay));
    }
    found
}

/// Starts the game of a log on `game`, does again what was done in it, and compares every record.
///
/// # Errors
/// When the game cannot be started.
pub fn rerun(game: &Arc<Game>, log: &LogFile) -> Result<Verdict, StartFault> {
    Ok(replay(game, log)?.compare(log))
}

/// A log that was run again.
pub struct Again {
    /// The table, where the log ends.
    pub table: Table,
    /// What stopped it, if something did.
    pub failed: Option<String>,
    lines: Vec<String>,
}

impl Again {
    /// Whether every record came again.
    #[must_use]
    pub fn compare(&self, log: &LogFile) -> Verdict {
        // A log without any unit yet says nothing that could come otherwise, and one that ends with a kept answer may want what this answer let happen.
        let ends_open = log.lines.last().is_none_or(|last| last.json.get("kept").is_some());
        let n = if ends_open { log.lines.len() } else { log.lines.len().max(self.lines.len()) };
        let difference = (0..n).find_map(|index| {
            let (was, is) = (log.lines.get(index).map(|line| plain(&line.json)), self.lines.get(index));
            if was.as_ref() == is {
                return None;
            }
            let nothing = || "nothing".to_string();
            let is = is.cloned().or_else(|| self.failed.clone()).unwrap_or_else(nothing);
            Some(Difference { number: index as u64 + 1, was: was.unwrap_or_else(nothing), is })
        });
        let records = difference.as_ref().map_or(n, |difference| difference.number as usize - 1);
        Verdict { same: difference.is_none(), records, difference }
    }
}

/// Does on `game` what was done in a log: answers, taking back, standing orders.
///
/// # Errors
/// When the game cannot be started.
pub fn replay(game: &Arc<Game>, log: &LogFile) -> Result<Again, StartFault> {
    let table = Table::start(game, settings_of(log))?;
    let deeds = Rc::new(RefCell::new(deeds_of(log)));
    table.set_responder(Some(Box::new(Scripted(Rc::clone(&deeds)))));
    let mut again = Again { table, failed: None, lines: Vec::new() };
    let began = again.table.advance();
    again.failed = began.err().map(|fault| fault.to_string());
    loop {
        again.note();
        // Taken out first, so that nothing is borrowed while the deed is done.
        let deed = deeds.borrow_mut().pop_front();
        let (Some(deed), None) = (deed, &again.failed) else { break };
        again.failed = deed.on(&again.table).err().map(|fault| fault.to_string());
        if again.failed.is_none() {
            again.failed = again.table.advance().err().map(|fault| fault.to_string());
        }
    }
    again.table.set_responder(None);
    Ok(again)
}

impl Again {
    /// Writes down what is new, while the world still knows the names in it.
    fn note(&mut self) {
        let Self { table, lines, .. } = self;
        table.with_world(|world| {
            table.with_records(|records| {
                let new = records.iter().skip(lines.len()).map(|record| plain(&record.to_json(world)));
                lines.extend(new.collect::<Vec<_>>());
            });
        });
    }
}

/// What somebody did at the table.
enum Deed {
    Answer {
        seat: Name,
        path: Name,
        id: Name,
    },
    /// What whoever runs the table has reported.
    Report(Value),
    /// An answer in a private dialogue, after so many milliseconds; none when it is taken back.
    Keep {
        seat: Name,
        path: Name,
        answer: Option<(Name, u64)>,
    },
    /// By the seat that gave the answer.
    Undo(Name),
    Ties(bool),
    Fault(String),
}

impl Deed {
    fn on(&self, table: &Table) -> Result<(), AnswerFault> {
        match self {
            Self::Answer { seat, path, id } => return table.answer_to(seat, path, id, 0),
            Self::Keep { seat, path, answer: Some((id, ms)) } => return table.answer_to(seat, path, id, *ms),
            Self::Keep { seat, .. } | Self::Undo(seat) => return table.undo_as(seat),
            Self::Report(report) => return table.give_report(report.clone(), 0),
            Self::Ties(first) => table.decide_ties(*first),
            Self::Fault(message) => table.note_fault(message),
        }
        Ok(())
    }
}

/// Answers as long as the next deed of the log is the answer to the choice that is open.
struct Scripted(Rc<RefCell<VecDeque<Deed>>>);

impl Responder for Scripted {
    fn answer(&mut self, _world: &World, choice: &Choice) -> Option<Name> {
        let mut deeds = self.0.borrow_mut();
        let Some(Deed::Answer { seat, path, id }) = deeds.front() else { return None };
        let legal = (*seat, *path) == (choice.seat, choice.path)
            && choice.candidate(id).is_some_and(|option| option.reasons.is_empty());
        let id = legal.then_some(*id)?;
        deeds.pop_front();
        Some(id)
    }
}

fn deeds_of(log: &LogFile) -> VecDeque<Deed> {
    let text = |json: &serde_json::Value| name(json.as_str().unwrap_or_default());
    let deed = |json: &serde_json::Value| {
        let (kind, body) = json.as_object()?.iter().find(|(key, _)| *key != "n")?;
        match kind.as_str() {
            "answered" if body.get("report").is_some() => {
                value_from_json(&body["report"], &NoKeys).ok().map(Deed::Report)
            }
            "answered" if body["by"] == "seat" && !body["path"].as_str().unwrap_or_default().contains('/') => {
                Some(Deed::Answer { seat: text(&body["seat"]), path: text(&body["path"]), id: text(&body["answer"]) })
            }
            "kept" => {
                let answer = body["answer"].as_str().map(|id| (name(id), body["ms"].as_u64().unwrap_or_default()));
                Some(Deed::Keep { seat: text(&body["seat"]), path: text(&body["path"]), answer })
            }
            "undone" => {
                // The record after the last that counts is the answer that was taken back.
                let taken = body["to"].as_u64().and_then(|to| log.lines.get(usize::try_from(to).ok()?));
                Some(Deed::Undo(taken.map_or_else(Name::default, |line| text(&line.json["answered"]["seat"]))))
            }
            "standing" => Some(Deed::Ties(body["ties"] == "first")),
            "fault" => Some(Deed::Fault(body["message"].as_str().unwrap_or_default().into())),
            _ => None,
        }
    };
    log.lines.iter().filter_map(|line| deed(&line.json)).collect()
}

/// A record without its number, its hash and the time that a person took.
fn plain(json: &serde_json::Value) -> String {
    let mut json = json.clone();
    if let Some(object) = json.as_object_mut() {
        object.shift_remove("n");
        object.shift_remove("hash");
        for kind in ["answered", "kept"] {
            if let Some(answer) = object.get_mut(kind).and_then(serde_json::Value::as_object_mut) {
                answer.shift_remove("ms");
            }
        }
    }
    json.to_string()
}
