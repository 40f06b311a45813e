//! Proxytill.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

/// Returns freed memory to the system. glibc's allocator keeps more of it, the larger the freed pieces were.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    proxytill_lib::run()
}
