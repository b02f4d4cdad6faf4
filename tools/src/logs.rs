//! Commands about logs: verify.

use std::{io, path::Path};

use sandtable::{
    rules::Game,
    table::{
        log::{LogFile, fold_log, read_log},
        rerun,
    },
};

use crate::{
    games::Packs,
    out::{line, talk},
};

pub(crate) fn verify(packs: &Packs<'_>, path: &Path, current: bool) -> io::Result<u8> {
    let log = match read_log(path) {
        Ok(log) => log,
        Err(fault) => {
            line(&format!("chain: not proved: {fault}"))?;
            return Ok(1);
        }
    };
    line(&format!("chain: proved ({} records)", log.lines.len()))?;
    if let Some(cut) = &log.cut {
        talk(&format!("{} lines after the last whole unit do not count, from line {}", cut.n_lines, cut.line));
    }
    let mut code = 0;
    match fold_log(&log, None) {
        Ok(_) => line("fold: proved")?,
        Err(fault) => {
            line(&format!("fold: not proved: {fault}"))?;
            code = 1;
        }
    }
    let Some(game) = packs.load(&log.header.game) else {
        line("rerun: not proved: the content cannot be loaded")?;
        return Ok(1);
    };
    let differing = differing_files(&log, &game);
    if !differing.is_empty() && !current {
        line(&format!("rerun: not proved: these files differ: {}", differing.join(", ")))?;
        return Ok(1);
    }
    match rerun(&game, &log) {
        Ok(verdict) if verdict.same => line(&format!("rerun: proved ({} records)", verdict.records))?,
        Ok(verdict) => {
            line("rerun: not proved")?;
            if let Some(difference) = verdict.difference {
                line(&format!("first difference at record {}:", difference.number))?;
                line(&format!("  was {}", difference.was))?;
                line(&format!("  is  {}", difference.is))?;
            }
            code = 1;
        }
        Err(fault) => {
            line(&format!("rerun: not proved: {fault}"))?;
            code = 1;
        }
    }
    Ok(code)
}

fn differing_files(log: &LogFile, game: &Game) -> Vec<String> {
    let mut differing: Vec<String> = Vec::new();
    for file in &log.header.lock.files {
        if !game.files.iter().any(|(path, hash)| *path == file.path && *hash == file.hash) {
            differing.push(file.path.clone());
        }
    }
    let known = |path: &String| log.header.lock.files.iter().any(|file| file.path == *path);
    differing.extend(game.files.iter().map(|(path, _)| path).filter(|path| !known(path)).cloned());
    differing
}
