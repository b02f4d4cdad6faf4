//! `content/README.md` is true: its files are written to a folder, loaded, tested and played, its
//! examples are laid over the game that stands alone there, and its tables of fields are compared
//! with what the loader says that it reads.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use sandtable::{
    content::{Defect, Overlay, games},
    rules,
    script::with_stack,
    table::{Settings, Table, bot::Random},
    testkit::{Kit, Verdict},
};

static GUIDE: LazyLock<String> =
    LazyLock::new(|| fs::read_to_string(repository().join("content/README.md")).expect("the guide"));
/// A field that no record has.
const STRANGE: &str = "zzzzzzzzzzzz";
/// Sections whose records take any field, or are no maps.
const OPEN: [&str; 5] = ["kinds", "cards", "missions", "campaigns", "texts"];
/// Fields that are read only instead of others.
const INSTEAD: [(&str, &str); 1] = [("tiles", "exchange")];

/// What stands between fences.
struct Block {
    language: &'static str,
    /// The file that it is, if it says one.
    file: Option<&'static str>,
    text: String,
    line: usize,
}

fn blocks() -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in GUIDE.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(info) => {
                let (language, file) = info.split_once(' ').map_or((info, None), |(first, file)| (first, Some(file)));
                found.push(Block { language, file, text: String::new(), line: index + 1 });
                is_open = true;
            }
            None if is_open => found.last_mut().expect("a block").text.extend([line, "\n"]),
            None => {}
        }
    }
    found
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The content of this repository without its tests, whose loading takes longer than all else.
fn base(folder: &Path) -> PathBuf {
    let base = folder.join("base");
    for below in ["content", "scripts"] {
        let mut found = Vec::new();
        files(&repository().join(below), &mut found);
        for path in found {
            let own = path.strip_prefix(repository()).expect("it is below");
            if own.iter().any(|part| part == "tests" || part == "logs") {
                continue;
            }
            let copy = base.join(own);
            fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
            fs::copy(&path, copy).expect("a file");
        }
    }
    base
}

/// Writes every file of the guide below a folder; gives the roots, each with its game and whether
/// it stands on the content of this repository.
fn written(test: &str) -> Vec<(PathBuf, String, bool)> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guide").join(test);
    let _ = fs::remove_dir_all(&folder);
    let mut roots: Vec<PathBuf> = Vec::new();
    for block in blocks() {
        let Some(file) = block.file else { continue };
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, block.text).expect("a file");
        let root = folder.join(Path::new(file).components().next().expect("a root"));
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    let shipped = games(&[repository()]);
    let each = roots
        .into_iter()
        .flat_map(|root| games(std::slice::from_ref(&root)).into_iter().map(move |game| (root.clone(), game)));
    each.map(|(root, game)| (root, game.clone(), shipped.contains(&game))).collect()
}

/// The root of the game that stands alone.
fn alone(test: &str) -> (PathBuf, String) {
    let (root, game, _) = written(test).into_iter().find(|(.., stacks)| !stacks).expect("a game that stands alone");
    (root, game)
}

