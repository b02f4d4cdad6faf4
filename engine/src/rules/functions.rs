//! What scripts can do: the functions that act, beside every query, built-in and term.

use std::rc::Rc;

use super::{
    campaign::{MISSION_ENDED, MISSION_STARTED},
    expr::{BUILTINS, EvalFault},
    game::Game,
    instance::Stage,
    menu, piles,
    query::QUERIES,
    secrets,
    view::View,
};
use crate::{
    base::{Map, Name, Value, What, name},
    chance::Draw,
    kernel::{Fault, Stop},
    script::{FunctionDoc, PropertyRead, ScriptFunction},
};

/// A function that acts.
pub struct Acting {
    /// Its name.
    pub name: &'static str,
    /// The least and the greatest number of arguments.
    pub args: (usize, usize),
    /// Arguments and result.
    pub signature: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// When it fails.
    pub errors: &'static str,
    /// A use of it.
    pub example: &'static str,
    run: fn(&Rc<Stage>, &[Value]) -> Result<Value, Stop>,
}

/// Every function that acts.
pub static ACTING: &[Acting] = &[
    Acting {
        name: "emit",
        args: (1, 2),
        signature: "emit(event, fields?)",
        doc: "Records an event and folds it at once; what it triggers waits for `settle` or the end of the function that the engine called.",
        errors: "An event or field that is not declared, a value of another type, an effect that does not fit the world.",
        example: "emit(\"moved\", #{ unit: unit, to: goal })",
        run: emit,
    },
    Acting {
        name: "settle",
        args: (0, 0),
        signature: "settle()",
        doc: "Runs what has been triggered, in order, until nothing waits.",
        errors: "Whatever a triggered function fails with.",
        example: "settle()",
        run: |stage, _| stage.run()?.settle().map(|()| Value::None),
    },
    Acting {
        name: "roll",
        args: (3, 3),
        signature: "roll(stream, n, sides) -> list<int>",
        doc: "Rolls dice on a stream: faces from 1.",
        errors: "More than 4096 dice, no sides.",
        example: "roll(join(\"attack\", unit.key), 2, 6)",
        run: roll,
    },
    Acting {
        name: "die",
        args: (2, 2),
        signature: "die(stream, sides) -> int",
        doc: "Rolls one die on a stream: a face from 1.",
        errors: "No sides.",
        example: "die(\"weather\", 6)",
        run: die,
    },
    Acting {
        name: "shuffled",
        args: (2, 2),
        signature: "shuffled(stream, list) -> list",
        doc: "The items in an order drawn on a stream.",
        errors: "More than 4096 items.",
        example: "shuffled(\"deck\", pile(\"deck\"))",
        run: shuffled,
    },
    Acting {
        name: "shuffle",
        args: (1, 1),
        signature: "shuffle(zone)",
        doc: "Draws an order for a pile and records it by the event `pile_ordered`.",
        errors: "An unknown zone, more than 4096 things in it.",
        example: "shuffle(\"deck\")",
        run: piles::shuffle,
    },
    Acting {
        name: "arrange",
        args: (2, 2),
        signature: "arrange(zone, order)",
        doc: "Gives a pile an order, from the top, and records it by the event `pile_ordered`.",
        errors: "An unknown zone, an order of other things than those that lie in it.",
        example: "arrange(\"deck\", concat(first, shuffled(\"deck\", others)))",
        run: piles::arrange,
    },
    Acting {
        name: "refill",
        args: (1, 1),
        signature: "refill(zone) -> bool",
        doc: "If a pile is empty, what the `refill` of its record lets through goes back into it, by the event `pile_refilled`, and it is shuffled. Whether something went back.",
        errors: "An unknown zone, one without `refill`, more than 4096 things.",
        example: "refill(\"deck\")",
        run: piles::refill,
    },
    Acting {
        name: "pick",
        args: (2, 2),
        signature: "pick(stream, list) -> value",
        doc: "One of the items, drawn on a stream.",
        errors: "An empty list.",
        example: "pick(\"scatter\", neighbours(goal))",
        run: pick,
    },
    Acting {
        name: "choose",
        args: (1, 2),
        signature: "choose(choice, args?) -> value",
        doc: "Asks the seat a question of section `choices`; gives the answer. With one legal answer nobody is asked.",
        errors: "An unknown choice, missing arguments, no legal answer.",
        example: "choose(\"move_to\", #{ unit: unit })",
        run: |stage, args| menu::choose(stage, name_of(args, 0)?, map_of(args, 1)?),
    },
    Acting {
        name: "choose_tie",
        args: (2, 2),
        signature: "choose_tie(prompt, list) -> value",
        doc: "Asks which of several equal things comes first. A standing answer takes the first of the list.",
        errors: "An empty list.",
        example: "choose_tie(\"who_first\", nearest)",
        run: |stage, args| menu::choose_tie(stage, name_of(args, 0)?, &items_of(args, 1)?),
    },
    Acting {
        name: "choose_each",
        args: (2, 2),
        signature: "choose_each(seats, function) -> list",
        doc: "Asks several seats at once and in secret: the function runs for each, gets its name, reads only what it knows, and neither emits nor draws. Gives the results in the order of the seats when all have finished.",
        errors: "An unknown seat or function, an event or draw in a dialogue.",
        example: "choose_each([\"red\", \"blue\"], \"bids::bid\")",
        run: |stage, args| secrets::choose_each(stage, &items_of(args, 0)?, name_of(args, 1)?),
    },
    Acting {
        name: "window",
        args: (2, 3),
        signature: "window(window, seat, args?) -> value",
        doc: "Lets a seat react, if the window opens by what everybody knows; gives what it does, none if it passes.",
        errors: "An unknown window, missing arguments.",
        example: "window(\"ambush\", \"blue\", #{ unit: unit })",
        run: |stage, args| secrets::window(stage, name_of(args, 0)?, name_of(args, 1)?, map_of(args, 2)?),
    },
    Acting {
        name: "menu",
        args: (2, 2),
        signature: "menu(menu, unit) -> name",
        doc: "Asks which action of a menu a unit takes, asks what the action asks, and runs it; gives the action's id.",
        errors: "An unknown menu, no legal action.",
        example: "menu(\"turn\", unit)",
        run: menu::opens,
    },
];

