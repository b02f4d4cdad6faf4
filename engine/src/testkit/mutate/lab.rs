//! Where mutants are tried: one copy of the sources, changed and put back again and again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    CaseAt, Fate, Mutant, Mutation, Touched,
    list::{Edit, Step},
    overlay, spot,
};
use crate::{
    base::{Name, name},
    content::{self, Defects, Node, NodeValue, Record, Sources},
    rules::{Game, Used, link::relink, read::Reader, view::Names},
    testkit::{CaseKind, compare, play, read},
};

/// Sections whose records every game reads.
const READ_ALWAYS: [&str; 4] = ["properties", "stats", "zones", "data"];
/// Sections whose records build on each other when they are read.
const READ_TOGETHER: [&str; 2] = ["missions", "tiles"];

/// What one thread tries mutants with.
pub struct Lab<'a> {
    mutation: &'a Mutation,
    sources: Sources,
    /// The names that cases may use; no change takes one away.
    names: Names,
    /// The sources of cases that lay files over the game.
    laid: BTreeMap<usize, Sources>,
    /// The cases that failed last, by record: they are likely to fail again.
    killers: BTreeMap<String, Vec<usize>>,
    /// The game as it is, with its notes.
    game: Option<Arc<Game>>,
    hosts: play::Hosts,
}

impl<'a> Lab<'a> {
    pub(super) fn new(mutation: &'a Mutation) -> Self {
        let laid = mutation.cases.iter().enumerate().filter_map(|(index, case)| Some((index, case.laid.clone()?)));
        Self {
            mutation,
            sources: mutation.sources.clone(),
            names: crate::rules::link::names(&mutation.sources),
            laid: laid.collect(),
            killers: BTreeMap::new(),
            game: None,
            hosts: play::Hosts::default(),
        }
    }

    /// The records that a case looks at on the game as it is.
    pub fn touched(&mut self, case: usize) -> Touched {
        match self.used(case) {
            None => Touched::Fails,
            Some(_) if self.mutation.cases.get(case).is_some_and(|at| at.is_content) => Touched::Everything,
            Some(used) => Touched::Records(used.touched),
        }
    }

    /// What happens in a case on the game as it is; nothing counts where it fails.
    pub fn happened(&mut self, case: usize) -> BTreeSet<(Name, Name, Name)> {
        self.used(case).map(|used| used.happened).unwrap_or_default()
    }

    /// What a case uses; none when it fails.
    fn used(&mut self, case: usize) -> Option<Used> {
        let at = self.mutation.cases.get(case)?;
        let game = match self.laid.get(&case) {
            Some(laid) if !at.is_content => relink(&self.mutation.game, laid).ok()?,
            _ => match &self.game {
                Some(game) => Arc::clone(game),
                None => Arc::clone(self.game.insert(relink(&self.mutation.game, &self.sources).ok()?)),
            },
        };
        game.trace.begin();
        let _ = game.trace.take();
        let passes = self.passes(case, &game);
        let used = game.trace.take();
        passes.then_some(used)
    }

    /// What becomes of a mutant; `touched` says for every case what it looks at.
    pub fn fate(&mut self, mutant: &Mutant, touched: &[Touched]) -> Fate {
        let order = self.order(mutant, touched);
        let (fate, killer) = match &mutant.edit {
            Edit::DropPatch => self.without_patch(mutant, &order),
            _ => self.changed(mutant, &order),
        };
        if let Some(killer) = killer {
            let killers = self.killers.entry(mutant.record.clone()).or_default();
            killers.retain(|case| *case != killer);
            killers.insert(0, killer);
        }
        fate
    }

