//! How the snapshot of a test file differs from what happens now: case by case.

/// So many cases are named; of more it is said how many there are.
const CASES_TOLD: usize = 10;

/// What has changed from one text of a snapshot to another: a line for all of it, and one for each case.
pub(crate) fn told(old: &str, new: &str) -> String {
    let (before, after) = (by_case(old), by_case(new));
    let gone = before.iter().filter(|(case, _)| lines_of(&after, case).is_none());
    let mut lines: Vec<String> = Vec::new();
    for (case, _) in after.iter().chain(gone) {
        let change = match (lines_of(&before, case), lines_of(&after, case)) {
            (Some(was), Some(is)) => first(was, is),
            (None, _) => Some("is not in the snapshot".to_string()),
            (_, None) => Some("stands only in the snapshot".to_string()),
        };
        lines.extend(change.map(|change| format!("\n    {case}: {change}")));
    }
    let n = lines.len();
    if n == 0 {
        return "the cases of the snapshot stand in another order; --accept writes it anew".into();
    }
    let more = if n > CASES_TOLD { format!("\n    and {} more", n - CASES_TOLD) } else { String::new() };
    lines.truncate(CASES_TOLD);
    let cases = if n == 1 { "1 case is".to_string() } else { format!("{n} cases are") };
    format!("{cases} not as in the snapshot; read what has changed, then --accept{}{more}", lines.concat())
}

/// The lines of each case.
fn by_case(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut cases: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("== "), cases.last_mut()) {
            (Some(name), _) => cases.push((name, Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    cases
}

fn lines_of<'t, 'c>(cases: &'c [(&'t str, Vec<&'t str>)], name: &str) -> Option<&'c [&'t str]> {
    cases.iter().find(|(case, _)| *case == name).map(|(_, lines)| lines.as_slice())
}

/// The first line of a case that is another one.
fn first(was: &[&str], is: &[&str]) -> Option<String> {
    let index = (0..was.len().max(is.len())).find(|index| was.get(*index) != is.get(*index))?;
    let line = |lines: &[&str]| lines.get(index).map(|line| format!("`{}`", line.trim()));
    Some(match (line(is), line(was)) {
        (Some(is), Some(was)) => format!("{is} where it was {was}"),
        (Some(is), None) => format!("goes on with {is} where it ended"),
        (None, Some(was)) => format!("ends where {was} followed"),
        (None, None) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::told;

    const OLD: &str = "== a\n[turn]\nmoved to=b2\nrested\n== b\nmoved to=c3\n== c\nmoved to=d4\n";

    #[test]
    fn every_case_that_differs_is_named_with_its_first_line_that_does() {
        let new = "== a\n[turn]\nmoved to=b2\n== b\nmoved to=c4\n== c\nmoved to=d4\nrested\n== d\nrested\n";
        let lines = [
            "4 cases are not as in the snapshot; read what has changed, then --accept",
            "    a: ends where `rested` followed",
            "    b: `moved to=c4` where it was `moved to=c3`",
            "    c: goes on with `rested` where it ended",
            "    d: is not in the snapshot",
        ];
        assert_eq!(told(OLD, new), lines.join("\n"));
        let gone = "== a\n[turn]\nmoved to=b2\nrested\n== c\nmoved to=d4\n";
        assert!(told(OLD, gone).ends_with("--accept\n    b: stands only in the snapshot"), "{}", told(OLD, gone));
    }

    #[test]
    fn many_cases_are_counted_and_another_order_is_said() {
        let cases = |to: &str| (0..13).map(|n| format!("== case_{n}\nmoved to={to}\n")).collect::<String>();
        let told_of = told(&cases("a1"), &cases("a2"));
        assert!(told_of.starts_with("13 cases are") && told_of.ends_with("\n    and 3 more"), "{told_of}");
        assert_eq!(told_of.lines().count(), 12);
        assert!(told("== a\nx\n== b\ny\n", "== b\ny\n== a\nx\n").contains("another order"));
    }
}
