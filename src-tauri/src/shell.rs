//! The state of the shell. The program's files are opened on first use, because the window comes first.

use std::sync::Arc;

use tauri::{AppHandle, Manager};
use till::{CommandError, Host, Opening, Till};
use tokio::sync::OnceCell;

use crate::clipboard::Clipboard;
use crate::desktop::Desktop;
use crate::options::{Options, RESTARTED};

/// The state that lives as long as the program.
pub(crate) struct Shell {
    pub(crate) clipboard: Clipboard,
    pub(crate) desktop: Desktop,
    options: Options,
    host: fn(AppHandle) -> Arc<dyn Host>,
    till: OnceCell<Arc<Till>>,
}

impl Shell {
    /// `host` is the window for the `Till`.
    pub(crate) fn new(options: Options, host: fn(AppHandle) -> Arc<dyn Host>) -> Self {
        Self { clipboard: Clipboard::default(), desktop: Desktop::default(), options, host, till: OnceCell::new() }
    }

    /// The `Till`, opened when it is first asked for.
    pub(crate) async fn till(&self, handle: &AppHandle) -> Result<Arc<Till>, CommandError> {
        let Options { data_dir, language, wait_unit, .. } = self.options.clone();
        let open = || async {
            Till::open(
                &Opening { data_dir, language, wait_unit, proxy_limit: till::proxy_tests::LIMIT },
                (self.host)(handle.clone()),
            )
        };
        self.till.get_or_try_init(open).await.cloned()
    }

    /// The `Till`, if it is already open.
    pub(crate) fn opened(&self) -> Option<Arc<Till>> {
        self.till.get().cloned()
    }

    /// Starts the program that is now installed at this one's path. It waits until this one ends, which has to happen
    /// next.
    pub(crate) fn start_next(&self) -> std::io::Result<()> {
        let program = self.options.program.as_ref().ok_or(std::io::ErrorKind::NotFound)?;
        let again = std::env::args_os().skip(1).filter(|word| *word != RESTARTED);
        std::process::Command::new(program).args(again).arg(RESTARTED).spawn().map(drop)
    }
}

/// The shell's state, for code that holds only the handle.
pub(crate) fn shell(handle: &AppHandle) -> tauri::State<'_, Shell> {
    handle.state::<Shell>()
}
