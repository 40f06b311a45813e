//! What the systems do differently with files and folders.

mod held;
mod names;
mod privacy;

pub use names::{remove, rename, sync_folder};
pub use privacy::{make_private_folder, only_for_this_user};
