//! The host: has the one interpreter, calls functions in it and says what went wrong.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use rhai::{Caches, Dynamic, Engine, EvalAltResult, EvalContext, Module, NativeCallContext, Position, Scope};

use super::{
    PropertyRead, ScriptDefect, ScriptFunction, ScriptSource,
    convert::{from_script, n_values, to_script},
    engine::{Indexed, new_engine, register_function},
    handles::register_handles,
    limits::{Budget, CALL_DEPTH_MAX, operations_message},
    load, nearest, single_files,
};
use crate::{
    base::Value,
    kernel::{Fault, Stop},
};

/// The most entries of a chain of running functions in a message.
const CHAIN_SHOWN_MAX: usize = 8;

/// What to do about a step that takes too long.
const NO_END: &str = "; see that its loop ends, by its condition or a `break`, or does less";

type ScriptError = Box<EvalAltResult>;

/// Where a script function is written.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: usize,
    /// Where its first loop begins.
    pub(super) first_loop: Option<Position>,
}

/// Every script function by namespace, name and number of parameters.
pub(super) type Functions = BTreeMap<(String, String, usize), Place>;

/// The interpreter with the scripts of a game.
pub struct ScriptHost {
    engine: Engine,
    modules: BTreeMap<String, Rc<Module>>,
    functions: Functions,
    literals: Vec<super::LiteralCall>,
    properties: super::PropertyUses,
    shared: Rc<Shared>,
    /// What is known of the calls in a namespace, while no function of it runs.
    caches: RefCell<BTreeMap<String, Caches>>,
}

/// What the interpreter's callbacks and the host both see.
pub(super) struct Shared {
    pub(super) budget: Budget,
    /// How many script functions run inside each other where a host function is running.
    depth: Cell<usize>,
    /// Why the running scripts are ending, and the place where that began.
    stop: RefCell<Option<(Stop, String, Position)>>,
    /// The entry functions that run inside each other.
    entries: RefCell<Vec<String>>,
    pub(super) last_host_call: RefCell<LastCall>,
    /// Whether a script may print now.
    pub(super) printing: RefCell<Box<dyn Fn() -> bool>>,
    /// How often the host has called a script function.
    n_calls: Cell<u64>,
    /// The variables into which some script assigns by index.
    pub(super) indexed: RefCell<Indexed>,
    /// How often such a variable was read in this step.
    pub(super) n_indexed_reads: Cell<u32>,
    /// Whether the constants of the scripts are being evaluated.
    loading: Cell<bool>,
    /// The file of each namespace that has only one.
    pub(super) files: BTreeMap<String, String>,
}

/// The last call of a function of the engine, for messages.
#[derive(Default)]
pub(super) struct LastCall {
    called: Option<Rc<ScriptFunction>>,
    source: String,
    position: Position,
}

impl LastCall {
    pub(super) fn note(&mut self, called: &Rc<ScriptFunction>, context: &NativeCallContext<'_>) {
        self.called = Some(Rc::clone(called));
        self.source.clear();
        self.source.push_str(context.call_source().unwrap_or_default());
        self.position = context.call_position();
    }
}

impl ScriptHost {
    /// Compiles every source and makes the functions and properties known to them.
    ///
    /// # Errors
    /// Every defect of every file.
    pub fn new(
        sources: &[ScriptSource],
        functions: Vec<ScriptFunction>,
        property: PropertyRead,
    ) -> Result<Self, Vec<ScriptDefect>> {
        let shared = Rc::new(Shared {
            budget: Budget::new(),
            depth: Cell::new(0),
            stop: RefCell::new(None),
            entries: RefCell::new(Vec::new()),
            last_host_call: RefCell::default(),
            printing: RefCell::new(Box::new(|| false)),
            n_calls: Cell::new(0),
            indexed: RefCell::default(),
            n_indexed_reads: Cell::new(0),
            loading: Cell::new(true),
            files: single_files(sources),
        });
        let mut engine = new_engine(&shared);
        register_handles(&mut engine, &shared, &property);
        let arities: Vec<(String, usize, usize)> =
            functions.iter().map(|function| (function.name.clone(), function.args.0, function.args.1)).collect();
        for function in functions {
            register_function(&mut engine, &shared, function);
        }
        let loaded = load(&mut engine, sources, &arities)?;
        shared.indexed.replace(Indexed::new(loaded.indexed));
        shared.loading.set(false);
        shared.budget.refill();
        let super::Loaded { modules, functions, literals, properties, .. } = loaded;
        Ok(Self { engine, modules, functions, literals, properties, shared, caches: RefCell::default() })
    }

