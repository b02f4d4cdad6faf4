//! Patches: what they change, and what is wrong with those that cannot.

use sandtable::content::{Node, Overlay};

use super::{defects, one, packs, sources};

const BASE: &str = "stats:
  worth: {type: int, min: 0, max: 9, doc: What it is worth.}
  range: {type: int, doc: How far it goes.}
kinds:
  rook:
    name: Rook
    tags: [piece, tall]
    stats: {worth: 5, range: 8}
phases:
  move: {}
  check: {}
  turn: {phases: [move, check], again: 'false'}
data:
  moves: {doc: Moves with several steps., fields: {steps: 'list<map>'}}
moves:
  castle: {steps: [{do: walk, far: 2}, {do: swap}]}
";

/// The record after a second pack's patch.
#[track_caller]
fn gives(patch: &str, record: &str, expected: &str) {
    let text = format!("patches:\n  it: {{source: {{house: it}}, {patch}}}\n");
    let sources = sources(&packs(&[("core", BASE), ("more", &text)]));
    let (section, id) = record.split_once('.').expect("section.id");
    assert_eq!(sources.records[section][id].node.brief(), expected);
}

fn patched(patches: &[(&str, &str)]) -> Vec<Overlay> {
    let mut all = packs(&[("core", BASE)]);
    for (pack, patch) in patches {
        let text = format!("patches:\n  {pack}_it:\n    source: {{house: it}}\n    {patch}\n");
        all.push(super::pack(pack, &[("patch.yaml", &text)]));
    }
    all
}

#[track_caller]
fn wrong(patch: &str, place: &str, message: &str, help: &str) {
    one(&defects(&patched(&[("more", patch)])), place, message, help);
}

#[test]
fn fields_are_set_added_removed_and_put_between_others() {
    let rook = |tags: &str, stats: &str| format!("{{name: Rook, tags: [{tags}], stats: {{{stats}}}}}");
    gives("target: kinds.rook.stats.worth, set: 4", "kinds.rook", &rook("piece, tall", "worth: 4, range: 8"));
    gives(
        "target: kinds.rook.stats, add: {leap: 1}",
        "kinds.rook",
        &rook("piece, tall", "worth: 5, range: 8, leap: 1"),
    );
    gives("target: kinds.rook.stats, remove: [worth]", "kinds.rook", &rook("piece, tall", "range: 8"));
    let inserted = rook("piece, tall", "worth: 5, leap: 1, range: 8");
    gives("target: kinds.rook.stats, insert_before: {range: {leap: 1}}", "kinds.rook", &inserted);
    gives("target: kinds.rook.tags, add: slow, remove: tall", "kinds.rook", &rook("piece, slow", "worth: 5, range: 8"));
    let turn = |phases: &str| format!("{{phases: [{phases}], again: false}}");
    gives("target: phases.turn.phases, insert_after: {move: [a, b]}", "phases.turn", &turn("move, a, b, check"));
    gives("target: phases.turn.phases, insert_before: {move: [a, b]}", "phases.turn", &turn("a, b, move, check"));
    let steps = |far: i64, last: &str| format!("{{steps: [{{do: walk, far: {far}}}, {{do: {last}}}]}}");
    gives("target: moves.castle.steps.walk.far, set: 3", "moves.castle", &steps(3, "swap"));
    gives("target: moves.castle.steps.1, set: {do: rest}", "moves.castle", &steps(2, "rest"));
}

#[test]
fn what_a_patch_brings_stands_where_the_patch_stands() {
    let all = patched(&[("more", "target: kinds.rook.stats.worth\n    set: 4")]);
    let sources = sources(&all);
    let child = |node: &Node, key: &str| node.as_map().expect("a map")[key].clone();
    let worth = child(&child(&sources.records["kinds"]["rook"].node, "stats"), "worth");
    assert_eq!(sources.files[worth.place.file].path, "content/chess/more/patch.yaml");
    assert_eq!(worth.place.line, 5);
    let bad = "target: moves.castle.steps\n    set: 3";
    wrong(bad, "field.type more/patch.yaml:5", "a number where list<map>", "write list<map>");
}

#[test]
fn a_patch_must_find_its_target() {
    let file = "patch.target more/patch.yaml:4";
    wrong("{target: kind.rook, set: 1}", "file.yaml more/patch.yaml:4", "", "mend");
    wrong("target: kind.rook.name\n    set: X", file, "the game has no kind", "no such section");
    wrong("target: kinds.rok.name\n    set: X", file, "kinds has no rok", "did you mean rook?");
    wrong("target: kinds.rook.nam\n    set: X", file, "kinds.rook has no nam", "did you mean name?");
    wrong("target: kinds\n    set: X", file, "names no record", "section.id.field");
    let line = "patch.target more/patch.yaml:5";
    wrong("target: kinds.rook.tags\n    remove: [tal]", line, "kinds.rook.tags has no tal", "did you mean tall?");
    wrong("target: kinds.rook.stats\n    remove: [wort]", line, "no wort", "did you mean worth?");
    wrong("target: phases.turn.phases\n    insert_after: {mov: a}", line, "no mov", "did you mean move?");
}

