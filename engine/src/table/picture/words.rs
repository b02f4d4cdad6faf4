//! Names, values, panels and overlays in words.

use std::collections::BTreeMap;

use crate::{
    base::{EntityId, KeyBook as _, Map, Name, SpaceId, Value, name},
    board::Facing,
    kernel::{Candidate, Choice, Position, UNKNOWN_KIND, World},
    rules::{
        View,
        look::{Panel, PanelLine},
    },
    table::Table,
};

/// A line of a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelRow {
    /// How it is called.
    pub title: String,
    /// What it says.
    pub text: String,
    /// The number and the most that it could be, if it is one.
    pub scale: Option<(i64, i64)>,
    /// Whether it is done, of something to do.
    pub done: Option<bool>,
    /// What it means.
    pub note: String,
}

/// Squares that an overlay brings out, each with the things for which it does.
pub type Shown = BTreeMap<SpaceId, Vec<EntityId>>;

/// How an entity is called: by its kind and number, or by the name that it was given.
#[must_use]
pub fn title(table: &Table, world: &World, entity: EntityId) -> String {
    let Some(thing) = world.entity(entity) else { return "nobody".into() };
    let kind = table.game().kinds.get(&thing.kind).map_or_else(|| words(&thing.kind), |kind| kind.title.clone());
    // What was seen before it was known is still numbered as it was then.
    let unknown = |of: &str| of == UNKNOWN_KIND || world.schema().backs.iter().any(|decl| decl.back.as_str() == of);
    match thing.key.split_once('#') {
        _ if thing.key == thing.kind => kind,
        _ if is_called_by_kind(table, thing.kind) => {
            let number = thing.key.rsplit(['_', '#']).next().filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
            number.map_or_else(|| kind.clone(), |number| format!("{kind} {number}"))
        }
        Some((of, number)) if of == thing.kind.as_str() || unknown(of) => format!("{kind} {number}"),
        _ => words(&thing.key),
    }
}

/// Whether a drawing says that the keys of things of a kind are no names.
fn is_called_by_kind(table: &Table, kind: Name) -> bool {
    let game = table.game();
    let tags = game.kinds.get(&kind).into_iter().flat_map(|kind| &kind.tags);
    let said = [kind].iter().chain(tags).find_map(|id| game.drawings.get(id)?.keys_name);
    said == Some(false)
}

fn words(code: &str) -> String {
    let text = code.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The sentence for a code with which the engine itself refuses, if content has no text for it.
#[must_use]
pub(in crate::table) fn refusal(code: &str) -> Option<&'static str> {
    Some(match code {
        "no_answer_to_take_back" => "there is no answer that could be taken back",
        "dice_have_been_rolled_since" => "something has been rolled or drawn since; it cannot be taken back",
        "it_cannot_be_taken_back" => "what was found out since cannot be forgotten; it cannot be taken back",
        "another_seat_has_answered_since" => "somebody else has answered since; it cannot be taken back",
        "a_window_has_opened_since" => "somebody else has been asked since; it cannot be taken back",
        "not_the_open_choice" => "that is not asked now",
        "no_open_choice" => "nothing is asked now",
        "not_among_the_answers" => "that is not among the answers",
        _ => return None,
    })
}

/// How a space is called: a point by the name on its map, a square by its own.
#[must_use]
pub fn title_of_space(table: &Table, space: SpaceId) -> String {
    let setting = &table.instance().setting;
    let map = setting.map.and_then(|map| table.game().maps.get(&map));
    let name = setting.board.name(space);
    map.and_then(|map| map.titles.get(&name).cloned()).unwrap_or_else(|| name.to_string())
}

