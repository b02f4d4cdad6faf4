//! Tables of expressions with their results or faults, and random texts that must not panic.

use proptest::prelude::*;

use super::*;
use crate::base::name;

struct Toy;

impl Scope for Toy {
    fn function(&self, name: &str) -> Option<FunctionSig> {
        (name == "distance").then_some(FunctionSig { id: 7, args_min: 2, args_max: 2 })
    }
    fn function_names(&self) -> Vec<String> {
        vec!["distance".to_owned()]
    }
    fn property_known(&self, name: &str) -> bool {
        ["health", "side"].contains(&name)
    }
    fn property_names(&self) -> Vec<String> {
        vec!["health".to_owned(), "side".to_owned()]
    }
}

fn result(text: &str) -> Result<Value, String> {
    let variables = [name("pawn"), name("list")];
    let faults = |faults: Vec<ParseFault>| {
        let each =
            |f: &ParseFault| format!("{}+{} {} {}", f.offset, f.len, f.message, f.expected.as_deref().unwrap_or("-"));
        faults.iter().map(each).collect::<Vec<_>>().join("; ")
    };
    let expr = Expr::parse(text, &variables, &Toy).map_err(faults)?;
    let pawn = Value::map([(name("health"), Value::Int(3)), (name("side"), Value::name("red"))]);
    let list = Value::list([3, 1, 2, 1].map(Value::Int).to_vec());
    expr.eval(&NoWorld, &[pawn, list]).map_err(|fault| format!("{:?} {}", fault.offset, fault.message))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(result(text), result(expected), "{text}");
    assert!(result(expected).is_ok(), "{expected}");
}

#[track_caller]
fn check_fault(text: &str, expected: &str) {
    assert_eq!(result(text), Err(expected.to_owned()), "{text}");
}

#[test]
fn operators_bind_as_in_rhai() {
    check("1 + 2 * 3 - 4", "3");
    check("10 - 3 - 2", "5");
    check("(1 + 2) * 3", "9");
    check("1 + 1 == 2 && !false || false", "true");
    check("true || false && false", "true");
    check("2 in list == true", "true");
    check("5 !in list", "true");
    check("-pawn.health + 3 + -9223372036854775808", "-9223372036854775808");
    check("if 1 > 2 { 1 } else if 2 >= 2 { 2 } else { 3 }", "2");
    check("#{a: [1, 2]}[\"a\"][-1]", "2");
    check("() == none", "true");
    check("1 == 'a'", "false");
    check("pawn.side == 'red' && pawn.health <= 3", "true");
}

#[test]
fn what_is_not_needed_is_not_evaluated() {
    check("false && 1 / 0 == 1", "false");
    check("true || 1 / 0 == 1", "true");
    check("if true { 1 } else { 1 / 0 }", "1");
}

#[test]
fn macros_bind_a_variable() {
    check("list.filter(x, x > 1)", "[3, 2]");
    check("list.map(x, x * 2)", "[6, 2, 4, 2]");
    check("list.exists(x, x == 2)", "true");
    check("list.all(x, x > 1)", "false");
    check("[].all(x, x > 1)", "true");
    check("list.count(x, x == 1)", "2");
    check("list.min_by(x, x)", "[1, 1]");
    check("list.max_by(x, -x)", "[1, 1]");
    check("list.sum(x, x)", "7");
    check("list.sort_by(x, -x)", "[3, 2, 1, 1]");
    check("list.first(x, x < 3)", "1");
    check("list.first(x, x < 0)", "none");
    check("list.first()", "3");
    check("list.map(x, list.count(y, y < x))", "[3, 0, 2, 0]");
    check("list.map(x, [5].map(x, x))", "[[5], [5], [5], [5]]");
}

