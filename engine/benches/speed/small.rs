//! A small game of the bench's own, of any size, and reading properties in its scripts.

use std::sync::Arc;

use sandtable::{
    content::Overlay,
    rules::{self, Game},
    table::{Settings, Table},
};

use crate::{
    Bench,
    calibration::Time,
    report::{NS, Report},
};

/// Properties that are read in one step.
const READS: u64 = 2_000;

const GAME: &str = r#"
seats: {white: {name: White}}
properties: {rank: {type: int}, turn: {of: table, type: int}}
kinds: {pawn: {name: Pawn, tags: [pawn], source: {house: a bench}}}
terms:
  nth_place: {args: [n], is: 'spaces()[n * 5 % len(spaces())]', doc: Where a unit comes on the board.}
choices:
  way:
    args: [unit]
    from: neighbours(unit.at)
    where: [{if: 'on(it, "pawn").len() == 0', else: taken}, {if: 'it != unit.at', else: here}]
actions:
  go:
    menu: deeds
    name: Go
    when: [{if: 'unit.rank < 1000000', else: too_high}]
    asks: [{as: to, choice: way, with: '#{unit: unit}'}]
    run: deeds::walk(unit, to)
  stay: {menu: deeds, name: Stay, run: deeds::stay(unit)}
events:
  came: {doc: It is there., fields: {at: space}, effects: [{create: {kind: '"pawn"', at: at}}]}
  went: {doc: It has gone., fields: {unit: entity, to: space}, effects: [{place: {unit: to}}]}
  rose: {doc: It ranks higher., fields: {unit: entity}, effects: [{set: {unit.rank: 'unit.rank + 1'}}]}
  turned: {doc: Another turn., effects: [{set: {table.turn: 'table("turn") + 1'}}]}
phases:
  game: {phases: [arrival, reading, turns]}
  arrival: {step: 'deeds::arrive()'}
  reading: {step: 'deeds::read()'}
  turns: {when: 'fact("goes_on")', phases: [turn], again: 'true'}
  turn: {step: 'deeds::act()'}
legends: {l: {cells: {'.': [plain]}}}
movement: {foot: {cells: {plain: 1}}}
"#;

const DEEDS: &str = r#"
fn arrive() {
    let n = fact("pawns");
    let i = 0;
    while i < n {
        emit("came", #{ at: nth_place(i) });
        i += 1;
    }
}
fn read() {
    let unit = all("pawn")[0];
    let n = fact("reads");
    let i = 0;
    let sum = 0;
    while i < n { sum += unit.rank; i += 1; }
    let n = fact("turns");
    let i = 0;
    let rank = 0;
    while i < n { sum += rank; i += 1; }
}
fn act() {
    let units = all("pawn");
    menu("deeds", units[table("turn") % units.len()]);
    emit("turned");
}
fn walk(unit, to) { emit("went", #{ unit: unit, to: to }); }
fn stay(unit) { emit("rose", #{ unit: unit }); }
"#;

/// How large the game is.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) units: u64,
    /// Squares along a side of the board.
    pub(crate) side: usize,
}

/// The small game; its mission `m` goes on for ever, `reads` and `turns` end after a loop.
pub(crate) fn game(size: Size) -> Arc<Game> {
    let row = ".".repeat(size.side);
    let cells = vec![row.as_str(); size.side].join("\\n");
    let mission = |id: &str, order: u8, facts: &str| {
        format!("  {id}: {{name: M, briefing: B, order: {order}, source: {{house: a bench}}, tiles: [[t]], {facts}}}\n")
    };
    let facts = |goes_on: bool, reads: u64, turns: u64| {
        format!("pawns: {}, goes_on: {goes_on}, reads: {reads}, turns: {turns}", size.units)
    };
    let text = format!(
        "{GAME}tiles: {{t: {{name: T, legend: l, cells: \"{cells}\", source: {{house: a bench}}}}}}\nmissions:\n{}{}{}",
        mission("m", 1, &facts(true, 0, 0)),
        mission("reads", 2, &facts(false, READS, 0)),
        mission("turns", 3, &facts(false, 0, READS)),
    );
    let files = [("game.yaml", text.as_str()), ("deeds.rhai", DEEDS)];
    let files = files.map(|(path, text)| (path.to_string(), text.to_string()));
    let pack = Overlay { pack: "core".into(), files: files.to_vec() };
    rules::load_with(&[], "chess", &[], &[pack]).unwrap_or_else(|defects| panic!("{defects}"))
}

/// A table of the small game that has not begun.
pub(crate) fn table(game: &Arc<Game>, mission: &str) -> Table {
    let mut settings = Settings::new(mission, 1);
    settings.answers_max = u64::MAX;
    Table::start(game, settings).expect("the mission starts")
}

pub(crate) fn script(bench: &Bench, report: &mut Report) {
    let game = game(Size { units: 25, side: 20 });
    let time = |mission: &str| {
        let table = table(&game, mission);
        bench.effort.time(|| table.another(2).advance().expect("it runs"))
    };
    let (reads, turns) = (time("reads"), time("turns"));
    let read = Time { ps: reads.ps.saturating_sub(turns.ps) / READS, ..reads };
    report.time("property read from a script", read, Some((100 * NS, 100 * NS)));
    report.time("turn of a loop in a script", Time { ps: turns.ps / READS, ..turns }, None);
}
