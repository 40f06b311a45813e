//! A program that does what each line says, and tells a line of it.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program, until it is dropped: then it ends without warning.
pub struct Listener {
    child: Child,
    wishes: ChildStdin,
    told: Lines<BufReader<ChildStdout>>,
}

impl Listener {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let wishes = child.stdin.take().expect("stdin is piped");
        let told = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        Self { child, wishes, told }
    }

    /// What came of a wish.
    pub fn ask(&mut self, wish: &str) -> String {
        self.tell(wish);
        self.line()
    }

    /// Tells a wish.
    pub fn tell(&mut self, wish: &str) {
        writeln!(self.wishes, "{wish}").expect("it listens");
    }

    /// Its next line.
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
