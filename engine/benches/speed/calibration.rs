//! A fixed loop, and measuring beside it.
//!
//! The machine may be slow, or busy with something else; then the loop is slow too. So each
//! sample is taken between two runs of the loop, and what is compared between commits and
//! machines is the ratio. Times are whole picoseconds. Short samples are measured on the clock and
//! are so short that most are not interrupted; long ones count the time of their thread where
//! the system tells it (Linux, to 4 ms).

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// A sample takes about so long, unless one turn takes longer.
const SAMPLE: Duration = Duration::from_micros(400);
/// From here on the time of the thread is taken.
const LONG: Duration = Duration::from_millis(60);

/// How many samples are taken, or whether everything runs only once, to see that it runs.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) samples: usize,
    pub(crate) once: bool,
}

/// The time of something, and that of the calibration loop beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) ps: u64,
    /// One turn of the loop.
    pub(crate) calibration_ps: u64,
}

/// The loop: one turn is 512 steps of a generator that reads and writes a table of 16 KiB.
pub(crate) struct Calibration {
    state: u64,
    table: Vec<u64>,
}

impl Calibration {
    pub(crate) fn new() -> Self {
        Self { state: 0x9e37_79b9_7f4a_7c15, table: (0..2048).collect() }
    }

    /// Runs so many turns.
    pub(crate) fn turn(&mut self, turns: u64) {
        for _ in 0..turns * 512 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            let at = usize::try_from(self.state % 2048).unwrap_or(0);
            self.table[at] = self.table[at].wrapping_add(self.state);
            self.state = self.state.wrapping_add(self.table[at] & 1);
        }
        black_box(self.state);
    }

    /// The time of one turn now.
    pub(crate) fn time(&mut self) -> u64 {
        let began = Instant::now();
        self.turn(100);
        picoseconds(began.elapsed()) / 100
    }
}

impl Effort {
    /// So many rounds of something, or one.
    pub(crate) fn rounds(self, n: u64) -> u64 {
        if self.once { 1 } else { n }
    }

    /// The median time of one call of `one`.
    pub(crate) fn time<T>(self, mut one: impl FnMut() -> T) -> Time {
        let mut calls = 1;
        if !self.once {
            let began = Instant::now();
            black_box(one());
            let first = began.elapsed().max(Duration::from_nanos(20));
            calls = (SAMPLE.as_nanos() / first.as_nanos()).clamp(1, 1_000_000);
        }
        let calls = u64::try_from(calls).unwrap_or(1);
        self.of_samples(|| {
            let watch = Watch::start();
            for _ in 0..calls {
                black_box(one());
            }
            watch.ps() / calls
        })
    }

    /// The median of what samples give, in picoseconds.
    pub(crate) fn of_samples(self, mut sample: impl FnMut() -> u64) -> Time {
        let mut calibration = Calibration::new();
        let (mut times, mut loops) = (Vec::new(), Vec::new());
        for _ in 0..if self.once { 1 } else { self.samples } {
            loops.push(calibration.time());
            times.push(sample());
        }
        loops.push(calibration.time());
        Time { ps: median(&mut times), calibration_ps: median(&mut loops) }
    }
}

/// Measures from its start.
pub(crate) struct Watch {
    began: Instant,
    thread: Option<u64>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let thread = of_thread();
        Self { began: Instant::now(), thread }
    }

    /// The time since then on the clock.
    pub(crate) fn clock_ps(&self) -> u64 {
        picoseconds(self.began.elapsed())
    }

    /// The time since then.
    pub(crate) fn ps(&self) -> u64 {
        let took = self.began.elapsed();
        let of_thread = if took < LONG { None } else { of_thread().zip(self.thread) };
        of_thread.map_or(picoseconds(took), |(now, then)| (now - then) * 1_000)
    }
}

/// How long this thread has run, in nanoseconds; none where the system does not say it.
fn of_thread() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The middle one.
pub(crate) fn median(times: &mut [u64]) -> u64 {
    percentile(times, 50)
}

/// The one that so many of a hundred do not exceed.
pub(crate) fn percentile(times: &mut [u64], percent: usize) -> u64 {
    times.sort_unstable();
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or(0)
}

pub(crate) fn picoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos() * 1000).unwrap_or(u64::MAX)
}
