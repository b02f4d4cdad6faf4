//! Ids of records as values: stats, properties and data say by `names` of which section.
//!
//! `names: weapons` means the whole value: a name, the names of a list, the keys of a map; a list stands for a
//! section, `names: [red, blue]` are all the words that there are.
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
    for declaring in ["stats", "properties", "data", "events"] {
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
        let (names, ids) = (field(&record.node, "names"), field(&record.node, "ids"));
        if let Some(ids) = ids {
            search.target(ids);
        }
        for (own, record) in section(sources, id) {
            if let Some(names) = names {
                search.value(own, &record.node, names);
            }
            if let Some(ids) = ids {
                search.id(id, own, record.node.named_at(), ids);
            }
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

/// The words of a list that stands for a section.
fn words_of(target: &Node) -> Option<Vec<&str>> {
    let NodeValue::List(items) = &target.value else { return None };
    let word = |item| match item {
        &Node { value: NodeValue::Text(ref word), .. } => Some(word.as_str()),
        _ => None,
    };
    items.iter().map(word).collect()
}

/// All ids of a section, or words, that a declaration means; none where it means nothing.
pub(super) fn known_names<'a>(sources: &'a Sources, target: &'a Node) -> Option<Vec<&'a str>> {
    let NodeValue::Text(section) = &target.value else { return words_of(target) };
    let is_section = SECTIONS.contains(&section.as_str()) || is_declared(sources, section);
    let records = sources.records.get(section).into_iter().flatten();
    is_section.then(|| records.map(|(id, _)| id.as_str()).collect())
}

impl Search<'_> {
    /// That the sections of a declaration are there.
    fn declaration(&mut self, record: &Node) {
        let Some(names) = field(record, "names") else { return };
        match &names.value {
            NodeValue::Map(entries) => entries.values().for_each(|node| self.target(node)),
            _ => self.target(names),
        }
    }

    /// That what names are compared with is a section that is there, or words.
    fn target(&mut self, node: &Node) {
        let is_section = |word: &&str| SECTIONS.contains(word) || is_declared(self.sources, word);
        if words_of(node).is_some_and(|words| !words.iter().all(is_section)) {
            return;
        }
        let NodeValue::Text(text) = &node.value else {
            let message = format!("{} where a section was expected", node.type_name());
            let help =
                "write a section, a list of words, or a map of keys with one of these for what stands under them";
            self.tell("field.type", node.place, message, help.into());
            return;
        };
        let own = section(self.sources, "data").map(|(id, _)| id.as_str());
        let known: Vec<&str> = SECTIONS.into_iter().chain(own).collect();
        if !known.contains(&text.as_str()) {
            let help = nearest(text, known.iter().copied())
                .map_or_else(|| format!("sections: {}", known.join(", ")), |near| format!("did you mean {near}?"));
            self.tell("reference.unknown", node.place, format!("there is no section {text}"), help);
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
            NodeValue::Map(entries) => {
                entries.iter().for_each(|(key, target)| self.below(what, value, key, target));
            }
            _ => self.ids(what, value, names),
        }
    }

    /// Looks through what stands under a key, wherever that is.
    fn below(&mut self, what: &str, value: &Node, key: &str, target: &Node) {
        match &value.value {
            NodeValue::List(items) => items.iter().for_each(|item| self.below(what, item, key, target)),
            NodeValue::Map(entries) => {
                for (own, node) in entries {
                    if own == key { self.ids(what, node, target) } else { self.below(what, node, key, target) }
                }
            }
            _ => {}
        }
    }

    /// Tells of what a value names that is not in the section, or none of the words.
    fn ids(&mut self, what: &str, value: &Node, target: &Node) {
        match &value.value {
            NodeValue::Text(id) => self.id(what, id, value.place, target),
            NodeValue::List(items) => items.iter().for_each(|item| self.ids(what, item, target)),
            NodeValue::Map(entries) => {
                entries.iter().for_each(|(id, node)| self.id(what, id, node.named_at(), target));
            }
            _ => {}
        }
    }

    fn id(&mut self, what: &str, id: &str, place: Place, target: &Node) {
        let Some(known) = known_names(self.sources, target).filter(|known| !known.contains(&id)) else { return };
        let (message, has) = match &target.value {
            NodeValue::Text(section) => (format!("{what}: there is no {id} in {section}"), format!("`{section}` has")),
            _ => (format!("{what}: {id} is none of {}", known.join(", ")), "write one of".to_owned()),
        };
        let help = nearest(id, known.iter().copied()).map_or_else(
            || format!("{has}: {}", known.iter().take(12).copied().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        self.tell("reference.unknown", place, message, help);
    }

    fn tell(&mut self, code: &'static str, place: Place, message: String, help: String) {
        self.defects.0.push(Defect::new(code, place, &self.sources.files[place.file], message, Some(help)));
    }
}
