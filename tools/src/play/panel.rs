//! Drawing what stands beside the board: who acts, what happened, what is asked, what marks mean.

use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use sandtable::table::picture::Told;

use super::{
    model::{Choosable, Model, Question},
    screen::Pen,
    text::wrapped,
    view::scrolled,
};

/// From so many lines on there is room for what there is to do.
const ROOMY: u16 = 36;
/// So many lines are kept for what happened, with their heading.
const TOLD: u16 = 4;

/// What the marks on the board mean.
pub(super) fn marks_beside(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.heading(area, area.y, "Marks");
    let lines =
        model.marks_now().flat_map(|row| wrapped(&format!("{:<3} {}", row.mark, row.title), usize::from(area.width)));
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        pen.text(area.x, y, area.width, &line, Style::new());
    }
}

/// Who acts, what happened, what is asked. What is asked has the room that it needs first; what happened
/// keeps a few lines.
pub(super) fn panel(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let mut y = about(pen, area, model);
    if area.height >= ROOMY && !model.tasks.is_empty() {
        pen.heading(area, y, "To do");
        for line in model.tasks.iter().flat_map(|line| wrapped(line, usize::from(area.width))) {
            y += 1;
            pen.text(area.x, y, area.width, &line, Style::new());
        }
        y += 1;
    }
    let left = area.bottom().saturating_sub(y);
    let width = usize::from(area.width);
    let room = usize::from(left.saturating_sub(TOLD + 1));
    let asked = match &model.question {
        Some(question) => {
            let text = wrapped(&asked_text(question), width).len();
            text + laid(model, question, pen.ui.selected, width, room.saturating_sub(text)).len()
        }
        None => end_lines(model, width).len(),
    };
    let asked = u16::try_from(1 + asked).unwrap_or(u16::MAX).min(left.saturating_sub(TOLD)).max(TOLD);
    let told = Rect { y, height: left.saturating_sub(asked), ..area };
    happened(pen, told, model);
    ask(pen, Rect { y: told.bottom(), height: asked, ..area }, model);
}

/// Whom it is about, and what is told of him: several short rows in a line. Gives the line after it.
fn about(pen: &mut Pen<'_>, area: Rect, model: &Model) -> u16 {
    let Some(subject) = &model.subject else { return area.y };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let square = subject.square.and_then(|space| model.board.squares.iter().find(|square| square.space == space));
    let at = square.map_or_else(String::new, |square| format!(" at {}", square.called()));
    pen.fitting(area.x, area.y, area.width, &format!("{}{at}", subject.title), bold);
    let (mut x, mut y) = (area.x, area.y);
    let is_roomy = area.height >= ROOMY;
    let last = area.y + area.height / 3;
    for row in &subject.rows {
        let bar = row.scale.filter(|(_, most)| (1..=8).contains(most)).map(|(number, most)| bar(number, most));
        let text = bar.map_or_else(|| row.text.clone(), |bar| format!("{bar} {}", row.text));
        let lines = wrapped(&format!("{} {text}", row.title), usize::from(area.width));
        let long = u16::try_from(lines[0].chars().count()).unwrap_or(u16::MAX);
        if y > area.y && lines.len() == 1 && !is_roomy && x > area.x && x + 3 + long <= area.right() {
            pen.text(x, y, 3, " · ", Style::new());
            x += 3;
        } else {
            (x, y) = (area.x, y + 1);
        }
        if y > last {
            return last + 1;
        }
        let to = pen.text(x, y, area.right().saturating_sub(x), &format!("{} ", row.title), Style::new());
        let first = lines[0].chars().skip(row.title.chars().count() + 1).collect::<String>();
        x = pen.fitting(to, y, area.right().saturating_sub(to), &first, bold);
        if lines.len() > 1 && y < last {
            // What is longer than a line has a second one.
            y += 1;
            pen.fitting(area.x, y, area.width, &lines[1..].join(" "), bold);
            x = area.right();
        }
    }
    y + 1
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
    /// Whether it goes on with the line before.
    goes_on: bool,
}

