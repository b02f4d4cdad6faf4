//! Where a key first stands that stands twice, and what to do about it.

use super::Place;

/// What to do about the key that stands for the second time at a place of a text.
pub(super) fn help(text: &str, key: &str, second: Place) -> String {
    let first = first(text, key, second).filter(|first| *first != second.line);
    let there = first
        .map_or_else(|| "it stands before in the same line".into(), |line| format!("it stands in line {line} already"));
    if second.column == 1 && first.is_some() {
        return format!(
            "{there}: move what stands below this line to the end of what stands below that one, and delete this line"
        );
    }
    format!("{there}: rename one of the two, or write what both say under one of them and delete the other")
}

/// The line of the first of two: as far to the right, with nothing less indented between them.
fn first(text: &str, key: &str, second: Place) -> Option<usize> {
    let before: Vec<&str> = text.lines().take(second.line.saturating_sub(1)).collect();
    let depth = second.column.saturating_sub(1);
    let own = text.lines().nth(second.line.saturating_sub(1)).unwrap_or_default();
    let is_block = own.chars().take(depth).all(|c| c == ' ' || c == '-');
    for (index, line) in before.iter().enumerate().rev().filter(|_| is_block) {
        let inner = line.trim_start_matches([' ', '-']);
        let at = line.len() - inner.len();
        if inner.is_empty() || inner.starts_with('#') || at > depth {
            continue;
        }
        if at < depth {
            return None;
        }
        let written = inner.split_once(':').map_or("", |(written, _)| written.trim());
        if written.trim_matches(['"', '\'']) == key {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Place, help};

    #[track_caller]
    fn told(text: &str, key: &str, line: usize, column: usize, expected: &str) {
        let help = help(text, key, Place { file: 0, line, column });
        assert!(help.starts_with(expected), "{help}");
    }

    #[test]
    fn the_first_of_two_keys_is_found_by_its_depth() {
        let text = "kinds:\n  # A rook.\n  rook: {a: 1}\n\nterms:\n  far: {}\n\nkinds:\n  king: {}\n";
        told(text, "kinds", 8, 1, "it stands in line 1 already: move what stands below");
        let text = "kinds:\n  'rook':\n    rook: 1\n  king: {}\n  rook: {}\n";
        told(text, "rook", 5, 3, "it stands in line 2 already: rename");
        told("a: {b: 1, b: 2}\n", "b", 1, 11, "it stands before in the same line: rename");
        told("a:\n  - b: 1\n    c: 2\n    b: 3\n", "b", 4, 5, "it stands in line 2 already");
    }
}
