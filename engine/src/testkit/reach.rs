//! What can happen in a game, row by row, so that what never does can be named.

use std::collections::BTreeSet;

use crate::{
    base::{Name, name},
    content::{Node, NodeValue, Sources},
};

/// Sections whose records happen as a whole.
const WHOLE: [&str; 8] = ["actions", "events", "hooks", "windows", "choices", "cards", "kinds", "phases"];
/// Sections whose records have rows, and the fields that hold them.
const ROWS: [(&str, &[&str]); 2] = [("values", &["parts"]), ("movement", &["cells", "edges"])];

/// One thing that can happen: a record, or a row of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `section.id`, or `section.id.field.row`.
    pub record: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    key: (Name, Name, Name),
}

impl Row {
    /// Whether it is among what has happened.
    #[must_use]
    pub fn is_in(&self, happened: &BTreeSet<(Name, Name, Name)>) -> bool {
        happened.contains(&self.key)
    }
}

/// Everything that can happen in a game, in the order of sections and records.
#[must_use]
pub(super) fn rows(sources: &Sources) -> Vec<Row> {
    let mut found = Vec::new();
    let mut push = |section: &str, id: &str, row: Option<String>, node: &Node| {
        let record = row.as_ref().map_or_else(|| format!("{section}.{id}"), |row| format!("{section}.{id}.{row}"));
        let file = sources.files[node.place.file].path.clone();
        let key = (name(section), name(id), row.map_or_else(Name::default, |row| name(&row)));
        found.push(Row { record, file, line: node.place.line, key });
    };
    let data = sources.records.get("data").into_iter().flat_map(|data| data.keys()).map(String::as_str);
    // A back is what others are taken for, and need not be there itself.
    let kinds = ["kinds", "cards"].into_iter().filter_map(|section| sources.records.get(section)).flatten();
    let back = |node: &Node| match &node.as_map()?.get("back")?.value {
        NodeValue::Text(back) => Some(back.clone()),
        _ => None,
    };
    let backs: BTreeSet<String> = kinds.filter_map(|(_, record)| back(&record.node)).collect();
    for section in WHOLE.into_iter().chain(data) {
        for (id, record) in sources.records.get(section).into_iter().flatten() {
            if section == "kinds" && backs.contains(id) {
                continue;
            }
            push(section, id, None, &record.node);
        }
    }
    for (section, fields) in ROWS {
        for (id, record) in sources.records.get(section).into_iter().flatten() {
            for field in fields {
                let rows = record.node.as_map().and_then(|record| record.get(*field)).and_then(Node::as_map);
                for (row, node) in rows.into_iter().flatten() {
                    push(section, id, Some(format!("{field}.{row}")), node);
                }
            }
        }
    }
    found
}
