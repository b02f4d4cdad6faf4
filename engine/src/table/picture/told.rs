//! What happened, in sentences.

use std::collections::BTreeMap;

use super::words::{said, title_of_space};
use crate::{
    base::{Name, Value, name},
    kernel::{By, Record, World},
    rules::look::Piece,
    table::{Table, log::event_line},
};

/// Something that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A phase begins.
    Phase {
        /// The number of the record.
        number: usize,
        /// Its name in words.
        text: String,
    },
    /// A seat has answered.
    Answer {
        /// The number of the record.
        number: usize,
    },
    /// An answer that gave itself: it was the only legal one.
    Only {
        /// The number of the record.
        number: usize,
        /// The answer and what was asked.
        text: String,
    },
    /// Something happened.
    Event {
        /// The number of the record.
        number: usize,
        /// The sentence.
        text: String,
        /// Whether content wants it kept in sight.
        stands_out: bool,
    },
}

/// The indices of the records that count: what was taken back does not.
#[must_use]
pub fn live(records: &[Record]) -> Vec<usize> {
    let mut live: Vec<usize> = Vec::new();
    for (index, record) in records.iter().enumerate() {
        if let Record::Undone { to } = record {
            live.truncate(live.partition_point(|index| (*index as u64) < *to));
        } else {
            live.push(index);
        }
    }
    live
}

/// What is told of the records from index `from` on that count. Events that follow each other and
/// differ only where their kind says so are told as one.
#[must_use]
pub fn told(table: &Table, from: usize) -> Vec<Told> {
    table.with_seen_world(|world| {
        table.with_records(|records| {
            let mut found: Vec<Told> = Vec::new();
            // The last event, and what its gathering field holds in all that were told with it.
            let mut last: Option<(Name, BTreeMap<Name, Value>, Vec<Value>)> = None;
            // The phase that is told already, and one that is told as soon as something happens in it.
            let (mut phase, mut begun) = (String::new(), None);
            for index in live(records) {
                let number = index + 1;
                let record = &*world.seen_record(&records[index]);
                match record {
                    Record::Event { kind, fields, .. } if kind.as_str() == "phase_began" => {
                        let id = fields.get(&name("phase")).and_then(Value::as_name).unwrap_or_default();
                        begun = Some((number, table.text(&id)));
                        last = None;
                    }
                    Record::Event { kind, .. } if kind.starts_with("phase_") || kind.as_str() == "scene_set" => {}
                    Record::Answered { .. } | Record::Event { .. } if index < from => {
                        phase = begun.take().map_or(phase, |(_, text)| text);
                    }
                    Record::Event { kind, fields, .. } => {
                        if let Some(joined) = joined(table, last.as_ref(), *kind, fields) {
                            found.pop();
                            last = Some((*kind, fields.clone(), joined));
                        } else {
                            let first = gathers(table, *kind).and_then(|field| fields.get(&field));
                            last = Some((*kind, fields.clone(), first.cloned().into_iter().collect()));
                        }
                        let gathered = last.as_ref().map_or(&[][..], |(_, _, values)| values);
                        let text = sentence(table, world, *kind, fields, gathered);
                        let text = text.or_else(|| event_line(record, number as u64, world));
                        let Some(text) = text.filter(|text| !text.is_empty()) else {
                            last = None;
                            continue;
                        };
                        begin(&mut begun, &mut phase, &mut found);
                        let stands_out = table.game().events.get(kind).is_some_and(|event| event.stands_out);
                        found.push(Told::Event { number, text, stands_out });
                    }
                    Record::Answered { path, answer, .. } if answer.by == By::Only => {
                        begin(&mut begun, &mut phase, &mut found);
                        last = None;
                        let prompt = prompt(&records[..index], *path).map(|prompt| table.text(&prompt));
                        let prompt = prompt.map_or_else(String::new, |prompt| format!(" ({prompt})"));
                        found.push(Told::Only {
                            number,
                            text: format!("only choice: {}{prompt}", answered(table, answer.id)),
                        });
                    }
                    Record::Answered { answer, .. } if answer.by == By::Seat => found.push(Told::Answer { number }),
                    _ => {}
                }
            }
            found
        })
    })
}

