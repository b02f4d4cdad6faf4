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
    /// Whether that is the number of an option.
    pub(crate) is_number: bool,
    /// How far the whole board is scrolled from where it would begin: letters to the right and down.
    pub(crate) pan: (i32, i32),
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
    let body = body(model, area);
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

/// What lies between the header and the footer.
fn body(model: &Model, area: Rect) -> Rect {
    let top = u16::try_from(header_lines(model, area.width).len()).unwrap_or(1);
    Rect { y: area.y + top, height: area.height - 2 - top, ..area }
}

/// The lines of the header, at most two, without what stands for itself: when room is scarce the mission
/// goes first, then the phase. What is told of the table is never cut in the middle while a line is left.
fn header_lines(model: &Model, width: u16) -> Vec<String> {
    let told: Vec<String> = model.table.iter().map(|row| format!("{} {}", row.title, row.text)).collect();
    let lead = [vec![model.mission.clone(), model.phase.clone()], vec![model.phase.clone()], Vec::new()];
    let room = usize::from(width.saturating_sub(2));
    let all = |lead: &Vec<String>| -> Vec<String> {
        lead.iter().filter(|text| !text.is_empty()).chain(&told).cloned().collect()
    };
    let on_one = lead.iter().map(|lead| all(lead).join(" · ")).find(|line| line.chars().count() <= room);
    if let Some(line) = on_one {
        return vec![line];
    }
    let mut lines = vec![String::new()];
    for part in all(&lead[1]) {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 3 + part.chars().count() > room && lines.len() < 2 {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { "" } else { " · " });
            line.push_str(&part);
        }
    }
    lines
}

