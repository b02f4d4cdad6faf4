//! The built program on a small game: what it prints, refuses and writes.

mod table;
mod play;
mod logs;
mod content;
mod mutate;
mod killed;
mod pages;
mod readme;
mod seats;
mod campaign;
