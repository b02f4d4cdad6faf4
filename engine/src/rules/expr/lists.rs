//! The list macros: a body that is evaluated for each item.

use super::{
    EvalError, EvalFault, Host, LIST_ITEMS_MAX,
    ast::{Macro, Node},
    eval::{Frame, Kept, Local, wrong},
};
use crate::base::Value;

/// A body and what is kept of it for all items of one list.
struct Body<'f, 'v, H: ?Sized> {
    frame: &'f Frame<'v, H>,
    which: Macro,
    /// The macro itself.
    node: &'f Node,
    body: &'f Node,
    kept: Kept,
}

impl<'v, H: Host + ?Sized> Frame<'v, H> {
    /// The value of a macro on a list.
    pub(super) fn run_macro(
        &self,
        which: Macro,
        n_kept: u32,
        list: &'v Node,
        body: &'v Node,
        node: &Node,
    ) -> Result<Value, EvalFault> {
        let list = self.operand(list)?;
        let Some(items) = list.as_items() else {
            return Err(wrong(&format!("`{}`", which.name()), "a list", &list).at(node.offset));
        };
        if items.len() > LIST_ITEMS_MAX {
            return Err(EvalError::fault(format!("more than {LIST_ITEMS_MAX} items")).at(node.offset));
        }
        let kept = Kept::of(if items.len() > 1 { n_kept } else { 0 });
        Body { frame: self, which, node, body, kept }.of(items)
    }
}

impl<H: Host + ?Sized> Body<'_, '_, H> {
    fn of(&self, items: &[Value]) -> Result<Value, EvalFault> {
        let mut found = Vec::new();
        match self.which {
            Macro::Map => {
                for item in items {
                    found.push(self.value(item)?);
                }
            }
            Macro::Filter => {
                for item in items {
                    if self.holds(item)? {
                        found.push(item.clone());
                    }
                }
            }
            Macro::Count => {
                let mut n_found = 0;
                for item in items {
                    n_found += i64::from(self.holds(item)?);
                }
                return Ok(Value::Int(n_found));
            }
            Macro::Exists => return Ok(Value::Bool(self.first(items, true)?.is_some())),
            Macro::All => return Ok(Value::Bool(self.first(items, false)?.is_none())),
            Macro::First => return Ok(self.first(items, true)?.cloned().unwrap_or_default()),
            Macro::Sum => return self.sum(items),
            Macro::MinBy | Macro::MaxBy | Macro::SortBy => found = self.by_number(items)?,
        }
        Ok(Value::list(found))
    }

    /// The first item of which the body says so.
    fn first<'i>(&self, items: &'i [Value], wanted: bool) -> Result<Option<&'i Value>, EvalFault> {
        for item in items {
            if self.holds(item)? == wanted {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn sum(&self, items: &[Value]) -> Result<Value, EvalFault> {
        let mut sum = 0_i64;
        for item in items {
            let next = sum.checked_add(self.number(item)?);
            sum = next.ok_or_else(|| EvalError::fault("`sum` overflows").at(self.node.offset))?;
        }
        Ok(Value::Int(sum))
    }

    /// All items in the order of their numbers, or those with the least or greatest.
    fn by_number(&self, items: &[Value]) -> Result<Vec<Value>, EvalFault> {
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            keyed.push((self.number(item)?, item));
        }
        let numbers = keyed.iter().map(|(number, _)| *number);
        let wanted = match self.which {
            Macro::MinBy => numbers.min(),
            Macro::MaxBy => numbers.max(),
            _ => {
                keyed.sort_by_key(|(number, _)| *number);
                None
            }
        };
        keyed.retain(|(number, _)| wanted.is_none_or(|wanted| *number == wanted));
        Ok(keyed.into_iter().map(|(_, item)| item.clone()).collect())
    }

    fn number(&self, item: &Value) -> Result<i64, EvalFault> {
        let value = self.value(item)?;
        value.as_int().ok_or_else(|| wrong(&format!("`{}`", self.which.name()), "an int", &value).at(self.body.offset))
    }

    /// The value of the body with an item as the innermost variable.
    fn value(&self, item: &Value) -> Result<Value, EvalFault> {
        self.charge()?;
        let local = Local { value: item, outer: self.frame.local };
        self.within(&local).value(self.body)
    }

    /// Whether it holds.
    fn holds(&self, item: &Value) -> Result<bool, EvalFault> {
        self.charge()?;
        let local = Local { value: item, outer: self.frame.local };
        self.within(&local).truth(self.body, self.which.name())
    }

    fn charge(&self) -> Result<(), EvalFault> {
        self.frame.host.charge(u64::from(self.body.cost)).map_err(|fault| fault.at(self.node.offset))
    }

    fn within<'a>(&'a self, local: &'a Local<'a>) -> Frame<'a, H> {
        Frame { host: self.frame.host, inputs: self.frame.inputs, local: Some(local), kept: &self.kept.0 }
    }
}
