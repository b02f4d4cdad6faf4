//! YAML as a tree whose every node knows its place.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Location, Spanned};

use super::{twice, unclosed::unclosed};

/// A line and a column, from 1, of a file by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the file among the sources.
    pub file: usize,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: NodeValue,
    /// Where it begins.
    pub place: Place,
    /// Where its key begins, if it is an entry of a map.
    pub key: Option<Place>,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeValue {
    /// Nothing.
    Null,
    /// Yes or no, written `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
    /// Several.
    List(Vec<Node>),
    /// Several by key, in the order in which they are written.
    Map(IndexMap<String, Node>),
}

/// Why a text is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFault {
    /// What sort of thing: `area.problem`.
    pub code: &'static str,
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl NodeFault {
    fn of(error: &serde_yaml::Error, text: &str, file: usize) -> Self {
        use serde_yaml::Error;
        let at = error.location();
        let place = Place {
            file,
            line: at.map_or(1, |at| usize::try_from(at.line()).unwrap_or(1)),
            column: at.map_or(1, |at| usize::try_from(at.column()).unwrap_or(1)),
        };
        let mut error = error.without_snippet();
        while let Error::AliasError { error: inner, .. } = error {
            error = inner.without_snippet();
        }
        let too_much = ("file.too_much", "write it out with fewer aliases and levels, or split the file");
        let (code, help) = match error {
            Error::DuplicateMappingKey { .. } => ("key.twice", ""),
            Error::Budget { .. } if error.to_string().contains("Documents") => {
                ("file.too_much", "take the line `---` away, or split the file")
            }
            Error::Budget { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::AliasReplayStackDepthExceeded { .. } => too_much,
            // The parser has a limit of its own on brackets and says so only in words.
            other if other.to_string().contains("recursion limit") => too_much,
            Error::UnsupportedTag { .. } => ("file.tag", TAG),
            _ if error.to_string().contains("mapping values are not allowed")
                || error.to_string().contains("expected ','") =>
            {
                (
                    "file.yaml",
                    "mend the YAML here: text that holds `: `, `,` or a bracket is quoted, as `\"Win: gain 1\"`",
                )
            }
            _ => ("file.yaml", "mend the YAML here; the rest of the file is not read before"),
        };
        let mut help = help.to_string();
        let said = match error {
            Error::DuplicateMappingKey { key, .. } => {
                let key = key.as_deref().unwrap_or_default();
                help = twice::help(text, key, place);
                format!("the key {key} stands twice")
            }
            _ if help.contains("---") => "the file holds more than one document".into(),
            other => other.to_string(),
        };
        let message = said.split(" at line ").next().unwrap_or_default().to_string();
        Self { code, place, message, help }
    }

    /// Where a bracket stands that is not closed, if that is what is wrong.
    fn at_its_bracket(mut self, text: &str) -> Self {
        let open = unclosed(text).filter(|open| self.code == "file.yaml" && open.line <= self.place.line);
        let Some(open) = open else { return self };
        (self.place.line, self.place.column) = open.comment.unwrap_or((open.line, open.column));
        if open.comment.is_some() {
            self.message = "`#` begins a comment here, so that the rest of the line is lost".into();
            self.help = "mend the YAML here: quote the expression, as `'emit(\"event\", #{field: value})'`".into();
        } else {
            self.message = format!("a `{}` is opened here and not closed", open.bracket);
            self.help = "mend the YAML here: close it; text with brackets or commas in it is quoted".into();
        }
        self
    }

    /// With a number that is too great as it is written, not as the reader rounds it.
    fn told_as_written(mut self, text: &str) -> Self {
        let line = text.lines().nth(self.place.line.saturating_sub(1)).unwrap_or_default();
        let is_part = |c: &char| c.is_ascii_alphanumeric() || "+-._".contains(*c);
        let written: String = line.chars().skip(self.place.column.saturating_sub(1)).take_while(is_part).collect();
        for what in [" is out of range;", " is not a whole number;"] {
            if let Some(at) =
                self.message.find(what).filter(|_| !written.is_empty() && written.len() <= NUMBER_SHOWN_MAX)
            {
                self.message.replace_range(..at, &written);
            }
        }
        self
    }
}

/// What to do about a tag.
const TAG: &str = "what begins with `!` is a tag in YAML: quote an expression that does, as `'!unit.alive'`; \
    else take the tag away: what a record is, its section says";
/// The most bytes of a number in a message.
const NUMBER_SHOWN_MAX: usize = 80;

/// Every bound of the reader, stated, so that another version of it cannot move them.
fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        strict_booleans: true,
        reject_unsupported_tags: true,
        reject_tagged_field_names: true,
        legacy_octal_numbers: false,
        duplicate_keys: serde_yaml::DuplicateKeyPolicy::Error,
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: 100_000,
            max_replay_stack_depth: 16,
            max_alias_expansions_per_anchor: 1_000,
        },
        budget: serde_yaml::budget! {
            max_depth: 16,
            flow_nesting_limit: 16,
            max_events: 400_000,
            max_nodes: 200_000,
            max_aliases: 1_000,
            max_anchors: 1_000,
            max_documents: 1,
            max_merge_keys: 1_000,
            max_total_scalar_bytes: 1 << 21,
        },
    }
}

