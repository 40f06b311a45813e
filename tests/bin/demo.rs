//! The whole purchase on the practice service, through the real window, with a picture of each step.

use tests::purchase;
use tests::window::Window;

#[tokio::main]
async fn main() {
    let pictures = tests::root().join("target/demo");
    // Pictures of an earlier run prove nothing about this one.
    let _ = std::fs::remove_dir_all(&pictures);
    for (language, theme) in [("en", "light"), ("zh-CN", "dark"), ("en", "dark"), ("zh-CN", "light")] {
        let window = Window::open_with(&["--lang", language]).await;
        let bought =
            purchase::in_practice(&window, &pictures.join(format!("{language}-{theme}")), theme, "available").await;
        println!("{bought} - {language}, {theme}");
    }
    println!("pictures: target/demo");
}
