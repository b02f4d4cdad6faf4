//! Fields and references of records.

use sandtable::base::{Value, name};

use super::{check, loaded, packs};

#[test]
fn fields_and_references_name_the_nearest() {
    check("terms:\n  far: {args: [], is: '1', dok: x}\n", "field.unknown core/more.yaml:2", "no field dok", "doc");
    check("terms:\n  far: {args: []}\n", "field.missing core/more.yaml:2", "the field is is missing", "add `is:`");
    check("terms:\n  far:\n    is: 'distanc(1, 2)'\n", "expression core/more.yaml:3", "distanc", "distance");
    check("phases:\n  late: {phases: [gme]}\n", "reference.unknown core/more.yaml:2", "gme", "did you mean game?");
    check("kindz:\n  rook: {name: Rook}\n", "section.unknown core/more.yaml:1", "kindz", "did you mean kinds?");
    check("phases:\n  game: {}\n", "record.twice core/more.yaml:2", "phases.game stands twice", "flow.yaml, line 2");
}

#[test]
fn a_record_of_two_packs_names_the_pack_to_leave_out() {
    let found = super::defects(&packs(&[("more", "phases:\n  game: {}\n")]));
    let help = "leave the other out: `--without chess/core` or `--without chess/more`";
    super::one(&found, "record.twice more/more.yaml:2", "phases.game stands twice", help);
    check("phases:\n  game: {}\n", "record.twice core/more.yaml:2", "twice", "the fields of both under one id");
}

#[test]
fn all_fields_that_are_missing_are_told_at_once() {
    let missing = "field.missing core/more.yaml:2";
    check(
        "actions:\n  rest: {}\n",
        missing,
        "the fields menu, name and run are missing",
        "add `menu:`, `name:`, `run:` here",
    );
    check(
        "stats:\n  worth: {doc: W}\n",
        missing,
        "the field type is missing",
        "add `type:` here: any, bool, int, name (",
    );
    check(
        "stats:\n  worth: {typ: int, doc: W}\n",
        "field.unknown core/more.yaml:2",
        "no field typ",
        "did you mean type?",
    );
    let fields = "fields here: menu (required), name (required), run (required), ";
    check(
        "actions:\n  rest: {menu: m, name: R, run: 'x::f()', colour: 1}\n",
        "field.unknown core/more.yaml:2",
        "colour",
        fields,
    );
    let data = |record: &str| {
        format!(
            "data: {{tools: {{doc: T, fields: {{weight: int, size: int, use: name?, source: name?}}}}}}\ntools:\n  saw: {{{record}source: h}}\n"
        )
    };
    let missing = "field.missing core/more.yaml:3";
    check(
        &data(""),
        missing,
        "the fields weight and size are missing",
        "here; weight is of type int, size is of type int",
    );
    check(
        &data("size: 2, weight: 1, edge: 1, "),
        "field.unknown core/more.yaml:3",
        "edge",
        "weight (required), size (required), use",
    );
}

#[test]
fn a_type_that_is_none_names_the_right_one_and_all() {
    let typed = |kind: &str| format!("stats:\n  worth: {{type: '{kind}', doc: W}}\n");
    for (kind, meant) in
        [("text", "name"), ("number", "int"), ("list<string>", "name"), ("boolean", "bool"), ("itn", "int")]
    {
        let help = format!("did you mean {meant}? types: any, bool, int, name (a word or text), facing,");
        check(&typed(kind), "type.unknown core/more.yaml:2", &format!("no type {kind}"), &help);
    }
    check(&typed("colour"), "type.unknown core/more.yaml:2", "no type colour", "types: any");
}

/// Content with one defect, and the place where it stands: line and column.
#[track_caller]
fn marked(text: &str, line: usize, column: usize) {
    let result = sandtable::rules::load_with(&[], "chess", &[], &packs(&[("core", text)]));
    let found = result.err().unwrap_or_default().0;
    let [only] = &found[..] else { panic!("one defect was expected, not {found:#?}") };
    assert_eq!((only.line, only.column), (line, column), "{only}");
}

