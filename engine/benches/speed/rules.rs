//! Rules at work: a unit's options, answers that are written down, loading, memory.

use std::{
    cell::RefCell,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::Instant,
};

use sandtable::{
    base::{Meter, What},
    content,
    kernel::Record,
    rules,
    table::{Settings, Table, bot::Random, log::LogWriter},
};

use crate::{
    Bench,
    calibration::{Calibration, Time, median, percentile, picoseconds},
    report::{MS, Report, US},
};

/// Answers of a game that is measured answer by answer.
const ANSWERS: usize = 400;
/// About what the records of an answer take in a log.
const ANSWER_BYTES: usize = 1600;
/// Games that are kept in memory at once.
const LIVE: usize = 100;

/// Listens to menus only: how long they take, without and with all reasons.
#[derive(Debug)]
struct MenuClock;

#[derive(Default)]
struct Menus {
    running: Vec<Running>,
    /// Of each menu that was asked: all its actions with one reason, and with the others.
    brief: Vec<u64>,
    reasons: Vec<u64>,
    /// The same of the menu that is asked now, and how many actions it has.
    now: [u64; 2],
    n_actions: usize,
}

/// What has begun.
enum Running {
    /// A menu is opened.
    Opening,
    /// An action of it is looked at: briefly, or for further reasons.
    Action(usize, Instant),
    Other,
}

thread_local! {
    static MENUS: RefCell<Menus> = RefCell::default();
}

impl Meter for MenuClock {
    fn enter(&self, what: What, id: &'static str) {
        MENUS.with_borrow_mut(|menus| {
            // Reasons of a question lie in those of a menu, or are none of a menu's.
            let is_outermost = !menus.running.iter().any(|running| matches!(running, Running::Action(..)));
            menus.running.push(match what {
                What::Act if id == "menu" => Running::Opening,
                What::Menu if is_outermost => Running::Action(0, Instant::now()),
                What::Reasons if is_outermost => Running::Action(1, Instant::now()),
                _ => Running::Other,
            });
        });
    }

    fn leave(&self) {
        MENUS.with_borrow_mut(|menus| match menus.running.pop() {
            Some(Running::Action(at, began)) => {
                menus.now[at] += picoseconds(began.elapsed());
                menus.n_actions += usize::from(at == 0);
            }
            Some(Running::Opening) => {
                let ([brief, reasons], n) = (std::mem::take(&mut menus.now), std::mem::take(&mut menus.n_actions));
                // Where the answer is there already only that is looked at.
                if n > 1 {
                    menus.brief.push(brief);
                    menus.reasons.push(reasons);
                }
            }
            _ => {}
        });
    }
}

pub(crate) fn options(bench: &Bench, report: &mut Report) {
    // A meter stays in its game, so this game is loaded for it alone.
    let game = rules::load(&bench.roots, &bench.game.id, &[]).expect("it was loaded before");
    game.gauge.install(Box::new(MenuClock));
    let mut calibration = Calibration::new();
    let mut loops = vec![calibration.time()];
    for seed in 1..=bench.effort.rounds(4) {
        let table = Table::start(&game, Settings::new(&bench.mission, seed)).expect("the mission starts");
        table.set_checking(false);
        table.advance().expect("it runs");
        for _ in 0..bench.effort.rounds(ANSWERS as u64) {
            if !answer_any(&table, seed) {
                break;
            }
        }
        loops.push(calibration.time());
    }
    let calibration_ps = median(&mut loops);
    let mut menus = MENUS.take();
    let time = |times: &mut Vec<u64>| Time { ps: mean(times), calibration_ps };
    report.time("options of a unit", time(&mut menus.brief), Some((40 * US, 15 * US)));
    report.time("reasons against the others", time(&mut menus.reasons), Some((200 * US, 50 * US)));
}

/// Gives an answer; false when there is none to give.
fn answer_any(table: &Table, salt: u64) -> bool {
    let Some(choice) = table.open() else { return false };
    let n = choice.options().count() as u64;
    let at = (table.n_answers() * 7919 + salt * 104_729) % n.max(1);
    let option = usize::try_from(at).ok().and_then(|at| choice.options().nth(at)).map(|option| option.id);
    option.is_some_and(|id| table.answer(&id, 0).is_ok())
}

