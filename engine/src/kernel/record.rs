//! Records: the lines of a log.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::{
    Answer, By, Call, Change, Mask,
    change::{map_from_json, map_to_json, mask, text},
};
use crate::{
    base::{KeyBook, Name, Value, name, value_from_json, value_to_json},
    chance::Draw,
};

/// Why an event happened: the content record, its hook and the function, each by name.
///
/// Never a file or a line, so that a comment breaks no log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    /// The content record, such as `phases.patrol`.
    pub record: Name,
    /// The function or the field of the record.
    pub function: Name,
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A step begins.
    Step(Call),
    /// A seat is asked.
    Asked {
        /// The choice's place in the dialogue of its step.
        path: Name,
        /// Who.
        seat: Name,
        /// What, by code.
        prompt: Name,
    },
    /// A seat has answered.
    Answered {
        /// Which choice.
        path: Name,
        /// Who.
        seat: Name,
        /// What.
        answer: Answer,
    },
    /// A seat has answered in a private dialogue while others may still wait, or has taken that
    /// back. It is no fact yet and belongs to no step: it is written only so that nobody need
    /// answer again when the log is opened again, and only in the game's own log.
    Kept {
        /// Which choice.
        path: Name,
        /// Who.
        seat: Name,
        /// What and how fast; none when it is taken back.
        answer: Option<(Name, u64)>,
    },
    /// Faces were drawn.
    Drew {
        /// On which stream.
        stream: Name,
        /// The number of earlier draws on it.
        count: u64,
        /// What.
        draw: Draw,
        /// What came.
        faces: Vec<i64>,
        /// Who learns of it.
        seen: Mask,
    },
    /// Something happened.
    Event {
        /// The kind of event.
        kind: Name,
        /// Its fields.
        fields: BTreeMap<Name, Value>,
        /// What it changed.
        changes: Vec<Change>,
        /// Why it happened.
        cause: Cause,
    },
    /// A step has ended.
    StepEnd {
        /// The hash of the world.
        world: String,
    },
    /// Everything from record number `to` on is taken back.
    Undone {
        /// The first record that no longer counts.
        to: u64,
    },
    /// A script failed; nothing of its step since the last answer counts.
    Fault {
        /// What failed, where and why.
        message: String,
    },
    /// From now on ties are answered with their first option, or asked.
    Standing {
        /// Whether they are answered.
        ties_first: bool,
    },
    /// All records up to here belong together and are complete.
    Mark,
}

impl Record {
    /// The JSON form: an object with one field, the kind of record.
    #[must_use]
    pub fn to_json(&self, keys: &dyn KeyBook) -> Json {
        match self {
            Self::Step(call) => json!({ "step": {
                "phase": call.cause.record.as_str(), "run": call.cause.function.as_str(), "function": call.function.as_str(),
                "args": call.args.iter().map(|arg| value_to_json(arg, keys)).collect::<Vec<_>>(),
            } }),
            Self::Asked { path, seat, prompt } => {
                json!({ "asked": { "path": path.as_str(), "seat": seat.as_str(), "prompt": prompt.as_str() } })
            }
            Self::Answered { path, seat, answer } => {
                let mut body = json!({
                    "path": path.as_str(), "seat": seat.as_str(), "answer": answer.id.as_str(),
                    "by": by_name(answer.by), "ms": answer.ms,
                });
                if let Some(report) = &answer.report {
                    body["report"] = value_to_json(report, keys);
                }
                json!({ "answered": body })
            }
            Self::Kept { path, seat, answer } => {
                let mut body = json!({ "path": path.as_str(), "seat": seat.as_str() });
                if let Some((id, ms)) = answer {
                    body["answer"] = json!(id.as_str());
                    body["ms"] = json!(ms);
                }
                json!({ "kept": body })
            }
            Self::Drew { stream, count, draw, faces, seen } => {
                let (n, sides, what) = match draw {
                    Draw::Dice { n, sides } => (*n, *sides, "dice"),
                    Draw::Order { n } => (*n, 0, "order"),
                    Draw::Pick { n } => (*n, 0, "pick"),
                };
                let mut body = json!({
                    "stream": stream.as_str(), "count": count, "what": what, "n": n, "sides": sides, "faces": faces,
                });
                if *seen != Mask::ALL {
                    body["seen"] = json!(seen.0);
                }
                json!({ "drew": body })
            }
            Self::Event { kind, fields, changes, cause } => json!({ "event": {
                "kind": kind.as_str(), "fields": map_to_json(fields, keys),
                "changes": changes.iter().map(|change| change.to_json(keys)).collect::<Vec<_>>(),
                "cause": { "record": cause.record.as_str(), "function": cause.function.as_str() },
            } }),
            Self::StepEnd { world } => json!({ "step_end": { "world": world } }),
            Self::Undone { to } => json!({ "undone": { "to": to } }),
            Self::Fault { message } => json!({ "fault": { "message": message } }),
            Self::Standing { ties_first } => {
                json!({ "standing": { "ties": if *ties_first { "first" } else { "ask" } } })
            }
            Self::Mark => json!({ "mark": {} }),
        }
    }

