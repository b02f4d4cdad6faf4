//! The functions that need no world, as one table for expressions, scripts and documentation.

use std::sync::Arc;

use super::{EvalError, EvalFault, LIST_ITEMS_MAX, eval::wrong};
use crate::base::{Map, NAME_BYTES_MAX, Value};

/// Takes operations from the budget of whoever calls.
pub type Charge<'a> = dyn Fn(u64) -> Result<(), EvalFault> + 'a;

/// A function on values only.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The arguments as the documentation shows them.
    pub args: &'static str,
    /// The fewest arguments.
    pub args_min: usize,
    /// The most arguments.
    pub args_max: usize,
    /// The type of the result.
    pub result: &'static str,
    /// What it gives.
    pub doc: &'static str,
    /// An expression that is true.
    pub example: &'static str,
    /// The function itself.
    pub call: fn(&[Value], &Charge<'_>) -> Result<Value, EvalFault>,
}

/// The function called `name`.
#[must_use]
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|known| known.name == name)
}

const fn entry(
    name: &'static str,
    args: &'static str,
    counts: (usize, usize),
    result: &'static str,
    doc: &'static str,
    example: &'static str,
    call: fn(&[Value], &Charge<'_>) -> Result<Value, EvalFault>,
) -> Builtin {
    Builtin { name, args, args_min: counts.0, args_max: counts.1, result, doc, example, call }
}

/// All functions that are known everywhere.
pub static BUILTINS: &[Builtin] = &[
    entry("len", "list", (1, 1), "int", "how many items or entries", "len([1, 2]) == 2", len),
    entry("size", "list", (1, 1), "int", "another word for len", "size(#{a: 1}) == 1", len),
    entry("is_empty", "list", (1, 1), "bool", "whether there are no items", "is_empty([])", |a, c| {
        Ok(Value::Bool(len(a, c)? == Value::Int(0)))
    }),
    entry(
        "contains",
        "list, item",
        (2, 2),
        "bool",
        "whether the item is among the items",
        "contains([1, 2], 2)",
        |a, c| Ok(Value::Bool(position(items(a, 0)?, arg(a, 1), c)?.is_some())),
    ),
    entry(
        "index_of",
        "list, item",
        (2, 2),
        "int or none",
        "where the item first is",
        "index_of([4, 5], 5) == 1",
        |a, c| {
            let found = position(items(a, 0)?, arg(a, 1), c)?;
            Ok(found.and_then(|place| i64::try_from(place).ok()).map_or(Value::None, Value::Int))
        },
    ),
    entry("min", "a, b or list", (1, 8), "int", "the least number; none of an empty list", "min(3, 2) == 2", |a, c| {
        Ok(numbers(a, c)?.into_iter().min().map_or(Value::None, Value::Int))
    }),
    entry(
        "max",
        "a, b or list",
        (1, 8),
        "int",
        "the greatest number; none of an empty list",
        "max([3, 2]) == 3",
        |a, c| Ok(numbers(a, c)?.into_iter().max().map_or(Value::None, Value::Int)),
    ),
    entry("abs", "number", (1, 1), "int", "the number without its sign", "abs(-2) == 2", |a, _| {
        int(a, 0)?.checked_abs().map(Value::Int).ok_or_else(|| EvalError::fault("`abs` overflows"))
    }),
    entry("sum", "list", (1, 1), "int", "the sum of the numbers", "sum([1, 2]) == 3", |a, c| {
        items(a, 0)?;
        let sum = numbers(a, c)?.into_iter().try_fold(0_i64, i64::checked_add);
        sum.map(Value::Int).ok_or_else(|| EvalError::fault("`sum` overflows"))
    }),
    entry("first", "list", (1, 1), "item or none", "the first item", "first([4, 5]) == 4", |a, _| {
        Ok(items(a, 0)?.first().cloned().unwrap_or_default())
    }),
    entry("last", "list", (1, 1), "item or none", "the last item", "last([4, 5]) == 5", |a, _| {
        Ok(items(a, 0)?.last().cloned().unwrap_or_default())
    }),
    entry("reversed", "list", (1, 1), "list", "the items from last to first", "reversed([1, 2]) == [2, 1]", |a, c| {
        made(items(a, 0)?.iter().rev().cloned(), c)
    }),
    entry("sorted", "list", (1, 1), "list", "the plain items in rising order", "sorted([2, 1]) == [1, 2]", |a, c| {
        let list = items(a, 0)?;
        if let Some(nested) = list.iter().find(|item| item.as_items().is_some() || item.as_map().is_some()) {
            return Err(wrong("`sorted`", "plain items", nested));
        }
        c(8 * list.len() as u64)?;
        let mut sorted = list.to_vec();
        sorted.sort();
        made(sorted.into_iter(), c)
    }),
    entry(
        "unique",
        "list",
        (1, 1),
        "list",
        "each item once, where it first was",
        "unique([1, 2, 1]) == [1, 2]",
        |a, c| merged(&[items(a, 0)?], c),
    ),
    entry(
        "union",
        "a, b",
        (2, 2),
        "list",
        "each item of both lists once",
        "union([1, 2], [2, 3]) == [1, 2, 3]",
        |a, c| merged(&[items(a, 0)?, items(a, 1)?], c),
    ),
    entry(
        "without",
        "list, others",
        (2, 2),
        "list",
        "the items that are not among the others",
        "without([1, 2], [2]) == [1]",
        |a, c| {
            let others = items(a, 1)?;
            let mut kept = Vec::new();
            for item in items(a, 0)? {
                if position(others, item, c)?.is_none() {
                    kept.push(item.clone());
                }
            }
            made(kept.into_iter(), c)
        },
    ),
    entry(
        "concat",
        "a, b",
        (2, 8),
        "list",
        "the items of all lists, one after the other",
        "concat([1], [2]) == [1, 2]",
        |a, c| joined(a, c),
    ),
    entry(
        "flat",
        "lists",
        (1, 1),
        "list",
        "the items of all lists in the list",
        "flat([[1], [2]]) == [1, 2]",
        |a, c| joined(items(a, 0)?, c),
    ),
    entry(
        "range",
        "from, to",
        (2, 2),
        "list",
        "the numbers from the first up to but without the last",
        "range(1, 3) == [1, 2]",
        |a, c| made((int(a, 0)?..int(a, 1)?).map(Value::Int), c),
    ),
    entry(
        "slice",
        "list, from, to",
        (3, 3),
        "list",
        "the items from one place up to but without another",
        "slice([1, 2, 3], 1, 3) == [2, 3]",
        |a, c| {
            let list = items(a, 0)?;
            let place =
                |index| usize::try_from(int(a, index)?).map_err(|_| EvalError::fault("`slice` needs places from 0 on"));
            let (from, to) = (place(1)?.min(list.len()), place(2)?.min(list.len()));
            made(list.get(from..to).unwrap_or_default().iter().cloned(), c)
        },
    ),
    entry(
        "keys",
        "map",
        (1, 1),
        "list",
        "the keys in alphabetical order",
        "keys(#{b: 1, a: 2}) == [\"a\", \"b\"]",
        |a, c| {
            let map = arg(a, 0).as_map().ok_or_else(|| wrong("`keys`", "a map", arg(a, 0)))?;
            made(map.keys().copied().map(Value::Name), c)
        },
    ),
    entry(
        "get",
        "map, key, default",
        (3, 3),
        "value",
        "the value of the key, or the default",
        "get(#{a: 1}, \"b\", 0) == 0",
        |a, _| {
            let map = arg(a, 0).as_map().ok_or_else(|| wrong("`get`", "a map", arg(a, 0)))?;
            let key = arg(a, 1).as_name().ok_or_else(|| wrong("`get`", "a name as key", arg(a, 1)))?;
            Ok(map.get(&key).unwrap_or(arg(a, 2)).clone())
        },
    ),
    entry("is_none", "value", (1, 1), "bool", "whether there is no value", "is_none(none)", |a, _| {
        Ok(Value::Bool(arg(a, 0).is_none()))
    }),
    entry(
        "default",
        "value, other",
        (2, 2),
        "value",
        "the value, or the other if it is none",
        "default(none, 3) == 3",
        |a, _| Ok(arg(a, usize::from(arg(a, 0).is_none())).clone()),
    ),
    entry(
        "join",
        "names",
        (2, 8),
        "name",
        "the names with `/` between them",
        "join(\"a\", \"b\") == \"a/b\"",
        |a, c| {
            c(16)?;
            let mut text = String::new();
            for (index, part) in a.iter().enumerate() {
                let part = part.as_name().ok_or_else(|| wrong("`join`", "names", part))?;
                text.push_str(if index == 0 { "" } else { "/" });
                text.push_str(&part);
            }
            if text.len() > NAME_BYTES_MAX {
                return Err(EvalError::fault(format!("the name is longer than {NAME_BYTES_MAX} bytes")));
            }
            Ok(Value::name(&text))
        },
    ),
];

static ABSENT: Value = Value::None;

fn arg(args: &[Value], index: usize) -> &Value {
    args.get(index).unwrap_or(&ABSENT)
}

fn items(args: &[Value], index: usize) -> Result<&[Value], EvalFault> {
    arg(args, index).as_items().ok_or_else(|| wrong("the function", "a list", arg(args, index)))
}

fn int(args: &[Value], index: usize) -> Result<i64, EvalFault> {
    arg(args, index).as_int().ok_or_else(|| wrong("the function", "an int", arg(args, index)))
}

fn len(args: &[Value], _: &Charge<'_>) -> Result<Value, EvalFault> {
    let value = arg(args, 0);
    let n_items = value.as_map().map(Map::len).or_else(|| value.as_items().map(<[Value]>::len));
    let n_items = n_items.ok_or_else(|| wrong("the function", "a list or map", value))?;
    Ok(Value::Int(i64::try_from(n_items).unwrap_or(i64::MAX)))
}

fn numbers(args: &[Value], charge: &Charge<'_>) -> Result<Vec<i64>, EvalFault> {
    let all = if let [only] = args { only.as_items().unwrap_or(args) } else { args };
    charge(all.len() as u64)?;
    all.iter().map(|item| item.as_int().ok_or_else(|| wrong("the function", "ints", item))).collect()
}

/// The list of `values`, charged and bounded before it is made.
fn made(values: impl Iterator<Item = Value>, charge: &Charge<'_>) -> Result<Value, EvalFault> {
    let list: Vec<Value> = values.take(LIST_ITEMS_MAX + 1).collect();
    charge(list.len() as u64)?;
    if list.len() > LIST_ITEMS_MAX {
        return Err(EvalError::fault(format!("the list would have more than {LIST_ITEMS_MAX} items")));
    }
    Ok(Value::list(list))
}

fn joined(lists: &[Value], charge: &Charge<'_>) -> Result<Value, EvalFault> {
    for list in lists {
        list.as_items().ok_or_else(|| wrong("the function", "lists", list))?;
    }
    made(lists.iter().filter_map(Value::as_items).flatten().cloned(), charge)
}

fn merged(lists: &[&[Value]], charge: &Charge<'_>) -> Result<Value, EvalFault> {
    let mut kept: Vec<Value> = Vec::new();
    for item in lists.iter().copied().flatten() {
        if position(&kept, item, charge)?.is_none() {
            kept.push(item.clone());
        }
    }
    made(kept.into_iter(), charge)
}

/// Where `item` first is among `items`.
pub(super) fn position(items: &[Value], item: &Value, charge: &Charge<'_>) -> Result<Option<usize>, EvalFault> {
    charge(items.len() as u64 / 4)?;
    match item {
        Value::Entity(wanted) => {
            return Ok(items.iter().position(|it| matches!(it, Value::Entity(it) if it == wanted)));
        }
        Value::Space(wanted) => return Ok(items.iter().position(|it| matches!(it, Value::Space(it) if it == wanted))),
        Value::Name(wanted) => return Ok(items.iter().position(|it| matches!(it, Value::Name(it) if it == wanted))),
        Value::Int(wanted) => return Ok(items.iter().position(|it| matches!(it, Value::Int(it) if it == wanted))),
        _ => {}
    }
    for (place, other) in items.iter().enumerate() {
        if equal(other, item, charge)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Whether two values are the same; nested ones are charged by their size.
pub(super) fn equal(left: &Value, right: &Value, charge: &Charge<'_>) -> Result<bool, EvalFault> {
    equal_within(left, right, charge, 128)
}

fn equal_within(left: &Value, right: &Value, charge: &Charge<'_>, depth: u32) -> Result<bool, EvalFault> {
    match (left, right) {
        (Value::List(a), Value::List(b)) | (Value::Set(a), Value::Set(b)) => {
            if Arc::ptr_eq(a, b) || a.len() != b.len() {
                return Ok(a.len() == b.len());
            }
            charge(a.len() as u64)?;
            let depth = depth.checked_sub(1).ok_or_else(|| EvalError::fault("the lists nest too deeply to compare"))?;
            for (x, y) in a.iter().zip(b.iter()) {
                if !equal_within(x, y, charge, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Map(a), Value::Map(b)) => {
            if a.len() != b.len() {
                return Ok(false);
            }
            charge(a.len() as u64)?;
            let depth = depth.checked_sub(1).ok_or_else(|| EvalError::fault("the maps nest too deeply to compare"))?;
            for ((x_key, x), (y_key, y)) in a.iter().zip(b.iter()) {
                if x_key != y_key || !equal_within(x, y, charge, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(left == right),
    }
}
