//! Reading content: roots, packs, YAML with positions, and every defect at once.
//!
//! What comes out of this layer is [`Sources`]: the records of one game as trees of
//! [`Node`]s that know their place. What a record means is decided above.

mod sources;
mod twice;
mod unclosed;
mod packs;
mod origin;
mod stray;
mod files;
mod patch;
mod node;
mod defect;

pub use defect::{Defect, Defects, nearest};
pub use node::{Node, NodeFault, NodeValue, Place};
pub use packs::Pack;
pub(crate) use sources::load_but;
pub use sources::{Overlay, Patched, Record, SourceFile, Sources, games, load, load_to_play, load_with};
pub use stray::stray_scripts;
