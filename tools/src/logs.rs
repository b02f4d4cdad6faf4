//! Commands about logs: verify, replay, explain, fork.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use sandtable::{
    base::{EntityId, value_to_json},
    rules::{Game, MISSION_STARTED},
    table::{
        Again, Difference, Played, StartFault, Verdict, differing, disagreement,
        log::{LogFile, fold_log, read_log},
        replay as run_again,
    },
};
use serde_json::{Map, Value as Json, json};

use crate::{
    games::Packs,
    out::{line, talk},
    play::{called, log_in},
};

/// A log that was read, or none after it was said what is wrong with it.
fn read(path: &Path) -> Option<LogFile> {
    read_log(path).map_err(|fault| talk(&format!("error: {}: {fault}", path.display()))).ok()
}

/// The three proofs of a log; of the log of a seat the first two, since it cannot be run again.
pub(crate) fn verify(packs: &Packs<'_>, path: &Path, current: bool, as_json: bool) -> io::Result<u8> {
    let proofs = proofs(packs, &log_in(path), current);
    let missions = proofs["missions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if as_json {
        line(&proofs.to_string())?;
    } else {
        for (proof, what) in proofs.as_object().into_iter().flatten().filter(|(proof, _)| *proof != "missions") {
            tell_proof(proof, what)?;
        }
        for mission in missions {
            tell_proof(mission["log"].as_str().unwrap_or_default(), mission)?;
        }
    }
    let proved = |proof: &str| proofs[proof]["proved"] == true;
    let missions_too = missions.iter().all(|mission| mission["proved"] == true);
    let rerun_too = proofs.get("rerun").is_none() || proved("rerun");
    Ok(u8::from(!(proved("chain") && proved("fold") && rerun_too && missions_too)))
}

fn tell_proof(proof: &str, what: &Json) -> io::Result<()> {
    let records = what["records"].as_u64().map_or_else(String::new, |n| format!(" ({n} records)"));
    if what["proved"] == true {
        line(&format!("{proof}: proved{records}"))?;
    } else {
        line(&format!("{proof}: not proved: {}", what["why"].as_str().unwrap_or("see above")))?;
    }
    if let Some(cut) = what.get("cut") {
        talk(&format!("{} lines after the last whole unit do not count, from line {}", cut["lines"], cut["line"]));
    }
    let Some(difference) = what.get("difference") else { return Ok(()) };
    let what = difference["what"].as_str().unwrap_or_default();
    line(&format!("first difference at record {}{what}:", difference["n"]))?;
    let differs = difference["differs"].as_array().map(Vec::as_slice).unwrap_or_default();
    for field in differs {
        line(&format!("  {}: was {}, is {}", field["field"].as_str().unwrap_or_default(), field["was"], field["is"]))?;
    }
    for side in ["was", "is"].into_iter().filter(|_| differs.is_empty()) {
        let text = difference[side].as_str().unwrap_or_default();
        line(&format!("  {side:<3} {}", text.lines().collect::<Vec<_>>().join("\n    ")))?;
    }
    match difference["cause"].as_str() {
        Some(cause) => line(&format!("  by {cause}")),
        None => Ok(()),
    }
}

fn proofs(packs: &Packs<'_>, path: &Path, current: bool) -> Json {
    let unproved = |why: &str| json!({ "proved": false, "why": why });
    let log = match read_log(path) {
        Ok(log) => log,
        Err(fault) => {
            let why = "the chain is broken";
            return json!({ "chain": unproved(&fault.to_string()), "fold": unproved(why), "rerun": unproved(why) });
        }
    };
    let mut chain = json!({ "proved": true, "records": log.lines.len() });
    if let Some(cut) = &log.cut {
        chain["cut"] = json!({ "line": cut.line, "lines": cut.n_lines });
    }
    let fold = match fold_log(&log, None) {
        Ok(_) => json!({ "proved": true }),
        Err(fault) => unproved(&fault.to_string()),
    };
    if log.header.seat.is_some() {
        return json!({ "chain": chain, "fold": fold });
    }
    let Some(game) = packs.load(&log.header.game) else {
        return json!({ "chain": chain, "fold": fold, "rerun": unproved("the content cannot be loaded") });
    };
    let again = run_again(&game, &log);
    let mut proofs = json!({ "chain": chain, "fold": fold, "rerun": rerun_proof(&game, &log, &again, current) });
    if let Some(again) = again.as_ref().ok().filter(|again| again.table.is_campaign()) {
        let folder = path.parent().unwrap_or(Path::new(""));
        proofs["missions"] = again
            .table
            .played()
            .iter()
            .map(|played| mission_proof(&game, &log, played, &folder.join(played.log_name())))
            .collect();
    }
    proofs
}

