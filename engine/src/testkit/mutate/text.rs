//! The text of an expression as mutation sees it: its numbers, and the terms of `&&` and `||`.

use std::ops::Range;

/// The numbers in a text, outside of quotes and words, without their signs.
pub(super) fn numbers(text: &str) -> Vec<(Range<usize>, i64)> {
    let mut found = Vec::new();
    for (range, word) in words(text) {
        if let Some(number) = word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.replace('_', "").parse()) {
            found.extend(number.ok().map(|number| (range, number)));
        }
    }
    found
}

/// The text without one term of its outermost `&&` and `||`: the term, and what is left.
pub(super) fn without_terms(text: &str) -> Vec<(String, String)> {
    let mut groups: Vec<Vec<&str>> = vec![Vec::new()];
    let mut from = 0;
    for (at, symbol) in joints(text) {
        if let Some(group) = groups.last_mut() {
            group.push(text[from..at].trim());
        }
        if symbol == "||" {
            groups.push(Vec::new());
        }
        from = at + symbol.len();
    }
    if let Some(group) = groups.last_mut() {
        group.push(text[from..].trim());
    }
    let mut found = Vec::new();
    let joined = |groups: &[Vec<&str>]| groups.iter().map(|group| group.join(" && ")).collect::<Vec<_>>().join(" || ");
    for (index, group) in groups.iter().enumerate() {
        for at in (0..group.len()).filter(|_| group.len() > 1) {
            let mut left = groups.clone();
            found.push((left[index].remove(at).to_string(), joined(&left)));
        }
        if groups.len() > 1 {
            let mut left = groups.clone();
            let term = left.remove(index).join(" && ");
            found.push((term, joined(&left)));
        }
    }
    found
}

/// Words and numbers outside of quotes.
fn words(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in plain(text).into_iter().chain([(text.len(), ' ')]) {
        let belongs = letter.is_ascii_alphanumeric() || letter == '_';
        match start {
            None if belongs => start = Some(at),
            Some(from) if !belongs => {
                found.push((from..at, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Every `&&` and `||` that stands in no bracket, quote or choice.
fn joints(text: &str) -> Vec<(usize, &'static str)> {
    let choices: Vec<usize> =
        words(text).into_iter().filter(|(_, word)| *word == "if").map(|(range, _)| range.start).collect();
    let (mut depth, mut conditions) = (0_usize, Vec::new());
    let mut found = Vec::new();
    let letters = plain(text);
    for (index, (at, letter)) in letters.iter().enumerate() {
        if choices.contains(at) {
            conditions.push(depth);
            depth += 1;
        }
        match letter {
            // The condition of a choice ends where its value begins; `#{` begins a map.
            '{' if index.checked_sub(1).is_none_or(|before| letters[before].1 != '#') => {
                if conditions.last().is_some_and(|outer| *outer + 1 == depth) {
                    conditions.pop();
                } else {
                    depth += 1;
                }
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '&' if depth == 0 && text[*at..].starts_with("&&") => found.push((*at, "&&")),
            '|' if depth == 0 && text[*at..].starts_with("||") => found.push((*at, "||")),
            _ => {}
        }
    }
    found
}

/// The letters outside of quotes; a quoted text is one blank.
fn plain(text: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '"' && letter != '\'' {
            found.push((at, letter));
            continue;
        }
        found.push((at, ' '));
        while let Some((_, inner)) = letters.next() {
            if inner == letter {
                break;
            }
            if inner == '\\' {
                letters.next();
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{numbers, without_terms};

    #[test]
    fn numbers_are_found_outside_of_names_and_quotes() {
        let text = "a2 + 10 - f(\"3 x\", -1_0) == 0";
        let found: Vec<(&str, i64)> = numbers(text).into_iter().map(|(range, number)| (&text[range], number)).collect();
        assert_eq!(found, [("10", 10), ("1_0", 10), ("0", 0)]);
    }

    #[test]
    fn each_outermost_term_is_left_out_once() {
        let cases: [(&str, &[(&str, &str)]); 6] = [
            ("a", &[]),
            ("a && b", &[("a", "b"), ("b", "a")]),
            ("a && b || c", &[("a", "b || c"), ("b", "a || c"), ("a && b", "c"), ("c", "a && b")]),
            ("(a && b)", &[]),
            (
                "if a && b { c && d } else { e } && f",
                &[("if a && b { c && d } else { e }", "f"), ("f", "if a && b { c && d } else { e }")],
            ),
            ("x == \"a && b\" || #{a: 1}.a", &[("x == \"a && b\"", "#{a: 1}.a"), ("#{a: 1}.a", "x == \"a && b\"")]),
        ];
        for (text, expected) in cases {
            let found = without_terms(text);
            let found: Vec<(&str, &str)> = found.iter().map(|(term, left)| (term.as_str(), left.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
