//! What keys do, on the small game of the tests of the command line.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sandtable::{script::with_stack, testkit::Kit};

use super::{
    full::Screen,
    keys::{Command, command},
    model::{Choosable, Model, Question},
    screen::Ui,
    session::Session,
};
use crate::journal::Journal;

static GAMES: AtomicUsize = AtomicUsize::new(0);

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// Calls `f` with a screen on which it is asked where the first pawn goes from a2, on from a1.
fn on_screen(f: impl FnOnce(&mut Screen) + Send) {
    with_stack(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
        let kit = Kit::load(&[root], "toy", &[]).unwrap_or_else(|defects| panic!("{defects}"));
        let case = &kit.suites[0].cases[0];
        let table = kit.table(case).unwrap_or_else(|fault| panic!("{fault}"));
        let n = GAMES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sandtable_keys_{}_{n}.jsonl", std::process::id()));
        let journal = Journal::create(&table, &path).unwrap_or_else(|fault| panic!("{fault}"));
        f(&mut Screen::new(Session::new(table, journal), false, false));
        let _ = fs::remove_file(&path);
    });
}

/// Presses keys, a letter each; `\n` is Enter and `\x1b` is Esc.
fn press(screen: &mut Screen, keys: &str) {
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\x1b' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        screen.press(key(code), (80, 24)).expect("it goes on");
    }
}

fn message(screen: &Screen) -> &str {
    screen.ui.message.as_deref().unwrap_or_default()
}

fn asked(screen: &Screen) -> &str {
    screen.model.question.as_ref().map_or("", |question| question.text.as_str())
}

#[test]
fn what_is_typed_answers_from_anywhere_and_may_be_the_beginning_of_a_name() {
    on_screen(|screen| {
        // From the whole board, and from a page of help.
        press(screen, "m:a1");
        assert_eq!(screen.ui.input.as_deref(), Some("a1"));
        press(screen, "\n");
        assert_eq!((asked(screen), message(screen)), ("How loud?", ""));
        press(screen, "h:lo\n");
        assert_eq!((asked(screen), message(screen)), ("Where to?", ""));
        assert!(screen.ui.page.is_none());
    });
}

#[test]
fn letters_do_nothing_while_a_page_is_open() {
    on_screen(|screen| {
        let before = screen.session.at();
        press(screen, "huts1");
        assert!(screen.ui.page.is_some());
        assert_eq!(screen.session.at(), before);
        press(screen, "q");
        assert!(screen.ui.page.is_none());
    });
}

#[test]
fn nothing_is_answered_behind_the_whole_board() {
    on_screen(|screen| {
        let before = screen.session.at();
        press(screen, "m\n1\n");
        assert_eq!((screen.session.at(), screen.ui.whole), (before, true));
        press(screen, "\x1b");
        assert!(!screen.ui.whole);
    });
}

#[test]
fn a_digit_does_not_move_where_squares_are_asked() {
    on_screen(|screen| {
        let before = screen.session.at();
        assert!(screen.model.question.as_ref().is_some_and(Question::is_where), "{}", asked(screen));
        press(screen, "1");
        assert_eq!(screen.session.at(), before);
        assert!(message(screen).contains("choose a square"), "{}", message(screen));
    });
}

#[test]
fn what_cannot_be_taken_back_is_said_in_a_sentence() {
    on_screen(|screen| {
        for _ in 0..9 {
            press(screen, "u");
        }
        assert_eq!(message(screen), "refused: there is no answer that could be taken back");
    });
}

#[test]
fn a_line_feed_is_enter_too() {
    let (model, ui) = (model(None), Ui { selected: Some(1), ..Ui::default() });
    let line_feed = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL);
    assert_eq!(command(line_feed, &model, &ui), Command::Option(1));
    assert_eq!(command(key(KeyCode::Enter), &model, &Ui::default()), Command::Unselected);
}

