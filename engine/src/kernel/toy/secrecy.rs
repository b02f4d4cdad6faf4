//! The secrecy law: two games that differ only in what a seat may not know give it the same
//! bytes; and a planted leak in each channel is noticed.

use super::*;

/// All that reaches a seat, after each answer.
fn transcript(run: &Rc<Run>, seat: Name, leak: Leak) -> String {
    let view = run.view(seat).unwrap();
    let mut text = String::new();
    for record in view.records() {
        text += &format!("{}\n", record.to_json(view.world()));
    }
    text += &format!("{}\n{:?}\n", view.world().hash(), run.open_for(seat));
    let waiting: Vec<Name> =
        ["red", "blue"].map(name).into_iter().filter(|seat| run.open_for(*seat).is_some()).collect();
    text += &format!("waiting for {waiting:?}, undo {:?}\n", run.check_undo(seat));
    let world = run.world();
    let answers = |what: fn(&Answer) -> String| {
        let told = |record: &Record| match record {
            Record::Answered { answer, .. } => what(answer),
            _ => String::new(),
        };
        run.records().iter().map(told).collect::<String>()
    };
    match leak {
        Leak::Milliseconds => text += &answers(|answer| format!("{} ", answer.ms)),
        Leak::Answers => text += &answers(|answer| format!("{} ", answer.id)),
        Leak::Numbers => {
            let posts = [2, 3].map(|space| world.on_space(SpaceId(space)).to_vec());
            text += &format!("{posts:?}");
        }
        Leak::Keys => {
            let keys = [2, 3].map(|space| {
                world.on_space(SpaceId(space)).iter().map(|id| world.entity(*id).unwrap().key).collect::<Vec<_>>()
            });
            text += &format!("{keys:?}");
        }
        _ => {}
    }
    text
}

/// Plays two rounds in which neither does anything that would show what it hides.
fn quiet_game(seat: &str, secret: Secret, leak: Leak) -> Vec<String> {
    let run = toy(secret, leak);
    let mut told = vec![transcript(&run, name(seat), leak)];
    for _ in 0..40 {
        let Some(choice) = run.open() else { break };
        let world = run.known_world(choice.seat);
        let rank_of = |candidate: &Candidate| candidate.value.as_entity().map(|card| rank(&world, card));
        let lowest = choice.options().min_by_key(|option| rank_of(option)).unwrap().id;
        let legal = |id: &str| choice.options().any(|option| option.id.as_str() == id);
        let id = match (choice.seat.as_str(), choice.prompt.as_str()) {
            (_, "card") => lowest,
            ("red", "where") => name(if int(&world, "turn") == 1 && legal("a3") { "a3" } else { "a1" }),
            (_, "ambush") => name(if secret.note == 1 { PASS_UNTIL } else { PASS }),
            ("blue", "note") => name(&secret.note.to_string()),
            ("blue", "aim") => name(if secret.note == 1 { "low" } else { "high" }),
            _ => choice.options().next().unwrap().id,
        };
        drop(world);
        if int(&run.world(), "turn") == 3 {
            break;
        }
        let ms = secret.ms[usize::from(choice.seat.as_str() == "blue")];
        if run.answer_as(choice.seat, &id, ms, 10).is_err() {
            break;
        }
        told.push(transcript(&run, name(seat), leak));
    }
    told
}

/// A secret that differs from [`SECRET`] only in what red may not know.
fn unknown_to_red() -> Secret {
    let (blue_hand, deck) = ([2, 8, 2], [4, 9, 7, 5]);
    Secret { gate_first: false, blue_hand, deck, deck_seed: 12, note: 2, ms: [5, 900], ..SECRET }
}

#[test]
fn games_that_differ_in_what_red_may_not_know_give_red_the_same_bytes() {
    let (one, other) = (quiet_game("red", SECRET, Leak::None), quiet_game("red", unknown_to_red(), Leak::None));
    assert!(one.len() > 12, "{}", one.len());
    for (one, other) in one.iter().zip(&other) {
        similar(one, other);
    }
    assert_eq!(one.len(), other.len());
}

#[track_caller]
fn similar(one: &str, other: &str) {
    for (one, other) in one.lines().zip(other.lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(one, other);
}

#[test]
fn games_that_differ_in_what_blue_may_not_know_give_blue_the_same_bytes() {
    let secret = Secret { red_hand: [9, 1, 8, 1], deck: [5, 7, 8, 6], deck_seed: 3, ms: [70, 5], ..SECRET };
    let (one, other) = (quiet_game("blue", SECRET, Leak::None), quiet_game("blue", secret, Leak::None));
    // The first card after a shuffle is blue's own, so that only one round is compared.
    let n = 8;
    assert!(one.len() > n && other.len() > n);
    for (one, other) in one.iter().zip(&other).take(n) {
        similar(one, other);
    }
}

#[test]
fn a_leak_in_any_channel_is_noticed() {
    use Leak::*;
    let leaks = [
        Property,
        Pile,
        Table,
        Field,
        Event,
        Count,
        Options,
        Refusal,
        Window,
        Asked,
        Draw,
        Stream,
        Cause,
        Undo,
        Milliseconds,
        Numbers,
        Keys,
        Answers,
    ];
    let unnoticed: Vec<Leak> = leaks
        .into_iter()
        .filter(|leak| quiet_game("red", SECRET, *leak) == quiet_game("red", unknown_to_red(), *leak))
        .collect();
    assert_eq!(unnoticed, []);
}
