//! Playing a mission: by the random bot, or an answer a line.

use std::{
    collections::BTreeMap,
    io::{self, BufRead as _, Read as _},
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use sandtable::{
    base::{Value, name},
    kernel::{Choice, Record, World},
    rules::{Game, Tally},
    table::{
        Settings, Table,
        bot::Mind,
        differing, legend,
        log::{LogFile, LogWriter, event_line},
        picture, replay, state,
    },
};
use serde_json::{Value as Json, json};

use crate::{
    games::{Packs, Start, prepare},
    journal::{Journal, path_for},
    out::{line, talk},
};

/// The longest line that can be an answer.
const LINE_BYTES_MAX: u64 = 4096;

/// A table and its log, ready to go on.
struct AtTable {
    table: Table,
    journal: Journal,
    /// Who answers, if that is a bot.
    mind: Option<Mind>,
}

/// A new game with a new log; the exit code when there is none, after `failed` was told why a script failed.
fn begin(
    packs: &Packs<'_>,
    mission: &str,
    start: &Start,
    bot: Option<&str>,
    log: Option<&Path>,
    prints: bool,
    failed: impl FnOnce(&Table, &str) -> u8,
) -> Result<AtTable, u8> {
    let Some((game, settings)) = prepare(packs, mission, start) else { return Err(2) };
    let path = log.map_or_else(|| default_log(&game, &settings), Path::to_owned);
    let table = Table::start(&game, settings).map_err(|fault| said(&fault.to_string(), 2))?;
    let mind = bot.map(|bot| Mind::new(&table, bot)).transpose().map_err(|fault| said(&fault, 2))?;
    let seats = table.secret_seats().iter().map(|seat| path_for(&path, *seat));
    if let Some(there) = [path.clone()].into_iter().chain(seats).find(|path| path.exists()) {
        return Err(said(
            &format!("{} exists and is not overwritten\nhint: name another file by --log", there.display()),
            1,
        ));
    }
    table.set_printing(prints);
    if let Err(fault) = table.advance() {
        return Err(failed(&table, &format!("a script failed: {fault}")));
    }
    let journal = Journal::create(&table, &path).map_err(|fault| said(&fault.to_string(), 1))?;
    Ok(AtTable { table, journal, mind })
}

fn default_log(game: &Game, settings: &Settings) -> PathBuf {
    format!("logs/{}-{}-{}.jsonl", game.id, settings.mission, settings.seed).into()
}

fn said(what: &str, code: u8) -> u8 {
    talk(&format!("error: {what}"));
    code
}

pub(crate) fn run(
    packs: &Packs<'_>,
    mission: &str,
    start: &Start,
    bot: &str,
    log: Option<&Path>,
    as_json: bool,
) -> io::Result<u8> {
    let failed = |table: &Table, fault: &str, log: Option<&Path>| {
        if as_json {
            let log = log.map(Path::to_string_lossy);
            let _ = line(&json!({ "fault": fault, "seed": table.settings().seed, "log": log }).to_string());
        }
        let hint =
            log.map_or_else(String::new, |log| format!("\nhint: the log is whole up to there: {}", log.display()));
        said(&format!("{fault}{hint}"), 1)
    };
    let AtTable { table, mut journal, mind } =
        match begin(packs, mission, start, Some(bot), log, false, |table, fault| failed(table, fault, None)) {
            Ok(game) => game,
            Err(code) => return Ok(code),
        };
    let mind = mind.unwrap_or(Mind::Random);
    let mut bot = mind.responder(table.settings().seed, u64::MAX);
    let (mut shown, mut fault) = (0, None);
    loop {
        if let Err(fault) = journal.write(&table) {
            return Ok(said(&fault.to_string(), 1));
        }
        if !as_json {
            shown = show(&table, shown)?;
        }
        let (Some(choice), None) = (table.open(), &fault) else { break };
        let answer = table.with_known_world(choice.seat, |world| bot.answer(world, &choice)).unwrap_or_default();
        fault = table.answer(&answer, 0).err().map(|fault| fault.to_string());
    }
    if let Err(fault) = journal.sync() {
        return Ok(said(&fault.to_string(), 1));
    }
    if let Some(fault) = fault {
        return Ok(failed(&table, &fault, Some(journal.path())));
    }
    talk_of(&mind.take_tally());
    let end = end_json(&table, journal.path());
    if as_json {
        line(&end.to_string())?;
    } else {
        let reason = table.text(end["reason"].as_str().unwrap_or_default());
        let outcome = end["outcome"].as_str().unwrap_or_default();
        line(&format!("{outcome} ({reason}) after {} records; log: {}", end["records"], journal.path().display()))?;
    }
    Ok(0)
}

/// Says where a bot did not do what it meant to.
pub(crate) fn talk_of(tally: &Tally) {
    if tally.cut_short > 0 {
        talk(&format!("warning: the bot's operations were not enough for {} answers", tally.cut_short));
    }
    if let Some(fault) = &tally.first_fault {
        talk(&format!(
            "warning: {} times the bot's advice failed and it answered without, first: {fault}",
            tally.faults
        ));
    }
}

/// How a game has ended, and where its log is.
fn end_json(table: &Table, path: &Path) -> Json {
    let end = table.outcome();
    json!({
        "outcome": end.as_ref().map(|end| &end.outcome), "reason": end.as_ref().map(|end| &end.reason),
        "seed": table.settings().seed, "turns": table.n_turns(), "records": table.with_records(<[Record]>::len),
        "world_hash": table.with_world(World::hash), "log": path.to_string_lossy(),
    })
}

/// Prints the events from record `from` on.
fn show(table: &Table, from: usize) -> io::Result<usize> {
    table.with_world(|world| {
        table.with_records(|records| {
            for (number, record) in records.iter().enumerate().skip(from) {
                match record {
                    Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => {
                        let phase = fields.get(&name("phase")).and_then(Value::as_name).unwrap_or_default();
                        line(&format!("{} -- {}", number + 1, phase.replace('_', " ")))?;
                    }
                    Record::Event { kind, .. } if kind.starts_with("phase_") => {}
                    record => {
                        if let Some(text) = event_line(record, number as u64 + 1, world) {
                            line(&text)?;
                        }
                    }
                }
            }
            Ok(records.len())
        })
    })
}

/// What `play` was asked to do.
pub(crate) struct Wanted<'a> {
    pub(crate) mission: Option<&'a str>,
    pub(crate) start: &'a Start,
    pub(crate) log: Option<&'a Path>,
    pub(crate) resume: Option<&'a Path>,
    pub(crate) json: bool,
}

