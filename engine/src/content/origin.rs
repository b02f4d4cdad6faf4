//! Where a pack's files come from: a folder of a root, or memory.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

use super::{Defect, Defects, Overlay};

/// Where a pack lies.
pub(super) enum Origin<'a> {
    /// In a folder below a root.
    Folder {
        /// The root.
        root: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// In memory.
    Memory(&'a Overlay),
}

/// One file of a pack.
pub(super) struct Entry<'a> {
    /// The path below its root, with `/`.
    pub(super) path: String,
    /// The path below its pack, with `/`.
    pub(super) within: String,
    /// What holds its bytes.
    pub(super) bytes: Bytes<'a>,
}

/// What holds the bytes of a file.
pub(super) enum Bytes<'a> {
    /// A file below a root.
    File {
        /// The root.
        root: PathBuf,
        /// The file.
        path: PathBuf,
    },
    /// A text.
    Text(Cow<'a, str>),
}

impl<'a> Origin<'a> {
    /// The pack's own page; none when there is no such file.
    pub(super) fn page(&self, pack: &str) -> Option<Entry<'a>> {
        match self {
            Self::Folder { root, folder } => {
                let path = folder.join("pack.yaml");
                path.symlink_metadata().is_ok().then(|| entry(root, folder, path))
            }
            Self::Memory(overlay) => {
                let text = overlay.files.iter().find(|(path, _)| path == "pack.yaml").map(|(_, text)| text.as_str());
                let text = text.unwrap_or("name: Overlay\nversion: 0.0.0\n");
                Some(held(&format!("content/{pack}"), "pack.yaml", text))
            }
        }
    }

    /// Its files of content, in order.
    pub(super) fn content(&self, pack: &str, defects: &mut Defects) -> Vec<Entry<'a>> {
        match self {
            Self::Folder { root, folder } => files_below(root, folder, folder, defects),
            Self::Memory(overlay) => {
                let files = overlay.files.iter().filter(|(path, _)| !path.ends_with(".rhai"));
                files.map(|(path, text)| held(&format!("content/{pack}"), path, text)).collect()
            }
        }
    }

    /// Its scripts, in order.
    pub(super) fn scripts(&self, pack: &str, defects: &mut Defects) -> Vec<Entry<'a>> {
        match self {
            Self::Folder { root, .. } => {
                let folder = root.join("scripts").join(pack);
                files_below(root, &folder, &folder, defects)
            }
            Self::Memory(overlay) => {
                let files = overlay.files.iter().filter(|(path, _)| path.ends_with(".rhai"));
                files.map(|(path, text)| held(&format!("scripts/{pack}"), path, text)).collect()
            }
        }
    }
}

fn held<'a>(above: &str, within: &str, text: &'a str) -> Entry<'a> {
    Entry { path: format!("{above}/{within}"), within: within.into(), bytes: Bytes::Text(Cow::Borrowed(text)) }
}

fn entry<'a>(root: &Path, folder: &Path, path: PathBuf) -> Entry<'a> {
    Entry {
        path: below(root, &path),
        within: below(folder, &path),
        bytes: Bytes::File { root: root.to_path_buf(), path },
    }
}

/// The path below a folder, with `/`.
pub(super) fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The folders in a folder, by name.
pub(super) fn folders(path: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .collect();
    found.sort();
    found
}

/// Every file below a folder, by path. Links to folders are not followed.
fn files_below<'a>(root: &Path, pack: &Path, folder: &Path, defects: &mut Defects) -> Vec<Entry<'a>> {
    let refusal = |path: &Path, code, message: String, help| Defect::of_file(code, &below(root, path), message, help);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            defects.0.push(refusal(folder, "file.unreadable", error.to_string(), "make it readable"));
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|about| about.file_type().is_symlink());
        if !path.is_dir() {
            found.push(entry(root, pack, path));
        } else if is_link {
            let message = "a link to a folder is not followed".into();
            defects.0.push(refusal(&path, "file.outside", message, "copy the folder instead of linking to it"));
        } else {
            found.extend(files_below(root, pack, &path, defects));
        }
    }
    found
}
