//! What a script may use up, and the thread on which a table or worker runs.
//!
//! Rhai's own limits differ between builds and start anew with every nested call, so each
//! is stated here, and operations are counted by the host: one budget for a whole step,
//! whatever calls whatever.

use std::{cell::Cell, panic, thread};

use rhai::Engine;

use crate::kernel::Stop;

/// Operations of one step, in scripts and charged by functions together.
pub const STEP_OPERATIONS_MAX: u64 = 2_000_000;
/// Script functions that run inside each other, through functions of the host too.
pub const CALL_DEPTH_MAX: usize = 48;
/// Bytes of one source file.
pub const FILE_BYTES_MAX: usize = 256 * 1024;
/// Bytes of one identifier in a script.
pub const IDENTIFIER_BYTES_MAX: usize = 64;
/// Bytes of one string.
pub const STRING_BYTES_MAX: usize = 4096;
/// Items of one array, those of the arrays inside it included.
pub const ARRAY_ITEMS_MAX: usize = 1024;
/// Entries of one map, those of the maps inside it included.
pub const MAP_ENTRIES_MAX: usize = 256;
/// Values inside each other when they cross between script and engine.
pub const VALUE_DEPTH_MAX: usize = 16;
/// Variables that live at once in one function.
pub const VARIABLES_MAX: usize = 256;
/// Functions of one file.
pub const FUNCTIONS_MAX: usize = 512;
/// Nesting of expressions at the top of a file and in a function.
pub const EXPRESSION_DEPTHS_MAX: (usize, usize) = (64, 32);

/// The stack of a table or worker.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Operations beyond the budget in which a script is stopped where it reads a variable: Rhai
/// knows that place, and not where an operation was one too many.
const GRACE_OPERATIONS: u64 = 1_000;

/// The budget of a step.
pub(super) struct Budget {
    left: Cell<u64>,
    /// How many operations a script that has used it up may still run, to be stopped at a place.
    grace: Cell<Option<u64>>,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: Cell::new(STEP_OPERATIONS_MAX), grace: Cell::new(None) }
    }

    pub(super) fn refill(&self) {
        self.left.set(STEP_OPERATIONS_MAX);
        self.grace.set(None);
    }

    /// Whether a script has wanted more than there was.
    pub(super) fn is_over(&self) -> bool {
        self.grace.get().is_some()
    }

    /// Takes an operation of a script; whether it may go on, if only to the next variable.
    pub(super) fn goes_on(&self) -> bool {
        let left = if self.take(1) { return true } else { self.grace.get().unwrap_or(GRACE_OPERATIONS) };
        self.grace.set(Some(left.saturating_sub(1)));
        left > 0
    }

    /// Gives so many operations, the usual ones at most.
    pub(super) fn set(&self, operations: u64) {
        self.left.set(operations.min(STEP_OPERATIONS_MAX));
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// How many operations of the step are used up.
    pub(super) fn used(&self) -> u64 {
        STEP_OPERATIONS_MAX - self.left.get()
    }

    /// Takes `operations`; whether they were still there.
    pub(super) fn take(&self, operations: u64) -> bool {
        match self.left.get().checked_sub(operations) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => {
                self.left.set(0);
                false
            }
        }
    }

    pub(super) fn charge(&self, operations: u64) -> Result<(), Stop> {
        if self.take(operations) { Ok(()) } else { Err(Stop::fault(operations_message())) }
    }
}

/// The message when a step has no operations left.
pub(super) fn operations_message() -> String {
    format!("the limit of {STEP_OPERATIONS_MAX} operations in one step is used up")
}

/// Sets every limit that Rhai knows.
pub(super) fn set_limits(engine: &mut Engine) {
    engine.set_max_operations(0);
    engine.set_max_call_levels(CALL_DEPTH_MAX);
    engine.set_max_expr_depths(EXPRESSION_DEPTHS_MAX.0, EXPRESSION_DEPTHS_MAX.1);
    engine.set_max_string_size(STRING_BYTES_MAX);
    engine.set_max_array_size(ARRAY_ITEMS_MAX);
    engine.set_max_map_size(MAP_ENTRIES_MAX);
    engine.set_max_variables(VARIABLES_MAX);
    engine.set_max_functions(FUNCTIONS_MAX);
    engine.set_max_modules(0);
}

/// Runs `f` on a thread whose stack holds the deepest legal script; a panic comes through.
///
/// A whole table or worker runs inside one such call; nothing else in the engine starts a
/// thread.
///
/// # Panics
/// When `f` does, or when the system has no thread to give.
#[allow(clippy::disallowed_methods)]
pub fn with_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, f)
            .expect("the system has memory for one more thread");
        worker.join().unwrap_or_else(|cause| panic::resume_unwind(cause))
    })
}
