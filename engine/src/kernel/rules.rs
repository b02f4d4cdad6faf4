//! What the kernel asks of a game: what events do, who learns of them, what runs next.

use std::{collections::BTreeMap, rc::Rc};

use super::{Audience, Candidate, Cause, Choice, Draft, Run, World};
use crate::base::{Meter, Name, Value};

/// A function of the rules with what it is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function, such as `patrol::walk`.
    pub function: Name,
    /// What it gets.
    pub args: Vec<Value>,
    /// The record and field that name the function.
    pub cause: Cause,
}

/// A call that waits for the next `settle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Lower ones run first; equal ones in the order of queueing.
    pub order: i64,
    /// What runs.
    pub call: Call,
}

/// A script or record that went wrong while a step ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

/// Why a step did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A choice has no answer yet.
    Suspended,
    /// Something went wrong.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Stop {
    /// A fault with this message.
    pub fn fault(message: impl Into<String>) -> Self {
        Self::Fault(Fault(message.into()))
    }
}

/// What becomes of an event that is about to be recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// It happens.
    #[default]
    Keep,
    /// It happens with these fields.
    Change(BTreeMap<Name, Value>),
    /// It does not happen.
    Cancel,
    /// Another happens: its kind, its fields, its cause.
    Replace(Name, BTreeMap<Name, Value>, Cause),
}

/// Who knows the game.
pub trait Rules {
    /// Applies what an event of `kind` does.
    ///
    /// # Errors
    /// When the kind or its fields are not as declared.
    fn apply(&self, draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault>;

    /// What an event that has just been recorded triggers.
    ///
    /// # Errors
    /// When a condition cannot be evaluated.
    fn triggers(&self, world: &World, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Vec<Trigger>, Fault>;

    /// What becomes of an event before it is recorded. It may ask, and record other events.
    ///
    /// # Errors
    /// [`Stop::Suspended`] from an open choice must come through unchanged.
    fn before(&self, _run: &Rc<Run>, _kind: Name, _fields: &BTreeMap<Name, Value>) -> Result<Before, Stop> {
        Ok(Before::Keep)
    }

    /// Who learns of an event; asked only where a seat has secrets.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn audience(&self, _world: &World, _kind: Name, _fields: &BTreeMap<Name, Value>) -> Result<Audience, Fault> {
        Ok(Audience::default())
    }

    /// Whether an event of this kind is final: no answer before it is taken back.
    fn is_barrier(&self, _kind: Name) -> bool {
        false
    }

    /// Whether a window opens. `world` and `args` are what everybody knows, nothing else.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn opens(&self, _world: &World, _window: Name, _args: &[Value]) -> Result<bool, Fault> {
        Ok(true)
    }

    /// What a seat may do in a window, beside passing. `world` and `args` are what it knows.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn offers(&self, _world: &World, _seat: Name, _window: Name, _args: &[Value]) -> Result<Vec<Candidate>, Fault> {
        Ok(Vec::new())
    }

    /// The phase at whose end a standing order to pass in a window ends; the innermost if none.
    fn until(&self, _window: Name) -> Option<Name> {
        None
    }

    /// Runs a function.
    ///
    /// # Errors
    /// [`Stop::Suspended`] from an open choice must come through unchanged.
    fn call(&self, run: &Rc<Run>, call: &Call) -> Result<Value, Stop>;

    /// The next step, after moving the flow of phases to it; none when the game is over.
    ///
    /// # Errors
    /// When a phase cannot be evaluated.
    fn next(&self, run: &Rc<Run>) -> Result<Option<Call>, Stop>;

    /// Where a record stands, such as `file:line`, if that is known.
    fn place_of(&self, _record: Name) -> Option<String> {
        None
    }

    /// Who measures how long things take; nobody at first.
    fn meter(&self) -> Option<&dyn Meter> {
        None
    }
}

/// Who answers on the spot; without one, a step waits.
pub trait Responder {
    /// The id of the answer, or none to wait. The world is what the seat knows.
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name>;

    /// The id that it will answer if that is legal, when it can tell before anybody has looked
    /// at the candidates: then only as many are looked at as that takes. The choice comes
    /// without them, and [`Responder::answer`] follows at once.
    fn foresees(&mut self, _world: &World, _choice: &Choice) -> Option<Name> {
        None
    }
}

/// An answer that was refused, with every reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("refused: {}", reasons.iter().map(Name::as_str).collect::<Vec<_>>().join(", "))]
pub struct Refused {
    /// Every failed condition, by code.
    pub reasons: Vec<Name>,
}
