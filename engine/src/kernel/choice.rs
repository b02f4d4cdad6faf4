//! Choices and answers.

use crate::base::{Name, Value};

/// One of the things that a seat might answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What is written down as the answer; stable and unique within its choice.
    pub id: Name,
    /// What the asking rule gets.
    pub value: Value,
    /// Why it may not be answered, each reason by code; empty if it may.
    pub reasons: Vec<Name>,
}

/// A question to a seat with a finite set of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its place in the dialogue of its step: `c1`, `c2` and so on; `w1` for a window;
    /// `c1/red/c1` in what is asked of several seats at once.
    pub path: Name,
    /// Who is asked.
    pub seat: Name,
    /// What is asked, by code.
    pub prompt: Name,
    /// Whether it is a tie that rules leave to people: such a choice may have a standing answer.
    pub tie: bool,
    /// What the question is about, by name, as its seat knows it: for whoever shows it.
    pub about: Vec<(Name, Value)>,
    /// Everything that might be answered, the legal and the illegal, in a fixed order.
    pub candidates: Vec<Candidate>,
    /// Whether it is asked of whoever runs the table: its answer brings a report, and nobody else gives it.
    pub wants_report: bool,
}

impl Choice {
    /// The legal answers, in order.
    pub fn options(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| candidate.reasons.is_empty())
    }

    /// The candidate of an id.
    #[must_use]
    pub fn candidate(&self, id: &str) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.id.as_str() == id)
    }
}

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Somebody at the table, a person or a bot.
    Seat,
    /// Nobody: it was the only legal one.
    Only,
    /// A standing order of the seat.
    Standing,
    /// The seat that looks may not know.
    Unknown,
}

/// An answer as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The id of the chosen candidate.
    pub id: Name,
    /// Who gave it.
    pub by: By,
    /// How long the seat took, in milliseconds.
    pub ms: u64,
    /// What whoever runs the table reports, if the question wants that.
    pub report: Option<Value>,
}
