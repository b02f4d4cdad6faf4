//! Bots that content writes: what an option is worth, by expressions and scripts that only look.
//!
//! A *policy* is a bot of a game on a board. It is asked with the world that a seat knows, and its
//! scripts run in a host of their own that has queries, built-ins and terms, and nothing that acts:
//! it can neither cheat nor act. Of a hidden pile it sees what lies in it, never the order, and what lies face
//! down it knows by its back. What it
//! may use up is counted in operations for each answer; an answer for which that is not enough is
//! the best found so far, and is counted.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

use super::{
    expr::Expr,
    functions::{self, Look},
    game::{Game, ScriptCall},
    setting::Setting,
    view::View,
};
use crate::{
    base::{Name, NameMap, Value},
    kernel::{Choice, Fault, Stop, World},
    script::{ScriptDefect, ScriptHost},
};

/// Operations of scripts, and again of expressions, for an answer, if a bot says nothing else.
pub(super) const OPERATIONS_USUAL: i64 = 1_000_000;

/// A bot of a game.
#[derive(Debug, Default)]
pub struct BotRecord {
    /// What it tries.
    pub doc: String,
    /// Operations of scripts, and again of expressions, that an answer may use up.
    pub operations: u64,
    /// How it answers, by prompt.
    pub answers: NameMap<AnswerRule>,
    /// How it answers everything else; at random if it says nothing.
    pub otherwise: Option<AnswerRule>,
}

/// How a bot answers a choice.
#[derive(Debug)]
pub struct AnswerRule {
    /// What the choice is about, in the order of the variables.
    pub args: Vec<Name>,
    /// A function that gives an id, scores by id, or a plan; `options` and the arguments are known.
    pub run: Option<ScriptCall>,
    /// What an option is worth: `options`, the arguments, `it` and `id` are known.
    pub score: Option<Expr>,
    /// A plan is given up when this changes.
    pub keep: Option<Expr>,
}

/// An answer of a plan: for which prompt, if it says so, and its id.
pub type Planned = (Option<Name>, Name);

/// What a bot advises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// One of these legal options; each is as good.
    One(Vec<Name>),
    /// These answers one after the other, while they are legal; the first one is. One that names
    /// a prompt waits for it, and is passed over when a later one is asked for.
    Plan(Vec<Planned>),
    /// It has nothing to say.
    Any,
}

/// What a script has said to a choice whose candidates it does not know.
#[derive(Clone, Debug)]
pub struct Said(Value);

/// The variable of a rule that holds the options.
const OPTIONS: u32 = 0;

/// The variables of a rule: the options, as far as they are known, and what the choice is about.
fn variables(rule: &AnswerRule, choice: &Choice) -> Vec<Value> {
    let about = |arg: &Name| choice.about.iter().find(|(name, _)| name == arg).map(|(_, value)| value.clone());
    let options: Vec<Value> = choice.options().map(|option| option.value.clone()).collect();
    let mut variables = vec![Value::list(options)];
    variables.extend(rule.args.iter().map(|arg| about(arg).unwrap_or_default()));
    variables
}

/// What the answers of a bot have cost, and what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Its answers.
    pub answers: u64,
    /// Calls of script functions.
    pub script_calls: u64,
    /// Answers for which the operations were not enough.
    pub cut_short: u64,
    /// Advice that failed, or was not legal.
    pub faults: u64,
    /// The first of these, in words.
    pub first_fault: Option<String>,
}

impl Tally {
    /// Adds what came later.
    pub fn add(&mut self, later: Self) {
        self.answers += later.answers;
        self.script_calls += later.script_calls;
        self.cut_short += later.cut_short;
        self.faults += later.faults;
        self.first_fault = self.first_fault.take().or(later.first_fault);
    }
}

/// A bot of a game, ready to be asked.
pub struct Policy {
    gaze: Rc<Gaze>,
    bot: Name,
    host: ScriptHost,
    tally: RefCell<Tally>,
}

/// What the scripts of bots look at.
struct Gaze {
    game: Arc<Game>,
    setting: Arc<Setting>,
    world: RefCell<Option<Rc<World>>>,
    /// Operations of expressions that are left.
    left: Cell<u64>,
}

