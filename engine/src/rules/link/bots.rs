//! Reading bots: how they answer, by prompt.

use super::section;
use crate::{
    base::{Name, name},
    content::{Node, nearest},
    rules::{
        bot::{AnswerRule, BotRecord, OPERATIONS_USUAL},
        game::Game,
        read::Reader,
    },
};

/// Names of bots that the engine has.
const BUILT_IN: [&str; 1] = ["random"];

pub(super) fn bots(game: &mut Game, reader: &Reader<'_>) {
    for (id, record) in section(reader.sources, "bots") {
        let fields = reader.fields(&record.node);
        let doc = reader.text(fields.required("doc"));
        let operations = fields.optional("operations").and_then(|node| {
            let operations = reader.int(node)?;
            if operations < 1 {
                reader.wrong_type(node, "operations, 1 at least");
            }
            Some(operations)
        });
        let mut bot = BotRecord {
            doc,
            operations: u64::try_from(operations.unwrap_or(OPERATIONS_USUAL)).unwrap_or(0),
            ..BotRecord::default()
        };
        // They are read with the other terms.
        let _ = fields.optional("terms");
        for (prompt, node) in fields.entries("answers") {
            let Some(args) = about(game, reader, prompt) else {
                let help = nearest(&prompt, prompts(game, reader)).map(|near| format!("did you mean {near}?"));
                let help = help.unwrap_or_else(|| "name a choice, a menu, a window, or a tie that has a text".into());
                reader.defect("reference.unknown", node.place, format!("nobody asks {prompt}"), Some(help));
                continue;
            };
            bot.answers.insert(prompt, rule(reader, node, args));
        }
        bot.otherwise = fields.optional("otherwise").map(|node| rule(reader, node, Vec::new()));
        fields.finish();
        if BUILT_IN.contains(&id.as_str()) {
            let message = format!("the engine has a bot {id}");
            reader.defect("bot.name", record.node.place, message, Some("give it another name".into()));
        }
        game.bots.insert(name(id), bot);
    }
}

/// What a choice of a prompt is about; none if there is no such choice.
fn about(game: &Game, reader: &Reader<'_>, prompt: Name) -> Option<Vec<Name>> {
    if let Some(choice) = game.choices.get(&prompt) {
        return Some(choice.args.clone());
    }
    if game.menus.contains_key(&prompt) || game.actions.values().any(|action| action.menu == prompt) {
        return Some(vec![name("unit")]);
    }
    prompts(game, reader).contains(&prompt.as_str()).then(Vec::new)
}

/// Every prompt that is known before scripts are read.
fn prompts<'a>(game: &'a Game, reader: &Reader<'a>) -> Vec<&'a str> {
    let menus = game.menus.keys().chain(game.actions.values().map(|action| &action.menu));
    let records = game.choices.keys().chain(menus).chain(game.windows.keys()).map(|id| -> &'a str { id.as_str() });
    records.chain(section(reader.sources, "texts").map(|(id, _)| id.as_str())).collect()
}

fn rule(reader: &Reader<'_>, node: &Node, args: Vec<Name>) -> AnswerRule {
    let fields = reader.fields(node);
    let mut known = vec![name("options")];
    known.extend(&args);
    let run = fields.optional("run").and_then(|node| reader.call(node, &known));
    known.extend([name("it"), name("id")]);
    let is_empty = run.is_none() && fields.optional("score").is_none();
    let score = fields.optional("score").and_then(|node| Some(reader.number(node, &known)?.for_items(2)));
    let keep = fields.optional("keep").and_then(|node| reader.expr(node, &[]));
    fields.finish();
    if is_empty && node.as_map().is_some_and(|fields| !fields.contains_key("run")) {
        let help = Some("say what an option is worth by `score`, or which function to ask by `run`".into());
        reader.defect("field.missing", node.place, "it says neither run nor score".into(), help);
    }
    AnswerRule { args, run, score, keep }
}