#[test]
fn faults_say_where_and_what() {
    check_fault("pwn.health", "0+3 unknown variable `pwn` `pawn`");
    check_fault("pawn.helth", "5+5 unknown property `helth` `health`");
    check_fault("distanc(1, 2)", "0+7 unknown function `distanc` `distance`");
    check_fault("distance(1)", "0+8 `distance` takes 2 arguments, not 1 -");
    check_fault("foo + bar", "0+3 unknown variable `foo` -; 6+3 unknown variable `bar` -");
    check_fault("1 +", "3+0 the expression ends too early a value");
    check_fault("1 = 2", "2+1 `=` assigns, and an expression only asks `==`");
    check_fault("true and false", "5+3 unexpected `and` `&&`");
    check_fault("1.5", "0+3 numbers are whole -");
    check_fault("'a", "0+2 the text does not end `'`");
    check_fault("if true { 1 }", "13+0 the expression ends too early `else`");
    check_fault("1 / 0", "Some(2) `/` by zero");
    check_fault("9223372036854775807 + 1", "Some(20) `+` overflows");
    check_fault("1 + none", "Some(2) `+` needs ints, not none");
    check_fault("1 && true", "Some(0) `&&` needs a bool, not int");
    check_fault("list[4]", "Some(4) index 4 is outside a list of 4 items");
    check_fault("list.filter(x, x)", "Some(15) `filter` needs a bool, not int");
    check_fault("range(0, 5000)", "Some(0) the list would have more than 4096 items");
}

#[test]
fn every_builtin_keeps_the_promise_of_its_example() {
    for known in BUILTINS {
        let expr = Expr::parse(known.example, &[], &Toy).expect(known.example);
        assert_eq!(expr.eval_bool(&NoWorld, &[]), Ok(true), "{}", known.example);
    }
}

#[test]
fn macros_are_documented_in_the_order_of_the_code() {
    assert_eq!(MACROS.map(|(name, _, _)| name), ast::Macro::ALL.map(|(name, _)| name));
}

#[test]
fn depth_is_bounded() {
    for text in
        ["(".repeat(2000), "!".repeat(4000), format!("1{}", "+1".repeat(2000)), format!("pawn{}", ".side".repeat(800))]
    {
        assert!(result(&text).is_err_and(|fault| fault.contains("nested deeper")), "{text}");
    }
    assert_eq!(result(&vec!["true"; 500].join(" && ")), Ok(Value::Bool(true)));
}

#[test]
fn literals_know_their_place() {
    let expr = Expr::parse("-2 + 30", &[], &Toy).expect("valid");
    let found: Vec<_> = expr.literals().iter().map(|literal| (literal.offset, literal.len, literal.value)).collect();
    assert_eq!(found, [(0, 2, -2), (5, 2, 30)]);
}

fn small() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "-9223372036854775808",
        "0",
        "true",
        "none",
        "'a'",
        "list",
        "pawn",
        "[1]",
        "#{a: 1}",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "/", "%", "<", "==", "in", "&&", "||"]);
        let word = prop::sample::select(BUILTINS.iter().map(|known| known.name).collect::<Vec<_>>());
        let bound = prop::sample::select(MACROS.map(|(name, _, _)| name).to_vec());
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            (word, inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            (bound, inner.clone(), inner.clone()).prop_map(|(f, a, b)| format!("({a}).{f}(x, {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("-({a})[{b}]")),
        ]
    })
}

proptest! {
    #[test]
    fn random_text_never_panics(text in "[a-z0-9 .,()\\[\\]{}#:'\"\\\\!<>=&|+*/%é-]{0,60}") {
        let faults = Expr::parse(&text, &[name("a")], &Toy).err().unwrap_or_default();
        prop_assert!(faults.iter().all(|fault| fault.offset + fault.len <= text.len()));
    }

    #[test]
    fn random_expressions_never_panic(text in small()) {
        prop_assert_eq!(result(&text), result(&text));
    }
}

