//! A game set up for one mission: what the kernel asks when it runs it.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};

use super::{
    campaign, effects, flow, functions,
    game::{DEEDS, EMIT, Game, Invariant, Kind, MENU, ScriptCall},
    menu, secrets,
    setting::Setting,
    view::View,
};
use crate::{
    base::{Lap, Meter, Name, Value, What},
    kernel::{
        Audience, BackDecl, Before, Call, Candidate, Cause, Draft, Fault, PropertyDecl, Rules, Run, Schema, SeatDecl,
        Stop, Trigger, World, ZoneDecl,
    },
    script::{ScriptDefect, ScriptHost},
};

/// A game with a mission and a script host.
pub struct Instance {
    /// The game.
    pub game: Arc<Game>,
    /// The mission.
    pub setting: Arc<Setting>,
    host: Rc<ScriptHost>,
    stage: Rc<Stage>,
    checking: Cell<bool>,
}

/// What the functions of scripts act on while a call is running.
pub(super) struct Stage {
    pub(super) game: Arc<Game>,
    /// The setting of the instance that runs.
    setting: RefCell<Arc<Setting>>,
    pub(super) run: RefCell<Option<Rc<Run>>>,
    pub(super) causes: RefCell<Vec<Cause>>,
}

impl Stage {
    /// The game in progress.
    pub(super) fn run(&self) -> Result<Rc<Run>, Stop> {
        self.run.borrow().clone().ok_or_else(|| Stop::fault("a script acts outside a step"))
    }

    /// Why what happens now happens.
    pub(super) fn cause(&self) -> Cause {
        self.causes.borrow().last().cloned().unwrap_or_default()
    }

