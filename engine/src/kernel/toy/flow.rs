//! The toy's phases: the same events as the flow of content gives for
//! `game: {enter: toy::set_up(), phases: [round, round, round], exit: toy::finish()}`
//! and `round: {step: toy::round()}`.

use super::*;

pub(super) fn apply(draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
    if let Some(index) = fields.get(&name("index")) {
        draft.local(name("_index"), index.clone())?;
    }
    match kind.as_str() {
        "phase_began" => draft.push(fields[&name("phase")].as_name().unwrap(), BTreeMap::new()),
        "phase_moved" => {
            draft.local(name("_stage"), fields[&name("stage")].clone())?;
            draft.local(name("_index"), Value::None)
        }
        _ => draft.pop(),
    }
}

pub(super) fn next(run: &Rc<Run>) -> Result<Option<Call>, Stop> {
    loop {
        let local = |frame: &Frame, local: &str| frame.locals.get(&name(local)).and_then(Value::as_int).unwrap_or(0);
        let top = run.world().flow().last().map(|top| (top.phase, local(top, "_stage"), local(top, "_index")));
        let emit = |kind: &str, phase: &str, why: &str, more: Option<(&str, Value)>| {
            let mut given = fields([("phase", Value::name(phase))]);
            given.extend(more.map(|(field, value)| (name(field), value)));
            if kind == "phase_began" {
                given.insert(name("locals"), Value::map([]));
            }
            run.emit(name(kind), given, cause(&format!("phases.{phase}"), why))
        };
        let moved = |phase: &str, stage: i64| emit("phase_moved", phase, "flow", Some(("stage", Value::Int(stage))));
        let Some((phase, stage, index)) = top else {
            if run.records().iter().any(|record| matches!(record, Record::Step(_))) {
                return Ok(None);
            }
            emit("phase_began", "game", "begin", None)?;
            continue;
        };
        let is_game = phase.as_str() == "game";
        let (function, started) = match (is_game, stage) {
            (true, 1) if index < 3 => {
                emit("phase_began", "round", "begin", Some(("index", Value::Int(index + 1))))?;
                continue;
            }
            (true, 0) => ("toy::set_up", 1),
            (false, 0) => ("toy::round", 2),
            (true, 1) => ("toy::finish", 4),
            _ => {
                emit("phase_ended", &phase, "end", None)?;
                continue;
            }
        };
        moved(&phase, started)?;
        return Ok(Some(call(function, Vec::new(), &format!("phases.{phase}"))));
    }
}
