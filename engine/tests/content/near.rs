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

#[test]
fn a_case_names_kinds_phases_and_scenes_that_are_there() {
    let thing = case("thing_kind", "things: [{kind: roook, at: a1}]");
    one(&thing, "test.thing core/tests/c.yaml:6", "there is no kind roook", "did you mean rook?");
    let property = case("thing_property", "things: [{kind: rook, at: a1, facng: N}]");
    one(&property, "reference.unknown core/tests/c.yaml:6", "facng is no property of entities", "did you mean facing?");
    let facing = case("thing_facing", "things: [{kind: rook, at: a1, facing: North}]");
    one(&facing, "field.type core/tests/c.yaml:6", "", "N, E, S or W");
    let table = case("table_property", "table: {facing: N}");
    one(&table, "reference.unknown core/tests/c.yaml:6", "facing is no property of the table", "there are: ");
    let phase = case("first_phase", "phase: gane");
    one(&phase, "test.first core/tests/c.yaml:6", "there is no phase gane", "did you mean game?");
}

/// What fails in a case with these lines.
fn failing(test: &str, lines: &str) -> String {
    let root = root(test, "more.yaml", mission("", EVENT).as_bytes());
    let tests = root.join("content/chess/core/tests");
    std::fs::create_dir_all(&tests).expect("a folder");
    let text = format!("scenes: {{s: {{mission: m}}}}\ncases:\n  c:\n    scene: s\n    expect: ['true']\n{lines}\n");
    std::fs::write(tests.join("c.yaml"), text).expect("a file");
    let kit = Kit::load(&[root], "chess", &[]).unwrap_or_else(|defects| panic!("{defects}"));
    match kit.run(&kit.suites[0], &kit.suites[0].cases[0]).verdict {
        sandtable::testkit::Verdict::Failed(faults) => faults.join("; "),
        _ => String::new(),
    }
}

#[test]
fn a_case_names_squares_and_things_that_are_there() {
    let things = |at: &str| format!("    things:\n      - {{kind: rook, key: tower, at: {at}}}");
    assert_eq!(failing("at_right", &format!("{}\n    no_events: [fell unit=tower]", things("a1"))), "");
    let square = failing("at_square", &things("a11"));
    assert!(square.contains("c.yaml:7: the board has no a11; did you mean a1?"), "{square}");
    let thing = failing("no_thing", &format!("{}\n    no_events: [fell unit=towr]", things("a1")));
    assert!(thing.contains("there is no towr; did you mean tower?"), "{thing}");
    // What a rule could make is left alone.
    assert_eq!(failing("could_be", "    no_events: ['fell unit=rook#7']"), "");
}

#[test]
fn what_does_not_hold_is_told_in_its_own_line_and_no_other() {
    let place = "content/chess/core/tests/c.yaml";
    let expect = failing("expect_line", "    seen:\n      - 1 == 2");
    assert!(
        expect.starts_with(&format!("{place}:7: as ")) && expect.ends_with("`1 == 2` does not hold (1 and 2)"),
        "{expect}"
    );
    let step = failing("expect_in_play", "    play:\n      - {expect: ['true']}\n      - expect:\n          - 1 == 2");
    assert_eq!(step, format!("{place}:9: step 2: `1 == 2` does not hold (1 and 2)"));
    let answer = failing("answer_line", "    play:\n      - {open: turn}");
    assert_eq!(answer, format!("{place}:7: step 1: nothing is asked where turn should be"));
    // What nothing in particular says is told of the case, where its name stands.
    let whole = failing("whole_line", "    outcome: won");
    assert_eq!(whole, format!("{place}:3: the outcome is over, not won"));
}

