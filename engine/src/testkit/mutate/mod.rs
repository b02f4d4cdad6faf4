//! Mutation: every small change of a game's content that no content test notices.
//!
//! A *mutant* is a game with one change: a hook, a part of a derived number, a condition, a
//! term of one or a patch left out, or a number shifted by one. It is *killed* when a case
//! fails on it, *refused* when it does not load, *untouched* when no case looks at the
//! changed record, and *survives* otherwise. The tree of the one record is changed in place
//! and linked again; files are read once. Only cases that looked at the record on the game
//! as it is are run, those that look at least first. What becomes of a mutant depends
//! on neither order nor threads, and a mutant that does not end runs out of steps.

mod lab;
mod list;
mod text;

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    Excuses, OVERLAY_PACK,
    reach::{Row, rows},
    read,
};
use crate::{
    base::Name,
    content::{self, Defects, Node, NodeValue, Overlay, Place, Sources},
    rules::{link, link::names, read::Reader},
};
pub use lab::Lab;
pub use list::Mutant;

/// Which mutants and cases are wanted.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only changes of files of this pack: `game/pack`.
    pub pack: Option<String>,
    /// Only changes of records whose `section.id` is this, or begins with it and a point.
    pub only: Option<String>,
    /// Only cases of test files whose path holds this.
    pub path: Option<String>,
}

/// A game, its cases, and the changes that are tried.
pub struct Mutation {
    /// The game.
    pub game: String,
    /// The changes, in order of sections and records.
    pub mutants: Vec<Mutant>,
    /// What survivors are excused.
    pub excuses: Excuses,
    roots: Vec<PathBuf>,
    without: Vec<String>,
    sources: Sources,
    cases: Vec<CaseAt>,
}

/// Where a case stands.
struct CaseAt {
    /// The number of its file among the tests.
    suite: usize,
    id: String,
    /// Files that it lays over the game, read once.
    laid: Option<Sources>,
    files: Vec<(String, String)>,
    /// Whether it asks for defects.
    is_content: bool,
}

/// The records that a case looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// It does not pass on the game as it is.
    Fails,
    /// It loads content anew, so that anything may matter.
    Everything,
    /// Sections and ids.
    Records(BTreeSet<(Name, Name)>),
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// A case fails on it.
    Killed,
    /// It does not load.
    Refused,
    /// Every case that looks at it passes.
    Survived,
    /// No case looks at it.
    Untouched,
}

impl Mutation {
    /// Reads a game with its tests and lists the changes.
    ///
    /// # Errors
    /// All defects of content, tests and excuses.
    pub fn load(roots: &[PathBuf], game: &str, without: &[String], scope: &Scope) -> Result<Self, Defects> {
        let sources = content::load(roots, game, without)?;
        let linked = link(game, &sources)?;
        let excuses = Excuses::read(&sources)?;
        let lay = |files: &[(String, String)]| crate::rules::load_with(roots, game, without, &[overlay(files)]);
        read::suites(&linked, &sources, &lay)?;
        let mut mutants = list::mutants(&sources);
        mutants.retain(|mutant| scope.wants(mutant));
        let mut cases = Vec::new();
        for (suite, (file, node)) in sources.tests.iter().enumerate() {
            if scope.path.as_ref().is_none_or(|path| sources.files[*file].path.contains(path.as_str())) {
                cases.extend(cases_of(&sources, suite, node));
            }
        }
        for case in cases.iter_mut().filter(|case| !case.files.is_empty()) {
            let laid = content::load_with(roots, game, without, &[overlay(&case.files)]);
            case.laid = laid.ok().map(|laid| Sources { tests: Vec::new(), ledgers: Vec::new(), ..laid });
        }
        Ok(Self {
            game: game.into(),
            mutants,
            excuses,
            roots: roots.to_vec(),
            without: without.to_vec(),
            sources,
            cases,
        })
    }

    /// How many cases there are.
    #[must_use]
    pub fn n_cases(&self) -> usize {
        self.cases.len()
    }

    /// Everything that can happen in the game.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        rows(&self.sources)
    }

    /// What a thread needs to try mutants.
    #[must_use]
    pub fn lab(&self) -> Lab<'_> {
        Lab::new(self)
    }
}

impl Scope {
    /// Whether a change is wanted.
    #[must_use]
    pub fn wants(&self, mutant: &Mutant) -> bool {
        self.pack.as_ref().is_none_or(|pack| mutant.pack == *pack) && self.wants_record(&mutant.record)
    }

    /// Whether changes of a record are wanted.
    #[must_use]
    pub fn wants_record(&self, record: &str) -> bool {
        let begins = |only: &String| {
            record.strip_prefix(only.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.only.as_ref().is_none_or(begins)
    }
}

fn overlay(files: &[(String, String)]) -> Overlay {
    Overlay { pack: OVERLAY_PACK.into(), files: files.to_vec() }
}

/// The cases of a test file, without those that are known to fail.
fn cases_of(sources: &Sources, suite: usize, node: &Node) -> Vec<CaseAt> {
    let reader = Reader::new(sources, names(sources));
    let fields = reader.fields(node);
    let cases = fields.entries("cases").into_iter().filter(|(id, _)| !id.starts_with("FIXME"));
    cases
        .map(|(id, node)| {
            let files = node.as_map().and_then(|case| case.get("overlay")).and_then(Node::as_map);
            let text = |node: &Node| if let NodeValue::Text(text) = &node.value { text.clone() } else { String::new() };
            let files = files.into_iter().flatten().map(|(path, node)| (path.clone(), text(node))).collect();
            let is_content = node.as_map().is_some_and(|case| case.contains_key("defects"));
            CaseAt { suite, id: id.to_string(), laid: None, files, is_content }
        })
        .collect()
}

/// A place by the path of its file: numbers of files differ between sources.
fn spot(sources: &Sources, place: Place) -> (&str, usize, usize) {
    (&sources.files[place.file].path, place.line, place.column)
}
