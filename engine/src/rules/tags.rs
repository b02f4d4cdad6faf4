//! What a kind is: itself and its tags, asked for nearly every thing that a condition looks at.

use super::{
    expr::{Expr, Left},
    game::Game,
    query::QUERIES,
};
use crate::base::{Name, Places};

/// Which kinds have which tags; a kind's own name is one of its tags.
#[derive(Debug, Default)]
pub(super) struct Tags {
    kinds: Places,
    words: Places,
    /// By kind, then by word.
    has: Box<[bool]>,
    n_words: usize,
}

impl Tags {
    pub(super) fn of(game: &Game) -> Self {
        let mut words: Vec<Name> = game.kinds.keys().copied().collect();
        words.extend(game.kinds.values().flat_map(|kind| &kind.tags).copied());
        words.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        words.dedup();
        let of_kind = |(id, kind): (&Name, &super::game::Kind)| {
            words.iter().map(|word| word == id || kind.tags.contains(word)).collect::<Vec<bool>>()
        };
        Self {
            has: game.kinds.iter().flat_map(of_kind).collect(),
            kinds: Places::new(game.kinds.keys().copied()),
            n_words: words.len(),
            words: Places::new(words),
        }
    }

    /// Whether a kind has a tag, or is of that name.
    #[inline]
    pub(super) fn has(&self, kind: Name, tag: Name) -> bool {
        let place = || Some(self.kinds.of(kind)? * self.n_words + self.words.of(tag)?);
        kind == tag || place().and_then(|place| self.has.get(place)).is_some_and(|has| *has)
    }
}

/// A condition on an entity, as far as its kind leaves it open.
#[derive(Debug, Default)]
pub(super) struct ByKind {
    kinds: Places,
    left: Vec<Left>,
}

impl ByKind {
    /// What a condition on its only variable leaves open of each kind.
    pub(super) fn of(game: &Game, condition: Option<&Expr>) -> Self {
        let is_has = |function: u32| QUERIES.get(function as usize).is_some_and(|query| query.name == "has");
        let of_kind = |kind: &Name| {
            let says = |function, tag| is_has(function).then(|| game.tags.has(*kind, tag));
            condition.map_or(Left::Holds(false), |condition| condition.given(&says))
        };
        Self { kinds: Places::new(game.kinds.keys().copied()), left: game.kinds.keys().map(of_kind).collect() }
    }

    /// What it leaves open of a kind; none if the game has no such kind.
    pub(super) fn left(&self, kind: Name) -> Option<&Left> {
        self.left.get(self.kinds.of(kind)?)
    }
}
