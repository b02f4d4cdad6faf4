//! The command line of Sandtable.
//!
//! Data goes to stdout, talk to stderr. Exit codes: 0 as asked, 1 found something or
//! refused, 2 bad usage or content, 70 a bug of ours.

mod help;
mod games;
mod functions;
mod play;
mod journal;
mod logs;
mod show;
mod sight;
mod simulate;
mod profile;
mod threads;
mod tests;
mod difference;
mod mutate;
mod reach;
mod pages;
mod out;
mod yaml;

use std::{num::NonZero, path::PathBuf, process::ExitCode};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use games::{Player, Start};
use mimalloc::MiMalloc;
use sandtable::testkit::Scope;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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

#[derive(Subcommand)]
enum Command {
    /// Name the games, or the missions of one.
    List {
        /// The game.
        game: Option<String>,
        /// Instead what scripts and expressions can call; with a game its terms and scripts too.
        #[arg(long)]
        functions: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// A record of a game: where it stands, its source, its text, and what names it.
    Show {
        /// The game.
        game: String,
        /// The record: `section.id`, or an id of any section; a section alone lists its records.
        id: String,
        /// The id, when only its section stands before.
        own: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Load everything and report every defect.
    Check {
        /// Print the packs in the order in which they are loaded.
        #[arg(long)]
        order: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Let a bot play a mission, and write its log.
    Run {
        /// `game/mission`, such as the ones that `list` names.
        mission: String,
        #[command(flatten)]
        start: Start,
        #[command(flatten)]
        player: Player,
        /// Where the log goes; `logs/<game>-<mission>-<seed>.jsonl` if it is left out.
        #[arg(long)]
        log: Option<PathBuf>,
        /// Print one JSON object at the end, and nothing else.
        #[arg(long)]
        json: bool,
    },
    /// Play a mission: on a full screen, or an answer a line.
    Play {
        /// `game/mission`, such as the ones that `list` names.
        #[arg(required_unless_present = "resume")]
        mission: Option<String>,
        #[command(flatten)]
        start: Start,
        /// Where the log goes; `logs/<game>-<mission>-<seed>.jsonl` if it is left out.
        #[arg(long)]
        log: Option<PathBuf>,
        /// Go on with this log.
        #[arg(long, value_name = "LOG", conflicts_with_all = ["mission", "seed", "option", "log"])]
        resume: Option<PathBuf>,
        /// An answer a line, without control of the cursor, as it is when there is no terminal.
        #[arg(long)]
        line: bool,
        /// Print one JSON object for each state.
        #[arg(long)]
        json: bool,
    },
    /// Play a campaign: missions in a row, each with a log of its own beside that of the campaign.
    Campaign {
        /// `game/campaign`, such as the ones that `list GAME` names.
        #[arg(required_unless_present = "resume")]
        campaign: Option<String>,
        /// The seed of all chance, that of the missions too; drawn, printed and recorded if it is left out.
        #[arg(long, allow_negative_numbers = true)]
        seed: Option<u64>,
        /// After so many answers a mission counts as unfinished.
        #[arg(long, default_value_t = 20_000, value_name = "N")]
        max_answers: u64,
        /// The bot that answers: `random`, or one of the game's section `bots`; you, if it is left out.
        #[arg(long, value_name = "NAME")]
        bot: Option<String>,
        /// The folder for the logs; `logs/<game>-<campaign>-<seed>` if it is left out.
        #[arg(long, value_name = "DIR")]
        log: Option<PathBuf>,
        /// Go on with the campaign in this folder.
        #[arg(long, value_name = "DIR", conflicts_with_all = ["campaign", "seed", "log"])]
        resume: Option<PathBuf>,
        /// An answer a line, without control of the cursor, as it is when there is no terminal.
        #[arg(long)]
        line: bool,
        /// Print one JSON object for each state of a mission, and one at the end of the campaign.
        #[arg(long)]
        json: bool,
    },
    /// A new log with the units of another up to the one that holds a record.
    Fork {
        /// The log.
        log: PathBuf,
        /// The number of the record.
        #[arg(long)]
        at: u64,
        /// Where the new log goes; `logs/<game>-<mission>-<seed>-at-<n>.jsonl` if it is left out.
        #[arg(long = "log", value_name = "NEW")]
        new: Option<PathBuf>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Prove a log: its chain, its fold, and that the same answers give it again.
    Verify {
        /// The log.
        log: PathBuf,
        /// Run it again on the loaded content even if that has changed, and show the first difference.
        #[arg(long)]
        current: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
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
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// What the line between two squares crosses, and which row of each sight record decides.
    Sight {
        /// `game/mission`: its board, as it is set up until the first choice.
        mission: String,
        /// The first square.
        from: String,
        /// The second square.
        to: String,
        #[command(flatten)]
        start: Start,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
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
        /// Change the content, one small thing at a time, and name the changes that no case
        /// notices; exit code 1 when there is one that is not excused.
        #[arg(long, conflicts_with_all = ["case", "accept"])]
        mutate: bool,
        /// Change only files of this pack: `game/pack`.
        #[arg(long, requires = "mutate", value_name = "GAME/PACK")]
        pack: Option<String>,
        /// Change only this record, or section.
        #[arg(long, requires = "mutate", value_name = "SECTION.ID")]
        only: Option<String>,
        /// Exit code 1 when less than this share is noticed, whatever survives.
        #[arg(long, requires = "mutate", value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
        at_least: Option<u8>,
        /// How many threads change content; as many as there are cores if it is left out.
        #[arg(long, requires = "mutate")]
        threads: Option<NonZero<usize>>,
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
        /// Name what neither a case nor a random game of any mission ever comes to; exit code 1
        /// when there is something that is not excused.
        #[arg(long, requires = "game", conflicts_with = "check")]
        reach: bool,
        /// How many random games of each mission are played; their seeds follow each other.
        #[arg(long, requires = "reach", default_value_t = 100)]
        games: u64,
        /// The seed of the first of them.
        #[arg(long, requires = "reach", default_value_t = 1)]
        seed: u64,
        /// Print one JSON object a game.
        #[arg(long)]
        json: bool,
    },
    /// Play many games by a bot and count how they end.
    Simulate {
        /// `game/mission`, such as the ones that `list` names.
        mission: String,
        #[command(flatten)]
        start: Start,
        #[command(flatten)]
        player: Player,
        /// How many games; their seeds follow each other.
        #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
        games: u64,
        /// How many threads; as many as there are cores if it is left out.
        #[arg(long)]
        threads: Option<NonZero<usize>>,
        /// Check after every event what must always hold, as tests and `play` do.
        #[arg(long)]
        check: bool,
        /// How often each phase, function, query, term, value and question is used, and how long
        /// it takes.
        #[arg(long)]
        profile: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Completions for a shell, to stdout.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// The man page to stdout, or a page for each command into a folder.
    Man {
        /// The folder.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let command = help::with_examples(Cli::command());
    let cli = match Cli::from_arg_matches(&command.get_matches()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
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
    // So that a test can see what becomes of a bug.
    assert!(!cfg!(debug_assertions) || std::env::var_os("SANDTABLE_BUG").is_none(), "a bug was asked for");
    let packs = games::Packs { roots: &cli.root, without: &cli.without };
    if !packs.are_named() {
        return Ok(2);
    }
    match &cli.command {
        Command::Completions { shell } => pages::completions(Cli::command(), *shell),
        Command::Man { out } => pages::man(Cli::command(), out.as_deref()),
        Command::List { game, functions: true, json } => functions::list(&packs, game.as_deref(), *json),
        Command::List { game, json, .. } => games::list(&packs, game.as_deref(), *json),
        Command::Show { game, id, own, json } => {
            let id = own.as_ref().map_or_else(|| id.clone(), |own| format!("{id}.{own}"));
            show::show(&packs, game, &id, *json)
        }
        Command::Check { order, json } => games::check(&packs, *order, *json),
        Command::Run { mission, start, player, log, json } => {
            play::run(&packs, mission, start, &player.bot, log.as_deref(), *json)
        }
        Command::Play { mission, start, log, resume, line, json } => {
            let (mission, log, resume) = (mission.as_deref(), log.as_deref(), resume.as_deref());
            play::play(&packs, &play::Wanted { mission, start, log, resume, json: *json, lines: *line })
        }
        Command::Campaign { campaign, seed, max_answers, bot, log, resume, line, json } => {
            let start = Start { seed: *seed, max_answers: *max_answers, ..Start::default() };
            let (folder, resume) = (log.as_deref(), resume.as_deref());
            let (campaign, bot) = (campaign.as_deref(), bot.as_deref());
            let wanted =
                play::WantedCampaign { campaign, start: &start, folder, resume, bot, json: *json, lines: *line };
            play::campaign(&packs, &wanted)
        }
        Command::Fork { log, at, new, json } => logs::fork(log, *at, new.as_deref(), *json),
        Command::Verify { log, current, json } => logs::verify(&packs, log, *current, *json),
        Command::Replay { log, at } => logs::replay(log, *at),
        Command::Explain { log, record, json } => logs::explain(&packs, log, *record, *json),
        Command::Sight { mission, from, to, start, json } => sight::sight(&packs, mission, start, [from, to], *json),
        Command::Test { path, mutate: true, pack, only, at_least, threads, json, .. } => {
            let path = path.as_ref().map(|path| packs.below_root(path));
            let scope = Scope { pack: pack.clone(), only: only.clone(), path: path.clone() };
            let (at_least, threads, path) = (*at_least, *threads, path.as_deref());
            mutate::mutate(&packs, &mutate::Wanted { scope, threads, at_least, json: *json, path })
        }
        Command::Test { path, case, accept, json, .. } => {
            let path = path.as_ref().map(|path| packs.below_root(path));
            let (path, case) = (path.as_deref(), case.as_deref());
            tests::test(&packs, &tests::Wanted { path, case, accept: *accept, json: *json })
        }
        Command::Rules { game: Some(game), reach: true, games, seed, json, .. } => {
            reach::reach(&packs, game, &reach::Wanted { games: *games, seed: *seed, json: *json })
        }
        Command::Rules { game, check, json, .. } => tests::rules(&packs, game.as_deref(), *check, *json),
        Command::Simulate { mission, start, player, games, threads, check, profile, json } => {
            let (check, profile, bot) = (*check, *profile, player.bot.as_str());
            let games = simulate::Games { n: *games, threads: *threads, json: *json, check, profile, bot };
            simulate::simulate(&packs, mission, start, &games)
        }
    }
}
