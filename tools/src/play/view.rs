//! The part of a board that is to be seen, with the names of its rows and columns.

use std::collections::BTreeSet;

use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use sandtable::base::SpaceId;

use super::{
    canvas::{Canvas, Ink, Marks, Scale, column_letter},
    model::{Model, Question},
    screen::{Pen, SMALLEST, Ui, body, of_name},
};

/// Columns for the names of rows.
pub(super) const MARGIN: u16 = 4;

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

    /// A letter of what is to be seen; a word that goes on beyond the edge ends or begins in `…`.
    fn ink(&self, column: usize, line: usize, columns: usize) -> Ink {
        let ink = |x: usize| self.canvas.ink(x, self.top + line);
        let is_word = |x: usize| self.canvas.is_words() && ink(x).letter.is_alphanumeric();
        let x = self.left + column;
        let goes_on = (column + 1 == columns && is_word(x + 1)) || (column == 0 && x > 0 && is_word(x - 1));
        if goes_on && is_word(x) { Ink { letter: '…', ..ink(x) } } else { ink(x) }
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
    let area = body(model, ui, Rect::new(0, 0, size.0.max(SMALLEST.0), size.1.max(SMALLEST.1)));
    let at = |pan| View::new(&Ui { pan, ..ui.clone() }, area, model);
    let (home, there) = (at((0, 0)), at(pan));
    if home.cut() == [0; 4] {
        return None;
    }
    let by = |from: usize, to: usize| i32::try_from(to).unwrap_or(0) - i32::try_from(from).unwrap_or(0);
    Some((by(home.left, there.left), by(home.top, there.top)))
}

/// What of the whole board is not to be seen, in words; none if all of it is.
pub(super) fn cut_off(ui: &Ui, model: &Model, area: Rect) -> Option<String> {
    let cut = View::new(ui, body(model, ui, area), model).cut();
    let signs = ["▲ {} lines", "▼ {} lines", "◀ {} columns", "▶ {} columns"];
    let told = signs.iter().zip(cut).filter(|(_, n)| *n > 0).map(|(text, n)| text.replace("{}", &n.to_string()));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("not seen: {} (the arrows scroll)", told.join(" · ")))
}

/// The board around the square that matters, with its rows and columns named; its width.
pub(super) fn board(pen: &mut Pen<'_>, area: Rect, model: &Model) -> u16 {
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
            let ink = view.ink(column, line, columns);
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
    // The names of the columns stand right below.
    let below = (area.y + u16::try_from(lines).unwrap_or(0)).min(area.bottom() - 1);
    for column in 0..columns {
        if let Some(name) = canvas.column_at(left + column) {
            pen.letter(x_of(column), below, column_letter(name), dim);
        }
    }
    if pen.ui.whole {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let last = area.y + u16::try_from(lines.saturating_sub(1)).unwrap_or(0);
        let ends =
            [(area.x + 3, area.y), (area.x + 3, last), (area.x + 2, below), (x_of(columns.saturating_sub(1)), below)];
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
