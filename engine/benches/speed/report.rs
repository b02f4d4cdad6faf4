//! What was measured, as a table and as JSON.

use serde_json::{Value as Json, json};

use crate::calibration::Time;

/// The rows of a run.
pub(crate) struct Report {
    on: String,
    rows: Vec<Row>,
}

/// What a number counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Picoseconds,
    PerSecond,
    Bytes,
    Count,
    /// A factor that should be small, in thousandths.
    Growth,
    /// A factor that should be great, in thousandths.
    Gain,
}

struct Row {
    what: String,
    unit: Unit,
    measured: u64,
    /// What is due, and where we go.
    budget: Option<(u64, u64)>,
    /// How many turns of the calibration loop it takes, in thousandths.
    turns: Option<u64>,
}

pub(crate) const NS: u64 = 1_000;
pub(crate) const US: u64 = 1_000 * NS;
pub(crate) const MS: u64 = 1_000 * US;

impl Report {
    pub(crate) fn new(on: String) -> Self {
        Self { on, rows: Vec::new() }
    }

    /// The time of one thing, with what is due and where we go.
    pub(crate) fn time(&mut self, what: &str, time: Time, budget: Option<(u64, u64)>) {
        let turns = Some(thousandths(time.ps, time.calibration_ps));
        self.add(what, Unit::Picoseconds, time.ps, budget, turns);
    }

    /// How many a second.
    pub(crate) fn rate(&mut self, what: &str, time: Time, budget: Option<(u64, u64)>) {
        let rate = 1_000 * 1_000 * 1_000 * 1_000 / time.ps.max(1);
        self.add(what, Unit::PerSecond, rate, budget, Some(thousandths(time.ps, time.calibration_ps)));
    }

    pub(crate) fn bytes(&mut self, what: &str, bytes: u64, budget: Option<(u64, u64)>) {
        self.add(what, Unit::Bytes, bytes, budget, None);
    }

    pub(crate) fn count(&mut self, what: &str, n: u64, budget: Option<(u64, u64)>) {
        self.add(what, Unit::Count, n, budget, None);
    }

    /// How many times as long something larger takes; the budget is in thousandths.
    pub(crate) fn growth(&mut self, what: &str, [small, large]: [Time; 2], due: u64) {
        // Each against the loop beside it, so that a machine that gets busy between them counts for nothing.
        let turns = |time: Time| u128::from(time.ps) * 1_000_000 / u128::from(time.calibration_ps.max(1));
        let factor = turns(large) * 1_000 / turns(small).max(1);
        let factor = u64::try_from(factor).unwrap_or(u64::MAX);
        self.add(what, Unit::Growth, factor, Some((due, due)), None);
    }

    /// How many times as fast; the budget is in thousandths.
    pub(crate) fn gain(&mut self, what: &str, [slow, fast]: [u64; 2], due: Option<u64>) {
        self.add(what, Unit::Gain, thousandths(slow, fast), due.map(|due| (due, due)), None);
    }

    fn add(&mut self, what: &str, unit: Unit, measured: u64, budget: Option<(u64, u64)>, turns: Option<u64>) {
        self.rows.push(Row { what: what.into(), unit, measured, budget, turns });
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// A table in Markdown.
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "on {}\n\n| what | measured | must | reach | in turns of the loop | |\n|---|---|---|---|---|---|",
            self.on
        );
        for row in &self.rows {
            let (must, reach) = row.budget.map_or_else(Default::default, |(must, reach)| {
                (row.unit.shown(must), if must == reach { String::new() } else { row.unit.shown(reach) })
            });
            let turns = row.turns.map_or_else(String::new, fixed);
            let (what, measured, state) = (&row.what, row.unit.shown(row.measured), row.state());
            text.push_str(&format!("\n| {what} | {measured} | {must} | {reach} | {turns} | {state} |"));
        }
        text
    }

    pub(crate) fn json(&self) -> Json {
        let row = |row: &Row| {
            json!({
                "what": row.what, "unit": row.unit.name(), "measured": row.measured,
                "must": row.budget.map(|(must, _)| must), "reach": row.budget.map(|(_, reach)| reach),
                "turns_thousandths": row.turns, "state": row.state(),
            })
        };
        json!({ "mission": self.on, "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

impl Row {
    fn state(&self) -> &'static str {
        let holds = |bound: u64| match self.unit {
            Unit::PerSecond | Unit::Gain => self.measured >= bound,
            Unit::Picoseconds | Unit::Bytes | Unit::Count | Unit::Growth => self.measured <= bound,
        };
        match self.budget {
            None => "",
            Some((_, reach)) if holds(reach) => "reached",
            Some((must, _)) if holds(must) => "holds",
            Some(_) => "over",
        }
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Picoseconds => "ps",
            Self::PerSecond => "per_second",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Growth => "growth_thousandths",
            Self::Gain => "gain_thousandths",
        }
    }

    fn shown(self, number: u64) -> String {
        match self {
            Self::Picoseconds if number < 10 * US => format!("{} ns", fixed_to(number, NS)),
            Self::Picoseconds if number < 10 * MS => format!("{} us", fixed_to(number, US)),
            Self::Picoseconds => format!("{} ms", fixed_to(number, MS)),
            Self::PerSecond if number >= 10_000_000 => format!("{} million/s", number / 1_000_000),
            Self::PerSecond if number >= 100_000 => format!("{} million/s", fixed_to(number, 1_000_000)),
            Self::PerSecond => format!("{number}/s"),
            Self::Count => number.to_string(),
            Self::Bytes => format!("{} KB", number.div_ceil(1024)),
            Self::Growth | Self::Gain => format!("{} x", fixed(number)),
        }
    }
}

fn thousandths(part: u64, whole: u64) -> u64 {
    u64::try_from(u128::from(part) * 1_000 / u128::from(whole.max(1))).unwrap_or(u64::MAX)
}

fn fixed(thousandths: u64) -> String {
    format!("{}.{:02}", thousandths / 1_000, thousandths % 1_000 / 10)
}

fn fixed_to(number: u64, unit: u64) -> String {
    if number / unit >= 100 { (number / unit).to_string() } else { fixed(thousandths(number, unit)) }
}
