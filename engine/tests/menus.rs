//! Menus: an action is refused as soon as one of its questions could not be answered, whatever
//! the answers before it.

use sandtable::{
    content::Overlay,
    rules,
    script::with_stack,
    table::{Settings, Table},
};

const GAME: &str = r#"
seats: {white: {name: White}}
kinds: {pawn: {name: Pawn, tags: [pawn], source: {house: a test}}}
choices:
  gift: {from: '["pearl", "coin"]'}
  way: {args: [unit, from], from: '["ferry", "ford"]', where: [{if: 'from == "bank"', else: way_is_flooded}]}
actions:
  # The second question knows nothing of the first answer, and nothing answers it.
  carry:
    menu: deeds
    name: Carry
    asks: [{as: what, choice: gift, with: '#{}'}, {as: how, choice: way, with: '#{unit: unit, from: "marsh"}'}]
    run: deeds::done()
  # Here it hangs on the first answer, so that it is only asked when that is known.
  send:
    menu: deeds
    name: Send
    asks: [{as: what, choice: gift, with: '#{}'}, {as: how, choice: way, with: '#{unit: unit, from: what}'}]
    run: deeds::done()
  # It is not asked at all.
  keep:
    menu: deeds
    name: Keep
    asks: [{as: what, choice: gift, with: '#{}'}, {as: how, when: 'cost > 0', choice: way, with: '#{unit: unit, from: "marsh"}'}]
    run: deeds::done()
events: {arrived: {doc: It is there., fields: {}, effects: [{create: {kind: '"pawn"', key: '"pawn"', at: 'space("a1")'}}]}}
phases:
  game: {phases: [arrival, turn]}
  arrival: {step: 'deeds::arrive()'}
  turn: {step: 'deeds::act()'}
legends: {l: {cells: {'.': [plain]}}}
movement: {foot: {cells: {plain: 1}}}
tiles: {t: {name: T, legend: l, cells: "..\n..", source: {house: a test}}}
missions: {m: {name: M, briefing: B, order: 1, source: {house: a test}, tiles: [[t]]}}
"#;

const DEEDS: &str = r#"
fn arrive() { emit("arrived"); }
fn act() { menu("deeds", entity("pawn")); }
fn done() {}
"#;

#[test]
fn an_action_that_could_not_be_finished_is_refused() {
    with_stack(|| {
        let files =
            [("game.yaml", GAME), ("deeds.rhai", DEEDS)].map(|(path, text)| (path.to_string(), text.to_string()));
        let pack = Overlay { pack: "core".into(), files: files.to_vec() };
        let game = rules::load_with(&[], "chess", &[], &[pack]).unwrap_or_else(|defects| panic!("{defects}"));
        let table = Table::start(&game, Settings::new("m", 1)).expect("it starts");
        table.advance().expect("it runs");
        let choice = table.open().expect("a choice is open");
        let against = |id: &str| {
            let found = choice.candidates.iter().find(|candidate| candidate.id.as_str() == id).expect("a candidate");
            found.reasons.iter().map(|reason| reason.as_str().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(against("carry"), ["way_is_flooded"]);
        assert!(against("send").is_empty());
        assert!(against("keep").is_empty());
    });
}
