//! Playing a case: forced faces, answers, and every look on the way.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, sync::Arc};

use super::{
    absent,
    again::{Again, live},
    case::{Expectation, MissionStep, PlayCase, PlayStep, Seen},
    fault::Fault,
    forced::{Faces, Forced},
    stream,
};
use crate::{
    base::{KeyBook as _, Name, Value, name, value_to_json},
    chance::{Chance, Seeded},
    kernel::{By, Record, World},
    rules::{Game, MissionReport, Setting, View},
    table::{AnswerFault, Settings, StartFault, Table},
};

/// Steps between two questions of a case that is only asked whether it holds.
const STEPS_MAX: usize = 4_000;
/// Answers of such a case.
const ANSWERS_MAX: u64 = 2_000;

/// The script host of a game, which its cases share, one after the other.
#[derive(Default)]
pub(super) struct Hosts(RefCell<Option<Table>>);

impl Hosts {
    fn start(
        &self,
        game: &Arc<Game>,
        settings: Settings,
        setting: Arc<Setting>,
        chance: Box<dyn Chance>,
    ) -> Result<Table, StartFault> {
        let mut kept = self.0.borrow_mut();
        if let Some(table) = kept.as_ref().filter(|table| Arc::ptr_eq(table.game(), game)) {
            return Ok(table.beside(settings, setting, chance));
        }
        let table = Table::start_at(game, settings.clone(), Arc::clone(&setting), Box::new(Seeded { seed: 0 }))?;
        let other = table.beside(settings, setting, chance);
        *kept = Some(table);
        Ok(other)
    }
}

/// Runs a case: what does not hold, and what happened.
pub(super) fn run(case: &PlayCase, hosts: &Hosts) -> (Vec<Fault>, Vec<String>) {
    run_with(case, hosts, true)
}

/// Whether everything that a case says holds, without a fold, a second run and many steps.
pub(super) fn holds(case: &PlayCase, hosts: &Hosts) -> bool {
    run_with(case, hosts, false).0.is_empty()
}

fn run_with(case: &PlayCase, hosts: &Hosts, proofs: bool) -> (Vec<Fault>, Vec<String>) {
    let game = &case.game;
    let setting = match setting(game, case) {
        Ok(setting) => Arc::new(setting),
        Err(fault) => return (vec![fault.into()], Vec::new()),
    };
    let strange = absent::squares(case, &setting);
    if !strange.is_empty() {
        return (strange, Vec::new());
    }
    let left = Rc::new(RefCell::new(
        case.dice.iter().map(|(stream, faces)| (stream.clone(), faces.iter().copied().collect())).collect::<Faces>(),
    ));
    let chance = Forced { left: Rc::clone(&left), seed: case.seed };
    let mut settings = settings(case);
    if !proofs {
        (settings.steps_max, settings.answers_max) = (STEPS_MAX, ANSWERS_MAX);
    }
    let table = match hosts.start(game, settings, Arc::clone(&setting), Box::new(chance)) {
        Ok(table) => table,
        Err(fault) => return (vec![fault.to_string().into()], Vec::new()),
    };
    let mut player =
        Player { case, table, setting: Arc::clone(&setting), faults: Vec::new(), seen: 0, skipped: Vec::new() };
    player.play();
    if !proofs && !player.faults.is_empty() {
        return (player.faults, Vec::new());
    }
    for (stream, faces) in left.borrow().iter().filter(|(_, faces)| !faces.is_empty()) {
        player.tell(format!("the forced faces {faces:?} of {stream} were not used"));
    }
    player.after();
    if !proofs {
        return (player.faults, Vec::new());
    }
    if player.faults.is_empty() {
        player.proofs(hosts);
    }
    let lines = player.lines();
    (player.faults, lines)
}

/// The table where the steps of a case end.
pub(super) fn table(case: &PlayCase) -> Result<Table, String> {
    let setting = Arc::new(setting(&case.game, case)?);
    let left = Rc::new(RefCell::new(
        case.dice.iter().map(|(stream, faces)| (stream.clone(), faces.iter().copied().collect())).collect::<Faces>(),
    ));
    let chance = Box::new(Forced { left, seed: case.seed });
    let table = Table::start_at(&case.game, settings(case), Arc::clone(&setting), chance);
    let table = table.map_err(|fault| fault.to_string())?;
    let mut player = Player { case, table, setting, faults: Vec::new(), seen: 0, skipped: Vec::new() };
    player.play();
    if player.faults.is_empty() { Ok(player.table) } else { Err(joined(&player.faults)) }
}

