//! How much a file may hold, and why one cannot be read.

/// Largest file, in bytes.
pub const MOST_BYTES: usize = 16 << 20;
/// Most rows; a row further down is too far.
pub(crate) const MOST_ROWS: usize = 200_000;
/// Most columns; a cell further to the right is too far.
pub(crate) const MOST_COLUMNS: usize = 256;
/// Most cells; an empty one counts if a filled one follows it in its row.
pub(crate) const MOST_CELLS: usize = 2_000_000;
/// Most bytes in all cells together: a workbook can hold one text once and show it everywhere.
pub(crate) const MOST_TEXT: usize = 32 << 20;

/// Why a file cannot be read. None of its rows is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFile {
    /// The file is neither text nor a workbook.
    #[error("not text")]
    NotText,
    /// The file is a workbook of the old format, or broken.
    #[error("not a workbook of this kind")]
    NotAWorkbook,
    /// The file is empty.
    #[error("empty")]
    Empty,
    /// The file has more bytes, rows, columns, cells or text than are read.
    #[error("too large")]
    TooLarge,
}
