//! Stats that a kind lacks though others of its sort have them: a warning that says who reads them and where
//! they are written.

use super::section;
use crate::{
    base::Name,
    content::{Defect, Node, Record, Sources},
    rules::game::{Game, Kind},
};

/// The fewest kinds of a tag of which the last one is compared with the others.
const ALIKE_MIN: usize = 3;
/// Of so many kinds with a tag one may be forgotten, of twice as many two, and so on.
const ALIKE_EACH: usize = 4;
/// So many readers of a stat are named.
const READERS_TOLD: usize = 3;

/// A kind with its record.
type Known<'a> = (Name, &'a Kind, &'a Record);

/// Stats that few kinds lack and all others with one of their tags have, and none without it.
pub(super) fn lacking_stats(game: &Game, sources: &Sources, warnings: &mut Vec<Defect>) {
    let kinds = section(sources, "kinds").filter_map(|(id, record)| {
        let id = crate::base::name(id);
        Some((id, game.kinds.get(&id)?, record))
    });
    let kinds: Vec<Known<'_>> = kinds.collect();
    let mut tags: Vec<_> = kinds.iter().flat_map(|(_, kind, _)| kind.tags.iter().copied()).collect();
    tags.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    tags.dedup();
    let mut told = Vec::new();
    for tag in tags {
        let alike: Vec<&Known<'_>> = kinds.iter().filter(|(_, kind, _)| kind.tags.contains(&tag)).collect();
        for stat in game.stats.keys().filter(|_| alike.len() >= ALIKE_MIN) {
            let (with, without): (Vec<&Known<'_>>, Vec<&Known<'_>>) =
                alike.iter().partition(|(_, kind, _)| kind.stats.contains_key(stat));
            let Some(example) = with.first().filter(|_| without.len() <= (alike.len() / ALIKE_EACH).max(1)) else {
                continue;
            };
            // Of kinds of another sort the stat says something else.
            if kinds.iter().any(|(_, kind, _)| kind.stats.contains_key(stat) && !kind.tags.contains(&tag)) {
                continue;
            }
            for (id, _, record) in without {
                // What a back lacks is unknown.
                if told.contains(&(*id, *stat)) || kinds.iter().any(|(_, kind, _)| kind.back == Some(*id)) {
                    continue;
                }
                told.push((*id, *stat));
                let place = record.node.named_at();
                let others = if alike.len() == with.len() + 1 { "all others" } else { "nearly all others" };
                let message = format!("{id} has no {stat}, which {others} with the tag {tag} have");
                let help = Some(remedy(sources, (*id, record), stat, example));
                warnings.push(Defect::new("stat.missing", place, &sources.files[place.file], message, help));
            }
        }
    }
}

/// Where the stat is written, as who has it, and who reads it.
fn remedy(sources: &Sources, (id, record): (Name, &Record), stat: &str, (other, _, example): &Known<'_>) -> String {
    let stats = record.node.as_map().and_then(|fields| fields.get("stats"));
    let line = stats.map_or(record.node.named_at().line, |stats| stats.named_at().line);
    let below = if stats.is_some() { format!("`stats:` of {id}") } else { id.to_string() };
    let written = written(&example.node, stat).map_or_else(String::new, |node| {
        let file = &sources.files[node.place.file].path;
        format!(" ({other} has `{stat}: {}` in {file}:{})", node.brief(), node.named_at().line)
    });
    let readers = readers(sources, stat);
    let named: Vec<&str> = readers.iter().take(READERS_TOLD).map(String::as_str).collect();
    let more = readers.len().saturating_sub(READERS_TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let read = match named.is_empty() {
        true => String::new(),
        false => format!("; who reads `.{stat}` of it fails in play: {}{more}", named.join(", ")),
    };
    format!("write `{stat}: ...` under {below}, line {line}{written}{read}")
}

/// The stat where a kind writes it.
fn written<'n>(node: &'n Node, stat: &str) -> Option<&'n Node> {
    let fields = node.as_map()?;
    fields.get("stats").and_then(|stats| stats.as_map()?.get(stat)).or_else(|| fields.get(stat))
}

/// Records and script functions in whose text `.stat` is read, each with its place.
fn readers(sources: &Sources, stat: &str) -> Vec<String> {
    let wanted = format!(".{stat}");
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '(';
    let reads = |line: &str| {
        let at = line.match_indices(&wanted).any(|(at, _)| {
            let after = line[at + wanted.len()..].chars().next();
            let before = line[..at].chars().next_back();
            !after.is_some_and(is_part) && before.is_some_and(|c| c.is_ascii_alphanumeric() || "_)]".contains(c))
        });
        at && !line.trim_start().starts_with(['#', '/'])
    };
    let mut found: Vec<String> = Vec::new();
    for (number, file) in sources.files.iter().enumerate().filter(|(_, file)| file.is_content) {
        let mut function = "";
        for (index, line) in file.text.lines().enumerate() {
            if let Some(begun) = line.trim_start().trim_start_matches("private ").strip_prefix("fn ") {
                function = begun.split('(').next().unwrap_or_default();
            }
            if !reads(line) {
                continue;
            }
            let is_script = file.path.ends_with(".rhai");
            let namespace = file.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rhai");
            let who =
                if is_script { format!("{namespace}::{function}") } else { record_at(sources, number, index + 1) };
            if !found.iter().any(|other| other.starts_with(&format!("{who} ("))) {
                found.push(format!("{who} ({}:{})", file.path, index + 1));
            }
        }
    }
    found
}

/// The record that stands in a line of a file.
fn record_at(sources: &Sources, file: usize, line: usize) -> String {
    let of_section = |(section, records): (&String, &indexmap::IndexMap<String, Record>)| {
        let here = records.iter().map(|(id, record)| (id, record.node.named_at()));
        let here = here.filter(|(_, place)| place.file == file && place.line <= line);
        here.map(|(id, place)| (place.line, format!("{section}.{id}"))).max_by_key(|(line, _)| *line)
    };
    let nearest = sources.records.iter().filter_map(of_section).max_by_key(|(line, _)| *line);
    nearest.map_or_else(|| "a record".into(), |(_, record)| record)
}