/// What is told of what happened.
pub(super) fn told_lines(told: &[Told], width: usize) -> Vec<ToldLine> {
    let last = told.iter().rev().find_map(|it| if let Told::Answer { number } = it { Some(*number) } else { None });
    let is_new = |number: usize| last.is_none_or(|last| number > last);
    let mut lines = Vec::new();
    let mut tell = |number: usize, text: &str, stands_out: bool| {
        let line = |(n, text)| ToldLine { text, is_new: is_new(number), stands_out, goes_on: n > 0 };
        lines.extend(wrapped(text, width).into_iter().enumerate().map(line));
    };
    for it in told {
        match it {
            Told::Answer { .. } | Told::Only { .. } => {}
            Told::Phase { number, text } => tell(*number, &format!("— {text}"), false),
            Told::Event { number, text, stands_out } => tell(*number, text, *stands_out),
        }
    }
    lines
}

/// Whole sentences from the end of some as long as they fit; of the last one alone what fits of it.
fn whole(entries: &[Vec<ToldLine>], room: usize) -> usize {
    let mut left = room;
    entries
        .iter()
        .rev()
        .take_while(|entry| left.checked_sub(entry.len()).inspect(|rest| left = *rest).is_some())
        .count()
}

/// The last sentences that fit; when not all new ones do, those that stand out come before the latest, and the
/// first line says how many lines are left out. None begins in its middle.
fn fitting(lines: Vec<ToldLine>, room: usize) -> Vec<ToldLine> {
    let mut entries: Vec<Vec<ToldLine>> = Vec::new();
    for line in lines {
        match entries.last_mut().filter(|_| line.goes_on) {
            Some(entry) => entry.push(line),
            None => entries.push(vec![line]),
        }
    }
    let skipped = entries.len() - whole(&entries, room);
    if room < 2 || (skipped < entries.len() && !entries[..skipped].iter().any(|entry| entry[0].is_new)) {
        return entries.into_iter().skip(skipped).flatten().collect();
    }
    let is_old = entries.last().is_none_or(|entry| !entry[0].is_new);
    let new: Vec<Vec<ToldLine>> = entries.into_iter().filter(|entry| is_old || entry[0].is_new).collect();
    // A line says how many are left out, and one at least is for the latest.
    let (mut left, mut kept) = (room - 1, Vec::new());
    let latest = new.last().filter(|entry| !entry[0].stands_out).map_or(0, |entry| entry.len().min(room / 2));
    for (stands_out, spared) in [(true, latest), (false, 0)] {
        for (at, entry) in new.iter().enumerate().rev().filter(|(_, entry)| entry[0].stands_out == stands_out) {
            if entry.len() + spared > left {
                break;
            }
            left -= entry.len();
            kept.push(at);
        }
    }
    kept.sort_unstable();
    let mut shown: Vec<ToldLine> = kept.iter().flat_map(|at| new[*at].clone()).collect();
    if let (true, Some(latest)) = (shown.is_empty(), new.last()) {
        // Not even one fits: its beginning.
        shown = latest.iter().take(left).cloned().collect();
        shown.iter_mut().skip(left - 1).for_each(|line| line.text.push('…'));
    }
    let left_out = new.iter().map(Vec::len).sum::<usize>() - shown.len();
    let text = format!("▲ {left_out} more lines: l");
    let more = ToldLine { text, is_new: false, stands_out: false, goes_on: false };
    [more].into_iter().chain(shown).collect()
}

