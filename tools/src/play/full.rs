//! The full-screen mode: a terminal, its events, and what commands do to a session and to the view.

use std::{
    io::{self, IsTerminal as _},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use ratatui::{
    backend::Backend,
    crossterm::event::{self, Event, KeyEventKind},
};
use sandtable::{base::SpaceId, board::Facing};

use super::{
    canvas::step,
    input::is_gone,
    keys::{Command, command},
    model::{Model, Question, walks},
    panel::told_lines,
    screen::{self, Ui},
    session::Session,
    view,
};

/// Set when the program is asked to end from outside.
pub(super) static ASKED_TO_END: AtomicBool = AtomicBool::new(false);
/// How long the terminal is waited for before the log is looked after.
const WAIT: Duration = Duration::from_millis(250);

/// A session with what is on the screen.
pub(crate) struct Screen {
    pub(crate) session: Session,
    pub(crate) model: Model,
    pub(crate) ui: Ui,
    is_done: bool,
}

/// Whether there is a terminal for it on both sides.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && std::env::var("TERM").is_ok_and(|term| term != "dumb")
}

/// Plays on a terminal until the end or until somebody has enough.
pub(super) fn play(session: Session) -> io::Result<Session> {
    let mut terminal = ratatui::try_init()?;
    let played = on_terminal(&mut terminal, session);
    // A terminal that is gone needs nothing, and cannot even be told that it was not put in order.
    let _ = ratatui::try_restore();
    if is_gone(Duration::ZERO) {
        std::mem::forget(terminal);
    }
    played
}

fn on_terminal(terminal: &mut ratatui::DefaultTerminal, session: Session) -> io::Result<Session> {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|key| std::env::var(key).ok().filter(|it| !it.is_empty()));
    let ascii = !locale.unwrap_or_default().to_ascii_lowercase().replace('-', "").contains("utf8");
    let mut screen = Screen::new(session, colour, ascii);
    if screen.session.is_fresh() {
        screen.welcome();
    }
    while !screen.is_done && screen.session.table.awaited().is_none() && !ASKED_TO_END.load(Ordering::Relaxed) {
        match terminal.draw(|frame| screen::draw(frame, &screen.model, &screen.ui)) {
            Err(_) if is_gone(Duration::ZERO) => break,
            drawn => drawn?,
        };
        // Of a terminal that is gone nothing may be read: the library would wait in a circle.
        if is_gone(Duration::ZERO) {
            break;
        }
        // What was not synced for a second is, while nobody presses a key.
        while !ASKED_TO_END.load(Ordering::Relaxed) && !event::poll(Duration::ZERO)? {
            if is_gone(WAIT) {
                return Ok(screen.session);
            }
            if screen.session.journal.time_to_sync().is_some_and(|left| left.is_zero()) {
                screen.session.journal.sync().map_err(|fault| io::Error::other(fault.to_string()))?;
            }
        }
        if ASKED_TO_END.load(Ordering::Relaxed) {
            break;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                let size = terminal.backend().size()?;
                screen.press(key, (size.width, size.height))?;
            }
            Event::Resize(..) => terminal.autoresize()?,
            _ => {}
        }
    }
    Ok(screen.session)
}

impl Screen {
    /// A view of a session.
    pub(crate) fn new(session: Session, colour: bool, ascii: bool) -> Self {
        let model = Model::new(&session);
        let ui = Ui { colour, ascii, ..Ui::default() };
        let mut screen = Self { session, model, ui, is_done: false };
        screen.ui.message.clone_from(&screen.session.notice);
        screen.ui.selected = screen.only();
        screen.home();
        screen
    }

    /// A key is pressed on a terminal of so many columns and lines.
    pub(crate) fn press(&mut self, key: event::KeyEvent, size: (u16, u16)) -> io::Result<()> {
        let command = command(key, &self.model, &self.ui);
        if command != Command::Nothing {
            self.ui.message = None;
        }
        self.ui.confirm = None;
        self.carry_out(command, size)
    }

