//! Values by name: few entries, made often, so they lie in a row.

use std::collections::BTreeMap;

use super::{Name, Value};

/// Entries up to which looking at each is quicker than comparing texts.
const FEW: usize = 24;

/// Values by name, in the order of their names' texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map(Vec<(Name, Value)>);

impl Map {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of a name, if it has one.
    #[must_use]
    pub fn get(&self, name: &Name) -> Option<&Value> {
        if self.0.len() > FEW {
            let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(name.as_str()));
            return place.ok().and_then(|place| self.0.get(place)).map(|(_, value)| value);
        }
        // Names are told apart by their number, which is quicker than by their text.
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Whether a name has a value.
    #[must_use]
    pub fn contains_key(&self, name: &Name) -> bool {
        self.get(name).is_some()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Name, &Value)> + ExactSizeIterator {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The names in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values in the order of their names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The same entries, to be changed.
    #[must_use]
    pub fn to_tree(&self) -> BTreeMap<Name, Value> {
        self.0.iter().cloned().collect()
    }
}

impl FromIterator<(Name, Value)> for Map {
    /// Of entries with the same name the last stays.
    fn from_iter<I: IntoIterator<Item = (Name, Value)>>(entries: I) -> Self {
        let mut entries: Vec<(Name, Value)> = entries.into_iter().collect();
        let text = |entry: &(Name, Value)| entry.0.as_str();
        if !entries.is_sorted_by(|one, next| text(one) < text(next)) {
            entries.sort_by(|one, next| text(one).cmp(text(next)));
            entries.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    std::mem::swap(next, kept);
                }
                same
            });
        }
        Self(entries)
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a (Name, Value);
    type IntoIter = std::slice::Iter<'a, (Name, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Map;
    use crate::base::{Value, name};

    #[test]
    fn entries_are_in_the_order_of_their_texts_and_the_last_of_a_name_stays() {
        let entry = |text: &str, number| (name(text), Value::Int(number));
        let map: Map =
            [entry("b", 1), entry("a", 2), entry("b", 3), entry("c", 4), entry("b", 5)].into_iter().collect();
        let found: Vec<(&str, Option<i64>)> = map.iter().map(|(name, value)| (name.as_str(), value.as_int())).collect();
        assert_eq!(found, [("a", Some(2)), ("b", Some(5)), ("c", Some(4))]);
        assert_eq!(map.get(&name("b")), Some(&Value::Int(5)));
        assert_eq!(map.get(&name("d")), None);
    }

    #[test]
    fn every_name_of_a_long_map_is_found() {
        let map: Map = (0..100).map(|number| (name(&format!("n{number}")), Value::Int(number))).collect();
        assert!((0..100).all(|number| map.get(&name(&format!("n{number}"))) == Some(&Value::Int(number))));
        assert!(!map.contains_key(&name("n100")));
    }
}
