//! How a game at the table begins, or goes on from its log.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use sandtable::{
    rules::Game,
    table::{
        Settings, Table,
        bot::Mind,
        differing,
        log::{LogFile, LogWriter, fold_log, read_log},
        replay,
    },
};

use super::session::Session;
use crate::{
    games::{Packs, Start, prepare},
    journal::{Journal, path_for},
    logs::packs_hint,
    out::talk,
};

/// How a game is begun or gone on with.
pub(crate) struct Wanted<'a> {
    pub(crate) mission: Option<&'a str>,
    pub(crate) start: &'a Start,
    pub(crate) log: Option<&'a Path>,
    pub(crate) resume: Option<&'a Path>,
    pub(crate) json: bool,
    pub(crate) lines: bool,
}

/// A new game with a new log; the exit code when there is none, after `failed` was told why a script failed.
pub(super) fn begin(
    packs: &Packs<'_>,
    mission: &str,
    start: &Start,
    bot: Option<&str>,
    log: Option<&Path>,
    prints: bool,
    failed: impl FnOnce(&Table, &str) -> u8,
) -> Result<Session, u8> {
    let Some((game, settings)) = prepare(packs, mission, start) else { return Err(2) };
    let path = log.map_or_else(|| default_log(&game, &settings), Path::to_owned);
    begin_at(&game, settings, bot, &path, prints, failed)
}

/// As [`begin`], of a game that is loaded.
pub(super) fn begin_at(
    game: &Arc<Game>,
    settings: Settings,
    bot: Option<&str>,
    path: &Path,
    prints: bool,
    failed: impl FnOnce(&Table, &str) -> u8,
) -> Result<Session, u8> {
    let table = Table::start(game, settings).map_err(|fault| said(&fault.to_string(), 2))?;
    let mind = bot.map(|bot| Mind::new(&table, bot)).transpose().map_err(|fault| said(&fault, 2))?;
    let seats = table.secret_seats().iter().map(|seat| path_for(path, *seat));
    if let Some(there) = [path.to_owned()].into_iter().chain(seats).find(|path| path.exists()) {
        let other = "name another file by --log, or another --seed";
        let hint = if is_finished(path) {
            format!("that game is over; {other}")
        } else {
            format!("{other}, or go on with this one by `{} play --resume {}`", called(), path.display())
        };
        return Err(said(&format!("{} exists and is not overwritten\nhint: {hint}", there.display()), 1));
    }
    table.set_printing(prints);
    if let Err(fault) = table.advance() {
        return Err(failed(&table, &format!("a script failed: {fault}")));
    }
    let journal = Journal::create(&table, path).map_err(|fault| said(&fault.to_string(), 1))?;
    let mut session = Session::new(table, journal);
    session.mind = mind;
    Ok(session)
}

/// Whether a log is that of a game with an end.
fn is_finished(path: &Path) -> bool {
    let log = read_log(path);
    log.and_then(|log| fold_log(&log, None)).is_ok_and(|world| !world.outcome().is_none())
}

fn default_log(game: &Game, settings: &Settings) -> PathBuf {
    format!("logs/{}-{}-{}.jsonl", game.id, settings.mission, settings.seed).into()
}

/// How the program was called, with the content that it was to load.
pub(crate) fn called() -> String {
    let mut args = std::env::args_os().map(|arg| quoted(&arg.to_string_lossy()));
    let mut words = vec![args.next().unwrap_or_else(|| "sandtable".into())];
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--root" | "--without" => words.extend([Some(arg), args.next()].into_iter().flatten()),
            other
                if ["--root=", "--without="]
                    .iter()
                    .any(|option| other.trim_start_matches('\'').starts_with(option)) =>
            {
                words.push(arg);
            }
            _ => {}
        }
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%\\".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Says what is wrong; gives the exit code.
pub(super) fn said(what: &str, code: u8) -> u8 {
    talk(&format!("error: {what}"));
    code
}

/// A game that goes on from its log.
pub(super) fn resume(packs: &Packs<'_>, path: &Path) -> Result<Session, u8> {
    let (writer, log) = LogWriter::reopen(path).map_err(|fault| said(&fault.to_string(), 1))?;
    if let Some(seat) = &log.header.seat {
        let what = format!("{} is the log of {seat}, which does not hold the whole game", path.display());
        return Err(said(&format!("{what}\nhint: go on with the game's own log beside it"), 1));
    }
    let game = packs.load(&log.header.game).ok_or(2)?;
    go_on(&game, path, writer, &log)
}

/// As [`resume`], of a game that is loaded.
pub(super) fn resume_on(game: &Arc<Game>, path: &Path) -> Result<Session, u8> {
    let (writer, log) = LogWriter::reopen(path).map_err(|fault| said(&format!("{}: {fault}", path.display()), 1))?;
    go_on(game, path, writer, &log)
}

fn go_on(game: &Arc<Game>, path: &Path, writer: LogWriter, log: &LogFile) -> Result<Session, u8> {
    let differs = differing(log, game);
    if !differs.is_empty() {
        let what = format!("the log was played with other content; these files differ: {}", differs.join(", "));
        let hint = packs_hint(log, game);
        let hint = hint.unwrap_or_else(|| "hint: `sandtable verify --current` shows what would be different".into());
        return Err(said(&format!("{what}\n{hint}"), 1));
    }
    let table = again(game, log)?;
    table.advance().map_err(|fault| said(&format!("a script failed: {fault}"), 1))?;
    let mut notice = None;
    if let Some(cut) = &log.cut {
        let what = format!("warning: {} lines after the last whole unit are cut, from line {}", cut.n_lines, cut.line);
        talk(&what);
        notice = Some(what);
        // What was reported is reported again by whoever has it.
        for answered in cut.answered.iter().filter(|answered| answered.get("report").is_none()) {
            let text = |key: &str| answered[key].as_str().unwrap_or_default();
            let ms = answered["ms"].as_u64().unwrap_or_default();
            match table.answer_to(text("seat"), text("path"), text("answer"), ms) {
                Ok(()) => talk(&format!("the answer {} among them is given again", text("answer"))),
                Err(fault) => talk(&format!("the answer {} among them is not given again: {fault}", text("answer"))),
            }
        }
    }
    let mut journal = Journal::after(writer, path, log.lines.len());
    journal.reopen_seats(&table).map_err(|fault| said(&fault.to_string(), 1))?;
    let mut session = Session::new(table, journal);
    session.notice = notice;
    Ok(session)
}

/// The table where a log ends, if every record comes again.
fn again(game: &Arc<Game>, log: &LogFile) -> Result<Table, u8> {
    let again = replay(game, log).map_err(|fault| said(&fault.to_string(), 1))?;
    match again.compare(log).difference {
        None => Ok(again.table),
        Some(other) => {
            let what =
                format!("the log does not come again: record {} was {} and is {}", other.number, other.was, other.is);
            Err(said(&format!("{what}\nhint: `sandtable fork` keeps what comes before"), 1))
        }
    }
}
