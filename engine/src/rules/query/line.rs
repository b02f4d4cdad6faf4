//! Queries on lines between two spaces.

use std::slice;

use super::args::{expected, name_arg, place_arg, spaces_arg};
use crate::{
    base::{Name, SpaceId, Value},
    board::{CornerSide, EdgeId, Grid, Item, Met, Passes},
    kernel::Position,
    rules::{
        expr::{Expr, Left},
        game::{EdgeException, Sight},
        reads::Memorable,
        view::View,
    },
};

pub(super) fn line_open(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    Ok((line.is_open_on_board() && line.is_open_among(spaces_of(&line.blockers()?))).into())
}

pub(super) fn open_lines(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let goals = spaces_arg(args, 2)?;
    let Some(first) = goals.first() else { return Ok(Value::list(Vec::new())) };
    let first = Line::new(view, &[args[0].clone(), args[1].clone(), Value::Space(*first)])?;
    let blockers = first.blockers_within(&goals)?;
    let lines = goals.iter().map(|to| Line { to: *to, ..first });
    let open = lines.filter(|line| line.is_open_on_board() && line.is_open_among(blockers.iter().copied()));
    Ok(Value::list(open.map(|line| Value::Space(line.to)).collect()))
}

pub(super) fn open_from(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let items = args[1].as_items().ok_or_else(|| expected(1, "a list", &args[1]))?;
    let to = place_arg(view, args, 2)?;
    let mut open = Vec::new();
    let first = Line::new(view, &[args[0].clone(), Value::Space(to), Value::Space(to)])?;
    let blockers = first.blockers()?;
    for item in items {
        let line = Line { from: place_arg(view, slice::from_ref(item), 0)?, ..first };
        if line.is_open_on_board() && line.is_open_among(spaces_of(&blockers)) {
            open.push(item.clone());
        }
    }
    Ok(Value::list(open))
}

pub(super) fn line_meets(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    let mut met = Vec::new();
    line.walk(&mut |name| met.push(Value::Name(name)))?;
    Ok(Value::set(met))
}

/// A line between two squares under a sight record.
#[derive(Clone, Copy)]
struct Line<'a> {
    view: &'a View<'a>,
    board: &'a Grid,
    record: usize,
    sight: &'a Sight,
    from: SpaceId,
    to: SpaceId,
}

impl<'a> Line<'a> {
    fn new(view: &'a View<'a>, args: &[Value]) -> Result<Self, String> {
        let id = name_arg(args, 0)?;
        let (record, _, sight) =
            view.game.sight.get_full(&id).ok_or_else(|| format!("there is no sight record {id}"))?;
        view.game.trace.happen("sight", id);
        Ok(Self {
            view,
            board: view.grid()?,
            record,
            sight,
            from: place_arg(view, args, 1)?,
            to: place_arg(view, args, 2)?,
        })
    }

    fn hidden_at_end(&self) -> bool {
        let board = self.board;
        let hides = board.cell(self.to).things.iter().any(|thing| self.sight.hides_in.contains(thing));
        hides && board.distance(self.from, self.to) > 1
    }

    /// Whether nothing that is drawn on the board stops the line.
    fn board_leaves_open(&self) -> bool {
        if self.hidden_at_end() {
            return false;
        }
        let mut cell_blocks = |space| self.thing_blocker(space).is_some();
        let mut edge_blocks = |edge| self.edge_blocker(edge).is_some();
        self.board.is_open(self.from, self.to, &mut cell_blocks, &mut edge_blocks)
    }

    /// The same, from what was looked at before.
    fn is_open_on_board(&self) -> bool {
        self.view.setting.sight.is_open(self.record, self.from, self.to, || self.board_leaves_open())
    }

    /// The spaces on which an entity stands that stops lines of the sight record.
    fn blockers(&self) -> Result<Value, String> {
        match &self.sight.entities {
            Some(stops) => blockers(self.view, self.record, stops),
            None => Ok(Value::list(Vec::new())),
        }
    }

