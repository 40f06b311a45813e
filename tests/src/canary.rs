//! Searches for secrets where there must be none.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memmem;

/// Returns a secret in every form in which it could occur.
fn forms(secret: &str) -> Vec<(&'static str, Vec<u8>)> {
    // Encoded in two ways: as the client encodes a form, and as strictly as possible.
    let encoded = |plain: &[u8]| -> Vec<u8> {
        let one = |byte: u8| match byte {
            b' ' => "+".to_owned(),
            byte if byte.is_ascii_alphanumeric() || plain.contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        secret.bytes().map(one).collect::<String>().into_bytes()
    };
    let wide = |big: bool| -> Vec<u8> {
        let units = secret.encode_utf16();
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let mut forms = vec![
        ("plain", secret.as_bytes().to_vec()),
        ("URL-encoded", encoded(b"*-._")),
        ("URL-encoded to the last sign", encoded(b"")),
        ("UTF-16, little end first", wide(false)),
        ("UTF-16, big end first", wide(true)),
    ];
    // In base64, the same bytes look different at each of three offsets.
    for shift in 0..3 {
        let text = base64(&[&vec![b'x'; shift], secret.as_bytes()].concat());
        let (first, last) = (shift * 8_usize.div_ceil(6), (shift + secret.len()) * 8 / 6);
        forms.push(("base64", text[first..last].to_vec()));
    }
    forms
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let letters = (bytes.len() * 8).div_ceil(6);
    (0..letters)
        .map(|letter| ALPHABET[(0..6).fold(0, |value, bit| value << 1 | usize::from(bits(letter * 6 + bit)))])
        .collect()
}

/// Returns the secrets that occur in some bytes, with the form of each.
pub fn found_in(bytes: &[u8], secrets: &[String]) -> Vec<String> {
    let all = secrets.iter().flat_map(|secret| forms(secret).into_iter().map(move |form| (secret, form)));
    all.filter(|(_, (_, form))| memmem::find(bytes, form).is_some())
        .map(|(secret, (name, _))| format!("{secret} ({name})"))
        .collect()
}

/// A process at a desk.
pub struct Process {
    /// The command line.
    pub name: String,
    /// The arguments and the environment.
    pub started_with: Vec<u8>,
    folder: std::path::PathBuf,
}

/// Returns every process at a desk, recognised by its home.
pub fn processes(home: &Path) -> Vec<Process> {
    let home = home.to_string_lossy().into_owned().into_bytes();
    let mut all = Vec::new();
    for folder in std::fs::read_dir("/proc").expect("Linux").filter_map(Result::ok).map(|entry| entry.path()) {
        let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
        let (arguments, environment) = (read("cmdline"), read("environ"));
        if memmem::find(&environment, &home).is_some() {
            let name = String::from_utf8_lossy(&arguments).replace('\0', " ");
            all.push(Process { name, started_with: [arguments, environment].concat(), folder });
        }
    }
    all
}

/// The number of bytes of memory to search at a time, and the size of a page.
const CHUNK: u64 = 2 << 20;
const PAGE: u64 = 4096;

impl Process {
    /// Returns how often a text occurs in the process's writable memory, as bytes or as UTF-16; `None` if the memory
    /// cannot be read.
    pub fn copies_of(&self, text: &str) -> Option<usize> {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let open = |name: &str| std::fs::File::open(self.folder.join(name));
        let (mut memory, mut pages) = (open("mem").ok()?, open("pagemap").ok()?);
        let maps = std::fs::read_to_string(self.folder.join("maps")).unwrap_or_default();
        let mut copies = 0;
        for (from, to) in maps.lines().filter_map(own_memory) {
            // A browser reserves a thousand times more memory than it uses.
            for at in (from..to).step_by(CHUNK as usize).filter(|at| is_used(&mut pages, *at, to)) {
                let bytes = part(&mut memory, at, (CHUNK + wide.len() as u64 - 1).min(to - at));
                let begins_here = |found: &usize| (*found as u64) < CHUNK;
                copies += memmem::find_iter(&bytes, text).filter(begins_here).count();
                copies += memmem::find_iter(&bytes, &wide).filter(begins_here).count();
            }
        }
        Some(copies)
    }
}

/// The bounds of a writable region, from a line of `maps`; `None` for any other region.
fn own_memory(map: &str) -> Option<(u64, u64)> {
    let (bounds, rest) = map.split_once(' ')?;
    let (from, to) = bounds.split_once('-')?;
    let address = |text: &str| u64::from_str_radix(text, 16).ok();
    rest.starts_with("rw").then_some((address(from)?, address(to)?))
}

/// Whether any page of a chunk is in memory or in swap: one of the upper two bits of its entry.
fn is_used(pages: &mut std::fs::File, at: u64, to: u64) -> bool {
    let entries = part(pages, at / PAGE * 8, CHUNK.min(to - at).div_ceil(PAGE) * 8);
    entries.iter().skip(7).step_by(8).any(|top| top >> 6 != 0)
}

/// Reads as much as possible: a region may be gone.
fn part(file: &mut std::fs::File, at: u64, length: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if file.seek(SeekFrom::Start(at)).is_ok() {
        let _ = file.take(length).read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_each_of_its_forms() {
        let secret = "canary-7f/3_1=".to_owned();
        let whole = base64(b"xyz before canary-7f/3_1= behind");
        let utf16: Vec<u8> = "a canary-7f/3_1= b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let sent = reqwest::Url::parse_with_params("https://api.example.com/x", [("password", &secret)]).unwrap();
        let strictly = b"?p=canary%2D7f%2F3%5F1%3D".to_vec();
        for bytes in [b"xx canary-7f/3_1= x".to_vec(), sent.as_str().into(), strictly, utf16, whole] {
            let found = found_in(&bytes, std::slice::from_ref(&secret));
            assert!(!found.is_empty(), "{}", String::from_utf8_lossy(&bytes));
        }
        assert!(found_in(b"canary-7f", &[secret]).is_empty());
    }
}
