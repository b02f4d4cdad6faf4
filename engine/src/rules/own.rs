//! What was worked out of one thing alone, remembered until it changes: see [`super::expr`].
//!
//! A table for each such part of an expression, with an entry for each entity or space. Its entries
//! hold while the newest stamp of the thing, and of what is read beside it, is the same.

use std::cell::RefCell;

use super::{
    expr::{Beside, Common, Expr, Functions},
    game::Game,
    memo::Known,
    query::QUERIES,
    view::FIRST_TERM,
};
use crate::base::Value;

/// The most things of which something is remembered.
const N_THINGS_MAX: usize = 4096;

/// What is remembered of the things of one sort by one part of an expression.
#[derive(Default)]
struct Row {
    /// The game and the setting.
    within: (u64, u64),
    entries: Vec<Option<(u64, Known)>>,
}

thread_local! {
    static ROWS: RefCell<Vec<Row>> = const { RefCell::new(Vec::new()) };
}

/// Where something is remembered.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    row: usize,
    thing: usize,
}

impl Spot {
    /// The spot for a thing in a part of an expression; none if it is neither an entity nor a space.
    pub(super) fn of(part: u32, thing: &Value) -> Option<Self> {
        let (is_space, thing) = match thing {
            Value::Entity(entity) => (0, entity.index()),
            Value::Space(space) => (1, space.index()),
            _ => return None,
        };
        (thing < N_THINGS_MAX).then_some(Self { row: 2 * part as usize + is_space, thing })
    }

    /// What is remembered there, if it still holds and `fits`.
    pub(super) fn known(self, within: (u64, u64), stamp: u64, fits: impl FnOnce(&Known) -> bool) -> Option<Known> {
        ROWS.with_borrow(|rows| {
            let row = rows.get(self.row).filter(|row| row.within == within)?;
            let (when, known) = row.entries.get(self.thing)?.as_ref()?;
            (*when == stamp && fits(known)).then(|| known.clone())
        })
    }

    /// Remembers something there.
    pub(super) fn keep(self, within: (u64, u64), stamp: u64, known: Known) {
        ROWS.with_borrow_mut(|rows| {
            if rows.len() <= self.row {
                rows.resize_with(self.row + 1, Row::default);
            }
            let Some(row) = rows.get_mut(self.row) else { return };
            if row.within != within {
                row.entries.clear();
                row.within = within;
            }
            if row.entries.len() <= self.thing {
                row.entries.resize_with(self.thing + 1, || None);
            }
            row.entries[self.thing] = Some((stamp, known));
        });
    }
}

/// The functions of a game: its terms as they are written.
pub(super) struct Written(Vec<Expr>);

impl Written {
    pub(super) fn of(game: &Game) -> Self {
        Self(game.terms.values().map(|term| term.is.clone()).collect())
    }
}

impl Functions for Written {
    fn term(&self, function: u32) -> Option<&Expr> {
        self.0.get(function.checked_sub(FIRST_TERM)? as usize)
    }

    fn beside(&self, function: u32) -> Beside {
        match QUERIES.get(function as usize).map_or("", |query| query.name) {
            "fact" | "legacy" | "record" | "records" | "kind" | "kinds" | "missions" | "turned" | "quarters"
            | "space" | "region" => Beside::Nothing,
            "carrier" | "is_thing" | "ahead" | "behind" | "neighbours" | "cells" => Beside::Places(&[0]),
            "distance" | "adjacent" | "edge_marks" | "facings_to" => Beside::Places(&[0, 1]),
            "in_field" | "in_wedge" => Beside::Places(&[0, 3]),
            "has" => Beside::Kind,
            "table" => Beside::Table,
            _ => Beside::Else,
        }
    }
}

/// Marks in all terms and sight records what depends on one thing alone, and gives what each such
/// part reads beside it.
pub(super) fn mark(game: &mut Game) -> Vec<Vec<Common>> {
    let written = Written::of(game);
    let mut parts = Vec::new();
    let mut keep = |common: Vec<Common>| {
        parts.push(common);
        u32::try_from(parts.len() - 1).unwrap_or(u32::MAX)
    };
    for term in game.terms.values_mut() {
        term.is.mark_own(&written, &mut keep);
    }
    for stops in game.sight.values_mut().filter_map(|sight| sight.entities.as_mut()) {
        stops.mark_own(&written, &mut keep);
    }
    parts
}
