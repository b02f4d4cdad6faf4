//! What can be said of an expression without evaluating it: the type of what it gives, operands
//! that can never fit, and which functions it calls in which way.
//!
//! Types are told by the words of the documentation: `bool`, `int`, `list`, `map`, `name`,
//! `entity`, `space`. What depends on variables has no type here, so nothing is refused that
//! could be right.

use super::{
    Expr,
    ast::{Arithmetic, Macro, Node, NodeKind},
    hoist::hoisted,
};
use crate::base::{Name, Value};

/// Types that are told apart.
const TYPES: [&str; 7] = ["bool", "int", "list", "map", "name", "entity", "space"];
/// How many calls lie in each other at most when the type of what one gives is looked for.
const CALLS_MAX: u32 = 8;

/// What is known of the functions and properties of a game.
pub trait Types {
    /// What a function of the host gives: a type, or the expression that it stands for.
    fn of_call(&self, function: u32) -> Given<'_>;
    /// The type of a property, if it has one wherever it is.
    fn of_property(&self, property: Name) -> Option<&str>;
}

/// What a function gives.
pub enum Given<'a> {
    /// Something of this type, as the documentation of it says.
    Type(&'a str),
    /// The value of another expression.
    Expr(&'a Expr),
    /// Nobody knows.
    Unknown,
}

/// An operand that can never fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Its place in the text.
    pub offset: usize,
    /// The type that is needed.
    pub wanted: &'static str,
    /// The type that it has.
    pub found: &'static str,
}

/// A call of a function of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallUse {
    /// The function.
    pub function: u32,
    /// How many arguments it gets.
    pub n_args: usize,
    /// The first argument, if it is written out.
    pub first: Option<Value>,
    /// The second argument, if it is written out.
    pub second: Option<Value>,
    /// Whether every evaluation of the expression comes to it.
    pub certain: bool,
    /// Whether an argument is something less a number.
    pub less: bool,
}

/// What a function says of the first variable and a name, if that is known.
pub(in crate::rules) type Says<'a> = dyn Fn(u32, Name) -> Option<bool> + 'a;

/// What is left of a condition when a part of it is known.
#[derive(Clone, Debug)]
pub(in crate::rules) enum Left<T = Expr> {
    /// Nothing: it holds or not.
    Holds(bool),
    /// A shorter one.
    Of(Box<T>),
}

impl Expr {
    /// The first operand that can never fit; `wanted` is what the whole has to be.
    #[must_use]
    pub fn misfit(&self, wanted: Option<&'static str>, types: &dyn Types) -> Option<Misfit> {
        let mut found = None;
        if let Some(wanted) = wanted {
            need(&self.root, wanted, types, &mut found);
        }
        walk(&self.root, types, &mut found);
        found
    }

    /// How many steps one evaluation makes at most, where each macro counts its body a few times.
    #[must_use]
    pub fn n_steps(&self) -> u32 {
        let mut n_steps = 0_u32;
        let mut nodes = vec![&self.root];
        while let Some(node) = nodes.pop() {
            n_steps += if matches!(node.kind, NodeKind::Macro(..)) { 12 } else { 1 };
            node.kind.for_each_child(&mut |child, _| nodes.push(child));
        }
        n_steps
    }

    /// What is left of a condition if `says` knows of some functions what they say of the first
    /// variable and a name that is written out.
    pub(in crate::rules) fn given(&self, says: &Says<'_>) -> Left {
        match left(&self.root, says) {
            Left::Holds(holds) => Left::Holds(holds),
            Left::Of(node) => Left::Of(Box::new(Expr { run: hoisted(&node), root: *node, ..self.clone() })),
        }
    }

