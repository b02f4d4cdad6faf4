//! Tokens to a compiled tree; every name is resolved here.

use super::{
    DEPTH_MAX, Expr, IntLiteral, ParseFault, Scope, TEXT_BYTES_MAX,
    ast::{Arithmetic, Macro, Node, NodeKind, Order},
    functions::{BUILTINS, builtin},
    hoist::hoisted,
    lex::{Token, TokenKind, lex},
};
use crate::base::{Name, Value, name};

/// A fault has been recorded from which parsing cannot go on.
struct Stop;

type Parsed<T = Node> = Result<T, Stop>;

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: u32,
    variables: &'t [Name],
    locals: Vec<&'t str>,
    scope: &'t dyn Scope,
    faults: Vec<ParseFault>,
    literals: Vec<IntLiteral>,
    properties: Vec<(Name, usize)>,
    functions: Vec<(u32, usize)>,
}

/// See [`Expr::parse`].
pub(super) fn parse(text: &str, variables: &[Name], scope: &dyn Scope) -> Result<Expr, Vec<ParseFault>> {
    if text.len() > TEXT_BYTES_MAX {
        let message = format!("the expression is longer than {TEXT_BYTES_MAX} bytes");
        return Err(vec![ParseFault { offset: 0, len: text.len(), message, expected: None }]);
    }
    let mut parser = Parser {
        tokens: lex(text)?,
        at: 0,
        depth: 0,
        variables,
        locals: Vec::new(),
        scope,
        faults: Vec::new(),
        literals: Vec::new(),
        properties: Vec::new(),
        functions: Vec::new(),
    };
    let root = parser.whole();
    parser.faults.sort_by_key(|fault| fault.offset);
    match root {
        Ok(root) if parser.faults.is_empty() => Ok(Expr {
            text: text.to_owned(),
            run: hoisted(&root),
            n_kept: 0,
            root,
            n_variables: variables.len(),
            literals: parser.literals,
            properties: parser.properties,
            functions: parser.functions,
        }),
        _ => Err(parser.faults),
    }
}

