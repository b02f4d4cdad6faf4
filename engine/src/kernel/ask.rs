//! Questions of a running step: choices, windows, and dialogues with several seats at once.
//!
//! A seat with secrets is asked about the world as it knows it: the candidates that come in,
//! their ids and what is answered are in the names of its own world. Only the chosen value
//! is turned into what it stands for.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    Answer, Audience, By, Candidate, Cause, Choice, Mask, Record, Refused, Run, Stop, Who,
    state::{Private, State},
};
use crate::base::{Lap, Name, Value, What, name};

/// The answer of a seat that does not react.
pub const PASS: &str = "pass";
/// The answer of a seat that does not react until a phase has ended.
pub const PASS_UNTIL: &str = "pass_until";
/// The answer to a question that wants a report.
pub(super) const REPORTED: &str = "reported";
/// The event that a standing order is recorded as.
pub const STANDING_ORDER: &str = "standing_order";

/// What speaks against a candidate.
pub type Judge<'a> = dyn FnMut(&Candidate) -> Result<Vec<Name>, Stop> + 'a;

/// What a seat is asked in a dialogue of its own, and what comes of it.
pub type Dialogue<'a> = dyn FnMut(&Rc<Run>, Name) -> Result<Value, Stop> + 'a;

impl Run {
    /// Asks a seat; gives the value of the chosen candidate.
    ///
    /// # Errors
    /// [`Stop::Suspended`] when the answer must be waited for.
    pub fn choose(&self, seat: Name, prompt: Name, tie: bool, candidates: Vec<Candidate>) -> Result<Value, Stop> {
        self.choose_about(seat, prompt, tie, Vec::new(), candidates)
    }

    /// Asks a seat, and says what the question is about.
    ///
    /// # Errors
    /// As [`Run::choose`].
    pub fn choose_about(
        &self,
        seat: Name,
        prompt: Name,
        tie: bool,
        about: Vec<(Name, Value)>,
        candidates: Vec<Candidate>,
    ) -> Result<Value, Stop> {
        let (mut choice, is_private) = self.begin_choice(seat, prompt, tie, about)?;
        choice.candidates = candidates;
        self.choose_among(choice, is_private)
    }

    /// Asks a seat, where `judge` says what speaks against a candidate: one reason, or all if the
    /// choice is to be explained. It is only asked of as many as matter: of the answer that is
    /// there already, or of that which somebody gives on the spot, and of two that are legal.
    ///
    /// # Errors
    /// As [`Run::choose`], and those of `judge`.
    pub fn choose_judged(
        &self,
        seat: Name,
        prompt: Name,
        tie: bool,
        about: Vec<(Name, Value)>,
        mut candidates: Vec<Candidate>,
        judge: &mut Judge<'_>,
    ) -> Result<Value, Stop> {
        let (mut choice, is_private) = self.begin_choice(seat, prompt, tie, about)?;
        let mut looked_at = vec![false; candidates.len()];
        let mut look = |at: usize, candidates: &mut [Candidate]| -> Result<bool, Stop> {
            if !std::mem::replace(&mut looked_at[at], true) {
                candidates[at].reasons = judge(&candidates[at])?;
            }
            Ok(candidates[at].reasons.is_empty())
        };
        if let Some(id) = self.kept_answer(choice.path) {
            if let Some(at) = candidates.iter().position(|candidate| candidate.id == id)
                && look(at, &mut candidates)?
            {
                choice.candidates = vec![candidates.swap_remove(at)];
                return self.choose_among(choice, is_private);
            }
        } else if self.is_answered_on_the_spot(&choice) {
            // Nobody is asked where there is only one.
            let (mut legal, n) = (Vec::new(), candidates.len());
            for at in n.checked_sub(1).into_iter().chain(0..n.saturating_sub(1)) {
                if look(at, &mut candidates)? {
                    legal.push(at);
                }
                if legal.len() == 2 {
                    break;
                }
            }
            let foreseen = if legal.len() == 2 { self.foreseen(&choice) } else { None };
            if let Some(at) = foreseen.and_then(|id| candidates.iter().position(|candidate| candidate.id == id))
                && look(at, &mut candidates)?
            {
                legal.push(at);
                let mut at = 0..;
                candidates.retain(|_| at.next().is_some_and(|at| legal.contains(&at)));
                choice.candidates = candidates;
                return self.choose_among(choice, is_private);
            }
        }
        for at in 0..candidates.len() {
            look(at, &mut candidates)?;
        }
        choice.candidates = candidates;
        self.choose_among(choice, is_private)
    }

