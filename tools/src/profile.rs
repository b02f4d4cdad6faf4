//! `simulate --profile`: how often things happen in the games and how long they take.
//!
//! Each thread has a stopwatch of its own, so that nobody waits; their rows are added up at
//! the end. A row's *own* time is without what lies in it; of things that lie in themselves
//! the total counts only the outermost. Looking at the clock takes time too, which counts for
//! whatever contains what is measured.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    time::{Duration, Instant},
};

use sandtable::base::{Meter, What};
use serde_json::{Value as Json, json};

use crate::out::{decimal, line};

/// What was measured, by sort and name.
#[derive(Default)]
pub(crate) struct Profile(BTreeMap<(&'static str, &'static str), Row>);

/// One thing that is measured.
#[derive(Clone, Copy, Default)]
struct Row {
    calls: u64,
    total: Duration,
    own: Duration,
    /// How many of it are running.
    running: u32,
}

/// What runs.
struct Frame {
    row: usize,
    began: Instant,
    /// The time of what lay in it.
    inner: Duration,
}

/// The rows of one thread.
#[derive(Default)]
struct Watch {
    running: Vec<Frame>,
    /// Where a sort and the place of a name in memory have their row.
    places: BTreeMap<(What, usize), usize>,
    rows: Vec<(What, &'static str, Row)>,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// A stopwatch for each thread.
#[derive(Debug)]
pub(crate) struct Stopwatch;

impl Meter for Stopwatch {
    fn enter(&self, what: What, id: &'static str) {
        WATCH.with_borrow_mut(|watch| watch.enter(what, id));
    }

    fn leave(&self) {
        WATCH.with_borrow_mut(Watch::leave);
    }
}

impl Watch {
    fn enter(&mut self, what: What, id: &'static str) {
        let rows = &mut self.rows;
        let row = *self.places.entry((what, id.as_ptr().addr())).or_insert_with(|| {
            rows.push((what, id, Row::default()));
            rows.len() - 1
        });
        self.rows[row].2.running += 1;
        self.running.push(Frame { row, began: Instant::now(), inner: Duration::ZERO });
    }

    fn leave(&mut self) {
        let Some(frame) = self.running.pop() else { return };
        let took = frame.began.elapsed();
        let row = &mut self.rows[frame.row].2;
        row.calls += 1;
        row.running -= 1;
        row.own += took.saturating_sub(frame.inner);
        if row.running == 0 {
            row.total += took;
        }
        if let Some(outer) = self.running.last_mut() {
            outer.inner += took;
        }
    }
}

impl Profile {
    /// What this thread has measured so far; it begins anew.
    pub(crate) fn take() -> Self {
        let watch = WATCH.take();
        let mut all = Self::default();
        watch.rows.into_iter().for_each(|(what, id, row)| all.count((what.as_str(), id), row));
        all
    }

    /// Adds what another thread has measured.
    pub(crate) fn add(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, row)| self.count(key, row));
    }

    fn count(&mut self, key: (&'static str, &'static str), row: Row) {
        let sum = self.0.entry(key).or_default();
        sum.calls += row.calls;
        sum.total += row.total;
        sum.own += row.own;
    }

    /// The rows, those with the longest own time first, and the time of the phases.
    fn sorted(&self) -> (Vec<(&'static str, &'static str, Row)>, Duration) {
        let mut rows: Vec<_> = self.0.iter().map(|((what, id), row)| (*what, *id, *row)).collect();
        rows.sort_by_key(|(what, id, row)| (std::cmp::Reverse(row.own), *what, *id));
        let whole = self.0.values().map(|row| row.own).sum();
        (rows, whole)
    }

    /// Two tables: sorts of thing, then each thing.
    pub(crate) fn tell(&self, games: u64) -> io::Result<()> {
        let (rows, whole) = self.sorted();
        let mut sorts: BTreeMap<&str, Row> = BTreeMap::new();
        for (what, _, row) in &rows {
            let sum = sorts.entry(what).or_default();
            sum.calls += row.calls;
            sum.own += row.own;
        }
        let mut sorts: Vec<_> = sorts.into_iter().collect();
        sorts.sort_by_key(|(_, row)| std::cmp::Reverse(row.own));
        line(&format!("measured: {} ms a game", per_game(whole, games)))?;
        line("    own %  own ms/game    calls/game  sort")?;
        for (what, row) in sorts {
            line(&format!(
                "{} {:>12} {:>13}  {what}",
                share(row.own, whole),
                per_game(row.own, games),
                calls(&row, games)
            ))?;
        }
        line("    own %  own ms/game  total ms/game    calls/game  own us/call  what")?;
        for (what, id, row) in rows {
            let each = decimal(row.own.as_nanos() / u128::from(row.calls.max(1)) / 10, 2);
            let (own, total) = (per_game(row.own, games), per_game(row.total, games));
            let (share, calls) = (share(row.own, whole), calls(&row, games));
            line(&format!("{share} {own:>12} {total:>14} {calls:>13} {each:>12}  {what} {id}"))?;
        }
        Ok(())
    }

    /// All rows, in microseconds of all games.
    pub(crate) fn json(&self) -> Json {
        let us = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let row = |(what, id, row): (&str, &str, Row)| json!({ "what": what, "id": id, "calls": row.calls, "total_us": us(row.total), "own_us": us(row.own) });
        self.sorted().0.into_iter().map(row).collect()
    }
}

fn share(part: Duration, whole: Duration) -> String {
    format!("{:>9}", decimal(part.as_nanos() * 1_000 / whole.as_nanos().max(1), 1))
}

fn per_game(time: Duration, games: u64) -> String {
    decimal(time.as_micros() / u128::from(games.max(1)), 3)
}

fn calls(row: &Row, games: u64) -> String {
    decimal(u128::from(row.calls) * 10 / u128::from(games.max(1)), 1)
}
