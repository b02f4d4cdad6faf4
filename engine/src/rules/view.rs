//! Looking at a world with the eyes of its game: properties, queries and terms.
//!
//! A [`View`] is what expressions and scripts read through. It never changes anything.

use std::{
    cell::{Cell, RefCell},
    sync::LazyLock,
};

use super::{
    expr::{EvalError, EvalFault, FunctionSig, Host, Scope},
    game::Game,
    memo::{Key, Known},
    query::QUERIES,
    reads::Memorable,
    setting::Setting,
};
use crate::{
    base::{EntityId, Name, Value, What, name},
    board::{Board, Grid},
    kernel::{Owner, Position, UNKNOWN_KIND, World},
};

/// The number of the first term among the functions of expressions.
pub(super) const FIRST_TERM: u32 = 10_000;
/// The most operations of expressions in one look at a world.
const OPERATIONS_MAX: u64 = 20_000_000;
/// The deepest nesting of terms.
const TERM_DEPTH_MAX: u32 = 32;

/// What entities have without a declaration.
static OF_ENTITIES: LazyLock<[Name; 4]> = LazyLock::new(|| ["at", "key", "kind", "alive"].map(name));

/// What spaces have.
static OF_SPACES: LazyLock<[Name; 3]> = LazyLock::new(|| ["name", "things", "region"].map(name));

/// A world, its board and its game.
pub struct View<'a> {
    /// The world.
    pub world: &'a World,
    /// The board.
    pub board: &'a Board,
    /// The game.
    pub game: &'a Game,
    /// What the mission brings.
    pub setting: &'a Setting,
    depth: Cell<u32>,
    /// The records that lie in each other too deep, the innermost first; empty while all is well.
    trail: RefCell<Vec<Name>>,
    /// The greatest depth since somebody began to watch.
    deepest: Cell<u32>,
    spent: Cell<u64>,
    /// How many operations of expressions this look may take.
    spent_max: u64,
    /// Whether hidden piles have no order for whoever looks.
    is_guest: bool,
}

impl<'a> View<'a> {
    /// A look at `world`.
    #[must_use]
    pub fn new(world: &'a World, setting: &'a Setting, game: &'a Game) -> Self {
        Self {
            world,
            board: &setting.board,
            game,
            setting,
            depth: Cell::new(0),
            deepest: Cell::new(0),
            spent: Cell::new(0),
            spent_max: OPERATIONS_MAX,
            is_guest: false,
            trail: RefCell::default(),
        }
    }

    /// A look by somebody who is no rule: hidden piles have no order, and so many operations
    /// are all.
    #[must_use]
    pub fn of_guest(world: &'a World, setting: &'a Setting, game: &'a Game, operations: u64) -> Self {
        Self { spent_max: operations.min(OPERATIONS_MAX), is_guest: true, ..Self::new(world, setting, game) }
    }

