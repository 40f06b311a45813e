//! Keeps sends and the replacement of the program apart.

use parking_lot::Mutex;

use crate::error::CommandError;

/// Counts the commands that are sending, or is closed so that none may start.
pub(crate) struct Gate(Mutex<State>);

enum State {
    Open { sending: usize },
    Closed,
}

/// Held by a command that sends, from before it spends its confirmation until the outcome is known.
pub(crate) struct Sending<'a>(&'a Gate);

/// Held while nothing may be sent.
pub(crate) struct Closed<'a>(&'a Gate);

impl Default for Gate {
    fn default() -> Self {
        Self(Mutex::new(State::Open { sending: 0 }))
    }
}

impl Gate {
    /// Lets a command send.
    ///
    /// # Errors
    /// `installing` when a newer version is being installed or the program is about to start again.
    pub(crate) fn send(&self) -> Result<Sending<'_>, CommandError> {
        match &mut *self.0.lock() {
            State::Open { sending } => *sending += 1,
            State::Closed => return Err(CommandError::installing()),
        }
        Ok(Sending(self))
    }

    /// Closes the gate.
    ///
    /// # Errors
    /// `busy` when a command is sending, or the gate is already closed.
    pub(crate) fn close(&self) -> Result<Closed<'_>, CommandError> {
        let mut state = self.0.lock();
        if !matches!(*state, State::Open { sending: 0 }) {
            return Err(CommandError::busy());
        }
        *state = State::Closed;
        Ok(Closed(self))
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        if let State::Open { sending } = &mut *self.0.0.lock() {
            *sending -= 1;
        }
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        *self.0.0.lock() = State::Open { sending: 0 };
    }
}

impl Closed<'_> {
    /// Keeps the gate closed until the program ends.
    pub(crate) fn for_good(self) {
        std::mem::forget(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sent_while_it_is_closed_and_it_closes_only_when_nothing_is_sent() {
        let gate = Gate::default();
        let sends = [gate.send().unwrap(), gate.send().unwrap()];
        assert!(gate.close().is_err());
        let [first, second] = sends;
        drop(first);
        assert!(gate.close().is_err(), "the other one still sends");
        drop(second);
        let closed = gate.close().unwrap();
        assert!(gate.send().is_err() && gate.close().is_err());
        drop(closed);
        drop(gate.send().unwrap());
        gate.close().unwrap().for_good();
        assert!(gate.send().is_err());
    }
}
