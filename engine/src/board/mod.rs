//! The `board` layer.
