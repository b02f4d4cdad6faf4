//! Reading records: terms, choices, values, invariants, hooks, flow.

use super::{
    actions::{action, menu},
    data::data,
    event::event,
    secrets::{seat, seats, windows},
    section,
    zones::zones,
};
use crate::{
    base::{Name, name},
    content::{self, Node},
    rules::{
        game::{Body, ChoiceRecord, Game, Hook, Invariant, Part, Phase, Refusal, Term, ValueRecord},
        read::Reader,
    },
};

pub(super) fn records(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    seats(game, reader);
    windows(game, reader);
    for (id, record) in section(sources, "events") {
        game.events.insert(name(id), event(reader, &record.node));
    }
    zones(game, reader);
    terms(game, reader);
    for (id, record) in section(sources, "choices") {
        if let Some(choice) = choice(reader, &record.node) {
            game.choices.insert(name(id), choice);
        }
    }
    for (id, record) in section(sources, "actions") {
        if let Some(action) = action(reader, &record.node) {
            game.actions.insert(name(id), action);
        }
    }
    for (id, record) in section(sources, "menus") {
        game.menus.insert(name(id), menu(reader, &record.node));
    }
    for (id, record) in section(sources, "data") {
        data(game, reader, id, &record.node);
    }
    let locals = game.locals.clone();
    for (id, record) in section(sources, "phases") {
        game.phases.insert(name(id), phase(reader, &record.node, &locals));
    }
    for (id, record) in section(sources, "hooks") {
        if let Some(hook) = hook(game, reader, id, &record.node) {
            game.hooks.insert(name(id), hook);
        }
    }
    invariants(game, reader);
    for (id, record) in section(sources, "values") {
        if let Some(value) = value_record(reader, &record.node) {
            game.values.insert(name(id), value);
        }
    }
    for (id, record) in section(sources, "texts") {
        game.texts.insert(name(id), reader.text(Some(&record.node)));
    }
}

fn terms(game: &mut Game, reader: &Reader<'_>) {
    for (id, node) in super::terms(reader.sources) {
        let fields = reader.fields(node);
        let args = reader.names(fields.optional("args"));
        let is = fields.required("is").and_then(|node| reader.expr(node, &args));
        let doc = reader.text(fields.optional("doc"));
        let _ = fields.optional("source");
        fields.finish();
        if game.terms.contains_key(&name(id)) {
            let help = Some("give one of the two another name".into());
            reader.defect("term.twice", node.place, format!("there are two terms {id}"), help);
        }
        if let Some(is) = is {
            game.terms.insert(name(id), Term { args, doc, is });
        }
    }
}

fn choice(reader: &Reader<'_>, node: &Node) -> Option<ChoiceRecord> {
    let fields = reader.fields(node);
    let args = reader.names(fields.optional("args"));
    let mut with_it = args.clone();
    with_it.push(name("it"));
    let from = fields.required("from").and_then(|node| reader.listed(node, &args));
    let conditions = reader.conditions_of_items(fields.optional("where"), &with_it);
    let id = fields.optional("id").and_then(|node| reader.expr(node, &with_it));
    let tie = reader.yes(fields.optional("tie"));
    let seat = fields.optional("seat").and_then(|node| seat(reader, node));
    let stands = fields.optional("stands").and_then(|node| {
        let stands = reader.name(node)?;
        if !args.contains(&stands) {
            let near = content::nearest(&stands, args.iter().map(Name::as_str));
            let help = near.map_or("name one of its `args`".into(), |near| format!("did you mean {near}?"));
            reader.defect("reference.unknown", node.place, format!("{stands} is no argument"), Some(help));
        }
        Some(stands)
    });
    let refused = refusals(reader, fields.optional("refused"), &args);
    let confirm = fields.optional("confirm").map(|node| reader.text(Some(node)));
    let confirm_when = fields.optional("confirm_when").and_then(|node| reader.condition(node, &with_it));
    fields.finish();
    Some(ChoiceRecord { args, from: from?, conditions, id, tie, seat, stands, refused, confirm, confirm_when })
}

/// What is named only to be refused.
fn refusals(reader: &Reader<'_>, node: Option<&Node>, args: &[Name]) -> Vec<Refusal> {
    let refusal = |item| {
        let fields = reader.fields(item);
        let from = fields.required("from").and_then(|node| reader.listed(node, args));
        let reason = fields.required("else").and_then(|node| reader.reason(node));
        fields.finish();
        Some(Refusal { from: from?, reason: reason? })
    };
    reader.items(node).iter().filter_map(refusal).collect()
}

fn invariants(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "invariants") {
        let fields = reader.fields(&record.node);
        let holds = fields.required("holds").and_then(|node| reader.condition(node, &[]));
        let after = fields.optional("after").map(|node| reader.names(Some(node)));
        let doc = reader.text(fields.required("doc"));
        fields.finish();
        if let Some(holds) = holds {
            game.invariants.insert(name(id), Invariant { doc, after, holds });
        }
    }
}

