//! Questions: candidates with every reason against them, and menus of actions.
//!
//! One evaluation serves the list of options, an answer that is sent directly, and the
//! explanation why something is not offered.

use std::{collections::BTreeMap, rc::Rc, slice};

use super::{
    expr::{Expr, Kept},
    functions::name_of,
    game::{Action, Ask, ChoiceRecord, Condition, MenuRecord},
    instance::{Stage, prepare},
    reads::Memorable,
    view::View,
};
use crate::{
    base::{Map, Name, Value, What, name},
    kernel::{Candidate, Fault, Judge, Run, Stop},
};

/// The reason against an action whose question has no candidates at all.
const NOTHING: &str = "nothing_to_choose";

/// Asks a question of section `choices`.
pub(super) fn choose(stage: &Rc<Stage>, id: Name, given: &Map) -> Result<Value, Stop> {
    let run = stage.run()?;
    let seat = asked(stage, &run, record(stage, id)?.seat);
    let given = given.iter().map(|(arg, value)| (*arg, known(&run, seat, value))).collect();
    choose_as(stage, seat, id, &given)
}

/// Asks a seat a question with arguments as the seat knows them.
fn choose_as(stage: &Rc<Stage>, seat: Name, id: Name, given: &Map) -> Result<Value, Stop> {
    let run = stage.run()?;
    let record = record(stage, id)?;
    stage.game.trace.happen("choices", id);
    let explains = run.explains();
    let mut variables = variables(id, &record.args, given)?;
    let mut candidates = stage.look_as(&run, seat, |view| {
        view.game.trace.touch("choices", id);
        let _lap = view.game.gauge.lap(What::Choice, id.as_str());
        named_items(view, id, &record.from, record.id.as_ref(), &mut variables)
    })?;
    let mut never = BTreeMap::new();
    if explains && !record.refused.is_empty() {
        never = stage.look_as(&run, seat, |view| {
            let _lap = view.game.gauge.lap(What::Reasons, id.as_str());
            refused(view, id, record, &mut variables, &mut candidates)
        })?;
    }
    let about = record.args.iter().filter_map(|arg| Some((*arg, given.get(arg)?.clone()))).collect();
    let kept = kept(&record.conditions);
    let mut judge = |candidate: &Candidate| {
        if let Some(reasons) = never.get(&candidate.id) {
            return Ok(reasons.clone());
        }
        stage.look_as(&run, seat, |view| {
            let _lap = view.game.gauge.lap(if explains { What::Reasons } else { What::Choice }, id.as_str());
            variables.push(candidate.value.clone());
            let first = first_failed(view, id, &record.conditions, &kept, &variables)?;
            let reasons = match (first, explains) {
                (Some(_), true) => failed(view, &record.conditions, &variables),
                (first, _) => first.into_iter().collect(),
            };
            variables.pop();
            Ok(reasons)
        })
    };
    ask(stage, &run, (seat, id, record.tie), about, candidates, &mut judge)
}

/// Asks a seat: who, what and whether it is a tie. Who follows the game wants to see every candidate looked at.
fn ask(
    stage: &Stage,
    run: &Run,
    (seat, prompt, tie): (Name, Name, bool),
    about: Vec<(Name, Value)>,
    mut candidates: Vec<Candidate>,
    judge: &mut Judge<'_>,
) -> Result<Value, Stop> {
    if !stage.game.trace.is_on() {
        return run.choose_judged(seat, prompt, tie, about, candidates, judge);
    }
    for candidate in &mut candidates {
        candidate.reasons = judge(candidate)?;
    }
    run.choose_about(seat, prompt, tie, about, candidates)
}

/// Asks which of several equal things comes first.
pub(super) fn choose_tie(stage: &Rc<Stage>, prompt: Name, items: &[Value]) -> Result<Value, Stop> {
    let run = stage.run()?;
    let seat = asked(stage, &run, None);
    let items: Vec<Value> = items.iter().map(|item| known(&run, seat, item)).collect();
    let candidates = stage.look_as(&run, seat, |view| {
        items.into_iter().map(|item| candidate(view, prompt, None, item, &[])).collect::<Result<Vec<_>, _>>()
    })?;
    run.choose(seat, prompt, true, candidates)
}

/// Opens a menu for a unit, which are the arguments.
pub(super) fn opens(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    menu(stage, name_of(args, 0)?, args.get(1).cloned().unwrap_or_default())
}

