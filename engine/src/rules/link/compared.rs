//! Names that conditions and scripts compare something with which never has them: what a declaration says by
//! `names` of a property, a stat, a field of data or of an event, and the kinds of entities. Each is a warning.

use std::collections::BTreeMap;

use super::{doubtful::Known, ids::known_names, section};
use crate::{
    base::{Name, name},
    content::{Defect, Node, NodeValue, Place, Sources, nearest},
    rules::{
        expr::{Compared, Expr},
        game::Game,
        query::QUERIES,
        read::Reader,
        view::FIRST_TERM,
    },
};

/// The fields of missions that are no facts and say kinds and properties of what they place.
const PLACED: [&str; 2] = ["units", "small_tiles"];

/// What something is compared with: what it is called, the names that it can have, and where they come from.
struct Named<'a> {
    known: Vec<&'a str>,
    from: String,
}

/// What names each property can have, where its name means one thing.
pub(super) struct Comparisons<'a> {
    properties: BTreeMap<&'a str, Named<'a>>,
    of_table: BTreeMap<&'a str, Named<'a>>,
    doubtful: &'a Known<'a>,
    sources: &'a Sources,
}

fn field<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.as_map()?.get(key)
}

fn named<'a>(sources: &'a Sources, target: &'a Node) -> Option<Named<'a>> {
    let from = match &target.value {
        NodeValue::Text(section) => format!("no record of `{section}`"),
        _ => "none of the words that its declaration allows".to_owned(),
    };
    Some(Named { known: known_names(sources, target)?, from })
}

impl<'a> Comparisons<'a> {
    pub(super) fn new(game: &'a Game, sources: &'a Sources, doubtful: &'a Known<'a>) -> Self {
        let mut declared: BTreeMap<&str, Vec<Option<Named<'_>>>> = BTreeMap::new();
        let mut of_table = BTreeMap::new();
        let kinds = game.kinds.keys().map(Name::as_str).collect();
        declared.entry("kind").or_default().push(Some(Named { known: kinds, from: "no kind".to_owned() }));
        for own in ["stats", "properties"] {
            for (id, record) in section(sources, own) {
                let target = field(&record.node, "names").filter(|names| names.as_map().is_none());
                let target = target.and_then(|target| named(sources, target));
                if game.properties.get(&name(id)).is_some_and(|property| property.of_table) && own == "properties" {
                    of_table.extend(target.map(|target| (id.as_str(), target)));
                } else {
                    declared.entry(id).or_default().push(target);
                }
            }
        }
        for (_, record) in section(sources, "data") {
            let names = field(&record.node, "names");
            for (id, _) in field(&record.node, "fields").and_then(Node::as_map).into_iter().flatten() {
                let target = names.and_then(|names| field(names, id)).and_then(|target| named(sources, target));
                declared.entry(id).or_default().push(target);
            }
        }
        keys_elsewhere(sources, &mut |key| {
            if let Some(found) = declared.get_mut(key) {
                found.push(None);
            }
        });
        let alone = declared.into_iter().filter_map(|(id, mut found)| match found.len() {
            1 => Some((id, found.pop()??)),
            _ => None,
        });
        Self { properties: alone.collect(), of_table, doubtful, sources }
    }

    /// Every condition of the records that asks for what is never there.
    pub(super) fn in_records(&self, game: &Game, reader: &Reader<'_>, warnings: &mut Vec<Defect>) {
        for (place, expr, _) in reader.exprs.borrow().iter() {
            for (compared, word) in expr.comparisons() {
                let (id, wanted) = match compared {
                    Compared::Property(property) => (property, self.properties.get(property.as_str())),
                    Compared::Call(function, id) if is_table(function) => (id, self.of_table.get(id.as_str())),
                    _ => continue,
                };
                warnings.extend(wanted.and_then(|wanted| self.missed(&id, &word, wanted, *place)));
            }
        }
        for (id, record) in section(self.sources, "hooks") {
            let (Some(hook), Some(node)) = (game.hooks.get(&name(id)), field(&record.node, "when")) else { continue };
            let event = section(self.sources, "events").find(|(event, _)| *event == hook.event.as_str());
            let names = event.and_then(|(_, event)| field(&event.node, "names"));
            let fields: Vec<Name> =
                game.events.get(&hook.event).map(|event| event.fields.keys().copied().collect()).unwrap_or_default();
            for (compared, word) in hook.when.iter().flat_map(Expr::comparisons) {
                let Compared::Variable(slot) = compared else { continue };
                let Some(of) = fields.get(slot as usize) else { continue };
                let wanted = names.and_then(|names| named(self.sources, field(names, of)?));
                warnings.extend(wanted.and_then(|wanted| self.missed(of, &word, &wanted, node.place)));
            }
        }
    }

    fn missed(&self, of: &str, word: &str, wanted: &Named<'_>, place: Place) -> Option<Defect> {
        if wanted.known.is_empty() || wanted.known.contains(&word) {
            return None;
        }
        let near = nearest(word, wanted.known.iter().copied());
        let file = &self.sources.files[place.file];
        // A pack on which others stand may ask for what only some of them bring.
        if near.is_none() && self.doubtful.is_base(&file.path) {
            return None;
        }
        let known = || wanted.known.iter().take(12).copied().collect::<Vec<_>>().join(", ");
        let help = near.map_or_else(|| format!("there are: {}", known()), |near| format!("did you mean {near}?"));
        let message = format!("{of} is compared with {word}, which is {}", wanted.from);
        Some(Defect::new("name.unknown", place, file, message, Some(help)))
    }
}

fn is_table(function: u32) -> bool {
    function < FIRST_TERM && QUERIES.get(function as usize).is_some_and(|query| query.name == "table")
}

/// Keys of maps that say nothing of entities: of facts, campaigns, and within values.
fn keys_elsewhere<'a>(sources: &'a Sources, found: &mut dyn FnMut(&'a str)) {
    for (_, record) in section(sources, "missions") {
        for (key, node) in record.node.as_map().into_iter().flatten().filter(|(key, _)| !PLACED.contains(&key.as_str()))
        {
            found(key);
            keys(node, found);
        }
    }
    for (_, record) in section(sources, "campaigns").chain(section(sources, "legacy")) {
        keys(&record.node, found);
    }
    let data = section(sources, "data").map(|(own, _)| own.as_str());
    for own in data.chain(["kinds", "cards"]) {
        let fields = section(sources, own).flat_map(|(_, record)| record.node.as_map()).flatten();
        // Stats may stand one level further in.
        for (_, node) in fields.filter(|(key, _)| *key != "stats") {
            keys(node, found);
        }
    }
}

fn keys<'a>(node: &'a Node, found: &mut dyn FnMut(&'a str)) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| keys(item, found)),
        NodeValue::Map(entries) => {
            for (key, node) in entries {
                found(key);
                keys(node, found);
            }
        }
        _ => {}
    }
}
