//! The shell: window, options, one program per data folder. Nothing below it knows Tauri.

mod clipboard;
mod closing;
pub mod commands;
mod crash;
mod desktop;
mod drops;
mod files_outside;
mod host;
// Elsewhere only its tests are compiled: the bar exists on macOS alone.
#[cfg(any(target_os = "macos", test))]
mod menu;
mod message;
mod options;
mod perf;
mod renderer;
mod shell;
mod single;
mod window;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

use host::WindowHost;
use options::Options;
use shell::{Shell, shell};
use single::Only;

/// Runs the program until its window closes.
pub fn run() -> ExitCode {
    crash::leave_no_core();
    renderer::choose();
    perf::start();
    match prepare().map(|(options, only)| open(options, only)) {
        Ok(end) | Err(end) => end,
    }
}

/// Reads the options and claims the data folder. An error is how the program ends instead of opening a window.
fn prepare() -> Result<(Options, Only), ExitCode> {
    let options = match options::Asked::read(std::env::args_os().skip(1)) {
        Ok(options::Asked::Window(options)) => options,
        Ok(options::Asked::Text(text)) => {
            message::tell(&text);
            return Err(ExitCode::SUCCESS);
        }
        Err(wrong) => {
            message::fail_with("start-option", &wrong, options::USAGE);
            return Err(ExitCode::from(2));
        }
    };
    if !window::can_open() {
        message::fail("start-webview", window::WEB_VIEW_PAGE);
        return Err(ExitCode::FAILURE);
    }
    perf::enable(&options);
    match single::claim(&options.data_dir, options.former_data_dir.as_deref(), options.patience()) {
        Ok(single::Claim::First(only)) => Ok((options, only)),
        Ok(single::Claim::Second) if options.restarted => {
            message::fail("start-twice", "");
            Err(ExitCode::FAILURE)
        }
        Ok(single::Claim::Second) => Err(ExitCode::SUCCESS),
        Err(error) => {
            message::fail("start-folder", &format!("{}\n{error}", options.data_dir.display()));
            Err(ExitCode::FAILURE)
        }
    }
}

/// Opens the window and runs until it closes.
fn open(options: Options, only: Only) -> ExitCode {
    let log = log_to(&options.data_dir);
    if log.is_some() {
        std::panic::set_hook(Box::new(log_panic));
    }
    // Without a display the library of the window panics.
    match catch_unwind(AssertUnwindSafe(|| build(options, only))) {
        Ok(Ok(tauri)) => {
            tauri.run(follow);
            drop(log);
            ExitCode::SUCCESS
        }
        Ok(Err(error)) => no_window(&error.to_string()),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            no_window(words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default())
        }
    }
}

/// Says why there is no window. This early the program knows no secret.
fn no_window(why: &str) -> ExitCode {
    message::fail("start-window", why);
    ExitCode::FAILURE
}

fn build(options: Options, only: Only) -> tauri::Result<tauri::App> {
    let builder = tauri::Builder::default();
    // Tauri's own menu is in English.
    #[cfg(target_os = "macos")]
    let builder = builder.enable_macos_default_menu(false).on_menu_event(menu::chosen);
    builder
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .manage(Shell::new(options.clone(), |handle| Arc::new(WindowHost(handle))))
        .invoke_handler(commands::handler())
        .on_window_event(|window, event| {
            closing::follow(window, event);
            drops::follow(window, event);
        })
        .setup(move |tauri| {
            // Until the page says which language the system speaks.
            #[cfg(target_os = "macos")]
            menu::show(tauri.handle(), &till::Words::of(options.language.as_deref().unwrap_or("en")));
            let window = window::create(tauri.handle(), &options).unwrap_or_else(|error| {
                // If this returned the error, Tauri would panic, and nobody would see the reason.
                no_window(&error.to_string());
                std::process::exit(1)
            });
            perf::mark("window");
            #[cfg(target_os = "linux")]
            {
                let handle = tauri.handle().clone();
                desktop::follow(move |theme| shell(&handle).desktop.prefer(&handle, theme));
            }
            only.when_called(move || window::bring_to_front(&window));
            Ok(())
        })
        .build(tauri::generate_context!())
}

/// Saves the window's place, clears a copied secret and closes the clipboard when the program ends.
fn follow(handle: &tauri::AppHandle, event: tauri::RunEvent) {
    match event {
        tauri::RunEvent::ExitRequested { api, .. } => {
            window::remember(handle);
            if clipboard::clear_and_exit(handle) {
                api.prevent_exit();
            }
        }
        tauri::RunEvent::Exit => {
            #[cfg(target_os = "macos")]
            clipboard::clear(handle);
            shell(handle).clipboard.close();
        }
        _ => {}
    }
}

/// Starts the program's log: one file per day in the data folder. The libraries below the shell never log a token, a
/// password or a query. `None` if the log cannot be written.
fn log_to(data_dir: &std::path::Path) -> Option<Arc<tracing_appender::non_blocking::WorkerGuard>> {
    let folder = data_dir.join("logs");
    // It looks for old files before it makes the folder, and complains on standard error where there is none.
    std::fs::create_dir_all(&folder).ok()?;
    let files = tracing_appender::rolling::Builder::new()
        .rotation(tracing_appender::rolling::Rotation::DAILY)
        .filename_prefix("proxytill")
        .filename_suffix("log")
        .max_log_files(7)
        .build(folder)
        .ok()?;
    let (writer, guard) = tracing_appender::non_blocking(files);
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    let _ = tracing_subscriber::registry().with(lines.with_filter(level())).try_init();
    Some(Arc::new(guard))
}

/// Logs where a part of the program panicked, but not the message, which may hold anything.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let at = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(at, "a part of the program ended unexpectedly");
}

/// The levels to log. In a program under test `PROXYTILL_LOG` may set others; a shipped program never reads it.
fn level() -> Targets {
    let is_under_test = cfg!(any(debug_assertions, feature = "under-test"));
    let asked = if is_under_test { std::env::var("PROXYTILL_LOG").ok() } else { None };
    let usual = "warn,proxytill_lib=info,till=info,client=debug,operations=info,vault=info";
    asked.as_deref().unwrap_or(usual).parse().unwrap_or_default()
}
