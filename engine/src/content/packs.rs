//! Packs: the page that names one, and the order in which they are read.

use super::{Defect, Node, NodeValue, Place, nearest, origin::Origin, sources::Reading};

const PAGE_FIELDS: [&str; 4] = ["name", "version", "about", "requires"];

/// A versioned folder of content and scripts.
#[derive(Clone, Debug)]
pub struct Pack {
    /// `game/pack`.
    pub name: String,
    /// Its version.
    pub version: semver::Version,
    /// What it requires: pack and version.
    pub requires: Vec<(String, semver::VersionReq, Place)>,
    /// The hash over the paths and hashes of its files.
    pub hash: String,
    pub(super) files: Vec<usize>,
}

impl Reading {
    /// Reads the page of a pack.
    pub(super) fn pack(&mut self, name: &str, origin: &Origin<'_>) -> Option<Pack> {
        let Some(page) = origin.page(name) else {
            let message = format!("{name} has no pack.yaml");
            let help = "write one with name and version";
            self.defects.0.push(Defect::of_file("pack.missing", &format!("content/{name}"), message, help));
            return None;
        };
        let (file, node) = self.yaml(&page)?;
        let mut pack = Pack {
            name: name.into(),
            version: semver::Version::new(0, 0, 0),
            requires: Vec::new(),
            hash: String::new(),
            files: vec![file],
        };
        let entries = node.as_map().cloned().unwrap_or_default();
        match entries.get("version").map(|node| (&node.value, node.place)) {
            Some((NodeValue::Text(text), place)) => match semver::Version::parse(text) {
                Ok(version) => pack.version = version,
                Err(error) => {
                    self.at("pack.version", place, format!("{text} is no version: {error}"), "write it as 1.2.3");
                }
            },
            Some((_, place)) => self.at("pack.version", place, "this is no version".into(), "write it as 1.2.3"),
            None => self.at("pack.version", node.place, "the pack has no version".into(), "add `version: 0.1.0`"),
        }
        match entries.get("name").map(|node| (&node.value, node.place)) {
            Some((NodeValue::Text(_), _)) => {}
            Some((_, place)) => self.at("pack.name", place, "this is no name".into(), "write it as text, in quotes"),
            None => self.at("pack.name", node.place, "the pack has no name".into(), "add `name:` and a title"),
        }
        for (key, value) in entries.iter().filter(|(key, _)| !PAGE_FIELDS.contains(&key.as_str())) {
            let known = format!("fields: {}", PAGE_FIELDS.join(", "));
            let help = nearest(key, PAGE_FIELDS).map_or(known, |near| format!("did you mean {near}?"));
            self.at("field.unknown", value.named_at(), format!("a pack has no field {key}"), &help);
        }
        if let Some(requires) = entries.get("requires") {
            self.requirements(&mut pack, requires);
        }
        Some(pack)
    }

    fn requirements(&mut self, pack: &mut Pack, node: &Node) {
        let help = "write packs with versions, such as `game/core: ^0.1`";
        let Some(requires) = node.as_map() else {
            self.at("pack.requires", node.place, format!("{} where packs are listed", node.type_name()), help);
            return;
        };
        for (other, value) in requires {
            let NodeValue::Text(text) = &value.value else {
                self.at("pack.requires", value.place, format!("{} is no requirement", value.type_name()), help);
                continue;
            };
            match semver::VersionReq::parse(text) {
                Ok(requirement) => pack.requires.push((other.clone(), requirement, value.place)),
                Err(error) => self.at("pack.requires", value.place, format!("{text} is no requirement: {error}"), help),
            }
        }
    }

    /// Packs in load order; those whose requirements cannot be met are reported and left out.
    pub(super) fn in_order<'a>(&mut self, mut waiting: Vec<(Pack, Origin<'a>)>) -> Vec<(Pack, Origin<'a>)> {
        let mut ordered: Vec<(Pack, Origin<'a>)> = Vec::new();
        loop {
            let ready = waiting.iter().position(|(pack, _)| {
                pack.requires.iter().all(|(other, requirement, _)| {
                    ordered.iter().any(|(there, _)| there.name == *other && requirement.matches(&there.version))
                })
            });
            let Some(index) = ready else { break };
            let next = waiting.remove(index);
            if let Some((before, _)) = ordered.iter().find(|(pack, _)| pack.name == next.0.name) {
                let place = Place { file: next.0.files[0], line: 1, column: 1 };
                let other = &self.sources.files[before.files[0]].path;
                let help = format!("rename one of them, or name one --root less: the other is {other}");
                self.at("pack.twice", place, format!("{} is there twice", next.0.name), &help);
            } else {
                ordered.push(next);
            }
        }
        for (pack, _) in &waiting {
            for (other, requirement, place) in &pack.requires {
                let there = ordered.iter().chain(&waiting).find(|(there, _)| there.name == *other);
                let mut help = "add the pack with --root, or change `requires`";
                let message = match there {
                    None if self.left_out.contains(other) => {
                        help = "leave this pack out too, or neither of them";
                        format!("{} requires {other}, which is left out", pack.name)
                    }
                    None => format!("{} requires {other}, which no root brings", pack.name),
                    Some((there, _)) if !requirement.matches(&there.version) => {
                        format!("{} requires {other} {requirement}, but there is {}", pack.name, there.version)
                    }
                    Some(_) if waiting.iter().any(|(there, _)| there.name == *other) => {
                        format!("{} and {other} wait for each other, or for a pack that is missing", pack.name)
                    }
                    Some(_) => continue,
                };
                self.at("pack.requirement", *place, message, help);
            }
        }
        ordered
    }
}