impl Gaze {
    fn look(&self, f: &mut dyn FnMut(&View<'_>) -> Result<Value, Fault>) -> Result<Value, Stop> {
        let world = self.world.borrow().clone().ok_or_else(|| Stop::fault("a bot looks while nobody asks it"))?;
        let view = View::of_guest(&world, &self.setting, &self.game, self.left.get());
        let result = f(&view).map_err(Stop::Fault);
        self.left.set(self.left.get().saturating_sub(view.spent()));
        result
    }
}

/// The script host of a game's bots.
fn host(gaze: &Rc<Gaze>) -> Result<ScriptHost, Vec<ScriptDefect>> {
    let calls = || gaze.game.bots.values().flat_map(BotRecord::rules).filter_map(|rule| rule.run.as_ref());
    let is_asked = |namespace: &str| {
        calls().any(|call| call.function.split_once("::").is_some_and(|(space, _)| space == namespace))
    };
    let sources: Vec<_> = gaze.game.scripts.iter().filter(|source| is_asked(&source.namespace)).cloned().collect();
    let looking = Rc::clone(gaze);
    let look: Look = Rc::new(move |f| looking.look(f));
    let host =
        ScriptHost::new(&sources, functions::reading(&gaze.game, &look), functions::property_reader(&gaze.game, look))?;
    let missing: Vec<ScriptDefect> =
        calls().filter_map(|call| super::calls::missing_function(call, "a bot", &host)).collect();
    if missing.is_empty() { Ok(host) } else { Err(missing) }
}

impl BotRecord {
    /// All that it says on how to answer.
    fn rules(&self) -> impl Iterator<Item = &AnswerRule> {
        self.answers.values().chain(&self.otherwise)
    }

    /// How it answers a prompt.
    fn rule(&self, prompt: Name) -> Option<&AnswerRule> {
        self.answers.get(&prompt).or(self.otherwise.as_ref())
    }
}

/// Tries the scripts of all bots of a game.
///
/// # Errors
/// What is wrong with them.
pub(super) fn try_scripts(game: &Arc<Game>, setting: &Arc<Setting>) -> Result<(), Vec<ScriptDefect>> {
    if game.bots.is_empty() { Ok(()) } else { host(&Gaze::new(game, setting)).map(|_| ()) }
}

impl Gaze {
    fn new(game: &Arc<Game>, setting: &Arc<Setting>) -> Rc<Self> {
        let (game, setting) = (Arc::clone(game), Arc::clone(setting));
        Rc::new(Self { game, setting, world: RefCell::new(None), left: Cell::new(0) })
    }
}

impl Policy {
    /// The bot of a name; none if the game has none of that name.
    ///
    /// # Errors
    /// What is wrong with the scripts of the game's bots.
    pub fn new(game: &Arc<Game>, setting: &Arc<Setting>, bot: Name) -> Result<Option<Self>, Vec<ScriptDefect>> {
        if !game.bots.contains_key(&bot) {
            return Ok(None);
        }
        let gaze = Gaze::new(game, setting);
        let host = host(&gaze)?;
        Ok(Some(Self { gaze, bot, host, tally: RefCell::default() }))
    }

    /// What its answers have cost since this was asked last.
    pub fn take_tally(&self) -> Tally {
        self.tally.take()
    }

    /// An answer of its was given.
    pub fn count(&self) {
        self.tally.borrow_mut().answers += 1;
    }

    /// What must stay as it is for a plan that was made for a prompt.
    #[must_use]
    pub fn kept(&self, prompt: Name, world: &World) -> Value {
        let Some(keep) = self.record().and_then(|bot| bot.rule(prompt)?.keep.as_ref()) else { return Value::None };
        let seen = world.seen();
        let view = self.view(&seen);
        match keep.eval(&view, &[]) {
            Ok(value) => value,
            Err(fault) => {
                self.fault(prompt, &fault.message, view.is_spent());
                Value::None
            }
        }
    }

    /// What its script says to a choice before anybody has looked at the candidates, and the id
    /// that this comes to; none where it has no script, or one that wants to know the options.
    #[must_use]
    pub fn foresees(&self, world: &World, choice: &Choice) -> Option<(Said, Option<Name>)> {
        let rule = self.record()?.rule(choice.prompt)?;
        let run = rule.run.as_ref().filter(|run| !run.args.reads(OPTIONS))?;
        let world = &*world.seen();
        let said = self.run(run, world, choice.prompt, &variables(rule, choice));
        let id = match self.advice(&self.view(world), choice, &said) {
            Advice::One(ids) => ids.first().copied(),
            Advice::Plan(plan) => plan.first().map(|(_, id)| *id),
            Advice::Any => None,
        };
        Some((Said(said), id))
    }

    /// What it advises for a choice of a seat in the world that the seat knows.
    #[must_use]
    pub fn advise(&self, world: &World, choice: &Choice) -> Advice {
        self.advise_as(world, choice, None)
    }

    /// The same, where its script may have said already what it says.
    #[must_use]
    pub fn advise_as(&self, world: &World, choice: &Choice, said: Option<Said>) -> Advice {
        let Some(rule) = self.record().and_then(|bot| bot.rule(choice.prompt)) else { return Advice::Any };
        let world = &*world.seen();
        let variables = variables(rule, choice);
        if let Some(run) = &rule.run {
            let said = said.map_or_else(|| self.run(run, world, choice.prompt, &variables), |said| said.0);
            match self.legal(run, world, choice, &said) {
                Advice::Any => {}
                advice => return advice,
            }
        }
        match &rule.score {
            Some(score) => self.best(score, world, choice, variables),
            None => Advice::Any,
        }
    }

