//! A board of points: named spaces, and the routes that join them.
//!
//! Spaces are numbered in the order in which they are given. Two spaces are joined by at most
//! one route, which leads both ways. Where a space is drawn says nothing of how far it is.

use std::collections::VecDeque;

use indexmap::IndexMap;

use super::{Cell, EdgeId, regions::Regions};
use crate::base::{Name, SpaceId};

/// The most routes of a space.
pub const ROUTES_MAX: usize = 64;
/// The most spaces of a board of points.
pub const POINTS_MAX: usize = 1024;

/// A space as content gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its name.
    pub name: Name,
    /// The terrain, then what else it is.
    pub things: Vec<Name>,
    /// The region to which it belongs.
    pub region: Name,
    /// Where it is drawn: column and row of letters, rows growing downwards.
    pub at: (i32, i32),
}

/// A route as content gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The spaces that it joins.
    pub ends: [Name; 2],
    /// What it is.
    pub marks: Vec<Name>,
}

/// Why spaces and routes are no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsFault {
    /// There are none, or too many.
    #[error("a board of points has 1 to {POINTS_MAX} spaces, not {0}")]
    Number(usize),
    /// Two have one name.
    #[error("two spaces are called {0}")]
    Twice(Name),
    /// A route leads to a space that is not there.
    #[error("a route leads from {1} to {0}, which is no space of the board")]
    Unknown(Name, Name),
    /// A route leads from a space to itself.
    #[error("a route leads from {0} to itself")]
    Loop(Name),
    /// Two routes join the same spaces.
    #[error("two routes join {0} and {1}")]
    Double(Name, Name),
    /// A space has too many routes.
    #[error("{0} has more than {ROUTES_MAX} routes")]
    Crowded(Name),
}

/// A board of points that never changes.
#[derive(Clone, Debug)]
pub struct Points {
    cells: Vec<Cell>,
    names: IndexMap<Name, (i32, i32)>,
    neighbours: Vec<Vec<Option<SpaceId>>>,
    /// By space and direction the route that leads there.
    routes_of: Vec<Vec<EdgeId>>,
    routes: Vec<Route>,
    regions: Regions,
    /// By two spaces the fewest routes between them; none if there is no way.
    distances: Vec<Option<u32>>,
}

impl Points {
    /// Puts a board together.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn new(points: &[Point], routes: &[Route]) -> Result<Self, Vec<PointsFault>> {
        let mut faults = Vec::new();
        if points.is_empty() || points.len() > POINTS_MAX {
            return Err(vec![PointsFault::Number(points.len())]);
        }
        let mut names = IndexMap::new();
        let mut regions = Regions::default();
        for (number, point) in (0..).zip(points) {
            if names.insert(point.name, point.at).is_some() {
                faults.push(PointsFault::Twice(point.name));
            }
            regions.open(point.region).push(SpaceId(number));
        }
        let mut neighbours = vec![Vec::new(); points.len()];
        let mut routes_of = vec![Vec::new(); points.len()];
        for (number, route) in (0..).zip(routes) {
            let [from, to] = route.ends;
            let (Some(a), Some(b)) = (names.get_index_of(&from), names.get_index_of(&to)) else {
                let (missing, other) = if names.contains_key(&from) { (to, from) } else { (from, to) };
                faults.push(PointsFault::Unknown(missing, other));
                continue;
            };
            if a == b {
                faults.push(PointsFault::Loop(from));
                continue;
            }
            let id = |index: usize| Some(SpaceId(u32::try_from(index).unwrap_or(u32::MAX)));
            if neighbours[a].contains(&id(b)) {
                faults.push(PointsFault::Double(from, to));
                continue;
            }
            for (one, other) in [(a, b), (b, a)] {
                neighbours[one].push(id(other));
                routes_of[one].push(EdgeId(number));
            }
        }
        let crowded = points.iter().zip(&neighbours).filter(|(_, around)| around.len() > ROUTES_MAX);
        faults.extend(crowded.map(|(point, _)| PointsFault::Crowded(point.name)));
        if !faults.is_empty() {
            return Err(faults);
        }
        let cells = points.iter().map(|point| Cell { things: point.things.clone(), region: point.region }).collect();
        let distances = distances(&neighbours);
        Ok(Self { cells, names, neighbours, routes_of, routes: routes.to_vec(), regions, distances })
    }

    /// The number of spaces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no space; never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The space of a name.
    #[must_use]
    pub fn space(&self, name: &str) -> Option<SpaceId> {
        let index = self.names.get_index_of(&crate::base::name(name))?;
        u32::try_from(index).ok().map(SpaceId)
    }

    /// The name of a space.
    #[must_use]
    pub fn name(&self, space: SpaceId) -> Name {
        self.names.get_index(space.index()).map(|(name, _)| *name).unwrap_or_default()
    }

    /// Where a space is drawn.
    #[must_use]
    pub fn spot(&self, space: SpaceId) -> (i32, i32) {
        self.names.get_index(space.index()).map(|(_, at)| *at).unwrap_or_default()
    }

    /// What a space is.
    #[must_use]
    pub fn cell(&self, space: SpaceId) -> &Cell {
        &self.cells[space.index()]
    }

    /// Its regions.
    #[must_use]
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The spaces to which routes lead, in the order of the routes.
    #[must_use]
    pub fn neighbours(&self, space: SpaceId) -> &[Option<SpaceId>] {
        &self.neighbours[space.index()]
    }

    /// The route between two spaces.
    #[must_use]
    pub fn route_between(&self, a: SpaceId, b: SpaceId) -> Option<EdgeId> {
        let direction = self.neighbours(a).iter().position(|to| *to == Some(b))?;
        self.routes_of[a.index()].get(direction).copied()
    }

    /// All routes, each by its number.
    #[must_use]
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The fewest routes between two spaces; none if there is no way.
    #[must_use]
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        self.distances[a.index() * self.len() + b.index()]
    }
}

