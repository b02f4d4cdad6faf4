//! Sandtable: an event-sourced rules engine for tactical board games.
//!
//! The engine knows no game. A game is content (YAML records) and scripts (Rhai); the
//! engine reads them, asks seats for answers, records what follows as immutable events
//! and folds these into a world. The layers, lowest first; each uses only those above it
//! in this list:
//!
//! `base` < `board`, `chance` < `kernel` < `content`, `script` < `rules` < `table` < `testkit`.

pub mod base;
pub mod board;
pub mod chance;
pub mod kernel;
pub mod content;
pub mod script;
pub mod rules;
pub mod table;
pub mod testkit;
