//! Reading actions, what they ask and cost, and what a menu's actions have in common.

use crate::{
    base::name,
    content::Node,
    rules::{
        expr::Expr,
        game::{Action, Ask, MenuRecord, Payment},
        read::Reader,
    },
};

pub(super) fn action(reader: &Reader<'_>, node: &Node) -> Option<Action> {
    let fields = reader.fields(node);
    let mut known = vec![name("unit")];
    let menu = fields.required("menu").and_then(|node| reader.name(node));
    let title = reader.text(fields.required("name"));
    let doc = reader.text(fields.optional("doc"));
    let walks = reader.yes(fields.optional("walks"));
    let confirm = fields.optional("confirm").map(|node| reader.text(Some(node)));
    let confirm_when = fields.optional("confirm_when").and_then(|node| reader.condition(node, &known));
    let tags = reader.names(fields.optional("tags"));
    let cost = fields.optional("cost").and_then(|node| reader.number(node, &known));
    let conditions = reader.conditions(fields.optional("when"), &known);
    known.push(name("cost"));
    let at_first = known.clone();
    let needs_no_answer = |expr: &Expr| reader.try_expr(expr.text(), &at_first).is_some();
    let mut asks = Vec::new();
    for item in reader.items(fields.optional("asks")) {
        let ask = reader.fields(item);
        let answer = ask.required("as").and_then(|node| reader.name(node));
        let choice = ask.required("choice").and_then(|node| reader.name(node));
        let when = ask.optional("when").and_then(|node| reader.condition(node, &known));
        let args = ask.required("with").and_then(|node| reader.expr(node, &known));
        ask.finish();
        if let (Some(answer), Some(choice), Some(args)) = (answer, choice, args) {
            known.push(answer);
            let early = when.as_ref().is_none_or(needs_no_answer) && needs_no_answer(&args);
            asks.push(Ask { name: answer, when, choice, args, early });
        }
    }
    let run = fields.required("run").and_then(|node| reader.deed(node, &known));
    let _ = fields.optional("source");
    fields.finish();
    Some(Action { menu: menu?, title, doc, walks, confirm, confirm_when, tags, cost, conditions, asks, run: run? })
}

pub(super) fn menu(reader: &Reader<'_>, node: &Node) -> MenuRecord {
    let fields = reader.fields(node);
    let conditions = reader.conditions(fields.optional("where"), &[name("unit"), name("cost"), name("tags")]);
    let pays = fields.optional("pays").and_then(|node| {
        let pays = reader.fields(node);
        let property = pays.required("property").and_then(|node| reader.name(node));
        let reason = pays.required("else").and_then(|node| reader.reason(node));
        let run = pays.required("run").and_then(|node| reader.deed(node, &[name("unit"), name("cost")]));
        pays.finish();
        Some(Payment { property: property?, reason: reason?, run: run? })
    });
    fields.finish();
    MenuRecord { conditions, pays }
}