#[test]
fn a_digit_with_which_several_numbers_begin_waits_for_another() {
    let mut model = model(None);
    if let Some(question) = &mut model.question {
        question.options = (1..=21).map(|number| Choosable { number, ..question.options[0].clone() }).collect();
    }
    let digit = |digit, ui: &Ui| command(key(KeyCode::Char(digit)), &model, ui);
    let none = Ui::default();
    assert_eq!(digit('1', &none), Command::Number("1".into()));
    assert_eq!(digit('2', &none), Command::Number("2".into()));
    assert_eq!(digit('3', &none), Command::Option(2));
    let begun = |text: &str| Ui { input: Some(text.into()), is_number: true, ..Ui::default() };
    assert_eq!(digit('0', &begun("1")), Command::Option(9));
    assert_eq!(digit('1', &begun("2")), Command::Option(20));
    assert_eq!(digit('5', &begun("2")), Command::NoKey("25: no answer has that number".into()));
    // Other keys are no text of a number; what is taken away leaves the digits before.
    let said = Command::NoKey("o: no digit; 1 waits for one, for Enter, or for Esc".into());
    assert_eq!(command(key(KeyCode::Char('o')), &model, &begun("1")), said);
    assert_eq!(command(key(KeyCode::Backspace), &model, &begun("1")), Command::Input(None));
    assert_eq!(command(key(KeyCode::Backspace), &model, &begun("12")), Command::Number("1".into()));
    assert_eq!(command(key(KeyCode::Enter), &model, &begun("1")), Command::Typed("1".into()));
    // What is typed after a colon waits for Enter.
    let typed = Ui { input: Some("1".into()), ..Ui::default() };
    assert_eq!(digit('2', &typed), Command::Input(Some("12".into())));
}

/// A question with two answers, of which the second may be grave.
fn model(confirm: Option<&str>) -> Model {
    let option = |number, id: &str, confirm: Option<&str>| Choosable {
        number,
        id: id.into(),
        label: id.into(),
        square: None,
        facing: None,
        is_square: false,
        reasons: Vec::new(),
        told: Vec::new(),
        confirm: confirm.map(Into::into),
    };
    let options = vec![option(1, "stay", None), option(2, "resign", confirm)];
    let (text, about) = (String::new(), String::new());
    let question = Question { text, about, options, refused: Vec::new(), is_tie: false };
    Model { question: Some(question), ..Model::default() }
}

#[test]
fn a_grave_answer_is_given_only_when_it_is_confirmed() {
    on_screen(|screen| {
        let before = screen.session.at();
        screen.model.question = model(Some("Is that meant?")).question;
        press(screen, "2");
        assert_eq!(message(screen), "resign: Is that meant? (Enter or y: yes; else no)");
        assert_eq!(command(key(KeyCode::Enter), &screen.model, &screen.ui), Command::Confirmed(1));
        press(screen, "2");
        assert_eq!((message(screen), screen.session.at()), ("nothing has been done", before));
    });
}

#[test]
fn the_marks_of_the_board_are_told_in_the_help() {
    on_screen(|screen| {
        let marks = screen.model.marks().join("\n");
        for expected in ["P    Pawn", "+    a square that can be chosen", "T    tower"] {
            assert!(marks.contains(expected), "{expected}: {marks}");
        }
        let now: Vec<&str> = screen.model.marks_now().map(|row| row.mark.as_str()).collect();
        assert!(now.contains(&"P") && now.contains(&"T"), "{now:?}");
        screen.welcome();
        let page = screen.ui.page.as_ref().expect("a page");
        assert!(page.lines.iter().any(|line| line.starts_with("Keys: ")), "{:?}", page.lines);
        assert!(page.lines.iter().any(|line| line.contains("[ ] Rounds")), "{:?}", page.lines);
        press(screen, "g");
        assert!(screen.ui.page.is_some());
    });
}

#[test]
fn a_unit_that_is_looked_at_tells_its_key() {
    on_screen(|screen| {
        press(screen, "x");
        let cursor = screen.ui.cursor.expect("a cursor");
        let all: Vec<String> =
            screen.model.board.squares.iter().map(|square| screen.model.look(square.space)).collect();
        assert!(all.iter().any(|text| text.contains("Left [left]")), "{all:?}");
        assert!(!screen.model.look(cursor).is_empty());
    });
}

