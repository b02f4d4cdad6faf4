//! Reading missions: their tiles, units, options and facts.

use super::{board::square, kinds::property_value};
use crate::{
    base::{Name, Value, name},
    board::{coord_name, rotated_coord},
    content::{self, Node, NodeValue},
    rules::{
        game::{Game, Mission, MissionTile, MissionUnit, Tile},
        read::{Fields, Reader, plain},
    },
};

/// The fields of a mission that are no facts.
pub(super) const FIELDS: [&str; 10] =
    ["base", "name", "briefing", "order", "source", "map", "tiles", "small_tiles", "units", "options"];

/// The longest chain of missions that are based on each other.
const BASES_MAX: usize = 8;

/// A mission; one with `base` is that other mission with the fields that it gives itself. Of
/// one whose base is wrong nothing else is told.
pub(super) fn mission(game: &Game, reader: &Reader<'_>, node: &Node) -> Mission {
    let Some(whole) = based(reader, node) else { return Mission::default() };
    let fields = reader.fields(&whole);
    let base = fields.optional("base").and_then(|node| reader.name(node));
    let title = reader.text(fields.required("name"));
    let briefing = reader.text(fields.required("briefing"));
    let order = fields.required("order").and_then(|node| reader.int(node)).unwrap_or(0);
    let _ = fields.optional("source");
    let mut tiles = Vec::new();
    let map = fields.optional("map").and_then(|node| map_of(game, reader, node));
    let rows = if map.is_some() { fields.optional("tiles") } else { fields.required("tiles") };
    if let (Some(_), Some(rows)) = (map, rows) {
        let help = "delete one of the two".to_string();
        reader.defect("mission.board", rows.place, "the mission has a map and tiles".into(), Some(help));
    }
    tile_grid(game, reader, rows, &mut tiles);
    let n_tiles = tiles.len();
    let mut units = Vec::new();
    small_tiles(game, reader, &fields, &mut tiles, &mut units);
    units.extend(reader.items(fields.optional("units")).iter().filter_map(|node| unit(game, reader, node)));
    let options = fields
        .entries("options")
        .into_iter()
        .map(|(option, node)| {
            let values = node.as_map().into_iter().flatten();
            if values.clone().next().is_none() {
                let help = "write its values by name, the default first, such as `{short: 3, long: 6}`".to_string();
                let message = format!("the option {option} offers nothing to choose from");
                reader.defect("mission.option", node.place, message, Some(help));
            }
            (option, values.map(|(key, node)| (name(key), plain(node))).collect())
        })
        .collect();
    let mut facts: std::collections::BTreeMap<Name, Value> =
        fields.rest().into_iter().map(|(key, node)| (key, plain(node))).collect();
    let laid = |tiles: &[MissionTile]| Value::list(tiles.iter().map(|tile| Value::Name(tile.region)).collect());
    facts.insert(name("tiles"), laid(&tiles[..n_tiles]));
    if let Some(base) = base {
        facts.insert(name("base"), Value::Name(base));
        facts.insert(name("base_tiles"), Value::list(tiles_of_base(reader, base)));
    }
    Mission { title, briefing, order, map, tiles, units, facts, options }
}

/// The map that is a board.
pub(crate) fn map_of(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let id = reader.name(node)?;
    let is_written = super::section(reader.sources, "maps").any(|(map, _)| map == id.as_str());
    if !is_written {
        let near = content::nearest(&id, game.maps.keys().map(Name::as_str))
            .map_or_else(|| "write it in section `maps`".to_string(), |near| format!("did you mean {near}?"));
        reader.defect("mission.map", node.place, format!("there is no map {id}"), Some(near));
    }
    Some(id)
}

/// The tiles that a mission's base lays, row by row from the north.
fn tiles_of_base(reader: &Reader<'_>, base: Name) -> Vec<Value> {
    let Some(record) = reader.sources.records.get("missions").and_then(|missions| missions.get(base.as_str())) else {
        return Vec::new();
    };
    let Some(whole) = based(reader, &record.node) else { return Vec::new() };
    let rows = whole.as_map().and_then(|fields| fields.get("tiles")).map(plain).unwrap_or_default();
    let rows = rows.as_items().unwrap_or_default().iter();
    let tiles = rows.flat_map(|row| row.as_items().unwrap_or_default().to_vec());
    tiles.map(|tile| tile.as_map().and_then(|map| map.get(&name("tile"))).cloned().unwrap_or(tile)).collect()
}

