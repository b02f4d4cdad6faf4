//! Chance: labelled draws that depend on nothing but seed, stream and count.
//!
//! A *stream* is a name such as `attack/red#3`; its *count* is the number of draws made on
//! it before. The draw number `count` of `stream` under `seed` is derived like this:
//!
//! 1. The 32 bytes `blake3("sandtable draw 1" ‖ seed ‖ count ‖ stream)`, seed and count as
//!    eight little-endian bytes each, seed a generator xoshiro256++.
//! 2. A number below `n` is the first output below the largest multiple of `n` that fits in
//!    64 bits, modulo `n`.
//! 3. A die of `s` sides is one plus a number below `s`. A shuffle walks from the last item
//!    to the second and exchanges item `i` with item (number below `i + 1`).
//!
//! The generator is never part of a world: only the counts are.

use rand::Rng as _;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::base::Name;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// `n` dice of `sides` sides: faces from 1 to `sides`.
    Dice {
        /// How many dice.
        n: u32,
        /// How many sides each has.
        sides: u32,
    },
    /// An order of `n` items: a permutation of 0 to `n - 1`.
    Order {
        /// How many items.
        n: u32,
    },
    /// One of `n` items: a number from 0 to `n - 1`.
    Pick {
        /// How many items.
        n: u32,
    },
}

/// The most dice or items in one draw.
pub const DRAW_ITEMS_MAX: u32 = 4096;

/// Where faces come from.
pub trait Chance {
    /// The faces of draw number `count` on `stream`.
    ///
    /// # Errors
    /// A sentence that says why there is no face, where a source can run dry.
    fn draw(&mut self, stream: Name, count: u64, draw: Draw) -> Result<Vec<i64>, String>;
}

/// Faces from a seed: the source of real games.
#[derive(Clone, Debug)]
pub struct Seeded {
    /// The seed of the game.
    pub seed: u64,
}

impl Chance for Seeded {
    fn draw(&mut self, stream: Name, count: u64, draw: Draw) -> Result<Vec<i64>, String> {
        Ok(faces(&mut generator(self.seed, &stream, count), draw))
    }
}

fn generator(seed: u64, stream: &str, count: u64) -> Xoshiro256PlusPlus {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"sandtable draw 1");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&count.to_le_bytes());
    hasher.update(stream.as_bytes());
    Xoshiro256PlusPlus::from_seed(*hasher.finalize().as_bytes())
}

fn faces(generator: &mut Xoshiro256PlusPlus, draw: Draw) -> Vec<i64> {
    match draw {
        Draw::Dice { n, sides } => (0..n).map(|_| 1 + below(generator, u64::from(sides.max(1)))).collect(),
        Draw::Order { n } => {
            let mut order: Vec<i64> = (0..i64::from(n)).collect();
            for i in (1..order.len()).rev() {
                let other = usize::try_from(below(generator, i as u64 + 1)).unwrap_or(0);
                order.swap(i, other);
            }
            order
        }
        Draw::Pick { n } => vec![below(generator, u64::from(n.max(1)))],
    }
}

fn below(generator: &mut Xoshiro256PlusPlus, n: u64) -> i64 {
    let limit = u64::MAX - u64::MAX % n;
    loop {
        let output = generator.next_u64();
        if output < limit {
            return i64::try_from(output % n).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;

    fn dice(seed: u64, stream: &str, count: u64, n: u32) -> Vec<i64> {
        Seeded { seed }.draw(name(stream), count, Draw::Dice { n, sides: 6 }).unwrap()
    }

    #[test]
    fn a_draw_depends_on_seed_stream_and_count_and_on_nothing_else() {
        assert_eq!(dice(7, "attack", 0, 5), dice(7, "attack", 0, 5));
        assert_ne!(dice(7, "attack", 0, 9), dice(8, "attack", 0, 9));
        assert_ne!(dice(7, "attack", 0, 9), dice(7, "attack", 1, 9));
        assert_ne!(dice(7, "attack", 0, 9), dice(7, "defend", 0, 9));
    }

    #[test]
    fn the_written_derivation_gives_these_test_vectors() {
        assert_eq!(dice(0, "", 0, 8), [3, 4, 5, 4, 6, 6, 5, 1]);
        assert_eq!(dice(7, "attack/red#3", 2, 8), [2, 4, 2, 5, 2, 6, 2, 1]);
        let order = Seeded { seed: 7 }.draw(name("deck"), 0, Draw::Order { n: 8 }).unwrap();
        assert_eq!(order, [3, 6, 2, 5, 0, 7, 1, 4]);
    }

    #[test]
    fn every_face_occurs_about_equally_often() {
        let mut seen = [0; 6];
        for face in dice(1, "many", 0, 4096) {
            seen[usize::try_from(face - 1).unwrap()] += 1;
        }
        assert!(seen.iter().all(|n| (600..=770).contains(n)), "{seen:?}");
    }

    #[test]
    fn an_order_holds_every_item_once() {
        let mut order = Seeded { seed: 3 }.draw(name("deck"), 0, Draw::Order { n: 52 }).unwrap();
        order.sort_unstable();
        assert_eq!(order, (0..52).collect::<Vec<i64>>());
    }
}