fn distances(neighbours: &[Vec<Option<SpaceId>>]) -> Vec<Option<u32>> {
    let n = neighbours.len();
    let mut all = vec![None; n * n];
    for (from, row) in all.chunks_mut(n).enumerate() {
        row[from] = Some(0_u32);
        let mut waiting = VecDeque::from([from]);
        while let Some(space) = waiting.pop_front() {
            let next = row[space].map(|steps| steps + 1);
            for to in neighbours[space].iter().flatten().map(|to| to.index()) {
                if row[to].is_none() {
                    row[to] = next;
                    waiting.push_back(to);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::name;

    fn points(names: &[&str], routes: &[(&str, &str)]) -> Result<Points, Vec<PointsFault>> {
        let point = |text: &&str| Point { name: name(text), things: vec![], region: name("land"), at: (0, 0) };
        let route = |(a, b): &(&str, &str)| Route { ends: [name(a), name(b)], marks: vec![name("path")] };
        Points::new(&names.iter().map(point).collect::<Vec<_>>(), &routes.iter().map(route).collect::<Vec<_>>())
    }

    #[test]
    fn routes_lead_both_ways_and_distances_count_them() {
        let board = points(&["ford", "mill", "hill", "isle"], &[("ford", "mill"), ("mill", "hill")]).unwrap();
        let [ford, mill, hill, isle] = [0, 1, 2, 3].map(SpaceId);
        assert_eq!(board.neighbours(mill), [Some(ford), Some(hill)]);
        assert_eq!(board.neighbours(isle), []);
        assert_eq!(board.route_between(hill, mill), Some(EdgeId(1)));
        assert_eq!(board.route_between(hill, ford), None);
        assert_eq!(board.distance(hill, ford), Some(2));
        assert_eq!(board.distance(hill, isle), None);
        assert_eq!((board.space("hill"), board.space("dale")), (Some(hill), None));
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let wrong = [("ford", "mill"), ("mill", "ford"), ("mill", "mil"), ("ford", "ford")];
        let faults = points(&["ford", "mill", "mill"], &wrong).expect_err("it is wrong");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "two spaces are called mill",
                "two routes join mill and ford",
                "a route leads from mill to mil, which is no space of the board",
                "a route leads from ford to itself",
            ]
        );
        assert_eq!(points(&[], &[]).expect_err("there is none"), [PointsFault::Number(0)]);
    }
}
