//! Reading test files.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    case::{Case, CaseKind, ContentCase, Expectation, MissionStep, PlayCase, PlayStep, Seen, Suite},
    patterns::{check, patterns},
};
use crate::{
    base::{Name, Value, name},
    content::{Defects, Node, NodeValue, Sources},
    rules::{
        First, Game, Mission, MissionUnit, Scene, SceneThing,
        link::{board_tile, mission_map, mission_tiles, names, property_value},
        read::{Fields, Reader, plain},
    },
};

/// The most ids that one case may cover.
const COVERS_MAX: usize = 3;

/// Loads the game with files laid over it.
pub(super) type Lay<'a> = &'a dyn Fn(&[(String, String)]) -> Result<Arc<Game>, Defects>;

/// All test files of a game.
pub(super) fn suites(game: &Arc<Game>, sources: &Sources, lay: Lay<'_>) -> Result<Vec<Suite>, Defects> {
    let reader = Reader::new(sources, names(sources));
    let suites = sources.tests.iter().map(|(file, node)| suite((game, lay), &reader, *file, node)).collect();
    let mut defects = Defects(reader.defects.into_inner());
    defects.sort();
    if defects.0.is_empty() { Ok(suites) } else { Err(defects) }
}

/// One case of a test file, read for a game; none when it cannot be read.
pub(super) fn one(game: &Arc<Game>, reader: &Reader<'_>, lay: Lay<'_>, file: &Node, id: &str) -> Option<Case> {
    let fields = reader.fields(file);
    let scenes = fields.entries("scenes");
    let cases = fields.entries("cases");
    let node = cases.into_iter().find(|(own, _)| own.as_str() == id)?.1;
    let before = reader.defects.borrow().len();
    let case = case((game, lay), reader, &scenes, id, node);
    case.filter(|_| reader.defects.borrow().len() == before)
}

fn suite(game: (&Arc<Game>, Lay<'_>), reader: &Reader<'_>, file: usize, node: &Node) -> Suite {
    let fields = reader.fields(node);
    let scenes = fields.entries("scenes");
    let cases = fields.entries("cases");
    fields.finish();
    for (id, scene) in &scenes {
        if !cases.iter().any(|(_, case)| text_at(case, "scene") == Some(id.as_str())) {
            reader.defect("test.scene", scene.place, format!("no case uses the scene {id}"), None);
        }
    }
    let cases = cases.into_iter().filter_map(|(id, node)| case(game, reader, &scenes, &id, node)).collect();
    Suite { file: reader.sources.files[file].path.clone(), cases }
}

fn text_at<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    match &node.as_map()?.get(key)?.value {
        NodeValue::Text(text) => Some(text),
        _ => None,
    }
}