    /// Looks at the world; in a private dialogue, as its seat knows it.
    pub(super) fn look<T>(&self, run: &Run, f: impl FnOnce(&View<'_>) -> Result<T, Fault>) -> Result<T, Stop> {
        match run.private_seat() {
            Some(seat) => self.look_as(run, seat, f),
            None => f(&View::new(&run.world(), &self.setting.borrow(), &self.game)).map_err(Stop::Fault),
        }
    }

    /// Looks at the world as a seat knows it.
    pub(super) fn look_as<T>(
        &self,
        run: &Run,
        seat: Name,
        f: impl FnOnce(&View<'_>) -> Result<T, Fault>,
    ) -> Result<T, Stop> {
        f(&View::new(&run.known_world(seat), &self.setting.borrow(), &self.game)).map_err(Stop::Fault)
    }
}

impl Instance {
    /// Prepares a game for a mission.
    ///
    /// # Errors
    /// What is wrong with its scripts.
    pub fn new(game: Arc<Game>, setting: Arc<Setting>) -> Result<Self, Vec<ScriptDefect>> {
        let stage = Rc::new(Stage {
            game: Arc::clone(&game),
            setting: RefCell::new(Arc::clone(&setting)),
            run: RefCell::new(None),
            causes: RefCell::new(Vec::new()),
        });
        let host = ScriptHost::new(
            &game.scripts,
            functions::all(&stage),
            functions::property_reader(&game, functions::look_of(&stage)),
        )?;
        let missing = super::calls::missing_functions(&game, &host);
        if !missing.is_empty() {
            return Err(missing);
        }
        Ok(Self { game, setting, host: Rc::new(host), stage, checking: Cell::new(true) })
    }

    /// The same game on another setting, with the same script host: one of the two runs at a time.
    #[must_use]
    pub fn beside(&self, setting: Arc<Setting>) -> Self {
        let (host, stage) = (Rc::clone(&self.host), Rc::clone(&self.stage));
        Self { game: Arc::clone(&self.game), setting, host, stage, checking: Cell::new(true) }
    }

    /// Whether the game's invariants are checked after every event, as they are at first.
    pub fn set_checking(&self, on: bool) {
        self.checking.set(on);
    }

    /// What must hold after an event does hold.
    fn check_invariants(&self, world: &World, event: Name) -> Result<(), Fault> {
        let due = |invariant: &Invariant| invariant.after.as_ref().is_none_or(|after| after.contains(&event));
        for (id, invariant) in
            self.game.invariants.iter().filter(|(_, invariant)| self.checking.get() && due(invariant))
        {
            self.game.trace.touch("invariants", *id);
            let _lap = self.game.gauge.lap(What::Invariant, id.as_str());
            let holds = invariant.holds.eval_bool(&View::new(world, &self.setting, &self.game), &[]);
            match holds {
                Ok(true) => {}
                Ok(false) => return Err(Fault(format!("invariants.{id} is broken: {}", invariant.doc))),
                Err(fault) => return Err(Fault(format!("invariants.{id}: {}", fault.message))),
            }
        }
        Ok(())
    }

    /// The time of the innermost phase, if a call is not part of another that is measured.
    fn phase_measured(&self, run: &Run, is_outermost: bool) -> Option<Lap<'_>> {
        let meter = self.game.gauge.meter().filter(|_| is_outermost)?;
        let phase = run.world().flow().last().map_or("none", |frame| frame.phase.as_str());
        Some(Lap::of(Some(meter), What::Phase, phase))
    }

    /// The script host.
    #[must_use]
    pub fn host(&self) -> &ScriptHost {
        &self.host
    }

    /// Whether scripts may print; what a step printed before it waited is not printed again.
    pub fn set_printing(&self, on: bool) {
        let stage = Rc::clone(&self.stage);
        let fresh = move || on && stage.run.borrow().as_ref().is_none_or(|run| !run.is_repeating());
        self.host.set_printing(Box::new(fresh));
    }

    /// Names and types of a world of this game on this board.
    #[must_use]
    pub fn schema(&self) -> Schema {
        schema(&self.game, &self.setting)
    }

    /// A call of a record's function, its arguments evaluated now.
    pub(super) fn prepare(
        &self,
        world: &World,
        script: &ScriptCall,
        variables: &[Value],
        record: Name,
    ) -> Result<Call, Fault> {
        prepare(&View::new(world, &self.setting, &self.game), script, variables, record)
    }
}

/// Names and types of a world of a game on a board.
pub(super) fn schema(game: &Game, setting: &Setting) -> Schema {
    let decls = |of_table: bool| {
        let of = game.properties.iter().filter(move |(_, property)| property.of_table == of_table);
        of.map(|(name, property)| PropertyDecl {
            name: *name,
            kind: property.kind,
            open: property.open,
            seen_by: property.seen_by.clone(),
            first: property.default.clone().filter(|_| of_table).unwrap_or_default(),
        })
        .collect()
    };
    let mut schema = Schema::default();
    schema.entity = decls(false);
    schema.table = decls(true);
    schema.zones = game
        .zones
        .iter()
        .map(|(name, zone)| ZoneDecl { name: *name, hidden: zone.hidden, owner: zone.seen_by })
        .collect();
    schema.seats =
        game.seats.iter().map(|name| SeatDecl { name: *name, secret: game.secret_seats.contains(name) }).collect();
    schema.spaces = setting.board.spaces().map(|space| setting.board.name(space)).collect();
    let back =
        |(kind, record): (&Name, &Kind)| Some(BackDecl { kind: *kind, back: record.back?, face_up: record.face_up });
    schema.backs = game.kinds.iter().filter_map(back).collect();
    schema.indexed()
}

/// A call of a record's function, its arguments evaluated now.
pub(super) fn prepare(view: &View<'_>, script: &ScriptCall, variables: &[Value], record: Name) -> Result<Call, Fault> {
    let args =
        script.args.eval_items(view, variables).map_err(|fault| Fault(format!("{record}: {}", fault.message)))?;
    Ok(Call { function: script.function, args, cause: Cause { record, function: script.function } })
}

impl Rules for Instance {
    fn place_of(&self, record: Name) -> Option<String> {
        let (file, line) = self.game.places.get(record.as_str())?;
        Some(format!("{file}:{line}:1"))
    }

