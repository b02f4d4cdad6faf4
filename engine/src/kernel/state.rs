//! What a game in progress keeps: its records, which of them count, and how a step runs
//! again over what it recorded before.

use std::collections::BTreeMap;

use super::{
    Answer, Audience, By, Call, Change, Choice, Fault, ONLOOKER, Record, Responder, SeatView, Trigger, World,
    run::STEP_RECORDS_MAX,
};
use crate::{
    base::{Name, value_to_json},
    chance::Chance,
};

/// The records of a game and the step that is running or waiting.
pub(super) struct State {
    pub(super) world: World,
    /// Everything that was ever recorded.
    pub(super) records: Vec<Record>,
    /// The numbers of the records that count: those not taken back.
    pub(super) live: Vec<usize>,
    pub(super) chance: Box<dyn Chance>,
    pub(super) responder: Option<Box<dyn Responder>>,
    /// Whether a choice with one legal answer is answered by itself.
    pub(super) answer_only: bool,
    /// Whether ties are answered with their first option.
    pub(super) ties_first: bool,
    pub(super) step: Option<Step>,
    /// The choices that wait, more than one only in what is asked of several seats at once.
    pub(super) open: Vec<Choice>,
    pub(super) n_answers: u64,
    /// Whether the end of a step carries the hash of the world.
    pub(super) hashes: bool,
    /// What each secret seat knows, and last what everybody knows; none in a game without secrets.
    pub(super) views: Vec<SeatView>,
}

/// The step that is running or waiting.
pub(super) struct Step {
    pub(super) call: Call,
    /// Where its records begin among the live ones: the `step` record.
    pub(super) start: usize,
    /// The next live record to come again; past the end when everything new.
    pub(super) cursor: usize,
    pub(super) answers: BTreeMap<Name, Answer>,
    pub(super) n_choices: u32,
    pub(super) n_windows: u32,
    /// The private dialogue that is running.
    pub(super) private: Option<Private>,
    /// The path of what is asked of several seats at once and still waits.
    pub(super) waits: Option<Name>,
    pub(super) queues: Vec<Vec<Trigger>>,
    /// The records whose triggers are running, the innermost last.
    pub(super) trail: Vec<Name>,
    /// Whether it runs to explain the choice at which it waits, which nobody answers on the spot.
    pub(super) explains: bool,
    /// Whether the choice that comes next was worked out without all reasons.
    pub(super) comes_briefly: bool,
    /// Whether it waits at such a choice.
    pub(super) waits_briefly: bool,
}

/// A dialogue with one seat that others do not hear.
pub(super) struct Private {
    pub(super) seat: Name,
    /// The path of the dialogue, such as `c1/red`.
    pub(super) path: Name,
    pub(super) n_choices: u32,
    /// What will be recorded when all seats have finished.
    pub(super) records: Vec<Record>,
}

impl Step {
    /// A step whose records begin at live record `start`.
    pub(super) fn new(call: Call, start: usize, answers: BTreeMap<Name, Answer>) -> Self {
        Self {
            call,
            start,
            cursor: start,
            answers,
            n_choices: 0,
            n_windows: 0,
            private: None,
            waits: None,
            queues: vec![Vec::new()],
            trail: Vec::new(),
            explains: false,
            comes_briefly: false,
            waits_briefly: false,
        }
    }

    /// Gets ready to run again from its start.
    pub(super) fn rewind(&mut self) {
        (self.cursor, self.n_choices, self.n_windows) = (self.start, 0, 0);
        (self.private, self.waits, self.queues) = (None, None, vec![Vec::new()]);
        self.trail.clear();
        (self.explains, self.comes_briefly, self.waits_briefly) = (false, false, false);
    }
}

/// What each secret seat of a world knows, and last what everybody knows.
pub(super) fn views(world: &World) -> Vec<SeatView> {
    let schema = world.schema();
    if !schema.has_secrets() {
        return Vec::new();
    }
    let secret = schema.seats.iter().enumerate().filter(|(_, seat)| seat.secret);
    let mut views: Vec<SeatView> =
        secret.map(|(index, seat)| SeatView::new(index, seat.name, World::new(schema.clone()))).collect();
    views.push(SeatView::new(ONLOOKER, Name::default(), World::new(schema.clone())));
    views
}

impl State {
    /// The live record that must come again here, none when everything is new.
    pub(super) fn coming(&self) -> Option<&Record> {
        let step = self.step.as_ref()?;
        self.live.get(step.cursor).map(|number| &self.records[*number])
    }

    /// Appends a record, or checks that it is the one that came here before.
    pub(super) fn record(&mut self, record: Record) -> Result<(), Fault> {
        self.record_for(record, &Audience::default())
    }

