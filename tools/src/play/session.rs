//! A game at the table: its log, answers, refusals, taking back, saving. What shows it and who
//! answers is of no concern here.

use std::time::Instant;

use sandtable::{
    base::{Name, name},
    kernel::{By, Choice, Record},
    table::{AnswerFault, Table, bot::Mind, log::LogFault, picture},
};

use super::{begin::called, why::RuleBook};
use crate::journal::Journal;

/// So many answers are named to who gave none of them.
const ANSWERS_TOLD: usize = 10;

/// A table and its log, ready to go on.
pub(crate) struct Session {
    pub(crate) table: Table,
    pub(crate) journal: Journal,
    pub(crate) rules: RuleBook,
    /// Who answers, if that is a bot.
    pub(super) mind: Option<Mind>,
    /// What has to be said before anything else.
    pub(crate) notice: Option<String>,
    /// The command by which it goes on, if that is not `play --resume`.
    pub(crate) go_on: Option<String>,
    /// How many records have been told.
    pub(crate) told: usize,
    /// Whether answers that are grave are asked about before they are given.
    pub(crate) asks_before_grave: bool,
    /// What somebody wrote that begins with a grave answer, about which he is asked.
    pub(super) grave: Option<String>,
    ties_first: bool,
    asked: Instant,
}

impl Session {
    pub(super) fn new(table: Table, journal: Journal) -> Self {
        let ties_first = table.ties_first();
        Self {
            table,
            journal,
            rules: RuleBook::default(),
            mind: None,
            notice: None,
            go_on: None,
            told: 0,
            asks_before_grave: false,
            grave: None,
            ties_first,
            asked: Instant::now(),
        }
    }

    /// Writes what is new to the log; from now on the time of the next answer runs.
    pub(crate) fn write(&mut self) -> Result<(), LogFault> {
        self.asked = Instant::now();
        self.journal.write(&self.table)
    }

    /// How many records there are.
    pub(crate) fn at(&self) -> usize {
        self.table.with_records(<[Record]>::len)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.table.outcome().is_some()
    }

    /// How the game has ended, in words.
    pub(crate) fn end(&self) -> Option<String> {
        let end = self.table.outcome()?;
        let reason = self.table.text(&end.reason);
        let outcome = self.table.game().texts.get(&name(&format!("outcome_{}", end.outcome)));
        Some(match outcome {
            Some(outcome) => format!("The game ends with {outcome}: {reason}."),
            None => format!("{} ({reason})", end.outcome.replace('_', " ")),
        })
    }

    /// Whether nobody has answered yet.
    pub(crate) fn is_fresh(&self) -> bool {
        let by_seat = |record: &Record| matches!(record, Record::Answered { answer, .. } if answer.by == By::Seat);
        self.table.with_records(|records| !records.iter().any(by_seat))
    }

    /// Answers the open choice by the id of a candidate.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub(crate) fn answer(&mut self, id: &str) -> Result<(), String> {
        let ms = u64::try_from(self.asked.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.table.answer(id, ms).map_err(|fault| {
            let why = self.reasons(id);
            let is_none = self.table.open().filter(|choice| choice.candidate(id).is_none() && !id.is_empty());
            match is_none {
                Some(choice) => format!("refused: {id} is {}", self.other_than(&choice)),
                None if why.is_empty() => self.told(&fault),
                None => format!("refused: {why}"),
            }
        })
    }

    /// What could be answered instead of what is no answer at all.
    pub(super) fn other_than(&self, choice: &Choice) -> String {
        let all: Vec<&str> = picture::numbered(&self.table, choice).iter().map(|(_, it)| it.id.as_str()).collect();
        let more = if all.len() > ANSWERS_TOLD { ", ..." } else { "" };
        let some = all.iter().take(ANSWERS_TOLD).copied().collect::<Vec<_>>().join(", ");
        format!("not among the answers to `{}`: {some}{more}", self.table.text(&choice.prompt))
    }