pub(crate) fn play(packs: &Packs<'_>, wanted: &Wanted<'_>) -> io::Result<u8> {
    let begun = match (wanted.resume, wanted.mission) {
        (Some(log), _) => resume(packs, log),
        (None, mission) => {
            begin(packs, mission.unwrap_or_default(), wanted.start, None, wanted.log, true, |_, fault| said(fault, 1))
        }
    };
    let AtTable { table, mut journal, .. } = match begun {
        Ok(game) => game,
        Err(code) => return Ok(code),
    };
    table.set_printing(true);
    let mut ties_first = table.ties_first();
    let input = lines_of_input();
    let (mut shown, mut asked_at) = (0, None);
    loop {
        if let Err(fault) = journal.write(&table) {
            return Ok(said(&fault.to_string(), 1));
        }
        shown = if wanted.json { show_json(&table, shown, journal.path())? } else { show(&table, shown)? };
        if let Some(end) = table.outcome() {
            if !wanted.json {
                line(&format!("{} ({})", end.outcome, table.text(&end.reason)))?;
            }
            break;
        }
        let Some(choice) = table.open() else { break };
        if !wanted.json {
            // After `help`, `?` or a refusal the board stands where it stood.
            ask(&table, &choice, asked_at != Some(shown))?;
            asked_at = Some(shown);
        }
        let asked = Instant::now();
        let Some(answer) = next_line(&input, &mut journal) else {
            talk(&format!(
                "the log is whole: {0}\nhint: go on with `sandtable play --resume {0}`",
                journal.path().display()
            ));
            break;
        };
        let answer = match answer? {
            Ok(answer) => answer,
            Err(why) => {
                talk(&format!("refused: {why}"));
                continue;
            }
        };
        match answer.trim() {
            "ties" => {
                ties_first = !ties_first;
                table.decide_ties(ties_first);
                talk(if ties_first {
                    "ties are decided for you: the first option"
                } else {
                    "ties are asked from now on"
                });
            }
            "save" => match journal.sync() {
                Ok(()) => talk(&format!("saved: {}", journal.path().display())),
                Err(fault) => return Ok(said(&fault.to_string(), 1)),
            },
            "quit" => break,
            "help" => {
                talk(HELP);
                for row in legend(&table) {
                    talk(&row);
                }
            }
            answer => reply(&table, answer, u64::try_from(asked.elapsed().as_millis()).unwrap_or(u64::MAX)),
        }
    }
    match journal.sync() {
        Ok(()) => Ok(0),
        Err(fault) => Ok(said(&fault.to_string(), 1)),
    }
}

