//! Tests of the script host: what works, and what a script that means harm cannot do.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use super::*;
use crate::base::{EntityId, SpaceId, name};

fn source(namespace: &str, file: &str, text: &str) -> ScriptSource {
    ScriptSource { namespace: namespace.into(), file: file.into(), text: text.into() }
}

fn function(
    name: &str,
    args: (usize, usize),
    run: impl Fn(&[Value]) -> Result<Value, Stop> + 'static,
) -> ScriptFunction {
    ScriptFunction { name: name.into(), args, doc: FunctionDoc::default(), run: Rc::new(run) }
}

/// A host whose functions are `echo`, `pawn`, `size` (1 or 2 arguments), `wait`, `fail`
/// and `again(f, args...)`, which calls a script function.
fn built(sources: &[ScriptSource]) -> Result<Rc<ScriptHost>, Vec<ScriptDefect>> {
    let cell: Rc<RefCell<Weak<ScriptHost>>> = Rc::default();
    let held = Rc::clone(&cell);
    let functions = vec![
        function("echo", (1, 1), |args| Ok(args[0].clone())),
        function("pawn", (1, 1), |args| Ok(Value::Entity(EntityId(args[0].as_int().unwrap_or(0) as u32)))),
        function("size", (1, 2), |args| Ok(Value::Int(args.len() as i64))),
        function("wait", (0, 0), |_| Err(Stop::Suspended)),
        function("fail", (0, 0), |_| Err(Stop::fault("the gate is shut"))),
        function("again", (1, 3), move |args| {
            let host = held.borrow().upgrade().ok_or_else(|| Stop::fault("no host"))?;
            host.call(&args[0].as_name().unwrap_or_default(), &args[1..])
        }),
    ];
    let read = |owner: &Value, key: Name| match (owner, key.as_str()) {
        (Value::Entity(entity), "ap") => Ok(Value::Int(i64::from(entity.0) + 10)),
        (Value::Entity(_), "at") => Ok(Value::Space(SpaceId(4))),
        (Value::Space(_), "row") => Ok(Value::Int(7)),
        _ => Err(Stop::fault(format!("there is no property {key}"))),
    };
    // One is found at once, the others with a detour.
    let property = PropertyRead { names: vec![name("ap")], read: Rc::new(read) };
    let host = Rc::new(ScriptHost::new(sources, functions, property)?);
    *cell.borrow_mut() = Rc::downgrade(&host);
    Ok(host)
}

fn host(text: &str) -> Rc<ScriptHost> {
    built(&[source("red", "red.rhai", text)]).unwrap()
}

#[track_caller]
fn gives(text: &str, args: &[Value], expected: Value) {
    assert_eq!(host(text).call("red::f", args), Ok(expected));
}

/// The message of the defect or fault in which `text` ends.
#[track_caller]
fn ends(text: &str) -> String {
    let text = text.to_owned();
    with_stack(move || match built(&[source("red", "red.rhai", &text)]) {
        Err(defects) => {
            assert!(!defects[0].help.is_empty(), "{defects:?} has no remedy");
            format!("defect {} {}; {}", defects[0].code, defects[0].message, defects[0].help)
        }
        Ok(host) => match host.call("red::f", &[]) {
            Err(Stop::Fault(fault)) => format!("fault {fault}"),
            other => panic!("{text}: {other:?}"),
        },
    })
}