fn case(
    (game, lay): (&Arc<Game>, Lay<'_>),
    reader: &Reader<'_>,
    scenes: &[(Name, &Node)],
    id: &str,
    node: &Node,
) -> Option<Case> {
    let fields = reader.fields(node);
    let covers: Vec<String> = reader.names(fields.optional("covers")).iter().map(ToString::to_string).collect();
    let fixme = id.starts_with("FIXME");
    if covers.len() > COVERS_MAX || fixme && !covers.is_empty() {
        let help = "a case covers at most three ids, a FIXME case none".to_string();
        reader.defect("test.covers", node.place, format!("{id} covers {} ids", covers.len()), Some(help));
    }
    if fixme {
        let _ = reader.text(fields.required("why"));
    }
    let files = fields.optional("overlay").map(|_| {
        let files = fields.entries("overlay").into_iter();
        files.map(|(path, node)| (path.to_string(), reader.text(Some(node)))).collect::<Vec<_>>()
    });
    let kind = match (files, fields.optional("defects")) {
        (Some(files), Some(node)) => {
            let defects = reader.items(Some(node)).iter().map(|item| {
                let defect = reader.fields(item);
                let read = (reader.text(defect.required("code")), reader.text(defect.required("at")));
                defect.finish();
                read
            });
            CaseKind::Content(ContentCase { files, defects: defects.collect() })
        }
        (Some(files), None) => match lay(&files) {
            Ok(laid) => CaseKind::Play(Box::new(play(&laid, reader, scenes, &fields, fixme)?)),
            Err(defects) => {
                let faults: Vec<String> = defects.0.iter().map(ToString::to_string).collect();
                reader.defect("test.overlay", node.place, faults.join("; "), None);
                return None;
            }
        },
        (None, _) => CaseKind::Play(Box::new(play(game, reader, scenes, &fields, fixme)?)),
    };
    fields.finish();
    Some(Case { name: id.into(), line: node.named_at().line, covers, fixme, kind })
}

/// What scene and case say together.
#[derive(Default)]
struct SetUp {
    things: Vec<SceneThing>,
    squares: Vec<(Name, usize)>,
    table: BTreeMap<Name, Value>,
    facts: BTreeMap<Name, Value>,
    piles: Vec<(Name, Vec<Name>)>,
    options: BTreeMap<Name, Name>,
    legacy: BTreeMap<Name, Value>,
}

impl SetUp {
    /// Of a case that is known to fail no kind is compared with the game.
    fn read(&mut self, game: &Game, reader: &Reader<'_>, fields: &Fields<'_>, fixme: bool) {
        self.legacy.extend(legacy(game, reader, fields, "legacy"));
        for node in reader.items(fields.optional("things")) {
            let Some(thing) = thing((!fixme).then_some(game), reader, node) else { continue };
            self.squares.extend(thing.squares.iter().map(|square| (*square, node.place.line)));
            let same = self.things.iter().position(|other| other.key.is_some() && other.key == thing.key);
            match same {
                Some(index) => self.things[index] = thing,
                None => self.things.push(thing),
            }
        }
        let table = fields.entries("table").into_iter();
        // What is wrong with a property is told there; a case that is known to fail may wait for it.
        let known = table.filter(|(key, node)| fixme || property_value(game, reader, *key, node, true));
        self.table.extend(known.map(|(key, node)| (key, plain(node))));
        self.facts.extend(fields.entries("facts").into_iter().map(|(key, node)| (key, plain(node))));
        for (zone, node) in fields.entries("piles") {
            self.piles.retain(|(other, _)| *other != zone);
            self.piles.push((zone, reader.names(Some(node))));
        }
        for (option, node) in fields.entries("options") {
            self.options.extend(reader.name(node).map(|value| (option, value)));
        }
    }
}

fn thing(game: Option<&Game>, reader: &Reader<'_>, node: &Node) -> Option<SceneThing> {
    let fields = reader.fields(node);
    let kind = fields.required("kind").and_then(|node| {
        let kind = reader.name(node)?;
        if let Some(game) = game.filter(|game| !game.kinds.contains_key(&kind)) {
            unknown(reader, node, "test.thing", "kind", &kind, game.kinds.keys().map(Name::as_str));
        }
        Some(kind)
    });
    let key = fields.optional("key").and_then(|node| reader.name(node));
    let at = fields.optional("at").and_then(|node| reader.name(node));
    let cells = fields.optional("cells").map(|node| reader.names(Some(node))).unwrap_or_default();
    let on = fields.optional("on").and_then(|node| reader.name(node));
    let slot = fields.optional("slot").and_then(|node| reader.name(node)).unwrap_or_default();
    let known = |key: Name, node: &Node| game.is_none_or(|game| property_value(game, reader, key, node, false));
    let properties = fields.rest().into_iter().filter(|(key, node)| known(*key, node));
    let properties = properties.map(|(key, node)| (key, truth(plain(node)))).collect();
    let on = on.map(|carrier| (carrier, slot));
    Some(SceneThing { kind: kind?, key, squares: at.into_iter().chain(cells).collect(), on, properties })
}

/// Tells of a name that nothing has, with the nearest one.
fn unknown<'n>(
    reader: &Reader<'_>,
    node: &Node,
    code: &'static str,
    what: &str,
    text: &str,
    known: impl Iterator<Item = &'n str>,
) {
    let near = crate::content::nearest(text, known).map(|near| format!("did you mean {near}?"));
    reader.defect(code, node.place, format!("there is no {what} {text}"), near);
}

