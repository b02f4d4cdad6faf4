//! The log of a game as JSON Lines: a header, then one record a line, chained by hashes.
//!
//! A line is `{"n":i,<record>,"hash":"<32 digits>"}`; the hash is that of the previous
//! line's hash text followed by the line without its `hash` field. A unit (the answer of a
//! seat and all that follows) ends with a `mark`, an `undone`, a `standing` or a `fault`; a `kept` is a unit of its own; what
//! follows the last of them does not count and is cut off before anything is appended.

use std::{
    fs::{File, OpenOptions},
    io::Write as _,
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{
    base::{KeyBook, value_to_json},
    kernel::{Record, Schema, World},
};

/// The number of the format that is written here.
pub const LOG_FORMAT: i64 = 1;

/// A pack that a game was played with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackLock {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The hash of its files.
    pub hash: String,
}

/// A file that a game was played with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLock {
    /// Its place in the pack.
    pub path: String,
    /// The hash of its bytes.
    pub hash: String,
}

/// What must be the same for a game to play the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// The engine's version.
    pub engine: String,
    /// The script language's version.
    pub rhai: String,
    /// The derivation of draws, `1`.
    pub chance: String,
    /// The number of the replay rules.
    pub replay: i64,
    /// The packs.
    pub packs: Vec<PackLock>,
    /// The files.
    pub files: Vec<FileLock>,
    /// The most answers in a game.
    pub max_answers: u64,
    /// Whether ties were answered with their first option at the start.
    pub decide_ties: bool,
}

/// The first line of a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The number of the format.
    pub format: i64,
    /// The game.
    pub game: String,
    /// The mission.
    pub mission: String,
    /// The seed of all draws; 0 in the log of a seat, which could work out what will come.
    pub seed: u64,
    /// The seat whose log this is; none for the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The options chosen.
    pub options: Map<String, Json>,
    /// What a campaign has given the mission.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub legacy: Map<String, Json>,
    /// What it was played with.
    pub lock: Lock,
    /// Names and types.
    pub schema: Schema,
}

/// What is wrong with a log, where, and what helps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}; {remedy}", if *line > 0 { format!("line {line}: ") } else { String::new() })]
pub struct LogFault {
    /// The line, counted from 1; 0 for the file as a whole.
    pub line: u64,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// One record of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub n: u64,
    /// The whole line.
    pub json: Json,
    /// Its hash in the chain.
    pub hash: String,
}

impl Line {
    /// Whether the line closes a unit.
    #[must_use]
    pub fn closes(&self) -> bool {
        CLOSING.iter().any(|kind| self.json.get(kind).is_some())
    }
}

/// What was left out at the end of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct CutReport {
    /// The first line left out, counted from 1.
    pub line: u64,
    /// How many lines, a torn one included.
    pub n_lines: u64,
    /// The answers of seats found whole among them.
    pub answered: Vec<Json>,
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFile {
    /// Its first line.
    pub header: Header,
    /// The hash of the first line.
    pub header_hash: String,
    /// Its whole units.
    pub lines: Vec<Line>,
    /// What was left out.
    pub cut: Option<CutReport>,
    /// The length of the header and the whole units.
    pub n_bytes: u64,
}

/// Appends whole units to a log.
#[derive(Debug)]
pub struct LogWriter {
    file: File,
    next: u64,
    hash: String,
    failed: Option<String>,
    /// The length to which the file is cut before the first line is appended.
    cut_to: Option<u64>,
}

/// The records that close a unit.
const CLOSING: [&str; 5] = ["mark", "undone", "standing", "fault", "kept"];

const RESTORE: &str = "restore the file from a copy, or keep only the lines before";
const REOPEN: &str = "open the log again, which checks it";
const TAIL: usize = 43;

/// What is said of a line that is no JSON; which line it is, is said elsewhere.
fn not_json(error: &serde_json::Error) -> String {
    format!("this is not JSON: {error}").replace(" at line 1 column ", ", column ")
}

fn fault(line: u64, what: impl Into<String>, remedy: &str) -> LogFault {
    LogFault { line, what: what.into(), remedy: remedy.into() }
}

fn chain(previous: &str, body: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize().to_hex().chars().take(32).collect()
}

fn sealed(n: u64, key: &str, json: &Json, previous: &str) -> (String, String) {
    let body = format!("{{\"n\":{n},\"{key}\":{json}}}");
    let hash = chain(previous, &body);
    let open = body.strip_suffix('}').unwrap_or(&body);
    (format!("{open},\"hash\":\"{hash}\"}}\n"), hash)
}