    /// The answer to a choice that a step which runs again already has.
    fn kept_answer(&self, path: Name) -> Option<Name> {
        self.state.borrow().step.as_ref()?.answers.get(&path).map(|answer| answer.id)
    }

    /// Whether somebody answers a choice on the spot unless it has only one legal answer.
    fn is_answered_on_the_spot(&self, choice: &Choice) -> bool {
        let state = self.state.borrow();
        state.responder.is_some()
            && state.coming().is_none()
            && state.step.as_ref().is_some_and(|step| !step.explains)
            && !(state.ties_first && choice.tie)
    }

    fn foreseen(&self, choice: &Choice) -> Option<Name> {
        let mut responder = self.state.borrow_mut().responder.take()?;
        let lap = Lap::of(self.rules.meter(), What::Answer, choice.prompt.as_str());
        let foreseen = responder.foresees(&self.known_world(choice.seat), choice);
        drop(lap);
        self.state.borrow_mut().responder = Some(responder);
        foreseen
    }

    fn choose_among(&self, choice: Choice, is_private: bool) -> Result<Value, Stop> {
        let seat = choice.seat;
        let chosen = self.put(choice, None)?;
        if is_private { Ok(chosen.value) } else { self.meant(seat, &chosen.value) }
    }

    /// A choice that has its path and no candidates yet, and whether it belongs to a private dialogue.
    fn begin_choice(
        &self,
        seat: Name,
        prompt: Name,
        tie: bool,
        about: Vec<(Name, Value)>,
    ) -> Result<(Choice, bool), Stop> {
        let (path, is_private) = {
            let mut state = self.state.borrow_mut();
            let step = state.step.as_mut().ok_or_else(|| Stop::fault("a choice outside a step"))?;
            match &mut step.private {
                Some(private) if private.seat != seat => {
                    let message = format!("{seat} is asked in the private dialogue of {}", private.seat);
                    return Err(Stop::fault(message));
                }
                Some(private) => {
                    private.n_choices += 1;
                    (name(&format!("{}/c{}", private.path, private.n_choices)), true)
                }
                None => {
                    step.n_choices += 1;
                    (name(&format!("c{}", step.n_choices)), false)
                }
            }
        };
        let candidates = Vec::new();
        Ok((Choice { path, seat, prompt, tie, about, candidates, wants_report: false }, is_private))
    }

    /// Asks whoever runs the table, and says what the question is about; gives the report. The
    /// answer counts as one of the seat.
    ///
    /// # Errors
    /// As [`Run::choose`].
    pub fn ask_report(&self, seat: Name, prompt: Name, about: Vec<(Name, Value)>) -> Result<Value, Stop> {
        self.check_public("a question to whoever runs the table")?;
        let path = {
            let mut state = self.state.borrow_mut();
            let step = state.step.as_mut().ok_or_else(|| Stop::fault("a choice outside a step"))?;
            step.n_choices += 1;
            name(&format!("c{}", step.n_choices))
        };
        let candidates = vec![Candidate { id: name(REPORTED), value: Value::None, reasons: Vec::new() }];
        let choice = Choice { path, seat, prompt, tie: false, about, candidates, wants_report: true };
        self.put(choice, None).map(|chosen| chosen.value)
    }

    /// Asks several seats at once and in secret, each in a dialogue of its own, and goes on
    /// when all have finished. A dialogue runs in the world as its seat knows it, and neither
    /// records nor draws. Gives the results in the order of the seats.
    ///
    /// # Errors
    /// [`Stop::Suspended`] while a seat has not finished.
    pub fn choose_each(
        self: &Rc<Self>,
        seats: &[Name],
        prompt: Name,
        dialogue: &mut Dialogue<'_>,
    ) -> Result<Vec<Value>, Stop> {
        self.check_public("a choice of several seats")?;
        let base = {
            let mut state = self.state.borrow_mut();
            let step = state.step.as_mut().ok_or_else(|| Stop::fault("a choice outside a step"))?;
            step.n_choices += 1;
            let base = name(&format!("c{}", step.n_choices));
            for (index, seat) in seats.iter().enumerate() {
                if seats[..index].contains(seat) || state.world.schema().seat(*seat).is_none() {
                    return Err(Stop::fault(format!("{seat} is asked twice at once, or is no seat")));
                }
                state.record(Record::Asked { path: dialogue_path(base, *seat), seat: *seat, prompt })?;
            }
            state.record(Record::Mark)?;
            base
        };
        let (mut values, mut records, mut waits) = (Vec::new(), Vec::new(), false);
        for seat in seats {
            let private = Private { seat: *seat, path: dialogue_path(base, *seat), n_choices: 0, records: Vec::new() };
            self.set_private(Some(private));
            let result = dialogue(self, *seat);
            records.extend(self.set_private(None).into_iter().flat_map(|private| private.records));
            match result {
                Ok(value) => values.push(self.meant(*seat, &value)?),
                Err(Stop::Suspended) => waits = true,
                Err(fault) => return Err(fault),
            }
        }
        let mut state = self.state.borrow_mut();
        if waits {
            if let Some(step) = &mut state.step {
                step.waits = Some(base);
            }
            return Err(Stop::Suspended);
        }
        for record in records {
            state.count(&record);
            state.record(record)?;
        }
        Ok(values)
    }

