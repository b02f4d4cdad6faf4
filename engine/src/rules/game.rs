//! A game as the rules use it: typed, linked records whose expressions are compiled.
//!
//! Everything here is immutable once linked and shared by all tables of the game.

use std::collections::BTreeMap;

pub use super::boards::*;
use super::{
    bot::BotRecord,
    campaign::{Campaign, Legacy},
    expr::Expr,
    look::{Drawing, HelpPage, Overlay, Panel, Sentence},
    reads::Reads,
    secrets::{Secrecy, Told, WindowRecord},
    tags::{ByKind, Tags},
    trace::Trace,
};
use crate::{
    base::{Gauge, Name, NameMap, Value},
    content::Defect,
    script::ScriptSource,
};

/// A linked game.
#[derive(Debug, Default)]
pub struct Game {
    /// The game's folder name.
    pub id: Name,
    /// Its title.
    pub title: String,
    /// Its packs in load order: name, version, hash.
    pub packs: Vec<(String, String, String)>,
    /// Its files: path and hash.
    pub files: Vec<(String, String)>,
    /// Typed slots.
    pub properties: NameMap<Property>,
    /// What kinds and cards may have.
    pub stats: NameMap<Stat>,
    /// Sorts of entity.
    pub kinds: NameMap<Kind>,
    /// Sorts of event.
    pub events: NameMap<EventKind>,
    /// Named expressions.
    pub terms: NameMap<Term>,
    /// Questions with their candidates.
    pub choices: NameMap<ChoiceRecord>,
    /// What a menu offers.
    pub actions: NameMap<Action>,
    /// What all actions of a menu have in common.
    pub menus: NameMap<MenuRecord>,
    /// Records of the sections that content declares for itself, by section and id, in alphabetical order.
    pub data: NameMap<NameMap<Value>>,
    /// What is asked of every record of such a section, on its id as `it`.
    pub data_checks: NameMap<Vec<Condition>>,
    /// What must hold after events.
    pub invariants: NameMap<Invariant>,
    /// The flow.
    pub phases: NameMap<Phase>,
    /// What runs after an event.
    pub hooks: NameMap<Hook>,
    /// Derived numbers and their parts.
    pub values: NameMap<ValueRecord>,
    /// What steps cost.
    pub movement: NameMap<Movement>,
    /// What stops a line.
    pub sight: NameMap<Sight>,
    /// Drawn tiles.
    pub tiles: NameMap<Tile>,
    /// Boards of points.
    pub maps: NameMap<Map>,
    /// Piles.
    pub zones: NameMap<ZoneRecord>,
    /// Seats, in order.
    pub seats: Vec<Name>,
    /// Those that know only what they are shown.
    pub secret_seats: Vec<Name>,
    /// When seats may react.
    pub windows: NameMap<WindowRecord>,
    /// Missions, in the order in which they are offered.
    pub missions: NameMap<Mission>,
    /// Missions in a row, in the order in which they are offered.
    pub campaigns: NameMap<Campaign>,
    /// What passes from mission to mission.
    pub legacy: NameMap<Legacy>,
    /// What is asked of every mission.
    pub mission_checks: NameMap<MissionCheck>,
    /// What is doubtful, but no defect.
    pub warnings: Vec<Defect>,
    /// Bots.
    pub bots: NameMap<BotRecord>,
    /// How things, edges and kinds are drawn.
    pub drawings: NameMap<Drawing>,
    /// What is told of kinds, by kind or tag, and of the table.
    pub panels: NameMap<Panel>,
    /// Squares that can be brought out.
    pub overlays: NameMap<Overlay>,
    /// Pages of help.
    pub help: NameMap<HelpPage>,
    /// Texts by code.
    pub texts: BTreeMap<Name, String>,
    /// Scripts by namespace, in load order.
    pub scripts: Vec<ScriptSource>,
    /// Where each record stands: `section.id` to file and line.
    pub places: BTreeMap<String, (String, usize)>,
    /// The local names that phases declare, in the order of their slots.
    pub locals: Vec<Name>,
    /// What of it is used, once somebody asks.
    pub trace: Trace,
    /// Where a stopwatch may listen.
    pub gauge: Gauge,
    /// What its kinds are.
    pub(super) tags: Tags,
    /// Which things stop the lines of each sight record.
    pub(super) stoppers: Vec<ByKind>,
    /// What its records read of a world.
    pub(super) reads: Reads,
}

/// A typed slot.
#[derive(Clone, Debug)]
pub struct Property {
    /// Whether it belongs to the table rather than to entities.
    pub of_table: bool,
    /// Its type.
    pub kind: Name,
    /// What an int may be.
    pub bounds: Bounds,
    /// What it holds at first, if not the type's initial value.
    pub default: Option<Value>,
    /// The stat of an entity's kind that it holds at first, where the kind has it.
    pub from: Option<Name>,
    /// Whether seats know it also of things that they do not know.
    pub open: bool,
    /// Of a property of the table: who knows it; everybody if nobody is named.
    pub seen_by: Vec<Name>,
}