/// A value in words.
#[must_use]
pub fn said(table: &Table, world: &World, value: &Value) -> String {
    match value {
        Value::None => "none".into(),
        Value::Unknown => "?".into(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.into(),
        Value::Int(number) => number.to_string(),
        Value::Name(code) => match code.parse::<Facing>() {
            Ok(facing) => ["north", "east", "south", "west"][facing.index()].into(),
            Err(_) => name_of(table, code),
        },
        Value::Entity(entity) => title(table, world, *entity),
        Value::Space(space) => title_of_space(table, *space),
        Value::List(items) | Value::Set(items) => listed(table, world, items),
        Value::Map(entries) => part(table, world, entries),
    }
}

/// A code in words. The text of a question is not the name of a kind that has its id.
fn name_of(table: &Table, code: &Name) -> String {
    let game = table.game();
    let kind = game.kinds.get(code).filter(|_| game.choices.get(code).is_some());
    kind.map_or_else(|| table.text(code), |kind| kind.title.clone())
}

/// Items in a row; equal names are counted.
fn listed(table: &Table, world: &World, items: &[Value]) -> String {
    let mut found: Vec<(String, usize, bool)> = Vec::new();
    for item in items {
        let (text, counts) = (said(table, world, item), matches!(item, Value::Name(_)));
        match found.iter_mut().find(|(known, _, _)| counts && *known == text) {
            Some((_, n, _)) => *n += 1,
            None => found.push((text, 1, counts)),
        }
    }
    let texts = found.into_iter().map(|(text, n, _)| if n > 1 { format!("{n} {text}") } else { text });
    texts.collect::<Vec<_>>().join(", ")
}

/// A named part of a number, or what a map holds.
fn part(table: &Table, world: &World, entries: &Map) -> String {
    let named = entries.get(&name("name")).and_then(Value::as_name);
    if let (Some(named), Some(amount)) = (named, entries.get(&name("amount")).and_then(Value::as_int)) {
        return format!("{} {amount:+}", table.text(&named));
    }
    let texts = entries.iter().map(|(key, value)| format!("{} {}", name_of(table, key), said(table, world, value)));
    texts.collect::<Vec<_>>().join(", ")
}

/// What is told of an entity: by the panel of its kind or tags, or every property that it has.
#[must_use]
pub fn panel(table: &Table, seat: Name, entity: EntityId) -> Vec<PanelRow> {
    table.with_known_world(seat, |world| {
        let Some(thing) = world.entity(entity) else { return Vec::new() };
        let game = table.game();
        let tags = game.kinds.get(&thing.kind).into_iter().flat_map(|kind| &kind.tags);
        let panel = [&thing.kind].into_iter().chain(tags).find_map(|id| game.panels.get(id));
        match panel {
            Some(panel) => rows(table, world, panel, &[Value::Entity(entity), Value::None]),
            None => properties(table, world, entity),
        }
    })
}

/// What is told of the table.
#[must_use]
pub fn panel_of_table(table: &Table, seat: Name) -> Vec<PanelRow> {
    panel_named(table, seat, name("table"))
}

/// What there is to do, and what of it is done.
#[must_use]
pub fn tasks(table: &Table, seat: Name) -> Vec<PanelRow> {
    panel_named(table, seat, name("tasks"))
}

fn panel_named(table: &Table, seat: Name, id: Name) -> Vec<PanelRow> {
    table.with_known_world(seat, |world| {
        let panel = table.game().panels.get(&id);
        panel.map_or_else(Vec::new, |panel| rows(table, world, panel, &[Value::Name(id), Value::None]))
    })
}

/// What is told of a candidate, by the panel of its question; nothing if there is none.
#[must_use]
pub fn told_of(table: &Table, choice: &Choice, candidate: &Candidate) -> Vec<PanelRow> {
    let Some(panel) = table.game().panels.get(&choice.prompt) else { return Vec::new() };
    let about = Value::map(choice.about.iter().cloned());
    table.with_known_world(choice.seat, |world| rows(table, world, panel, &[candidate.value.clone(), about]))
}

/// The lines of a panel, on `it` and `about`.
fn rows(table: &Table, world: &World, panel: &Panel, on: &[Value; 2]) -> Vec<PanelRow> {
    let view = View::new(world, &table.instance().setting, table.game());
    let row = |line: &PanelLine, on: &[Value]| {
        // What cannot be worked out is not there.
        if line.when.as_ref().is_some_and(|when| !when.eval_bool(&view, on).unwrap_or(false)) {
            return None;
        }
        let done = line.done.as_ref().and_then(|done| done.eval_bool(&view, on).ok());
        let value = line.is.eval(&view, on).ok()?;
        let most = line.of.as_ref().and_then(|of| of.eval_int(&view, on).ok());
        let scale = value.as_int().zip(most);
        let text = match scale {
            Some((number, most)) => format!("{number}/{most}"),
            None => said(table, world, &value),
        };
        (!text.is_empty() && !value.is_none()).then(|| PanelRow {
            title: line.title.clone(),
            text,
            scale,
            done,
            note: line.note.clone(),
        })
    };
    let mut found = Vec::new();
    for line in &panel.lines {
        let Some(each) = &line.each else {
            found.extend(row(line, on));
            continue;
        };
        let items = each.eval_items(&view, on).unwrap_or_default();
        found.extend(items.into_iter().filter_map(|it| row(line, &[it, on[1].clone()])));
    }
    found
}

/// Every property that an entity has, a row each.
fn properties(table: &Table, world: &World, entity: EntityId) -> Vec<PanelRow> {
    let mut found = Vec::new();
    for decl in &world.schema().entity {
        let value = world.property(entity, decl.name).unwrap_or(&Value::None);
        if let Value::Bool(true) | Value::Int(1..) | Value::Name(_) | Value::Entity(_) = value {
            let (title, text) = (words(&decl.name), said(table, world, value));
            found.push(PanelRow { title, text, ..PanelRow::default() });
        }
    }
    found
}

/// Where the one that is asked about stands meanwhile, if content says that he is on his way.
pub(super) fn on_the_way(table: &Table) -> Option<(EntityId, SpaceId)> {
    let choice = table.open()?;
    let space = stands_at(table, &choice)?;
    let entity = choice.about.iter().find_map(|(_, value)| value.as_entity())?;
    Some((entity, space))
}

/// Where who is asked about stands while it is asked, if content says so: also before he is on the board.
#[must_use]
pub fn stands_at(table: &Table, choice: &Choice) -> Option<SpaceId> {
    let stands = table.game().choices.get(&choice.prompt)?.stands?;
    match choice.about.iter().find(|(arg, _)| *arg == stands)? {
        (_, Value::Space(space)) => Some(*space),
        _ => None,
    }
}

/// The square of an entity: where it stands meanwhile, its own, or that of whoever carries it.
#[must_use]
pub fn square_of(table: &Table, entity: EntityId) -> Option<SpaceId> {
    if let Some((_, space)) = on_the_way(table).filter(|(moved, _)| *moved == entity) {
        return Some(space);
    }
    table.with_seen_world(|world| match View::new(world, &table.instance().setting, table.game()).space_of(entity) {
        Value::Space(space) => Some(space),
        _ => None,
    })
}

/// How a candidate of a choice is called, and the square that it means, if any.
#[must_use]
pub fn label(table: &Table, choice: &Choice, candidate: &Candidate) -> (String, Option<SpaceId>) {
    let action = table.game().actions.get(&candidate.id).filter(|action| action.menu == choice.prompt);
    if let Some(action) = action {
        return (action.title.clone(), None);
    }
    // What a question calls otherwise than other texts do: `question_answer`.
    let own = table.game().texts.get(&name(&format!("{}_{}", choice.prompt, candidate.id)));
    if let (Some(own), Value::Name(_)) = (own, &candidate.value) {
        return (own.clone(), None);
    }
    table.with_known_world(choice.seat, |world| match &candidate.value {
        Value::Space(space) => (title_of_space(table, *space), Some(*space)),
        Value::Entity(entity) => {
            let space = world.entity(*entity).and_then(|thing| match &thing.at {
                Position::Space(space) => Some(*space),
                Position::Cells(cells) => cells.first().copied(),
                _ => None,
            });
            (title(table, world, *entity), space)
        }
        Value::Name(code) if *code == candidate.id => (said(table, world, &candidate.value), None),
        // What is called otherwise than it is: a map with a square, a list.
        _ => (table.text(&candidate.id), table.instance().setting.board.space(&candidate.id)),
    })
}

/// The squares that a candidate stands on, or is.
#[must_use]
pub fn squares_of(table: &Table, choice: &Choice, candidate: &Candidate) -> Vec<SpaceId> {
    let Value::Entity(entity) = &candidate.value else {
        return label(table, choice, candidate).1.into_iter().collect();
    };
    table.with_known_world(choice.seat, |world| match world.entity(*entity).map(|thing| &thing.at) {
        Some(Position::Space(space)) => vec![*space],
        Some(Position::Cells(cells)) => cells.to_vec(),
        _ => Vec::new(),
    })
}

/// What is legal, with its number, in the order of the numbers. An action of a menu has the same number
/// whatever else is offered: it counts all actions of the menu, the grave ones last.
#[must_use]
pub fn numbered<'c>(table: &Table, choice: &'c Choice) -> Vec<(usize, &'c Candidate)> {
    with_numbers(table, choice).into_iter().filter(|(_, candidate)| candidate.reasons.is_empty()).collect()
}

