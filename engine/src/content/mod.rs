//! The `content` layer.
