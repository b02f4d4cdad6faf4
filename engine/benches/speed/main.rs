//! How fast the engine is: every figure of its budget, each beside a fixed calibration loop.
//!
//! `cargo bench -p sandtable -- [BENCH...] [--mission GAME/MISSION] [--samples N] [--once]
//! [--root FOLDER] [--json]`; without names all benches run. `engine/benches/README.md` says
//! what the rows mean and what was measured. `cargo test` runs every bench once, to see that it
//! runs, and times nothing.

/// As in the programs.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod calibration;
mod report;
mod ground;
mod rules;
mod games;
mod small;
mod growth;

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use sandtable::{
    base::Name,
    content,
    rules::{self as engine_rules, Game},
    script::with_stack,
    table::{Settings, Table, bot::Random},
};

use calibration::Effort;
use report::Report;

/// What is measured on: content, a mission of it, and how much effort is spent.
pub(crate) struct Bench {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) game: Arc<Game>,
    pub(crate) mission: Name,
    pub(crate) effort: Effort,
}

/// The benches by name, in the order in which they run.
type Run = fn(&Bench, &mut Report);
const BENCHES: [(&str, Run); 12] = [
    ("games", games::games),
    ("fold", ground::fold),
    ("lines", ground::lines),
    ("reach", ground::reach),
    ("world", ground::world),
    ("script", small::script),
    ("options", rules::options),
    ("answers", rules::answers),
    ("load", rules::load),
    ("memory", rules::memory),
    ("growth", growth::growth),
    ("workers", games::workers),
];

/// What the command line asks for.
#[derive(Default)]
struct Wanted {
    benches: Vec<String>,
    mission: Option<String>,
    roots: Vec<PathBuf>,
    samples: Option<usize>,
    once: bool,
    /// Whether `cargo bench` runs it.
    is_timed: bool,
    json: bool,
}

fn main() -> ExitCode {
    let wanted = match wanted(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    with_stack(|| match prepare(&wanted) {
        Ok(bench) => {
            let mut report = Report::new(format!("{}/{}", bench.game.id, bench.mission));
            for (name, run) in BENCHES {
                if wanted.benches.is_empty() || wanted.benches.iter().any(|known| known == name) {
                    eprintln!("{name} ...");
                    run(&bench, &mut report);
                }
            }
            match (wanted.is_timed, wanted.json) {
                (false, _) => println!("{} figures", report.n_rows()),
                (true, true) => println!("{}", report.json()),
                (true, false) => println!("{}", report.table()),
            }
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    })
}

fn wanted(mut args: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--bench" => wanted.is_timed = true,
            "--json" => wanted.json = true,
            "--once" => wanted.once = true,
            "--mission" => wanted.mission = Some(value()?),
            "--root" => wanted.roots.push(value()?.into()),
            "--samples" => wanted.samples = Some(value()?.parse().map_err(|_| "--samples needs a number")?),
            _ => wanted.benches.push(arg),
        }
    }
    let is_bench = |wanted: &&String| BENCHES.iter().any(|(known, _)| known == wanted);
    match wanted.benches.iter().find(|name| !is_bench(name)) {
        // What a test is asked for is meant for other programs too.
        Some(other) if wanted.is_timed => {
            let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
            Err(format!("there is no bench {other}; there are {}", known.join(", ")))
        }
        _ => Ok(wanted),
    }
}

fn prepare(wanted: &Wanted) -> Result<Bench, String> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let roots = if wanted.roots.is_empty() { vec![own] } else { wanted.roots.clone() };
    let (id, mission) = match &wanted.mission {
        Some(text) => {
            let (id, mission) = text.split_once('/').ok_or(format!("{text} is no game/mission"))?;
            (id.to_owned(), Some(mission))
        }
        None => (content::games(&roots).first().ok_or("there is no game")?.clone(), None),
    };
    let game = engine_rules::load(&roots, &id, &[]).map_err(|defects| defects.to_string())?;
    let known = |known: &&Name| mission.is_none_or(|mission| known.as_str() == mission);
    let mission = *game.missions.keys().find(known).ok_or(format!("{id} has no such mission"))?;
    let effort = Effort { samples: wanted.samples.unwrap_or(61), once: wanted.once || !wanted.is_timed };
    Ok(Bench { roots, game, mission, effort })
}

impl Bench {
    /// A game of the mission in which a random bot has given so many answers.
    pub(crate) fn table_after(&self, n_answers: u64) -> Table {
        let table = Table::start(&self.game, Settings::new(&self.mission, 5)).expect("the mission starts");
        table.set_checking(false);
        table.set_responder(Some(Box::new(Random::new(5, n_answers))));
        table.advance().expect("it runs");
        table.set_responder(None);
        table
    }
}
