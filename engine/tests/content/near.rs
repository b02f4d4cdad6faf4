//! What is written nearly right: events that hooks and cases wait for, calls that a comma cuts,
//! fields of missions.

use sandtable::testkit::Kit;

use super::{check, one, records::mission, root, shown, warnings};

const EVENT: &str = "events: {fell: {doc: F, fields: {unit: entity, to: space}, effects: []}}\n";

#[test]
fn of_a_hook_on_an_unknown_event_nothing_else_is_told() {
    let hook = "hooks:\n  fall: {on: fel, when: unit.alive, run: 'x::f(unit)'}\n";
    check(&format!("{EVENT}{hook}"), "reference.unknown core/more.yaml:3", "fall waits for fel", "did you mean fell?");
}

#[test]
fn a_call_that_a_comma_cuts_is_to_be_quoted() {
    let found = super::defects(&super::packs(&[(
        "core",
        &format!("{EVENT}hooks: {{h: {{on: fell, run: x::f(to, unit)}}}}\n"),
    )]));
    assert!(found.iter().any(|defect| defect[0].starts_with("call ") && defect[2].contains("quote it")), "{found:#?}");
}

#[test]
fn a_field_of_a_mission_that_is_nearly_another_is_doubtful() {
    let found = warnings(&mission("", "  n: {base: m, order: 2, unit: []}\n"));
    let [only] = &found.iter().filter(|found| found.starts_with("fact.near")).collect::<Vec<_>>()[..] else {
        panic!("{found:?}")
    };
    assert!(only.contains("the fact unit, which nothing reads"), "{only}");
}

/// What a case with this line gives, whose scene stands on a drawn board.
fn case(test: &str, line: &str) -> Vec<[String; 3]> {
    let root = root(test, "more.yaml", mission("", EVENT).as_bytes());
    let tests = root.join("content/chess/core/tests");
    std::fs::create_dir_all(&tests).expect("a folder");
    let text = format!("scenes: {{s: {{mission: m}}}}\ncases:\n  c:\n    scene: s\n    expect: ['true']\n    {line}\n");
    std::fs::write(tests.join("c.yaml"), text).expect("a file");
    shown(Kit::load(&[root], "chess", &[]).map(|_| ()))
}

#[test]
fn a_case_names_events_and_fields_that_are_there() {
    let place = "test.event core/tests/c.yaml:6";
    assert!(case("event_right", "no_events: [fell unit=a, phase_ended]").is_empty());
    one(&case("event_kind", "no_events: [felt]"), place, "there is no event felt", "did you mean fell?");
    one(&case("event_field", "events: [fell unti=a]"), place, "fell has no field unti", "did you mean unit?");
    one(&case("event_word", "events: [fell a]"), place, "`a` is no `field=value`", "unit, to");
    one(&case("event_count", "count: {telefoned: 1}"), place, "no event telefoned", "show chess events");
}
