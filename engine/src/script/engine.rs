//! The interpreter: what of Rhai is there, what watches it, and the functions of the engine in it.

use std::{any::TypeId, collections::BTreeSet, rc::Rc};

use rhai::{
    Dynamic, Engine, EvalAltResult, ImmutableString, OptimizationLevel, Position,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
        BasicStringPackage, LogicPackage, MoreStringPackage, Package,
    },
};

use super::{
    ScriptFunction,
    convert::{from_script, n_values},
    host::Shared,
    limits::{MAP_ENTRIES_MAX, set_limits},
};
use crate::{base::Value, kernel::Stop};

/// Words of Rhai that reach outside, make code at run time or call it by name.
const WORDS_OFF: [&str; 10] =
    ["eval", "curry", "Fn", "import", "export", "call", "is_def_fn", "is_def_var", "is_shared", "private"];

/// Functions that Rhai has for numbers, where the engine's of the same name is meant.
const OF_NUMBERS: [&str; 1] = ["range"];

/// Every how many reads of variables that may grow by index what lies in them is counted.
const READS_PER_COUNT: u32 = 8;

/// A set of variables that answers quickly for most that are not in it.
#[derive(Default)]
pub(super) struct Indexed {
    names: BTreeSet<String>,
    marks: u64,
}

impl Indexed {
    pub(super) fn new(names: BTreeSet<String>) -> Self {
        let marks = names.iter().fold(0, |marks, name| marks | Self::mark(name));
        Self { names, marks }
    }

    fn mark(name: &str) -> u64 {
        let ends = name.as_bytes().first().zip(name.as_bytes().last());
        let (first, last) = ends.map_or((0, 0), |(first, last)| (u32::from(*first), u32::from(*last)));
        1 << ((first * 7 + last * 3 + name.len() as u32) % 64)
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.marks & Self::mark(name) != 0 && self.names.contains(name)
    }
}

/// The interpreter with its limits, its words and what `print` does.
pub(super) fn new_engine(shared: &Rc<Shared>) -> Engine {
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    set_limits(&mut engine);
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    engine.set_allow_anonymous_fn(false);
    engine.set_fail_on_invalid_map_property(true);
    for word in WORDS_OFF {
        engine.disable_symbol(word);
    }
    let counted = Rc::clone(shared);
    engine.on_progress(move |_| if counted.budget.goes_on() { None } else { Some(Dynamic::UNIT) });
    check_indexed(&mut engine, shared);
    // Each type by itself: the packages' functions for it would be found before one for any.
    let types = [
        TypeId::of::<ImmutableString>(),
        TypeId::of::<rhai::INT>(),
        TypeId::of::<bool>(),
        TypeId::of::<char>(),
        TypeId::of::<()>(),
        TypeId::of::<rhai::Array>(),
        TypeId::of::<rhai::Map>(),
        TypeId::of::<Dynamic>(),
    ];
    for (word, kind) in ["print", "debug"].into_iter().flat_map(|word| types.map(|kind| (word, kind))) {
        let shared = Rc::clone(shared);
        engine.register_raw_fn(word, [kind], move |context, args| {
            if shared.printing.borrow()() {
                let source = context.call_source().unwrap_or_default();
                let file = shared.files.get(source).map_or(source, String::as_str);
                eprintln!("{file}:{}: {}", context.call_position().line().unwrap_or(0), args[0]);
            }
            Ok(Dynamic::UNIT)
        });
    }
    engine
}

/// Rhai does not look at a map's size when `map[key] = value` adds an entry, and one
/// operation copies a map of any size; so the size is looked at when such a variable is read.
#[allow(deprecated, reason = "the callback is current, only marked as one that may change")]
fn check_indexed(engine: &mut Engine, shared: &Rc<Shared>) {
    let shared = Rc::clone(shared);
    engine.on_var(move |variable, _, context| {
        if shared.budget.is_over() {
            return Err(EvalAltResult::ErrorRuntime(Dynamic::UNIT, Position::NONE).into());
        }
        if !shared.indexed.borrow().contains(variable) {
            return Ok(None);
        }
        // What a map holds at most doubles from read to read, so what lies deep in it need not be
        // counted every time.
        let n_reads = shared.n_indexed_reads.get().wrapping_add(1);
        shared.n_indexed_reads.set(n_reads);
        let has_room = |value: &Dynamic| {
            if n_reads.is_multiple_of(READS_PER_COUNT) {
                return has_room(value, &mut { MAP_ENTRIES_MAX });
            }
            value.as_map_ref().map_or(true, |entries| entries.len() <= MAP_ENTRIES_MAX)
        };
        match context.scope().get(variable) {
            Some(value) if !has_room(value) => {
                Err(EvalAltResult::ErrorDataTooLarge("Size of object map".into(), Position::NONE).into())
            }
            _ => Ok(None),
        }
    });
}

/// Whether the entries of all maps in `value` are no more than `left`.
fn has_room(value: &Dynamic, left: &mut usize) -> bool {
    if let Ok(entries) = value.as_map_ref() {
        let Some(rest) = left.checked_sub(entries.len()) else { return false };
        *left = rest;
        return entries.values().all(|value| has_room(value, left));
    }
    value.as_array_ref().map_or(true, |items| items.iter().all(|item| has_room(item, left)))
}

/// Lets scripts call a function of the engine.
pub(super) fn register_function(engine: &mut Engine, shared: &Rc<Shared>, function: ScriptFunction) {
    let function = Rc::new(function);
    for n_args in function.args.0..=function.args.1 {
        // Rhai's own function for numbers would be found before one for any type.
        let is_hidden = OF_NUMBERS.contains(&function.name.as_str());
        let kinds = [Some(TypeId::of::<Dynamic>()), is_hidden.then(TypeId::of::<rhai::INT>)];
        for types in kinds.into_iter().flatten().map(|kind| vec![kind; n_args]) {
            let (shared, called) = (Rc::clone(shared), Rc::clone(&function));
            engine.register_raw_fn(function.name.as_str(), types, move |context, args| {
                shared.last_host_call.borrow_mut().note(&called, &context);
                shared.outside(&context, || {
                    let values: Vec<Value> = args
                        .iter()
                        .map(|value| from_script(value))
                        .collect::<Result<_, _>>()
                        .map_err(|what| Stop::fault(format!("{} cannot take this: {what}", called.name)))?;
                    shared.budget.charge(values.iter().map(n_values).sum())?;
                    (called.run)(&values)
                })
            });
        }
    }
}
