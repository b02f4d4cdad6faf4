//! A board of either form: squares, or points with routes.

use super::{Cell, EdgeId, Grid, Points};
use crate::base::{Name, SpaceId};

/// A board.
#[derive(Clone, Debug)]
pub enum Board {
    /// Squares with edges, lines and facings.
    Squares(Grid),
    /// Points with routes.
    Points(Points),
}

impl Board {
    /// The squares, if it has such.
    #[must_use]
    pub fn grid(&self) -> Option<&Grid> {
        if let Self::Squares(grid) = self { Some(grid) } else { None }
    }

    /// The points, if it has such.
    #[must_use]
    pub fn points(&self) -> Option<&Points> {
        if let Self::Points(points) = self { Some(points) } else { None }
    }

    /// The number of spaces.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Squares(grid) => grid.len(),
            Self::Points(points) => points.len(),
        }
    }

    /// Whether there is no space.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All spaces in the order of their numbers.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = SpaceId> + DoubleEndedIterator + use<> {
        (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).map(SpaceId)
    }

    /// Whether the id is one of this board.
    #[must_use]
    pub fn contains(&self, space: SpaceId) -> bool {
        space.index() < self.len()
    }

    /// The space of a name.
    #[must_use]
    pub fn space(&self, name: &str) -> Option<SpaceId> {
        match self {
            Self::Squares(grid) => grid.space(name),
            Self::Points(points) => points.space(name),
        }
    }

    /// The name of a space.
    #[must_use]
    pub fn name(&self, space: SpaceId) -> Name {
        match self {
            Self::Squares(grid) => grid.name(space),
            Self::Points(points) => points.name(space),
        }
    }

    /// What a space is, and what is drawn on it.
    #[must_use]
    pub fn cell(&self, space: SpaceId) -> &Cell {
        match self {
            Self::Squares(grid) => grid.cell(space),
            Self::Points(points) => points.cell(space),
        }
    }

    /// The spaces of a region in the order of their numbers; none if there is no such region.
    #[must_use]
    pub fn region(&self, name: Name) -> &[SpaceId] {
        match self {
            Self::Squares(grid) => grid.regions().spaces(name),
            Self::Points(points) => points.regions().spaces(name),
        }
    }

    /// The spaces around: of squares eight, from the north clockwise, of points those to which
    /// routes lead. A place in this list is a direction.
    #[must_use]
    pub fn neighbours(&self, space: SpaceId) -> &[Option<SpaceId>] {
        match self {
            Self::Squares(grid) => grid.neighbours(space),
            Self::Points(points) => points.neighbours(space),
        }
    }

    /// How many directions a space has at most.
    pub(crate) fn n_directions(&self) -> usize {
        match self {
            Self::Squares(_) => 8,
            Self::Points(points) => self.spaces().map(|space| points.neighbours(space).len()).max().unwrap_or(0),
        }
    }

    /// The direction back from the space to which a direction leads.
    pub(crate) fn back(&self, from: SpaceId, to: SpaceId, direction: usize) -> Option<usize> {
        match self {
            Self::Squares(_) => Some((direction + 4) % 8),
            Self::Points(points) => points.neighbours(to).iter().position(|back| *back == Some(from)),
        }
    }

    /// The fewest steps between two spaces on an open board; none if there is no way at all.
    #[must_use]
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        match self {
            Self::Squares(grid) => Some(grid.distance(a, b)),
            Self::Points(points) => points.distance(a, b),
        }
    }

    /// The edge or route between two spaces.
    #[must_use]
    pub fn edge_between(&self, a: SpaceId, b: SpaceId) -> Option<EdgeId> {
        match self {
            Self::Squares(grid) => grid.edge_between(a, b),
            Self::Points(points) => points.route_between(a, b),
        }
    }

    /// The marks of an edge or route.
    #[must_use]
    pub fn marks(&self, edge: EdgeId) -> &[Name] {
        match self {
            Self::Squares(grid) => &grid.edge(edge).marks,
            Self::Points(points) => points.routes().get(edge.index()).map_or(&[], |route| &route.marks),
        }
    }
}
