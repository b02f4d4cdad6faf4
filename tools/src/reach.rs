//! `rules GAME --reach`: what of a game neither its cases nor many random games ever come to.
//!
//! What goes to stdout depends on content, number of games and seed alone.

use std::{collections::BTreeSet, io};

use sandtable::{
    base::Name,
    rules::Game,
    table::{Settings, Table, bot::Random},
    testkit::{Excuse, Mutation, Row, Scope},
};
use serde_json::json;

use crate::{
    games::{Packs, report},
    mutate::in_parallel,
    out::{line, talk},
    threads::{self, share},
};

/// After so many answers a random game is over.
const ANSWERS_MAX: u64 = 5_000;

/// What `rules --reach` was asked to do.
pub(crate) struct Wanted {
    /// Random games of each mission.
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) json: bool,
}

type Happened = BTreeSet<(Name, Name, Name)>;

pub(crate) fn reach(packs: &Packs<'_>, game: &str, wanted: &Wanted) -> io::Result<u8> {
    let mutation = match Mutation::load(packs.roots, game, packs.without, &Scope::default()) {
        Ok(mutation) => mutation,
        Err(defects) => {
            report(defects);
            return Ok(2);
        }
    };
    let n_threads = threads::n_threads(None);
    let cases = in_parallel(n_threads, mutation.n_cases(), &mutation, &|lab, case| lab.happened(case));
    let mut happened: Happened = cases.into_iter().flatten().collect();
    let Some((games, faults)) = play(packs, game, wanted, n_threads) else { return Ok(2) };
    happened.extend(games);
    let rows = mutation.rows();
    let excuse = |row: &Row| mutation.excuses.unreached.iter().find(|excuse| excuse.record == row.record);
    let (reached, missed): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.is_in(&happened));
    let (accepted, never): (Vec<&Row>, Vec<&Row>) = missed.into_iter().partition(|row| excuse(row).is_some());
    let stale = |excuse: &Excuse| {
        let why = match rows.iter().find(|row| row.record == excuse.record) {
            None => "there is no such thing",
            Some(row) if row.is_in(&happened) => "it happens",
            Some(_) => return None,
        };
        Some(format!("{}:{}: {} is excused, but {why}", excuse.file, excuse.line, excuse.record))
    };
    let stale: Vec<String> = mutation.excuses.unreached.iter().filter_map(stale).collect();
    faults.iter().for_each(|fault| talk(fault));
    if wanted.json {
        let row = |row: &&Row| json!({ "record": row.record, "file": row.file, "line": row.line });
        let why = |row: &&Row| {
            let why = excuse(row).map(|excuse| &excuse.why);
            json!({ "record": row.record, "file": row.file, "line": row.line, "why": why })
        };
        let result = json!({
            "game": game, "games": wanted.games, "seed": wanted.seed, "happened": reached.len(),
            "never": never.iter().map(row).collect::<Vec<_>>(),
            "accepted": accepted.iter().map(why).collect::<Vec<_>>(),
            "stale": stale, "faults": faults,
        });
        line(&result.to_string())?;
    } else {
        for row in &never {
            line(&format!("{}:{}: never: {}", row.file, row.line, row.record))?;
        }
        for row in &accepted {
            let why = excuse(row).map_or("", |excuse| excuse.why.as_str());
            line(&format!("{}:{}: accepted: {} ({why})", row.file, row.line, row.record))?;
        }
        stale.iter().try_for_each(|stale| line(stale))?;
        line(&format!("{game}: {} happen, {} never, {} accepted", reached.len(), never.len(), accepted.len()))?;
    }
    Ok(u8::from(!never.is_empty() || !stale.is_empty() || !faults.is_empty()))
}

/// What happens in random games of every mission, and the games that failed.
fn play(packs: &Packs<'_>, game: &str, wanted: &Wanted, n_threads: usize) -> Option<(Happened, Vec<String>)> {
    let linked = packs.load(game)?;
    let missions: Vec<Name> = linked.missions.keys().copied().collect();
    let n = wanted.games * missions.len() as u64;
    let sums = share(n_threads, n, |numbers| {
        // A thread has a game of its own, so that nobody waits to take notes.
        let own = packs.load(game)?;
        own.trace.begin();
        let mut faults = Vec::new();
        while let Some(number) = numbers.take() {
            let mission = usize::try_from(number / wanted.games.max(1)).ok();
            if let Some(mission) = mission.and_then(|index| missions.get(index)) {
                let failed = one(&own, *mission, number % wanted.games.max(1), wanted.seed);
                faults.extend(failed.map(|fault| (number, fault)));
            }
            numbers.done();
        }
        Some((own.trace.take().happened, faults))
    });
    let mut happened = Happened::new();
    let mut faults = Vec::new();
    for (its, failed) in sums.into_iter().flatten() {
        happened.extend(its);
        faults.extend(failed);
    }
    faults.sort();
    Some((happened, faults.into_iter().map(|(_, fault)| fault).collect()))
}

/// Plays a game of a mission; the number chooses options, so that all of them take their turns.
fn one(game: &std::sync::Arc<Game>, mission: Name, number: u64, seed: u64) -> Option<String> {
    let seed = seed.wrapping_add(number);
    let mut settings = Settings::new(&mission, seed);
    settings.answers_max = ANSWERS_MAX;
    let mut left = number;
    for (option, values) in game.missions.get(&mission).into_iter().flat_map(|mission| &mission.options) {
        let n = values.len().max(1) as u64;
        let value = usize::try_from(left % n).ok().and_then(|index| values.get_index(index));
        settings.options.extend(value.map(|(value, _)| (*option, *value)));
        left /= n;
    }
    let failed = |fault: String| Some(format!("the game of {mission} with seed {seed} failed: {fault}"));
    let table = match Table::start(game, settings) {
        Ok(table) => table,
        Err(fault) => return failed(fault.to_string()),
    };
    table.set_responder(Some(Box::new(Random::new(seed, ANSWERS_MAX))));
    let ran = table.advance();
    table.set_responder(None);
    ran.err().and_then(|fault| failed(fault.to_string()))
}
