//! Which lines are open as far as the board alone decides, remembered by pairs of spaces.
//!
//! What stands on the board can only stop more lines, so a line that the board stops needs no
//! further look. Entries are worked out when they are asked for first, from the board alone,
//! so it does not matter which thread comes first.

use std::sync::{
    OnceLock,
    atomic::{AtomicU8, Ordering},
};

use crate::base::SpaceId;

const UNKNOWN: u8 = 0;
const OPEN: u8 = 1;
const STOPPED: u8 = 2;

/// Remembered lines of one board, by sight record and pair of spaces.
#[derive(Debug, Default)]
pub struct SightTable {
    n_spaces: usize,
    rows: Vec<OnceLock<Box<[AtomicU8]>>>,
}

impl SightTable {
    /// A table for so many sight records on a board of so many spaces.
    pub(super) fn new(n_records: usize, n_spaces: usize) -> Self {
        let rows = std::iter::repeat_with(OnceLock::new).take(n_records * n_spaces).collect();
        Self { n_spaces, rows }
    }

    /// Whether the board leaves a line open; `walk` finds out what is not known yet.
    pub(super) fn is_open(&self, record: usize, from: SpaceId, to: SpaceId, walk: impl FnOnce() -> bool) -> bool {
        let row = self.rows.get(record * self.n_spaces + from.index());
        let row = row.map(|row| {
            row.get_or_init(|| std::iter::repeat_with(|| AtomicU8::new(UNKNOWN)).take(self.n_spaces).collect())
        });
        let Some(entry) = row.and_then(|row| row.get(to.index())) else { return walk() };
        match entry.load(Ordering::Relaxed) {
            OPEN => true,
            STOPPED => false,
            _ => {
                let open = walk();
                entry.store(if open { OPEN } else { STOPPED }, Ordering::Relaxed);
                open
            }
        }
    }
}
