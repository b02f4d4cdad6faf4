//! How the cost of an answer grows with the log, the units and the board.

use std::time::Instant;

use sandtable::{
    base::{Value, name},
    rules::{QUERIES, View},
    table::Table,
};

use crate::{
    Bench,
    calibration::{Calibration, Time, median, picoseconds},
    report::Report,
    small::{Size, game, table},
};

/// Answers that are measured at each size.
const ANSWERS: u64 = 400;

pub(crate) fn growth(bench: &Bench, report: &mut Report) {
    let middle = Size { units: 25, side: 20 };
    let live = begun(middle);
    let short = answers(bench, &live, 1_000);
    let long = answers(bench, &live, if bench.effort.once { 1_000 } else { 100_000 });
    report.time("answer in a small game, log of 1,000 records", short, None);
    report.growth("the same, log of 100,000 records", [short, long], 1_200);
    let crowd = answers(bench, &begun(Size { units: 80, ..middle }), 1_000);
    report.growth("the same, 80 units for 25", [short, crowd], 2_000);
    let large = Size { side: 40, ..middle };
    report.growth("the same, board of 4 times the area", [short, answers(bench, &begun(large), 1_000)], 4_000);
    report.growth("reach over a board of 4 times the area", [ways(bench, middle), ways(bench, large)], 4_000);
}

fn begun(size: Size) -> Table {
    let table = table(&game(size), "m");
    table.set_checking(false);
    table.advance().expect("it runs");
    table
}

/// The median time of an answer once the log has so many records.
fn answers(bench: &Bench, table: &Table, n_records: usize) -> Time {
    while table.with_records(<[_]>::len) < n_records {
        answer(table);
    }
    let mut calibration = Calibration::new();
    let (mut loops, mut times) = (vec![calibration.time()], Vec::new());
    for at in 0..bench.effort.rounds(ANSWERS) {
        let began = Instant::now();
        answer(table);
        times.push(picoseconds(began.elapsed()));
        if at % 100 == 99 {
            loops.push(calibration.time());
        }
    }
    Time { ps: median(&mut times), calibration_ps: median(&mut loops) }
}

fn answer(table: &Table) {
    let choice = table.open().expect("the game goes on");
    let n = choice.options().count() as u64;
    let at = usize::try_from(table.n_answers() * 7919 % n.max(1)).unwrap_or(0);
    let id = choice.options().nth(at).expect("an option").id;
    table.answer(&id, 0).expect("it is legal");
}

fn ways(bench: &Bench, size: Size) -> Time {
    let table = begun(size);
    let within = QUERIES.iter().find(|query| query.name == "within").expect("the query exists");
    table.with_world(|world| {
        let setting = &table.instance().setting;
        let view = View::new(world, setting, table.game());
        let from = setting.board.spaces().next().map_or(Value::None, Value::Space);
        let args = [Value::Name(name("foot")), from, Value::Int(1_000)];
        bench.effort.time(|| (within.run)(&view, &args))
    })
}
