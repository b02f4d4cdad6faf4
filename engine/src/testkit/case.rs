//! Cases as they are read.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    base::{Name, Value},
    rules::{Game, Mission, Scene, Tile, expr::Expr},
};

/// A file of cases.
#[derive(Debug)]
pub struct Suite {
    /// The path below its root.
    pub file: String,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

/// One short situation.
#[derive(Debug)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// The line of its file.
    pub line: usize,
    /// At most three ledger ids whose check it asserts.
    pub covers: Vec<String>,
    /// Whether it is known to fail.
    pub fixme: bool,
    /// What it does.
    pub kind: CaseKind,
}

/// What a case does.
#[derive(Debug)]
pub enum CaseKind {
    /// Plays from a set-up, or only looks at it.
    Play(Box<PlayCase>),
    /// Lays files over the game.
    Content(ContentCase),
}

/// A case that plays.
#[derive(Debug)]
pub struct PlayCase {
    /// The game, with the files that the case lays over it.
    pub game: Arc<Game>,
    /// The mission's name.
    pub mission_id: Name,
    /// The mission, or what stands for one.
    pub mission: Mission,
    /// A board that is drawn in the test.
    pub board: Option<Tile>,
    /// Options of the mission.
    pub options: BTreeMap<Name, Name>,
    /// What a campaign gives the mission.
    pub legacy: BTreeMap<Name, Value>,
    /// Whether it is the table of a campaign.
    pub is_campaign: bool,
    /// Where the game begins; none for a mission from its start.
    pub scene: Option<Scene>,
    /// The squares of its things, with the lines of the file.
    pub squares: Vec<(Name, usize)>,
    /// The keys that expressions know as variables.
    pub keys: Vec<Name>,
    /// Forced faces by stream or its first segment.
    pub dice: BTreeMap<String, Vec<i64>>,
    /// The seed of draws that are not forced.
    pub seed: Option<u64>,
    /// Whether ties are asked.
    pub ties_asked: bool,
    /// Answers and looks on the way, each with its line of the file.
    pub steps: Vec<(PlayStep, usize)>,
    /// What must hold at the end.
    pub expect: Vec<Expectation>,
    /// What must hold at the end for whoever looks, by seat.
    pub seen: Vec<Seen>,
    /// Events that must occur, in this order.
    pub events: Vec<String>,
    /// Events that must not occur.
    pub no_events: Vec<String>,
    /// How often events must occur.
    pub count: Vec<(String, usize)>,
    /// How the game must have ended.
    pub outcome: Option<String>,
}

/// What a case does, or looks at, on its way.
#[derive(Debug)]
pub enum PlayStep {
    /// Gives answers.
    Answer(Vec<String>),
    /// Which choice must be open.
    Open(String),
    /// What must and must not be offered.
    Offered(Vec<String>, Vec<String>),
    /// An answer that is refused with exactly these reasons and changes nothing.
    Refused(String, Vec<String>),
    /// What must hold now.
    Expect(Vec<Expectation>),
    /// What must hold now for whoever looks.
    Seen(Vec<Seen>),
    /// Which mission a campaign must wait for, with what at least it is given, and how it ends.
    Mission(MissionStep),
    /// Takes the last answer back, or is refused with these reasons.
    Undo(Option<Vec<String>>),
}

/// What must hold in the world as a seat knows and sees it.
#[derive(Debug)]
pub struct Seen {
    /// The seat.
    pub seat: Name,
    /// What must hold.
    pub expect: Vec<Expectation>,
}

/// A mission for which a campaign waits.
#[derive(Debug)]
pub struct MissionStep {
    /// Which.
    pub mission: Name,
    /// What it must have been given, value by value.
    pub given: BTreeMap<Name, Value>,
    /// How it ends: result and reason; none if it is only looked at.
    pub ends: Option<(Name, Name)>,
    /// What it leaves then; the defaults of what is not named.
    pub leaves: BTreeMap<Name, Value>,
}

/// An expression that must be true.
#[derive(Debug)]
pub struct Expectation {
    /// The expression.
    pub holds: Expr,
    /// The sides of a comparison, for the message.
    pub sides: Vec<Expr>,
    /// The line of the file.
    pub line: usize,
}

/// A case of files laid over the game.
#[derive(Debug)]
pub struct ContentCase {
    /// Paths below the pack and texts.
    pub files: Vec<(String, String)>,
    /// The defects that they must give: code and place.
    pub defects: Vec<(String, String)>,
}
