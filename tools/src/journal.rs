//! The log of a game in progress: each unit is written before it is shown, and it is on the
//! disk at most a second later. Where seats have secrets each has a log of its own beside it,
//! `NAME.<seat>.jsonl`, which is written after the game's: so it never holds more.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sandtable::{
    base::Name,
    table::{
        Table,
        log::{LogFault, LogWriter},
    },
};

/// The longest time that a unit stays unsynced.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A log that is being written.
pub(crate) struct Journal {
    writer: LogWriter,
    path: PathBuf,
    /// How many records of the table are in it.
    written: usize,
    synced: Instant,
    is_synced: bool,
    seats: Vec<SeatJournal>,
}

/// The log of a secret seat.
struct SeatJournal {
    seat: Name,
    writer: LogWriter,
    written: usize,
}

/// Where the log of a seat lies.
pub(crate) fn path_for(path: &Path, seat: Name) -> PathBuf {
    path.with_extension(format!("{seat}.jsonl"))
}

impl Journal {
    /// A new log; an existing file is refused.
    pub(crate) fn create(table: &Table, path: &Path) -> Result<Self, LogFault> {
        if let Some(folder) = path.parent() {
            // When this fails, so does making the file, with the better message.
            let _ = fs::create_dir_all(folder);
        }
        let mut journal = Self::after(LogWriter::create(path, &table.header())?, path, 0);
        for seat in table.secret_seats() {
            journal.create_for(table, *seat)?;
        }
        Ok(journal)
    }

    fn create_for(&mut self, table: &Table, seat: Name) -> Result<(), LogFault> {
        let writer = LogWriter::create(&path_for(&self.path, seat), &table.header_for(seat))?;
        self.seats.push(SeatJournal { seat, writer, written: 0 });
        Ok(())
    }

    /// Goes on with the logs of the seats; one that is not there is written anew.
    pub(crate) fn reopen_seats(&mut self, table: &Table) -> Result<(), LogFault> {
        for seat in table.secret_seats() {
            let path = path_for(&self.path, *seat);
            if !path.exists() {
                self.create_for(table, *seat)?;
                continue;
            }
            let (writer, log) = LogWriter::reopen(&path)?;
            let written = log.lines.len();
            let is_ahead = table.with_view(seat, |_, records| records.len() < written);
            if is_ahead || log.header != table.header_for(*seat) {
                let what = format!("{} is not the log of {seat} of this game", path.display());
                return Err(LogFault { line: 0, what, remedy: "move it away, and it is written anew".into() });
            }
            self.seats.push(SeatJournal { seat: *seat, writer, written });
        }
        Ok(())
    }

    /// A log that goes on after so many records.
    pub(crate) fn after(writer: LogWriter, path: &Path, written: usize) -> Self {
        Self { writer, path: path.to_owned(), written, synced: Instant::now(), is_synced: false, seats: Vec::new() }
    }

    /// Appends what is new.
    pub(crate) fn write(&mut self, table: &Table) -> Result<(), LogFault> {
        table.with_world(|world| {
            table.with_records(|records| {
                if self.written < records.len() {
                    self.writer.append(&records[self.written..], world)?;
                    self.written = records.len();
                    self.is_synced = false;
                }
                Ok(())
            })
        })?;
        for SeatJournal { seat, writer, written } in &mut self.seats {
            table.with_view(seat, |world, records| {
                writer.append(records.get(*written..).unwrap_or_default(), world)?;
                *written = records.len();
                Ok(())
            })?;
        }
        if self.time_to_sync().is_some_and(|left| left.is_zero()) { self.sync() } else { Ok(()) }
    }

    /// How long until it is time to sync; none when everything is on the disk.
    pub(crate) fn time_to_sync(&self) -> Option<Duration> {
        (!self.is_synced).then(|| SYNC_EVERY.saturating_sub(self.synced.elapsed()))
    }

    /// Waits until everything is on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), LogFault> {
        self.writer.sync()?;
        self.seats.iter_mut().try_for_each(|seat| seat.writer.sync())?;
        (self.synced, self.is_synced) = (Instant::now(), true);
        Ok(())
    }

    /// The hash of the last line that was written.
    pub(crate) fn head(&self) -> &str {
        self.writer.head()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
