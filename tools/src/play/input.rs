//! Lines of stdin, read aside, so that waiting for one holds up neither the log nor Ctrl-C.

use std::{
    io::{self, BufRead as _, Read as _},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::journal::Journal;

/// The longest line that can be an answer.
const LINE_BYTES_MAX: u64 = 4096;

/// What comes in.
pub(super) enum Input {
    /// A line, or why it is none.
    Line(Result<String, String>),
    /// Nothing more will come.
    End,
    /// The program is asked to end.
    Interrupted,
    /// Reading failed.
    Failed(io::Error),
}

/// Waits for a terminal's input so long; whether the terminal is gone.
#[cfg(unix)]
pub(super) fn is_gone(time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut asked = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // A signal may tell of another size, but of the loss as well: then it is looked again.
    let mut answered = poll(&mut asked, Some(&time));
    for _ in 0..8 {
        if answered.is_ok() {
            break;
        }
        answered = poll(&mut asked, Some(&now));
    }
    answered.is_ok() && asked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

/// Waits so long; a terminal is never gone here.
#[cfg(not(unix))]
pub(super) fn is_gone(time: Duration) -> bool {
    let _ = ratatui::crossterm::event::poll(time);
    false
}

/// Where lines and interruptions come in.
pub(super) struct Lines {
    receiver: mpsc::Receiver<Input>,
    sender: mpsc::SyncSender<Input>,
}

impl Lines {
    /// Begins to read stdin.
    pub(super) fn begin() -> Self {
        let (sender, receiver) = mpsc::sync_channel(1);
        let to = sender.clone();
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let (came, is_last) = match line_of(&mut input) {
                    Ok(Some(line)) => (Input::Line(line), false),
                    Ok(None) => (Input::End, true),
                    Err(error) => (Input::Failed(error), true),
                };
                if to.send(came).is_err() || is_last {
                    return;
                }
            }
        });
        Self { receiver, sender }
    }

    /// Where to say that the program is asked to end.
    pub(super) fn interrupter(&self) -> mpsc::SyncSender<Input> {
        self.sender.clone()
    }

    /// What comes next. What was not synced for a second is, while it waits.
    pub(super) fn next(&self, journal: &mut Journal) -> Input {
        loop {
            let Some(left) = journal.time_to_sync() else { return self.receiver.recv().unwrap_or(Input::End) };
            match self.receiver.recv_timeout(left.max(Duration::from_millis(1))) {
                Ok(came) => return came,
                Err(mpsc::RecvTimeoutError::Disconnected) => return Input::End,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if let Err(fault) = journal.sync() {
                        return Input::Failed(io::Error::other(fault.to_string()));
                    }
                }
            }
        }
    }
}

/// The next line of an input; none at its end.
fn line_of(input: &mut impl io::BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let mut n_bytes = 0;
    loop {
        let mut part = Vec::new();
        let n = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut part)?;
        if n_bytes == 0 && n == 0 {
            return Ok(None);
        }
        n_bytes += n as u64;
        let is_end = n == 0 || part.ends_with(b"\n");
        if n_bytes <= LINE_BYTES_MAX {
            bytes.extend(part);
        }
        if is_end {
            break;
        }
    }
    if n_bytes > LINE_BYTES_MAX {
        return Ok(Some(Err(format!("the line has {n_bytes} bytes, an answer has at most {LINE_BYTES_MAX}"))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "the line is not UTF-8".into())))
}
