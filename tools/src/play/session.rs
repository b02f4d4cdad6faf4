//! A game at the table: its log, answers, refusals, taking back, saving. What shows it and who
//! answers is of no concern here.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use sandtable::{
    base::{Name, name},
    kernel::{By, Choice, Record},
    rules::Game,
    table::{
        AnswerFault, Settings, Table,
        bot::Mind,
        differing,
        log::{LogFault, LogFile, LogWriter, fold_log, read_log},
        picture, replay,
    },
};

use super::why::RuleBook;
use crate::{
    games::{Packs, Start, prepare},
    journal::{Journal, path_for},
    logs::packs_hint,
    out::talk,
};

/// So many answers are named to who gave none of them.
const ANSWERS_TOLD: usize = 10;

/// A table and its log, ready to go on.
pub(crate) struct Session {
    pub(crate) table: Table,
    pub(crate) journal: Journal,
    pub(crate) rules: RuleBook,
    /// Who answers, if that is a bot.
    pub(super) mind: Option<Mind>,
    /// What has to be said before anything else.
    pub(crate) notice: Option<String>,
    /// The command by which it goes on, if that is not `play --resume`.
    pub(crate) go_on: Option<String>,
    /// How many records have been told.
    pub(crate) told: usize,
    /// Whether answers that are grave are asked about before they are given.
    pub(crate) asks_before_grave: bool,
    /// What somebody wrote that begins with a grave answer, about which he is asked.
    pub(super) grave: Option<String>,
    ties_first: bool,
    asked: Instant,
}

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
    Ok(Session { mind, ..Session::new(table, journal) })
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
    Ok(Session { notice, ..Session::new(table, journal) })
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

impl Session {
    pub(super) fn new(table: Table, journal: Journal) -> Self {
        let ties_first = table.ties_first();
        Self {
            table,
            journal,
            rules: RuleBook::default(),
            mind: None,
            notice: None,
            go_on: None,
            told: 0,
            asks_before_grave: false,
            grave: None,
            ties_first,
            asked: Instant::now(),
        }
    }

    /// Writes what is new to the log; from now on the time of the next answer runs.
    pub(crate) fn write(&mut self) -> Result<(), LogFault> {
        self.asked = Instant::now();
        self.journal.write(&self.table)
    }

    /// How many records there are.
    pub(crate) fn at(&self) -> usize {
        self.table.with_records(<[Record]>::len)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.table.outcome().is_some()
    }

    /// How the game has ended, in words.
    pub(crate) fn end(&self) -> Option<String> {
        let end = self.table.outcome()?;
        let reason = self.table.text(&end.reason);
        let outcome = self.table.game().texts.get(&name(&format!("outcome_{}", end.outcome)));
        Some(match outcome {
            Some(outcome) => format!("The game ends with {outcome}: {reason}."),
            None => format!("{} ({reason})", end.outcome.replace('_', " ")),
        })
    }

    /// Whether nobody has answered yet.
    pub(crate) fn is_fresh(&self) -> bool {
        let by_seat = |record: &Record| matches!(record, Record::Answered { answer, .. } if answer.by == By::Seat);
        self.table.with_records(|records| !records.iter().any(by_seat))
    }

    /// Answers the open choice by the id of a candidate.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub(crate) fn answer(&mut self, id: &str) -> Result<(), String> {
        let ms = u64::try_from(self.asked.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.table.answer(id, ms).map_err(|fault| {
            let why = self.reasons(id);
            let is_none = self.table.open().filter(|choice| choice.candidate(id).is_none() && !id.is_empty());
            match is_none {
                Some(choice) => format!("refused: {id} is {}", self.other_than(&choice)),
                None if why.is_empty() => self.told(&fault),
                None => format!("refused: {why}"),
            }
        })
    }

    /// What could be answered instead of what is no answer at all.
    pub(super) fn other_than(&self, choice: &Choice) -> String {
        let all: Vec<&str> = picture::numbered(&self.table, choice).iter().map(|(_, it)| it.id.as_str()).collect();
        let more = if all.len() > ANSWERS_TOLD { ", ..." } else { "" };
        let some = all.iter().take(ANSWERS_TOLD).copied().collect::<Vec<_>>().join(", ");
        format!("not among the answers to `{}`: {some}{more}", self.table.text(&choice.prompt))
    }

