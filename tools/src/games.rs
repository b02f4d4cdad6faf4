//! Commands that load content and play: list, check, run, play, simulate.

use std::{
    fs,
    hash::{BuildHasher as _, Hasher as _},
    io::{self, BufRead as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use sandtable::{
    base::{Value, name},
    content::{Defects, games},
    kernel::Record,
    rules::{self, Game},
    table::{
        Settings, Table,
        bot::Random,
        log::{LogWriter, event_line},
        picture,
    },
};

use crate::{
    Start,
    out::{line, talk},
};

/// Which content is loaded.
pub(crate) struct Packs<'a> {
    pub(crate) roots: &'a [PathBuf],
    pub(crate) without: &'a [String],
}

impl Packs<'_> {
    /// Loads a game, or reports every defect.
    pub(crate) fn load(&self, game: &str) -> Option<Arc<Game>> {
        match rules::load(self.roots, game, self.without) {
            Ok(game) => Some(game),
            Err(defects) => {
                report(defects);
                None
            }
        }
    }
}

pub(crate) fn report(defects: Defects) {
    let n = defects.0.len();
    for defect in defects.0 {
        talk(&format!("{:?}", miette::Report::new(defect)));
    }
    talk(&format!("{n} defect{}; nothing was loaded", if n == 1 { "" } else { "s" }));
}

pub(crate) fn list(packs: &Packs<'_>, game: Option<&str>) -> io::Result<u8> {
    let Some(game) = game else {
        for game in games(packs.roots) {
            line(&game)?;
        }
        return Ok(0);
    };
    let Some(game) = packs.load(game) else { return Ok(2) };
    for (id, mission) in &game.missions {
        line(&format!("{}/{id}  {}", game.id, mission.title))?;
        line(&format!("    {}", mission.briefing))?;
        for (option, values) in &mission.options {
            let values: Vec<&str> = values.keys().map(|value| value.as_str()).collect();
            line(&format!("    --option {option}={}", values.join("|")))?;
        }
    }
    Ok(0)
}

pub(crate) fn check(packs: &Packs<'_>) -> io::Result<u8> {
    let mut code = 0;
    for id in games(packs.roots) {
        let Some(game) = packs.load(&id) else {
            code = 2;
            continue;
        };
        for warning in &game.warnings {
            talk(&format!("warning: {warning}"));
        }
        let Some(mission) = game.missions.keys().next() else { continue };
        match Table::start(&game, Settings::new(mission, 0)) {
            Ok(_) => line(&format!("{id}: {} packs, {} files, no defects", game.packs.len(), game.files.len()))?,
            Err(fault) => {
                talk(&format!("{id}: {fault}"));
                code = 2;
            }
        }
    }
    Ok(code)
}

/// The table of a command line, and the name of its log; none after what was wrong has been said.
fn start(packs: &Packs<'_>, start: &Start) -> Option<(Table, PathBuf)> {
    let Some((game_id, mission)) = start.mission.split_once('/') else {
        talk(&format!("error: {} is no mission; write game/mission, and see `sandtable list`", start.mission));
        return None;
    };
    let game = packs.load(game_id)?;
    let seed = start.seed.unwrap_or_else(|| {
        let drawn = std::hash::RandomState::new().build_hasher().finish() % 1_000_000;
        talk(&format!("seed {drawn}"));
        drawn
    });
    let mut settings = Settings::new(mission, seed);
    settings.answers_max = start.max_answers;
    for option in &start.option {
        let Some((key, value)) = option.split_once('=') else {
            talk(&format!("error: {option} is no option; write name=value"));
            return None;
        };
        settings.options.insert(name(key), name(value));
    }
    match Table::start(&game, settings) {
        Ok(table) => {
            let log = start.log.clone().unwrap_or_else(|| format!("logs/{game_id}-{mission}-{seed}.jsonl").into());
            Some((table, log))
        }
        Err(fault) => {
            talk(&format!("error: {fault}"));
            None
        }
    }
}

/// A new log, or none after it was said why not.
fn create(table: &Table, path: &Path) -> Option<LogWriter> {
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    match LogWriter::create(path, &table.header()) {
        Ok(writer) => Some(writer),
        Err(fault) => {
            talk(&format!("error: {fault}"));
            None
        }
    }
}

