//! Content tests: YAML beside the content, written by people who do not write Rust.
//!
//! A file under `content/<game>/<pack>/tests/` has `scenes` (set-ups that cases share) and
//! `cases`. A case is a *play* (answers and what must follow), a *query* (expectations on the
//! set-up alone) or a *content* case (files laid over the game and the defects they give).
//! `content/README.md` describes the format.

mod absent;
mod again;
mod case;
mod excuse;
mod fault;
mod forced;
mod ledger;
mod mutate;
mod patterns;
mod play;
mod reach;
mod read;
mod stream;

use std::{path::PathBuf, sync::Arc};

use crate::{
    content::{self, Defect, Defects, Overlay, Sources},
    rules::{self, Game},
    table::Table,
};

pub use case::{Case, CaseKind, ContentCase, Expectation, PlayCase, PlayStep, Suite};
pub use excuse::{Excuse, Excuses};
pub use ledger::{Coverage, Entry, Ledger, Status};
pub use mutate::{Fate, Lab, Mutant, Mutation, Scope, Touched};
pub use reach::Row;
pub use stream::{snapshot_file, snapshot_text, text_of_snapshot};

/// The pack that holds the files of a content case.
const OVERLAY_PACK: &str = "overlay";

/// A game with its content tests and ledgers.
pub struct Kit {
    /// Where the content lies.
    pub roots: Vec<PathBuf>,
    /// The game.
    pub game: Arc<Game>,
    /// Its test files, in load order.
    pub suites: Vec<Suite>,
    /// The rules of its packs.
    pub ledger: Ledger,
    without: Vec<String>,
    hosts: play::Hosts,
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that it says holds.
    Passed,
    /// What does not hold.
    Failed(Vec<String>),
    /// It is known to fail, and does.
    Fixme(Vec<String>),
}

/// What running one case gave.
#[derive(Clone, Debug)]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// The line of its file.
    pub line: usize,
    /// The ledger ids that it covers.
    pub covers: Vec<String>,
    /// How it ended.
    pub verdict: Verdict,
    /// What happened, a line each.
    pub stream: Vec<String>,
}

impl Kit {
    /// Reads a game with its tests.
    ///
    /// # Errors
    /// All defects of content, tests and ledgers.
    pub fn load(roots: &[PathBuf], game: &str, without: &[String]) -> Result<Self, Defects> {
        let sources = content::load(roots, game, without)?;
        let game = rules::link(game, &sources)?;
        Self::of(roots, game, &sources, without)
    }

    /// A game that is linked, with its tests.
    ///
    /// # Errors
    /// All defects of tests and ledgers.
    pub fn of(roots: &[PathBuf], game: Arc<Game>, sources: &Sources, without: &[String]) -> Result<Self, Defects> {
        let lay = |files: &[(String, String)]| {
            let overlay = Overlay { pack: OVERLAY_PACK.into(), files: files.to_vec() };
            rules::load_with(roots, &game.id, without, &[overlay])
        };
        let suites = read::suites(&game, sources, &lay)?;
        let ledger = Ledger::read(sources)?;
        let (roots, without) = (roots.to_vec(), without.to_vec());
        Ok(Self { roots, game, suites, ledger, without, hosts: play::Hosts::default() })
    }

    /// Runs one case.
    #[must_use]
    pub fn run(&self, suite: &Suite, case: &Case) -> CaseReport {
        let (faults, stream) = match &case.kind {
            CaseKind::Play(case) => play::run(case, &self.hosts),
            CaseKind::Content(case) => {
                (self.run_content(case).into_iter().map(fault::Fault::from).collect(), Vec::new())
            }
        };
        let faults: Vec<String> = faults.iter().map(|fault| fault.shown(&suite.file, case)).collect();
        let verdict = match (case.fixme, faults.is_empty()) {
            (false, true) => Verdict::Passed,
            (false, false) => Verdict::Failed(faults),
            (true, false) => Verdict::Fixme(faults),
            (true, true) => {
                let fault = format!("{}:{}: it passes; take FIXME out of its name", suite.file, case.line);
                Verdict::Failed(vec![fault])
            }
        };
        CaseReport { name: case.name.clone(), line: case.line, covers: case.covers.clone(), verdict, stream }
    }

    /// The table where the steps of a play case end, for whoever wants to look at it.
    ///
    /// # Errors
    /// What does not hold on the way; a content case has no table.
    pub fn table(&self, case: &Case) -> Result<Table, String> {
        match &case.kind {
            CaseKind::Play(case) => play::table(case),
            CaseKind::Content(_) => Err("the case has no table".into()),
        }
    }

    /// Lays the files of a content case over the game and compares the defects.
    fn run_content(&self, case: &ContentCase) -> Vec<String> {
        let overlay = Overlay { pack: OVERLAY_PACK.into(), files: case.files.clone() };
        let given = match rules::load_with(&self.roots, &self.game.id, &self.without, &[overlay]) {
            Ok(game) => game.warnings.clone(),
            Err(defects) => defects.0,
        };
        compare(case, &given)
    }
}

/// How defects differ from those that a case names.
fn compare(case: &ContentCase, given: &[Defect]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut left: Vec<_> = given.iter().collect();
    for (code, at) in &case.defects {
        let place = |file: &str, line: usize| match at
            .rsplit_once(':')
            .and_then(|(f, l)| Some((f, l.parse::<usize>().ok()?)))
        {
            Some((wanted, number)) => file.ends_with(wanted) && line == number,
            None => file.ends_with(at.as_str()),
        };
        match left.iter().position(|defect| defect.code == code && place(&defect.file, defect.line)) {
            Some(index) => {
                left.remove(index);
            }
            None => faults.push(format!("there is no defect {code} at {at}")),
        }
    }
    for defect in left {
        faults.push(format!("there is a defect {} that it does not name: {defect}", defect.code));
    }
    faults
}