#[test]
fn a_patch_must_fit_what_it_finds() {
    let line = |code: &str| format!("{code} more/patch.yaml:5");
    wrong("target: kinds.rook.stats\n    add: {worth: 3}", &line("patch.exists"), "worth already", "use `set`");
    wrong("target: kinds.rook.name\n    add: {worth: 3}", &line("patch.type"), "is text", "`add` and `insert`");
    wrong("target: kinds.rook.tags\n    insert_after: 3", &line("field.type"), "beside what", "{there: new}");
    wrong(
        "target: kinds.rook.tags\n    ad: 3\n    set: []",
        &line("field.unknown"),
        "no field ad",
        "did you mean add?",
    );
    wrong("target: kinds.rook.tags", "patch.empty more/patch.yaml:3", "changes nothing", "insert_before");
    let alone = [packs(&[("core", BASE)]), packs(&[("more", "patches:\n  it: {set: 3}\n")])[1..].to_vec()].concat();
    let found = defects(&alone);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|defect| defect[0] == "field.missing more/more.yaml:2"), "{found:#?}");
}

#[test]
fn two_packs_on_one_field_are_a_defect_unless_they_agree() {
    let set = |worth: i64| format!("target: kinds.rook.stats.worth\n    set: {worth}");
    let both = |a: &str, b: &str| defects(&patched(&[("one", a), ("two", b)]));
    assert!(both(&set(4), &set(4)).is_empty());
    let twice = both(&set(4), &set(3));
    one(&twice, "patch.twice two/patch.yaml:5", "content/chess/one/patch.yaml, line 5", "take one of the two");
    let within = both("target: kinds.rook.stats\n    set: {range: 1}", &set(3));
    one(&within, "patch.target two/patch.yaml:4", "no worth", "range");
    let around = both(&set(3), "target: kinds.rook.stats\n    set: {worth: 1}");
    one(&around, "patch.twice two/patch.yaml:5", "content/chess/one/patch.yaml, line 5", "take one of the two");
    let add = |tag: &str| format!("target: kinds.rook.tags\n    add: {tag}");
    assert!(both(&add("slow"), &add("slow")).is_empty());
    assert!(both(&add("slow"), &add("stone")).is_empty());
    let out = both(&add("slow"), "target: kinds.rook.tags\n    remove: slow");
    one(&out, "patch.twice two/patch.yaml:5", "kinds.rook.tags[slow]", "take one of the two");
}

#[test]
fn only_what_was_read_before_can_be_patched() {
    let mut all = packs(&[("more", "kinds:\n  bishop: {name: Bishop}\n")]);
    all[0]
        .files
        .push(("p.yaml".into(), "patches:\n  it: {target: kinds.bishop.name, set: X, source: {house: x}}\n".into()));
    let found = defects(&all);
    one(&found, "patch.order core/p.yaml:2", "chess/more, which is read after chess/core", "`requires`");
}

#[test]
fn two_mods_in_two_roots_that_touch_one_field_are_told_with_both_places() {
    let base = super::root("mods", "base.yaml", BASE.replace("phases:\n", "phases:\n  late: {}\n").as_bytes());
    let page = "name: A mod\nversion: 1.0.0\nrequires: {chess/core: ^1}\n";
    let mods = ["fast", "slow"].map(|pack| {
        let root = base.join(pack);
        let folder = root.join("content/chess").join(pack);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("pack.yaml"), page).expect("a pack");
        let number = pack.len() + usize::from(pack == "slow");
        let text = format!(
            "patches:\n  {pack}_rook:\n    target: kinds.rook.stats.worth\n    set: {number}\n    source: {{house: it}}\n"
        );
        std::fs::write(folder.join("rooks.yaml"), text).expect("a file");
        root
    });
    let load = |roots: &[std::path::PathBuf], without: &[String]| {
        super::shown(sandtable::rules::load(roots, "chess", without).map(|_| ()))
    };
    let roots = [vec![base], mods.to_vec()].concat();
    let found = load(&roots, &[]);
    one(&found, "patch.twice slow/rooks.yaml:4", "content/chess/fast/rooks.yaml, line 4", "take one of the two");
    assert!(load(&roots[..2], &[]).is_empty());
    assert!(load(&roots, &["chess/fast".into()]).is_empty());
}

#[test]
fn what_a_patch_has_broken_names_the_patch() {
    let base = "data:\n  nests: {doc: N, fields: {eggs: int, source: map}, where: [{if: 'record(\"nests\", it).eggs > 0', else: no_eggs}]}\n\
        nests:\n  barn: {eggs: 3, source: {house: h}}\n\
        tiles: {t: {name: T, legend: l, cells: '.', source: {house: h}}}\nlegends: {l: {cells: {'.': []}}}\n\
        missions: {m: {name: M, briefing: B, order: 1, source: {house: h}, tiles: [[t]]}}\ntexts: {no_eggs: it is empty}\n";
    let with = |target: &str, patch: &str| {
        let more = format!("patches:\n  it:\n    target: {target}\n    source: {{house: it}}\n    {patch}\n");
        super::defects(&super::packs(&[("core", base), ("more", &more)]))
    };
    assert!(with("nests.barn.eggs", "set: 2").is_empty());
    let by = "; the patch in content/chess/more/more.yaml, line 5, changes nests.barn.eggs";
    super::one(&with("nests.barn.eggs", "set: 0"), "data.check core/more.yaml:4", "nests.barn: it is empty", by);
    super::one(&with("nests.barn", "remove: [eggs]"), "field.missing core/more.yaml:4", "eggs is missing", by);
}
