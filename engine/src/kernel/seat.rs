//! What a seat knows: a world and a log of its own.
//!
//! The world of a seat holds what the seat has been shown, under names and numbers of its
//! own (*aliases*), given in the order in which it learnt of things. It changes only by the
//! records of the seat's log, and these are made here from the records of the game: what the
//! seat may not know is left out or reads unknown. [`redact`](super::redact) makes the changes.
//!
//! What always holds: two games that differ only in what a seat may not know give it the
//! same bytes here. So nothing in this file counts, orders or names by the game's own numbers.

use std::{collections::BTreeMap, sync::Arc};

use super::{Answer, By, Call, Cause, Change, Mask, Record, World};
use crate::base::{EntityId, Name, Value, name};

/// Who learns of an event, and how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    /// Who learns of it at all.
    pub who: Who,
    /// Fields that only some of them learn.
    pub fields: BTreeMap<Name, Mask>,
    /// Whether they learn why it happened.
    pub why: bool,
    /// Whether no answer can be taken back once they have learnt of it.
    pub barrier: bool,
}

/// Who learns of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// Everybody.
    #[default]
    All,
    /// These seats.
    Seats(Mask),
    /// Those for whom it changes something.
    Changed,
}

/// The alias of each thing that a seat can tell from all others.
pub(super) type Ties = BTreeMap<EntityId, EntityId>;

/// What a seat knows.
pub struct SeatView {
    pub(super) seat: usize,
    pub(super) own: Name,
    pub(super) world: World,
    pub(super) ties: Arc<Ties>,
    log: Vec<Record>,
    /// What else is to know of each record of the log.
    lines: Vec<Line>,
    /// The lines that count.
    live: Vec<usize>,
    /// How many of these the world has had: fewer than all while a step runs again.
    had: usize,
}

/// What is to know of a record of a seat's log.
struct Line {
    /// The number of the game's record that it comes from.
    source: usize,
    /// The ties before and after it.
    ties: [Arc<Ties>; 2],
    /// Why an answer before it cannot be taken back.
    stop: Option<&'static str>,
}

/// Why an answer before an event that is final stays.
pub(super) const BARRIER: &str = "it_cannot_be_taken_back";

impl SeatView {
    /// A seat that has seen nothing yet.
    pub(super) fn new(seat: usize, own: Name, empty: World) -> Self {
        let (log, lines, live) = (Vec::new(), Vec::new(), Vec::new());
        Self { seat, own, world: empty, ties: Arc::new(Ties::new()), log, lines, live, had: 0 }
    }

