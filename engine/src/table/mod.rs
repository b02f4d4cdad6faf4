//! The public face: start a game, advance it, answer, look, take back, save, run again.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use crate::{
    base::{Name, Value, name},
    chance::{Chance, Seeded},
    kernel::{Cause, Choice, Fault, Record, Refused, Responder, Run, World},
    rules::{GAME_STOPPED, Game, Instance, Setting},
};

pub mod bot;
mod campaign;
pub mod log;
pub mod picture;
mod verify;

use campaign::legacy_to_json;
pub use campaign::{Played, disagreement};
pub use verify::{Again, Difference, Verdict, differing, replay, rerun, settings_of};

/// The number that is raised when the same content, seed and answers can give other bytes.
pub const REPLAY_NUMBER: i64 = 4;
/// Steps that one call of [`Table::advance`] runs at most, unless its settings say less.
const STEPS_MAX: usize = 1_000_000;

/// How a game is started.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The mission, or campaign.
    pub mission: Name,
    /// The seed of all draws.
    pub seed: u64,
    /// Options by name.
    pub options: BTreeMap<Name, Name>,
    /// What a campaign gives the mission, by name of section `legacy`.
    pub legacy: BTreeMap<Name, Value>,
    /// Whether ties that rules leave to people are answered with their first option.
    pub ties_first: bool,
    /// After so many answers the game counts as unfinished.
    pub answers_max: u64,
    /// After so many steps without a question the game counts as unfinished.
    pub steps_max: usize,
}

impl Settings {
    /// The customary settings of a mission.
    #[must_use]
    pub fn new(mission: &str, seed: u64) -> Self {
        Self {
            mission: name(mission),
            seed,
            options: BTreeMap::new(),
            legacy: BTreeMap::new(),
            ties_first: true,
            answers_max: 20_000,
            steps_max: STEPS_MAX,
        }
    }
}

/// Why a game could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StartFault(pub String);

/// Why an answer changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFault {
    /// It is not legal.
    #[error("{0}")]
    Refused(Refused),
    /// A script failed; the table is as it was before the answer.
    #[error("a script failed, the answer does not count: {0}")]
    Fault(Fault),
}

fn done(result: Result<Result<(), Fault>, Refused>) -> Result<(), AnswerFault> {
    result.map_err(AnswerFault::Refused)?.map_err(AnswerFault::Fault)
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result: a name that content gave it, or `unfinished`.
    pub outcome: String,
    /// Why, by code.
    pub reason: String,
}

/// One game in progress.
pub struct Table {
    game: Arc<Game>,
    instance: Rc<Instance>,
    run: Rc<Run>,
    settings: Settings,
}

impl Table {
    /// Sets up a game. Nothing has happened yet: call [`Table::advance`].
    ///
    /// # Errors
    /// When the mission or an option is unknown, or a tile is missing.
    pub fn start(game: &Arc<Game>, settings: Settings) -> Result<Self, StartFault> {
        let seed = settings.seed;
        Self::start_with(game, settings, Box::new(Seeded { seed }))
    }

    /// Sets up a game with another source of faces.
    ///
    /// # Errors
    /// As [`Table::start`].
    pub fn start_with(game: &Arc<Game>, settings: Settings, chance: Box<dyn Chance>) -> Result<Self, StartFault> {
        let setting = Setting::new(game, settings.mission, &settings.options)
            .and_then(|setting| setting.with_legacy(game, settings.legacy.clone()))
            .map_err(|fault| StartFault(fault.to_string()))?;
        Self::start_at(game, settings, Arc::new(setting), chance)
    }

    /// Sets up a game on a setting that is no mission of its records.
    ///
    /// # Errors
    /// When a script is wrong.
    pub fn start_at(
        game: &Arc<Game>,
        settings: Settings,
        setting: Arc<Setting>,
        chance: Box<dyn Chance>,
    ) -> Result<Self, StartFault> {
        let instance = Instance::new(Arc::clone(game), setting).map_err(|defects| {
            StartFault(defects.iter().map(|defect| defect.message.clone()).collect::<Vec<_>>().join("; "))
        })?;
        Ok(Self::on(Arc::clone(game), Rc::new(instance), settings, chance))
    }

    /// A new game like this one with another seed; it shares the script host, so one of the
    /// two must be done with.
    #[must_use]
    pub fn another(&self, seed: u64) -> Self {
        let settings = Settings { seed, ..self.settings.clone() };
        Self::on(Arc::clone(&self.game), Rc::clone(&self.instance), settings, Box::new(Seeded { seed }))
    }

    /// A game on another setting; it shares the script host, so one of the two must be done with.
    #[must_use]
    pub fn beside(&self, settings: Settings, setting: Arc<Setting>, chance: Box<dyn Chance>) -> Self {
        let instance = Rc::new(self.instance.beside(setting));
        Self::on(Arc::clone(&self.game), instance, settings, chance)
    }

    fn on(game: Arc<Game>, instance: Rc<Instance>, settings: Settings, chance: Box<dyn Chance>) -> Self {
        let world = World::new(Arc::new(instance.schema()));
        let run = Run::new(instance.clone(), world, chance);
        run.set_standing(true, settings.ties_first);
        Self { game, instance, run, settings }
    }