#[test]
fn the_mark_stands_under_the_key_or_name_that_is_wrong() {
    marked("kindz:\n  rook: {name: Rook}\n  pawn: {name: Pawn}\n", 1, 1);
    marked("terms:\n  far: {is: '1', dok: x}\n", 2, 18);
    marked("terms:\n  far:\n    doc: x\n", 2, 3);
    marked("kinds:\n  rook: {name: Rook, wort: 5}\n", 2, 22);
    marked("events:\n  fell:\n    doc: x\n    effects: [{sett: {table.turn: 1}}]\n", 4, 16);
    marked("events:\n  fell:\n    doc: x\n    effects:\n      - set: {table.trun: 1}\n", 5, 15);
    marked("hooks:\n  fall:\n    run: x::f()\n    on: fel\n", 4, 9);
    marked("phases:\n  late:\n    phases: [game, gme]\n", 3, 20);
    marked("legends:\n  l: {cels: {'.': [plain]}}\n", 2, 7);
    marked("phases:\n  game: {}\n", 2, 3);
    marked("patches:\n  p: {target: phases.game, set: {}, source: a, why: b}\n", 2, 48);
}

#[test]
fn facts_tags_and_things_that_nothing_has_are_doubtful() {
    let game = |rest: &str| {
        mission(
            "{kind: rook, at: a1}",
            &format!(
                "  n: {{base: m, order: 2, moon: 1, starts: [a1], source: {{house: h}}, options: {{tide: {{low: 1}}}}}}\n{rest}"
            ),
        )
    };
    let doubtful = |rest: &str| {
        let found = super::warnings(&game(rest));
        found.iter().map(|warning| warning.replace("content/chess/core/", "")).collect::<Vec<_>>()
    };
    let term = |is: &str| format!("terms:\n  far: {{args: [u], is: '{is}', doc: x}}\n");
    let fine = "fact(\"moon\") == fact(\"tide\") || fact(\"base\") == fact(\"tiles\") || all(\"rook\").len() == 1 \
                || u.has(\"rook\") || u.is_thing(\"plain\") || u.on(\"rook\").is_empty()";
    assert_eq!(doubtful(&term(fine)), Vec::<String>::new());
    for (is, code, message) in [
        ("fact(\"moom\")", "fact.unknown", "no mission or option gives the fact moom"),
        ("all(\"rok\")", "tag.unknown", "no kind has the tag or id rok"),
        ("u.has(\"rok\")", "tag.unknown", "no kind has the tag or id rok"),
        ("on(u, \"rok\")", "tag.unknown", "no kind has the tag or id rok"),
        ("u.is_thing(\"plane\")", "thing.unknown", "no legend draws the thing plane"),
    ] {
        let found = doubtful(&term(is));
        assert_eq!(found, [format!("{code} more.yaml:10:24: {message}")], "{is}");
    }
    let sight = "sight:\n  low: {cells: [plain, plane], edges: {}, hides_in: [plane]}\n";
    let places = ["more.yaml:10:24", "more.yaml:10:54"];
    assert_eq!(doubtful(sight), places.map(|place| format!("thing.unknown {place}: no legend draws the thing plane")));
}

#[test]
fn scripts_name_facts_and_tags_too() {
    let script = "fn f(unit) {\n  if unit.has(\"rok\") { all(\"rook\"); }\n  fact(\"moom\");\n}";
    let text = mission("", "  n: {base: m, order: 2, moon: 1, source: {house: h}}\n");
    let files = [("flow.yaml", super::GOOD), ("more.yaml", &*text), ("x.rhai", script)];
    let game = loaded(&[super::pack("core", &files)]);
    let found: Vec<String> =
        game.warnings.iter().map(|it| format!("{it} ({})", it.help.clone().unwrap_or_default())).collect();
    let said = |line: usize, what: &str| format!("scripts/chess/core/x.rhai:{line}: {what}");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("scripts/chess/core/x.rhai:2:") && found[0].ends_with("id rok (did you mean rook?)"),
        "{}",
        said(2, &found[0])
    );
    assert!(
        found[1].starts_with("scripts/chess/core/x.rhai:3:") && found[1].ends_with("fact moom (did you mean moon?)"),
        "{}",
        said(3, &found[1])
    );
}

