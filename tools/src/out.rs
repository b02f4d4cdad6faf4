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

/// A number that counts parts of ten, hundred or more, with so many decimals.
pub(crate) fn decimal(scaled: u128, decimals: usize) -> String {
    let digits = format!("{scaled:0>width$}", width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    format!("{whole}.{rest}")
}