/// Asks which action of a menu a unit takes, and takes it. What may be done, what it costs and
/// what else is asked is worked out on what the seat knows; the action meets the truth.
fn menu(stage: &Rc<Stage>, menu: Name, unit: Value) -> Result<Value, Stop> {
    let run = stage.run()?;
    let seat = asked(stage, &run, None);
    let its = known(&run, seat, &unit);
    let explains = run.explains();
    let actions = stage.game.actions.iter().filter(|(_, action)| action.menu == menu);
    let candidates = actions.map(|(id, _)| Candidate { id: *id, value: (*id).into(), reasons: Vec::new() }).collect();
    let about = vec![(name("unit"), its.clone())];
    let mut judge = |candidate: &Candidate| {
        let id = candidate.id;
        let action = stage.game.actions.get(&id).ok_or_else(|| Stop::fault(format!("there is no action {id}")))?;
        stage.look_as(&run, seat, |view| {
            view.game.trace.touch("actions", id);
            let lap = view.game.gauge.lap(What::Menu, menu.as_str());
            let first = reason_against(view, id, action, &its)?;
            drop(lap);
            let _lap = view.game.gauge.lap(What::Reasons, menu.as_str());
            match (first, explains) {
                (Some(_), true) => reasons_against(view, id, action, &its),
                (first, _) => Ok(first.into_iter().collect()),
            }
        })
    };
    let chosen = ask(stage, &run, (seat, menu, false), about, candidates, &mut judge)?;
    let id = chosen.as_name().ok_or_else(|| Stop::fault("an action is a name"))?;
    let action = stage.game.actions.get(&id).ok_or_else(|| Stop::fault(format!("there is no action {id}")))?;
    stage.game.trace.happen("actions", id);
    stage.game.trace.happen("menus", menu);
    let cost = stage.look_as(&run, seat, |view| cost(view, id, action, &its))?;
    let mut values = vec![unit.clone(), Value::Int(cost)];
    for ask in &action.asks {
        let seat = asked(stage, &run, record(stage, ask.choice)?.seat);
        let so_far: Vec<Value> = values.iter().map(|value| known(&run, seat, value)).collect();
        let args = stage.look_as(&run, seat, |view| arguments(view, id, ask, &so_far))?;
        values.push(match args {
            Some(args) => choose_as(stage, seat, ask.choice, &args)?,
            None => Value::None,
        });
    }
    if let (1.., Some(pays)) = (cost, stage.game.menus.get(&menu).and_then(|record| record.pays.as_ref())) {
        let record = name(&format!("menus.{menu}"));
        let call = stage.look(&run, |view| prepare(view, &pays.run, &[unit, Value::Int(cost)], record))?;
        run.call(&call)?;
    }
    let call = stage.look(&run, |view| prepare(view, &action.run, &values, name(&format!("actions.{id}"))))?;
    run.call(&call)?;
    Ok(id.into())
}

/// The seat that is asked: in a private dialogue that of the dialogue, then the one that the
/// question names, then the first.
fn asked(stage: &Rc<Stage>, run: &Run, named: Option<Name>) -> Name {
    let first = || stage.game.seats.first().copied().unwrap_or_default();
    run.private_seat().or(named).unwrap_or_else(first)
}

/// A value as a seat knows it; in a private dialogue all values are so already.
fn known(run: &Run, seat: Name, value: &Value) -> Value {
    if run.private_seat().is_some() { value.clone() } else { run.known(seat, value) }
}

/// The points that an action costs.
fn cost(view: &View<'_>, id: Name, action: &Action, unit: &Value) -> Result<i64, Fault> {
    let cost = action.cost.as_ref().map_or(Ok(0), |cost| cost.eval_int(view, slice::from_ref(unit)));
    cost.map_err(|fault| wrong(id, &fault))
}

/// The arguments of a question that an action asks; none when it is not asked.
fn arguments(view: &View<'_>, id: Name, ask: &Ask, known: &[Value]) -> Result<Option<Map>, Fault> {
    let asked = ask.when.as_ref().map_or(Ok(true), |when| when.eval_bool(view, known));
    if !asked.map_err(|fault| wrong(id, &fault))? {
        return Ok(None);
    }
    let args = ask.args.eval(view, known).map_err(|fault| wrong(id, &fault))?;
    Ok(Some(args.as_map().cloned().unwrap_or_default()))
}