#[test]
fn what_kinds_have_is_declared() {
    let stats = "stats:\n  worth: {type: int, min: 1, max: 9, doc: What it is worth.}\n  tall: {type: bool, doc: x}\n";
    let with = |kind: &str| format!("{stats}kinds:\n  rook: {kind}\n");
    let file = |code: &str| format!("{code} core/more.yaml:5");
    loaded(&packs(&[("core", &with("{name: Rook, stats: {worth: 5}, tall: true}"))]));
    let misspelt = with("{name: Rook, stats: {wort: 5}}");
    check(&misspelt, &file("field.unknown"), "rook has wort", "did you mean worth?");
    check(&with("{name: Rook, tgas: [a]}"), &file("field.unknown"), "rook has tgas", "did you mean tags?");
    let strange = with("{name: Rook, stats: {leap: 5}}");
    check(&strange, &file("field.unknown"), "rook has leap", "declare it in section `stats`");
    let twice = with("{name: Rook, stats: {worth: 5}, worth: 6}");
    check(&twice, &file("field.twice"), "rook has worth twice", "delete one of the two");
    check(&with("{name: Rook, tall: 5}"), &file("field.type"), "a number where bool", "write bool");
    check(&with("{name: Rook, worth: 0}"), &file("value.range"), "worth of rook is 0, less than 1", "the bound");
    check(&with("{name: Rook, worth: 10}"), &file("value.range"), "worth of rook is 10, more than 9", "the bound");
}

#[test]
fn types_and_bounds_are_checked() {
    let line = |code: &str| format!("{code} core/more.yaml:2");
    let property = |text: &str| format!("properties:\n  worth: {text}\n");
    check(&property("{type: in}"), &line("type.unknown"), "no type in", "did you mean int?");
    check(&property("{type: 'list<real>'}"), &line("type.unknown"), "list<real>", "types: any, bool, int");
    check(&property("{type: bool, max: 3}"), &line("bounds"), "bool has no bounds", "only an int");
    check(&property("{type: int, min: 4, max: 3}"), &line("bounds"), "3 is less than 4", "exchange");
    check(&property("{type: int, min: 4, default: 3}"), &line("value.range"), "3, less than 4", "the bound");
    check(&property("{type: int, default: far}"), &line("field.type"), "text where int", "write int");
    check(&property("{type: int, from: wort}"), &line("reference.unknown"), "no stat wort", "declare it");
    check("events:\n  left: {doc: x, fields: {by: entitty}}\n", &line("type.unknown"), "entitty", "entity?");
}

#[test]
fn invariants_are_read() {
    let of = |text: &str| format!("invariants:\n  calm: {text}\n");
    check(&of("{holds: 'tru(', doc: x}"), "expression core/more.yaml:2", "tru", "");
    let event = of("{holds: 'true', doc: x, after: [moved]}");
    check(&event, "reference.unknown core/more.yaml:2", "moved, which is no event", "");
}

/// A game with one mission on a board of two squares, and further text behind that.
pub(super) fn mission(units: &str, more: &str) -> String {
    format!(
        "properties: {{facing: {{type: facing}}}}\nkinds: {{rook: {{name: Rook}}}}\nlegends: {{l: {{cells: {{'.': [plain]}}}}}}\n\
         movement: {{foot: {{cells: {{plain: 1}}, source: {{house: h}}}}}}\n\
         tiles: {{t: {{name: T, legend: l, cells: '..', source: {{house: h}}}}}}\n\
         missions:\n  m: {{name: M, briefing: B, order: 1, source: {{house: h}}, tiles: [[t]], units: [{units}]}}\n{more}"
    )
}

