//! Examples of `--help`, filled from the content that is there.

use std::path::PathBuf;

use clap::Command;
use sandtable::{content::games, rules};

/// What examples name.
struct Names {
    game: String,
    mission: String,
    campaign: String,
    option: String,
    record: String,
    squares: [String; 2],
}

/// The command line with examples, when its help is asked for.
pub(crate) fn with_examples(command: Command) -> Command {
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    if !args.iter().any(|arg| matches!(arg.as_str(), "-h" | "--help" | "help")) {
        return command;
    }
    let names = sandtable::script::with_stack(|| names(&roots(&args)));
    let mission = format!("{}/{}", names.game, names.mission);
    let log = format!("logs/{}-{}-7.jsonl", names.game, names.mission);
    let [from, to] = &names.squares;
    let examples = [
        ("list", vec![format!("--functions {}", names.game), names.game.clone()]),
        ("show", vec![format!("{} {}", names.game, names.record)]),
        ("check", vec![String::new(), "--order".into()]),
        ("run", vec![format!("{mission} --seed 7"), format!("{mission} --option {} --json", names.option)]),
        ("play", vec![format!("{mission} --seed 7"), format!("--resume {log}")]),
        ("campaign", vec![format!("{} --seed 3", names.campaign), "--resume logs/FOLDER".into()]),
        ("fork", vec![format!("{log} --at 40 --log other.jsonl")]),
        ("verify", vec![log.clone(), format!("{log} --current")]),
        ("replay", vec![format!("{log} --at 40")]),
        ("explain", vec![format!("{log} 40")]),
        ("sight", vec![format!("{mission} {from} {to}")]),
        ("test", vec![String::new(), format!("content/{}", names.game), "--mutate --only values".into()]),
        ("rules", vec![format!("{} --check", names.game), format!("{} --reach", names.game)]),
        ("completions", vec!["bash > ~/.local/share/bash-completion/completions/sandtable".into()]),
        ("man", vec![String::new(), "--out ~/.local/share/man/man1".into()]),
        ("simulate", vec![format!("{mission} -n 1000 --seed 1 --threads 2")]),
    ];
    let example = |name: &str, args: &str| format!("  {}", format!("sandtable {name} {args}").trim_end());
    let first = ["list", "run", "play", "verify"];
    let all: Vec<String> = first
        .iter()
        .filter_map(|name| examples.iter().find(|(other, _)| other == name))
        .filter_map(|(name, uses)| Some(example(name, uses.last()?)))
        .collect();
    let mut command = command.after_help(format!("Examples:\n{}", all.join("\n")));
    for (name, uses) in &examples {
        if command.find_subcommand(name).is_some() {
            let uses: Vec<String> = uses.iter().map(|args| example(name, args)).collect();
            command = command.mut_subcommand(name, |sub| sub.after_help(format!("Examples:\n{}", uses.join("\n"))));
        }
    }
    command
}

/// The roots that the arguments name.
fn roots(args: &[String]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        if let Some(root) = arg.strip_prefix("--root=") {
            roots.push(root.into());
        } else if arg == "--root" {
            roots.extend(args.get(at + 1).map(PathBuf::from));
        }
    }
    if roots.is_empty() { vec![".".into()] } else { roots }
}

/// Names from the first game that loads, placeholders for what it lacks.
fn names(roots: &[PathBuf]) -> Names {
    let mut names = Names {
        game: "GAME".into(),
        mission: "MISSION".into(),
        campaign: "GAME/CAMPAIGN".into(),
        option: "NAME=VALUE".into(),
        record: "kinds.ID".into(),
        squares: ["a1".into(), "c2".into()],
    };
    let loaded = |game: &String| rules::load(roots, game, &[]).ok();
    if let Some(game) = games(roots).iter().filter_map(loaded).find(|game| !game.campaigns.is_empty()) {
        let campaign = game.campaigns.keys().next().map_or("CAMPAIGN", |campaign| campaign.as_str());
        names.campaign = format!("{}/{campaign}", game.id);
    }
    let Some(game) = games(roots).iter().find_map(|game| rules::load(roots, game, &[]).ok()) else { return names };
    names.game = game.id.to_string();
    if let Some(kind) = game.kinds.keys().next() {
        names.record = format!("kinds.{kind}");
    }
    let Some((id, mission)) = game.missions.first() else { return names };
    names.mission = id.to_string();
    let option = mission.options.iter().next();
    if let Some((option, value)) = option.and_then(|(option, values)| Some((option, values.keys().last()?))) {
        names.option = format!("{option}={value}");
    }
    if let Ok(setting) = rules::Setting::new(&game, *id, &std::collections::BTreeMap::default()) {
        let all: Vec<String> = setting.board.spaces().map(|space| setting.board.name(space).to_string()).collect();
        if let (Some(first), Some(last)) = (all.first(), all.last()) {
            names.squares = [first.clone(), last.clone()];
        }
    }
    names
}
