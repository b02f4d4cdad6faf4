//! Bots: responders that answer on the spot.

use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};

use crate::{
    base::Name,
    kernel::{Choice, Responder, World},
};

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
}

impl Responder for Random {
    fn answer(&mut self, _world: &World, choice: &Choice) -> Option<Name> {
        self.answers_left = self.answers_left.checked_sub(1)?;
        let n = choice.options().count() as u64;
        let index = usize::try_from(self.generator.next_u64().checked_rem(n)?).ok()?;
        choice.options().nth(index).map(|candidate| candidate.id)
    }
}
