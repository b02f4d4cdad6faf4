//! Calls whose first argument is written out, for whoever knows what it names.

use rhai::{AST, ASTNode, Expr, FnCallExpr, Stmt};

use super::{ScriptSource, host::Functions};

/// A call of a bare name with a text as its first argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCall {
    /// The function.
    pub function: String,
    /// The text.
    pub first: String,
    /// The keys of the map that is its second argument; none when it is not written out.
    pub keys: Option<Vec<String>>,
    /// The file as its source names it.
    pub file: String,
    /// The line of the text.
    pub line: usize,
    /// The column of the text.
    pub column: usize,
}

/// Every such call of a script that means no function of its own namespace.
pub(super) fn literal_calls(source: &ScriptSource, ast: &AST, functions: &Functions) -> Vec<LiteralCall> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) = path.last() {
            let own = (source.namespace.clone(), call.name.to_string(), call.args.len());
            if call.namespace.path.is_empty() && !functions.contains_key(&own) {
                found.extend(literal(&source.file, call));
            }
        }
        true
    });
    found
}

fn literal(file: &str, call: &FnCallExpr) -> Option<LiteralCall> {
    let Some(Expr::StringConstant(first, position)) = call.args.first() else { return None };
    let keys = match call.args.get(1) {
        None => Some(Vec::new()),
        Some(Expr::Map(entries, _)) => Some(entries.0.iter().map(|(key, _)| key.name.to_string()).collect()),
        Some(_) => None,
    };
    Some(LiteralCall {
        function: call.name.to_string(),
        first: first.to_string(),
        keys,
        file: file.to_owned(),
        line: position.line()?,
        column: position.position()?,
    })
}
