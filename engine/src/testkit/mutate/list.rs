//! Which changes are tried: every one that is a mistake somebody could have made.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{numbers, without_terms};
use crate::{
    base::{Name, name},
    content::{Node, NodeValue, Place, Sources},
    rules::link::{SECTIONS, expressions},
};

/// Sections in which no rule stands.
const TOLD_ONLY: [&str; 8] = ["texts", "seats", "legends", "bots", "drawings", "panels", "overlays", "help"];
/// Sections whose records can be left out one by one.
const DROPPED_WHOLE: [&str; 2] = ["hooks", "mission_checks"];
/// Fields that only tell people something.
const TOLD_FIELDS: [&str; 7] = ["source", "doc", "name", "title", "briefing", "says", "text"];

/// Fields of a section that only say where something is drawn.
const DRAWN_AT: [(&str, &str); 1] = [("maps", "at")];

/// One change of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The pack whose file is changed.
    pub pack: String,
    /// The record: `section.id`.
    pub record: String,
    /// What is changed, in words that stay the same when lines move.
    pub change: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    pub(super) section: Name,
    pub(super) id: Name,
    pub(super) path: Vec<Step>,
    pub(super) edit: Edit,
}

/// A step down in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    /// The number of an item, and how it is called.
    Item(usize, String),
}

/// What happens to the node that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Drop,
    Set(NodeValue),
    DropPatch,
}

/// Every change of every record, in the order of sections and records.
pub(super) fn mutants(sources: &Sources) -> Vec<Mutant> {
    let key = |place: &Place| (place.file, place.line, place.column);
    let mut list = List {
        sources,
        expressions: expressions(sources).iter().map(key).collect(),
        section: "",
        id: "",
        found: Vec::new(),
    };
    let data = sources.records.get("data").into_iter().flat_map(|data| data.keys()).map(String::as_str);
    for section in SECTIONS.into_iter().chain(data).filter(|section| !TOLD_ONLY.contains(section)) {
        list.section = section;
        for (id, record) in sources.records.get(section).into_iter().flatten() {
            list.id = id;
            if DROPPED_WHOLE.contains(&section) {
                list.push(&[], record.node.place, "dropped".into(), Edit::Drop);
            }
            list.walk(&record.node, &mut Vec::new());
        }
    }
    list.section = "patches";
    for (id, place) in &sources.patches {
        list.id = id;
        list.push(&[], *place, "dropped".into(), Edit::DropPatch);
    }
    let mut found = list.found;
    tell_apart(&mut found);
    found
}

/// Numbers changes of one record that would bear one name.
fn tell_apart(mutants: &mut [Mutant]) {
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    for mutant in mutants {
        let n = seen.entry((mutant.record.clone(), mutant.change.clone())).or_default();
        *n += 1;
        if *n > 1 {
            mutant.change.push_str(&format!(" ({n})"));
        }
    }
}

struct List<'a> {
    sources: &'a Sources,
    expressions: BTreeSet<(usize, usize, usize)>,
    section: &'a str,
    id: &'a str,
    found: Vec<Mutant>,
}

/// Whether a field only tells people something.
fn is_told(section: &str, field: &str) -> bool {
    TOLD_FIELDS.contains(&field) || DRAWN_AT.contains(&(section, field))
}

impl List<'_> {
    fn walk(&mut self, node: &Node, path: &mut Vec<Step>) {
        let in_field = |wanted: &[&str]| matches!(path.last(), Some(Step::Key(key)) if wanted.contains(&key.as_str()));
        match &node.value {
            NodeValue::Int(number) => self.shift(path, node.place, *number, NodeValue::Int),
            NodeValue::Text(text) if self.is_expression(node) => self.expression(text, node.place, path),
            NodeValue::List(items) => {
                let are_conditions = in_field(&["where", "when"]) && items.iter().any(|item| reason(item).is_some());
                for (index, item) in items.iter().enumerate() {
                    path.push(Step::Item(index, label(items, index)));
                    if are_conditions {
                        self.push(path, item.place, "dropped".into(), Edit::Drop);
                    }
                    self.walk(item, path);
                    path.pop();
                }
            }
            NodeValue::Map(entries) => {
                let section = self.section;
                let are_parts = section == "values" && path.len() == 1 && in_field(&["parts"]);
                for (key, value) in entries.iter().filter(|(key, _)| !is_told(section, key)) {
                    path.push(Step::Key(key.clone()));
                    let is_condition = ["when", "opens"].contains(&key.as_str()) && self.is_expression(value);
                    if are_parts || is_condition {
                        self.push(path, value.place, "dropped".into(), Edit::Drop);
                    }
                    self.walk(value, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    fn is_expression(&self, node: &Node) -> bool {
        let Place { file, line, column } = node.place;
        self.expressions.contains(&(file, line, column))
            && !matches!(node.value, NodeValue::Map(_) | NodeValue::List(_))
    }

    fn expression(&mut self, text: &str, place: Place, path: &[Step]) {
        for (range, number) in numbers(text) {
            let changed = |new: i64| {
                let new = format!("{}{new}{}", &text[..range.start], &text[range.end..]);
                NodeValue::Text(new)
            };
            self.shift(path, place, number, changed);
        }
        for (term, left) in without_terms(text) {
            self.push(path, place, format!("without `{term}`"), Edit::Set(NodeValue::Text(left)));
        }
    }

    fn shift(&mut self, path: &[Step], place: Place, number: i64, changed: impl Fn(i64) -> NodeValue) {
        for new in [number.checked_add(1), number.checked_sub(1)].into_iter().flatten() {
            self.push(path, place, format!("{number} -> {new}"), Edit::Set(changed(new)));
        }
    }

    fn push(&mut self, path: &[Step], place: Place, what: String, edit: Edit) {
        let step = |step: &Step| match step {
            Step::Key(key) => key.clone(),
            Step::Item(_, label) => label.clone(),
        };
        let shown: Vec<String> = path.iter().map(step).collect();
        let change = if path.is_empty() { what } else { format!("{}: {what}", shown.join(".")) };
        let file = self.sources.files[place.file].path.clone();
        let mut folders = file.split('/').skip(1);
        let pack = format!("{}/{}", folders.next().unwrap_or_default(), folders.next().unwrap_or_default());
        self.found.push(Mutant {
            pack,
            record: format!("{}.{}", self.section, self.id),
            change,
            file,
            line: place.line,
            section: name(self.section),
            id: name(self.id),
            path: path.to_vec(),
            edit,
        });
    }
}

/// How an item of a list is called: by its reason if it is a condition and no other has it.
fn label(items: &[Node], index: usize) -> String {
    let own = items.get(index).and_then(reason);
    let is_single = items.iter().filter(|item| reason(item) == own).count() == 1;
    own.filter(|_| is_single).map_or_else(|| index.to_string(), str::to_string)
}

/// The reason of a condition.
fn reason(node: &Node) -> Option<&str> {
    match &node.as_map()?.get("else")?.value {
        NodeValue::Text(text) => Some(text),
        _ => None,
    }
}
