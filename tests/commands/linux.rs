//! Commands in states that only Linux can be brought into here. Elsewhere these modules do not exist;
//! `tests/wine/left-out.txt` says why.

/// Only on Linux can a session have no keychain.
mod no_keychain;
/// Shell scripts stand in for pkexec and apt-get.
mod updates;