/// Tells of the phase that has begun, unless it is told already.
fn begin(begun: &mut Option<(usize, String)>, phase: &mut String, found: &mut Vec<Told>) {
    if let Some((number, text)) = begun.take().filter(|(_, text)| text != phase) {
        phase.clone_from(&text);
        found.push(Told::Phase { number, text });
    }
}

/// The prompt of the last question of a path.
fn prompt(records: &[Record], path: Name) -> Option<Name> {
    records.iter().rev().find_map(|record| match record {
        Record::Asked { path: asked, prompt, .. } if *asked == path => Some(*prompt),
        _ => None,
    })
}

/// An answer in words: a space as it is called.
fn answered(table: &Table, answer: Name) -> String {
    let space = table.instance().setting.board.space(&answer);
    space.map_or_else(|| answer.to_string(), |space| title_of_space(table, space))
}

fn gathers(table: &Table, kind: Name) -> Option<Name> {
    table.game().events.get(&kind)?.told.as_ref()?.gathers
}

/// What the gathering field of an event and of those before it holds, if it is told with them.
fn joined(
    table: &Table,
    last: Option<&(Name, BTreeMap<Name, Value>, Vec<Value>)>,
    kind: Name,
    fields: &BTreeMap<Name, Value>,
) -> Option<Vec<Value>> {
    let (before, others, values) = last?;
    let gathers = gathers(table, kind)?;
    let alike = |(key, value): (&Name, &Value)| *key == gathers || others.get(key) == Some(value);
    if *before != kind || others.len() != fields.len() || !fields.iter().all(alike) {
        return None;
    }
    let mut values = values.clone();
    values.push(fields.get(&gathers)?.clone());
    Some(values)
}

/// How an event is told; none if its kind does not say, empty if nothing is.
fn sentence(
    table: &Table,
    world: &World,
    kind: Name,
    fields: &BTreeMap<Name, Value>,
    gathered: &[Value],
) -> Option<String> {
    let told = table.game().events.get(&kind)?.told.as_ref()?;
    let value = |field: Name| match told.gathers {
        Some(gathers) if gathers == field && gathered.len() > 1 => Value::list(gathered.to_vec()),
        _ => fields.get(&field).cloned().unwrap_or_default(),
    };
    let text = written(table, world, &told.pieces, &value).0;
    // A sentence does not begin with the small letter of a word; a square is called as it is.
    let first = if let Some(Piece::Field(field)) = told.pieces.first() { value(*field) } else { Value::None };
    Some(if matches!(first, Value::Name(_)) { begun_large(&text) } else { text })
}

fn begun_large(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Pieces as text, and whether a field in them says nothing.
fn written(table: &Table, world: &World, pieces: &[Piece], value: &dyn Fn(Name) -> Value) -> (String, bool) {
    let (mut text, mut is_empty) = (String::new(), false);
    for piece in pieces {
        match piece {
            Piece::Text(plain) => text.push_str(plain),
            Piece::Field(field) => {
                let value = value(*field);
                is_empty |= match &value {
                    Value::None | Value::Unknown | Value::Bool(false) | Value::Int(0) => true,
                    Value::List(items) | Value::Set(items) => items.is_empty(),
                    Value::Map(entries) => entries.is_empty(),
                    _ => false,
                };
                // A name, yes and no mean something else here than elsewhere if content says so: `field_name`.
                let code = match &value {
                    Value::Bool(truth) => Some(name(if *truth { "yes" } else { "no" })),
                    value => value.as_name(),
                };
                let own = code.and_then(|code| table.game().texts.get(&name(&format!("{field}_{code}"))));
                text.push_str(&own.cloned().unwrap_or_else(|| said(table, world, &value)));
            }
            Piece::Optional(inner) => {
                let (inner, is_empty) = written(table, world, inner, value);
                if !is_empty {
                    text.push_str(&inner);
                }
            }
        }
    }
    (text, is_empty)
}
