//! Defects: what is wrong with content, with place, text, expectation and remedy.

use std::{fmt, sync::Arc};

use miette::{Diagnostic, LabeledSpan, SourceCode};

use super::{Place, SourceFile};

/// The longest line that is shown below a defect.
const SHOWN_BYTES_MAX: usize = 2000;

/// One thing that is wrong with content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What sort of thing: `area.problem`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The file, relative to its root.
    pub file: String,
    /// The root, if it is not the first one.
    pub root: Option<String>,
    /// The line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// The column, from 1; 0 when the whole file or line is meant.
    pub column: usize,
    /// What to do about it.
    pub help: Option<String>,
    text: Arc<str>,
}

impl Defect {
    /// A defect at a place.
    #[must_use]
    pub fn new(code: &'static str, place: Place, file: &SourceFile, message: String, help: Option<String>) -> Self {
        Self {
            code,
            message,
            file: file.path.clone(),
            root: file.root.clone(),
            line: place.line,
            column: place.column,
            help,
            text: Arc::clone(&file.text),
        }
    }

    /// A defect of a whole file, such as one that could not be read as text.
    #[must_use]
    pub fn of_file(code: &'static str, path: &str, message: String, help: &str) -> Self {
        let (file, help) = (path.into(), Some(help.into()));
        Self { code, message, file, root: None, line: 0, column: 0, help, text: Arc::from("") }
    }

    /// The same in a root that is not the first one.
    #[must_use]
    pub fn in_root(self, root: Option<String>) -> Self {
        Self { root, ..self }
    }

    /// Whether there are lines to show, none of them too long to draw.
    fn is_shown(&self) -> bool {
        let around = self.text.split('\n').skip(self.line.saturating_sub(2)).take(3);
        self.line > 0 && around.map(str::len).all(|len| len <= SHOWN_BYTES_MAX)
    }

    fn offset(&self) -> usize {
        let before: usize = self.text.split_inclusive('\n').take(self.line.saturating_sub(1)).map(str::len).sum();
        (before + self.column.saturating_sub(1)).min(self.text.len())
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(root) = &self.root {
            write!(out, "{}/", root.trim_end_matches('/'))?;
        }
        match self.line {
            0 => write!(out, "{}: {}", self.file, self.message),
            line => write!(out, "{}:{line}:{}: {}", self.file, self.column.max(1), self.message),
        }
    }
}

impl std::error::Error for Defect {}

impl Diagnostic for Defect {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.is_shown().then_some(&self.text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new(Some("here".into()), self.offset(), 1);
        self.is_shown().then(|| Box::new(std::iter::once(label)) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

/// Everything that is wrong, by file and line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defects(pub Vec<Defect>);

impl Defects {
    /// Sorts by file and line; what was found twice is said once.
    pub fn sort(&mut self) {
        self.0.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        self.0.dedup();
    }
}

impl fmt::Display for Defects {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|defect| writeln!(out, "{defect}"))
    }
}

impl std::error::Error for Defects {}

/// The candidate that looks most like `text`, if any looks like it at all.
#[must_use]
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().map(|candidate| (strsim::damerau_levenshtein(text, candidate), candidate));
    scored.filter(|(distance, _)| *distance <= (text.len() / 3).max(1)).min().map(|(_, candidate)| candidate)
}
