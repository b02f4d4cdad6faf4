//! The `script` layer: a closed room in which Rhai functions run.
//!
//! A script sees values, the functions it is given from above, and nothing else: no files,
//! no clock, no way to make code at run time. Every limit is stated in `limits`. What is
//! *not* here: any meaning. The host knows neither content nor rules.
//!
//! * A *namespace* is made of one or more sources; a later source's function replaces an
//!   earlier one of the same name and number of parameters.
//! * A *host function* comes from above and is called by its bare name or as a method.
//! * A [`Stop`] from a host function ends every script that is running;
//!   no script can catch it.
//!
//! The second half of this file is the loading: sources become one module per namespace,
//! and every defect of every file is collected.

mod convert;
mod engine;
mod host;
mod handles;
mod limits;
mod literals;
mod properties;
mod reserved;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use rhai::{
    AST, ASTFlags, ASTNode, Engine, EvalAltResult, Expr, FnCallExpr, Module, Position, Scope, Stmt, is_valid_identifier,
};

pub use host::ScriptHost;
pub use limits::{
    ARRAY_ITEMS_MAX, CALL_DEPTH_MAX, EXPRESSION_DEPTHS_MAX, FILE_BYTES_MAX, FUNCTIONS_MAX, IDENTIFIER_BYTES_MAX,
    MAP_ENTRIES_MAX, STEP_OPERATIONS_MAX, STRING_BYTES_MAX, VALUE_DEPTH_MAX, VARIABLES_MAX, with_stack,
};
pub use literals::LiteralCall;
pub use properties::{PropertyUse, PropertyUses};
pub use reserved::RESERVED;

use host::{Functions, Place};

use crate::{
    base::{Name, Value},
    kernel::Stop,
};

/// The text of one script file.
#[derive(Clone, Debug)]
pub struct ScriptSource {
    /// The namespace that its functions join.
    pub namespace: String,
    /// Its path relative to the pack, for messages.
    pub file: String,
    /// What it says.
    pub text: Arc<str>,
}

/// What a script's author reads about a host function.
#[derive(Clone, Debug, Default)]
pub struct FunctionDoc {
    /// Such as `distance(a, b) -> int`.
    pub signature: String,
    /// What it does.
    pub text: String,
    /// When it fails.
    pub errors: String,
    /// A line of script that uses it.
    pub example: String,
}

/// What a host function does: values in, a value or the end of the step out.
pub type ScriptRun = Rc<dyn Fn(&[Value]) -> Result<Value, Stop>>;

/// What gives a property of a handle.
pub type Read = Rc<dyn Fn(&Value, Name) -> Result<Value, Stop>>;

/// Who reads a property of a handle.
#[derive(Clone)]
pub struct PropertyRead {
    /// What is read by name: found at once, every other name with a detour.
    pub names: Vec<Name>,
    /// What reads it.
    pub read: Read,
}

/// A function that scripts can call.
#[derive(Clone)]
pub struct ScriptFunction {
    /// Its bare name.
    pub name: String,
    /// The fewest and the most arguments; the one before the dot counts.
    pub args: (usize, usize),
    /// What its caller should know.
    pub doc: FunctionDoc,
    /// What it does.
    pub run: ScriptRun,
}

/// Something wrong with a script before any of it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptDefect {
    /// Stable, such as `script.syntax`.
    pub code: &'static str,
    /// The file as its source names it.
    pub file: String,
    /// From 1; 0 when the whole file is meant.
    pub line: usize,
    /// From 1; 0 when the whole line is meant.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
}

/// What expressions can do with lists by a variable, and scripts cannot.
const MACROS: [&str; 10] = ["filter", "map", "exists", "all", "count", "first", "min_by", "max_by", "sum", "sort_by"];

/// Functions of the language itself, which no package lists.
const WORDS_OF_THE_LANGUAGE: [&str; 3] = ["print", "debug", "type_of"];

/// The file of each namespace that is written in only one.
fn single_files(sources: &[ScriptSource]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources {
        files.entry(source.namespace.clone()).or_default().push(&source.file);
    }
    files.into_iter().filter(|(_, files)| files.len() == 1).map(|(space, files)| (space, files[0].to_owned())).collect()
}

