//! What a screen shows, worked out from a session once after each change.

use std::collections::BTreeSet;

use sandtable::{
    base::{EntityId, Name, SpaceId, Value, name},
    board::Facing,
    kernel::{Candidate, Choice, World},
    table::{
        Table,
        picture::{self, BoardPicture, Figure, LegendRow, PanelRow, Shown, Told},
    },
};

use super::session::Session;

/// Everything that is to be seen.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) mission: String,
    pub(crate) phase: String,
    pub(crate) board: BoardPicture,
    /// What is told of the table.
    pub(crate) table: Vec<PanelRow>,
    pub(crate) subject: Option<Subject>,
    /// The square of what is asked about though nobody stands there yet.
    pub(crate) place: Option<SpaceId>,
    /// Whether an action is offered that a key takes at once.
    pub(crate) walks: bool,
    /// Whether an answer can be taken back.
    pub(crate) can_undo: bool,
    pub(crate) told: Vec<Told>,
    pub(crate) question: Option<Question>,
    pub(crate) end: Option<String>,
    /// What there is to do, a line each.
    pub(crate) tasks: Vec<String>,
    pub(crate) legend: Vec<LegendRow>,
    /// Headings and texts.
    pub(crate) help: Vec<(String, String)>,
    pub(crate) overlays: Vec<OverlayKind>,
}

/// An overlay that can be asked for.
#[derive(Clone, Debug)]
pub(crate) struct OverlayKind {
    pub(crate) id: Name,
    pub(crate) title: String,
    pub(crate) doc: String,
    pub(crate) glyph: char,
    pub(crate) colour: Option<Name>,
}

/// Whom a question is about.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) entity: EntityId,
    pub(crate) title: String,
    pub(crate) square: Option<SpaceId>,
    pub(crate) rows: Vec<PanelRow>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// What else it is about.
    pub(crate) about: String,
    /// Legal answers, in order.
    pub(crate) options: Vec<Choosable>,
    /// What is not legal.
    pub(crate) refused: Vec<Choosable>,
    pub(crate) is_tie: bool,
}

/// A candidate.
#[derive(Clone, Debug)]
pub(crate) struct Choosable {
    /// By which it is answered; 0 if it has none: only actions of a menu keep theirs when they are refused.
    pub(crate) number: usize,
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) square: Option<SpaceId>,
    pub(crate) facing: Option<Facing>,
    /// Whether it stands for nothing but its square.
    pub(crate) is_square: bool,
    pub(crate) reasons: Vec<String>,
    /// What its question tells of it.
    pub(crate) told: Vec<String>,
    /// What is asked before it is given.
    pub(crate) confirm: Option<String>,
}

impl Question {
    /// The squares that can be answered.
    pub(crate) fn squares(&self) -> BTreeSet<SpaceId> {
        self.options.iter().filter_map(|option| option.square).collect()
    }

    /// The number of the option on a square.
    pub(crate) fn at(&self, space: SpaceId) -> Option<usize> {
        self.options.iter().position(|option| option.square == Some(space))
    }

    /// Whether the question is where: most answers are bare squares.
    pub(crate) fn is_where(&self) -> bool {
        let n = self.options.iter().filter(|option| option.is_square).count();
        n > 0 && 2 * n >= self.options.len()
    }

    /// The place of the option of a number that is shown: squares have none where they are asked.
    pub(crate) fn numbered(&self, number: usize) -> Option<usize> {
        let shown = |option: &Choosable| option.number == number && (!option.is_square || !self.is_where());
        self.options.iter().position(shown)
    }

    /// Whether a number is that of an action that is refused.
    pub(crate) fn is_refused(&self, number: usize) -> bool {
        self.refused.iter().any(|option| option.number == number)
    }

    /// Whether the question is which way: every answer is a facing.
    pub(crate) fn is_facing(&self) -> bool {
        !self.options.is_empty() && self.options.iter().all(|option| option.facing.is_some())
    }
}

impl Model {
    pub(crate) fn new(session: &Session) -> Self {
        let table = &session.table;
        let choice = table.open();
        let seat = choice.as_ref().map_or_else(|| seat_of(table), |choice| choice.seat);
        let game = table.game();
        let mission = game.missions.get(&table.settings().mission);
        let overlays = game.overlays.iter().map(|(id, overlay)| OverlayKind {
            id: *id,
            title: overlay.title.clone(),
            doc: overlay.doc.clone(),
            glyph: overlay.glyph,
            colour: overlay.colour,
        });
        let tasks = task_lines(table, seat);
        Self {
            mission: mission.map_or_else(String::new, |mission| mission.title.clone()),
            phase: table.with_world(|world| phase(table, world)),
            board: picture::board(table),
            table: picture::panel_of_table(table, seat),
            subject: subject(table, choice.as_ref()),
            place: choice.as_ref().and_then(|choice| picture::stands_at(table, choice)),
            walks: choice.as_ref().is_some_and(|choice| walks(table, choice).is_some()),
            can_undo: session.can_undo(),
            told: picture::told(table, 0),
            question: choice.map(|choice| question(table, &choice)),
            end: session.end(),
            legend: picture::legend(table),
            help: help(table, &tasks),
            tasks,
            overlays: overlays.collect(),
        }
    }

