//! The `kernel` layer.
