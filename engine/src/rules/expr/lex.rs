//! Text to tokens: the words, numbers, texts and symbols of an expression.

use super::ParseFault;
use crate::base::NAME_BYTES_MAX;

/// One token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) offset: usize,
    pub(super) len: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// A number without its sign: `-` is an operator.
    Int(u64),
    /// A text between quotes, escapes resolved.
    Text(String),
    /// An identifier or keyword.
    Word(&'t str),
    /// An operator or bracket.
    Symbol(&'static str),
    /// After the last token.
    End,
}

/// Longer symbols before their beginnings.
const SYMBOLS: [&str; 25] = [
    "#{", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ":", ".", "<", ">", "!", "+", "-",
    "*", "/", "%", ";",
];

/// The tokens of `text`, the last of them [`TokenKind::End`], or everything that is none.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, Vec<ParseFault>> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), faults: Vec::new() };
    while let Some(first) = lexer.rest().chars().next() {
        lexer.token(first);
    }
    lexer.tokens.push(Token { kind: TokenKind::End, offset: text.len(), len: 0 });
    if lexer.faults.is_empty() { Ok(lexer.tokens) } else { Err(lexer.faults) }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token<'t>>,
    faults: Vec<ParseFault>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Takes one token, or the space before it, or records a fault; always moves on.
    fn token(&mut self, first: char) {
        if first.is_ascii_whitespace() {
            self.at += 1;
        } else if first.is_ascii_digit() {
            self.number();
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.word();
        } else if first == '"' || first == '\'' {
            self.quoted(first);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
            self.push(TokenKind::Symbol(symbol), symbol.len());
        } else {
            self.stray(first);
        }
    }

    fn push(&mut self, kind: TokenKind<'t>, len: usize) {
        self.tokens.push(Token { kind, offset: self.at, len });
        self.at += len;
    }

    fn fault(&mut self, len: usize, message: impl Into<String>, expected: Option<&str>) {
        let expected = expected.map(str::to_owned);
        self.faults.push(ParseFault { offset: self.at, len, message: message.into(), expected });
        self.at += len;
    }

    /// Digits, `_` between them; whatever letters follow belong to the same bad number.
    fn number(&mut self) {
        let rest = self.rest();
        let mut len = run(rest, |letter| letter.is_ascii_alphanumeric() || letter == '_');
        let digits = rest[..len].replace('_', "");
        let after = &rest[len..];
        if after.starts_with('.') && after[1..].starts_with(|letter: char| letter.is_ascii_digit()) {
            len += 1 + run(&after[1..], |letter| letter.is_ascii_alphanumeric());
            return self.fault(len, "numbers are whole", None);
        }
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.fault(len, format!("`{}` is not a number", &rest[..len]), None);
        }
        match digits.parse::<u64>() {
            Ok(number) if number <= 1 << 63 => self.push(TokenKind::Int(number), len),
            _ => self.fault(len, "the number is too large", None),
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let len = run(rest, |letter| letter.is_ascii_alphanumeric() || letter == '_');
        if len > NAME_BYTES_MAX {
            return self.fault(len, format!("the name is longer than {NAME_BYTES_MAX} bytes"), None);
        }
        self.push(TokenKind::Word(&rest[..len]), len);
    }

    fn quoted(&mut self, quote: char) {
        let rest = self.rest();
        let mut content = String::new();
        let mut letters = rest.char_indices().skip(1);
        while let Some((index, letter)) = letters.next() {
            if letter == quote {
                let len = index + 1;
                if content.len() > NAME_BYTES_MAX {
                    return self.fault(len, format!("the text is longer than {NAME_BYTES_MAX} bytes"), None);
                }
                return self.push(TokenKind::Text(content), len);
            }
            if letter != '\\' {
                content.push(letter);
                continue;
            }
            match letters.next() {
                Some((_, escaped @ ('\\' | '"' | '\''))) => content.push(escaped),
                Some((after, other)) => {
                    self.at += index;
                    let len = after + other.len_utf8() - index;
                    self.fault(len, "the only escapes are `\\\\`, `\\\"` and `\\'`", None);
                    self.at = self.text.len();
                    return;
                }
                None => break,
            }
        }
        self.fault(rest.len(), "the text does not end", Some(&format!("`{quote}`")));
    }

    fn stray(&mut self, first: char) {
        let (message, expected) = match first {
            '=' => ("`=` assigns, and an expression only asks".to_owned(), Some("`==`")),
            '&' => ("`&` is not an operator".to_owned(), Some("`&&`")),
            '|' => ("`|` is not an operator".to_owned(), Some("`||`")),
            '#' => ("`#` is not an operator".to_owned(), Some("`#{`")),
            _ => (format!("{first:?} has no place in an expression"), None),
        };
        self.fault(first.len_utf8(), message, expected);
    }
}

/// The length of the beginning of `text` whose letters all satisfy `belongs`.
fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}