    /// Every call of a script whose first argument is a text that is written out.
    #[must_use]
    pub fn literal_calls(&self) -> &[super::LiteralCall] {
        &self.literals
    }

    /// Every property that a script names, and what of it gets a value.
    #[must_use]
    pub fn property_uses(&self) -> &super::PropertyUses {
        &self.properties
    }

    /// Whether there is a function `ns::f` with so many parameters.
    ///
    /// # Errors
    /// Says what is wrong, with the nearest name.
    pub fn has(&self, function: &str, n_args: usize) -> Result<(), String> {
        let (namespace, bare) = function
            .split_once("::")
            .ok_or_else(|| format!("{function} does not name a function as namespace::function"))?;
        if self.functions.contains_key(&(namespace.to_owned(), bare.to_owned(), n_args)) {
            return Ok(());
        }
        let counts: Vec<String> = self
            .functions
            .keys()
            .filter(|(space, name, _)| space == namespace && name == bare)
            .map(|(_, _, n)| n.to_string())
            .collect();
        if !counts.is_empty() {
            return Err(format!("{function} takes {} arguments, not {n_args}", counts.join(" or ")));
        }
        let names: Vec<String> = self.functions.keys().map(|(space, name, _)| format!("{space}::{name}")).collect();
        let hint = nearest(function, names.iter().map(String::as_str));
        Err(format!("there is no function {function}{hint}"))
    }

    /// Every script function that counts: `ns::f`, its parameters, its file and line.
    #[must_use]
    pub fn functions_of_scripts(&self) -> Vec<(String, usize, String, usize)> {
        self.functions
            .iter()
            .map(|((space, name, n), place)| (format!("{space}::{name}"), *n, place.file.clone(), place.line))
            .collect()
    }

    /// Gives the next step its whole budget.
    pub fn begin_step(&self) {
        self.shared.budget.refill();
        self.shared.depth.set(0);
        self.shared.n_indexed_reads.set(0);
        self.shared.stop.take();
        self.shared.entries.borrow_mut().clear();
        self.shared.last_host_call.borrow_mut().called = None;
    }

    /// Gives the next step so many operations.
    pub fn begin_step_with(&self, operations: u64) {
        self.begin_step();
        self.shared.budget.set(operations);
    }

