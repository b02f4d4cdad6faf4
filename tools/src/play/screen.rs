//! Drawing: a model and where the person at the keys is, as a frame. Nothing is changed here.

use std::collections::BTreeSet;

use ratatui::{
    Frame,
    buffer::Buffer,
    layout::Rect,
    style::{Color, Modifier, Style},
};
use sandtable::{
    base::{Name, SpaceId},
    table::picture::Shown,
};

use super::{
    canvas::{Canvas, Marks, Scale, column_letter, plain},
    model::{Model, Question},
    panel::{marks_beside, panel},
    text::broken,
};

/// The smallest terminal that is drawn on.
pub(crate) const SMALLEST: (u16, u16) = (80, 24);
/// The narrowest panel beside the board.
const PANEL: u16 = 34;
/// The narrowest room for what marks mean, beside the whole board.
const MARKS: u16 = 26;
/// Columns for the names of rows.
const MARGIN: u16 = 4;

/// Where the person at the keys is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ui {
    /// The number of the selected option, if one is.
    pub(crate) selected: Option<usize>,
    /// The square that is looked at.
    pub(crate) cursor: Option<SpaceId>,
    /// The square that was looked at last.
    pub(crate) last: Option<SpaceId>,
    /// Whether the keys move the cursor though no square is asked.
    pub(crate) looking: bool,
    /// Whether the whole board is shown.
    pub(crate) whole: bool,
    /// The overlay, and what it shows.
    pub(crate) overlay: Option<Name>,
    pub(crate) shown: Shown,
    /// What is being typed.
    pub(crate) input: Option<String>,
    /// What was said last.
    pub(crate) message: Option<String>,
    /// The option that is given once it is asked for again.
    pub(crate) confirm: Option<usize>,
    /// A page over the screen.
    pub(crate) page: Option<Page>,
    /// Whether colours are shown.
    pub(crate) colour: bool,
    /// Whether only ASCII is shown.
    pub(crate) ascii: bool,
}

/// Text over the screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// The first line that is shown.
    pub(crate) top: usize,
    /// Whether moving the selection explains the next candidate.
    pub(crate) explains: Option<usize>,
}

/// A pen that knows what the terminal can show.
pub(super) struct Pen<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) ui: &'a Ui,
}

impl Pen<'_> {
    pub(super) fn colour(&self, style: Style, colour: Option<&str>) -> Style {
        match colour.filter(|_| self.ui.colour) {
            Some(colour) => style.fg(of_name(colour)),
            None => style,
        }
    }

    /// Writes text, cut at the width; gives the column after it.
    pub(super) fn text(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let shown: String = if self.ui.ascii { text.chars().map(plain).collect() } else { text.into() };
        self.buffer.set_stringn(x, y, shown, usize::from(width), style).0
    }

    /// Writes text; what does not fit ends in `…`.
    pub(super) fn fitting(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let room = usize::from(width);
        if text.chars().count() <= room {
            return self.text(x, y, width, text, style);
        }
        let cut: String = text.chars().take(room.saturating_sub(1)).collect();
        self.text(x, y, width, &format!("{}…", cut.trim_end()), style)
    }

    pub(super) fn letter(&mut self, x: u16, y: u16, letter: char, style: Style) {
        let letter = if self.ui.ascii { plain(letter) } else { letter };
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.set_char(letter).set_style(style);
        }
    }

    pub(super) fn heading(&mut self, area: Rect, y: u16, text: &str) {
        let line = "─".repeat(usize::from(area.width));
        let dim = self.colour(Style::new(), Some("dark"));
        self.text(area.x, y, area.width, &line, dim);
        if !text.is_empty() {
            let bold = Style::new().add_modifier(Modifier::BOLD);
            self.text(area.x + 1, y, area.width.saturating_sub(2), &format!(" {text} "), bold);
        }
    }
}

fn of_name(colour: &str) -> Color {
    match colour {
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "grey" => Color::Gray,
        "dark" => Color::DarkGray,
        "bright_red" => Color::LightRed,
        "bright_green" => Color::LightGreen,
        "bright_yellow" => Color::LightYellow,
        "bright_blue" => Color::LightBlue,
        "bright_magenta" => Color::LightMagenta,
        "bright_cyan" => Color::LightCyan,
        _ => Color::White,
    }
}

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, model: &Model, ui: &Ui) {
    let area = frame.area();
    let mut pen = Pen { buffer: frame.buffer_mut(), ui };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(&mut pen, area);
    }
    header(&mut pen, area, model);
    footer(&mut pen, area, model);
    let body = Rect { y: area.y + 1, height: area.height - 3, ..area };
    let columns = u16::try_from(model.board.width).unwrap_or(0);
    if ui.whole {
        let width = board(&mut pen, body, model) + 2;
        if width + MARKS <= body.width {
            marks_beside(&mut pen, Rect { x: body.x + width, width: body.width - width, ..body }, model);
        }
    } else {
        let needed = MARGIN + 4 * columns + 1;
        let width = needed.min(area.width - PANEL - 1);
        board(&mut pen, Rect { width, ..body }, model);
        let side = Rect { x: body.x + width + 1, width: body.width - width - 1, ..body };
        panel(&mut pen, side, model);
    }
    if let Some(page) = &ui.page {
        over(&mut pen, body, page);
    }
}

