//! `campaign`: missions in a row. The campaign is a table of its own with its own log, `campaign.jsonl`
//! in a folder, and each mission has its log beside that.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use sandtable::{
    rules::{Game, MissionCall},
    table::{
        Played, Settings, Table,
        bot::Mind,
        log::{LogFault, read_log},
        settings_of,
    },
};
use serde_json::{Value as Json, json};

use super::{
    begin::{self, called, said},
    bot::talk_of,
    full, input, lines,
    session::Session,
    why,
};
use crate::{
    games::{self, Packs, Start},
    out::{line, talk},
};

/// The name of a campaign's log in its folder.
pub(crate) const LOG: &str = "campaign.jsonl";

/// How a campaign is begun or gone on with.
pub(crate) struct Wanted<'a> {
    pub(crate) campaign: Option<&'a str>,
    pub(crate) start: &'a Start,
    pub(crate) folder: Option<&'a Path>,
    pub(crate) resume: Option<&'a Path>,
    pub(crate) bot: Option<&'a str>,
    pub(crate) json: bool,
    pub(crate) lines: bool,
}

/// Who answers.
enum Player {
    Bot(String),
    Lines(input::Lines),
    Full,
}

/// A campaign in progress.
struct Campaign<'a> {
    packs: &'a Packs<'a>,
    game: Arc<Game>,
    folder: PathBuf,
    player: Player,
    as_json: bool,
}

