//! Keys: what each of them means where the person is.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sandtable::board::Facing;

use super::{
    model::{Model, Question},
    screen::Ui,
};

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Nothing.
    Nothing,
    /// An answer: the number of an option.
    Option(usize),
    /// The same, after it was asked whether it is meant.
    Confirmed(usize),
    /// It was not meant.
    Declined,
    /// A step in a direction, by the action that content says walks.
    Walk(Facing),
    /// What was typed.
    Typed(String),
    /// The typed text is now this, or none.
    Input(Option<String>),
    /// The first digits of a number that may go on.
    Number(String),
    /// The selection goes up or down.
    Select(i32),
    /// The same, many at once; it stops at the ends.
    Leap(i32),
    /// The cursor goes a square.
    Cursor(Facing),
    /// The cursor goes to the next square that can be answered, or back.
    Next(bool),
    /// The square of the cursor is the answer.
    Here,
    /// The board is looked at, or no longer.
    Look(bool),
    /// What is under the cursor, in full.
    LookCloser,
    /// Back to the question.
    Leave,
    /// Enter, while nothing is selected.
    Unselected,
    /// A digit, while squares are asked.
    NoNumber,
    /// A key that means nothing here: what is said of it.
    NoKey(String),
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

/// So many answers are passed at once.
const LEAP: i32 = 6;

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
            // A line feed.
            KeyCode::Char('j') => command(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE), model, ui),
            _ => Command::Nothing,
        };
    }
    if let Some(n) = ui.confirm {
        let is_meant = matches!(key.code, KeyCode::Enter | KeyCode::Char('y' | 'Y'));
        return if is_meant { Command::Confirmed(n) } else { Command::Declined };
    }
    if let Some(input) = &ui.input {
        return match (key.code, &model.question) {
            (KeyCode::Char(digit @ '0'..='9'), Some(question)) if ui.is_number => numbered(input, digit, question),
            (KeyCode::Char(letter), _) if ui.is_number => {
                Command::NoKey(format!("{letter}: no digit; {input} waits for one, for Enter, or for Esc"))
            }
            (code, _) => typed(code, input, ui.is_number),
        };
    }
    if let KeyCode::Char(':' | '/') = key.code {
        return Command::Input(Some(String::new()));
    }
    if ui.page.is_some() {
        return on_page(key.code);
    }
    match pressed(key, model, ui) {
        Command::Nothing => unknown(key.code, ui),
        command => command,
    }
}

/// What is said of a key that means nothing.
fn unknown(code: KeyCode, ui: &Ui) -> Command {
    let KeyCode::Char(letter) = code else { return Command::Nothing };
    Command::NoKey(match letter {
        '0'..='9' if ui.whole || ui.looking => format!("{letter}: Esc goes back to the question first"),
        '0'..='9' => format!("{letter}: no answer has that number; h for help"),
        letter => format!("{letter}: no such key; h for help, : to type an answer"),
    })
}

/// What a key means on the board and at a question.
fn pressed(key: KeyEvent, model: &Model, ui: &Ui) -> Command {
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
        KeyCode::Esc => Command::Leave,
        _ => Command::Nothing,
    };
    if letter != Command::Nothing {
        return letter;
    }
    // The whole board hides the question: nothing answers it then.
    if ui.looking || ui.whole {
        return match key.code {
            KeyCode::Enter if ui.looking => Command::LookCloser,
            code => facing(code).map_or(Command::Nothing, Command::Cursor),
        };
    }
    let Some(question) = &model.question else { return Command::Nothing };
    if let KeyCode::Char(digit @ '0'..='9') = key.code {
        return numbered("", digit, question);
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
        KeyCode::Enter => ui.selected.map_or(Command::Unselected, Command::Option),
        code if question.is_where() => facing(code).map_or(Command::Nothing, Command::Cursor),
        KeyCode::Up => Command::Select(-1),
        KeyCode::Down => Command::Select(1),
        KeyCode::PageUp => Command::Leap(-LEAP),
        KeyCode::PageDown => Command::Leap(LEAP),
        KeyCode::Home => Command::Leap(i32::MIN),
        KeyCode::End => Command::Leap(i32::MAX),
        _ => Command::Nothing,
    }
}

/// What a digit means: an option whose number is shown, or the beginning of such numbers; then the next
/// digit or Enter decides. Numbers of refused actions count: the same digits never mean something else.
fn numbered(before: &str, digit: char, question: &Question) -> Command {
    let text = format!("{before}{digit}");
    let n: usize = text.parse().unwrap_or_default();
    if n == 0 || n > 9999 {
        return Command::Nothing;
    }
    if (10 * n..=10 * n + 9).any(|n| question.numbered(n).is_some() || question.is_refused(n)) {
        return Command::Number(text);
    }
    match question.numbered(n) {
        Some(at) => Command::Option(at),
        // It says why.
        None if question.is_refused(n) => Command::Typed(text),
        _ if !before.is_empty() => Command::NoKey(format!("{text}: no answer has that number")),
        _ if question.is_where() => Command::NoNumber,
        _ => Command::Nothing,
    }
}

fn typed(code: KeyCode, input: &str, is_number: bool) -> Command {
    match code {
        KeyCode::Enter if input.is_empty() => Command::Input(None),
        KeyCode::Enter => Command::Typed(input.to_owned()),
        KeyCode::Esc => Command::Input(None),
        KeyCode::Backspace => {
            let mut input = input.to_owned();
            match input.pop() {
                Some(_) if is_number && !input.is_empty() => Command::Number(input),
                Some(_) if is_number => Command::Input(None),
                popped => Command::Input(popped.map(|_| input)),
            }
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
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => Command::Close,
        KeyCode::Char(letter) => Command::NoKey(format!("{letter}: no such key on a page; Esc closes it")),
        _ => Command::Nothing,
    }
}

/// The most needed keys, before the first question.
pub(super) const KEYS_SHORT: &str = "Keys: a number, or up and down and Enter, answers; where a square is asked, arrows and Enter. \
    ? says why, u takes back, x looks around, o shows who sees what, h is help, q quits.";

/// What the help says of keys.
pub(super) const KEYS: &str = "\
Answering
  1 to 9          the option of that number; a digit with which several begin waits for another or Enter;
                  an action keeps its number, whatever else is offered; ? names those of the others
  up, down, Enter selects an option, answers with it; PgUp and PgDn pass several
  arrows, Enter   the square under the cursor, when a square is asked
  Tab             the next square that can be answered
  arrows          which way, when a facing is asked
  Shift+arrow     a step that way at once, when somebody may walk
  :               type: a name or its beginning, a number or a square, or several answers in a row;
                  Enter sends it; words may be cut short while they are clear
  ?               what the selected answer is, by which rule, and why others are not offered

Seeing
  x               look: the arrows move the cursor, the line at the bottom says what is there, Enter all of it
  m               the whole board, and back; the arrows scroll what does not fit, x looks around
  o               the next overlay: squares on which one is seen, for example
  g               what the marks on the board mean
  l               everything that happened
  Esc             back to the question

The game
  u               take back the last answer
  t               whether ties are decided for you or asked
  s               wait until the log is on the disk
  q, Ctrl-C       end; the log is whole and the game goes on another time";