fn settings(case: &PlayCase) -> Settings {
    let mut settings = Settings::new(&case.mission_id, case.seed.unwrap_or(0));
    settings.options.clone_from(&case.options);
    settings.legacy.clone_from(&case.legacy);
    settings.ties_first = !case.ties_asked;
    settings
}

fn setting(game: &Arc<Game>, case: &PlayCase) -> Result<Setting, String> {
    let built = match case.is_campaign {
        true => Setting::of_campaign(game, case.mission_id),
        false => Setting::of(game, case.mission_id, &case.mission, case.board.as_ref(), &case.options),
    };
    let built = built.and_then(|setting| setting.with_legacy(game, case.legacy.clone()));
    let mut setting = built.map_err(|fault| fault.to_string())?;
    if case.is_campaign {
        setting.facts.clone_from(&case.mission.facts);
    }
    setting.scene.clone_from(&case.scene);
    Ok(setting)
}

struct Player<'a> {
    case: &'a PlayCase,
    table: Table,
    setting: Arc<Setting>,
    faults: Vec<Fault>,
    /// How many records have been looked at for answers that nobody gave.
    seen: usize,
    /// Answers that came by themselves since the last one that the case gave.
    skipped: Vec<Name>,
}

impl Player<'_> {
    fn play(&mut self) {
        if let Err(fault) = self.table.advance() {
            self.tell(fault.to_string());
            return;
        }
        self.note_skipped();
        for (index, (step, line)) in self.case.steps.iter().enumerate() {
            let before = format!("step {}: ", index + 1);
            let faults = match step {
                PlayStep::Expect(expectations) => self.check(expectations),
                PlayStep::Seen(seen) => self.check_seen(seen),
                step => self.step(step).err().map(|fault| Fault::at(*line, fault)).into_iter().collect(),
            };
            if !faults.is_empty() {
                self.faults.extend(faults.into_iter().map(|fault| fault.told(&before)));
                return;
            }
        }
    }

    /// Of the case as a whole.
    fn tell(&mut self, fault: String) {
        self.faults.push(fault.into());
    }

    fn step(&mut self, step: &PlayStep) -> Result<(), String> {
        match step {
            PlayStep::Answer(answers) => answers.iter().try_for_each(|answer| self.answer(answer)),
            PlayStep::Open(prompt) => match self.table.open() {
                Some(choice) if choice.prompt.as_str() == prompt => Ok(()),
                Some(choice) => Err(format!("{} is asked, not {prompt}", choice.prompt)),
                None => Err(format!("nothing is asked where {prompt} should be")),
            },
            PlayStep::Offered(offered, not_offered) => {
                let choice = self.table.open().ok_or("nothing is asked")?;
                let options: Vec<Name> = choice.options().map(|option| option.id).collect();
                let missing = offered.iter().filter(|id| !options.contains(&name(id)));
                let extra = not_offered.iter().filter(|id| options.contains(&name(id)));
                let faults: Vec<String> = missing
                    .map(|id| format!("{id} is not offered ({})", join(&self.table.why_not(id))))
                    .chain(extra.map(|id| format!("{id} is offered")))
                    .collect();
                if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
            }
            PlayStep::Refused(answer, because) => self.refused(answer, because),
            PlayStep::Expect(_) | PlayStep::Seen(_) => Ok(()),
            PlayStep::Mission(step) => self.mission(step),
            PlayStep::Undo(refused) => match (self.table.undo(), refused) {
                (Ok(()), None) => {
                    self.skipped.clear();
                    Ok(())
                }
                (Ok(()), Some(_)) => Err("it was taken back".into()),
                (Err(AnswerFault::Refused(given)), Some(because)) => same(&given.reasons, because),
                (Err(fault), _) => Err(fault.to_string()),
            },
        }
    }

    fn answer(&mut self, id: &str) -> Result<(), String> {
        let open = self.table.open();
        let skipped = self.skipped.iter().position(|skipped| skipped.as_str() == id);
        if let (Some(index), true) = (skipped, open.as_ref().is_none_or(|choice| choice.candidate(id).is_none())) {
            self.skipped.drain(..=index);
            return Ok(());
        }
        let Some(choice) = open else { return Err(format!("nothing is asked where {id} should be answered")) };
        if choice.candidate(id).is_none() {
            let options: Vec<Name> = choice.options().map(|option| option.id).collect();
            return Err(format!("{id} is no answer to {}; these are: {}", choice.prompt, join(&options)));
        }
        self.skipped.clear();
        self.seen = self.table.with_records(<[Record]>::len);
        let answered = self.table.answer(id, 0).map_err(|fault| format!("{id} to {}: {fault}", choice.prompt));
        self.note_skipped();
        answered
    }

    /// The mission for which the campaign waits, and its end.
    fn mission(&mut self, step: &MissionStep) -> Result<(), String> {
        let Some(call) = self.table.awaited() else {
            return Err(format!("no mission waits where {} should", step.mission));
        };
        if call.mission != step.mission {
            return Err(format!("the mission {} waits, not {}", call.mission, step.mission));
        }
        for (id, value) in &step.given {
            let given = call.legacy.get(id).unwrap_or(&Value::None);
            if given != value {
                let text = |value| self.table.with_world(|world| value_to_json(value, world).to_string());
                return Err(format!("{} is given {id} {}, not {}", step.mission, text(given), text(value)));
            }
        }
        let Some((outcome, reason)) = step.ends else { return Ok(()) };
        let declared = self.table.game().legacy.iter().filter(|(_, legacy)| legacy.leaves.is_some());
        let mut leaves: BTreeMap<Name, Value> = declared.map(|(id, legacy)| (*id, legacy.default.clone())).collect();
        leaves.extend(step.leaves.clone());
        let report = MissionReport { outcome, reason, leaves, log: name("test") };
        self.seen = self.table.with_records(<[Record]>::len);
        let ended = self.table.end_mission(&report, 0).map_err(|fault| fault.to_string());
        self.note_skipped();
        ended
    }

    fn note_skipped(&mut self) {
        let from = self.seen;
        let (n, found) = self.table.with_records(|records| {
            let new = records.get(from..).unwrap_or_default().iter().filter_map(|record| match record {
                Record::Answered { answer, .. } if answer.by != By::Seat => Some(answer.id),
                _ => None,
            });
            (records.len(), new.collect::<Vec<_>>())
        });
        self.skipped.extend(found);
        self.seen = n;
    }

    fn refused(&mut self, id: &str, because: &[String]) -> Result<(), String> {
        let before = self.table.with_world(World::hash);
        let explained = self.table.why_not(id);
        let given = match self.table.answer(id, 0) {
            Err(AnswerFault::Refused(refused)) => refused.reasons,
            Err(AnswerFault::Fault(fault)) => return Err(fault.to_string()),
            Ok(()) => return Err(format!("{id} was accepted")),
        };
        same(&given, because)?;
        if explained != given {
            return Err(format!("{id} is explained by {}, but refused by {}", join(&explained), join(&given)));
        }
        if self.table.with_world(World::hash) != before {
            return Err(format!("the refusal of {id} changed the world"));
        }
        Ok(())
    }

    /// The things that the case names.
    fn variables(&self) -> Vec<Value> {
        self.table.with_world(|world| {
            self.case.keys.iter().map(|key| world.entity_of_key(key).map_or(Value::None, Value::Entity)).collect()
        })
    }

    /// What does not hold for whoever looks.
    fn check_seen(&self, seen: &[Seen]) -> Vec<Fault> {
        let variables = self.variables();
        let of_seat = |Seen { seat, expect }: &Seen| {
            let known: Vec<Value> = variables.iter().map(|value| self.table.known(*seat, value)).collect();
            let faults = self.table.with_known_world(*seat, |world| {
                let view = View::of_guest(world, &self.setting, self.table.game(), u64::MAX);
                broken(&view, &known, expect)
            });
            faults.into_iter().map(|fault| fault.told(&format!("as {seat} sees it, "))).collect::<Vec<_>>()
        };
        seen.iter().flat_map(of_seat).collect()
    }

    fn check(&self, expectations: &[Expectation]) -> Vec<Fault> {
        let variables = self.variables();
        self.table
            .with_world(|world| broken(&View::new(world, &self.setting, self.table.game()), &variables, expectations))
    }

    /// What must hold at the end.
    fn after(&mut self) {
        let mut faults: Vec<String> = Vec::new();
        let lines = self.table.with_world(|world| self.table.with_records(|records| stream::events(records, world)));
        let mut from = 0;
        for wanted in &self.case.events {
            match lines[from..].iter().position(|line| stream::matches(line, wanted)) {
                Some(index) => from += index + 1,
                None if lines.iter().any(|line| stream::matches(line, wanted)) => {
                    faults.push(format!("`{wanted}` occurs, but not in this order"));
                }
                None => {
                    let kind = wanted.split_whitespace().next().unwrap_or_default();
                    let like: Vec<&str> =
                        lines.iter().filter(|line| stream::matches(line, kind)).map(String::as_str).collect();
                    let like =
                        if like.is_empty() { String::new() } else { format!(" (there is: {})", like.join("; ")) };
                    faults.push(format!("`{wanted}` does not occur{like}"));
                }
            }
        }
        let strange = |pattern: &String| self.table.with_world(|world| absent::things(&self.case.game, world, pattern));
        faults.extend(self.case.no_events.iter().filter_map(strange));
        for unwanted in &self.case.no_events {
            if let Some(line) = lines.iter().find(|line| stream::matches(line, unwanted)) {
                faults.push(format!("`{unwanted}` occurs: {line}"));
            }
        }
        for (wanted, n) in &self.case.count {
            let found = lines.iter().filter(|line| stream::matches(line, wanted)).count();
            if found != *n {
                faults.push(format!("`{wanted}` occurs {found} times, not {n}"));
            }
        }
        if let Some(outcome) = &self.case.outcome {
            let found = self.table.outcome().map(|outcome| outcome.outcome);
            if found.as_ref() != Some(outcome) {
                let found = found.unwrap_or_else(|| "no outcome yet".into());
                faults.push(format!("the outcome is {found}, not {outcome}"));
            }
        }
        let mut all = self.check(&self.case.expect);
        all.extend(self.check_seen(&self.case.seen));
        self.faults.extend(all.into_iter().chain(faults.into_iter().map(Fault::from)));
    }

    /// Folds what was recorded, and runs the case again with the same answers and faces.
    fn proofs(&mut self, hosts: &Hosts) {
        let hash = self.table.with_world(World::hash);
        let records: Vec<Record> = self.table.with_records(|records| live(records).into_iter().cloned().collect());
        let mut folded = World::new(self.table.with_world(|world| Arc::clone(world.schema())));
        for record in &records {
            let done = match record {
                Record::Event { changes, .. } => changes.iter().try_for_each(|change| folded.fold(change)),
                Record::Drew { stream, count, .. } => folded.fold_draw(*stream, *count),
                _ => Ok(()),
            };
            if let Err(fault) = done {
                self.tell(format!("what was recorded does not fold: {}", fault.0));
                return;
            }
        }
        if folded.hash() != hash {
            self.tell("what was recorded folds to another world".into());
        }
        let again = Again::of(&records);
        let setting = Arc::clone(&self.setting);
        let Ok(table) = hosts.start(self.table.game(), settings(self.case), setting, again.chance()) else { return };
        let ran = again.run(&table);
        let second: Vec<Record> = table.with_records(|records| live(records).into_iter().cloned().collect());
        let n = records.len().max(second.len());
        let Some(index) = (0..n).find(|index| records.get(*index) != second.get(*index)) else { return };
        let line = |records: &[Record]| {
            let text = |record: &Record| table.with_world(|world| record.to_json(world).to_string());
            records.get(index).map_or_else(|| "nothing".into(), text)
        };
        let why = ran.err().map_or_else(String::new, |fault| format!(" ({fault})"));
        let (is, was) = (line(&second), line(&records));
        self.tell(format!("run again, record {index} is {is} where it was {was}{why}"));
    }

    fn lines(&self) -> Vec<String> {
        self.table.with_world(|world| self.table.with_records(|records| stream::lines(&live(records), world)))
    }
}

