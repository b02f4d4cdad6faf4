//! The toy as content and scripts gives the same logs as the toy in the kernel's tests: the
//! game's own log and those of both seats, against the same snapshots.

use std::{fs, path::PathBuf, sync::Arc};

use sandtable::{
    base::Value,
    kernel::{Choice, Record, World},
    rules::{self, Game},
    script::with_stack,
    table::{
        Settings, Table,
        log::{Line, LogWriter, fold_log, parse_log},
        replay, rerun,
    },
};

fn game() -> Arc<Game> {
    game_of("toy")
}

fn game_of(root: &str) -> Arc<Game> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(root);
    rules::load(&[path], root, &[]).unwrap_or_else(|defects| panic!("{defects}"))
}

fn toy() -> Table {
    let game = game();
    let table = Table::start(&game, Settings::new("toy", 7)).expect("the board is there");
    table.advance().expect("it starts");
    table
}

fn lines(records: &[Record], world: &World) -> String {
    records.iter().map(|record| format!("{}\n", record.to_json(world))).collect()
}

fn wanted(choice: &Choice) -> String {
    let has = |id: &str| choice.options().any(|option| option.id.as_str() == id);
    match choice.prompt.as_str() {
        "where" if has("a3") => "a3".into(),
        "where" => "a1".into(),
        _ => choice.options().next().expect("a choice has an option").id.to_string(),
    }
}

#[test]
fn the_toy_as_content_gives_the_logs_of_the_toy_in_rust() {
    with_stack(|| {
        let table = toy();
        for ms in 0..60 {
            let Some(choice) = table.open() else { break };
            assert_eq!(table.open_for(&choice.seat), Some(choice.clone()));
            table.answer_to(&choice.seat, &choice.path, &wanted(&choice), ms).expect("an option is legal");
        }
        assert_eq!(table.with_world(|world| world.outcome().clone()), Value::name("over"));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("toy/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            let all = table.with_world(|world| table.with_records(|records| lines(records, world)));
            insta::assert_snapshot!("table", all);
            for seat in ["red", "blue"] {
                insta::assert_snapshot!(seat, table.with_view(seat, |world, records| lines(records, world)));
            }
        });
    });
}

/// The log as it grows: in bytes, since a thing that is gone later has its name only now.
struct Logged {
    table: Table,
    writer: LogWriter,
    path: PathBuf,
    written: usize,
}

