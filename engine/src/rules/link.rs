//! Linking: the records of a game's packs become a [`Game`], or a list of all defects.

use std::{cell::RefCell, path::PathBuf, sync::Arc};

use indexmap::IndexMap;

use super::{
    game::{
        Action, Ask, Body, ChoiceRecord, Creation, EdgeCost, EdgeException, Effect, EventKind, FieldType, Game, Hook,
        Kind, Local, Mission, MissionTile, MissionUnit, Movement, Part, Phase, Property, Sight, Term, Tile, TilePlace,
        ValueRecord, ZoneRecord,
    },
    read::{Fields, Reader, plain},
    view::Names,
};
use crate::{
    base::{Name, Value, name},
    board::{DrawnTile, Facing},
    content::{self, Defect, Defects, Node, NodeValue, Record, Sources},
    script::ScriptSource,
};

/// Sections that the rules read; `weapons`, `cards` and the like are read by scripts.
const SECTIONS: [&str; 19] = [
    "seats",
    "properties",
    "kinds",
    "events",
    "terms",
    "choices",
    "actions",
    "phases",
    "hooks",
    "values",
    "movement",
    "sight",
    "legends",
    "tiles",
    "zones",
    "missions",
    "texts",
    "cards",
    "decks",
];

/// Reads and links a game.
///
/// # Errors
/// All defects of all its packs.
pub fn load(roots: &[PathBuf], game: &str, without: &[String]) -> Result<Arc<Game>, Defects> {
    let sources = content::load(roots, game, without)?;
    link(game, &sources).map(Arc::new)
}

fn link(id: &str, sources: &Sources) -> Result<Game, Defects> {
    let reader = Reader { sources, names: names(sources), defects: RefCell::new(Vec::new()) };
    let mut game = Game { id: name(id), title: id.into(), ..Game::default() };
    game.packs =
        sources.packs.iter().map(|pack| (pack.name.clone(), pack.version.to_string(), pack.hash.clone())).collect();
    game.files = sources.files.iter().map(|file| (file.path.clone(), file.hash.clone())).collect();
    for (section, records) in &sources.records {
        for (id, record) in records {
            let file = sources.files[record.node.place.file].path.clone();
            game.places.insert(format!("{section}.{id}"), (file, record.node.place.line));
        }
    }
    game.scripts = sources
        .scripts
        .iter()
        .map(|(namespace, file)| {
            let file = &sources.files[*file];
            ScriptSource { namespace: namespace.clone(), file: file.path.clone(), text: Arc::clone(&file.text) }
        })
        .collect();
    game.seats = section(sources, "seats").map(|(id, _)| name(id)).collect();
    game.locals = locals(sources);
    records(&mut game, &reader);
    board_records(&mut game, &reader);
    let mut defects = Defects(reader.defects.into_inner());
    cross_check(&game, sources, &mut defects);
    defects.sort();
    if defects.0.is_empty() { Ok(game) } else { Err(defects) }
}

fn section<'a>(sources: &'a Sources, section: &str) -> impl Iterator<Item = (&'a String, &'a Record)> {
    sources.records.get(section).into_iter().flatten()
}

/// The names that expressions may use, found before any expression is read.
fn names(sources: &Sources) -> Names {
    let n_args =
        |record: &Record| match record.node.as_map().and_then(|fields| fields.get("args")).map(|args| &args.value) {
            Some(NodeValue::List(args)) => args.len(),
            _ => 0,
        };
    let mut properties: Vec<Name> = section(sources, "properties").map(|(id, _)| name(id)).collect();
    for text in ["key", "kind", "alive", "at", "name", "things", "region", "total", "parts", "amount", "properties"] {
        properties.push(name(text));
    }
    for (_, record) in section(sources, "kinds") {
        let stats = record.node.as_map().and_then(|fields| fields.get("stats")).and_then(Node::as_map);
        properties.extend(stats.into_iter().flatten().map(|(key, _)| name(key)));
    }
    Names { terms: section(sources, "terms").map(|(id, record)| (name(id), n_args(record))).collect(), properties }
}

