//! Drawing what stands beside the board: who acts, what happened, what is asked, what marks mean.

use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use sandtable::table::picture::Told;

use super::{
    model::{Choosable, Model, Question},
    screen::{Pen, scrolled},
    text::wrapped,
};

/// From so many lines on there is room for what there is to do.
const ROOMY: u16 = 36;

/// What the marks on the board mean.
pub(super) fn marks_beside(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.heading(area, area.y, "Marks");
    let lines =
        model.marks_now().flat_map(|row| wrapped(&format!("{:<3} {}", row.mark, row.title), usize::from(area.width)));
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        pen.text(area.x, y, area.width, &line, Style::new());
    }
}

/// Who acts, what happened, what is asked.
pub(super) fn panel(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let mut y = area.y;
    if let Some(subject) = &model.subject {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let square = subject.square.and_then(|space| model.board.squares.iter().find(|square| square.space == space));
        let at = square.map_or_else(String::new, |square| format!(" at {}", square.name));
        pen.text(area.x, y, area.width, &format!("{}{at}", subject.title), bold);
        y += 1;
        let rows_max = usize::from(area.height / 3);
        for row in subject.rows.iter().take(rows_max) {
            let x = pen.text(area.x, y, area.width, &format!("{} ", row.title), Style::new());
            let rest = area.right().saturating_sub(x);
            let bar = row.scale.filter(|(_, most)| (1..=8).contains(most)).map(|(number, most)| bar(number, most));
            let text = bar.map_or_else(|| row.text.clone(), |bar| format!("{bar} {}", row.text));
            // What is longer than a line has a second one.
            let lines = wrapped(&format!("{} {text}", row.title), usize::from(area.width));
            let first = lines[0].chars().skip(row.title.chars().count() + 1).collect::<String>();
            pen.fitting(x, y, rest, &first, bold);
            y += 1;
            if lines.len() > 1 {
                pen.fitting(area.x, y, area.width, &lines[1..].join(" "), bold);
                y += 1;
            }
        }
    }
    if area.height >= ROOMY && !model.tasks.is_empty() {
        pen.heading(area, y, "To do");
        for line in model.tasks.iter().flat_map(|line| wrapped(line, usize::from(area.width))) {
            y += 1;
            pen.text(area.x, y, area.width, &line, Style::new());
        }
        y += 1;
    }
    let left = area.bottom().saturating_sub(y);
    let asked = match &model.question {
        Some(question) => asked_height(question, area.width),
        None => u16::try_from(3 + model.tasks.len()).unwrap_or(u16::MAX),
    };
    let asked = asked.min(left.saturating_sub(4)).max(4);
    let told = Rect { y, height: left.saturating_sub(asked), ..area };
    happened(pen, told, model);
    ask(pen, Rect { y: told.bottom(), height: asked, ..area }, model);
}

fn bar(number: i64, most: i64) -> String {
    let number = number.clamp(0, most);
    let times = |n: i64| usize::try_from(n).unwrap_or(0);
    format!("{}{}", "●".repeat(times(number)), "○".repeat(times(most - number)))
}

/// A line of what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToldLine {
    pub(super) text: String,
    /// Whether it came after the last answer.
    is_new: bool,
    /// Whether it is kept in sight.
    stands_out: bool,
}

/// What is told of what happened.
pub(super) fn told_lines(told: &[Told], width: usize) -> Vec<ToldLine> {
    let last = told.iter().rev().find_map(|it| if let Told::Answer { number } = it { Some(*number) } else { None });
    let is_new = |number: usize| last.is_none_or(|last| number > last);
    let mut lines = Vec::new();
    for it in told {
        match it {
            Told::Answer { .. } | Told::Only { .. } => {}
            Told::Phase { number, text } => {
                lines.push(ToldLine { text: format!("— {text}"), is_new: is_new(*number), stands_out: false });
            }
            Told::Event { number, text, stands_out } => {
                let line = |text| ToldLine { text, is_new: is_new(*number), stands_out: *stands_out };
                lines.extend(wrapped(text, width).into_iter().map(line));
            }
        }
    }
    lines
}

/// The last lines that fit; when not all new ones do, those that stand out come before the latest, and the
/// first line says how many are left out.
fn fitting(lines: Vec<ToldLine>, room: usize) -> Vec<ToldLine> {
    let skipped = lines.len().saturating_sub(room);
    let n_lost = lines.iter().take(skipped).filter(|line| line.is_new).count();
    if n_lost == 0 || room < 3 {
        return lines.into_iter().skip(skipped).collect();
    }
    let new: Vec<ToldLine> = lines.into_iter().filter(|line| line.is_new).collect();
    let room = room - 1;
    let outstanding: Vec<usize> = (0..new.len()).rev().filter(|at| new[*at].stands_out).take(room - 1).collect();
    let others = (0..new.len()).rev().filter(|at| !outstanding.contains(at)).take(room - outstanding.len());
    let mut kept: Vec<usize> = others.chain(outstanding.iter().copied()).collect();
    kept.sort_unstable();
    let left_out = new.len() - kept.len();
    let more = ToldLine { text: format!("▲ {left_out} more lines: l"), is_new: false, stands_out: false };
    [more].into_iter().chain(kept.into_iter().map(|at| new[at].clone())).collect()
}

