//! The `rules` layer.