/// ` (did you mean x?)`, or nothing when nothing is near.
fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| (strsim::damerau_levenshtein(wanted, name), name))
        .min()
        .filter(|(distance, name)| *distance <= (name.len() / 3).max(1))
        .map_or_else(String::new, |(_, name)| format!(" (did you mean {name}?)"))
}

/// The remedy for a function that is not there.
fn remedy<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> String {
    match nearest(wanted, names).trim().strip_prefix('(').and_then(|near| near.strip_suffix(')')) {
        Some(near) if !near.contains(&format!(" {wanted}?")) => near.to_owned(),
        Some(_) => "give it as many arguments as it has parameters".into(),
        None => "write it; scripts/README.md names the functions of the engine".into(),
    }
}

/// What came of the sources.
struct Loaded {
    /// The namespaces.
    modules: BTreeMap<String, Rc<Module>>,
    /// Their functions.
    functions: Functions,
    /// The variables into which some script assigns by index.
    indexed: BTreeSet<String>,
    /// Calls with a text as their first argument.
    literals: Vec<LiteralCall>,
    /// Properties that they name.
    properties: PropertyUses,
}

/// Compiles and checks every source, and registers each namespace.
fn load(
    engine: &mut Engine,
    sources: &[ScriptSource],
    host: &[(String, usize, usize)],
) -> Result<Loaded, Vec<ScriptDefect>> {
    let names: BTreeSet<&str> = sources.iter().map(|source| source.namespace.as_str()).collect();
    for name in &names {
        engine.register_static_module(*name, Module::new().into());
    }
    let mut defects = Vec::new();
    let mut compiled: Vec<(&ScriptSource, AST)> = Vec::new();
    for source in sources {
        match compile(engine, source) {
            Ok(ast) => compiled.push((source, ast)),
            Err(defect) => defects.push(defect),
        }
    }
    let functions = functions_of(&compiled);
    // With a file missing, its functions would be missed everywhere else too.
    let whole = defects.is_empty();
    let known = Known { host, functions: &functions, package: package_functions(engine) };
    for (source, ast) in &compiled {
        check(source, ast, &known, whole, &mut defects);
    }
    check_namesakes(&compiled, &functions, &mut defects);
    let indexed = compiled.iter().flat_map(|(_, ast)| indexed_variables(ast)).collect();
    let mut modules = BTreeMap::new();
    if defects.is_empty() {
        for name in names {
            let Some((ast, file)) = combined(name, &compiled) else { continue };
            match Module::eval_ast_as_new(Scope::new(), &ast, engine) {
                Ok(mut module) => {
                    module.set_id(name);
                    module.build_index();
                    modules.insert(name.to_owned(), Rc::new(module));
                }
                Err(error) => defects.push(constant_defect(&file, &error)),
            }
        }
    }
    if !defects.is_empty() {
        defects.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        return Err(defects);
    }
    for (name, module) in &modules {
        engine.register_static_module(name.as_str(), Rc::clone(module));
    }
    let literals = compiled.iter().flat_map(|(source, ast)| literals::literal_calls(source, ast, &functions)).collect();
    let mut properties = PropertyUses::new(engine);
    compiled.iter().for_each(|(source, ast)| properties.add(source, ast));
    Ok(Loaded { modules, functions, indexed, literals, properties })
}

/// What a call can mean.
struct Known<'a> {
    host: &'a [(String, usize, usize)],
    functions: &'a Functions,
    package: BTreeSet<String>,
}

