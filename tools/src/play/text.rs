//! Text in lines of a width.

/// Text in lines of at most a width, broken between words; what follows keeps its indent.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    broken(text, width, true)
}

/// The same; whether what goes on is indented, is said.
pub(super) fn broken(text: &str, width: usize, hangs: bool) -> Vec<String> {
    // What fits stays as it is written.
    if text.chars().count() <= width {
        return vec![text.trim_end().to_owned()];
    }
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let mut lines: Vec<String> = Vec::new();
    let mut line = " ".repeat(indent);
    let mut is_fresh = true;
    for word in text.split_whitespace() {
        let n = line.chars().count();
        if !is_fresh && n + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(
                &mut line,
                " ".repeat(if indent > 0 || hangs { (indent + 2).min(width / 2) } else { 0 }),
            ));
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// The lines of a text; those that do not begin with a space go on in the one before.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_plain = !line.is_empty() && !line.starts_with(' ');
        match lines.last_mut().filter(|_| is_plain && goes_on) {
            Some(last) => *last = format!("{last} {line}"),
            None => lines.push(line.into()),
        }
        goes_on = is_plain;
    }
    lines
}