/// Who lets functions look at a world.
pub(super) type Look = Rc<dyn Fn(&mut dyn FnMut(&View<'_>) -> Result<Value, Fault>) -> Result<Value, Stop>>;

/// The look of whoever runs on a stage.
pub(super) fn look_of(stage: &Rc<Stage>) -> Look {
    let stage = Rc::clone(stage);
    Rc::new(move |f| {
        let run = stage.run()?;
        stage.look(&run, |view| f(view))
    })
}

/// Every function that scripts may call.
pub(super) fn all(stage: &Rc<Stage>) -> Vec<ScriptFunction> {
    let mut functions = Vec::new();
    for acting in ACTING {
        let stage = Rc::clone(stage);
        functions.push(ScriptFunction {
            name: acting.name.to_string(),
            args: acting.args,
            doc: doc(acting.signature, acting.doc, acting.errors, acting.example),
            run: Rc::new(move |args| {
                let _lap = stage.game.gauge.lap(What::Act, acting.name);
                (acting.run)(&stage, args)
            }),
        });
    }
    functions.extend(reading(&stage.game, &look_of(stage)));
    functions
}

/// Every function that only looks.
pub(super) fn reading(game: &Game, look: &Look) -> Vec<ScriptFunction> {
    let mut functions = Vec::new();
    for query in QUERIES {
        let look = Rc::clone(look);
        functions.push(ScriptFunction {
            name: query.name.to_string(),
            args: query.args,
            doc: doc(query.signature, query.doc, "An argument of another type.", query.example),
            run: Rc::new(move |args| {
                look(&mut |view| {
                    let _lap = view.game.gauge.lap(What::Query, query.name);
                    (query.run)(view, args).map_err(|message| Fault(format!("{}: {message}", query.name)))
                })
            }),
        });
    }
    for builtin in BUILTINS {
        functions.push(ScriptFunction {
            name: builtin.name.to_string(),
            args: (builtin.args_min, builtin.args_max),
            doc: doc(
                &format!("{}({}) -> {}", builtin.name, builtin.args, builtin.result),
                builtin.doc,
                "An argument of another type.",
                builtin.example,
            ),
            run: Rc::new(move |args| {
                (builtin.call)(args, &|_| Ok(()))
                    .map_err(|fault| Stop::fault(format!("{}: {}", builtin.name, fault.message)))
            }),
        });
    }
    for (term, record) in &game.terms {
        let (term, n, look) = (*term, record.args.len(), Rc::clone(look));
        functions.push(ScriptFunction {
            name: term.to_string(),
            args: (n, n),
            doc: doc("", &record.doc, "", ""),
            run: Rc::new(move |args| look(&mut |view| view.term(term, args).map_err(fault))),
        });
    }
    functions
}

/// What entities and spaces have without a declaration.
const OF_EVERYTHING: [&str; 7] = ["key", "kind", "alive", "at", "name", "things", "region"];

/// How scripts read properties.
pub(super) fn property_reader(game: &Game, look: Look) -> PropertyRead {
    let names = game.properties.keys().chain(game.stats.keys()).copied();
    let names = names.chain(OF_EVERYTHING.map(name)).collect();
    let read = move |of: &Value, property: Name| {
        look(&mut |view| {
            let _lap = view.game.gauge.lap(What::Read, property.as_str());
            view.read(of, property).map_err(fault)
        })
    };
    PropertyRead { names, read: Rc::new(read) }
}

/// Records an event whose kind and fields are the arguments.
pub(super) fn emit(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let kind = name_of(args, 0)?;
    if super::effects::FLOW_EVENTS.contains(&kind.as_str()) {
        return Err(Stop::fault(format!("{kind} belongs to the flow; scripts cannot emit it")));
    }
    if [MISSION_STARTED, MISSION_ENDED].contains(&kind.as_str()) {
        return Err(Stop::fault(format!("{kind} belongs to phases that play a mission; scripts cannot emit it")));
    }
    if piles::is_event(kind) {
        return Err(Stop::fault(format!(
            "{kind} belongs to `shuffle`, `arrange` and `refill`; scripts cannot emit it"
        )));
    }
    let mut fields = map_of(args, 1)?.to_tree();
    if let Some(record) = stage.game.events.get(&kind) {
        for (field, value) in &mut fields {
            let wants_set = record.fields.get(field).is_some_and(|declared| declared.kind.starts_with("set<"));
            if let (true, Value::List(items)) = (wants_set, &*value) {
                *value = Value::set(items.to_vec());
            }
        }
    }
    fields.retain(|_, value| !value.is_none());
    stage.run()?.emit(kind, fields, stage.cause()).map(|()| Value::None)
}

fn roll(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let number = |index: usize| {
        args[index]
            .as_int()
            .and_then(|n| u32::try_from(n).ok())
            .ok_or_else(|| Stop::fault(format!("roll: dice and sides are numbers from 0 to {}", u32::MAX)))
    };
    let faces = stage.run()?.draw(name_of(args, 0)?, Draw::Dice { n: number(1)?, sides: number(2)? })?;
    Ok(Value::list(faces.into_iter().map(Value::Int).collect()))
}

fn die(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let rolled = roll(stage, &[args[0].clone(), Value::Int(1), args[1].clone()])?;
    let face = rolled.as_items().and_then(<[Value]>::first).cloned();
    face.ok_or_else(|| Stop::fault("die: nothing was drawn"))
}

fn shuffled(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let items = items_of(args, 1)?;
    let order = stage.run()?.draw(name_of(args, 0)?, Draw::Order { n: count(&items)? })?;
    Ok(Value::list(order.iter().filter_map(|index| items.get(usize::try_from(*index).ok()?).cloned()).collect()))
}

fn pick(stage: &Rc<Stage>, args: &[Value]) -> Result<Value, Stop> {
    let items = items_of(args, 1)?;
    let faces = stage.run()?.draw(name_of(args, 0)?, Draw::Pick { n: count(&items)? })?;
    let index = faces.first().and_then(|face| usize::try_from(*face).ok());
    index.and_then(|index| items.get(index).cloned()).ok_or_else(|| Stop::fault("pick: nothing was drawn"))
}

fn count(items: &[Value]) -> Result<u32, Stop> {
    u32::try_from(items.len()).map_err(|_| Stop::fault("a draw from too many items"))
}

fn doc(signature: &str, text: &str, errors: &str, example: &str) -> FunctionDoc {
    FunctionDoc { signature: signature.into(), text: text.into(), errors: errors.into(), example: example.into() }
}

#[expect(clippy::boxed_local, reason = "faults come in boxes")]
fn fault(fault: EvalFault) -> Fault {
    Fault(fault.message)
}

pub(super) fn name_of(args: &[Value], index: usize) -> Result<Name, Stop> {
    let value = args.get(index).unwrap_or(&Value::None);
    value.as_name().ok_or_else(|| {
        Stop::fault(format!("argument {} is {} where a name was expected", index + 1, value.type_name()))
    })
}

fn map_of(args: &[Value], index: usize) -> Result<&Map, Stop> {
    static NOTHING: Map = Map::new();
    match args.get(index) {
        None | Some(Value::None) => Ok(&NOTHING),
        Some(Value::Map(map)) => Ok(map),
        Some(other) => {
            Err(Stop::fault(format!("argument {} is {} where a map was expected", index + 1, other.type_name())))
        }
    }
}

fn items_of(args: &[Value], index: usize) -> Result<Vec<Value>, Stop> {
    let value = args.get(index).unwrap_or(&Value::None);
    let items = value.as_items().map(<[Value]>::to_vec);
    items.ok_or_else(|| {
        Stop::fault(format!("argument {} is {} where a list was expected", index + 1, value.type_name()))
    })
}
