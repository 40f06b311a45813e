//! The real window, driven through WebKitWebDriver.

use std::path::{Path, PathBuf};

use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{built, until, within};

/// The program at a desk, with a data folder of its own.
pub struct Window {
    /// For what the helpers below do not cover.
    pub driver: Client,
    data_dir: PathBuf,
    desk: Desk,
}

/// Finds by test id.
pub fn testid(id: &str) -> String {
    format!("[data-testid='{id}']")
}

impl Window {
    /// Opens the program at a new desk, in English.
    pub async fn open() -> Self {
        Self::open_with(&["--lang", "en"]).await
    }

    /// Opens the program at a new desk.
    pub async fn open_with(arguments: &[&str]) -> Self {
        Self::open_at(Desk::new(), arguments).await
    }

    /// Opens the program at this desk.
    pub async fn open_at(desk: Desk, arguments: &[&str]) -> Self {
        let data_dir = desk.home().join("proxytill");
        let driver = connect(&desk, &data_dir, arguments).await;
        Self { driver, data_dir, desk }
    }

    /// Where the program writes.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Where the program sits.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The home folder at its desk.
    pub fn home(&self) -> &Path {
        self.desk.home()
    }

    /// Ends the program as a power cut would: `kill -9` to all of its processes.
    pub async fn kill(&mut self) {
        for process in self.processes() {
            let _ = self.desk.command("kill").args(["-9", &process.to_string()]).status();
        }
        until("the program is gone", async || self.processes().is_empty().then_some(())).await;
        let _ = self.driver.clone().close().await;
    }

    /// Starts the program again on the same data folder, at the same desk.
    pub async fn start_again(&mut self) {
        self.driver = connect(&self.desk, &self.data_dir, &["--lang", "en"]).await;
    }

    fn processes(&self) -> Vec<u32> {
        let data_dir = self.data_dir.to_string_lossy().into_owned();
        let all = std::fs::read_dir("/proc")
            .expect("Linux")
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let ours = |process: &u32| {
            let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            command.contains(&data_dir) && command.contains("proxytill\0")
        };
        all.filter(ours).collect()
    }

    /// Waits until an error is shown under this code, and returns what a person reads.
    pub async fn see_error(&self, code: &str) -> String {
        let panel = self.see(&format!("{}[data-code='{code}']", testid("error-panel"))).await;
        panel.text().await.expect("text")
    }

    /// Waits for an element. One that never comes leaves a picture of what was there instead.
    pub async fn see(&self, selector: &str) -> Element {
        let found = within(async || {
            let found = self.driver.find(Locator::Css(selector)).await.ok()?;
            found.is_displayed().await.ok()?.then_some(found)
        });
        match found.await {
            Some(found) => found,
            None => {
                let name = selector.replace(|c: char| !c.is_alphanumeric(), "-");
                let picture = crate::root().join(format!("target/never-seen/{name}.png"));
                self.picture(&picture).await;
                panic!("never on screen: {selector}; instead: {}", picture.display());
            }
        }
    }

    /// Waits until nothing matches any more.
    pub async fn see_gone(&self, selector: &str) {
        until(&format!("{selector} is gone"), async || {
            self.driver.find_all(Locator::Css(selector)).await.ok()?.is_empty().then_some(())
        })
        .await;
    }

    /// Waits for a control and presses it.
    pub async fn press(&self, id: &str) {
        let selector = testid(id);
        until(&format!("{id} can be pressed"), async || {
            let control = self.driver.find(Locator::Css(&selector)).await.ok()?;
            (control.is_enabled().await.ok()? && control.click().await.is_ok()).then_some(())
        })
        .await;
    }

