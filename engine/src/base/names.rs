//! Names: interned texts.

use std::cell::Cell;

pub use ustr::Ustr as Name;

/// The longest name in bytes; longer ones are refused where they enter.
pub const NAME_BYTES_MAX: usize = 128;

/// How many texts are remembered with their names; a power of two.
const N_REMEMBERED: usize = 512;

thread_local! {
    /// Names by where their texts lay when they were asked for: most are asked for again from
    /// the same place, and comparing two texts is quicker than looking one up.
    static REMEMBERED: [Cell<Option<Name>>; N_REMEMBERED] = const { [const { Cell::new(None) }; N_REMEMBERED] };
}

/// The interned name of `text`.
///
/// Names are never freed, so only identifiers become names: at most [`NAME_BYTES_MAX`]
/// bytes each, and never free text.
#[must_use]
pub fn name(text: &str) -> Name {
    let place = (text.as_ptr().addr() >> 3) ^ (text.len() << 4);
    REMEMBERED.with(|remembered| {
        let place = &remembered[place & (N_REMEMBERED - 1)];
        match place.get().filter(|name| name.as_str() == text) {
            Some(name) => name,
            None => {
                let name = Name::from(text);
                place.set(Some(name));
                name
            }
        }
    })
}