    /// What the marks mean that are on the board now.
    pub(crate) fn marks_now(&self) -> impl Iterator<Item = &LegendRow> {
        let squares = self.board.squares.iter();
        let mut drawn: BTreeSet<&str> =
            squares.clone().flat_map(|square| &square.about).map(|row| row.title.as_str()).collect();
        drawn.extend(self.board.edges.iter().map(|edge| edge.title.as_str()));
        for figure in squares.flat_map(|square| &square.figures) {
            drawn.insert(&figure.kind);
            drawn.extend(figure.notes.iter().map(String::as_str));
        }
        self.legend.iter().filter(move |row| drawn.contains(row.title.as_str()))
    }

    /// What all marks mean: those that are on the board, those of the screen, those that may come.
    pub(crate) fn marks(&self) -> Vec<String> {
        let line = |row: &LegendRow| format!("  {}", legend_line(&row.mark, &row.title, &row.note));
        let now: Vec<&LegendRow> = self.marks_now().collect();
        let own = [
            ("+", "a square that can be chosen", ""),
            ("[ ]", "the cursor", ""),
            ("^", "and the other arrows", "where somebody faces"),
        ];
        let own = own.map(|(mark, title, note)| format!("  {}", legend_line(mark, title, note)));
        let overlays = self.overlays.iter();
        let overlays = overlays.map(|it| format!("  {}", legend_line(&it.glyph.to_string(), &it.title, &it.doc)));
        let mut lines = vec!["On the board now:".to_owned()];
        lines.extend(now.iter().map(|row| line(row)));
        lines.extend(["".into(), "Always:".into()].into_iter().chain(own));
        lines.extend(["".into(), "When o brings them out:".into()].into_iter().chain(overlays));
        lines.extend(["".into(), "What may come:".into()]);
        lines.extend(self.legend.iter().filter(|row| !now.contains(row)).map(line));
        lines
    }

    /// The squares of an overlay.
    pub(crate) fn shown(session: &Session, id: Name, unit: Option<EntityId>, place: Option<SpaceId>) -> Shown {
        let seat = session.table.open().map_or_else(|| seat_of(&session.table), |choice| choice.seat);
        picture::overlay(&session.table, seat, id, unit, place)
    }

    /// The same a line each, with what it means.
    pub(crate) fn look_closer(&self, space: SpaceId) -> Vec<String> {
        let Some(square) = self.board.squares.iter().find(|square| square.space == space) else { return Vec::new() };
        let mut lines = vec![square.called().to_owned()];
        for figure in &square.figures {
            lines.push(format!("  {}", told_figure(figure)));
        }
        lines.extend(square.about.iter().map(|row| {
            let note = if row.note.is_empty() { String::new() } else { format!(": {}", row.note) };
            format!("  {}{note}", row.title)
        }));
        lines
    }

    /// What stands on a square, and what it is, in words.
    pub(crate) fn look(&self, space: SpaceId) -> String {
        let Some(square) = self.board.squares.iter().find(|square| square.space == space) else {
            return String::new();
        };
        let mut parts: Vec<String> = square.figures.iter().map(told_figure).collect();
        parts.extend(square.about.iter().map(|row| row.title.clone()));
        let key = if square.title.is_empty() { String::new() } else { format!(" [{}]", square.name) };
        format!("{}{key}: {}", square.called(), parts.join(", "))
    }
}

/// A figure with its key, where it faces and what its states mean.
fn told_figure(figure: &Figure) -> String {
    let facing = figure.facing.map(|facing| format!("facing {}", in_words(facing)));
    let states: Vec<String> = facing.into_iter().chain(figure.notes.iter().cloned()).collect();
    let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join("; ")) };
    let key = if figure.key.is_empty() { String::new() } else { format!(" [{}]", figure.key) };
    format!("{}{key}{states}", figure.title)
}

/// A row of the legend as a line.
fn legend_line(mark: &str, title: &str, note: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!(": {note}") };
    format!("{mark:<3}  {title}{note}")
}

/// Rows as lines: what is to be done with whether it is, then the rest.
pub(super) fn task_lines(table: &Table, seat: Name) -> Vec<String> {
    let line = |row: PanelRow| {
        let sign = row.done.map_or("", |done| if done { "[x] " } else { "[ ] " });
        format!("{sign}{} {}", row.title, row.text)
    };
    picture::tasks(table, seat).into_iter().map(line).collect()
}

