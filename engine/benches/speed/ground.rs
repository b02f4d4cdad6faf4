//! What lies below the rules: folding, lines, ways, copies of a world.

use std::{hint::black_box, sync::Arc};

use sandtable::{
    base::{SpaceId, Value},
    board::{Board, Facing},
    kernel::{Record, World},
    rules::{QUERIES, Query, Setting, View},
};

use crate::{
    Bench,
    calibration::Watch,
    report::{NS, Report, US},
};

/// Pairs of squares whose lines are looked at.
const PAIRS: usize = 2_000;
/// The range of a field of view.
const RANGE: i32 = 8;
/// Those who look, and what they look at.
const WATCHERS: usize = 25;
const WATCHED: usize = 12;

pub(crate) fn fold(bench: &Bench, report: &mut Report) {
    let table = bench.table_after(u64::MAX);
    let schema = Arc::clone(&table.with_world(|world| Arc::clone(world.schema())));
    table.with_records(|records| {
        let n = records.iter().filter(|record| matches!(record, Record::Event { .. })).count().max(1) as u64;
        let mut time = bench.effort.time(|| {
            let mut world = World::new(Arc::clone(&schema));
            folded(&mut world, records);
            world
        });
        time.ps /= n;
        report.rate("events folded", time, Some((5_000_000, 20_000_000)));
    });
}

fn folded(world: &mut World, records: &[Record]) {
    for record in records {
        match record {
            Record::Event { changes, .. } => changes.iter().for_each(|change| world.fold(change).expect("it folds")),
            Record::Drew { stream, count, .. } => world.fold_draw(*stream, *count).expect("it folds"),
            _ => {}
        }
    }
}

fn query(name: &str) -> &'static Query {
    QUERIES.iter().find(|query| query.name == name).expect("the query exists")
}

/// Squares that lie anyhow, the same in every run.
fn spread(board: &Board, n: usize, salt: usize) -> Vec<SpaceId> {
    let spaces: Vec<SpaceId> = board.spaces().collect();
    (0..n).map(|at| spaces[(at * 7919 + at * at * 31 + salt) % spaces.len()]).collect()
}

pub(crate) fn lines(bench: &Bench, report: &mut Report) {
    let table = bench.table_after(60);
    let setting = &table.instance().setting;
    let (Some(sight), Some(grid)) = (bench.game.sight.keys().next(), setting.board.grid()) else { return };
    let near = |(from, to): &(SpaceId, SpaceId)| grid.distance(*from, *to) <= 12 && from != to;
    let pairs: Vec<(SpaceId, SpaceId)> = spread(&setting.board, PAIRS * 8, 0)
        .into_iter()
        .zip(spread(&setting.board, PAIRS * 8, 11))
        .filter(near)
        .take(PAIRS)
        .collect();
    let args: Vec<[Value; 3]> =
        pairs.iter().map(|(from, to)| [Value::Name(*sight), Value::Space(*from), Value::Space(*to)]).collect();
    let open = query("line_open");
    table.with_world(|world| {
        let n = args.len().max(1) as u64;
        let all = |view: &View<'_>| args.iter().map(|args| (open.run)(view, args)).filter(Result::is_ok).count();
        let mut cold = bench.effort.of_samples(|| {
            let fresh = Setting::new(&bench.game, bench.mission, &table.settings().options).expect("it is set up");
            let view = View::new(world, &fresh, &bench.game);
            let watch = Watch::start();
            black_box(all(&view));
            watch.ps()
        });
        cold.ps /= n;
        report.time("sight line, first look", cold, Some((100 * NS, 50 * NS)));
        let view = View::new(world, setting, &bench.game);
        let mut warm = bench.effort.time(|| all(&view));
        warm.ps /= n;
        report.time("sight line, remembered", warm, Some((100 * NS, 50 * NS)));
        let (from, facing) = (spread(&setting.board, 1, 5)[0], Facing::ALL[1]);
        let cone = bench.effort.time(|| grid.field(from, facing, Some(RANGE)));
        report.time("cone of range 8", cone, Some((2 * US, US / 2)));
        let watchers = spread(&setting.board, WATCHERS, 3);
        let watched = spread(&setting.board, WATCHED, 17);
        let pairs: Vec<(SpaceId, Facing, SpaceId, [Value; 3])> = watchers
            .iter()
            .enumerate()
            .flat_map(|(at, from)| watched.iter().map(move |to| (*from, Facing::ALL[at % 4], *to)))
            .map(|(from, facing, to)| (from, facing, to, [Value::Name(*sight), Value::Space(from), Value::Space(to)]))
            .collect();
        let who = bench.effort.time(|| {
            let sees = |(from, facing, to, args): &&(SpaceId, Facing, SpaceId, [Value; 3])| {
                grid.in_wedge(*from, *facing, *to, Some(RANGE)) && (open.run)(&view, args) == Ok(Value::Bool(true))
            };
            pairs.iter().filter(sees).count()
        });
        report.time("which of 12 things 25 units see", who, Some((3 * US, US)));
    });
}

pub(crate) fn reach(bench: &Bench, report: &mut Report) {
    let table = bench.table_after(60);
    let setting = &table.instance().setting;
    let Some(movement) = bench.game.movement.keys().next() else { return };
    table.with_world(|world| {
        let view = View::new(world, setting, &bench.game);
        let spaces = spread(&setting.board, 64, 7);
        let within = query("within");
        for (what, points, budget) in [
            ("reach of a unit with 6 points", Value::Int(6), Some((5 * US, US))),
            ("reach over the whole board", Value::Int(10_000), None),
        ] {
            let mut at = 0;
            let time = bench.effort.time(|| {
                at += 1;
                let from = Value::Space(spaces[at % spaces.len()]);
                (within.run)(&view, &[Value::Name(*movement), from, points.clone()])
            });
            report.time(what, time, budget);
        }
    });
}

pub(crate) fn world(bench: &Bench, report: &mut Report) {
    bench.table_after(60).with_world(|world| {
        report.time("world copied", bench.effort.time(|| world.clone()), Some((20 * US, 4 * US)));
        report.time("world hashed", bench.effort.time(|| world.hash()), None);
    });
}
