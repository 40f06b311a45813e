//! A Tauri window with a paragraph. Prints `PERF interactive` after its second frame, as the program does, and ends
//! then if it is asked to.

use tauri::AppHandle;

#[tauri::command]
fn painted(app: AppHandle) {
    println!("PERF interactive");
    if std::env::args().any(|word| word == "--perf-exit") {
        app.exit(0);
    }
}

fn main() -> tauri::Result<()> {
    tauri::Builder::default().invoke_handler(tauri::generate_handler![painted]).run(tauri::generate_context!())
}
