//! The `table` layer.
