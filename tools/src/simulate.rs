//! Many games by a bot, on all cores: how they end, and what they cost.
//!
//! What goes to stdout depends on content, mission, options, seed and number of games alone,
//! never on the number of threads; speed is talk and goes to stderr.

use std::{collections::BTreeMap, io, num::NonZero, sync::Arc};

use sandtable::{
    base::Name,
    rules::{Game, Tally},
    table::{Settings, Table, bot::Mind},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    games::{Packs, Start, prepare},
    out::{decimal, line, talk},
    play::talk_of,
    profile::{Profile, Stopwatch},
    threads::{Numbers, n_threads, share},
};

/// How many, and how.
pub(crate) struct Games<'a> {
    pub(crate) n: u64,
    pub(crate) threads: Option<NonZero<usize>>,
    pub(crate) json: bool,
    /// Who plays.
    pub(crate) bot: &'a str,
    /// Whether invariants are checked after every event.
    pub(crate) check: bool,
    /// Whether it is told what took how long.
    pub(crate) profile: bool,
}

/// What games add up to; adding is the same in any order.
#[derive(Default)]
struct Sums {
    /// Games by outcome and reason.
    ends: BTreeMap<(String, String), u64>,
    answers: u64,
    records: u64,
    turns: u64,
    calls: u64,
    /// Games by the phase in which they ended: the one around their last turn.
    phases: BTreeMap<String, u64>,
    /// What the bot did.
    tally: Tally,
    /// The earliest game in which its advice failed, by number.
    first_fault: Option<(u64, String)>,
    /// The earliest game that failed, by number, with what failed.
    failed: Option<(u64, String)>,
    profile: Profile,
}

/// The two-sided 95 % quantile of the normal distribution in millionths, and its square.
const Z: u128 = 1_959_964;
const Z2: u128 = 3_841_459;
const MILLION: u128 = 1_000_000;

pub(crate) fn simulate(packs: &Packs<'_>, mission: &str, begin: &Start, games: &Games<'_>) -> io::Result<u8> {
    let Some((game, settings)) = prepare(packs, mission, begin) else { return Ok(2) };
    let tried = Table::start(&game, settings.clone()).map_err(|fault| fault.to_string());
    if let Err(fault) = tried.and_then(|table| Mind::new(&table, games.bot)) {
        talk(&format!("error: {fault}"));
        return Ok(2);
    }
    if games.profile {
        game.gauge.install(Box::new(Stopwatch));
    }
    let began = std::time::Instant::now();
    let n_threads = n_threads(games.threads);
    let sums = share(n_threads, games.n, |numbers| play_all(&game, &settings, games, numbers));
    let sums = sums.into_iter().fold(Sums::default(), Sums::and);
    if let Some((number, fault)) = &sums.failed {
        let seed = settings.seed.wrapping_add(*number);
        if games.json {
            line(&json!({ "fault": fault, "seed": seed }).to_string())?;
        }
        talk(&format!("error: the game of seed {seed} failed: {fault}"));
        return Ok(1);
    }
    sums.tell(&game.id, &settings, games)?;
    talk_of(&Tally { first_fault: sums.first_fault.as_ref().map(|(_, fault)| fault.clone()), ..sums.tally.clone() });
    let ms = began.elapsed().as_millis().max(1);
    let speed = decimal(u128::from(games.n) * 10_000 / ms, 1);
    talk(&format!("{speed} games a second on {n_threads} thread{}", if n_threads == 1 { "" } else { "s" }));
    Ok(0)
}

/// Plays the games of one thread.
fn play_all(game: &Arc<Game>, settings: &Settings, games: &Games<'_>, numbers: &Numbers) -> Sums {
    let mut own = Sums::default();
    // The host of scripts is built once for all games of a thread.
    let Ok(table) = Table::start(game, settings.clone()) else { return own };
    let Ok(mind) = Mind::new(&table, games.bot) else { return own };
    table.set_checking(games.check);
    while let Some(number) = numbers.take() {
        own.play(&table, &mind, settings, number);
        if own.failed.is_some() {
            numbers.stop_at(number);
            break;
        }
        numbers.done();
    }
    own.profile = Profile::take();
    own
}

