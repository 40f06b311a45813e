//! T11: every state of a keychain is reported correctly and in time, and nothing else stands still.

use tests::desk::{Desk, Keychain};
use tests::keychain::{Person, Prompter, add_twin};
use tests::listener::Listener;
use tests::{built, number};

/// Rounds for each state per test run; `cargo xtask prove` plays more.
const ROUNDS: u64 = 1;

/// One of the ten states.
#[derive(Clone, Copy, Debug)]
enum State {
    NoBus,
    NoKeychain,
    NeverUnlocked,
    Unlocked,
    LockedAgain,
    NobodyAnswers,
    Dismissed,
    TwoOfOneName,
    LongSecret,
    Slow,
}

impl State {
    const ALL: [Self; 10] = [
        Self::NoBus,
        Self::NoKeychain,
        Self::NeverUnlocked,
        Self::Unlocked,
        Self::LockedAgain,
        Self::NobodyAnswers,
        Self::Dismissed,
        Self::TwoOfOneName,
        Self::LongSecret,
        Self::Slow,
    ];

    fn keychain(self) -> Keychain {
        match self {
            Self::NoBus => Keychain::NoBus,
            Self::NoKeychain => Keychain::None,
            Self::NeverUnlocked => Keychain::Locked,
            _ => Keychain::Unlocked,
        }
    }

    /// The requests, and the expected answers.
    fn wishes(self) -> &'static [[&'static str; 2]] {
        match self {
            Self::NoBus | Self::NoKeychain => &[["look", "missing"], ["save=7", "missing"], ["read=7", "missing"]],
            Self::NeverUnlocked => &[["expect", "locked"], ["save=7", "locked"]],
            Self::Unlocked => &[["look", "available"], ["save=7", "available"], ["read=7", "available"]],
            Self::LockedAgain | Self::Dismissed => &[["expect", "locked"], ["save=7", "locked"], ["read=7", "locked"]],
            Self::NobodyAnswers => &[["save=7", "not-answering"], ["look", "available"], ["save=7", "not-answering"]],
            Self::TwoOfOneName => &[["read=7", "unusable"], ["save=7", "unusable"]],
            Self::LongSecret => &[["save=1000000", "available"], ["read=1000000", "available"]],
            Self::Slow => &[["read=7", "available"], ["look", "not-answering"], ["save=7", "not-answering"]],
        }
    }
}

/// A process that asks the keychain of a desk.
struct Keeper(Listener);

impl Keeper {
    fn start(desk: &Desk, state: State) -> Self {
        // An answer of our own comes within three seconds; when the keychain itself answers, a slow computer gets
        // longer.
        let is_silent = matches!(state, State::NobodyAnswers | State::Slow);
        Self(Listener::start(desk.command(built("keeper")).arg(if is_silent { "3" } else { "20" })))
    }

    /// Makes a request and returns the answer. `asking` happens at the desk in the meantime.
    fn ask(&mut self, wish: &str, asking: impl FnOnce()) -> String {
        assert_eq!(self.0.ask(wish), "asking");
        asking();
        self.0.line()
    }
}

/// Plays one state. Returns what was reported wrongly, if anything.
fn play(state: State) -> Option<String> {
    let mut desk = Desk::without_display(state.keychain());
    let saves = matches!(state.keychain(), Keychain::Unlocked) && !matches!(state, State::Unlocked);
    if saves {
        let saved = Keeper::start(&desk, State::Unlocked).ask("save=7", || {});
        assert_eq!(saved, "save=7 available");
    }
    let mut prompter = None;
    match state {
        State::LockedAgain => desk.lock_keychain(),
        State::NobodyAnswers => {
            prompter = Some(Prompter::at(&desk.bus, Person::Away));
            desk.lock_keychain();
        }
        State::Dismissed => {
            prompter = Some(Prompter::at(&desk.bus, Person::Dismisses));
            desk.lock_keychain();
        }
        State::TwoOfOneName => add_twin(&desk.bus),
        _ => {}
    }
    let mut keeper = Keeper::start(&desk, state);
    let mut answers = Vec::new();
    for (at, [wish, _]) in state.wishes().iter().enumerate() {
        let is_slow = matches!(state, State::Slow);
        if is_slow {
            desk.hang_keychain(true);
        }
        // It accepts the first request late, and the next ones not at all.
        answers.push(keeper.ask(wish, || {
            if is_slow && at == 0 {
                desk.hang_keychain(false);
            }
        }));
    }
    let expected: Vec<String> = state.wishes().iter().map(|[wish, said]| format!("{wish} {said}")).collect();
    let asked = prompter.map(|prompter| prompter.asked());
    (answers != expected || asked == Some(0)).then(|| format!("{state:?}: {answers:?}, asked {asked:?}"))
}

#[test]
fn each_state_of_the_keychain_has_its_word_in_time_and_nothing_stands_still() {
    let rounds = number("PROXYTILL_KEYCHAINS", ROUNDS);
    let half = move |half| (0..rounds).flat_map(move |_| State::ALL.into_iter().skip(half).step_by(2)).filter_map(play);
    let halves = [0, 1].map(|number| std::thread::spawn(move || half(number).collect::<Vec<_>>()));
    let wrong: Vec<String> = halves.into_iter().flat_map(|half| half.join().expect("no panic")).collect();
    assert_eq!(wrong, [""; 0]);
    println!("{rounds} keychains of each state from seed 0");
}

/// A removal that hangs is reported as not done: the connection stays, and so do its tokens.
#[test]
fn an_entry_that_is_reported_as_kept_stays_when_the_keychain_wakes_up() {
    for wish in ["remove", "save=70"] {
        let desk = Desk::without_display(Keychain::Unlocked);
        let mut keeper = Keeper::start(&desk, State::Slow);
        assert_eq!(keeper.ask("save=7", || {}), "save=7 available");
        desk.hang_keychain(true);
        assert_eq!(keeper.ask(wish, || {}), format!("{wish} not-answering"));
        desk.hang_keychain(false);
        let end = std::time::Instant::now() + tests::PATIENCE;
        while keeper.ask("late", || {}) != "late 0" {
            assert!(std::time::Instant::now() < end, "the call comes back");
        }
        assert_eq!(keeper.ask("read=7", || {}), "read=7 available", "{wish}");
    }
}