fn happened(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.heading(area, area.y, "What happened");
    let room = usize::from(area.height.saturating_sub(1));
    let lines = fitting(told_lines(&model.told, usize::from(area.width)), room);
    let dim = pen.colour(Style::new(), Some("dark"));
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        let style = if line.is_new { Style::new() } else { dim };
        let style = if line.stands_out && line.is_new { style.add_modifier(Modifier::BOLD) } else { style };
        pen.fitting(area.x, y, area.width, &line.text, style);
    }
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
    let names: Vec<&str> = names.collect();
    // Names of several words would run into each other.
    names.join(if names.iter().any(|name| name.contains(' ')) { ", " } else { " " })
}

/// The end, in lines.
fn end_lines(model: &Model, width: usize) -> Vec<String> {
    let end = model.end.iter().chain(&model.tasks);
    end.flat_map(|line| wrapped(line, width)).collect()
}

/// A line of answers: in columns, each with the place of its option and how it is written.
type AnswerLine = Vec<(Option<usize>, String)>;

/// The answers of a question in lines: when they do not fit, what is told of an answer stands beside it, or
/// below the selected one alone, and short answers stand side by side.
fn laid(model: &Model, question: &Question, selected: Option<usize>, width: usize, room: usize) -> Vec<AnswerLine> {
    let lines = answers(model, question, selected, width);
    if lines.len() > room { answers_close(model, question, selected, width) } else { lines }
}

/// The answers in lines, each with what is told of it below.
fn answers(model: &Model, question: &Question, selected: Option<usize>, width: usize) -> Vec<AnswerLine> {
    let is_where = question.is_where();
    let options = question.options.iter().enumerate().filter(|(_, option)| !is_where || !option.is_square);
    let mut lines: Vec<AnswerLine> = options
        .flat_map(|(n, option)| {
            let line = (Some(n), answer(model, option, selected == Some(n)));
            let told = told_of(option, width).into_iter().map(|line| (None, line));
            [line].into_iter().chain(told).map(|line| vec![line])
        })
        .collect();
    if is_where {
        lines.extend(wrapped(&squares_of(question), width).into_iter().map(|line| vec![(None, line)]));
    }
    lines
}

/// The same in fewer lines.
fn answers_close(model: &Model, question: &Question, selected: Option<usize>, width: usize) -> Vec<AnswerLine> {
    let is_where = question.is_where();
    let half = width / 2;
    let mut lines: Vec<AnswerLine> = Vec::new();
    for (n, option) in question.options.iter().enumerate().filter(|(_, option)| !is_where || !option.is_square) {
        let text = answer(model, option, selected == Some(n));
        let beside =
            if option.told.is_empty() { text.clone() } else { format!("{text} · {}", option.told.join(" · ")) };
        let long = beside.chars().count();
        match lines.last_mut() {
            Some(line) if line.len() == 1 && long <= half && line[0].0.is_some() && is_short(&line[0].1, half) => {
                line.push((Some(n), beside));
            }
            _ if long <= width => lines.push(vec![(Some(n), beside)]),
            _ => {
                lines.push(vec![(Some(n), text)]);
                let told = told_of(option, width).into_iter().filter(|_| selected == Some(n));
                lines.extend(told.map(|line| vec![(None, line)]));
            }
        }
    }
    if is_where {
        lines.extend(wrapped(&squares_of(question), width).into_iter().map(|line| vec![(None, line)]));
    }
    lines
}

fn is_short(text: &str, width: usize) -> bool {
    text.chars().count() <= width
}

/// An answer with its number and, if it is more than a square, where it is.
fn answer(model: &Model, option: &Choosable, is_selected: bool) -> String {
    let square = option.square.filter(|_| !option.is_square);
    let square = square.and_then(|space| model.board.squares.iter().find(|square| square.space == space));
    let square = square.filter(|square| !square.called().eq_ignore_ascii_case(&option.label));
    let at = square.map_or_else(String::new, |square| format!(" ({})", square.called()));
    format!("{}{:>2} {}{at}", if is_selected { '>' } else { ' ' }, option.number, option.label)
}

