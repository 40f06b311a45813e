//! Uses the package installed in the root of another system, as an ordinary user of that system: `installed ROOT
//! NEWER PICTURES`, where `NEWER` is a package of a later version in that root.

use std::path::Path;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};
use tests::desk::{Desk, Keychain};
use tests::window::{Window, testid};
use tests::{purchase, until};

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [root, newer, pictures] = words.as_slice() else { panic!("installed ROOT NEWER PICTURES") };
    let (root, pictures) = (Path::new(root), Path::new(pictures));
    let desk = Desk::inside(root, Keychain::None);
    let window = Window::open_at(desk, &["--lang", "en"]).await;
    let bought = purchase::in_practice(&window, &pictures.join("without-keychain"), "light", "missing").await;
    println!("without a keychain: {bought}");
    drop(window);
    let desk = Desk::inside(root, Keychain::Unlocked);
    let mut window = Window::open_at(desk, &["--lang", "zh-CN"]).await;
    let bought = purchase::in_practice(&window, &pictures.join("with-keychain"), "dark", "available").await;
    println!("with a keychain: {bought}");
    start_twice(&window).await;
    upgrade(&mut window, root, newer).await;
    meet_newer_data(&mut window).await;
}

/// Checks that a second start exits and leaves the first alone.
async fn start_twice(window: &Window) {
    let first = window.processes();
    let mut second = window.desk().start_of_proxytill();
    second.arg("--data-dir").arg(window.data_dir()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut second = second.spawn().expect("it starts");
    let ended = until("the second start ends", async || second.try_wait().expect("a child")).await;
    assert!(ended.success() && window.processes() == first, "{ended}");
    println!("a second start leaves the first");
}

/// Checks that upgrading to a later version keeps the program's data, and that it goes on with them.
async fn upgrade(window: &mut Window, root: &Path, newer: &str) {
    window.kill().await;
    let before = journals(window);
    assert!(!before.is_empty(), "there is a journal");
    let installed = Command::new("chroot").arg(root).args(["dpkg", "--install", newer]).stdout(Stdio::null()).status();
    assert!(installed.expect("dpkg").success(), "{newer}");
    assert_eq!(journals(window), before, "the upgrade touched the journal");
    window.start_again().await;
    window.press("nav-orders").await;
    window.see(&testid("order-row")).await;
    println!("an upgrade leaves {} files of the journal as they were, and the order is there", before.len());
}

/// Checks that data of a later version are reported as such, and left alone.
async fn meet_newer_data(window: &mut Window) {
    window.kill().await;
    for file in tests::files(window.data_dir()) {
        if file.file_name().is_some_and(|name| name == "journal.db") {
            let newer = rusqlite::Connection::open(&file).expect("a journal");
            newer
                .execute_batch("CREATE TABLE later (x INTEGER) STRICT; PRAGMA user_version = 9999")
                .expect("it is written");
        }
    }
    window.start_again().await;
    let told = window.see_error("newer-data").await;
    let first = told.split('。').next().unwrap_or_default();
    println!("data of a later version are left, and named: {first}。");
}

/// Every file of a journal and its hash.
fn journals(window: &Window) -> Vec<(String, String)> {
    let files = tests::files(window.data_dir()).into_iter();
    let journals =
        files.filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("journal.db")));
    let hash = |file: &Path| hex::encode(Sha256::digest(std::fs::read(file).expect("a file")));
    journals.map(|file| (file.display().to_string(), hash(&file))).collect()
}
