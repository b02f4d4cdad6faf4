//! Expressions that can never fit their place, reasons without a text, and records that come
//! back to themselves.

use super::{check, defects, fault_of, one, records::mission, scripted, warnings};

/// Content whose one expression is of the wrong type.
#[track_caller]
fn misfit(text: &str, line: usize, message: &str) {
    let found = defects(&scripted(text));
    one(&found, &format!("expression.type core/more.yaml:{line}"), message, "write a ");
}

#[test]
fn what_must_be_true_or_false_is() {
    let boolean = "where true or false is needed";
    let event = "events: {e: {doc: E, fields: {}}}\n";
    misfit(&format!("{event}hooks: {{h: {{on: e, when: 3, run: 'x::f()'}}}}\n"), 2, "in `3`: a number where true");
    misfit("choices:\n  c: {from: [], where: [{if: '\"yes\"', else: no}]}\n", 2, "a name where true or false");
    misfit("phases:\n  late: {when: 5}\n", 2, boolean);
    misfit("phases:\n  late: {again: '1 + 1'}\n", 2, boolean);
    misfit("invariants:\n  calm: {holds: '[1]', doc: x}\n", 2, "a list where true or false");
    misfit("mission_checks:\n  calm: {holds: 1, says: x, level: error}\n", 2, boolean);
    misfit("windows:\n  w: {opens: 2, from: []}\n", 2, boolean);
    misfit("values:\n  v: {base: 0, parts: {a: {when: 1, amount: 1}}}\n", 2, boolean);
    misfit("actions:\n  a: {menu: m, name: A, run: 'x::f()', when: [{if: 'len([])', else: no}]}\n", 2, "in `len([])`");
}

#[test]
fn operands_terms_and_properties_have_types_too() {
    let condition = |text: &str| format!("choices:\n  c: {{from: [], where: [{{if: '{text}', else: no}}]}}\n");
    misfit(&condition("true && 3"), 2, "at 9: a number where true or false");
    misfit(&condition("!4"), 2, "a number where true or false");
    misfit(&condition("[1].filter(x, 2).is_empty()"), 2, "a number where true or false");
    misfit(&condition("(3 in [3]) > 1"), 2, "true or false where a number");
    misfit(&condition("if 1 { true } else { false }"), 2, "a number where true or false");
    misfit(&condition("all(\"rook\")"), 2, "a list where true or false");
    let term = "terms:\n  far: {args: [], is: '1 + len([])', doc: x}\n";
    misfit(&(condition("far()") + term), 2, "a number where true or false");
    misfit(&(condition("it.worth") + "properties:\n  worth: {type: int}\n"), 2, "a number where true or false");
    misfit("choices:\n  c: {from: 7}\n", 2, "in `7`: a number where a list is needed");
    misfit("values:\n  v: {base: 'true'}\n", 2, "true or false where a number");
    misfit("phases:\n  late: {each: {as: x, in: 4, phase: game}}\n", 2, "a number where a list");
}

#[test]
fn a_reason_without_a_text_is_a_warning() {
    let text = "choices:\n  c: {from: [], where: [{if: 'true', else: too_far}, {if: 'true', else: too_far}]}\n";
    assert_eq!(warnings(text), ["text.missing content/chess/core/more.yaml:2:44: the reason too_far has no text"]);
    assert!(warnings(&format!("{text}texts: {{too_far: it is too far away}}\n")).is_empty());
}

#[test]
fn terms_that_use_each_other_for_ever_are_told() {
    let term = |text: &str| format!("terms:\n{text}");
    let endless = "  a: {args: [n], is: 'b(n - 1)', doc: x}\n  b: {args: [n], is: 'a(n) + 1', doc: x}\n";
    check(&term(endless), "term.circle core/more.yaml:2", "terms.a > terms.b > terms.a use each other", "let an `if`");
    let doubtful = "  a: {args: [n], is: 'n > 0 && b(n)', doc: x}\n  b: {args: [n], is: 'a(n)', doc: x}\n";
    let found = warnings(&term(doubtful));
    assert!(found.len() == 1 && found[0].contains("terms.a > terms.b > terms.a may use each other"), "{found:?}");
    let ends = term(&doubtful.replace("b(n)", "b(n - 1)"));
    assert!(!warnings(&ends).iter().any(|warning| warning.starts_with("term.circle")), "what gets smaller ends");
    let value = "values:\n  v: {args: [], base: 't()'}\nterms:\n  t: {args: [], is: 'value(\"v\").total', doc: x}\n";
    check(value, "term.circle core/more.yaml:4", "terms.t > values.v > terms.t", "let an `if`");
}

#[test]
fn terms_that_do_not_end_in_play_are_named_as_a_circle() {
    let text = "phases: {game: {when: 'far(1)'}}\nterms:\n  far: {args: [n], is: 'a(n)', doc: x}\n  \
                a: {args: [n], is: 'n > 0 && b(n - 0)', doc: x}\n  b: {args: [n], is: 'a(n)', doc: x}\n";
    let fault = fault_of(&format!("{text}{}", mission("", "")), "m");
    assert!(fault.contains("records use each other more than 32 deep: a > b > a"), "{fault}");
}

#[test]
fn phases_that_contain_each_other_are_told_and_stopped() {
    let circle = "phases:\n  round: {phases: [turn]}\n  turn: {phases: [late, round]}\n  late: {}\n";
    check(circle, "phase.circle core/more.yaml:2", "round > turn > round contain each other", "`again`");
    let text =
        "phases:\n  game: {phases: [turn]}\n  turn: {when: '1 > 0', phases: [round]}\n  round: {phases: [turn]}\n";
    let fault = fault_of(&format!("{text}{}", mission("", "")), "m");
    assert!(fault.contains("more than 64 deep: ") && fault.contains("round > turn > round"), "{fault}");
}

#[test]
fn whether_a_phase_runs_again_is_true_or_false_in_play_too() {
    let text = "phases: {game: {again: 'fact(\"nothing\")'}}\n";
    let fault = fault_of(&format!("{text}{}", mission("", "")), "m");
    assert!(fault.contains("phases.game") && fault.contains("a bool, not none"), "{fault}");
}

#[test]
fn what_expressions_name_is_there() {
    let term = |text: &str| format!("terms:\n  t: {{args: [], is: '{text}', doc: x}}\n");
    let place = "reference.unknown core/more.yaml:2";
    let value = "values:\n  range: {base: 0}\n";
    check(&(term("value(\"rnge\").total") + value), place, "there is no value rnge", "did you mean range?");
    check(&term("options(\"step\")"), place, "there is no choice step", "write it in the content");
    check(&term("pile(\"deck\")"), place, "there is no zone deck", "write it in the content");
    let table = "properties:\n  rounds: {of: table, type: int}\n";
    check(&(term("table(\"ronds\")") + table), place, "no property of the table ronds", "did you mean rounds?");
}
