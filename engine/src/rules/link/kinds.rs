//! Reading slots and sorts of entity: properties, stats with their bounds, kinds, cards.

use super::{
    secrets::seat,
    section,
    shapes::{declaration, declared_keys, needed_stats, shaped},
};
use crate::{
    base::{Name, NameMap, Value, name},
    content::{Node, NodeValue, Place, nearest},
    rules::{
        effects::fits,
        game::{Bounds, Game, Kind, Property, Stat},
        read::{Fields, Reader, plain},
    },
};

/// The types that a property, a stat or a field may have; `list<..>` and `set<..>` are made of them.
const TYPES: [&str; 8] = ["any", "bool", "int", "name", "facing", "entity", "space", "map"];
/// The same in words.
pub(crate) const TYPES_TOLD: &str =
    "any, bool, int, name (a word or text), facing, entity, space, map, and list<..> or set<..> of one";

/// Words that others use for them.
const MEANT: [(&str, &[&str]); 7] = [
    ("name", &["text", "string", "str", "word", "id"]),
    ("int", &["number", "integer", "whole", "count", "float"]),
    ("bool", &["boolean", "truth", "yes/no"]),
    ("list<name>", &["list", "array", "names", "set"]),
    ("entity", &["unit", "thing", "figure"]),
    ("space", &["square", "point", "cell", "place"]),
    ("facing", &["direction"]),
];

pub(super) fn kinds(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (id, record) in section(sources, "stats") {
        let fields = reader.fields(&record.node);
        let kind = fields.required("type").and_then(|node| type_name(reader, node));
        let bounds = bounds(reader, &fields, kind);
        let _ = reader.text(fields.required("doc"));
        let _ = (fields.optional("names"), fields.optional("needed_by"));
        keys(reader, &fields, kind);
        fields.finish();
        game.stats.insert(name(id), Stat { kind: kind.unwrap_or_else(|| name("any")), bounds });
    }
    for (id, record) in section(sources, "properties") {
        let fields = reader.fields(&record.node);
        let of_table = fields.optional("of").is_some_and(|of| reader.name(of).is_some_and(|of| of.as_str() == "table"));
        let kind = fields.required("type").and_then(|node| type_name(reader, node)).unwrap_or_else(|| name("any"));
        let bounds = bounds(reader, &fields, Some(kind));
        let default = fields.optional("default");
        if let Some(node) = default {
            check(reader, node, kind, &bounds, &format!("the default of {id}"));
            if of_table && ["entity", "space"].iter().any(|other| kind.contains(other)) {
                let message = format!("the default of {id} is of type {kind}");
                let help = "leave it out, and set it by an event when the game begins".to_string();
                reader.defect("property.default", node.place, message, Some(help));
            }
        }
        let from = fields.optional("from");
        let stat = from.and_then(|node| reader.name(node));
        if let (Some(node), Some(stat)) = (from, stat.filter(|stat| !game.stats.contains_key(stat))) {
            unknown(
                reader,
                node.place,
                "reference.unknown",
                format!("there is no stat {stat}"),
                &stat,
                &stat_names(game),
            );
        }
        let _ = fields.optional("names");
        let open = reader.yes(fields.optional("open"));
        let seen_by = reader.items(fields.optional("seen_by")).iter().filter_map(|node| seat(reader, node)).collect();
        fields.finish();
        let default = default.map(plain).map(|value| match value {
            Value::List(items) if kind.starts_with("set<") => Value::set(items.to_vec()),
            other => other,
        });
        game.properties.insert(name(id), Property { of_table, kind, bounds, default, from: stat, open, seen_by });
    }
    for (id, record) in section(sources, "kinds") {
        let kind = kind(game, reader, id, &record.node);
        game.kinds.insert(name(id), kind);
    }
    for (id, record) in section(sources, "cards") {
        let mut kind = kind(game, reader, id, &record.node);
        kind.tags.push(name("card"));
        game.kinds.insert(name(id), kind);
    }
    backs(game, reader);
    needed_stats(game, reader);
}

/// The keys that a map is declared with.
pub(super) fn keys(reader: &Reader<'_>, fields: &Fields<'_>, kind: Option<Name>) {
    let Some(node) = fields.optional("keys") else { return };
    if let Some(kind) = kind.filter(|kind| kind.as_str() != "map") {
        let help = Some("only a map has keys".to_string());
        reader.defect("bounds", node.named_at(), format!("{kind} has no keys"), help);
    }
    declared_keys(reader, node);
}