    /// The same, as far as a line from here to any of these goals could meet them.
    fn blockers_within(&self, goals: &[SpaceId]) -> Result<Vec<SpaceId>, String> {
        let (mut low, mut high) = (self.board.coord(self.from), self.board.coord(self.from));
        for (col, row) in goals.iter().map(|goal| self.board.coord(*goal)) {
            (low, high) = ((low.0.min(col), low.1.min(row)), (high.0.max(col), high.1.max(row)));
        }
        let is_near = |space: &SpaceId| {
            let (col, row) = self.board.coord(*space);
            (low.0..=high.0).contains(&col) && (low.1..=high.1).contains(&row)
        };
        Ok(spaces_of(&self.blockers()?).filter(is_near).collect())
    }

    /// Whether nothing stops the line, once the board alone leaves it open. Its two ends never do.
    fn is_open_among(&self, blockers: impl Iterator<Item = SpaceId> + Clone) -> bool {
        let board = self.board;
        let mut meets_corner = false;
        for space in blockers.clone() {
            let is_end = space == self.from || space == self.to;
            if is_end || !board.lies_between(space, self.from, self.to) || self.is_far(space) {
                continue;
            }
            match board.passes(space, self.from, self.to) {
                Passes::Through => return false,
                Passes::Corner => meets_corner = true,
                Passes::By => {}
            }
        }
        if !meets_corner {
            return true;
        }
        // What lies on the other side of the corner decides.
        let stands = |space| !self.is_far(space) && blockers.clone().any(|blocker| blocker == space);
        let mut cell_blocks = |space| self.thing_blocker(space).is_some() || stands(space);
        let mut edge_blocks = |edge| self.edge_blocker(edge).is_some();
        board.is_open(self.from, self.to, &mut cell_blocks, &mut edge_blocks)
    }

    /// Whether the sight record looks only at what is next to the end, and the space is not.
    fn is_far(&self, space: SpaceId) -> bool {
        self.sight.near_end && self.board.distance(space, self.to) > 1
    }

    /// Tells `found` the name of everything that stops the line.
    fn walk(&self, found: &mut dyn FnMut(Name)) -> Result<(), String> {
        let mut failed = None;
        let mut cell_blocks = |space| match self.cell_blocker(space) {
            Ok(blocker) => blocker.is_some(),
            Err(message) => {
                failed = Some(message);
                false
            }
        };
        let mut edge_blocks = |edge| self.edge_blocker(edge).is_some();
        let mut met = |met: Met| {
            let (cells, edges) = pieces(&met);
            for space in cells {
                if let Ok(Some(blocker)) = self.cell_blocker(space) {
                    found(blocker);
                }
            }
            for edge in edges {
                if let Some(blocker) = self.edge_blocker(edge) {
                    found(blocker);
                }
            }
        };
        self.board.meets(self.from, self.to, &mut cell_blocks, &mut edge_blocks, &mut met);
        failed.map_or(Ok(()), Err)
    }

    fn thing_blocker(&self, space: SpaceId) -> Option<Name> {
        let board = self.board;
        if self.is_far(space) {
            return None;
        }
        board.cell(space).things.iter().find(|thing| self.sight.cells.contains(thing)).copied()
    }

    fn cell_blocker(&self, space: SpaceId) -> Result<Option<Name>, String> {
        let view = self.view;
        if let Some(thing) = self.thing_blocker(space) {
            return Ok(Some(thing));
        }
        if self.is_far(space) {
            return Ok(None);
        }
        let Some(stops) = &self.sight.entities else { return Ok(None) };
        for id in view.world.on_space(space) {
            if stops.eval_bool(view, &[Value::Entity(*id)]).map_err(|fault| fault.message)? {
                return Ok(view.world.entity(*id).map(|thing| thing.kind));
            }
        }
        Ok(None)
    }

    fn edge_blocker(&self, edge: EdgeId) -> Option<Name> {
        let board = self.board;
        if self.sight.near_end && !board.touches(edge, self.to) {
            return None;
        }
        let stops = |mark: &&Name| match self.sight.edges.get(*mark) {
            None => false,
            Some(EdgeException::Never) => true,
            Some(EdgeException::ViewerBeside) => !board.edge_beside(edge, self.from),
            Some(EdgeException::EndAtEdge) => !board.beyond_three(edge, self.from, self.to),
        };
        board.edge(edge).marks.iter().find(stops).copied()
    }
}

