//! What of an expression depends on one thing alone: on its own state, and on what is the same for all.
//!
//! In `units.filter(u, u.alert && !u.at.is_thing("marsh"))` the condition reads nothing of other
//! units. Such a part becomes [`NodeKind::Own`], whose value is remembered for each thing until it
//! changes itself, or one of the few parts of the world that are read beside it.

use super::{
    Expr,
    ast::{Node, NodeKind},
};
use crate::base::Name;

/// The deepest nesting of terms that is looked through.
const TERMS_DEEP_MAX: u32 = 6;
/// The fewest nodes that take longer to work out than to look up.
const WORTH: u32 = 3;
/// The most nodes that are looked through for one part.
const NODES_MAX: u32 = 1000;

/// What a function of the host reads beside its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Beside {
    /// Nothing that changes.
    Nothing,
    /// Where those of its arguments are that are entities, which these may be.
    Places(&'static [usize]),
    /// Of which kind its first argument is.
    Kind,
    /// The property of the table that its first argument names.
    Table,
    /// More.
    Else,
}

/// What is the same for all things, and read beside a thing itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Common {
    /// Of which kinds other things are.
    Kinds,
    /// A property of the table.
    Table(Name),
}

/// The host's functions, as far as this needs to know them.
pub(in crate::rules) trait Functions {
    /// The expression of a function that has one.
    fn term(&self, function: u32) -> Option<&Expr>;
    /// What another reads.
    fn beside(&self, function: u32) -> Beside;
}

/// What a value is to the thing that is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The thing itself.
    Thing,
    /// Where it is.
    Place,
    /// Something else.
    Plain,
}

impl Expr {
    /// Marks what depends on one thing alone; `keep` numbers each such part by what it reads beside it.
    pub(in crate::rules) fn mark_own(
        &mut self,
        functions: &dyn Functions,
        keep: &mut dyn FnMut(Vec<Common>) -> u32,
    ) {
        if self.n_variables == 1 {
            let mut look = Look::new(functions, vec![Some(Sort::Thing)], None);
            if look.is_worth(&self.run) {
                wrap(&mut self.run, true, keep(look.common));
                return;
            }
        }
        in_bodies(&mut self.run, functions, keep);
    }
}

fn in_bodies(node: &mut Node, functions: &dyn Functions, keep: &mut dyn FnMut(Vec<Common>) -> u32) {
    if let NodeKind::Macro(_, _, pair) = &mut node.kind {
        let mut look = Look::new(functions, Vec::new(), Some(Sort::Thing));
        if look.is_worth(&pair[1]) {
            wrap(&mut pair[1], false, keep(look.common));
            in_bodies(&mut pair[0], functions, keep);
            return;
        }
    }
    node.kind.for_each_child_mut(&mut |child, _| in_bodies(child, functions, keep));
}

fn wrap(node: &mut Node, of_input: bool, number: u32) {
    let inner = std::mem::replace(&mut node.kind, NodeKind::All(Vec::new()));
    let inner = Node { offset: node.offset, depth: node.depth, cost: node.cost, kind: inner };
    node.kind = NodeKind::Own(number, of_input, Box::new(inner));
}

/// A look through an expression.
struct Look<'f> {
    functions: &'f dyn Functions,
    /// What is known of the variables that the caller gives.
    inputs: Vec<Option<Sort>>,
    /// What the variable is that the macro around has bound.
    local: Option<Sort>,
    common: Vec<Common>,
    n_nodes: u32,
    deep: u32,
}

impl<'f> Look<'f> {
    fn new(functions: &'f dyn Functions, inputs: Vec<Option<Sort>>, local: Option<Sort>) -> Self {
        Self { functions, inputs, local, common: Vec::new(), n_nodes: 0, deep: 0 }
    }

    /// Whether a part depends on its thing alone, does so at all, and takes longer than looking it up.
    fn is_worth(&mut self, node: &Node) -> bool {
        self.sort(node).is_some_and(|sort| sort == Sort::Plain) && self.n_nodes >= WORTH
    }

    /// What the value of a node is; none if it depends on more than the thing.
    fn sort(&mut self, node: &Node) -> Option<Sort> {
        self.n_nodes += 1;
        if self.n_nodes > NODES_MAX {
            return None;
        }
        match &node.kind {
            NodeKind::Input(slot) => return self.inputs.get(*slot as usize).copied().flatten(),
            NodeKind::Local(0) => return self.local,
            NodeKind::Local(_) | NodeKind::Macro(..) => return None,
            NodeKind::Property(of, property) => return self.property(of, *property),
            NodeKind::Call(function, arguments) => return self.call(*function, arguments),
            NodeKind::Once(_, part) | NodeKind::Own(_, _, part) => return self.sort(part),
            _ => {}
        }
        let mut is_own = true;
        node.kind.for_each_child(&mut |child, _| is_own = is_own && self.sort(child).is_some());
        is_own.then_some(Sort::Plain)
    }

    fn property(&mut self, of: &Node, property: Name) -> Option<Sort> {
        match (self.sort(of)?, property.as_str()) {
            (Sort::Thing, "at") => Some(Sort::Place),
            (Sort::Thing, _) | (Sort::Place, "name" | "things" | "region") => Some(Sort::Plain),
            _ => None,
        }
    }

    fn call(&mut self, function: u32, arguments: &[Node]) -> Option<Sort> {
        let sorts = arguments.iter().map(|argument| self.sort(argument)).collect::<Option<Vec<Sort>>>()?;
        if let Some(term) = self.functions.term(function) {
            if self.deep >= TERMS_DEEP_MAX {
                return None;
            }
            let inputs = std::mem::replace(&mut self.inputs, sorts.into_iter().map(Some).collect());
            let local = self.local.take();
            self.deep += 1;
            let sort = self.sort(&term.root);
            self.deep -= 1;
            (self.inputs, self.local) = (inputs, local);
            return sort;
        }
        match self.functions.beside(function) {
            Beside::Nothing => {}
            Beside::Places(which) => {
                let is_its_own = |place: &usize| match (sorts.get(*place), arguments.get(*place)) {
                    (Some(Sort::Plain), Some(argument)) => argument.literal().is_some(),
                    _ => true,
                };
                if !which.iter().all(is_its_own) {
                    return None;
                }
            }
            Beside::Kind => {
                if sorts.first() != Some(&Sort::Thing) {
                    self.common.push(Common::Kinds);
                }
            }
            Beside::Table => self.common.push(Common::Table(arguments.first()?.literal()?.as_name()?)),
            Beside::Else => return None,
        }
        Some(Sort::Plain)
    }
}
