//! The toy as content and scripts gives the same logs as the toy in the kernel's tests: the
//! game's own log and those of both seats, against the same snapshots.

use std::{path::PathBuf, rc::Rc, sync::Arc};

use sandtable::{
    base::{Value, name},
    chance::Seeded,
    kernel::{Record, Run, World},
    rules::{self, Instance, Setting},
    script::with_stack,
};

fn toy() -> Rc<Run> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
    let game = rules::load(&[root], "toy", &[]).unwrap_or_else(|defects| panic!("{defects}"));
    let setting = Setting::new(&game, name("toy"), &Default::default()).expect("the board is there");
    let instance = Instance::new(game, Arc::new(setting)).expect("the scripts are sound");
    let world = World::new(Arc::new(instance.schema()));
    let run = Run::new(Rc::new(instance), world, Box::new(Seeded { seed: 7 }));
    run.advance(10).expect("it starts");
    run
}

fn lines(records: &[Record], world: &World) -> String {
    records.iter().map(|record| format!("{}\n", record.to_json(world))).collect()
}

#[test]
fn the_toy_as_content_gives_the_logs_of_the_toy_in_rust() {
    with_stack(|| {
        let run = toy();
        for ms in 0..60 {
            let Some(choice) = run.open() else { break };
            let has = |id: &str| choice.options().any(|option| option.id.as_str() == id);
            let wanted = match choice.prompt.as_str() {
                "where" if has("a3") => "a3",
                "where" => "a1",
                _ => &choice.options().next().expect("a choice has an option").id,
            };
            run.answer_as(choice.seat, wanted, ms, 10).expect("an option is legal").expect("no script fails");
        }
        assert_eq!(*run.world().outcome(), Value::name("over"));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("toy/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            insta::assert_snapshot!("table", lines(&run.records(), &run.world()));
            for seat in ["red", "blue"] {
                let view = run.view(name(seat)).expect("the seat has secrets");
                insta::assert_snapshot!(seat, lines(&view.records(), view.world()));
            }
        });
    });
}
