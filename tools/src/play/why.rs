//! Why something is offered or not: reasons with the rules of the ledger that stand beside them.
//!
//! Content names its rules in comments: above a record, or above or beside one of its conditions.
//! Those are read here, from the files that the game was loaded from.

use std::collections::BTreeMap;

use sandtable::{
    base::Name,
    content::{self, Sources},
    kernel::{Candidate, Choice},
    table::{Table, picture},
    testkit::Ledger,
};

use crate::{games::Packs, show::text_of};

/// The rules of a game and the records that name them.
#[derive(Default)]
pub(crate) struct RuleBook {
    sources: Option<Sources>,
    /// What each rule says.
    rules: BTreeMap<String, String>,
}

impl RuleBook {
    /// Reads the files of a game again; empty if they cannot be read.
    pub(crate) fn read(packs: &Packs<'_>, game: &str) -> Self {
        let Ok(sources) = content::load(packs.roots, game, packs.without) else { return Self::default() };
        let ledger = Ledger::read(&sources).unwrap_or_default();
        let rules = ledger.entries.into_iter().map(|entry| (entry.id.clone(), entry.played())).collect();
        Self { sources: Some(sources), rules }
    }

    /// A record as it is written, with the comment above it.
    fn record(&self, section: &str, id: &str) -> Option<String> {
        let sources = self.sources.as_ref()?;
        let record = sources.records.get(section)?.get(id)?;
        let place = record.node.place;
        Some(text_of(&sources.files.get(place.file)?.text, id, place.line).1)
    }

    /// The rules that a comment or a line names.
    fn named(&self, line: &str) -> Vec<String> {
        let comment = line.split_once('#').map_or("", |(_, comment)| comment);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let words = comment.split(|c: char| !is_part(c)).map(|word| word.trim_matches('.'));
        words.filter(|word| self.rules.contains_key(*word)).map(str::to_owned).collect()
    }

    /// The rules above a record.
    fn above(&self, section: &str, id: &str) -> Vec<String> {
        let text = self.record(section, id).unwrap_or_default();
        let comments = text.lines().take_while(|line| line.trim_start().starts_with('#'));
        comments.flat_map(|line| self.named(line)).collect()
    }

    /// The rules beside a reason of a record; none if the record does not give that reason.
    fn beside(&self, section: &str, id: &str, reason: &str) -> Option<Vec<String>> {
        let text = self.record(section, id)?;
        let lines: Vec<&str> = text.lines().collect();
        let gives = |line: &&str| {
            line.match_indices("else: ").any(|(at, found)| {
                let word = line[at + found.len()..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
                word == Some(reason)
            })
        };
        let at = lines.iter().position(gives)?;
        let is_comment = |at: &usize| lines[*at].trim_start().starts_with('#');
        let mut rules: Vec<String> = (0..at)
            .rev()
            .take_while(is_comment)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .flat_map(|at| self.named(lines[at]))
            .collect();
        rules.extend(self.named(lines[at]));
        Some(if rules.is_empty() { self.above(section, id) } else { rules })
    }

    /// The records that can give reasons against a candidate, the nearest first.
    fn records(table: &Table, choice: &Choice, candidate: &Candidate) -> Vec<(&'static str, Name)> {
        let game = table.game();
        let action = game.actions.get(&candidate.id).filter(|action| action.menu == choice.prompt);
        let Some(action) = action else { return vec![("choices", choice.prompt), ("windows", choice.prompt)] };
        let asks = action.asks.iter().map(|ask| ("choices", ask.choice));
        [("actions", candidate.id), ("menus", choice.prompt)].into_iter().chain(asks).collect()
    }

    /// What is asked, and by which rules.
    pub(crate) fn question(&self, table: &Table, choice: &Choice) -> Vec<String> {
        let mut lines = vec![table.text(&choice.prompt)];
        let sections = ["choices", "menus", "windows"];
        let rules: Vec<String> = sections.iter().flat_map(|section| self.above(section, &choice.prompt)).collect();
        lines.extend(self.told(&rules));
        lines
    }

    /// What an answer is, whether it may be given, and by which rules.
    pub(crate) fn explain(&self, table: &Table, choice: &Choice, candidate: &Candidate) -> Vec<String> {
        let records = Self::records(table, choice, candidate);
        let (label, _) = picture::label(table, choice, candidate);
        let mut lines = Vec::new();
        let action = table.game().actions.get(&candidate.id).filter(|action| action.menu == choice.prompt);
        let cost = picture::cost_of(table, choice, candidate.id).filter(|cost| *cost > 0);
        // Of a question its text is told as well: a yes alone says little.
        let label = if action.is_some() { label } else { format!("{} {label}", table.text(&choice.prompt)) };
        lines.push(cost.map_or_else(|| label.clone(), |cost| format!("{label}: costs {cost}")));
        lines.extend(action.map(|action| action.doc.clone()).filter(|doc| !doc.is_empty()));
        if candidate.reasons.is_empty() {
            lines.push("This can be answered now.".into());
            let rules = records.first().map_or_else(Vec::new, |(section, id)| self.above(section, id));
            lines.extend(self.told(&rules));
            return lines;
        }
        for reason in &candidate.reasons {
            lines.push(format!("Not now: {}.", table.text(reason)));
            lines.extend(self.told(&self.against(table, choice, candidate, *reason)));
        }
        lines
    }

    /// A reason against an answer, with the ids of its rules.
    pub(crate) fn reason(&self, table: &Table, choice: &Choice, candidate: &Candidate, reason: Name) -> String {
        let mut rules = self.against(table, choice, candidate, reason);
        rules.dedup();
        let ids = if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) };
        format!("{}{ids}", table.text(&reason))
    }

    /// The rules by which a reason speaks against an answer.
    fn against(&self, table: &Table, choice: &Choice, candidate: &Candidate, reason: Name) -> Vec<String> {
        let records = Self::records(table, choice, candidate);
        let rules = records.iter().find_map(|(section, id)| self.beside(section, id, &reason));
        let pays = || table.game().menus.get(&choice.prompt).and_then(|menu| menu.pays.as_ref());
        match rules {
            None if pays().is_some_and(|pays| pays.reason == reason) => {
                self.above(records.first().map_or("", |record| record.0), &candidate.id)
            }
            rules => rules.unwrap_or_default(),
        }
    }

    fn told(&self, ids: &[String]) -> Vec<String> {
        let mut seen: Vec<&String> = Vec::new();
        ids.iter().for_each(|id| {
            if !seen.contains(&id) {
                seen.push(id);
            }
        });
        seen.into_iter().filter_map(|id| Some(format!("  {id}: {}", self.rules.get(id)?))).collect()
    }
}
