//! `test --mutate`: which small changes of content no test notices, on all cores.
//!
//! What goes to stdout depends on content and scope alone, never on the number of threads.

use std::{io, num::NonZero, time::Instant};

use sandtable::testkit::{Excuse, Fate, Lab, Mutant, Mutation, Scope, Touched};
use serde_json::json;

use crate::{
    games::{Packs, report},
    out::{decimal, line, talk},
    threads::{n_threads, share},
};

/// What `test --mutate` was asked to do.
pub(crate) struct Wanted<'a> {
    pub(crate) scope: Scope,
    pub(crate) threads: Option<NonZero<usize>>,
    /// The least share of changes that must be noticed, in per cent.
    pub(crate) at_least: Option<u8>,
    pub(crate) json: bool,
    /// Only files whose path holds this.
    pub(crate) path: Option<&'a str>,
}

/// What became of the mutants of all games.
#[derive(Default)]
struct Sums {
    killed: usize,
    refused: usize,
    survived: usize,
    untouched: usize,
    survivors: Vec<(Mutant, Fate)>,
    accepted: Vec<(Mutant, String)>,
    stale: Vec<String>,
}

pub(crate) fn mutate(packs: &Packs<'_>, wanted: &Wanted<'_>) -> io::Result<u8> {
    let mut sums = Sums::default();
    let in_pack = |game: &str| {
        wanted.scope.pack.as_ref().is_none_or(|pack| pack.split('/').next() == Some(game))
            && wanted.path.is_none_or(|path| {
                !path.starts_with("content/") || format!("{path}/").starts_with(&format!("content/{game}/"))
            })
    };
    let Some(games) = packs.games() else { return Ok(2) };
    for game in games.iter().filter(|game| in_pack(game)) {
        let mutation = match Mutation::load(packs.roots, game, packs.without, &wanted.scope) {
            Ok(mutation) => mutation,
            Err(defects) => {
                report(defects);
                return Ok(2);
            }
        };
        if mutation.n_cases() == 0 {
            talk(&format!("{game} has no case here"));
            continue;
        }
        if mutation.mutants.is_empty() {
            sums.add(&mutation, &[], &wanted.scope);
            continue;
        }
        let n_threads = n_threads(wanted.threads);
        let began = Instant::now();
        let touched = in_parallel(n_threads, mutation.n_cases(), &mutation, &|lab, case| lab.touched(case));
        let failing = touched.iter().filter(|touched| **touched == Touched::Fails).count();
        if failing == touched.len() {
            talk(&format!(
                "{game}: every case here fails or cannot tell, so no change is noticed; mend the cases first"
            ));
        }
        let read = began.elapsed();
        let fates = in_parallel(n_threads, mutation.mutants.len(), &mutation, &|lab, index| {
            mutation.mutants.get(index).map_or(Fate::Untouched, |mutant| lab.fate(mutant, &touched))
        });
        let n = mutation.mutants.len();
        talk(&format!(
            "{game}: {n} changes, {} cases ({failing} fail or cannot tell), looked at in {} s, tried in {} s",
            mutation.n_cases(),
            read.as_secs(),
            (began.elapsed() - read).as_secs()
        ));
        sums.add(&mutation, &fates, &wanted.scope);
    }
    if sums.n() == 0 && sums.stale.is_empty() {
        talk("nothing is changed: no record is in this scope");
        return Ok(2);
    }
    if wanted.json {
        line(&sums.json().to_string())?
    } else {
        sums.tell()?
    }
    let short = match wanted.at_least {
        Some(percent) => sums.share() < u128::from(percent) * 100,
        None => !sums.survivors.is_empty(),
    };
    Ok(u8::from(short || !sums.stale.is_empty()))
}

/// What `each` gives for every number below `n`, in order; a thread has a lab of its own.
pub(crate) fn in_parallel<'a, T: Send>(
    n_threads: usize,
    n: usize,
    mutation: &'a Mutation,
    each: &(dyn Fn(&mut Lab<'a>, usize) -> T + Sync),
) -> Vec<T> {
    let found = share(n_threads, n as u64, |numbers| {
        let mut lab = mutation.lab();
        let mut own = Vec::new();
        while let Some(index) = numbers.take().and_then(|number| usize::try_from(number).ok()) {
            own.push((index, each(&mut lab, index)));
            numbers.done();
        }
        own
    });
    let mut found: Vec<(usize, T)> = found.into_iter().flatten().collect();
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, one)| one).collect()
}