impl Node {
    /// Reads a document.
    ///
    /// # Errors
    /// The place, and what is wrong there.
    pub fn parse(text: &str, file: usize) -> Result<Self, NodeFault> {
        let tree: Spanned<Tree> = serde_yaml::from_str_with_options(text, options())
            .map_err(|error| NodeFault::of(&error, text, file).told_as_written(text).at_its_bracket(text))?;
        Ok(Self::of(tree, file))
    }

    /// A node of no file of its own, at the place of another.
    #[must_use]
    pub fn new(value: NodeValue, place: Place) -> Self {
        Self { value, place, key: None }
    }

    /// Where a defect of the node as a whole is shown: at its key, if it has one.
    #[must_use]
    pub fn named_at(&self) -> Place {
        self.key.unwrap_or(self.place)
    }

    /// Where a text first stands in it: as a value, or as a key or its last part.
    pub(crate) fn place_of(&self, wanted: &str) -> Option<Place> {
        match &self.value {
            NodeValue::Text(text) if text == wanted => Some(self.place),
            NodeValue::List(items) => items.iter().find_map(|item| item.place_of(wanted)),
            NodeValue::Map(entries) => entries.iter().find_map(|(key, node)| {
                let is_key = key.rsplit('.').next() == Some(wanted);
                if is_key { Some(node.named_at()) } else { node.place_of(wanted) }
            }),
            _ => None,
        }
    }

    fn of(tree: Spanned<Tree>, file: usize) -> Self {
        let place = place_of(tree.referenced, file);
        let value = match tree.value {
            Tree::Null => NodeValue::Null,
            Tree::Bool(truth) => NodeValue::Bool(truth),
            Tree::Int(number) => NodeValue::Int(number),
            Tree::Text(text) => NodeValue::Text(text),
            Tree::List(items) => NodeValue::List(items.into_iter().map(|item| Self::of(item, file)).collect()),
            Tree::Map(entries) => {
                let entry = |(text, (key, item)): (String, (Location, Spanned<Tree>))| {
                    (text, Self { key: Some(place_of(key, file)), ..Self::of(item, file) })
                };
                NodeValue::Map(entries.into_iter().map(entry).collect())
            }
        };
        Self::new(value, place)
    }

    /// What the node is, in a word.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.value {
            NodeValue::Null => "nothing",
            NodeValue::Bool(_) => "true or false",
            NodeValue::Int(_) => "a number",
            NodeValue::Text(_) => "text",
            NodeValue::List(_) => "a list",
            NodeValue::Map(_) => "a map",
        }
    }

    /// The entries of a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&IndexMap<String, Node>> {
        if let NodeValue::Map(entries) = &self.value { Some(entries) } else { None }
    }

    /// Whether two nodes hold the same, wherever they stand.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (NodeValue::List(a), NodeValue::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same(b))
            }
            (NodeValue::Map(a), NodeValue::Map(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| a.says_the_same(b)))
            }
            (a, b) => a == b,
        }
    }

    /// What it holds, in one line.
    #[must_use]
    pub fn brief(&self) -> String {
        match &self.value {
            NodeValue::Null => "nothing".into(),
            NodeValue::Bool(truth) => truth.to_string(),
            NodeValue::Int(number) => number.to_string(),
            NodeValue::Text(text) => text.clone(),
            NodeValue::List(items) => format!("[{}]", items.iter().map(Self::brief).collect::<Vec<_>>().join(", ")),
            NodeValue::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, node)| format!("{key}: {}", node.brief())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

fn place_of(at: Location, file: usize) -> Place {
    let number = |number: u64| usize::try_from(number).unwrap_or(1);
    Place { file, line: number(at.line()), column: number(at.column()) }
}

/// The tree as it comes from the reader.
enum Tree {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Spanned<Tree>>),
    /// With the place of each key.
    Map(IndexMap<String, (Location, Spanned<Tree>)>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

/// Numbers of this size and beyond are no integers.
const INT_LIMIT: f64 = 9_223_372_036_854_775_808.0;

fn out_of_range<E: Error>(number: &str) -> E {
    E::custom(format!("{number} is out of range; a number lies between {} and {}", i64::MIN, i64::MAX))
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("text, a whole number, true or false, a list or a map")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree, E> {
        Ok(Tree::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Tree, E> {
        i64::try_from(number).map(Tree::Int).map_err(|_| out_of_range(&number.to_string()))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<Tree, E> {
        i64::try_from(number).map(Tree::Int).map_err(|_| out_of_range(&number.to_string()))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<Tree, E> {
        i64::try_from(number).map(Tree::Int).map_err(|_| out_of_range(&number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Tree, E> {
        // A whole number with too many digits for an integer comes as one of these.
        if number.is_finite() && number.abs() >= INT_LIMIT {
            return Err(out_of_range(&number.to_string()));
        }
        Err(E::custom(format!("{number} is not a whole number; quote it if it is meant as text")))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Tree, E> {
        Ok(Tree::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut map = IndexMap::new();
        while let Some((key, item)) = entries.next_entry::<Spanned<String>, Spanned<Tree>>()? {
            let place = key.referenced;
            if map.contains_key(&key.value) {
                return Err(A::Error::custom(format!("the key {} stands twice", key.value)));
            }
            map.insert(key.value, (place, item));
        }
        Ok(Tree::Map(map))
    }
}
