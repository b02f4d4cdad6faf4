//! A record as YAML, for one that does not stand in any file as it is.

use sandtable::content::{Node, NodeValue};

/// The longest line that holds a whole map or list.
const LINE_MAX: usize = 110;

/// The record with its id, two blanks in, as it would stand in a file.
pub(crate) fn record(id: &str, node: &Node) -> String {
    let mut page = String::new();
    entry(&mut page, 2, &text(id, true), node);
    page
}

/// A line `head: value`, and what lies below it.
fn entry(page: &mut String, indent: usize, head: &str, node: &Node) {
    let blanks = " ".repeat(indent);
    let line = format!("{blanks}{head}: {}", flow(node));
    match &node.value {
        NodeValue::Text(text) if text.trim_end().contains('\n') => {
            page.push_str(&format!("{blanks}{head}: |\n"));
            text.lines().for_each(|line| page.push_str(&format!("{blanks}  {line}\n")));
        }
        NodeValue::Map(entries) if line.chars().count() > LINE_MAX || indent == 2 && !entries.is_empty() => {
            page.push_str(&format!("{blanks}{head}:\n"));
            entries.iter().for_each(|(key, node)| entry(page, indent + 2, &text(key, true), node));
        }
        NodeValue::List(items) if line.chars().count() > LINE_MAX => {
            page.push_str(&format!("{blanks}{head}:\n"));
            items.iter().for_each(|item| page.push_str(&format!("{blanks}  - {}\n", flow(item))));
        }
        _ => page.push_str(&(line + "\n")),
    }
}

/// A value in one line.
fn flow(node: &Node) -> String {
    match &node.value {
        NodeValue::Null => "null".into(),
        NodeValue::Bool(truth) => truth.to_string(),
        NodeValue::Int(number) => number.to_string(),
        NodeValue::Text(said) => text(said, false),
        NodeValue::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        NodeValue::Map(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, node)| format!("{}: {}", text(key, true), flow(node))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// A text as YAML, in quotes where it needs some.
fn text(text: &str, is_key: bool) -> String {
    let starts = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '(';
    let is_plain = text.starts_with(starts)
        && !text.ends_with(char::is_whitespace)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.contains(['{', '}', '[', ']', ',', '"', '\'', '\n'])
        && !["true", "false", "null"].contains(&text)
        && (is_key || !text.starts_with(|letter: char| letter.is_ascii_digit()));
    match () {
        () if is_plain => text.into(),
        () if text.contains('\n') => format!("{text:?}"),
        () => format!("'{}'", text.replace('\'', "''")),
    }
}
