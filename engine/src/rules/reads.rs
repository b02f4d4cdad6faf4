//! What terms, derived numbers, questions and actions read of a world, so that what they gave
//! can be remembered until one of these parts changes.

use std::collections::BTreeSet;

use super::{
    expr::Expr,
    game::{Condition, Game},
    query::QUERIES,
    view::FIRST_TERM,
};
use crate::{
    base::{Name, Value},
    kernel::{Part, fresh},
};

/// A record whose result can be remembered, by its place in its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Memorable {
    Term(usize),
    Value(usize),
    /// All legal answers to a question.
    Options(usize),
    /// Whether a question has a legal answer.
    HasOption(usize),
    /// The reason against an action.
    Action(usize),
    /// The entities with a tag.
    All,
    /// Where entities stand that stop the lines of a sight record.
    Blockers(usize),
    /// The rooms of the board within some marks.
    Rooms,
}

/// The parts of a world that each record reads.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// A number of its own; 0 if nothing was looked through.
    pub(super) id: u64,
    terms: Vec<Option<Box<[Part]>>>,
    values: Vec<Box<[Part]>>,
    choices: Vec<Box<[Part]>>,
    actions: Vec<Box<[Part]>>,
    blockers: Vec<Box<[Part]>>,
}

/// What an expression that makes fewer steps than this costs less than to remember it.
const WORTH: u32 = 20;
/// Queries that only look something up.
const QUICK: [&str; 24] = [
    "has",
    "entity",
    "carrier",
    "table",
    "local",
    "fact",
    "legacy",
    "space",
    "distance",
    "adjacent",
    "is_thing",
    "ahead",
    "behind",
    "quarters",
    "turned",
    "in_field",
    "in_wedge",
    "record",
    "records",
    "kind",
    "on",
    "pile",
    "missions",
    "facings_to",
];

impl Reads {
    /// Looks through the records of a game.
    pub(super) fn of(game: &Game) -> Self {
        let boxed = |parts: BTreeSet<Part>| -> Box<[Part]> { parts.into_iter().collect() };
        let of = |memorable| boxed(Walk::new(game).parts(memorable));
        Self {
            id: fresh(),
            terms: (0..game.terms.len())
                .map(|index| is_worth(game, index).then(|| of(Memorable::Term(index))))
                .collect(),
            values: (0..game.values.len()).map(|index| of(Memorable::Value(index))).collect(),
            choices: (0..game.choices.len()).map(|index| of(Memorable::Options(index))).collect(),
            blockers: (0..game.sight.len()).map(|index| of(Memorable::Blockers(index))).collect(),
            actions: (0..game.actions.len()).map(|index| of(Memorable::Action(index))).collect(),
        }
    }

    /// The parts that a record reads; none if it is not worth remembering.
    pub(super) fn parts(&self, of: Memorable) -> Option<&[Part]> {
        match of {
            Memorable::Term(index) => self.terms.get(index)?.as_deref(),
            Memorable::Value(index) => self.values.get(index).map(|parts| &**parts),
            Memorable::Options(index) | Memorable::HasOption(index) => self.choices.get(index).map(|parts| &**parts),
            Memorable::Action(index) => self.actions.get(index).map(|parts| &**parts),
            Memorable::Blockers(index) => self.blockers.get(index).map(|parts| &**parts),
            Memorable::All => (self.id != 0).then_some(&[Part::ENTITIES]),
            Memorable::Rooms => (self.id != 0).then_some(&[]),
        }
    }
}

/// Whether a term does more than look something up.
fn is_worth(game: &Game, index: usize) -> bool {
    let mut steps = 0;
    let mut seen = BTreeSet::new();
    let mut waiting = vec![index];
    while let Some(index) = waiting.pop() {
        let Some((_, term)) = game.terms.get_index(index).filter(|_| seen.insert(index)) else { continue };
        steps += term.is.n_steps();
        for call in term.is.calls() {
            match call.function.checked_sub(FIRST_TERM) {
                Some(term) => waiting.push(term as usize),
                None => {
                    let query = QUERIES.get(call.function as usize).map_or("", |query| query.name);
                    steps += if QUICK.contains(&query) { 1 } else { WORTH };
                }
            }
        }
    }
    steps >= WORTH
}

/// A walk over everything that a record uses.
struct Walk<'a> {
    game: &'a Game,
    found: BTreeSet<Part>,
    seen: BTreeSet<Memorable>,
    waiting: Vec<Memorable>,
}

impl<'a> Walk<'a> {
    fn new(game: &'a Game) -> Self {
        Self { game, found: BTreeSet::new(), seen: BTreeSet::new(), waiting: Vec::new() }
    }

    fn parts(mut self, of: Memorable) -> BTreeSet<Part> {
        self.waiting.push(of);
        while let Some(next) = self.waiting.pop() {
            if self.seen.insert(next) {
                self.record(next);
            }
        }
        if self.found.contains(&Part::ANY) {
            self.found = BTreeSet::from([Part::ANY]);
        }
        self.found
    }

