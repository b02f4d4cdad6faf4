//! Running a case again: its answers, the reports of its missions, and the faces that were drawn.

use std::collections::{BTreeMap, VecDeque};

use crate::{
    base::{Name, Value},
    chance::{Chance, Draw},
    kernel::{Answer, By, Choice, Fault, Record, Responder, World},
    rules::MissionReport,
    table::Table,
};

/// The records that were not taken back.
pub(super) fn live(records: &[Record]) -> Vec<&Record> {
    let mut live: Vec<(usize, &Record)> = Vec::new();
    for (index, record) in records.iter().enumerate() {
        match record {
            Record::Undone { to } => live.retain(|(number, _)| (*number as u64) < *to),
            Record::Fault { .. } | Record::Kept { .. } => {}
            _ => live.push((index, record)),
        }
    }
    live.into_iter().map(|(_, record)| record).collect()
}

type Faces = BTreeMap<(String, u64), Vec<i64>>;

/// What is needed to run records again.
#[derive(Default)]
pub(super) struct Again {
    answers: Vec<(Name, Name)>,
    reports: Vec<Value>,
    faces: Faces,
}

impl Again {
    /// What records that count hold of it.
    pub(super) fn of(records: &[Record]) -> Self {
        let mut again = Self::default();
        for record in records {
            match record {
                Record::Answered { answer: Answer { report: Some(report), .. }, .. } => {
                    again.reports.push(report.clone());
                }
                Record::Answered { path, answer, .. } if answer.by == By::Seat => {
                    again.answers.push((*path, answer.id));
                }
                Record::Drew { stream, count, faces, .. } => {
                    again.faces.insert((stream.to_string(), *count), faces.clone());
                }
                _ => {}
            }
        }
        again
    }

    /// The faces that were drawn.
    pub(super) fn chance(&self) -> Box<dyn Chance> {
        Box::new(Drawn(self.faces.clone()))
    }

    /// Gives a table that draws them the same answers and reports.
    pub(super) fn run(self, table: &Table) -> Result<(), Fault> {
        table.set_responder(Some(Box::new(Answers(self.answers.into()))));
        table.advance()?;
        for report in self.reports.iter().filter_map(MissionReport::of) {
            if table.awaited().is_some() {
                table.end_mission(&report, 0).map_err(|fault| Fault(fault.to_string()))?;
            }
        }
        Ok(())
    }
}

struct Drawn(Faces);

impl Chance for Drawn {
    fn draw(&mut self, stream: Name, count: u64, _draw: Draw) -> Result<Vec<i64>, String> {
        self.0.get(&(stream.to_string(), count)).cloned().ok_or_else(|| format!("{stream} draws more than before"))
    }
}

struct Answers(VecDeque<(Name, Name)>);

impl Responder for Answers {
    fn answer(&mut self, _world: &World, choice: &Choice) -> Option<Name> {
        let (path, id) = *self.0.front()?;
        (path == choice.path).then(|| self.0.pop_front().map(|_| id)).flatten()
    }
}
