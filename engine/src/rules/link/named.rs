//! Names that scripts and expressions write out: `emit("moved", #{ ... })`, `value("range")`.

use crate::{
    base::{Name, name},
    content::{Defect, Defects, Place, Sources, nearest},
    rules::{game::Game, read::Reader, view::FIRST_TERM},
    script::LiteralCall,
};

/// What the first argument of a function names, and all that it could name.
fn target<'a>(game: &'a Game, function: &str) -> Option<(&'static str, Vec<&'a str>)> {
    fn keys<T>(records: &crate::base::NameMap<T>) -> Vec<&str> {
        records.keys().map(Name::as_str).collect()
    }
    Some(match function {
        "emit" => ("event", keys(&game.events)),
        "choose" | "options" | "has_option" => ("choice", keys(&game.choices)),
        "menu" => {
            let menus = game.actions.values().map(|action| action.menu.as_str());
            ("menu", menus.chain(game.menus.keys().map(Name::as_str)).collect())
        }
        "window" => ("window", keys(&game.windows)),
        "value" => ("value", keys(&game.values)),
        "legacy" | "leaves" => ("record of section `legacy`", keys(&game.legacy)),
        "pile" | "shuffle" | "arrange" => ("zone", keys(&game.zones)),
        "refill" => {
            let refilled = game.zones.iter().filter(|(_, zone)| zone.refill.is_some());
            ("zone with `refill`", refilled.map(|(id, _)| id.as_str()).collect())
        }
        "table" => {
            let of_table = game.properties.iter().filter(|(_, property)| property.of_table);
            ("property of the table", of_table.map(|(id, _)| id.as_str()).collect())
        }
        "line_open" | "open_lines" | "open_from" | "line_meets" => ("sight", keys(&game.sight)),
        "step_cost" | "within" | "reach" | "way_cost" | "way_round" | "steps_towards" => {
            ("movement", keys(&game.movement))
        }
        "record" | "records" => ("section of `data`", game.data.keys().map(Name::as_str).collect()),
        _ => return None,
    })
}

/// What is wrong with a written name: message and remedy.
fn unknown(game: &Game, function: &str, first: &str) -> Option<(String, String)> {
    let (what, known) = target(game, function)?;
    if known.contains(&first) {
        return None;
    }
    let help = match nearest(first, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!(
            "write it in the content; there are: {}",
            known.iter().take(12).copied().collect::<Vec<_>>().join(", ")
        ),
    };
    Some((format!("{function}: there is no {what} {first}"), help))
}

/// What is wrong with the fields or arguments that are given: message and remedy.
fn misgiven(game: &Game, function: &str, id: Name, keys: Option<&[Name]>) -> Option<(String, String)> {
    let keys = keys?;
    let (known, needed): (Vec<Name>, Vec<Name>) = match function {
        "emit" => {
            let fields = &game.events.get(&id)?.fields;
            let needed = fields.iter().filter(|(_, field)| !field.optional).map(|(field, _)| *field);
            (fields.keys().copied().collect(), needed.collect())
        }
        "choose" | "options" | "has_option" => {
            let args = &game.choices.get(&id)?.args;
            (args.clone(), args.clone())
        }
        "value" => {
            let args = &game.values.get(&id)?.args;
            (args.clone(), args.clone())
        }
        _ => return None,
    };
    if let Some(strange) = keys.iter().find(|key| !known.contains(key)) {
        let help = nearest(strange, known.iter().map(Name::as_str)).map_or_else(
            || format!("it takes: {}", known.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        return Some((format!("{function}: {id} takes no {strange}"), help));
    }
    let missing = needed.iter().find(|name| !keys.contains(name))?;
    Some((format!("{function}: {id} needs {missing}"), format!("add `{missing}: ...` to the map behind it")))
}

/// Every written name of a script that nothing has.
pub(super) fn in_scripts(game: &Game, calls: &[LiteralCall], sources: &Sources, defects: &mut Defects) {
    for call in calls.iter().filter(|call| call.argument == 0) {
        let keys: Option<Vec<Name>> = call.keys.as_ref().map(|keys| keys.iter().map(|key| name(key)).collect());
        let found = unknown(game, &call.function, &call.text)
            .or_else(|| misgiven(game, &call.function, name(&call.text), keys.as_deref()));
        let (Some((message, help)), Some(file)) = (found, sources.files.iter().find(|file| file.path == call.file))
        else {
            continue;
        };
        let place = Place { file: 0, line: call.line, column: call.column };
        defects.0.push(Defect::new("reference.unknown", place, file, message, Some(help)));
    }
}

/// Every written name of an expression that nothing has.
pub(super) fn in_expressions(game: &Game, reader: &Reader<'_>) {
    for deed in reader.deeds.borrow().iter() {
        let found = unknown(game, &deed.function, &deed.of)
            .or_else(|| misgiven(game, &deed.function, deed.of, deed.fields.as_deref()));
        if let Some((message, help)) = found {
            reader.defect("reference.unknown", deed.place, message, Some(help));
        }
    }
    for (place, expr, _) in reader.exprs.borrow().iter() {
        for call in expr.calls().into_iter().filter(|call| call.function < FIRST_TERM) {
            let Some(query) = crate::rules::query::QUERIES.get(call.function as usize) else { continue };
            let Some(first) = call.first.as_ref().and_then(crate::base::Value::as_name) else { continue };
            if let Some((message, help)) = unknown(game, query.name, &first) {
                reader.defect("reference.unknown", *place, message, Some(help));
            }
        }
    }
}