    /// Whether the step has no operations left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.shared.budget.is_spent()
    }

    /// How many operations the step has used.
    #[must_use]
    pub fn operations_used(&self) -> u64 {
        self.shared.budget.used()
    }

    /// Takes operations from the step's budget, for work done outside a script.
    ///
    /// # Errors
    /// A fault when they are used up.
    pub fn charge(&self, operations: u64) -> Result<(), Stop> {
        self.shared.budget.charge(operations)
    }

    /// When `print` and `debug` write to the standard error.
    pub fn set_printing(&self, when: Box<dyn Fn() -> bool>) {
        *self.shared.printing.borrow_mut() = when;
    }

    /// How many script functions were called from outside of scripts so far.
    #[must_use]
    pub fn n_calls(&self) -> u64 {
        self.shared.n_calls.get()
    }

    /// Runs `ns::f`. A host function may call this again.
    ///
    /// # Errors
    /// What a host function stopped with, or a fault that says what failed and where.
    pub fn call(&self, function: &str, args: &[Value]) -> Result<Value, Stop> {
        self.has(function, args.len()).map_err(Stop::fault)?;
        let (namespace, bare) = function.split_once("::").unwrap_or(("", function));
        let Some(module) = self.modules.get(namespace) else {
            return Err(Stop::fault(format!("there is no namespace {namespace}")));
        };
        self.charge(1 + args.iter().map(n_values).sum::<u64>())?;
        self.shared.n_calls.set(self.shared.n_calls.get() + 1);
        let depth = self.shared.depth.get();
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(Rc::clone(module));
        global.source = Some(namespace.into());
        // The call through the context adds one level, the function itself another.
        global.level = depth;
        // Which function a call means depends on the namespace alone, so it is found out once.
        let mut caches = self.caches.borrow_mut().remove(namespace).unwrap_or_default();
        let mut args: Vec<Dynamic> = args.iter().map(to_script).collect();
        let mut refs: Vec<&mut Dynamic> = args.iter_mut().collect();
        self.shared.entries.borrow_mut().push(function.to_owned());
        let result = EvalContext::new(&self.engine, &mut global, &mut caches, &mut Scope::new(), None)
            .call_fn_raw(bare, false, false, &mut refs);
        caches.rewind_fn_resolution_caches(1);
        self.caches.borrow_mut().insert(namespace.to_owned(), caches);
        let stopped = self.shared.stop.take();
        let outcome = match result {
            // It came to its end within the grace.
            Ok(_) if self.shared.budget.is_over() => Err(Stop::fault(format!(
                "{}\n  in {function}, {}",
                operations_message(),
                self.location(function, self.loop_of(function))
            ))),
            Ok(value) => {
                from_script(&value).map_err(|what| Stop::fault(format!("{function} gives back what it cannot: {what}")))
            }
            Err(error) => Err(self.stop_of(namespace, function, *error, stopped)),
        };
        self.shared.entries.borrow_mut().pop();
        self.shared.depth.set(depth);
        outcome
    }

    /// What the end of a script means to the engine.
    fn stop_of(
        &self,
        namespace: &str,
        function: &str,
        error: EvalAltResult,
        stopped: Option<(Stop, String, Position)>,
    ) -> Stop {
        let mut chain = vec![function.to_owned()];
        let mut error = error;
        let mut place = namespace.to_owned();
        while let EvalAltResult::ErrorInFunctionCall(called, source, inner, _) = error {
            if !source.is_empty() {
                place = source;
            }
            let called = format!("{place}::{called}");
            if chain.len() > 1 || called != function {
                chain.push(called);
            }
            error = *inner;
        }
        let innermost = chain.last().cloned().unwrap_or_default();
        let (at, is_known) = (self.location(&innermost, error.position()), !error.position().is_none());
        match (error, stopped) {
            (_, Some((Stop::Suspended, ..))) => Stop::Suspended,
            (_, Some((Stop::Fault(Fault(message)), source, position))) => {
                let innermost = self.function_at(&source, position).unwrap_or(innermost);
                Stop::fault(format!("{message}\n  in {innermost}, {}", self.location(&innermost, position)))
            }
            (_, None) if self.shared.budget.is_over() => {
                // Where no variable is read, only the function is known.
                let at = if is_known { at } else { self.location(&innermost, self.loop_of(&innermost)) };
                let message = format!("{}{}{NO_END}", operations_message(), self.running(&chain));
                Stop::fault(format!("{message}\n  in {innermost}, {at}"))
            }
            (EvalAltResult::ErrorStackOverflow(_), None) => Stop::fault(format!(
                "the limit of {CALL_DEPTH_MAX} calls inside each other is used up{}\n  in {innermost}, {at}",
                self.running(&chain)
            )),
            (EvalAltResult::ErrorDataTooLarge(what, _), None) => Stop::fault(format!(
                "the limit on the size of a value is used up: {what} too large{}\n  in {innermost}, {at}{}",
                self.running(&chain),
                self.after_last_host_call()
            )),
            (mut other, None) => {
                let _ = other.take_position();
                let other = is_write(&other).unwrap_or_else(|| other.to_string());
                Stop::fault(format!("{other}\n  in {innermost}, {at}{}", self.after_last_host_call()))
            }
        }
    }

    /// The function in which a line of a namespace lies, when only one file can be meant.
    fn function_at(&self, namespace: &str, position: Position) -> Option<String> {
        let (_, line) = (self.shared.files.get(namespace)?, position.line()?);
        self.functions
            .iter()
            .filter(|((space, ..), place)| space == namespace && place.line <= line)
            .max_by_key(|(_, place)| place.line)
            .map(|((space, name, _), _)| format!("{space}::{name}"))
    }

    /// File, line and column of a position in `ns::f`.
    fn location(&self, function: &str, position: Position) -> String {
        let (namespace, bare) = function.split_once("::").unwrap_or(("", function));
        let place =
            self.functions.iter().find(|((space, name, _), _)| space == namespace && name == bare).map(|(_, at)| at);
        let file =
            place.map(|place| place.file.as_str()).or_else(|| self.shared.files.get(namespace).map(String::as_str));
        let line = position.line().or_else(|| place.map(|place| place.line));
        format!("{}:{}:{}", file.unwrap_or(namespace), line.unwrap_or(0), position.position().unwrap_or(1).max(1))
    }

    /// Where the first loop of `ns::f` begins, if it has one.
    fn loop_of(&self, function: &str) -> Position {
        let (namespace, bare) = function.split_once("::").unwrap_or(("", function));
        let mut places = self.functions.iter().filter(|((space, name, _), _)| space == namespace && name == bare);
        places.find_map(|(_, place)| place.first_loop).unwrap_or(Position::NONE)
    }

    fn after_last_host_call(&self) -> String {
        let last = self.shared.last_host_call.borrow();
        let Some(called) = &last.called else { return String::new() };
        let file = self.shared.files.get(&last.source).unwrap_or(&last.source);
        format!(", after {} in {file}:{}", called.name, last.position.line().unwrap_or(0))
    }

    /// The functions that run inside each other, outermost first.
    fn running(&self, chain: &[String]) -> String {
        let entries = self.shared.entries.borrow();
        let outer = entries.len().saturating_sub(1);
        let all: Vec<&str> = entries[..outer].iter().chain(chain).map(String::as_str).collect();
        let shown = all.iter().take(CHAIN_SHOWN_MAX).copied().collect::<Vec<_>>().join(" > ");
        if all.len() > CHAIN_SHOWN_MAX {
            format!(" by {shown} > ... ({} in all)", all.len())
        } else {
            format!(" by {shown}")
        }
    }
}