/// What stops a campaign: an exit code, or a terminal that fails.
enum Stop {
    Code(u8),
    Failed(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<LogFault> for Stop {
    fn from(fault: LogFault) -> Self {
        Self::Code(said(&fault.to_string(), 1))
    }
}

/// Where the log of a campaign lies that is named by its folder or by itself.
pub(crate) fn log_in(path: &Path) -> PathBuf {
    Some(path.join(LOG)).filter(|log| log.is_file()).unwrap_or_else(|| path.to_owned())
}

/// Plays a campaign as it was asked for; gives the exit code.
pub(crate) fn campaign(packs: &Packs<'_>, wanted: &Wanted<'_>) -> io::Result<u8> {
    let begun = match (wanted.resume, wanted.campaign) {
        (Some(path), _) => resume(packs, path),
        (None, id) => begin(packs, id.unwrap_or_default(), wanted),
    };
    let (session, folder) = match begun {
        Ok(begun) => begun,
        Err(code) => return Ok(code),
    };
    let player = match wanted.bot {
        Some(bot) => Player::Bot(bot.to_owned()),
        None if !wanted.lines && !wanted.json && full::is_possible() => {
            let _ = ctrlc::set_handler(|| full::ASKED_TO_END.store(true, Ordering::Relaxed));
            Player::Full
        }
        None => {
            let lines = input::Lines::begin();
            let interrupter = lines.interrupter();
            let _ = ctrlc::set_handler(move || {
                let _ = interrupter.send(input::Input::Interrupted);
            });
            Player::Lines(lines)
        }
    };
    let game = Arc::clone(session.table.game());
    let mut campaign = Campaign { packs, game, folder, player, as_json: wanted.json };
    match campaign.play(session) {
        Ok(()) => Ok(0),
        Err(Stop::Code(code)) => Ok(code),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// A new campaign in a new folder.
fn begin(packs: &Packs<'_>, id: &str, wanted: &Wanted<'_>) -> Result<(Session, PathBuf), u8> {
    let (game, id) = games::campaign_of(packs, id).ok_or(2)?;
    let settings = games::settings(&id, wanted.start).ok_or(2)?;
    let default = || PathBuf::from(format!("logs/{}-{}-{}", game.id, settings.mission, settings.seed));
    let folder = wanted.folder.map_or_else(default, Path::to_owned);
    let there = folder.display();
    if folder.exists() {
        let hint =
            format!("name another folder by --log, or go on with this one by `{} campaign --resume {there}`", called());
        return Err(said(&format!("{there} exists and is not overwritten\nhint: {hint}"), 1));
    }
    if let Some(bot) = wanted.bot {
        // A bot that is not there is told before anything is written.
        let table = Table::start(&game, settings.clone()).map_err(|fault| said(&fault.to_string(), 2))?;
        Mind::new(&table, bot).map_err(|fault| said(&fault, 2))?;
    }
    let failed = |_: &Table, fault: &str| said(fault, 1);
    let session = begin::begin_at(&game, settings, None, &folder.join(LOG), false, failed)?;
    Ok((session, folder))
}

/// A campaign that goes on, if the logs of its missions are those that were played.
fn resume(packs: &Packs<'_>, path: &Path) -> Result<(Session, PathBuf), u8> {
    let log = log_in(path);
    let folder = log.parent().map_or_else(PathBuf::new, Path::to_owned);
    let session = begin::resume(packs, &log)?;
    if !session.table.is_campaign() {
        let hint = format!("go on with it by `{} play --resume {}`", called(), log.display());
        return Err(said(&format!("{} is the log of a mission\nhint: {hint}", log.display()), 1));
    }
    for played in session.table.played() {
        let Some(report) = &played.report else { continue };
        let path = folder.join(played.log_name());
        let what = match read_log(&path) {
            Err(fault) => fault.to_string(),
            Ok(log) if log.lines.last().is_none_or(|line| line.hash != report.log.as_str()) => {
                "it is not the log that was played".into()
            }
            Ok(_) => continue,
        };
        let what = format!("mission {} of the campaign, {}: {what}", played.number, path.display());
        return Err(said(&format!("{what}\nhint: put the file back that the campaign wrote"), 1));
    }
    Ok((session, folder))
}

impl Campaign<'_> {
    /// Plays on until the end, or until somebody has enough.
    fn play(&mut self, mut session: Session) -> Result<(), Stop> {
        session.go_on = Some(self.how_to_go_on());
        session.rules = why::RuleBook::read(self.packs, &self.game.id);
        let mut notice = session.notice.take();
        loop {
            session.write()?;
            notice = self.tell(&mut session)?.or(notice);
            if session.is_over() {
                session.journal.sync()?;
                return self.end(&session);
            }
            let Some(call) = session.table.awaited() else {
                session = self.answer(session)?;
                // Who leaves a question has enough.
                if session.table.open().is_some() && session.table.awaited().is_none() {
                    return Ok(());
                }
                continue;
            };
            session.journal.sync()?;
            let Some(played) = session.table.played().pop() else { return Ok(()) };
            let mut mission = self.mission(session.table.settings(), &call, &played)?;
            mission.notice = mission.notice.or(notice.take());
            let mission = self.answer(mission)?;
            let Some(end) = mission.table.outcome() else { return Ok(()) };
            let report = mission.table.report(mission.journal.head());
            let report = report.map_err(|fault| Stop::Code(said(&fault.to_string(), 1)))?;
            if !self.as_json {
                let (reason, path) = (mission.table.text(&end.reason), mission.journal.path().display());
                line(&format!("mission {}, {}: {} ({reason}); log: {path}", played.number, call.mission, end.outcome))?;
            }
            session.table.end_mission(&report, 0).map_err(|fault| Stop::Code(said(&fault.to_string(), 1)))?;
            if full::ASKED_TO_END.load(Ordering::Relaxed) {
                session.write()?;
                session.journal.sync()?;
                talk(&session.how_to_go_on());
                return Ok(());
            }
        }
    }

    fn how_to_go_on(&self) -> String {
        format!("{} campaign --resume {}", called(), self.folder.display())
    }

    /// The table of the mission that waits: a new one, or as far as it has been played.
    fn mission(&self, settings: &Settings, call: &MissionCall, played: &Played) -> Result<Session, Stop> {
        let path = self.folder.join(played.log_name());
        let settings = settings.of_mission(call);
        let prints = !matches!(self.player, Player::Full);
        let mut session = if path.exists() {
            let session = begin::resume_on(&self.game, &path).map_err(Stop::Code)?;
            let log = read_log(&path)?;
            let found = settings_of(&log);
            if (found.mission, found.seed, &found.legacy) != (settings.mission, settings.seed, &settings.legacy) {
                let what = format!("{} is not the log of mission {} of this campaign", path.display(), played.number);
                let hint = "put the right file back, or move it away and the mission begins anew";
                return Err(Stop::Code(said(&format!("{what}\nhint: {hint}"), 1)));
            }
            session
        } else {
            let failed = |_: &Table, fault: &str| said(fault, 1);
            begin::begin_at(&self.game, settings, None, &path, prints, failed).map_err(Stop::Code)?
        };
        session.table.set_printing(prints);
        session.go_on = Some(self.how_to_go_on());
        session.rules = why::RuleBook::read(self.packs, &self.game.id);
        Ok(session)
    }

    /// Has the questions of a table answered: to its end, to a mission that it waits for, or until somebody
    /// has enough.
    fn answer(&mut self, mut session: Session) -> Result<Session, Stop> {
        match &self.player {
            Player::Bot(bot) => by_bot(&mut session, bot)?,
            Player::Lines(lines) => {
                let code = lines::play(&mut session, lines, self.as_json)?;
                if code != 0 {
                    return Err(Stop::Code(code));
                }
            }
            Player::Full => {
                session.write()?;
                session = full::play(session)?;
                if !session.is_over() && session.table.awaited().is_none() {
                    talk(&session.how_to_go_on());
                }
            }
        }
        session.journal.sync()?;
        Ok(session)
    }

    /// Tells what is new in the campaign; what a full screen should say of it.
    fn tell(&self, session: &mut Session) -> Result<Option<String>, Stop> {
        let from = session.told;
        if self.as_json {
            session.told = session.at();
            return Ok(None);
        }
        session.told = lines::show(&session.table, from)?;
        let is_full = matches!(self.player, Player::Full);
        Ok(is_full.then(|| lines::sentences(&session.table, from).pop()).flatten())
    }

    fn end(&self, session: &Session) -> Result<(), Stop> {
        let table = &session.table;
        if !self.as_json {
            if let Some(end) = session.end() {
                line(&end)?;
            }
            talk(&session.how_to_go_on());
            return Ok(());
        }
        let missions: Vec<Json> = table
            .played()
            .iter()
            .map(|played| {
                let report = played.report.as_ref();
                json!({
                    "mission": played.call.mission.as_str(), "log": self.folder.join(played.log_name()).to_string_lossy(),
                    "outcome": report.map(|report| report.outcome.as_str()),
                    "reason": report.map(|report| report.reason.as_str()),
                })
            })
            .collect();
        let end = table.outcome();
        let json = json!({
            "outcome": end.as_ref().map(|end| &end.outcome), "reason": end.as_ref().map(|end| &end.reason),
            "seed": table.settings().seed, "missions": missions, "log": session.journal.path().to_string_lossy(),
        });
        line(&json.to_string())?;
        Ok(())
    }
}

/// A bot answers until the end of the table, or until it waits for a mission.
fn by_bot(session: &mut Session, bot: &str) -> Result<(), Stop> {
    let mind = Mind::new(&session.table, bot).map_err(|fault| Stop::Code(said(&fault, 2)))?;
    let mut bot = mind.responder(session.table.settings().seed, u64::MAX);
    loop {
        session.write()?;
        let Some(choice) = session.table.open().filter(|choice| !choice.wants_report) else { break };
        let answer = session.table.with_known_world(choice.seat, |world| bot.answer(world, &choice));
        if let Err(fault) = session.table.answer(&answer.unwrap_or_default(), 0) {
            session.write()?;
            let hint = format!("the log is whole up to there: {}", session.journal.path().display());
            return Err(Stop::Code(said(&format!("{fault}\nhint: {hint}"), 1)));
        }
    }
    talk_of(&mind.take_tally());
    Ok(())
}