/// The locals that phases declare.
fn locals(sources: &Sources) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for (_, record) in section(sources, "phases") {
        let fields = record.node.as_map();
        let declared = fields.and_then(|fields| fields.get("locals")).and_then(Node::as_map);
        found.extend(declared.into_iter().flatten().map(|(local, _)| name(local)));
        let each = fields.and_then(|fields| fields.get("each")).and_then(Node::as_map);
        if let Some(NodeValue::Text(local)) = each.and_then(|each| each.get("as")).map(|node| &node.value) {
            found.push(name(local));
        }
    }
    found.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    found.dedup();
    found
}

fn records(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (id, record) in section(sources, "properties") {
        let fields = reader.fields(&record.node);
        let of_table = fields.optional("of").is_some_and(|of| reader.name(of).is_some_and(|of| of.as_str() == "table"));
        let kind = fields.required("type").and_then(|node| reader.name(node)).unwrap_or_default();
        let default = fields.optional("default").map(plain);
        let from = fields.optional("from").and_then(|node| reader.name(node));
        fields.finish();
        game.properties.insert(name(id), Property { of_table, kind, default, from });
    }
    for (id, record) in section(sources, "kinds") {
        let fields = reader.fields(&record.node);
        let title = reader.text(fields.required("name"));
        let tags = reader.names(fields.optional("tags"));
        let mut stats: std::collections::BTreeMap<Name, Value> =
            fields.entries("stats").into_iter().map(|(stat, node)| (stat, plain(node))).collect();
        let _ = fields.optional("source");
        for (key, node) in fields.rest() {
            stats.insert(key, plain(node));
        }
        game.kinds.insert(name(id), Kind { title, tags, stats });
    }
    for (id, record) in section(sources, "events") {
        game.events.insert(name(id), event(reader, &record.node));
    }
    for (id, record) in section(sources, "terms") {
        let fields = reader.fields(&record.node);
        let args = reader.names(fields.optional("args"));
        let is = fields.required("is").and_then(|node| reader.expr(node, &args));
        let doc = reader.text(fields.optional("doc"));
        fields.finish();
        if let Some(is) = is {
            game.terms.insert(name(id), Term { args, doc, is });
        }
    }
    for (id, record) in section(sources, "choices") {
        let fields = reader.fields(&record.node);
        let args = reader.names(fields.optional("args"));
        let mut with_it = args.clone();
        with_it.push(name("it"));
        let from = fields.required("from").and_then(|node| reader.expr(node, &args));
        let conditions = reader.conditions(fields.optional("where"), &with_it);
        let named_by = fields.optional("id").and_then(|node| reader.expr(node, &with_it));
        let tie = reader.yes(fields.optional("tie"));
        fields.finish();
        if let Some(from) = from {
            game.choices.insert(name(id), ChoiceRecord { args, from, conditions, id: named_by, tie });
        }
    }
    for (id, record) in section(sources, "actions") {
        if let Some(action) = action(reader, &record.node) {
            game.actions.insert(name(id), action);
        }
    }
    let locals = game.locals.clone();
    for (id, record) in section(sources, "phases") {
        game.phases.insert(name(id), phase(reader, &record.node, &locals));
    }
    for (id, record) in section(sources, "hooks") {
        let fields = reader.fields(&record.node);
        let on = fields.required("on").and_then(|node| reader.name(node)).unwrap_or_default();
        let variables: Vec<Name> =
            game.events.get(&on).map(|event| event.fields.keys().copied().collect()).unwrap_or_default();
        let when = fields.optional("when").and_then(|node| reader.expr(node, &variables));
        let order = fields.optional("order").and_then(|node| reader.int(node)).unwrap_or(0);
        let run = fields.required("run").and_then(|node| reader.call(node, &variables));
        fields.finish();
        if let Some(run) = run {
            game.hooks.insert(name(id), Hook { event: on, when, order, run });
        }
    }
    for (id, record) in section(sources, "values") {
        if let Some(value) = value_record(reader, &record.node) {
            game.values.insert(name(id), value);
        }
    }
    for (id, record) in section(sources, "zones") {
        let fields = reader.fields(&record.node);
        let hidden = reader.yes(fields.optional("hidden"));
        fields.finish();
        game.zones.insert(name(id), ZoneRecord { hidden });
    }
    for (id, record) in section(sources, "texts") {
        game.texts.insert(name(id), reader.text(Some(&record.node)));
    }
}

