//! What is written and nothing asks for though it is nearly what something asks for: tags of kinds, things
//! and marks of maps; things of maps that nothing asks for at all; menus that nobody opens. All are warnings.

use std::collections::{BTreeMap, BTreeSet};

use super::section;
use crate::{
    content::{Defect, Node, NodeValue, Place, Sources, nearest},
    rules::game::Game,
};

/// A word where it is written, and of what.
struct Written<'a> {
    word: &'a str,
    place: Place,
    of: &'a str,
}

/// Words of lists that occur nowhere else and are nearly one that does.
pub(super) fn near_words(sources: &Sources, warnings: &mut Vec<Defect>) {
    let (things, marks) = of_maps(sources);
    let sorts = [
        ("tag.near", "the tag", tags(sources)),
        ("thing.near", "the thing", things),
        ("thing.near", "the mark", marks),
    ];
    for (code, what, written) in sorts {
        let mut left: BTreeMap<&str, i64> = written.iter().map(|written| (written.word, 0)).collect();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for file in sources.files.iter().filter(|file| file.is_content) {
            for word in file.text.split(|c| !is_part(c)) {
                if let Some(n) = left.get_mut(word) {
                    *n += 1;
                }
            }
        }
        for written in &written {
            *left.entry(written.word).or_default() -= 1;
        }
        let read: Vec<&str> = left.iter().filter(|(_, n)| **n > 0).map(|(word, _)| *word).collect();
        let ids = ids_of(sources, code == "tag.near");
        let known: Vec<&str> = ids.into_iter().chain(quoted(sources)).chain(read.iter().copied()).collect();
        // What several have alike is meant.
        let is_alone = |one: &&Written<'_>| {
            !read.contains(&one.word) && written.iter().filter(|other| other.word == one.word).count() == 1
        };
        let mut told = BTreeSet::new();
        for Written { word, place, of } in written.iter().filter(is_alone) {
            if let Some(near) = nearest(word, known.iter().copied().filter(|known| known != word)) {
                let message = format!("{of} has {what} {word}, which nothing reads");
                let help = Some(format!("did you mean {near}?"));
                warnings.push(Defect::new(code, *place, &sources.files[place.file], message, help));
                told.insert(*word);
            }
        }
        let is_dead = |one: &&Written<'_>| what == "the thing" && !read.contains(&one.word);
        for Written { word, place, of } in written.iter().filter(is_dead) {
            if told.insert(*word) {
                let message = format!("{of} has {what} {word}, which nothing reads");
                let help = Some("name it in a record, an expression or a script, or take it away".to_owned());
                warnings.push(Defect::new("thing.unread", *place, &sources.files[place.file], message, help));
            }
        }
    }
}

/// Menus that nobody opens: what they offer is never offered.
pub(super) fn unopened_menus(game: &Game, sources: &Sources, warnings: &mut Vec<Defect>) {
    let named = quoted(sources);
    let of_actions = game.actions.iter().map(|(id, action)| ("actions", id, action.menu));
    let menus: Vec<_> = of_actions.chain(game.menus.keys().map(|id| ("menus", id, *id))).collect();
    for (section, id, menu) in menus.iter().filter(|(_, _, menu)| !named.contains(menu.as_str())) {
        let Some(record) = sources.records.get(*section).and_then(|records| records.get(id.as_str())) else { continue };
        let place = record.node.place_of(menu).unwrap_or_else(|| record.node.named_at());
        let opened = menus.iter().map(|(_, _, menu)| menu.as_str()).filter(|menu| named.contains(menu));
        let help = nearest(menu, opened).map_or_else(
            || format!("open it by `menu(\"{menu}\", unit)` in a script or a phase, or take it away"),
            |near| format!("did you mean {near}?"),
        );
        let message = format!("nobody opens the menu {menu}");
        warnings.push(Defect::new("menu.unopened", place, &sources.files[place.file], message, Some(help)));
    }
}

/// Ids that tags and things may bear: of kinds, or of what is drawn and of the sections that content declares.
fn ids_of(sources: &Sources, kinds: bool) -> Vec<&str> {
    let own = sources.records.get("data").into_iter().flat_map(|data| data.keys()).map(String::as_str);
    let sections: Vec<&str> = if kinds { vec!["kinds", "cards"] } else { own.chain(["drawings"]).collect() };
    let records = sections.into_iter().filter_map(|section| sources.records.get(section));
    records.flat_map(|records| records.keys()).map(String::as_str).collect()
}

/// The words that stand between quotes in expressions and scripts.
fn quoted(sources: &Sources) -> BTreeSet<&str> {
    let is_word = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let files = sources.files.iter().filter(|file| file.is_content);
    files.flat_map(|file| file.text.lines()).flat_map(|line| line.split('"').skip(1)).filter(is_word).collect()
}

fn field<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.as_map()?.get(key)
}

fn listed<'n>(node: Option<&'n Node>, of: &'n str) -> Vec<Written<'n>> {
    let Some(NodeValue::List(items)) = node.map(|node| &node.value) else { return Vec::new() };
    let written = |item: &'n Node| match &item.value {
        NodeValue::Text(word) => Some(Written { word, place: item.place, of }),
        _ => None,
    };
    items.iter().filter_map(written).collect()
}

fn tags(sources: &Sources) -> Vec<Written<'_>> {
    let kinds = section(sources, "kinds").chain(section(sources, "cards"));
    kinds.flat_map(|(id, record)| listed(field(&record.node, "tags"), id)).collect()
}

/// The things of points, and the marks of routes.
fn of_maps(sources: &Sources) -> (Vec<Written<'_>>, Vec<Written<'_>>) {
    let (mut things, mut marks) = (Vec::new(), Vec::new());
    for (id, record) in section(sources, "maps") {
        for (point, node) in field(&record.node, "points").and_then(Node::as_map).into_iter().flatten() {
            things.extend(listed(field(node, "things"), point));
        }
        if let Some(NodeValue::List(routes)) = field(&record.node, "routes").map(|node| &node.value) {
            marks.extend(routes.iter().flat_map(|route| listed(field(route, "marks"), id)));
        }
    }
    (things, marks)
}