#[test]
fn a_number_stays_with_its_option_when_others_are_not_offered() {
    let mut model = model(None);
    if let Some(question) = &mut model.question {
        question.options[0].number = 3;
        question.options[1].number = 27;
    }
    let digit = |digit, ui: &Ui| command(key(KeyCode::Char(digit)), &model, ui);
    assert_eq!(digit('3', &Ui::default()), Command::Option(0));
    assert_eq!(digit('1', &Ui::default()), Command::NoKey("1: no answer has that number; h for help".into()));
    assert_eq!(digit('2', &Ui::default()), Command::Number("2".into()));
    let begun = Ui { input: Some("2".into()), is_number: true, ..Ui::default() };
    assert_eq!(digit('7', &begun), Command::Option(1));
}

#[test]
fn the_number_of_a_refused_action_says_why_and_is_never_taken_for_another() {
    let mut model = model(None);
    if let Some(question) = &mut model.question {
        let refused = |number| Choosable { number, ..question.options[0].clone() };
        question.refused = vec![refused(7), refused(23), refused(0)];
    }
    let digit = |digit, ui: &Ui| command(key(KeyCode::Char(digit)), &model, ui);
    assert_eq!(digit('7', &Ui::default()), Command::Typed("7".into()));
    assert_eq!(digit('2', &Ui::default()), Command::Number("2".into()));
    let begun = Ui { input: Some("2".into()), is_number: true, ..Ui::default() };
    assert_eq!(digit('3', &begun), Command::Typed("23".into()));
    assert_eq!(command(key(KeyCode::Enter), &model, &begun), Command::Typed("2".into()));
    assert_eq!(digit('0', &Ui::default()), Command::NoKey("0: no answer has that number; h for help".into()));
}

#[test]
fn a_key_that_means_nothing_says_so() {
    on_screen(|screen| {
        press(screen, "k");
        assert_eq!(message(screen), "k: no such key; h for help, : to type an answer");
        press(screen, "hk");
        assert_eq!(message(screen), "k: no such key on a page; Esc closes it");
        press(screen, "\x1bx1");
        assert_eq!(message(screen), "1: Esc goes back to the question first");
        press(screen, "\n");
        assert!(screen.ui.page.as_ref().is_some_and(|page| page.title == "Here"));
    });
}

#[test]
fn a_square_that_is_not_offered_says_what_can_be_chosen() {
    on_screen(|screen| {
        let question = screen.model.question.as_ref().expect("a question");
        let squares = screen.model.board.squares.iter();
        let other = squares.into_iter().find(|square| question.at(square.space).is_none()).expect("another square");
        let said = format!("{} cannot be chosen: ", other.name);
        screen.ui.cursor = Some(other.space);
        press(screen, "\n");
        assert!(message(screen).starts_with(&said), "{}", message(screen));
        assert!(screen.ui.page.is_none());
    });
}

#[test]
fn what_is_said_has_the_lines_that_it_needs() {
    on_screen(|screen| {
        screen.ui.message = Some("one word and another ".repeat(9));
        let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(80, 24)).expect("in memory");
        terminal.draw(|frame| super::screen::draw(frame, &screen.model, &screen.ui)).expect("it draws");
        let text: String = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text.matches("another").count(), 9, "{text}");
    });
}

#[test]
fn a_grave_answer_of_a_question_is_asked_about_too() {
    on_screen(|screen| {
        press(screen, ":a1\n");
        assert_eq!(asked(screen), "How loud?");
        let before = screen.session.at();
        press(screen, ":hoarse\n");
        assert_eq!(message(screen), "hoarse: No voice is left then. Is that meant? (Enter or y: yes; else no)");
        press(screen, "n");
        assert_eq!((message(screen), screen.session.at()), ("nothing has been done", before));
        press(screen, "1");
        assert_eq!((asked(screen), message(screen)), ("Where to?", ""));
    });
}