fn event(reader: &Reader<'_>, node: &Node) -> EventKind {
    let fields = reader.fields(node);
    let doc = reader.text(fields.required("doc"));
    let mut declared = IndexMap::new();
    for (field, node) in fields.entries("fields") {
        if let Some(kind) = reader.name(node) {
            let optional = kind.ends_with('?');
            declared.insert(field, FieldType { kind: name(kind.trim_end_matches('?')), optional });
        }
    }
    let variables: Vec<Name> = declared.keys().copied().collect();
    let mut effects = Vec::new();
    for item in reader.items(fields.optional("effects")) {
        effect(reader, item, &variables, &mut effects);
    }
    fields.finish();
    EventKind { doc, fields: declared, effects }
}

fn effect(reader: &Reader<'_>, node: &Node, variables: &[Name], effects: &mut Vec<Effect>) {
    let Some((operation, body)) = node.as_map().filter(|map| map.len() == 1).and_then(|map| map.first()) else {
        reader.wrong_type(node, "one effect, such as `{set: {unit.property: value}}`");
        return;
    };
    let expr = |node: &Node| reader.expr(node, variables);
    let text = |text: &str| reader.expr(&Node { value: NodeValue::Text(text.into()), place: body.place }, variables);
    match operation.as_str() {
        "set" => {
            for (target, value) in body.as_map().into_iter().flatten() {
                let Some((of, property)) = target.rsplit_once('.') else {
                    reader.defect(
                        "effect.target",
                        value.place,
                        format!("{target} is no property"),
                        Some("write `unit.property`".into()),
                    );
                    continue;
                };
                let Some(value) = expr(value) else { continue };
                if of == "table" {
                    effects.push(Effect::SetTable(name(property), value));
                } else if let Some(of) = text(of) {
                    effects.push(Effect::Set(of, name(property), value));
                }
            }
        }
        "place" => {
            for (thing, at) in body.as_map().into_iter().flatten() {
                if let (Some(thing), Some(at)) = (text(thing), expr(at)) {
                    effects.push(Effect::Place(thing, at));
                }
            }
        }
        "put" => {
            let fields = reader.fields(body);
            let thing = fields.required("entity").and_then(expr);
            let on = fields.optional("on").and_then(expr);
            let slot = fields.optional("slot").and_then(|node| reader.name(node)).unwrap_or_default();
            let zone = fields.optional("in").and_then(|node| reader.name(node));
            let depth = fields.optional("depth").and_then(expr);
            fields.finish();
            match (thing, on, zone) {
                (Some(thing), Some(on), None) => effects.push(Effect::PutOn(thing, on, slot)),
                (Some(thing), None, Some(zone)) => effects.push(Effect::PutIn(thing, zone, depth)),
                _ => reader.defect("effect.put", body.place, "put needs `on` or `in`, not both".into(), None),
            }
        }
        "create" => {
            let fields = reader.fields(body);
            let kind = fields.required("kind").and_then(expr);
            let key = fields.optional("key").and_then(expr);
            let properties = fields.optional("properties").and_then(expr);
            let at = fields.optional("at").and_then(expr);
            fields.finish();
            if let Some(kind) = kind {
                effects.push(Effect::Create(Box::new(Creation { kind, key, properties, at })));
            }
        }
        "order" => {
            for (zone, order) in body.as_map().into_iter().flatten() {
                if let Some(order) = expr(order) {
                    effects.push(Effect::Order(name(zone), order));
                }
            }
        }
        "destroy" => effects.extend(expr(body).map(Effect::Destroy)),
        "end" => effects.extend(expr(body).map(Effect::End)),
        other => {
            let known = ["set", "place", "put", "create", "order", "destroy", "end"];
            let help =
                content::nearest(other, known).map_or_else(|| known.join(", "), |near| format!("did you mean {near}?"));
            reader.defect("effect.unknown", body.place, format!("there is no effect {other}"), Some(help));
        }
    }
}

