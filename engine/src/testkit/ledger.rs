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
                for key in ["pack", "ruling"] {
                    let _ = fields.optional(key);
                }
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
                entries.push(Entry { id, section, rule, check, status, file, line: node.place.line });
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