#[track_caller]
fn ends_with_all(text: &str, expected: &[&str]) {
    let message = ends(text);
    for part in expected {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
}

#[test]
fn a_script_reckons_and_values_cross_both_ways() {
    gives("fn f(a, b) { a * b + 1 }", &[Value::Int(4), Value::Int(5)], Value::Int(21));
    let all = Value::list(vec![
        Value::None,
        Value::Unknown,
        Value::Bool(true),
        Value::Int(-3),
        Value::name("marsh"),
        Value::Entity(EntityId(2)),
        Value::Space(SpaceId(9)),
        Value::map([(name("gate"), Value::list(vec![Value::Int(1)]))]),
    ]);
    gives("fn f(x) { echo(x) }", std::slice::from_ref(&all), all.clone());
    gives("fn f(x) { x[1] }", &[Value::set(vec![Value::Int(5), Value::Int(2)])], Value::Int(5));
    gives("fn f(x) { x.gate[0] }", &[all.as_items().unwrap()[7].clone()], Value::Int(1));
}

#[test]
fn a_name_that_is_too_long_does_not_cross() {
    ends_with_all(r#"fn f() { let s = "x"; s.pad(200, 'x'); echo(s) }"#, &["a text of 200 bytes", "red.rhai:1:"]);
}

#[test]
fn properties_are_read_and_functions_called_as_methods() {
    let pawn = [Value::Entity(EntityId(3))];
    gives("fn f(u) { u.ap + u.at.row }", &pawn, Value::Int(20));
    gives("fn f(u) { u.size() * 10 + u.size(1) }", &pawn, Value::Int(12));
    gives("fn f(u) { u.at.size(u) + size(u) }", &pawn, Value::Int(3));
    gives("fn f(u) { let n = 0; for x in [pawn(1), u, pawn(5)] { if x.ap > 12 { n += 1; } } n }", &pawn, Value::Int(2));
    gives("fn f(u) { u.wall }", &[Value::map([(name("wall"), Value::None)])], Value::None);
}

#[test]
fn handles_compare_with_each_other_and_with_nothing() {
    gives(
        "fn f(u) { [u == pawn(3), u != pawn(3), u < pawn(4), u == (), u != (), u == u.at, pawn(3) in [u], [u].index_of(pawn(3)) == 0] }",
        &[Value::Entity(EntityId(3))],
        Value::list([true, false, true, false, true, false, true, true].into_iter().map(Value::Bool).collect()),
    );
}

#[test]
fn a_handle_in_text_is_harmless() {
    assert!(host("fn f(u) { `${u}`.len() > 0 }").call("red::f", &[Value::Entity(EntityId(3))]).is_ok());
}

#[test]
fn assigning_to_a_property_fails() {
    ends_with_all("fn f() { let u = pawn(1); u.ap = 3; }", &["ap", "red.rhai:1:"]);
    ends_with_all("fn f() { let u = pawn(1); u.ap += 3; }", &["ap", "red.rhai:1:"]);
}

#[test]
fn an_unknown_property_names_the_place() {
    ends_with_all("fn f() {\n  pawn(1).wall\n}", &["there is no property wall", "in red::f, red.rhai:2:"]);
}

#[test]
fn a_script_is_called_from_a_host_function_that_a_script_called() {
    gives(r#"fn f(n) { if n == 0 { 100 } else { again("red::f", n - 1) + 1 } }"#, &[Value::Int(5)], Value::Int(105));
}

#[test]
fn a_suspension_is_not_caught() {
    let text = r#"
        fn f() { try { wait(); } catch { return 1; } 2 }
        fn g() { try { again("red::f"); } catch (e) { return 1; } 2 }
    "#;
    assert_eq!(host(text).call("red::f", &[]), Err(Stop::Suspended));
    assert_eq!(host(text).call("red::g", &[]), Err(Stop::Suspended));
}

#[test]
fn a_fault_of_a_host_function_is_not_caught_and_tells_the_way() {
    let text = "fn f() {\n try { g(); } catch { } }\nfn g() {\n fail(); }";
    ends_with_all(text, &["the gate is shut", "in red::g, red.rhai:4:"]);
}

#[test]
fn an_error_of_the_language_names_function_line_and_last_host_call() {
    ends_with_all("fn f() {\n echo(1);\n 1 / 0\n}", &["in red::f, red.rhai:3:", "after echo in red.rhai:2"]);
    ends_with_all("fn f() { throw \"no\" }", &["no", "in red::f, red.rhai:1:"]);
}

#[test]
fn a_host_is_usable_after_a_fault() {
    let host = host("fn f() { fail() } fn g() { 1 }");
    assert!(host.call("red::f", &[]).is_err());
    assert_eq!(host.call("red::g", &[]), Ok(Value::Int(1)));
}

#[test]
fn an_endless_loop_uses_up_the_operations() {
    ends_with_all("fn f() { loop { } }", &["2000000 operations", "red::f"]);
    ends_with_all("fn f() { try { loop { } } catch { loop { } } }", &["2000000 operations"]);
    ends_with_all("fn f() { while true { echo(1); } }", &["2000000 operations"]);
    ends_with_all("fn f() { for i in 0..9223372036854775807 { } }", &["2000000 operations"]);
}

#[test]
fn a_used_up_budget_names_where_it_ran_out() {
    let text = "fn f() {\n  g(1)\n}\nfn g(n) {\n  let m = 0;\n  loop {\n    m += n;\n  }\n}";
    ends_with_all(text, &["2000000 operations", "red::f > red::g", "in red::g, red.rhai:7:"]);
    ends_with_all("fn f() {\n  let m = 0;\n  while m < 5 {\n    m *= 2;\n  }\n}", &["in red::f, red.rhai:"]);
    let empty = "fn f() {\n  let a = 1;\n  loop { }\n}";
    ends_with_all(empty, &["in red::f, red.rhai:3:", "see that its loop ends, by its condition or a `break`"]);
    let caught = "fn f() {\n  loop { try { let m = 0; loop { m += 1; } } catch { } }\n}";
    ends_with_all(caught, &["2000000 operations"]);
}

#[test]
fn one_budget_holds_for_nested_calls() {
    ends_with_all(r#"fn f() { loop { again("red::g"); } } fn g() { for i in 0..1000 { } }"#, &["2000000 operations"]);
}

#[test]
fn endless_recursion_ends_with_its_chain() {
    ends_with_all("fn f() { f() }", &["48 calls inside each other", "red::f"]);
    ends_with_all("fn f() { g() } fn g() { f() }", &["48 calls inside each other", "red::f"]);
    ends_with_all(r#"fn f() { again("red::f") }"#, &["48 calls inside each other", "red::f > red::f"]);
    ends_with_all(r#"fn f() { g() } fn g() { again("red::f") }"#, &["48 calls inside each other"]);
}

#[test]
fn values_cannot_grow_without_end() {
    ends_with_all("fn f() { let a = []; loop { a.push(1); } }", &["too large", "red.rhai"]);
    ends_with_all("fn f() { let a = [1]; loop { a += a; } }", &["too large"]);
    ends_with_all("fn f() { let a = [1]; loop { a = [a, a]; } }", &["too large"]);
    ends_with_all("fn f() { let s = \"x\"; loop { s += s; } }", &["too large"]);
    ends_with_all("fn f() { let s = \"x\"; s.pad(100000000000, 'x'); }", &["too large"]);
    ends_with_all("fn f() { let a = []; a.pad(100000000000, 1); }", &["too large"]);
    ends_with_all("fn f() { let m = #{}; for i in 0..1000 { m[`k${i}`] = i; } }", &["too large"]);
    ends_with_all("fn f() { let m = #{ x: [#{}] }; for i in 0..1000 { m.x[0][`k${i}`] = i; } }", &["too large"]);
    ends_with_all("fn f() { let m = #{}; for i in 0..1000 { m.set(`k${i}`, i); } }", &["too large"]);
    ends_with_all("fn f() { let m = #{ x: #{} }; for i in 0..1000 { m.x.set(`k${i}`, i); } }", &["too large"]);
    ends_with_all("fn f() { let m = #{}; m.g(); } fn g() { this.x = 1; }", &["defect script.this_assigned"]);
    ends_with_all("fn f() { let a = []; loop { a = [a]; } }", &["fault"]);
}

#[test]
fn deep_expressions_do_not_parse() {
    let deep = format!("fn f() {{ {}1{} }}", "(".repeat(5000), ")".repeat(5000));
    ends_with_all(&deep, &["defect script.syntax"]);
    let sum = format!("fn f() {{ {}1 }}", "1 + ".repeat(5000));
    ends_with_all(&sum, &["defect script.syntax"]);
    ends_with_all(&format!("fn f() {{ {} }}", "{".repeat(5000)), &["defect script.syntax"]);
}

#[test]
fn nothing_reaches_outside_or_makes_code() {
    for text in [
        "fn f() { let g = |x| x; loop { g = g.curry(g); } }",
        "fn f() { eval(\"1\") }",
        "fn f() { let g = Fn(\"f\"); g.call() }",
        "import \"other\" as o; fn f() { }",
        "fn f() { import \"/etc/passwd\" as o; }",
        "export const X = 1; fn f() { }",
        "fn f() { sleep(1000) }",
        "fn f() { timestamp() }",
        "fn f() { parse_json(\"1\") }",
        "fn f() { open_file(\"/etc/passwd\") }",
        "fn f() { (|x| x).call(1) }",
    ] {
        let message = ends(text);
        assert!(message.starts_with("defect script."), "{text}: {message}");
    }
    for closure in ["let a = 1; |x| x + a", "|x| x", "let a = || 1;", "all.filter(|x| x > 1)"] {
        let text = format!("fn f(all) {{ {closure} }}");
        ends_with_all(&text, &["defect script.closure", "there are no closures", "write a `for` loop, or a term"]);
    }
    ends_with_all("fn f(all) { all.filter(x, x > 1) }", &["defect script.syntax Undefined variable: x", "or a term"]);
    ends_with_all("fn f() { \"sleep\".sleep() }", &["defect script.unknown_function"]);
}

#[test]
fn what_reads_as_if_it_worked_is_refused_with_a_remedy() {
    ends_with_all("fn f() { echo(0..3) }", &["`a..b` is nothing the engine can hold", "range(a, b)"]);
    ends_with_all("fn f() { 1.5 * 2.0 }", &["defect script.syntax", "there are no fractions"]);
    let host = host("fn f(x) { x.ap = 3; } fn g(x) { x[\"ap\"] = 3; } fn h(x) { x.ap += 1; }");
    for function in ["red::f", "red::g", "red::h"] {
        let fault = host.call(function, &[Value::Entity(EntityId(1))]).unwrap_err();
        assert!(format!("{fault:?}").contains("`emit` an event whose effects set it"), "{function}: {fault:?}");
    }
}

#[test]
fn only_functions_and_constants_stand_outside_functions() {
    ends_with_all("let a = 1; fn f() { }", &["defect script.top_level"]);
    ends_with_all("echo(1); fn f() { }", &["defect script.top_level"]);
    ends_with_all("const A = echo(1); fn f() { }", &["defect script.constant"]);
    ends_with_all("const A = { loop { } }; fn f() { }", &["defect script."]);
    gives("const A = 3; fn f() { global::A + 1 }", &[], Value::Int(4));
}

#[test]
fn namespaces_call_each_other_in_circles() {
    let red = source("red", "red.rhai", "const A = 10; fn f(n) { if n == 0 { global::A } else { blue::g(n - 1) } }");
    let blue = source(
        "blue",
        "blue.rhai",
        "const A = 20; fn g(n) { if n == 0 { global::A } else { red::f(n - 1) + h() } } fn h() { 1 }",
    );
    let host = built(&[red, blue]).unwrap();
    assert_eq!(host.call("red::f", &[Value::Int(4)]), Ok(Value::Int(12)));
    assert_eq!(host.call("red::f", &[Value::Int(3)]), Ok(Value::Int(21)));
}

#[test]
fn a_later_source_replaces_a_function() {
    let first = source("red", "a.rhai", "fn f() { g() }\nfn g() { 1 }\nfn g(x) { x }");
    let second = source("red", "b.rhai", "\n\nfn g() { 2 }");
    let host = built(&[first, second]).unwrap();
    assert_eq!(host.call("red::f", &[]), Ok(Value::Int(2)));
    assert_eq!(host.call("red::g", &[Value::Int(5)]), Ok(Value::Int(5)));
    assert_eq!(host.functions_of_scripts()[1], ("red::g".into(), 0, "b.rhai".into(), 3));
}

#[test]
fn a_function_of_the_host_is_not_redefined() {
    ends_with_all("fn f() { } fn size(a, b) { 1 }", &["defect script.redefines_host", "size with 2 parameters"]);
    gives("fn f() { size(1, 2, 3) } fn size(a, b, c) { 9 }", &[], Value::Int(9));
}

#[test]
fn namesakes_of_two_namespaces_are_told_apart() {
    let red = "fn f() { g() + g() + blue::f() } fn g() { 1 }";
    let of = |blue: &str| built(&[source("red", "red.rhai", red), source("blue", "blue.rhai", blue)]);
    let defects = of("fn f() { g() } fn g() { 100 }").err().expect("blue would get what red calls");
    assert_eq!(defects.iter().map(|defect| defect.code).collect::<Vec<_>>(), ["script.namesake"]);
    assert!(defects[0].help.contains("blue::g"), "{}", defects[0].help);
    let host = of("fn f() { blue::g() } fn g() { 100 }").unwrap();
    assert_eq!(host.call("red::f", &[]), Ok(Value::Int(102)));
}

#[test]
fn a_reserved_word_names_no_function_and_no_variable() {
    for word in super::RESERVED {
        for text in [format!("fn {word}() {{ }}"), format!("fn f() {{ let {word} = 1; }}")] {
            let defects = built(&[source("red", "a.rhai", &text)]).err().unwrap_or_else(|| panic!("{text}"));
            assert!(defects[0].message.contains(word) && !defects[0].help.is_empty(), "{text}: {}", defects[0].message);
        }
    }
}

#[test]
fn a_call_of_nothing_is_a_defect_with_the_nearest_name() {
    ends_with_all("fn call(unit) {}", &["script.syntax", "`call` is a reserved word", "another name"]);
    ends_with_all("fn f() { ehco(1) }", &["script.unknown_function", "ehco", "did you mean echo?"]);
    ends_with_all(
        "fn f() { echo(1, 2) }",
        &["script.unknown_function", "echo takes 1 arguments, not 2", "scripts/README.md"],
    );
    ends_with_all("fn f() { red::f(1) }", &["red::f with 1 arguments", "as many arguments"]);
    ends_with_all("fn f() { wuthering() }", &["no function wuthering", "write it"]);
    ends_with_all("fn f() { let a = ; }", &["defect script.syntax", "the rest of the file"]);
    ends_with_all("fn f() { red::ff() }", &["script.unknown_function", "did you mean red::f?"]);
    ends_with_all("fn f() { blue::f() }", &["defect script.syntax", "blue"]);
    ends_with_all("fn f() { x }", &["defect script.syntax", "x"]);
}

#[test]
fn every_file_with_a_syntax_error_is_named_with_its_line() {
    let defects = built(&[
        source("red", "red.rhai", "fn f() {\n let = 3;\n}"),
        source("blue", "blue.rhai", "fn g() {\n\n 1 + ;\n}"),
    ])
    .err()
    .unwrap();
    let places: Vec<_> = defects.iter().map(|defect| (defect.code, defect.file.as_str(), defect.line)).collect();
    assert_eq!(places, [("script.syntax", "blue.rhai", 3), ("script.syntax", "red.rhai", 2)]);
}

#[test]
fn long_names_and_files_are_defects() {
    ends_with_all(&format!("fn f() {{ let {} = 1; }}", "a".repeat(65)), &["defect script.long_name"]);
    ends_with_all(&format!("fn f() {{ }} {}", " ".repeat(FILE_BYTES_MAX)), &["defect script.file_too_large"]);
}

#[test]
fn asking_for_a_function_tells_what_is_wrong() {
    let host = host("fn walk(a) { }");
    assert_eq!(host.has("red::walk", 1), Ok(()));
    assert_eq!(host.has("red::walk", 2), Err("red::walk takes 1 arguments, not 2".into()));
    assert_eq!(host.has("red::wakl", 1), Err("there is no function red::wakl (did you mean red::walk?)".into()));
    assert!(host.has("walk", 1).is_err());
}

#[test]
fn operations_are_the_same_in_two_runs() {
    let text = r#"fn f() { let n = 0; for i in 0..50 { n += again("red::g", i); } n } fn g(i) { [i, 2].len() + i }"#;
    let count = |host: &ScriptHost| {
        host.begin_step();
        host.call("red::f", &[]).unwrap();
        host.operations_used()
    };
    let (first, second) = (host(text), host(text));
    assert_eq!(count(&first), count(&second));
    assert_eq!(count(&first), count(&first));
    assert!(first.operations_used() > 100);
}

#[test]
fn charges_count_against_the_step_until_the_next_begins() {
    let host = host("fn f() { 1 }");
    assert!(host.charge(STEP_OPERATIONS_MAX - 1).is_ok());
    assert!(host.call("red::f", &[]).is_err());
    host.begin_step();
    assert_eq!(host.call("red::f", &[]), Ok(Value::Int(1)));
}
