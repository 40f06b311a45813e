//! The real window, driven through WebKitWebDriver.

use std::path::{Path, PathBuf};

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{PATIENCE, memory, until, within};

/// The program at a desk, with its own data folder.
pub struct Window {
    /// The driver, for everything that the helpers below do not cover.
    pub driver: Client,
    /// The folder for pictures of this story; `None` if nobody wants any.
    pub album: Option<PathBuf>,
    data_dir: PathBuf,
    desk: Desk,
    arguments: Vec<String>,
}

/// Makes a selector for a test id.
pub fn testid(id: &str) -> String {
    format!("[data-testid='{id}']")
}

/// Completes the selector of a control that can be used: one that says why it cannot keeps the focus.
pub const USABLE: &str = ":not([disabled], [aria-disabled='true'])";

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
    pub async fn open_at(mut desk: Desk, arguments: &[&str]) -> Self {
        let data_dir = desk.home().join("proxytill");
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let driver = connect(&mut desk, &data_dir, &arguments).await;
        Self { driver, album: None, data_dir, desk, arguments }
    }

    /// Returns the data folder of the program.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Returns the desk of the program.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Returns the home folder at its desk.
    pub fn home(&self) -> &Path {
        self.desk.home()
    }

    /// Kills the program with `kill -9` to all of its processes, as a power cut would.
    pub async fn kill(&mut self) {
        for process in self.processes() {
            let _ = self.desk.command("kill").args(["-9", &process.to_string()]).status();
        }
        self.see_end().await;
    }

    /// Waits until the program is gone.
    pub async fn see_end(&self) {
        until("the program is gone", async || self.processes().is_empty().then_some(())).await;
        let _ = self.driver.clone().close().await;
    }

    /// Presses a control that may end the program.
    pub async fn press_last(&self, id: &str) {
        self.see(&format!("{}{USABLE}", testid(id))).await;
        let _ = self.driver.execute("document.querySelector(arguments[0]).click()", vec![json!(testid(id))]).await;
    }

    /// Starts the program again, on the same data folder and at the same desk.
    pub async fn start_again(&mut self) {
        self.driver = connect(&mut self.desk, &self.data_dir, &self.arguments).await;
    }

    /// Returns the memory of the program and all of its processes, in kB.
    pub fn memory(&self) -> u64 {
        memory::of_family(&self.processes())
    }

    /// Returns the program's own processes.
    pub fn processes(&self) -> Vec<u32> {
        let data_dir = self.data_dir.to_string_lossy().into_owned();
        let ours = |process: &u32| {
            let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            command.contains(&data_dir) && command.contains("proxytill\0")
        };
        memory::running().filter(ours).collect()
    }

    /// Waits until an error with this code is shown, and returns its text.
    pub async fn see_error(&self, code: &str) -> String {
        self.text_of(&format!("{}[data-code='{code}']", testid("error-panel"))).await
    }

    /// Waits for an element. If it never appears, saves a picture of the screen.
    pub async fn see(&self, selector: &str) {
        self.with(selector, async |_| Ok(())).await;
    }

    /// Waits until the element with the focus matches. The selector `:focus` would not do: while another window of the
    /// desk is active, it matches nothing.
    pub async fn see_focus_on(&self, selector: &str) {
        let matches = format!("return document.activeElement?.matches({}) === true", serde_json::json!(selector));
        if within(async || (self.run(&matches).await == true).then_some(())).await.is_none() {
            self.never(&format!("{selector} has the focus")).await
        }
    }

    /// Waits for an element and acts on it. The page may redraw it in between: then it is looked up again. For the same
    /// reason no element is returned.
    async fn with<T>(&self, selector: &str, act: impl AsyncFn(&Element) -> Result<T, CmdError>) -> T {
        let done = within(async || {
            let found = self.driver.find(Locator::Css(selector)).await.ok()?;
            if !found.is_displayed().await.ok()? {
                return None;
            }
            settled(selector, act(&found).await)
        });
        match done.await {
            Some(done) => done,
            None => self.never(&format!("{selector} is on screen")).await,
        }
    }

    /// Saves a picture of what is on screen instead of what was waited for, and panics.
    async fn never(&self, what: &str) -> ! {
        let name = what.replace(|c: char| !c.is_alphanumeric(), "-");
        let picture = crate::root().join(format!("target/never-seen/{name}.png"));
        self.picture(&picture).await;
        let focus =
            "const { activeElement: it } = document; return `${it?.tagName} ${it?.dataset.testid ?? it?.className}`";
        let focus = self.driver.execute(focus, Vec::new()).await.unwrap_or_default();
        panic!("never happened: {what}; instead: {}; the focus is on {focus}", picture.display());
    }

    /// Waits until no element matches.
    pub async fn see_gone(&self, selector: &str) {
        until(&format!("{selector} is gone"), async || {
            self.driver.find_all(Locator::Css(selector)).await.ok()?.is_empty().then_some(())
        })
        .await;
    }

    /// Waits for a control and presses it.
    pub async fn press(&self, id: &str) {
        let selector = testid(id);
        let pressed = within(async || {
            let control = self.driver.find(Locator::Css(&selector)).await.ok()?;
            if !is_usable(&control).await.ok()? {
                return None;
            }
            if control.click().await.is_err() {
                // The driver does not scroll what only a part of the page cuts off. A person does.
                let element = serde_json::to_value(&control).expect("an element is JSON");
                let _ = self.driver.execute("arguments[0].scrollIntoView({ block: 'nearest' })", vec![element]).await;
                control.click().await.ok()?;
            }
            Some(())
        });
        if pressed.await.is_none() {
            self.never(&format!("{id} can be pressed")).await;
        }
    }

    /// Replaces the content of a field.
    pub async fn fill(&self, id: &str, text: &str) {
        // The driver drops a line feed, and a person presses Enter.
        let typed = text.replace('\n', &Key::Enter.to_string());
        self.with(&testid(id), async |field| {
            field.click().await?;
            field.send_keys(&format!("{}a", Key::Control)).await?;
            // WebDriver holds a modifier until it is released.
            field.send_keys(&format!("{}{}", Key::Null, Key::Backspace)).await?;
            if typed.is_empty() { Ok(()) } else { field.send_keys(&typed).await }
        })
        .await;
    }

    /// Types keys at the end of an element's content.
    pub async fn type_keys(&self, id: &str, keys: &str) {
        self.with(&testid(id), async |field| field.send_keys(keys).await).await;
    }

    /// Types keys into the focused element.
    pub async fn keys(&self, keys: &str) {
        until("something has the focus", async || {
            let typed = async { self.driver.active_element().await?.send_keys(keys).await };
            settled("the focus", typed.await)
        })
        .await;
    }

    /// Gives a file to a chooser, which does not have to be visible itself.
    pub async fn choose_file(&self, id: &str, file: &Path) {
        let selector = testid(id);
        until(&format!("{id} takes a file"), async || {
            let chosen = async {
                let chooser = self.driver.find(Locator::Css(&selector)).await?;
                chooser.send_keys(&file.to_string_lossy()).await
            };
            match chosen.await {
                Err(error) if error.is_no_such_element() => None,
                other => settled(&selector, other),
            }
        })
        .await;
    }

    /// Types into a picker and takes the first suggestion.
    pub async fn pick(&self, id: &str, typed: &str) {
        self.fill(id, typed).await;
        self.see(&testid(&format!("{id}-option"))).await;
        self.type_keys(id, &Key::Enter.to_string()).await;
        self.see(&format!("{}[data-value]:not([data-value=''])", testid(id))).await;
        self.see_gone(&testid(&format!("{id}-option"))).await;
    }

    /// Chooses an option in a native list.
    pub async fn choose(&self, id: &str, value: &str) {
        self.with(&testid(id), async |list| list.select_by_value(value).await).await;
    }

    /// Returns the text of an element once it appears.
    pub async fn text(&self, id: &str) -> String {
        self.text_of(&testid(id)).await
    }

    /// Returns the text of the element that a selector matches, once it appears.
    pub async fn text_of(&self, selector: &str) -> String {
        self.with(selector, async |found| found.text().await).await
    }

    /// Returns the value of a field once it appears.
    pub async fn value(&self, id: &str) -> String {
        self.with(&testid(id), async |field| field.prop("value").await).await.expect("a field has a value")
    }

    /// Returns whether a control is enabled, once it appears.
    pub async fn is_enabled(&self, id: &str) -> bool {
        self.with(&testid(id), async |control| is_usable(control).await).await
    }

    /// Returns an attribute of an element once it appears.
    pub async fn attribute(&self, id: &str, name: &str) -> String {
        self.with(&testid(id), async |found| found.attr(name).await).await.unwrap_or_default()
    }

    /// Waits until an element has this `data-state`.
    pub async fn see_state(&self, id: &str, state: &str) {
        self.see(&format!("{}[data-state='{state}']", testid(id))).await;
    }

    /// Waits until a control has the focus.
    pub async fn see_focus(&self, id: &str) {
        self.see_focus_on(&testid(id)).await;
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.expect("the script runs")
    }

    /// Runs a script in the page that calls back when it is done.
    pub async fn wait_for(&self, script: &str) -> Value {
        self.driver.execute_async(script, Vec::new()).await.expect("the script ends")
    }

    /// Resizes the window.
    pub async fn resize(&self, width: u32, height: u32) {
        self.driver.set_window_size(width, height).await.expect("a window can be sized");
    }

    /// The width and height of the window.
    pub async fn size(&self) -> (u32, u32) {
        let (_, _, width, height) = self.driver.get_window_rect().await.expect("a window has a place");
        (u32::try_from(width).expect("a width"), u32::try_from(height).expect("a height"))
    }

    /// Saves a picture of the window.
    pub async fn picture(&self, file: &Path) {
        // Wait two frames, so that the last change is painted.
        let painted = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 250)))";
        self.wait_for(painted).await;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        // Take it from the display: the driver's own screenshot never returns under Xvfb.
        let (x, y, width, height) = self.driver.get_window_rect().await.expect("a window has a place");
        let mut shot = self.desk.command("import");
        shot.args(["-window", "root", "-crop", &format!("{width}x{height}+{x}+{y}"), "+repage"]).arg(file);
        assert!(shot.status().expect("ImageMagick is installed").success(), "no picture");
    }

    /// Returns axe-core's findings about the page as it is.
    pub async fn axe(&self) -> Vec<String> {
        let source = std::fs::read_to_string(crate::root().join("ui/node_modules/axe-core/axe.min.js"))
            .expect("axe-core is installed");
        self.driver.execute(&source, Vec::new()).await.expect("axe loads");
        let run = "const done = arguments[arguments.length - 1];
            // A colour on its way to another is neither.
            Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
              .then(found => done(found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))))
              .catch(error => done(['axe itself: ' + error]))";
        let found = self.wait_for(run).await;
        serde_json::from_value(found).expect("a list")
    }
}

