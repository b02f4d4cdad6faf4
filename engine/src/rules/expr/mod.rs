//! The expression language of conditions, candidates, values and effects in content.
//!
//! The syntax is Rhai's for expressions without statements, plus list macros that bind a
//! variable: `units.filter(x, x.side == "red" && x.health > 0)`. An expression is parsed
//! once against the names that are known where it stands, and then evaluated natively,
//! any number of times, without comparing texts.
//!
//! * **Literals**: `3`, `true`, `none` or `()`, `"name"` or `'name'`, `[1, 2]`, `#{a: 1}`.
//! * **Operators**, loosest first: `||`; `&&`; `==` `!=`; `in` `!in`; `<` `<=` `>` `>=`;
//!   `+` `-`; `*` `/` `%`; `!` and `-` before; `.` and `[ ]` behind.
//! * **Choice**: `if c { a } else if d { b } else { e }`; the last `else` is required.
//! * **Calls**: `f(a, b)` or `a.f(b)`; the functions of [`BUILTINS`] and of the [`Scope`].
//! * **Macros**: [`MACROS`].
//!
//! What always holds: arithmetic is checked; nothing converts silently; `==` of different
//! types is false; `&&`, `||`, `if` want bools and look no further than they must; depth,
//! text and lists are bounded; no input panics. Expressions change nothing: what could
//! change a world is not here.

mod lex;
mod parse;
mod ast;
mod eval;
mod functions;
mod hoist;
mod host;
mod lists;
mod shape;
mod compare;

pub use compare::Compared;
pub use eval::Kept;
pub use functions::{BUILTINS, Builtin, Charge, builtin};
pub use host::{Host, NoWorld};
pub(in crate::rules) use shape::Left;
pub use shape::{CallUse, Given, Misfit, Types};

use crate::base::{Name, Value};

/// The longest text of an expression in bytes.
pub const TEXT_BYTES_MAX: usize = 4096;
/// How deep an expression may nest.
pub const DEPTH_MAX: u32 = 64;
/// The most items of a list that an expression makes.
pub const LIST_ITEMS_MAX: usize = 4096;

/// The list macros: name, form, meaning.
pub const MACROS: [(&str, &str, &str); 10] = [
    ("filter", "list.filter(x, condition)", "the items for which the condition holds"),
    ("map", "list.map(x, value)", "the value for each item"),
    ("exists", "list.exists(x, condition)", "whether the condition holds for an item"),
    ("all", "list.all(x, condition)", "whether the condition holds for every item"),
    ("count", "list.count(x, condition)", "for how many items the condition holds"),
    ("min_by", "list.min_by(x, number)", "all items with the least number, in their order"),
    ("max_by", "list.max_by(x, number)", "all items with the greatest number, in their order"),
    ("sum", "list.sum(x, number)", "the sum of the numbers"),
    ("sort_by", "list.sort_by(x, number)", "the items by rising number, equal ones in their order"),
    ("first", "list.first(x, condition)", "the first item for which the condition holds, or none"),
];

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Expr {
    text: String,
    /// As it is written.
    root: ast::Node,
    /// As it is evaluated.
    run: ast::Node,
    /// How many parts do not depend on the last variables.
    n_kept: u32,
    n_variables: usize,
    literals: Vec<IntLiteral>,
    properties: Vec<(Name, usize)>,
    functions: Vec<(u32, usize)>,
}

/// A number that is written in an expression, with the sign before it.
///
/// `text[offset..offset + len]` may be replaced by another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLiteral {
    /// Its first byte in the text.
    pub offset: usize,
    /// Its length in bytes.
    pub len: usize,
    /// The number.
    pub value: i64,
}

/// Why a text is not an expression.
///
/// # Resolution
///
/// Correct the text at `offset`; `expected` says what would fit there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseFault {
    /// The first byte that is wrong.
    pub offset: usize,
    /// How many bytes are wrong; 0 at the end of the text.
    pub len: usize,
    /// What is wrong.
    pub message: String,
    /// What could stand there: a symbol, or the nearest known name, in backquotes.
    pub expected: Option<String>,
}

