//! Keys: what each of them means where the person is.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sandtable::board::Facing;

use super::{model::Model, screen::Ui};

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Nothing.
    Nothing,
    /// An answer: the number of an option.
    Option(usize),
    /// A step in a direction, by the action that content says walks.
    Walk(Facing),
    /// What was typed.
    Typed(String),
    /// The typed text is now this, or none.
    Input(Option<String>),
    /// The selection goes up or down.
    Select(i32),
    /// The cursor goes a square.
    Cursor(Facing),
    /// The cursor goes to the next square that can be answered, or back.
    Next(bool),
    /// The square of the cursor is the answer.
    Here,
    /// The board is looked at, or no longer.
    Look(bool),
    /// The whole board, or the part around who acts.
    Map,
    /// The next overlay.
    Overlay,
    /// Why the selected answer is offered or not.
    Why,
    /// What happened, from the end.
    Log,
    /// Pages of help.
    Help,
    /// What the marks mean.
    Legend,
    /// A page goes so many lines.
    Scroll(i32),
    /// The next page, or the one before.
    Turn(i32),
    /// The page goes away.
    Close,
    /// The last answer is taken back.
    Undo,
    /// The log is brought to the disk.
    Save,
    /// Ties are decided, or asked.
    Ties,
    /// The end.
    Quit,
}

fn facing(code: KeyCode) -> Option<Facing> {
    Some(match code {
        KeyCode::Up => Facing::North,
        KeyCode::Right => Facing::East,
        KeyCode::Down => Facing::South,
        KeyCode::Left => Facing::West,
        _ => return None,
    })
}

/// What a key means.
pub(crate) fn command(key: KeyEvent, model: &Model, ui: &Ui) -> Command {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Command::Quit,
            _ => Command::Nothing,
        };
    }
    if let Some(input) = &ui.input {
        return typed(key.code, input);
    }
    if ui.page.is_some() {
        return on_page(key.code);
    }
    let letter = match key.code {
        KeyCode::Char('m') => Command::Map,
        KeyCode::Char('o') => Command::Overlay,
        KeyCode::Char('?') => Command::Why,
        KeyCode::Char('l') => Command::Log,
        KeyCode::Char('h') | KeyCode::F(1) => Command::Help,
        KeyCode::Char('g') => Command::Legend,
        KeyCode::Char('u') | KeyCode::Backspace => Command::Undo,
        KeyCode::Char('s') => Command::Save,
        KeyCode::Char('t') => Command::Ties,
        KeyCode::Char('q') => Command::Quit,
        KeyCode::Char('x') => Command::Look(!ui.looking),
        KeyCode::Char(':' | '/') => Command::Input(Some(String::new())),
        KeyCode::Esc => Command::Look(false),
        _ => Command::Nothing,
    };
    if letter != Command::Nothing {
        return letter;
    }
    if ui.looking {
        return facing(key.code).map_or(Command::Nothing, Command::Cursor);
    }
    let Some(question) = &model.question else { return Command::Nothing };
    if let KeyCode::Char(digit @ '0'..='9') = key.code {
        let n = digit.to_digit(10).unwrap_or_default() as usize;
        return n.checked_sub(1).map_or(Command::Nothing, Command::Option);
    }
    if let (true, Some(way)) = (key.modifiers.contains(KeyModifiers::SHIFT), facing(key.code)) {
        return Command::Walk(way);
    }
    if let (true, Some(way)) = (question.is_facing(), facing(key.code)) {
        let option = question.options.iter().position(|option| option.facing == Some(way));
        return option.map_or(Command::Nothing, Command::Option);
    }
    match key.code {
        KeyCode::Tab => Command::Next(true),
        KeyCode::BackTab => Command::Next(false),
        KeyCode::Enter if question.is_where() => Command::Here,
        KeyCode::Enter => Command::Option(ui.selected),
        code if question.is_where() => facing(code).map_or(Command::Nothing, Command::Cursor),
        KeyCode::Up => Command::Select(-1),
        KeyCode::Down => Command::Select(1),
        _ => Command::Nothing,
    }
}

fn typed(code: KeyCode, input: &str) -> Command {
    match code {
        KeyCode::Enter if input.is_empty() => Command::Input(None),
        KeyCode::Enter => Command::Typed(input.to_owned()),
        KeyCode::Esc => Command::Input(None),
        KeyCode::Backspace => {
            let mut input = input.to_owned();
            Command::Input(input.pop().map(|_| input))
        }
        // An answer is no longer than that.
        KeyCode::Char(letter) if input.len() < 512 => Command::Input(Some(format!("{input}{letter}"))),
        _ => Command::Nothing,
    }
}

fn on_page(code: KeyCode) -> Command {
    match code {
        KeyCode::Up => Command::Scroll(-1),
        KeyCode::Down => Command::Scroll(1),
        KeyCode::PageUp => Command::Scroll(-15),
        KeyCode::PageDown | KeyCode::Char(' ') => Command::Scroll(15),
        KeyCode::Home => Command::Scroll(i32::MIN),
        KeyCode::End => Command::Scroll(i32::MAX),
        KeyCode::Left => Command::Turn(-1),
        KeyCode::Right | KeyCode::Tab => Command::Turn(1),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'h' | 'l' | 'g' | '?') => Command::Close,
        _ => Command::Nothing,
    }
}
