//! What the reads show of the service beside their data: whether it answers, how soon, whether it takes the token, what
//! its clock says. Nothing is asked for this.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use wire::Answer;

use crate::error::{Error, Lost, NotSent};
use crate::request::{Area, Request};
use crate::transport::Head;

/// What an answer, or its absence, says about the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It answered, so it took the token.
    Answered,
    /// It did not take the token.
    TurnedAway,
    /// Something answered that says nothing about the token: an unknown path, a gateway, a redirect.
    Something,
    /// Nothing answered.
    Nothing,
}

/// The last sign of one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// What the answer showed.
    pub heard: Heard,
    /// When its head arrived, or the attempt ended, on the steady clock.
    pub at: Instant,
    /// Time from the request to the head of the answer; `None` without an answer.
    pub took: Option<Duration>,
    /// The service's clock in the answer, ms since 1970; `None` if the area reports none.
    pub server_time: Option<i64>,
}

/// The last sign of each area; `None`: nothing was asked there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// The static-IP area.
    pub static_area: Option<Sign>,
    /// The traffic and customer areas.
    pub agent_area: Option<Sign>,
}

/// The signs of one service, over all clones of its client.
#[derive(Clone, Debug, Default)]
pub struct Pulse(Arc<watch::Sender<Signs>>);

impl Pulse {
    /// Follows the signs.
    pub fn signs(&self) -> watch::Receiver<Signs> {
        self.0.subscribe()
    }

    pub(crate) fn note<T>(&self, request: &Request, head: Option<Head>, answered: &Result<Answer<T>, Error>) {
        let Some(heard) = heard(answered) else { return };
        // An answer to a public request says nothing about a token.
        let heard = if request.public && heard == Heard::Answered { Heard::Something } else { heard };
        let server_time = match answered {
            Ok(answer) => answer.timestamp,
            Err(Error::Refused(refusal) | Error::NotAuthenticated(refusal)) => refusal.timestamp,
            Err(_) => None,
        };
        let at = head.map_or_else(Instant::now, |head| head.at);
        let sign = Some(Sign { heard, at, took: head.map(|head| head.took), server_time });
        self.0.send_modify(|signs| match request.area {
            Area::Static => signs.static_area = sign,
            Area::Agent => signs.agent_area = sign,
        });
    }
}

/// `None` when the request never tried to leave.
fn heard<T>(answered: &Result<Answer<T>, Error>) -> Option<Heard> {
    Some(match answered {
        Ok(_) => Heard::Answered,
        Err(Error::NotAuthenticated(_)) => Heard::TurnedAway,
        Err(error) if error.is_absent() || error.asks_to_wait() => Heard::Something,
        Err(Error::Refused(_) | Error::Unreadable { .. }) => Heard::Answered,
        Err(Error::NotThisService { .. } | Error::OutcomeUnknown(Lost::Redirected | Lost::TooLarge)) => {
            Heard::Something
        }
        Err(Error::OutcomeUnknown(_) | Error::NotSent(NotSent::NoConnection)) => Heard::Nothing,
        Err(Error::NotSent(_) | Error::Restless) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::envelope::Refusal;

    fn after(answered: &Result<Answer<()>, Error>, public: bool) -> Option<Heard> {
        let pulse = Pulse::default();
        let mut request = Request::get(Area::Static, "/x");
        request.public = public;
        pulse.note(&request, None, answered);
        pulse.signs().borrow().static_area.map(|sign| sign.heard)
    }

    fn no(status: u16, code: &str) -> Refusal {
        Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: Some(5) }
    }

    #[test]
    fn only_an_answer_of_the_interface_shows_that_the_token_was_taken() {
        let ok = Ok(Answer { data: (), timestamp: Some(7), trace_id: None });
        for (answered, expected) in [
            (ok.clone(), Some(Heard::Answered)),
            (Err(Error::Refused(no(200, "60301"))), Some(Heard::Answered)),
            (Err(Error::NotAuthenticated(no(401, "20000"))), Some(Heard::TurnedAway)),
            (Err(Error::Refused(no(404, "40400"))), Some(Heard::Something)),
            (Err(Error::Refused(no(429, "429"))), Some(Heard::Something)),
            (Err(Error::NotThisService { status: 502 }), Some(Heard::Something)),
            (Err(Error::OutcomeUnknown(Lost::TimedOut)), Some(Heard::Nothing)),
            (Err(Error::NotSent(NotSent::NoConnection)), Some(Heard::Nothing)),
            (Err(Error::NotSent(NotSent::NoCredentials)), None),
        ] {
            assert_eq!(after(&answered, false), expected, "{answered:?}");
        }
        assert_eq!(after(&ok, true), Some(Heard::Something), "a public answer took no token");
    }
}
