//! The line mode: answers a line, without control of the cursor. For screen readers, other programs
//! and tests.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _},
    path::Path,
};

use sandtable::{
    base::{SpaceId, Value},
    kernel::{Choice, Record},
    table::{
        Table,
        picture::{self, Told},
    },
};
use serde_json::{Value as Json, json};

use ratatui::crossterm::terminal;

use super::{
    begin::said,
    bot::end_json,
    canvas::{Canvas, Marks, Scale},
    input::{Input, Lines},
    model::{Model, seat_of, task_lines, told_of},
    session::Session,
    text::broken,
};
use crate::out;

const BANNER: &str = "\
A line answers: an option's number, its name, or the square of what it names. ?: what is asked and why not \
otherwise, m: the board, g: its marks, o: overlays, u: take back, h: help, q: quit";

const HELP: &str = "\
an option's number or name answers; an action keeps its number, whatever else is offered; several in
          a line answer the questions that follow; whoever types is asked before an answer that cannot be mended
?NAME     what an answer is, by which rule, or why it is none; `?` alone: what is not offered
@N NAME   answers only if the choice of record N is still open
options   says again what is asked
board     draws the board; so does `m`
marks     says what the marks of the board mean; so does `g`
where     says who and what is where
look SQ   says what is on a square; so does `x SQ`
show ID   names the squares of an overlay; `show` or `o` alone names the overlays
log       says again everything that happened; so does `l`
about     what the game and the mission are about
tasks     says what there is to do, and what of it is done
undo      takes back the last answer; so does `u`
ties      switches whether ties are decided for you
save      waits until the log is on the disk
quit      ends; the log goes on with `play --resume`; so does `q`
help      says this; so does `h`";

/// Plays until the end of the game or of the input; gives the exit code.
pub(super) fn play(session: &mut Session, lines: &Lines, as_json: bool) -> io::Result<u8> {
    // Answers that are sent by a program are meant.
    session.asks_before_grave = !as_json && io::stdin().is_terminal();
    let (mut shown, mut asked_at) = (session.told, None);
    if !as_json {
        talk(BANNER);
        if !session.table.is_campaign() {
            board(&session.table)?;
        }
    }
    loop {
        if let Err(fault) = session.write() {
            return Ok(said(&fault.to_string(), 1));
        }
        shown = if as_json { show_json(session, shown)? } else { show(&session.table, shown)? };
        session.told = shown;
        if let Some(end) = session.end() {
            if !as_json {
                tasks(&session.table).iter().try_for_each(|task| line(task))?;
                line(&end)?;
            }
            return Ok(0);
        }
        let Some(choice) = session.table.open().filter(|choice| !choice.wants_report) else { return Ok(0) };
        if !as_json && asked_at != Some(shown) {
            ask(&session.table, &choice)?;
            asked_at = Some(shown);
        }
        match lines.next(&mut session.journal) {
            Input::Line(Ok(text)) => {
                if carry_out(session, text.trim())? {
                    return Ok(0);
                }
            }
            Input::Line(Err(why)) => talk(&format!("refused: {why}")),
            Input::End | Input::Interrupted => {
                talk(&session.how_to_go_on());
                return Ok(0);
            }
            Input::Failed(error) => return Err(error),
        }
    }
}

/// Carries out a line of input; whether it was the last.
fn carry_out(session: &mut Session, text: &str) -> io::Result<bool> {
    let (word, rest) = text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim()));
    // A letter stands for its word, unless it is an answer itself.
    let is_answer = session.table.open().is_some_and(|choice| choice.candidate(word).is_some());
    let word = match word {
        word if is_answer => word,
        "h" => "help",
        "u" => "undo",
        "q" => "quit",
        "m" => "board",
        "g" => "marks",
        "o" => "show",
        "l" => "log",
        "x" => "look",
        "s" => "save",
        "t" => "ties",
        word => word,
    };
    match (word, rest) {
        ("ties", "") => talk(session.switch_ties()),
        ("save", "") => match session.journal.sync() {
            Ok(()) => talk(&format!("saved: {}", session.journal.path().display())),
            Err(fault) => return Err(io::Error::other(fault.to_string())),
        },
        ("quit", "") => {
            talk(&session.how_to_go_on());
            return Ok(true);
        }
        ("help", "") => talk(HELP),
        ("?", "") => session.not_offered().iter().for_each(|line| talk(line)),
        ("tasks", "") => tasks(&session.table).iter().try_for_each(|task| line(task))?,
        ("about", "") => about(session),
        ("marks", "") => {
            Model::new(session).marks().iter().for_each(|row| talk(row));
        }
        ("options", "") => {
            if let Some(choice) = session.table.open() {
                ask(&session.table, &choice)?;
            }
        }
        ("board", "") => board(&session.table)?,
        ("where", "") => positions(session)?,
        ("log", "") => {
            show(&session.table, 0)?;
        }
        ("look", "") => talk("look SQUARE says what is on a square; where says who is where"),
        ("look", square) => match square_named(&session.table, square) {
            Some(space) => line(&Model::new(session).look(space))?,
            None => talk(&format!("refused: there is no square {square}")),
        },
        ("show", id) => show_overlay(session, id)?,
        ("undo", "") => {
            if let Err(why) = session.undo() {
                talk(&why);
            }
        }
        _ => reply(session, text),
    }
    Ok(false)
}