    /// The squares of the board.
    ///
    /// # Errors
    /// When it has none.
    pub(super) fn grid(&self) -> Result<&'a Grid, String> {
        self.board.grid().ok_or_else(|| "the board has no squares: lines and facings are of squares".into())
    }

    /// Whether the order of hidden piles is not known.
    pub(super) fn is_guest(&self) -> bool {
        self.is_guest
    }

    /// How many operations the look has taken.
    pub(super) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether it has taken more than it may.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.get() > self.spent_max
    }

    /// A property of an entity, a space, the table or a map.
    ///
    /// # Errors
    /// When there is no such property.
    pub fn read(&self, of: &Value, property: Name) -> Result<Value, EvalFault> {
        match of {
            Value::Entity(entity) => self.entity_property(*entity, property),
            Value::Space(space) => match OF_SPACES.iter().position(|known| *known == property) {
                Some(0) => Ok(self.board.name(*space).into()),
                Some(1) => {
                    Ok(Value::list(self.board.cell(*space).things.iter().map(|thing| (*thing).into()).collect()))
                }
                Some(2) => Ok(self.board.cell(*space).region.into()),
                _ => Err(fault(format!("a space has no property {property}"))),
            },
            Value::Name(table) if table.as_str() == "table" => self
                .world
                .table(property)
                .cloned()
                .ok_or_else(|| fault(format!("the table has no property {property}"))),
            Value::Map(entries) => {
                entries.get(&property).cloned().ok_or_else(|| fault(format!("the map has no entry {property}")))
            }
            other => Err(fault(format!("a {} has no property {property}", other.type_name()))),
        }
    }

    fn entity_property(&self, entity: EntityId, property: Name) -> Result<Value, EvalFault> {
        if let Some(value) = self.world.property(entity, property) {
            return Ok(value.clone());
        }
        self.given_property(entity, property)
    }

    /// A property that no event sets.
    fn given_property(&self, entity: EntityId, property: Name) -> Result<Value, EvalFault> {
        let thing = self.world.entity(entity).ok_or_else(|| fault("no such entity".into()))?;
        match OF_ENTITIES.iter().position(|known| *known == property) {
            Some(0) => Ok(self.space_of(entity)),
            Some(1) => Ok(thing.key.into()),
            Some(2) => Ok(thing.kind.into()),
            Some(3) => Ok(thing.alive.into()),
            _ => self
                .game
                .kinds
                .get(&thing.kind)
                .inspect(|_| self.game.trace.read("kinds", property, thing.kind))
                .and_then(|kind| kind.stats.get(&property))
                .cloned()
                .or_else(|| self.unknown_stat(thing.kind, property))
                .ok_or_else(|| fault(format!("{} has no property {property}", thing.key))),
        }
    }

    /// What a stat says of a thing that is only known by its back.
    fn unknown_stat(&self, kind: Name, stat: Name) -> Option<Value> {
        let is_back = || self.world.schema().backs.iter().any(|decl| decl.back == kind);
        (self.game.stats.contains_key(&stat) && (kind.as_str() == UNKNOWN_KIND || is_back())).then_some(Value::Unknown)
    }

    /// The space of an entity, directly or with whom it is; none when it has none.
    #[must_use]
    pub fn space_of(&self, entity: EntityId) -> Value {
        let mut entity = entity;
        for _ in 0..8 {
            match self.world.entity(entity).map(|thing| &thing.at) {
                Some(Position::Space(space)) => return Value::Space(*space),
                Some(Position::Cells(cells)) => return cells.first().map_or(Value::None, |cell| Value::Space(*cell)),
                Some(Position::On(other, _)) => entity = *other,
                _ => return Value::None,
            }
        }
        Value::None
    }

    /// Whether an entity's kind has a tag, or is of that kind.
    #[must_use]
    pub fn has_tag(&self, entity: EntityId, tag: Name) -> bool {
        self.world.entity(entity).is_some_and(|thing| self.game.tags.has(thing.kind, tag))
    }

    /// The value of a term.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    pub fn term(&self, term: Name, args: &[Value]) -> Result<Value, EvalFault> {
        let index = self.game.terms.get_index_of(&term).ok_or_else(|| fault(format!("there is no term {term}")))?;
        self.term_at(index, args)
    }

    fn term_at(&self, index: usize, args: &[Value]) -> Result<Value, EvalFault> {
        let (term, record) = self.game.terms.get_index(index).ok_or_else(|| fault("no such term".into()))?;
        self.game.trace.touch("terms", *term);
        let _lap = self.game.gauge.lap(What::Term, term.as_str());
        if record.args.len() != args.len() {
            return Err(fault(format!("{term} takes {} arguments, not {}", record.args.len(), args.len())));
        }
        let inner = || record.is.eval(self, args).map_err(|fault| self.in_term(*term, fault.message));
        self.remembered(Memorable::Term(index), args, || self.nested(*term, inner))
    }

    /// What `work` gives, or gave when it was done before on what has not changed since.
    pub(super) fn remembered<E>(
        &self,
        of: Memorable,
        args: &[Value],
        work: impl FnOnce() -> Result<Value, E>,
    ) -> Result<Value, E> {
        // Who takes notes wants to see everything again.
        let Some(parts) = self.game.reads.parts(of).filter(|_| !self.game.trace.is_on()) else { return work() };
        // What guests see is remembered apart, and what is seen of a world.
        let who = u64::from(self.is_guest) + 2 * u64::from(self.world.is_seen());
        let within = (self.game.reads.id, self.setting.id * 4 + who);
        let key = Key::new(of, within, self.world.stamp(parts), args);
        let depth = self.depth.get();
        let fits = |known: &Known| {
            depth + known.height <= TERM_DEPTH_MAX && self.spent.get().saturating_add(known.cost) <= self.spent_max
        };
        if let Some(known) = key.known().filter(fits) {
            self.spent.set(self.spent.get() + known.cost);
            self.deepest.set(self.deepest.get().max(depth + known.height));
            return Ok(known.value);
        }
        let (before, spent) = (self.deepest.replace(depth), self.spent.get());
        let value = work();
        let height = self.deepest.get() - depth;
        self.deepest.set(before.max(depth + height));
        if let Ok(value) = &value {
            key.remember(Known { value: value.clone(), cost: self.spent.get() - spent, height });
        }
        value
    }

    /// What is wrong, and the place of the term in which it is; what lies too deep is said elsewhere.
    fn in_term(&self, term: Name, message: String) -> EvalFault {
        let record = format!("terms.{term}");
        EvalError::fault(match self.game.places.get(&record) {
            Some((file, line)) if !message.is_empty() => format!("{message}\n  in {record}, {file}:{line}"),
            _ => message,
        })
    }

    /// What `inner` gives, one record of the game deeper than whoever asks.
    pub(super) fn nested<T, E: From<String>>(&self, id: Name, inner: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let depth = self.depth.get();
        if depth >= TERM_DEPTH_MAX {
            *self.trail.borrow_mut() = vec![id];
            return Err(String::new().into());
        }
        self.depth.set(depth + 1);
        self.deepest.set(self.deepest.get().max(depth + 1));
        let value = inner();
        self.depth.set(depth);
        if value.is_err() && !self.trail.borrow().is_empty() {
            self.trail.borrow_mut().push(id);
            if depth == 0 {
                return Err(too_deep(&self.trail.take()).into());
            }
        }
        value
    }

    /// The owner that a value stands for, for setting its properties.
    #[must_use]
    pub fn owner(of: &Value) -> Option<Owner> {
        match of {
            Value::Entity(entity) => Some(Owner::Entity(*entity)),
            Value::Name(table) if table.as_str() == "table" => Some(Owner::Table),
            _ => None,
        }
    }

    /// How a value is called in an option: a key, a square, a name or a number; what lies face down by
    /// a number of its back.
    #[must_use]
    pub fn id_of(&self, value: &Value) -> Option<Name> {
        match value {
            Value::Entity(entity) => self.world.seen_key(*entity),
            Value::Space(space) => Some(self.board.name(*space)),
            Value::Name(text) => Some(*text),
            Value::Int(number) => Some(name(&number.to_string())),
            Value::Bool(truth) => Some(name(if *truth { "yes" } else { "no" })),
            Value::List(items) => {
                let ids: Option<Vec<Name>> = items.iter().map(|item| self.id_of(item)).collect();
                Some(name(&ids?.iter().map(Name::as_str).collect::<Vec<_>>().join(",")))
            }
            _ => None,
        }
    }
}

