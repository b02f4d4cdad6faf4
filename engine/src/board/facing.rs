//! The four directions in which something on a square can look.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A direction along the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facing {
    /// Towards higher rows.
    North,
    /// Towards higher columns.
    East,
    /// Towards lower rows.
    South,
    /// Towards lower columns.
    West,
}

impl Facing {
    /// All facings, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// One quarter turn clockwise.
    #[must_use]
    pub fn cw(self) -> Self {
        self.rotated(1)
    }

    /// One quarter turn anticlockwise.
    #[must_use]
    pub fn acw(self) -> Self {
        self.rotated(3)
    }

    /// The other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        self.rotated(2)
    }

    /// The facing after so many quarter turns clockwise; negative numbers turn back.
    #[must_use]
    pub fn rotated(self, quarter_turns_clockwise: i32) -> Self {
        match (self.index() + usize::from(quarter_turns_clockwise.rem_euclid(4) as u8)) % 4 {
            0 => Self::North,
            1 => Self::East,
            2 => Self::South,
            _ => Self::West,
        }
    }

    /// The facing in a mirror that swaps west and east.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
            other => other,
        }
    }

    /// One square ahead, as columns and rows.
    #[must_use]
    #[inline]
    pub fn delta(self) -> (i32, i32) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
        }
    }

    /// The place in [`Facing::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::North => 0,
            Self::East => 1,
            Self::South => 2,
            Self::West => 3,
        }
    }
}

impl fmt::Display for Facing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(["N", "E", "S", "W"][self.index()])
    }
}

/// A text that is no facing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no facing: expected N, E, S or W")]
pub struct FacingUnknown(pub String);

impl FromStr for Facing {
    type Err = FacingUnknown;

    fn from_str(text: &str) -> Result<Self, FacingUnknown> {
        match text {
            "N" | "n" | "north" => Ok(Self::North),
            "E" | "e" | "east" => Ok(Self::East),
            "S" | "s" | "south" => Ok(Self::South),
            "W" | "w" | "west" => Ok(Self::West),
            other => Err(FacingUnknown(other.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_undo_each_other() {
        for facing in Facing::ALL {
            assert_eq!(facing.cw().acw(), facing);
            assert_eq!(facing.cw().cw(), facing.opposite());
            assert_eq!(facing.rotated(-1), facing.acw());
            assert_eq!(facing.mirrored().mirrored(), facing);
            assert_eq!(facing.to_string().parse(), Ok(facing));
            let ((col, row), (back_col, back_row)) = (facing.delta(), facing.opposite().delta());
            assert_eq!((col + back_col, row + back_row), (0, 0));
        }
        assert_eq!(Facing::North.cw(), Facing::East);
        assert!("up".parse::<Facing>().is_err());
    }
}
