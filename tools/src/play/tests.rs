//! Screens of fixed situations: every case of a test file `screens.yaml` beside content, at two
//! sizes, with and without colour; and the picture of the README.
//!
//! `screens.keys` beside the snapshots says which keys are pressed in which case.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    style::{Color, Modifier},
};
use sandtable::{content::games, script::with_stack, table::picture, testkit::Kit};

use super::{full::Screen, model::Model, screen, session::Session, why::RuleBook};
use crate::{games::Packs, journal::Journal};

/// Tests run at the same time; each needs logs of its own.
static LOGS: AtomicUsize = AtomicUsize::new(0);

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What `screens.keys` says of a case.
fn keys_of(case: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/play/snapshots/screens.keys");
    let text = fs::read_to_string(path).expect("the keys of the screens");
    text.lines().find_map(|line| Some(line.strip_prefix(case)?.strip_prefix(':')?.trim().to_owned()))
}

/// The keys of a case: names of keys, or letters.
fn keys(case: &str) -> Vec<KeyEvent> {
    let key = |word: &str| match word {
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Enter" => KeyCode::Enter,
        "Tab" => KeyCode::Tab,
        "Esc" => KeyCode::Esc,
        letter => KeyCode::Char(letter.chars().next().expect("a letter")),
    };
    keys_of(case)
        .unwrap_or_default()
        .split_whitespace()
        .map(|word| KeyEvent::new(key(word), KeyModifiers::NONE))
        .collect()
}

/// What a screen of a size shows.
fn shown(screen: &Screen, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
    terminal.draw(|frame| screen::draw(frame, &screen.model, &screen.ui)).expect("it draws");
    terminal.backend().buffer().clone()
}

/// The letters of a buffer.
fn letters(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let lines = buffer.content().chunks(width).map(|cells| {
        let line: String = cells.iter().map(|cell| cell.symbol()).collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The letters of a buffer, with `{colour*_!` before and `}` after what is not plain: bold is `*`,
/// underlined `_`, turned round `!`, what is behind follows `/`.
fn marked(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let style = |cell: &ratatui::buffer::Cell| {
        let colour =
            |colour: Color| if colour == Color::Reset { String::new() } else { colour.to_string().to_lowercase() };
        let mut style = colour(cell.fg);
        let signs = [(Modifier::BOLD, '*'), (Modifier::UNDERLINED, '_'), (Modifier::REVERSED, '!')];
        style.extend(signs.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier)).map(|(_, sign)| sign));
        let behind = colour(cell.bg);
        if behind.is_empty() { style } else { format!("{style}/{behind}") }
    };
    let mut text = String::new();
    for cells in buffer.content().chunks(width) {
        let last =
            cells.iter().rposition(|cell| cell.symbol() != " " || !style(cell).is_empty()).map_or(0, |at| at + 1);
        let mut open = String::new();
        for cell in &cells[..last] {
            let now =
                if cell.symbol() == " " && !style(cell).contains(['!', '/']) { String::new() } else { style(cell) };
            if now != open {
                text.push_str(if open.is_empty() { "" } else { "}" });
                text.push_str(&if now.is_empty() { String::new() } else { format!("{{{now} ") });
                open = now;
            }
            text.push_str(cell.symbol());
        }
        text.push_str(if open.is_empty() { "\n" } else { "}\n" });
    }
    text
}

/// Calls `f` with every case of the screens and its table.
fn each_case(mut f: impl FnMut(&str, Session) + Send) {
    with_stack(|| {
        let roots = [root()];
        for game in games(&roots) {
            let kit = Kit::load(&roots, &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            let suites = kit.suites.iter().filter(|suite| suite.file.ends_with("/screens.yaml"));
            for case in suites.flat_map(|suite| &suite.cases) {
                let table = kit.table(case).unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
                let folder = std::env::temp_dir().join(format!("sandtable_screens_{}", std::process::id()));
                let n = LOGS.fetch_add(1, Ordering::Relaxed);
                let path = folder.join(format!("{}_{n}.jsonl", case.name));
                let journal = Journal::create(&table, &path).unwrap_or_else(|fault| panic!("{fault}"));
                let mut session = Session::new(table, journal);
                // Reading it takes a while.
                if keys_of(&case.name).is_some_and(|keys| keys.contains('?')) {
                    session.rules = RuleBook::read(&Packs { roots: &roots, without: &[] }, &game);
                }
                f(&case.name, session);
                let _ = fs::remove_file(&path);
            }
        }
    });
}

/// The view of a session after the keys of its case on a screen of a size.
fn pressed(case: &str, session: Session, size: (u16, u16)) -> Screen {
    let mut screen = Screen::new(session, false, false);
    for key in keys(case) {
        screen.press(key, size).expect("it goes on");
    }
    screen
}

/// Every size is drawn, without colours if none are wanted, in ASCII if nothing else can be shown.
fn assert_drawn_anyhow(case: &str, screen: &mut Screen) {
    screen.ui.colour = false;
    let buffer = shown(screen, (80, 24));
    let coloured = buffer.content().iter().find(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset);
    assert_eq!(coloured, None, "{case}");
    screen.ui.ascii = true;
    let text = letters(&shown(screen, (80, 24)));
    assert!(text.is_ascii(), "{case}:\n{text}");
    screen.ui.ascii = false;
    for size in [(1, 1), (20, 5), (79, 24), (80, 23), (80, 24), (81, 25), (300, 100), (500, 24), (80, 200)] {
        let text = letters(&shown(screen, size));
        let is_small = size.0 < 80 || size.1 < 24;
        assert_eq!(text.contains("are needed"), is_small && size.0 > 18, "{size:?}:\n{text}");
    }
}

#[test]
fn screens_of_fixed_situations() {
    let (mut n, mut picture) = (0, None);
    each_case(|case, session| {
        let mut screen = pressed(case, session, (80, 24));
        for size in [(80, 24), (140, 50)] {
            for colour in [false, true] {
                n += 1;
                screen.ui.colour = colour;
                let name = format!("{case}_{}x{}{}", size.0, size.1, if colour { "_colour" } else { "" });
                let buffer = shown(&screen, size);
                let text = if colour { marked(&buffer) } else { letters(&buffer) };
                insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                    insta::assert_snapshot!(name, text);
                });
            }
        }
        if keys_of("picture").as_deref() == Some(case) {
            picture = Some(svg(&shown(&screen, (100, 30))));
        }
        assert_drawn_anyhow(case, &mut screen);
    });
    assert!(n >= 20, "only {n} screens were drawn");
    assert_picture(&picture.expect("the case of the picture"));
}

