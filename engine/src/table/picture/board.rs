//! What is drawn on a board: the ground of its squares, their edges, and what stands there.

use std::collections::BTreeSet;

use super::words::{key, on_the_way, title};
use crate::{
    base::{EntityId, Name, SpaceId, Value},
    board::{Axis, Board, Edge, Facing, Grid},
    kernel::{Position, World},
    rules::{
        Game, View,
        look::{Drawing, Stroke},
    },
    table::Table,
};

/// A board with what stands on it. Of a board of points the squares are its spaces, and columns
/// and rows are letters and lines as content places them, rows growing upwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardPicture {
    /// Column and row of the south-west corner of the box around all squares.
    pub origin: (i32, i32),
    /// Columns of the box.
    pub width: i32,
    /// Rows of the box.
    pub height: i32,
    /// Every square.
    pub squares: Vec<Square>,
    /// Every edge with a mark.
    pub edges: Vec<EdgePicture>,
    /// The routes of a board of points; none of one of squares.
    pub routes: Option<Vec<RoutePicture>>,
}

/// A route between two points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutePicture {
    /// Where its ends are drawn.
    pub ends: [(i32, i32); 2],
    /// Its line.
    pub stroke: Stroke,
    /// Its colour.
    pub colour: Option<Name>,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// Its number.
    pub space: SpaceId,
    /// Its name.
    pub name: Name,
    /// How it is called on the board; nothing where columns and rows say it.
    pub title: String,
    /// Its column and row.
    pub at: (i32, i32),
    /// What is drawn on it: up to three letters.
    pub ground: String,
    /// The colour of that.
    pub colour: Option<Name>,
    /// How what is drawn on it is called, and what it means.
    pub about: Vec<LegendRow>,
    /// What stands on it, the uppermost first.
    pub figures: Vec<Figure>,
}

impl Square {
    /// How it is called: as the board says, or by its name.
    #[must_use]
    pub fn called(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}

/// A thing on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Which.
    pub entity: EntityId,
    /// Its key, by which it can be typed.
    pub key: Name,
    /// How it is called.
    pub title: String,
    /// How its kind is called.
    pub kind: String,
    /// Its letter.
    pub glyph: char,
    /// The mark of its weightiest state.
    pub mark: Option<char>,
    /// Where it faces.
    pub facing: Option<Facing>,
    /// Its colour.
    pub colour: Option<Name>,
    /// What its states mean.
    pub notes: Vec<String>,
    above: i64,
}

/// An edge with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgePicture {
    /// Column and row of the square south or west of it, whether or not there is one.
    pub low: (i32, i32),
    /// How it runs.
    pub axis: Axis,
    /// Its line.
    pub stroke: Stroke,
    /// What stands in its middle, if anything but the line: up to three letters of one that runs
    /// west to east, one letter of the others.
    pub middle: Option<String>,
    /// Its colour.
    pub colour: Option<Name>,
    /// How it is called.
    pub title: String,
}

/// What a mark stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LegendRow {
    /// The mark.
    pub mark: String,
    /// What it is.
    pub title: String,
    /// What it means to whoever plays.
    pub note: String,
}

/// The board of a table.
#[must_use]
pub fn board(table: &Table) -> BoardPicture {
    match &table.instance().setting.board {
        Board::Squares(grid) => {
            let (origin, width, height) = grid.extent();
            let squares = squares(table, &|space| (grid.coord(space), String::new()));
            BoardPicture { origin, width, height, squares, edges: edges(table.game(), grid), routes: None }
        }
        Board::Points(points) => {
            let map = table.instance().setting.map.and_then(|map| table.game().maps.get(&map));
            let title = |space| map.and_then(|map| map.titles.get(&points.name(space)).cloned()).unwrap_or_default();
            let spot = |(column, row): (i32, i32)| (column, -row);
            let squares = squares(table, &|space| (spot(points.spot(space)), title(space)));
            let routes = points.routes().iter().map(|route| {
                let end = |name: Name| points.space(&name).map_or((0, 0), |space| spot(points.spot(space)));
                let drawing = route.marks.last().and_then(|mark| table.game().drawings.get(mark));
                let stroke = drawing.map_or(Stroke::Light, |drawing| drawing.stroke);
                RoutePicture { ends: route.ends.map(end), stroke, colour: drawing.and_then(|drawing| drawing.colour) }
            });
            let width = squares.iter().map(|it| it.at.0 + letters(&it.title) + 4).max().unwrap_or(0);
            let lowest = squares.iter().map(|square| square.at.1).min().unwrap_or(0);
            let routes = Some(routes.collect());
            BoardPicture { origin: (0, lowest - 1), width, height: 2 - lowest, squares, edges: Vec::new(), routes }
        }
    }
}

