//! Questions of a running step, their answers, and taking answers back.

use std::rc::Rc;

use super::{Answer, By, Candidate, Choice, Fault, Record, Refused, Run, Stop};
use crate::base::{Name, Value, name};

impl Run {
    /// Answers the open choice, runs its step again up to there and on, and then at most
    /// `steps_max` further steps. After a fault everything is as it was before the answer.
    ///
    /// # Errors
    /// With every reason when the answer is not legal; then nothing has changed.
    pub fn answer(self: &Rc<Self>, id: &str, ms: u64, steps_max: usize) -> Result<Result<(), Fault>, Refused> {
        let (path, n_records, n_live, n_answers) = {
            let state = self.state.borrow();
            let choice = state.open.as_ref().ok_or_else(|| refused("no_open_choice"))?;
            let candidate = choice.candidate(id).ok_or_else(|| refused("not_among_the_answers"))?;
            if !candidate.reasons.is_empty() {
                return Err(Refused { reasons: candidate.reasons.clone() });
            }
            (choice.path, state.records.len(), state.live.len(), state.n_answers)
        };
        let answer = Answer { id: name(id), by: By::Seat, ms };
        let open = self.state.borrow_mut().open.take();
        if let Some(step) = &mut self.state.borrow_mut().step {
            step.answers.insert(path, answer);
        }
        let ran = self.rerun_step().and_then(|()| self.advance(steps_max));
        if let Err(fault) = ran {
            let mut state = self.state.borrow_mut();
            if state.step.as_ref().is_some_and(|step| step.start < n_live) {
                state.forget_after(n_live);
            } else {
                let end = state.live.len();
                state.unfold_between(n_live, end);
                state.live.truncate(n_live);
                state.step = state.step_at(n_live);
            }
            state.records.truncate(n_records);
            state.n_answers = n_answers;
            if let Some(step) = &mut state.step {
                step.cursor = n_live;
                step.answers.remove(&path);
            }
            state.records.push(Record::Fault { message: fault.0.clone() });
            state.open = open;
            return Ok(Err(fault));
        }
        Ok(Ok(()))
    }

    /// Takes back the last answer of a seat: the same choice is open again.
    ///
    /// # Errors
    /// When there is none, or a draw has been made since.
    pub fn undo(self: &Rc<Self>) -> Result<Result<(), Fault>, Refused> {
        let (index, number, path) = {
            let state = self.state.borrow();
            let mut found = None;
            for (index, number) in state.live.iter().enumerate().rev() {
                match &state.records[*number] {
                    Record::Drew { .. } => return Err(refused("dice_have_been_rolled_since")),
                    Record::Answered { path, answer, .. } if answer.by == By::Seat => {
                        found = Some((index, *number, *path));
                        break;
                    }
                    _ => {}
                }
            }
            found.ok_or_else(|| refused("no_answer_to_take_back"))?
        };
        self.back_to(index);
        {
            let mut state = self.state.borrow_mut();
            state.records.push(Record::Undone { to: number as u64 });
            state.n_answers -= 1;
            let step = state.step_at(index);
            state.step = step;
            if let Some(step) = &mut state.step {
                step.answers.remove(&path);
            }
            state.open = None;
        }
        Ok(self.rerun_step())
    }

    /// Asks a seat; gives the value of the chosen candidate.
    ///
    /// # Errors
    /// [`Stop::Suspended`] when the answer must be waited for.
    pub fn choose(&self, seat: Name, prompt: Name, tie: bool, candidates: Vec<Candidate>) -> Result<Value, Stop> {
        let (choice, answer) = {
            let mut state = self.state.borrow_mut();
            let step = state.step.as_mut().ok_or_else(|| Stop::fault("a choice outside a step"))?;
            step.n_choices += 1;
            let path = name(&format!("c{}", step.n_choices));
            let choice = Choice { path, seat, prompt, tie, candidates };
            check_choice(&choice)?;
            state.record(Record::Asked { path, seat, prompt })?;
            let answer = state.answer_for(&choice);
            if answer.as_ref().is_none_or(|answer| answer.by == By::Seat) {
                state.record(Record::Mark)?;
            }
            (choice, answer)
        };
        let answer = match answer {
            Some(answer) => answer,
            None => {
                let responder = self.state.borrow_mut().responder.take();
                let mut given = None;
                if let Some(mut responder) = responder {
                    given = responder.answer(&self.world(), &choice);
                    self.state.borrow_mut().responder = Some(responder);
                }
                match given {
                    Some(id) => Answer { id, by: By::Seat, ms: 0 },
                    None => {
                        self.state.borrow_mut().open = Some(choice);
                        return Err(Stop::Suspended);
                    }
                }
            }
        };
        let candidate = choice
            .candidate(&answer.id)
            .filter(|candidate| candidate.reasons.is_empty())
            .ok_or_else(|| Stop::fault(format!("{} is no longer a legal answer to {prompt}", answer.id)))?;
        let value = candidate.value.clone();
        let mut state = self.state.borrow_mut();
        if let Some(step) = state.step.as_mut() {
            step.answers.insert(choice.path, answer.clone());
        }
        if answer.by == By::Seat && state.coming().is_none() {
            state.n_answers += 1;
        }
        state.record(Record::Answered { path: choice.path, seat, answer })?;
        Ok(value)
    }
}

fn check_choice(choice: &Choice) -> Result<(), Stop> {
    if choice.options().next().is_none() {
        return Err(Stop::fault(format!("the choice {} has no legal answer", choice.prompt)));
    }
    let mut ids: Vec<&str> = choice.candidates.iter().map(|candidate| candidate.id.as_str()).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Stop::fault(format!("the choice {} has two answers {}", choice.prompt, pair[0]))),
        None => Ok(()),
    }
}

fn refused(code: &str) -> Refused {
    Refused { reasons: vec![name(code)] }
}
