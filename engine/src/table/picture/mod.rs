//! A table as people see it: what is drawn on the board, what is told of things and events.
//!
//! Everything here is data for whoever shows it: marks, colours by name, sentences. What things
//! look like and what is told of them is content.

mod board;
mod told;
mod words;

pub use board::{BoardPicture, EdgePicture, Figure, LegendRow, RoutePicture, Square, board, legend};
pub use told::{Told, live, told};
pub(super) use words::refusal;
pub use words::{
    PanelRow, Shown, confirm_of, cost_of, label, numbered, overlay, panel, panel_of_table, said, square_of, squares_of,
    stands_at, tasks, title, title_of_space, told_of, with_numbers,
};