const HELP: &str = "\
an option's number or name answers
?NAME     why something is no answer
@N NAME   answers only if the choice of record N is still open
undo      takes back the last answer
ties      switches whether ties are decided for you
save      waits until the log is on the disk
quit      ends; the log goes on with `play --resume`
marks on the board:";

/// A game that goes on from its log.
fn resume(packs: &Packs<'_>, path: &Path) -> Result<AtTable, u8> {
    let (writer, log) = LogWriter::reopen(path).map_err(|fault| said(&fault.to_string(), 1))?;
    if let Some(seat) = &log.header.seat {
        let what = format!("{} is the log of {seat}, which does not hold the whole game", path.display());
        return Err(said(&format!("{what}\nhint: go on with the game's own log beside it"), 1));
    }
    let game = packs.load(&log.header.game).ok_or(2)?;
    let differs = differing(&log, &game);
    if !differs.is_empty() {
        let what = format!("the log was played with other content; these files differ: {}", differs.join(", "));
        return Err(said(&format!("{what}\nhint: `sandtable verify --current` shows what would be different"), 1));
    }
    let table = again(&game, &log)?;
    table.advance().map_err(|fault| said(&format!("a script failed: {fault}"), 1))?;
    if let Some(cut) = &log.cut {
        talk(&format!("{} lines after the last whole unit are cut, from line {}", cut.n_lines, cut.line));
        for answered in &cut.answered {
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
    Ok(AtTable { table, journal, mind: None })
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

/// A line of input, or why it is none.
type Line = Result<String, String>;

/// The lines of stdin, read aside, so that waiting for one does not hold up syncing.
fn lines_of_input() -> mpsc::Receiver<io::Result<Line>> {
    let (sender, lines) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(line) = line_of(&mut input).transpose() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The next line of an input; none at its end.
fn line_of(input: &mut impl io::BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut n_bytes = 0;
    loop {
        let mut part = Vec::new();
        let n = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut part)?;
        if n_bytes == 0 && n == 0 {
            return Ok(None);
        }
        n_bytes += n as u64;
        let is_end = n == 0 || part.ends_with(b"\n");
        if n_bytes <= LINE_BYTES_MAX {
            bytes.extend(part);
        }
        if is_end {
            break;
        }
    }
    if n_bytes > LINE_BYTES_MAX {
        return Ok(Some(Err(format!("the line has {n_bytes} bytes, an answer has at most {LINE_BYTES_MAX}"))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "the line is not UTF-8".into())))
}

/// The next line; none when there is none. What was not synced for a second is, while it waits.
fn next_line(lines: &mpsc::Receiver<io::Result<Line>>, journal: &mut Journal) -> Option<io::Result<Line>> {
    loop {
        let Some(left) = journal.time_to_sync() else { return lines.recv().ok() };
        match lines.recv_timeout(left.max(Duration::from_millis(1))) {
            Ok(line) => return Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => return None,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if let Err(fault) = journal.sync() {
                    return Some(Err(io::Error::other(fault.to_string())));
                }
            }
        }
    }
}

/// Shows the board, if it has changed, and what is asked.
fn ask(table: &Table, choice: &Choice, with_board: bool) -> io::Result<()> {
    if with_board {
        for row in picture(table) {
            line(&row)?;
        }
    }
    let about = subject(table, choice);
    for state in about.iter().filter_map(|(_, _, state)| state.as_ref()) {
        line(state)?;
    }
    let about: Vec<String> = about.iter().map(|(arg, id, _)| format!("{}: {id}", arg.replace('_', " "))).collect();
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    let at = table.with_records(<[Record]>::len);
    line(&format!("@{at} {}: {}{about}", choice.seat, table.text(&choice.prompt)))?;
    for (number, option) in choice.options().enumerate() {
        let text = table.text(&option.id);
        let text =
            if text.eq_ignore_ascii_case(&option.id.replace('_', " ")) { String::new() } else { format!("  ({text})") };
        line(&format!("  {} {}{text}", number + 1, option.id))?;
    }
    Ok(())
}

/// What a question is about: the argument, its id, and of an entity its state in a line.
fn subject(table: &Table, choice: &Choice) -> Vec<(String, String, Option<String>)> {
    let found = choice.about.iter().filter_map(|(arg, value)| match value {
        Value::Entity(entity) => {
            let (id, state) = state(table, choice.seat, *entity)?;
            Some((arg.to_string(), id, Some(state)))
        }
        Value::Name(text) => Some((arg.to_string(), text.to_string(), None)),
        _ => None,
    });
    found.collect()
}

/// One object: the events from record `from` on, and the open choice or the end.
fn show_json(table: &Table, from: usize, path: &Path) -> io::Result<usize> {
    let (events, at) = table.with_world(|world| {
        table.with_records(|records| {
            let events: Vec<Json> = records
                .iter()
                .enumerate()
                .skip(from)
                .filter(|(_, record)| matches!(record, Record::Event { .. }))
                .map(|(number, record)| {
                    let event = record.to_json(world)["event"].take();
                    json!({ "n": number + 1, "kind": event["kind"], "fields": event["fields"] })
                })
                .collect();
            (events, records.len())
        })
    });
    let choice = table.open().map(|choice| {
        let options: Vec<&str> = choice.options().map(|option| option.id.as_str()).collect();
        let about: BTreeMap<String, String> =
            subject(table, &choice).into_iter().map(|(arg, id, _)| (arg, id)).collect();
        let refused: Vec<Json> = choice
            .candidates
            .iter()
            .filter(|candidate| !candidate.reasons.is_empty())
            .map(|candidate| {
                let reasons: Vec<&str> = candidate.reasons.iter().map(|reason| reason.as_str()).collect();
                json!({ "id": candidate.id.as_str(), "reasons": reasons })
            })
            .collect();
        json!({
            "seat": choice.seat.as_str(), "prompt": choice.prompt.as_str(), "path": choice.path.as_str(),
            "tie": choice.tie, "about": about, "options": options, "refused": refused,
        })
    });
    let end = table.outcome().map(|_| end_json(table, path));
    line(&json!({ "at": at, "events": events, "choice": choice, "end": end }).to_string())?;
    Ok(at)
}

/// Carries out a line of input.
fn reply(table: &Table, input: &str, ms: u64) {
    if input == "undo" {
        if let Err(fault) = table.undo() {
            talk(&fault.to_string());
        }
        return;
    }
    let reasons = |id: &str| table.why_not(id).iter().map(|code| table.text(code)).collect::<Vec<_>>().join("; ");
    if let Some(id) = input.strip_prefix('?') {
        let why = reasons(id.trim());
        return talk(&if why.is_empty() {
            "that is a legal answer".into()
        } else {
            format!("not {}: {why}", id.trim())
        });
    }
    let mut input = input;
    if let Some((at, rest)) = input.strip_prefix('@').and_then(|input| input.split_once(' ')) {
        let now = table.with_records(<[Record]>::len);
        if at.parse() != Ok(now) {
            return talk(&format!("refused: the choice @{at} is not open; the open one is @{now}"));
        }
        input = rest.trim();
    }
    let Some(choice) = table.open() else { return };
    let by_number = input.parse::<usize>().ok().and_then(|n| choice.options().nth(n.checked_sub(1)?));
    let is_named = choice.candidate(input).is_some();
    let id = by_number.filter(|_| !is_named).map_or_else(|| input.to_string(), |candidate| candidate.id.to_string());
    if let Err(fault) = table.answer(&id, ms) {
        let why = reasons(&id);
        talk(&if why.is_empty() { fault.to_string() } else { format!("refused: {why}") });
    }
}
