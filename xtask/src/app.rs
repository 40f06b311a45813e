//! `cargo xtask app`: opens the program, or runs its demonstration when there is no display.

use xtask::packages;
use xtask::run::program;

/// Builds only what is opened, and opens it.
pub(crate) fn open() -> Result<(), String> {
    let suffix = std::env::consts::EXE_SUFFIX;
    if has_display() {
        crate::build(&["proxytill"])?;
        println!("opening Proxytill");
        return program(format!("target/debug/proxytill{suffix}"), &[]).shown();
    }
    println!("no display: Proxytill opens in a virtual one and buys in practice");
    packages::ensure(packages::WINDOW)?;
    crate::build(&["proxytill", "demo"])?;
    println!("buying: two languages, two themes");
    program(format!("target/debug/demo{suffix}"), &[]).shown()
}

fn has_display() -> bool {
    let there = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || there("DISPLAY") || there("WAYLAND_DISPLAY")
}
