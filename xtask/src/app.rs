//! `cargo xtask app`: the program, or, without a display, its demonstration.

use crate::run::program;
use crate::{build, packages};

pub(crate) fn open() -> Result<(), String> {
    build()?;
    let suffix = std::env::consts::EXE_SUFFIX;
    if has_display() {
        return program(format!("target/debug/proxytill{suffix}"), &[]).shown();
    }
    println!("no display: buying in practice, in a virtual one");
    packages::ensure(packages::WINDOW)?;
    program(format!("target/debug/demo{suffix}"), &[]).shown()
}

fn has_display() -> bool {
    let there = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || there("DISPLAY") || there("WAYLAND_DISPLAY")
}