    /// The options of the greatest worth.
    fn best(&self, score: &Expr, world: &World, choice: &Choice, mut variables: Vec<Value>) -> Advice {
        let view = self.view(world);
        let n = variables.len();
        let kept = score.kept();
        let mut best: Option<(i64, Vec<Name>)> = None;
        for option in choice.options() {
            variables.truncate(n);
            variables.extend([option.value.clone(), option.id.into()]);
            let worth = match score.eval_item(&view, &variables, &kept).and_then(|worth| score.int(&worth)) {
                Ok(worth) => worth,
                Err(fault) => {
                    self.fault(choice.prompt, &fault.message, view.is_spent());
                    break;
                }
            };
            match &mut best {
                Some((greatest, ids)) if *greatest == worth => ids.push(option.id),
                Some((greatest, _)) if *greatest > worth => {}
                _ => best = Some((worth, vec![option.id])),
            }
        }
        best.map_or(Advice::Any, |(_, ids)| Advice::One(ids))
    }

    /// What a script gives, nothing if it fails.
    fn run(&self, run: &ScriptCall, world: &World, prompt: Name, variables: &[Value]) -> Value {
        let operations = self.record().map_or(0, |bot| bot.operations);
        let view = self.view(world);
        let args = match run.args.eval_items(&view, variables) {
            Ok(args) => args,
            Err(fault) => {
                self.fault(prompt, &fault.message, view.is_spent());
                return Value::None;
            }
        };
        self.host.begin_step_with(operations);
        self.gaze.left.set(operations);
        self.gaze.world.replace(Some(Rc::new(world.clone())));
        let result = self.host.call(&run.function, &args);
        self.gaze.world.replace(None);
        self.tally.borrow_mut().script_calls += 1;
        result.unwrap_or_else(|stop| {
            let message = if let Stop::Fault(fault) = stop { fault.0 } else { "it waits for an answer".into() };
            self.fault(prompt, &message, self.gaze.left.get() == 0 || self.host.is_spent());
            Value::None
        })
    }

    /// What a script has said, if it begins with a legal answer.
    fn legal(&self, run: &ScriptCall, world: &World, choice: &Choice, advised: &Value) -> Advice {
        let advice = self.advice(&self.view(world), choice, advised);
        let legal = |id: &Name| choice.options().any(|option| option.id == *id);
        let is_legal = match &advice {
            Advice::Any => advised.is_none(),
            Advice::One(ids) => ids.first().is_some_and(legal),
            Advice::Plan(plan) => plan
                .first()
                .is_some_and(|(prompt, id)| prompt.is_none_or(|prompt| prompt == choice.prompt) && legal(id)),
        };
        if is_legal {
            return advice;
        }
        self.fault(choice.prompt, &format!("{} advises what is no legal answer: {advised:?}", run.function), false);
        Advice::Any
    }

    /// What a script has given: an id, a plan, or scores by id.
    fn advice(&self, view: &View<'_>, choice: &Choice, advised: &Value) -> Advice {
        match advised {
            Value::None => Advice::Any,
            Value::List(items) => {
                let planned = |item: &Value| match item.as_items() {
                    Some([prompt, answer]) => Some((Some(prompt.as_name()?), view.id_of(answer)?)),
                    Some(_) => None,
                    None => Some((None, view.id_of(item)?)),
                };
                let plan: Option<Vec<Planned>> = items.iter().map(planned).collect();
                plan.map_or(Advice::Any, Advice::Plan)
            }
            Value::Map(scores) => {
                let worth = |id: &Name| scores.get(id).and_then(Value::as_int);
                let greatest = choice.options().filter_map(|option| worth(&option.id)).max();
                let of = |option: &&crate::kernel::Candidate| greatest.is_some() && worth(&option.id) == greatest;
                Advice::One(choice.options().filter(of).map(|option| option.id).collect())
            }
            other => view.id_of(other).map_or(Advice::Any, |id| Advice::One(vec![id])),
        }
    }

    fn record(&self) -> Option<&BotRecord> {
        self.gaze.game.bots.get(&self.bot)
    }

    fn view<'a>(&'a self, world: &'a World) -> View<'a> {
        let operations = self.record().map_or(0, |bot| bot.operations);
        View::of_guest(world, &self.gaze.setting, &self.gaze.game, operations)
    }

    /// Counts what went wrong.
    fn fault(&self, prompt: Name, message: &str, cut_short: bool) {
        let mut tally = self.tally.borrow_mut();
        if cut_short {
            tally.cut_short += 1;
            return;
        }
        tally.faults += 1;
        tally.first_fault.get_or_insert_with(|| format!("bots.{}, asked for {prompt}: {message}", self.bot));
    }
}