    /// The cases that look at the changed record: the likeliest to fail first.
    fn order(&self, mutant: &Mutant, touched: &[Touched]) -> Vec<usize> {
        let section = match (mutant.section.as_str(), mutant.path.as_slice()) {
            // Of kinds it is known which of their stats a case reads.
            ("kinds" | "cards", [Step::Key(key), Step::Key(stat), ..]) if key == "stats" => {
                name(&format!("kinds.{stat}"))
            }
            ("kinds" | "cards", [Step::Key(stat), ..]) => name(&format!("kinds.{stat}")),
            _ => mutant.section,
        };
        let always = READ_ALWAYS.contains(&section.as_str()) || mutant.edit == Edit::DropPatch;
        let together = READ_TOGETHER.contains(&section.as_str());
        let weight = |touched: &Touched| match touched {
            Touched::Fails => None,
            Touched::Everything => Some(usize::MAX),
            Touched::Records(records) => {
                let meets = always
                    || records.contains(&(section, mutant.id))
                    || together && records.iter().any(|(other, _)| *other == section);
                meets.then_some(records.len())
            }
        };
        let mut order: Vec<(usize, usize)> =
            touched.iter().enumerate().filter_map(|(case, touched)| Some((weight(touched)?, case))).collect();
        order.sort_unstable();
        let mut order: Vec<usize> = order.into_iter().map(|(_, case)| case).collect();
        for killer in self.killers.get(&mutant.record).into_iter().flatten().rev() {
            if let Some(index) = order.iter().position(|case| case == killer) {
                order[..=index].rotate_right(1);
            }
        }
        order
    }

    fn changed(&mut self, mutant: &Mutant, order: &[usize]) -> (Fate, Option<usize>) {
        let Some(node) = find(&self.sources, mutant) else { return (Fate::Refused, None) };
        let there = node.map(|node| (own(spot(&self.sources, node.place)), node.clone()));
        let Some(before) = change(&mut self.sources, mutant) else { return (Fate::Refused, None) };
        let found = match relink(&self.mutation.game, &self.sources) {
            Err(_) => (Fate::Refused, None),
            Ok(game) => {
                let killer = order.iter().copied().find(|case| {
                    let Some(mut laid) = self.laid.remove(case) else { return !self.passes(*case, &game) };
                    // What the case itself has changed is as it was.
                    let same = find(&laid, mutant).is_some_and(|node| match (node, &there) {
                        (Some(node), Some((place, was))) => {
                            own(spot(&laid, node.place)) == *place && node.says_the_same(was)
                        }
                        (None, None) => true,
                        _ => false,
                    });
                    let undo = if same { change(&mut laid, mutant) } else { None };
                    let killed = undo.is_some() && self.fails_laid(*case, &laid);
                    if let Some(undo) = undo {
                        restore(&mut laid, mutant, undo);
                    }
                    self.laid.insert(*case, laid);
                    killed
                });
                (fate_of(killer, order), killer)
            }
        };
        restore(&mut self.sources, mutant, before);
        found
    }

    fn without_patch(&mut self, mutant: &Mutant, order: &[usize]) -> (Fate, Option<usize>) {
        let Mutation { roots, game, without, cases, .. } = self.mutation;
        let load = |files: &[(String, String)]| {
            let overlays = if files.is_empty() { Vec::new() } else { vec![overlay(files)] };
            content::load_but(roots, game, without, &overlays, Some(&mutant.id))
        };
        let Ok(sources) = load(&[]) else { return (Fate::Refused, None) };
        let Ok(linked) = relink(game, &sources) else { return (Fate::Refused, None) };
        let killer = order.iter().copied().find(|case| match cases.get(*case).map(|at| &at.files) {
            Some(files) if !files.is_empty() => match load(files) {
                Ok(laid) => self.fails_laid(*case, &laid),
                Err(_) => true,
            },
            _ => !self.passes(*case, &linked),
        });
        (fate_of(killer, order), killer)
    }

    /// Whether a case that lays files over the game fails on these sources.
    fn fails_laid(&self, case: usize, laid: &Sources) -> bool {
        let Some(at) = self.mutation.cases.get(case) else { return false };
        match relink(&self.mutation.game, laid) {
            Ok(game) if !at.is_content => !self.passes(case, &game),
            linked => !self.has_defects(at, linked),
        }
    }