    fn carry_out(&mut self, command: Command, size: (u16, u16)) -> io::Result<()> {
        match command {
            Command::Nothing => {}
            Command::Option(n) => self.option(n)?,
            Command::Confirmed(n) => self.give(n)?,
            Command::Declined => self.say("nothing has been done"),
            Command::Here => self.here()?,
            Command::Walk(facing) => self.walk(facing)?,
            Command::Typed(text) => self.typed(text.trim(), size)?,
            Command::Input(input) => (self.ui.input, self.ui.is_number) = (input, false),
            Command::Number(digits) => (self.ui.input, self.ui.is_number) = (Some(digits), true),
            Command::Select(by) => self.select(by),
            Command::Leap(by) => self.leap(by),
            Command::Cursor(facing) if self.ui.whole && !self.ui.looking => self.pan(facing, size),
            Command::Cursor(facing) => self.move_cursor(facing),
            Command::Next(forward) => self.next_square(forward),
            Command::Look(on) => self.look(on),
            Command::Leave => self.leave(),
            Command::Unselected => self.say("up or down selects an answer, Enter gives it"),
            Command::NoKey(text) => self.say(&text),
            Command::LookCloser => {
                if let Some(cursor) = self.ui.cursor {
                    let lines = self.model.look_closer(cursor);
                    self.open("Here", lines);
                }
            }
            Command::NoNumber => self.say("arrows and Enter choose a square, or : and its name"),
            Command::Map => (self.ui.whole, self.ui.pan) = (!self.ui.whole, (0, 0)),
            Command::Overlay => self.next_overlay(),
            Command::Why => self.why(),
            Command::Log => self.log(size)?,
            Command::Help => self.help(0),
            Command::Legend => self.marks(),
            Command::Scroll(by) => self.scroll(by, size),
            Command::Turn(by) => self.turn(by),
            Command::Close => self.ui.page = None,
            Command::Undo => {
                let done = self.session.undo();
                self.changed(done)?;
            }
            Command::Save => self.save(),
            Command::Ties => {
                let said = self.session.switch_ties();
                self.changed(Ok(()))?;
                self.say(said);
            }
            Command::Quit => self.is_done = true,
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.ui.message = Some(text.into());
    }

    /// An option is answered, or asked about if it is grave.
    fn option(&mut self, n: usize) -> io::Result<()> {
        if !self.is_grave(n) {
            return self.give(n);
        }
        let question = self.model.question.as_ref();
        let option = question.and_then(|it| it.options.get(n));
        let text = option.and_then(|it| it.confirm.clone()).unwrap_or_default();
        let label = option.map_or("", |option| option.label.as_str());
        let said = format!("{label}: {text} (Enter or y: yes; else no)");
        (self.ui.confirm, self.ui.input) = (Some(n), None);
        self.say(&said);
        Ok(())
    }

    fn give(&mut self, n: usize) -> io::Result<()> {
        self.ui.input = None;
        let id = self.model.question.as_ref().and_then(|it| it.options.get(n)).map(|option| option.id.clone());
        let Some(id) = id else { return Ok(()) };
        let done = self.session.answer(&id);
        self.changed(done)
    }

    /// The square under the cursor is answered, or it is said why not.
    fn here(&mut self) -> io::Result<()> {
        let question = self.model.question.as_ref();
        match question.and_then(|question| self.ui.cursor.and_then(|cursor| question.at(cursor))) {
            Some(n) => self.option(n),
            None if self.is_explained() => {
                self.why();
                Ok(())
            }
            None => {
                let name = self.under_cursor();
                self.say(&format!("{name} cannot be chosen: the squares with + can; ? says by which rule"));
                Ok(())
            }
        }
    }

    /// Whether it is known why the square under the cursor is refused.
    fn is_explained(&self) -> bool {
        let refused = self.model.question.iter().flat_map(|question| &question.refused);
        self.ui.cursor.is_some_and(|cursor| refused.into_iter().any(|it| it.square == Some(cursor)))
    }

    fn move_cursor(&mut self, facing: Facing) {
        let from = self.ui.cursor.or_else(|| self.centre());
        if let Some(next) = from.and_then(|from| self.beside(from, step(facing))) {
            self.look_at(Some(next));
            self.ui.pan = (0, 0);
        }
    }

    fn look(&mut self, on: bool) {
        self.ui.looking = on;
        if on {
            self.look_at(self.ui.cursor.or_else(|| self.centre()));
        } else {
            self.home();
        }
    }

    fn leave(&mut self) {
        if !self.ui.looking && !self.ui.whole && self.model.can_undo {
            self.say("there is no page to leave; u takes back the last answer");
        }
        (self.ui.looking, self.ui.whole, self.ui.page) = (false, false, None);
        self.home();
    }

    /// What happened, from its end.
    fn log(&mut self, size: (u16, u16)) -> io::Result<()> {
        let width = usize::from(size.0.saturating_sub(4));
        let lines = told_lines(&self.model.told, width).into_iter().map(|line| line.text).collect();
        self.open("What happened", lines);
        self.carry_out(Command::Scroll(i32::MAX), size)
    }

    fn save(&mut self) {
        let saved = self.session.journal.sync();
        let path = self.session.journal.path().display();
        self.ui.message = Some(saved.map_or_else(|fault| format!("not saved: {fault}"), |()| format!("saved: {path}")));
    }

    /// Whether an option is given only after asking once more.
    fn is_grave(&self, n: usize) -> bool {
        let question = self.model.question.as_ref();
        question.and_then(|question| question.options.get(n)).is_some_and(|option| option.confirm.is_some())
    }

    /// The action that walks, and the square that way; where a square is asked, that alone.
    fn walk(&mut self, facing: Facing) -> io::Result<()> {
        let table = &self.session.table;
        let (Some(choice), Some(question)) = (table.open(), &self.model.question) else { return Ok(()) };
        let from = self.model.subject.as_ref().and_then(|subject| subject.square);
        let to = from.and_then(|from| self.beside(from, step(facing)));
        let name = to.map(|to| table.instance().setting.board.name(to));
        let action = walks(table, &choice);
        let done = match (action, name) {
            (_, Some(name)) if question.is_where() => self.session.answer(name.as_str()),
            (Some(action), Some(name)) => self.session.answer(action.as_str()).and_then(|()| {
                let stepped = self.session.answer(name.as_str());
                if stepped.is_err() { self.session.undo().and(stepped) } else { stepped }
            }),
            _ => {
                self.ui.message = Some("nothing walks that way now".into());
                return Ok(());
            }
        };
        self.changed(done)
    }

    /// What was typed: a command, or answers.
    fn typed(&mut self, text: &str, size: (u16, u16)) -> io::Result<()> {
        self.ui.input = None;
        if let Some(about) = text.strip_prefix('?').map(str::trim).filter(|about| !about.is_empty()) {
            let lines = self.session.explain(about);
            self.open("Why", lines);
            return Ok(());
        }
        let command = match text {
            "" => Command::Nothing,
            "?" => Command::Why,
            "undo" => Command::Undo,
            "save" => Command::Save,
            "ties" => Command::Ties,
            "quit" => Command::Quit,
            "help" => Command::Help,
            "log" => Command::Log,
            "board" | "map" => Command::Map,
            "legend" => Command::Legend,
            _ => {
                let id = self.session.single(text);
                let options = self.model.question.iter().flat_map(|question| &question.options);
                let grave = options.enumerate().find(|(_, it)| it.confirm.is_some() && Some(&it.id) == id.as_ref());
                if let Some(n) = grave.map(|(n, _)| n) {
                    return self.carry_out(Command::Option(n), size);
                }
                let done = self.session.answer_words(text);
                return self.changed(done);
            }
        };
        self.carry_out(command, size)
    }

    /// Something may have changed: the log is written before it is shown.
    fn changed(&mut self, done: Result<(), String>) -> io::Result<()> {
        self.session.write().map_err(|fault| io::Error::other(fault.to_string()))?;
        self.ui.message = done.err();
        self.model = Model::new(&self.session);
        self.ui.looking = false;
        self.ui.selected = self.only();
        self.ui.page = None;
        self.home();
        Ok(())
    }

    /// The cursor is where the question needs it; nowhere if it needs none.
    fn home(&mut self) {
        let is_where = self.model.question.as_ref().is_some_and(Question::is_where);
        let start = self.model.subject.as_ref().and_then(|subject| subject.square);
        let first = || self.model.question.as_ref()?.options.iter().find_map(|option| option.square);
        let place = self.model.place.filter(|_| self.model.subject.is_none());
        let cursor = if is_where { start.or_else(first) } else { self.selected_square().or(place) };
        self.look_at(cursor);
    }

    /// The answer that is selected by itself: the only one.
    fn only(&self) -> Option<usize> {
        self.model.question.as_ref().filter(|question| question.options.len() == 1).map(|_| 0)
    }

    fn selected_square(&self) -> Option<SpaceId> {
        self.model.question.as_ref()?.options.get(self.ui.selected?)?.square
    }

    fn centre(&self) -> Option<SpaceId> {
        let start = self.model.subject.as_ref().and_then(|subject| subject.square);
        let first = || self.model.question.as_ref()?.options.iter().find_map(|option| option.square);
        let known = start.or_else(first).or(self.ui.last);
        known.or_else(|| self.model.board.squares.get(self.model.board.squares.len() / 2).map(|square| square.space))
    }

    /// The whole board is scrolled, as far as it reaches; if all of it is there, the cursor moves instead.
    fn pan(&mut self, facing: Facing, size: (u16, u16)) {
        let (columns, rows) = step(facing);
        let pan = (self.ui.pan.0 + 12 * columns, self.ui.pan.1 - 5 * rows);
        match view::panned(&self.model, &self.ui, size, pan) {
            Some(pan) => self.ui.pan = pan,
            None => {
                let from = self.ui.cursor.or_else(|| self.centre());
                let next = from.and_then(|from| self.beside(from, (columns, rows)));
                self.look_at(next.or(from));
            }
        }
    }

    /// The square beside another; beyond a gap the next one that way. Of points the nearest that way.
    fn beside(&self, from: SpaceId, (columns, rows): (i32, i32)) -> Option<SpaceId> {
        let squares = &self.model.board.squares;
        let at = squares.iter().find(|square| square.space == from)?.at;
        if self.model.board.routes.is_some() {
            // A letter is about twice as high as it is wide.
            let away = |to: (i32, i32)| (to.0 - at.0, 2 * (to.1 - at.1));
            let along = |(x, y): (i32, i32)| x * columns + y * rows;
            let aside = |(x, y): (i32, i32)| (x * rows).abs() + (y * columns).abs();
            let there = squares.iter().filter(|square| along(away(square.at)) > aside(away(square.at)) / 2);
            let nearest = there.min_by_key(|square| along(away(square.at)) + 2 * aside(away(square.at)));
            return nearest.map(|square| square.space);
        }
        let far = self.model.board.width.max(self.model.board.height);
        (1..=far).find_map(|n| {
            let there = (at.0 + n * columns, at.1 + n * rows);
            squares.iter().find(|square| square.at == there).map(|square| square.space)
        })
    }

    fn look_at(&mut self, cursor: Option<SpaceId>) {
        self.ui.cursor = cursor;
        self.ui.last = cursor.or(self.ui.last);
        self.show_overlay();
    }

    fn show_overlay(&mut self) {
        let unit = self.model.subject.as_ref().map(|subject| subject.entity);
        let place = self.ui.cursor.or_else(|| self.centre());
        self.ui.shown =
            self.ui.overlay.map_or_else(Default::default, |id| Model::shown(&self.session, id, unit, place));
    }

    fn select(&mut self, by: i32) {
        let n = self.model.question.as_ref().map_or(0, |question| question.options.len());
        if n == 0 {
            return;
        }
        let n = i64::try_from(n).unwrap_or(1);
        let before = if by > 0 { -1 } else { 0 };
        let now = self.ui.selected.and_then(|now| i64::try_from(now).ok()).unwrap_or(before) + i64::from(by);
        self.ui.selected = usize::try_from(now.rem_euclid(n)).ok();
        self.look_at(self.selected_square());
    }

    /// So many answers on, as far as there are any.
    fn leap(&mut self, by: i32) {
        let n = self.model.question.as_ref().map_or(0, |question| question.options.len());
        let last = i64::try_from(n.saturating_sub(1)).unwrap_or(0);
        let now = self.ui.selected.and_then(|now| i64::try_from(now).ok()).unwrap_or(0) + i64::from(by);
        self.ui.selected = usize::try_from(now.clamp(0, last)).ok().filter(|_| n > 0);
        self.look_at(self.selected_square());
    }

    fn next_square(&mut self, forward: bool) {
        let Some(question) = &self.model.question else { return };
        let squares: Vec<SpaceId> = question.options.iter().filter_map(|option| option.square).collect();
        if squares.is_empty() {
            return;
        }
        let at = self.ui.cursor.and_then(|cursor| squares.iter().position(|square| *square == cursor));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => squares.len() - 1,
            (Some(at), true) => (at + 1) % squares.len(),
            (Some(at), false) => (at + squares.len() - 1) % squares.len(),
        };
        let cursor = squares[next];
        self.ui.selected = question.at(cursor).or(self.ui.selected);
        self.look_at(Some(cursor));
    }

    fn next_overlay(&mut self) {
        let overlays = &self.model.overlays;
        let at = self.ui.overlay.and_then(|id| overlays.iter().position(|overlay| overlay.id == id));
        let next = at.map_or(0, |at| at + 1);
        let said = overlays.get(next).map(|overlay| format!("{}: {}", overlay.title, overlay.doc));
        self.ui.overlay = overlays.get(next).map(|overlay| overlay.id);
        self.show_overlay();
        self.ui.message = Some(said.unwrap_or_else(|| "no overlay".into()));
    }
}
