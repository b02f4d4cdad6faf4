//! Running the program in a folder of its own, on the toy or on a copy of it.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value as Json;

/// What a run of the program gave.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The last line of stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        let last = self.out.lines().last().unwrap_or_else(|| panic!("nothing was printed: {}", self.err));
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }
}

/// A folder for one test, and the root that its commands load.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    pub(crate) root: PathBuf,
}

impl Place {
    /// An empty folder, and the toy.
    pub(crate) fn new(test: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self { folder, root: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/toy") }
    }

    /// An empty folder, and the toy of two seats with secrets.
    pub(crate) fn secret(test: &str) -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/toy");
        Self { root, ..Self::new(test) }
    }

    /// An empty folder, and the game that has a campaign.
    pub(crate) fn season(test: &str) -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/season");
        Self { root, ..Self::new(test) }
    }

    /// A folder with a copy of the game that has a campaign.
    pub(crate) fn copy_of_season(test: &str) -> Self {
        Self::copied(Self::season(test))
    }

    /// A folder with a copy of the toy that may be changed.
    pub(crate) fn with_copy(test: &str) -> Self {
        Self::copied(Self::new(test))
    }

    fn copied(place: Self) -> Self {
        let root = place.folder.join("root");
        copy(&place.root, &root);
        Self { root, ..place }
    }

    /// Replaces a text in a file of the root.
    #[track_caller]
    pub(crate) fn edit(&self, file: &str, old: &str, new: &str) {
        let path = self.root.join(file);
        let text = fs::read_to_string(&path).expect("the file is there");
        assert!(text.contains(old), "{file} holds {old}");
        fs::write(path, text.replace(old, new)).expect("it can be written");
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandtable"));
        command.current_dir(&self.folder).env("NO_COLOR", "1").arg("--root").arg(&self.root).args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    /// Runs a command with lines of input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Ran {
        self.run_bytes(args, input.as_bytes())
    }

    /// Runs a command with any bytes as input.
    pub(crate) fn run_bytes(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // A program that does not read to the end closes the pipe first.
        let _ = child.stdin.take().expect("it was piped").write_all(input);
        let done = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: done.status.code().unwrap_or(-1), out: text(done.stdout), err: text(done.stderr) }
    }

    /// Plays the toy with these lines of input into a log.
    #[track_caller]
    pub(crate) fn play(&self, log: &str, input: &str) -> Ran {
        let ran = self.run_with(&["play", "toy/stroll", "--seed", "7", "--log", log], input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    }

    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.folder.join(file)).expect("the file is there")
    }

    pub(crate) fn write(&self, file: &str, bytes: &[u8]) {
        fs::write(self.folder.join(file), bytes).expect("it can be written");
    }

    /// The lines of a log without the milliseconds and what depends on them.
    pub(crate) fn lines(&self, log: &str) -> Vec<Json> {
        let text = String::from_utf8(self.bytes(log)).expect("UTF-8");
        let line = |text: &str| {
            let mut json: Json = serde_json::from_str(text).expect("JSON");
            json["hash"].take();
            for kind in ["answered", "kept"] {
                if let Some(ms) = json.get_mut(kind).and_then(|body| body.get_mut("ms")) {
                    ms.take();
                }
            }
            json
        };
        text.lines().map(line).collect()
    }

    /// Whether every proof of a log succeeds.
    #[track_caller]
    pub(crate) fn assert_proved(&self, log: &str) {
        let ran = self.run(&["verify", log]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert_eq!(ran.out.matches(": proved").count(), 3, "{}", ran.out);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("it can be read") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("it is copied");
        }
    }
}
