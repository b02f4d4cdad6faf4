//! Typed reading of records: every field is asked for, what nobody asked for is a defect.

use std::cell::RefCell;

use super::{
    expr::Expr,
    game::{Condition, DEEDS, EMIT, ScriptCall},
    view::Names,
};
use crate::{
    base::{Name, Value, name},
    content::{Defect, Node, NodeValue, Place, Sources, nearest},
};

/// What reads records and collects what is wrong with them.
pub(crate) struct Reader<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) names: Names,
    pub(crate) defects: RefCell<Vec<Defect>>,
    /// Expressions with their places and what they have to be, for when all records are read.
    pub(crate) exprs: RefCell<Vec<(Place, Expr, Option<&'static str>)>>,
    /// Events that records emit.
    pub(crate) deeds: RefCell<Vec<Deed>>,
    /// Reasons for refusals with their places.
    pub(crate) reasons: RefCell<Vec<(Place, Name)>>,
}

/// What a record does without a script: an event, or a menu.
pub(crate) struct Deed {
    pub(crate) place: Place,
    pub(crate) function: Name,
    /// The event or the menu.
    pub(crate) of: Name,
    /// The fields that an event is given, if these are written out.
    pub(crate) fields: Option<Vec<Name>>,
}

/// The fields of one map.
pub(crate) struct Fields<'a> {
    reader: &'a Reader<'a>,
    node: &'a Node,
    asked: RefCell<Vec<&'static str>>,
    /// Those of them that have to be there.
    musts: RefCell<Vec<&'static str>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(sources: &'a Sources, names: Names) -> Self {
        Self {
            sources,
            names,
            defects: RefCell::default(),
            exprs: RefCell::default(),
            deeds: RefCell::default(),
            reasons: RefCell::default(),
        }
    }

    pub(crate) fn defect(&self, code: &'static str, place: Place, message: String, help: Option<String>) {
        let defect = Defect::new(code, place, &self.sources.files[place.file], message, help);
        self.defects.borrow_mut().push(defect);
    }

    pub(crate) fn wrong_type(&self, node: &Node, expected: &str) {
        let message = format!("{} where {expected} was expected", node.type_name());
        self.defect("field.type", node.place, message, Some(format!("write {expected}")));
    }

    pub(crate) fn fields(&'a self, node: &'a Node) -> Fields<'a> {
        if node.as_map().is_none() {
            self.wrong_type(node, "a map");
        }
        Fields { reader: self, node, asked: RefCell::default(), musts: RefCell::default() }
    }

    /// An expression that gives true or false.
    pub(crate) fn condition(&self, node: &Node, variables: &[Name]) -> Option<Expr> {
        self.expr_of(node, variables, Some("bool"))
    }

    /// An expression that gives a number.
    pub(crate) fn number(&self, node: &Node, variables: &[Name]) -> Option<Expr> {
        self.expr_of(node, variables, Some("int"))
    }

    /// An expression that gives a list.
    pub(crate) fn listed(&self, node: &Node, variables: &[Name]) -> Option<Expr> {
        self.expr_of(node, variables, Some("list"))
    }

    /// An expression; a bare true, false, number or list is one too.
    pub(crate) fn expr(&self, node: &Node, variables: &[Name]) -> Option<Expr> {
        self.expr_of(node, variables, None)
    }

    fn expr_of(&self, node: &Node, variables: &[Name], wanted: Option<&'static str>) -> Option<Expr> {
        let text = match &node.value {
            NodeValue::Text(text) => text.clone(),
            NodeValue::Int(number) => number.to_string(),
            NodeValue::Bool(truth) => truth.to_string(),
            NodeValue::List(items) if items.is_empty() => "[]".into(),
            _ => {
                self.wrong_type(node, "an expression");
                return None;
            }
        };
        let expr = self.parse(&text, node.place, variables)?;
        self.exprs.borrow_mut().push((node.place, expr.clone(), wanted));
        Some(expr)
    }

    /// An expression, if the text is one.
    pub(crate) fn try_expr(&self, text: &str, variables: &[Name]) -> Option<Expr> {
        Expr::parse(text, variables, &self.names).ok()
    }

    fn parse(&self, text: &str, place: Place, variables: &[Name]) -> Option<Expr> {
        match Expr::parse(text, variables, &self.names) {
            Ok(expr) => Some(expr),
            Err(faults) => {
                for fault in faults {
                    let message =
                        format!("in `{}` at {}: {}", around(text, fault.offset), fault.offset + 1, fault.message);
                    let is_unknown = fault.message.starts_with("unknown");
                    let help = match fault.expected {
                        Some(near) if is_unknown => format!("did you mean {near}?"),
                        _ if !is_unknown && is_cut(text) => CUT.into(),
                        Some(expected) => format!("there could stand {expected}"),
                        None if is_unknown && !variables.is_empty() => {
                            let known: Vec<&str> = variables.iter().map(|variable| variable.as_str()).collect();
                            format!("known here: {}", known.join(", "))
                        }
                        None => "mend the expression; scripts/README.md names the functions".into(),
                    };
                    self.defect("expression", place, message, Some(help));
                }
                None
            }
        }
    }

    /// A call `namespace::function(a, b)`.
    pub(crate) fn call(&self, node: &Node, variables: &[Name]) -> Option<ScriptCall> {
        self.call_of(node, variables, false)
    }

    /// A call, an event or a menu: `emit("event", #{field: value})`, `menu("menu", unit)`.
    pub(crate) fn deed(&self, node: &Node, variables: &[Name]) -> Option<ScriptCall> {
        let deed = self.call_of(node, variables, true)?;
        let function = deed.function;
        if !DEEDS.contains(&function.as_str()) {
            return Some(deed);
        }
        let is_emit = function.as_str() == EMIT;
        match deed.args.written_out() {
            Some((of, fields)) if is_emit || deed.args.n_items() == Some(2) => {
                self.deeds.borrow_mut().push(Deed { place: node.place, function, of, fields });
                Some(deed)
            }
            _ => {
                let (takes, written) =
                    if is_emit { ("an event and its fields", EMITTED) } else { ("a menu and a unit", OPENED) };
                let message = format!("`{function}` takes {takes}");
                self.defect("call", node.place, message, Some(format!("write it as {written}")));
                None
            }
        }
    }

    fn call_of(&self, node: &Node, variables: &[Name], may_act: bool) -> Option<ScriptCall> {
        let NodeValue::Text(text) = &node.value else {
            self.wrong_type(node, "a call such as `namespace::function(a, b)`");
            return None;
        };
        let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
        let Some((function, args)) =
            parts.filter(|(function, _)| function.contains("::") || (may_act && DEEDS.contains(&function.trim())))
        else {
            let help = match may_act {
                _ if is_cut(text) => CUT.into(),
                true => format!("write it as {CALLED}, {EMITTED} or {OPENED}"),
                false => format!("write it as {CALLED}"),
            };
            self.defect("call", node.place, format!("`{text}` is no call"), Some(help));
            return None;
        };
        let args = self.parse(&format!("[{args}]"), node.place, variables)?;
        self.exprs.borrow_mut().push((node.place, args.clone(), None));
        let file = self.sources.files[node.place.file].path.clone();
        let place = (file, node.place.line, node.place.column);
        Some(ScriptCall { function: name(function.trim()), args, place })
    }

    /// A list of `{if: condition, else: reason}`.
    pub(crate) fn conditions(&self, node: Option<&Node>, variables: &[Name]) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for item in self.items(node) {
            let fields = self.fields(item);
            let holds = fields.required("if").and_then(|node| self.condition(node, variables));
            let reason = fields.required("else").and_then(|node| self.reason(node));
            fields.finish();
            if let (Some(holds), Some(reason)) = (holds, reason) {
                conditions.push(Condition { holds, reason });
            }
        }
        conditions
    }

    /// The same, each for many items, which are the last variable.
    pub(crate) fn conditions_of_items(&self, node: Option<&Node>, variables: &[Name]) -> Vec<Condition> {
        let mut conditions = self.conditions(node, variables);
        for condition in &mut conditions {
            condition.holds = condition.holds.clone().for_items(1);
        }
        conditions
    }

    /// The code of a reason for a refusal.
    pub(crate) fn reason(&self, node: &Node) -> Option<Name> {
        let reason = self.name(node)?;
        self.reasons.borrow_mut().push((node.place, reason));
        Some(reason)
    }

    pub(crate) fn items<'n>(&self, node: Option<&'n Node>) -> &'n [Node] {
        match node.map(|node| (node, &node.value)) {
            Some((_, NodeValue::List(items))) => items,
            Some((node, _)) => {
                self.wrong_type(node, "a list");
                &[]
            }
            None => &[],
        }
    }

    pub(crate) fn name(&self, node: &Node) -> Option<Name> {
        match &node.value {
            NodeValue::Text(text) if !text.is_empty() && text.len() <= crate::base::NAME_BYTES_MAX => Some(name(text)),
            _ => {
                self.wrong_type(node, "a name");
                None
            }
        }
    }

    pub(crate) fn names(&self, node: Option<&Node>) -> Vec<Name> {
        self.items(node).iter().filter_map(|item| self.name(item)).collect()
    }

    pub(crate) fn text(&self, node: Option<&Node>) -> String {
        match node.map(|node| (node, &node.value)) {
            Some((_, NodeValue::Text(text))) => text.clone(),
            Some((node, _)) => {
                self.wrong_type(node, "text");
                String::new()
            }
            None => String::new(),
        }
    }

    pub(crate) fn int(&self, node: &Node) -> Option<i64> {
        if let NodeValue::Int(number) = node.value {
            Some(number)
        } else {
            self.wrong_type(node, "a number");
            None
        }
    }

    pub(crate) fn yes(&self, node: Option<&Node>) -> bool {
        match node.map(|node| (node, &node.value)) {
            None => false,
            Some((_, NodeValue::Bool(truth))) => *truth,
            Some((_, NodeValue::Text(text))) if text == "yes" || text == "no" => text == "yes",
            Some((node, _)) => {
                self.wrong_type(node, "yes or no");
                false
            }
        }
    }

    /// Points of a cost: a number, `yes` for the usual ones, or `no`.
    pub(crate) fn cost(&self, node: &Node, usual: u32) -> Option<u32> {
        match &node.value {
            NodeValue::Bool(true) => Some(usual),
            NodeValue::Text(text) if text == "yes" => Some(usual),
            NodeValue::Int(number) if (0..=1000).contains(number) => u32::try_from(*number).ok(),
            NodeValue::Bool(false) => None,
            NodeValue::Text(text) if text == "no" => None,
            _ => {
                self.wrong_type(node, "points from 0 to 1000, yes or no");
                None
            }
        }
    }
}

