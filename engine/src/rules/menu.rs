//! Questions: candidates with every reason against them, and menus of actions.
//!
//! One evaluation serves the list of options, an answer that is sent directly, and the
//! explanation why something is not offered.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    functions::prepare_action,
    game::{Action, ChoiceRecord, Condition},
    instance::Stage,
    view::View,
};
use crate::{
    base::{Name, Value, name},
    kernel::{Candidate, Fault, Stop},
};

/// Asks a question of section `choices`.
pub(super) fn choose(stage: &Rc<Stage>, id: Name, given: &BTreeMap<Name, Value>) -> Result<Value, Stop> {
    let run = stage.run()?;
    let (record, candidates) = {
        let record = record(stage, id)?;
        (record, stage.look(&run, |view| candidates(view, id, record, given))?)
    };
    run.choose(seat(stage), id, record.tie, candidates)
}

/// The legal answers to a question.
pub(super) fn options(stage: &Rc<Stage>, id: Name, given: &BTreeMap<Name, Value>) -> Result<Value, Stop> {
    let run = stage.run()?;
    let record = record(stage, id)?;
    let all = stage.look(&run, |view| candidates(view, id, record, given))?;
    let legal = all.into_iter().filter(|candidate| candidate.reasons.is_empty());
    Ok(Value::list(legal.map(|candidate| candidate.value).collect()))
}

/// Asks which of several equal things comes first.
pub(super) fn choose_tie(stage: &Rc<Stage>, prompt: Name, items: &[Value]) -> Result<Value, Stop> {
    let run = stage.run()?;
    let candidates = stage.look(&run, |view| {
        items.iter().map(|item| candidate(view, prompt, None, item, &[], Vec::new())).collect::<Result<Vec<_>, _>>()
    })?;
    run.choose(seat(stage), prompt, true, candidates)
}

/// Asks which action of a menu a unit takes, and takes it.
pub(super) fn menu(stage: &Rc<Stage>, menu: Name, unit: Value) -> Result<Value, Stop> {
    let run = stage.run()?;
    let candidates = stage.look(&run, |view| {
        let actions = view.game.actions.iter().filter(|(_, action)| action.menu == menu);
        actions
            .map(|(id, action)| {
                let reasons = reasons_against(view, *id, action, &unit)?;
                Ok(Candidate { id: *id, value: (*id).into(), reasons })
            })
            .collect::<Result<Vec<_>, Fault>>()
    })?;
    let chosen = run.choose(seat(stage), menu, false, candidates)?;
    let id = chosen.as_name().ok_or_else(|| Stop::fault("an action is a name"))?;
    let action = stage.game.actions.get(&id).ok_or_else(|| Stop::fault(format!("there is no action {id}")))?;
    let mut known = vec![unit];
    for ask in &action.asks {
        let args = stage.look(&run, |view| {
            let args =
                ask.args.eval(view, &known).map_err(|fault| Fault(format!("actions.{id}: {}", fault.message)))?;
            Ok(args.as_map().cloned().unwrap_or_default())
        })?;
        known.push(choose(stage, ask.choice, &args)?);
    }
    let call = stage.look(&run, |view| prepare_action(view, &action.run, &known, id))?;
    run.call(&call)?;
    Ok(id.into())
}

/// The values of a record's arguments.
pub(super) fn variables(id: Name, args: &[Name], given: &BTreeMap<Name, Value>) -> Result<Vec<Value>, Fault> {
    if let Some(unknown) = given.keys().find(|key| !args.contains(key)) {
        return Err(Fault(format!("{id} takes no argument {unknown}")));
    }
    args.iter()
        .map(|arg| given.get(arg).cloned().ok_or_else(|| Fault(format!("{id} needs the argument {arg}"))))
        .collect()
}

fn record(stage: &Rc<Stage>, id: Name) -> Result<&ChoiceRecord, Stop> {
    stage.game.choices.get(&id).ok_or_else(|| Stop::fault(format!("there is no choice {id}")))
}

fn seat(stage: &Rc<Stage>) -> Name {
    stage.game.seats.first().copied().unwrap_or_default()
}

/// All candidates of a question, legal or not, with the reasons against each.
fn candidates(
    view: &View<'_>,
    id: Name,
    record: &ChoiceRecord,
    given: &BTreeMap<Name, Value>,
) -> Result<Vec<Candidate>, Fault> {
    let mut variables = variables(id, &record.args, given)?;
    let items = record.from.eval_items(view, &variables).map_err(|fault| wrong(id, &fault))?;
    let mut candidates = Vec::with_capacity(items.len());
    for item in items {
        variables.push(item.clone());
        let reasons = failed(view, id, &record.conditions, &variables)?;
        candidates.push(candidate(view, id, record.id.as_ref(), &item, &variables, reasons)?);
        variables.pop();
    }
    Ok(candidates)
}

fn candidate(
    view: &View<'_>,
    id: Name,
    named_by: Option<&super::expr::Expr>,
    item: &Value,
    variables: &[Value],
    reasons: Vec<Name>,
) -> Result<Candidate, Fault> {
    let named = match named_by {
        None => item.clone(),
        Some(expr) => expr.eval(view, variables).map_err(|fault| wrong(id, &fault))?,
    };
    let own = view
        .id_of(&named)
        .ok_or_else(|| Fault(format!("a candidate of {id} is {} and has no name", named.type_name())))?;
    Ok(Candidate { id: own, value: item.clone(), reasons })
}

/// Every reason against an action.
fn reasons_against(view: &View<'_>, id: Name, action: &Action, unit: &Value) -> Result<Vec<Name>, Fault> {
    let variables = [unit.clone()];
    let mut reasons = failed(view, id, &action.conditions, &variables)?;
    for ask in action.asks.iter().filter(|ask| ask.early && reasons.is_empty()).collect::<Vec<_>>() {
        let args = ask.args.eval(view, &variables).map_err(|fault| wrong(id, &fault))?;
        let record =
            view.game.choices.get(&ask.choice).ok_or_else(|| Fault(format!("there is no choice {}", ask.choice)))?;
        let all = candidates(view, ask.choice, record, &args.as_map().cloned().unwrap_or_default())?;
        if all.iter().any(|candidate| candidate.reasons.is_empty()) {
            continue;
        }
        let mut why: Vec<Name> = all.into_iter().flat_map(|candidate| candidate.reasons).collect();
        why.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        why.dedup();
        if why.is_empty() {
            why.push(name("nothing_to_choose"));
        }
        reasons.extend(why);
    }
    Ok(reasons)
}

fn failed(view: &View<'_>, id: Name, conditions: &[Condition], variables: &[Value]) -> Result<Vec<Name>, Fault> {
    let mut reasons = Vec::new();
    for condition in conditions {
        if !condition.holds.eval_bool(view, variables).map_err(|fault| wrong(id, &fault))? {
            reasons.push(condition.reason);
        }
    }
    Ok(reasons)
}

fn wrong(id: Name, fault: &super::expr::EvalFault) -> Fault {
    Fault(format!("{id}: {}", fault.message))
}
