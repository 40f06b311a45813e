//! T12: properties that decoders and parsers must have for any input. `cargo fuzz run --fuzz-dir tests/fuzz
//! --features libfuzzer decoders` searches with coverage; the ordinary test mutates corpus entries.

pub mod decoders;
pub mod imports;
pub mod sheets;

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use dice::Dice;

    /// Inputs per target and test run; `cargo xtask prove` uses more.
    const INPUTS: u64 = 250_000;

    /// Limit for the memory of the whole run, in bytes, whatever is read.
    const MOST_MEMORY: usize = 512 << 20;

    /// Pieces for building numbers, texts and lists.
    const PIECES: [&str; 30] = [
        "null",
        "true",
        "\"\"",
        "[]",
        "{}",
        "1e400",
        "-0",
        "0.1e-40",
        "9223372036854775808",
        "79228162514264337593543950336",
        "1.2E7",
        "\"1.2E7\"",
        "0x10",
        "1,5",
        "１２",
        "\\ud800",
        "\\u0000",
        "\"code\":\"0\",",
        "\"code\":200,",
        "\"data\":null,",
        "\"data\":1,",
        ",",
        "\t",
        "\r\n",
        "=1+1",
        "\u{feff}",
        "99999999999999999999999999999",
        "2026-02-30",
        "@",
        ";",
    ];

    fn corpus(target: &str) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| std::fs::read(file).unwrap()).collect()
    }

    fn changed(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
        let mut bytes = corpus[dice.place(corpus.len())].clone();
        for _ in 0..=dice.place(4) {
            let at = dice.place(bytes.len());
            let end = (at + dice.place(16)).min(bytes.len());
            match dice.place(7) {
                0 if at < bytes.len() => bytes[at] ^= 1 << dice.place(8),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                3 | 4 => drop(bytes.splice(at..end, PIECES[dice.place(PIECES.len())].bytes())),
                5 => {
                    let other = &corpus[dice.place(corpus.len())];
                    bytes.splice(at..end, other[dice.place(other.len())..].iter().copied());
                }
                _ => drop(bytes.splice(at..at, "[{\"a\":".repeat(dice.place(200)).bytes())),
            }
        }
        bytes
    }

    fn feed(target: &'static str, run: fn(&[u8])) {
        let number = |name: &str, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
        let (inputs, from) = (number("PROXYTILL_INPUTS", INPUTS), number("PROXYTILL_FROM", 0));
        let corpus = Arc::new(corpus(target));
        corpus.iter().for_each(|bytes| run(bytes));
        let halves = [from..from + inputs / 2, from + inputs / 2..from + inputs];
        let threads = halves.map(|seeds| {
            let corpus = corpus.clone();
            std::thread::spawn(move || {
                for seed in seeds {
                    let bytes = changed(&corpus, &mut Dice::of(seed));
                    if std::panic::catch_unwind(|| run(&bytes)).is_err() {
                        panic!("{target}: seed {seed}: {:?}", String::from_utf8_lossy(&bytes));
                    }
                }
            })
        });
        for thread in threads {
            thread.join().expect("no input went wrong");
        }
        let peak = peak_memory();
        assert!(peak < MOST_MEMORY, "{target}: {peak} bytes of memory");
        println!("{inputs} {target} inputs from seed {from}");
    }

    /// Peak memory of this process in bytes; 0 where the system does not report it.
    fn peak_memory() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        let peak = kilobytes.map_or(0, |number| number.parse::<usize>().expect("a number") << 10);
        assert!(peak > 0 || !cfg!(target_os = "linux"), "{status}");
        peak
    }

    #[test]
    fn no_answer_makes_a_decoder_panic_or_changes_when_it_is_read_again() {
        feed("decoders", super::decoders::run);
    }

    #[test]
    fn nothing_that_is_pasted_or_opened_makes_a_parser_panic() {
        feed("imports", super::imports::run);
    }

    #[test]
    fn no_small_file_takes_more_memory_than_the_program_may_have() {
        let cell = r#"<row><c t="s"><v>0</v></c></row>"#;
        let text = |megabytes: usize| [b"<sst><si><t>", &vec![b'a'; megabytes << 20][..], b"</t></si></sst>"].concat();
        let files = [
            crate::sheets::written(cell.as_bytes(), &text(65)),
            crate::sheets::written(cell.repeat(100).as_bytes(), &text(1)),
            crate::sheets::written(cell.as_bytes(), &b"<si/>".repeat(2 << 20)),
            crate::sheets::written("<a>".repeat(1 << 20).as_bytes(), b"<sst/>"),
            vec![b','; 8 << 20],
            vec![b'\n'; 8 << 20],
            vec![b'a'; 8 << 20],
        ];
        for (file, number) in files.iter().zip(1..) {
            for wants in [customers::Wants::Names, customers::Wants::Amounts, customers::Wants::Passwords] {
                assert!(file.len() < customers::file::MOST_BYTES, "file {number}");
                drop(customers::file::entries(file, wants));
            }
        }
        assert!(peak_memory() < MOST_MEMORY, "{} bytes", peak_memory());
    }
}
