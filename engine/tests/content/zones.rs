//! Piles that are made up again, and events that the engine has for them.

use sandtable::{
    base::name,
    kernel::Record,
    script::with_stack,
    table::{Settings, Table},
};

use super::{check, defects, loaded, pack, packs, scripted};

/// Two piles, the first of which is made up as this says.
fn refilled(refill: &str) -> String {
    format!("zones:\n  deck: {{refill: {{{refill}}}}}\n  heap: {{}}\n")
}

#[test]
fn a_pile_is_made_up_from_another_one() {
    assert!(defects(&packs(&[("core", &refilled("from: heap, when: 'it.alive'"))])).is_empty());
    check(&refilled("from: heep"), "reference.unknown core/more.yaml:2", "deck is made up from heep", "mean heap?");
    check(&refilled("from: deck"), "zone.refill core/more.yaml:2", "made up from itself", "name the zone where");
    check(&refilled("when: 'true'"), "field.missing core/more.yaml:2", "from", "from");
    check(&refilled("from: heap, when: 'it.'"), "expression core/more.yaml:2", "", "");
    check(&refilled("from: heap, when: 3"), "expression.type core/more.yaml:2", "where true or false", "write a ");
}

#[test]
fn the_events_of_piles_belong_to_the_engine() {
    let own = "events: {pile_ordered: {doc: E}}\nzones: {deck: {}}\n";
    check(own, "event.builtin core/more.yaml:1", "pile_ordered is an event that the engine has", "another name");
    assert!(defects(&packs(&[("core", "events: {pile_ordered: {doc: E}}\n")])).is_empty(), "without zones it is free");
    let hook = "zones: {deck: {}}\nhooks: {h: {on: pile_ordered, when: 'pile == \"deck\"', run: x::f()}}\n";
    assert!(defects(&scripted(hook)).is_empty());
}

#[test]
fn scripts_name_piles_that_are_there() {
    let found = |call: &str| {
        let script = format!("fn f() {{ {call}; }}");
        let more = refilled("from: heap");
        defects(&[pack("core", &[("flow.yaml", super::GOOD), ("more.yaml", &more), ("x.rhai", &script)])])
    };
    assert!(found("shuffle(\"deck\"); arrange(\"heap\", []); refill(\"deck\")").is_empty());
    let told = |call: &str, message: &str| {
        let found = found(call);
        assert!(found.len() == 1 && found[0][1].contains(message), "{message} is not in {found:#?}");
    };
    told("shuffle(\"dekc\")", "there is no zone dekc");
    told("arrange(\"heep\", [])", "there is no zone heep");
    told("refill(\"heap\")", "there is no zone with `refill` heap");
}

#[test]
fn only_an_empty_pile_is_made_up_and_only_by_what_may_go_back() {
    let content = "zones:\n  deck: {hidden: yes, refill: {from: heap, when: '!it.has(\"gate\")'}}\n  heap: {}\n\
        kinds: {pawn: {name: Pawn}, gate: {name: Gate}}\n\
        properties: {shuffles: {of: table, type: int}}\n\
        hooks: {counts: {on: pile_ordered, when: 'pile == \"deck\"', run: 'emit(\"counted\")'}}\n\
        events:\n  laid: {doc: d, fields: {kind: name}, effects: [{create: {kind: kind, in: heap}}]}\n\
        \x20 counted: {doc: d, effects: [{set: {table.shuffles: 'table(\"shuffles\") + 1'}}]}\n\
        legends: {plain: {cells: {'.': []}}}\ntiles: {strip: {name: Strip, legend: plain, cells: '.'}}\n\
        missions: {m: {order: 1, name: M, briefing: b, tiles: [[strip]]}}\n";
    let script = "fn f() { if refill(\"deck\") { throw \"nothing lies there\"; }\n\
        for kind in [\"pawn\", \"gate\", \"pawn\"] { emit(\"laid\", #{ kind: kind }); }\n\
        if !refill(\"deck\") || refill(\"deck\") { throw \"once\"; }\n\
        arrange(\"deck\", pile(\"deck\")); }";
    let flow = "phases: {game: {step: 'x::f()'}}\n";
    let game = loaded(&[pack("core", &[("flow.yaml", flow), ("more.yaml", content), ("x.rhai", script)])]);
    with_stack(|| {
        let table = Table::start(&game, Settings::new("m", 1)).expect("it starts");
        table.advance().unwrap_or_else(|fault| panic!("{fault}"));
        table.with_world(|world| {
            let n = |zone: &str| world.zone(name(zone)).map_or(0, <[_]>::len);
            assert_eq!((n("deck"), n("heap")), (2, 1));
            let shuffles = world.table(name("shuffles")).and_then(sandtable::base::Value::as_int);
            assert_eq!(shuffles, Some(2));
        });
    });
}

