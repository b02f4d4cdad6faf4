//! The `rules` layer.

pub mod expr;
