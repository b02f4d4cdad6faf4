//! Ids of records as values: what `names` says of stats, properties and data is checked, in a
//! patch too.

use super::{check, defects, loaded, one, pack, packs, records::mission};

const BASE: &str = "data:\n  arms: {doc: A, fields: {reach: int}}\n  sets: {doc: S, fields: {holds: map}, names: {pieces: kinds}}\n\
                    arms:\n  lance: {reach: 2}\n  sling: {reach: 5}\n\
                    stats:\n  best: {type: name, names: arms, doc: B}\n  all: {type: 'list<name>', names: arms, doc: A}\n  \
                    sides: {type: map, names: {arms: arms, guards: kinds}, doc: S}\n";

fn with(kind: &str) -> String {
    format!("{BASE}kinds:\n  pawn: {{name: Pawn, {kind}}}\n")
}

#[test]
fn a_value_names_a_record_of_its_section() {
    loaded(&packs(&[(
        "core",
        &with("best: lance, all: [lance, sling], stats: {sides: {a: {arms: {sling: 2}, guards: [pawn]}}}"),
    )]));
    let place = "reference.unknown core/more.yaml:12";
    check(&with("best: lanse"), place, "best of pawn: there is no lanse in arms", "did you mean lance?");
    check(&with("all: [sling, slin]"), place, "all of pawn: there is no slin", "did you mean sling?");
    check(&with("stats: {sides: {a: {arms: [lanc]}}}"), place, "no lanc in arms", "did you mean lance?");
    check(&with("sides: {b: {arms: {slimg: 2}}}"), place, "no slimg in arms", "did you mean sling?");
    check(&with("sides: {b: {guards: [tower]}}"), place, "no tower in kinds", "`kinds` has: pawn");
}

#[test]
fn defaults_data_missions_and_declarations_are_checked() {
    let file = |line: usize| format!("reference.unknown core/more.yaml:{line}");
    let property = |text: &str| format!("{BASE}properties:\n  hand: {text}\n");
    check(&property("{type: name, names: arms, default: bow}"), &file(12), "the default of hand", "lance, sling");
    check(&property("{type: name, names: arm}"), &file(12), "no section arm", "did you mean arms?");
    check(&property("{type: name, names: [arms]}"), "field.type core/more.yaml:12", "a list where a section", "");
    check(
        &format!("{BASE}sets:\n  s: {{holds: {{x: {{pieces: [paw]}}}}}}\n"),
        &file(12),
        "s: there is no paw",
        "kinds",
    );
    let game = mission("{kind: rook, at: a1, hand: bow}", BASE);
    let game = game.replace("properties: {", "properties: {hand: {type: name, names: arms}, ");
    check(&game, &file(7), "hand of m: there is no bow in arms", "lance, sling");
}

#[test]
fn a_patch_that_brings_a_misspelt_id_is_told_where_it_stands() {
    let patched = |patch: &str| {
        let mut all = packs(&[("core", &*with("best: lance, sides: {a: {arms: [lance]}}"))]);
        let text = format!("patches:\n  it:\n    source: {{house: it}}\n    {patch}\n");
        all.push(pack("more", &[("patch.yaml", &text)]));
        defects(&all)
    };
    assert!(patched("target: kinds.pawn.sides.a.arms\n    add: [sling]").is_empty());
    let place = "reference.unknown more/patch.yaml:5";
    let added = patched("target: kinds.pawn.sides.a.arms\n    add: [sligg]");
    one(&added, place, "sides of pawn: there is no sligg in arms", "did you mean sling?");
    one(&patched("target: kinds.pawn.best\n    set: lamce"), place, "no lamce in arms", "did you mean lance?");
}