    fn record(&mut self, of: Memorable) {
        let game = self.game;
        match of {
            Memorable::All | Memorable::Rooms => {}
            Memorable::Blockers(index) => {
                self.found.extend([Part::ENTITIES, Part::PLACES]);
                self.exprs(game.sight.get_index(index).and_then(|(_, sight)| sight.entities.as_ref()));
            }
            Memorable::Term(index) => self.exprs(game.terms.get_index(index).map(|(_, term)| &term.is)),
            Memorable::Value(index) => {
                let Some((_, value)) = game.values.get_index(index) else { return };
                self.exprs([&value.base]);
                self.exprs(value.parts.iter().flat_map(|part| part.when.iter().chain([&part.amount])));
            }
            Memorable::Options(index) | Memorable::HasOption(index) => {
                let Some((_, choice)) = game.choices.get_index(index) else { return };
                self.exprs([&choice.from]);
                self.conditions(&choice.conditions);
            }
            Memorable::Action(index) => {
                let Some((_, action)) = game.actions.get_index(index) else { return };
                self.exprs(&action.cost);
                self.conditions(&action.conditions);
                for ask in &action.asks {
                    self.exprs(ask.when.iter().chain([&ask.args]));
                    self.waiting.extend(game.choices.get_index_of(&ask.choice).map(Memorable::Options));
                }
                if let Some(menu) = game.menus.get(&action.menu) {
                    self.conditions(&menu.conditions);
                    self.property(menu.pays.as_ref().map(|pays| pays.property));
                }
            }
        }
    }

    fn conditions(&mut self, conditions: &'a [Condition]) {
        self.exprs(conditions.iter().map(|condition| &condition.holds));
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.property(expr.properties().iter().map(|(property, _)| *property));
            for call in expr.calls() {
                match call.function.checked_sub(FIRST_TERM) {
                    Some(term) => self.waiting.push(Memorable::Term(term as usize)),
                    None => {
                        let query = QUERIES.get(call.function as usize).map_or("", |query| query.name);
                        self.query(query, call.n_args, call.first);
                    }
                }
            }
        }
    }

    /// What a property of anything reads.
    fn property(&mut self, names: impl IntoIterator<Item = Name>) {
        for name in names {
            match name.as_str() {
                "at" => self.found.extend([Part::PLACES, Part::ENTITIES]),
                "name" | "things" | "region" => {}
                _ => {
                    self.found.insert(Part::ENTITIES);
                    self.found.extend(column(self.game, name).map(Part::of_property));
                }
            }
        }
    }

    fn query(&mut self, query: &str, n_args: usize, first: Option<Value>) {
        let game = self.game;
        let named = first.as_ref().and_then(Value::as_name);
        match query {
            "kind" | "kinds" | "missions" | "fact" | "legacy" | "placements" | "space" | "spaces" | "region"
            | "edge_marks" | "room" | "turned" | "quarters" | "record" | "records" => {
                self.found.extend((query == "edge_marks" || query == "room").then_some(Part::PLACES));
            }
            "all" | "has" | "entity" => {
                self.found.extend([Part::ENTITIES]);
                self.found.extend((n_args > 1).then_some(Part::PLACES));
            }
            "on" | "carried" | "carrier" | "cells" | "distance" | "adjacent" | "neighbours" | "is_thing" | "ahead"
            | "behind" | "facings_to" | "in_field" | "in_wedge" | "field" | "step_cost" | "within" | "reach"
            | "way_cost" | "way_round" | "steps_towards" | "near" | "reachable" => {
                self.found.extend([Part::ENTITIES, Part::PLACES])
            }
            "looking_at" => {
                self.found.extend([Part::ENTITIES, Part::PLACES]);
                match named.and_then(|name| column(game, name)) {
                    Some(column) => self.found.extend([Part::of_property(column)]),
                    None => self.found.extend([Part::ANY]),
                }
            }
            "line_open" | "open_lines" | "open_from" | "line_meets" => {
                self.found.extend([Part::ENTITIES, Part::PLACES]);
                self.exprs(game.sight.values().filter_map(|sight| sight.entities.as_ref()));
            }
            "pile" => self.found.extend([Part::PILES]),
            "local" => self.found.extend([Part::FLOW]),
            "table" => match named.and_then(|name| column(game, name)) {
                Some(column) => self.found.extend([Part::of_property(column)]),
                None => self.found.extend([Part::ANY]),
            },
            "value" | "options" | "has_option" => {
                let record = named.and_then(|name| match query {
                    "value" => game.values.get_index_of(&name).map(Memorable::Value),
                    _ => game.choices.get_index_of(&name).map(Memorable::Options),
                });
                match record {
                    Some(record) => self.waiting.push(record),
                    None => self.found.extend([Part::ANY]),
                }
            }
            _ => self.found.extend([Part::ANY]),
        }
    }
}

/// The number of a property among the columns of a world: those of entities, then those of the table.
fn column(game: &Game, property: Name) -> Option<usize> {
    let of_table = game.properties.get(&property)?.of_table;
    let before = |of_table: bool| game.properties.iter().filter(move |(_, known)| known.of_table == of_table);
    let place = before(of_table).position(|(name, _)| *name == property)?;
    Some(if of_table { before(false).count() + place } else { place })
}
