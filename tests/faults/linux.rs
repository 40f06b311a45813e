//! Faults that only Linux can be made to have here. Elsewhere these modules do not exist; `tests/wine/left-out.txt` says what
//! keeps them here.

/// The wall clock is set by libfaketime.
mod clocks;
/// nginx repeats deductions.
mod doubled;
/// A full disk is a small file system in memory.
mod full_disk;
/// A keychain of the session bus is locked and unlocked.
mod kept_secrets;
/// A keychain of the session bus is brought into each of its states.
mod keychain;
/// strace records what reached the disk.
mod power;
/// A keychain of the session bus remembers the journal's last event.
mod rolled_back;
/// LibreOffice reads what was exported.
mod spreadsheets;
/// Shell scripts stand in for pkexec and apt-get.
mod updates;