#[test]
fn the_events_of_piles_are_not_for_scripts_to_emit() {
    let content = "zones: {deck: {}}\nlegends: {plain: {cells: {'.': []}}}\n\
        tiles: {strip: {name: Strip, legend: plain, cells: '.'}}\n\
        missions: {m: {order: 1, name: M, briefing: b, tiles: [[strip]]}}\n";
    let script = "fn f() { emit(\"pile_ordered\", #{ pile: \"deck\", order: [] }); }";
    let flow = "phases: {game: {step: 'x::f()'}}\n";
    let game = loaded(&[pack("core", &[("flow.yaml", flow), ("more.yaml", content), ("x.rhai", script)])]);
    with_stack(|| {
        let table = Table::start(&game, Settings::new("m", 1)).expect("it starts");
        let fault = table.advance().expect_err("it fails").0;
        assert!(fault.contains("pile_ordered belongs to `shuffle`"), "{fault}");
    });
}

/// What each seat is told of a game in which a pile is made up and a card of it goes to blue's hand. The zones are
/// as these words say, the cards as these kinds, in the order in which they were laid aside.
fn told(zones: [&str; 2], kinds: [&str; 3], seed: u64) -> [String; 2] {
    let [deck, heap] = zones;
    let content = format!(
        "seats: {{red: {{secret: yes}}, blue: {{secret: yes}}}}\n\
         zones:\n  deck: {{refill: {{from: heap}}{deck}}}\n  heap: {{{heap}}}\n  hand: {{seen_by: blue}}\n\
         kinds: {{pawn: {{name: Pawn}}, gate: {{name: Gate}}, marsh: {{name: Marsh}}}}\n\
         events:\n  laid: {{doc: d, fields: {{kind: name}}, only: {{kind: []}}, effects: [{{create: {{kind: kind, in: heap}}}}]}}\n  \
         taken: {{doc: d, fields: {{card: entity}}, only: {{card: blue}}, effects: [{{put: {{entity: card, in: hand}}}}]}}\n\
         legends: {{plain: {{cells: {{'.': []}}}}}}\ntiles: {{strip: {{name: Strip, legend: plain, cells: '.'}}}}\n\
         missions: {{m: {{order: 1, name: M, briefing: b, tiles: [[strip]]}}}}\n"
    );
    let script = format!(
        "fn f() {{ for kind in {kinds:?} {{ emit(\"laid\", #{{ kind: kind }}); }}\n\
         if !refill(\"deck\") {{ throw \"it is made up\"; }}\n\
         emit(\"taken\", #{{ card: pile(\"deck\")[0] }}); }}"
    );
    let flow = "phases: {game: {step: 'x::f()'}}\n";
    let game = loaded(&[pack("core", &[("flow.yaml", flow), ("more.yaml", &content), ("x.rhai", &script)])]);
    with_stack(|| {
        let table = Table::start(&game, Settings::new("m", seed)).expect("it starts");
        table.advance().unwrap_or_else(|fault| panic!("{fault}"));
        table.with_records(|records| {
            let is = |record: &Record, of: &str| matches!(record, Record::Event { kind, .. } if kind.as_str() == of);
            for event in ["pile_refilled", "pile_ordered"] {
                assert_eq!(records.iter().filter(|record| is(record, event)).count(), 1, "{event}");
            }
        });
        assert_eq!(table.with_world(|world| world.zone(name("hand")).map(<[_]>::len)), Some(1));
        ["red", "blue"].map(|seat| {
            table.with_view(seat, |world, records| {
                records.iter().map(|record| format!("{}\n", record.to_json(world))).collect()
            })
        })
    })
}

#[test]
fn who_may_not_know_a_pile_is_not_told_how_it_was_made_up() {
    let (one, other) = (["pawn", "gate", "marsh"], ["marsh", "pawn", "gate"]);
    let hidden = ", hidden: yes";
    // Nobody knows either pile: neither seat is told what went back, nor in which order it lies now.
    let zones = [hidden, "hidden: yes"];
    let [red, _] = told(zones, one, 1);
    assert!(["pile_refilled", "pile_ordered", "taken"].iter().all(|event| red.contains(event)), "{red}");
    assert!(one.iter().all(|kind| !red.contains(kind)), "{red}");
    for (kinds, seed) in [(one, 2), (one, 3), (other, 1), (other, 2)] {
        assert_eq!(told(zones, kinds, seed)[0], red, "{kinds:?} {seed}");
    }
    // Blue alone knows both: he is told all of it, red is not.
    let zones = [", seen_by: blue", "seen_by: blue"];
    let [red, blue] = told(zones, one, 1);
    assert!(one.iter().all(|kind| !red.contains(kind) && blue.contains(kind)), "{red}{blue}");
    let others = [(one, 2), (one, 3), (other, 1), (other, 2)].map(|(kinds, seed)| told(zones, kinds, seed));
    assert!(others.iter().all(|it| it[0] == red), "{red}");
    assert!(others.iter().any(|it| it[1] != blue), "{blue}");
    // Everybody knows what was laid aside: what went back is told, and not in which order it lies now.
    let zones = [hidden, ""];
    let [red, _] = told(zones, one, 1);
    assert!(one.iter().all(|kind| red.contains(kind)), "{red}");
    assert!([2, 3, 4, 5].iter().all(|seed| told(zones, one, *seed)[0] == red), "{red}");
}
