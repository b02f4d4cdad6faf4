//! What does not hold in a case, and in which line of its file that is said.

use super::case::Case;

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The line of the expectation, step or thing; none where only the case as a whole can be named.
    pub(super) line: Option<usize>,
    /// What.
    pub(super) text: String,
}

impl Fault {
    /// Of a line.
    pub(super) fn at(line: usize, text: String) -> Self {
        Self { line: Some(line), text }
    }

    /// With words in front of what does not hold.
    pub(super) fn told(self, before: &str) -> Self {
        Self { text: format!("{before}{}", self.text), ..self }
    }

    /// With the one place where to look.
    pub(super) fn shown(&self, file: &str, case: &Case) -> String {
        format!("{file}:{}: {}", self.line.unwrap_or(case.line), self.text)
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self { line: None, text }
    }
}