/// What a small tile brings.
fn printed(unit: &MissionUnit) -> SceneThing {
    let squares = unit.squares.iter().map(|square| name(square)).collect();
    SceneThing { kind: unit.kind, key: unit.key, squares, on: None, properties: unit.properties.clone() }
}

/// `yes` and `no` as truth: content reads YAML 1.2, where these are text.
fn truth(value: Value) -> Value {
    match &value {
        Value::Name(text) if text.as_str() == "yes" => Value::Bool(true),
        Value::Name(text) if text.as_str() == "no" => Value::Bool(false),
        _ => value,
    }
}

fn play(
    game: &Arc<Game>,
    reader: &Reader<'_>,
    scenes: &[(Name, &Node)],
    fields: &Fields<'_>,
    fixme: bool,
) -> Option<PlayCase> {
    let named = fields.required("scene")?;
    let scene_name = reader.name(named)?;
    let Some((_, scene_node)) = scenes.iter().find(|(id, _)| *id == scene_name) else {
        unknown(
            reader,
            named,
            "test.scene",
            "scene of this file",
            &scene_name,
            scenes.iter().map(|(id, _)| id.as_str()),
        );
        return None;
    };
    let scene = reader.fields(scene_node);
    let (mission_id, mut mission, board) = mission(game, reader, &scene)?;
    let is_campaign = board.is_none() && game.campaigns.contains_key(&mission_id);
    let mut set_up = SetUp::default();
    if !game.missions.contains_key(&mission_id) {
        set_up.things.extend(mission.units.iter().map(printed));
    }
    set_up.read(game, reader, &scene, fixme);
    set_up.read(game, reader, fields, fixme);
    scene.finish();
    mission.facts.extend(set_up.facts.into_iter().map(|(key, value)| (key, truth(value))));
    let table = set_up.table.into_iter().map(|(key, value)| (key, truth(value))).collect();
    let keys: Vec<Name> = set_up.things.iter().filter_map(|thing| thing.key).collect();
    let phase_at = fields.optional("phase");
    let phase = phase_at.and_then(|node| reader.name(node));
    let call = fields.optional("run").and_then(|node| reader.call(node, &keys));
    let first = match (phase, call) {
        (Some(_), Some(_)) => {
            reader.defect("test.first", fields.place(), "a case runs a phase or a function, not both".into(), None);
            return None;
        }
        (Some(phase), None) => Some(First::Phase(phase)),
        (None, Some(call)) => Some(First::Call(call.into(), keys.clone())),
        (None, None) => None,
    };
    if let (Some(node), Some(First::Phase(phase))) = (phase_at, first.as_ref().filter(|first| !known(game, first))) {
        unknown(reader, node, "test.first", "phase", phase, game.phases.keys().map(Name::as_str));
    }
    let is_start = is_campaign || game.missions.contains_key(&mission_id);
    let whole = board.is_none() && set_up.things.is_empty() && first.is_none() && is_start;
    let piles = set_up.piles;
    let scene = Scene { first: first.unwrap_or_default(), things: set_up.things, table, piles };
    let expect = expectations(reader, fields.optional("expect"), &keys);
    let seen = seen(game, reader, fields.optional("seen"), &keys);
    let case = PlayCase {
        game: Arc::clone(game),
        mission_id,
        mission,
        board,
        options: set_up.options,
        legacy: set_up.legacy,
        is_campaign,
        scene: (!whole).then_some(scene),
        squares: set_up.squares,
        dice: dice(reader, fields),
        seed: fields.optional("seed").and_then(|node| reader.int(node)).and_then(|seed| u64::try_from(seed).ok()),
        ties_asked: fields.optional("ties").is_some_and(|node| reader.text(Some(node)) == "ask"),
        steps: reader
            .items(fields.optional("play"))
            .iter()
            .filter_map(|node| Some((step(game, reader, node, &keys)?, node.place.line)))
            .collect(),
        events: patterns(game, reader, fields.optional("events")),
        no_events: patterns(game, reader, fields.optional("no_events")),
        count: counted(game, reader, fields),
        outcome: fields.optional("outcome").map(|node| reader.text(Some(node))),
        keys,
        expect,
        seen,
    };
    let expects = !case.expect.is_empty()
        || !case.seen.is_empty()
        || !case.events.is_empty()
        || !case.no_events.is_empty()
        || !case.count.is_empty()
        || case.outcome.is_some()
        || case.steps.iter().any(|(step, _)| !matches!(step, PlayStep::Answer(_)));
    if !expects {
        let help =
            "say what must hold: expect, seen, events, no_events, count, outcome, or a look on the way".to_string();
        reader.defect("test.expects", fields.place(), "the case expects nothing".into(), Some(help));
    }
    Some(case)
}