impl Sums {
    /// Plays one game and counts it.
    fn play(&mut self, table: &Table, mind: &Mind, settings: &Settings, number: u64) {
        let seed = settings.seed.wrapping_add(number);
        let table = table.another(seed);
        table.set_hashing(false);
        let calls = table.instance().host().n_calls();
        table.set_responder(Some(mind.responder(seed, settings.answers_max)));
        let ran = table.advance();
        table.set_responder(None);
        let mut tally = mind.take_tally();
        if let Some(fault) = tally.first_fault.take() {
            self.first_fault = [self.first_fault.take(), Some((number, fault))].into_iter().flatten().min();
        }
        self.tally.add(tally);
        if let Err(fault) = ran {
            self.failed = Some((number, fault.to_string()));
            return;
        }
        let end = table.outcome().map_or_else(Default::default, |end| (end.outcome, end.reason));
        *self.ends.entry(end).or_default() += 1;
        *self.phases.entry(last_phase(&table)).or_default() += 1;
        self.answers += table.n_answers();
        self.records += table.with_records(|records| records.len() as u64);
        self.turns += table.n_turns() as u64;
        self.calls += table.instance().host().n_calls() - calls;
    }

    /// Both together.
    fn and(mut self, other: Self) -> Self {
        for (end, n) in other.ends {
            *self.ends.entry(end).or_default() += n;
        }
        for (phase, n) in other.phases {
            *self.phases.entry(phase).or_default() += n;
        }
        self.tally.add(other.tally);
        self.first_fault = [self.first_fault.take(), other.first_fault].into_iter().flatten().min();
        self.answers += other.answers;
        self.records += other.records;
        self.turns += other.turns;
        self.calls += other.calls;
        self.failed = [self.failed.take(), other.failed].into_iter().flatten().min();
        self.profile.add(other.profile);
        self
    }

    fn tell(&self, game: &Name, settings: &Settings, games: &Games<'_>) -> io::Result<()> {
        let per_game = |sum: u64| decimal(u128::from(sum) * 10 / u128::from(games.n.max(1)), 1);
        let mut outcomes: BTreeMap<&str, Vec<(&str, u64)>> = BTreeMap::new();
        let mut unfinished = 0;
        for ((outcome, reason), n) in &self.ends {
            if outcome == "unfinished" {
                unfinished += n;
            } else {
                outcomes.entry(outcome).or_default().push((reason, *n));
            }
        }
        let finished = games.n - unfinished;
        if !games.json {
            line(&format!("{} games of {game}/{}, seeds from {}", games.n, settings.mission, settings.seed))?;
            for (outcome, reasons) in &outcomes {
                let n = reasons.iter().map(|(_, n)| n).sum();
                let (low, high) = wilson(n, finished);
                let share = decimal(percent(n, finished), 2);
                line(&format!("  {outcome}: {n} = {share} % ({} to {})", decimal(low, 2), decimal(high, 2)))?;
                for (reason, n) in reasons.iter().filter(|(reason, _)| !reason.is_empty()) {
                    line(&format!("    {reason}: {n}"))?;
                }
            }
            line(&format!("  unfinished: {unfinished}"))?;
            let parts = [("answers", self.answers), ("records", self.records), ("turns", self.turns)];
            let parts: Vec<String> = parts.iter().map(|(what, sum)| format!("{} {what}", per_game(*sum))).collect();
            let phases: Vec<String> = self.phases.iter().map(|(phase, n)| format!("{phase} {n}")).collect();
            line(&format!("  ended in: {}", phases.join(", ")))?;
            let calls = format!("{} calls of script functions by rules", per_game(self.calls));
            let bots = format!("{} by the bot {}", per_game(self.tally.script_calls), games.bot);
            line(&format!("a game: {}, {calls}, {bots}", parts.join(", ")))?;
            return if games.profile { self.profile.tell(games.n) } else { Ok(()) };
        }
        let outcomes: Vec<Json> = outcomes
            .iter()
            .map(|(outcome, reasons)| {
                let n = reasons.iter().map(|(_, n)| n).sum();
                let (low, high) = wilson(n, finished);
                let reasons: Map<String, Json> =
                    reasons.iter().map(|(reason, n)| ((*reason).to_owned(), json!(n))).collect();
                json!({
                    "outcome": outcome, "games": n, "percent": number(percent(n, finished), 2),
                    "low": number(low, 2), "high": number(high, 2), "reasons": reasons,
                })
            })
            .collect();
        let average = |sum: u64| number(u128::from(sum) * 10 / u128::from(games.n.max(1)), 1);
        let options: Map<String, Json> =
            settings.options.iter().map(|(key, value)| (key.to_string(), json!(value.as_str()))).collect();
        let mut result = json!({
            "game": game.as_str(), "mission": settings.mission.as_str(), "options": options, "seed": settings.seed,
            "bot": games.bot, "games": games.n, "outcomes": outcomes, "unfinished": unfinished,
            "ended_in": self.phases, "bot_cut_short": self.tally.cut_short, "bot_faults": self.tally.faults,
            "per_game": {
                "answers": average(self.answers), "records": average(self.records),
                "turns": average(self.turns), "script_calls": average(self.calls),
                "bot_script_calls": average(self.tally.script_calls),
            },
        });
        if games.profile {
            result["profile"] = self.profile.json();
        }
        line(&result.to_string())
    }
}