/// The spaces in a list.
fn spaces_of(list: &Value) -> impl Iterator<Item = SpaceId> + Clone {
    list.as_items().unwrap_or_default().iter().filter_map(Value::as_space)
}

/// The spaces on which an entity stands that stops lines of a sight record.
fn blockers(view: &View<'_>, record: usize, stops: &Expr) -> Result<Value, String> {
    view.remembered(Memorable::Blockers(record), &[], || {
        let mut found = Vec::new();
        for (id, thing) in view.world.entities() {
            let spaces = match &thing.at {
                Position::Space(space) => slice::from_ref(space),
                Position::Cells(cells) => cells,
                _ => continue,
            };
            let left = view.game.stoppers.get(record).and_then(|stops| stops.left(thing.kind));
            let left = if view.game.trace.is_on() { None } else { left };
            let stops = match left {
                Some(Left::Holds(holds)) => Ok(*holds),
                Some(Left::Of(left)) => left.eval_bool(view, &[Value::Entity(id)]),
                None => stops.eval_bool(view, &[Value::Entity(id)]),
            };
            if stops.map_err(|fault| fault.message)? {
                found.extend(spaces.iter().map(|space| Value::Space(*space)));
            }
        }
        Ok(Value::list(found))
    })
}

/// Something that a line between two squares passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossed {
    /// The square or edge.
    pub at: String,
    /// For what lies at a corner that the line passes exactly: the side of the corner.
    pub side: Option<&'static str>,
    /// The things on the square, or the marks of the edge.
    pub things: Vec<Name>,
    /// Entities on the square.
    pub entities: Vec<Name>,
}

/// What a sight record says of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightVerdict {
    /// The record.
    pub record: Name,
    /// Whether the line is open.
    pub open: bool,
    /// What the rows of the record say of things in the way, in order.
    pub rows: Vec<SightRow>,
}

/// What one row of a sight record says of one thing in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightRow {
    /// The square or edge.
    pub at: String,
    /// The thing, mark or entity there.
    pub thing: Name,
    /// The row of the record that names it.
    pub row: String,
    /// Whether it stops the line.
    pub stops: bool,
    /// Why it does not.
    pub because: Option<&'static str>,
}

/// What the line between the centres of two squares passes, in order; nothing on a board without squares.
#[must_use]
pub fn crossed(view: &View<'_>, from: SpaceId, to: SpaceId) -> Vec<Crossed> {
    let Some(board) = view.board.grid() else { return Vec::new() };
    let cell = |space: SpaceId, side| Crossed {
        at: board.name(space).to_string(),
        side,
        things: board.cell(space).things.clone(),
        entities: view.world.on_space(space).iter().filter_map(|id| Some(view.world.entity(*id)?.key)).collect(),
    };
    let edge = |edge: EdgeId, side| Crossed {
        at: board.edge_name(edge),
        side,
        things: board.edge(edge).marks.clone(),
        entities: Vec::new(),
    };
    let beside = |corner: CornerSide, side| {
        let cells = corner.cell.into_iter().map(move |space| cell(space, Some(side)));
        cells.chain(corner.edges.into_iter().flatten().map(move |id| edge(id, Some(side)))).collect::<Vec<_>>()
    };
    let items = board.trace(from, to).items;
    let passed = items.into_iter().flat_map(|item| match item {
        Item::Cell(space) => vec![cell(space, None)],
        Item::Edge(id) => vec![edge(id, None)],
        Item::Corner { left, right } => [beside(left, "left"), beside(right, "right")].concat(),
    });
    passed.collect()
}

/// What every sight record says of the line from one square to another.
///
/// # Errors
/// When a record cannot be evaluated.
pub fn sight_verdicts(view: &View<'_>, from: SpaceId, to: SpaceId) -> Result<Vec<SightVerdict>, String> {
    let board = view.grid()?;
    let of =
        |(record, (id, sight)): (usize, (&Name, &Sight))| Line { view, board, record, sight, from, to }.verdict(*id);
    view.game.sight.iter().enumerate().map(of).collect()
}

