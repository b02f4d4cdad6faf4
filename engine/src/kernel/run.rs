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

use super::{Answer, By, Candidate, Cause, Change, Choice, Frame, Owner, Position, Record, World};
use crate::{
    base::{EntityId, Name, Value, name, value_to_json},
    chance::{Chance, DRAW_ITEMS_MAX, Draw},
};

/// The deepest nesting of triggers that trigger each other.
pub(super) const TRIGGER_DEPTH_MAX: usize = 16;
/// The most records of one step.
pub(super) const STEP_RECORDS_MAX: usize = 20_000;

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
}

/// Who answers on the spot; without one, a step waits.
pub trait Responder {
    /// The id of the answer, or none to wait.
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name>;
}

/// An answer that was refused, with every reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("refused: {}", reasons.iter().map(Name::as_str).collect::<Vec<_>>().join(", "))]
pub struct Refused {
    /// Every failed condition, by code.
    pub reasons: Vec<Name>,
}

/// A game in progress.
pub struct Run {
    rules: Rc<dyn Rules>,
    state: RefCell<State>,
}

struct State {
    world: World,
    /// Everything that was ever recorded.
    records: Vec<Record>,
    /// The numbers of the records that count: those not taken back.
    live: Vec<usize>,
    chance: Box<dyn Chance>,
    responder: Option<Box<dyn Responder>>,
    /// Whether a choice with one legal answer is answered by itself.
    answer_only: bool,
    /// Whether ties are answered with their first option.
    ties_first: bool,
    step: Option<Step>,
    open: Option<Choice>,
    n_answers: u64,
}

/// The step that is running or waiting.
struct Step {
    call: Call,
    /// Where its records begin among the live ones: the `step` record.
    start: usize,
    /// The next live record to come again; past the end when everything new.
    cursor: usize,
    answers: BTreeMap<Name, Answer>,
    n_choices: u32,
    queues: Vec<Vec<Trigger>>,
}

/// A world that an event is changing: every operation is folded at once and written down.
pub struct Draft<'a> {
    world: &'a mut World,
    changes: Vec<Change>,
}

impl Draft<'_> {
    /// The world as it is after the operations so far.
    #[must_use]
    pub fn world(&self) -> &World {
        self.world
    }

    /// Gives a property a value.
    ///
    /// # Errors
    /// When the owner has no such property.
    pub fn set(&mut self, owner: Owner, property: Name, new: Value) -> Result<(), Fault> {
        let old = match owner {
            Owner::Entity(entity) => self.world.property(entity, property),
            Owner::Table => self.world.table(property),
        };
        let old = old.cloned().ok_or_else(|| Fault(format!("there is no property {property} here")))?;
        if old == new { Ok(()) } else { self.apply(Change::Set { owner, property, old, new }) }
    }

    /// Gives an entity a position.
    ///
    /// # Errors
    /// When there is no such place.
    pub fn place(&mut self, entity: EntityId, new: Position) -> Result<(), Fault> {
        let old = self.world.position(entity);
        if old == new { Ok(()) } else { self.apply(Change::Place { entity, old, new }) }
    }

    /// Makes an entity; without a key it gets `kind#n`.
    ///
    /// # Errors
    /// When the key is taken or a property is unknown.
    pub fn create(
        &mut self,
        kind: Name,
        key: Option<Name>,
        properties: BTreeMap<Name, Value>,
    ) -> Result<EntityId, Fault> {
        let entity = self.world.next_entity();
        let key = key.unwrap_or_else(|| self.world.next_key(kind));
        self.apply(Change::Create { entity, key, kind, properties })?;
        Ok(entity)
    }

    /// Takes an entity out of the game.
    ///
    /// # Errors
    /// When it is not in the game.
    pub fn destroy(&mut self, entity: EntityId) -> Result<(), Fault> {
        self.place(entity, Position::Nowhere)?;
        self.apply(Change::Destroy { entity })
    }

    /// Gives a pile an order.
    ///
    /// # Errors
    /// When the order holds other entities than the pile.
    pub fn order(&mut self, zone: Name, new: Vec<EntityId>) -> Result<(), Fault> {
        let old = self.world.zone(zone).ok_or_else(|| Fault(format!("there is no pile {zone}")))?.to_vec();
        if old == new { Ok(()) } else { self.apply(Change::Order { zone, old, new }) }
    }

    /// Begins a phase.
    ///
    /// # Errors
    /// Never at present.
    pub fn push(&mut self, phase: Name, locals: BTreeMap<Name, Value>) -> Result<(), Fault> {
        self.apply(Change::Push(Frame { phase, locals }))
    }

    /// Ends the innermost phase.
    ///
    /// # Errors
    /// When none is running.
    pub fn pop(&mut self) -> Result<(), Fault> {
        let frame = self.world.flow().last().cloned().ok_or_else(|| Fault("no phase is running".into()))?;
        self.apply(Change::Pop(frame))
    }

    /// Gives a local of the innermost phase a value.
    ///
    /// # Errors
    /// When no phase is running.
    pub fn local(&mut self, local: Name, new: Value) -> Result<(), Fault> {
        let old = self.world.flow().last().and_then(|frame| frame.locals.get(&local)).cloned().unwrap_or_default();
        if old == new { Ok(()) } else { self.apply(Change::Next { local, old, new }) }
    }

    /// Gives the game a result.
    ///
    /// # Errors
    /// When it has one.
    pub fn end(&mut self, new: Value) -> Result<(), Fault> {
        let old = self.world.outcome().clone();
        if !old.is_none() {
            return Err(Fault("the game is over already".into()));
        }
        self.apply(Change::End { old, new })
    }

    fn apply(&mut self, change: Change) -> Result<(), Fault> {
        self.world.fold(&change).map_err(|fault| Fault(fault.0))?;
        self.changes.push(change);
        Ok(())
    }
}

