//! Queries on records: derived numbers, legal answers, data of the content.

use super::args::name_arg;
use crate::{
    base::{Map, Name, Value, What, name},
    rules::{
        expr::EvalFault,
        game::{Part, ValueRecord},
        menu,
        reads::Memorable,
        view::View,
    },
};

pub(super) fn value(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    let (index, _, record) = view.game.values.get_full(&id).ok_or_else(|| format!("there is no value {id}"))?;
    let variables = menu::variables(id, &record.args, map_arg(args, 1)?).map_err(|fault| fault.0)?;
    let derived = || view.nested(id, || derive(view, id, record, &variables));
    view.remembered(Memorable::Value(index), &variables, derived)
}

pub(super) fn options(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    let (index, variables) = question(view, id, args)?;
    let legal = || menu::legal(view, id, &variables, usize::MAX).map(Value::list).map_err(|fault| fault.0);
    view.remembered(Memorable::Options(index), &variables, || view.nested(id, legal))
}

pub(super) fn has_option(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let id = name_arg(args, 0)?;
    let (index, variables) = question(view, id, args)?;
    let legal = || Ok((!menu::legal(view, id, &variables, 1).map_err(|fault| fault.0)?.is_empty()).into());
    view.remembered(Memorable::HasOption(index), &variables, || view.nested(id, legal))
}

/// The place of a question among all, and the values of its arguments.
fn question(view: &View<'_>, id: Name, args: &[Value]) -> Result<(usize, Vec<Value>), String> {
    let (index, _, record) = view.game.choices.get_full(&id).ok_or_else(|| format!("there is no choice {id}"))?;
    let variables = menu::variables(id, &record.args, map_arg(args, 1)?).map_err(|fault| fault.0)?;
    Ok((index, variables))
}

pub(super) fn record(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let (section, id) = (name_arg(args, 0)?, name_arg(args, 1)?);
    let records = view.game.data.get(&section).ok_or_else(|| format!("no section {section} is declared in `data`"))?;
    view.game.trace.happen(&section, id);
    records.get(&id).cloned().ok_or_else(|| format!("{section} has no record {id}"))
}

pub(super) fn records(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let section = name_arg(args, 0)?;
    let records = view.game.data.get(&section).ok_or_else(|| format!("no section {section} is declared in `data`"))?;
    Ok(Value::list(records.keys().map(|id| (*id).into()).collect()))
}

/// A derived number with its parts.
fn derive(view: &View<'_>, id: Name, record: &ValueRecord, variables: &[Value]) -> Result<Value, String> {
    view.game.trace.happen("values", id);
    let _lap = view.game.gauge.lap(What::Value, id.as_str());
    let wrong = |fault: EvalFault| format!("values.{id}: {}", fault.message);
    let base = record.base.eval_int(view, variables).map_err(wrong)?;
    let mut counted: Vec<(&Part, i64)> = Vec::new();
    for part in &record.parts {
        let holds = part.when.as_ref().map_or(Ok(true), |when| when.eval_bool(view, variables)).map_err(wrong)?;
        if !holds {
            continue;
        }
        let amount = part.amount.eval_int(view, variables).map_err(wrong)?;
        if part.instead {
            counted = vec![(part, amount)];
            break;
        }
        let rival = part.worst_of.and_then(|group| counted.iter().position(|(other, _)| other.worst_of == Some(group)));
        match rival {
            Some(index) if counted[index].1 <= amount => {}
            Some(index) => counted[index] = (part, amount),
            None => counted.push((part, amount)),
        }
    }
    for (part, _) in &counted {
        view.game.trace.happen_row("values", id, "parts", part.name);
    }
    let total = counted.iter().try_fold(base, |total, (_, amount)| total.checked_add(*amount));
    let total = total.ok_or_else(|| format!("values.{id} is too large a number"))?;
    let parts = counted
        .iter()
        .map(|(part, amount)| Value::map([(name("name"), part.name.into()), (name("amount"), Value::Int(*amount))]));
    Ok(Value::map([(name("total"), Value::Int(total)), (name("parts"), Value::list(parts.collect()))]))
}

fn map_arg(args: &[Value], index: usize) -> Result<&Map, String> {
    static NOTHING: Map = Map::new();
    match args.get(index) {
        None | Some(Value::None) => Ok(&NOTHING),
        Some(Value::Map(map)) => Ok(map),
        Some(other) => Err(super::args::expected(index, "a map", other)),
    }
}