/// That the log of a mission agrees with what its campaign's log says of it.
fn mission_proof(game: &Arc<Game>, campaign: &LogFile, played: &Played, path: &Path) -> Json {
    // A mission that has been begun may have no log yet.
    let waits = played.report.is_none() && !path.exists();
    let log = if waits { Ok(None) } else { read_log(path).map(Some) };
    let why = match &log {
        Ok(None) => None,
        Err(fault) => Some(fault.to_string()),
        Ok(Some(log)) => disagreement(game, campaign, played, log).unwrap_or_else(|fault| Some(fault.to_string())),
    };
    let records = log.ok().flatten().map_or(0, |log| log.lines.len());
    let mut proof = json!({ "mission": played.call.mission.as_str(), "log": path.to_string_lossy() });
    proof["proved"] = json!(why.is_none());
    match why {
        Some(why) => proof["why"] = json!(why),
        None => proof["records"] = json!(records),
    }
    proof
}

/// What to do when a log was played with packs that are not here.
pub(crate) fn packs_hint(log: &LogFile, game: &Game) -> Option<String> {
    let here: Vec<&str> = game.packs.iter().map(|(pack, ..)| pack.as_str()).collect();
    let missing = log.header.lock.packs.iter().map(|pack| pack.name.as_str()).filter(|pack| !here.contains(pack));
    let missing: Vec<&str> = missing.collect();
    let packs = missing.join(", ");
    (!missing.is_empty())
        .then(|| format!("hint: it was played with {packs}; name the folder of that too: --root . --root FOLDER"))
}

fn rerun_proof(game: &Arc<Game>, log: &LogFile, again: &Result<Again, StartFault>, current: bool) -> Json {
    let files = differing(log, game);
    if let Some(hint) = packs_hint(log, game) {
        talk(&hint);
    }
    let mut proof = match again.as_ref().map(|again| again.compare(log)) {
        _ if !files.is_empty() && !current => {
            json!({ "proved": false, "why": format!("these files differ: {}", files.join(", ")) })
        }
        Err(fault) => json!({ "proved": false, "why": fault.to_string() }),
        Ok(Verdict { difference: None, records, .. }) => json!({ "proved": true, "records": records }),
        Ok(Verdict { difference: Some(difference), .. }) => json!({
            "proved": false, "why": "a record does not come again",
            "difference": {
                "n": difference.number, "was": difference.was, "is": difference.is,
                "what": record_in_words(&difference.was), "differs": differing_fields(&difference),
                "cause": cause_of(game, &difference.is),
            },
        }),
    };
    if !files.is_empty() {
        proof["files"] = json!(files);
    }
    proof
}

/// What sort of record it is: `, an event moved`, or `, answered`; nothing of what is no record.
fn record_in_words(record: &str) -> String {
    let json: Json = serde_json::from_str(record).unwrap_or_default();
    match (json["event"]["kind"].as_str(), json.as_object().and_then(|record| record.keys().next())) {
        (Some(kind), _) => format!(", the event {kind}"),
        (None, Some(kind)) => format!(", {kind}"),
        _ => String::new(),
    }
}

/// The fields in which two records of one sort differ, each with both values; none where all is
/// different.
fn differing_fields(difference: &Difference) -> Vec<Json> {
    let read = |text: &str| serde_json::from_str::<Json>(text).unwrap_or_default();
    let (was, is) = (read(&difference.was), read(&difference.is));
    let sort = |record: &Json| {
        let first = record.as_object().and_then(|record| record.keys().next().cloned());
        first.map(|first| (record[&first]["kind"].clone(), first))
    };
    let mut found = Vec::new();
    if sort(&was).is_some() && sort(&was) == sort(&is) {
        compare("", &was, &is, &mut found);
    }
    found
}

