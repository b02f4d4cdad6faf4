//! Shell completions and man pages, from the same definitions as the command line itself.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use clap::Command;
use clap_complete::Shell;

use crate::out::line;

/// Completions for a shell, to stdout.
pub(crate) fn completions(mut command: Command, shell: Shell) -> io::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "sandtable", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(0)
}

/// The page of the whole to stdout, or a page for it and for each command into a folder, whose
/// names are said.
pub(crate) fn man(command: Command, out: Option<&Path>) -> io::Result<u8> {
    let Some(folder) = out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        io::stdout().lock().write_all(&page)?;
        return Ok(0);
    };
    fs::create_dir_all(folder)?;
    let pages = std::iter::once(("sandtable".to_owned(), command.clone()));
    let each = command.get_subcommands().map(|sub| {
        let name = format!("sandtable-{}", sub.get_name());
        (name.clone(), sub.clone().display_name(name.clone()).bin_name(name.replacen('-', " ", 1)))
    });
    for (name, command) in pages.chain(each) {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page)?;
        line(&path.to_string_lossy())?;
    }
    Ok(0)
}