/// What has a number, in their order: of a menu every action, also what is refused; else what is legal.
#[must_use]
pub fn with_numbers<'c>(table: &Table, choice: &'c Choice) -> Vec<(usize, &'c Candidate)> {
    let actions = &table.game().actions;
    let of_menu = |candidate: &Candidate| actions.get(&candidate.id).is_some_and(|it| it.menu == choice.prompt);
    let is_menu = choice.candidates.iter().any(of_menu);
    let counts = |candidate: &&Candidate| is_menu || candidate.reasons.is_empty();
    let mut found: Vec<&Candidate> = choice.candidates.iter().filter(counts).collect();
    found.sort_by_key(|candidate| grave(table, choice, candidate).is_some());
    (1..).zip(found).collect()
}

fn grave<'t>(table: &'t Table, choice: &Choice, candidate: &Candidate) -> Option<&'t crate::rules::Action> {
    let action = table.game().actions.get(&candidate.id).filter(|action| action.menu == choice.prompt);
    action.filter(|action| action.confirm.is_some())
}

/// What is asked before a grave action of the open menu is taken, or a grave answer given, if it is asked now.
#[must_use]
pub fn confirm_of(table: &Table, choice: &Choice, candidate: &Candidate) -> Option<String> {
    let Some(action) = grave(table, choice, candidate) else { return confirm_of_answer(table, choice, candidate) };
    let asks = action.confirm_when.as_ref().is_none_or(|when| {
        let Some((_, unit)) = choice.about.first() else { return true };
        table.with_known_world(choice.seat, |world| {
            let view = View::new(world, &table.instance().setting, table.game());
            when.eval_bool(&view, std::slice::from_ref(unit)).unwrap_or(true)
        })
    });
    action.confirm.clone().filter(|_| asks)
}

