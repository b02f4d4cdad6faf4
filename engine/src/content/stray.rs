//! Scripts that nobody reads: below `scripts/`, in a folder of no pack.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{
    Defect, nearest,
    origin::{below, folders},
};

/// A warning for every folder of `scripts/` in the roots that belongs to no pack of any root, and for every
/// script beside such folders.
#[must_use]
pub fn stray_scripts(roots: &[PathBuf]) -> Vec<Defect> {
    let packs = |games: &Path| -> Vec<String> {
        let of_game = |(game, folder): (String, PathBuf)| {
            folders(&folder).into_iter().map(move |(pack, _)| format!("{game}/{pack}"))
        };
        folders(games).into_iter().flat_map(of_game).collect()
    };
    let known: BTreeSet<String> = roots.iter().flat_map(|root| packs(&root.join("content"))).collect();
    let named = |root: &PathBuf| (roots.first() != Some(root)).then(|| root.to_string_lossy().into_owned());
    let mut found = Vec::new();
    for root in roots {
        let scripts = root.join("scripts");
        for pack in packs(&scripts).iter().filter(|pack| !known.contains(*pack)) {
            if !holds_scripts(&scripts.join(pack)) {
                continue;
            }
            let help = match nearest(pack, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean scripts/{near}?"),
                None => format!("name it as its pack, or write content/{pack}/pack.yaml"),
            };
            let message = format!("there is no pack {pack}, so these scripts are not read");
            let defect = Defect::of_file("script.stray", &format!("scripts/{pack}"), message, &help);
            found.push(defect.in_root(named(root)));
        }
        for folder in std::iter::once(scripts.clone()).chain(folders(&scripts).into_iter().map(|(_, folder)| folder)) {
            let own = files(&folder).into_iter().filter(|file| is_script(file));
            found.extend(own.map(|file| {
                let message = "this script lies in the folder of no pack and is not read".to_owned();
                let help = "move it to scripts/GAME/PACK/";
                Defect::of_file("script.stray", &below(root, &file), message, help).in_root(named(root))
            }));
        }
    }
    found
}

fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "rhai")
}

/// The files in a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    found.sort();
    found
}

/// Whether a script lies in a folder, or in one directly below it.
fn holds_scripts(folder: &Path) -> bool {
    let below = folders(folder).into_iter().map(|(_, folder)| folder);
    std::iter::once(folder.to_path_buf()).chain(below).any(|folder| files(&folder).iter().any(|file| is_script(file)))
}