/// The expectations that do not hold.
fn broken(view: &View<'_>, variables: &[Value], expectations: &[Expectation]) -> Vec<Fault> {
    let fault = |expectation: &Expectation| {
        let (text, line) = (expectation.holds.text(), expectation.line);
        match expectation.holds.eval_bool(view, variables) {
            Ok(true) => None,
            Ok(false) => {
                let sides = expectation.sides.iter().filter_map(|side| side.eval(view, variables).ok());
                let sides: Vec<String> = sides.map(|value| value_to_json(&value, view.world).to_string()).collect();
                let sides = if sides.len() == 2 { format!(" ({} and {})", sides[0], sides[1]) } else { String::new() };
                Some(Fault::at(line, format!("`{text}` does not hold{sides}")))
            }
            Err(fault) => Some(Fault::at(line, format!("`{text}`: {}", fault.message))),
        }
    };
    expectations.iter().filter_map(fault).collect()
}

fn same(given: &[Name], because: &[String]) -> Result<(), String> {
    let mut given: Vec<&str> = given.iter().map(Name::as_str).collect();
    let mut because: Vec<&str> = because.iter().map(String::as_str).collect();
    given.sort_unstable();
    because.sort_unstable();
    if given == because {
        Ok(())
    } else {
        Err(format!("refused because of {}, not {}", given.join(", "), because.join(", ")))
    }
}

fn joined(faults: &[Fault]) -> String {
    faults.iter().map(|fault| fault.text.as_str()).collect::<Vec<_>>().join("; ")
}

fn join(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")
}