fn action(reader: &Reader<'_>, node: &Node) -> Option<Action> {
    let fields = reader.fields(node);
    let mut known = vec![name("unit")];
    let menu = fields.required("menu").and_then(|node| reader.name(node));
    let title = reader.text(fields.required("name"));
    let conditions = reader.conditions(fields.optional("when"), &known);
    let mut asks = Vec::new();
    for item in reader.items(fields.optional("asks")) {
        let ask = reader.fields(item);
        let answer = ask.required("as").and_then(|node| reader.name(node));
        let choice = ask.required("choice").and_then(|node| reader.name(node));
        let early = known.len() == 1;
        let args = ask.required("with").and_then(|node| reader.expr(node, &known));
        ask.finish();
        if let (Some(answer), Some(choice), Some(args)) = (answer, choice, args) {
            known.push(answer);
            asks.push(Ask { name: answer, choice, args, early });
        }
    }
    let run = fields.required("run").and_then(|node| reader.call(node, &known));
    let _ = fields.optional("source");
    fields.finish();
    Some(Action { menu: menu?, title, conditions, asks, run: run? })
}

fn phase(reader: &Reader<'_>, node: &Node, locals: &[Name]) -> Phase {
    let fields = reader.fields(node);
    let expr = |node: &Node| reader.expr(node, locals);
    let call = |node: &Node| reader.call(node, locals);
    let declared =
        fields.entries("locals").into_iter().filter_map(|(local, node)| Some((local, expr(node)?))).collect();
    let phases = fields.optional("phases").map(|node| reader.names(Some(node)));
    let step = fields.optional("step").and_then(call);
    let each = fields.optional("each").and_then(|node| {
        let each = reader.fields(node);
        let local = each.required("as").and_then(|node| reader.name(node));
        let items = each.required("in").and_then(expr);
        let phase = each.required("phase").and_then(|node| reader.name(node));
        each.finish();
        Some(Body::Each { local: local?, items: items?, phase: phase? })
    });
    let body = match (phases, step, each) {
        (Some(phases), None, None) => Body::Phases(phases),
        (None, Some(step), None) => Body::Step(step),
        (None, None, Some(each)) => each,
        (None, None, None) => Body::Empty,
        _ => {
            reader.defect("phase.body", fields.place(), "a phase has one of step, phases and each".into(), None);
            Body::Empty
        }
    };
    let phase = Phase {
        is_turn: reader.yes(fields.optional("is_turn")),
        when: fields.optional("when").and_then(expr),
        locals: declared,
        enter: fields.optional("enter").and_then(call),
        body,
        again: fields.optional("again").and_then(expr),
        exit: fields.optional("exit").and_then(call),
    };
    fields.finish();
    phase
}

fn value_record(reader: &Reader<'_>, node: &Node) -> Option<ValueRecord> {
    let fields = reader.fields(node);
    let args = reader.names(fields.optional("args"));
    let base = fields.required("base").and_then(|node| reader.expr(node, &args));
    let mut parts = Vec::new();
    for (part, node) in fields.entries("parts") {
        let fields = reader.fields(node);
        let when = fields.optional("when").and_then(|node| reader.expr(node, &args));
        let worst_of = fields.optional("worst_of").and_then(|node| reader.name(node));
        let instead = reader.yes(fields.optional("instead"));
        let amount = fields.required("amount").and_then(|node| reader.expr(node, &args));
        let _ = fields.optional("source");
        fields.finish();
        if let Some(amount) = amount {
            parts.push(Part { name: part, when, amount, worst_of, instead });
        }
    }
    fields.finish();
    Some(ValueRecord { args, base: base?, parts })
}

