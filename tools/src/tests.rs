//! Commands for whoever writes rules: `test` runs content tests, `rules` says what they show.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use sandtable::testkit::{
    CaseReport, Coverage, Kit, Status, Suite, Verdict, snapshot_file, snapshot_text, text_of_snapshot,
};
use serde_json::json;

use crate::{
    difference,
    games::{Packs, report},
    out::{line, talk},
};

/// What `test` was asked to do.
pub(crate) struct Wanted<'a> {
    /// Only files whose path holds this.
    pub(crate) path: Option<&'a str>,
    /// Only cases whose name holds this.
    pub(crate) case: Option<&'a str>,
    /// Whether changed snapshots are written.
    pub(crate) accept: bool,
    /// Whether the answer is one JSON object.
    pub(crate) json: bool,
}

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    fixme: usize,
    snapshots: usize,
    changed: usize,
    new: usize,
}

/// Runs content tests.
pub(crate) fn test(packs: &Packs<'_>, wanted: &Wanted<'_>) -> io::Result<u8> {
    let mut counts = Counts::default();
    let mut faults: Vec<String> = Vec::new();
    let mut found = false;
    let Some(games) = packs.games() else { return Ok(2) };
    for game in games {
        if wanted.path.is_some_and(|path| path.starts_with("content/") && !path.starts_with(&format!("content/{game}")))
        {
            continue;
        }
        let Some(kit) = load(packs, &game) else { return Ok(2) };
        let suites = kit.suites.iter().filter(|suite| wanted.path.is_none_or(|path| suite.file.contains(path)));
        for suite in suites {
            found = true;
            let reports = run(&kit, suite, wanted.case);
            let failed = reports.iter().filter_map(|report| match &report.verdict {
                Verdict::Failed(faults) => Some(format!("{} {}\n  {}", suite.file, report.name, faults.join("\n  "))),
                _ => None,
            });
            faults.extend(failed);
            for report in &reports {
                match report.verdict {
                    Verdict::Passed => counts.passed += 1,
                    Verdict::Failed(_) => counts.failed += 1,
                    Verdict::Fixme(_) => counts.fixme += 1,
                }
            }
            if wanted.case.is_none() {
                faults.extend(snapshot(packs, suite, &reports, wanted.accept, &mut counts)?);
            } else {
                for report in &reports {
                    line(&format!("== {}", report.name))?;
                    report.stream.iter().try_for_each(|text| line(text))?;
                }
            }
        }
    }
    if !found {
        let path = wanted.path.map_or_else(String::new, |path| format!(" {path}"));
        talk(&format!("there is no test file{path}; they lie in content/<game>/<pack>/tests/"));
        return Ok(2);
    }
    if let Some(case) = wanted.case.filter(|_| counts.passed + counts.failed + counts.fixme == 0) {
        talk(&format!("there is no case whose name holds {case}"));
        return Ok(2);
    }
    for fault in &faults {
        talk(fault);
    }
    let Counts { passed, failed, fixme, snapshots, changed, new } = counts;
    if wanted.json {
        let result = json!({
            "passed": passed, "failed": failed, "fixme": fixme, "snapshots": snapshots, "changed": changed,
            "new": new, "faults": faults,
        });
        line(&result.to_string())?;
    } else {
        let (changed, new) = match (wanted.accept, new) {
            (true, 0) => (format!("{changed} written anew"), String::new()),
            (true, new) => (format!("{changed} written anew"), format!(", {new} written for the first time")),
            (false, 0) => (format!("{changed} changed"), String::new()),
            (false, new) => (format!("{changed} changed"), format!(", {new} not there yet")),
        };
        line(&format!(
            "cases: {passed} passed, {failed} failed, {fixme} FIXME; snapshots: {snapshots} as before, {changed}{new}"
        ))?;
    }
    Ok(u8::from(failed > 0 || changed + new > 0 && !wanted.accept))
}

fn load(packs: &Packs<'_>, game: &str) -> Option<Kit> {
    match Kit::load(packs.roots, game, packs.without) {
        Ok(kit) => Some(kit),
        Err(defects) => {
            report(defects);
            None
        }
    }
}

fn run(kit: &Kit, suite: &Suite, case: Option<&str>) -> Vec<CaseReport> {
    let cases = suite.cases.iter().filter(|given| case.is_none_or(|wanted| given.name.contains(wanted)));
    cases.map(|case| kit.run(suite, case)).collect()
}

/// Compares the snapshot of a file, or writes it.
fn snapshot(
    packs: &Packs<'_>,
    suite: &Suite,
    reports: &[CaseReport],
    accept: bool,
    counts: &mut Counts,
) -> io::Result<Option<String>> {
    let Some(path) = snapshot_path(packs.roots, &suite.file) else { return Ok(None) };
    let old = fs::read_to_string(&path).unwrap_or_default();
    let new = streams(text_of_snapshot(&old), reports);
    if text_of_snapshot(&old) == new.trim_end_matches('\n') {
        counts.snapshots += usize::from(!new.is_empty());
        return Ok(None);
    }
    let is_new = old.is_empty();
    let count = if is_new { &mut counts.new } else { &mut counts.changed };
    *count += 1;
    if accept {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = if new.is_empty() {
            None
        } else {
            Some(format!("---\nsource: {}\nexpression: stream\n---\n{new}", suite.file))
        };
        match file {
            Some(text) => fs::write(&path, text)?,
            None => fs::remove_file(&path)?,
        }
        return Ok(None);
    }
    if is_new {
        return Ok(Some(format!("{}: no snapshot yet; --accept writes it", path.display())));
    }
    Ok(Some(format!("{}: {}", path.display(), difference::told(text_of_snapshot(&old), &new))))
}