/// Why an expression has no value.
///
/// # Resolution
///
/// Ask first what the message says is missing (`is_none(x)`, `len(list) > 0`), or give the
/// operator what it needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// What is wrong.
    pub message: String,
    /// Where in the expression; none until the evaluator adds it.
    pub offset: Option<usize>,
}

/// A fault takes no more room in a result than a value.
pub type EvalFault = Box<EvalError>;

impl EvalError {
    /// A fault whose place the evaluator adds.
    #[must_use]
    pub fn fault(message: impl Into<String>) -> EvalFault {
        Box::new(Self { message: message.into(), offset: None })
    }

    fn at(mut self: Box<Self>, offset: u32) -> EvalFault {
        self.offset.get_or_insert(offset as usize);
        self
    }
}

impl From<String> for EvalFault {
    fn from(message: String) -> Self {
        EvalError::fault(message)
    }
}

/// A function that the host offers: its number and how many arguments it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionSig {
    /// What [`Host::call`] is given.
    pub id: u32,
    /// The fewest arguments, the one before the point counted.
    pub args_min: usize,
    /// The most arguments.
    pub args_max: usize,
}

/// The functions and properties that are known where an expression stands.
///
/// Functions of [`BUILTINS`] are always known and come first.
pub trait Scope {
    /// The function called `name`.
    fn function(&self, name: &str) -> Option<FunctionSig>;
    /// The names of all functions, for messages.
    fn function_names(&self) -> Vec<String>;
    /// Whether anything has a property called `name`.
    fn property_known(&self, name: &str) -> bool;
    /// The names of all properties, for messages.
    fn property_names(&self) -> Vec<String>;
}

impl Expr {
    /// Compiles `text`, in which `variables` and what `scope` knows may occur.
    ///
    /// # Errors
    ///
    /// All unknown names and wrong numbers of arguments at once, in the order of the text;
    /// of malformed syntax, the first.
    pub fn parse(text: &str, variables: &[Name], scope: &dyn Scope) -> Result<Self, Vec<ParseFault>> {
        parse::parse(text, variables, scope)
    }

    /// The text that was compiled.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The numbers in the text, in its order.
    #[must_use]
    pub fn literals(&self) -> &[IntLiteral] {
        &self.literals
    }

    /// The properties that are read, each with its place, in the order of the text.
    #[must_use]
    pub fn properties(&self) -> &[(Name, usize)] {
        &self.properties
    }

    /// The host's functions that are called, each with its place, in the order of the text.
    #[must_use]
    pub fn functions(&self) -> &[(u32, usize)] {
        &self.functions
    }

    /// The calls of the host's functions: which, its first argument if that is a name written
    /// there, and whether the result is only counted (`len`, `is_empty`).
    #[must_use]
    pub fn reads_by_name(&self) -> Vec<(u32, Option<Name>, bool)> {
        let mut found = Vec::new();
        let mut nodes = vec![(&self.root, false)];
        while let Some((node, is_counted)) = nodes.pop() {
            if let ast::NodeKind::Call(function, arguments) = &node.kind {
                let named = arguments.first().and_then(|argument| argument.literal()?.as_name());
                found.push((*function, named, is_counted));
            }
            let counts = matches!(&node.kind, ast::NodeKind::Builtin(it, _) if ["len", "is_empty"].contains(&it.name));
            node.kind.for_each_child(&mut |child, _| nodes.push((child, counts)));
        }
        found
    }

    /// The value, if it depends on nothing.
    #[must_use]
    pub fn constant(&self) -> Option<&Value> {
        self.root.literal()
    }

    /// How many items it lists, if it is written as a list.
    #[must_use]
    pub fn n_items(&self) -> Option<usize> {
        match &self.root.kind {
            ast::NodeKind::List(items) => Some(items.len()),
            ast::NodeKind::Literal(value) => value.as_items().map(<[Value]>::len),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