impl Line<'_> {
    fn verdict(&self, record: Name) -> Result<SightVerdict, String> {
        let board = self.board;
        let mut rows = Vec::new();
        for item in board.trace(self.from, self.to).items {
            match item {
                Item::Cell(space) => rows.extend(self.cell_row(space)?),
                Item::Edge(edge) => rows.extend(self.edge_rows(edge)),
                Item::Corner { left, right } => {
                    let (mut left, mut right) = (self.side_rows(left)?, self.side_rows(right)?);
                    let stops = |rows: &[SightRow]| rows.iter().any(|row| row.stops);
                    if !(stops(&left) && stops(&right)) {
                        for row in left.iter_mut().chain(&mut right).filter(|row| row.stops) {
                            (row.stops, row.because) = (false, Some("the other side of the corner is open"));
                        }
                    }
                    rows.extend(left);
                    rows.extend(right);
                }
            }
        }
        for thing in board.cell(self.to).things.iter().filter(|thing| self.sight.hides_in.contains(thing)) {
            let stops = self.hidden_at_end();
            let because = (!stops).then_some("the squares are adjacent");
            let at = board.name(self.to).to_string();
            rows.push(SightRow { at, thing: *thing, row: format!("hides_in: {thing}"), stops, because });
        }
        Ok(SightVerdict { record, open: !rows.iter().any(|row| row.stops), rows })
    }

    fn side_rows(&self, side: CornerSide) -> Result<Vec<SightRow>, String> {
        let mut rows: Vec<SightRow> = Vec::new();
        if let Some(space) = side.cell {
            rows.extend(self.cell_row(space)?);
        }
        rows.extend(side.edges.into_iter().flatten().flat_map(|edge| self.edge_rows(edge)));
        Ok(rows)
    }

    fn cell_row(&self, space: SpaceId) -> Result<Option<SightRow>, String> {
        let board = self.board;
        let at = board.name(space).to_string();
        if self.is_far(space) {
            let thing = board.cell(space).things.iter().find(|thing| self.sight.cells.contains(thing));
            let because = Some("it does not touch the last square");
            let row = |thing: &Name| SightRow { at, thing: *thing, row: "near_end: yes".into(), stops: false, because };
            return Ok(thing.map(row));
        }
        Ok(self.cell_blocker(space)?.map(|thing| {
            let row = match (board.cell(space).things.contains(&thing), &self.sight.entities) {
                (false, Some(stops)) => format!("entities: {}", stops.text()),
                _ => format!("cells: {thing}"),
            };
            SightRow { at, thing, row, stops: true, because: None }
        }))
    }

    fn edge_rows(&self, edge: EdgeId) -> Vec<SightRow> {
        let board = self.board;
        let touches = !self.sight.near_end || board.touches(edge, self.to);
        let row = |mark: &Name| {
            let exception = self.sight.edges.get(mark)?;
            let (stops, because) = match exception {
                _ if !touches => (false, Some("it does not touch the last square")),
                EdgeException::Never => (true, None),
                EdgeException::ViewerBeside => {
                    let open = board.edge_beside(edge, self.from);
                    (!open, open.then_some("the viewer is beside it"))
                }
                EdgeException::EndAtEdge => {
                    let open = board.beyond_three(edge, self.from, self.to);
                    (!open, open.then_some("one end is at it"))
                }
            };
            let row = format!("edges: {mark}: {}", exception.word());
            Some(SightRow { at: board.edge_name(edge), thing: *mark, row, stops, because })
        };
        board.edge(edge).marks.iter().filter_map(row).collect()
    }
}

/// The squares and edges that a line meets at one place.
fn pieces(met: &Met) -> (Vec<SpaceId>, Vec<EdgeId>) {
    match met {
        Met::Cell(space) => (vec![*space], Vec::new()),
        Met::Edge(edge) => (Vec::new(), vec![*edge]),
        Met::Corner { left, right } => (
            left.cell.into_iter().chain(right.cell).collect(),
            left.edges.into_iter().chain(right.edges).flatten().collect(),
        ),
    }
}
