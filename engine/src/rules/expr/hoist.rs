//! What is the same for every item of a list is worked out once for all of them.
//!
//! In `list.filter(x, x.rank > least(unit))` the call of `least` does not depend on `x`. Such
//! parts become [`NodeKind::Once`]: worked out when an item first comes to them, and kept until
//! the list is done. What they cost is still counted for each item, as if nothing were kept.

use super::{
    Expr,
    ast::{Node, NodeKind},
};

/// How many parts of one body are kept.
const KEPT_MAX: u32 = 8;

impl Expr {
    /// The same expression for a list of values of its last `n_items` variables: see [`Expr::kept`].
    #[must_use]
    pub fn for_items(mut self, n_items: usize) -> Self {
        let first = u32::try_from(self.n_variables.saturating_sub(n_items)).unwrap_or(u32::MAX);
        keep(&mut self.run, &|node| uses_input(node, first), &mut self.n_kept);
        self
    }
}

/// Keeps what can be kept for the items of all lists in a tree.
pub(super) fn hoisted(root: &Node) -> Node {
    let mut root = root.clone();
    in_macros(&mut root);
    root
}

fn in_macros(node: &mut Node) {
    node.kind.for_each_child_mut(&mut |child, _| in_macros(child));
    if let NodeKind::Macro(_, n_kept, pair) = &mut node.kind {
        keep(&mut pair[1], &|node| uses_local(node, 0), n_kept);
    }
}

/// Wraps the largest parts of a body that do not vary. Bodies in it have lists of their own.
fn keep(node: &mut Node, varies: &dyn Fn(&Node) -> bool, n_kept: &mut u32) {
    if *n_kept >= KEPT_MAX || matches!(node.kind, NodeKind::Once(..)) {
        return;
    }
    if !varies(node) {
        if is_worth(node) {
            let inner = std::mem::replace(&mut node.kind, NodeKind::All(Vec::new()));
            let inner = Node { offset: node.offset, depth: node.depth, cost: node.cost, kind: inner };
            node.kind = NodeKind::Once(*n_kept, Box::new(inner));
            *n_kept += 1;
        }
        return;
    }
    node.kind.for_each_child_mut(&mut |child, is_body| {
        if !is_body {
            keep(child, varies, n_kept);
        }
    });
}

/// Whether working something out takes longer than looking up what it gave.
fn is_worth(node: &Node) -> bool {
    let mut is_worth = matches!(node.kind, NodeKind::Property(..) | NodeKind::Call(..) | NodeKind::Macro(..));
    node.kind.for_each_child(&mut |child, _| is_worth = is_worth || self::is_worth(child));
    is_worth
}

/// Whether the variable is used that was bound so many macros further out.
fn uses_local(node: &Node, n_outward: u32) -> bool {
    let mut uses = matches!(node.kind, NodeKind::Local(n) if n == n_outward);
    node.kind.for_each_child(&mut |child, is_body| uses = uses || uses_local(child, n_outward + u32::from(is_body)));
    uses
}

/// Whether a variable is used that the caller gives, this one or a later one.
fn uses_input(node: &Node, first: u32) -> bool {
    let mut uses = matches!(node.kind, NodeKind::Input(slot) if slot >= first);
    node.kind.for_each_child(&mut |child, _| uses = uses || uses_input(child, first));
    uses
}
