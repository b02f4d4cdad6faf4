//! The toy as content and scripts gives the same logs as the toy in the kernel's tests: the
//! game's own log and those of both seats, against the same snapshots.

use std::path::PathBuf;

use sandtable::{
    base::Value,
    kernel::{Record, World},
    rules,
    script::with_stack,
    table::{Settings, Table},
};

fn toy() -> Table {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
    let game = rules::load(&[root], "toy", &[]).unwrap_or_else(|defects| panic!("{defects}"));
    let table = Table::start(&game, Settings::new("toy", 7)).expect("the board is there");
    table.advance().expect("it starts");
    table
}

fn lines(records: &[Record], world: &World) -> String {
    records.iter().map(|record| format!("{}\n", record.to_json(world))).collect()
}

#[test]
fn the_toy_as_content_gives_the_logs_of_the_toy_in_rust() {
    with_stack(|| {
        let table = toy();
        for ms in 0..60 {
            let Some(choice) = table.open() else { break };
            assert_eq!(table.open_for(&choice.seat), Some(choice.clone()));
            let has = |id: &str| choice.options().any(|option| option.id.as_str() == id);
            let wanted = match choice.prompt.as_str() {
                "where" if has("a3") => "a3",
                "where" => "a1",
                _ => &choice.options().next().expect("a choice has an option").id,
            };
            table.answer_to(&choice.seat, &choice.path, wanted, ms).expect("an option is legal");
        }
        assert_eq!(table.with_world(|world| world.outcome().clone()), Value::name("over"));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("toy/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            let all = table.with_world(|world| table.with_records(|records| lines(records, world)));
            insta::assert_snapshot!("table", all);
            for seat in ["red", "blue"] {
                insta::assert_snapshot!(seat, table.with_view(seat, |world, records| lines(records, world)));
            }
        });
    });
}
