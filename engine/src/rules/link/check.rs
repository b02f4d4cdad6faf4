//! What one record says of another: references, and sections that nobody knows.

use std::sync::Arc;

use super::{SECTIONS, doubtful::Known};
use crate::{
    base::{Name, name},
    content::{Defect, Defects, NodeValue, Place, Sources, nearest},
    rules::{
        bot,
        game::{Body, Effect, Game},
        instance::Instance,
        setting::Setting,
    },
};

/// What one record says of another.
pub(super) fn cross_check(game: &Game, sources: &Sources, defects: &mut Defects) {
    let mut check = Check { game, sources, defects };
    check.phases();
    check.events();
    check.asked_and_held();
    check.first_phase();
    grounds(game, sources, check.defects);
    check.sections();
}

/// What is compared, and where what is wrong goes.
struct Check<'a> {
    game: &'a Game,
    sources: &'a Sources,
    defects: &'a mut Defects,
}

impl Check<'_> {
    /// Tells of a name in a record that nothing has, where it stands.
    fn missing(&mut self, section: &str, id: &Name, wanted: &Name, what: String, near: Option<&str>) {
        let record = self.sources.records.get(section).and_then(|records| records.get(id.as_str()));
        if let Some(record) = record {
            let place = record.node.place_of(wanted).unwrap_or_else(|| record.node.named_at());
            let help = near.map_or("write it, or take the name away".into(), |near| format!("did you mean {near}?"));
            self.tell("reference.unknown", place, what, help);
        }
    }

    fn tell(&mut self, code: &'static str, place: Place, message: String, help: String) {
        self.defects.0.push(Defect::new(code, place, &self.sources.files[place.file], message, Some(help)));
    }

    fn phases(&mut self) {
        let game = self.game;
        for (id, phase) in &game.phases {
            let named: Vec<Name> = match &phase.body {
                Body::Phases(phases) => phases.clone(),
                Body::Each { phase, .. } => vec![*phase],
                _ => Vec::new(),
            };
            for child in named.iter().filter(|child| !game.phases.contains_key(*child)) {
                let what = format!("{id} names the phase {child}, which is not there");
                self.missing("phases", id, child, what, nearest(child, game.phases.keys().map(Name::as_str)));
            }
        }
    }

    fn events(&mut self) {
        let game = self.game;
        for (id, effect) in game.events.iter().flat_map(|(id, event)| event.effects.iter().map(move |it| (id, it))) {
            let (property, of_table) = match effect {
                Effect::Set(_, property, _) => (property, false),
                Effect::SetTable(property, _) => (property, true),
                Effect::PutIn(_, zone, _) | Effect::Order(zone, _) if !game.zones.contains_key(zone) => {
                    let near = nearest(zone, game.zones.keys().map(Name::as_str));
                    self.missing("events", id, zone, format!("{id} names the zone {zone}, which is not there"), near);
                    continue;
                }
                _ => continue,
            };
            if game.properties.get(property).is_none_or(|known| known.of_table != of_table) {
                let of = if of_table { "the table" } else { "entities" };
                let alike = game.properties.iter().filter(|(_, known)| known.of_table == of_table);
                let near = nearest(property, alike.map(|(known, _)| known.as_str()));
                let what = format!("{id} sets {property}, which is no property of {of}");
                self.missing("events", id, property, what, near);
            }
        }
    }

    /// The choices of actions, and the events of invariants.
    fn asked_and_held(&mut self) {
        let game = self.game;
        for (id, action) in &game.actions {
            for ask in action.asks.iter().filter(|ask| !game.choices.contains_key(&ask.choice)) {
                let near = nearest(&ask.choice, game.choices.keys().map(Name::as_str));
                self.missing("actions", id, &ask.choice, format!("{id} asks {}, which is no choice", ask.choice), near);
            }
        }
        for (id, invariant) in &game.invariants {
            for event in invariant.after.iter().flatten().filter(|event| !game.events.contains_key(*event)) {
                let near = nearest(event, game.events.keys().map(Name::as_str));
                self.missing("invariants", id, event, format!("{id} holds after {event}, which is no event"), near);
            }
        }
    }

    fn first_phase(&mut self) {
        if !self.game.phases.contains_key(&name(crate::rules::flow::FIRST_PHASE)) {
            let place = Place { file: 0, line: 1, column: 1 };
            let help = "write a phase `game` in section `phases`".to_string();
            self.tell("phase.first", place, "the game has no first phase".into(), help);
        }
    }

    /// Sections that nobody reads.
    fn sections(&mut self) {
        let sources = self.sources;
        let is_known = |section: &str| SECTIONS.contains(&section) || self.game.data.contains_key(&name(section));
        let unknown: Vec<_> = sources.records.iter().filter(|(section, _)| !is_known(section)).collect();
        for (section, record) in unknown.into_iter().flat_map(|(id, records)| records.values().map(move |it| (id, it)))
        {
            let help = nearest(section, SECTIONS).map_or_else(
                || format!("declare it in section `data`; sections are {}, patches", SECTIONS.join(", ")),
                |near| format!("did you mean {near}?"),
            );
            self.tell("section.unknown", record.section, format!("there is no section {section}"), help);
        }
    }
}

/// A legend draws only what some movement knows a price for, or forbids.
fn grounds(game: &Game, sources: &Sources, defects: &mut Defects) {
    let known: Vec<Name> = game.movement.values().flat_map(|movement| movement.cells.keys().copied()).collect();
    if known.is_empty() {
        return;
    }
    let legends = sources.records.get("legends").into_iter().flat_map(|legends| legends.values());
    let cells = legends.filter_map(|legend| legend.node.as_map()?.get("cells")?.as_map());
    for things in cells.flat_map(|cells| cells.values()) {
        let NodeValue::List(things) = &things.value else { continue };
        for thing in things {
            let NodeValue::Text(text) = &thing.value else { continue };
            if !known.contains(&name(text)) {
                let message = format!("no movement says what a step onto {text} costs");
                let near = nearest(text, known.iter().map(Name::as_str));
                let help = near.map(|near| format!("did you mean {near}?"));
                let file = &sources.files[thing.place.file];
                defects.0.push(Defect::new("legend.ground", thing.place, file, message, help));
            }
        }
    }
}

/// What is wrong with scripts, and with the functions that records name, and what is doubtful.
pub(super) fn scripts(game: &Arc<Game>, sources: &Sources, defects: &mut Defects, warnings: &mut Vec<Defect>) {
    let Some(setting) = Setting::bare(game) else { return };
    let setting = Arc::new(setting);
    let found = match Instance::new(Arc::clone(game), Arc::clone(&setting)) {
        Ok(instance) => {
            let calls = instance.host().literal_calls();
            super::named::in_scripts(game, calls, sources, defects);
            let uses = instance.host().property_uses();
            super::properties::in_scripts(game, &super::names(sources), uses, sources, defects);
            Known::new(game, sources).in_scripts(calls, sources, warnings);
            bot::try_scripts(game, &setting).err().unwrap_or_default()
        }
        Err(found) => found,
    };
    for defect in found {
        let place = Place { file: 0, line: defect.line, column: defect.column.max(1) };
        let help = (!defect.help.is_empty()).then_some(defect.help);
        match sources.files.iter().find(|file| file.path == defect.file) {
            Some(file) => defects.0.push(Defect::new(defect.code, place, file, defect.message, help)),
            None => {
                let help = help.unwrap_or_default();
                defects.0.push(Defect::of_file(defect.code, &defect.file, defect.message, &help));
            }
        }
    }
}