    /// Lets a seat react, if the window opens by what everybody knows; gives what it does, none
    /// if it passes. A seat is asked also when it can only pass; only where nobody has secrets
    /// a window without offers stays closed.
    ///
    /// # Errors
    /// [`Stop::Suspended`] when the answer must be waited for.
    pub fn window(&self, window: Name, seat: Name, args: &[Value]) -> Result<Option<Value>, Stop> {
        self.check_public("a window")?;
        let (choice, standing) = {
            let state = self.state.borrow();
            let Some(candidates) = self.offers(&state, window, seat, args)? else { return Ok(None) };
            let order = standing_order(window, seat);
            let standing = state.world.flow().iter().any(|frame| frame.locals.contains_key(&order));
            let path = state.step.as_ref().map_or(0, |step| step.n_windows) + 1;
            let path = name(&format!("w{path}"));
            let about = Vec::new();
            (Choice { path, seat, prompt: window, tie: false, about, candidates, wants_report: false }, standing)
        };
        if let Some(step) = &mut self.state.borrow_mut().step {
            step.n_windows += 1;
        }
        let standing = standing.then(|| Answer { id: name(PASS), by: By::Standing, ms: 0, report: None });
        let chosen = self.put(choice, standing)?;
        match chosen.id.as_str() {
            PASS => Ok(None),
            PASS_UNTIL => self.give_order(window, seat).map(|()| None),
            _ => self.meant(seat, &chosen.value).map(Some),
        }
    }

    /// What a seat may answer in a window; none if it does not open.
    fn offers(&self, state: &State, window: Name, seat: Name, args: &[Value]) -> Result<Option<Vec<Candidate>>, Stop> {
        let opens = match state.views.last() {
            Some(common) => {
                let known: Vec<Value> = args.iter().map(|arg| common.known(arg)).collect();
                self.rules.opens(common.world(), window, &known)?
            }
            None => self.rules.opens(&state.world, window, args)?,
        };
        if !opens {
            return Ok(None);
        }
        let mut candidates = match state.view(seat) {
            Some(view) => {
                let known: Vec<Value> = args.iter().map(|arg| view.known(arg)).collect();
                self.rules.offers(view.world(), seat, window, &known)?
            }
            None => self.rules.offers(&state.world, seat, window, args)?,
        };
        if state.views.is_empty() && candidates.iter().all(|offer| !offer.reasons.is_empty()) {
            return Ok(None);
        }
        let mut pass = |id: &str| candidates.push(Candidate { id: name(id), value: Value::None, reasons: Vec::new() });
        pass(PASS);
        if !state.world.flow().is_empty() {
            pass(PASS_UNTIL);
        }
        Ok(Some(candidates))
    }

    /// Records that a seat passes in a window until a phase has ended.
    fn give_order(&self, window: Name, seat: Name) -> Result<(), Stop> {
        let until = self.rules.until(window);
        let (frame, mask) = {
            let world = self.world();
            let named = world.flow().iter().rposition(|frame| Some(frame.phase) == until);
            let innermost = world.flow().len().checked_sub(1);
            let frame = named.or(innermost).ok_or_else(|| Stop::fault("a standing order outside any phase"))?;
            (frame, world.schema().seat(seat).map_or(Mask::NONE, Mask::of))
        };
        let cause = Cause { record: name(&format!("windows.{window}")), function: name(PASS_UNTIL) };
        let fields = BTreeMap::from([(name("seat"), seat.into()), (name("window"), window.into())]);
        let audience = Audience { who: Who::Seats(mask), why: true, ..Audience::default() };
        self.record_event(name(STANDING_ORDER), fields, cause, Some(audience), |draft, _, _| {
            draft.local_of(frame, standing_order(window, seat), Value::Bool(true))
        })
    }

