//! What declarations ask of records: words, ids, keys of maps, stats that a tag needs; and conditions that ask for
//! what is never there.

use super::{check, loaded, pack, packs, records::mission};

#[test]
fn a_field_of_words_has_one_of_them() {
    let text = |word: &str| {
        format!(
            "data:\n  ground: {{doc: G, fields: {{side: name}}, names: {{side: [red, blue]}}}}\nground:\n  marsh: {{side: {word}}}\n"
        )
    };
    loaded(&packs(&[("core", &text("red"))]));
    check(&text("bleu"), "reference.unknown core/more.yaml:4", "bleu is none of red, blue", "did you mean blue?");
    check(&text("green"), "reference.unknown core/more.yaml:4", "green is none of", "write one of: red, blue");
}

#[test]
fn records_of_a_table_of_kinds_are_named_as_kinds() {
    let text = |id: &str| {
        format!(
            "kinds: {{rook: {{name: R}}}}\ndata:\n  mix: {{doc: M, fields: {{many: bool}}, ids: kinds}}\nmix:\n  {id}: {{many: true}}\n"
        )
    };
    loaded(&packs(&[("core", &text("rook"))]));
    check(&text("rok"), "reference.unknown core/more.yaml:5", "mix: there is no rok in kinds", "did you mean rook?");
}

const STATS: &str = "stats:\n  worth: {type: int, needed_by: [piece], doc: W}\n  \
    brings: {type: map, keys: {won: {gold: int, why: name?}, lost: {gold: int}}, doc: B}\n";

#[test]
fn what_everything_with_a_tag_needs_is_missed_at_the_kind() {
    let text = |worth: &str| {
        format!(
            "{STATS}kinds:\n  rook: {{name: R, tags: [piece]{worth}, source: {{house: h}}}}\n  hut: {{name: H, tags: [house]}}\n"
        )
    };
    loaded(&packs(&[("core", &text(", worth: 5"))]));
    check(&text(""), "stat.needed core/more.yaml:5", "rook has no worth, which everything with the tag piece", "add");
}

#[test]
fn a_map_has_the_keys_that_are_declared() {
    let text = |brings: &str| format!("{STATS}kinds:\n  rook: {{name: R, brings: {brings}, source: {{house: h}}}}\n");
    loaded(&packs(&[("core", &text("{won: {gold: 1}, lost: {gold: 0}}"))]));
    let place = |code: &str| format!("{code} core/more.yaml:5");
    for (brings, code, message, help) in [
        ("{win: {gold: 1}, lost: {gold: 0}}", "field.unknown", "brings of rook has no key win", "did you mean won?"),
        ("{won: {gold: 1, silver: 2}, lost: {gold: 0}}", "field.unknown", "won of brings", "keys here: gold, why"),
        ("{won: {gold: 1}}", "field.missing", "brings of rook lacks lost", "add `lost:`"),
        ("{won: {gold: x}, lost: {gold: 0}}", "field.type", "text where int was expected", "write int"),
        ("{won: 5, lost: {gold: 0}}", "field.type", "a number where a map was expected", "gold, why"),
    ] {
        check(&text(brings), &place(code), message, help);
    }
    check(
        "stats:\n  w: {type: int, keys: {a: int}, doc: W}\n",
        "bounds core/more.yaml:2",
        "int has no keys",
        "only a map",
    );
}

/// What conditions ask for that is never there.
fn doubtful(condition: &str) -> Vec<String> {
    let text = format!(
        "properties:\n  mood: {{type: name, names: [calm, cross]}}\n  turn: {{of: table, type: name, names: [day, night]}}\n\
         kinds: {{rook: {{name: R}}}}\nevents:\n  met: {{doc: M, fields: {{piece: entity, who: name}}, names: {{who: kinds}}, effects: []}}\n\
         hooks:\n  h: {{on: met, when: '{condition}', run: x::f()}}\n"
    );
    super::warnings(&text).into_iter().filter(|warning| warning.starts_with("name.unknown")).collect()
}

#[test]
fn a_condition_that_asks_for_a_name_that_never_is_there_is_doubtful() {
    for fine in [
        "who == \"rook\" && piece.kind != \"rook\"",
        "piece.mood in [\"calm\", \"cross\"] || table(\"turn\") == \"day\"",
        "piece.key == \"anything\"",
    ] {
        assert_eq!(doubtful(fine), [""; 0], "{fine}");
    }
    for (condition, message) in [
        ("who == \"rok\"", "who is compared with rok, which is no record of `kinds`"),
        ("\"rok\" != piece.kind", "kind is compared with rok, which is no kind"),
        ("piece.mood in [\"calm\", \"crss\"]", "mood is compared with crss, which is none of the words"),
        ("table(\"turn\") == \"nigth\"", "turn is compared with nigth, which is none of the words"),
    ] {
        let found = doubtful(condition);
        assert!(found.len() == 1 && found[0].contains(message), "{condition}: {found:?}");
    }
}

#[test]
fn what_a_mission_would_leave_fits_what_is_passed_on() {
    let tried = |fact: &str, leaves: &str| {
        let legacy = format!(
            "legacy:\n  prize: {{type: map, keys: {{gold: int}}, default: {{gold: 0}}, leaves: '{leaves}', doc: P, source: {{house: h}}}}\n"
        );
        let text = mission("{kind: rook, at: a1}", &legacy).replace("units:", &format!("{fact}units:"));
        super::trials::tried_with(&[pack("core", &[("flow.yaml", super::GOOD), ("more.yaml", &text)])])
    };
    let given = "default(fact(\"prize\"), #{gold: 0})";
    assert!(tried("", given).is_empty() && tried("prize: {gold: 2}, ", given).is_empty());
    let found = tried("prize: none, ", given);
    super::one(&found, "mission.leaves core/more.yaml:7", "would leave name for prize, which is map", "legacy.prize");
    let found = tried("prize: {silver: 2, gold: 1}, ", given);
    super::one(&found, "field.unknown core/more.yaml:7", "what becomes prize has no key silver", "keys here: gold");
    // What an expression makes of it may have another shape.
    assert!(tried("prize: {gold: 1, silver: 2}, ", "#{gold: fact(\"prize\").gold}").is_empty());
}