/// The fields of a mission over those of its base, and of the base of that.
fn based(reader: &Reader<'_>, node: &Node) -> Option<Node> {
    let Some(own) = node.as_map() else { return Some(node.clone()) };
    let mut whole = own.clone();
    let mut bases: Vec<&String> = Vec::new();
    let mut next = own.get("base");
    while let Some(base) = next {
        let NodeValue::Text(id) = &base.value else {
            reader.wrong_type(base, "the id of a mission");
            return None;
        };
        let missions = reader.sources.records.get("missions");
        let Some(record) = missions.and_then(|missions| missions.get(id)) else {
            let known: Vec<&str> =
                missions.into_iter().flat_map(|missions| missions.keys()).map(String::as_str).collect();
            let help = content::nearest(id, known.iter().copied())
                .map_or_else(|| format!("missions: {}", known.join(", ")), |near| format!("did you mean {near}?"));
            reader.defect("mission.base", base.place, format!("there is no mission {id}"), Some(help));
            return None;
        };
        let is_circle = std::ptr::eq(&raw const record.node, node) || bases.contains(&id);
        if is_circle || bases.len() == BASES_MAX {
            let message = match is_circle {
                true => format!("the mission {id} is based on itself"),
                false => format!("more than {BASES_MAX} missions are based on each other"),
            };
            let help = "give the first of them all its fields, without `base`".to_string();
            reader.defect("mission.base", base.place, message, Some(help));
            return None;
        }
        bases.push(id);
        for (key, value) in record.node.as_map().into_iter().flatten() {
            whole.entry(key.clone()).or_insert_with(|| value.clone());
        }
        next = record.node.as_map().and_then(|fields| fields.get("base"));
    }
    Some(Node { value: NodeValue::Map(whole), ..node.clone() })
}

/// The tiles of a set-up that is no mission (its own board, tiles of the game, small tiles),
/// and what small tiles bring.
pub(crate) fn mission_tiles(
    game: &Game,
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    own: Option<&Tile>,
) -> (Vec<MissionTile>, Vec<MissionUnit>) {
    let mut tiles = Vec::new();
    let id = name(crate::rules::setting::OWN_BOARD);
    tiles.extend(own.map(|_| MissionTile { tile: id, region: id, column: 0, row: 0, turns: 0 }));
    tile_grid(game, reader, fields.optional("tiles"), &mut tiles);
    let mut units = Vec::new();
    small_tiles(game, reader, fields, &mut tiles, &mut units);
    (tiles, units)
}

fn tile_grid(game: &Game, reader: &Reader<'_>, rows: Option<&Node>, tiles: &mut Vec<MissionTile>) {
    let rows = reader.items(rows);
    let mut used: Vec<i64> = Vec::new();
    let mut south = 0;
    for row in rows.iter().rev() {
        let (mut west, mut height) = (0, 0);
        for node in reader.items(Some(row)) {
            let Some((id, turns)) = turned_tile(reader, node) else { continue };
            let Some(tile) = game.tiles.get(&id) else {
                // One that could not be read is told of where it stands.
                let mut written = super::section(reader.sources, "tiles").map(|(tile, _)| tile.as_str());
                if !written.any(|tile| tile == id.as_str()) {
                    let near = content::nearest(&id, game.tiles.keys().map(Name::as_str)).map_or_else(
                        || "write it in section `tiles`".to_string(),
                        |near| format!("did you mean {near}?"),
                    );
                    reader.defect("mission.tile", node.place, format!("there is no tile {id}"), Some(near));
                }
                continue;
            };
            if tile.number.is_some_and(|number| used.contains(&number)) {
                let help = "a tile is used once in a mission, on one side".to_string();
                reader.defect("mission.tile_twice", node.place, format!("tile {id} is used already"), Some(help));
            }
            used.extend(tile.number);
            tiles.push(MissionTile { tile: id, region: id, column: west, row: south, turns });
            let (wide, high) = if turns % 2 == 0 {
                (tile.drawn.width(), tile.drawn.height())
            } else {
                (tile.drawn.height(), tile.drawn.width())
            };
            west += i32::try_from(wide).unwrap_or(0);
            height = height.max(i32::try_from(high).unwrap_or(0));
        }
        south += height;
    }
}

