//! The `testkit` layer.