impl Sums {
    fn add(&mut self, mutation: &Mutation, fates: &[Fate], scope: &Scope) {
        for (mutant, fate) in mutation.mutants.iter().zip(fates) {
            match fate {
                Fate::Killed => self.killed += 1,
                Fate::Refused => self.refused += 1,
                Fate::Survived | Fate::Untouched => match mutation.excuses.of(mutant) {
                    Some(excuse) => self.accepted.push((mutant.clone(), excuse.why.clone())),
                    None => {
                        *(if *fate == Fate::Survived { &mut self.survived } else { &mut self.untouched }) += 1;
                        self.survivors.push((mutant.clone(), *fate));
                    }
                },
            }
        }
        if scope.path.is_some() {
            return;
        }
        let fate = |excuse: &Excuse| {
            let index = mutation.mutants.iter().position(|mutant| mutation.excuses.of(mutant) == Some(excuse));
            index.and_then(|index| fates.get(index))
        };
        for excuse in mutation.excuses.survivors.iter().filter(|excuse| scope.wants_record(&excuse.record)) {
            let why = match fate(excuse) {
                Some(Fate::Killed) => "a case fails on it now",
                Some(Fate::Refused) => "it does not load",
                None if scope.pack.is_none() => "there is no such change",
                _ => continue,
            };
            let Excuse { file, line, record, change, .. } = excuse;
            self.stale.push(format!("{file}:{line}: {record} {change} is excused, but {why}"));
        }
    }

    fn n(&self) -> usize {
        self.killed + self.refused + self.survived + self.untouched + self.accepted.len()
    }

    /// The share of changes that are noticed, in hundredths of a per cent; accepted ones do not count.
    fn share(&self) -> u128 {
        let all = (self.n() - self.accepted.len()).max(1) as u128;
        (self.killed + self.refused) as u128 * 10_000 / all
    }

    fn tell(&self) -> io::Result<()> {
        for (mutant, fate) in &self.survivors {
            let Mutant { file, line: number, record, change, .. } = mutant;
            line(&format!("{file}:{number}: {}: {record} {change}", word(*fate)))?;
        }
        for (mutant, why) in &self.accepted {
            let Mutant { file, line: number, record, change, .. } = mutant;
            line(&format!("{file}:{number}: accepted: {record} {change} ({why})"))?;
        }
        self.stale.iter().try_for_each(|stale| line(stale))?;
        let Self { killed, refused, survived, untouched, .. } = self;
        line(&format!(
            "changes: {} killed, {} refused, {} survived, {} untouched, {} accepted; {} % are noticed",
            killed,
            refused,
            survived,
            untouched,
            self.accepted.len(),
            decimal(self.share(), 2)
        ))
    }

    fn json(&self) -> serde_json::Value {
        let survivors = self.survivors.iter().map(|(mutant, fate)| {
            json!({
                "record": mutant.record, "change": mutant.change, "file": mutant.file, "line": mutant.line,
                "fate": word(*fate),
            })
        });
        let accepted = self.accepted.iter().map(|(mutant, why)| {
            json!({
                "record": mutant.record, "change": mutant.change, "file": mutant.file, "line": mutant.line,
                "why": why,
            })
        });
        json!({
            "killed": self.killed, "refused": self.refused, "survived": self.survived,
            "untouched": self.untouched,
            "percent": decimal(self.share(), 2).parse::<serde_json::Number>().ok(),
            "survivors": survivors.collect::<Vec<_>>(), "accepted": accepted.collect::<Vec<_>>(),
            "stale": self.stale,
        })
    }
}

fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Killed => "killed",
        Fate::Refused => "refused",
        Fate::Survived => "survived",
        Fate::Untouched => "untouched",
    }
}
