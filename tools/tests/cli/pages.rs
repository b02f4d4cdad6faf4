//! Completions and man pages name every command, and are made without content.

use std::process::Command;

use crate::table::Place;

/// The commands that the help names.
fn commands(place: &Place) -> Vec<String> {
    let help = place.run(&["--help"]).out;
    let listed = help.split("Commands:\n").nth(1).expect("commands").lines().take_while(|line| !line.is_empty());
    listed.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn completions_know_every_command() {
    let place = Place::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let made = place.run(&["completions", shell]);
        assert_eq!(made.code, 0, "{}", made.err);
        for command in commands(&place) {
            assert!(made.out.contains(&command), "{shell} does not know {command}");
        }
    }
    place.write("completions.bash", place.run(&["completions", "bash"]).out.as_bytes());
    let path = place.folder.join("completions.bash");
    assert!(Command::new("bash").arg("-n").arg(path).status().is_ok_and(|status| status.success()));
    assert_eq!(place.run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn every_command_has_a_man_page() {
    let place = Place::new("man");
    let page = place.run(&["man"]).out;
    assert!(page.contains(".TH sandtable 1"), "{page}");
    let made = place.run(&["man", "--out", "pages"]);
    assert_eq!(made.code, 0, "{}", made.err);
    for command in commands(&place).iter().filter(|command| *command != "help") {
        let name = format!("pages/sandtable-{command}.1");
        assert!(made.out.contains(&name), "{}", made.out);
        let page = String::from_utf8(place.bytes(&name)).expect("text");
        assert!(page.contains(&format!(".TH sandtable-{command} 1")) && page.contains(".SH OPTIONS"), "{page}");
    }
}
