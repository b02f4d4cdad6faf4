//! Every function that the engine gives to scripts and expressions, as `scripts/README.md` and
//! `sandtable list --functions` tell of them.

use super::{ACTING, QUERIES, expr::BUILTINS};
use crate::script::FunctionDoc;

/// When those fail that only look or reckon.
pub const BAD_ARGUMENT: &str = "An argument of another type, or of a name that is not there.";

/// Functions of one sort.
pub struct FunctionPart {
    /// What they do.
    pub title: &'static str,
    /// Who may call them.
    pub about: &'static str,
    /// The functions.
    pub functions: Vec<FunctionEntry>,
}

/// One function.
pub struct FunctionEntry {
    /// Its name.
    pub name: &'static str,
    /// The least and the greatest number of arguments.
    pub args: (usize, usize),
    /// What is told of it.
    pub doc: FunctionDoc,
}

/// Every function of the engine: those that act, that look, and that reckon.
#[must_use]
pub fn reference() -> Vec<FunctionPart> {
    let entry = |name, args, signature: String, text: &str, errors: &str, example: &str| FunctionEntry {
        name,
        args,
        doc: FunctionDoc { signature, text: sentence(text), errors: sentence(errors), example: example.into() },
    };
    let acting = ACTING.iter().map(|it| entry(it.name, it.args, it.signature.into(), it.doc, it.errors, it.example));
    let queries =
        QUERIES.iter().map(|it| entry(it.name, it.args, it.signature.into(), it.doc, BAD_ARGUMENT, it.example));
    let builtins = BUILTINS.iter().map(|it| {
        let signature = format!("{}({}) -> {}", it.name, it.args, it.result);
        entry(it.name, (it.args_min, it.args_max), signature, it.doc, BAD_ARGUMENT, it.example)
    });
    vec![
        FunctionPart {
            title: "Acting",
            about: "Scripts only; each may record, draw or ask.",
            functions: acting.collect(),
        },
        FunctionPart {
            title: "Looking",
            about: "Scripts and expressions; the world and the board. Each fails on an argument of another type, or of a name that is not there.",
            functions: queries.collect(),
        },
        FunctionPart {
            title: "Reckoning",
            about: "Scripts and expressions; lists, maps and numbers. Each fails on an argument of another type.",
            functions: builtins.collect(),
        },
    ]
}

/// A text that begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}