fn compile(engine: &Engine, source: &ScriptSource) -> Result<AST, ScriptDefect> {
    let defect = |code, position: Position, message: String, help: &str| ScriptDefect {
        code,
        file: source.file.clone(),
        line: position.line().unwrap_or(0),
        column: position.position().unwrap_or(0),
        message,
        help: help.to_owned(),
    };
    if source.text.len() > FILE_BYTES_MAX {
        let message = format!("the file has {} bytes, the limit is {FILE_BYTES_MAX}", source.text.len());
        return Err(defect("script.file_too_large", Position::NONE, message, "split it into several files"));
    }
    if !is_valid_identifier(&source.namespace) || source.namespace.len() > IDENTIFIER_BYTES_MAX {
        let message = format!("{} cannot be a namespace", source.namespace);
        return Err(defect("script.namespace", Position::NONE, message, "use letters, digits and _"));
    }
    if let Some((line, column, length)) = long_word(&source.text) {
        let position = Position::new(line, column);
        let message = format!("a word of {length} bytes, the limit is {IDENTIFIER_BYTES_MAX}");
        return Err(defect("script.long_name", position, message, "use a shorter name"));
    }
    let mut ast = engine.compile(&*source.text).map_err(|error| {
        let help = match error.err_type() {
            rhai::ParseErrorType::VariableUndefined(_) if in_macro(&source.text, error.position()) => NO_MACROS,
            rhai::ParseErrorType::VariableUndefined(_) => {
                "declare it with `let`; a constant of the file is read as `global::NAME`"
            }
            rhai::ParseErrorType::ModuleUndefined(_) => "a namespace is the name of a script that is loaded",
            _ if is_fraction(&source.text, error.position()) => {
                "there are no fractions: count in whole numbers, such as tenths"
            }
            _ => "mend the script here; the rest of the file is not read before",
        };
        let word = word_at(&source.text, error.position());
        match error.err_type() {
            _ if around(&source.text, error.position()).1.starts_with('|') => {
                defect("script.closure", error.position(), "there are no closures in scripts".to_owned(), NO_MACROS)
            }
            rhai::ParseErrorType::FnMissingName
            | rhai::ParseErrorType::VariableExpected
            | rhai::ParseErrorType::Reserved(_)
                if RESERVED.contains(&word) =>
            {
                let message = format!("`{word}` is a reserved word");
                let help = "give it another name; scripts/README.md lists the reserved words";
                defect("script.syntax", error.position(), message, help)
            }
            other => defect("script.syntax", error.position(), other.to_string(), help),
        }
    })?;
    ast.set_source(source.namespace.as_str());
    Ok(ast)
}

/// What to do instead of giving a function to a list.
const NO_MACROS: &str = "write a `for` loop, or a term in YAML that the script calls, \
    such as `terms: {alive: {args: [units], is: 'units.filter(u, u.alive)'}}` and `alive(units)`";

/// The line of a position, before and from it.
fn around(text: &str, position: Position) -> (&str, &str) {
    let line = text.lines().nth(position.line().unwrap_or(0).wrapping_sub(1)).unwrap_or_default();
    let before = position.position().unwrap_or(1).saturating_sub(1);
    line.split_at(line.char_indices().nth(before).map_or(line.len(), |(at, _)| at))
}

/// Whether what stands at a position is the variable of a list macro of expressions.
fn in_macro(text: &str, position: Position) -> bool {
    let call = around(text, position).0.trim_end().strip_suffix('(');
    call.is_some_and(|call| MACROS.iter().any(|name| call.strip_suffix(name).is_some_and(|list| list.ends_with('.'))))
}

/// The word that begins at a position.
fn word_at(text: &str, position: Position) -> &str {
    let (_, rest) = around(text, position);
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// Whether a number with a point stands at a position.
fn is_fraction(text: &str, position: Position) -> bool {
    let line = text.lines().nth(position.line().unwrap_or(0).wrapping_sub(1)).unwrap_or_default();
    let (before, behind) = position.position().map_or((0, 0), |column| (column.saturating_sub(2), column));
    let around: Vec<char> = line.chars().take(behind.saturating_add(1)).collect();
    let is_digit = |at: usize| around.get(at).is_some_and(char::is_ascii_digit);
    (before..=behind)
        .any(|at| around.get(at) == Some(&'.') && is_digit(at + 1) && at.checked_sub(1).is_some_and(is_digit))
}

/// The first word of the text that is longer than an identifier may be.
fn long_word(text: &str) -> Option<(u16, u16, usize)> {
    for (index, line) in text.lines().enumerate() {
        let mut start = 0;
        for (at, character) in line.char_indices().chain([(line.len(), ' ')]) {
            if character.is_alphanumeric() || character == '_' {
                continue;
            }
            if at - start > IDENTIFIER_BYTES_MAX {
                let place = |number: usize| u16::try_from(number + 1).unwrap_or(u16::MAX);
                return Some((place(index), place(line[..start].chars().count()), at - start));
            }
            start = at + character.len_utf8();
        }
    }
    None
}

fn functions_of(compiled: &[(&ScriptSource, AST)]) -> Functions {
    let mut functions = Functions::new();
    let place = |at: Position| (at.line().unwrap_or(0), at.position().unwrap_or(0));
    for (source, ast) in compiled {
        let loops = loops(ast);
        for function in ast.iter_fn_def().filter(|function| is_valid_identifier(&function.name)) {
            let key = (source.namespace.clone(), function.name.to_string(), function.params.len());
            let line = function.body.start_position().line().unwrap_or(0);
            let (from, to) = (place(function.body.start_position()), place(function.body.end_position()));
            let first_loop = loops.iter().copied().find(|at| from <= place(*at) && place(*at) <= to);
            functions.insert(key, Place { file: source.file.clone(), line, first_loop });
        }
    }
    functions
}

/// Where the loops of a script begin.
fn loops(ast: &AST) -> Vec<Position> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::While(_, at) | Stmt::Do(_, _, at) | Stmt::For(_, at))) = path.last() {
            found.push(*at);
        }
        true
    });
    found
}

