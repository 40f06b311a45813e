//! Files dragged over the window and dropped on it. Only this names their paths; the page has no way to.

use tauri::{DragDropEvent, Manager, Window, WindowEvent};

use crate::shell::shell;

/// Follows what is dragged and dropped.
pub(crate) fn follow(window: &Window, event: &WindowEvent) {
    let WindowEvent::DragDrop(event) = event else { return };
    let Some(till) = shell(window.app_handle()).opened() else { return };
    match event {
        // Text that is dragged within the page names no file.
        DragDropEvent::Enter { paths, .. } if !paths.is_empty() => till.drag_files(true),
        DragDropEvent::Leave => till.drag_files(false),
        DragDropEvent::Drop { paths, .. } => {
            till.drag_files(false);
            let paths = paths.clone();
            if !paths.is_empty() {
                tauri::async_runtime::spawn(async move { till.drop_files(paths).await });
            }
        }
        _ => {}
    }
}
