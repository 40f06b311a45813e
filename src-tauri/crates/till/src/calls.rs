//! Calls of the page: a person may stop waiting for one, and each concerns the connection on screen. A stopped call ends
//! its requests to the vendor; an operation goes on, because `operations` does not depend on its caller.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::Till;
use crate::error::CommandError;

/// Names a call. The page counts up.
pub type CallNumber = u32;

/// The calls that are under way.
#[derive(Default)]
pub(crate) struct Calls(Mutex<Open>);

#[derive(Default)]
struct Open {
    under_way: HashMap<CallNumber, oneshot::Sender<()>>,
    /// Calls that were stopped before they began: a stop may overtake its call.
    early: HashSet<CallNumber>,
}

tokio::task_local! {
    /// The connection that the page showed when it called; `None`: none.
    static SHOWN: Option<String>;
}

/// Runs a call of a page that shows this connection. If another one is opened before the call begins its work, the call
/// ends with `given-up`: numbers and names of the page mean nothing there.
pub async fn of_page<T>(shown: Option<String>, work: impl Future<Output = T>) -> T {
    SHOWN.scope(shown, work).await
}

/// Whether this call may act on the connection. Work that no page asked for may act on any.
pub(crate) fn concerns(id: &str) -> bool {
    SHOWN.try_with(|shown| shown.as_deref().is_none_or(|shown| shown == id)).unwrap_or(true)
}

/// The number of early stops to remember: stops of calls that had already ended have to be forgotten at some time.
const MOST_EARLY: usize = 64;

impl Calls {
    /// Runs the work. A call with a number ends early when it is stopped.
    pub(crate) async fn run<T>(
        &self,
        number: Option<CallNumber>,
        work: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        let Some(number) = number else { return work.await };
        let (stop, stopped) = oneshot::channel();
        {
            let mut open = self.0.lock();
            if open.early.remove(&number) {
                return Err(CommandError::given_up());
            }
            open.under_way.insert(number, stop);
        }
        let ended = tokio::select! {
            ended = work => ended,
            _ = stopped => Err(CommandError::given_up()),
        };
        self.0.lock().under_way.remove(&number);
        ended
    }

    /// Stops a call. It may have ended already.
    pub(crate) fn stop(&self, number: CallNumber) {
        let mut open = self.0.lock();
        if let Some(stop) = open.under_way.remove(&number) {
            let _ = stop.send(());
            return;
        }
        if open.early.len() >= MOST_EARLY {
            open.early.clear();
        }
        open.early.insert(number);
    }
}

/// Stops a call of the page, with its requests to the vendor.
pub async fn stop_call(till: &Till, number: CallNumber) -> Result<(), CommandError> {
    till.calls.stop(number);
    Ok(())
}

/// Ends every wait that the vendor asked for: each read returns the vendor's refusal.
pub async fn stop_waits(till: &Till, (): ()) -> Result<(), CommandError> {
    till.waits.stop();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Noticed(Arc<AtomicBool>);

    impl Drop for Noticed {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[tokio::test]
    async fn a_stopped_call_ends_at_once_and_what_it_had_under_way_ends_with_it() {
        let (calls, ended) = (Arc::new(Calls::default()), Arc::new(AtomicBool::new(false)));
        let noticed = Noticed(ended.clone());
        let work = async move {
            let _noticed = noticed;
            std::future::pending::<Result<(), CommandError>>().await
        };
        let (other, stopping) = (calls.clone(), async {
            tokio::task::yield_now().await;
        });
        let (done, ()) = tokio::join!(calls.run(Some(7), work), async {
            stopping.await;
            other.stop(7);
        });
        assert_eq!(done.unwrap_err().code, Code::GivenUp);
        assert!(ended.load(Ordering::SeqCst));
        assert!(calls.0.lock().under_way.is_empty());
    }

    #[tokio::test]
    async fn a_stop_that_overtakes_its_call_stops_it() {
        let calls = Calls::default();
        calls.stop(3);
        let done = calls.run(Some(3), std::future::pending::<Result<(), CommandError>>()).await;
        assert_eq!(done.unwrap_err().code, Code::GivenUp);
    }

    #[tokio::test]
    async fn a_call_that_ended_or_has_no_number_is_not_stopped() {
        let calls = Calls::default();
        assert_eq!(calls.run(Some(1), async { Ok(5) }).await.unwrap(), 5);
        calls.stop(1);
        assert_eq!(calls.run(None, async { Ok(6) }).await.unwrap(), 6);
    }
}
