//! Where a stopwatch may listen: what begins, under which name, and that it ends.
//!
//! The engine has no clock. Whoever measures brings a [`Meter`] and puts it into the
//! [`Gauge`] of a game; while there is none, a place that is measured costs one look. What a
//! meter is told changes nothing in a game.

use std::{fmt::Debug, sync::OnceLock};

/// What is told of what begins and ends. Things lie in each other like calls: what began last
/// ends first. A game may run on several threads at once, each with calls of its own.
pub trait Meter: Debug + Send + Sync {
    /// Something begins.
    fn enter(&self, what: What, id: &'static str);
    /// What began last ends.
    fn leave(&self);
}

/// The sorts of thing that are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Steps and the moves between them, by the innermost phase that runs.
    Phase,
    /// A record whose function is called: a hook, an action, a phase.
    Record,
    /// A function of a script that the engine calls.
    Script,
    /// A function of the engine that acts, called by a script.
    Act,
    /// A property that a script reads.
    Read,
    /// A query, called by an expression or a script.
    Query,
    /// A named expression.
    Term,
    /// A derived number with its parts.
    Value,
    /// The candidates of a question.
    Choice,
    /// The actions of a menu.
    Menu,
    /// Every reason against what is no answer to a question or a menu.
    Reasons,
    /// What an event of this kind does to the world.
    Event,
    /// Which hooks an event of this kind triggers.
    Trigger,
    /// What must hold after events.
    Invariant,
    /// Whoever answers on the spot.
    Answer,
    /// Work of the kernel: recording, hashing, going back.
    Kernel,
}

impl What {
    /// Its name in a table.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Phase => "phase",
            Self::Record => "record",
            Self::Script => "script",
            Self::Act => "act",
            Self::Read => "read",
            Self::Query => "query",
            Self::Term => "term",
            Self::Value => "value",
            Self::Choice => "choice",
            Self::Menu => "menu",
            Self::Reasons => "reasons",
            Self::Event => "event",
            Self::Trigger => "trigger",
            Self::Invariant => "invariant",
            Self::Answer => "answer",
            Self::Kernel => "kernel",
        }
    }
}

/// The place for a meter; empty at first.
#[derive(Debug, Default)]
pub struct Gauge(OnceLock<Box<dyn Meter>>);

impl Gauge {
    /// Puts a meter in, for good; false when there is one already.
    pub fn install(&self, meter: Box<dyn Meter>) -> bool {
        self.0.set(meter).is_ok()
    }

    /// Tells the meter, if there is one, that something begins; it ends with the [`Lap`].
    #[must_use]
    pub(crate) fn lap(&self, what: What, id: &'static str) -> Lap<'_> {
        Lap::of(self.0.get().map(Box::as_ref), what, id)
    }

    /// The meter, if there is one.
    pub(crate) fn meter(&self) -> Option<&dyn Meter> {
        self.0.get().map(Box::as_ref)
    }
}

/// What is being measured; it ends when this is dropped.
pub(crate) struct Lap<'a>(Option<&'a dyn Meter>);

impl<'a> Lap<'a> {
    /// Tells a meter, if there is one, that something begins.
    #[must_use]
    pub(crate) fn of(meter: Option<&'a dyn Meter>, what: What, id: &'static str) -> Self {
        if let Some(meter) = meter {
            meter.enter(what, id);
        }
        Self(meter)
    }
}

impl Drop for Lap<'_> {
    fn drop(&mut self) {
        if let Some(meter) = self.0 {
            meter.leave();
        }
    }
}
