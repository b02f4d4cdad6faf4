//! Ledgers: the rules of a rulebook that a pack answers for, and which tests show them.

use std::collections::BTreeMap;

use super::{CaseReport, Verdict};
use crate::{
    content::{Defects, Sources},
    rules::{link::names, read::Reader},
};

/// How far a rule is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A passing case must assert its check.
    Now,
    /// A part of it is due; the entry says what waits.
    Partly,
    /// It waits; the entry says for what.
    Later,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The rulebook's heading.
    pub section: String,
    /// What it says.
    pub rule: String,
    /// How it is played where the rulebook leaves it open.
    pub ruling: String,
    /// Whether the rulebook says nothing of it: then `rule` tells that, and the ruling is what is played.
    pub silent: bool,
    /// What a test asserts.
    pub check: String,
    /// How far it is due.
    pub status: Status,
    /// The file and line of the entry.
    pub file: String,
    /// The line.
    pub line: usize,
}

/// All rules of a game's packs.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The rules, in order.
    pub entries: Vec<Entry>,
}

/// Which rules the passing cases show.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By id: the passing cases that cover it.
    pub cases: BTreeMap<String, Vec<String>>,
    /// Ids that cases name and no ledger has: id and case.
    pub unknown: Vec<(String, String)>,
}

impl Entry {
    /// What whoever plays is told: the rule, or how it is played where the rulebook is silent. Without the word
    /// that it is of the house, and what stands in brackets behind it.
    #[must_use]
    pub fn played(&self) -> String {
        if !self.silent || self.ruling.is_empty() {
            return self.rule.clone();
        }
        let text = self.ruling.trim();
        let Some(rest) =
            text.get(..5).filter(|word| word.eq_ignore_ascii_case("house")).map(|_| text[5..].trim_start())
        else {
            return text.to_owned();
        };
        let rest = if rest.starts_with('(') && rest.contains("):") {
            rest.split_once("):").map_or(rest, |(_, after)| after)
        } else {
            rest
        };
        let mut letters = rest.trim_start_matches([':', '.', ';', ',', '-', ' ']).chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }
}

impl Ledger {
    /// Reads the ledgers of a game.
    ///
    /// # Errors
    /// Every defect in them.
    pub fn read(sources: &Sources) -> Result<Self, Defects> {
        let reader = Reader::new(sources, names(sources));
        let mut entries: Vec<Entry> = Vec::new();
        for (file, node) in &sources.ledgers {
            let ledger = reader.fields(node);
            let _ = (ledger.optional("game"), ledger.optional("source"));
            for node in reader.items(ledger.required("rules")) {
                let fields = reader.fields(node);
                let id = reader.text(fields.required("id"));
                let section = reader.text(fields.required("section"));
                let rule = reader.text(fields.required("rule"));
                let check = reader.text(fields.required("check"));
                let _ = fields.optional("pack");
                let ruling = reader.text(fields.optional("ruling"));
                let silent = fields
                    .optional("silent")
                    .map_or_else(|| id.split('.').any(|part| part == "missing"), |node| reader.yes(Some(node)));
                let waits = fields.optional("waits").is_some();
                let status = match reader.text(fields.required("status")).as_str() {
                    "now" => Status::Now,
                    "partly" => Status::Partly,
                    "later" => Status::Later,
                    _ => {
                        let help = Some("status: now, partly or later".to_string());
                        reader.defect("rule.status", node.place, format!("{id} has no status"), help);
                        continue;
                    }
                };
                if waits == (status == Status::Now) {
                    let help = "an entry that is partly or later due says under `waits` for what".to_string();
                    reader.defect("rule.waits", node.place, format!("{id}: status and waits differ"), Some(help));
                }
                if let Some(before) = entries.iter().find(|entry| entry.id == id) {
                    let help = format!("the first stands in {}, line {}", before.file, before.line);
                    reader.defect("rule.twice", node.place, format!("{id} stands twice"), Some(help));
                }
                fields.finish();
                let file = sources.files[*file].path.clone();
                entries.push(Entry { id, section, rule, ruling, silent, check, status, file, line: node.place.line });
            }
            ledger.finish();
        }
        let mut defects = Defects(reader.defects.into_inner());
        defects.sort();
        if defects.0.is_empty() { Ok(Self { entries }) } else { Err(defects) }
    }

    /// What the passing ones among `reports` show.
    #[must_use]
    pub fn coverage<'a>(&self, reports: impl IntoIterator<Item = &'a CaseReport>) -> Coverage {
        let mut coverage = Coverage::default();
        for report in reports {
            for id in &report.covers {
                if !self.entries.iter().any(|entry| entry.id == *id) {
                    coverage.unknown.push((id.clone(), report.name.clone()));
                } else if report.verdict == Verdict::Passed {
                    coverage.cases.entry(id.clone()).or_default().push(report.name.clone());
                }
            }
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Status};

    #[test]
    fn whoever_plays_is_told_what_is_played_where_the_rulebook_is_silent() {
        let told = |ruling: &str, silent| {
            let (id, section, check, file) = ("a".into(), String::new(), String::new(), String::new());
            let rule = "The book says nothing of towers.".into();
            Entry { id, section, rule, ruling: ruling.into(), silent, check, status: Status::Now, file, line: 1 }
                .played()
        };
        let house = "House (after another game): towers are walls. They stand.";
        assert_eq!(told(house, true), "Towers are walls. They stand.");
        assert_eq!(told("House - towers (red ones): walls.", true), "Towers (red ones): walls.");
        assert_eq!(told("Towers are walls.", true), "Towers are walls.");
        assert_eq!(told("", true), "The book says nothing of towers.");
        assert_eq!(told(house, false), "The book says nothing of towers.");
    }
}
