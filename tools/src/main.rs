//! The command line of Sandtable.
//!
//! Data goes to stdout, talk to stderr. Exit codes: 0 as asked, 1 found something or
//! refused, 2 bad usage or content, 70 a bug of ours.

mod games;
mod logs;
mod out;
mod tests;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

/// Play, run and verify tactical board games from their content.
#[derive(Parser)]
#[command(name = "sandtable", version)]
struct Cli {
    /// A folder with `content/` and `scripts/`; several stack.
    #[arg(long, global = true, default_value = ".")]
    root: Vec<PathBuf>,
    /// Leave a pack out: `game/pack`.
    #[arg(long, global = true)]
    without: Vec<String>,
    #[command(subcommand)]
    command: Command,
}

/// How a game is started.
#[derive(Args)]
struct Start {
    /// `game/mission`, such as the ones that `list` names.
    mission: String,
    /// The seed of all chance; drawn, printed and recorded if it is left out.
    #[arg(long)]
    seed: Option<u64>,
    /// An option of the mission: `name=value`.
    #[arg(long)]
    option: Vec<String>,
    /// Where the log goes; `logs/<game>-<mission>-<seed>.jsonl` if it is left out.
    #[arg(long)]
    log: Option<PathBuf>,
    /// After so many answers the game counts as unfinished.
    #[arg(long, default_value_t = 20_000)]
    max_answers: u64,
}

#[derive(Subcommand)]
enum Command {
    /// Name the games, or the missions of one.
    List {
        /// The game.
        game: Option<String>,
    },
    /// Load everything and report every defect.
    Check,
    /// Let the random bot play a mission, and write its log.
    Run {
        #[command(flatten)]
        start: Start,
        /// Print one JSON object at the end, and nothing else.
        #[arg(long)]
        json: bool,
    },
    /// Play a mission, an answer a line.
    Play {
        #[command(flatten)]
        start: Start,
    },
    /// Prove a log: its chain, its fold, and that the same answers give it again.
    Verify {
        /// The log.
        log: PathBuf,
        /// Run it again on the loaded content even if that has changed, and show the first difference.
        #[arg(long)]
        current: bool,
    },
    /// The world after a record, by its events alone, as JSON.
    Replay {
        /// The log.
        log: PathBuf,
        /// The number of the record.
        #[arg(long)]
        at: u64,
    },
    /// An event with its changes and its cause, and where that stands in the content.
    Explain {
        /// The log.
        log: PathBuf,
        /// The number of the event.
        record: u64,
    },
    /// Run content tests; exit code 1 when a case fails or a snapshot has changed.
    Test {
        /// Only test files whose path holds this.
        path: Option<String>,
        /// Only cases whose name holds this; shows what happens in them.
        #[arg(long)]
        case: Option<String>,
        /// Write changed snapshots, after you have read them.
        #[arg(long)]
        accept: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Which rules of the rulebook passing tests show.
    Rules {
        /// The game.
        game: Option<String>,
        /// Name only what is missing; exit code 1 when something is.
        #[arg(long)]
        check: bool,
        /// Print one JSON object a game.
        #[arg(long)]
        json: bool,
    },
    /// Play many games by the random bot and count how they end.
    Simulate {
        #[command(flatten)]
        start: Start,
        /// How many games.
        #[arg(short = 'n', long, default_value_t = 100)]
        games: u64,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let ran = std::panic::catch_unwind(|| sandtable::script::with_stack(|| run(&cli)));
    match ran {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            out::talk(&format!("error: {error}"));
            ExitCode::from(1)
        }
        Err(_) => {
            out::talk("this is a bug of ours: please report the command and the log");
            ExitCode::from(70)
        }
    }
}

fn run(cli: &Cli) -> std::io::Result<u8> {
    let packs = games::Packs { roots: &cli.root, without: &cli.without };
    match &cli.command {
        Command::List { game } => games::list(&packs, game.as_deref()),
        Command::Check => games::check(&packs),
        Command::Run { start, json } => games::run(&packs, start, *json),
        Command::Play { start } => games::play(&packs, start),
        Command::Simulate { start, games } => games::simulate(&packs, start, *games),
        Command::Test { path, case, accept, json } => {
            let (path, case) = (path.as_deref(), case.as_deref());
            tests::test(&packs, &tests::Wanted { path, case, accept: *accept, json: *json })
        }
        Command::Rules { game, check, json } => tests::rules(&packs, game.as_deref(), *check, *json),
        Command::Replay { log, at } => logs::replay(log, *at),
        Command::Explain { log, record } => logs::explain(&packs, log, *record),
        Command::Verify { log, current } => logs::verify(&packs, log, *current),
    }
}