#[test]
fn a_wrong_base_of_a_mission_is_the_only_defect_of_it() {
    loaded(&packs(&[("core", &mission("", "  n: {base: m, order: 2}\n  o: {base: n, order: 3}\n"))]));
    let place = "mission.base core/more.yaml:8";
    check(&mission("", "  mm: {base: mn, order: 2}\n"), place, "there is no mission mn", "did you mean m?");
    check(&mission("", "  other: {base: other}\n"), place, "is based on itself", "all its fields");
    check(&mission("", "  n: {base: [m]}\n"), "field.type core/more.yaml:8", "a list where", "the id of a mission");
    check(
        &mission("", "  first: {base: nowhere}\n  next: {base: first}\n"),
        place,
        "no mission nowhere",
        "missions: m",
    );
    let circle = super::defects(&packs(&[("core", &mission("", "  n: {base: o}\n  o: {base: n}\n"))]));
    assert!(circle.iter().all(|defect| defect[0].starts_with("mission.base")), "{circle:#?}");
}

#[test]
fn a_source_says_where_something_comes_from() {
    let kind = |source: &str| format!("kinds:\n  rook: {{name: Rook, source: {source}}}\n");
    for fine in ["{book: Rooks}", "{book: Rooks, page: 5}", "the book", "{book: [Rooks, Towers]}"] {
        loaded(&packs(&[("core", &kind(fine))]));
    }
    for wrong in ["5", "true", "''", "{}", "[a]", "{book: }", "{book: true}"] {
        check(&kind(wrong), "source.shape core/more.yaml:2", "says not where", "write `source: {book");
    }
    let part = "values:\n  v:\n    base: 0\n    parts: {a: {amount: 2, source: 5}}\n";
    check(part, "source.shape core/more.yaml:4", "5 says not where", "write `source: {book");
}

#[test]
fn what_a_mission_gives_its_units_is_declared_and_of_its_type() {
    let game = |unit: &str| mission(unit, "");
    loaded(&packs(&[("core", &game("{kind: rook, at: a1, facing: N}"))]));
    let place = "reference.unknown core/more.yaml:7";
    check(&game("{kind: rook, at: a1, facing: Q}"), "field.type core/more.yaml:7", "", "a facing: N, E, S or W");
    check(&game("{kind: rok, at: a1}"), place, "there is no kind rok", "did you mean rook?");
    check(&game("{kind: rook, facing: N}"), "field.missing core/more.yaml:7", "where rook stands", "add `at:`");
    check(&game("{kind: rook, at: a1, facng: N}"), place, "facng is no property of entities", "facing");
}

#[test]
fn a_window_opens_by_what_everybody_knows() {
    let window = |opens: &str| {
        format!(
            "seats: {{red: {{secret: yes}}, blue: {{secret: yes}}}}\n\
             properties:\n  note: {{of: table, type: int, seen_by: [blue]}}\n  turn: {{of: table, type: int}}\n\
             zones: {{deck: {{hidden: yes}}, heap: {{}}}}\n\
             terms: {{is_high: {{is: 'table(\"note\") > table(\"turn\")', doc: x}}}}\n\
             windows:\n  ambush:\n    opens: '{opens}'\n    from: '[table(\"note\")]'\n"
        )
    };
    for opens in ["table(\"note\") == 1", "pile(\"heap\").is_empty() || is_high()"] {
        let place = "window.opens core/more.yaml:9";
        check(&window(opens), place, "ambush opens by note of the table, which only blue knows", "ask in `from`");
    }
    let warnings = |opens: &str| -> Vec<String> {
        let game = loaded(&packs(&[("core", &window(opens))]));
        game.warnings.iter().map(ToString::to_string).filter(|warning| warning.contains("opens")).collect()
    };
    assert_eq!(warnings("table(\"turn\") == 1 && pile(\"deck\").len() > 2 && pile(\"heap\").len() > 1"), [""; 0]);
    let looks = warnings("pile(\"deck\").exists(card, card.key == \"a\")");
    assert_eq!(looks.len(), 1, "{looks:?}");
    assert!(looks[0].contains("more.yaml:9") && looks[0].contains("the things in deck"), "{looks:?}");
}