/// A tile's id, or `{tile: id, turned: 90}` with degrees clockwise.
fn turned_tile(reader: &Reader<'_>, node: &Node) -> Option<(Name, u8)> {
    if node.as_map().is_none() {
        return reader.name(node).map(|id| (id, 0));
    }
    let fields = reader.fields(node);
    let id = fields.required("tile").and_then(|node| reader.name(node));
    let turned = fields.required("turned").and_then(|node| Some((reader.int(node)?, node.place)));
    fields.finish();
    match turned {
        Some((degrees, _)) if [0, 90, 180, 270].contains(&degrees) => Some((id?, u8::try_from(degrees / 90).ok()?)),
        Some((degrees, place)) => {
            let help = "0, 90, 180 or 270 degrees clockwise".to_string();
            reader.defect("mission.turned", place, format!("a tile is not turned by {degrees}"), Some(help));
            None
        }
        None => None,
    }
}

/// Small tiles beside the board. One that is of a kind is an entity on all its squares too,
/// in the order of its picture: row by row from the top.
fn small_tiles(
    game: &Game,
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    tiles: &mut Vec<MissionTile>,
    units: &mut Vec<MissionUnit>,
) {
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
        let properties = properties(game, reader, if game.kinds.contains_key(&id) { small.rest() } else { Vec::new() });
        if game.kinds.contains_key(&id) {
            let width = i32::try_from(tile.drawn.width()).unwrap_or(0);
            let local = (0..depth).rev().flat_map(|row| (0..width).map(move |col| (col, row)));
            let squares = local.map(|at| rotated_coord((width, depth), at, i32::from(turns)));
            let squares = squares.map(|(col, up)| coord_name(column + col, row + up)).collect();
            units.push(MissionUnit { kind: id, key: Some(region), squares, properties });
        }
    }
}

fn unit(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<MissionUnit> {
    let fields = reader.fields(node);
    let kind = fields.required("kind").and_then(|node| known_kind(game, reader, node));
    let key = fields.optional("key").and_then(|node| reader.name(node));
    let at = fields.optional("at").and_then(|node| reader.name(node));
    let cells = fields.optional("cells").map(|node| reader.names(Some(node)));
    if let (Some(kind), None, None) = (kind, fields.optional("at"), &cells) {
        let help = "add `at:` and its space, or `cells:` with all of them".to_string();
        reader.defect("field.missing", node.named_at(), format!("nobody says where {kind} stands"), Some(help));
    }
    let squares = at.into_iter().chain(cells.unwrap_or_default()).map(|square| square.to_string()).collect();
    let properties = properties(game, reader, fields.rest());
    Some(MissionUnit { kind: kind?, key, squares, properties })
}

/// What of an entity is written where it is placed.
fn properties(game: &Game, reader: &Reader<'_>, given: Vec<(Name, &Node)>) -> std::collections::BTreeMap<Name, Value> {
    let known = given.into_iter().filter(|(id, node)| property_value(game, reader, *id, node, false));
    let truth = |id: &Name, node: &Node| {
        let is_bool = game.properties.get(id).is_some_and(|declared| declared.kind.as_str() == "bool");
        let words = [("yes", true), ("no", false)].into_iter();
        let said =
            |(word, truth): (&str, bool)| matches!(&node.value, NodeValue::Text(text) if text == word).then_some(truth);
        words.filter(|_| is_bool).find_map(said).map(Value::Bool)
    };
    known.map(|(id, node)| (id, truth(&id, node).unwrap_or_else(|| plain(node)))).collect()
}

/// The kind of what is placed.
fn known_kind(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<Name> {
    let kind = reader.name(node)?;
    if !game.kinds.contains_key(&kind) {
        let near = content::nearest(&kind, game.kinds.keys().map(Name::as_str));
        let help =
            near.map_or_else(|| "write it in section `kinds`".to_string(), |near| format!("did you mean {near}?"));
        reader.defect("reference.unknown", node.place, format!("there is no kind {kind}"), Some(help));
    }
    Some(kind)
}