    /// Who answers on the spot from now on; none waits for [`Table::answer`].
    pub fn set_responder(&self, responder: Option<Box<dyn Responder>>) {
        self.run.set_responder(responder);
    }

    /// Whether a choice with one legal answer is answered by itself, and whether ties are.
    pub fn set_standing(&self, answer_only: bool, ties_first: bool) {
        self.run.set_standing(answer_only, ties_first);
    }

    /// Whether ties are answered with their first option now.
    #[must_use]
    pub fn ties_first(&self) -> bool {
        let last =
            |record: &Record| if let Record::Standing { ties_first } = record { Some(*ties_first) } else { None };
        self.run.records().iter().rev().find_map(last).unwrap_or(self.settings.ties_first)
    }

    /// Whether the game's invariants are checked after every event, as they are at first.
    pub fn set_checking(&self, on: bool) {
        self.instance.set_checking(on);
    }

    /// Whether the end of a step carries the hash of the world, as a log needs it. It does at first;
    /// who keeps no log can do without.
    pub fn set_hashing(&self, on: bool) {
        self.run.set_hashing(on);
    }

    /// From now on ties are answered with their first option, or asked. This is recorded.
    pub fn decide_ties(&self, first: bool) {
        self.run.set_standing(true, first);
        self.run.note(Record::Standing { ties_first: first });
    }

    /// Runs until a choice waits or the game is over.
    ///
    /// # Errors
    /// When a script fails.
    pub fn advance(&self) -> Result<(), Fault> {
        self.run.advance(self.settings.steps_max)?;
        self.stop_if_due()
    }

    /// Answers the open choice and runs on to the next.
    ///
    /// # Errors
    /// When the answer is not legal or a script fails; nothing has changed then.
    pub fn answer(&self, id: &str, ms: u64) -> Result<(), AnswerFault> {
        done(self.run.answer(id, ms, self.settings.steps_max))?;
        self.stop_if_due().map_err(AnswerFault::Fault)
    }

    /// As [`Table::answer`], for the choice of a seat that is named by its path: an answer to
    /// another choice than its open one is refused.
    ///
    /// # Errors
    /// As [`Table::answer`].
    pub fn answer_to(&self, seat: &str, path: &str, id: &str, ms: u64) -> Result<(), AnswerFault> {
        if self.run.open_for(name(seat)).is_none_or(|choice| choice.path.as_str() != path) {
            return Err(AnswerFault::Refused(Refused { reasons: vec![name("not_the_open_choice")] }));
        }
        done(self.run.answer_as(name(seat), id, ms, self.settings.steps_max))?;
        self.stop_if_due().map_err(AnswerFault::Fault)
    }

    /// Ends a game that may not or cannot go on.
    fn stop_if_due(&self) -> Result<(), Fault> {
        let (outcome, reason) = {
            let world = self.run.world();
            match (world.outcome().is_none(), self.run.open(), world.flow().is_empty()) {
                (false, ..) => return Ok(()),
                (_, Some(_), _) if self.run.n_answers() < self.settings.answers_max => return Ok(()),
                (_, Some(_), _) => ("unfinished", "answers_used_up"),
                (_, None, true) => ("over", "no_phase_left"),
                (_, None, false) => ("unfinished", "steps_used_up"),
            }
        };
        let fields = BTreeMap::from([(name("outcome"), name(outcome).into()), (name("reason"), name(reason).into())]);
        let cause = Cause { record: name("table"), function: name("stop") };
        self.run.stop(name(GAME_STOPPED), fields, cause)
    }

    /// Takes back the last answer.
    ///
    /// # Errors
    /// When there is none, or something stands against it.
    pub fn undo(&self) -> Result<(), AnswerFault> {
        done(self.run.undo())
    }

    /// Whether the last answer of a seat could be taken back.
    ///
    /// # Errors
    /// As [`Table::undo_as`].
    pub fn check_undo(&self, seat: &str) -> Result<(), AnswerFault> {
        self.run.check_undo(name(seat)).map_err(AnswerFault::Refused)
    }

    /// Takes back the last answer of a seat.
    ///
    /// # Errors
    /// As [`Table::undo`].
    pub fn undo_as(&self, seat: &str) -> Result<(), AnswerFault> {
        done(self.run.undo_as(name(seat)))
    }

    /// The choice that waits for an answer.
    #[must_use]
    pub fn open(&self) -> Option<Choice> {
        self.run.open()
    }

    /// The choice that waits for a seat, as far as that seat knows the game.
    #[must_use]
    pub fn open_for(&self, seat: &str) -> Option<Choice> {
        self.run.open_for(name(seat))
    }

    /// Looks at what a seat knows: its world and its log. A seat without secrets sees everything.
    pub fn with_view<T>(&self, seat: &str, f: impl FnOnce(&World, &[Record]) -> T) -> T {
        match self.run.view(name(seat)) {
            Some(view) => f(view.world(), view.records()),
            None => f(&self.run.world(), &self.run.records()),
        }
    }

