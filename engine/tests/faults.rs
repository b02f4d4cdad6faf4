//! A script that goes wrong in a game: the answer that led to it does not count, the table is as
//! before, and the fault names file, line and way.

use sandtable::{
    content::Overlay,
    kernel::World,
    rules,
    script::with_stack,
    table::{AnswerFault, Settings, Table},
};

const GAME: &str = r#"
seats: {white: {name: White}}
properties: {n: {of: table, type: int, min: 0, max: 40}}
invariants: {lucky: {holds: 'table("n") != 13', doc: nobody counts to thirteen}}
events:
  counted: {doc: One more., fields: {n: int}, effects: [{set: {table.n: n}}]}
  called: {doc: A call., fields: {}, effects: []}
  echoed: {doc: Its echo., fields: {}, effects: []}
hooks:
  echo: {on: called, run: 'deeds::echo()'}
  recall: {on: echoed, run: 'deeds::recall()'}
choices:
  deed: {from: '["well", "loop", "deep", "grow", "text", "caught", "kind", "cycle", "flood", "dry", "many", "split", "split_more", "beyond", "unlucky"]'}
terms:
  none_of: {args: [n], is: '1 / n'}
  shares: {is: 'none_of(0) + 1'}
phases:
  game: {phases: [turn], again: 'true'}
  turn: {step: 'deeds::act()'}
legends: {l: {cells: {'.': [plain]}}}
movement: {foot: {cells: {plain: 1}}}
tiles: {t: {name: T, legend: l, cells: "..\n..", source: {house: a test}}}
missions: {m: {name: M, briefing: B, order: 1, source: {house: a test}, tiles: [[t]]}}
"#;

const DEEDS: &str = r#"
fn act() {
    let deed = choose("deed");
    emit("counted", #{ n: table("n") + 1 });
    if deed == "loop" { while true { } }
    if deed == "deep" { deeper(1); }
    if deed == "grow" { let list = [1]; while true { list += list; } }
    if deed == "text" { let text = "ab"; while true { text += text; } }
    if deed == "caught" { try { emit("un" + "heard"); } catch { } }
    if deed == "kind" { emit("counted", #{ n: "many" }); }
    if deed == "cycle" { emit("called"); }
    if deed == "flood" { let i = 0; while true { emit("counted", #{ n: i % 10 }); i += 1; } }
    if deed == "dry" { roll("dice", 5000, 6); }
    if deed == "many" { roll("dice", 1, 9223372036854775807); }
    if deed == "split" { none_of(range(0, 3)[0]); }
    if deed == "split_more" { shares(); }
    if deed == "beyond" { emit("counted", #{ n: 41 }); }
    if deed == "unlucky" { emit("counted", #{ n: 13 }); }
}

fn deeper(n) { deeper(n + 1) + 1 }
fn echo() { emit("echoed"); }
fn recall() { emit("called"); }
"#;

fn table() -> Table {
    let files = [("game.yaml", GAME), ("deeds.rhai", DEEDS)].map(|(path, text)| (path.to_string(), text.to_string()));
    let pack = Overlay { pack: "core".into(), files: files.to_vec() };
    let game = rules::load_with(&[], "chess", &[], &[pack]).unwrap_or_else(|defects| panic!("{defects}"));
    let table = Table::start(&game, Settings::new("m", 1)).expect("it starts");
    table.advance().expect("it runs");
    table
}

#[test]
fn a_fault_takes_its_answer_back_and_names_file_line_and_way() {
    let faults: [(&str, &[&str]); 14] = [
        ("loop", &["operations", "deeds.rhai", "deeds::act"]),
        ("deep", &["48 calls inside each other", "deeds::act"]),
        ("grow", &["deeds.rhai", "deeds::act"]),
        ("text", &["deeds.rhai", "deeds::act"]),
        ("caught", &["unheard", "deeds.rhai:9"]),
        ("many", &["numbers from 0 to 4294967295"]),
        (
            "split",
            &[
                "`/` by zero",
                "in terms.none_of, content/chess/core/game.yaml:15",
                "in deeds::act, scripts/chess/core/deeds.rhai:15",
            ],
        ),
        (
            "split_more",
            &["terms.none_of, ", ":15", "in terms.shares, content/chess/core/game.yaml:16", "deeds.rhai:16"],
        ),
        ("kind", &["field n is name where int was declared", "deeds.rhai:10"]),
        (
            "cycle",
            &[
                "trigger each other",
                "hooks.echo (deeds::echo), hooks.recall (deeds::recall), hooks.echo (deeds::echo) again",
            ],
        ),
        ("beyond", &["counted", "n", "41", "40"]),
        ("unlucky", &["invariants.lucky is broken: nobody counts to thirteen"]),
        ("flood", &["20000", "deeds::act"]),
        ("dry", &["5000", "dice", "deeds.rhai:13"]),
    ];
    with_stack(|| {
        let table = table();
        table.answer("well", 0).expect("it runs");
        for (deed, words) in faults {
            let (world, open, n) = (table.with_world(World::hash), table.open(), table.n_answers());
            let message = match table.answer(deed, 0) {
                Err(AnswerFault::Fault(fault)) => fault.to_string(),
                other => panic!("{deed}: {other:?}"),
            };
            for word in words {
                assert!(message.contains(word), "{deed}: `{word}` is not in: {message}");
            }
            assert_eq!(table.with_world(World::hash), world, "{deed}");
            assert_eq!((table.open(), table.n_answers()), (open, n), "{deed}");
        }
        table.answer("well", 0).expect("the table goes on");
        assert_eq!(table.n_answers(), 2);
    });
}
