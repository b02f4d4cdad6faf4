//! Lines answered from memory agree with lines that are walked, in worlds after random play.

use std::path::PathBuf;

use sandtable::{
    base::{SpaceId, Value},
    content::games,
    rules::{self, QUERIES, View},
    script::with_stack,
    table::{Settings, Table, bot::Random},
};

/// Pairs of spaces looked at in each world.
const PAIRS: usize = 400;

fn ask(view: &View<'_>, query: &str, args: &[Value]) -> Value {
    let query = QUERIES.iter().find(|known| known.name == query).expect("the query exists");
    (query.run)(view, args).expect("it can be asked")
}

#[test]
fn remembered_lines_are_as_walked_lines() {
    let roots = [PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")];
    let (mut open, mut stopped) = (0, 0);
    with_stack(|| {
        for game in games(&roots) {
            let game = rules::load(&roots, &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            for mission in game.missions.keys() {
                let table = Table::start(&game, Settings::new(mission, 5)).expect("it starts");
                table.set_responder(Some(Box::new(Random::new(5, 40))));
                table.advance().expect("it runs");
                let setting = &table.instance().setting;
                let spaces: Vec<SpaceId> = setting.board.spaces().collect();
                table.with_world(|world| {
                    let view = View::new(world, setting, &game);
                    for (id, sight) in &game.sight {
                        for n in 0..PAIRS {
                            let (from, to) = (spaces[n * 7919 % spaces.len()], spaces[n * n * 104_729 % spaces.len()]);
                            let args = [Value::Name(*id), Value::Space(from), Value::Space(to)];
                            let met = ask(&view, "line_meets", &args);
                            let things = &setting.board.cell(to).things;
                            let hidden = things.iter().any(|thing| sight.hides_in.contains(thing))
                                && setting.board.distance(from, to) > Some(1);
                            let walked = met.as_items().is_some_and(<[Value]>::is_empty) && !hidden;
                            for _ in 0..2 {
                                assert_eq!(ask(&view, "line_open", &args), Value::Bool(walked), "{id} {from:?} {to:?}");
                            }
                            if walked { open += 1 } else { stopped += 1 }
                        }
                    }
                });
            }
        }
    });
    assert!(open > 500 && stopped > 500, "{open} open, {stopped} stopped");
}