/// An answer, or a question about one.
fn reply(session: &mut Session, text: &str) {
    if let Some(id) = text.strip_prefix('?') {
        return session.explain(id.trim()).iter().for_each(|line| talk(line));
    }
    let mut text = text;
    if let Some((at, rest)) = text.strip_prefix('@').and_then(|text| text.split_once(' ')) {
        let now = session.at();
        if at.parse() != Ok(now) {
            return talk(&format!("refused: the choice @{at} is not open; the open one is @{now}"));
        }
        text = rest.trim();
    }
    if let Err(why) = session.answer_words(text) {
        talk(&why);
    }
}

fn about(session: &Session) {
    let model = Model::new(session);
    for (title, text) in &model.help {
        talk(&format!("{title}\n{text}\n"));
    }
}

fn tasks(table: &Table) -> Vec<String> {
    task_lines(table, table.open().map_or_else(|| seat_of(table), |choice| choice.seat))
}

fn board(table: &Table) -> io::Result<()> {
    // The board is drawn as it is: its lines are never broken.
    let canvas = Canvas::new(&picture::board(table), Scale::Small, &Marks::default());
    canvas.lines().iter().try_for_each(|row| out::line(row))
}

/// Text in lines between words, where a terminal would break them anywhere.
fn in_lines(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let lines = text.lines().flat_map(|line| broken(line, width.max(20), true));
    lines.collect::<Vec<_>>().join("\n")
}

fn width_of(is_terminal: bool) -> Option<usize> {
    if is_terminal { terminal::size().ok().map(|(width, _)| width.into()) } else { None }
}

fn line(text: &str) -> io::Result<()> {
    out::line(&in_lines(text, width_of(io::stdout().is_terminal())))
}

fn talk(text: &str) {
    out::talk(&in_lines(text, width_of(io::stderr().is_terminal())));
}

fn square_named(table: &Table, name: &str) -> Option<SpaceId> {
    table.instance().setting.board.space(name)
}

/// Every square on which something stands, in words.
fn positions(session: &Session) -> io::Result<()> {
    let model = Model::new(session);
    let taken = model.board.squares.iter().filter(|square| !square.figures.is_empty());
    taken.map(|square| model.look(square.space)).try_for_each(|text| line(&text))
}

fn show_overlay(session: &Session, text: &str) -> io::Result<()> {
    let table = &session.table;
    let (id, square) = text.split_once(' ').map_or((text, None), |(id, square)| (id, Some(square.trim())));
    let overlays = &table.game().overlays;
    let Some((id, overlay)) = overlays.iter().find(|(known, _)| known.as_str() == id) else {
        for (id, overlay) in overlays {
            talk(&format!("show {id}  {}", overlay.doc));
        }
        return Ok(());
    };
    let unit = Model::new(session).subject;
    let place = square.and_then(|square| square_named(table, square));
    let place = place.or_else(|| unit.as_ref().and_then(|unit| unit.square));
    let shown = Model::shown(session, *id, unit.map(|unit| unit.entity), place);
    line(&format!("{}: {}", overlay.title, overlay.doc))?;
    let mut by_thing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    table.with_seen_world(|world| {
        for (space, things) in &shown {
            let name = picture::title_of_space(table, *space);
            if things.is_empty() {
                by_thing.entry(String::new()).or_default().push(name.clone());
            }
            for thing in things {
                by_thing.entry(picture::title(table, world, *thing)).or_default().push(name.clone());
            }
        }
    });
    by_thing.into_iter().try_for_each(|(thing, squares)| {
        let gap = if squares.iter().any(|name| name.contains(' ')) { ", " } else { " " };
        let thing = if thing.is_empty() { thing } else { format!("{thing}: ") };
        line(&format!("  {thing}{}", squares.join(gap)))
    })
}

