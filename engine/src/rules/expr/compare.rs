//! What an expression compares with names that are written out.

use super::{
    Expr,
    ast::{Node, NodeKind},
};
use crate::base::{Name, Value};

/// What is compared with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// A variable, by its number.
    Variable(u32),
    /// A property of something.
    Property(Name),
    /// What a function of the host gives for a name that is written out.
    Call(u32, Name),
}

impl Expr {
    /// Every name that is written out beside `==`, `!=` or `in`, with what it is compared with.
    #[must_use]
    pub fn comparisons(&self) -> Vec<(Compared, Name)> {
        let mut found = Vec::new();
        collect(&self.root, &mut found);
        found
    }
}

fn collect(node: &Node, found: &mut Vec<(Compared, Name)>) {
    if let NodeKind::Equal(_, pair) | NodeKind::In(_, pair) = &node.kind {
        for (side, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            found
                .extend(compared(side).into_iter().flat_map(|what| names(other).into_iter().map(move |it| (what, it))));
        }
    }
    node.kind.for_each_child(&mut |child, _| collect(child, found));
}

fn compared(node: &Node) -> Option<Compared> {
    match &node.kind {
        NodeKind::Once(_, part) => compared(part),
        NodeKind::Input(slot) => Some(Compared::Variable(*slot)),
        NodeKind::Property(_, property) => Some(Compared::Property(*property)),
        NodeKind::Call(function, args) => match &args[..] {
            [only] => Some(Compared::Call(*function, only.literal()?.as_name()?)),
            _ => None,
        },
        _ => None,
    }
}

/// The names that are written out: one, or those of a list.
fn names(node: &Node) -> Vec<Name> {
    match &node.kind {
        NodeKind::Literal(Value::List(items)) => items.iter().filter_map(Value::as_name).collect(),
        NodeKind::Literal(value) => value.as_name().into_iter().collect(),
        NodeKind::List(items) => items.iter().filter_map(|item| item.literal()?.as_name()).collect(),
        _ => Vec::new(),
    }
}
