//! Draws of a case: faces that it forces, or else its seed.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use crate::{
    base::Name,
    chance::{Chance, Draw, Seeded},
};

/// Faces that are left, by stream or its first segment.
pub(super) type Faces = BTreeMap<String, VecDeque<i64>>;

/// Faces as the case forces them.
pub(super) struct Forced {
    pub(super) left: Rc<RefCell<Faces>>,
    pub(super) seed: Option<u64>,
}

impl Chance for Forced {
    fn draw(&mut self, stream: Name, count: u64, draw: Draw) -> Result<Vec<i64>, String> {
        let mut left = self.left.borrow_mut();
        let first = stream.split('/').next().unwrap_or_default();
        let key =
            [stream.as_str(), first].into_iter().find(|key| left.get(*key).is_some_and(|faces| !faces.is_empty()));
        let n = match draw {
            Draw::Dice { n, .. } | Draw::Order { n } => n as usize,
            Draw::Pick { .. } => 1,
        };
        match (key.and_then(|key| left.get_mut(key)), draw, self.seed) {
            (Some(faces), ..) if faces.len() >= n => Ok(faces.drain(..n).collect()),
            (Some(faces), ..) => Err(format!("{stream} draws {n} faces, but {} are forced", faces.len())),
            (None, Draw::Dice { .. }, None) => {
                Err(format!("{stream} draws {n} faces; force them with dice, or give the case a seed"))
            }
            (None, _, seed) => Seeded { seed: seed.unwrap_or(0) }.draw(stream, count, draw),
        }
    }
}