    /// The record of a JSON form. For an event, fields that name an entity which the
    /// event itself creates are read with the names in its changes.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn from_json(json: &Json, keys: &dyn KeyBook) -> Result<Self, String> {
        let (kind, body) = json
            .as_object()
            .and_then(|object| object.iter().find(|(key, _)| !matches!(key.as_str(), "n" | "hash")))
            .ok_or("a record without a kind")?;
        Ok(match kind.as_str() {
            "step" => Self::Step(called(body, keys)?),
            "asked" => {
                Self::Asked { path: text(&body["path"])?, seat: text(&body["seat"])?, prompt: text(&body["prompt"])? }
            }
            "answered" => Self::Answered {
                path: text(&body["path"])?,
                seat: text(&body["seat"])?,
                answer: Answer {
                    id: text(&body["answer"])?,
                    by: by_of_name(body["by"].as_str().unwrap_or_default())?,
                    ms: body["ms"].as_u64().ok_or("an answer without ms")?,
                    report: body.get("report").map(|report| value_from_json(report, keys)).transpose()?,
                },
            },
            "kept" => {
                let given = |id: &str| Some((name(id), body["ms"].as_u64()?));
                let answer = body["answer"].as_str().map(|id| given(id).ok_or("an answer without ms")).transpose()?;
                Self::Kept { path: text(&body["path"])?, seat: text(&body["seat"])?, answer }
            }
            "drew" => drew(body)?,
            "event" => event(body, keys)?,
            "step_end" => Self::StepEnd { world: body["world"].as_str().ok_or("a step_end without a hash")?.into() },
            "undone" => Self::Undone { to: body["to"].as_u64().ok_or("undone without a number")? },
            "fault" => Self::Fault { message: body["message"].as_str().unwrap_or_default().into() },
            "standing" => Self::Standing {
                ties_first: match body["ties"].as_str() {
                    Some("first") => true,
                    Some("ask") => false,
                    _ => return Err("a standing order that says neither first nor ask".into()),
                },
            },
            "mark" => Self::Mark,
            other => return Err(format!("{other} is no kind of record")),
        })
    }
}

/// The function that a step runs.
fn called(body: &Json, keys: &dyn KeyBook) -> Result<Call, String> {
    let args = body["args"].as_array().ok_or("a step without args")?;
    Ok(Call {
        function: text(&body["function"])?,
        args: args.iter().map(|arg| value_from_json(arg, keys)).collect::<Result<_, _>>()?,
        cause: Cause { record: text(&body["phase"])?, function: text(&body["run"])? },
    })
}

fn drew(body: &Json) -> Result<Record, String> {
    let number = |key: &str| {
        let number = body[key].as_u64().and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| format!("a draw without {key}"))
    };
    let (n, sides) = (number("n")?, number("sides")?);
    let faces = body["faces"].as_array().ok_or("a draw without faces")?;
    Ok(Record::Drew {
        stream: text(&body["stream"])?,
        count: body["count"].as_u64().ok_or("a draw without a count")?,
        draw: match body["what"].as_str() {
            Some("dice") => Draw::Dice { n, sides },
            Some("order") => Draw::Order { n },
            Some("pick") => Draw::Pick { n },
            _ => return Err("a draw of an unknown sort".into()),
        },
        faces: faces.iter().map(|face| face.as_i64().ok_or("a face that is no number")).collect::<Result<_, _>>()?,
        seen: if body["seen"].is_null() { Mask::ALL } else { mask(&body["seen"])? },
    })
}

fn event(body: &Json, keys: &dyn KeyBook) -> Result<Record, String> {
    let created = Created::of(&body["changes"], keys);
    let changes = body["changes"].as_array().ok_or("an event without changes")?;
    Ok(Record::Event {
        kind: text(&body["kind"])?,
        fields: map_from_json(&body["fields"], &created)?,
        changes: changes.iter().map(|change| Change::from_json(change, &created)).collect::<Result<_, _>>()?,
        cause: Cause { record: text(&body["cause"]["record"])?, function: text(&body["cause"]["function"])? },
    })
}

fn by_name(by: By) -> &'static str {
    match by {
        By::Seat => "seat",
        By::Only => "only",
        By::Standing => "standing",
        By::Unknown => "unknown",
    }
}

fn by_of_name(text: &str) -> Result<By, String> {
    match text {
        "seat" => Ok(By::Seat),
        "only" => Ok(By::Only),
        "standing" => Ok(By::Standing),
        "unknown" => Ok(By::Unknown),
        other => Err(format!("{other} answers nothing")),
    }
}

/// A key book that also knows the entities that an event creates.
struct Created<'a> {
    keys: &'a dyn KeyBook,
    new: Vec<(Name, crate::base::EntityId)>,
}

impl<'a> Created<'a> {
    fn of(changes: &Json, keys: &'a dyn KeyBook) -> Self {
        let new = changes
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|change| {
                let create = &change["create"];
                let id = u32::try_from(create["id"].as_u64()?).ok()?;
                Some((name(create["key"].as_str()?), crate::base::EntityId(id)))
            })
            .collect();
        Self { keys, new }
    }
}

impl KeyBook for Created<'_> {
    fn entity_key(&self, entity: crate::base::EntityId) -> Option<Name> {
        self.keys.entity_key(entity)
    }

    fn entity_of_key(&self, key: &str) -> Option<crate::base::EntityId> {
        let new = self.new.iter().find(|(name, _)| name.as_str() == key).map(|(_, id)| *id);
        new.or_else(|| self.keys.entity_of_key(key))
    }

    fn space_name(&self, space: crate::base::SpaceId) -> Option<Name> {
        self.keys.space_name(space)
    }

    fn space_of_name(&self, name: &str) -> Option<crate::base::SpaceId> {
        self.keys.space_of_name(name)
    }
}
