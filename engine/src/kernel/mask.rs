//! Masks: which seats know something.

/// The bit of whoever only looks on: it knows what everybody knows.
pub const ONLOOKER: usize = 31;

/// Seats that know something, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mask(pub u32);

impl Mask {
    /// Everybody, whoever looks on included.
    pub const ALL: Self = Self(u32::MAX);
    /// Nobody.
    pub const NONE: Self = Self(0);

    /// One seat, by number; nobody when there can be no such seat.
    #[must_use]
    pub fn of(seat: usize) -> Self {
        if seat <= ONLOOKER { Self(1 << seat) } else { Self::NONE }
    }

    /// Whether a seat is among them.
    #[must_use]
    pub fn has(self, seat: usize) -> bool {
        self.0 & Self::of(seat).0 != 0
    }

    /// Those of both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
