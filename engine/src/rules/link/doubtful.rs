//! Names that are right as words and that nothing has: facts that no mission gives, tags that no
//! kind has, things that no legend draws. Each is a warning, with the nearest name.

use std::collections::{BTreeMap, BTreeSet};

use super::section;
use crate::{
    base::{Name, Value, name},
    content::{Defect, Node, NodeValue, Place, SourceFile, Sources, nearest},
    rules::{game::Game, query::QUERIES, read::Reader, view::FIRST_TERM},
    script::LiteralCall,
};

/// Facts that a mission has, or may have, without writing them.
const OF_EVERY_MISSION: [&str; 3] = ["tiles", "base", "base_tiles"];

/// All that a game has, to compare written names with.
pub(super) struct Known<'a> {
    facts: BTreeSet<&'a str>,
    tags: BTreeSet<&'a str>,
    /// The kind of each tag that only one has.
    owners: BTreeMap<&'a str, &'a str>,
    things: BTreeSet<&'a str>,
    marks: BTreeSet<&'a str>,
    /// Folders of packs that others stand on: what none of these brings may come with another one.
    bases: Vec<String>,
}

/// What a name should be one of.
struct Wanted<'k, 'a> {
    code: &'static str,
    /// Says that it is none of them, before the name.
    says: &'static str,
    known: &'k BTreeSet<&'a str>,
    help: &'static str,
    bases: &'k [String],
    /// Who alone has one of them, if that is to be said.
    owners: Option<&'k BTreeMap<&'a str, &'a str>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(game: &'a Game, sources: &'a Sources) -> Self {
        let missions = || game.missions.values();
        let written = missions().flat_map(|mission| mission.facts.keys().chain(mission.options.keys()));
        let of_campaigns = game.campaigns.values().flat_map(|campaign| campaign.facts.keys());
        // Without a mission nobody can say what there will be.
        let given = OF_EVERY_MISSION.into_iter().filter(|_| missions().len() > 0);
        let facts = written.chain(of_campaigns).map(Name::as_str).chain(given);
        let tags = game.kinds.iter().flat_map(|(id, kind)| std::iter::once(id).chain(&kind.tags));
        Self {
            facts: facts.collect(),
            tags: tags.map(Name::as_str).collect(),
            owners: owners(game),
            things: drawn(sources, "cells").into_iter().chain(of_points(sources)).collect(),
            marks: drawn(sources, "edges"),
            bases: sources.packs.iter().flat_map(|pack| &pack.requires).map(|(base, ..)| format!("/{base}/")).collect(),
        }
    }

    /// What an argument names, counted from 0; none where anything may stand.
    fn wanted(&self, function: &str, argument: usize) -> Option<Wanted<'_, 'a>> {
        match (function, argument) {
            ("fact", 0) => Some(Wanted {
                code: "fact.unknown",
                says: "no mission or option gives the fact",
                known: &self.facts,
                help: "write it in a mission, or among its options",
                bases: &self.bases,
                owners: None,
            }),
            ("all" | "placements" | "kinds", 0) | ("has" | "on", 1) => Some(Wanted {
                code: "tag.unknown",
                says: "no kind has the tag or id",
                known: &self.tags,
                help: "write it among the `tags` of a kind",
                bases: &self.bases,
                owners: Some(&self.owners),
            }),
            ("is_thing", 1) => Some(self.thing()),
            _ => None,
        }
    }

    /// Whether a file belongs to a pack on which others stand.
    pub(super) fn is_base(&self, path: &str) -> bool {
        self.bases.iter().any(|base| path.contains(base))
    }

    fn thing(&self) -> Wanted<'_, 'a> {
        let help = "write it in `cells` of a legend";
        Wanted {
            code: "thing.unknown",
            says: "no legend draws the thing",
            known: &self.things,
            help,
            bases: &self.bases,
            owners: None,
        }
    }

    fn mark(&self) -> Wanted<'_, 'a> {
        let help = "write it in `edges` of a legend";
        Wanted { says: "no legend draws the mark", known: &self.marks, help, ..self.thing() }
    }

    /// Every written name of an expression, and of a sight record, that nothing has.
    pub(super) fn in_records(&self, reader: &Reader<'_>, warnings: &mut Vec<Defect>) {
        for (place, expr, _) in reader.exprs.borrow().iter() {
            for call in expr.calls().into_iter().filter(|call| call.function < FIRST_TERM) {
                let Some(query) = QUERIES.get(call.function as usize) else { continue };
                for (argument, value) in [&call.first, &call.second].into_iter().enumerate() {
                    let Some(text) = value.as_ref().and_then(Value::as_name) else { continue };
                    let wanted = self.wanted(query.name, argument);
                    let found = wanted.and_then(|it| it.missed(&text, *place, &reader.sources.files[place.file]));
                    warnings.extend(found);
                }
            }
        }
        for (_, record) in section(reader.sources, "sight") {
            for (field, node) in record.node.as_map().into_iter().flatten() {
                let wanted = if field == "edges" { self.mark() } else { self.thing() };
                let named = match (field.as_str(), &node.value) {
                    ("cells" | "hides_in", NodeValue::List(items)) => items.iter().filter_map(text).collect(),
                    ("edges", NodeValue::Map(marks)) => {
                        marks.iter().map(|(mark, node)| (mark.as_str(), node.named_at())).collect()
                    }
                    _ => Vec::new(),
                };
                let missed = |(name, at): (&str, Place)| wanted.missed(name, at, &reader.sources.files[at.file]);
                warnings.extend(named.into_iter().filter_map(missed));
            }
        }
    }

    /// Every written name of a script that nothing has.
    pub(super) fn in_scripts(&self, calls: &[LiteralCall], sources: &Sources, warnings: &mut Vec<Defect>) {
        for call in calls {
            let file = sources.files.iter().find(|file| file.path == call.file);
            let (Some(wanted), Some(file)) = (self.wanted(&call.function, call.argument), file) else { continue };
            let place = Place { file: 0, line: call.line, column: call.column };
            warnings.extend(wanted.missed(&call.text, place, file));
        }
    }
}

