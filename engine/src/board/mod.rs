//! The board: squares assembled from drawn tiles, and exact geometry on them; or points with routes.
//!
//! A *tile* is drawn as text and may be turned and mirrored. A [`Grid`] is put together
//! from tiles once and never changes; what happens on it is kept elsewhere. A *space* is a
//! square that exists, an *edge* the side of a square, with or without marks. Columns grow
//! to the east, rows to the north; all arithmetic is in integers.
//!
//! [`Points`] are named spaces with routes between them. A [`Board`] is one or the other.
//!
//! Functions of a board trust the ids that it handed out itself.

mod facing;
mod tile;
mod grid;
mod points;
mod regions;
mod either;
mod assemble;
mod line;
mod arc;
mod reach;
mod rooms;
#[cfg(test)]
mod sample;

pub use assemble::{AssemblyFault, BOARD_SIDE_MAX, COORDINATE_MAX, Placed};
pub use either::Board;
pub use facing::{Facing, FacingUnknown};
pub(crate) use grid::coord_name;
pub use grid::{Axis, Cell, Edge, EdgeId, Grid};
pub use line::{CornerSide, Item, Met, Passes, Trace};
pub use points::{POINTS_MAX, Point, Points, PointsFault, ROUTES_MAX, Route};
pub use reach::{Reach, ReachTo, StepCosts};
pub use regions::Regions;
pub use tile::{DrawingFault, DrawnTile, Picture, mirrored_coord, rotated_coord};
