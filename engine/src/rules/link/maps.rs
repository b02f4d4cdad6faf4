//! Reading maps: boards of points with routes between them.

use super::section;
use crate::{
    base::{Name, name},
    board::{Point, Points, PointsFault, Route},
    content::{Defect, Node, NodeValue, nearest},
    rules::{
        game::{Game, Map},
        read::Reader,
    },
};

pub(super) fn maps(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "maps") {
        if let Some(map) = map(game, reader, id, &record.node) {
            game.maps.insert(name(id), map);
        }
    }
}

fn map(game: &mut Game, reader: &Reader<'_>, id: &str, node: &Node) -> Option<Map> {
    let fields = reader.fields(node);
    let mut titles = Vec::new();
    let mut points = Vec::new();
    let mut apart = Vec::new();
    let mut places = Vec::new();
    for (space, node) in fields.entries("points") {
        places.push((space, node.named_at()));
        let point = reader.fields(node);
        titles.push((space, reader.text(point.required("name"))));
        let things = reader.names(point.optional("things"));
        let region = point.optional("region").and_then(|node| reader.name(node)).unwrap_or_else(|| name(id));
        let at = point.required("at").and_then(|node| spot(reader, node)).unwrap_or_default();
        if reader.yes(point.optional("apart")) {
            apart.push(space);
        }
        let _ = point.optional("source");
        point.finish();
        points.push(Point { name: space, things, region, at });
    }
    let written = reader.items(fields.required("routes"));
    let read: Vec<(&Node, Route)> = written.iter().filter_map(|node| Some((node, route(reader, node)?))).collect();
    let _ = fields.optional("source");
    fields.finish();
    let routes: Vec<Route> = read.iter().map(|(_, route)| route.clone()).collect();
    match Points::new(&points, &routes) {
        Err(faults) => {
            for fault in faults {
                tell(reader, node, &read, &points, &fault);
            }
            None
        }
        Ok(board) => {
            let reached = unreached(&board, &apart);
            let map_record = name(id);
            for space in reached {
                let place = places.iter().find(|(name, _)| *name == space).map_or(node.place, |(_, place)| *place);
                let help = "draw a route to it, or write `apart: yes` if units come there in another way".to_string();
                let message = format!("no route of {map_record} leads to {space}");
                let file = &reader.sources.files[place.file];
                game.warnings.push(Defect::new("map.unreached", place, file, message, Some(help)));
            }
            Some(Map { board, titles: titles.into_iter().collect() })
        }
    }
}

/// Column and row of letters.
fn spot(reader: &Reader<'_>, node: &Node) -> Option<(i32, i32)> {
    let [column, row] = reader.items(Some(node)) else {
        reader.wrong_type(node, "column and row, such as `[12, 3]`");
        return None;
    };
    let number = |node: &Node| reader.int(node).and_then(|number| i32::try_from(number).ok());
    Some((number(column)?, number(row)?)).filter(|(column, row)| *column >= 0 && *row >= 0)
}

/// `[a, b]`, or `{ends: [a, b], marks: [road]}`.
fn route(reader: &Reader<'_>, node: &Node) -> Option<Route> {
    let (ends, marks) = match &node.value {
        NodeValue::Map(_) => {
            let fields = reader.fields(node);
            let ends = fields.required("ends").map(|node| reader.names(Some(node)))?;
            let marks = reader.names(fields.optional("marks"));
            fields.finish();
            (ends, marks)
        }
        _ => (reader.names(Some(node)), Vec::new()),
    };
    let Ok(ends) = <[Name; 2]>::try_from(ends) else {
        reader.wrong_type(node, "the two spaces that a route joins, such as `[ford, mill]`");
        return None;
    };
    Some(Route { ends, marks })
}

/// Says what is wrong where it is written.
fn tell(reader: &Reader<'_>, map: &Node, routes: &[(&Node, Route)], points: &[Point], fault: &PointsFault) {
    let of = |a: Name, b: Name| {
        let joins = |(_, route): &&(&Node, Route)| route.ends == [a, b] || route.ends == [b, a];
        routes.iter().filter(joins).map(|(node, _)| node.place).next_back()
    };
    let place = match fault {
        PointsFault::Unknown(a, b) | PointsFault::Double(a, b) => of(*a, *b),
        PointsFault::Loop(a) => of(*a, *a),
        PointsFault::Number(_) | PointsFault::Twice(_) | PointsFault::Crowded(_) => None,
    };
    let help = match fault {
        PointsFault::Unknown(missing, _) => {
            let near = nearest(missing, points.iter().map(|point| point.name.as_str()));
            near.map_or_else(|| format!("write {missing} among the points"), |near| format!("did you mean {near}?"))
        }
        PointsFault::Loop(_) | PointsFault::Double(..) => "delete the route".into(),
        PointsFault::Number(_) => "write each space under `points` with its name and where it is drawn".into(),
        PointsFault::Twice(_) => "give one of them another id".into(),
        PointsFault::Crowded(_) => "draw fewer routes, or split the space".into(),
    };
    reader.defect("map.board", place.unwrap_or(map.place), fault.to_string(), Some(help));
}

/// Spaces without a way to the first that has routes, but for those that are apart on purpose.
fn unreached(board: &Points, apart: &[Name]) -> Vec<Name> {
    let spaces = || (0..u32::try_from(board.len()).unwrap_or(u32::MAX)).map(crate::base::SpaceId);
    let Some(first) = spaces().find(|space| !board.neighbours(*space).is_empty()) else { return Vec::new() };
    let names = spaces().filter(|space| board.distance(first, *space).is_none()).map(|space| board.name(space));
    names.filter(|space| !apart.contains(space)).collect()
}