/// Goes down where both are maps, or lists of one length.
fn compare(path: &str, was: &Json, is: &Json, found: &mut Vec<Json>) {
    match (was, is) {
        _ if was == is => {}
        (Json::Object(a), Json::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&below, &was[key], &is[key], found);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (at, (was, is)) in a.iter().zip(b).enumerate() {
                compare(&format!("{path}[{at}]"), was, is, found);
            }
        }
        _ => found.push(json!({ "field": path, "was": was, "is": is })),
    }
}

/// The record and function that a record in JSON text names as its cause, with its place; of a
/// fault the function or record that failed.
fn cause_of(game: &Game, record: &str) -> Option<String> {
    let text = record;
    // What is no record any more is told as it was said.
    let record: Json = serde_json::from_str(record).unwrap_or_else(|_| json!({ "fault": { "message": text } }));
    if let Some(message) = record["fault"]["message"].as_str() {
        let function = message.lines().rev().find_map(|line| line.trim_start().strip_prefix("in "));
        let failed = || {
            let words = message.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            let place = words.filter_map(|word| Some((word, game.places.get(word)?))).next();
            place.map(|(record, (file, line))| format!("{record}, {file}:{line}"))
        };
        return function.map(str::to_owned).or_else(failed);
    }
    let cause = &record["event"]["cause"];
    let (by, function) = (cause["record"].as_str()?, cause["function"].as_str()?);
    let place = game.places.get(by).map_or_else(String::new, |(file, line)| format!(", {file}:{line}"));
    Some(format!("{by}, {function}{place}"))
}

/// The world after record `at`, as JSON.
pub(crate) fn replay(path: &Path, at: u64) -> io::Result<u8> {
    let Some(log) = read(path) else { return Ok(1) };
    if at > log.lines.len() as u64 {
        talk(&format!("error: the log ends with record {}", log.lines.len()));
        return Ok(1);
    }
    let world = match fold_log(&log, Some(at)) {
        Ok(world) => world,
        Err(fault) => {
            talk(&format!("error: {fault}"));
            return Ok(1);
        }
    };
    let schema = world.schema();
    let entities: Map<String, Json> = world
        .entities()
        .map(|(id, thing)| {
            let properties: Map<String, Json> = schema
                .entity
                .iter()
                .filter_map(|decl| Some((decl.name.to_string(), value_to_json(world.property(id, decl.name)?, &world))))
                .collect();
            let at = thing.at.to_json(&world);
            (thing.key.to_string(), json!({ "kind": thing.kind.as_str(), "at": at, "properties": properties }))
        })
        .collect();
    let key = |id: &EntityId| world.entity(*id).map_or(Json::Null, |thing| json!(thing.key.as_str()));
    let zones: Map<String, Json> = schema
        .zones
        .iter()
        .map(|zone| (zone.name.to_string(), world.zone(zone.name).unwrap_or_default().iter().map(key).collect()))
        .collect();
    let table: Map<String, Json> = schema
        .table
        .iter()
        .filter_map(|decl| Some((decl.name.to_string(), value_to_json(world.table(decl.name)?, &world))))
        .collect();
    let phases: Vec<&str> = world.flow().iter().map(|frame| frame.phase.as_str()).collect();
    let world = json!({ "record": at, "hash": world.hash(), "phases": phases, "entities": entities, "zones": zones, "table": table });
    line(&world.to_string())?;
    Ok(0)
}