/// The combined sources of a namespace, and the file of the first.
fn combined(namespace: &str, compiled: &[(&ScriptSource, AST)]) -> Option<(AST, String)> {
    let mut parts = compiled.iter().filter(|(source, _)| source.namespace == namespace);
    let (first, ast) = parts.next()?;
    let mut whole = ast.clone();
    for (_, ast) in parts {
        whole.combine(ast.clone());
    }
    Some((whole, first.file.clone()))
}

fn package_functions(engine: &Engine) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = engine
        .collect_fn_metadata(None, |function| Some(function.metadata.name.to_string()), true)
        .into_iter()
        .collect();
    names.extend(WORDS_OF_THE_LANGUAGE.map(str::to_owned));
    names
}

fn constant_defect(file: &str, error: &EvalAltResult) -> ScriptDefect {
    ScriptDefect {
        code: "script.constant",
        file: file.to_owned(),
        line: error.position().line().unwrap_or(0),
        column: error.position().position().unwrap_or(0),
        message: format!("a constant cannot be evaluated: {error}"),
        help: "a constant may use neither functions of the engine nor loops".into(),
    }
}

fn check(source: &ScriptSource, ast: &AST, known: &Known<'_>, whole: bool, defects: &mut Vec<ScriptDefect>) {
    let mut add = |code, position: Position, message: String, help: String| {
        defects.push(ScriptDefect {
            code,
            file: source.file.clone(),
            line: position.line().unwrap_or(0),
            column: position.position().unwrap_or(0),
            message,
            help,
        });
    };
    for statement in ast.statements() {
        let fine = match statement {
            Stmt::Noop(_) => true,
            Stmt::Var(_, flags, _) => flags.contains(ASTFlags::CONSTANT),
            _ => false,
        };
        if !fine {
            let message = "only functions and constants may stand outside a function".to_owned();
            add("script.top_level", statement.position(), message, "move it into a function".into());
        }
    }
    for function in ast.iter_fn_def() {
        let n = function.params.len();
        if known.host.iter().any(|(name, min, max)| *name == *function.name && (*min..=*max).contains(&n)) {
            let message = format!("{} with {n} parameters is a function of the engine", function.name);
            add("script.redefines_host", function.body.start_position(), message, "give it another name".into());
        }
    }
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Some(Expr::ThisPtr(position)) = changed_root(&assignment.1.lhs)
        {
            let message = "a part of `this` gets a value".to_owned();
            add(
                "script.this_assigned",
                *position,
                message,
                "take the value as a parameter and return a new one".into(),
            );
        }
        true
    });
    if !whole {
        return;
    }
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let (call, position, is_method) = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, position)) | ASTNode::Stmt(Stmt::FnCall(call, position))) => {
                (call, *position, false)
            }
            Some(ASTNode::Expr(Expr::MethodCall(call, position))) => (call, *position, true),
            _ => return true,
        };
        if let Err((message, help)) = check_call(&source.namespace, call, is_method, known) {
            add("script.unknown_function", position, message, help);
        }
        true
    });
}