/// The values of a record's arguments.
pub(super) fn variables(id: Name, args: &[Name], given: &Map) -> Result<Vec<Value>, Fault> {
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

/// All items of a question as candidates, with every reason against those that are not legal.
pub(super) fn items(
    view: &View<'_>,
    id: Name,
    from: &Expr,
    conditions: &[Condition],
    named_by: Option<&Expr>,
    mut variables: Vec<Value>,
) -> Result<Vec<Candidate>, Fault> {
    let mut candidates = named_items(view, id, from, named_by, &mut variables)?;
    for candidate in &mut candidates {
        variables.push(candidate.value.clone());
        if first_failed(view, id, conditions, &[], &variables)?.is_some() {
            candidate.reasons = failed(view, conditions, &variables);
        }
        variables.pop();
    }
    Ok(candidates)
}

/// All items of a question as candidates, without what speaks against them.
fn named_items(
    view: &View<'_>,
    id: Name,
    from: &Expr,
    named_by: Option<&Expr>,
    variables: &mut Vec<Value>,
) -> Result<Vec<Candidate>, Fault> {
    let items = from.eval_items(view, variables).map_err(|fault| wrong(id, &fault))?;
    let mut candidates = Vec::with_capacity(items.len());
    for item in items {
        variables.push(item.clone());
        candidates.push(candidate(view, id, named_by, item, variables)?);
        variables.pop();
    }
    Ok(candidates)
}

/// Adds what is never an answer, and gives the reasons against it.
fn refused(
    view: &View<'_>,
    id: Name,
    record: &ChoiceRecord,
    variables: &mut Vec<Value>,
    candidates: &mut Vec<Candidate>,
) -> Result<BTreeMap<Name, Vec<Name>>, Fault> {
    let mut never: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
    for refusal in &record.refused {
        for item in named_items(view, id, &refusal.from, record.id.as_ref(), variables)? {
            if let Some(reasons) = never.get_mut(&item.id) {
                reasons.push(refusal.reason);
            } else if candidates.iter().all(|candidate| candidate.id != item.id) {
                never.insert(item.id, vec![refusal.reason]);
                candidates.push(item);
            }
        }
    }
    Ok(never)
}

fn candidate(
    view: &View<'_>,
    id: Name,
    named_by: Option<&Expr>,
    item: Value,
    variables: &[Value],
) -> Result<Candidate, Fault> {
    let named = match named_by {
        None => item.clone(),
        Some(expr) => expr.eval(view, variables).map_err(|fault| wrong(id, &fault))?,
    };
    let own = view
        .id_of(&named)
        .ok_or_else(|| Fault(format!("a candidate of {id} is {} and has no name", named.type_name())))?;
    Ok(Candidate { id: own, value: item, reasons: Vec::new() })
}

/// The legal answers to a question, at most `n_max` of them.
pub(super) fn legal(view: &View<'_>, id: Name, variables: &[Value], n_max: usize) -> Result<Vec<Value>, Fault> {
    let record = view.game.choices.get(&id).ok_or_else(|| Fault(format!("there is no choice {id}")))?;
    view.game.trace.touch("choices", id);
    let _lap = view.game.gauge.lap(What::Choice, id.as_str());
    let items = record.from.eval_items(view, variables).map_err(|fault| wrong(id, &fault))?;
    let mut variables = variables.to_vec();
    let kept = kept(&record.conditions);
    let mut legal = Vec::new();
    for item in items {
        if legal.len() >= n_max {
            break;
        }
        variables.push(item);
        let holds = first_failed(view, id, &record.conditions, &kept, &variables)?.is_none();
        legal.extend(variables.pop().filter(|_| holds));
    }
    Ok(legal)
}

/// Whether a question that an action asks has a legal answer.
fn is_answerable(view: &View<'_>, ask: &Ask, args: &Map) -> Result<bool, Fault> {
    let found = view.game.choices.get_full(&ask.choice);
    let (index, _, record) = found.ok_or_else(|| Fault(format!("there is no choice {}", ask.choice)))?;
    let variables = variables(ask.choice, &record.args, args)?;
    let legal = || Ok((!legal(view, ask.choice, &variables, 1).map_err(|fault| fault.0)?.is_empty()).into());
    let nested = || view.nested(ask.choice, legal);
    let found = view.remembered(Memorable::HasOption(index), &variables, nested).map_err(Fault)?;
    Ok(found == Value::Bool(true))
}

/// One reason against an action, if there is any.
fn reason_against(view: &View<'_>, id: Name, action: &Action, unit: &Value) -> Result<Option<Name>, Fault> {
    let cost = cost(view, id, action, unit)?;
    view.game.trace.touch("menus", action.menu);
    if let Some(menu) = view.game.menus.get(&action.menu) {
        if let Some(reason) = unpaid(view, id, menu, cost, unit)? {
            return Ok(Some(reason));
        }
        if let Some(reason) = first_failed(view, id, &menu.conditions, &[], &menu_variables(action, unit, cost))? {
            return Ok(Some(reason));
        }
    }
    if let Some(reason) = first_failed(view, id, &action.conditions, &[], slice::from_ref(unit))? {
        return Ok(Some(reason));
    }
    let mut known = vec![unit.clone(), Value::Int(cost)];
    for ask in &action.asks {
        let args = if ask.early { arguments(view, id, ask, &known)? } else { None };
        known.push(Value::None);
        let Some(args) = args else { continue };
        if !is_answerable(view, ask, &args)? {
            return Ok(Some(name(NOTHING)));
        }
    }
    Ok(None)
}

/// Every reason against an action that is not legal; conditions that only hold water where
/// others are met say nothing.
fn reasons_against(view: &View<'_>, id: Name, action: &Action, unit: &Value) -> Result<Vec<Name>, Fault> {
    let cost = cost(view, id, action, unit)?;
    let mut reasons = Vec::new();
    view.game.trace.touch("menus", action.menu);
    if let Some(menu) = view.game.menus.get(&action.menu) {
        reasons = failed(view, &menu.conditions, &menu_variables(action, unit, cost));
        reasons.extend(unpaid(view, id, menu, cost, unit)?);
    }
    reasons.extend(failed(view, &action.conditions, slice::from_ref(unit)));
    let mut known = vec![unit.clone(), Value::Int(cost)];
    for ask in &action.asks {
        if !reasons.is_empty() {
            break;
        }
        let args = if ask.early { arguments(view, id, ask, &known)? } else { None };
        known.push(Value::None);
        let Some(args) = args else { continue };
        let record =
            view.game.choices.get(&ask.choice).ok_or_else(|| Fault(format!("there is no choice {}", ask.choice)))?;
        view.game.trace.touch("choices", ask.choice);
        let variables = variables(ask.choice, &record.args, &args)?;
        let all = items(view, ask.choice, &record.from, &record.conditions, record.id.as_ref(), variables)?;
        if all.iter().any(|candidate| candidate.reasons.is_empty()) {
            continue;
        }
        reasons = all.into_iter().flat_map(|candidate| candidate.reasons).collect();
        reasons.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        reasons.dedup();
        if reasons.is_empty() {
            reasons.push(name(NOTHING));
        }
    }
    Ok(reasons)
}

/// What the conditions of a menu see: who acts, the cost, the action's tags.
fn menu_variables(action: &Action, unit: &Value, cost: i64) -> [Value; 3] {
    let tags = Value::list(action.tags.iter().map(|tag| (*tag).into()).collect());
    [unit.clone(), Value::Int(cost), tags]
}

/// The reason against an action that its unit cannot pay.
fn unpaid(view: &View<'_>, id: Name, menu: &MenuRecord, cost: i64, unit: &Value) -> Result<Option<Name>, Fault> {
    let (1.., Some(pays)) = (cost, &menu.pays) else { return Ok(None) };
    let owned = view.read(unit, pays.property).map_err(|fault| wrong(id, &fault))?;
    Ok(Some(pays.reason).filter(|_| owned.as_int().is_none_or(|owned| owned < cost)))
}

/// Room for what is the same for all candidates, by condition.
fn kept(conditions: &[Condition]) -> Vec<Kept> {
    conditions.iter().map(|condition| condition.holds.kept()).collect()
}

/// The first condition that does not hold.
fn first_failed(
    view: &View<'_>,
    id: Name,
    conditions: &[Condition],
    kept: &[Kept],
    variables: &[Value],
) -> Result<Option<Name>, Fault> {
    let nothing = Kept::default();
    for (index, condition) in conditions.iter().enumerate() {
        let kept = kept.get(index).unwrap_or(&nothing);
        if !condition.holds.item_holds(view, variables, kept).map_err(|fault| wrong(id, &fault))? {
            return Ok(Some(condition.reason));
        }
    }
    Ok(None)
}

/// All conditions that do not hold. Later ones may suppose that earlier ones do: those that
/// then make no sense are no reasons.
fn failed(view: &View<'_>, conditions: &[Condition], variables: &[Value]) -> Vec<Name> {
    let fails = |condition: &&Condition| matches!(condition.holds.eval_bool(view, variables), Ok(false));
    conditions.iter().filter(fails).map(|condition| condition.reason).collect()
}

fn wrong(id: Name, fault: &super::expr::EvalFault) -> Fault {
    Fault(format!("{id}: {}", fault.message))
}
