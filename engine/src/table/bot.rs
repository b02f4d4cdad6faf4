//! Bots: responders that answer on the spot.

use std::{collections::VecDeque, rc::Rc};

use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};

use super::Table;
use crate::{
    base::{Name, Value, name},
    content::nearest,
    kernel::{Choice, Responder, World},
    rules::{Advice, Game, Planned, Policy, Said, Tally},
};

/// The bot that every game has.
pub const RANDOM: &str = "random";

/// Answers any legal answer, each equally often.
///
/// Its generator is its own: a bot's answers are recorded like a person's, so nothing
/// depends on how it comes to them.
pub struct Random {
    generator: SmallRng,
    answers_left: u64,
}

impl Random {
    /// A bot that answers at most `answers_max` times and then waits.
    #[must_use]
    pub fn new(seed: u64, answers_max: u64) -> Self {
        Self { generator: SmallRng::seed_from_u64(seed), answers_left: answers_max }
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> Option<usize> {
        let drawn = self.generator.next_u64().checked_rem(n as u64)?;
        usize::try_from(drawn).ok()
    }
}

impl Responder for Random {
    fn answer(&mut self, _world: &World, choice: &Choice) -> Option<Name> {
        self.answers_left = self.answers_left.checked_sub(1)?;
        let index = self.below(choice.options().count())?;
        choice.options().nth(index).map(|candidate| candidate.id)
    }
}

/// Answers as a policy of the game advises; between answers that are as good it draws from a
/// generator of its own.
pub struct Advised {
    policy: Rc<Policy>,
    random: Random,
    /// Answers that are still to be given, for which prompt they were made, and what was kept.
    plan: VecDeque<Planned>,
    made: (Name, Value),
    /// What was foreseen for the choice that comes now.
    foreseen: Option<Foreseen>,
}

/// How a bot comes to an answer before it knows the candidates.
enum Foreseen {
    /// It is next in its plan.
    Next,
    /// Its script has said so, or has nothing to say.
    Said(Said),
}

impl Advised {
    /// A bot that answers at most `answers_max` times and then waits.
    #[must_use]
    pub fn new(policy: Rc<Policy>, seed: u64, answers_max: u64) -> Self {
        let random = Random::new(seed, answers_max);
        Self { policy, random, plan: VecDeque::new(), made: (Name::default(), Value::None), foreseen: None }
    }

    /// The next answer of the plan, if that is legal and still holds; `is_next` if that it holds is known.
    fn planned(&mut self, world: &World, choice: &Choice, is_next: bool) -> Option<Name> {
        if !is_next {
            self.next(world, choice.prompt)?;
        }
        let (_, next) = self.plan.pop_front()?;
        if choice.options().any(|option| option.id == next) {
            return Some(next);
        }
        self.plan.clear();
        None
    }

    /// The next answer of the plan, if that still holds. Answers before it that nobody asked for
    /// are passed over; a choice that the plan does not foresee is no part of it.
    fn next(&mut self, world: &World, prompt: Name) -> Option<Name> {
        if self.plan.is_empty() {
            return None;
        }
        if self.policy.kept(self.made.0, world) != self.made.1 {
            self.plan.clear();
            return None;
        }
        let is_asked = |(planned, _): &Planned| planned.is_none_or(|planned| planned == prompt);
        let at = self.plan.iter().position(is_asked)?;
        self.plan.drain(..at);
        self.plan.front().map(|(_, next)| *next)
    }
}

impl Responder for Advised {
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name> {
        if self.random.answers_left == 0 {
            return None;
        }
        self.policy.count();
        let said = match self.foreseen.take() {
            Some(Foreseen::Said(said)) => Some(said),
            next => {
                if let Some(next) = self.planned(world, choice, next.is_some()) {
                    self.random.answers_left -= 1;
                    return Some(next);
                }
                None
            }
        };
        match self.policy.advise_as(world, choice, said) {
            Advice::Any => self.random.answer(world, choice),
            Advice::One(ids) => {
                self.random.answers_left -= 1;
                let index = if ids.len() > 1 { self.random.below(ids.len())? } else { 0 };
                ids.get(index).copied()
            }
            Advice::Plan(plan) => {
                self.random.answers_left -= 1;
                self.plan = plan.into();
                self.made = (choice.prompt, self.policy.kept(choice.prompt, world));
                self.plan.pop_front().map(|(_, id)| id)
            }
        }
    }

    fn foresees(&mut self, world: &World, choice: &Choice) -> Option<Name> {
        self.foreseen = None;
        if self.random.answers_left == 0 {
            return None;
        }
        if let Some(next) = self.next(world, choice.prompt) {
            self.foreseen = Some(Foreseen::Next);
            return Some(next);
        }
        let (said, id) = self.policy.foresees(world, choice)?;
        self.foreseen = Some(Foreseen::Said(said));
        id
    }
}

/// A bot of a table, from which responders for many games on its board can be had.
#[derive(Clone)]
pub enum Mind {
    /// [`Random`].
    Random,
    /// [`Advised`] by a policy of the game.
    Policy(Rc<Policy>),
}

impl Mind {
    /// The bot of a name.
    ///
    /// # Errors
    /// Says which bots there are, or what is wrong with its scripts.
    pub fn new(table: &Table, bot: &str) -> Result<Self, String> {
        if bot == RANDOM {
            return Ok(Self::Random);
        }
        match Policy::new(table.game(), &table.instance().setting, name(bot)) {
            Ok(Some(policy)) => Ok(Self::Policy(Rc::new(policy))),
            Ok(None) => Err(unknown(table.game(), bot)),
            Err(defects) => Err(defects.into_iter().map(|defect| defect.message).collect::<Vec<_>>().join("; ")),
        }
    }

    /// What answers a game of this seed, at most so many times.
    #[must_use]
    pub fn responder(&self, seed: u64, answers_max: u64) -> Box<dyn Responder> {
        match self {
            Self::Random => Box::new(Random::new(seed, answers_max)),
            Self::Policy(policy) => Box::new(Advised::new(Rc::clone(policy), seed, answers_max)),
        }
    }

    /// What answers have cost since this was asked last.
    #[must_use]
    pub fn take_tally(&self) -> Tally {
        match self {
            Self::Random => Tally::default(),
            Self::Policy(policy) => policy.take_tally(),
        }
    }
}

/// What is said of a bot that a game does not have.
#[must_use]
pub fn unknown(game: &Game, bot: &str) -> String {
    let known: Vec<&str> = std::iter::once(RANDOM).chain(game.bots.keys().map(Name::as_str)).collect();
    let near = nearest(bot, known.iter().copied()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("{} has no bot {bot}{near}\nhint: bots here: {}", game.id, known.join(", "))
}
