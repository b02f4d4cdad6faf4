//! Properties that scripts read, and parts of what they are given that get a value, for whoever knows what there is.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Engine, Expr, Position, Stmt};

use super::{ScriptSource, indexed_variables};

/// A property that a script names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyUse {
    /// Its name.
    pub name: String,
    /// The parameter, item of a loop or thing of the game that gets it as a value; none where it is only read.
    pub gets: Option<String>,
    /// The file as its source names it.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What scripts say of properties.
#[derive(Clone, Debug, Default)]
pub struct PropertyUses {
    /// Each that they name.
    pub uses: Vec<PropertyUse>,
    /// Words that may be keys of a map: written in one, or in a text; and what the language itself has.
    pub words: BTreeSet<String>,
}

/// Functions that give things of the game, or a list of them.
const GIVE_THINGS: [&str; 9] =
    ["entity", "carrier", "all", "on", "carried", "pile", "near", "looking_at", "neighbours"];

impl PropertyUses {
    /// With what the language itself has.
    pub(super) fn new(engine: &Engine) -> Self {
        let names = engine.collect_fn_metadata(None, |function| Some(function.metadata.name.to_string()), true);
        let words = names.into_iter().map(|name| name.strip_prefix("get$").unwrap_or(&name).to_owned());
        Self { uses: Vec::new(), words: words.collect() }
    }

    /// Adds those of a script.
    pub(super) fn add(&mut self, source: &ScriptSource, ast: &AST) {
        let assigned = indexed_variables(ast);
        self.words.extend(assigned);
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Property(property, position))) => {
                    self.uses.extend(property_use(source, &property.2, None, *position));
                }
                Some(ASTNode::Expr(Expr::Map(entries, _))) => {
                    self.words.extend(entries.0.iter().map(|(key, _)| key.name.to_string()));
                }
                Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                    self.words.insert(text.to_string());
                }
                _ => {}
            }
            true
        });
        for Written { given, own, writes, .. } in written(ast) {
            for (root, property, position) in writes {
                if given.contains(&root) && !own.contains(&root) {
                    self.uses.extend(property_use(source, &property, Some(root), position));
                } else {
                    // A key of a map of its own.
                    self.words.insert(property);
                }
            }
        }
    }
}

/// What a function says of its variables.
struct Written {
    from: (usize, usize),
    to: (usize, usize),
    /// Those that it is given: its parameters, items of its loops, things of the game.
    given: BTreeSet<String>,
    /// Those that it makes.
    own: BTreeSet<String>,
    /// Properties that get a value, with the variable before them.
    writes: Vec<(String, String, Position)>,
}

fn place_of(at: Position) -> (usize, usize) {
    (at.line().unwrap_or_default(), at.position().unwrap_or_default())
}

fn written(ast: &AST) -> Vec<Written> {
    let functions = ast.iter_fn_def().map(|function| Written {
        from: place_of(function.body.start_position()),
        to: place_of(function.body.end_position()),
        given: function.params.iter().map(ToString::to_string).collect(),
        own: BTreeSet::new(),
        writes: Vec::new(),
    });
    let mut found: Vec<Written> = functions.collect();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(statement)) = path.last() {
            let at = place_of(statement.position());
            if let Some(function) = found.iter_mut().find(|function| function.from <= at && at <= function.to) {
                note(statement, &mut function.given, &mut function.own, &mut function.writes);
            }
        }
        true
    });
    found
}

fn property_use(source: &ScriptSource, name: &str, gets: Option<String>, at: Position) -> Option<PropertyUse> {
    let (line, column) = (at.line()?, at.position()?);
    Some(PropertyUse { name: name.to_owned(), gets, file: source.file.clone(), line, column })
}

/// What a statement says of variables: that they are given, or made by the function; and what gets a value.
fn note(
    statement: &Stmt,
    given: &mut BTreeSet<String>,
    own: &mut BTreeSet<String>,
    writes: &mut Vec<(String, String, Position)>,
) {
    match statement {
        Stmt::Var(variable, ..) if gives_things(&variable.1) => {
            given.insert(variable.0.name.to_string());
        }
        Stmt::Var(variable, ..) => {
            own.insert(variable.0.name.to_string());
        }
        Stmt::For(parts, _) => {
            given.insert(parts.0.name.to_string());
        }
        Stmt::Assignment(assignment) => match &assignment.1.lhs {
            Expr::Dot(chain, ..) => {
                if let (Expr::Variable(variable, ..), Expr::Property(property, position)) = (&chain.lhs, &chain.rhs) {
                    writes.push((variable.1.to_string(), property.2.to_string(), *position));
                }
            }
            Expr::Variable(variable, ..) => {
                own.insert(variable.1.to_string());
            }
            _ => {}
        },
        _ => {}
    }
}

/// Whether an expression is sure to give something of the game: `entity("x")`, `all("x")[0]`.
fn gives_things(expr: &Expr) -> bool {
    let is_call = |expr: &Expr, list: bool| match expr {
        Expr::FnCall(call, _) => {
            let place = GIVE_THINGS.iter().position(|name| *name == call.name.as_str());
            call.namespace.path.is_empty() && place.is_some_and(|place| (place > 1) == list)
        }
        _ => false,
    };
    match expr {
        Expr::Index(chain, ..) => is_call(&chain.lhs, true),
        other => is_call(other, false),
    }
}
