//! What was worked out before and still holds.
//!
//! An entry holds as long as the newest stamp of the parts of the world that it read is the
//! same (see [`crate::kernel::World::stamp`]). It also keeps what the work cost and how deep it
//! went, so that budgets and limits do not depend on what happens to be remembered.

use std::cell::RefCell;

use super::reads::Memorable;
use crate::base::Value;

/// How many results are remembered; a power of two.
const N_ENTRIES: usize = 4096;
/// The most arguments of a result that is remembered.
const N_ARGS_MAX: usize = 6;

/// A result, and what it took.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) value: Value,
    /// Operations.
    pub(super) cost: u64,
    /// How many records lay in each other.
    pub(super) height: u32,
}

struct Entry {
    of: Memorable,
    within: (u64, u64),
    stamp: u64,
    args: Vec<Value>,
    known: Known,
}

/// Where and for what a result is remembered.
pub(super) struct Key<'a> {
    of: Memorable,
    /// The game and the setting.
    within: (u64, u64),
    stamp: u64,
    args: &'a [Value],
    place: usize,
}

thread_local! {
    static ENTRIES: RefCell<Vec<Option<Entry>>> = const { RefCell::new(Vec::new()) };
}

impl<'a> Key<'a> {
    pub(super) fn new(of: Memorable, within: (u64, u64), stamp: u64, args: &'a [Value]) -> Self {
        Self { of, within, stamp, args, place: place(of, args) }
    }

    /// What is remembered.
    pub(super) fn known(&self) -> Option<Known> {
        ENTRIES.with_borrow(|entries| {
            let entry = entries.get(self.place)?.as_ref()?;
            let same = (entry.stamp, entry.within, entry.of) == (self.stamp, self.within, self.of);
            (same && entry.args == self.args).then(|| entry.known.clone())
        })
    }

    /// Remembers a result.
    pub(super) fn remember(&self, known: Known) {
        if self.args.len() > N_ARGS_MAX {
            return;
        }
        ENTRIES.with_borrow_mut(|entries| {
            if entries.is_empty() {
                entries.resize_with(N_ENTRIES, || None);
            }
            let (of, within, stamp) = (self.of, self.within, self.stamp);
            match entries.get_mut(self.place) {
                Some(Some(entry)) => {
                    if entry.args != self.args {
                        entry.args.clear();
                        entry.args.extend_from_slice(self.args);
                    }
                    (entry.of, entry.within, entry.stamp, entry.known) = (of, within, stamp, known);
                }
                Some(empty) => *empty = Some(Entry { of, within, stamp, args: self.args.to_vec(), known }),
                None => {}
            }
        });
    }
}

fn place(of: Memorable, args: &[Value]) -> usize {
    let (section, index) = match of {
        Memorable::Term(index) => (0, index),
        Memorable::Value(index) => (1, index),
        Memorable::Options(index) => (2, index),
        Memorable::HasOption(index) => (3, index),
        Memorable::Action(index) => (4, index),
        Memorable::All => (5, 0),
        Memorable::Blockers(index) => (6, index),
        Memorable::Rooms => (7, 0),
    };
    let mut hash = mixed(section, index as u64);
    for arg in args {
        hash = mixed(hash, number(arg));
    }
    usize::try_from(hash >> 20).unwrap_or(0) & (N_ENTRIES - 1)
}

fn mixed(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// A number that equal values share.
fn number(value: &Value) -> u64 {
    match value {
        Value::None => 1,
        Value::Unknown => 2,
        Value::Bool(truth) => 3 + u64::from(*truth),
        Value::Int(number) => number.wrapping_mul(8).unsigned_abs() + 5,
        Value::Name(name) => name.precomputed_hash(),
        Value::Entity(entity) => u64::from(entity.0) * 8 + 6,
        Value::Space(space) => u64::from(space.0) * 8 + 7,
        Value::List(items) | Value::Set(items) => {
            items.iter().take(4).fold(items.len() as u64 + 9, |hash, item| match item {
                Value::Entity(_) | Value::Space(_) | Value::Int(_) => mixed(hash, number(item)),
                _ => hash,
            })
        }
        Value::Map(entries) => entries.len() as u64 + 10,
    }
}
