//! Regions: spaces that have a name in common.

use indexmap::IndexMap;

use crate::base::{Name, SpaceId};

/// The regions of a board, in the order in which they were named.
#[derive(Clone, Debug, Default)]
pub struct Regions(IndexMap<Name, Vec<SpaceId>>);

impl Regions {
    /// Names a region, though it may have no space.
    pub(super) fn open(&mut self, name: Name) -> &mut Vec<SpaceId> {
        self.0.entry(name).or_default()
    }

    /// The spaces of a region in the order of their numbers; none if there is no such region.
    #[must_use]
    pub fn spaces(&self, name: Name) -> &[SpaceId] {
        self.0.get(&name).map_or(&[], Vec::as_slice)
    }
}
