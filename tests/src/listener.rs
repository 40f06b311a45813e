//! A program that obeys each line of input, and answers with a line.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program. Dropping it kills it without warning.
pub struct Listener {
    child: Child,
    wishes: ChildStdin,
    told: Lines<BufReader<ChildStdout>>,
}

impl Listener {
    /// Starts the program.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let wishes = child.stdin.take().expect("stdin is piped");
        let told = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        Self { child, wishes, told }
    }

    /// Sends a command and returns the answer.
    pub fn ask(&mut self, wish: &str) -> String {
        self.tell(wish);
        self.line()
    }

    /// Sends a command.
    pub fn tell(&mut self, wish: &str) {
        writeln!(self.wishes, "{wish}").expect("it listens");
    }

    /// Returns the program's next line.
    pub fn line(&mut self) -> String {
        self.told.next().expect("it goes on telling").expect("a line")
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