/// How many letters a text has.
fn letters(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 2)
}

/// All spaces, each placed and called as `place` says.
fn squares(table: &Table, place: &dyn Fn(SpaceId) -> ((i32, i32), String)) -> Vec<Square> {
    let (game, board) = (table.game(), &table.instance().setting.board);
    let on_the_way = on_the_way(table);
    table.with_seen_world(|world| {
        let view = View::new(world, &table.instance().setting, game);
        let there = |space: SpaceId| {
            let moved = on_the_way.filter(|(_, at)| *at == space).map(|(entity, _)| entity);
            let stays = |entity: &EntityId| on_the_way.is_none_or(|(moved, _)| moved != *entity);
            world.on_space(space).iter().copied().filter(stays).chain(moved).collect::<Vec<_>>()
        };
        let square = |space: SpaceId| {
            let things = &board.cell(space).things;
            let top = things.iter().rev().copied().find(|thing| !is_hidden(game, *thing)).unwrap_or_default();
            let (ground, colour) = ground(game, top);
            let mut figures: Vec<Figure> =
                there(space).into_iter().filter_map(|entity| figure(table, &view, entity)).collect();
            figures.sort_by_key(|figure| (-figure.above, figure.entity));
            let shown = things.iter().filter(|thing| !is_hidden(game, **thing));
            let about = shown.map(|thing| row_of(game, *thing)).collect();
            let (at, title) = place(space);
            Square { space, name: board.name(space), title, at, ground, colour, about, figures }
        };
        board.spaces().map(square).collect()
    })
}

fn edges(game: &Game, grid: &Grid) -> Vec<EdgePicture> {
    let picture = |edge: &Edge| {
        let mark = edge.marks.last()?;
        let drawing = game.drawings.get(mark);
        let title = drawing.and_then(|drawing| drawing.title.clone()).unwrap_or_else(|| mark.replace('_', " "));
        let middle = drawing.and_then(|drawing| match edge.axis {
            Axis::Horizontal => drawing.across.clone(),
            Axis::Vertical => drawing.upright.clone(),
        });
        let stroke = drawing.map_or(Stroke::Light, |drawing| drawing.stroke);
        let colour = drawing.and_then(|drawing| drawing.colour);
        let (low, axis) = (edge.low, edge.axis);
        (!drawing.is_some_and(|drawing| drawing.hidden)).then_some(EdgePicture {
            low,
            axis,
            stroke,
            middle,
            colour,
            title,
        })
    };
    grid.edges().filter_map(|edge| picture(grid.edge(edge))).collect()
}

/// Whether something drawn on a square is not shown.
fn is_hidden(game: &Game, thing: Name) -> bool {
    game.drawings.get(&thing).is_some_and(|drawing| drawing.hidden)
}

/// The mark and colour of something drawn on a square.
fn ground(game: &Game, thing: Name) -> (String, Option<Name>) {
    let drawing = game.drawings.get(&thing);
    let glyph = drawing.and_then(|drawing| drawing.glyph.clone());
    let first = || thing.chars().next().map_or_else(|| " ".into(), |first| first.to_uppercase().to_string());
    let glyph = if drawing.is_some_and(|drawing| drawing.hidden) { " ".into() } else { glyph.unwrap_or_else(first) };
    (glyph, drawing.and_then(|drawing| drawing.colour))
}

fn row_of(game: &Game, thing: Name) -> LegendRow {
    let drawing = game.drawings.get(&thing);
    let title = drawing.and_then(|drawing| drawing.title.clone()).unwrap_or_else(|| thing.replace('_', " "));
    let note = drawing.map_or_else(String::new, |drawing| drawing.note.clone());
    LegendRow { mark: ground(game, thing).0, title, note }
}

/// The drawings of a kind: its own, then those of its tags.
fn drawings(game: &Game, kind: Name) -> Vec<&Drawing> {
    let tags = game.kinds.get(&kind).into_iter().flat_map(|kind| &kind.tags);
    [kind].iter().chain(tags).filter_map(|id| game.drawings.get(id)).collect()
}

/// A kind's letter: as it is drawn, or the first of its name.
fn glyph(game: &Game, kind: Name, drawn: &[&Drawing]) -> char {
    let glyph = drawn.iter().find_map(|drawing| drawing.glyph.as_ref()?.chars().next());
    let title = game.kinds.get(&kind).map_or(kind.as_str(), |kind| kind.title.as_str());
    glyph.or_else(|| title.chars().next()).unwrap_or('?')
}

