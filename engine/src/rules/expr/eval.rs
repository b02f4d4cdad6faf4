//! A compiled tree to a value.
//!
//! In the world as a seat knows it much is *unknown*. A comparison holds only if it is known to
//! hold: with an unknown operand `==`, `<`, `<=`, `>`, `>=` are false, and so is an unknown bool
//! where a condition is due. Sums with an unknown are unknown. What else needs a number or a
//! bool fails.

use std::{borrow::Cow, cell::OnceCell, slice};

use super::{
    EvalError, EvalFault, Expr, Host,
    ast::{Arithmetic, Node, NodeKind, Order},
    functions::{equal, position},
};
use crate::base::Value;

impl Expr {
    /// The value, with `variables` in the order in which they were named to [`Expr::parse`].
    ///
    /// # Errors
    ///
    /// An operand does not fit its operator, or the host refuses.
    pub fn eval(&self, host: &(impl Host + ?Sized), variables: &[Value]) -> Result<Value, EvalFault> {
        self.eval_item(host, variables, &Kept::default())
    }

    /// The value for one of many items, which are the last variables: see [`Expr::for_items`].
    ///
    /// # Errors
    ///
    /// As [`Expr::eval`].
    pub fn eval_item(&self, host: &(impl Host + ?Sized), inputs: &[Value], kept: &Kept) -> Result<Value, EvalFault> {
        self.frame(host, inputs, kept)?.value(&self.run)
    }

    /// The same, which must be a bool.
    ///
    /// # Errors
    ///
    /// As [`Expr::eval_bool`].
    pub fn item_holds(&self, host: &(impl Host + ?Sized), inputs: &[Value], kept: &Kept) -> Result<bool, EvalFault> {
        self.frame(host, inputs, kept)?.truth(&self.run, "")
    }

    /// Room for what is the same for all items of one list.
    #[must_use]
    pub fn kept(&self) -> Kept {
        Kept::of(self.n_kept)
    }

    fn frame<'v, H: Host + ?Sized>(
        &self,
        host: &'v H,
        inputs: &'v [Value],
        kept: &'v Kept,
    ) -> Result<Frame<'v, H>, EvalFault> {
        if inputs.len() != self.n_variables {
            return Err(EvalError::fault(format!("{} variables, not {}", self.n_variables, inputs.len())));
        }
        host.charge(u64::from(self.root.cost))?;
        Ok(Frame { host, inputs, local: None, kept: &kept.0 })
    }

    /// The value, which must be a bool.
    ///
    /// # Errors
    ///
    /// As [`Expr::eval`], and if it is no bool.
    pub fn eval_bool(&self, host: &(impl Host + ?Sized), variables: &[Value]) -> Result<bool, EvalFault> {
        self.item_holds(host, variables, &Kept::default())
    }

    /// The value, which must be an int.
    ///
    /// # Errors
    ///
    /// As [`Expr::eval`], and if it is no int.
    pub fn eval_int(&self, host: &(impl Host + ?Sized), variables: &[Value]) -> Result<i64, EvalFault> {
        self.int(&self.eval(host, variables)?)
    }

    /// The number that its value must be.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn int(&self, value: &Value) -> Result<i64, EvalFault> {
        value.as_int().ok_or_else(|| wrong("the expression", "an int", value).at(self.root.offset))
    }

    /// The items of the value, which must be a list or set.
    ///
    /// # Errors
    ///
    /// As [`Expr::eval`], and if it is no list or set.
    pub fn eval_items(&self, host: &(impl Host + ?Sized), variables: &[Value]) -> Result<Vec<Value>, EvalFault> {
        let value = self.eval(host, variables)?;
        let items = value.as_items().map(<[Value]>::to_vec);
        items.ok_or_else(|| wrong("the expression", "a list", &value).at(self.root.offset))
    }
}

/// The fault that `what` needs something else than `found`.
pub(super) fn wrong(what: &str, wanted: &str, found: &Value) -> EvalFault {
    let remedy = match found {
        Value::Unknown => ": the seat does not know it; leave it out by a comparison first, which is then false",
        _ => "",
    };
    EvalError::fault(format!("{what} needs {wanted}, not {}{remedy}", found.type_name()))
}

/// Whether a condition holds, as far as is known; none if it is no bool.
fn truth_of(value: &Value) -> Option<bool> {
    if matches!(value, Value::Unknown) { Some(false) } else { value.as_bool() }
}

/// A variable that a macro bound, and those bound around it.
pub(super) struct Local<'v> {
    pub(super) value: &'v Value,
    pub(super) outer: Option<&'v Local<'v>>,
}

/// What the variables hold where a node is evaluated.
pub(super) struct Frame<'v, H: ?Sized> {
    pub(super) host: &'v H,
    pub(super) inputs: &'v [Value],
    pub(super) local: Option<&'v Local<'v>>,
    pub(super) kept: &'v [OnceCell<Value>],
}

/// What is the same for all items of one list, as far as it has been asked for.
#[derive(Debug, Default)]
pub struct Kept(pub(super) Vec<OnceCell<Value>>);