/// Two namespaces must not both call a function of their own by the same bare name: Rhai
/// remembers what a bare name means for as long as the outermost function runs, and the second
/// would get the function of the first.
fn check_namesakes(compiled: &[(&ScriptSource, AST)], functions: &Functions, defects: &mut Vec<ScriptDefect>) {
    let mut callers: BTreeMap<(String, usize), (&str, &str)> = BTreeMap::new();
    for (source, ast) in compiled {
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            let Some(ASTNode::Expr(Expr::FnCall(call, position)) | ASTNode::Stmt(Stmt::FnCall(call, position))) =
                path.last()
            else {
                return true;
            };
            let own = (source.namespace.clone(), call.name.to_string(), call.args.len());
            if !call.namespace.path.is_empty() || !functions.contains_key(&own) {
                return true;
            }
            let first = callers.entry((own.1, own.2)).or_insert((&source.namespace, &source.file));
            if first.0 != source.namespace {
                let (name, space) = (&call.name, &source.namespace);
                defects.push(ScriptDefect {
                    code: "script.namesake",
                    file: source.file.clone(),
                    line: position.line().unwrap_or(0),
                    column: position.position().unwrap_or(0),
                    message: format!("{name} is called without its namespace here and in {}", first.1),
                    help: format!("write {space}::{name}, or give one of the two another name"),
                });
            }
            true
        });
    }
}

/// The variables at the root of what an assignment changes.
fn indexed_variables(ast: &AST) -> BTreeSet<String> {
    let mut variables = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Some(Expr::Variable(variable, ..)) = changed_root(&assignment.1.lhs)
        {
            variables.insert(variable.1.to_string());
        }
        true
    });
    variables
}

/// What `root[i].x = ...` changes at its root; none when a variable as a whole gets a value.
fn changed_root(target: &Expr) -> Option<&Expr> {
    match target {
        Expr::Dot(chain, ..) | Expr::Index(chain, ..) => Some(changed_root(&chain.lhs).unwrap_or(&chain.lhs)),
        _ => None,
    }
}

/// What is wrong with a call, and the remedy.
fn check_call(namespace: &str, call: &FnCallExpr, is_method: bool, known: &Known<'_>) -> Result<(), (String, String)> {
    if call.op_token.is_some() || !is_valid_identifier(&call.name) {
        return Ok(());
    }
    let name = call.name.as_str();
    let n = call.args.len();
    let foreign: Vec<&str> = call.namespace.path.iter().map(|part| part.name.as_str()).collect();
    if !foreign.is_empty() {
        let space = foreign.join("::");
        if known.functions.contains_key(&(space.clone(), name.to_owned(), n)) {
            return Ok(());
        }
        let names = known.functions.keys().map(|(space, name, _)| format!("{space}::{name}")).collect::<Vec<_>>();
        let remedy = remedy(&format!("{space}::{name}"), names.iter().map(String::as_str));
        return Err((format!("there is no function {space}::{name} with {n} arguments"), remedy));
    }
    let n_host = n + usize::from(is_method);
    let own = |n: usize| known.functions.contains_key(&(namespace.to_owned(), name.to_owned(), n));
    if own(n) || known.host.iter().any(|(host, min, max)| host == name && (*min..=*max).contains(&n_host)) {
        return Ok(());
    }
    if let Some((_, min, max)) = known.host.iter().find(|(host, ..)| host == name) {
        let wanted = if min == max { min.to_string() } else { format!("{min} to {max}") };
        let help = format!("scripts/README.md says what {name} takes; what stands before the dot counts");
        return Err((format!("{name} takes {wanted} arguments, not {n_host}"), help));
    }
    if known.package.contains(name) {
        return Ok(());
    }
    let own_names = known.functions.keys().filter(|(space, ..)| space == namespace).map(|(_, name, _)| name.as_str());
    let host_names = known.host.iter().map(|(name, ..)| name.as_str());
    let packages = known.package.iter().map(String::as_str);
    let remedy = remedy(name, own_names.chain(host_names).chain(packages));
    Err((format!("there is no function {name} with {n_host} arguments"), remedy))
}