/// A colour of a terminal on a dark ground.
fn web(colour: Color) -> &'static str {
    match colour {
        Color::Red => "#e06c60",
        Color::Green => "#7fb069",
        Color::Yellow => "#d6b35a",
        Color::Blue => "#6d9ed6",
        Color::Magenta => "#c58bd0",
        Color::Cyan => "#6cc0bd",
        Color::Gray => "#b8bcc2",
        Color::DarkGray => "#767c86",
        Color::LightRed => "#ff8f80",
        Color::LightGreen => "#a5d886",
        Color::LightYellow => "#f3dc8c",
        Color::LightBlue => "#9cc6f5",
        Color::LightMagenta => "#e6b0ef",
        Color::LightCyan => "#8fe6e2",
        _ => "#e4e6ea",
    }
}

const GROUND: &str = "#16191d";
const CELL: (usize, usize) = (9, 18);

/// A buffer as a picture.
fn svg(buffer: &Buffer) -> String {
    let (width, height) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let (w, h) = CELL;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n<rect width=\"100%\" height=\"100%\" fill=\"{GROUND}\"/>\n",
        (width + 2) * w,
        (height + 1) * h,
    );
    for (y, cells) in buffer.content().chunks(width).enumerate() {
        let mut x = 0;
        while x < width {
            let alike = |cell: &ratatui::buffer::Cell| {
                (cell.fg, cell.bg, cell.modifier) == (cells[x].fg, cells[x].bg, cells[x].modifier)
            };
            let n = cells[x..].iter().take_while(|cell| alike(cell)).count();
            let letters: String = cells[x..x + n].iter().map(|cell| cell.symbol()).collect();
            let is_turned = cells[x].modifier.contains(Modifier::REVERSED);
            let behind = if cells[x].bg == Color::Reset { GROUND } else { web(cells[x].bg) };
            let (front, behind) = if is_turned { (behind, web(cells[x].fg)) } else { (web(cells[x].fg), behind) };
            let (left, top) = ((x + 1) * w, y * h + h / 2);
            if behind != GROUND {
                text.push_str(&format!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{h}\" fill=\"{behind}\"/>\n",
                    n * w
                ));
            }
            if !letters.trim().is_empty() {
                let weight = if cells[x].modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
                let letters = letters.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                text.push_str(&format!(
                    "<text x=\"{left}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{front}\"{weight}>{letters}</text>\n",
                    top + h - 5,
                    n * w,
                ));
            }
            x += n;
        }
    }
    text.push_str("</svg>\n");
    text
}

