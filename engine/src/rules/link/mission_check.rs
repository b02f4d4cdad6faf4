//! Checking missions and data: boards can be laid, and what content asks of missions and records holds.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    base::{Name, Value, name},
    content::{Defect, Defects, Sources},
    kernel::World,
    rules::{
        game::{Game, MissionCheck},
        instance::schema,
        read::Reader,
        setting::Setting,
        view::View,
    },
};

/// Reads the section `mission_checks`.
pub(super) fn mission_checks(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in super::section(reader.sources, "mission_checks") {
        let fields = reader.fields(&record.node);
        let when = fields.optional("when").and_then(|node| reader.condition(node, &[]));
        let holds = fields.required("holds").and_then(|node| reader.condition(node, &[]));
        let says = reader.text(fields.required("says"));
        let _ = fields.optional("source");
        let is_error = match fields.required("level").and_then(|node| Some((reader.name(node)?, node.place))) {
            Some((level, _)) if level.as_str() == "error" => true,
            Some((level, _)) if level.as_str() == "warning" => false,
            Some((level, place)) => {
                let help = Some("level: error or warning".to_string());
                reader.defect("mission_check.level", place, format!("{level} is no level"), help);
                true
            }
            None => true,
        };
        fields.finish();
        if let Some(holds) = holds {
            game.mission_checks.insert(name(id), MissionCheck { when, holds, says, is_error });
        }
    }
}

/// Lays the board of every mission and asks every check of it; a failed check that is only
/// a warning goes to the game's warnings.
pub(super) fn check_missions(game: &mut Game, sources: &Sources, defects: &mut Defects) {
    let mut warnings = Vec::new();
    for id in game.missions.keys() {
        let Some(record) = sources.records.get("missions").and_then(|missions| missions.get(id.as_str())) else {
            continue;
        };
        let place = record.node.named_at();
        let mut found = |code, is_error: bool, message: String, help: String| {
            let defect = Defect::new(code, place, &sources.files[place.file], message, Some(help));
            if is_error { defects.0.push(defect) } else { warnings.push(defect) }
        };
        match Setting::new(game, *id, &BTreeMap::new()) {
            Err(fault) => {
                found("mission.board", true, fault.to_string(), "compare its squares with its tiles".into());
            }
            Ok(setting) => {
                for (check, is_error, message) in failed_checks(game, &setting) {
                    let help = format!("mission_checks.{check} asks this of every mission");
                    found("mission.check", is_error, format!("{id}: {message}"), help);
                }
            }
        }
    }
    game.warnings.extend(warnings);
}

/// Asks of every record of a section that content declares what its section asks.
pub(super) fn check_data(game: &Game, sources: &Sources, defects: &mut Defects) {
    let setting = game.missions.keys().find_map(|id| Setting::new(game, *id, &BTreeMap::new()).ok());
    let Some(setting) = setting else { return };
    let world = World::new(Arc::new(schema(game, &setting)));
    let view = View::new(&world, &setting, game);
    for (section, conditions) in game.data_checks.iter().filter(|(_, conditions)| !conditions.is_empty()) {
        for (id, record) in super::section(sources, section) {
            for condition in conditions {
                let reason = match condition.holds.eval_bool(&view, &[Value::Name(name(id))]) {
                    Ok(true) => continue,
                    Ok(false) => {
                        game.texts.get(&condition.reason).cloned().unwrap_or_else(|| condition.reason.to_string())
                    }
                    Err(fault) => format!("it cannot be asked: {}", fault.message),
                };
                let place = record.node.named_at();
                let help = format!("data.{section} asks this of every record: {}", condition.reason);
                let message = format!("{section}.{id}: {reason}");
                defects.0.push(Defect::new("data.check", place, &sources.files[place.file], message, Some(help)));
            }
        }
    }
}

/// Every check that a mission fails: the check, whether it is an error, and what it says.
fn failed_checks(game: &Game, setting: &Setting) -> Vec<(Name, bool, String)> {
    let world = World::new(Arc::new(schema(game, setting)));
    let view = View::new(&world, setting, game);
    let mut failed = Vec::new();
    for (id, check) in &game.mission_checks {
        let applies = check.when.as_ref().map_or(Ok(true), |when| when.eval_bool(&view, &[]));
        match applies.and_then(|applies| Ok(!applies || check.holds.eval_bool(&view, &[])?)) {
            Ok(true) => {}
            Ok(false) => failed.push((*id, check.is_error, check.says.clone())),
            Err(fault) => failed.push((*id, true, format!("{id} cannot be asked: {}", fault.message))),
        }
    }
    failed
}
