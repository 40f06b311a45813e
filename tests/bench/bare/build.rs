//! Lets Tauri prepare the one window.

fn main() {
    tauri_build::build();
}
