//! A text as a picture with a QR code.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use qrcode::{Color, EcLevel, QrCode};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A QR code holds at most 2,953 bytes.
    #[error("the text is too long for a QR code")]
    TooLong,
    /// The picture cannot be written.
    #[error("the picture cannot be written: {0}")]
    File(#[from] io::Error),
}

/// Pixels of one module.
const SCALE: usize = 8;
/// Modules of the white border that readers need.
const QUIET: usize = 4;

/// Draws a text as a QR code: a PNG in black and white.
///
/// # Errors
/// [`PictureError`] when the text is too long.
pub fn qr(text: &str) -> Result<Vec<u8>, PictureError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).map_err(|_| PictureError::TooLong)?;
    let (modules, colors) = (code.width(), code.to_colors());
    let width = (modules + 2 * QUIET) * SCALE;
    let is_dark = |x: usize, y: usize| {
        let (x, y) = ((x / SCALE).checked_sub(QUIET), (y / SCALE).checked_sub(QUIET));
        let inside = x.zip(y).filter(|(x, y)| *x < modules && *y < modules);
        inside.is_some_and(|(x, y)| colors.get(y * modules + x) == Some(&Color::Dark))
    };
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
    for y in 0..width {
        // No filter; then eight pixels a byte, 1 for white.
        let mut line = vec![0u8; 1 + width / 8];
        for x in (0..width).filter(|x| !is_dark(*x, y)) {
            if let Some(byte) = line.get_mut(1 + x / 8) {
                *byte |= 0x80 >> (x % 8);
            }
        }
        pixels.write_all(&line)?;
    }
    let size = u32::try_from(width).unwrap_or_default().to_be_bytes();
    // One bit of grey, the usual compression and filters, not interlaced.
    let head = [&size[..], &size, &[1, 0, 0, 0, 0]].concat();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", head), (b"IDAT", pixels.finish()?), (b"IEND", Vec::new())] {
        chunk(&mut png, name, &data);
    }
    Ok(png)
}

fn chunk(png: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let mut sum = flate2::Crc::new();
    sum.update(name);
    sum.update(data);
    png.extend(u32::try_from(data.len()).unwrap_or_default().to_be_bytes());
    png.extend(name);
    png.extend(data);
    png.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use rqrr::PreparedImage;

    use super::*;

    /// The pixels of a picture, line by line: `true` is white.
    fn pixels(png: &[u8]) -> Vec<Vec<bool>> {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let (width, length) = (number(16), number(33));
        assert_eq!(&png[37..41], b"IDAT");
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(&png[41..41 + length]).read_to_end(&mut bytes).unwrap();
        let line = |bytes: &[u8]| (0..width).map(|x| bytes[1 + x / 8] & (0x80 >> (x % 8)) != 0).collect();
        bytes.chunks(1 + width / 8).map(line).collect()
    }

    #[test]
    fn another_program_reads_the_text_from_the_picture() {
        let longest = "x".repeat(2_953);
        for text in ["socks5://user:p%C3%A4ss@192.0.2.1:1080", "192.0.2.1:1080:用户:pässword", &longest] {
            let drawn = pixels(&qr(text).unwrap());
            let grey = |x: usize, y: usize| if drawn[y][x] { 255 } else { 0 };
            let mut picture = PreparedImage::prepare_from_greyscale(drawn.len(), drawn.len(), grey);
            let codes = picture.detect_grids();
            assert_eq!(codes.len(), 1, "{text}");
            assert_eq!(codes[0].decode().unwrap().1, text);
        }
    }

    #[test]
    fn the_code_has_the_white_border_that_readers_need() {
        let drawn = pixels(&qr("x").unwrap());
        let (border, width) = (QUIET * SCALE, drawn.len());
        let is_inside = |at: usize| (border..width - border).contains(&at);
        for (y, line) in drawn.iter().enumerate() {
            assert!((0..width).all(|x| line[x] || (is_inside(x) && is_inside(y))), "line {y}");
        }
        assert!(!drawn[border][border], "the code begins behind the border");
    }

    #[test]
    fn a_text_that_no_code_holds_is_too_long() {
        assert!(qr(&"x".repeat(2_953)).is_ok());
        assert!(matches!(qr(&"x".repeat(2_954)), Err(PictureError::TooLong)));
    }
}