impl Kept {
    pub(super) fn of(n_kept: u32) -> Self {
        Self(std::iter::repeat_with(OnceCell::new).take(n_kept as usize).collect())
    }
}

type Operand<'v> = Result<Cow<'v, Value>, EvalFault>;

impl<'v, H: Host + ?Sized> Frame<'v, H> {
    /// The value of a node that only stands for one.
    #[inline(always)]
    fn leaf(&self, node: &'v Node) -> Option<&'v Value> {
        match &node.kind {
            NodeKind::Literal(value) => Some(value),
            NodeKind::Input(slot) => self.inputs.get(*slot as usize),
            NodeKind::Local(0) => self.local.map(|local| local.value),
            _ => None,
        }
    }

    /// The value of `node`; borrowed if it is stored somewhere.
    #[inline(always)]
    pub(super) fn operand(&self, node: &'v Node) -> Operand<'v> {
        match self.leaf(node) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => self.inner(node),
        }
    }

    /// The value of a node with others in it.
    fn inner(&self, node: &'v Node) -> Operand<'v> {
        match &node.kind {
            NodeKind::If(arms, otherwise) => {
                for [condition, value] in arms {
                    if self.truth(condition, "if")? {
                        return self.operand(value);
                    }
                }
                self.operand(otherwise)
            }
            NodeKind::Property(of, name) => {
                let of = self.operand(of)?;
                if let Some(stored) = self.host.stored(&of, *name) {
                    return Ok(Cow::Borrowed(stored));
                }
                self.host.property(&of, *name).map(Cow::Owned).map_err(|fault| fault.at(node.offset))
            }
            NodeKind::Call(function, arguments) => self
                .call(arguments, |values| self.host.call(*function, values))
                .map(Cow::Owned)
                .map_err(|fault| fault.at(node.offset)),
            NodeKind::Not(_)
            | NodeKind::Order(..)
            | NodeKind::Equal(..)
            | NodeKind::In(..)
            | NodeKind::All(_)
            | NodeKind::Any(_) => self.truth(node, "").map(|truth| Cow::Owned(Value::Bool(truth))),
            NodeKind::Local(n_outward) => self.bound(*n_outward, node),
            NodeKind::Once(number, part) => match self.kept.get(*number as usize) {
                None => self.operand(part),
                Some(cell) => {
                    if cell.get().is_none() {
                        let value = self.value(part)?;
                        return Ok(Cow::Borrowed(cell.get_or_init(|| value)));
                    }
                    Ok(cell.get().map_or(Cow::Owned(Value::None), Cow::Borrowed))
                }
            },
            _ => self.made(node).map(Cow::Owned),
        }
    }

    /// A value that did not exist before.
    fn made(&self, node: &'v Node) -> Result<Value, EvalFault> {
        Ok(match &node.kind {
            NodeKind::Index(pair) => self.index(&pair[0], &pair[1]).map_err(|fault| fault.at(node.offset))?,
            NodeKind::Negate(inner) => {
                let overflows = || EvalError::fault("`-` overflows").at(node.offset);
                let number = self.number(inner, "-", "an int", inner)?;
                number.map_or(Ok(Value::Unknown), |n| n.checked_neg().map(Value::Int).ok_or_else(overflows))?
            }
            NodeKind::Arithmetic(operator, pair) => {
                let left = self.number(&pair[0], operator.symbol(), "ints", node)?;
                let right = self.number(&pair[1], operator.symbol(), "ints", node)?;
                match left.zip(right) {
                    Some((left, right)) => {
                        Value::Int(calculate(*operator, left, right).map_err(|fault| fault.at(node.offset))?)
                    }
                    None => Value::Unknown,
                }
            }
            NodeKind::List(items) => Value::list(self.values(items)?),
            NodeKind::Map(entries) => {
                let mut map = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    map.push((*key, self.value(value)?));
                }
                Value::map(map)
            }
            NodeKind::Builtin(function, arguments) => self.call(arguments, |values| {
                (function.call)(values, &|n| self.host.charge(n)).map_err(|fault| fault.at(node.offset))
            })?,
            NodeKind::Macro(which, n_kept, pair) => self.run_macro(*which, *n_kept, &pair[0], &pair[1], node)?,
            NodeKind::Input(_) => return Err(EvalError::fault("the variable is not given").at(node.offset)),
            _ => self.inner(node)?.into_owned(),
        })
    }

    /// The value of `node`, to keep.
    #[inline(always)]
    pub(super) fn value(&self, node: &'v Node) -> Result<Value, EvalFault> {
        match self.leaf(node) {
            Some(value) => Ok(value.clone()),
            None => self.inner(node).map(Cow::into_owned),
        }
    }

    /// Whether `node` holds, which the operator or function `what` asks, or nobody.
    pub(super) fn truth(&self, node: &'v Node, what: &'static str) -> Result<bool, EvalFault> {
        match &node.kind {
            NodeKind::Not(inner) => Ok(!self.truth(inner, "!")?),
            NodeKind::All(terms) => {
                for term in terms {
                    if !self.truth(term, "&&")? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            NodeKind::Any(terms) => {
                for term in terms {
                    if self.truth(term, "||")? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            NodeKind::Order(order, pair) => {
                let left = self.number(&pair[0], order.symbol(), "ints", node)?;
                let right = self.number(&pair[1], order.symbol(), "ints", node)?;
                let holds = |(left, right): (i64, i64)| match order {
                    Order::Less => left < right,
                    Order::LessOrEqual => left <= right,
                    Order::Greater => left > right,
                    Order::GreaterOrEqual => left >= right,
                };
                Ok(left.zip(right).is_some_and(holds))
            }
            NodeKind::Equal(negated, pair) => {
                let (left, right) = (self.operand(&pair[0])?, self.operand(&pair[1])?);
                let same = match (&*left, &*right) {
                    (Value::Name(left), Value::Name(right)) => left == right,
                    (Value::Entity(left), Value::Entity(right)) => left == right,
                    (Value::Space(left), Value::Space(right)) => left == right,
                    (Value::Int(left), Value::Int(right)) => left == right,
                    (left, right) => {
                        equal(left, right, &|n| self.host.charge(n)).map_err(|fault| fault.at(node.offset))?
                    }
                };
                Ok(same != *negated)
            }
            NodeKind::In(negated, pair) => {
                let (item, list) = (self.operand(&pair[0])?, self.operand(&pair[1])?);
                let found = self.contains(&list, &item).map_err(|fault| fault.at(node.offset))?;
                Ok(found != *negated)
            }
            _ => {
                let value = self.operand(node)?;
                let who = || if what.is_empty() { "the expression".into() } else { format!("`{what}`") };
                truth_of(&value).ok_or_else(|| wrong(&who(), "a bool", &value).at(node.offset))
            }
        }
    }

    /// A number that the operator at `operator` needs, none if it is unknown.
    fn number(&self, node: &'v Node, symbol: &str, wanted: &str, operator: &Node) -> Result<Option<i64>, EvalFault> {
        match *self.operand(node)? {
            Value::Int(number) => Ok(Some(number)),
            Value::Unknown => Ok(None),
            ref other => Err(wrong(&format!("`{symbol}`"), wanted, other).at(operator.offset)),
        }
    }

    fn bound(&self, n_outward: u32, node: &Node) -> Operand<'v> {
        let mut local = self.local;
        for _ in 0..n_outward {
            local = local.and_then(|local| local.outer);
        }
        let value = local.map(|local| Cow::Borrowed(local.value));
        value.ok_or_else(|| EvalError::fault("the variable is not bound").at(node.offset))
    }

    fn values(&self, nodes: &'v [Node]) -> Result<Vec<Value>, EvalFault> {
        nodes.iter().map(|node| self.value(node)).collect()
    }

    /// Calls `function` with the arguments, up to three of them without allocating.
    fn call(
        &self,
        nodes: &'v [Node],
        function: impl FnOnce(&[Value]) -> Result<Value, EvalFault>,
    ) -> Result<Value, EvalFault> {
        let value = |node| self.value(node);
        match nodes {
            [] => function(&[]),
            [a] => function(slice::from_ref(&*self.operand(a)?)),
            [a, b] => function(&[value(a)?, value(b)?]),
            [a, b, c] => function(&[value(a)?, value(b)?, value(c)?]),
            _ => function(&self.values(nodes)?),
        }
    }

    fn index(&self, of: &'v Node, by: &'v Node) -> Result<Value, EvalFault> {
        let (of, by) = (self.operand(of)?, self.operand(by)?);
        if let Some(map) = of.as_map() {
            let key = by.as_name().ok_or_else(|| wrong("the index of a map", "a name", &by))?;
            return map.get(&key).cloned().ok_or_else(|| EvalError::fault(format!("the map has no key `{key}`")));
        }
        let items = of.as_items().ok_or_else(|| wrong("`[ ]`", "a list or map", &of))?;
        let index = by.as_int().ok_or_else(|| wrong("the index of a list", "an int", &by))?;
        let from_end = if index < 0 { i64::try_from(items.len()).unwrap_or(i64::MAX) } else { 0 };
        let place = usize::try_from(index.saturating_add(from_end)).ok();
        place
            .and_then(|place| items.get(place))
            .cloned()
            .ok_or_else(|| EvalError::fault(format!("index {index} is outside a list of {} items", items.len())))
    }

    fn contains(&self, list: &Value, item: &Value) -> Result<bool, EvalFault> {
        if let (Some(map), Some(key)) = (list.as_map(), item.as_name()) {
            return Ok(map.contains_key(&key));
        }
        let items = list.as_items().ok_or_else(|| wrong("`in`", "a list or map", list))?;
        Ok(position(items, item, &|n| self.host.charge(n))?.is_some())
    }
}

fn calculate(operator: Arithmetic, left: i64, right: i64) -> Result<i64, EvalFault> {
    let result = match operator {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => {
            return Err(EvalError::fault(format!("`{}` by zero", operator.symbol())));
        }
        Arithmetic::Divide => left.checked_div(right),
        Arithmetic::Remainder => left.checked_rem(right),
    };
    result.ok_or_else(|| EvalError::fault(format!("`{}` overflows", operator.symbol())))
}