fn board_records(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (id, record) in section(sources, "movement") {
        let fields = reader.fields(&record.node);
        let cells = fields.entries("cells").into_iter().map(|(thing, node)| (thing, reader.cost(node))).collect();
        let edges = fields
            .entries("edges")
            .into_iter()
            .map(|(mark, node)| {
                let cost = match node.as_map() {
                    Some(_) => {
                        let fields = reader.fields(node);
                        let straight = fields.required("straight").and_then(|node| reader.cost(node));
                        let diagonal = reader.yes(fields.optional("diagonal"));
                        fields.finish();
                        EdgeCost { straight, diagonal }
                    }
                    None => EdgeCost { straight: reader.cost(node), diagonal: false },
                };
                (mark, cost)
            })
            .collect();
        fields.finish();
        game.movement.insert(name(id), Movement { cells, edges });
    }
    for (id, record) in section(sources, "sight") {
        let fields = reader.fields(&record.node);
        let edges = fields.entries("edges").into_iter().filter_map(|(mark, node)| {
            let exception = match reader.name(node)?.as_str() {
                "never" => EdgeException::Never,
                "viewer_beside" => EdgeException::ViewerBeside,
                "end_at_edge" => EdgeException::EndAtEdge,
                other => {
                    let help = "one of never, viewer_beside, end_at_edge".to_string();
                    reader.defect("sight.edge", node.place, format!("{other} opens no edge"), Some(help));
                    return None;
                }
            };
            Some((mark, exception))
        });
        let sight = Sight {
            edges: edges.collect(),
            cells: reader.names(fields.optional("cells")),
            entities: fields.optional("entities").and_then(|node| reader.expr(node, &[name("it")])),
            hides_in: reader.names(fields.optional("hides_in")),
            near_end: reader.yes(fields.optional("near_end")),
        };
        fields.finish();
        game.sight.insert(name(id), sight);
    }
    for (id, record) in section(sources, "tiles") {
        if let Some(tile) = tile(game, reader, id, &record.node) {
            game.tiles.insert(name(id), tile);
        }
    }
    let mut missions: Vec<(Name, Mission)> =
        section(sources, "missions").map(|(id, record)| (name(id), mission(game, reader, &record.node))).collect();
    missions.sort_by_key(|(_, mission)| mission.order);
    game.missions = missions.into_iter().collect();
}

fn tile(game: &Game, reader: &Reader<'_>, id: &str, node: &Node) -> Option<Tile> {
    let fields = reader.fields(node);
    let number = fields.optional("number").and_then(|node| reader.int(node));
    let _ = (fields.optional("name"), fields.optional("source"));
    if let Some(of) = fields.optional("mirror") {
        let base = reader.name(of).and_then(|base| game.tiles.get(&base));
        let exchange = fields.entries("exchange");
        fields.finish();
        let Some(base) = base else {
            reader.defect("tile.mirror", of.place, "there is no such tile before this one".into(), None);
            return None;
        };
        let places = base.places.iter().map(|place| {
            let properties = place.properties.iter().map(|(property, local)| {
                let pairs = exchange.iter().find(|(key, _)| key == property).and_then(|(_, node)| node.as_map());
                let swapped = match (local, pairs) {
                    (Local::Value(Value::Name(text)), Some(pairs)) => {
                        pairs.get(text.as_str()).map_or_else(|| local.clone(), |node| Local::Value(plain(node)))
                    }
                    _ => mirrored(local, base.drawn.width()),
                };
                (*property, swapped)
            });
            TilePlace { kind: place.kind, properties: properties.collect() }
        });
        return Some(Tile { drawn: base.drawn.mirrored(), places: places.collect(), number });
    }
    let legend = fields.required("legend").and_then(|node| reader.name(node));
    let cells = reader.text(fields.required("cells"));
    let edges = fields.optional("edges").map(|node| reader.text(Some(node)));
    let (cell_legend, edge_legend) = legends(reader, legend?);
    let lines: Vec<&str> = cells.lines().collect();
    let edge_lines: Option<Vec<&str>> = edges.as_ref().map(|edges| edges.lines().collect());
    let places: Vec<&Node> = reader.items(fields.optional("places")).iter().collect();
    let place = fields.place();
    fields.finish();
    match DrawnTile::parse(name(id), &lines, edge_lines.as_deref(), &cell_legend, &edge_legend) {
        Ok(drawn) => {
            let places = places.into_iter().filter_map(|node| tile_place(game, reader, node)).collect();
            Some(Tile { drawn, places, number })
        }
        Err(faults) => {
            for fault in faults {
                let message = format!(
                    "tile {id}, line {}, column {} of the picture: {}",
                    fault.line, fault.column, fault.message
                );
                reader.defect("tile.picture", place, message, Some("compare the picture with its legend".into()));
            }
            None
        }
    }
}

