//! Expressions that can never give what their place needs, and reasons without a text.

use std::collections::BTreeSet;

use crate::{
    base::Name,
    content::{Defect, Node, NodeValue, nearest},
    rules::{
        expr::{Given, Types},
        game::Game,
        query::QUERIES,
        read::{Reader, around},
        view::FIRST_TERM,
    },
};

/// The types of a game's functions and properties.
struct GameTypes<'a> {
    game: &'a Game,
    reader: &'a Reader<'a>,
    /// Names that maps have too, so that nobody knows what they give.
    elsewhere: BTreeSet<&'a str>,
}

impl Types for GameTypes<'_> {
    fn of_call(&self, function: u32) -> Given<'_> {
        if let Some(index) = function.checked_sub(FIRST_TERM) {
            let term = self.reader.names.terms.get(index as usize).and_then(|(term, _)| self.game.terms.get(term));
            return term.map_or(Given::Unknown, |term| Given::Expr(&term.is));
        }
        let query = QUERIES.get(function as usize).and_then(|query| query.signature.split_once("-> "));
        query.map_or(Given::Unknown, |(_, result)| Given::Type(result))
    }

    fn of_property(&self, property: Name) -> Option<&str> {
        let declared = self.game.properties.get(&property)?;
        let is_alone = !self.elsewhere.contains(property.as_str()) && !self.game.stats.contains_key(&property);
        is_alone.then_some(declared.kind.as_str())
    }
}

/// Tells of every expression whose type does not fit its place or one of its operators.
pub(super) fn misfits(game: &Game, reader: &Reader<'_>) {
    let types = GameTypes { game, reader, elsewhere: elsewhere(reader) };
    for (place, expr, wanted) in reader.exprs.borrow().iter() {
        let Some(misfit) = expr.misfit(*wanted, &types) else { continue };
        let text = around(expr.text(), misfit.offset);
        let at = if misfit.offset == 0 { String::new() } else { format!(" at {}", misfit.offset + 1) };
        let message =
            format!("in `{text}`{at}: {} where {} is needed", in_words(misfit.found), in_words(misfit.wanted));
        let help = match misfit.wanted {
            "bool" => "write a comparison, such as `x > 0`, or a function that gives true or false",
            "int" => "write a number, or what gives one",
            _ => "write a list, such as `[x]`, or what gives one",
        };
        reader.defect("expression.type", *place, message, Some(help.into()));
    }
}

fn in_words(kind: &str) -> &str {
    match kind {
        "bool" => "true or false",
        "int" => "a number",
        "list" => "a list",
        "map" => "a map",
        "name" => "a name",
        "entity" => "an entity",
        _ => "a space",
    }
}

/// Keys of maps that expressions can read beside properties: of missions, of data, and of what
/// functions give.
fn elsewhere<'a>(reader: &Reader<'a>) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = super::FREE_KEYS.into_iter().collect();
    let data = super::section(reader.sources, "data").map(|(section, _)| section.as_str());
    for section in data.chain(["missions", "data", "kinds", "cards", "events"]) {
        for (_, record) in super::section(reader.sources, section) {
            keys(&record.node, &mut found);
        }
    }
    found.extend(super::section(reader.sources, "legacy").map(|(id, _)| id.as_str()));
    found
}

fn keys<'a>(node: &'a Node, found: &mut BTreeSet<&'a str>) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| keys(item, found)),
        NodeValue::Map(entries) => {
            for (key, node) in entries {
                found.insert(key);
                keys(node, found);
            }
        }
        _ => {}
    }
}

/// Reasons for refusals that have no text of their own; each is told once.
pub(super) fn reasons_without_text(game: &Game, reader: &Reader<'_>, warnings: &mut Vec<Defect>) {
    let mut told = BTreeSet::new();
    for (place, reason) in reader.reasons.borrow().iter() {
        if game.texts.contains_key(reason) || !told.insert(reason.as_str()) {
            continue;
        }
        let help = nearest(reason, game.texts.keys().map(Name::as_str)).map_or_else(
            || format!("add `{reason}:` and what a player reads to section `texts`"),
            |near| format!("did you mean {near}? Otherwise add `{reason}:` to section `texts`"),
        );
        let file = &reader.sources.files[place.file];
        let message = format!("the reason {reason} has no text");
        warnings.push(Defect::new("text.missing", *place, file, message, Some(help)));
    }
}