/// The phase around the last turn; the innermost that was running when there was no turn.
fn last_phase(table: &Table) -> String {
    let is_turn = |phase: &Name| table.game().phases.get(phase).is_some_and(|phase| phase.is_turn);
    table.with_world(|world| {
        let phases: Vec<Name> = world.flow().iter().map(|frame| frame.phase).collect();
        let turn = phases.iter().position(is_turn).map_or(phases.len(), |turn| turn.max(1));
        turn.checked_sub(1).and_then(|at| phases.get(at)).map_or_else(|| "nowhere".into(), Name::to_string)
    })
}

/// `n` of `all` in hundredths of a per cent, rounded.
fn percent(n: u64, all: u64) -> u128 {
    let (n, all) = (u128::from(n), u128::from(all.max(1)));
    (n * 10_000 + all / 2) / all
}

/// The Wilson score interval of 95 % for `n` of `all`, in hundredths of a per cent.
///
/// E. B. Wilson, Probable inference, the law of succession, and statistical inference,
/// Journal of the American Statistical Association 22 (1927), in whole millionths.
fn wilson(n: u64, all: u64) -> (u128, u128) {
    let (n, all) = (u128::from(n), u128::from(all));
    if all == 0 {
        return (0, 10_000);
    }
    let spread = Z * (n * (all - n) * MILLION * MILLION / all + Z2 * MILLION / 4).isqrt() / MILLION;
    let centre = n * MILLION + Z2 / 2;
    let below = all * MILLION + Z2;
    let rounded = |above: u128| (above * 10_000 + below / 2) / below;
    (rounded(centre.saturating_sub(spread)), rounded((centre + spread).min(below)))
}

/// A number with so many decimals for JSON.
fn number(scaled: u128, decimals: usize) -> Json {
    decimal(scaled, decimals).parse::<serde_json::Number>().map_or(Json::Null, Json::Number)
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn intervals_are_those_of_the_formula() {
        // For none of n the interval ends at z²/(n + z²); for a half it is symmetric.
        assert_eq!(wilson(5, 10), (2366, 7634));
        assert_eq!(wilson(0, 20), (0, 1611));
        assert_eq!(wilson(20, 20), (8389, 10_000));
        assert_eq!(wilson(0, 0), (0, 10_000));
    }
}