    /// Replaces what a field holds.
    pub async fn fill(&self, id: &str, text: &str) {
        let field = self.see(&testid(id)).await;
        field.click().await.expect("a field takes a click");
        field.send_keys(&format!("{}a", Key::Control)).await.expect("a field takes keys");
        // WebDriver holds a modifier until it is released.
        field.send_keys(&format!("{}{}", Key::Null, Key::Backspace)).await.expect("a field takes keys");
        if !text.is_empty() {
            // The driver drops a line feed; a person presses Enter.
            field.send_keys(&text.replace('\n', &Key::Enter.to_string())).await.expect("a field takes keys");
        }
    }

    /// Types into a picker and takes the first that is offered.
    pub async fn pick(&self, id: &str, typed: &str) {
        self.fill(id, typed).await;
        self.see(&testid(&format!("{id}-option"))).await;
        let field = self.see(&testid(id)).await;
        field.send_keys(&Key::Enter.to_string()).await.expect("a field takes keys");
        self.see(&format!("{}[data-value]:not([data-value=''])", testid(id))).await;
        self.see_gone(&testid(&format!("{id}-option"))).await;
    }

    /// Chooses in a native list.
    pub async fn choose(&self, id: &str, value: &str) {
        let list = self.see(&testid(id)).await;
        list.select_by_value(value).await.expect("the list has it");
    }

    /// The text of an element, once it is there.
    pub async fn text(&self, id: &str) -> String {
        self.see(&testid(id)).await.text().await.expect("text")
    }

    /// An attribute of an element, once it is there.
    pub async fn attribute(&self, id: &str, name: &str) -> String {
        let found = self.see(&testid(id)).await;
        found.attr(name).await.expect("an attribute").unwrap_or_default()
    }

    /// Waits until an element's `data-state` is this.
    pub async fn see_state(&self, id: &str, state: &str) -> Element {
        self.see(&format!("{}[data-state='{state}']", testid(id))).await
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.expect("the script runs")
    }

    /// Makes the window so large.
    pub async fn resize(&self, width: u32, height: u32) {
        self.driver.set_window_size(width, height).await.expect("a window can be sized");
    }

    /// Saves a picture of the window.
    pub async fn picture(&self, file: &Path) {
        // Two frames: what was just set is painted.
        let painted = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 250)))";
        self.driver.execute_async(painted, Vec::new()).await.expect("frames are painted");
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        // Taken from the display: the driver's own screenshot does not come back under Xvfb.
        let (x, y, width, height) = self.driver.get_window_rect().await.expect("a window has a place");
        let mut shot = self.desk.command("import");
        shot.args(["-window", "root", "-crop", &format!("{width}x{height}+{x}+{y}"), "+repage"]).arg(file);
        assert!(shot.status().expect("ImageMagick is installed").success(), "no picture");
    }

    /// What axe-core finds wrong with the page as it is.
    pub async fn axe(&self) -> Vec<String> {
        let source = std::fs::read_to_string(crate::root().join("ui/node_modules/axe-core/axe.min.js"))
            .expect("axe-core is installed");
        self.driver.execute(&source, Vec::new()).await.expect("axe loads");
        let run = "const done = arguments[arguments.length - 1];
            // A colour on its way to another is neither.
            Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
              .then(found => done(found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))))
              .catch(error => done(['axe itself: ' + error]))";
        let found = self.driver.execute_async(run, Vec::new()).await.expect("axe runs");
        serde_json::from_value(found).expect("a list")
    }
}

async fn connect(desk: &Desk, data_dir: &Path, arguments: &[&str]) -> Client {
    let mut all = vec![json!("--data-dir"), json!(data_dir.to_string_lossy())];
    all.extend(arguments.iter().map(|argument| json!(argument)));
    let options = json!({"binary": built("proxytill").to_string_lossy(), "args": all});
    let capabilities = serde_json::Map::from_iter([("webkitgtk:browserOptions".to_owned(), options)]);
    let address = format!("http://127.0.0.1:{}", desk.driver_port);
    until("the driver opens the window", async || {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        builder.connect(&address).await.ok()
    })
    .await
}
