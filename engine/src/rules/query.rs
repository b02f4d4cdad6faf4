//! Queries: the functions that expressions and scripts read the board and the world with.
//!
//! One table, [`QUERIES`]; `scripts/README.md` is written from it.

mod things;
mod places;
mod line;
mod way;
mod derived;
mod args;

pub use line::{Crossed, SightRow, SightVerdict, crossed, sight_verdicts};

use super::view::View;
use crate::base::Value;

/// A function that only reads.
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The least and the greatest number of arguments.
    pub args: (usize, usize),
    /// Arguments and result, as a reader would write them.
    pub signature: &'static str,
    /// What it gives.
    pub doc: &'static str,
    /// A use of it.
    pub example: &'static str,
    /// What it does.
    pub run: fn(&View<'_>, &[Value]) -> Result<Value, String>,
}

macro_rules! query {
    ($name:literal, $min:literal..=$max:literal, $signature:literal, $doc:literal, $example:literal, $run:expr) => {
        Query { name: $name, args: ($min, $max), signature: $signature, doc: $doc, example: $example, run: $run }
    };
}

/// Every query.
pub static QUERIES: &[Query] = &[
    query!(
        "all",
        1..=2,
        "all(tag, off?) -> list<entity>",
        "The entities in the game whose kind has the tag or is of that name, in order of creation; perhaps only those on a space without any of some things.",
        "all(\"red\", [\"marsh\"])",
        things::all
    ),
    query!(
        "has",
        2..=2,
        "has(entity, tag) -> bool",
        "Whether the entity's kind has the tag or is of that name.",
        "unit.has(\"red\")",
        things::has
    ),
    query!(
        "kind",
        1..=1,
        "kind(name) -> map?",
        "What every entity of a kind has: its stats, and all else that its record says; none if there is no such kind.",
        "kind(\"pawn\").health_max",
        things::kind
    ),
    query!(
        "kinds",
        1..=1,
        "kinds(tag) -> list<name>",
        "The kinds that have the tag or are of that name, in the order of their records.",
        "kinds(\"red\")",
        things::kinds
    ),
    query!(
        "entity",
        1..=1,
        "entity(key) -> entity?",
        "The entity of a key, none if there is none in the game.",
        "entity(\"red#1\")",
        things::entity
    ),
    query!(
        "on",
        1..=2,
        "on(space, tag?) -> list<entity>",
        "The entities on a space, perhaps only those with a tag.",
        "on(unit.at, \"red\")",
        things::on
    ),
    query!(
        "carried",
        1..=2,
        "carried(entity, slot?) -> list<entity>",
        "The entities that are with an entity, perhaps only in one slot.",
        "unit.carried(\"hand\")",
        things::carried
    ),
    query!(
        "carrier",
        1..=1,
        "carrier(entity) -> entity?",
        "With whom an entity is, none if it is with nobody.",
        "token.carrier()",
        things::carrier
    ),
    query!(
        "cells",
        1..=1,
        "cells(entity) -> list<space>",
        "The spaces that an entity covers.",
        "tower.cells()",
        things::cells
    ),
    query!(
        "pile",
        1..=1,
        "pile(zone) -> list<entity>",
        "The entities of a pile, from the top.",
        "pile(\"deck\")",
        things::pile
    ),
    query!("table", 1..=1, "table(property) -> value", "A property of the table.", "table(\"alarm\")", things::table),
    query!(
        "local",
        1..=1,
        "local(name) -> value",
        "A local of the phases that are running, the innermost first; none if there is none.",
        "local(\"turn\")",
        things::local
    ),
    query!(
        "missions",
        0..=0,
        "missions() -> list<name>",
        "The missions of the game, in their order.",
        "missions()[0]",
        things::missions
    ),
    query!(
        "fact",
        1..=1,
        "fact(name) -> value",
        "What the mission, or an option chosen for it, says under that name; none if it says nothing.",
        "fact(\"rounds\")",
        things::fact
    ),
    query!(
        "legacy",
        1..=1,
        "legacy(name) -> value",
        "What the campaign has given the mission under that name of section `legacy`; the default if it has given nothing.",
        "legacy(\"gold\")",
        things::legacy
    ),
    query!(
        "leaves",
        1..=1,
        "leaves(name) -> value",
        "What the mission would leave under that name of section `legacy`, were it over now.",
        "leaves(\"gold\")",
        things::leaves
    ),
    query!(
        "placements",
        1..=1,
        "placements(tag) -> list<map>",
        "What tiles and mission put on the board, of kinds with the tag: maps with `kind`, `key` (or none), `at` (a space or a list) and `properties`.",
        "placements(\"red\")",
        things::placements
    ),
    query!(
        "space",
        1..=1,
        "space(name) -> space?",
        "The space of a name, none if the board lacks it.",
        "space(\"e5\")",
        places::space
    ),
    query!(
        "spaces",
        0..=0,
        "spaces() -> list<space>",
        "All spaces: squares row by row from the south, points in the order of their map.",
        "spaces()",
        places::spaces
    ),
    query!(
        "region",
        1..=1,
        "region(name) -> list<space>",
        "The spaces of a region.",
        "region(\"gate\")",
        places::region
    ),
    query!(
        "neighbours",
        1..=1,
        "neighbours(space) -> list<space>",
        "The spaces around: squares from the north clockwise, points in the order of their routes.",
        "neighbours(unit.at)",
        places::neighbours
    ),
    query!(
        "distance",
        2..=2,
        "distance(a, b) -> int?",
        "Of squares the greater of the differences in columns and rows, of points the fewest routes, none if there is no way; of an entity with several spaces, from the nearest.",
        "distance(unit, other)",
        places::distance
    ),
    query!(
        "adjacent",
        2..=2,
        "adjacent(a, b) -> bool",
        "Whether the distance is 1.",
        "adjacent(unit, other)",
        places::adjacent
    ),
    query!(
        "is_thing",
        2..=2,
        "is_thing(space, thing) -> bool",
        "Whether a thing stands, or a terrain is, on a space.",
        "is_thing(unit.at, \"marsh\")",
        places::is_thing
    ),
    query!(
        "edge_marks",
        2..=2,
        "edge_marks(a, b) -> list<name>",
        "The marks of the edge between two squares side by side, or of the route between two points; none of others.",
        "edge_marks(unit.at, goal)",
        places::edge_marks
    ),
    query!(
        "room",
        2..=2,
        "room(space, marks) -> list<space>",
        "The spaces from which one does not get out, over the border or elsewhere, without crossing an edge with one of the marks, if this space is one; otherwise none.",
        "room(unit.at, [\"wall\", \"gate\"])",
        places::room
    ),
    query!(
        "ahead",
        2..=2,
        "ahead(space, facing) -> space?",
        "The space before one who stands there with that facing.",
        "ahead(unit.at, unit.facing)",
        places::ahead
    ),
    query!(
        "behind",
        2..=2,
        "behind(space, facing) -> space?",
        "The space behind one who stands there with that facing.",
        "behind(unit.at, unit.facing)",
        places::behind
    ),
    query!(
        "facings_to",
        2..=2,
        "facings_to(from, to) -> list<facing>",
        "The facings whose quarter holds the other space: one, or two on a diagonal, none for the same space.",
        "facings_to(unit.at, goal)",
        places::facings_to
    ),
    query!(
        "turned",
        2..=2,
        "turned(facing, quarters) -> facing",
        "A facing turned clockwise by a number of quarters.",
        "turned(unit.facing, 1)",
        places::turned
    ),
    query!(
        "quarters",
        2..=2,
        "quarters(from, to) -> int",
        "Quarter turns clockwise from one facing to another: 0 to 3.",
        "quarters(unit.facing, \"N\")",
        places::quarters
    ),
    query!(
        "in_field",
        4..=4,
        "in_field(space, facing, range, target) -> bool",
        "Whether the target lies in the quarter before the space up to the range, or on the square to the left or right.",
        "in_field(unit.at, unit.facing, 8, goal)",
        places::in_field
    ),
    query!(
        "in_wedge",
        4..=4,
        "in_wedge(space, facing, range, target) -> bool",
        "Whether the target lies in the quarter before the space up to the range (none: without limit).",
        "in_wedge(unit.at, unit.facing, none, goal)",
        places::in_wedge
    ),
    query!(
        "field",
        3..=3,
        "field(space, facing, range) -> list<space>",
        "All spaces for which in_field holds.",
        "field(unit.at, unit.facing, 8)",
        places::field
    ),
    query!(
        "line_open",
        3..=3,
        "line_open(sight, from, to) -> bool",
        "Whether nothing that the sight record names stops the line between the centres of two squares.",
        "line_open(\"standing\", a, b)",
        line::line_open
    ),
    query!(
        "open_lines",
        3..=3,
        "open_lines(sight, from, spaces) -> list<space>",
        "Those of some spaces to which nothing that the sight record names stops the line from a square.",
        "open_lines(\"standing\", unit.at, field(unit.at, unit.facing, 8))",
        line::open_lines
    ),
    query!(
        "open_from",
        3..=3,
        "open_from(sight, list, place) -> list",
        "Those of some spaces and entities from which nothing that the sight record names stops the line to a square.",
        "open_from(\"standing\", all(\"red\"), unit.at)",
        line::open_from
    ),
    query!(
        "line_meets",
        3..=3,
        "line_meets(sight, from, to) -> set<name>",
        "What the sight record names and the line meets; at a corner only if both sides are stopped.",
        "line_meets(\"cover\", a, b)",
        line::line_meets
    ),
    query!(
        "near",
        3..=3,
        "near(list, place, range) -> list",
        "Those of some spaces and entities whose distance to a space or an entity is at most the range.",
        "all(\"red\").near(unit, 4)",
        places::near
    ),
    query!(
        "looking_at",
        4..=4,
        "looking_at(property, entities, range, place) -> list<entity>",
        "Those of some entities for whom in_field holds, each with the facing that its property says.",
        "looking_at(\"facing\", all(\"red\"), 8, unit.at)",
        places::looking_at
    ),
    query!(
        "step_cost",
        3..=3,
        "step_cost(movement, from, to) -> int?",
        "The points for one step, none if it is not possible.",
        "step_cost(\"foot\", unit.at, it)",
        way::step_cost
    ),
    query!(
        "within",
        3..=3,
        "within(movement, from, points) -> list<space>",
        "The spaces that can be reached for that many points, without the first.",
        "within(\"foot\", unit.at, 4)",
        way::within
    ),
    query!(
        "value",
        1..=2,
        "value(value, args?) -> map",
        "A derived number of section `values`: `#{ total, parts }`, the parts as maps of `name` and `amount`.",
        "value(\"attack_die\", #{ by: unit, on: goal }).total",
        derived::value
    ),
    query!(
        "options",
        1..=2,
        "options(choice, args?) -> list",
        "The legal answers to a question of section `choices`, without asking it.",
        "options(\"move_to\", #{ unit: unit }).len()",
        derived::options
    ),
    query!(
        "has_option",
        1..=2,
        "has_option(choice, args?) -> bool",
        "Whether a question of section `choices` has a legal answer; looks no further than the first.",
        "has_option(\"move_to\", #{ unit: unit })",
        derived::has_option
    ),
    query!(
        "record",
        2..=2,
        "record(section, id) -> map",
        "A record of a section that content declares in `data`; fields that it leaves out are none.",
        "record(\"towers\", \"keep\").height",
        derived::record
    ),
    query!(
        "records",
        1..=1,
        "records(section) -> list<name>",
        "The ids of all records of a section that content declares in `data`.",
        "records(\"towers\")",
        derived::records
    ),
    query!(
        "reachable",
        3..=3,
        "reachable(movement, from, points) -> list<space>",
        "The spaces that can be reached for that many points (none: any number), the first included.",
        "reachable(\"foot\", unit.at, none)",
        way::reachable
    ),
    query!(
        "reach",
        4..=5,
        "reach(movement, from, points, goals, barred?) -> list<map>",
        "The spaces that can be reached for that many points (none: any number) without a step onto a barred space, the first included: maps with `at`, `spent` (the points from the first) and `left` (the points from there to the nearest goal, over barred spaces too; none if it has no way to any).",
        "reach(\"foot\", unit.at, 4, [goal])",
        way::reach
    ),
    query!(
        "way_cost",
        3..=3,
        "way_cost(movement, from, goals) -> int?",
        "The points of a cheapest way to the nearest of some spaces, none if there is no way.",
        "way_cost(\"foot\", unit.at, [goal])",
        way::way_cost
    ),
    query!(
        "way_round",
        5..=5,
        "way_round(movement, from, goals, shunned, price) -> list<space>?",
        "The squares of a cheapest way to the nearest of some spaces, if each step onto a shunned space costs so many points more (as often as it is listed); without the first square, and none if there is no way.",
        "way_round(\"foot\", unit.at, [goal], watched, 5)",
        way::way_round
    ),
    query!(
        "steps_towards",
        3..=3,
        "steps_towards(movement, from, goals) -> list<space>",
        "The neighbours with which a cheapest way to the nearest of some spaces goes on, from the north clockwise; none at a goal.",
        "steps_towards(\"foot\", unit.at, [goal])",
        way::steps_towards
    ),
];