fn known(game: &Game, first: &First) -> bool {
    !matches!(first, First::Phase(phase) if !game.phases.contains_key(phase))
}

type Place = (Name, Mission, Option<crate::rules::Tile>);

fn mission(game: &Game, reader: &Reader<'_>, scene: &Fields<'_>) -> Option<Place> {
    let named = scene.optional("mission").and_then(|node| reader.name(node));
    if let Some(id) = scene.optional("campaign").and_then(|node| reader.name(node)) {
        let Some(campaign) = game.campaigns.get(&id) else {
            let near = crate::content::nearest(&id, game.campaigns.keys().map(Name::as_str));
            let help = near.map(|near| format!("did you mean {near}?"));
            reader.defect("test.campaign", scene.place(), format!("there is no campaign {id}"), help);
            return None;
        };
        return Some((id, Mission { facts: campaign.facts.clone(), ..Mission::default() }, None));
    }
    let board = scene.optional("board").and_then(|node| board_tile(game, reader, node));
    let (tiles, units) = mission_tiles(game, reader, scene, board.as_ref());
    let map = scene.optional("map").and_then(|node| mission_map(game, reader, node));
    match named.zip(scene.optional("mission")) {
        Some((id, node)) => match game.missions.get(&id) {
            Some(mission) => Some((id, mission.clone(), None)),
            None => {
                unknown(reader, node, "test.mission", "mission", &id, game.missions.keys().map(Name::as_str));
                None
            }
        },
        // A board that could not be read is told of where it stands.
        None if scene.optional("board").is_some() && board.is_none() => None,
        None if tiles.is_empty() && map.is_none() => {
            let help = "write board, tiles, map, mission or campaign".to_string();
            reader.defect("test.board", scene.place(), "the scene has no board".into(), Some(help));
            None
        }
        None => Some((name("test"), Mission { title: "test".into(), map, tiles, units, ..Mission::default() }, board)),
    }
}

fn dice(reader: &Reader<'_>, fields: &Fields<'_>) -> BTreeMap<String, Vec<i64>> {
    let entries = fields.entries("dice").into_iter();
    let faces = |node: &Node| reader.items(Some(node)).iter().filter_map(|item| reader.int(item)).collect();
    entries.map(|(stream, node)| (stream.to_string(), faces(node))).collect()
}

/// How often events must occur.
fn counted(game: &Game, reader: &Reader<'_>, fields: &Fields<'_>) -> Vec<(String, usize)> {
    let read = |(event, node): (Name, &Node)| {
        check(game, reader, node, &event);
        Some((event.to_string(), usize::try_from(reader.int(node)?).ok()?))
    };
    fields.entries("count").into_iter().filter_map(read).collect()
}

fn words(reader: &Reader<'_>, node: Option<&Node>) -> Vec<String> {
    reader
        .items(node)
        .iter()
        .map(|item| match &item.value {
            NodeValue::Int(number) => number.to_string(),
            _ => reader.text(Some(item)),
        })
        .collect()
}

/// Values of section `legacy`.
fn legacy(game: &Game, reader: &Reader<'_>, fields: &Fields<'_>, key: &'static str) -> BTreeMap<Name, Value> {
    let entries = fields.entries(key).into_iter();
    let known = entries.filter(|(id, node)| {
        let is_there = game.legacy.contains_key(id);
        if !is_there {
            let near = crate::content::nearest(id, game.legacy.keys().map(Name::as_str));
            let help = near.map(|near| format!("did you mean {near}?"));
            reader.defect("test.legacy", node.named_at(), format!("there is no {id} in section `legacy`"), help);
        }
        is_there
    });
    known.map(|(id, node)| (id, truth(plain(node)))).collect()
}

