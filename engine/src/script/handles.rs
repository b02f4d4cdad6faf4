//! Entities and spaces in scripts: handles that compare, and whose properties are read.

use std::rc::Rc;

use rhai::{Engine, ImmutableString, NativeCallContext};

use super::{PropertyRead, convert::Unknown, host::Shared};
use crate::{
    base::{EntityId, Name, SpaceId, Value, name},
    kernel::Stop,
};

pub(super) fn register_handles(engine: &mut Engine, shared: &Rc<Shared>, property: &PropertyRead) {
    macro_rules! compare {
        ($($handle:ty),*) => {$(
            engine.register_fn("<", |a: $handle, b: $handle| a < b);
            engine.register_fn("<=", |a: $handle, b: $handle| a <= b);
            engine.register_fn(">", |a: $handle, b: $handle| a > b);
            engine.register_fn(">=", |a: $handle, b: $handle| a >= b);
            engine.register_fn("==", |a: $handle, b: $handle| a == b);
            engine.register_fn("!=", |a: $handle, b: $handle| a != b);
        )*};
    }
    compare!(EntityId, SpaceId);
    engine.register_type_with_name::<EntityId>("entity");
    engine.register_type_with_name::<SpaceId>("space");
    engine.register_type_with_name::<Unknown>("unknown");
    engine.register_fn("==", |a: Unknown, b: Unknown| a == b);
    engine.register_fn("!=", |a: Unknown, b: Unknown| a != b);
    // As in expressions: what is unknown is in no order.
    for order in ["<", "<=", ">", ">="] {
        engine.register_fn(order, |_: Unknown, _: Unknown| false);
        engine.register_fn(order, |_: Unknown, _: i64| false);
        engine.register_fn(order, |_: i64, _: Unknown| false);
    }
    for property_name in &property.names {
        register_property(engine, shared, property, *property_name);
    }
    // Other names, and names that are worked out.
    let (held, read) = (Rc::clone(shared), Rc::clone(&property.read));
    engine.register_indexer_get(move |context: NativeCallContext<'_>, entity: &mut EntityId, key: ImmutableString| {
        let owner = Value::Entity(*entity);
        held.outside(&context, || read(&owner, property_name(&key)?))
    });
    let (held, read) = (Rc::clone(shared), Rc::clone(&property.read));
    engine.register_indexer_get(move |context: NativeCallContext<'_>, space: &mut SpaceId, key: ImmutableString| {
        let owner = Value::Space(*space);
        held.outside(&context, || read(&owner, property_name(&key)?))
    });
}

/// `unit.rank` without a detour over the name as a text.
fn register_property(engine: &mut Engine, shared: &Rc<Shared>, property: &PropertyRead, id: Name) {
    let (held, read) = (Rc::clone(shared), Rc::clone(&property.read));
    engine.register_get(id.as_str(), move |context: NativeCallContext<'_>, entity: &mut EntityId| {
        held.outside(&context, || read(&Value::Entity(*entity), id))
    });
    let (held, read) = (Rc::clone(shared), Rc::clone(&property.read));
    engine.register_get(id.as_str(), move |context: NativeCallContext<'_>, space: &mut SpaceId| {
        held.outside(&context, || read(&Value::Space(*space), id))
    });
}

fn property_name(key: &str) -> Result<Name, Stop> {
    if key.len() > crate::base::NAME_BYTES_MAX {
        return Err(Stop::fault("the name of a property is too long"));
    }
    Ok(name(key))
}
