//! The kernel: what a world is made of, the only ways in which it changes, and the step,
//! the unit in which rules run.
//!
//! * [`World`]: entities with properties and positions, zones, the table, the stack of
//!   phases. Flat arrays and ordered maps only.
//! * [`Change`]: one primitive operation with its old and its new value. `fold` applies it
//!   and refuses an old value that does not match; `unfold` takes it back.
//! * [`Record`]: one line of a log. An event carries its changes, so that a world can be
//!   rebuilt from a log and its schema without any content.
//! * [`Run`]: a game in progress. It runs steps, records what they emit, suspends a step
//!   at an open choice and runs it again from its start when the answer is there.
//!
//! What is not here: what events mean, when phases begin, who reacts. That is asked of a
//! [`Rules`] implementation: content at work in games, a few lines of Rust in the tests.

mod mask;
mod schema;
mod stamps;
mod change;
mod world;
mod draft;
mod choice;
mod record;
mod rules;
mod run;
mod ask;
mod answer;
mod state;
mod seat;
mod redact;

pub use ask::{Dialogue, Judge, PASS, PASS_UNTIL, STANDING_ORDER};
pub use change::{Change, Frame, Owner, Position};
pub use choice::{Answer, By, Candidate, Choice};
pub use draft::Draft;
pub use mask::{Mask, ONLOOKER};
pub use record::{Cause, Record};
pub use redact::UNKNOWN_KIND;
pub use rules::{Before, Call, Fault, Refused, Responder, Rules, Stop, Trigger};
pub use run::Run;
pub use schema::{BackDecl, PropertyDecl, Schema, SeatDecl, ZoneDecl};
pub use seat::{Audience, SeatView, Who};
pub use stamps::{Part, fresh};
pub use world::{Entity, FoldFault, Seen, World};

#[cfg(test)]
mod judged;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