pub(crate) fn answers(bench: &Bench, report: &mut Report) {
    let path = std::env::temp_dir().join(format!("sandtable-bench-{}.jsonl", std::process::id()));
    let mut calibration = Calibration::new();
    let (mut loops, mut given, mut written, mut synced) = (vec![calibration.time()], vec![], vec![], vec![]);
    for seed in 1..=bench.effort.rounds(4) {
        let table = Table::start(&bench.game, Settings::new(&bench.mission, seed)).expect("the mission starts");
        table.set_checking(false);
        table.advance().expect("it runs");
        let mut writer = LogWriter::create(&path, &table.header()).expect("a log can be written");
        let mut n = 0;
        append(&table, &mut writer, &mut n);
        for _ in 0..bench.effort.rounds(ANSWERS as u64) {
            let began = Instant::now();
            if !answer_any(&table, seed) {
                break;
            }
            given.push(picoseconds(began.elapsed()));
            append(&table, &mut writer, &mut n);
            written.push(picoseconds(began.elapsed()));
            writer.sync().expect("it can be synced");
            synced.push(picoseconds(began.elapsed()));
        }
        loops.push(calibration.time());
        fs::remove_file(&path).expect("the log is there");
    }
    let mut alone = bare_disk(&path, bench.effort.rounds(ANSWERS as u64));
    let calibration_ps = median(&mut loops);
    report.time("the disk alone: median", Time { ps: percentile(&mut alone, 50), calibration_ps }, None);
    for (what, times) in
        [("answer", &mut given), ("answer, written", &mut written), ("answer, on the disk", &mut synced)]
    {
        let budget = |must, reach| (what != "answer").then_some((must, reach));
        let at = |times: &mut Vec<u64>, percent| Time { ps: percentile(times, percent), calibration_ps };
        report.time(&format!("{what}: median"), at(times, 50), budget(2 * MS, MS / 2));
        report.time(&format!("{what}: 99 of 100"), at(times, 99), budget(10 * MS, 3 * MS));
    }
}

/// How long it takes to bring as many bytes as an answer has to the disk, without an engine.
fn bare_disk(path: &Path, n: u64) -> Vec<u64> {
    let mut file = fs::File::create(path).expect("a file can be written");
    let mut times = Vec::new();
    for _ in 0..n {
        let began = Instant::now();
        file.write_all(&[b'.'; ANSWER_BYTES]).expect("it can be written");
        file.sync_data().expect("it can be synced");
        times.push(picoseconds(began.elapsed()));
    }
    fs::remove_file(path).expect("the file is there");
    times
}

fn append(table: &Table, writer: &mut LogWriter, n: &mut usize) {
    table.with_world(|world| {
        table.with_records(|records| {
            writer.append(&records[*n..], world).expect("it can be written");
            *n = records.len();
        });
    });
}

pub(crate) fn load(bench: &Bench, report: &mut Report) {
    let ids = content::games(&bench.roots);
    let time = bench.effort.time(|| {
        ids.iter()
            .map(|id| rules::load(&bench.roots, id, &[]).expect("it loads"))
            .map(|game| game.kinds.len())
            .sum::<usize>()
    });
    report.time("all content loaded", time, Some((100 * MS, 50 * MS)));
    let start = bench.effort.time(|| Table::start(&bench.game, Settings::new(&bench.mission, 1)).map(|_| ()));
    report.time("a game set up, with its scripts", start, None);
}

pub(crate) fn memory(bench: &Bench, report: &mut Report) {
    let Some(before) = resident() else { return };
    let n = bench.effort.rounds(LIVE as u64);
    let first = bench.table_after(120);
    let scripts = (0..n / 10).map(|_| Table::start(&bench.game, Settings::new(&bench.mission, 1))).collect::<Vec<_>>();
    let with_scripts = resident().unwrap_or(before);
    let live: Vec<Table> = (0..n).map(|seed| played(&first, seed)).collect();
    let with_games = resident().unwrap_or(before);
    let logs: Vec<Vec<Record>> = live.iter().map(|table| table.with_records(<[Record]>::to_vec)).collect();
    let with_logs = resident().unwrap_or(before);
    let records: usize = logs.iter().map(Vec::len).sum();
    let log = with_logs.saturating_sub(with_games) / n;
    report.bytes(
        "a game without its log",
        ((with_games - with_scripts) / n).saturating_sub(log),
        Some((512 * 1024, 128 * 1024)),
    );
    report.bytes(&format!("its log of {} records", records as u64 / n), log, None);
    report.bytes("the scripts, once a worker", with_scripts.saturating_sub(before) / (n / 10 + 1), None);
    drop(scripts);
}

fn played(first: &Table, seed: u64) -> Table {
    let table = first.another(seed);
    table.set_responder(Some(Box::new(Random::new(seed, 120))));
    table.advance().expect("it runs");
    table.set_responder(None);
    table
}

/// The memory that is in use, in bytes; none where the system does not say it.
fn resident() -> Option<u64> {
    let path: PathBuf = Path::new("/proc/self/status").into();
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// The mean, without the longest of a hundred, in which something else ran.
fn mean(times: &mut [u64]) -> u64 {
    times.sort_unstable();
    let short = &times[..times.len() - times.len() / 100];
    short.iter().sum::<u64>() / (short.len() as u64).max(1)
}
