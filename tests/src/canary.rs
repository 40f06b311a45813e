//! Looking for secrets where none may be.

use std::path::Path;

/// A secret in every form in which it could lie about.
fn forms(secret: &str) -> Vec<(&'static str, Vec<u8>)> {
    let url: String = secret
        .bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    let wide = |big: bool| -> Vec<u8> {
        let units = secret.encode_utf16();
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let mut forms = vec![
        ("plain", secret.as_bytes().to_vec()),
        ("URL-encoded", url.into_bytes()),
        ("UTF-16, little end first", wide(false)),
        ("UTF-16, big end first", wide(true)),
    ];
    // In base64 the same bytes look different at each of three places.
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

/// Which secrets some bytes hold, and how.
pub fn found_in(bytes: &[u8], secrets: &[String]) -> Vec<String> {
    let holds = |form: &[u8]| bytes.windows(form.len()).any(|part| part == form);
    let all = secrets.iter().flat_map(|secret| forms(secret).into_iter().map(move |form| (secret, form)));
    all.filter(|(_, (_, form))| holds(form)).map(|(secret, (name, _))| format!("{secret} ({name})")).collect()
}

/// Arguments and environment of every process that sits at a desk, by its home.
pub fn processes(home: &Path) -> Vec<(String, Vec<u8>)> {
    let home = home.to_string_lossy().into_owned().into_bytes();
    let mut all = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("Linux").filter_map(Result::ok) {
        let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        let (arguments, environment) = (read("cmdline"), read("environ"));
        if environment.windows(home.len()).any(|part| part == home) {
            let name = String::from_utf8_lossy(&arguments).replace('\0', " ");
            all.push((name, [arguments, environment].concat()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_each_of_its_forms() {
        let secret = "canary+7f/31=".to_owned();
        let whole = base64(b"xyz before canary+7f/31= behind");
        let utf16: Vec<u8> = "a canary+7f/31= b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [b"xx canary+7f/31= x".to_vec(), b"?p=canary%2B7f%2F31%3D".to_vec(), utf16, whole] {
            let found = found_in(&bytes, std::slice::from_ref(&secret));
            assert!(!found.is_empty(), "{}", String::from_utf8_lossy(&bytes));
        }
        assert!(found_in(b"canary+7f", &[secret]).is_empty());
    }
}