/// What happened from record `from` on, in sentences.
pub(super) fn sentences(table: &Table, from: usize) -> Vec<String> {
    let told = picture::told(table, from).into_iter().filter_map(|it| match it {
        Told::Event { text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

/// Tells what happened from record `from` on.
pub(super) fn show(table: &Table, from: usize) -> io::Result<usize> {
    for it in picture::told(table, from) {
        match it {
            Told::Phase { number, text } => line(&format!("{number} -- {text}"))?,
            // A sentence that content does not give begins with its number already.
            Told::Event { number, text, .. } if text.starts_with(&format!("{number} ")) => line(&text)?,
            Told::Event { number, text, .. } | Told::Only { number, text } => line(&format!("{number} {text}"))?,
            Told::Answer { .. } => {}
        }
    }
    Ok(table.with_records(<[Record]>::len))
}

/// Says what is asked, and about whom.
fn ask(table: &Table, choice: &Choice) -> io::Result<()> {
    let about = subject(table, choice);
    for state in about.iter().filter_map(|(_, _, state)| state.as_ref()) {
        line(state)?;
    }
    let about: Vec<String> = about.iter().map(|(arg, id, _)| format!("{}: {id}", arg.replace('_', " "))).collect();
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    let at = table.with_records(<[Record]>::len);
    line(&format!("@{at} {}: {}{about}", choice.seat, table.text(&choice.prompt)))?;
    for (number, option) in picture::numbered(table, choice) {
        let (label, _) = picture::label(table, choice, option);
        let cost = picture::cost_of(table, choice, option.id).filter(|cost| *cost > 0);
        let label = if label.eq_ignore_ascii_case(&option.id.replace('_', " ")) { String::new() } else { label };
        let said: Vec<String> = Some(label)
            .filter(|label| !label.is_empty())
            .into_iter()
            .chain(cost.map(|cost| format!("costs {cost}")))
            .chain(told_of(table, choice, option))
            .collect();
        let said = if said.is_empty() { String::new() } else { format!("  ({})", said.join(", ")) };
        line(&format!("  {number} {}{said}", option.id))?;
    }
    Ok(())
}

/// What a question is about: the argument, its id, and of an entity its state in a line.
fn subject(table: &Table, choice: &Choice) -> Vec<(String, String, Option<String>)> {
    let found = choice.about.iter().filter_map(|(arg, value)| match value {
        Value::Entity(entity) => {
            let id = table.with_known_world(choice.seat, |world| Some(world.entity(*entity)?.key.to_string()))?;
            let at = picture::square_of(table, *entity).map(|space| picture::title_of_space(table, space));
            let at = at.map_or_else(String::new, |at| format!(" at {at}"));
            let rows = picture::panel(table, choice.seat, *entity);
            let rows: Vec<String> = rows.iter().map(|row| format!("{} {}", row.title, row.text)).collect();
            let title = table.with_known_world(choice.seat, |world| picture::title(table, world, *entity));
            let rows = if rows.is_empty() { String::new() } else { format!(": {}", rows.join(", ")) };
            Some((arg.to_string(), id, Some(format!("{title}{at}{rows}"))))
        }
        Value::Name(text) => Some((arg.to_string(), text.to_string(), None)),
        _ => None,
    });
    found.collect()
}

/// One object: the events from record `from` on, and the open choice or the end.
fn show_json(session: &Session, from: usize) -> io::Result<usize> {
    let table = &session.table;
    let path: &Path = session.journal.path();
    let (events, at) = table.with_seen_world(|world| {
        table.with_records(|records| {
            let events: Vec<Json> = records
                .iter()
                .enumerate()
                .skip(from)
                .filter(|(_, record)| matches!(record, Record::Event { .. }))
                .map(|(number, record)| {
                    let event = world.seen_record(record).to_json(world)["event"].take();
                    json!({ "n": number + 1, "kind": event["kind"], "fields": event["fields"] })
                })
                .collect();
            (events, records.len())
        })
    });
    let choice = table.open().map(|choice| {
        let options: Vec<&str> = choice.options().map(|option| option.id.as_str()).collect();
        let about: BTreeMap<String, String> =
            subject(table, &choice).into_iter().map(|(arg, id, _)| (arg, id)).collect();
        let refused: Vec<Json> = choice
            .candidates
            .iter()
            .filter(|candidate| !candidate.reasons.is_empty())
            .map(|candidate| {
                let reasons: Vec<&str> = candidate.reasons.iter().map(|reason| reason.as_str()).collect();
                json!({ "id": candidate.id.as_str(), "reasons": reasons })
            })
            .collect();
        json!({
            "seat": choice.seat.as_str(), "prompt": choice.prompt.as_str(), "path": choice.path.as_str(),
            "tie": choice.tie, "about": about, "options": options, "refused": refused,
        })
    });
    let end = table.outcome().map(|_| end_json(table, path));
    out::line(&json!({ "at": at, "events": events, "choice": choice, "end": end }).to_string())?;
    Ok(at)
}
