//! Writing: data to stdout with errors passed on, talk to stderr.

use std::io::{self, Write as _};

/// Writes a line of data.
pub(crate) fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

/// Says something to whoever watches; a closed stderr is no error.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