    fn apply(&self, draft: &mut Draft<'_>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<(), Fault> {
        {
            let _lap = self.game.gauge.lap(What::Event, kind.as_str());
            effects::apply(self, draft, kind, fields)?;
        }
        self.check_invariants(draft.world(), kind)
    }

    fn triggers(&self, world: &World, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Vec<Trigger>, Fault> {
        let _lap = self.game.gauge.lap(What::Trigger, kind.as_str());
        let mut triggers = Vec::new();
        for (id, hook) in self.game.hooks.iter().filter(|(_, hook)| hook.event == kind && !hook.instead) {
            let Some(record) = self.game.events.get(&kind) else { continue };
            self.game.trace.touch("hooks", *id);
            let values = effects::check_fields(record, fields)?;
            let view = View::new(world, &self.setting, &self.game);
            let holds = match &hook.when {
                None => true,
                Some(when) => {
                    when.eval_bool(&view, &values).map_err(|fault| Fault(format!("hooks.{id}: {}", fault.message)))?
                }
            };
            if holds {
                self.game.trace.happen("hooks", *id);
                let record = crate::base::name(&format!("hooks.{id}"));
                triggers.push(Trigger { order: hook.order, call: self.prepare(world, &hook.run, &values, record)? });
            }
        }
        Ok(triggers)
    }

    fn before(&self, run: &Rc<Run>, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Before, Stop> {
        secrets::before(self, run, kind, fields)
    }

    fn audience(&self, world: &World, kind: Name, fields: &BTreeMap<Name, Value>) -> Result<Audience, Fault> {
        secrets::audience(self, world, kind, fields)
    }

    fn is_barrier(&self, kind: Name) -> bool {
        self.game.events.get(&kind).is_some_and(|event| event.secrecy.barrier)
    }

    fn opens(&self, world: &World, window: Name, args: &[Value]) -> Result<bool, Fault> {
        secrets::opens(self, world, window, args)
    }

    fn offers(&self, world: &World, _seat: Name, window: Name, args: &[Value]) -> Result<Vec<Candidate>, Fault> {
        secrets::offers(self, world, window, args)
    }

    fn until(&self, window: Name) -> Option<Name> {
        self.game.windows.get(&window).and_then(|window| window.until)
    }

    fn call(&self, run: &Rc<Run>, call: &Call) -> Result<Value, Stop> {
        let outermost = self.stage.run.borrow().is_none();
        if outermost {
            self.host.begin_step();
            *self.stage.setting.borrow_mut() = Arc::clone(&self.setting);
            *self.stage.run.borrow_mut() = Some(Rc::clone(run));
        }
        let phase = self.phase_measured(run, outermost);
        let record = self.game.gauge.lap(What::Record, call.cause.record.as_str());
        let function = call.function.as_str();
        let is_script = function != campaign::PLAYS && !DEEDS.contains(&function);
        let what = if is_script { What::Script } else { What::Act };
        let script = self.game.gauge.lap(what, function);
        self.stage.causes.borrow_mut().push(call.cause.clone());
        let result = match function {
            EMIT => functions::emit(&self.stage, &call.args),
            MENU => menu::opens(&self.stage, &call.args),
            campaign::PLAYS => campaign::plays(&self.stage, &call.args),
            _ => self.host.call(&call.function, &call.args),
        };
        self.stage.causes.borrow_mut().pop();
        drop((script, record, phase));
        if outermost {
            *self.stage.run.borrow_mut() = None;
        }
        result
    }

    fn next(&self, run: &Rc<Run>) -> Result<Option<Call>, Stop> {
        let _lap = self.phase_measured(run, true);
        flow::next(self, run)
    }

    fn meter(&self) -> Option<&dyn Meter> {
        self.game.gauge.meter()
    }
}
