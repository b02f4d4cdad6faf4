//! Whether every function that a record names is there, with as many arguments as it is given.

use super::game::{Body, DEEDS, Game, ScriptCall};
use crate::script::{ScriptDefect, ScriptHost};

/// Records that name a function which the scripts lack, or give it other arguments.
pub(super) fn missing_functions(game: &Game, host: &ScriptHost) -> Vec<ScriptDefect> {
    calls(game).into_iter().filter_map(|(record, call)| missing_function(call, &record, host)).collect()
}

/// What is wrong with the call of a record, if its function is not there.
pub(super) fn missing_function(call: &ScriptCall, record: &str, host: &ScriptHost) -> Option<ScriptDefect> {
    if DEEDS.contains(&call.function.as_str()) {
        return None;
    }
    let message = host.has(&call.function, call.args.n_items().unwrap_or(0)).err()?;
    let (file, line, column) = call.place.clone();
    let message = format!("{record}: {message}");
    let help = "a record calls a function of a script as `namespace::function(a, b)`".into();
    Some(ScriptDefect { code: "call.unknown_function", file, line, column, message, help })
}

/// Every call of a record, with the record.
fn calls(game: &Game) -> Vec<(String, &ScriptCall)> {
    let mut found = Vec::new();
    for (id, phase) in &game.phases {
        let step = if let Body::Step(call) = &phase.body { Some(call) } else { None };
        found.extend(
            [&phase.enter, &phase.exit].into_iter().flatten().chain(step).map(|call| (format!("phases.{id}"), call)),
        );
    }
    found.extend(game.actions.iter().map(|(id, action)| (format!("actions.{id}"), &action.run)));
    found.extend(game.hooks.iter().map(|(id, hook)| (format!("hooks.{id}"), &hook.run)));
    for (id, menu) in &game.menus {
        found.extend(menu.pays.iter().map(|pays| (format!("menus.{id}"), &pays.run)));
    }
    found
}
