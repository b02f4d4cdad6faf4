//! Where a bracket of YAML stands that nobody closes: the reader notices it only lines later.

/// A bracket without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed {
    pub(super) bracket: char,
    pub(super) line: usize,
    pub(super) column: usize,
    /// Where a comment begins within it that begins with a brace: `#{`.
    pub(super) comment: Option<(usize, usize)>,
}

/// What is open while lines are looked at.
#[derive(Default)]
struct Scan {
    open: Vec<(char, usize, usize)>,
    /// The indent of the line where the first one stands.
    indent: usize,
    quote: Option<char>,
    comment: Option<(usize, usize)>,
    /// The indent of the key whose text stands in the lines that follow.
    block: Option<usize>,
}

/// The first bracket of a text that is not closed before the next key, or not by its like.
pub(super) fn unclosed(text: &str) -> Option<Unclosed> {
    let mut scan = Scan::default();
    for (index, line) in text.lines().enumerate() {
        let letters: Vec<char> = line.chars().collect();
        let indent = letters.iter().take_while(|c| **c == ' ').count();
        if !scan.open.is_empty() && scan.quote.is_none() && indent <= scan.indent && is_key(&letters[indent..]) {
            return scan.found();
        }
        let from = if scan.open.is_empty() { scan.value_of(&letters, indent) } else { Some(indent) };
        let Some(from) = from else { continue };
        if scan.open.is_empty() {
            (scan.indent, scan.comment) = (indent, None);
        }
        if let Some(found) = scan.brackets(&letters, from, index + 1) {
            return Some(found);
        }
    }
    scan.found()
}

/// Whether a line without its indent begins with a key of a map.
fn is_key(letters: &[char]) -> bool {
    let n = letters.iter().take_while(|c| c.is_ascii_alphanumeric() || "_-.".contains(**c)).count();
    n > 0 && letters.get(n) == Some(&':') && letters.get(n + 1).is_none_or(|next| *next == ' ')
}

impl Scan {
    fn found(&self) -> Option<Unclosed> {
        let (bracket, line, column) = *self.open.last()?;
        Some(Unclosed { bracket, line, column, comment: self.comment })
    }

    /// Where the value of a line begins, if it is in brackets.
    fn value_of(&mut self, letters: &[char], indent: usize) -> Option<usize> {
        if letters.len() == indent {
            return None;
        }
        if self.block.is_some_and(|block| indent > block) {
            return None;
        }
        self.block = None;
        let mut at = indent;
        while letters.get(at) == Some(&'-') && letters.get(at + 1) == Some(&' ') {
            at += 2 + letters[at + 2..].iter().take_while(|c| **c == ' ').count();
        }
        if letters.get(at).is_some_and(|c| !"{[".contains(*c)) {
            // The key ends at the first colon before a blank.
            let colon =
                (at..letters.len()).find(|at| letters[*at] == ':' && letters.get(at + 1).is_none_or(|c| *c == ' '))?;
            at = colon + 1 + letters[colon + 1..].iter().take_while(|c| **c == ' ').count();
        }
        match letters.get(at) {
            Some('{' | '[') => Some(at),
            Some('|' | '>') => {
                self.block = Some(indent);
                None
            }
            _ => None,
        }
    }

    /// Opens and closes what stands in a line from a column on; what is closed by another sort.
    fn brackets(&mut self, letters: &[char], from: usize, line: usize) -> Option<Unclosed> {
        // Quotes count where a value or key begins.
        let mut is_fresh = true;
        let mut at = from;
        while let Some(letter) = letters.get(at).copied() {
            at += 1;
            if let Some(quote) = self.quote {
                match letter {
                    '\\' if quote == '"' => at += 1,
                    _ if letter == quote && quote == '\'' && letters.get(at) == Some(&'\'') => at += 1,
                    _ if letter == quote => self.quote = None,
                    _ => {}
                }
                continue;
            }
            match letter {
                '"' | '\'' if is_fresh => self.quote = Some(letter),
                '#' if at < 2 || letters[at - 2] == ' ' => {
                    if letters.get(at) == Some(&'{') {
                        self.comment = self.comment.or(Some((line, at)));
                    }
                    return None;
                }
                '{' | '[' => self.open.push((letter, line, at)),
                '}' | ']' => {
                    let fits = self.open.last().is_some_and(|(open, ..)| (*open == '{') == (letter == '}'));
                    if !fits {
                        return self.found();
                    }
                    self.open.pop();
                    if self.open.is_empty() {
                        return None;
                    }
                }
                _ => {}
            }
            is_fresh = matches!(letter, '{' | '[' | ',' | ':') || is_fresh && letter == ' ';
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    fn at(text: &str) -> Option<(char, usize, usize)> {
        unclosed(text).map(|found| (found.bracket, found.line, found.column))
    }

    #[test]
    fn what_is_closed_is_not_found() {
        for text in [
            "a: {b: [1, 2], c: 'it''s {', d: \"\\\"}\"}\nb:\n  - {c: d}\n  - [e,\n     f]\n",
            "a: |\n  {not this\nb: all(x).map(y, {z\n# {\nc: {d: 1} # [\n",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn the_bracket_that_nobody_closes_is_found_where_it_stands() {
        assert_eq!(at("a:\n  b: {c: 1, d: {e: 2}\n  f: {g: 3}\n"), Some(('{', 2, 6)));
        assert_eq!(at("a:\n  - [1, 2\n  - [3]\nb: 1\n"), Some(('[', 2, 5)));
        assert_eq!(at("a: {b: [1, 2}\n"), Some(('[', 1, 8)));
        assert_eq!(at("a: {b: 'c\n"), Some(('{', 1, 4)));
    }

    #[test]
    fn a_comment_that_was_meant_as_a_map_is_told() {
        let found = unclosed("a: {on: b, run: f(\"c\", #{d: 1})}\nb: {c: 1}\n").expect("it is open");
        assert_eq!((found.line, found.column, found.comment), (1, 4, Some((1, 24))));
    }
}
