//! The `table` layer.

pub mod log;
