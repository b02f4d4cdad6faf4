//! What an expression asks of the world around it.

use super::{EvalError, EvalFault};
use crate::base::{Name, Value};

/// The world in which an expression is evaluated.
pub trait Host {
    /// The property `name` of an entity, space or map.
    ///
    /// # Errors
    ///
    /// `of` has no such property.
    fn property(&self, of: &Value, name: Name) -> Result<Value, EvalFault>;
    /// The property `name` of an entity, if it need not be worked out; if not, [`Host::property`] is asked.
    fn stored(&self, of: &Value, name: Name) -> Option<&Value>;
    /// The result of the function with this number.
    ///
    /// # Errors
    ///
    /// The arguments do not fit.
    fn call(&self, function: u32, args: &[Value]) -> Result<Value, EvalFault>;
    /// Takes `operations` from the budget.
    ///
    /// # Errors
    ///
    /// The budget is spent.
    fn charge(&self, operations: u64) -> Result<(), EvalFault>;
}

/// A host without entities, spaces, functions or budget: only maps have properties.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl Host for NoWorld {
    fn property(&self, of: &Value, name: Name) -> Result<Value, EvalFault> {
        let Some(map) = of.as_map() else {
            return Err(EvalError::fault(format!("{} has no property `{name}`", of.type_name())));
        };
        map.get(&name).cloned().ok_or_else(|| EvalError::fault(format!("the map has no key `{name}`")))
    }

    fn stored(&self, _: &Value, _: Name) -> Option<&Value> {
        None
    }

    fn call(&self, _: u32, _: &[Value]) -> Result<Value, EvalFault> {
        Err(EvalError::fault("there are no functions here"))
    }

    fn charge(&self, _: u64) -> Result<(), EvalFault> {
        Ok(())
    }
}