fn ask(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let width = usize::from(area.width);
    let Some(question) = &model.question else {
        pen.heading(area, area.y, "The end");
        let told = wrapped(&model.end.clone().unwrap_or_default(), width).len();
        for (n, (y, line)) in (area.y + 1..area.bottom()).zip(end_lines(model, width)).enumerate() {
            pen.text(area.x, y, area.width, &line, if n < told { bold } else { Style::new() });
        }
        return;
    };
    pen.heading(area, area.y, if question.is_tie { "A tie" } else { "" });
    let mut y = area.y + 1;
    for line in wrapped(&asked_text(question), width) {
        pen.text(area.x, y, area.width, &line, bold);
        y += 1;
    }
    let room = usize::from(area.bottom().saturating_sub(y));
    let selected = pen.ui.selected;
    let lines = laid(model, question, selected, width, room);
    let at = lines.iter().position(|line| line.iter().any(|(n, _)| n.is_some() && *n == selected)).unwrap_or(0);
    let top = scrolled(at, lines.len(), room);
    let hidden = |lines: &[AnswerLine]| lines.iter().flatten().filter(|(n, _)| n.is_some()).count();
    let is_cut = (top > 0, lines.len() > top + room);
    let keys = if question.is_where() { ["Tab", "Tab"] } else { ["PgUp", "PgDn"] };
    let mark = bold.patch(pen.colour(Style::new(), Some("bright_yellow")));
    for (n, line) in lines.iter().skip(top).take(room).enumerate() {
        // A line that stands for those that do not fit.
        let stands_for = match n {
            0 if is_cut.0 => Some(("▲", hidden(&lines[..=top]), keys[0])),
            n if n + 1 == room && is_cut.1 => Some(("▼", hidden(&lines[top + n..]), keys[1])),
            _ => None,
        };
        if let Some((sign, n, key)) = stands_for {
            let n = if n == 0 { "more".into() } else { format!("{n} more") };
            pen.fitting(area.x, y, area.width, &format!("{sign} {n}: {key}"), mark);
        } else {
            let half = if line.len() > 1 { area.width / 2 } else { area.width };
            for (column, (n, text)) in (0..).zip(line) {
                let is_selected = n.is_some() && *n == selected;
                let style = if is_selected { bold.add_modifier(Modifier::REVERSED) } else { Style::new() };
                pen.fitting(area.x + column * half, y, half, text, style);
            }
        }
        y += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{ToldLine, fitting};

    #[test]
    fn what_stands_out_is_kept_when_there_is_no_room_for_all() {
        let line = |text: &str, stands_out| ToldLine { text: text.into(), is_new: true, stands_out, goes_on: false };
        let lines = vec![line("a", true), line("b", false), line("c", false), line("d", true), line("e", false)];
        let texts = |room| fitting(lines.clone(), room).into_iter().map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(texts(5), ["a", "b", "c", "d", "e"]);
        assert_eq!(texts(4), ["▲ 2 more lines: l", "a", "d", "e"]);
        assert_eq!(texts(3), ["▲ 3 more lines: l", "d", "e"]);
    }

    #[test]
    fn nothing_that_is_told_begins_in_its_middle() {
        let line = |text: &str, is_new, goes_on| ToldLine { text: text.into(), is_new, stands_out: false, goes_on };
        let mut lines = vec![line("a", false, false), line("a2", false, true), line("b", true, false)];
        let texts = |lines: &[ToldLine], room| {
            fitting(lines.to_vec(), room).into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(&lines, 3), ["a", "a2", "b"]);
        assert_eq!(texts(&lines, 2), ["b"]);
        lines.extend([line("b2", true, true), line("b3", true, true), line("c", true, false)]);
        assert_eq!(texts(&lines, 3), ["▲ 3 more lines: l", "c"]);
        lines.pop();
        assert_eq!(texts(&lines, 3), ["b", "b2", "b3"]);
        assert_eq!(texts(&lines, 2), ["▲ 2 more lines: l", "b…"]);
    }
}