/// `docs/play.svg` is the screen that `screens.keys` names; `UPDATE_DOCS=1` writes it anew.
fn assert_picture(drawn: &str) {
    let path = root().join("docs/play.svg");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(root().join("docs")).expect("a folder");
        fs::write(&path, drawn).expect("it can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == drawn, "docs/play.svg is old; UPDATE_DOCS=1 cargo test -p sandtable-tools writes it anew");
}

/// In a situation of the screens that offers a grave answer.
#[test]
fn whoever_types_is_asked_before_a_grave_answer() {
    let mut n_graves = 0;
    each_case(|case, mut session| {
        let Some(choice) = session.table.open() else { return };
        let is_grave = |it: &&sandtable::kernel::Candidate| picture::confirm_of(&session.table, &choice, it).is_some();
        let Some(grave) = choice.options().find(is_grave).map(|it| it.id.to_string()) else { return };
        n_graves += 1;
        let before = session.at();
        session.asks_before_grave = true;
        let asked = session.answer_words(&grave).expect_err(case);
        assert!(asked.ends_with("y: yes, n: no") && session.at() == before, "{case}: {asked}");
        assert_eq!(session.answer_words("n"), Err("nothing was answered".into()), "{case}");
        assert!(session.answer_words("y").is_err() && session.at() == before, "{case}: there is nothing to say yes to");
        session.answer_words(&grave).expect_err(case);
        session.answer_words("y").expect(case);
        assert!(session.at() > before, "{case}");
    });
    assert!(n_graves > 0);
}

/// A refusal says by which rule, where the content names one beside the reason.
#[test]
fn a_refusal_names_its_rule() {
    let mut n_named = 0;
    each_case(|case, mut session| {
        let Some(choice) = session.table.open() else { return };
        session.rules = RuleBook::read(&Packs { roots: &[root()], without: &[] }, &session.table.game().id);
        for refused in choice.candidates.iter().filter(|candidate| !candidate.reasons.is_empty()).take(5) {
            let told = session.answer(&refused.id).expect_err(case);
            assert!(told.starts_with("refused: "), "{case}: {told}");
            n_named += usize::from(told.contains(&format!("({}.", session.table.game().id)));
        }
    });
    assert!(n_named > 3, "{n_named}");
}

/// An action has one number, in whichever situation: offered or refused, which is said with its number.
#[test]
fn an_action_has_the_same_number_in_every_situation() {
    let mut numbers: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let mut n_refused = 0;
    each_case(|case, session| {
        let Some(choice) = session.table.open() else { return };
        let actions = &session.table.game().actions;
        if !choice.candidates.iter().any(|it| actions.get(&it.id).is_some_and(|it| it.menu == choice.prompt)) {
            return;
        }
        let told = session.not_offered().join("\n");
        let question = Model::new(&session).question.expect(case);
        for it in question.options.iter().chain(&question.refused) {
            let key = (session.table.game().id.to_string(), choice.prompt.to_string(), it.id.clone());
            assert_eq!(*numbers.entry(key).or_insert(it.number), it.number, "{case}: {}", it.id);
            assert_eq!(
                session.meant(&choice, &it.number.to_string()).map(|it| it.id.as_str()),
                Some(&*it.id),
                "{case}"
            );
        }
        for it in &question.refused {
            n_refused += 1;
            let label = it.label.rsplit_once(" (").map_or(&*it.label, |(label, _)| label);
            assert!(told.contains(&format!(" {} {label}", it.number)), "{case}: {} {label} in {told}", it.number);
        }
    });
    assert!(n_refused > 3, "{n_refused}");
}
