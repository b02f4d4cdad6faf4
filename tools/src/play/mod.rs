//! Playing a mission: by a bot (`run`), on a full screen, or an answer a line (`play`).

mod begin;
mod bot;
mod campaign;
mod canvas;
mod full;
mod input;
#[cfg(test)]
mod key_tests;
mod keys;
mod lines;
mod model;
mod naming;
mod pages;
mod panel;
mod screen;
mod session;
mod spots;
#[cfg(test)]
mod tests;
mod text;
mod view;
mod why;

use std::{io, sync::atomic::Ordering};

pub(crate) use begin::{Wanted, called};
use begin::{begin, resume, said};
pub(crate) use bot::{run, talk_of};
pub(crate) use campaign::{Wanted as WantedCampaign, campaign, log_in};

use crate::{games::Packs, out::talk};

/// Plays as it was asked for; gives the exit code.
pub(crate) fn play(packs: &Packs<'_>, wanted: &Wanted<'_>) -> io::Result<u8> {
    let is_full = !wanted.lines && !wanted.json && full::is_possible();
    let begun = match (wanted.resume, wanted.mission) {
        (Some(log), _) => resume(packs, log),
        (None, mission) => {
            begin(packs, mission.unwrap_or_default(), wanted.start, None, wanted.log, !is_full, |_, fault| {
                said(fault, 1)
            })
        }
    };
    let mut session = match begun {
        Ok(session) => session,
        Err(code) => return Ok(code),
    };
    if session.table.is_campaign() {
        let path = session.journal.path().display();
        let hint = format!("go on with it by `{} campaign --resume {path}`", begin::called());
        return Ok(said(&format!("{path} is the log of a campaign\nhint: {hint}"), 1));
    }
    // What scripts print would stand in the middle of a screen.
    session.table.set_printing(!is_full);
    session.rules = why::RuleBook::read(packs, &session.table.game().id);
    if is_full {
        let _ = ctrlc::set_handler(|| full::ASKED_TO_END.store(true, Ordering::Relaxed));
        if let Err(fault) = session.write() {
            return Ok(said(&fault.to_string(), 1));
        }
        session = full::play(session)?;
        if let Some(end) = session.end() {
            let seat = model::seat_of(&session.table);
            model::task_lines(&session.table, seat).iter().for_each(|task| talk(task));
            talk(&end);
        }
        talk(&session.how_to_go_on());
    } else {
        let lines = input::Lines::begin();
        let interrupter = lines.interrupter();
        let _ = ctrlc::set_handler(move || {
            let _ = interrupter.send(input::Input::Interrupted);
        });
        let code = lines::play(&mut session, &lines, wanted.json)?;
        if code != 0 {
            return Ok(code);
        }
    }
    match session.journal.sync() {
        Ok(()) => Ok(0),
        Err(fault) => Ok(said(&fault.to_string(), 1)),
    }
}