/// Fields of missions that nothing reads and that are written nearly as one that is read.
pub(super) fn near_facts(game: &Game, sources: &Sources, warnings: &mut Vec<Defect>) {
    let is_read = |fact: &str| {
        let written = [format!("\"{fact}\""), format!("\"{fact}\\\"")];
        sources.files.iter().any(|file| written.iter().any(|word| file.text.contains(word)))
    };
    for (id, record) in section(sources, "missions") {
        let Some(mission) = game.missions.get(&name(id)) else { continue };
        let base = mission.facts.get(&name("base")).and_then(Value::as_name);
        let base = base.and_then(|base| game.missions.get(&base));
        let of_base = base.into_iter().flat_map(|base| base.facts.keys().chain(base.options.keys()));
        let known: Vec<&str> = of_base.map(Name::as_str).chain(super::mission::FIELDS).collect();
        for (fact, node) in record.node.as_map().into_iter().flatten() {
            if known.contains(&fact.as_str()) || is_read(fact) {
                continue;
            }
            if let Some(near) = nearest(fact, known.iter().copied()) {
                let (place, help) = (node.named_at(), Some(format!("did you mean {near}?")));
                let message = format!("{id} gives the fact {fact}, which nothing reads");
                warnings.push(Defect::new("fact.near", place, &sources.files[place.file], message, help));
            }
        }
    }
}

impl Wanted<'_, '_> {
    /// A warning of a name that is none of those; where there is none at all, nothing is said.
    fn missed(&self, name: &str, place: Place, file: &SourceFile) -> Option<Defect> {
        if self.known.is_empty() || self.known.contains(name) {
            return None;
        }
        let near = nearest(name, self.known.iter().copied());
        // A pack on which others stand may ask for what only some of them bring.
        if near.is_none() && self.bases.iter().any(|base| file.path.contains(base)) {
            return None;
        }
        let owner = |near| self.owners.and_then(|owners| owners.get(near));
        let help = near.map_or_else(
            || self.help.to_owned(),
            |near| match owner(near) {
                Some(kind) => format!("did you mean {near}, which only {kind} has? One of the two is misspelt"),
                None => format!("did you mean {near}?"),
            },
        );
        Some(Defect::new(self.code, place, file, format!("{} {name}", self.says), Some(help)))
    }
}

/// The kind of each tag that only one kind has.
fn owners(game: &Game) -> BTreeMap<&str, &str> {
    let mut found: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (id, kind) in &game.kinds {
        for tag in &kind.tags {
            found.entry(tag.as_str()).and_modify(|owner| *owner = None).or_insert(Some(id.as_str()));
        }
    }
    found.into_iter().filter_map(|(tag, owner)| Some((tag, owner?))).collect()
}

/// All things, or marks, that legends name.
fn drawn<'a>(sources: &'a Sources, field: &str) -> BTreeSet<&'a str> {
    let legends = section(sources, "legends").filter_map(|(_, legend)| legend.node.as_map()?.get(field)?.as_map());
    let lists = legends.flat_map(|letters| letters.values()).filter_map(|node| match &node.value {
        NodeValue::List(items) => Some(items),
        _ => None,
    });
    lists.flatten().filter_map(text).map(|(text, _)| text).collect()
}

/// All things that points of maps are.
fn of_points(sources: &Sources) -> impl Iterator<Item = &str> {
    let points = section(sources, "maps").filter_map(|(_, map)| map.node.as_map()?.get("points")?.as_map());
    let things = points.flat_map(|points| points.values()).filter_map(|node| node.as_map()?.get("things"));
    let lists = things.filter_map(|node| match &node.value {
        NodeValue::List(items) => Some(items),
        _ => None,
    });
    lists.flatten().filter_map(text).map(|(text, _)| text)
}

fn text(node: &Node) -> Option<(&str, Place)> {
    match &node.value {
        NodeValue::Text(text) => Some((text, node.place)),
        _ => None,
    }
}