pub(crate) fn run(packs: &Packs<'_>, begin: &Start, json: bool) -> io::Result<u8> {
    let Some((table, path)) = start(packs, begin) else { return Ok(2) };
    let Some(mut writer) = create(&table, &path) else { return Ok(1) };
    table.set_responder(Some(Box::new(Random::new(table.settings().seed, begin.max_answers))));
    let ran = table.advance();
    let written = table.with_world(|world| table.with_records(|records| writer.append(records, world)));
    if let Err(fault) = written.and_then(|()| writer.sync()) {
        talk(&format!("error: {fault}"));
        return Ok(1);
    }
    if let Err(fault) = ran {
        talk(&format!("error: a script failed: {fault}"));
        return Ok(1);
    }
    if !json {
        show(&table, 0)?;
    }
    let outcome = table.outcome();
    let (outcome, reason) = outcome.map_or(("unfinished".into(), String::new()), |end| (end.outcome, end.reason));
    let n_records = table.with_records(<[Record]>::len);
    let is_turn = |record: &&Record| match record {
        Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => {
            let phase = fields.get(&name("phase")).and_then(Value::as_name).unwrap_or_default();
            table.game().phases.get(&phase).is_some_and(|phase| phase.is_turn)
        }
        _ => false,
    };
    let turns = table.with_records(|records| records.iter().filter(is_turn).count());
    let path = path.to_string_lossy();
    if json {
        line(
            &serde_json::json!({
                "outcome": outcome, "reason": reason, "seed": table.settings().seed, "turns": turns,
                "records": n_records, "world_hash": table.with_world(sandtable::kernel::World::hash), "log": path,
            })
            .to_string(),
        )?;
    } else {
        line(&format!("{outcome} ({}) after {n_records} records; log: {path}", table.text(&reason)))?;
    }
    Ok(0)
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

pub(crate) fn play(packs: &Packs<'_>, begin: &Start) -> io::Result<u8> {
    let Some((table, path)) = start(packs, begin) else { return Ok(2) };
    let Some(mut writer) = create(&table, &path) else { return Ok(1) };
    let (mut written, mut shown) = (0, 0);
    let mut input = io::stdin().lock().lines();
    if let Err(fault) = table.advance() {
        talk(&format!("error: a script failed: {fault}"));
        return Ok(1);
    }
    loop {
        let saved = table.with_world(|world| table.with_records(|records| writer.append(&records[written..], world)));
        if let Err(fault) = saved {
            talk(&format!("error: {fault}"));
            return Ok(1);
        }
        written = table.with_records(<[Record]>::len);
        shown = show(&table, shown)?;
        if let Some(end) = table.outcome() {
            line(&format!("{} ({})", end.outcome, table.text(&end.reason)))?;
            break;
        }
        let Some(choice) = table.open() else { break };
        for row in picture(&table) {
            line(&row)?;
        }
        line(&table.text(&choice.prompt))?;
        for (number, option) in choice.options().enumerate() {
            line(&format!("  {} {}", number + 1, option.id))?;
        }
        let Some(answer) = input.next().transpose()? else {
            talk(&format!("the log is whole: {}", path.display()));
            break;
        };
        reply(&table, answer.trim());
    }
    if let Err(fault) = writer.sync() {
        talk(&format!("error: {fault}"));
        return Ok(1);
    }
    Ok(0)
}

/// Carries out a line of input.
fn reply(table: &Table, input: &str) {
    if input == "undo" {
        if let Err(fault) = table.undo() {
            talk(&fault.to_string());
        }
        return;
    }
    if let Some(id) = input.strip_prefix('?') {
        let reasons: Vec<String> = table.why_not(id.trim()).iter().map(|code| table.text(code)).collect();
        talk(&if reasons.is_empty() {
            "that is a legal answer".into()
        } else {
            format!("not {}: {}", id.trim(), reasons.join("; "))
        });
        return;
    }
    let Some(choice) = table.open() else { return };
    let by_number = input.parse::<usize>().ok().and_then(|n| choice.options().nth(n.checked_sub(1)?));
    let id = by_number.map_or_else(|| input.to_string(), |candidate| candidate.id.to_string());
    if let Err(fault) = table.answer(&id, 0) {
        let reasons: Vec<String> = table.why_not(&id).iter().map(|code| table.text(code)).collect();
        talk(&if reasons.is_empty() { fault.to_string() } else { format!("refused: {}", reasons.join("; ")) });
    }
}

pub(crate) fn simulate(packs: &Packs<'_>, begin: &Start, n: u64) -> io::Result<u8> {
    let Some((first, _)) = start(packs, begin) else { return Ok(2) };
    let (game, settings) = (Arc::clone(first.game()), first.settings().clone());
    let bar = indicatif::ProgressBar::new(n);
    let began = std::time::Instant::now();
    let mut ends = std::collections::BTreeMap::<String, u64>::new();
    let mut answers = 0;
    for offset in 0..n {
        let mut settings = settings.clone();
        settings.seed = settings.seed.wrapping_add(offset);
        let seed = settings.seed;
        let Ok(table) = Table::start(&game, settings) else { return Ok(2) };
        table.set_responder(Some(Box::new(Random::new(seed, begin.max_answers))));
        if let Err(fault) = table.advance() {
            bar.abandon();
            talk(&format!("error: seed {seed}: {fault}"));
            return Ok(1);
        }
        let end = table.outcome().map_or_else(|| "unfinished".to_string(), |end| end.outcome);
        *ends.entry(end).or_default() += 1;
        answers += table.n_answers();
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ms = began.elapsed().as_millis().max(1);
    line(&format!("{n} games, {answers} answers, {} games a second", u128::from(n) * 1000 / ms))?;
    for (end, n) in ends {
        line(&format!("  {end}: {n}"))?;
    }
    Ok(0)
}