/// The remedy for a text that a comma has cut off.
/// How the three ways to act are written.
const CALLED: &str = "`namespace::function(a, b)`";
const EMITTED: &str = "`emit(\"event\", #{field: value})`";
const OPENED: &str = "`menu(\"menu\", unit)`";

const CUT: &str = "inside `{ }` a comma ends the value: quote it, such as `\"namespace::function(a, b)\"`";

/// Whether more brackets open than close.
fn is_cut(text: &str) -> bool {
    text.matches(['(', '[']).count() > text.matches([')', ']']).count()
}

/// A node as a value: text is a name.
pub(crate) fn plain(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null => Value::None,
        NodeValue::Bool(truth) => Value::Bool(*truth),
        NodeValue::Int(number) => Value::Int(*number),
        NodeValue::Text(text) => Value::name(text),
        NodeValue::List(items) => Value::list(items.iter().map(plain).collect()),
        NodeValue::Map(entries) => Value::map(entries.iter().map(|(key, node)| (name(key), plain(node)))),
    }
}

impl<'a> Fields<'a> {
    pub(crate) fn optional(&self, key: &'static str) -> Option<&'a Node> {
        self.asked.borrow_mut().push(key);
        self.node.as_map().and_then(|entries| entries.get(key))
    }

    pub(crate) fn required(&self, key: &'static str) -> Option<&'a Node> {
        self.musts.borrow_mut().push(key);
        self.optional(key)
    }

    pub(crate) fn entries(&self, key: &'static str) -> Vec<(Name, &'a Node)> {
        match self.optional(key).map(|node| (node, node.as_map())) {
            None => Vec::new(),
            Some((_, Some(entries))) => entries.iter().map(|(key, node)| (name(key), node)).collect(),
            Some((node, None)) => {
                self.reader.wrong_type(node, "a map");
                Vec::new()
            }
        }
    }

    /// The fields that nobody has asked for.
    pub(crate) fn rest(&self) -> Vec<(Name, &'a Node)> {
        let asked = self.asked.borrow();
        let entries = self.node.as_map().into_iter().flatten();
        entries.filter(|(key, _)| !asked.contains(&key.as_str())).map(|(key, node)| (name(key), node)).collect()
    }

    pub(crate) fn finish(self) {
        let asked = self.asked.borrow();
        for (key, node) in self.rest() {
            let near = nearest(&key, asked.iter().copied());
            // What is written with other letters is not missing too.
            self.musts.borrow_mut().retain(|must| near != Some(*must));
            let help = near.map_or_else(|| self.known(), |near| format!("did you mean {near}?"));
            self.reader.defect("field.unknown", node.named_at(), format!("there is no field {key} here"), Some(help));
        }
    }

    /// The fields that there are, those first that have to be there.
    fn known(&self) -> String {
        let (asked, musts) = (self.asked.borrow(), self.musts.borrow());
        let mut others: Vec<&str> = asked.iter().copied().filter(|key| !musts.contains(key)).collect();
        others.dedup();
        known_fields(&musts, &others)
    }

    pub(crate) fn place(&self) -> Place {
        self.node.place
    }

    pub(crate) fn node(&self) -> &'a Node {
        self.node
    }
}

impl Drop for Fields<'_> {
    /// Tells of all fields that are missing at once, also where reading ends with the first of them.
    fn drop(&mut self) {
        let Some(entries) = self.node.as_map() else { return };
        let musts = self.musts.borrow();
        let absent: Vec<&str> = musts.iter().copied().filter(|must| !entries.contains_key(*must)).collect();
        if let Some((message, help)) = missing(&absent) {
            self.reader.defect("field.missing", self.node.named_at(), message, Some(help));
        }
    }
}

