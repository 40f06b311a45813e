//! The icon in every size and format that systems ask for, rendered from one drawing.

use std::io::Cursor;

use icns::{IconFamily, Image, PixelFormat};
use ico::{IconDir, IconDirEntry, IconImage, ResourceType};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::project::Project;

/// The drawing.
pub const DRAWING: &str = "icons/proxytill.svg";
/// Sizes for Linux, in pixels.
pub const PNG: [u32; 8] = [16, 24, 32, 48, 64, 128, 256, 512];
/// Sizes for Windows: from the title bar to the desktop, at every scale.
pub const ICO: [u32; 6] = [16, 24, 32, 48, 64, 256];
/// Sizes for macOS: each also serves as twice a smaller one.
pub const ICNS: [u32; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// File name of one size.
pub fn png(size: u32) -> String {
    format!("icons/{size}x{size}.png")
}

/// Renders every file. The same drawing gives the same bytes.
pub fn draw(project: &Project) -> Result<Vec<(String, Vec<u8>)>, String> {
    let tree = Tree::from_str(&project.read(DRAWING)?, &Options::default()).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for size in PNG {
        files.push((png(size), pixels(&tree, size)?.encode_png().map_err(|error| error.to_string())?));
    }
    files.push(("icons/icon.ico".into(), windows(&tree)?));
    files.push(("icons/icon.icns".into(), mac(&tree)?));
    Ok(files)
}

/// Writes every file.
pub fn write(project: &Project) -> Result<(), String> {
    for (name, bytes) in draw(project)? {
        std::fs::write(project.path(&name), bytes).map_err(|error| format!("{name}: {error}"))?;
        println!("{name}");
    }
    Ok(())
}

fn pixels(tree: &Tree, size: u32) -> Result<Pixmap, String> {
    let mut pixels = Pixmap::new(size, size).ok_or("an icon without a pixel")?;
    #[expect(clippy::cast_precision_loss, reason = "sizes of icons are small")]
    let scale = size as f32 / tree.size().width();
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}

/// Red, green, blue and alpha. Undoes the drawing's multiplication of colours by alpha.
fn plain(tree: &Tree, size: u32) -> Result<Vec<u8>, String> {
    let pixels = pixels(tree, size)?;
    Ok(pixels
        .pixels()
        .iter()
        .map(|pixel| pixel.demultiply())
        .flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()])
        .collect())
}

fn windows(tree: &Tree) -> Result<Vec<u8>, String> {
    let mut icon = IconDir::new(ResourceType::Icon);
    for size in ICO {
        let image = IconImage::from_rgba_data(size, size, plain(tree, size)?);
        icon.add_entry(IconDirEntry::encode(&image).map_err(|error| error.to_string())?);
    }
    let mut bytes = Cursor::new(Vec::new());
    icon.write(&mut bytes).map(|()| bytes.into_inner()).map_err(|error| error.to_string())
}

fn mac(tree: &Tree) -> Result<Vec<u8>, String> {
    let mut icon = IconFamily::new();
    for size in ICNS {
        let image = Image::from_data(PixelFormat::RGBA, size, size, plain(tree, size)?);
        let added = image.and_then(|image| icon.add_icon(&image));
        added.map_err(|error| format!("{size} pixels: {error}"))?;
    }
    let mut bytes = Vec::new();
    icon.write(&mut bytes).map(|()| bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::project;

    #[test]
    fn the_icons_are_drawn_from_the_drawing_to_the_same_bytes() {
        for (name, bytes) in draw(&project()).unwrap() {
            let there = std::fs::read(project().path(&name)).unwrap_or_default();
            assert!(there == bytes, "{name} differs; run `cargo xtask icons`");
        }
    }

    #[test]
    fn the_icons_of_windows_and_macos_have_every_size() {
        let file = |name: &str| std::fs::File::open(project().path(name)).unwrap();
        let windows = IconDir::read(file("icons/icon.ico")).unwrap();
        assert_eq!(windows.entries().iter().map(IconDirEntry::width).collect::<Vec<_>>(), ICO);
        let mac = IconFamily::read(file("icons/icon.icns")).unwrap();
        let mut sizes: Vec<u32> = mac.available_icons().iter().map(|kind| kind.pixel_width()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        assert_eq!(sizes, ICNS);
    }
}