    /// Appends a record that only some learn of, or checks that it is the one that came here before.
    pub(super) fn record_for(&mut self, record: Record, audience: &Audience) -> Result<(), Fault> {
        if let Some(before) = self.coming() {
            if *before != record {
                return Err(Fault(format!(
                    "not the same when it ran again: {} where there was {}",
                    short(&record, &self.world),
                    short(before, &self.world)
                )));
            }
            if let Some(step) = &mut self.step {
                let number = self.live[step.cursor];
                self.views.iter_mut().for_each(|view| view.replay(number + 1));
                step.cursor += 1;
            }
            return Ok(());
        }
        if let Some(step) = &mut self.step {
            if self.live.len() - step.start >= STEP_RECORDS_MAX {
                return Err(Fault(format!("{} records more than {STEP_RECORDS_MAX} lines", step.call.function)));
            }
            step.cursor = self.live.len() + 1;
        }
        for view in &mut self.views {
            view.learn(&self.world, self.records.len(), &record, audience);
        }
        self.live.push(self.records.len());
        self.records.push(record);
        Ok(())
    }

    /// The answer that is there already: given before, the only one, or a standing order.
    pub(super) fn answer_for(&self, choice: &Choice) -> Option<Answer> {
        let step = self.step.as_ref()?;
        if let Some(answer) = step.answers.get(&choice.path) {
            return Some(answer.clone());
        }
        if choice.wants_report {
            return None;
        }
        let mut options = choice.options();
        let (first, second) = (options.next()?, options.next());
        // Where there are secrets, that nobody need be asked would tell.
        let is_only = self.answer_only && second.is_none() && self.views.is_empty();
        let by = match (is_only, self.ties_first && choice.tie) {
            (true, _) => By::Only,
            (_, true) => By::Standing,
            _ => return None,
        };
        Some(Answer { id: first.id, by, ms: 0, report: None })
    }

    /// Writes down an answer in a private dialogue, or that it is taken back. No seat learns of it.
    pub(super) fn keep(&mut self, path: Name, seat: Name, answer: Option<&Answer>) {
        if path.contains('/') {
            let answer = answer.map(|answer| (answer.id, answer.ms));
            self.records.push(Record::Kept { path, seat, answer });
        }
    }

    pub(super) fn take_back(&mut self, changes: &[Change]) -> Result<(), Fault> {
        for change in changes.iter().rev() {
            self.world.unfold(change).map_err(|fault| Fault(fault.0))?;
        }
        Ok(())
    }

    /// Drops the live records from `n_live` on and puts the world where the others leave it.
    pub(super) fn forget_after(&mut self, n_live: usize) {
        let Some((start, cursor)) = self.step.as_ref().map(|step| (step.start, step.cursor)) else { return };
        self.unfold_between(start, cursor);
        self.live.truncate(n_live);
        for index in start..n_live {
            let Self { world, records, live, .. } = self;
            match &records[live[index]] {
                Record::Event { changes, .. } => {
                    for change in changes {
                        // These changes were folded here before.
                        let _ = world.fold(change);
                    }
                }
                Record::Drew { stream, count, .. } => {
                    let _ = world.fold_draw(*stream, *count);
                }
                _ => {}
            }
        }
        if let Some(step) = &mut self.step {
            step.cursor = n_live;
        }
    }

    /// Takes the world back from after live record `end` to before live record `start`.
    pub(super) fn unfold_between(&mut self, start: usize, end: usize) {
        for index in (start..end).rev() {
            let Self { world, records, live, .. } = self;
            match &records[live[index]] {
                Record::Event { changes, .. } => {
                    for change in changes.iter().rev() {
                        // What was folded can be unfolded: `unfold` is its exact reverse.
                        let _ = world.unfold(change);
                    }
                }
                Record::Drew { stream, count, .. } => world.unfold_draw(*stream, *count),
                _ => {}
            }
        }
    }

    /// What a seat knows; none if it knows everything.
    pub(super) fn view(&self, seat: Name) -> Option<&SeatView> {
        self.views.iter().find(|view| view.own == seat)
    }

    /// The step whose records surround live record `index`, with the answers before it.
    pub(super) fn step_at(&self, index: usize) -> Option<Step> {
        let mut answers = BTreeMap::new();
        for at in (0..index).rev() {
            match &self.records[self.live[at]] {
                Record::Answered { path, answer, .. } => {
                    answers.insert(*path, answer.clone());
                }
                Record::Step(call) => {
                    return Some(Step::new(call.clone(), at, answers));
                }
                _ => {}
            }
        }
        None
    }
}

fn short(record: &Record, world: &World) -> String {
    match record {
        Record::Event { kind, fields, .. } => {
            let fields: Vec<String> =
                fields.iter().map(|(field, value)| format!("{field}={}", value_to_json(value, world))).collect();
            format!("{kind} {}", fields.join(" "))
        }
        other => other.to_json(world).to_string(),
    }
}
