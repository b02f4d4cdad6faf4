//! A game in progress: steps, what they record, and how they wait for people.
//!
//! A *step* is one uninterrupted run of one function of the rules. When it reaches a choice
//! that has no answer, it ends; the facts so far stand. When the answer comes, the world
//! goes back to the step's start and the same function runs again with the answers so far:
//! what it recorded before must come again, equal, and is checked record by record. So no
//! frozen interpreter is ever saved, and the log is enough to go on anywhere.
//!
//! `emit` records and folds at once and only queues what the event triggers; `settle`
//! runs the queue. The end of a step and of each trigger settles too.

use std::{
    cell::{Ref, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    Audience, Before, Call, Cause, Choice, Draft, Fault, Mask, Record, Responder, Rules, SeatView, Stop, World,
    state::{State, Step, views},
};
use crate::{
    base::{Lap, Name, Value, What, name},
    chance::{Chance, DRAW_ITEMS_MAX, Draw},
};

/// The deepest nesting of triggers that trigger each other.
pub(super) const TRIGGER_DEPTH_MAX: usize = 16;
/// The most records of one step.
pub(super) const STEP_RECORDS_MAX: usize = 20_000;

/// A game in progress.
pub struct Run {
    pub(super) rules: Rc<dyn Rules>,
    pub(super) state: RefCell<State>,
}

impl Run {
    /// A game that has not begun.
    #[must_use]
    pub fn new(rules: Rc<dyn Rules>, world: World, chance: Box<dyn Chance>) -> Rc<Self> {
        let state = State {
            views: views(&world),
            world,
            records: Vec::new(),
            live: Vec::new(),
            chance,
            responder: None,
            answer_only: true,
            ties_first: true,
            step: None,
            open: Vec::new(),
            n_answers: 0,
            hashes: true,
        };
        Rc::new(Self { rules, state: RefCell::new(state) })
    }

    /// Who answers on the spot from now on.
    pub fn set_responder(&self, responder: Option<Box<dyn Responder>>) {
        self.state.borrow_mut().responder = responder;
    }

    /// Whether a choice with one legal answer is answered by itself, and whether a tie is
    /// answered with its first option.
    pub fn set_standing(&self, answer_only: bool, ties_first: bool) {
        let mut state = self.state.borrow_mut();
        state.answer_only = answer_only;
        state.ties_first = ties_first;
    }

    /// Whether the end of a step carries the hash of the world, as a log needs it. It does at first.
    pub fn set_hashing(&self, on: bool) {
        self.state.borrow_mut().hashes = on;
    }

    /// The world now. Hold it only for a look.
    pub fn world(&self) -> Ref<'_, World> {
        Ref::map(self.state.borrow(), |state| &state.world)
    }

    /// Everything that was recorded, also what was taken back.
    pub fn records(&self) -> Ref<'_, Vec<Record>> {
        Ref::map(self.state.borrow(), |state| &state.records)
    }

    /// The choice that waits for an answer; of several, the first.
    #[must_use]
    pub fn open(&self) -> Option<Choice> {
        self.state.borrow().open.first().cloned()
    }

    /// The choice that waits for a seat's answer.
    #[must_use]
    pub fn open_for(&self, seat: Name) -> Option<Choice> {
        self.state.borrow().open.iter().find(|choice| choice.seat == seat).cloned()
    }

    /// What a secret seat knows; none for a seat that knows everything.
    #[must_use]
    pub fn view(&self, seat: Name) -> Option<Ref<'_, SeatView>> {
        Ref::filter_map(self.state.borrow(), |state| state.view(seat)).ok()
    }

    /// What everybody knows; none in a game without secrets.
    #[must_use]
    pub fn common_view(&self) -> Option<Ref<'_, SeatView>> {
        Ref::filter_map(self.state.borrow(), |state| state.views.last()).ok()
    }

    /// The world as a seat knows it.
    #[must_use]
    pub fn known_world(&self, seat: Name) -> Ref<'_, World> {
        Ref::map(self.state.borrow(), |state| state.view(seat).map_or(&state.world, SeatView::world))
    }

    /// A value as a seat knows it.
    #[must_use]
    pub fn known(&self, seat: Name, value: &Value) -> Value {
        self.state.borrow().view(seat).map_or_else(|| value.clone(), |view| view.known(value))
    }

    /// The seat whose private dialogue is running: only what it knows may be read.
    #[must_use]
    pub fn private_seat(&self) -> Option<Name> {
        self.state.borrow().step.as_ref().and_then(|step| step.private.as_ref()).map(|private| private.seat)
    }

    /// Whether the choice that is asked next needs every reason against what is no answer. If
    /// somebody answers on the spot, or the choice comes again, one reason is enough; should it
    /// wait after all, its step runs again to explain it.
    #[must_use]
    pub fn explains(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let is_likely = state.responder.is_none() && state.coming().is_none();
        let Some(step) = &mut state.step else { return true };
        step.comes_briefly = !step.explains && !is_likely;
        !step.comes_briefly
    }

    /// How many answers by seats count so far.
    #[must_use]
    pub fn n_answers(&self) -> u64 {
        self.state.borrow().n_answers
    }

    /// Runs until a choice waits or the game is over, for at most `steps_max` steps.
    ///
    /// # Errors
    /// When a script fails: the game is then as it was after its last whole unit.
    pub fn advance(self: &Rc<Self>, steps_max: usize) -> Result<(), Fault> {
        for _ in 0..steps_max {
            if !self.state.borrow().open.is_empty() || !self.world().outcome().is_none() {
                return Ok(());
            }
            let call = {
                let rules = Rc::clone(&self.rules);
                match rules.next(self) {
                    Ok(Some(call)) => call,
                    Ok(None) => return Ok(()),
                    Err(stop) => return Err(fault_of(stop)),
                }
            };
            let start = self.state.borrow().live.len();
            self.state.borrow_mut().step = Some(Step::new(call, start, BTreeMap::new()));
            self.run_step()?;
        }
        Ok(())
    }

    /// Writes down what changes nothing by itself: a fault that was met before, a standing order.
    pub fn note(&self, record: Record) {
        self.state.borrow_mut().records.push(record);
    }

    /// Ends the game from outside of its steps by an event, and closes the unit.
    ///
    /// # Errors
    /// When the event is not as declared.
    pub fn stop(self: &Rc<Self>, kind: Name, fields: BTreeMap<Name, Value>, cause: Cause) -> Result<(), Fault> {
        self.emit(kind, fields, cause).map_err(fault_of)?;
        let mut state = self.state.borrow_mut();
        state.record(Record::Mark)?;
        state.open.clear();
        state.step = None;
        Ok(())
    }

    /// Whether what a step does now was recorded when it ran before.
    #[must_use]
    pub fn is_repeating(&self) -> bool {
        self.state.try_borrow().is_ok_and(|state| state.coming().is_some())
    }

    /// Records an event and folds it, unless a rule before it decides otherwise; what it
    /// triggers waits for [`Run::settle`].
    ///
    /// # Errors
    /// When the event is not as declared, or is not the one that came here before.
    pub fn emit(self: &Rc<Self>, kind: Name, fields: BTreeMap<Name, Value>, cause: Cause) -> Result<(), Stop> {
        self.check_public("an event")?;
        let (mut kind, mut fields, mut cause) = (kind, fields, cause);
        for _ in 0..TRIGGER_DEPTH_MAX {
            let rules = Rc::clone(&self.rules);
            match rules.before(self, kind, &fields)? {
                Before::Keep => {}
                Before::Change(changed) => fields = changed,
                Before::Cancel => return Ok(()),
                Before::Replace(other, its, why) => {
                    (kind, fields, cause) = (other, its, why);
                    continue;
                }
            }
            return self
                .record_event(kind, fields, cause, None, |draft, kind, fields| rules.apply(draft, kind, fields));
        }
        Err(Stop::fault(format!("events replace each other more than {TRIGGER_DEPTH_MAX} times: {kind} again")))
    }

    pub(super) fn record_event(
        &self,
        kind: Name,
        fields: BTreeMap<Name, Value>,
        cause: Cause,
        audience: Option<Audience>,
        apply: impl FnOnce(&mut Draft<'_>, Name, &BTreeMap<Name, Value>) -> Result<(), Fault>,
    ) -> Result<(), Stop> {
        let _lap = Lap::of(self.rules.meter(), What::Kernel, "record");
        let mut state = self.state.borrow_mut();
        let mut draft = Draft { world: &mut state.world, changes: Vec::new() };
        let applied = apply(&mut draft, kind, &fields);
        let changes = draft.changes;
        let audience = |state: &State| match audience {
            Some(audience) => Ok(audience),
            None if state.views.is_empty() => Ok(Audience::default()),
            None => self.rules.audience(&state.world, kind, &fields),
        };
        let checked = applied.and_then(|()| Ok((self.rules.triggers(&state.world, kind, &fields)?, audience(&state)?)));
        match checked {
            Ok((triggers, audience)) => {
                if let Some(queue) = state.step.as_mut().and_then(|step| step.queues.last_mut()) {
                    queue.extend(triggers);
                }
                let event = Record::Event { kind, fields, changes: changes.clone(), cause };
                let recorded = state.record_for(event, &audience);
                if recorded.is_err() {
                    state.take_back(&changes)?;
                }
                recorded.map_err(Stop::Fault)
            }
            Err(fault) => {
                state.take_back(&changes)?;
                Err(Stop::Fault(Fault(format!("event {kind}: {fault}"))))
            }
        }
    }

    pub(super) fn check_public(&self, what: &str) -> Result<(), Stop> {
        match self.private_seat() {
            Some(seat) => Err(Stop::fault(format!("{what} in the private dialogue of {seat}"))),
            None => Ok(()),
        }
    }

    /// Draws faces: everybody learns of dice and picks, nobody of an order.
    ///
    /// # Errors
    /// When the draw is too large or the source has no face.
    pub fn draw(&self, stream: Name, draw: Draw) -> Result<Vec<i64>, Stop> {
        let is_secret = matches!(draw, Draw::Order { .. }) && self.world().schema().has_secrets();
        self.draw_for(if is_secret { Mask::NONE } else { Mask::ALL }, stream, draw)
    }

    /// Draws faces of which some learn. Of the stream they learn the first part of its name.
    ///
    /// # Errors
    /// As [`Run::draw`].
    pub fn draw_for(&self, seen: Mask, stream: Name, draw: Draw) -> Result<Vec<i64>, Stop> {
        self.check_public("a draw")?;
        let mut state = self.state.borrow_mut();
        let (Draw::Dice { n, .. } | Draw::Order { n } | Draw::Pick { n }) = draw;
        if n > DRAW_ITEMS_MAX || matches!(draw, Draw::Dice { sides: 0, .. } | Draw::Pick { n: 0 }) {
            return Err(Stop::fault(format!("a draw of {n} on {stream} is out of bounds")));
        }
        let count = state.world.draws(stream);
        let faces = match state.coming() {
            Some(Record::Drew { stream: other, count: number, draw: what, faces, .. })
                if (*other, *number, *what) == (stream, count, draw) =>
            {
                faces.clone()
            }
            _ => state.chance.draw(stream, count, draw).map_err(Stop::fault)?,
        };
        state.record(Record::Drew { stream, count, draw, faces: faces.clone(), seen })?;
        state.world.fold_draw(stream, count).map_err(|fault| Stop::fault(fault.0))?;
        Ok(faces)
    }

    /// Runs what waits, in order, until nothing waits any more.
    ///
    /// # Errors
    /// Whatever a trigger ends with.
    pub fn settle(self: &Rc<Self>) -> Result<(), Stop> {
        self.check_public("settle")?;
        loop {
            let trigger = {
                let mut state = self.state.borrow_mut();
                let step = state.step.as_mut().ok_or_else(|| Stop::fault("settle outside a step"))?;
                let depth = step.queues.len();
                let Some(queue) = step.queues.last_mut() else { return Ok(()) };
                let Some(first) = (0..queue.len()).min_by_key(|index| (queue[*index].order, *index)) else {
                    return Ok(());
                };
                let trigger = queue.remove(first);
                let hook = name(&format!("{} ({})", trigger.call.cause.record, trigger.call.function));
                if depth > TRIGGER_DEPTH_MAX {
                    let from = step.trail.iter().rposition(|before| *before == hook).unwrap_or(0);
                    let cycle: Vec<&str> = step.trail[from..].iter().map(Name::as_str).collect();
                    let record = trigger.call.cause.record;
                    let place = self.rules.place_of(record).map(|place| format!("\n  in {record}, {place}"));
                    return Err(Stop::fault(format!(
                        "hooks trigger each other more than {TRIGGER_DEPTH_MAX} deep: {}, {hook} again; \
                         let the `when` of one be false after its own event{}",
                        cycle.join(", "),
                        place.unwrap_or_default()
                    )));
                }
                step.trail.push(hook);
                step.queues.push(Vec::new());
                trigger
            };
            let rules = Rc::clone(&self.rules);
            let result = rules.call(self, &trigger.call).and_then(|_| self.settle());
            if let Some(step) = self.state.borrow_mut().step.as_mut() {
                step.queues.pop();
                step.trail.pop();
            }
            result?;
        }
    }

    /// Runs a function of the rules inside the running step.
    ///
    /// # Errors
    /// Whatever it ends with.
    pub fn call(self: &Rc<Self>, call: &Call) -> Result<Value, Stop> {
        let rules = Rc::clone(&self.rules);
        rules.call(self, call)
    }

    pub(super) fn run_step(self: &Rc<Self>) -> Result<(), Fault> {
        let Some(call) = self.state.borrow().step.as_ref().map(|step| step.call.clone()) else { return Ok(()) };
        self.state.borrow_mut().record(Record::Step(call.clone()))?;
        let rules = Rc::clone(&self.rules);
        match rules.call(self, &call).and_then(|_| self.settle()) {
            Ok(()) => {
                let mut state = self.state.borrow_mut();
                let world = {
                    let _lap = Lap::of(self.rules.meter(), What::Kernel, "hash");
                    if state.hashes { state.world.hash() } else { String::new() }
                };
                state.record(Record::StepEnd { world })?;
                if !state.world.outcome().is_none() {
                    state.record(Record::Mark)?;
                }
                if state.coming().is_some() {
                    return Err(Fault(format!("{} recorded less when it ran again", call.function)));
                }
                state.step = None;
                Ok(())
            }
            Err(Stop::Suspended) if self.state.borrow().step.as_ref().is_some_and(|step| step.waits_briefly) => {
                self.rerun_step_to(true)
            }
            Err(Stop::Suspended) => Ok(()),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    pub(super) fn rerun_step(self: &Rc<Self>) -> Result<(), Fault> {
        self.rerun_step_to(false)
    }

    fn rerun_step_to(self: &Rc<Self>, explain: bool) -> Result<(), Fault> {
        {
            let mut state = self.state.borrow_mut();
            let Some(start) = state.step.as_ref().map(|step| step.start) else { return Ok(()) };
            let end = state.live.len();
            let _lap = Lap::of(self.rules.meter(), What::Kernel, "unfold");
            state.unfold_between(start, end);
            let first = state.live.get(start).copied().unwrap_or(state.records.len());
            state.views.iter_mut().for_each(|view| view.rewind(first));
            state.open.clear();
            if let Some(step) = &mut state.step {
                step.rewind();
                step.explains = explain;
            }
        }
        self.run_step()
    }
}

fn fault_of(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => fault,
        Stop::Suspended => Fault("a choice was asked between two steps".into()),
    }
}