/// How tightly the binary operators bind; `&&` and `||` are lists of their own.
fn level(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" => 3,
        "in" | "!in" => 4,
        "<" | "<=" | ">" | ">=" => 5,
        "+" | "-" => 6,
        "*" | "/" | "%" => 7,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn whole(&mut self) -> Parsed {
        let root = self.expression(0)?;
        if self.peek() == &TokenKind::End {
            return Ok(root);
        }
        let expected = match self.peek() {
            TokenKind::Word("and") => "`&&`",
            TokenKind::Word("or") => "`||`",
            _ => "an operator or the end",
        };
        self.unexpected(expected)
    }

    fn peek(&self) -> &TokenKind<'t> {
        &self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> &TokenKind<'t> {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn takes(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == &TokenKind::Symbol(symbol);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.takes(symbol) { Ok(()) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    fn fault(&mut self, offset: usize, len: usize, message: String, expected: Option<String>) {
        self.faults.push(ParseFault { offset, len, message, expected });
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.tokens[self.at].clone();
        let message = match &token.kind {
            TokenKind::End => "the expression ends too early".to_owned(),
            TokenKind::Symbol(symbol) => format!("unexpected `{symbol}`"),
            TokenKind::Word(word) => format!("unexpected `{word}`"),
            TokenKind::Int(number) => format!("unexpected `{number}`"),
            TokenKind::Text(_) => "unexpected text".to_owned(),
        };
        self.fault(token.offset, token.len, message, Some(expected.to_owned()));
        Err(Stop)
    }

    fn too_deep<T>(&mut self, offset: usize) -> Parsed<T> {
        self.fault(offset, 1, format!("nested deeper than {DEPTH_MAX}"), None);
        Err(Stop)
    }

    fn node(&mut self, offset: usize, kind: NodeKind) -> Parsed {
        let node = Node::new(offset, kind);
        if node.depth > DEPTH_MAX { self.too_deep(offset) } else { Ok(node) }
    }

    /// An expression whose binary operators bind at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Parsed {
        if self.depth >= DEPTH_MAX {
            return self.too_deep(self.tokens[self.at].offset);
        }
        self.depth += 1;
        let parsed = self.binary(least);
        self.depth -= 1;
        parsed
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let symbol = match (self.peek(), self.peek_at(1)) {
            (TokenKind::Word("in"), _) => "in",
            (TokenKind::Symbol("!"), TokenKind::Word("in")) => "!in",
            (TokenKind::Symbol(symbol), _) => symbol,
            _ => return None,
        };
        level(symbol).map(|level| (symbol, level))
    }

    fn binary(&mut self, least: u8) -> Parsed {
        let mut left = self.unary()?;
        while let Some((symbol, level)) = self.operator().filter(|(_, level)| *level >= least) {
            let offset = self.next().offset;
            if symbol == "!in" {
                self.next();
            }
            let right = self.expression(level + 1)?;
            left = self.join(symbol, offset, left, right)?;
        }
        Ok(left)
    }

    fn join(&mut self, symbol: &str, offset: usize, left: Node, right: Node) -> Parsed {
        let kind = match (symbol, left.kind) {
            ("&&", NodeKind::All(mut terms)) => {
                terms.push(right);
                NodeKind::All(terms)
            }
            ("||", NodeKind::Any(mut terms)) => {
                terms.push(right);
                NodeKind::Any(terms)
            }
            (_, kind) => {
                let pair = Box::new([Node { kind, offset: left.offset, depth: left.depth, cost: left.cost }, right]);
                match symbol {
                    "&&" => NodeKind::All(Vec::from(pair as Box<[Node]>)),
                    "||" => NodeKind::Any(Vec::from(pair as Box<[Node]>)),
                    "==" => NodeKind::Equal(false, pair),
                    "!=" => NodeKind::Equal(true, pair),
                    "in" => NodeKind::In(false, pair),
                    "!in" => NodeKind::In(true, pair),
                    "<" => NodeKind::Order(Order::Less, pair),
                    "<=" => NodeKind::Order(Order::LessOrEqual, pair),
                    ">" => NodeKind::Order(Order::Greater, pair),
                    ">=" => NodeKind::Order(Order::GreaterOrEqual, pair),
                    "+" => NodeKind::Arithmetic(Arithmetic::Add, pair),
                    "-" => NodeKind::Arithmetic(Arithmetic::Subtract, pair),
                    "*" => NodeKind::Arithmetic(Arithmetic::Multiply, pair),
                    "/" => NodeKind::Arithmetic(Arithmetic::Divide, pair),
                    _ => NodeKind::Arithmetic(Arithmetic::Remainder, pair),
                }
            }
        };
        self.node(offset, kind)
    }

    fn unary(&mut self) -> Parsed {
        let offset = self.tokens[self.at].offset;
        if self.peek() == &TokenKind::Symbol("-") {
            if let TokenKind::Int(number) = *self.peek_at(1) {
                self.next();
                let token = self.next();
                let value = 0_i64.checked_sub_unsigned(number).unwrap_or(i64::MIN);
                self.literals.push(IntLiteral { offset, len: token.offset + token.len - offset, value });
                let node = self.node(offset, NodeKind::Literal(Value::Int(value)))?;
                return self.behind(node);
            }
            self.next();
            let inner = self.nested_unary()?;
            return self.node(offset, NodeKind::Negate(Box::new(inner)));
        }
        if self.takes("!") {
            let inner = self.nested_unary()?;
            return self.node(offset, NodeKind::Not(Box::new(inner)));
        }
        let node = self.primary()?;
        self.behind(node)
    }

    fn nested_unary(&mut self) -> Parsed {
        self.expression(8)
    }

    fn primary(&mut self) -> Parsed {
        let token = self.tokens[self.at].clone();
        let offset = token.offset;
        let literal = match token.kind {
            TokenKind::Int(number) => {
                let Ok(value) = i64::try_from(number) else {
                    self.fault(offset, token.len, "the number is too large".to_owned(), None);
                    return Err(Stop);
                };
                self.literals.push(IntLiteral { offset, len: token.len, value });
                Value::Int(value)
            }
            TokenKind::Text(text) => Value::name(&text),
            TokenKind::Word("true") => Value::Bool(true),
            TokenKind::Word("false") => Value::Bool(false),
            TokenKind::Word("none") => Value::None,
            TokenKind::Word("if") => return self.choice(),
            TokenKind::Word("else" | "in") => return self.unexpected("a value"),
            TokenKind::Word(word) => {
                self.next();
                if self.takes("(") {
                    let arguments = self.arguments(")")?;
                    return self.call(word, offset, arguments);
                }
                return self.variable(word, offset);
            }
            TokenKind::Symbol("(") => {
                self.next();
                if self.takes(")") {
                    return self.node(offset, NodeKind::Literal(Value::None));
                }
                let inner = self.expression(0)?;
                self.expect(")")?;
                return Ok(inner);
            }
            TokenKind::Symbol("[") => {
                self.next();
                let items = self.arguments("]")?;
                let constant: Option<Vec<Value>> = items.iter().map(|item| item.literal().cloned()).collect();
                let kind = constant.map_or(NodeKind::List(items), |items| NodeKind::Literal(Value::list(items)));
                return self.node(offset, kind);
            }
            TokenKind::Symbol("#{") => return self.map(),
            _ => return self.unexpected("a value"),
        };
        self.next();
        self.node(offset, NodeKind::Literal(literal))
    }

    fn arguments(&mut self, close: &'static str) -> Parsed<Vec<Node>> {
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(self.expression(0)?);
            if !self.takes(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    fn map(&mut self) -> Parsed {
        let offset = self.next().offset;
        let mut entries: Vec<(Name, Node)> = Vec::new();
        while !self.takes("}") {
            let token = self.tokens[self.at].clone();
            let key = match &token.kind {
                TokenKind::Word(word) => name(word),
                TokenKind::Text(text) => name(text),
                _ => return self.unexpected("a key"),
            };
            self.next();
            if entries.iter().any(|(known, _)| *known == key) {
                self.fault(token.offset, token.len, format!("the key `{key}` occurs twice"), None);
            }
            self.expect(":")?;
            entries.push((key, self.expression(0)?));
            if !self.takes(",") {
                self.expect("}")?;
                break;
            }
        }
        self.node(offset, NodeKind::Map(entries))
    }

    fn choice(&mut self) -> Parsed {
        let offset = self.tokens[self.at].offset;
        let mut arms = Vec::new();
        while self.peek() == &TokenKind::Word("if") {
            self.next();
            let condition = self.expression(0)?;
            let value = self.block()?;
            arms.push([condition, value]);
            if self.peek() != &TokenKind::Word("else") {
                return self.unexpected("`else`");
            }
            self.next();
        }
        let otherwise = self.block()?;
        self.node(offset, NodeKind::If(arms, Box::new(otherwise)))
    }

    fn block(&mut self) -> Parsed {
        self.expect("{")?;
        let value = self.expression(0)?;
        self.expect("}")?;
        Ok(value)
    }

    /// Properties, indices and methods behind `node`.
    fn behind(&mut self, mut node: Node) -> Parsed {
        loop {
            let offset = self.tokens[self.at].offset;
            if self.takes("[") {
                let index = self.expression(0)?;
                self.expect("]")?;
                node = self.node(offset, NodeKind::Index(Box::new([node, index])))?;
            } else if self.takes(".") {
                let token = self.tokens[self.at].clone();
                let TokenKind::Word(word) = token.kind else { return self.unexpected("a property or function") };
                self.next();
                node = if self.takes("(") {
                    self.method(node, word, token.offset)?
                } else {
                    self.property(node, word, token.offset)?
                };
            } else {
                return Ok(node);
            }
        }
    }

    fn method(&mut self, of: Node, word: &'t str, offset: usize) -> Parsed {
        if let Some(which) = Macro::named(word) {
            if let (TokenKind::Word(bound), TokenKind::Symbol(",")) = (self.peek().clone(), self.peek_at(1)) {
                self.next();
                self.next();
                self.locals.push(bound);
                let body = self.expression(0);
                self.locals.pop();
                let body = body?;
                self.takes(",");
                self.expect(")")?;
                return self.node(offset, NodeKind::Macro(which, 0, Box::new([of, body])));
            }
            if builtin(word).is_none() {
                self.fault(
                    offset,
                    word.len(),
                    format!("`{word}` binds a variable"),
                    Some(format!("`list.{word}(x, …)`")),
                );
                return Err(Stop);
            }
        }
        let mut arguments = vec![of];
        arguments.extend(self.arguments(")")?);
        self.call(word, offset, arguments)
    }

    fn property(&mut self, of: Node, word: &str, offset: usize) -> Parsed {
        if !self.scope.property_known(word) {
            let names = self.scope.property_names();
            self.unknown("property", word, offset, names);
            return Ok(of);
        }
        let property = name(word);
        self.properties.push((property, offset));
        self.node(offset, NodeKind::Property(Box::new(of), property))
    }

    fn variable(&mut self, word: &str, offset: usize) -> Parsed {
        let n_outward = self.locals.iter().rev().position(|local| *local == word);
        let kind = if let Some(n_outward) = n_outward {
            NodeKind::Local(u32::try_from(n_outward).unwrap_or(u32::MAX))
        } else if let Some(slot) = self.variables.iter().position(|known| known.as_str() == word) {
            NodeKind::Input(u32::try_from(slot).unwrap_or(u32::MAX))
        } else {
            let mut names: Vec<String> = self.variables.iter().map(ToString::to_string).collect();
            names.extend(self.locals.iter().map(ToString::to_string));
            self.unknown("variable", word, offset, names);
            NodeKind::Literal(Value::None)
        };
        self.node(offset, kind)
    }

    fn call(&mut self, word: &str, offset: usize, arguments: Vec<Node>) -> Parsed {
        let (least, most, kind) = if let Some(found) = builtin(word) {
            (found.args_min, found.args_max, Ok(found))
        } else if let Some(found) = self.scope.function(word) {
            self.functions.push((found.id, offset));
            (found.args_min, found.args_max, Err(found.id))
        } else {
            let mut names = self.scope.function_names();
            names.extend(BUILTINS.iter().map(|known| known.name.to_owned()));
            names.extend(Macro::ALL.iter().map(|(known, _)| (*known).to_owned()));
            self.unknown("function", word, offset, names);
            return self.node(offset, NodeKind::Literal(Value::None));
        };
        let n_given = arguments.len();
        if n_given < least || n_given > most {
            let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            let message = format!("`{word}` takes {wanted} arguments, not {n_given}");
            self.fault(offset, word.len(), message, None);
        }
        match kind {
            Ok(found) => self.node(offset, NodeKind::Builtin(found, arguments)),
            Err(id) => self.node(offset, NodeKind::Call(id, arguments)),
        }
    }

    fn unknown(&mut self, what: &str, word: &str, offset: usize, names: Vec<String>) {
        let nearest = names
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(word, &known), known))
            .min()
            .filter(|(distance, _)| *distance <= 1 + word.len() / 3);
        let expected = nearest.map(|(_, known)| format!("`{known}`"));
        self.fault(offset, word.len(), format!("unknown {what} `{word}`"), expected);
    }
}