impl LogWriter {
    /// Begins a log; an existing file is refused.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Self, LogFault> {
        let failed =
            |error: &dyn std::fmt::Display| fault(0, format!("{}: {error}", path.display()), "choose another file");
        let json = serde_json::to_value(header).map_err(|error| failed(&error))?;
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| failed(&error))?;
        let (text, hash) = sealed(0, "header", &json, "");
        let mut writer = Self { file, next: 1, hash: String::new(), failed: None, cut_to: None };
        writer.write(&text)?;
        writer.hash = hash;
        Ok(writer)
    }

    /// Opens a log to go on with it; what is no whole unit is cut off by the first append.
    ///
    /// # Errors
    /// When the log is not sound or cannot be written.
    pub fn reopen(path: &Path) -> Result<(Self, LogFile), LogFault> {
        let failed = |error: std::io::Error| fault(0, format!("{}: {error}", path.display()), "make the file writable");
        let log = read_log(path)?;
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        let cut_to = log.cut.is_some().then_some(log.n_bytes);
        let hash = log.lines.last().map_or(&log.header_hash, |line| &line.hash).clone();
        Ok((Self { file, next: log.lines.len() as u64 + 1, hash, failed: None, cut_to }, log))
    }

    /// Appends records that make whole units, with the keys of the world as it is now.
    ///
    /// # Errors
    /// When writing fails now or has failed before.
    pub fn append(&mut self, records: &[Record], world: &World) -> Result<(), LogFault> {
        let (mut text, mut next, mut hash) = (String::new(), self.next, self.hash.clone());
        for record in records {
            let json = record.to_json(world);
            for (key, body) in json.as_object().into_iter().flatten() {
                let (line, sealed) = sealed(next, key, body, &hash);
                text.push_str(&line);
                hash = sealed;
            }
            next += 1;
        }
        self.write(&text)?;
        (self.next, self.hash) = (next, hash);
        Ok(())
    }

    /// The hash of the last line that was written.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.hash
    }

    /// Waits until everything written is on the disk.
    ///
    /// # Errors
    /// When that fails now or writing has failed before.
    pub fn sync(&mut self) -> Result<(), LogFault> {
        self.check()?;
        let done = self.file.sync_data();
        self.note(done)
    }

    fn write(&mut self, text: &str) -> Result<(), LogFault> {
        self.check()?;
        let cut = self.cut_to.take().map_or(Ok(()), |n_bytes| self.file.set_len(n_bytes));
        let done = cut.and_then(|()| self.file.write_all(text.as_bytes())).and_then(|()| self.file.flush());
        self.note(done)
    }

    fn check(&self) -> Result<(), LogFault> {
        match &self.failed {
            Some(why) => Err(fault(self.next + 1, format!("the log is read-only since a write failed: {why}"), REOPEN)),
            None => Ok(()),
        }
    }

    fn note(&mut self, done: std::io::Result<()>) -> Result<(), LogFault> {
        done.map_err(|error| {
            self.failed = Some(error.to_string());
            fault(self.next + 1, format!("writing failed: {error}"), REOPEN)
        })
    }
}

/// Reads and checks a log.
///
/// # Errors
/// Names the line that is not as it was written.
pub fn read_log(path: &Path) -> Result<LogFile, LogFault> {
    let bytes = std::fs::read(path)
        .map_err(|error| fault(0, format!("{}: {error}", path.display()), "check the name of the file"))?;
    parse_log(&bytes)
}

/// Checks the bytes of a log.
///
/// # Errors
/// Names the line that is not as it was written.
pub fn parse_log(bytes: &[u8]) -> Result<LogFile, LogFault> {
    if bytes.is_empty() {
        return Err(fault(0, "the file is empty", "give the file of a log"));
    }
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
        return Err(fault(1, "the file begins with a byte order mark", "save it without one"));
    }
    let mut header = None;
    let (mut lines, mut hash, mut end) = (Vec::new(), String::new(), 0);
    let (mut whole, mut n_bytes, mut torn) = (0, 0, false);
    for (at, raw) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let Some(raw_line) = raw.strip_suffix(b"\n") else {
            torn = true;
            break;
        };
        end += raw.len() as u64;
        let text = std::str::from_utf8(raw_line).map_err(|_| fault(at, "not UTF-8", RESTORE))?;
        if header.is_none() {
            check_format(text)?;
        }
        let (json, sealed) = unseal(at, text, &hash)?;
        hash = sealed;
        if header.is_none() {
            header = Some((read_header(&json)?, hash.clone()));
            n_bytes = end;
            continue;
        }
        let n = at - 1;
        lines.push(Line { n, json, hash: hash.clone() });
        if lines.last().is_some_and(Line::closes) {
            (whole, n_bytes) = (lines.len(), end);
        }
    }
    let Some((header, header_hash)) = header else {
        return Err(fault(1, "the header is cut off or missing", "give the file of a log"));
    };
    let rest = lines.split_off(whole);
    let n_lines = rest.len() as u64 + u64::from(torn);
    let cut = (n_lines > 0).then(|| {
        let answers = rest.iter().filter_map(|line| line.json.get("answered"));
        // Answers of private dialogues were kept before, each as a unit.
        let is_private = |body: &Json| body["path"].as_str().is_some_and(|path| path.contains('/'));
        let answered = answers.filter(|body| body["by"] == "seat" && !is_private(body)).cloned().collect();
        CutReport { line: whole as u64 + 2, n_lines, answered }
    });
    Ok(LogFile { header, header_hash, lines, cut, n_bytes })
}

