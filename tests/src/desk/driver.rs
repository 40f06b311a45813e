//! The driver of a desk, which opens the window and acts in it.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::{Desk, end_group};
use crate::PATIENCE;

impl Desk {
    /// Starts the driver at a free port. Somebody else may take the port before the driver does: then at another one.
    pub(super) fn start_driver(&mut self) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            self.driver_port = free_port();
            let said = || std::fs::File::options().create(true).append(true).open(self.said()).expect("a file");
            let (out, err) = (said(), said());
            let port = format!("--port={}", self.driver_port);
            let at = self.spawn(self.program("WebKitWebDriver").arg(port).stdout(out).stderr(err));
            self.driver = Some(at);
            while self.processes[at].try_wait().expect("its state").is_none() {
                if TcpStream::connect(("127.0.0.1", self.driver_port)).is_ok() {
                    return;
                }
                assert!(Instant::now() < end, "the driver never answered: {}", self.last_said());
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        panic!("the driver never stayed: {}", self.last_said());
    }

    /// Ends the driver, with the program that it started, and starts another one.
    pub fn start_driver_again(&mut self) {
        if let Some(at) = self.driver.take() {
            end_group(&mut self.processes[at]);
        }
        self.start_driver();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback");
    listener.local_addr().expect("a bound address").port()
}