/// The least and the greatest number that is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub min: Option<i64>,
    /// The greatest.
    pub max: Option<i64>,
}

impl Bounds {
    /// What is wrong with a number; none when it lies within.
    #[must_use]
    pub fn broken_by(&self, number: i64) -> Option<String> {
        match (self.min.filter(|min| number < *min), self.max.filter(|max| number > *max)) {
            (Some(min), _) => Some(format!("{number}, less than {min}")),
            (_, Some(max)) => Some(format!("{number}, more than {max}")),
            _ => None,
        }
    }
}

/// What kinds and cards may have.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// Its type.
    pub kind: Name,
    /// What an int may be.
    pub bounds: Bounds,
}

/// What must hold after events.
#[derive(Debug)]
pub struct Invariant {
    /// What it says.
    pub doc: String,
    /// After which events; none means after each.
    pub after: Option<Vec<Name>>,
    /// What must hold.
    pub holds: Expr,
}

/// A sort of entity.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its printed name.
    pub title: String,
    /// Its tags.
    pub tags: Vec<Name>,
    /// Values that every entity of the kind has and none can change.
    pub stats: NameMap<Value>,
    /// The kind that its entities are taken for by whoever may not know them.
    pub back: Option<Name>,
    /// The property that says which of them everybody may know.
    pub face_up: Option<Name>,
}

