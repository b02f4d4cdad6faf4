//! Trying missions: each is set up once, up to the first choice of its first turn.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use super::shapes::misshapen_fact;
use crate::{
    base::Name,
    chance::Seeded,
    content::{Defect, Node, NodeValue, Place, Record, SourceFile, Sources},
    kernel::{Choice, Responder, Run, World},
    rules::{
        campaign::{Legacy, typed},
        game::Game,
        instance::Instance,
        query::QUERIES,
        setting::Setting,
        view::{FIRST_TERM, View},
    },
};

/// The seed of the trial.
const SEED: u64 = 1;
/// The most choices that are answered before a turn begins.
const ANSWERS_MAX: u32 = 200;
/// The most missions that are based on each other.
const BASES_MAX: usize = 8;
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
        let message = match set_up(game, crate::base::name(id)) {
            Ok(misfits) => {
                defects.extend(misfits.iter().map(|misfit| misleft(game, sources, record, *misfit)));
                for (legacy, fact) in facts_left(game, sources, record) {
                    // What an expression makes of a fact may have another shape.
                    if fact.as_map().is_some() && is_left_as_it_is(game, legacy) {
                        defects.extend(misshapen_fact(sources, legacy, fact));
                    }
                }
                continue;
            }
            Err(message) => message,
        };
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
    super::patched::name_patches(sources, &mut defects);
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

/// What would be left for the next mission and is of another type than declared: its id, and the type that it has.
type Misleft = (Name, &'static str);

/// Tells of what a mission leaves where the fact stands that decides it, if it is one.
fn misleft(game: &Game, sources: &Sources, record: &Record, (id, kind): Misleft) -> Defect {
    let declared = game.legacy.get(&id).map_or("any", |legacy| legacy.kind.as_str());
    let fact = facts_left(game, sources, record).into_iter().find(|(legacy, _)| *legacy == id);
    let place = fact.map_or_else(|| record.node.named_at(), |(_, node)| node.place);
    let by = game.places.get(&format!("legacy.{id}"));
    let by = by.map_or_else(String::new, |(file, line)| format!(" ({file}:{line})"));
    let message = format!("the mission would leave {kind} for {id}, which is {declared}");
    let help = format!("write what fits it, or nothing; `leaves` of legacy.{id}{by} works it out");
    Defect::new("mission.leaves", place, &sources.files[place.file], message, Some(help))
}

/// What a mission says that alone decides what it leaves, by the id of that.
fn facts_left<'a>(game: &Game, sources: &'a Sources, record: &'a Record) -> Vec<(Name, &'a Node)> {
    let of = |(id, legacy): (&Name, &Legacy)| {
        let calls = legacy.leaves.as_ref()?.calls();
        let is_fact = |function: u32| {
            function < FIRST_TERM && QUERIES.get(function as usize).is_some_and(|query| query.name == "fact")
        };
        let facts = calls.iter().filter(|call| is_fact(call.function));
        let facts: Vec<Name> = facts.filter_map(|call| call.first.as_ref()?.as_name()).collect();
        let [fact] = &facts[..] else { return None };
        Some((*id, field_of(sources, record, fact)?))
    };
    game.legacy.iter().filter_map(of).collect()
}

/// Whether a mission leaves just what a fact says.
fn is_left_as_it_is(game: &Game, legacy: Name) -> bool {
    let leaves = game.legacy.get(&legacy).and_then(|legacy| legacy.leaves.as_ref()).map(|leaves| leaves.text());
    leaves.is_some_and(|text| {
        ["fact(", "default(fact("].iter().any(|begins| {
            let rest = text.strip_prefix(begins).and_then(|rest| rest.split_once(')'));
            rest.is_some_and(|(_, rest)| rest.is_empty() || (begins.starts_with("default") && rest.starts_with(',')))
        })
    })
}

/// A field of a mission, or of the mission that it is based on.
fn field_of<'a>(sources: &'a Sources, record: &'a Record, field: &str) -> Option<&'a Node> {
    let mut fields = record.node.as_map()?;
    // Bases that lead in a circle have been told.
    for _ in 0..=BASES_MAX {
        if let Some(node) = fields.get(field) {
            return Some(node);
        }
        let NodeValue::Text(base) = &fields.get("base")?.value else { return None };
        fields = sources.records.get("missions")?.get(base)?.node.as_map()?;
    }
    None
}

fn set_up(game: &Arc<Game>, mission: Name) -> Result<Vec<Misleft>, String> {
    let setting = Setting::new(game, mission, &BTreeMap::new()).map_err(|fault| fault.to_string())?;
    let first = |defects: Vec<crate::script::ScriptDefect>| defects.first().map(|defect| defect.message.clone());
    let setting = Arc::new(setting);
    let instance =
        Instance::new(Arc::clone(game), Arc::clone(&setting)).map_err(|defects| first(defects).unwrap_or_default())?;
    instance.set_printing(false);
    let world = World::new(Arc::new(instance.schema()));
    let run = Run::new(Rc::new(instance), world, Box::new(Seeded { seed: SEED }));
    run.set_standing(true, true);
    run.set_responder(Some(Box::new(First { game: Arc::clone(game), left: ANSWERS_MAX })));
    run.advance(STEPS_MAX).map_err(|fault| fault.0)?;
    if !game.missions.contains_key(&mission) {
        return Ok(Vec::new());
    }
    let left = |world: &World| {
        let view = View::new(world, &setting, game);
        let due = game.legacy.iter().filter_map(|(id, legacy)| Some((id, legacy, legacy.leaves.as_ref()?)));
        // What fails so early may be right at the end.
        let wrong =
            due.filter_map(|(id, legacy, leaves)| Some((*id, typed(leaves.eval(&view, &[]).ok()?, legacy).err()?)));
        wrong.collect()
    };
    let found = left(&run.world());
    Ok(found)
}