fn phase(reader: &Reader<'_>, node: &Node, locals: &[Name]) -> Phase {
    let fields = reader.fields(node);
    let expr = |node: &Node| reader.expr(node, locals);
    let condition = |node: &Node| reader.condition(node, locals);
    let call = |node: &Node| reader.deed(node, locals);
    let declared =
        fields.entries("locals").into_iter().filter_map(|(local, node)| Some((local, expr(node)?))).collect();
    let phases = fields.optional("phases").map(|node| reader.names(Some(node)));
    let step = fields.optional("step").and_then(call);
    let each = fields.optional("each").and_then(|node| {
        let each = reader.fields(node);
        let local = each.required("as").and_then(|node| reader.name(node));
        let items = each.required("in").and_then(|node| reader.listed(node, locals));
        let phase = each.required("phase").and_then(|node| reader.name(node));
        each.finish();
        Some(Body::Each { local: local?, items: items?, phase: phase? })
    });
    let plays = fields.optional("plays").and_then(|node| plays(reader, node, locals));
    let body = match (phases, step, each, plays) {
        (None, None, None, Some(plays)) => plays,
        (Some(phases), None, None, None) => Body::Phases(phases),
        (None, Some(step), None, None) => Body::Step(step),
        (None, None, Some(each), None) => each,
        (None, None, None, None) => Body::Empty,
        _ => {
            reader.defect("phase.body", fields.place(), "a phase has one of step, phases, each and plays".into(), None);
            Body::Empty
        }
    };
    let phase = Phase {
        is_turn: reader.yes(fields.optional("is_turn")),
        when: fields.optional("when").and_then(condition),
        locals: declared,
        enter: fields.optional("enter").and_then(call),
        body,
        again: fields.optional("again").and_then(condition),
        exit: fields.optional("exit").and_then(call),
    };
    fields.finish();
    phase
}

/// A mission that a phase has played.
fn plays(reader: &Reader<'_>, node: &Node, locals: &[Name]) -> Option<Body> {
    let fields = reader.fields(node);
    let mission = fields.required("mission").and_then(|node| reader.expr(node, locals));
    let legacy = fields.entries("legacy").into_iter();
    let legacy = legacy.filter_map(|(id, node)| Some((id, reader.expr(node, locals)?))).collect();
    fields.finish();
    Some(Body::Plays { mission: mission?, legacy })
}

fn value_record(reader: &Reader<'_>, node: &Node) -> Option<ValueRecord> {
    let fields = reader.fields(node);
    let args = reader.names(fields.optional("args"));
    let base = fields.required("base").and_then(|node| reader.number(node, &args));
    let mut parts = Vec::new();
    for (part, node) in fields.entries("parts") {
        let fields = reader.fields(node);
        let when = fields.optional("when").and_then(|node| reader.condition(node, &args));
        let worst_of = fields.optional("worst_of").and_then(|node| reader.name(node));
        let instead = reader.yes(fields.optional("instead"));
        let amount = fields.required("amount").and_then(|node| reader.number(node, &args));
        let _ = fields.optional("source");
        fields.finish();
        if let Some(amount) = amount {
            parts.push(Part { name: part, when, amount, worst_of, instead });
        }
    }
    fields.finish();
    Some(ValueRecord { args, base: base?, parts })
}

/// A hook. Of one that waits for an unknown event nothing else is told: its expressions use the
/// fields of that event.
fn hook(game: &Game, reader: &Reader<'_>, id: &str, node: &Node) -> Option<Hook> {
    let fields = reader.fields(node);
    let on = fields.required("on").and_then(|node| Some((node, reader.name(node)?)));
    let (when, run) = (fields.optional("when"), fields.required("run"));
    let order = fields.optional("order").and_then(|node| reader.int(node)).unwrap_or(0);
    let manner = fields.optional("manner").and_then(|node| Some((node, reader.name(node)?)));
    if let Some((node, manner)) = manner.filter(|(_, manner)| !["notify", "instead"].contains(&manner.as_str())) {
        let help = Some("notify, instead".into());
        reader.defect("hook.manner", node.place, format!("there is no manner {manner}"), help);
    }
    let instead = manner.is_some_and(|(_, manner)| manner.as_str() == "instead");
    fields.finish();
    let (node, on) = on?;
    let Some(event) = game.events.get(&on) else {
        let near = content::nearest(&on, game.events.keys().map(Name::as_str));
        let help = near.map_or("write it, or take the name away".into(), |near| format!("did you mean {near}?"));
        let message = format!("{id} waits for {on}, which is no event");
        reader.defect("reference.unknown", node.place, message, Some(help));
        return None;
    };
    let variables: Vec<Name> = event.fields.keys().copied().collect();
    let when = when.and_then(|node| reader.condition(node, &variables));
    let deed = |node| if instead { reader.call(node, &variables) } else { reader.deed(node, &variables) };
    let run = run.and_then(deed)?;
    Some(Hook { event: on, when, order, run, instead })
}
