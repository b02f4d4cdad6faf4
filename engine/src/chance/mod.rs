//! The `chance` layer.
