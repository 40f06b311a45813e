//! Proxytill.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

/// What is freed goes back to the system. The allocator of glibc keeps more the larger the pieces were.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    proxytill_lib::run()
}
