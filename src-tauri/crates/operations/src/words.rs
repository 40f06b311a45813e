//! Words of the journal and of its readers: kinds, states, reasons, schedules. Plain types without I/O.

pub mod fingerprint;
pub mod schedule;
pub mod state;