impl Host for View<'_> {
    fn property(&self, of: &Value, property: Name) -> Result<Value, EvalFault> {
        match of {
            Value::Entity(entity) => self.given_property(*entity, property),
            _ => self.read(of, property),
        }
    }

    fn stored(&self, of: &Value, property: Name) -> Option<&Value> {
        if let Value::Entity(entity) = of { self.world.property(*entity, property) } else { None }
    }

    fn call(&self, function: u32, args: &[Value]) -> Result<Value, EvalFault> {
        if function >= FIRST_TERM {
            return self.term_at((function - FIRST_TERM) as usize, args);
        }
        let query = QUERIES.get(function as usize).ok_or_else(|| fault("no such function".into()))?;
        let _lap = self.game.gauge.lap(What::Query, query.name);
        (query.run)(self, args).map_err(|message| fault(format!("{}: {message}", query.name)))
    }

    fn charge(&self, operations: u64) -> Result<(), EvalFault> {
        let spent = self.spent.get().saturating_add(operations);
        self.spent.set(spent);
        if spent <= self.spent_max {
            return Ok(());
        }
        Err(EvalError::fault(format!(
            "it takes more than {} operations; look at fewer things at a time",
            self.spent_max
        )))
    }
}

/// The names that expressions of a game may use.
#[derive(Clone)]
pub(crate) struct Names {
    /// Terms and the number of their arguments, in order.
    pub(crate) terms: Vec<(Name, usize)>,
    /// Properties and stats.
    pub(crate) properties: Vec<Name>,
}

impl Scope for Names {
    fn function(&self, name: &str) -> Option<FunctionSig> {
        if let Some(index) = self.terms.iter().position(|(term, _)| term.as_str() == name) {
            let n = self.terms[index].1;
            return Some(FunctionSig { id: FIRST_TERM + u32::try_from(index).ok()?, args_min: n, args_max: n });
        }
        let index = QUERIES.iter().position(|query| query.name == name)?;
        Some(FunctionSig {
            id: u32::try_from(index).ok()?,
            args_min: QUERIES[index].args.0,
            args_max: QUERIES[index].args.1,
        })
    }

    fn function_names(&self) -> Vec<String> {
        let terms = self.terms.iter().map(|(term, _)| term.to_string());
        terms.chain(QUERIES.iter().map(|query| query.name.to_string())).collect()
    }

    fn property_known(&self, name: &str) -> bool {
        self.properties.iter().any(|property| property.as_str() == name)
    }

    fn property_names(&self) -> Vec<String> {
        self.properties.iter().map(ToString::to_string).collect()
    }
}

/// What is said of records that lie in each other too deep: the circle, if there is one.
fn too_deep(innermost_first: &[Name]) -> String {
    let all: Vec<&str> = innermost_first.iter().rev().map(Name::as_str).collect();
    let circle = all.iter().enumerate().find_map(|(from, id)| {
        let again = all[from + 1..].iter().position(|other| other == id)?;
        Some(&all[from..=from + 1 + again])
    });
    format!("records use each other more than {TERM_DEPTH_MAX} deep: {}", circle.unwrap_or(&all).join(" > "))
}

fn fault(message: String) -> EvalFault {
    EvalError::fault(message)
}