impl Run {
    /// A game that has not begun.
    #[must_use]
    pub fn new(rules: Rc<dyn Rules>, world: World, chance: Box<dyn Chance>) -> Rc<Self> {
        let state = State {
            world,
            records: Vec::new(),
            live: Vec::new(),
            chance,
            responder: None,
            answer_only: true,
            ties_first: true,
            step: None,
            open: None,
            n_answers: 0,
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

    /// The world now. Hold it only for a look.
    pub fn world(&self) -> Ref<'_, World> {
        Ref::map(self.state.borrow(), |state| &state.world)
    }

    /// Everything that was recorded, also what was taken back.
    pub fn records(&self) -> Ref<'_, Vec<Record>> {
        Ref::map(self.state.borrow(), |state| &state.records)
    }

    /// The choice that waits for an answer.
    #[must_use]
    pub fn open(&self) -> Option<Choice> {
        self.state.borrow().open.clone()
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
            if self.state.borrow().open.is_some() || !self.world().outcome().is_none() {
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
            self.state.borrow_mut().step = Some(Step {
                call: call.clone(),
                start,
                cursor: start,
                answers: BTreeMap::new(),
                n_choices: 0,
                queues: vec![Vec::new()],
            });
            self.run_step()?;
        }
        Ok(())
    }