/// A mission for which a campaign waits.
fn mission_step(game: &Game, reader: &Reader<'_>, fields: &Fields<'_>) -> Option<PlayStep> {
    let mission = fields.required("mission").and_then(|node| reader.name(node))?;
    let ends = fields.optional("ends").and_then(|node| reader.name(node));
    let reason = fields.optional("reason").and_then(|node| reader.name(node)).unwrap_or_else(|| name("test"));
    let given = legacy(game, reader, fields, "with");
    let leaves = legacy(game, reader, fields, "leaves");
    Some(PlayStep::Mission(MissionStep { mission, given, ends: ends.map(|ends| (ends, reason)), leaves }))
}

fn step(game: &Game, reader: &Reader<'_>, node: &Node, keys: &[Name]) -> Option<PlayStep> {
    match &node.value {
        NodeValue::Text(text) => {
            return Some(PlayStep::Answer(text.split_whitespace().map(str::to_string).collect()));
        }
        NodeValue::Int(number) => return Some(PlayStep::Answer(vec![number.to_string()])),
        _ => {}
    }
    let fields = reader.fields(node);
    let because = words(reader, fields.optional("because"));
    let step = if let Some(open) = fields.optional("open") {
        PlayStep::Open(reader.text(Some(open)))
    } else if let Some(refused) = fields.optional("refused") {
        PlayStep::Refused(words(reader, Some(&as_list(refused))).join(""), because)
    } else if fields.optional("expect").is_some() {
        PlayStep::Expect(expectations(reader, fields.optional("expect"), keys))
    } else if let Some(node) = fields.optional("seen") {
        PlayStep::Seen(seen(game, reader, Some(node), keys))
    } else if fields.optional("mission").is_some() {
        mission_step(game, reader, &fields)?
    } else if let Some(undo) = fields.optional("undo") {
        let allowed = reader.yes(Some(undo));
        PlayStep::Undo((!allowed).then_some(because))
    } else {
        let offered = words(reader, fields.optional("offered"));
        let not_offered = words(reader, fields.optional("not_offered"));
        if offered.is_empty() && not_offered.is_empty() {
            let help = "an answer, or a map with open, offered, not_offered, refused, expect, seen, mission or undo"
                .to_string();
            reader.defect("test.step", node.place, "the step says nothing".into(), Some(help));
            return None;
        }
        PlayStep::Offered(offered, not_offered)
    };
    fields.finish();
    Some(step)
}

fn as_list(node: &Node) -> Node {
    Node::new(NodeValue::List(vec![node.clone()]), node.place)
}

/// What must hold for whoever looks: a list for the first seat, or lists by seat.
fn seen(game: &Game, reader: &Reader<'_>, node: Option<&Node>, keys: &[Name]) -> Vec<Seen> {
    let Some(node) = node else { return Vec::new() };
    let Some(by_seat) = node.as_map() else {
        let seat = game.seats.first().copied().unwrap_or_default();
        return vec![Seen { seat, expect: expectations(reader, Some(node), keys) }];
    };
    let of_seat = |(seat, node): (&String, &Node)| {
        let known = game.seats.iter().copied().find(|known| known.as_str() == seat);
        if known.is_none() {
            unknown(reader, node, "test.seat", "seat", &name(seat), game.seats.iter().map(Name::as_str));
        }
        Some(Seen { seat: known?, expect: expectations(reader, Some(node), keys) })
    };
    by_seat.iter().filter_map(of_seat).collect()
}

fn expectations(reader: &Reader<'_>, node: Option<&Node>, keys: &[Name]) -> Vec<Expectation> {
    let mut found = Vec::new();
    for item in reader.items(node) {
        let Some(holds) = reader.expr(item, keys) else { continue };
        let sides = match &item.value {
            NodeValue::Text(text) if !text.contains("&&") && !text.contains("||") => match text.split_once(" == ") {
                Some((left, right)) => [left, right].iter().filter_map(|side| reader.try_expr(side, keys)).collect(),
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        found.push(Expectation { holds, sides, line: item.place.line });
    }
    found
}