/// What is said when a script gives a property of a handle a value.
fn is_write(error: &EvalAltResult) -> Option<String> {
    let (EvalAltResult::ErrorDotExpr(text, _) | EvalAltResult::ErrorIndexingType(text, _)) = error else { return None };
    let is_handle = ["'entity'", "'space'", "entity [", "space ["].iter().any(|handle| text.contains(handle));
    let is_write = text.starts_with("No writable property") || text.contains("] = ");
    let property = text.split('\'').nth(1).filter(|_| text.starts_with("No writable"));
    let what = property.map_or_else(|| "a property".to_owned(), |property| format!("property {property}"));
    (is_handle && is_write)
        .then(|| format!("{what} gets a value: scripts change nothing; `emit` an event whose effects set it"))
}

impl Shared {
    /// Keeps `stop` and its place aside and ends every script that is running.
    fn end_with(&self, context: &NativeCallContext<'_>, stop: Stop) -> ScriptError {
        let source = context.call_source().unwrap_or_default().to_owned();
        *self.stop.borrow_mut() = Some((stop, source, context.call_position()));
        EvalAltResult::ErrorTerminated(Dynamic::UNIT, context.call_position()).into()
    }

    /// Runs what lies outside the script, at the depth of its caller.
    pub(super) fn outside(
        &self,
        context: &NativeCallContext<'_>,
        run: impl FnOnce() -> Result<Value, Stop>,
    ) -> Result<Dynamic, ScriptError> {
        if self.loading.get() {
            let message = format!("{} is called before the game begins", context.fn_name());
            return Err(self.end_with(context, Stop::fault(message)));
        }
        let depth = self.depth.replace(context.call_level());
        let result = run().and_then(|value| self.budget.charge(n_values(&value)).map(|()| value));
        self.depth.set(depth);
        result.map(|value| to_script(&value)).map_err(|stop| self.end_with(context, stop))
    }
}