impl Logged {
    fn new() -> Self {
        let (table, path) = (toy(), PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toy-kept.jsonl"));
        let _ = fs::remove_file(&path);
        let writer = LogWriter::create(&path, &table.header()).expect("a new log");
        let mut logged = Self { table, writer, path, written: 0 };
        logged.write();
        logged
    }

    fn write(&mut self) {
        let Self { table, writer, written, .. } = self;
        table.with_world(|world| {
            table.with_records(|records| {
                writer.append(&records[*written..], world).expect("it is appended");
                *written = records.len();
            });
        });
    }
}

/// Does what a line of a log says that somebody did.
fn redo(table: &Table, line: &Line) {
    let text = |body: &serde_json::Value, key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let (kept, answered) = (line.json.get("kept"), line.json.get("answered"));
    if let Some(body) = kept.filter(|body| body.get("answer").is_none()) {
        return table.undo_as(&text(body, "seat")).expect("it could be taken back");
    }
    let given = answered.filter(|body| body["by"] == "seat" && !text(body, "path").contains('/'));
    if let Some(body) = kept.or(given) {
        let ms = body["ms"].as_u64().unwrap_or_default();
        let given = table.answer_to(&text(body, "seat"), &text(body, "path"), &text(body, "answer"), ms);
        given.expect("it is legal again");
    }
}

/// Wherever the process dies, the log goes on from there: who has answered in private is not
/// asked again, and every seat's log becomes the same.
#[test]
fn a_private_dialogue_goes_on_from_its_log() {
    with_stack(|| {
        let mut logged = Logged::new();
        for turn in 0..40 {
            let seats = ["red", "blue", "blue", "red"];
            let asked = (0..4).find_map(|more| logged.table.open_for(seats[(turn + more) % 4]));
            let Some(choice) = asked else { break };
            let is_private = choice.path.contains('/');
            let ms = if is_private { turn as u64 + 1 } else { 0 };
            logged.table.answer_to(&choice.seat, &choice.path, &wanted(&choice), ms).expect("an option is legal");
            logged.write();
            if turn % 3 == 0 && is_private && logged.table.check_undo(&choice.seat).is_ok() {
                logged.table.undo_as(&choice.seat).expect("it could be taken back");
                logged.write();
            }
        }
        let bytes = fs::read(&logged.path).expect("it is there");
        let whole = parse_log(&bytes).expect("it reads");
        let n_kept = whole.lines.iter().filter(|line| line.json.get("kept").is_some()).count();
        assert!(n_kept > 8, "{n_kept}");
        fold_log(&whole, None).expect("it folds");
        let verdict = rerun(&game(), &whole).expect("it starts");
        assert!(verdict.same, "{:?}", verdict.difference);
        let told = |table: &Table| ["red", "blue"].map(|seat| table.with_view(seat, |world, log| lines(log, world)));
        let mut starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let (header, mut n_alone) = (starts.next().expect("a header"), 0);
        let game = game();
        for end in [header].into_iter().chain(starts) {
            let log = parse_log(&bytes[..end]).expect("it reads");
            if log.cut.is_some() {
                continue;
            }
            let again = replay(&game, &log).expect("it starts");
            assert_eq!(again.compare(&log).difference, None, "{end}");
            let open = ["red", "blue"].map(|seat| again.table.open_for(seat).is_some());
            let is_in_dialogue = log.lines.last().is_some_and(|line| line.json.get("kept").is_some());
            n_alone += usize::from(is_in_dialogue && open[0] != open[1]);
            whole.lines[log.lines.len()..].iter().for_each(|line| redo(&again.table, line));
            assert_eq!(told(&again.table), told(&logged.table), "{end}");
            again.table.with_records(|again| {
                logged.table.with_records(|records| assert!(again == records, "{end}"));
            });
        }
        assert!(n_alone > 1, "one waits alone for the other only {n_alone} times");
    });
}

/// A menu, its further questions, and a tie are put to a seat in its own world: whatever blue
/// hides and notes, red reads and is offered the same.
#[test]
fn a_menu_and_a_tie_tell_a_seat_nothing_that_it_may_not_know() {
    with_stack(|| {
        let game = game_of("masked");
        let told = |gate: &str, note: &str, action: &str| {
            let table = Table::start(&game, Settings::new("masked", 7)).expect("the board is there");
            table.set_standing(false, false);
            table.advance().expect("it starts");
            let mut told = String::new();
            let mut prompts = Vec::new();
            while let Some(choice) = table.open() {
                let first = choice.options().next().expect("a choice has an option").id;
                let wanted = match choice.prompt.as_str() {
                    "place" => gate,
                    "note" => note,
                    "turn" => action,
                    _ => first.as_str(),
                };
                prompts.push(choice.prompt.to_string());
                told += &format!("{:?}\n", table.open_for("red"));
                table.answer_to(&choice.seat, &choice.path, wanted, 0).unwrap_or_else(|fault| panic!("{fault}"));
            }
            told += &table.with_view("red", |world, records| lines(records, world));
            (told, prompts.join(" "))
        };
        for (action, prompts) in [("creep", "place note turn where which"), ("wait", "place note turn which")] {
            let first = told("a3", "1", action);
            assert_eq!(first.1, prompts);
            assert!(first.0.contains("too_high"), "{}", first.0);
            for (gate, note) in [("a3", "2"), ("a3", "3"), ("a4", "1"), ("a4", "3")] {
                assert_eq!(told(gate, note, action), first, "{gate} {note}");
            }
        }
    });
}
