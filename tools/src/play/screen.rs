//! Drawing: a model and where the person at the keys is, as a frame. Nothing is changed here.

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
    canvas::plain,
    model::Model,
    panel::{marks_beside, panel},
    text::broken,
    view::{MARGIN, board, cut_off},
};

/// The smallest terminal that is drawn on.
pub(crate) const SMALLEST: (u16, u16) = (80, 24);
/// The narrowest panel beside the board.
const PANEL: u16 = 34;
/// The narrowest room for what marks mean, beside the whole board.
const MARKS: u16 = 26;
/// So many lines has what is said at most.
const MESSAGE: usize = 6;

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

pub(super) fn of_name(colour: &str) -> Color {
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
    let body = body(model, ui, area);
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
pub(super) fn body(model: &Model, ui: &Ui, area: Rect) -> Rect {
    let lines = header_lines(model, area.width).len();
    let top = u16::try_from(lines).unwrap_or(1);
    Rect { y: area.y + top, height: area.height - 1 - message_height(ui, area.width) - top, ..area }
}

/// The lines of what was said last, as it fits; never more than a few.
fn message_lines(ui: &Ui, width: u16) -> Vec<String> {
    let Some(message) = &ui.message else { return Vec::new() };
    let mut lines = broken(message, usize::from(width), false);
    if lines.len() > MESSAGE {
        lines.truncate(MESSAGE);
        lines.iter_mut().skip(MESSAGE - 1).for_each(|line| line.push_str(" …"));
    }
    lines
}

fn message_height(ui: &Ui, width: u16) -> u16 {
    u16::try_from(message_lines(ui, width).len()).unwrap_or(1).max(1)
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
    let said = message_lines(pen.ui, width);
    let style = pen.colour(Style::new().add_modifier(Modifier::BOLD), Some("bright_yellow"));
    for (y, line) in (y + 1 - message_height(pen.ui, width)..).zip(&said) {
        pen.fitting(area.x, y, width, line, style);
    }
    match looked {
        _ if !said.is_empty() => {}
        _ if cut.is_some() => {
            pen.fitting(area.x, y, width, &cut.unwrap_or_default(), dim);
        }
        Some(looked) => {
            pen.fitting(area.x, y, width, &looked, dim);
        }
        None if pen.ui.whole => {
            let marks: Vec<String> = model.marks_now().map(|row| format!("{} {}", row.mark, row.title)).collect();
            pen.fitting(area.x, y, width, &marks.join(" · "), dim);
        }
        None => {}
    }
    match &pen.ui.input {
        Some(input) => {
            let (sign, help) = if pen.ui.is_number {
                ("…", awaited(model, input))
            } else {
                ("", "Enter sends it, Esc drops it".to_owned())
            };
            let prompt = format!("> {input}{sign}");
            let end = pen.text(area.x, y + 1, width - 1, &prompt, Style::new().add_modifier(Modifier::BOLD));
            pen.letter(end, y + 1, ' ', Style::new().add_modifier(Modifier::REVERSED));
            pen.fitting(end + 2, y + 1, area.right().saturating_sub(end + 2), &help, dim);
        }
        None => {
            let keys = keys_now(pen.ui, model, usize::from(width));
            pen.text(area.x, y + 1, width, &keys, dim);
        }
    }
}

/// What digits wait for: Enter, if they are a number themselves, or the numbers that begin with them.
fn awaited(model: &Model, digits: &str) -> String {
    let options = || model.question.iter().flat_map(|question| &question.options);
    let mut told: Vec<String> = options()
        .filter(|option| option.number.to_string() == digits)
        .map(|option| format!("Enter: {digits} {}", option.label))
        .collect();
    let longer: Vec<String> = options()
        .map(|option| option.number.to_string())
        .filter(|number| number.len() > digits.len() && number.starts_with(digits))
        .collect();
    if longer.is_empty() {
        told.push("or another digit".into());
    } else {
        told.push(format!("another digit: {}", longer.join(", ")));
    }
    told.push("Esc drops it".into());
    told.join(" · ")
}

/// Which keys do something now, the most needed first; as many as fit.
fn keys_now(ui: &Ui, model: &Model, width: usize) -> String {
    let keys: &[&str] = match &model.question {
        _ if ui.page.is_some() => &["Esc back", "↑↓ PgUp PgDn scroll", "←→ the next", ": type"],
        _ if ui.whole && !ui.looking => {
            &["h help", "q quit", "Esc back", "arrows move", "x look", ": type", "o overlay", "g marks"]
        }
        _ if ui.whole => {
            &["h help", "q quit", "Esc back", "arrows look", "Enter more", ": type", "o overlay", "g marks"]
        }
        None if model.can_undo => &["h help", "q quit", "l what happened", "x look", "g marks", "u undo"],
        None => &["h help", "q quit", "l what happened", "x look", "g marks"],
        Some(question) => {
            let first = match (ui.looking, question.is_facing(), question.is_where()) {
                (true, ..) => "arrows look, Enter more, Esc back",
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
                    if model.can_undo { "u undo" } else { "" },
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
pub(crate) fn page_end(page: &Page, model: &Model, ui: &Ui, size: (u16, u16)) -> usize {
    let area = body(model, ui, Rect::new(0, 0, size.0.max(SMALLEST.0), size.1.max(SMALLEST.1)));
    let room = usize::from(area.height.saturating_sub(2));
    page_lines(page, size.0.saturating_sub(4)).len().saturating_sub(room)
}
