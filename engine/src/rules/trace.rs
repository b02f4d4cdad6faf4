//! What of a game is used while it is played, for those who ask what tests and bots reach.
//!
//! A record is *touched* when a rule looks at it: a hook whose event occurs, an action of an
//! open menu. It *happens* when it does what it is there for: the hook runs, the action is
//! taken. Rows of a record happen one by one. Nothing is noted until somebody begins, and
//! nothing that is noted changes a game.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::base::{Name, name};

/// The notes of one linked game.
#[derive(Debug, Default)]
pub struct Trace {
    on: AtomicBool,
    used: Mutex<Used>,
}

/// What was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Records that rules have looked at: section and id; of kinds also section, stat and id.
    pub touched: BTreeSet<(Name, Name)>,
    /// What has happened: section, id, and the row or nothing.
    pub happened: BTreeSet<(Name, Name, Name)>,
}

impl Trace {
    /// Begins to take notes.
    pub fn begin(&self) {
        self.on.store(true, Ordering::Relaxed);
    }

    /// What was noted since the last call.
    #[must_use]
    pub fn take(&self) -> Used {
        self.used.lock().map(|mut used| std::mem::take(&mut *used)).unwrap_or_default()
    }

    /// Whether notes are taken.
    pub(crate) fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// A rule looks at a record.
    pub(crate) fn touch(&self, section: &str, id: Name) {
        self.note(|used| {
            used.touched.insert((name(section), id));
        });
    }

    /// A rule reads a field of a record.
    pub(crate) fn read(&self, section: &str, field: Name, id: Name) {
        self.note(|used| {
            used.touched.insert((name(&format!("{section}.{field}")), id));
        });
    }

    /// A record does what it is there for.
    pub(crate) fn happen(&self, section: &str, id: Name) {
        self.note(|used| {
            used.touched.insert((name(section), id));
            used.happened.insert((name(section), id, Name::default()));
        });
    }

    /// A row of a record does what it is there for.
    pub(crate) fn happen_row(&self, section: &str, id: Name, rows: &str, row: Name) {
        self.note(|used| {
            used.touched.insert((name(section), id));
            used.happened.insert((name(section), id, name(&format!("{rows}.{row}"))));
        });
    }

    fn note(&self, f: impl FnOnce(&mut Used)) {
        if self.is_on()
            && let Ok(mut used) = self.used.lock()
        {
            f(&mut used);
        }
    }
}
