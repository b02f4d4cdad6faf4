//! How a game looks and reads: marks of things on the board, panels, overlays, pages of help, sentences.
//! Nothing here decides anything.

use super::expr::Expr;
use crate::base::Name;

/// The colours that content may name; who shows them decides what they are.
pub const COLOURS: [&str; 15] = [
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "grey",
    "dark",
    "bright_red",
    "bright_green",
    "bright_yellow",
    "bright_blue",
    "bright_magenta",
    "bright_cyan",
];

/// How lines of an edge are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stroke {
    /// A thin line.
    #[default]
    Light,
    /// A thick line.
    Heavy,
    /// Two lines.
    Double,
}

/// How something is drawn: a thing on a square, a mark of an edge, a kind or all kinds with a tag.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Its mark: one letter of a kind, up to three of what is drawn on a square.
    pub glyph: Option<String>,
    /// Its colour.
    pub colour: Option<Name>,
    /// How it is called in the legend.
    pub title: Option<String>,
    /// What it means to whoever plays.
    pub note: String,
    /// The line of an edge.
    pub stroke: Stroke,
    /// What stands in the middle of an edge that runs west to east.
    pub across: Option<String>,
    /// The same of one that runs south to north.
    pub upright: Option<String>,
    /// The property that says where it faces.
    pub facing: Option<Name>,
    /// States that are shown, the weightiest first.
    pub states: Vec<StateDrawing>,
    /// What lies higher hides what lies lower.
    pub above: i64,
    /// Whether it is not drawn at all.
    pub hidden: bool,
    /// Whether a key of its own is its name, if it is said.
    pub keys_name: Option<bool>,
}

/// How a state of a thing is shown.
#[derive(Clone, Debug)]
pub struct StateDrawing {
    /// When, on `it`.
    pub when: Expr,
    /// Its mark beside the thing's own.
    pub mark: Option<char>,
    /// The thing's own mark instead.
    pub glyph: Option<char>,
    /// Whether the thing's letter is a capital one; as it is if nothing is said.
    pub capital: Option<bool>,
    /// The colour instead.
    pub colour: Option<Name>,
    /// What it means.
    pub note: String,
}

/// What is told of something in a panel.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// The lines.
    pub lines: Vec<PanelLine>,
}

/// A line of a panel.
#[derive(Clone, Debug)]
pub struct PanelLine {
    /// How it is called.
    pub title: String,
    /// A line for each of these, which is `it` then.
    pub each: Option<Expr>,
    /// What it says, on `it`.
    pub is: Expr,
    /// The most that it could be.
    pub of: Option<Expr>,
    /// Whether what it says is done, of a thing to do.
    pub done: Option<Expr>,
    /// When it is there.
    pub when: Option<Expr>,
    /// What it means.
    pub note: String,
}

/// Squares that are brought out, for each of some things.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// How it is called.
    pub title: String,
    /// What it shows.
    pub doc: String,
    /// The things, on `unit` (who acts, or none) and `place` (the square that is looked at).
    pub each: Expr,
    /// The squares of a thing `it`.
    pub spaces: Expr,
    /// The colour.
    pub colour: Option<Name>,
    /// The mark on its squares.
    pub glyph: char,
}

/// A page of help.
#[derive(Clone, Debug)]
pub struct HelpPage {
    /// Its heading.
    pub title: String,
    /// Its text; paragraphs are lines.
    pub text: String,
    /// The mission that it is about; every one if none is named.
    pub mission: Option<Name>,
    /// Pages with lower numbers come first.
    pub order: i64,
}

/// A piece of a sentence about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// The value of a field.
    Field(Name),
    /// What is left out when a field in it is absent, false, 0 or empty.
    Optional(Vec<Piece>),
}

/// How an event is told.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    /// The sentence; nothing is told if it is empty.
    pub pieces: Vec<Piece>,
    /// The field in which events that follow each other may differ and still be told as one.
    pub gathers: Option<Name>,
}
