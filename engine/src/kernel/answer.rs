//! Answers to the choices that wait, and taking answers back.

use std::rc::Rc;

use super::{
    Answer, By, Fault, Record, Refused, Rules, Run,
    ask::{REPORTED, refused},
    seat::BARRIER,
    state::State,
};
use crate::base::{Name, Value, name};

impl Run {
    /// Answers the choice that waits, of several the first.
    ///
    /// # Errors
    /// As [`Run::answer_as`].
    pub fn answer(self: &Rc<Self>, id: &str, ms: u64, steps_max: usize) -> Result<Result<(), Fault>, Refused> {
        let seat = self.open().ok_or_else(|| refused("no_open_choice"))?.seat;
        self.answer_as(seat, id, ms, steps_max)
    }

    /// Answers the choice that waits for a seat, runs its step again up to there and on, and
    /// then at most `steps_max` further steps. After a fault everything is as it was before.
    ///
    /// # Errors
    /// With every reason when the answer is not legal; then nothing has changed.
    pub fn answer_as(
        self: &Rc<Self>,
        seat: Name,
        id: &str,
        ms: u64,
        steps_max: usize,
    ) -> Result<Result<(), Fault>, Refused> {
        self.answer_by(seat, Answer { id: name(id), by: By::Seat, ms, report: None }, steps_max)
    }

    /// As [`Run::answer_as`], to the question that wants a report.
    ///
    /// # Errors
    /// As [`Run::answer_as`].
    pub fn report(self: &Rc<Self>, report: Value, ms: u64, steps_max: usize) -> Result<Result<(), Fault>, Refused> {
        let seat = self.open().ok_or_else(|| refused("no_open_choice"))?.seat;
        self.answer_by(seat, Answer { id: name(REPORTED), by: By::Seat, ms, report: Some(report) }, steps_max)
    }

    fn answer_by(self: &Rc<Self>, seat: Name, answer: Answer, steps_max: usize) -> Result<Result<(), Fault>, Refused> {
        let choice = self.open_for(seat).ok_or_else(|| refused("no_open_choice"))?;
        if choice.wants_report != answer.report.is_some() {
            return Err(refused("only_by_a_report"));
        }
        let candidate = choice.candidate(&answer.id).ok_or_else(|| refused("not_among_the_answers"))?;
        if !candidate.reasons.is_empty() {
            return Err(Refused { reasons: candidate.reasons.clone() });
        }
        let (n_records, n_live, n_answers, open, answers, waits) = {
            let mut state = self.state.borrow_mut();
            let open = std::mem::take(&mut state.open);
            let step = state.step.as_mut().ok_or_else(|| refused("no_open_choice"))?;
            let (answers, waits) = (step.answers.clone(), step.waits);
            step.answers.insert(choice.path, answer.clone());
            let before = (state.records.len(), state.live.len(), state.n_answers, open, answers, waits);
            state.keep(choice.path, seat, Some(&answer));
            before
        };
        let Err(fault) = self.rerun_step().and_then(|()| self.advance(steps_max)) else { return Ok(Ok(())) };
        let mut state = self.state.borrow_mut();
        if state.step.as_ref().is_some_and(|step| step.start < n_live) {
            state.forget_after(n_live);
        } else {
            state.back_to(n_live);
            state.step = state.step_at(n_live);
        }
        state.records.truncate(n_records);
        state.views.iter_mut().for_each(|view| view.forget(n_records));
        (state.n_answers, state.open) = (n_answers, open);
        if let Some(step) = &mut state.step {
            (step.cursor, step.answers, step.waits, step.private) = (n_live, answers, waits, None);
        }
        state.records.push(Record::Fault { message: fault.0.clone() });
        let view = state.views.iter_mut().find(|view| view.own == seat);
        match view {
            None => Ok(Err(fault)),
            Some(view) => {
                view.learn_fault(n_records);
                Ok(Err(Fault("the rules failed; the answer does not count".into())))
            }
        }
    }

    /// Takes back the last answer that counts, whoever gave it.
    ///
    /// # Errors
    /// As [`Run::undo_as`].
    pub fn undo(self: &Rc<Self>) -> Result<Result<(), Fault>, Refused> {
        let seat = {
            let state = self.state.borrow();
            state.live.iter().rev().find_map(|number| match &state.records[*number] {
                Record::Answered { seat, answer, .. } if answer.by == By::Seat => Some(*seat),
                _ => None,
            })
        };
        self.undo_as(seat.ok_or_else(|| refused("no_answer_to_take_back"))?)
    }

