//! The compiled tree: names resolved to slots, functions to numbers, constants folded.

use super::functions::Builtin;
use crate::base::{Name, Value};

/// One node, with what evaluation and the limits need to know about it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Where faults of this node point: at the operator or name, not at the first operand.
    pub(super) offset: u32,
    /// The longest way down to a leaf.
    pub(super) depth: u32,
    /// How many nodes one evaluation visits at most, bodies of macros not counted.
    pub(super) cost: u32,
    pub(super) kind: NodeKind,
}

/// What a node does.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Literal(Value),
    /// A variable that the caller gives, by its slot.
    Input(u32),
    /// A variable bound by a macro: how many macros further out it was bound.
    Local(u32),
    Property(Box<Node>, Name),
    Index(Box<[Node; 2]>),
    Not(Box<Node>),
    Negate(Box<Node>),
    Arithmetic(Arithmetic, Box<[Node; 2]>),
    Order(Order, Box<[Node; 2]>),
    /// `==`; with `true`, `!=`.
    Equal(bool, Box<[Node; 2]>),
    /// `in`; with `true`, `!in`.
    In(bool, Box<[Node; 2]>),
    /// `&&` of two or more.
    All(Vec<Node>),
    /// `||` of two or more.
    Any(Vec<Node>),
    /// Conditions with their values, in order, and the value if none holds.
    If(Vec<[Node; 2]>, Box<Node>),
    List(Vec<Node>),
    Map(Vec<(Name, Node)>),
    Builtin(&'static Builtin, Vec<Node>),
    Call(u32, Vec<Node>),
    /// A list and the body that is evaluated for each of its items; and how many parts of the
    /// body are the same for all of them.
    Macro(Macro, u32, Box<[Node; 2]>),
    /// A part of a body that is the same for all items, by its number.
    Once(u32, Box<Node>),
}

/// Operators from two numbers to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

/// Operators that compare two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// Methods of lists that bind a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Macro {
    Filter,
    Map,
    Exists,
    All,
    Count,
    MinBy,
    MaxBy,
    Sum,
    SortBy,
    First,
}

impl Macro {
    /// All of them with their names, as the documentation lists them.
    pub(super) const ALL: [(&'static str, Self); 10] = [
        ("filter", Self::Filter),
        ("map", Self::Map),
        ("exists", Self::Exists),
        ("all", Self::All),
        ("count", Self::Count),
        ("min_by", Self::MinBy),
        ("max_by", Self::MaxBy),
        ("sum", Self::Sum),
        ("sort_by", Self::SortBy),
        ("first", Self::First),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
    }

    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("macro", |(name, _)| name)
    }
}

impl Node {
    /// The node of `kind`, its depth and cost worked out from its children.
    pub(super) fn new(offset: usize, kind: NodeKind) -> Self {
        let mut depth = 0;
        let mut cost = 1_u32;
        kind.for_each_child(&mut |child, is_body| {
            depth = depth.max(child.depth);
            if !is_body {
                cost = cost.saturating_add(child.cost);
            }
        });
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        Self { offset, depth: depth + 1, cost, kind }
    }

    /// The value, if the node is a constant.
    pub(super) fn literal(&self) -> Option<&Value> {
        if let NodeKind::Literal(value) = &self.kind { Some(value) } else { None }
    }
}

/// Calls `visit` with each child of a node, and whether it is the body of a macro: the same for
/// reading and for changing.
macro_rules! visit_children {
    ($kind:expr, $visit:expr, $iter:ident, $($change:tt)*) => {
        match $kind {
            NodeKind::Literal(_) | NodeKind::Input(_) | NodeKind::Local(_) => {}
            NodeKind::Property(child, _) | NodeKind::Not(child) | NodeKind::Negate(child) | NodeKind::Once(_, child) => {
                $visit(child, false);
            }
            NodeKind::Index(pair)
            | NodeKind::Arithmetic(_, pair)
            | NodeKind::Order(_, pair)
            | NodeKind::Equal(_, pair)
            | NodeKind::In(_, pair) => pair.$iter().for_each(|child| $visit(child, false)),
            NodeKind::All(children)
            | NodeKind::Any(children)
            | NodeKind::List(children)
            | NodeKind::Builtin(_, children)
            | NodeKind::Call(_, children) => children.$iter().for_each(|child| $visit(child, false)),
            NodeKind::If(arms, otherwise) => {
                arms.$iter().flatten().for_each(|child| $visit(child, false));
                $visit(otherwise, false);
            }
            NodeKind::Map(entries) => entries.$iter().for_each(|(_, child)| $visit(child, false)),
            NodeKind::Macro(_, _, pair) => {
                $visit($($change)* pair[0], false);
                $visit($($change)* pair[1], true);
            }
        }
    };
}

impl NodeKind {
    /// Calls `visit` with each child, and whether it is the body of a macro.
    pub(super) fn for_each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node, bool)) {
        visit_children!(self, visit, iter, &);
    }

    /// The same, to change them.
    pub(super) fn for_each_child_mut(&mut self, visit: &mut dyn FnMut(&mut Node, bool)) {
        visit_children!(self, visit, iter_mut, &mut);
    }
}
