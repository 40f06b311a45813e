//! Calls of the window that a person may stop waiting for. What a stopped call had under way on the
//! network ends with it; an operation goes on, for `operations` does not hang on its caller.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::error::CommandError;

/// Names a call; made by the window, counting up.
pub(crate) type CallNumber = u32;

#[derive(Default)]
pub(crate) struct Calls(Mutex<HashMap<CallNumber, oneshot::Sender<()>>>);

impl Calls {
    /// Does the work; a call with a number ends early when it is stopped.
    pub(crate) async fn run<T>(
        &self,
        number: Option<CallNumber>,
        work: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        let Some(number) = number else { return work.await };
        let (stop, stopped) = oneshot::channel();
        self.open().insert(number, stop);
        let ended = tokio::select! {
            ended = work => ended,
            _ = stopped => Err(CommandError::given_up()),
        };
        self.open().remove(&number);
        ended
    }

    /// Stops a call. One that has ended already is no mistake.
    pub(crate) fn stop(&self, number: CallNumber) {
        if let Some(stop) = self.open().remove(&number) {
            let _ = stop.send(());
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<CallNumber, oneshot::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
