//! Work that is shared among threads: numbers below a bound, each taken by one thread.
//!
//! Which thread takes which number depends on chance; what comes of the work must not.

use std::{
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use indicatif::ProgressBar;
use sandtable::script::with_stack;

/// The numbers that are left.
pub(crate) struct Numbers {
    next: AtomicU64,
    end: AtomicU64,
    bar: ProgressBar,
}

impl Numbers {
    /// The next number that nobody has taken; none when all are taken.
    pub(crate) fn take(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end.load(Ordering::Relaxed)).then_some(number)
    }

    /// A number is done with.
    pub(crate) fn done(&self) {
        self.bar.inc(1);
    }

    /// No number from this one on is taken any more.
    pub(crate) fn stop_at(&self, number: u64) {
        self.end.fetch_min(number, Ordering::Relaxed);
    }
}

/// How many threads work: as many as were asked for, or as there are cores.
pub(crate) fn n_threads(wanted: Option<NonZero<usize>>) -> usize {
    wanted.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// What the work of each thread gives, in no order; a thread takes numbers below `n` until
/// none is left.
pub(crate) fn share<T: Send>(n_threads: usize, n: u64, work: impl Fn(&Numbers) -> T + Sync) -> Vec<T> {
    let numbers = Numbers { next: AtomicU64::new(0), end: AtomicU64::new(n), bar: ProgressBar::new(n) };
    let found = Mutex::new(Vec::new());
    let n_threads = n_threads.min(usize::try_from(n).unwrap_or(usize::MAX)).max(1);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                let own = with_stack(|| work(&numbers));
                if let Ok(mut found) = found.lock() {
                    found.push(own);
                }
            });
        }
    });
    numbers.bar.finish_and_clear();
    found.into_inner().unwrap_or_default()
}
