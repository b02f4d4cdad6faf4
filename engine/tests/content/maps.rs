//! Maps: boards of points.

use sandtable::{
    script::with_stack,
    table::{Settings, Table, picture},
};

use super::{check, loaded, pack, packs};

const POINTS: &str = "mill: {name: Mill, at: [2, 1]}, pond: {name: Pond, things: [water], at: [9, 1]}";

fn map(points: &str, routes: &str) -> String {
    format!("maps:\n  valley:\n    points: {{{points}}}\n    routes:\n{routes}")
}

#[test]
fn what_is_wrong_with_a_map_stands_where_it_is_written() {
    let place = |code: &str, line: usize| format!("{code} core/more.yaml:{line}");
    let misspelt = map(POINTS, "      - [mill, pond]\n      - [mill, pnd]\n");
    check(&misspelt, &place("map.board", 6), "from mill to pnd, which is no space", "did you mean pond?");
    let double = map(POINTS, "      - [mill, pond]\n      - {ends: [pond, mill], marks: [road]}\n");
    check(&double, &place("map.board", 6), "two routes join pond and mill", "delete the route");
    check(&map(POINTS, "      - [mill, mill]\n"), &place("map.board", 5), "from mill to itself", "delete");
    let short = map(POINTS, "      - [mill]\n");
    check(&short, &place("field.type", 5), "the two spaces that a route joins", "");
    let nowhere = map("mill: {name: Mill, at: [2]}, pond: {name: Pond, at: [3, 1]}", "      - [mill, pond]\n");
    check(&nowhere, &place("field.type", 3), "column and row", "");
}

#[test]
fn a_space_without_a_route_is_a_warning_unless_it_is_meant() {
    let warned = |points: &str| {
        let game = loaded(&packs(&[("core", &map(points, "      - [mill, pond]\n"))]));
        game.warnings
            .iter()
            .map(|warning| warning.message.clone())
            .filter(|text| text.contains("valley"))
            .collect::<Vec<_>>()
    };
    assert_eq!(warned(&format!("{POINTS}, isle: {{name: Isle, at: [2, 3]}}")), ["no route of valley leads to isle"]);
    assert_eq!(warned(&format!("{POINTS}, isle: {{name: Isle, at: [2, 3], apart: yes}}")), [""; 0]);
}

#[test]
fn a_mission_has_a_map_or_tiles() {
    let maps = map(POINTS, "      - [mill, pond]\n");
    let mission = |fields: &str| format!("{maps}missions:\n  m: {{name: M, briefing: b, order: 1, {fields}}}\n");
    loaded(&packs(&[("core", &mission("map: valley"))]));
    check(&mission("map: valey"), "mission.map core/more.yaml:7", "there is no map valey", "did you mean valley?");
    check(&mission("map: valley, tiles: []"), "mission.board core/more.yaml:7", "a map and tiles", "delete one");
    check(&mission("moon: 1"), "field.missing core/more.yaml:7", "the field tiles is missing", "");
}

#[test]
fn a_space_is_called_by_its_name_wherever_somebody_reads() {
    let points = "mill: {name: The Mill, at: [2, 1]}, pond: {name: The Pond, at: [9, 1]}";
    let content = format!(
        "{}properties: {{here: {{of: table, type: space}}}}\n\
         events: {{went: {{doc: d, text: 'It goes to {{to}}.', fields: {{to: space}}, effects: [{{set: {{table.here: to}}}}]}}}}\n\
         choices: {{only: {{from: '[space(\"pond\")]'}}, where: {{from: spaces()}}}}\nseats: {{red: {{}}}}\n\
         missions: {{m: {{order: 1, name: M, briefing: b, map: valley}}}}\n",
        map(points, "      - [mill, pond]\n    source: {house: an example}\n")
    );
    let script = "fn f() { emit(\"went\", #{ to: choose(\"only\") }); choose(\"where\"); }";
    let flow = "phases: {game: {step: 'x::f()'}}\n";
    let game = loaded(&[pack("core", &[("flow.yaml", flow), ("more.yaml", &content), ("x.rhai", script)])]);
    with_stack(|| {
        let table = Table::start(&game, Settings::new("m", 1)).expect("it starts");
        table.advance().unwrap_or_else(|fault| panic!("{fault}"));
        let told = format!("{:?}", picture::told(&table, 0));
        assert!(told.contains("only choice: The Pond") && told.contains("It goes to The Pond."), "{told}");
        let board = picture::board(&table);
        assert_eq!(board.squares.iter().map(picture::Square::called).collect::<Vec<_>>(), ["The Mill", "The Pond"]);
        let choice = table.open().expect("it asks where");
        let labels = choice.options().map(|option| (option.id.to_string(), picture::label(&table, &choice, option).0));
        let [mill, pond] = [("mill", "The Mill"), ("pond", "The Pond")].map(|(id, name)| (id.into(), name.into()));
        assert_eq!(labels.collect::<Vec<(String, String)>>(), [mill, pond]);
    });
}