#[test]
fn every_file_of_the_guide_loads_and_its_cases_pass() {
    let written = written("files");
    assert!(written.iter().any(|(.., stacks)| *stacks) && written.iter().any(|(.., stacks)| !stacks));
    with_stack(|| {
        for (root, game, stacks) in &written {
            let base = stacks.then(|| base(root.parent().expect("a folder")));
            let roots: Vec<PathBuf> = base.into_iter().chain([root.clone()]).collect();
            let kit = Kit::load(&roots, game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
            let warnings: Vec<String> = kit.game.warnings.iter().map(ToString::to_string).collect();
            assert!(warnings.is_empty(), "{warnings:?}");
            let mut n_cases = 0;
            for suite in kit.suites.iter().filter(|suite| root.join(&suite.file).exists()) {
                for case in &suite.cases {
                    assert_eq!(kit.run(suite, case).verdict, Verdict::Passed, "{}", case.name);
                    n_cases += 1;
                }
            }
            assert!(n_cases >= 2, "{game}: {n_cases} cases");
        }
    });
}

#[test]
fn the_game_of_the_guide_is_played_to_its_end() {
    let (root, game) = alone("played");
    with_stack(|| {
        let game = rules::load(std::slice::from_ref(&root), &game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
        let (mission, _) = game.missions.first().expect("a mission");
        let mut outcomes = BTreeSet::new();
        for seed in 0..40 {
            let table = Table::start(&game, Settings::new(mission, seed)).expect("it starts");
            table.set_responder(Some(Box::new(Random::new(seed, 1000))));
            table.advance().unwrap_or_else(|fault| panic!("{fault}"));
            outcomes.insert(table.outcome().expect("an end").outcome);
        }
        assert!(outcomes.len() >= 2, "{outcomes:?}");
    });
}

/// What is wrong with the game that stands alone when this is laid over it, and what is doubtful.
fn laid_over(test: &str, text: &str) -> Vec<Defect> {
    let (root, game) = alone(test);
    let files = vec![("example.yaml".to_string(), text.to_string())];
    match rules::load_with(&[root], &game, &[], &[Overlay { pack: "example".into(), files }]) {
        Ok(game) => game.warnings.clone(),
        Err(defects) => defects.0,
    }
}

#[test]
fn every_example_of_the_guide_loads() {
    let mut wrong = Vec::new();
    for block in blocks().iter().filter(|block| block.file.is_none()) {
        match block.language {
            "sh" => {}
            "yaml" => {
                let found = laid_over("examples", &block.text);
                wrong.extend(found.iter().map(|defect| format!("README line {}: {defect}", block.line)));
            }
            other => wrong.push(format!("README line {}: a block of {other} without a file", block.line)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sections that the loader names when it meets one that it does not know.
fn sections() -> BTreeSet<String> {
    let found = laid_over("sections", &format!("{STRANGE}: {{a: {{}}}}\n"));
    let help = found[0].help.clone().unwrap_or_default();
    let (_, listed) = help.split_once("sections are ").expect("a list of sections");
    listed.split(", ").map(str::to_owned).collect()
}

/// The fields that the guide documents, by the section under whose heading they stand, with the
/// first example there.
fn documented() -> BTreeMap<String, (BTreeSet<String>, String)> {
    let mut found = BTreeMap::new();
    for part in GUIDE.split("\n### `").skip(1) {
        let (section, text) = part.split_once('`').expect("the end of a heading");
        let text = text.split("\n## ").next().unwrap_or_default();
        let table = text.lines().skip_while(|line| *line != "| field | type | default | what |").skip(2);
        let rows = table.take_while(|line| line.starts_with('|'));
        let first = |row: &str| row.trim_matches('|').split('|').next().unwrap_or_default().to_owned();
        let fields =
            rows.flat_map(|row| first(row).split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
        let example = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
        let known = found.insert(section.to_owned(), (fields.collect(), example.to_owned()));
        assert!(known.is_none(), "{section} stands twice");
    }
    found
}

#[test]
fn each_section_of_the_loader_has_its_heading_and_its_example() {
    let documented = documented();
    assert_eq!(documented.keys().cloned().collect::<BTreeSet<_>>(), sections());
    for (section, (_, example)) in &documented {
        assert!(example.contains(&format!("{section}:\n  ")), "{section} has no example");
    }
}

#[test]
fn the_tables_of_fields_are_what_the_loader_reads() {
    for (section, (mut fields, example)) in documented() {
        if OPEN.contains(&section.as_str()) {
            continue;
        }
        // The example of the section, with a field that is unknown.
        let (before, records) = example.split_once(&format!("{section}:\n")).expect("an example");
        let (first, rest) = records.split_once('\n').expect("a record");
        let first = match first.strip_suffix(':') {
            Some(id) => format!("{id}:\n    {STRANGE}: 1"),
            None => first.replacen(": {", &format!(": {{{STRANGE}: 1, "), 1),
        };
        let text = format!("{before}{section}:\n{first}\n{rest}");
        let found = laid_over("fields", &text);
        let defect = found.iter().find(|defect| defect.code == "field.unknown" && defect.message.contains(STRANGE));
        let help = defect.and_then(|defect| defect.help.clone()).unwrap_or_else(|| panic!("{section}: {found:?}"));
        let (_, listed) = help.split_once(": ").expect("a list of fields");
        for (_, field) in INSTEAD.iter().filter(|(of, _)| *of == section) {
            assert!(fields.remove(*field), "{field} is not documented");
        }
        let known = listed.split(", ").map(|field| field.trim_end_matches(" (required)").to_owned());
        assert_eq!(fields, known.collect(), "{section}");
    }
}

/// The first block of `snapshots/README.md` in a language.
fn of_snapshots(language: &str) -> Vec<&'static str> {
    let readme = include_str!("../../../snapshots/README.md");
    let rest = readme.split_once(&format!("\n```{language}\n")).expect("a block").1;
    rest.lines().take_while(|line| *line != "```").collect()
}

/// What happens in a case of a root that stands on this repository.
fn stream_of(root: &Path, game: &str, case: &str) -> Vec<String> {
    let roots = [base(root.parent().expect("a folder")), root.to_path_buf()];
    let kit = Kit::load(&roots, game, &[]).unwrap_or_else(|defects| panic!("{defects}"));
    let mut all = kit.suites.iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)));
    let (suite, case) = all.find(|(_, found)| found.name == case).expect("the case is in the guide");
    let report = kit.run(suite, case);
    assert_eq!(report.verdict, Verdict::Passed);
    report.stream
}

#[test]
fn the_excerpts_of_the_page_of_snapshots_are_what_happens() {
    let (root, game, _) = written("snapshots").into_iter().find(|(.., stacks)| *stacks).expect("a pack");
    let (shown, changed) = (of_snapshots(""), of_snapshots("diff"));
    let case = shown[0].strip_prefix("== ").expect("the name of a case");
    with_stack(|| {
        let before = stream_of(&root, &game, case);
        assert_eq!(before, shown[1..]);
        let script = blocks().iter().find_map(|block| block.file.filter(|file| file.ends_with(".rhai"))).expect("one");
        let path = root.parent().expect("a folder").join(script);
        let text = fs::read_to_string(&path).expect("a script");
        fs::write(&path, text.replace(".without([dog])", "")).expect("it is written");
        let after = stream_of(&root, &game, case).join("\n");
        let side = |other| {
            let lines = changed.iter().filter(move |line| !line.starts_with(other));
            lines.map(|line| &line[1..]).collect::<Vec<_>>().join("\n")
        };
        assert!(before.join("\n").contains(&side('+')), "{before:#?}");
        assert!(after.contains(&side('-')), "{after}");
    });
}

/// The files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_snapshot_belongs_to_a_file_of_tests() {
    let folder = repository().join("snapshots");
    let mut found = Vec::new();
    files(&folder, &mut found);
    let snapshots = found.iter().filter(|path| path.extension().is_some_and(|ending| ending == "snap"));
    for path in snapshots {
        let below = path.strip_prefix(&folder).expect("it is below").with_extension("yaml");
        let tests = repository().join("content").join(below.parent().expect("a pack")).join("tests");
        assert!(tests.join(below.file_name().expect("a name")).exists(), "{} belongs to no tests", path.display());
    }
}