    /// Puts a choice to its seat and waits for the answer.
    fn put(&self, choice: Choice, standing: Option<Answer>) -> Result<Candidate, Stop> {
        let (path, seat, prompt) = (choice.path, choice.seat, choice.prompt);
        let answer = {
            let mut state = self.state.borrow_mut();
            check_choice(&choice)?;
            state.tell(Record::Asked { path, seat, prompt })?;
            let answer = standing.or_else(|| state.answer_for(&choice));
            state.mark(answer.as_ref())?;
            answer
        };
        let is_new = answer.is_none();
        let Some(answer) = answer.or_else(|| self.respond(&choice)) else {
            let mut state = self.state.borrow_mut();
            if let Some(step) = state.step.as_mut() {
                step.waits_briefly |= step.comes_briefly;
            }
            state.open.push(choice);
            return Err(Stop::Suspended);
        };
        let candidate = choice
            .candidate(&answer.id)
            .filter(|candidate| candidate.reasons.is_empty())
            .ok_or_else(|| Stop::fault(format!("{} is no longer a legal answer to {prompt}", answer.id)))?;
        let mut state = self.state.borrow_mut();
        if is_new {
            state.keep(path, seat, Some(&answer));
        }
        if let Some(step) = state.step.as_mut() {
            step.answers.insert(path, answer.clone());
        }
        let report = answer.report.clone();
        state.tell(Record::Answered { path, seat, answer })?;
        let mut chosen = candidate.clone();
        if choice.wants_report {
            chosen.value = report.ok_or_else(|| Stop::fault(format!("the answer to {prompt} brings no report")))?;
        }
        Ok(chosen)
    }

    /// The answer of whoever answers on the spot.
    fn respond(&self, choice: &Choice) -> Option<Answer> {
        if choice.wants_report || self.state.borrow().step.as_ref().is_some_and(|step| step.explains) {
            return None;
        }
        let mut responder = self.state.borrow_mut().responder.take()?;
        let lap = Lap::of(self.rules.meter(), What::Answer, choice.prompt.as_str());
        let given = responder.answer(&self.known_world(choice.seat), choice);
        drop(lap);
        self.state.borrow_mut().responder = Some(responder);
        given.map(|id| Answer { id, by: By::Seat, ms: 0, report: None })
    }

    /// The value that a value of a seat's world stands for.
    fn meant(&self, seat: Name, value: &Value) -> Result<Value, Stop> {
        match self.state.borrow().view(seat) {
            None => Ok(value.clone()),
            Some(view) => view
                .meant(value)
                .ok_or_else(|| Stop::fault(format!("{seat} cannot tell what it has chosen from others"))),
        }
    }

    fn set_private(&self, private: Option<Private>) -> Option<Private> {
        let mut state = self.state.borrow_mut();
        state.step.as_mut().and_then(|step| std::mem::replace(&mut step.private, private))
    }
}

impl State {
    /// Records a question or answer, or keeps it for the end of the private dialogue.
    fn tell(&mut self, record: Record) -> Result<(), Stop> {
        if let Some(private) = self.step.as_mut().and_then(|step| step.private.as_mut()) {
            private.records.push(record);
            return Ok(());
        }
        self.count(&record);
        self.record(record)?;
        Ok(())
    }

    /// Closes the unit before an answer that somebody gives. Where there are secrets, who gives
    /// it does not show.
    fn mark(&mut self, answer: Option<&Answer>) -> Result<(), Stop> {
        let is_private = self.step.as_ref().is_some_and(|step| step.private.is_some());
        let is_given = answer.is_none_or(|answer| answer.by == By::Seat);
        if !is_private && (is_given || !self.views.is_empty()) {
            self.record(Record::Mark)?;
        }
        Ok(())
    }

    /// Counts a new answer by a seat.
    fn count(&mut self, record: &Record) {
        let by_seat = matches!(record, Record::Answered { answer, .. } if answer.by == By::Seat);
        if by_seat && self.coming().is_none() {
            self.n_answers += 1;
        }
    }
}

/// The local of a phase that holds a seat's order to pass in a window.
fn standing_order(window: Name, seat: Name) -> Name {
    name(&format!("_pass/{window}/{seat}"))
}

fn dialogue_path(base: Name, seat: Name) -> Name {
    name(&format!("{base}/{seat}"))
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

pub(super) fn refused(code: &str) -> Refused {
    Refused { reasons: vec![name(code)] }
}
