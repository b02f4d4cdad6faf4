//! Trying missions: each is set up once, up to the first choice of its first turn.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use crate::{
    base::Name,
    chance::Seeded,
    content::{Defect, Place, SourceFile, Sources},
    kernel::{Choice, Responder, Run, World},
    rules::{game::Game, instance::Instance, setting::Setting},
};

/// The seed of the trial.
const SEED: u64 = 1;
/// The most choices that are answered before a turn begins.
const ANSWERS_MAX: u32 = 200;
/// The most steps of a trial.
const STEPS_MAX: usize = 2_000;

/// Answers with the first option until a turn has begun.
struct First {
    game: Arc<Game>,
    left: u32,
}

impl Responder for First {
    fn answer(&mut self, world: &World, choice: &Choice) -> Option<Name> {
        let is_turn = |phase: Name| self.game.phases.get(&phase).is_some_and(|phase| phase.is_turn);
        self.left = self.left.checked_sub(1)?;
        if world.flow().iter().any(|frame| is_turn(frame.phase)) {
            return None;
        }
        choice.options().next().map(|option| option.id)
    }
}

/// Sets every mission up with its first options, and tells of those where a function fails or
/// an invariant is broken, at the place of the mission.
#[must_use]
pub fn try_missions(game: &Arc<Game>, sources: &Sources) -> Vec<Defect> {
    let mut defects = Vec::new();
    // What fails in one mission as in another is told once.
    let mut tried = BTreeSet::new();
    let campaigns = super::section(sources, "campaigns");
    for (id, record) in super::section(sources, "missions").chain(campaigns) {
        let Err(message) = set_up(game, crate::base::name(id)) else { continue };
        if let Some((file, place)) = place_in_script(sources, &message).filter(|_| !message.contains("invariants.")) {
            let first = message.lines().next().unwrap_or_default().to_owned();
            if tried.insert(message) {
                let help = format!("it fails when the mission {id} is set up; mend the function or what it is given");
                defects.push(Defect::new("mission.set_up", place, file, first, Some(help)));
            }
            continue;
        }
        let place = record.node.named_at();
        let message = format!("{id} cannot be set up: {message}");
        let help = match crowds(game, crate::base::name(id)) {
            crowds if crowds.is_empty() => "mend what the mission places, or what is named here".to_owned(),
            crowds => format!("it places several things on one square: {}", crowds.join("; ")),
        };
        defects.push(Defect::new("mission.set_up", place, &sources.files[place.file], message, Some(help)));
    }
    defects
}

/// The place in a script that the last line of a fault names: `in ns::f, file:line:column`.
fn place_in_script<'a>(sources: &'a Sources, message: &str) -> Option<(&'a SourceFile, Place)> {
    let (_, at) = message.lines().last()?.trim().strip_prefix("in ")?.split_once(", ")?;
    let mut parts = at.split(',').next()?.split(':');
    let path = parts.next()?;
    let mut number = || parts.next()?.parse::<usize>().ok();
    let (line, column) = (number()?, number()?.max(1));
    let file = sources.files.iter().find(|file| file.path == path)?;
    Some((file, Place { file: 0, line, column }))
}

/// The squares on which a mission places more than one thing, with these.
fn crowds(game: &Game, mission: Name) -> Vec<String> {
    let mut squares: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for unit in game.missions.get(&mission).into_iter().flat_map(|mission| &mission.units) {
        for square in &unit.squares {
            squares.entry(square).or_default().push(unit.kind.as_str());
        }
    }
    let crowded = squares.into_iter().filter(|(_, kinds)| kinds.len() > 1);
    crowded.map(|(square, kinds)| format!("{} on {square}", kinds.join(", "))).collect()
}

fn set_up(game: &Arc<Game>, mission: Name) -> Result<(), String> {
    let setting = Setting::new(game, mission, &BTreeMap::new()).map_err(|fault| fault.to_string())?;
    let first = |defects: Vec<crate::script::ScriptDefect>| defects.first().map(|defect| defect.message.clone());
    let instance =
        Instance::new(Arc::clone(game), Arc::new(setting)).map_err(|defects| first(defects).unwrap_or_default())?;
    instance.set_printing(false);
    let world = World::new(Arc::new(instance.schema()));
    let run = Run::new(Rc::new(instance), world, Box::new(Seeded { seed: SEED }));
    run.set_standing(true, true);
    run.set_responder(Some(Box::new(First { game: Arc::clone(game), left: ANSWERS_MAX })));
    run.advance(STEPS_MAX).map_err(|fault| fault.0)
}