#[test]
fn a_tag_or_thing_that_nothing_reads_is_told_if_it_is_nearly_another() {
    let found = |text: &str| -> Vec<String> {
        let found = super::warnings(text).into_iter();
        found.filter(|found| [".near", "stat."].iter().any(|code| found.contains(code))).collect()
    };
    let terms = "terms:\n  wet: {args: [a], is: 'a.is_thing(\"water\")', doc: W}\n  \
        birds: {is: 'all(\"bird\")', doc: B}\n";
    let kinds =
        |tag: &str| format!("{terms}kinds:\n  hen: {{name: Hen, tags: [bird]}}\n  owl: {{name: Owl, tags: [{tag}]}}\n");
    assert_eq!(found(&kinds("bird")), [""; 0]);
    assert_eq!(found(&kinds("of_the_night")), [""; 0]);
    let [only] = &found(&kinds("birt"))[..] else { panic!("{:?}", found(&kinds("birt"))) };
    assert!(only.starts_with("tag.near content/chess/core/more.yaml:6:27: owl has the tag birt"), "{only}");
    let map = |thing: &str| {
        format!(
            "{terms}maps:\n  valley:\n    points: {{mill: {{name: Mill, things: [water], at: [2, 1]}}, \
             pond: {{name: Pond, things: [{thing}], at: [9, 1]}}}}\n    routes: [[mill, pond]]\n"
        )
    };
    assert_eq!(found(&map("water")), [""; 0]);
    let [only] = &found(&map("watr"))[..] else { panic!("{:?}", found(&map("watr"))) };
    assert!(only.contains("pond has the thing watr, which nothing reads"), "{only}");
    // A record is one that asks, and what nothing at all asks for is told too.
    let ground = |thing: &str| {
        let chart = "data: {ground: {doc: G, fields: {stops: bool}}}\nground: {marsh: {stops: true}}\n";
        let found = super::warnings(&format!("{chart}{}", map(thing)));
        found.into_iter().filter(|found| found.contains(" has the thing ")).collect::<Vec<_>>()
    };
    assert_eq!(ground("marsh"), [""; 0]);
    assert!(ground("mrash")[0].starts_with("thing.near") && ground("moor")[0].starts_with("thing.unread"));
}

#[test]
fn who_asks_for_a_tag_is_told_the_only_kind_that_has_nearly_that() {
    let text = "kinds: {hen: {name: Hen, tags: [brid]}}\nterms:\n  birds: {is: 'all(\"bird\")', doc: B}\n";
    let game = super::loaded(&super::scripted(text));
    let help = |code: &str| {
        let found = game.warnings.iter().find(|warning| warning.code == code);
        found.and_then(|warning| warning.help.clone()).unwrap_or_default()
    };
    assert!(help("tag.unknown").starts_with("did you mean brid, which only hen has?"), "{}", help("tag.unknown"));
    assert_eq!(help("tag.near"), "did you mean bird?");
}

#[test]
fn a_legend_that_is_not_there_is_told_once_and_a_letter_where_it_first_stands() {
    let tile = |legend: &str, cells: &str| {
        format!("legends: {{plain: {{cells: {{'.': []}}}}}}\ntiles:\n  t:\n    legend: {legend}\n    cells: {cells}\n")
    };
    check(&tile("plian", "'....'"), "reference.unknown core/more.yaml:4", "no legend plian", "did you mean plain?");
    check(&tile("plain", "'.??.'"), "tile.picture core/more.yaml:4", "column 2", "compare the picture");
    let text = |legend: &str| {
        let board = format!("    board: {{legend: {legend}, cells: '...'}}");
        format!("scenes:\n  s:\n{board}\ncases:\n  c: {{scene: s, expect: ['true']}}\n")
    };
    let root = root("case_legend", "more.yaml", b"legends: {plain: {cells: {'.': []}}}\n");
    std::fs::create_dir_all(root.join("content/chess/core/tests")).expect("a folder");
    std::fs::write(root.join("content/chess/core/tests/c.yaml"), text("plian")).expect("a file");
    let found = shown(Kit::load(&[root], "chess", &[]).map(|_| ()));
    one(&found, "reference.unknown core/tests/c.yaml:3", "no legend plian", "did you mean plain?");
}