    /// Whether linking gave the defects that a case asks for.
    fn has_defects(&self, at: &CaseAt, linked: Result<Arc<Game>, Defects>) -> bool {
        let given = match linked {
            Ok(game) => game.warnings.clone(),
            Err(defects) => defects.0,
        };
        let Some((_, suite)) = self.sources.tests.get(at.suite) else { return false };
        let reader = Reader::new(&self.sources, self.names.clone());
        let lay = |_: &[(String, String)]| Err(Defects::default());
        match read::one(&Arc::default(), &reader, &lay, suite, &at.id).map(|case| case.kind) {
            Some(CaseKind::Content(case)) => compare(&case, &given).is_empty(),
            _ => false,
        }
    }

    /// Whether a case passes on a game.
    fn passes(&self, case: usize, game: &Arc<Game>) -> bool {
        let Some(at) = self.mutation.cases.get(case) else { return false };
        if at.is_content {
            return match self.laid.get(&case) {
                Some(laid) => self.has_defects(at, relink(&self.mutation.game, laid)),
                None => false,
            };
        }
        let Some((_, suite)) = self.sources.tests.get(at.suite) else { return false };
        let reader = Reader::new(&self.sources, self.names.clone());
        let lay = |_: &[(String, String)]| Ok(Arc::clone(game));
        match read::one(game, &reader, &lay, suite, &at.id).map(|case| case.kind) {
            Some(CaseKind::Play(case)) => play::holds(&case, &self.hosts),
            _ => false,
        }
    }
}

fn fate_of(killer: Option<usize>, order: &[usize]) -> Fate {
    match (killer, order) {
        (Some(_), _) => Fate::Killed,
        (None, []) => Fate::Untouched,
        (None, _) => Fate::Survived,
    }
}

fn own((file, line, column): (&str, usize, usize)) -> (String, usize, usize) {
    (file.to_string(), line, column)
}

/// The node that a mutant changes: none inside when the whole record is meant.
fn find<'s>(sources: &'s Sources, mutant: &Mutant) -> Option<Option<&'s Node>> {
    let record = sources.records.get(mutant.section.as_str())?.get(mutant.id.as_str())?;
    let mut node = &record.node;
    for step in &mutant.path {
        node = match (step, &node.value) {
            (Step::Key(key), NodeValue::Map(entries)) => entries.get(key)?,
            (Step::Item(index, _), NodeValue::List(items)) => items.get(*index)?,
            _ => return None,
        };
    }
    Some((!mutant.path.is_empty()).then_some(node))
}

/// Makes the change; gives the record as it was, and its number.
fn change(sources: &mut Sources, mutant: &Mutant) -> Option<(usize, Record)> {
    let records = sources.records.get_mut(mutant.section.as_str())?;
    let (index, _, record) = records.get_full_mut(mutant.id.as_str())?;
    let before = record.clone();
    let Some((last, way)) = mutant.path.split_last() else {
        records.shift_remove_index(index);
        return Some((index, before));
    };
    let mut node = &mut record.node;
    for step in way {
        node = child(node, step)?;
    }
    match (&mutant.edit, last, &mut node.value) {
        (Edit::Set(value), ..) => child(node, last)?.value = value.clone(),
        (_, Step::Key(key), NodeValue::Map(entries)) => {
            entries.shift_remove(key);
        }
        (_, Step::Item(item, _), NodeValue::List(items)) if *item < items.len() => {
            items.remove(*item);
        }
        _ => return None,
    }
    Some((index, before))
}

fn child<'n>(node: &'n mut Node, step: &Step) -> Option<&'n mut Node> {
    match (step, &mut node.value) {
        (Step::Key(key), NodeValue::Map(entries)) => entries.get_mut(key),
        (Step::Item(index, _), NodeValue::List(items)) => items.get_mut(*index),
        _ => None,
    }
}

fn restore(sources: &mut Sources, mutant: &Mutant, (index, record): (usize, Record)) {
    let Some(records) = sources.records.get_mut(mutant.section.as_str()) else { return };
    let id = mutant.id.to_string();
    match records.get_mut(&id) {
        Some(changed) => *changed = record,
        None => {
            records.shift_insert(index.min(records.len()), id, record);
        }
    }
}