fn header(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    for (y, line) in (area.y..).zip(header_lines(model, area.width)) {
        pen.text(area.x, y, area.width, &" ".repeat(usize::from(area.width)), style);
        let lead = model.mission.as_str();
        pen.fitting(area.x + 1, y, area.width - 1, &line, style);
        if !lead.is_empty() && line.starts_with(lead) {
            pen.text(area.x + 1, y, area.width - 1, lead, style.add_modifier(Modifier::BOLD));
        }
    }
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
    let cut = if pen.ui.whole && !pen.ui.looking { cut_off(pen.ui, model, area) } else { None };
    match (&pen.ui.message, looked) {
        (Some(message), _) => {
            let style = pen.colour(Style::new().add_modifier(Modifier::BOLD), Some("bright_yellow"));
            let message = message.clone();
            pen.fitting(area.x, y, width, &message, style);
        }
        (None, _) if cut.is_some() => {
            pen.fitting(area.x, y, width, &cut.unwrap_or_default(), dim);
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
            let help = if pen.ui.is_number { "another digit, or Enter sends it" } else { "Enter sends it" };
            pen.fitting(end + 3, y + 1, rest, &format!("{help}, Esc drops it"), dim);
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
        _ if ui.whole && !ui.looking => {
            &["h help", "q quit", "Esc back", "arrows move", "x look", ": type", "o overlay", "g marks"]
        }
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

/// A board in letters, and which part of it is to be seen.
struct View {
    canvas: Canvas,
    left: usize,
    top: usize,
    room: (usize, usize),
}

impl View {
    fn new(ui: &Ui, area: Rect, model: &Model) -> Self {
        let subject = model.subject.as_ref();
        let overlay = ui.overlay.and_then(|id| model.overlays.iter().find(|overlay| overlay.id == id));
        let marks = Marks {
            cursor: ui.cursor,
            acting: subject.map(|subject| subject.entity),
            legal: model.question.as_ref().map_or_else(BTreeSet::new, Question::squares),
            shown: ui.shown.keys().copied().collect(),
            glyph: overlay.map_or(':', |overlay| overlay.glyph),
            colour: overlay.map(|overlay| overlay.colour.unwrap_or_else(|| sandtable::base::name("magenta"))),
        };
        let room = (usize::from(area.width.saturating_sub(MARGIN)), usize::from(area.height.saturating_sub(1)));
        let mut canvas = Canvas::new(&model.board, Scale::Full, &marks);
        if ui.whole && (canvas.width() > room.0 || canvas.height() > room.1) {
            canvas = Canvas::new(&model.board, Scale::Small, &marks);
        }
        let first = || model.question.as_ref()?.options.iter().find_map(|option| option.square);
        let focus = ui.cursor.or_else(|| subject.and_then(|subject| subject.square)).or_else(first);
        let focus = focus.or(ui.last).or_else(|| middle(model));
        let at = focus.and_then(|focus| model.board.squares.iter().find(|square| square.space == focus));
        let (x, y) = at.map_or((0, 0), |square| canvas.middle(square.at));
        let pan = if ui.whole { ui.pan } else { (0, 0) };
        let left = moved(scrolled(x, canvas.width(), room.0), pan.0, canvas.width(), room.0);
        let top = moved(scrolled(y, canvas.height(), room.1), pan.1, canvas.height(), room.1);
        Self { canvas, left, top, room }
    }

    /// How much is cut off: above, below, to the left, to the right.
    fn cut(&self) -> [usize; 4] {
        let beyond = |all: usize, from: usize, room: usize| all.saturating_sub(from + room);
        let (canvas, room) = (&self.canvas, self.room);
        [self.top, beyond(canvas.height(), self.top, room.1), self.left, beyond(canvas.width(), self.left, room.0)]
    }
}

/// A first letter further on, as far as the board reaches.
fn moved(at: usize, by: i32, all: usize, room: usize) -> usize {
    let most = i64::try_from(all.saturating_sub(room)).unwrap_or(0);
    let to = (i64::try_from(at).unwrap_or(0) + i64::from(by)).clamp(0, most);
    usize::try_from(to).unwrap_or(0)
}

/// A scroll of the whole board without what leads beyond it; none if all of the board is there.
pub(crate) fn panned(model: &Model, ui: &Ui, size: (u16, u16), pan: (i32, i32)) -> Option<(i32, i32)> {
    let area = body(model, Rect::new(0, 0, size.0.max(SMALLEST.0), size.1.max(SMALLEST.1)));
    let at = |pan| View::new(&Ui { pan, ..ui.clone() }, area, model);
    let (home, there) = (at((0, 0)), at(pan));
    if home.cut() == [0; 4] {
        return None;
    }
    let by = |from: usize, to: usize| i32::try_from(to).unwrap_or(0) - i32::try_from(from).unwrap_or(0);
    Some((by(home.left, there.left), by(home.top, there.top)))
}

/// What of the whole board is not to be seen, in words; none if all of it is.
fn cut_off(ui: &Ui, model: &Model, area: Rect) -> Option<String> {
    let cut = View::new(ui, body(model, area), model).cut();
    let signs = ["▲ {} lines", "▼ {} lines", "◀ {} columns", "▶ {} columns"];
    let told = signs.iter().zip(cut).filter(|(_, n)| *n > 0).map(|(text, n)| text.replace("{}", &n.to_string()));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("not seen: {} (the arrows scroll)", told.join(" · ")))
}

/// The board around the square that matters, with its rows and columns named; its width.
fn board(pen: &mut Pen<'_>, area: Rect, model: &Model) -> u16 {
    let view = View::new(pen.ui, area, model);
    let View { canvas, left, top, room } = &view;
    let dim = pen.colour(Style::new(), Some("dark"));
    let (columns, lines) = (room.0.min(canvas.width() - left), room.1.min(canvas.height() - top));
    let x_of = |column: usize| area.x + MARGIN + u16::try_from(column).unwrap_or(0);
    for line in 0..lines {
        let y = area.y + u16::try_from(line).unwrap_or(0);
        if let Some(row) = canvas.row_at(top + line) {
            pen.text(area.x, y, 3, &format!("{row:>3}"), dim);
        }
        for column in 0..columns {
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
            pen.letter(x_of(column), y, ink.letter, style);
        }
    }
    for column in 0..columns {
        if let Some(name) = canvas.column_at(left + column) {
            pen.letter(x_of(column), area.bottom() - 1, column_letter(name), dim);
        }
    }
    if pen.ui.whole {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let last = area.y + u16::try_from(lines.saturating_sub(1)).unwrap_or(0);
        let ends = [
            (area.x + 3, area.y),
            (area.x + 3, last),
            (area.x + 2, area.bottom() - 1),
            (x_of(columns.saturating_sub(1)), area.bottom() - 1),
        ];
        for ((cut, sign), (x, y)) in view.cut().into_iter().zip(['▲', '▼', '◀', '▶']).zip(ends) {
            if cut > 0 {
                pen.letter(x, y, sign, bold);
            }
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
pub(crate) fn page_end(page: &Page, model: &Model, size: (u16, u16)) -> usize {
    let lines = header_lines(model, size.0).len();
    let room = usize::from(size.1.saturating_sub(4)).saturating_sub(lines);
    page_lines(page, size.0.saturating_sub(4)).len().saturating_sub(room)
}
