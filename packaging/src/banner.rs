//! The picture at the side of the installer's first and last page.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::icons;
use crate::project::Project;

/// Size in pixels. The place for it is at least as large in both languages.
const SIZE: (u32, u32) = (160, 200);
/// Rows of a BMP end at a multiple of four bytes; these need no filling.
const _: () = assert!(SIZE.0.is_multiple_of(4));
const ICON: f32 = 96.0;

/// The picture as a BMP file.
pub(crate) fn draw(project: &Project) -> Result<Vec<u8>, String> {
    let tree =
        Tree::from_str(&project.read(icons::DRAWING)?, &Options::default()).map_err(|error| error.to_string())?;
    let (width, height) = SIZE;
    let mut pixels = Pixmap::new(width, height).ok_or("a picture without a pixel")?;
    pixels.fill(Color::WHITE);
    let scale = ICON / tree.size().width();
    #[expect(clippy::cast_precision_loss, reason = "the picture is small")]
    let left = (width as f32 - ICON) / 2.0;
    let place = Transform::from_scale(scale, scale).post_translate(left, left);
    resvg::render(&tree, place, &mut pixels.as_mut());
    let size = width * height * 3;
    let mut bytes = b"BM".to_vec();
    // Both headers of a picture with 24 bits per pixel and rows from the bottom up.
    for number in [54 + size, 0, 54, 40, width, height, 1 | 24 << 16, 0, size, 2835, 2835, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    for line in pixels.pixels().chunks(width as usize).rev() {
        bytes.extend(line.iter().flat_map(|pixel| [pixel.blue(), pixel.green(), pixel.red()]));
    }
    Ok(bytes)
}