    /// Takes back the last answer of a seat: the same choice is open again.
    ///
    /// In a private dialogue that goes on nothing is a fact yet, and no seat learns of it.
    ///
    /// # Errors
    /// When there is none, or the seat has seen something since that stands against it.
    pub fn undo_as(self: &Rc<Self>, seat: Name) -> Result<Result<(), Fault>, Refused> {
        let private = self.state.borrow().last_private(seat);
        if let Some(path) = private {
            let mut state = self.state.borrow_mut();
            if let Some(step) = &mut state.step {
                step.answers.remove(&path);
            }
            state.keep(path, seat, None);
            drop(state);
            return Ok(self.rerun_step());
        }
        self.check_undo(seat)?;
        let number = self.state.borrow().undo_to(seat, self.rules.as_ref()).map_err(refused)?;
        let mut state = self.state.borrow_mut();
        let index =
            state.live.iter().rposition(|live| *live == number).ok_or_else(|| refused("no_answer_to_take_back"))?;
        let Record::Answered { path, .. } = state.records[number] else {
            return Err(refused("no_answer_to_take_back"));
        };
        let kept = state.private_answers(index, path, seat);
        let n_taken = state.live[index..].iter().filter(|live| is_by_seat(&state.records[**live])).count();
        state.back_to(index);
        state.n_answers -= n_taken as u64;
        let undone = state.records.len();
        state.records.push(Record::Undone { to: number as u64 });
        state.views.iter_mut().for_each(|view| view.learn_undone(undone, number));
        state.step = state.step_at(index);
        if let Some(step) = &mut state.step {
            step.answers.extend(kept);
        }
        drop(state);
        Ok(self.rerun_step())
    }

    /// Whether a seat could take its last answer back.
    ///
    /// # Errors
    /// As [`Run::undo_as`].
    pub fn check_undo(&self, seat: Name) -> Result<(), Refused> {
        let state = self.state.borrow();
        match state.last_private(seat) {
            Some(_) => Ok(()),
            None => state.undo_to(seat, self.rules.as_ref()).map(|_| ()).map_err(refused),
        }
    }
}

impl State {
    /// The record of the answer that a seat would take back.
    fn undo_to(&self, seat: Name, rules: &dyn Rules) -> Result<usize, &'static str> {
        if let Some(view) = self.view(seat) {
            return view.undo_to();
        }
        for number in self.live.iter().rev() {
            match &self.records[*number] {
                Record::Drew { .. } => return Err("dice_have_been_rolled_since"),
                Record::Event { kind, .. } if rules.is_barrier(*kind) => return Err(BARRIER),
                Record::Answered { seat: other, answer, .. } if answer.by == By::Seat => {
                    let own = *other == seat;
                    return if own { Ok(*number) } else { Err("another_seat_has_answered_since") };
                }
                Record::Asked { path, seat: other, .. } if path.starts_with('w') && *other != seat => {
                    return Err("a_window_has_opened_since");
                }
                _ => {}
            }
        }
        Err("no_answer_to_take_back")
    }

    /// The last answer of a seat in a private dialogue that goes on.
    fn last_private(&self, seat: Name) -> Option<Name> {
        let step = self.step.as_ref()?;
        let prefix = format!("{}/{seat}/c", step.waits?);
        let given = step.answers.iter().filter(|(_, answer)| answer.by == By::Seat);
        let numbers = given.filter_map(|(path, _)| Some((path.strip_prefix(&prefix)?.parse::<u32>().ok()?, *path)));
        numbers.max_by_key(|(number, _)| *number).map(|(_, path)| path)
    }

    /// What other seats answered in the same private round as `path`, from live record `index` on.
    fn private_answers(&self, index: usize, path: Name, seat: Name) -> Vec<(Name, Answer)> {
        let round = |path: &str| path.split_once('/').map(|(round, _)| round.to_string());
        let same = |record: &Record| match record {
            Record::Answered { path: other, seat: whose, answer } if *whose != seat => {
                (round(other).is_some() && round(other) == round(&path)).then(|| (*other, answer.clone()))
            }
            _ => None,
        };
        self.live[index..]
            .iter()
            .take_while(|number| !matches!(self.records[**number], Record::StepEnd { .. }))
            .filter_map(|number| same(&self.records[*number]))
            .collect()
    }

    /// Takes the world back to before live record `index` and forgets that it and what follows count.
    fn back_to(&mut self, index: usize) {
        let end = self.live.len();
        self.unfold_between(index, end);
        self.live.truncate(index);
    }
}

fn is_by_seat(record: &Record) -> bool {
    matches!(record, Record::Answered { answer, .. } if answer.by == By::Seat)
}
