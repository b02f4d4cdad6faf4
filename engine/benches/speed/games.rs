//! Whole games: on one thread, and on two.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use sandtable::{
    script::with_stack,
    table::{
        Settings, Table,
        bot::{Mind, RANDOM},
    },
};

use crate::{
    Bench,
    calibration::{Calibration, Time, Watch, median},
    report::Report,
};

/// Games that are played.
const GAMES: u64 = 100;
/// Games between two runs of the calibration loop.
const BATCH: u64 = 20;
/// How often one thread and two take turns.
const ROUNDS: u64 = 3;

pub(crate) fn games(bench: &Bench, report: &mut Report) {
    let mut bots: Vec<&str> = bench.game.bots.keys().map(|bot| bot.as_str()).collect();
    bots.push(RANDOM);
    for (at, bot) in bots.into_iter().enumerate() {
        // The budget is that of a bot that plays to win, where there is one.
        games_by(bench, bot, report, (at == 0).then_some((100, 300)));
    }
}

fn games_by(bench: &Bench, bot: &str, report: &mut Report, budget: Option<(u64, u64)>) {
    let table = Table::start(&bench.game, Settings::new(&bench.mission, 1)).expect("the mission starts");
    table.set_checking(false);
    let mind = Mind::new(&table, bot).expect("the bot is there");
    let mut calibration = Calibration::new();
    let (mut loops, mut ps, mut calls, mut records) = (Vec::new(), 0, 0, 0);
    let n = bench.effort.rounds(GAMES);
    for batch in 0..n.div_ceil(BATCH) {
        loops.push(calibration.time());
        let before = table.instance().host().n_calls();
        let watch = Watch::start();
        let seeds = batch * BATCH + 1..=n.min(batch * BATCH + BATCH);
        records += seeds.map(|seed| play(&table, &mind, seed)).sum::<u64>();
        ps += watch.ps();
        calls += table.instance().host().n_calls() - before;
    }
    let time = Time { ps: ps / n, calibration_ps: median(&mut loops) };
    report.rate(&format!("games by the bot {bot}"), time, budget);
    let time = Time { ps: ps / records.max(1), ..time };
    report.time("a record of such a game", time, None);
    report.count("calls of scripts for rules in such a game", calls / n, Some((400, 400)));
    let of_bot = mind.take_tally().script_calls / n;
    report.count("calls of scripts by the bot in such a game", of_bot, None);
}

/// Plays a game; gives the number of its records.
fn play(table: &Table, mind: &Mind, seed: u64) -> u64 {
    let table = table.another(seed);
    table.set_hashing(false);
    table.set_responder(Some(mind.responder(seed, 20_000)));
    table.advance().expect("it runs");
    table.set_responder(None);
    table.with_records(<[_]>::len) as u64
}

pub(crate) fn workers(bench: &Bench, report: &mut Report) {
    let n = bench.effort.rounds(GAMES);
    // On the clock, and in the time of the busiest thread: the second tells of work that two make
    // for each other, and does not mind what else the machine does.
    let (mut games, mut loops) = ([[0; 2]; 2], [[0; 2]; 2]);
    for _ in 0..bench.effort.rounds(ROUNDS) {
        for (at, n_threads) in [1, 2].into_iter().enumerate() {
            let [clock, thread] = on(n_threads, || {}, |()| Calibration::new().turn(100_000 / n_threads));
            loops[0][at] += clock;
            loops[1][at] += thread;
            let start = || {
                let table = Table::start(&bench.game, Settings::new(&bench.mission, 1)).expect("the mission starts");
                table.set_checking(false);
                table
            };
            // Games differ in length: who is done with one takes the next.
            let next = AtomicU64::new(1);
            let [clock, thread] = on(n_threads, start, |table| {
                let own = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|seed| *seed <= n);
                assert!(own.map(|seed| play(&table, &Mind::Random, seed)).sum::<u64>() < u64::MAX);
            });
            games[0][at] += clock;
            games[1][at] += thread;
        }
    }
    report.gain("two workers to one: games", games[0], Some(1_800));
    report.gain("the same in the time of the threads", games[1], Some(1_800));
    report.gain("two workers to one: calibration loop", loops[0], None);
    report.gain("the same in the time of the threads", loops[1], None);
}

/// How long so many threads take, the time to start them left out: on the clock, and the
/// longest time of a thread.
fn on<T>(n_threads: u64, start: impl Fn() -> T + Sync, work: impl Fn(T) + Sync) -> [u64; 2] {
    let barrier = Barrier::new(usize::try_from(n_threads).unwrap_or(1));
    let (start, work, barrier) = (&start, &work, &barrier);
    let spans: Vec<[u64; 2]> = thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads)
            .map(|_| {
                scope.spawn(move || {
                    with_stack(|| {
                        let own = start();
                        barrier.wait();
                        let watch = Watch::start();
                        work(own);
                        [watch.clock_ps(), watch.ps()]
                    })
                })
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let longest = |at: usize| spans.iter().map(|span| span[at]).max().unwrap_or(0);
    [longest(0), longest(1)]
}
