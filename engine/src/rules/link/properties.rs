//! Properties in scripts that nothing has, and those that scripts give a value.

use std::collections::BTreeSet;

use crate::{
    base::Name,
    content::{Defect, Defects, Place, Sources, nearest},
    rules::{game::Game, view::Names},
    script::{PropertyUse, PropertyUses},
};

/// What an entity has without a declaration, and no map.
const OF_ENTITIES: [&str; 4] = ["at", "key", "kind", "alive"];

/// Tells of every property that a script reads and nothing has, and of every one that it sets.
pub(super) fn in_scripts(game: &Game, names: &Names, found: &PropertyUses, sources: &Sources, defects: &mut Defects) {
    let declared: BTreeSet<&str> = names.properties.iter().map(Name::as_str).collect();
    let keys = keys(sources);
    let reads = found.uses.iter().filter(|it| it.gets.is_none() && !is_assigned(found, (&it.file, it.line, it.column)));
    let read: BTreeSet<&str> = reads.map(|it| it.name.as_str()).collect();
    // What somebody sets and somebody reads may be the key of a map.
    let may_be_key: BTreeSet<&str> =
        found.uses.iter().filter(|it| it.gets.is_some()).map(|it| it.name.as_str()).collect();
    let is_known = |word: &str| declared.contains(word) || found.words.contains(word) || keys.contains(word);
    let is_of_entities = |word: &str| {
        OF_ENTITIES.contains(&word)
            || game.properties.iter().any(|(id, known)| !known.of_table && id.as_str() == word)
            || game.stats.keys().any(|id| id.as_str() == word)
    };
    for PropertyUse { name, gets, file, line, column } in &found.uses {
        let (code, message, help) = match gets {
            Some(thing) if is_of_entities(name) || !is_known(name) && !read.contains(name.as_str()) => {
                let message = format!("{name} of {thing} gets a value, but scripts change nothing");
                let help = "`emit` an event whose effects set it; a map is copied first: `let copy = map;`".to_owned();
                ("script.assigned", message, help)
            }
            None if !is_known(name) && !may_be_key.contains(name.as_str()) => {
                let help = nearest(name, declared.iter().copied()).map_or_else(
                    || "declare it in section `properties` or `stats`, or write the right name".to_owned(),
                    |near| format!("did you mean {near}?"),
                );
                ("script.unknown_property", format!("nothing has a property {name}"), help)
            }
            _ => continue,
        };
        let Some(file) = sources.files.iter().find(|known| known.path == *file) else { continue };
        let place = Place { file: 0, line: *line, column: *column };
        defects.0.push(Defect::new(code, place, file, message, Some(help)));
    }
}

/// Whether what stands at a place gets a value, which is told by itself.
fn is_assigned(found: &PropertyUses, at: (&str, usize, usize)) -> bool {
    found.uses.iter().any(|it| it.gets.is_some() && (it.file.as_str(), it.line, it.column) == at)
}

/// Every word of content before a colon: whatever may be the key of a map.
fn keys(sources: &Sources) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let files = sources.files.iter().filter(|file| file.is_content && file.path.ends_with(".yaml"));
    let lines = files.flat_map(|file| file.text.lines());
    let words = lines.flat_map(|line| line.match_indices(':').map(|(at, _)| &line[..at])).filter_map(|part| {
        let part = part.trim_end_matches([' ', '"', '\'']);
        part.rsplit(|c| !is_part(c)).next()
    });
    words.filter(|word| !word.is_empty()).collect()
}