    /// Answers the open choice and runs its step again up to there and on.
    ///
    /// # Errors
    /// With every reason when the answer is not legal; then nothing has changed.
    pub fn answer(self: &Rc<Self>, id: &str, ms: u64) -> Result<Result<(), Fault>, Refused> {
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
        let ran = self.rerun_step();
        if let Err(fault) = ran {
            let mut state = self.state.borrow_mut();
            state.forget_after(n_live);
            state.records.truncate(n_records);
            state.n_answers = n_answers;
            if let Some(step) = &mut state.step {
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

    /// Records an event and folds it; what it triggers waits for [`Run::settle`].
    ///
    /// # Errors
    /// When the event is not as declared, or is not the one that came here before.
    pub fn emit(&self, kind: Name, fields: BTreeMap<Name, Value>, cause: Cause) -> Result<(), Stop> {
        let mut state = self.state.borrow_mut();
        let mut draft = Draft { world: &mut state.world, changes: Vec::new() };
        let applied = self.rules.apply(&mut draft, kind, &fields);
        let changes = draft.changes;
        let checked = applied.and_then(|()| self.rules.triggers(&state.world, kind, &fields));
        match checked {
            Ok(triggers) => {
                if let Some(queue) = state.step.as_mut().and_then(|step| step.queues.last_mut()) {
                    queue.extend(triggers);
                }
                let recorded = state.record(Record::Event { kind, fields, changes: changes.clone(), cause });
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

    /// Draws faces.
    ///
    /// # Errors
    /// When the draw is too large or the source has no face.
    pub fn draw(&self, stream: Name, draw: Draw) -> Result<Vec<i64>, Stop> {
        let mut state = self.state.borrow_mut();
        let (Draw::Dice { n, .. } | Draw::Order { n } | Draw::Pick { n }) = draw;
        if n > DRAW_ITEMS_MAX || matches!(draw, Draw::Dice { sides: 0, .. } | Draw::Pick { n: 0 }) {
            return Err(Stop::fault(format!("a draw of {n} on {stream} is out of bounds")));
        }
        let count = state.world.draws(stream);
        let faces = match state.coming() {
            Some(Record::Drew { stream: other, count: number, draw: what, faces })
                if (*other, *number, *what) == (stream, count, draw) =>
            {
                faces.clone()
            }
            _ => state.chance.draw(stream, count, draw).map_err(Stop::fault)?,
        };
        state.record(Record::Drew { stream, count, draw, faces: faces.clone() })?;
        state.world.fold_draw(stream, count).map_err(|fault| Stop::fault(fault.0))?;
        Ok(faces)
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
            state.record(Record::Mark)?;
            let answer = state.answer_for(&choice);
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

    /// Runs what waits, in order, until nothing waits any more.
    ///
    /// # Errors
    /// Whatever a trigger ends with.
    pub fn settle(self: &Rc<Self>) -> Result<(), Stop> {
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
                if depth > TRIGGER_DEPTH_MAX {
                    return Err(Stop::fault(format!(
                        "hooks trigger each other more than {TRIGGER_DEPTH_MAX} deep: {} again",
                        trigger.call.function
                    )));
                }
                step.queues.push(Vec::new());
                trigger
            };
            let rules = Rc::clone(&self.rules);
            let result = rules.call(self, &trigger.call).and_then(|_| self.settle());
            if let Some(step) = self.state.borrow_mut().step.as_mut() {
                step.queues.pop();
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

    fn run_step(self: &Rc<Self>) -> Result<(), Fault> {
        let Some(call) = self.state.borrow().step.as_ref().map(|step| step.call.clone()) else { return Ok(()) };
        self.state.borrow_mut().record(Record::Step(call.clone()))?;
        let rules = Rc::clone(&self.rules);
        match rules.call(self, &call).and_then(|_| self.settle()) {
            Ok(()) => {
                let mut state = self.state.borrow_mut();
                let world = state.world.hash();
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
            Err(Stop::Suspended) => Ok(()),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    fn rerun_step(self: &Rc<Self>) -> Result<(), Fault> {
        {
            let mut state = self.state.borrow_mut();
            let Some(start) = state.step.as_ref().map(|step| step.start) else { return Ok(()) };
            let end = state.live.len();
            state.unfold_between(start, end);
            if let Some(step) = &mut state.step {
                step.cursor = start;
                step.n_choices = 0;
                step.queues = vec![Vec::new()];
            }
        }
        self.run_step()
    }

    /// Takes the world back to before live record `index` and forgets that it and what follows count.
    fn back_to(&self, index: usize) {
        let mut state = self.state.borrow_mut();
        let end = state.live.len();
        state.unfold_between(index, end);
        state.live.truncate(index);
    }
}

impl State {
    /// The live record that must come again here, none when everything is new.
    fn coming(&self) -> Option<&Record> {
        let step = self.step.as_ref()?;
        self.live.get(step.cursor).map(|number| &self.records[*number])
    }

    /// Appends a record, or checks that it is the one that came here before.
    fn record(&mut self, record: Record) -> Result<(), Fault> {
        if let Some(before) = self.coming() {
            if *before != record {
                return Err(Fault(format!(
                    "not the same when it ran again: {} where there was {}",
                    short(&record, &self.world),
                    short(before, &self.world)
                )));
            }
            if let Some(step) = &mut self.step {
                step.cursor += 1;
            }
            return Ok(());
        }
        self.live.push(self.records.len());
        self.records.push(record);
        if let Some(step) = &mut self.step {
            step.cursor = self.live.len();
            if self.live.len() - step.start > STEP_RECORDS_MAX {
                return Err(Fault(format!("{} records more than {STEP_RECORDS_MAX} lines", step.call.function)));
            }
        }
        Ok(())
    }

    /// The answer that is there already: given before, the only one, or a standing order.
    fn answer_for(&self, choice: &Choice) -> Option<Answer> {
        let step = self.step.as_ref()?;
        if let Some(answer) = step.answers.get(&choice.path) {
            return Some(answer.clone());
        }
        let mut options = choice.options();
        let (first, second) = (options.next()?, options.next());
        let by = match (self.answer_only && second.is_none(), self.ties_first && choice.tie) {
            (true, _) => By::Only,
            (_, true) => By::Standing,
            _ => return None,
        };
        Some(Answer { id: first.id, by, ms: 0 })
    }

    fn take_back(&mut self, changes: &[Change]) -> Result<(), Fault> {
        for change in changes.iter().rev() {
            self.world.unfold(change).map_err(|fault| Fault(fault.0))?;
        }
        Ok(())
    }

    /// Drops the live records from `n_live` on and puts the world where the others leave it.
    fn forget_after(&mut self, n_live: usize) {
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
    fn unfold_between(&mut self, start: usize, end: usize) {
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

    /// The step whose records surround live record `index`, with the answers before it.
    fn step_at(&self, index: usize) -> Option<Step> {
        let mut answers = BTreeMap::new();
        for at in (0..index).rev() {
            match &self.records[self.live[at]] {
                Record::Answered { path, answer, .. } => {
                    answers.insert(*path, answer.clone());
                }
                Record::Step(call) => {
                    return Some(Step {
                        call: call.clone(),
                        start: at,
                        cursor: at,
                        answers,
                        n_choices: 0,
                        queues: vec![Vec::new()],
                    });
                }
                _ => {}
            }
        }
        None
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

fn fault_of(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => fault,
        Stop::Suspended => Fault("a choice was asked between two steps".into()),
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
