//! What somebody writes as an answer: a number, a name or its beginning, a square, several in a row.

use sandtable::{
    base::Value,
    kernel::{Candidate, Choice},
    table::picture,
};

use super::session::Session;

impl Session {
    /// The candidate that somebody names: by its id, its number, as it is called, or by
    /// its square if no other stands there.
    pub(crate) fn meant<'c>(&self, choice: &'c Choice, text: &str) -> Option<&'c Candidate> {
        let by_number = || {
            let number = text.parse::<usize>().ok()?;
            let named = picture::with_numbers(&self.table, choice).into_iter().find(|(other, _)| *other == number)?;
            Some(named.1)
        };
        let alike = |candidate: &&Candidate| {
            let (label, _) = picture::label(&self.table, choice, candidate);
            label.eq_ignore_ascii_case(text) || candidate.id.eq_ignore_ascii_case(text)
        };
        let by_square = || match self.standing_at(choice, text)[..] {
            [only] => Some(only),
            _ => None,
        };
        let named = choice.candidate(text).or_else(by_number);
        named.or_else(|| choice.candidates.iter().find(alike)).or_else(by_square)
    }

    /// The candidates on a square that somebody names: the legal ones, or else the others.
    fn standing_at<'c>(&self, choice: &'c Choice, text: &str) -> Vec<&'c Candidate> {
        let Some(space) = self.table.instance().setting.board.space(&text.to_lowercase()) else { return Vec::new() };
        let there = |candidate: &&Candidate| picture::squares_of(&self.table, choice, candidate).contains(&space);
        let legal: Vec<&Candidate> = choice.options().filter(there).collect();
        if legal.is_empty() { choice.candidates.iter().filter(there).collect() } else { legal }
    }

    /// Answers by what somebody wrote: an answer, or several to the questions that follow each other. A
    /// grave one waits for a yes, if there is somebody to ask.
    ///
    /// # Errors
    /// What was refused or is asked first, and why; what came before it stands.
    pub(crate) fn answer_words(&mut self, text: &str) -> Result<(), String> {
        let grave = self.grave.take();
        let (text, mut is_sure) = match (&grave, text.to_lowercase().as_str()) {
            (Some(grave), "y" | "yes") => (grave.as_str(), true),
            (Some(_), "n" | "no") => return Err("nothing was answered".into()),
            _ => (text, false),
        };
        let Some(choice) = self.table.open() else { return Ok(()) };
        if let Some(candidate) = self.meant(&choice, text) {
            let id = candidate.id.as_str();
            if !is_sure {
                self.ask_before(&choice, id, text)?;
            }
            return self.answer(id);
        }
        let words = words_of(text);
        let mut from = 0;
        if words.is_empty() {
            return self.answer(text);
        }
        while from < words.len() {
            let Some(choice) = self.table.open() else {
                return Err(format!("refused: nothing is asked after {}", words[..from].join(" ")));
            };
            let (id, n) = self.longest(&choice, &words[from..])?;
            if !std::mem::take(&mut is_sure) {
                self.ask_before(&choice, &id, &words[from..].join(" "))?;
            }
            self.answer(&id).map_err(|why| if from == 0 { why } else { format!("{}: {why}", words[from]) })?;
            from += n;
        }
        Ok(())
    }

    /// Keeps what begins with a grave answer until somebody says yes to it.
    ///
    /// # Errors
    /// What he is asked.
    fn ask_before(&mut self, choice: &Choice, id: &str, text: &str) -> Result<(), String> {
        let legal = choice.candidate(id).filter(|candidate| self.asks_before_grave && candidate.reasons.is_empty());
        let Some(question) = legal.and_then(|candidate| picture::confirm_of(&self.table, choice, candidate)) else {
            return Ok(());
        };
        self.grave = Some(text.to_owned());
        Err(format!("{question} y: yes, n: no"))
    }

    /// The answer that a text names as a whole.
    pub(crate) fn single(&self, text: &str) -> Option<String> {
        let choice = self.table.open()?;
        if let Some(candidate) = self.meant(&choice, text) {
            return Some(candidate.id.to_string());
        }
        let words = words_of(text);
        self.longest(&choice, &words).ok().filter(|(_, n)| *n == words.len()).map(|(id, _)| id)
    }

    /// The answer that most of the next words name, by a name or its beginning; and how many words.
    ///
    /// # Errors
    /// Between which answers it is not clear.
    fn longest(&self, choice: &Choice, words: &[&str]) -> Result<(String, usize), String> {
        for n in (1..=words.len()).rev() {
            let text = words[..n].join(" ");
            if let Some(candidate) = self.meant(choice, &text) {
                return Ok((candidate.id.to_string(), n));
            }
            let there = self.standing_at(choice, &text);
            if there.len() > 1 {
                let ids: Vec<&str> = there.iter().map(|it| it.id.as_str()).collect();
                return Err(format!("refused: at {text} there are {}; name one", ids.join(" and ")));
            }
            let begun = self.begun(choice, &text);
            match &begun[..] {
                [] => {}
                [(id, _)] => return Ok((id.clone(), n)),
                _ => {
                    let labels: Vec<&str> = begun.iter().map(|(_, label)| label.as_str()).collect();
                    return Err(format!("refused: {text} could be {}; type more of it", labels.join(" or ")));
                }
            }
        }
        Ok((words.first().copied().unwrap_or_default().to_owned(), 1))
    }

    /// The answers whose name or id begins so, or else one of its words, by id and label: legal ones, or else
    /// others. Numbers and squares are never meant by their beginning, points are.
    fn begun(&self, choice: &Choice, text: &str) -> Vec<(String, String)> {
        let text = text.to_lowercase();
        if !text.starts_with(char::is_alphabetic) {
            return Vec::new();
        }
        // By how well it is named, then by whether it is refused.
        let mut found: [Vec<(String, String)>; 4] = Default::default();
        let has_squares = self.table.instance().setting.board.grid().is_some();
        let is_square = |candidate: &&Candidate| has_squares && matches!(candidate.value, Value::Space(_));
        for candidate in choice.candidates.iter().filter(|candidate| !is_square(candidate)) {
            let (label, _) = picture::label(&self.table, choice, candidate);
            let id = candidate.id.to_lowercase();
            let names = [label.to_lowercase(), id.replace('_', " "), id];
            let is_worse = if names.iter().any(|name| name.starts_with(&text)) {
                0
            } else if names.iter().any(|name| is_within(name, &text)) {
                1
            } else {
                continue;
            };
            let is_refused = usize::from(!candidate.reasons.is_empty());
            found[2 * is_refused + is_worse].push((candidate.id.to_string(), label));
        }
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// The words of what somebody wrote; commas and the like part them too.
fn words_of(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).filter(|word| !word.is_empty()).collect()
}

/// Whether words begin, in this order, words of a name that follow each other.
fn is_within(name: &str, text: &str) -> bool {
    let (name, text): (Vec<&str>, Vec<&str>) = (name.split_whitespace().collect(), text.split_whitespace().collect());
    let begin = |words: &[&str]| words.iter().zip(&text).all(|(word, begun)| word.starts_with(begun));
    !text.is_empty() && name.windows(text.len()).any(begin)
}

#[cfg(test)]
mod tests {
    use super::{is_within, words_of};

    #[test]
    fn words_are_parted_by_commas_and_named_by_their_beginnings() {
        assert_eq!(words_of("move, e5;end,"), ["move", "e5", "end"]);
        assert!(is_within("light a lamp", "lam") && is_within("light a lamp", "a la"));
        assert!(!is_within("light a lamp", "amp") && !is_within("light a lamp", "light lamp"));
        assert!(!is_within("lamp", "a lamp") && !is_within("lamp", ""));
    }
}