/// An event, its cause down to the record and function that emitted it, and the phases and
/// answer around it.
pub(crate) fn explain(packs: &Packs<'_>, path: &Path, n: u64, as_json: bool) -> io::Result<u8> {
    let Some(log) = read(path) else { return Ok(1) };
    let found = log.lines.iter().find(|line| line.n == n).and_then(|line| line.json.get("event"));
    let Some(event) = found else {
        talk(&format!("error: record {n} is no event of this log\nhint: `run` prints the numbers of events"));
        return Ok(1);
    };
    let before = |kind: &str| {
        let mut earlier = log.lines.iter().filter(|line| line.n < n).rev();
        earlier.find_map(|line| line.json.get(kind).map(|body| (line.n, body)))
    };
    let step = before("step").map(|(n, step)| json!({ "n": n, "phase": step["phase"], "function": step["function"] }));
    let answer = before("answered")
        .filter(|(answered, _)| step.as_ref().is_some_and(|step| step["n"].as_u64() < Some(*answered)));
    let answer =
        answer.map(|(n, body)| json!({ "n": n, "seat": body["seat"], "answer": body["answer"], "by": body["by"] }));
    let by = event["cause"]["record"].as_str().unwrap_or_default();
    let function = event["cause"]["function"].as_str().unwrap_or_default();
    let Some(game) = packs.load(&log.header.game) else { return Ok(2) };
    let place = game.places.get(by).map(|(file, line)| json!({ "file": file, "line": line }));
    if as_json {
        let explained = json!({
            "n": n, "kind": event["kind"], "fields": event["fields"], "changes": event["changes"],
            "cause": event["cause"], "place": place, "step": step, "answer": answer,
        });
        line(&explained.to_string())?;
        return Ok(0);
    }
    for part in ["kind", "fields", "changes"] {
        line(&format!("{part}: {}", event[part].as_str().map_or_else(|| event[part].to_string(), str::to_owned)))?;
    }
    match place {
        Some(place) => {
            let file = place["file"].as_str().unwrap_or_default();
            line(&format!("cause: {by}, {function} ({file}:{})", place["line"]))?;
        }
        None => line(&format!("cause: {by}, {function} (gone from the loaded content)"))?,
    }
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    if let Some(answer) = answer {
        line(&format!(
            "after the answer {} of {}, record {}",
            text(&answer["answer"]),
            text(&answer["seat"]),
            answer["n"]
        ))?;
    }
    if let Some(step) = step {
        line(&format!("in the step {} of {}, record {}", text(&step["function"]), text(&step["phase"]), step["n"]))?;
    }
    Ok(0)
}

/// A new log with the units of another up to the one that holds record `at`.
pub(crate) fn fork(path: &Path, at: u64, new: Option<&Path>, as_json: bool) -> io::Result<u8> {
    let Some(log) = read(path) else { return Ok(1) };
    let is_campaign = log.lines.iter().any(|line| line.json["event"]["kind"] == MISSION_STARTED);
    if is_campaign {
        let hint = "copy its folder, or fork the log of a mission";
        talk(&format!(
            "error: {} is the log of a campaign, whose missions have logs of their own\nhint: {hint}",
            path.display()
        ));
        return Ok(1);
    }
    let Some(last) = log.lines.iter().find(|line| line.n >= at && line.closes()) else {
        talk(&format!("error: there is no whole unit with record {at}; the log ends with record {}", log.lines.len()));
        return Ok(1);
    };
    let header = &log.header;
    let default =
        || PathBuf::from(format!("logs/{}-{}-{}-at-{}.jsonl", header.game, header.mission, header.seed, last.n));
    let new = new.map_or_else(default, Path::to_owned);
    if let Some(folder) = new.parent() {
        let _ = fs::create_dir_all(folder);
    }
    // The header and each record are a line, so whole units are whole lines.
    let bytes = fs::read(path)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').take(usize::try_from(last.n).unwrap_or(usize::MAX) + 1);
    let kept: Vec<u8> = lines.flatten().copied().collect();
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)
        .and_then(|mut file| file.write_all(&kept).and_then(|()| file.sync_all()));
    if let Err(error) = written {
        talk(&format!("error: {}: {error}\nhint: name another file by --log", new.display()));
        return Ok(1);
    }
    if as_json {
        line(&json!({ "log": new.to_string_lossy(), "records": last.n }).to_string())?;
    } else {
        line(&format!("{} records in {}", last.n, new.display()))?;
        talk(&format!("hint: go on with `{} play --resume {}`", called(), new.display()));
    }
    Ok(0)
}