/// The result of a step; `None` if the page redrew its element in between.
fn settled<T>(what: &str, done: Result<T, CmdError>) -> Option<T> {
    match done {
        Err(error) if error.is_stale_element_reference() => None,
        other => Some(other.unwrap_or_else(|error| panic!("{what}: {error}"))),
    }
}

async fn is_usable(control: &Element) -> Result<bool, CmdError> {
    Ok(control.is_enabled().await? && control.attr("aria-disabled").await?.as_deref() != Some("true"))
}

/// Starts the program and opens a session with it. The driver may wait for ever for a window that it missed: then
/// another one starts the program again, and the story says so if it fails later.
async fn connect(desk: &mut Desk, data_dir: &Path, arguments: &[String]) -> Client {
    let mut all = vec![json!("--data-dir"), json!(data_dir.to_string_lossy())];
    all.extend(arguments.iter().map(|argument| json!(argument)));
    let options = json!({"binary": desk.proxytill().to_string_lossy(), "args": all});
    let capabilities = serde_json::Map::from_iter([("webkitgtk:browserOptions".to_owned(), options)]);
    for _ in 0..3 {
        let address = format!("http://127.0.0.1:{}", desk.driver_port);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        match tokio::time::timeout(PATIENCE, builder.connect(&address)).await {
            Ok(Ok(driver)) => return driver,
            Ok(Err(error)) => eprintln!("the driver opened no window: {error}; {}", desk.last_said()),
            Err(_) => eprintln!("the driver opened no window within {PATIENCE:?}; {}", desk.last_said()),
        }
        desk.start_driver_again();
    }
    panic!("never happened: the driver opens the window")
}
