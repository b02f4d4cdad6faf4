//! Where names stand in a list: what is asked most often of all.

use super::Name;

/// The places of some names in a list, found by where their texts lie in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Names with their places, each at its mark or after it; a power of two, at most a quarter in use.
    slots: Box<[Option<(Name, u32)>]>,
}

impl Places {
    /// The places of names that are all different; of equal ones the first.
    pub fn new(names: impl IntoIterator<Item = Name>) -> Self {
        let names: Vec<Name> = names.into_iter().collect();
        let mut slots = vec![None; (names.len() * 4).next_power_of_two()].into_boxed_slice();
        for (place, name) in (0..).zip(names) {
            let (mut at, last) = (mark(name), slots.len() - 1);
            while slots[at & last].is_some_and(|(known, _): (Name, u32)| known != name) {
                at += 1;
            }
            slots[at & last].get_or_insert((name, place));
        }
        Self { slots }
    }

    /// The place of a name.
    #[inline]
    #[must_use]
    pub fn of(&self, name: Name) -> Option<usize> {
        let mut at = mark(name);
        // An empty slot ends every search, and there are always some.
        loop {
            match self.slots.get(at & self.slots.len().wrapping_sub(1)).copied().flatten() {
                Some((known, place)) if known == name => return Some(place as usize),
                Some(_) => at += 1,
                None => return None,
            }
        }
    }
}

/// Different for most names.
#[inline]
fn mark(name: Name) -> usize {
    let address = name.as_char_ptr().addr();
    (address >> 3) ^ (address >> 10)
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::base::{Name, name};

    #[test]
    fn every_name_is_found_at_its_place_and_no_other() {
        let names: Vec<Name> = (0..300).map(|number| name(&format!("place{number}"))).collect();
        for n_names in [0, 1, 2, 7, 300] {
            let places = Places::new(names[..n_names].iter().copied());
            for (place, name) in names.iter().enumerate() {
                assert_eq!(places.of(*name), (place < n_names).then_some(place));
            }
        }
    }

    #[test]
    fn of_equal_names_the_first_counts() {
        let places = Places::new(["a", "b", "a"].map(name));
        assert_eq!(places.of(name("a")), Some(0));
    }
}
