//! What lies face down: two games that differ only in it look the same to whoever looks, and the
//! rules know better.

use std::{path::PathBuf, sync::Arc};

use sandtable::{
    base::{Value, name},
    kernel::{Choice, Seen, World},
    rules::{self, Advice, Game, Policy},
    script::with_stack,
    table::{Settings, Table, picture},
};

fn game() -> Arc<Game> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/backs");
    rules::load(&[root], "chart", &[]).unwrap_or_else(|defects| panic!("{defects}"))
}

fn begun(game: &Arc<Game>, mission: &str) -> Table {
    let table = Table::start(game, Settings::new(mission, 7)).expect("the board is there");
    table.advance().expect("it starts");
    table
}

/// Everything that is shown of a table.
fn shown(table: &Table) -> String {
    let seat = name("red");
    let board = picture::board(table);
    let figures = board.squares.iter().flat_map(|square| &square.figures);
    let panels: Vec<_> = figures.map(|figure| picture::panel(table, seat, figure.entity)).collect();
    let asked = table.open().map(|choice| {
        let label = |option| (picture::label(table, &choice, option), picture::squares_of(table, &choice, option));
        choice.candidates.iter().map(|option| (option.id, label(option))).collect::<Vec<_>>()
    });
    format!("{board:?}\n{panels:?}\n{asked:?}\n{:?}\n{:?}", picture::legend(table), picture::told(table, 0))
}

/// What a bot advises on what is asked now: of the truth, and of what is seen.
fn advised(table: &Table, bot: &str) -> [Advice; 2] {
    let policy = Policy::new(table.game(), &table.instance().setting, name(bot));
    let policy = policy.expect("its scripts are right").expect("it is there");
    let choice: Choice = table.open().expect("something is asked");
    let advice = [
        table.with_world(|world| policy.advise(world, &choice)),
        table.with_seen_world(|world| policy.advise(world, &choice)),
    ];
    assert_eq!(policy.take_tally().first_fault, None);
    advice
}

#[test]
fn two_games_that_differ_face_down_look_the_same_until_something_is_turned_up() {
    with_stack(|| {
        let game = game();
        let (low, high) = (begun(&game, "low"), begun(&game, "high"));
        let first = shown(&low);
        assert_eq!(first, shown(&high));
        assert!(first.contains("Blank is put into the bag.") && first.contains("Blank 1 lies at a1."), "{first}");
        assert!(!first.to_lowercase().contains("tower") && !first.to_lowercase().contains("marsh"), "{first}");
        assert_ne!(low.with_world(World::hash), high.with_world(World::hash));
        for table in [&low, &high] {
            table.answer("blank#1", 0).expect("it is legal");
        }
        assert_ne!(shown(&low), shown(&high));
        assert!(
            shown(&low).contains("Tower 1 is turned up.") && shown(&low).contains("Tower is put"),
            "{}",
            shown(&low)
        );
        assert!(shown(&high).contains("Marsh 1 is turned up."), "{}", shown(&high));
    });
}

#[test]
fn a_bot_does_not_know_what_lies_face_down_whichever_world_it_is_given() {
    with_stack(|| {
        let game = game();
        let all = Advice::One(["blank#1", "blank#2", "blank#3"].map(name).to_vec());
        for mission in ["low", "high"] {
            let table = begun(&game, mission);
            assert_eq!(advised(&table, "keen"), [all.clone(), all.clone()], "{mission}");
            assert_eq!(advised(&table, "sly"), [Advice::Any, Advice::Any], "{mission}");
        }
    });
}

#[test]
fn looking_changes_nothing_and_looking_twice_is_looking_once() {
    with_stack(|| {
        let table = begun(&game(), "low");
        let before = table.with_world(World::hash);
        table.with_world(|world| {
            let seen = world.seen();
            assert!(matches!(seen, Seen::Backs(_)) && matches!(seen.seen(), Seen::Truth(_)));
            let kinds = |world: &World| world.entities().map(|(_, thing)| thing.kind.to_string()).collect::<Vec<_>>();
            assert_eq!(kinds(world), ["tower", "marsh", "marsh"]);
            assert_eq!(kinds(&seen), ["blank", "blank", "blank"]);
            for (entity, _) in world.entities() {
                assert_eq!(seen.property(entity, name("up")), Some(&Value::Bool(false)));
                assert_eq!(seen.property(entity, name("wet")), Some(&Value::Bool(false)));
                assert_eq!(seen.property(entity, name("price")), Some(&Value::Unknown));
                assert_eq!(world.seen_key(entity), seen.entity(entity).map(|thing| thing.key));
            }
        });
        assert_eq!(table.with_world(World::hash), before);
    });
}