    /// The world as the seat knows it.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The seat's log, also what was taken back.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.log
    }

    /// A value as the seat knows it.
    #[must_use]
    pub fn known(&self, value: &Value) -> Value {
        known(&self.ties, value)
    }

    /// The value that a value of the seat's world stands for; none when that is a thing which
    /// the seat cannot tell from others.
    #[must_use]
    pub fn meant(&self, value: &Value) -> Option<Value> {
        let all = |items: &[Value]| items.iter().map(|item| self.meant(item)).collect::<Option<Vec<_>>>();
        Some(match value {
            Value::Entity(alias) => Value::Entity(*self.ties.iter().find(|(_, tied)| *tied == alias)?.0),
            Value::List(items) => Value::list(all(items)?),
            Value::Set(items) => Value::set(all(items)?),
            Value::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| Some((*key, self.meant(value)?)));
                Value::map(entries.collect::<Option<Vec<_>>>()?)
            }
            other => other.clone(),
        })
    }

    /// Where the seat's last answer is taken back to: the number of the game's record.
    ///
    /// # Errors
    /// Why it cannot be, by code.
    pub(super) fn undo_to(&self) -> Result<usize, &'static str> {
        for index in self.live.iter().rev() {
            let line = &self.lines[*index];
            if let Some(stop) = line.stop {
                return Err(stop);
            }
            match &self.log[*index] {
                Record::Answered { seat, answer, .. } if *seat == self.own && answer.by == By::Seat => {
                    return Ok(line.source);
                }
                _ => {}
            }
        }
        Err("no_answer_to_take_back")
    }

    /// Learns of a record that has just been made; `truth` is the world after it.
    pub(super) fn learn(&mut self, truth: &World, number: usize, record: &Record, audience: &Audience) {
        let ties = Arc::clone(&self.ties);
        let (own, stop) = match record {
            Record::Step(call) => (Some(Record::Step(self.call(call))), None),
            Record::Asked { path, seat, prompt } => self.asked(*path, *seat, *prompt),
            Record::Answered { path, seat, answer } => self.answered(*path, *seat, answer),
            Record::Drew { stream, draw, faces, seen, .. } if seen.has(self.seat) => {
                let stream = name(stream.split('/').next().unwrap_or_default());
                let count = self.world.draws(stream);
                // The count is the one that is due, so that it always folds.
                let _ = self.world.fold_draw(stream, count);
                let drew = Record::Drew { stream, count, draw: *draw, faces: faces.clone(), seen: Mask::ALL };
                (Some(drew), Some("dice_have_been_rolled_since"))
            }
            Record::Event { kind, fields, changes, cause } => {
                self.event(truth, *kind, fields, changes, cause, audience)
            }
            Record::StepEnd { .. } => (Some(Record::StepEnd { world: self.world.hash() }), None),
            Record::Mark => (self.marks().then_some(Record::Mark), None),
            Record::Drew { .. }
            | Record::Kept { .. }
            | Record::Undone { .. }
            | Record::Fault { .. }
            | Record::Standing { .. } => (None, None),
        };
        if let Some(record) = own {
            self.live.push(self.log.len());
            self.had = self.live.len();
            let ties = [ties, Arc::clone(&self.ties)];
            self.push(record, Line { source: number, ties, stop });
        }
    }

    /// Goes back to before the game's record `number`, because its step runs again.
    pub(super) fn rewind(&mut self, number: usize) {
        while let Some(index) = self.had.checked_sub(1).and_then(|last| self.live.get(last)) {
            let line = &self.lines[*index];
            if line.source < number {
                break;
            }
            match &self.log[*index] {
                Record::Event { changes, .. } => {
                    for change in changes.iter().rev() {
                        // What was folded can be unfolded.
                        let _ = self.world.unfold(change);
                    }
                }
                Record::Drew { stream, count, .. } => self.world.unfold_draw(*stream, *count),
                _ => {}
            }
            self.ties = Arc::clone(&line.ties[0]);
            self.had -= 1;
        }
    }

    /// Has again what it learnt from the game's records before `number`.
    pub(super) fn replay(&mut self, number: usize) {
        while let Some(index) = self.live.get(self.had) {
            let line = &self.lines[*index];
            if line.source >= number {
                break;
            }
            match &self.log[*index] {
                Record::Event { changes, .. } => {
                    for change in changes {
                        // What was folded here before can be folded again.
                        let _ = self.world.fold(change);
                    }
                }
                Record::Drew { stream, count, .. } => {
                    let _ = self.world.fold_draw(*stream, *count);
                }
                _ => {}
            }
            self.ties = Arc::clone(&line.ties[1]);
            self.had += 1;
        }
    }

    /// Learns that what the game recorded from number `to` on does not count.
    pub(super) fn learn_undone(&mut self, number: usize, to: usize) {
        let Some(first) = self.take_back(to) else { return };
        let undone = Record::Undone { to: first as u64 };
        self.push(undone, Line { source: number, ties: self.same_ties(), stop: None });
    }

    /// Learns that an answer of its own came to nothing.
    pub(super) fn learn_fault(&mut self, number: usize) {
        let fault = Record::Fault { message: String::new() };
        self.push(fault, Line { source: number, ties: self.same_ties(), stop: None });
    }

    fn push(&mut self, record: Record, line: Line) {
        self.log.push(record);
        self.lines.push(line);
    }

    /// Forgets what was learnt from the game's records from `number` on: they were never shown.
    pub(super) fn forget(&mut self, number: usize) {
        if let Some(first) = self.take_back(number) {
            self.log.truncate(first);
            self.lines.truncate(first);
        }
        self.replay(number);
    }

    /// Undoes what comes from records from `number` on; gives the first of the seat's own.
    fn take_back(&mut self, number: usize) -> Option<usize> {
        self.rewind(number);
        let mut first = None;
        while let Some(index) = self.live.pop_if(|index| self.lines[*index].source >= number) {
            first = Some(index);
        }
        first
    }

    fn same_ties(&self) -> [Arc<Ties>; 2] {
        [Arc::clone(&self.ties), Arc::clone(&self.ties)]
    }

    fn call(&self, call: &Call) -> Call {
        let args = call.args.iter().map(|arg| self.known(arg)).collect();
        Call { function: call.function, args, cause: call.cause.clone() }
    }

    fn asked(&self, path: Name, seat: Name, prompt: Name) -> (Option<Record>, Option<&'static str>) {
        if seat == self.own {
            return (Some(Record::Asked { path, seat, prompt }), None);
        }
        let stop = path.starts_with('w').then_some("a_window_has_opened_since");
        (is_open(&path).then_some(Record::Asked { path, seat, prompt: name("?") }), stop)
    }

    fn answered(&self, path: Name, seat: Name, answer: &Answer) -> (Option<Record>, Option<&'static str>) {
        if seat == self.own {
            return (Some(Record::Answered { path, seat, answer: answer.clone() }), None);
        }
        let answer = Answer { id: name("?"), by: By::Unknown, ms: 0, report: None };
        let told = is_open(&path).then_some(Record::Answered { path, seat, answer });
        (told, Some("another_seat_has_answered_since"))
    }

    fn event(
        &mut self,
        truth: &World,
        kind: Name,
        fields: &BTreeMap<Name, Value>,
        changes: &[Change],
        cause: &Cause,
        audience: &Audience,
    ) -> (Option<Record>, Option<&'static str>) {
        let seat = self.seat;
        let mut shown = changes.iter().filter_map(|change| match change {
            Change::Show { old, new, .. } => Some((*old, *new)),
            _ => None,
        });
        let before = Arc::clone(&self.ties);
        let own = self.redact(truth, changes);
        let told = match audience.who {
            Who::All => true,
            Who::Seats(mask) => mask.has(seat),
            Who::Changed => !own.is_empty(),
        };
        let learnt = shown.any(|(old, new)| if old.has(seat) { told } else { new.has(seat) });
        let stop = match (learnt, told && audience.barrier) {
            (true, _) => Some("something_was_shown_since"),
            (_, true) => Some(BARRIER),
            _ => None,
        };
        if !told {
            let (kind, cause) = (name("?"), Cause::default());
            let event = Record::Event { kind, fields: BTreeMap::new(), changes: own, cause };
            return (matches!(&event, Record::Event { changes, .. } if !changes.is_empty()).then_some(event), stop);
        }
        let field = |(field, value): (&Name, &Value)| {
            let may = audience.fields.get(field).is_none_or(|mask| mask.has(seat));
            // A thing that is gone is still called by the name that it had.
            let value = match known(&self.ties, value) {
                _ if !may => Value::Unknown,
                Value::Unknown => known(&before, value),
                value => value,
            };
            (*field, value)
        };
        let fields = fields.iter().map(field).collect();
        let cause = if audience.why { cause.clone() } else { Cause::default() };
        (Some(Record::Event { kind, fields, changes: own, cause }), stop)
    }

    /// Whether something has been learnt since the last mark.
    fn marks(&self) -> bool {
        self.live.last().is_some_and(|index| !matches!(self.log[*index], Record::Mark))
    }
}

/// A value as somebody with these ties knows it.
pub(super) fn known(ties: &Ties, value: &Value) -> Value {
    let all = |items: &[Value]| items.iter().map(|item| known(ties, item)).collect::<Vec<_>>();
    match value {
        Value::Entity(entity) => ties.get(entity).map_or(Value::Unknown, |alias| Value::Entity(*alias)),
        Value::List(items) => Value::list(all(items)),
        Value::Set(items) => Value::set(all(items)),
        Value::Map(entries) => Value::map(entries.iter().map(|(key, value)| (*key, known(ties, value)))),
        other => other.clone(),
    }
}

/// Whether others than the seat that is asked see that a choice of this path is there.
fn is_open(path: &str) -> bool {
    path.split('/').count() < 3
}
