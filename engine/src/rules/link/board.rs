//! Reading what boards are made of: movement, sight, tiles with what is printed on them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::{mission::mission, section};
use crate::{
    base::{Name, Value, name},
    board::{DrawnTile, Facing},
    content::{Node, NodeValue, nearest},
    rules::{
        game::{CellCost, EdgeCost, EdgeException, Game, Local, Mission, Movement, Sight, Tile, TilePlace},
        read::{Fields, Reader, plain},
    },
};

/// The points of a step onto what is simply allowed.
const STEP: u32 = 1;

pub(super) fn board_records(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (id, record) in section(sources, "movement") {
        let fields = reader.fields(&record.node);
        let cells = fields.entries("cells").into_iter().map(|(thing, node)| (thing, cell(reader, node))).collect();
        let edges = fields
            .entries("edges")
            .into_iter()
            .map(|(mark, node)| {
                let cost = match node.as_map() {
                    Some(_) => {
                        let fields = reader.fields(node);
                        let straight = fields.required("straight").and_then(|node| reader.cost(node, 0));
                        let diagonal = reader.yes(fields.optional("diagonal"));
                        fields.finish();
                        EdgeCost { straight, diagonal }
                    }
                    None => EdgeCost { straight: reader.cost(node, 0), diagonal: false },
                };
                (mark, cost)
            })
            .collect();
        let _ = fields.optional("source");
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
    for (_, record) in section(sources, "legends") {
        legend(reader, &record.node).1.finish();
    }
    for (id, record) in section(sources, "tiles") {
        if let Some(tile) = tile(game, reader, id, &record.node) {
            game.tiles.insert(name(id), tile);
        }
    }
    super::maps::maps(game, reader);
    let mut missions: Vec<(Name, Mission)> =
        section(sources, "missions").map(|(id, record)| (name(id), mission(game, reader, &record.node))).collect();
    missions.sort_by_key(|(_, mission)| mission.order);
    game.missions = missions.into_iter().collect();
}

fn cell(reader: &Reader<'_>, node: &Node) -> CellCost {
    if node.as_map().is_none() {
        let cost = reader.cost(node, STEP);
        return CellCost { enter: cost, within: cost };
    }
    let fields = reader.fields(node);
    let points = |field| fields.required(field).and_then(|node| reader.cost(node, STEP));
    let cost = CellCost { enter: points("enter"), within: points("within") };
    fields.finish();
    cost
}

/// A tile that is drawn outside of the section for tiles.
pub(crate) fn board_tile(game: &Game, reader: &Reader<'_>, node: &Node) -> Option<Tile> {
    tile(game, reader, crate::rules::setting::OWN_BOARD, node)
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
    let legend = fields.required("legend");
    let cells = reader.text(fields.required("cells"));
    let edges = fields.optional("edges").map(|node| reader.text(Some(node)));
    let legend = legend.and_then(|node| legends(reader, node));
    let lines: Vec<&str> = cells.lines().collect();
    let edge_lines: Option<Vec<&str>> = edges.as_ref().map(|edges| edges.lines().collect());
    let places: Vec<&Node> = reader.items(fields.optional("places")).iter().collect();
    let place = fields.place();
    fields.finish();
    // Without its legend every letter would be unknown.
    let (cell_legend, edge_legend) = legend?;
    match DrawnTile::parse(name(id), &lines, edge_lines.as_deref(), &cell_legend, &edge_legend) {
        Ok(drawn) => {
            let places = places.into_iter().filter_map(|node| tile_place(game, reader, node)).collect();
            Some(Tile { drawn, places, number })
        }
        Err(faults) => {
            // A letter that the legend lacks is told where it first stands.
            let mut told = BTreeSet::new();
            for fault in faults.into_iter().filter(|fault| told.insert(fault.message.clone())) {
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

/// The legend that a picture names.
fn legends(reader: &Reader<'_>, node: &Node) -> Option<(Legend, Legend)> {
    let id = reader.name(node)?;
    let known = reader.sources.records.get("legends");
    let Some(record) = known.and_then(|legends| legends.get(id.as_str())) else {
        let known: Vec<&str> = known.into_iter().flat_map(|legends| legends.keys()).map(String::as_str).collect();
        let help = nearest(&id, known.iter().copied()).map_or_else(
            || format!("write it in section `legends`; there are: {}", known.join(", ")),
            |near| format!("did you mean {near}?"),
        );
        reader.defect("reference.unknown", node.place, format!("there is no legend {id}"), Some(help));
        return None;
    };
    Some(legend(reader, &record.node).0)
}

/// A legend, with its fields for who looks what else it says.
fn legend<'a>(reader: &'a Reader<'a>, node: &'a Node) -> ((Legend, Legend), Fields<'a>) {
    let fields = reader.fields(node);
    let read = |entries: Vec<(Name, &Node)>| {
        entries.into_iter().filter_map(|(mark, node)| Some((mark.chars().next()?, reader.names(Some(node))))).collect()
    };
    ((read(fields.entries("cells")), read(fields.entries("edges"))), fields)
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
pub(super) fn square(text: &str) -> Option<(i32, i32)> {
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let column = text[..digits].chars().try_fold(0_i32, |column, letter| {
        letter.is_ascii_lowercase().then(|| column * 26 + (i32::from(letter as u8) - i32::from(b'a') + 1))
    })?;
    let row: i32 = text[digits..].parse().ok()?;
    (column > 0 && row < 10_000).then_some((column - 1, row - 1))
}