/// What kinds are taken for, once all of them are read.
fn backs(game: &mut Game, reader: &Reader<'_>) {
    let records: Vec<_> = section(reader.sources, "kinds").chain(section(reader.sources, "cards")).collect();
    for (id, record) in records {
        let field = |key| record.node.as_map().and_then(|fields| fields.get(key));
        let (back, face_up) = (field("back"), field("face_up"));
        let of = back.and_then(|node| back_of(game, reader, node));
        let up = face_up.and_then(|node| face_up_of(game, reader, node));
        if let (None, Some(node)) = (back, face_up) {
            let help = Some("say what it is taken for: `back: KIND`".to_string());
            reader.defect("kind.back", node.named_at(), format!("{id} has no back, so nothing lies face down"), help);
        }
        if let Some(kind) = game.kinds.get_mut(&name(id)) {
            (kind.back, kind.face_up) = (of, up.filter(|_| of.is_some()));
        }
    }
}

fn back_of(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let back = reader.name(node)?;
    if !game.kinds.contains_key(&back) {
        let near = nearest(&back, game.kinds.keys().map(Name::as_str)).map(|near| format!("did you mean {near}?"));
        let help = near.unwrap_or_else(|| format!("add it to section `kinds`, as `{back}: {{name: ...}}`"));
        reader.defect("reference.unknown", node.place, format!("there is no kind {back}"), Some(help));
        return None;
    }
    let of_back = section(reader.sources, "kinds").chain(section(reader.sources, "cards"));
    let has_back = of_back.filter(|(id, _)| **id == back.as_str());
    if has_back.flat_map(|(_, record)| record.node.as_map()).flatten().any(|(key, _)| key == "back") {
        let help = Some("name a kind without a back of its own".to_string());
        reader.defect("kind.back", node.place, format!("{back} has a back itself"), help);
        return None;
    }
    Some(back)
}

fn face_up_of(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let property = reader.name(node)?;
    let stored = |(_, known): &(&Name, &Property)| !known.of_table && known.kind.as_str() == "bool";
    if game.properties.iter().filter(stored).any(|(id, _)| *id == property) {
        return Some(property);
    }
    let known = game.properties.iter().filter(stored).map(|(id, _)| id.as_str());
    let near = nearest(&property, known).map(|near| format!("did you mean {near}?"));
    let help = near.unwrap_or_else(|| format!("declare it in section `properties`, as `{property}: {{type: bool}}`"));
    let message = format!("{property} is no property of entities of type bool");
    reader.defect("reference.unknown", node.place, message, Some(help));
    None
}

fn kind(game: &Game, reader: &Reader<'_>, id: &str, node: &Node) -> Kind {
    let fields = reader.fields(node);
    let title = reader.text(fields.required("name"));
    let tags = reader.names(fields.optional("tags"));
    let _ = fields.optional("source");
    // They are read when all kinds are.
    let _ = (fields.optional("back"), fields.optional("face_up"));
    let mut stats = NameMap::default();
    for (stat, node) in fields.entries("stats").into_iter().chain(fields.rest()) {
        let Some(declared) = game.stats.get(&stat) else {
            let known: Vec<Name> = ["name", "tags", "source", "back", "face_up", "stats"]
                .into_iter()
                .map(name)
                .chain(stat_names(game))
                .collect();
            let message = format!("{id} has {stat}, which is neither a field nor a declared stat");
            unknown(reader, node.named_at(), "field.unknown", message, &stat, &known);
            continue;
        };
        let what = format!("{stat} of {id}");
        check(reader, node, declared.kind, &declared.bounds, &what);
        if node.as_map().is_some() {
            shaped(reader, &what, node, declaration(reader.sources, "stats", &stat));
        }
        if stats.insert(stat, plain(node)).is_some() {
            let help = Some("delete one of the two".to_string());
            reader.defect("field.twice", node.named_at(), format!("{id} has {stat} twice"), help);
        }
    }
    Kind { title, tags, stats, back: None, face_up: None }
}

fn stat_names(game: &Game) -> Vec<Name> {
    game.stats.keys().copied().collect()
}