fn too_small(pen: &mut Pen<'_>, area: Rect) {
    let lines = [
        format!("This terminal has {} columns and {} lines.", area.width, area.height),
        format!("{} x {} are needed: make it larger,", SMALLEST.0, SMALLEST.1),
        "or press q and play with --line.".into(),
    ];
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        pen.text(area.x, y, area.width, &line, Style::new());
    }
}

fn header(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let told: Vec<String> = model.table.iter().map(|row| format!("{} {}", row.title, row.text)).collect();
    let told = told.join(" · ");
    let left = format!(" {} ", model.mission);
    pen.text(area.x, area.y, area.width, &" ".repeat(usize::from(area.width)), style);
    let x = pen.text(area.x, area.y, area.width, &left, style.add_modifier(Modifier::BOLD));
    let rest = area.width.saturating_sub(x);
    let text = if model.phase.is_empty() { told } else { format!("{} · {told}", model.phase) };
    pen.fitting(x, area.y, rest, &format!("· {text}"), style);
}

fn footer(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let (y, width) = (area.bottom() - 2, area.width);
    let looked = pen.ui.cursor.map(|cursor| {
        let mut text = model.look(cursor);
        if let Some(by) = pen.ui.shown.get(&cursor).filter(|by| !by.is_empty()) {
            let names: Vec<String> = by.iter().filter_map(|it| called(model, *it)).collect();
            text.push_str(&format!(" · by {}", names.join(", ")));
        }
        text
    });
    let dim = pen.colour(Style::new(), Some("grey"));
    match (&pen.ui.message, looked) {
        (Some(message), _) => {
            let style = pen.colour(Style::new().add_modifier(Modifier::BOLD), Some("bright_yellow"));
            let message = message.clone();
            pen.fitting(area.x, y, width, &message, style);
        }
        (None, Some(looked)) => {
            pen.fitting(area.x, y, width, &looked, dim);
        }
        (None, None) if pen.ui.whole => {
            let marks: Vec<String> = model.marks_now().map(|row| format!("{} {}", row.mark, row.title)).collect();
            pen.fitting(area.x, y, width, &marks.join(" · "), dim);
        }
        (None, None) => {}
    }
    match &pen.ui.input {
        Some(input) => {
            let prompt = format!("> {input}");
            let end = pen.text(area.x, y + 1, width - 1, &prompt, Style::new().add_modifier(Modifier::BOLD));
            pen.letter(end, y + 1, ' ', Style::new().add_modifier(Modifier::REVERSED));
            let rest = area.right().saturating_sub(end + 3);
            pen.fitting(end + 3, y + 1, rest, "Enter sends it, Esc drops it", dim);
        }
        None => {
            let keys = keys_now(pen.ui, model, usize::from(width));
            pen.text(area.x, y + 1, width, &keys, dim);
        }
    }
}

/// Which keys do something now, the most needed first; as many as fit.
fn keys_now(ui: &Ui, model: &Model, width: usize) -> String {
    let keys: &[&str] = match &model.question {
        _ if ui.page.is_some() => &["Esc back", "↑↓ PgUp PgDn scroll", "←→ the next", ": type"],
        _ if ui.whole => &["h help", "q quit", "Esc back", "arrows look", ": type", "o overlay", "g marks"],
        None => &["h help", "q quit", "l what happened", "x look", "g marks", "u undo"],
        Some(question) => {
            let first = match (ui.looking, question.is_facing(), question.is_where()) {
                (true, ..) => "arrows look, Esc back",
                (_, true, _) => "arrows turn",
                (_, _, true) => "arrows Tab Enter",
                _ => "↑↓ Enter 1-9",
            };
            return joined(
                &[
                    "h help",
                    "q quit",
                    first,
                    if model.walks { "Shift+↑ walk" } else { "? why" },
                    if model.walks { "? why" } else { "" },
                    "u undo",
                    ": type",
                    "x look",
                    "m map",
                    "o overlay",
                    "g marks",
                    "l log",
                ],
                width,
            );
        }
    };
    joined(keys, width)
}

/// The first of some words that fit beside each other.
fn joined(words: &[&str], width: usize) -> String {
    let mut line = String::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let next = if line.is_empty() { (*word).to_owned() } else { format!("{line} · {word}") };
        if next.chars().count() > width {
            break;
        }
        line = next;
    }
    line
}

fn called(model: &Model, entity: sandtable::base::EntityId) -> Option<String> {
    let mut figures = model.board.squares.iter().flat_map(|square| &square.figures);
    figures.find(|figure| figure.entity == entity).map(|figure| figure.title.clone())
}

