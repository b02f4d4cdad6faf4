//! Records that come back to themselves: terms, values and choices that use each other, phases
//! that contain each other.

use std::collections::BTreeMap;

use crate::{
    base::Value,
    content::{Defect, Defects, Sources},
    rules::{
        expr::{CallUse, Expr},
        game::{Body, Game},
        query::QUERIES,
        view::FIRST_TERM,
    },
};

/// Records by `section.id`, with those that they lead to.
type Paths = BTreeMap<String, Vec<String>>;

/// Every circle of records: those that can never end are defects, doubtful ones are warnings.
pub(super) fn circles(game: &Game, sources: &Sources, defects: &mut Defects, warnings: &mut Vec<Defect>) {
    let uses = uses(game);
    let of = |kept: &dyn Fn(&Use) -> bool| -> Paths {
        let targets = |uses: &[Use]| uses.iter().filter(|used| kept(used)).map(|used| used.record.clone()).collect();
        uses.iter().map(|(record, uses)| (record.clone(), targets(uses))).collect()
    };
    let mut told: Vec<String> = Vec::new();
    for circle in found(of(&|used| used.certain)) {
        let help = "let an `if`, `&&` or `||` decide whether it goes on";
        let message = format!("{} use each other without end", circle.join(" > "));
        told.extend(circle.iter().cloned());
        defects.0.extend(at(sources, "term.circle", &circle[0], message, help));
    }
    for circle in found(of(&|used| !used.less)).into_iter().filter(|circle| !told.contains(&circle[0])) {
        let help = "pass a number that gets smaller, such as `left - 1`, and stop at 0";
        let message = format!("{} may use each other without end", circle.join(" > "));
        warnings.extend(at(sources, "term.circle", &circle[0], message, help));
    }
    for circle in found(phases(game)) {
        let names: Vec<&str> = circle.iter().filter_map(|phase| phase.strip_prefix("phases.")).collect();
        let help = "to run phases once more give the one around them `again`; `when` skips a phase";
        let message = format!("the phases {} contain each other for ever", names.join(" > "));
        defects.0.extend(at(sources, "phase.circle", &circle[0], message, help));
    }
}

fn at(sources: &Sources, code: &'static str, record: &str, message: String, help: &str) -> Option<Defect> {
    let (section, id) = record.split_once('.')?;
    let place = sources.records.get(section)?.get(id)?.node.named_at();
    Some(Defect::new(code, place, &sources.files[place.file], message, Some(help.into())))
}

/// A record that another one uses.
struct Use {
    record: String,
    /// Whether it is used each time.
    certain: bool,
    /// Whether it is given less than the other one was.
    less: bool,
}

/// Which terms, values and choices use which.
fn uses(game: &Game) -> BTreeMap<String, Vec<Use>> {
    let mut found = BTreeMap::new();
    for (id, term) in &game.terms {
        found.insert(format!("terms.{id}"), of_expr(game, &term.is, true));
    }
    for (id, value) in &game.values {
        let mut uses = of_expr(game, &value.base, true);
        for part in &value.parts {
            uses.extend(part.when.iter().flat_map(|when| of_expr(game, when, false)));
            uses.extend(of_expr(game, &part.amount, false));
        }
        found.insert(format!("values.{id}"), uses);
    }
    for (id, choice) in &game.choices {
        let mut uses = of_expr(game, &choice.from, true);
        uses.extend(choice.conditions.iter().flat_map(|condition| of_expr(game, &condition.holds, false)));
        found.insert(format!("choices.{id}"), uses);
    }
    found
}

fn of_expr(game: &Game, expr: &Expr, always: bool) -> Vec<Use> {
    let record = |call: &CallUse| {
        if let Some(index) = call.function.checked_sub(FIRST_TERM) {
            return game.terms.get_index(index as usize).map(|(id, _)| format!("terms.{id}"));
        }
        let section = match QUERIES.get(call.function as usize)?.name {
            "value" => "values",
            "options" | "has_option" => "choices",
            _ => return None,
        };
        call.first.as_ref().and_then(Value::as_name).map(|id| format!("{section}.{id}"))
    };
    let uses = expr
        .calls()
        .into_iter()
        .filter_map(|call| Some(Use { record: record(&call)?, certain: always && call.certain, less: call.less }));
    uses.collect()
}

/// Which phases always begin which.
fn phases(game: &Game) -> Paths {
    let always = |phase: &&crate::base::Name| game.phases.get(*phase).is_some_and(|phase| phase.when.is_none());
    let children = |body: &Body| match body {
        Body::Phases(phases) => phases.iter().filter(always).map(|phase| format!("phases.{phase}")).collect(),
        _ => Vec::new(),
    };
    game.phases.iter().map(|(id, phase)| (format!("phases.{id}"), children(&phase.body))).collect()
}

/// Circles that have no record in common; the first record of each stands again at its end.
fn found(mut paths: Paths) -> Vec<Vec<String>> {
    let mut circles = Vec::new();
    loop {
        // What leads nowhere is in no circle.
        loop {
            let there: Vec<String> = paths.keys().cloned().collect();
            paths.values_mut().for_each(|next| next.retain(|record| there.binary_search(record).is_ok()));
            let before = paths.len();
            paths.retain(|_, next| !next.is_empty());
            if paths.len() == before {
                break;
            }
        }
        let Some((first, _)) = paths.first_key_value() else { return circles };
        let mut way = vec![first.clone()];
        let circle = loop {
            let Some(next) = way.last().and_then(|last| paths.get(last)).and_then(|next| next.first()) else {
                return circles;
            };
            let met = way.iter().position(|record| record == next);
            way.push(next.clone());
            if let Some(met) = met {
                break way.split_off(met);
            }
        };
        circle.iter().for_each(|record| {
            paths.remove(record);
        });
        circles.push(circle);
    }
}