fn unseal(at: u64, text: &str, previous: &str) -> Result<(Json, String), LogFault> {
    let json: Json = serde_json::from_str(text).map_err(|error| fault(at, not_json(&error), RESTORE))?;
    let n = json["n"].as_u64().ok_or_else(|| fault(at, "a line without a number", RESTORE))?;
    if n != at - 1 {
        return Err(fault(at, format!("record {n} stands where record {} is due", at - 1), RESTORE));
    }
    let hash = json["hash"].as_str().ok_or_else(|| fault(at, "a line without a hash", RESTORE))?.to_owned();
    let open = text.len().checked_sub(TAIL).and_then(|len| text.get(..len)).unwrap_or_default();
    if text != format!("{open},\"hash\":\"{hash}\"}}") || chain(previous, &format!("{open}}}")) != hash {
        return Err(fault(at, format!("record {n} or its hash was changed, or a line before it is missing"), RESTORE));
    }
    Ok((json, hash))
}

/// Whether the first line is of this format: how another one is sealed nobody knows here.
fn check_format(text: &str) -> Result<(), LogFault> {
    let json: Json =
        serde_json::from_str(text).map_err(|error| fault(1, not_json(&error), "give the file of a log"))?;
    let body = json.get("header").ok_or_else(|| fault(1, "there is no header", "give the file of a log"))?;
    if body["format"].as_i64() == Some(LOG_FORMAT) {
        return Ok(());
    }
    let what = format!("format {} where {LOG_FORMAT} is read", body["format"]);
    Err(fault(1, what, "open it with the version that wrote it"))
}

fn read_header(json: &Json) -> Result<Header, LogFault> {
    let body = json.get("header").ok_or_else(|| fault(1, "there is no header", "give the file of a log"))?;
    let mut header: Header =
        serde_json::from_value(body.clone()).map_err(|error| fault(1, format!("the header: {error}"), RESTORE))?;
    header.schema = header.schema.indexed();
    Ok(header)
}

/// The world after the records up to number `upto`, from schema and records alone.
///
/// # Errors
/// Names the record that does not fit.
pub fn fold_log(log: &LogFile, upto: Option<u64>) -> Result<World, LogFault> {
    let mut world = World::new(Arc::new(log.header.schema.clone().indexed()));
    let mut live: Vec<(u64, Record)> = Vec::new();
    for (index, line) in (0..).zip(&log.lines) {
        if upto.is_some_and(|upto| line.n > upto) {
            break;
        }
        let wrong = |what: String| fault(line.n + 1, format!("record {}: {what}", line.n), RESTORE);
        let record = Record::from_json(&line.json, &world).map_err(wrong)?;
        match &record {
            Record::Event { changes, .. } => {
                for change in changes {
                    world.fold(change).map_err(|error| wrong(error.0))?;
                }
            }
            Record::Drew { stream, count, .. } => {
                world.fold_draw(*stream, *count).map_err(|error| wrong(error.0))?;
            }
            Record::StepEnd { world: hash } if *hash != world.hash() => {
                return Err(wrong("the world is not the one that the step ended with".into()));
            }
            Record::Undone { to } => {
                while let Some((_, taken)) = live.pop_if(|(number, _)| *number >= *to) {
                    match taken {
                        Record::Event { changes, .. } => {
                            for change in changes.iter().rev() {
                                world.unfold(change).map_err(|error| wrong(error.0))?;
                            }
                        }
                        Record::Drew { stream, count, .. } => world.unfold_draw(stream, count),
                        _ => {}
                    }
                }
                continue;
            }
            Record::Kept { .. } | Record::Fault { .. } | Record::Standing { .. } => continue,
            _ => {}
        }
        live.push((index, record));
    }
    Ok(world)
}

/// An event as one line of text; none for other records.
#[must_use]
pub fn event_line(record: &Record, n: u64, keys: &dyn KeyBook) -> Option<String> {
    let Record::Event { kind, fields, .. } = record else { return None };
    let mut line = format!("{n} {kind}");
    for (field, value) in fields {
        line.push_str(&format!(" {field}={}", plain(&value_to_json(value, keys))));
    }
    Some(line)
}

fn plain(json: &Json) -> String {
    let list = |items: &[Json]| items.iter().map(plain).collect::<Vec<_>>().join(",");
    match json {
        Json::Null => "none".into(),
        Json::String(text) => text.strip_prefix(['@', '#']).unwrap_or(text).into(),
        Json::Array(items) => format!("[{}]", list(items)),
        Json::Object(object) => match (object.get("set"), object.get("map")) {
            (Some(Json::Array(items)), _) => format!("{{{}}}", list(items)),
            (_, Some(Json::Object(map))) => {
                let entries: Vec<String> = map.iter().map(|(key, value)| format!("{key}:{}", plain(value))).collect();
                format!("{{{}}}", entries.join(","))
            }
            _ => json.to_string(),
        },
        other => other.to_string(),
    }
}
