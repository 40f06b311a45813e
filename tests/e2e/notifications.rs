//! Notifications while the person looks elsewhere.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use sandbox::Fault;
use tests::order::ENDPOINT;
use tests::service;
use tests::window::Window;

/// Collects every notification that programs send over the session bus.
fn listen(window: &Window) -> (std::process::Child, Arc<Mutex<String>>) {
    let mut monitor = window.desk().command("dbus-monitor");
    monitor.args(["--session", "member='Notify'"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = monitor.spawn().expect("dbus-monitor");
    let (heard, pipe) = (Arc::<Mutex<String>>::default(), child.stdout.take().expect("stdout is piped"));
    let writes = heard.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            writes.lock().expect("words").push_str(&line);
        }
    });
    (child, heard)
}

/// Takes the focus away from the window, as another program would.
fn look_elsewhere(window: &Window) {
    let mut search = window.desk().command("xdotool");
    let found = search.args(["search", "--maxdepth", "0", ".*"]).output().expect("xdotool");
    let display = String::from_utf8_lossy(&found.stdout).lines().next().map(str::to_owned).expect("a display");
    let focus = window.desk().command("xdotool").args(["windowfocus", &display]).status();
    assert!(focus.expect("xdotool").success());
}

async fn hear(heard: &Mutex<String>, words: &str) {
    tests::until(&format!("the system says: {words}"), async || {
        heard.lock().expect("words").contains(words).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_late_order_and_low_traffic_are_said_by_the_system() {
    let service = service::start().await;
    let window = Window::open().await;
    let (mut monitor, heard) = listen(&window);
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.fill("notify-low", "not much").await;
    window.see(&tests::window::testid("notify-low-error")).await;
    window.fill("notify-low", "900000000").await;
    window.fill("notify-ends", "soon").await;
    window.see(&tests::window::testid("notify-ends-error")).await;
    window.fill("notify-ends", "5").await;
    window.press("notify-save").await;
    look_elsewhere(&window);
    hear(&heard, "GB left on both accounts together").await;
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service::fault(&service, ENDPOINT, Fault::Partial);
    window.pay().await;
    window.see_state("order-result", "applied").await;
    look_elsewhere(&window);
    service.world.clock.advance(120_000);
    hear(&heard, "is complete").await;
    window.press("nav-settings").await;
    assert_eq!(window.value("notify-ends").await, "5", "the number of days is kept");
    let _ = monitor.kill();
    let _ = monitor.wait();
}