    /// A fault in words.
    fn told(&self, fault: &AnswerFault) -> String {
        match fault {
            AnswerFault::Refused(refused) => {
                let texts: Vec<String> = refused.reasons.iter().map(|code| self.table.text(code)).collect();
                format!("refused: {}", texts.join("; "))
            }
            AnswerFault::Fault(_) => fault.to_string(),
        }
    }

    /// Why an id is no legal answer; empty if it is.
    pub(crate) fn reasons(&self, id: &str) -> String {
        let open = self.table.open();
        let named = open.as_ref().and_then(|choice| Some((choice, choice.candidate(id)?)));
        let told = |code: &Name| match named {
            Some((choice, candidate)) => self.rules.reason(&self.table, choice, candidate, *code),
            None => self.table.text(code),
        };
        self.table.why_not(id).iter().map(told).collect::<Vec<_>>().join("; ")
    }

    /// Takes back the last answer.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        self.table.undo().map_err(|fault| self.told(&fault))
    }

    /// Whether an answer can be taken back now by whoever is asked, or was asked last.
    pub(crate) fn can_undo(&self) -> bool {
        let seats = &self.table.game().seats;
        seats.iter().any(|seat| self.table.check_undo(seat).is_ok())
    }

    /// Switches whether ties are decided; says how it is now.
    pub(crate) fn switch_ties(&mut self) -> &'static str {
        self.ties_first = !self.ties_first;
        self.table.decide_ties(self.ties_first);
        if self.ties_first { "ties are decided for you: the first option" } else { "ties are asked from now on" }
    }

    /// What is said of an answer that somebody asks about: what it is, and why it may not be given.
    pub(crate) fn explain(&self, text: &str) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        match self.meant(&choice, text) {
            Some(candidate) => self.rules.explain(&self.table, &choice, candidate),
            None => vec![format!("{text} is {}", self.other_than(&choice))],
        }
    }

    /// Why a square is no answer: the same, or by which rules it is asked.
    pub(crate) fn explain_square(&self, name: &str) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        if self.meant(&choice, name).is_some() {
            return self.explain(name);
        }
        let mut lines = vec![format!("{name} cannot be chosen here."), String::new()];
        lines.extend(self.rules.question(&self.table, &choice));
        lines
    }

    /// What is asked, how to ask about an answer, and what is not offered now: why, and what.
    pub(crate) fn not_offered(&self) -> Vec<String> {
        let Some(choice) = self.table.open() else { return vec!["nothing is asked now".into()] };
        let mut lines = self.rules.question(&self.table, &choice);
        let example =
            picture::numbered(&self.table, &choice).first().map_or("NAME".into(), |(_, it)| it.id.to_string());
        lines.push(format!("?NAME says what an answer is, by which rule, or why it is none: ?{example}"));
        let numbers = picture::with_numbers(&self.table, &choice);
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for candidate in choice.candidates.iter().filter(|candidate| !candidate.reasons.is_empty()) {
            let reasons: Vec<String> = candidate.reasons.iter().map(|code| self.table.text(code)).collect();
            let why = reasons.join("; ");
            let label = picture::label(&self.table, &choice, candidate).0;
            let number = numbers.iter().find(|(_, it)| it.id == candidate.id);
            let label = number.map_or_else(|| label.clone(), |(number, _)| format!("{number} {label}"));
            match found.iter_mut().find(|(known, _)| *known == why) {
                Some((_, labels)) => labels.push(label),
                None => found.push((why, vec![label])),
            }
        }
        lines.extend(found.into_iter().map(|(why, labels)| format!("not now, {why}: {}", labels.join(", "))));
        lines
    }

    /// How the game goes on another time.
    pub(crate) fn how_to_go_on(&self) -> String {
        let path = self.journal.path().display();
        if self.is_over() {
            format!("the log is whole: {path}")
        } else {
            let go_on = || format!("{} play --resume {path}", called());
            let go_on = self.go_on.clone().unwrap_or_else(go_on);
            format!("the log is whole: {path}\nhint: go on with `{go_on}`")
        }
    }
}