    /// A fault in words.
    fn told(&self, fault: &AnswerFault) -> String {
        match fault {
            AnswerFault::Refused(refused) => {
                let texts: Vec<String> = refused.reasons.iter().map(|code| self.table.text(code)).collect();
                format!("refused: {}", texts.join("; "))
            }
            AnswerFault::Fault(_) => fault.to_string(),
        }
    }

    /// Why an id is no legal answer; empty if it is.
    pub(crate) fn reasons(&self, id: &str) -> String {
        let open = self.table.open();
        let named = open.as_ref().and_then(|choice| Some((choice, choice.candidate(id)?)));
        let told = |code: &Name| match named {
            Some((choice, candidate)) => self.rules.reason(&self.table, choice, candidate, *code),
            None => self.table.text(code),
        };
        self.table.why_not(id).iter().map(told).collect::<Vec<_>>().join("; ")
    }

    /// Takes back the last answer.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        self.table.undo().map_err(|fault| self.told(&fault))
    }

    /// Whether an answer can be taken back now by whoever is asked, or was asked last.
    pub(crate) fn can_undo(&self) -> bool {
        let seats = &self.table.game().seats;
        seats.iter().any(|seat| self.table.check_undo(seat).is_ok())
    }

    /// Switches whether ties are decided; says how it is now.
    pub(crate) fn switch_ties(&mut self) -> &'static str {
        self.ties_first = !self.ties_first;
        self.table.decide_ties(self.ties_first);
        if self.ties_first { "ties are decided for you: the first option" } else { "ties are asked from now on" }
    }

    /// What is said of an answer that somebody asks about: what it is, and why it may not be given.
    pub(crate) fn explain(&self, text: &str) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        match self.meant(&choice, text) {
            Some(candidate) => self.rules.explain(&self.table, &choice, candidate),
            None => vec![format!("{text} is {}", self.other_than(&choice))],
        }
    }

    /// Why a square is no answer: the same, or by which rules it is asked.
    pub(crate) fn explain_square(&self, name: &str) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        if self.meant(&choice, name).is_some() {
            return self.explain(name);
        }
        let mut lines = vec![format!("{name} cannot be chosen here."), String::new()];
        lines.extend(self.rules.question(&self.table, &choice));
        lines
    }

    /// What is asked, how to ask about an answer, and what is not offered now: why, and what.
    pub(crate) fn not_offered(&self) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        let mut lines = self.rules.question(&self.table, &choice);
        let example =
            picture::numbered(&self.table, &choice).first().map_or("NAME".into(), |(_, it)| it.id.to_string());
        lines.push(format!("?NAME says what an answer is, by which rule, or why it is none: ?{example}"));
        let numbers = picture::with_numbers(&self.table, &choice);
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for candidate in choice.candidates.iter().filter(|candidate| !candidate.reasons.is_empty()) {
            let reasons: Vec<String> = candidate.reasons.iter().map(|code| self.table.text(code)).collect();
            let why = reasons.join("; ");
            let label = picture::label(&self.table, &choice, candidate).0;
            let number = numbers.iter().find(|(_, it)| it.id == candidate.id);
            let label = number.map_or_else(|| label.clone(), |(number, _)| format!("{number} {label}"));
            match found.iter_mut().find(|(known, _)| *known == why) {
                Some((_, labels)) => labels.push(label),
                None => found.push((why, vec![label])),
            }
        }
        lines.extend(found.into_iter().map(|(why, labels)| format!("not now, {why}: {}", labels.join(", "))));
        lines
    }

    /// How the game goes on another time.
    pub(crate) fn how_to_go_on(&self) -> String {
        let path = self.journal.path().display();
        if self.is_over() {
            format!("the log is whole: {path}")
        } else {
            let go_on = || format!("{} play --resume {path}", called());
            let go_on = self.go_on.clone().unwrap_or_else(go_on);
            format!("the log is whole: {path}\nhint: go on with `{go_on}`")
        }
    }
}