/// What a snapshot should hold: what happened in each case that passes. One that fails is told of
/// already, so it stays as it was.
fn streams(old: &str, reports: &[CaseReport]) -> String {
    let mut before: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut case = "";
    for line in old.lines() {
        match line.strip_prefix("== ") {
            Some(name) => case = name,
            None => before.entry(case).or_default().push(line.to_owned()),
        }
    }
    let of_case = |report: &CaseReport| match report.verdict {
        Verdict::Passed => report.stream.clone(),
        Verdict::Failed(_) => before.get(report.name.as_str()).cloned().unwrap_or_default(),
        Verdict::Fixme(_) => Vec::new(),
    };
    let cases: Vec<(&str, Vec<String>)> =
        reports.iter().map(|report| (report.name.as_str(), of_case(report))).collect();
    snapshot_text(cases.iter().filter(|(_, lines)| !lines.is_empty()).map(|(name, lines)| (*name, lines.as_slice())))
}

fn snapshot_path(roots: &[PathBuf], file: &str) -> Option<PathBuf> {
    let root = roots.iter().rev().find(|root| root.join(Path::new(file)).is_file())?;
    Some(root.join("snapshots").join(snapshot_file(file)))
}

/// Says which rules of the ledgers the passing cases show.
pub(crate) fn rules(packs: &Packs<'_>, game: Option<&str>, check: bool, as_json: bool) -> io::Result<u8> {
    let Some(known) = packs.games() else { return Ok(2) };
    let wanted: Vec<String> = game.map_or(known, |game| vec![game.to_string()]);
    let mut found = false;
    for game in wanted {
        let Some(kit) = load(packs, &game) else { return Ok(2) };
        let reports: Vec<CaseReport> = kit.suites.iter().flat_map(|suite| run(&kit, suite, None)).collect();
        let coverage = kit.ledger.coverage(&reports);
        let missing = missing(&kit, &coverage);
        found |= !missing.is_empty() || !coverage.unknown.is_empty();
        if as_json {
            line(&rules_json(&kit, &coverage, &game, &missing).to_string())?;
            continue;
        }
        if !check {
            table(&kit, &coverage)?;
        }
        for (id, section, file) in &missing {
            line(&format!("no passing case: {id}  ({section}; {file})"))?;
        }
        for (id, case) in &coverage.unknown {
            line(&format!("unknown id: {id}, covered by {case}"))?;
        }
        let due = kit.ledger.entries.iter().filter(|entry| entry.status != Status::Later).count();
        line(&format!(
            "{game}: {} rules, {due} due, {} of these shown by passing cases, {} later",
            kit.ledger.entries.len(),
            due - missing.len(),
            kit.ledger.entries.len() - due
        ))?;
    }
    Ok(u8::from(check && found))
}

/// Rules that are due and that no passing case shows: id, section, place.
fn missing(kit: &Kit, coverage: &Coverage) -> Vec<(String, String, String)> {
    let due = kit.ledger.entries.iter().filter(|entry| entry.status != Status::Later);
    due.filter(|entry| !coverage.cases.contains_key(&entry.id))
        .map(|entry| (entry.id.clone(), entry.section.clone(), format!("{}:{}", entry.file, entry.line)))
        .collect()
}

fn table(kit: &Kit, coverage: &Coverage) -> io::Result<()> {
    let mut sections: Vec<(&str, [usize; 4])> = Vec::new();
    for entry in &kit.ledger.entries {
        let index = sections.iter().position(|(section, _)| *section == entry.section).unwrap_or_else(|| {
            sections.push((&entry.section, [0; 4]));
            sections.len() - 1
        });
        let counts = &mut sections[index].1;
        counts[match entry.status {
            Status::Now => 0,
            Status::Partly => 1,
            Status::Later => 2,
        }] += 1;
        counts[3] += usize::from(entry.status != Status::Later && coverage.cases.contains_key(&entry.id));
    }
    line("  now partly later shown  section")?;
    sections.into_iter().try_for_each(|(section, [now, partly, later, shown])| {
        line(&format!("{now:5} {partly:6} {later:5} {shown:5}  {section}"))
    })
}

fn rules_json(kit: &Kit, coverage: &Coverage, game: &str, missing: &[(String, String, String)]) -> serde_json::Value {
    let entries = kit.ledger.entries.iter().map(|entry| {
        json!({
            "id": entry.id, "section": entry.section,
            "status": match entry.status { Status::Now => "now", Status::Partly => "partly", Status::Later => "later" },
            "cases": coverage.cases.get(&entry.id).cloned().unwrap_or_default(),
        })
    });
    json!({
        "game": game,
        "rules": entries.collect::<Vec<_>>(),
        "missing": missing.iter().map(|(id, ..)| id).collect::<Vec<_>>(),
        "unknown": coverage.unknown.iter().map(|(id, case)| json!({ "id": id, "case": case })).collect::<Vec<_>>(),
    })
}