/// A sort of event.
#[derive(Debug)]
pub struct EventKind {
    /// What it says.
    pub doc: String,
    /// How it is told, if not by its name and fields.
    pub told: Option<Sentence>,
    /// Whether it is kept in sight when more happens than there is room for.
    pub stands_out: bool,
    /// Its fields: type and whether it may be absent.
    pub fields: NameMap<FieldType>,
    /// What it does, in order.
    pub effects: Vec<Effect>,
    /// Who learns of it.
    pub secrecy: Secrecy,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldType {
    /// The type.
    pub kind: Name,
    /// Whether it may be absent.
    pub optional: bool,
}

/// One operation of an event.
#[derive(Debug)]
pub enum Effect {
    /// A property of an entity gets a value.
    Set(Expr, Name, Expr),
    /// A property of the table gets a value.
    SetTable(Name, Expr),
    /// An entity is placed on a space, on several, or nowhere.
    Place(Expr, Expr),
    /// An entity is put with another.
    PutOn(Expr, Expr, Name),
    /// An entity is put into a pile, at a depth from the top (or last).
    PutIn(Expr, Name, Option<Expr>),
    /// An entity is made: kind, key, properties, and where.
    Create(Box<Creation>),
    /// Seats know an entity from now on, and no others do.
    Show(Expr, Told),
    /// An entity leaves the game.
    Destroy(Expr),
    /// A pile gets an order.
    Order(Name, Expr),
    /// The game ends.
    End(Expr),
}

/// How an entity is made.
#[derive(Debug)]
pub struct Creation {
    /// Its kind.
    pub kind: Expr,
    /// Its key, if it is named.
    pub key: Option<Expr>,
    /// Its properties: a map.
    pub properties: Option<Expr>,
    /// Where it is placed.
    pub at: Option<Expr>,
    /// The pile at whose bottom it is put instead.
    pub zone: Option<Name>,
    /// Who knows it.
    pub seen_by: Told,
}

/// A named expression.
#[derive(Debug)]
pub struct Term {
    /// Its arguments.
    pub args: Vec<Name>,
    /// What it says.
    pub doc: String,
    /// Its value.
    pub is: Expr,
}

/// A condition with the reason for a refusal.
#[derive(Debug)]
pub struct Condition {
    /// What must hold.
    pub holds: Expr,
    /// The reason if it does not.
    pub reason: Name,
}

/// A question with its candidates.
#[derive(Debug)]
pub struct ChoiceRecord {
    /// Its arguments; the candidate is `it`.
    pub args: Vec<Name>,
    /// All candidates.
    pub from: Expr,
    /// What each must meet.
    pub conditions: Vec<Condition>,
    /// The id of a candidate, if not its own name.
    pub id: Option<Expr>,
    /// Whether it is a tie left to people.
    pub tie: bool,
    /// Who is asked; the first seat if nobody is named.
    pub seat: Option<Name>,
    /// The argument that says where the first one stands while it is asked, if he is on his way.
    pub stands: Option<Name>,
    /// What is no answer and can be named all the same, to be told why not.
    pub refused: Vec<Refusal>,
    /// What `play` asks before it gives a grave answer.
    pub confirm: Option<String>,
    /// Which answers are, on the arguments and `it`; all of them if nothing is said.
    pub confirm_when: Option<Expr>,
}

/// Things that are never an answer, for one reason. Only who waits for an explanation has them worked out.
#[derive(Debug)]
pub struct Refusal {
    /// The things.
    pub from: Expr,
    /// The reason against each.
    pub reason: Name,
}

/// What a menu offers.
#[derive(Debug)]
pub struct Action {
    /// The menu.
    pub menu: Name,
    /// Its printed name.
    pub title: String,
    /// What it does, for whoever plays.
    pub doc: String,
    /// Whether it is a step that the keys of `play` may take at once: its question is a square.
    pub walks: bool,
    /// What is asked before a key of `play` takes it, if it is grave.
    pub confirm: Option<String>,
    /// When that is asked, on `unit`; always if nothing is said.
    pub confirm_when: Option<Expr>,
    /// Words that its menu's conditions may ask for.
    pub tags: Vec<Name>,
    /// What it costs, on `unit`; nothing if it says nothing.
    pub cost: Option<Expr>,
    /// When it is offered; the variable is `unit`.
    pub conditions: Vec<Condition>,
    /// What is asked once it is chosen: names and choices with their arguments.
    pub asks: Vec<Ask>,
    /// What runs then.
    pub run: ScriptCall,
}

/// What all actions of a menu have in common.
#[derive(Debug)]
pub struct MenuRecord {
    /// When an action is offered, on `unit` and the action's `tags` and `cost`.
    pub conditions: Vec<Condition>,
    /// How costs are paid.
    pub pays: Option<Payment>,
}

/// How the costs of a menu's actions are paid.
#[derive(Debug)]
pub struct Payment {
    /// The property that must be at least the cost.
    pub property: Name,
    /// The reason if it is not.
    pub reason: Name,
    /// What runs before an action that costs something, on `unit` and `cost`.
    pub run: ScriptCall,
}

/// A question that belongs to an action.
#[derive(Debug)]
pub struct Ask {
    /// The name under which the answer is known.
    pub name: Name,
    /// When it is asked at all; otherwise the answer is none.
    pub when: Option<Expr>,
    /// The choice.
    pub choice: Name,
    /// Its arguments.
    pub args: Expr,
    /// Whether it needs no earlier answer, so that the action is refused when nothing could be
    /// answered.
    pub early: bool,
}

/// The functions that records may call without a script: they emit an event, or open a menu.
pub(super) const DEEDS: [&str; 2] = [EMIT, MENU];
pub(super) const EMIT: &str = "emit";
pub(super) const MENU: &str = "menu";

/// A script function with the expressions of its arguments: `namespace::function(a, b)`; or an
/// event with its fields: `emit("event", #{field: value})`; or a menu: `menu("menu", unit)`.
#[derive(Debug)]
pub struct ScriptCall {
    /// The function; `emit` or `menu` if there is no script.
    pub function: Name,
    /// A list of the arguments.
    pub args: Expr,
    /// Where it is written: file, line and column.
    pub place: (String, usize, usize),
}

/// A phase.
#[derive(Debug)]
pub struct Phase {
    /// Whether each time it begins is a turn of the game, for whoever counts turns.
    pub is_turn: bool,
    /// Whether it takes place at all, asked when its turn comes.
    pub when: Option<Expr>,
    /// Its locals and what they hold at first.
    pub locals: Vec<(Name, Expr)>,
    /// What runs first.
    pub enter: Option<ScriptCall>,
    /// What it runs.
    pub body: Body,
    /// Whether the body runs again after it has ended.
    pub again: Option<Expr>,
    /// What runs last.
    pub exit: Option<ScriptCall>,
}

/// What a phase runs.
#[derive(Debug)]
pub enum Body {
    /// Nothing.
    Empty,
    /// A script function.
    Step(ScriptCall),
    /// Phases in order.
    Phases(Vec<Name>),
    /// A phase for each item of a list that is fixed when this one begins.
    Each {
        /// The local that holds the item.
        local: Name,
        /// The list.
        items: Expr,
        /// The phase.
        phase: Name,
    },
    /// A mission of a campaign.
    Plays {
        /// Which.
        mission: Expr,
        /// What it is given: a map by value of section `legacy`.
        legacy: Vec<(Name, Expr)>,
    },
}

/// What runs after an event.
#[derive(Debug)]
pub struct Hook {
    /// The kind of event.
    pub event: Name,
    /// When, on the event's fields.
    pub when: Option<Expr>,
    /// Lower ones run first.
    pub order: i64,
    /// What runs, on the event's fields.
    pub run: ScriptCall,
    /// Whether it runs before the event is recorded and decides what becomes of it.
    pub instead: bool,
}

/// A derived number with named parts.
#[derive(Debug)]
pub struct ValueRecord {
    /// What it depends on.
    pub args: Vec<Name>,
    /// The number before its parts.
    pub base: Expr,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// A named part of a derived number.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub name: Name,
    /// When it counts.
    pub when: Option<Expr>,
    /// How much.
    pub amount: Expr,
    /// Parts of one group do not add up: only the lowest counts.
    pub worst_of: Option<Name>,
    /// Whether it counts instead of all other parts.
    pub instead: bool,
}