type Legend = IndexMap<char, Vec<Name>>;

fn legends(reader: &Reader<'_>, id: Name) -> (Legend, Legend) {
    let Some(record) = reader.sources.records.get("legends").and_then(|legends| legends.get(id.as_str())) else {
        return (Legend::new(), Legend::new());
    };
    let fields = reader.fields(&record.node);
    let read = |entries: Vec<(Name, &Node)>| {
        entries.into_iter().filter_map(|(mark, node)| Some((mark.chars().next()?, reader.names(Some(node))))).collect()
    };
    (read(fields.entries("cells")), read(fields.entries("edges")))
}

fn tile_place(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<TilePlace> {
    let fields = reader.fields(node);
    let kind = fields.required("kind").and_then(|node| reader.name(node))?;
    let properties = fields.rest().into_iter().filter_map(|(property, node)| {
        let declared = if property.as_str() == "at" { "space" } else { game.properties.get(&property)?.kind.as_str() };
        Some((property, local(game, reader, node, declared)?))
    });
    Some(TilePlace { kind, properties: properties.collect() })
}

/// A value on a tile, by its declared type: squares and facings turn with the tile.
fn local(game: &Game, reader: &Reader<'_>, node: &Node, declared: &str) -> Option<Local> {
    let text = |node: &Node| if let NodeValue::Text(text) = &node.value { Some(text.clone()) } else { None };
    match declared {
        "space" => match text(node).and_then(|text| square(&text)) {
            Some((col, row)) => Some(Local::Square(col, row)),
            None => {
                reader.wrong_type(node, "a square such as e5");
                None
            }
        },
        "facing" => match text(node).and_then(|text| text.parse::<Facing>().ok()) {
            Some(facing) => Some(Local::Facing(facing)),
            None => {
                reader.wrong_type(node, "a facing: N, E, S or W");
                None
            }
        },
        "list<space>" if node.as_map().is_some() => corners(reader, node).map(Local::List),
        "list<map>" => {
            let maps = reader.items(Some(node)).iter().map(|item| {
                let entries = item.as_map()?.iter().map(|(key, node)| {
                    let declared = if key == "at" { "space" } else { game.properties.get(&name(key))?.kind.as_str() };
                    Some((name(key), local(game, reader, node, declared)?))
                });
                Some(Local::Map(entries.collect::<Option<_>>()?))
            });
            Some(Local::List(maps.collect::<Option<_>>()?))
        }
        _ => match declared.strip_prefix("list<").and_then(|inner| inner.strip_suffix('>')) {
            Some(inner) => {
                let items = reader.items(Some(node)).iter().map(|item| local(game, reader, item, inner));
                Some(Local::List(items.collect::<Option<_>>()?))
            }
            None => Some(Local::Value(plain(node))),
        },
    }
}

/// The squares of a line through corners, closed or open.
fn corners(reader: &Reader<'_>, node: &Node) -> Option<Vec<Local>> {
    let fields = reader.fields(node);
    let named = reader.names(fields.required("corners"));
    let closed = reader.yes(fields.optional("closed"));
    fields.finish();
    let mut ends: Vec<(i32, i32)> = named.iter().filter_map(|text| square(text)).collect();
    if closed {
        ends.extend(ends.first().copied());
    }
    let mut squares = Vec::new();
    for pair in ends.windows(2) {
        let ((mut col, mut row), (to_col, to_row)) = (pair[0], pair[1]);
        if col != to_col && row != to_row {
            reader.defect(
                "path.corner",
                node.place,
                "two corners lie neither in one row nor in one column".into(),
                None,
            );
            return None;
        }
        while (col, row) != (to_col, to_row) {
            squares.push(Local::Square(col, row));
            col += (to_col - col).signum();
            row += (to_row - row).signum();
        }
    }
    if !closed {
        squares.extend(ends.last().map(|(col, row)| Local::Square(*col, *row)));
    }
    Some(squares)
}

fn mirrored(local: &Local, width: usize) -> Local {
    let width = i32::try_from(width).unwrap_or(0);
    match local {
        Local::Value(value) => Local::Value(value.clone()),
        Local::Square(col, row) => Local::Square(width - 1 - col, *row),
        Local::Facing(facing) => Local::Facing(facing.mirrored()),
        Local::List(items) => {
            Local::List(items.iter().map(|item| mirrored(item, usize::try_from(width).unwrap_or(0))).collect())
        }
        Local::Map(entries) => Local::Map(
            entries.iter().map(|(key, item)| (*key, mirrored(item, usize::try_from(width).unwrap_or(0)))).collect(),
        ),
    }
}

/// Column and row, from 0, of a square such as `e5`.
fn square(text: &str) -> Option<(i32, i32)> {
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let column = text[..digits].chars().try_fold(0_i32, |column, letter| {
        letter.is_ascii_lowercase().then(|| column * 26 + (i32::from(letter as u8) - i32::from(b'a') + 1))
    })?;
    let row: i32 = text[digits..].parse().ok()?;
    (column > 0 && row < 10_000).then_some((column - 1, row - 1))
}

fn mission(game: &Game, reader: &Reader<'_>, node: &Node) -> Mission {
    let fields = reader.fields(node);
    let title = reader.text(fields.required("name"));
    let briefing = reader.text(fields.required("briefing"));
    let order = fields.required("order").and_then(|node| reader.int(node)).unwrap_or(0);
    let _ = fields.optional("source");
    let mut tiles = Vec::new();
    tile_grid(game, reader, &fields, &mut tiles);
    small_tiles(game, reader, &fields, &mut tiles);
    let units = reader.items(fields.optional("units")).iter().filter_map(|node| unit(reader, node)).collect();
    let options = fields
        .entries("options")
        .into_iter()
        .map(|(option, node)| {
            let values = node.as_map().into_iter().flatten().map(|(key, node)| (name(key), plain(node)));
            (option, values.collect())
        })
        .collect();
    let facts = fields.rest().into_iter().map(|(key, node)| (key, plain(node))).collect();
    Mission { title, briefing, order, tiles, units, facts, options }
}

fn tile_grid(game: &Game, reader: &Reader<'_>, fields: &Fields<'_>, tiles: &mut Vec<MissionTile>) {
    let rows = reader.items(fields.required("tiles"));
    let mut used: Vec<i64> = Vec::new();
    let mut south = 0;
    for row in rows.iter().rev() {
        let (mut west, mut height) = (0, 0);
        for node in reader.items(Some(row)) {
            let Some(id) = reader.name(node) else { continue };
            let Some(tile) = game.tiles.get(&id) else {
                let near = content::nearest(&id, game.tiles.keys().map(Name::as_str))
                    .map(|near| format!("did you mean {near}?"));
                reader.defect("mission.tile", node.place, format!("there is no tile {id}"), near);
                continue;
            };
            if tile.number.is_some_and(|number| used.contains(&number)) {
                let help = "a tile is used once in a mission, on one side".to_string();
                reader.defect("mission.tile_twice", node.place, format!("tile {id} is used already"), Some(help));
            }
            used.extend(tile.number);
            tiles.push(MissionTile { tile: id, region: id, column: west, row: south, turns: 0 });
            west += i32::try_from(tile.drawn.width()).unwrap_or(0);
            height = height.max(i32::try_from(tile.drawn.height()).unwrap_or(0));
        }
        south += height;
    }
}

fn small_tiles(game: &Game, reader: &Reader<'_>, fields: &Fields<'_>, tiles: &mut Vec<MissionTile>) {
    for node in reader.items(fields.optional("small_tiles")) {
        let small = reader.fields(node);
        let tile =
            small.required("tile").and_then(|node| reader.name(node)).and_then(|id| Some((id, game.tiles.get(&id)?)));
        let region = small.required("key").and_then(|node| reader.name(node));
        let edge = small.required("edge").and_then(|node| reader.name(node));
        let squares = reader.names(small.required("squares"));
        let first = squares.iter().filter_map(|text| square(text)).min();
        let (Some((id, tile)), Some(region), Some(edge), Some((col, row))) = (tile, region, edge, first) else {
            reader.defect(
                "mission.small_tile",
                node.place,
                "the small tile cannot be laid".into(),
                Some("tile, key, edge and squares of the board's edge".into()),
            );
            continue;
        };
        let depth = i32::try_from(tile.drawn.height()).unwrap_or(0);
        let (column, row, turns) = match edge.as_str() {
            "south" => (col, row - depth, 0),
            "west" => (col - depth, row, 1),
            "north" => (col, row + 1, 2),
            _ => (col + 1, row, 3),
        };
        tiles.push(MissionTile { tile: id, region, column, row, turns });
    }
}

fn unit(reader: &Reader<'_>, node: &Node) -> Option<MissionUnit> {
    let fields = reader.fields(node);
    let kind = fields.required("kind").and_then(|node| reader.name(node));
    let key = fields.optional("key").and_then(|node| reader.name(node));
    let at = fields.optional("at").and_then(|node| reader.name(node));
    let cells = fields.optional("cells").map(|node| reader.names(Some(node))).unwrap_or_default();
    let squares = at.into_iter().chain(cells).map(|square| square.to_string()).collect();
    let properties = fields.rest().into_iter().map(|(key, node)| (key, plain(node))).collect();
    Some(MissionUnit { kind: kind?, key, squares, properties })
}

/// What one record says of another.
fn cross_check(game: &Game, sources: &Sources, defects: &mut Defects) {
    let mut missing = |section_name: &str, id: &Name, what: String, near: Option<&str>| {
        let record = sources.records.get(section_name).and_then(|records| records.get(id.as_str()));
        if let Some(record) = record {
            let place = record.node.place;
            let help = near.map(|near| format!("did you mean {near}?"));
            defects.0.push(Defect::new("reference.unknown", place, &sources.files[place.file], what, help));
        }
    };
    let phases = || game.phases.keys().map(Name::as_str);
    for (id, phase) in &game.phases {
        let named: Vec<Name> = match &phase.body {
            Body::Phases(phases) => phases.clone(),
            Body::Each { phase, .. } => vec![*phase],
            _ => Vec::new(),
        };
        for child in named.iter().filter(|child| !game.phases.contains_key(*child)) {
            missing(
                "phases",
                id,
                format!("{id} names the phase {child}, which is not there"),
                content::nearest(child, phases()),
            );
        }
    }
    for (id, action) in &game.actions {
        for ask in action.asks.iter().filter(|ask| !game.choices.contains_key(&ask.choice)) {
            let near = content::nearest(&ask.choice, game.choices.keys().map(Name::as_str));
            missing("actions", id, format!("{id} asks {}, which is no choice", ask.choice), near);
        }
    }
    for (id, hook) in &game.hooks {
        if !game.events.contains_key(&hook.event) {
            let near = content::nearest(&hook.event, game.events.keys().map(Name::as_str));
            missing("hooks", id, format!("{id} waits for {}, which is no event", hook.event), near);
        }
    }
    for (id, mission) in &game.missions {
        for unit in mission.units.iter().filter(|unit| !game.kinds.contains_key(&unit.kind)) {
            let near = content::nearest(&unit.kind, game.kinds.keys().map(Name::as_str));
            missing("missions", id, format!("{id} places {}, which is no kind", unit.kind), near);
        }
    }
    if !game.phases.contains_key(&name(super::flow::FIRST_PHASE)) {
        let place = content::Place { file: 0, line: 1, column: 1 };
        let help = "write a phase `game` in section `phases`".to_string();
        defects.0.push(Defect::new(
            "phase.first",
            place,
            &sources.files[0],
            "the game has no first phase".into(),
            Some(help),
        ));
    }
    for (section, records) in &sources.records {
        if !SECTIONS.contains(&section.as_str()) && section != "weapons" {
            for record in records.values() {
                let place = record.node.place;
                let help = content::nearest(section, SECTIONS).map(|near| format!("did you mean {near}?"));
                defects.0.push(Defect::new(
                    "section.unknown",
                    place,
                    &sources.files[place.file],
                    format!("there is no section {section}"),
                    help,
                ));
            }
        }
    }
}
