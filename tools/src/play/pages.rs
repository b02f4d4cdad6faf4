//! Pages over the screen: why, help, what the marks mean, what happened.

use super::{
    full::Screen,
    keys::{KEYS, KEYS_SHORT},
    screen::{Page, page_end},
    text::paragraphs,
};

/// The heading of the page that the board itself gives.
const MARKS: &str = "What the marks mean";

impl Screen {
    /// Before the first question: what it is all about, and the keys in a line.
    pub(super) fn welcome(&mut self) {
        self.help(0);
        if let Some(page) = &mut self.ui.page {
            page.lines.push(String::new());
            page.lines.push(KEYS_SHORT.into());
            page.lines.push("Enter: to the game; right: more help.".into());
        }
    }

    /// What the marks on the board mean.
    pub(super) fn marks(&mut self) {
        let lines = self.model.marks();
        self.open(MARKS, lines);
    }

    /// Explains the answer under the cursor or the selection; within the page, the next ones.
    pub(super) fn why(&mut self) {
        let Some(question) = &self.model.question else { return };
        let all: Vec<_> = question.options.iter().chain(&question.refused).collect();
        let under = self.ui.cursor.and_then(|cursor| {
            let n = all.iter().position(|it| it.square == Some(cursor));
            n.filter(|_| question.is_where())
        });
        let is_elsewhere = question.is_where() && self.ui.cursor.is_some() && under.is_none();
        if is_elsewhere {
            let name = self.under_cursor();
            return self.open("Why", self.session.explain_square(&name));
        }
        self.explain_at(under.or(self.ui.selected).unwrap_or(0));
    }

    /// The name of the square under the cursor.
    pub(super) fn under_cursor(&self) -> String {
        let squares = self.model.board.squares.iter();
        let square = self.ui.cursor.and_then(|cursor| squares.into_iter().find(|square| square.space == cursor));
        square.map_or_else(String::new, |square| square.name.to_string())
    }

    fn explain_at(&mut self, n: usize) {
        let Some(question) = &self.model.question else { return };
        let all: Vec<_> = question.options.iter().chain(&question.refused).collect();
        let Some(it) = all.get(n) else { return };
        let mut lines = self.session.explain(&it.id);
        if !question.is_where() && !question.refused.is_empty() {
            lines.push(String::new());
            lines.push("Not offered now:".into());
            let told = question.refused.iter().map(|it| {
                let number = if it.number == 0 { String::new() } else { format!("{:>2} ", it.number) };
                format!("  {number}{}: {}", it.label, it.reasons.join("; "))
            });
            lines.extend(told);
        }
        let title = format!("Why: {} of {} (left and right: the others)", n + 1, all.len());
        self.ui.page = Some(Page { title, lines, top: 0, explains: Some(n) });
    }

    pub(super) fn open(&mut self, title: &str, lines: Vec<String>) {
        self.ui.page = Some(Page { title: title.into(), lines, ..Page::default() });
    }

    pub(super) fn help(&mut self, n: usize) {
        let mut pages = self.model.help.clone();
        pages.push((MARKS.into(), self.model.marks().join("\n")));
        pages.push(("Keys".into(), KEYS.into()));
        let n = n.min(pages.len() - 1);
        let (title, text) = &pages[n];
        let lines = if title == MARKS { text.lines().map(Into::into).collect() } else { paragraphs(text) };
        let title = format!("Help {} of {}: {title}", n + 1, pages.len());
        self.ui.page = Some(Page { title, lines, top: 0, explains: None });
    }

    pub(super) fn scroll(&mut self, by: i32, size: (u16, u16)) {
        let end = self.ui.page.as_ref().map(|page| page_end(page, &self.model, &self.ui, size));
        if let (Some(page), Some(end)) = (&mut self.ui.page, end) {
            let end = i64::try_from(end).unwrap_or(0);
            let top = i64::try_from(page.top).unwrap_or(0) + i64::from(by);
            page.top = usize::try_from(top.clamp(0, end)).unwrap_or(0);
        }
    }

    /// The next page of help, or the explanation of the next candidate.
    pub(super) fn turn(&mut self, by: i32) {
        let Some(page) = &self.ui.page else { return };
        let turned = |n: usize, all: usize| {
            let (n, all) = (i64::try_from(n).unwrap_or(0), i64::try_from(all.max(1)).unwrap_or(1));
            usize::try_from((n + i64::from(by)).rem_euclid(all)).unwrap_or(0)
        };
        if let Some(n) = page.explains {
            let question = self.model.question.as_ref();
            let all = question.map_or(0, |question| question.options.len() + question.refused.len());
            self.explain_at(turned(n, all));
        } else if let Some(n) =
            page.title.strip_prefix("Help ").and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok())
        {
            self.help(turned(n - 1, self.model.help.len() + 2));
        }
    }
}