/// What a question tells of one of its candidates, a line each.
pub(super) fn told_of(table: &Table, choice: &Choice, candidate: &Candidate) -> Vec<String> {
    let rows = picture::told_of(table, choice, candidate);
    rows.into_iter().map(|row| format!("{}: {}", row.title, row.text)).collect()
}

/// A facing in words.
pub(crate) fn in_words(facing: Facing) -> &'static str {
    ["north", "east", "south", "west"][facing.index()]
}

pub(super) fn seat_of(table: &Table) -> Name {
    table.game().seats.first().copied().unwrap_or_default()
}

/// The phase that runs, by the innermost that has a text.
fn phase(table: &Table, world: &World) -> String {
    let game = table.game();
    let named = world.flow().iter().rev().find(|frame| game.texts.contains_key(&frame.phase));
    named.or_else(|| world.flow().last()).map_or_else(String::new, |frame| table.text(&frame.phase))
}

fn subject(table: &Table, choice: Option<&Choice>) -> Option<Subject> {
    let about = choice?.about.iter();
    let entity = about.filter_map(|(_, value)| if let Value::Entity(entity) = value { Some(*entity) } else { None });
    let entity = entity.into_iter().next()?;
    Some(Subject {
        entity,
        title: table.with_known_world(choice?.seat, |world| picture::title(table, world, entity)),
        square: picture::square_of(table, entity),
        rows: picture::panel(table, choice?.seat, entity),
    })
}

fn question(table: &Table, choice: &Choice) -> Question {
    let choosable = |number: usize, candidate: &Candidate| {
        let (label, square) = picture::label(table, choice, candidate);
        let cost = picture::cost_of(table, choice, candidate.id).filter(|cost| *cost > 0);
        Choosable {
            number,
            id: candidate.id.to_string(),
            label: cost.map_or_else(|| label.clone(), |cost| format!("{label} ({cost})")),
            square,
            facing: candidate.id.parse().ok(),
            is_square: matches!(candidate.value, Value::Space(_)),
            reasons: candidate.reasons.iter().map(|reason| table.text(reason)).collect(),
            told: told_of(table, choice, candidate),
            confirm: picture::confirm_of(table, choice, candidate),
        }
    };
    let numbers = picture::with_numbers(table, choice);
    let options = numbers.iter().filter(|(_, it)| it.reasons.is_empty());
    let options: Vec<Choosable> = options.map(|(number, it)| choosable(*number, it)).collect();
    let number_of = |id| numbers.iter().find(|(_, it)| it.id == id).map_or(0, |(number, _)| *number);
    let refused = choice.candidates.iter().filter(|candidate| !candidate.reasons.is_empty());
    let mut refused: Vec<Choosable> = refused.map(|it| choosable(number_of(it.id), it)).collect();
    refused.sort_by_key(|it| it.number);
    let about = choice.about.iter().skip_while(|(_, value)| matches!(value, Value::Entity(_)));
    let about = about.filter(|(_, value)| !matches!(value, Value::None | Value::Bool(_) | Value::Map(_)));
    let about = table.with_known_world(choice.seat, |world| {
        about
            // What has no words in content is of no concern to whoever answers.
            .filter_map(|(arg, value)| {
                let text = table.game().texts.get(&name(&format!("about_{arg}")))?;
                Some(text.replace("{}", &picture::said(table, world, value)))
            })
            .collect::<Vec<_>>()
    });
    Question { text: table.text(&choice.prompt), about: about.join(", "), options, refused, is_tie: choice.tie }
}

/// The offered action that is a step.
pub(super) fn walks(table: &Table, choice: &Choice) -> Option<Name> {
    let is_step = |id: &Name| table.game().actions.get(id).is_some_and(|it| it.walks && it.menu == choice.prompt);
    choice.options().map(|option| option.id).find(is_step)
}

/// The pages of help: what the game says, then how it is shown.
fn help(table: &Table, tasks: &[String]) -> Vec<(String, String)> {
    let game = table.game();
    let mission = table.settings().mission;
    let mut pages: Vec<_> = game.help.values().filter(|page| page.mission.is_none_or(|only| only == mission)).collect();
    pages.sort_by_key(|page| page.order);
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(mission) = game.missions.get(&name(&mission)).filter(|mission| !mission.briefing.is_empty()) {
        let tasks: String = tasks.iter().map(|line| format!("\n  {line}")).collect();
        found.push((mission.title.clone(), format!("{}\n{tasks}", mission.briefing)));
    }
    found.extend(pages.into_iter().map(|page| (page.title.clone(), page.text.clone())));
    found
}
