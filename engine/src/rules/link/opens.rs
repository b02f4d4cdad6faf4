//! A window opens by what everybody knows: what it asks for is looked through when content is
//! loaded, as far as that can be seen without a game in progress.

use std::collections::BTreeSet;

use crate::{
    base::Name,
    content::{Defect, Place, Sources},
    rules::{expr::Expr, game::Game, query::QUERIES, view::FIRST_TERM},
};

/// What an expression reads by name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    Table(Name),
    /// The things of a pile, not only how many they are.
    Pile(Name),
}

/// Refuses `opens` that reads a property of the table which not everybody knows, and warns of one
/// that looks at the things of a pile which not everybody sees.
pub(super) fn windows(game: &Game, sources: &Sources, defects: &mut Vec<Defect>, warnings: &mut Vec<Defect>) {
    for (id, window) in &game.windows {
        let Some(opens) = &window.opens else { continue };
        let Some((place, file)) = place_of(sources, *id).map(|place| (place, &sources.files[place.file])) else {
            continue;
        };
        for read in reads(game, opens) {
            match read {
                Read::Table(property) => {
                    let seats: Vec<&str> = game.properties[&property].seen_by.iter().map(Name::as_str).collect();
                    let what = format!("{id} opens by {property} of the table, which only {} knows", seats.join(", "));
                    let help = "ask in `from` or `where`, which are read as the asked seat knows the game".to_string();
                    defects.push(Defect::new("window.opens", place, file, what, Some(help)));
                }
                Read::Pile(pile) => {
                    let what = format!("{id} opens by the things in {pile}, which not everybody sees");
                    let help = "everybody knows only how many they are: `len`, `is_empty`".to_string();
                    warnings.push(Defect::new("window.opens", place, file, what, Some(help)));
                }
            }
        }
    }
}

fn place_of(sources: &Sources, window: Name) -> Option<Place> {
    let record = sources.records.get("windows")?.get(window.as_str())?;
    Some(record.node.as_map()?.get("opens")?.place)
}

/// What an expression and the terms in it read of what not everybody knows.
fn reads(game: &Game, opens: &Expr) -> BTreeSet<Read> {
    let (mut found, mut terms, mut exprs) = (BTreeSet::new(), BTreeSet::new(), vec![opens]);
    let is_everybody = |seats: &[Name]| game.secret_seats.iter().all(|seat| seats.contains(seat));
    while let Some(expr) = exprs.pop() {
        for (function, named, is_counted) in expr.reads_by_name() {
            if let Some(term) = function.checked_sub(FIRST_TERM) {
                let term = game.terms.get_index(term as usize).filter(|(term, _)| terms.insert(**term));
                exprs.extend(term.map(|(_, term)| &term.is));
                continue;
            }
            let (Some(query), Some(named)) = (QUERIES.get(function as usize), named) else { continue };
            let property = game.properties.get(&named).filter(|known| known.of_table && !known.seen_by.is_empty());
            let pile = game.zones.get(&named);
            match query.name {
                "table" if property.is_some_and(|known| !is_everybody(&known.seen_by)) => {
                    found.insert(Read::Table(named));
                }
                "pile" if !is_counted && pile.is_some_and(|pile| pile.hidden || pile.seen_by.is_some()) => {
                    found.insert(Read::Pile(named));
                }
                _ => {}
            }
        }
    }
    found
}
