//! The log of a game in progress: each unit is written before it is shown, and it is on the
//! disk at most a second later.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sandtable::table::{
    Table,
    log::{LogFault, LogWriter},
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
}

impl Journal {
    /// A new log; an existing file is refused.
    pub(crate) fn create(table: &Table, path: &Path) -> Result<Self, LogFault> {
        if let Some(folder) = path.parent() {
            // When this fails, so does making the file, with the better message.
            let _ = fs::create_dir_all(folder);
        }
        Ok(Self::after(LogWriter::create(path, &table.header())?, path, 0))
    }

    /// A log that goes on after so many records.
    pub(crate) fn after(writer: LogWriter, path: &Path, written: usize) -> Self {
        Self { writer, path: path.to_owned(), written, synced: Instant::now(), is_synced: false }
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
        if self.time_to_sync().is_some_and(|left| left.is_zero()) { self.sync() } else { Ok(()) }
    }

    /// How long until it is time to sync; none when everything is on the disk.
    pub(crate) fn time_to_sync(&self) -> Option<Duration> {
        (!self.is_synced).then(|| SYNC_EVERY.saturating_sub(self.synced.elapsed()))
    }

    /// Waits until everything is on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), LogFault> {
        self.writer.sync()?;
        (self.synced, self.is_synced) = (Instant::now(), true);
        Ok(())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
