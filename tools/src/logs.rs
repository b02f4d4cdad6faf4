//! Commands about logs: verify, replay, explain.

use std::{io, path::Path};

use sandtable::{
    base::{EntityId, value_to_json},
    table::{
        differing,
        log::{fold_log, read_log},
        rerun,
    },
};

use serde_json::{Map, Value as Json, json};

use crate::{
    games::Packs,
    out::{line, talk},
};

pub(crate) fn verify(packs: &Packs<'_>, path: &Path, current: bool) -> io::Result<u8> {
    let log = match read_log(path) {
        Ok(log) => log,
        Err(fault) => {
            line(&format!("chain: not proved: {fault}"))?;
            return Ok(1);
        }
    };
    line(&format!("chain: proved ({} records)", log.lines.len()))?;
    if let Some(cut) = &log.cut {
        talk(&format!("{} lines after the last whole unit do not count, from line {}", cut.n_lines, cut.line));
    }
    let mut code = 0;
    match fold_log(&log, None) {
        Ok(_) => line("fold: proved")?,
        Err(fault) => {
            line(&format!("fold: not proved: {fault}"))?;
            code = 1;
        }
    }
    let Some(game) = packs.load(&log.header.game) else {
        line("rerun: not proved: the content cannot be loaded")?;
        return Ok(1);
    };
    let differing = differing(&log, &game);
    if !differing.is_empty() && !current {
        line(&format!("rerun: not proved: these files differ: {}", differing.join(", ")))?;
        return Ok(1);
    }
    match rerun(&game, &log) {
        Ok(verdict) if verdict.same => line(&format!("rerun: proved ({} records)", verdict.records))?,
        Ok(verdict) => {
            line("rerun: not proved")?;
            if let Some(difference) = verdict.difference {
                line(&format!("first difference at record {}:", difference.number))?;
                line(&format!("  was {}", difference.was))?;
                line(&format!("  is  {}", difference.is))?;
            }
            code = 1;
        }
        Err(fault) => {
            line(&format!("rerun: not proved: {fault}"))?;
            code = 1;
        }
    }
    Ok(code)
}

/// The world after record `at`, as JSON.
pub(crate) fn replay(path: &Path, at: u64) -> io::Result<u8> {
    let world = match read_log(path).and_then(|log| fold_log(&log, Some(at))) {
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
    line(&json!({ "record": at, "entities": entities, "zones": zones, "table": table }).to_string())?;
    Ok(0)
}

/// The event at record `n`, its chain of causes down to the record and function that emitted it.
pub(crate) fn explain(packs: &Packs<'_>, path: &Path, n: u64) -> io::Result<u8> {
    let log = match read_log(path) {
        Ok(log) => log,
        Err(fault) => {
            talk(&format!("error: {fault}"));
            return Ok(1);
        }
    };
    let found = log.lines.iter().find(|line| line.n == n).and_then(|line| line.json.get("event"));
    let Some(event) = found else {
        talk(&format!("error: record {n} is no event of this log; hint: `run` prints the numbers of events"));
        return Ok(1);
    };
    for part in ["kind", "fields", "changes", "cause"] {
        line(&format!("{part}: {}", event[part]))?;
    }
    let cause = event["cause"]["record"].as_str().unwrap_or_default();
    let Some(game) = packs.load(&log.header.game) else { return Ok(1) };
    match game.places.get(cause) {
        Some((file, at)) => line(&format!("{cause} stands in {file}, line {at}"))?,
        None => line(&format!("{cause} is gone from the loaded content"))?,
    }
    Ok(0)
}