/// Fields by name, those first that have to be there.
pub(crate) fn known_fields(musts: &[&str], others: &[&str]) -> String {
    let musts = musts.iter().map(|field| format!("{field} (required)"));
    let all: Vec<String> = musts.chain(others.iter().map(ToString::to_string)).collect();
    format!("fields here: {}", all.join(", "))
}

/// What is said of fields that have to be there and are not: message and remedy.
pub(crate) fn missing(fields: &[&str]) -> Option<(String, String)> {
    let (last, before) = fields.split_last()?;
    if before.is_empty() {
        let types = if *last == "type" { format!(": {}", super::link::TYPES_TOLD) } else { String::new() };
        return Some((format!("the field {last} is missing"), format!("add `{last}:` here{types}")));
    }
    let added: Vec<String> = fields.iter().map(|field| format!("`{field}:`")).collect();
    let message = format!("the fields {} and {last} are missing", before.join(", "));
    let types = if fields.contains(&"type") { format!("; types: {}", super::link::TYPES_TOLD) } else { String::new() };
    Some((message, format!("add {} here{types}", added.join(", "))))
}

/// An expression, or what stands around a byte of a long one.
pub(crate) fn around(text: &str, offset: usize) -> String {
    const SHOWN: usize = 120;
    if text.len() <= SHOWN {
        return text.into();
    }
    let from = offset.saturating_sub(SHOWN / 2);
    let shown: String =
        text.char_indices().filter(|(at, _)| *at >= from).map(|(_, letter)| letter).take(SHOWN).collect();
    let before = if from > 0 { "..." } else { "" };
    let after = if from + shown.len() < text.len() { "..." } else { "" };
    format!("{before}{shown}{after}")
}
