//! Stamps: when each part of a world last changed, for whoever remembers what it gave.
//!
//! A stamp is a number that is given once in a process and rises. Two worlds have the same
//! stamp for a part only if one is a copy of the other and neither has changed that part
//! since; so what was worked out from some parts of a world holds for every world whose newest
//! stamp of those parts is the same. Stamps are no part of what a world is: they are neither
//! compared, hashed nor written down.

use std::sync::atomic::{AtomicU64, Ordering};

/// A part of a world that changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part(u8);

/// How many parts are told apart; properties beyond share theirs.
const N_PARTS: usize = 160;
const FIRST_PROPERTY: usize = 5;

impl Part {
    /// Anything at all.
    pub const ANY: Self = Self(0);
    /// Which entities there are, of which kinds.
    pub const ENTITIES: Self = Self(1);
    /// Where entities are.
    pub const PLACES: Self = Self(2);
    /// What lies in piles, in which order.
    pub const PILES: Self = Self(3);
    /// The phases that are running, and their locals.
    pub const FLOW: Self = Self(4);

    /// A property: its column among those of entities, then among those of the table.
    #[must_use]
    pub fn of_property(column: usize) -> Self {
        let number = FIRST_PROPERTY + column % (N_PARTS - FIRST_PROPERTY);
        Self(u8::try_from(number).unwrap_or(0))
    }
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A number that nothing else in the process has or had.
#[must_use]
pub fn fresh() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// When each part of a world last changed.
#[derive(Clone, Debug)]
pub(super) struct Stamps {
    born: u64,
    parts: Box<[u64; N_PARTS]>,
    /// Whether they are of a world as whoever looks sees it.
    pub(super) is_seen: bool,
}

impl Stamps {
    pub(super) fn new() -> Self {
        Self { born: fresh(), parts: Box::new([0; N_PARTS]), is_seen: false }
    }

    /// Some parts change.
    pub(super) fn touch(&mut self, parts: &[Part]) {
        let now = fresh();
        for part in parts.iter().chain([&Part::ANY]) {
            self.parts[usize::from(part.0)] = now;
        }
    }

    /// Every part changes.
    pub(super) fn touch_all(&mut self) {
        self.parts.fill(fresh());
    }

    /// Those of the world as it is seen, which differs in some parts; `stamp` is new whenever that
    /// shows otherwise than when it was given.
    pub(super) fn seen(mut self, parts: &[Part], stamp: u64) -> Self {
        for part in parts {
            self.parts[usize::from(part.0)] = stamp;
        }
        Self { is_seen: true, ..self }
    }

    /// The newest stamp of some parts.
    pub(super) fn newest(&self, parts: &[Part]) -> u64 {
        parts.iter().map(|part| self.parts[usize::from(part.0)]).fold(self.born, u64::max)
    }
}

impl PartialEq for Stamps {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stamps {}