#[test]
fn a_comparison_holds_only_if_it_is_known_to_hold() {
    let result = |text: &str| {
        let expr = Expr::parse(text, &[name("x"), name("list")], &Toy).expect("it reads");
        let list = Value::list(vec![Value::Int(1), Value::Unknown, Value::Int(3)]);
        expr.eval(&NoWorld, &[Value::Unknown, list]).map_err(|fault| fault.message)
    };
    for text in ["x == 1", "x < 1", "x <= 1", "x > 1", "1 >= x", "x + 1 > 0", "-x < 1", "x && true", "false || x"] {
        assert_eq!(result(text), Ok(Value::Bool(false)), "{text}");
    }
    for text in ["x != 1", "!(x < 1)", "!x", "if x { false } else { true }"] {
        assert_eq!(result(text), Ok(Value::Bool(true)), "{text}");
    }
    assert_eq!(result("list.count(n, n > 0)"), Ok(Value::Int(2)));
    assert_eq!(result("list.filter(n, n > 0).sum(n, n)"), Ok(Value::Int(4)));
    let fault = result("list.sum(n, n)").expect_err("a sum needs numbers");
    assert!(fault.contains("`sum` needs an int, not unknown: the seat does not know it"), "{fault}");
}

/// Counts how often it is asked.
#[derive(Default)]
struct Counting(std::cell::Cell<u32>, std::cell::Cell<u64>);

impl Host for Counting {
    fn property(&self, of: &Value, name: Name) -> Result<Value, EvalFault> {
        NoWorld.property(of, name)
    }
    fn stored(&self, _: &Value, _: Name) -> Option<&Value> {
        None
    }
    fn call(&self, _: u32, args: &[Value]) -> Result<Value, EvalFault> {
        self.0.set(self.0.get() + 1);
        let number = |index: usize| args[index].as_int().ok_or_else(|| EvalError::fault("no number"));
        Ok(Value::Int(number(0)? - number(1)?))
    }
    fn charge(&self, operations: u64) -> Result<(), EvalFault> {
        self.1.set(self.1.get() + operations);
        Ok(())
    }
}

#[track_caller]
fn check_calls(text: &str, expected: &str, n_calls: u32) {
    let variables = [name("pawn"), name("list")];
    let values = [Value::Int(5), Value::list([3, 1, 2, 1].map(Value::Int).to_vec())];
    let host = Counting::default();
    let value = Expr::parse(text, &variables, &Toy).unwrap().eval(&host, &values);
    assert_eq!(value.map_err(|fault| fault.message), result(expected), "{text}");
    assert_eq!(host.0.get(), n_calls, "{text}");
}

#[test]
fn what_is_the_same_for_all_items_is_worked_out_once() {
    check_calls("list.filter(x, x < distance(pawn, 3))", "[1, 1]", 1);
    check_calls("list.filter(x, x > 9 && x < distance(pawn, 3))", "[]", 0);
    check_calls("list.map(x, distance(x, 1))", "[2, 0, 1, 0]", 4);
    // The inner body depends on the outer variable, the list of the inner macro on neither.
    check_calls("[1, 2].map(x, list.count(y, y > distance(x, 0)))", "[2, 1]", 2);
    check_calls("[1, 2].map(x, [distance(pawn, 0)].count(y, y > x))", "[1, 1]", 1);
    check_calls("[1, 2].map(x, [1, 2].sum(y, distance(pawn, 0) * x * y))", "[15, 30]", 2);
    // A single item needs no room.
    check_calls("[1].filter(x, x < distance(pawn, 3))", "[1]", 1);
}

#[test]
fn what_is_kept_costs_as_much_as_if_it_were_not() {
    let variables = [name("pawn"), name("it")];
    let expr = Expr::parse("distance(pawn, 3) + it", &variables, &Toy).unwrap();
    let spent = |expr: &Expr| {
        let (host, kept) = (Counting::default(), expr.kept());
        let values: Vec<_> = (0..3).map(|it| expr.eval_item(&host, &[Value::Int(5), Value::Int(it)], &kept)).collect();
        assert_eq!(values, (2..5).map(|n| Ok(Value::Int(n))).collect::<Vec<_>>());
        (host.0.get(), host.1.get())
    };
    let (n_calls, operations) = spent(&expr);
    assert_eq!(n_calls, 3);
    assert_eq!(spent(&expr.clone().for_items(1)), (1, operations));
    assert_eq!(spent(&expr.for_items(2)), (3, operations));
}