fn unknown(reader: &Reader<'_>, place: Place, code: &'static str, message: String, text: &str, known: &[Name]) {
    let near = nearest(text, known.iter().map(Name::as_str)).map(|near| format!("did you mean {near}?"));
    let help = near.unwrap_or_else(|| format!("declare it in section `stats`, as `{text}: {{type: int, doc: ...}}`"));
    reader.defect(code, place, message, Some(help));
}

/// A name of a type.
pub(super) fn type_name(reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let text = reader.name(node)?;
    let mut inner = text.trim_end_matches('?');
    while let Some(item) =
        ["list<", "set<"].iter().find_map(|outer| inner.strip_prefix(outer).and_then(|rest| rest.strip_suffix('>')))
    {
        inner = item;
    }
    if TYPES.contains(&inner) {
        return Some(text);
    }
    let meant = MEANT.iter().find(|(_, words)| words.contains(&inner)).map(|(kind, _)| *kind);
    let near = meant.or_else(|| nearest(inner, TYPES));
    let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
    let help = format!("{near}types: {TYPES_TOLD}");
    reader.defect("type.unknown", node.place, format!("there is no type {text}"), Some(help));
    None
}

fn bounds(reader: &Reader<'_>, fields: &Fields<'_>, kind: Option<Name>) -> Bounds {
    let (min, max) = (fields.optional("min"), fields.optional("max"));
    if let (Some(node), Some(kind)) = (min.or(max), kind.filter(|kind| kind.as_str() != "int")) {
        let help = Some("only an int has bounds".to_string());
        reader.defect("bounds", node.place, format!("{kind} has no bounds"), help);
    }
    let bounds = Bounds { min: min.and_then(|node| reader.int(node)), max: max.and_then(|node| reader.int(node)) };
    if let (Some(least), Some(most), Some(node)) = (bounds.min, bounds.max, max)
        && least > most
    {
        let help = Some("exchange the two".to_string());
        reader.defect("bounds", node.place, format!("{most} is less than {least}"), help);
    }
    bounds
}

/// Checks a value of content against a declaration.
fn check(reader: &Reader<'_>, node: &Node, kind: Name, bounds: &Bounds, what: &str) {
    let value = plain(node);
    if !fits_written(&value, kind.as_str()) {
        reader.wrong_type(node, written_as(kind.as_str()));
    } else if let Some(wrong) = value.as_int().and_then(|number| bounds.broken_by(number)) {
        let help = Some("change the number, or the bound in its declaration".to_string());
        reader.defect("value.range", node.place, format!("{what} is {wrong}"), help);
    }
}

/// How a type is told, where its name does not say what may be written.
pub(super) fn written_as(kind: &str) -> &str {
    if kind == "facing" { "a facing: N, E, S or W" } else { kind }
}

/// Whether a property that is written beside a kind or the table is there, and its value of its type; what names
/// spaces and entities is left to whoever knows them.
pub(crate) fn property_value(game: &Game, reader: &Reader<'_>, id: Name, node: &Node, of_table: bool) -> bool {
    let known = || game.properties.iter().filter(|(_, known)| known.of_table == of_table);
    let Some((_, declared)) = known().find(|(known, _)| **known == id) else {
        let of = if of_table { "the table" } else { "entities" };
        let near = nearest(&id, known().map(|(known, _)| known.as_str()));
        let help = near.map_or_else(
            || format!("there are: {}", known().map(|(known, _)| known.as_str()).collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        reader.defect("reference.unknown", node.named_at(), format!("{id} is no property of {of}"), Some(help));
        return false;
    };
    let is_named = |text: &str| text.starts_with(['@', '#']);
    let looked_up = ["entity", "space", "any", "map"].iter().any(|kind| declared.kind.contains(kind));
    let is_truth = matches!(&node.value, NodeValue::Text(text) if declared.kind.as_str() == "bool" && ["yes", "no"].contains(&text.as_str()));
    if !looked_up && !is_truth && !matches!(&node.value, NodeValue::Text(text) if is_named(text)) {
        check(reader, node, declared.kind, &declared.bounds, &format!("the property {id}"));
    }
    true
}

/// As [`fits`], for values as content writes them: spaces and entities are names there.
pub(super) fn fits_written(value: &Value, kind: &str) -> bool {
    let kind = if matches!(kind, "entity" | "space") { "name" } else { kind };
    match (value, kind.strip_prefix("set<")) {
        (Value::List(_), Some(inner)) => fits(value, &format!("list<{inner}")),
        _ => fits(value, kind),
    }
}
