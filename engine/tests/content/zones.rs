//! Piles that are made up again, and events that the engine has for them.

use sandtable::{
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
            let n = |zone: &str| world.zone(sandtable::base::name(zone)).map_or(0, <[_]>::len);
            assert_eq!((n("deck"), n("heap")), (2, 1));
            let shuffles = world.table(sandtable::base::name("shuffles")).and_then(sandtable::base::Value::as_int);
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
