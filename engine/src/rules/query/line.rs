//! Queries on lines between two spaces.

use super::args::{name_arg, place_arg};
use crate::{
    base::{Name, SpaceId, Value},
    board::{EdgeId, Met},
    rules::{
        game::{EdgeException, Sight},
        view::View,
    },
};

pub(super) fn line_open(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    let by_board = view.setting.sight.is_open(line.record, line.from, line.to, || line.board_leaves_open());
    Ok((by_board && line.is_open()?).into())
}

pub(super) fn line_meets(view: &View<'_>, args: &[Value]) -> Result<Value, String> {
    let line = Line::new(view, args)?;
    let mut met = Vec::new();
    line.walk(&mut |name| met.push(Value::Name(name)))?;
    Ok(Value::set(met))
}

/// A line between two squares under a sight record.
struct Line<'a> {
    view: &'a View<'a>,
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
        Ok(Self { view, record, sight, from: place_arg(view, args, 1)?, to: place_arg(view, args, 2)? })
    }

    fn hidden_at_end(&self) -> bool {
        let board = self.view.board;
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
        self.view.board.is_open(self.from, self.to, &mut cell_blocks, &mut edge_blocks)
    }

    /// Whether nothing stops the line, once the board alone leaves it open.
    fn is_open(&self) -> Result<bool, String> {
        if self.sight.entities.is_none() {
            return Ok(true);
        }
        let mut failed = None;
        let mut cell_blocks = |space| match self.cell_blocker(space) {
            Ok(blocker) => blocker.is_some(),
            Err(message) => {
                failed = Some(message);
                true
            }
        };
        let mut edge_blocks = |edge| self.edge_blocker(edge).is_some();
        let open = self.view.board.is_open(self.from, self.to, &mut cell_blocks, &mut edge_blocks);
        failed.map_or(Ok(open), Err)
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
        self.view.board.meets(self.from, self.to, &mut cell_blocks, &mut edge_blocks, &mut met);
        failed.map_or(Ok(()), Err)
    }

    fn thing_blocker(&self, space: SpaceId) -> Option<Name> {
        let board = self.view.board;
        if self.sight.near_end && board.distance(space, self.to) > 1 {
            return None;
        }
        board.cell(space).things.iter().find(|thing| self.sight.cells.contains(thing)).copied()
    }

    fn cell_blocker(&self, space: SpaceId) -> Result<Option<Name>, String> {
        let view = self.view;
        if let Some(thing) = self.thing_blocker(space) {
            return Ok(Some(thing));
        }
        if self.sight.near_end && view.board.distance(space, self.to) > 1 {
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
        let board = self.view.board;
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