#[test]
fn a_stat_that_all_others_of_a_sort_have_is_missed() {
    let kinds = |last: &str| {
        format!(
            "stats:\n  wings: {{type: int, doc: W}}\nkinds:\n  hen: {{name: Hen, tags: [bird], wings: 2, source: {{house: h}}}}\n  \
             owl: {{name: Owl, tags: [bird], wings: 2, source: {{house: h}}}}\n  emu: {{name: Emu, tags: [bird]{last}}}\n"
        )
    };
    assert_eq!(super::warnings(&kinds(", wings: 0, source: {house: h}")), [""; 0]);
    let [only] = &super::warnings(&kinds(""))[..] else { panic!("{:?}", super::warnings(&kinds(""))) };
    assert!(only.starts_with("stat.missing content/chess/core/more.yaml:6:3: emu has no wings"), "{only}");
    let read = "terms:\n  flies: {args: [bird], is: 'bird.wings > 1', doc: F}\nhooks:\n  h: {on: x, run: 'x::f()'}\nevents:\n  x: {doc: X, fields: {}, effects: []}\n";
    let game = super::loaded(&super::scripted(&format!("{}{read}", kinds(""))));
    let help = game.warnings.iter().find_map(|warning| warning.help.clone().filter(|_| warning.code == "stat.missing"));
    let expected = "write `wings: ...` under emu, line 6 (hen has `wings: 2` in content/chess/core/more.yaml:4); \
        who reads `.wings` of it fails in play: terms.flies (content/chess/core/more.yaml:8)";
    assert_eq!(help.as_deref(), Some(expected));
}

#[test]
fn a_stat_that_few_of_a_sort_lack_is_missed_in_each_of_them() {
    let kind = |id: &str, stat: &str| format!("  {id}: {{name: B, tags: [bird]{stat}, source: h}}\n");
    let with: String = (0..6).map(|n| kind(&format!("bird_{n}"), ", wings: 2")).collect();
    let text = |lacking: usize| {
        let without: String = (0..lacking).map(|n| kind(&format!("emu_{n}"), "")).collect();
        format!("stats:\n  wings: {{type: int, doc: W}}\nkinds:\n{with}{without}")
    };
    let missed = |lacking| super::warnings(&text(lacking)).iter().filter(|it| it.starts_with("stat.missing")).count();
    // What many lack is meant.
    assert_eq!((missed(1), missed(2), missed(3)), (1, 2, 0));
}

#[test]
fn a_pack_that_others_stand_on_may_ask_for_what_only_some_of_them_bring() {
    let asks = |tag: &str| {
        format!("kinds: {{hen: {{name: Hen, tags: [bird]}}}}\nterms:\n  t: {{is: 'all(\"{tag}\")', doc: T}}\n")
    };
    let warned = |tag: &str| {
        let core = super::pack("core", &[("flow.yaml", super::GOOD), ("more.yaml", &asks(tag))]);
        let page = "name: More\nversion: 1.0.0\nrequires: {chess/core: ^0}\n";
        let more = super::pack("more", &[("pack.yaml", page), ("more.yaml", "texts: {a: b}\n")]);
        super::loaded(&[core, more]).warnings.iter().filter(|warning| warning.code == "tag.unknown").count()
    };
    assert_eq!((warned("guide"), warned("birt")), (0, 1));
}

#[test]
fn a_menu_that_nobody_opens_is_told_where_it_is_named() {
    let warned = |menu: &str| {
        let actions = format!(
            "actions:\n  stay: {{menu: turn, name: S, run: 'x::f()'}}\n  rest: {{menu: {menu}, name: R, run: 'x::f()'}}\n"
        );
        let script = "fn f() { menu(\"turn\", ()); }";
        let core = super::pack("core", &[("flow.yaml", super::GOOD), ("more.yaml", &actions), ("x.rhai", script)]);
        let found = super::loaded(&[core]).warnings.clone().into_iter();
        found
            .filter(|it| it.code == "menu.unopened")
            .map(|it| (it.line, it.help.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(warned("turn"), []);
    assert_eq!(warned("trun"), [(3, "did you mean turn?".to_string())]);
    assert!(warned("night")[0].1.starts_with("open it by `menu("), "{:?}", warned("night"));
}
