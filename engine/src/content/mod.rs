//! Reading content: roots, packs, YAML with positions, and every defect at once.
//!
//! What comes out of this layer is [`Sources`]: the records of one game as trees of
//! [`Node`]s that know their place. What a record means is decided above.

mod defect;
mod node;
mod packs;

pub use defect::{Defect, Defects, nearest};
pub use node::{Node, NodeValue, Place};
pub use packs::{Pack, Record, SourceFile, Sources, games, load};
