//! The `script` layer.