fn figure(table: &Table, view: &View<'_>, entity: EntityId) -> Option<Figure> {
    let game = table.game();
    let thing = view.world.entity(entity)?;
    let drawn = drawings(game, thing.kind);
    let is_there = matches!(thing.at, Position::Space(_) | Position::Cells(_));
    // A kind that says nothing of itself is drawn by its name.
    if !is_there || drawn.iter().any(|drawing| drawing.hidden) {
        return None;
    }
    let mut glyph = glyph(game, thing.kind, &drawn);
    let mut colour = drawn.iter().find_map(|drawing| drawing.colour);
    let (mut mark, mut notes) = (None, Vec::new());
    let it = [Value::Entity(entity)];
    let holds = |state: &&crate::rules::look::StateDrawing| state.when.eval_bool(view, &it).unwrap_or(false);
    for state in drawn.iter().flat_map(|drawing| &drawing.states).filter(holds).collect::<Vec<_>>().into_iter().rev() {
        glyph = state.glyph.unwrap_or(glyph);
        glyph = match state.capital {
            Some(true) => glyph.to_uppercase().next().unwrap_or(glyph),
            Some(false) => glyph.to_lowercase().next().unwrap_or(glyph),
            None => glyph,
        };
        mark = state.mark.or(mark);
        colour = state.colour.or(colour);
        notes.insert(0, state.note.clone());
    }
    let facing = drawn.iter().find_map(|drawing| drawing.facing).and_then(|facing| {
        let facing = view.world.property(entity, facing)?.as_name()?;
        facing.parse::<Facing>().ok()
    });
    let above = drawn.iter().map(|drawing| drawing.above).max().unwrap_or_default();
    let (key, title) = (key(view.world, entity), title(table, view.world, entity));
    let kind = game.kinds.get(&thing.kind).map_or_else(|| title.clone(), |kind| kind.title.clone());
    Some(Figure { entity, key, title, kind, glyph, mark, facing, colour, notes, above })
}

/// What the marks on a board stand for: kinds that are there, states, what is drawn on squares, edges.
#[must_use]
pub fn legend(table: &Table) -> Vec<LegendRow> {
    let game = table.game();
    let grid = &table.instance().setting.board;
    let kinds = |world: &World| -> BTreeSet<Name> {
        world.entities().filter(|(_, thing)| thing.alive).map(|(_, thing)| thing.kind).collect()
    };
    let kinds = table.with_seen_world(kinds);
    let mut rows = Vec::new();
    let mut states: Vec<LegendRow> = Vec::new();
    for (id, kind) in game.kinds.iter().filter(|(id, _)| kinds.contains(*id)) {
        let drawn = drawings(game, *id);
        let is_drawn = !drawn.is_empty() && !drawn.iter().any(|drawing| drawing.hidden);
        if !is_drawn || kind.tags.iter().any(|tag| tag.as_str() == "card") {
            continue;
        }
        let note = drawn.first().map_or_else(String::new, |drawing| drawing.note.clone());
        rows.push(LegendRow { mark: glyph(game, *id, &drawn).to_string(), title: kind.title.clone(), note });
        for state in drawn.iter().flat_map(|drawing| &drawing.states) {
            let shown = state.mark.or(state.glyph).map(String::from);
            let mark = shown.unwrap_or_else(|| if state.capital == Some(true) { "ABC" } else { "abc" }.into());
            let row = LegendRow { mark, title: state.note.clone(), note: String::new() };
            if !states.contains(&row) {
                states.push(row);
            }
        }
    }
    rows.append(&mut states);
    let things: BTreeSet<Name> = grid.spaces().flat_map(|space| grid.cell(space).things.iter().copied()).collect();
    let shown = |thing: &Name| !is_hidden(game, *thing);
    rows.extend(things.into_iter().filter(shown).map(|thing| row_of(game, thing)));
    let marks: BTreeSet<Name> = match grid {
        Board::Squares(grid) => grid.edges().flat_map(|edge| grid.edge(edge).marks.iter().copied()).collect(),
        Board::Points(points) => points.routes().iter().flat_map(|route| route.marks.iter().copied()).collect(),
    };
    for mark in marks.into_iter().filter(shown) {
        let drawing = game.drawings.get(&mark);
        let line = match drawing.map_or(Stroke::Light, |drawing| drawing.stroke) {
            Stroke::Light => "───",
            Stroke::Heavy => "━━━",
            Stroke::Double => "═══",
        };
        let middle = drawing.and_then(|drawing| drawing.across.clone());
        let row = row_of(game, mark);
        rows.push(LegendRow { mark: middle.unwrap_or_else(|| line.into()), ..row });
    }
    rows
}