#[test]
fn a_property_of_the_table_holds_at_first_what_its_default_says() {
    let with = |more: &str| format!("properties:\n  count: {{of: table, type: int, default: 3{more}}}\n");
    let game =
        loaded(&packs(&[("core", &with("}\n  moods: {of: table, type: set<name>, default: [glad, calm, glad]"))]));
    let held = |property: &str| game.properties[&name(property)].default.clone();
    assert_eq!(held("count"), Some(Value::Int(3)));
    assert_eq!(held("moods"), Some(Value::set(vec![Value::name("calm"), Value::name("glad")])));
    let place = "property.default core/more.yaml:3";
    let refused = with("}\n  goal: {of: table, type: space, default: b2");
    check(&refused, place, "the default of goal is of type space", "by an event");
}

#[test]
fn records_emit_events_that_are_declared_with_their_fields() {
    let event = "events:\n  rung: {doc: The bell rings., fields: {times: int}}\n";
    let with = |deed: &str| format!("{event}phases:\n  bell: {{step: '{deed}'}}\n");
    loaded(&packs(&[("core", &with("emit(\"rung\", #{times: 1 + 1})"))]));
    let place = "reference.unknown core/more.yaml:4";
    check(&with("emit(\"rang\", #{times: 1})"), place, "emit: there is no event rang", "did you mean rung?");
    check(&with("emit(\"rung\", #{time: 1})"), place, "rung takes no time", "did you mean times?");
    check(&with("emit(\"rung\")"), place, "rung needs times", "add `times: ...`");
    check(&with("emit(rung, 1)"), "expression core/more.yaml:4", "rung", "");
    check(&with("emit(1 + 2)"), "call core/more.yaml:4", "`emit` takes an event and its fields", "#{field: value}");
    check(&with("choose(\"rung\")"), "call core/more.yaml:4", "`choose(\"rung\")` is no call", "namespace::function");
    check(&with("menu(\"strike\")"), "call core/more.yaml:4", "`menu` takes a menu and a unit", "menu(");
    check(&with("menu(\"strike\", none)"), place, "menu: there is no menu strike", "");
    let hook = format!("{event}hooks:\n  h: {{on: rung, manner: instead, run: 'emit(\"rung\", #{{times: times}})'}}\n");
    check(&hook, "call core/more.yaml:4", "is no call", "namespace::function");
}

#[test]
fn a_back_is_a_kind_without_one_and_a_stored_property_says_what_lies_face_up() {
    let kinds = |rook: &str| {
        format!(
            "properties:\n  up: {{type: bool}}\n  age: {{type: int}}\n  late: {{of: table, type: bool}}\nkinds:\n  \
             blank: {{name: Blank}}\n  spot: {{name: Spot, back: blank}}\n  rook: {{name: Rook, {rook}}}\n"
        )
    };
    loaded(&packs(&[("core", &kinds("back: blank, face_up: up"))]));
    let place = |code: &str| format!("{code} core/more.yaml:8");
    for (rook, code, message, help) in [
        ("back: blnk", "reference.unknown", "there is no kind blnk", "did you mean blank?"),
        ("back: nothing_near", "reference.unknown", "there is no kind nothing_near", "section `kinds`"),
        ("back: spot", "kind.back", "spot has a back itself", "without a back"),
        ("back: rook", "kind.back", "rook has a back itself", "without a back"),
        ("face_up: up", "kind.back", "rook has no back", "back: KIND"),
        ("back: blank, face_up: upp", "reference.unknown", "upp is no property of entities", "did you mean up?"),
        ("back: blank, face_up: age", "reference.unknown", "age is no property of entities of type bool", ""),
        ("back: blank, face_up: late", "reference.unknown", "late is no property of entities", ""),
        ("back: blank, face_up: it.up", "reference.unknown", "it.up is no property of entities", ""),
        ("bakc: blank", "field.unknown", "bakc", "did you mean back?"),
    ] {
        check(&kinds(rook), &place(code), message, help);
    }
}
