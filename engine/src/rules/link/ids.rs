//! Ids of records as values: stats, properties and data say by `names` of which section.
//!
//! `names: weapons` means the whole value: a name, the names of a list, the keys of a map.
//! `names: {weapons: weapons}` means what stands under that key, wherever it is in the value.

use super::{SECTIONS, section};
use crate::content::{Defect, Defects, Node, NodeValue, Place, Sources, nearest};

/// What is looked through, and where what is wrong goes.
struct Search<'a> {
    sources: &'a Sources,
    defects: &'a mut Defects,
}

/// Every name that no record has where a declaration says that it is one.
pub(super) fn unknown_ids(sources: &Sources, defects: &mut Defects) {
    let mut search = Search { sources, defects };
    for declaring in ["stats", "properties", "data"] {
        for (_, record) in section(sources, declaring) {
            search.declaration(&record.node);
        }
    }
    for (id, record) in section(sources, "properties") {
        if let (Some(names), Some(default)) = (field(&record.node, "names"), field(&record.node, "default")) {
            search.value(&format!("the default of {id}"), default, names);
        }
    }
    for (id, record) in section(sources, "kinds").chain(section(sources, "cards")) {
        search.values_of(id, "stats", &record.node);
        if let Some(stats) = field(&record.node, "stats") {
            search.values_of(id, "stats", stats);
        }
    }
    for (id, record) in section(sources, "data") {
        let Some(names) = field(&record.node, "names") else { continue };
        for (own, record) in section(sources, id) {
            search.value(own, &record.node, names);
        }
    }
    let placed =
        section(sources, "missions").map(|it| (it, "units")).chain(section(sources, "tiles").map(|it| (it, "places")));
    for ((id, record), list) in placed {
        if let Some(NodeValue::List(things)) = field(&record.node, list).map(|node| &node.value) {
            things.iter().for_each(|thing| search.values_of(id, "properties", thing));
        }
    }
}

fn field<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.as_map()?.get(key)
}

/// Whether content declares a section of its own.
fn is_declared(sources: &Sources, id: &str) -> bool {
    section(sources, "data").any(|(own, _)| own == id)
}

impl Search<'_> {
    /// That the sections of a declaration are there.
    fn declaration(&mut self, record: &Node) {
        let Some(names) = field(record, "names") else { return };
        let sections: Vec<&Node> = match &names.value {
            NodeValue::Map(entries) => entries.values().collect(),
            _ => vec![names],
        };
        for node in sections {
            let NodeValue::Text(text) = &node.value else {
                let message = format!("{} where a section was expected", node.type_name());
                let help = "write a section, or a map of keys with the section of what stands under them";
                self.tell("field.type", node.place, message, help.into());
                continue;
            };
            let own = section(self.sources, "data").map(|(id, _)| id.as_str());
            let known: Vec<&str> = SECTIONS.into_iter().chain(own).collect();
            if !known.contains(&text.as_str()) {
                let help = nearest(text, known.iter().copied())
                    .map_or_else(|| format!("sections: {}", known.join(", ")), |near| format!("did you mean {near}?"));
                self.tell("reference.unknown", node.place, format!("there is no section {text}"), help);
            }
        }
    }

    /// Looks through the fields of a map that are declared in a section.
    fn values_of(&mut self, id: &str, declared_in: &str, node: &Node) {
        for (key, value) in node.as_map().into_iter().flatten() {
            let declared = self.sources.records.get(declared_in).and_then(|records| records.get(key));
            if let Some(names) = declared.and_then(|record| field(&record.node, "names")) {
                self.value(&format!("{key} of {id}"), value, names);
            }
        }
    }

    /// Looks through a value by what its declaration says.
    fn value(&mut self, what: &str, value: &Node, names: &Node) {
        match &names.value {
            NodeValue::Text(section) => self.ids(what, value, section),
            NodeValue::Map(entries) => {
                for (key, section) in entries {
                    if let NodeValue::Text(section) = &section.value {
                        self.below(what, value, key, section);
                    }
                }
            }
            _ => {}
        }
    }

    /// Looks through what stands under a key, wherever that is.
    fn below(&mut self, what: &str, value: &Node, key: &str, section: &str) {
        match &value.value {
            NodeValue::List(items) => items.iter().for_each(|item| self.below(what, item, key, section)),
            NodeValue::Map(entries) => {
                for (own, node) in entries {
                    if own == key { self.ids(what, node, section) } else { self.below(what, node, key, section) }
                }
            }
            _ => {}
        }
    }

    /// Tells of what a value names that is not in the section.
    fn ids(&mut self, what: &str, value: &Node, section: &str) {
        match &value.value {
            NodeValue::Text(id) => self.id(what, id, value.place, section),
            NodeValue::List(items) => items.iter().for_each(|item| self.ids(what, item, section)),
            NodeValue::Map(entries) => {
                entries.iter().for_each(|(id, node)| self.id(what, id, node.named_at(), section));
            }
            _ => {}
        }
    }

    fn id(&mut self, what: &str, id: &str, place: Place, section: &str) {
        let records = self.sources.records.get(section);
        let is_section = SECTIONS.contains(&section) || is_declared(self.sources, section);
        if !is_section || records.is_some_and(|records| records.contains_key(id)) {
            return;
        }
        let known: Vec<&str> = records.into_iter().flatten().map(|(id, _)| id.as_str()).collect();
        let help = nearest(id, known.iter().copied()).map_or_else(
            || format!("`{section}` has: {}", known.iter().take(12).copied().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        self.tell("reference.unknown", place, format!("{what}: there is no {id} in {section}"), help);
    }

    fn tell(&mut self, code: &'static str, place: Place, message: String, help: String) {
        self.defects.0.push(Defect::new(code, place, &self.sources.files[place.file], message, Some(help)));
    }
}