fn confirm_of_answer(table: &Table, choice: &Choice, candidate: &Candidate) -> Option<String> {
    if table.game().actions.get(&candidate.id).is_some_and(|action| action.menu == choice.prompt) {
        return None;
    }
    let record = table.game().choices.get(&choice.prompt)?;
    let confirm = record.confirm.clone()?;
    let Some(when) = &record.confirm_when else { return Some(confirm) };
    let about = |arg: &Name| choice.about.iter().find(|(name, _)| name == arg).map(|(_, value)| value.clone());
    let mut on: Vec<Value> = record.args.iter().map(|arg| about(arg).unwrap_or_default()).collect();
    on.push(candidate.value.clone());
    table.with_known_world(choice.seat, |world| {
        let view = View::new(world, &table.instance().setting, table.game());
        when.eval_bool(&view, &on).unwrap_or(true).then_some(confirm)
    })
}

/// The points that an action of the open menu costs, if it costs any.
#[must_use]
pub fn cost_of(table: &Table, choice: &Choice, action: Name) -> Option<i64> {
    let record = table.game().actions.get(&action).filter(|record| record.menu == choice.prompt)?;
    let (_, unit) = choice.about.first()?;
    table.with_known_world(choice.seat, |world| {
        let view = View::new(world, &table.instance().setting, table.game());
        record.cost.as_ref()?.eval_int(&view, std::slice::from_ref(unit)).ok()
    })
}

/// The squares that an overlay brings out. `unit` is who acts, `place` the square that is looked at.
#[must_use]
pub fn overlay(table: &Table, seat: Name, id: Name, unit: Option<EntityId>, place: Option<SpaceId>) -> Shown {
    let mut shown = Shown::new();
    let Some(record) = table.game().overlays.get(&id) else { return shown };
    let unit = unit.map_or(Value::None, Value::Entity);
    let place = place.map_or(Value::None, Value::Space);
    table.with_known_world(seat, |world| {
        let view = View::new(world, &table.instance().setting, table.game());
        let things = record.each.eval_items(&view, &[unit.clone(), place.clone()]).unwrap_or_default();
        for it in things {
            let spaces =
                record.spaces.eval_items(&view, &[unit.clone(), place.clone(), it.clone()]).unwrap_or_default();
            for space in spaces {
                if let Value::Space(space) = space {
                    let by = shown.entry(space).or_default();
                    by.extend(if let Value::Entity(entity) = &it { Some(*entity) } else { None });
                }
            }
        }
    });
    shown
}

/// A name by which an entity can be typed.
pub(super) fn key(world: &World, entity: EntityId) -> Name {
    world.entity_key(entity).unwrap_or_default()
}
