//! `run`: a bot plays a mission to its end.

use std::{io, path::Path};

use sandtable::{
    base::{Value, name},
    kernel::{Record, World},
    rules::Tally,
    table::{Table, bot::Mind, log::event_line},
};
use serde_json::{Value as Json, json};

use super::{
    begin::{begin, said},
    session::Session,
};
use crate::{
    games::{Packs, Start},
    out::{line, talk},
};

pub(crate) fn run(
    packs: &Packs<'_>,
    mission: &str,
    start: &Start,
    bot: &str,
    log: Option<&Path>,
    as_json: bool,
) -> io::Result<u8> {
    let failed = |table: &Table, fault: &str, log: Option<&Path>| {
        if as_json {
            let log = log.map(Path::to_string_lossy);
            let _ = line(&json!({ "fault": fault, "seed": table.settings().seed, "log": log }).to_string());
        }
        let hint =
            log.map_or_else(String::new, |log| format!("\nhint: the log is whole up to there: {}", log.display()));
        said(&format!("{fault}{hint}"), 1)
    };
    let Session { table, mut journal, mind, .. } =
        match begin(packs, mission, start, Some(bot), log, false, |table, fault| failed(table, fault, None)) {
            Ok(game) => game,
            Err(code) => return Ok(code),
        };
    let mind = mind.unwrap_or(Mind::Random);
    let mut bot = mind.responder(table.settings().seed, u64::MAX);
    let (mut shown, mut fault) = (0, None);
    loop {
        if let Err(fault) = journal.write(&table) {
            return Ok(said(&fault.to_string(), 1));
        }
        if !as_json {
            shown = show(&table, shown)?;
        }
        let (Some(choice), None) = (table.open(), &fault) else { break };
        let answer = table.with_known_world(choice.seat, |world| bot.answer(world, &choice)).unwrap_or_default();
        fault = table.answer(&answer, 0).err().map(|fault| fault.to_string());
    }
    if let Err(fault) = journal.sync() {
        return Ok(said(&fault.to_string(), 1));
    }
    if let Some(fault) = fault {
        return Ok(failed(&table, &fault, Some(journal.path())));
    }
    talk_of(&mind.take_tally());
    let end = end_json(&table, journal.path());
    if as_json {
        line(&end.to_string())?;
    } else {
        let reason = table.text(end["reason"].as_str().unwrap_or_default());
        let outcome = end["outcome"].as_str().unwrap_or_default();
        line(&format!("{outcome} ({reason}) after {} records; log: {}", end["records"], journal.path().display()))?;
    }
    Ok(0)
}

/// Says where a bot did not do what it meant to.
pub(crate) fn talk_of(tally: &Tally) {
    if tally.cut_short > 0 {
        talk(&format!("warning: the bot's operations were not enough for {} answers", tally.cut_short));
    }
    if let Some(fault) = &tally.first_fault {
        talk(&format!(
            "warning: {} times the bot's advice failed and it answered without, first: {fault}",
            tally.faults
        ));
    }
}

/// How a game has ended, and where its log is.
pub(super) fn end_json(table: &Table, path: &Path) -> Json {
    let end = table.outcome();
    json!({
        "outcome": end.as_ref().map(|end| &end.outcome), "reason": end.as_ref().map(|end| &end.reason),
        "seed": table.settings().seed, "turns": table.n_turns(), "records": table.with_records(<[Record]>::len),
        "world_hash": table.with_world(World::hash), "log": path.to_string_lossy(),
    })
}

/// Prints the events from record `from` on.
fn show(table: &Table, from: usize) -> io::Result<usize> {
    table.with_world(|world| {
        table.with_records(|records| {
            for (number, record) in records.iter().enumerate().skip(from) {
                match record {
                    Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => {
                        let phase = fields.get(&name("phase")).and_then(Value::as_name).unwrap_or_default();
                        line(&format!("{} -- {}", number + 1, phase.replace('_', " ")))?;
                    }
                    Record::Event { kind, .. } if kind.starts_with("phase_") => {}
                    record => {
                        if let Some(text) = event_line(record, number as u64 + 1, world) {
                            line(&text)?;
                        }
                    }
                }
            }
            Ok(records.len())
        })
    })
}
