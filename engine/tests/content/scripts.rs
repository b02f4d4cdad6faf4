//! What is wrong with scripts and can be told before they run.

use super::{GOOD, defects, one, pack};

const RECORDS: &str = "properties: {mood: {type: name}, turn: {of: table, type: int}}\n\
    stats: {speed: {type: int, doc: S}}\nkinds: {rook: {name: R}}\n\
    terms: {spot: {is: '#{row: 1, column: 2}', doc: S, source: {house: h}}}\n";

/// What is wrong with a script.
fn found(body: &str) -> Vec<[String; 3]> {
    let script = format!("fn f(unit, rows) {{\n  {body}\n}}\n");
    let found = defects(&[pack("core", &[("flow.yaml", GOOD), ("more.yaml", RECORDS), ("x.rhai", &script)])]);
    let short = |text: String| text.replace("scripts/chess/core/", "");
    found.into_iter().map(|[place, message, help]| [short(place), message, help]).collect()
}

#[test]
fn a_property_that_nothing_has_is_told() {
    for fine in [
        "unit.mood; unit.speed; unit.at; unit.kind; rows.len",
        "let place = spot(); place.row + place.column",
        "let own = #{ deed: 1 }; own.more = 2; own.deed + own.more + own[\"other\"]; own.other",
        "for row in rows { let copy = row; copy.count = 1; rows.push(copy.count); }",
    ] {
        assert!(found(fine).is_empty(), "{fine}: {:?}", found(fine));
    }
    let misspelt = found("if unit.moood == \"calm\" { unit.at; }");
    one(&misspelt, "script.unknown_property x.rhai:2", "nothing has a property moood", "did you mean mood?");
    one(&found("unit.wings"), "script.unknown_property x.rhai:2", "property wings", "section `properties`");
}

#[test]
fn a_script_that_gives_a_property_a_value_is_told() {
    let place = "script.assigned x.rhai:2";
    for body in ["unit.mood = \"calm\";", "unit.speed += 1;", "unit.strange = 1;"] {
        one(&found(body), place, "of unit gets a value, but scripts change nothing", "`emit` an event");
    }
    one(&found("for it in all(\"rook\") { it.at = (); }"), place, "at of it gets a value", "`emit` an event");
    one(&found("let first = all(\"rook\")[0]; first.mood = \"calm\";"), place, "mood of first", "`emit` an event");
}
