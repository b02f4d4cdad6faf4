//! Defects of what a patch has changed: they stand in the record, so the patch is named too.

use crate::content::{Defect, Node, NodeValue, Place, Sources};

/// Names the patch at each defect that stands at a record, or at a part of it, that was patched.
pub(super) fn name_patches(sources: &Sources, defects: &mut [Defect]) {
    if defects.is_empty() {
        return;
    }
    for patched in &sources.patched {
        let mut parts = patched.path.split(['.', '[']);
        let record = parts.next().zip(parts.next()).and_then(|(section, id)| sources.records.get(section)?.get(id));
        let Some(record) = record else { continue };
        let by = &sources.files[patched.place.file].path;
        let note = format!("; the patch in {by}, line {}, changes {}", patched.place.line, patched.path);
        let mut places = vec![record.node.named_at(), record.node.place];
        places.extend(places_along(&record.node, parts));
        let is_there = |defect: &Defect, place: &Place| {
            (defect.line, defect.column) == (place.line, place.column) && defect.file == sources.files[place.file].path
        };
        for defect in defects.iter_mut().filter(|defect| places.iter().any(|place| is_there(defect, place))) {
            // What the patch brings is told where that stands.
            if (&defect.file, defect.line) == (by, patched.place.line) {
                continue;
            }
            let help = defect.help.get_or_insert_with(|| "mend it".to_owned());
            if !help.contains(&note) {
                help.push_str(&note);
            }
        }
    }
}

/// The places of the nodes that a path leads through.
fn places_along<'a>(record: &Node, parts: impl Iterator<Item = &'a str>) -> Vec<Place> {
    let (mut node, mut places) = (record, Vec::new());
    for part in parts {
        let NodeValue::Map(entries) = &node.value else { break };
        let Some(next) = entries.get(part) else { break };
        node = next;
        places.extend([node.named_at(), node.place]);
    }
    places
}
