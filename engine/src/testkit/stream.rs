//! What happened in a case, a line each, and the snapshots that hold it.

use crate::{
    kernel::{By, Record, World},
    rules::FLOW_EVENTS,
    table::log::event_line,
};

/// The events of a game, those of the flow included, without their numbers.
pub(super) fn events(records: &[Record], world: &World) -> Vec<String> {
    super::again::live(records).into_iter().filter_map(|record| event(record, world)).collect()
}

fn event(record: &Record, world: &World) -> Option<String> {
    event_line(record, 0, world).map(|line| line.trim_start_matches("0 ").to_string())
}

/// Whether a line is of the kind, and has every field, that a pattern names.
pub(super) fn matches(line: &str, pattern: &str) -> bool {
    let mut wanted = pattern.split_whitespace();
    let mut words = line.split_whitespace();
    wanted.next() == words.next() && wanted.all(|field| line.split_whitespace().skip(1).any(|word| word == field))
}

/// Steps, answers, draws and events of a game for a snapshot.
pub(super) fn lines(records: &[&Record], world: &World) -> Vec<String> {
    let line = |record: &Record| match record {
        Record::Answered { path, answer, seat } => {
            let by = match answer.by {
                By::Seat => "",
                By::Only => " (only)",
                By::Standing => " (standing)",
                By::Unknown => " (unknown)",
            };
            Some(format!("  {seat} {path}: {}{by}", answer.id))
        }
        Record::Drew { stream, faces, .. } => {
            let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
            Some(format!("  {stream} draws {}", faces.join(" ")))
        }
        Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => fields
            .get(&crate::base::name("phase"))
            .and_then(crate::base::Value::as_name)
            .map(|phase| format!("[{phase}]")),
        Record::Event { kind, .. } if FLOW_EVENTS.contains(&kind.as_str()) => None,
        record => event(record, world),
    };
    records.iter().filter_map(|record| line(record)).collect()
}

/// The snapshot of a file of cases below the folder `snapshots`.
#[must_use]
pub fn snapshot_file(test_file: &str) -> String {
    let path = test_file.trim_start_matches("content/").replace("/tests/", "/");
    format!("{}.snap", path.trim_end_matches(".yaml"))
}

/// What a snapshot of cases holds: each with its name and its lines.
#[must_use]
pub fn snapshot_text<'a>(cases: impl IntoIterator<Item = (&'a str, &'a [String])>) -> String {
    let mut text = String::new();
    for (name, lines) in cases {
        text.push_str(&format!("== {name}\n"));
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The text in a snapshot file, without its header.
#[must_use]
pub fn text_of_snapshot(file: &str) -> &str {
    let body = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or(file, |(_, body)| body);
    body.trim_end_matches('\n')
}