/// The board around the square that matters, with its rows and columns named; its width.
fn board(pen: &mut Pen<'_>, area: Rect, model: &Model) -> u16 {
    let subject = model.subject.as_ref();
    let overlay = pen.ui.overlay.and_then(|id| model.overlays.iter().find(|overlay| overlay.id == id));
    let marks = Marks {
        cursor: pen.ui.cursor,
        acting: subject.map(|subject| subject.entity),
        legal: model.question.as_ref().map_or_else(BTreeSet::new, Question::squares),
        shown: pen.ui.shown.keys().copied().collect(),
        glyph: overlay.map_or(':', |overlay| overlay.glyph),
        colour: overlay.map(|overlay| overlay.colour.unwrap_or_else(|| sandtable::base::name("magenta"))),
    };
    let room = (usize::from(area.width.saturating_sub(MARGIN)), usize::from(area.height.saturating_sub(1)));
    let mut canvas = Canvas::new(&model.board, Scale::Full, &marks);
    if pen.ui.whole && (canvas.width() > room.0 || canvas.height() > room.1) {
        canvas = Canvas::new(&model.board, Scale::Small, &marks);
    }
    let first = || model.question.as_ref()?.options.iter().find_map(|option| option.square);
    let focus = pen.ui.cursor.or_else(|| subject.and_then(|subject| subject.square)).or_else(first);
    let focus = focus.or(pen.ui.last).or_else(|| middle(model));
    let at = focus.and_then(|focus| model.board.squares.iter().find(|square| square.space == focus));
    let (x, y) = at.map_or((0, 0), |square| canvas.middle(square.at));
    let left = scrolled(x, canvas.width(), room.0);
    let top = scrolled(y, canvas.height(), room.1);
    let dim = pen.colour(Style::new(), Some("dark"));
    for line in 0..room.1.min(canvas.height() - top) {
        let y = area.y + u16::try_from(line).unwrap_or(0);
        if let Some(row) = canvas.row_at(top + line) {
            pen.text(area.x, y, 3, &format!("{row:>3}"), dim);
        }
        for column in 0..room.0.min(canvas.width() - left) {
            let ink = canvas.ink(left + column, top + line);
            let mut style = pen.colour(Style::new(), ink.colour.as_deref());
            if ink.bold {
                style = style.add_modifier(Modifier::BOLD);
            }
            if ink.turned {
                style = style.add_modifier(Modifier::REVERSED);
            }
            if let Some(behind) = ink.behind.filter(|_| pen.ui.colour) {
                style = style.bg(of_name(&behind));
            }
            pen.letter(area.x + MARGIN + u16::try_from(column).unwrap_or(0), y, ink.letter, style);
        }
    }
    for column in 0..room.0.min(canvas.width() - left) {
        if let Some(name) = canvas.column_at(left + column) {
            let x = area.x + MARGIN + u16::try_from(column).unwrap_or(0);
            pen.letter(x, area.bottom() - 1, column_letter(name), dim);
        }
    }
    MARGIN + u16::try_from(room.0.min(canvas.width())).unwrap_or(0)
}

/// A square near the middle, for when nobody acts.
fn middle(model: &Model) -> Option<SpaceId> {
    let squares = &model.board.squares;
    squares.get(squares.len() / 2).map(|square| square.space)
}

/// The first letter that is shown, so that `at` is in the middle as far as the board reaches.
pub(super) fn scrolled(at: usize, all: usize, room: usize) -> usize {
    at.saturating_sub(room / 2).min(all.saturating_sub(room))
}

/// A page over the board and the panel.
fn over(pen: &mut Pen<'_>, area: Rect, page: &Page) {
    let blank = " ".repeat(usize::from(area.width));
    for y in area.y..area.bottom() {
        pen.buffer.set_stringn(area.x, y, &blank, usize::from(area.width), Style::reset());
    }
    pen.heading(area, area.y, &page.title);
    let inner = Rect { x: area.x + 2, width: area.width - 4, y: area.y + 1, height: area.height - 2 };
    let lines = page_lines(page, inner.width);
    let room = usize::from(inner.height);
    let top = page.top.min(lines.len().saturating_sub(room));
    let more = lines.len().saturating_sub(top + room);
    for (y, line) in (inner.y..inner.bottom()).zip(lines.iter().skip(top)) {
        pen.text(inner.x, y, inner.width, line, Style::new());
    }
    pen.heading(area, area.bottom() - 1, &if more > 0 { format!("{more} more lines") } else { String::new() });
}

/// The lines of a page as they fit.
fn page_lines(page: &Page, width: u16) -> Vec<String> {
    page.lines.iter().flat_map(|line| broken(line, usize::from(width), false)).collect()
}

/// How far a page can be scrolled.
pub(crate) fn page_end(page: &Page, size: (u16, u16)) -> usize {
    let room = usize::from(size.1.saturating_sub(5));
    page_lines(page, size.0.saturating_sub(4)).len().saturating_sub(room)
}