    /// Of a list of one or two arguments: the first, which must be a written name, and the keys of
    /// the map behind it, if that is written out; without a second argument there are no keys.
    #[must_use]
    pub fn written_out(&self) -> Option<(Name, Option<Vec<Name>>)> {
        let keys_of = |node: &Node| match &node.kind {
            NodeKind::Map(entries) => Some(entries.iter().map(|(key, _)| *key).collect()),
            NodeKind::Literal(value) => value.as_map().map(|map| map.keys().copied().collect()),
            _ => None,
        };
        match &self.root.kind {
            NodeKind::Literal(value) => match value.as_items()? {
                [first] => Some((first.as_name()?, Some(Vec::new()))),
                [first, map] => Some((first.as_name()?, map.as_map().map(|map| map.keys().copied().collect()))),
                _ => None,
            },
            NodeKind::List(items) => match &items[..] {
                [first] => Some((first.literal()?.as_name()?, Some(Vec::new()))),
                [first, map] => Some((first.literal()?.as_name()?, keys_of(map))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it reads the variable of a number.
    #[must_use]
    pub fn reads(&self, variable: u32) -> bool {
        fn looks(node: &Node, variable: u32) -> bool {
            let mut found = matches!(node.kind, NodeKind::Input(slot) if slot == variable);
            node.kind.for_each_child(&mut |child, _| found |= looks(child, variable));
            found
        }
        looks(&self.root, variable)
    }

    /// Every call of a function of the host, in the order of the text.
    #[must_use]
    pub fn calls(&self) -> Vec<CallUse> {
        let mut found = Vec::new();
        collect(&self.root, true, &mut found);
        found
    }
}

/// What is left of a condition, a part of which is known.
fn left(node: &Node, says: &Says<'_>) -> Left<Node> {
    let of = |terms: &[Node], decisive: bool, kind: fn(Vec<Node>) -> NodeKind| {
        let mut open = Vec::new();
        for term in terms {
            match left(term, says) {
                Left::Holds(holds) if holds == decisive => return Left::Holds(holds),
                Left::Holds(_) => {}
                Left::Of(term) => open.push(*term),
            }
        }
        match open.len() {
            0 => Left::Holds(!decisive),
            1 => Left::Of(Box::new(open.remove(0))),
            _ => Left::Of(Box::new(Node::new(node.offset as usize, kind(open)))),
        }
    };
    let known = match &node.kind {
        NodeKind::All(terms) => return of(terms, false, NodeKind::All),
        NodeKind::Any(terms) => return of(terms, true, NodeKind::Any),
        NodeKind::Call(function, arguments) => match &arguments[..] {
            [Node { kind: NodeKind::Input(0), .. }, named] => {
                named.literal().and_then(Value::as_name).and_then(|name| says(*function, name))
            }
            _ => None,
        },
        _ => None,
    };
    known.map_or_else(|| Left::Of(Box::new(node.clone())), Left::Holds)
}

/// The known type that the words of a documentation begin with, such as `list<name>?`.
fn plain(text: &str) -> Option<&'static str> {
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let word = match word {
        "set" => "list",
        "facing" => "name",
        word => word,
    };
    TYPES.into_iter().find(|known| *known == word)
}

fn type_of(node: &Node, types: &dyn Types, depth: u32) -> Option<&'static str> {
    Some(match &node.kind {
        NodeKind::Literal(value) => match value {
            Value::None => return None,
            other => return plain(other.type_name()),
        },
        NodeKind::Not(_)
        | NodeKind::Order(..)
        | NodeKind::Equal(..)
        | NodeKind::In(..)
        | NodeKind::All(_)
        | NodeKind::Any(_) => "bool",
        NodeKind::Negate(_) | NodeKind::Arithmetic(..) => "int",
        NodeKind::List(_) => "list",
        NodeKind::Map(_) => "map",
        NodeKind::Once(_, part) => return type_of(part, types, depth),
        NodeKind::Macro(which, ..) => match which {
            Macro::Exists | Macro::All => "bool",
            Macro::Count | Macro::Sum => "int",
            Macro::First => return None,
            _ => "list",
        },
        NodeKind::If(arms, otherwise) => {
            let first = type_of(otherwise, types, depth)?;
            let same = arms.iter().all(|[_, value]| type_of(value, types, depth) == Some(first));
            return same.then_some(first);
        }
        NodeKind::Builtin(function, _) => return plain(function.result),
        NodeKind::Call(function, _) => match types.of_call(*function) {
            Given::Type(text) => return plain(text),
            Given::Expr(expr) if depth < CALLS_MAX => return type_of(&expr.root, types, depth + 1),
            _ => return None,
        },
        NodeKind::Property(_, property) => return types.of_property(*property).and_then(plain),
        NodeKind::Input(_) | NodeKind::Local(_) | NodeKind::Index(_) => return None,
    })
}

fn need(node: &Node, wanted: &'static str, types: &dyn Types, found: &mut Option<Misfit>) {
    if found.is_none()
        && let Some(has) = type_of(node, types, 0).filter(|has| *has != wanted)
    {
        *found = Some(Misfit { offset: node.offset as usize, wanted, found: has });
    }
}

fn walk(node: &Node, types: &dyn Types, found: &mut Option<Misfit>) {
    let mut needs = |node: &Node, wanted| need(node, wanted, types, found);
    match &node.kind {
        NodeKind::All(terms) | NodeKind::Any(terms) => terms.iter().for_each(|term| needs(term, "bool")),
        NodeKind::Not(inner) => needs(inner, "bool"),
        NodeKind::Negate(inner) => needs(inner, "int"),
        NodeKind::Arithmetic(_, pair) | NodeKind::Order(_, pair) => pair.iter().for_each(|side| needs(side, "int")),
        NodeKind::If(arms, _) => arms.iter().for_each(|[condition, _]| needs(condition, "bool")),
        NodeKind::Macro(which, _, pair) => {
            needs(&pair[0], "list");
            match which {
                Macro::Filter | Macro::Exists | Macro::All | Macro::Count | Macro::First => needs(&pair[1], "bool"),
                Macro::MinBy | Macro::MaxBy | Macro::Sum | Macro::SortBy => needs(&pair[1], "int"),
                Macro::Map => {}
            }
        }
        _ => {}
    }
    node.kind.for_each_child(&mut |child, _| walk(child, types, found));
}

fn collect(node: &Node, certain: bool, found: &mut Vec<CallUse>) {
    match &node.kind {
        // Only the first operand of these is always looked at.
        NodeKind::All(terms) | NodeKind::Any(terms) => {
            terms.iter().enumerate().for_each(|(index, term)| collect(term, certain && index == 0, found));
        }
        NodeKind::If(arms, otherwise) => {
            for (index, [condition, value]) in arms.iter().enumerate() {
                collect(condition, certain && index == 0, found);
                collect(value, false, found);
            }
            collect(otherwise, false, found);
        }
        NodeKind::Macro(_, _, pair) => {
            collect(&pair[0], certain, found);
            collect(&pair[1], false, found);
        }
        kind => {
            if let NodeKind::Call(function, args) = kind {
                let less = args.iter().any(|arg| matches!(arg.kind, NodeKind::Arithmetic(Arithmetic::Subtract, _)));
                let written = |argument: usize| args.get(argument).and_then(Node::literal).cloned();
                let (first, second) = (written(0), written(1));
                found.push(CallUse { function: *function, n_args: args.len(), first, second, certain, less });
            }
            kind.for_each_child(&mut |child, _| collect(child, certain, found));
        }
    }
}
