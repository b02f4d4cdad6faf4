//! What tests are excused from: changes that no case notices, and things that never happen.

use super::Mutant;
use crate::{
    content::{Defects, Node, Sources},
    rules::{link::names, read::Reader},
};

/// One thing that may stay unshown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// The record, or a row of one, as the report names it.
    pub record: String,
    /// The change; empty where something never happens.
    pub change: String,
    /// Why that is right.
    pub why: String,
    /// The file of the entry.
    pub file: String,
    /// Its line.
    pub line: usize,
}

/// All excuses of a game's packs: their `survivors.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excuses {
    /// Changes that no case needs to notice.
    pub survivors: Vec<Excuse>,
    /// What needs not happen.
    pub unreached: Vec<Excuse>,
}

impl Excuses {
    /// Reads the files of a game.
    ///
    /// # Errors
    /// Every defect in them.
    pub fn read(sources: &Sources) -> Result<Self, Defects> {
        let reader = Reader::new(sources, names(sources));
        let mut excuses = Self::default();
        for (file, node) in &sources.excuses {
            let path = &sources.files[*file].path;
            let fields = reader.fields(node);
            for (key, list) in [("survivors", &mut excuses.survivors), ("unreached", &mut excuses.unreached)] {
                for node in reader.items(fields.optional(key)) {
                    let excuse = excuse(&reader, node, path, key == "survivors");
                    if list.iter().any(|other| other.record == excuse.record && other.change == excuse.change) {
                        let help = "delete one of the two".to_string();
                        let message = format!("{} is excused twice", excuse.record);
                        reader.defect("excuse.twice", node.place, message, Some(help));
                    }
                    list.push(excuse);
                }
            }
            fields.finish();
        }
        let mut defects = Defects(reader.defects.into_inner());
        defects.sort();
        if defects.0.is_empty() { Ok(excuses) } else { Err(defects) }
    }

    /// The excuse for a change.
    #[must_use]
    pub fn of(&self, mutant: &Mutant) -> Option<&Excuse> {
        self.survivors.iter().find(|excuse| excuse.record == mutant.record && excuse.change == mutant.change)
    }
}

fn excuse(reader: &Reader<'_>, node: &Node, file: &str, is_change: bool) -> Excuse {
    let fields = reader.fields(node);
    let record = reader.text(fields.required("record"));
    let change = if is_change { reader.text(fields.required("change")) } else { String::new() };
    let why = reader.text(fields.required("why"));
    fields.finish();
    Excuse { record, change, why, file: file.into(), line: node.place.line }
}