fn happened(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.heading(area, area.y, "What happened");
    let room = usize::from(area.height.saturating_sub(1));
    let lines = fitting(told_lines(&model.told, usize::from(area.width)), room);
    let dim = pen.colour(Style::new(), Some("dark"));
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        let style = if line.is_new { Style::new() } else { dim };
        let style = if line.stands_out && line.is_new { style.add_modifier(Modifier::BOLD) } else { style };
        pen.text(area.x, y, area.width, &line.text, style);
    }
}

/// The lines that a question needs.
fn asked_height(question: &Question, width: u16) -> u16 {
    let text = wrapped(&asked_text(question), usize::from(width)).len();
    let options = if question.is_where() {
        let others = question.options.iter().filter(|option| !option.is_square).count();
        others + wrapped(&squares_of(question), usize::from(width)).len()
    } else {
        let told = |option: &Choosable| told_of(option, usize::from(width)).len();
        question.options.iter().map(|option| 1 + told(option)).sum()
    };
    u16::try_from(1 + text + options).unwrap_or(u16::MAX)
}

/// What is told of an option, in lines below it.
fn told_of(option: &Choosable, width: usize) -> Vec<String> {
    let lines = option.told.iter().flat_map(|line| wrapped(&format!("     {line}"), width));
    lines.collect()
}

fn asked_text(question: &Question) -> String {
    let about = if question.about.is_empty() { String::new() } else { format!(" ({})", question.about) };
    format!("{}{about}", question.text)
}

fn squares_of(question: &Question) -> String {
    let names = question.options.iter().filter(|option| option.is_square).map(|option| option.label.as_str());
    names.collect::<Vec<_>>().join(" ")
}

fn ask(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let Some(question) = &model.question else {
        pen.heading(area, area.y, "The end");
        let end = model.end.clone().unwrap_or_default();
        let end = wrapped(&end, usize::from(area.width)).into_iter().map(|line| (line, bold));
        let tasks = model.tasks.iter().flat_map(|line| wrapped(line, usize::from(area.width)));
        let lines = end.chain(tasks.map(|line| (line, Style::new())));
        for (y, (line, style)) in (area.y + 1..area.bottom()).zip(lines) {
            pen.text(area.x, y, area.width, &line, style);
        }
        return;
    };
    pen.heading(area, area.y, if question.is_tie { "A tie" } else { "" });
    let mut y = area.y + 1;
    for line in wrapped(&asked_text(question), usize::from(area.width)) {
        pen.text(area.x, y, area.width, &line, bold);
        y += 1;
    }
    let is_where = question.is_where();
    let mut lines: Vec<(String, bool)> = question
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| !is_where || !option.is_square)
        .flat_map(|(n, option)| {
            let square = option.square.filter(|_| !option.is_square);
            let square = square.and_then(|space| model.board.squares.iter().find(|square| square.space == space));
            let square = square.filter(|square| !square.name.eq_ignore_ascii_case(&option.label));
            let at = square.map_or_else(String::new, |square| format!(" ({})", square.name));
            let is_selected = Some(n) == pen.ui.selected;
            let sign = if is_selected { '>' } else { ' ' };
            let line = (format!("{sign}{:>2} {}{at}", option.number, option.label), is_selected);
            let told = told_of(option, usize::from(area.width)).into_iter().map(|line| (line, false));
            [line].into_iter().chain(told).collect::<Vec<_>>()
        })
        .collect();
    if is_where {
        lines.extend(wrapped(&squares_of(question), usize::from(area.width)).into_iter().map(|line| (line, false)));
    }
    let room = usize::from(area.bottom().saturating_sub(y));
    let selected = lines.iter().position(|(_, is_selected)| *is_selected).unwrap_or(0);
    let n_lines = lines.len();
    let top = scrolled(selected, n_lines, room);
    let below = n_lines.saturating_sub(top + room);
    for (n, (line, is_selected)) in lines.into_iter().skip(top).take(room).enumerate() {
        let style = if is_selected { bold.add_modifier(Modifier::REVERSED) } else { Style::new() };
        // A line that stands for those that do not fit.
        let (line, style) = match n {
            0 if top > 0 => (format!("▲ {} more", top + 1), Style::new()),
            n if n + 1 == room && below > 0 => (format!("▼ {} more", below + 1), Style::new()),
            _ => (line, style),
        };
        pen.fitting(area.x, y, area.width, &line, style);
        y += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{ToldLine, fitting};

    #[test]
    fn what_stands_out_is_kept_when_there_is_no_room_for_all() {
        let line = |text: &str, stands_out| ToldLine { text: text.into(), is_new: true, stands_out };
        let lines = vec![line("a", true), line("b", false), line("c", false), line("d", true), line("e", false)];
        let texts = |room| fitting(lines.clone(), room).into_iter().map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(texts(5), ["a", "b", "c", "d", "e"]);
        assert_eq!(texts(4), ["▲ 2 more lines: l", "a", "d", "e"]);
        assert_eq!(texts(3), ["▲ 3 more lines: l", "d", "e"]);
    }
}