    /// Every reason why something is not a legal answer to the open choice; empty if it is.
    #[must_use]
    pub fn why_not(&self, id: &str) -> Vec<Name> {
        match self.run.open() {
            None => vec![name("no_open_choice")],
            Some(choice) => match choice.candidate(id) {
                None => vec![name("not_among_the_answers")],
                Some(candidate) => candidate.reasons.clone(),
            },
        }
    }

    /// The text for a code, or the code itself in words.
    #[must_use]
    pub fn text(&self, code: &str) -> String {
        match self.game.texts.get(&name(code)) {
            Some(text) => text.clone(),
            None => {
                let action = self.game.actions.get(&name(code)).map(|action| &action.title);
                let title = action.or_else(|| self.game.kinds.get(&name(code)).map(|kind| &kind.title));
                let title = title.or_else(|| self.game.missions.get(&name(code)).map(|mission| &mission.title));
                title
                    .cloned()
                    .unwrap_or_else(|| picture::refusal(code).map_or_else(|| code.replace('_', " "), Into::into))
            }
        }
    }

    /// The result, none while the game goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let text = |value: &Value| value.as_name().map_or_else(String::new, |name| name.to_string());
        let world = self.run.world();
        match world.outcome() {
            Value::None => None,
            Value::List(items) => Some(Outcome {
                outcome: items.first().map_or_else(String::new, text),
                reason: items.get(1).map_or_else(String::new, text),
            }),
            other => Some(Outcome { outcome: text(other), reason: String::new() }),
        }
    }

    /// The game's records.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The game set up for its mission.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// How it was started.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether scripts may print; what a step printed before it waited is not printed again.
    pub fn set_printing(&self, on: bool) {
        self.instance.set_printing(on);
    }

    /// Writes down a fault that a log holds, so that its numbers come again.
    fn note_fault(&self, message: &str) {
        self.run.note(Record::Fault { message: message.into() });
    }

    /// Looks at the world.
    pub fn with_world<T>(&self, f: impl FnOnce(&World) -> T) -> T {
        f(&self.run.world())
    }

    /// Looks at the world as whoever looks sees it: what lies face down is as its back says.
    pub fn with_seen_world<T>(&self, f: impl FnOnce(&World) -> T) -> T {
        f(&self.run.world().seen())
    }

    /// Looks at the world as a seat knows and sees it.
    pub fn with_known_world<T>(&self, seat: Name, f: impl FnOnce(&World) -> T) -> T {
        f(&self.run.known_world(seat).seen())
    }

    /// A value of the game as a seat knows it.
    #[must_use]
    pub fn known(&self, seat: Name, value: &Value) -> Value {
        self.run.known(seat, value)
    }

    /// Looks at everything that was recorded.
    pub fn with_records<T>(&self, f: impl FnOnce(&[Record]) -> T) -> T {
        f(&self.run.records())
    }

    /// How many turns have begun: phases that content counts as turns.
    #[must_use]
    pub fn n_turns(&self) -> usize {
        let is_turn = |record: &&Record| match record {
            Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => {
                let phase = fields.get(&name("phase")).and_then(Value::as_name).unwrap_or_default();
                self.game.phases.get(&phase).is_some_and(|phase| phase.is_turn)
            }
            _ => false,
        };
        self.run.records().iter().filter(is_turn).count()
    }

    /// How many answers by seats count.
    #[must_use]
    pub fn n_answers(&self) -> u64 {
        self.run.n_answers()
    }

    /// The seats that know only what they are shown. Each has a log of its own.
    #[must_use]
    pub fn secret_seats(&self) -> &[Name] {
        &self.game.secret_seats
    }

    /// The header of the log of a secret seat.
    #[must_use]
    pub fn header_for(&self, seat: Name) -> log::Header {
        log::Header { seat: Some(seat.to_string()), seed: 0, ..self.header() }
    }

    /// The header of this game's log.
    #[must_use]
    pub fn header(&self) -> log::Header {
        log::Header {
            format: log::LOG_FORMAT,
            game: self.game.id.to_string(),
            mission: self.settings.mission.to_string(),
            seed: self.settings.seed,
            seat: None,
            options: self
                .settings
                .options
                .iter()
                .map(|(key, value)| (key.to_string(), value.as_str().into()))
                .collect(),
            legacy: legacy_to_json(&self.settings.legacy),
            lock: log::Lock {
                engine: env!("CARGO_PKG_VERSION").into(),
                rhai: "1.27.0".into(),
                chance: "1".into(),
                replay: REPLAY_NUMBER,
                packs: self
                    .game
                    .packs
                    .iter()
                    .map(|(name, version, hash)| log::PackLock {
                        name: name.clone(),
                        version: version.clone(),
                        hash: hash.clone(),
                    })
                    .collect(),
                files: self
                    .game
                    .files
                    .iter()
                    .map(|(path, hash)| log::FileLock { path: path.clone(), hash: hash.clone() })
                    .collect(),
                max_answers: self.settings.answers_max,
                decide_ties: self.settings.ties_first,
            },
            schema: self.with_world(|world| (**world.schema()).clone()),
        }
    }
}
