//! Calls with a text that is written out, for whoever knows what it names.

use rhai::{AST, ASTNode, Expr, FnCallExpr, Stmt};

use super::{ScriptSource, host::Functions};

/// A call of a bare name with a text as its first or second argument; one before the dot counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCall {
    /// The function.
    pub function: String,
    /// The text.
    pub text: String,
    /// Which argument it is, from 0.
    pub argument: usize,
    /// The keys of the map that is the next argument; none when it is not written out.
    pub keys: Option<Vec<String>>,
    /// The file as its source names it.
    pub file: String,
    /// The line of the text.
    pub line: usize,
    /// The column of the text.
    pub column: usize,
}

/// How many arguments are looked at.
const ARGUMENTS: usize = 2;

/// Every such call of a script that means no function of its own namespace.
pub(super) fn literal_calls(source: &ScriptSource, ast: &AST, functions: &Functions) -> Vec<LiteralCall> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let (call, before) = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => (call, 0),
            Some(ASTNode::Expr(Expr::MethodCall(call, _))) => (call, 1),
            _ => return true,
        };
        let own = (source.namespace.clone(), call.name.to_string(), call.args.len());
        if call.namespace.path.is_empty() && !functions.contains_key(&own) {
            let at = (0..ARGUMENTS - before).filter_map(|at| literal(&source.file, call, at, before));
            found.extend(at);
        }
        true
    });
    found
}

/// The text at a place between the brackets, with so many arguments before them.
fn literal(file: &str, call: &FnCallExpr, at: usize, before: usize) -> Option<LiteralCall> {
    let Some(Expr::StringConstant(text, position)) = call.args.get(at) else { return None };
    let keys = match call.args.get(at + 1) {
        None => Some(Vec::new()),
        Some(Expr::Map(entries, _)) => Some(entries.0.iter().map(|(key, _)| key.name.to_string()).collect()),
        Some(_) => None,
    };
    Some(LiteralCall {
        function: call.name.to_string(),
        text: text.to_string(),
        argument: at + before,
        keys,
        file: file.to_owned(),
        line: position.line()?,
        column: position.position()?,
    })
}
