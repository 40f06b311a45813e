//! What a program did to its files, as strace saw it, and the disks that a power cut could have left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::dice::Dice;

/// One thing that a program did.
#[derive(Clone, Debug)]
pub enum Step {
    /// Bytes at a place of a file; `None`: at its end.
    Write(PathBuf, Option<u64>, Vec<u8>),
    /// Everything of a file is on the disk.
    Sync(PathBuf),
    /// A file has another length.
    Cut(PathBuf, u64),
    /// A file is gone.
    Remove(PathBuf),
    /// A file has another name.
    Rename(PathBuf, PathBuf),
    /// A line for whoever listens.
    Told(String),
    /// Bytes to another program.
    Sent(Vec<u8>),
}

/// What to trace, for `strace -e`.
pub const CALLS: &str = "trace=pwrite64,write,writev,sendto,fdatasync,fsync,ftruncate,unlink,rename";

/// Reads what `strace -f -y -xx` wrote. Steps count when they are over.
pub fn steps(log: &str) -> Vec<Step> {
    let mut begun: BTreeMap<&str, String> = BTreeMap::new();
    let mut steps = Vec::new();
    for line in log.lines() {
        let Some((process, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        if let Some(first) = call.strip_suffix(" <unfinished ...>") {
            begun.insert(process, first.to_owned());
        } else if let Some((_, rest)) = call.split_once(" resumed>") {
            steps.extend(begun.remove(process).and_then(|first| step(&(first + rest))));
        } else {
            steps.extend(step(call));
        }
    }
    steps
}

fn step(call: &str) -> Option<Step> {
    let (name, rest) = call.split_once('(')?;
    let mut texts = quoted(rest);
    if name == "unlink" {
        return Some(Step::Remove(path(texts.pop()?)));
    }
    if name == "rename" {
        let to = path(texts.pop()?);
        return Some(Step::Rename(path(texts.pop()?), to));
    }
    let (number, behind) = rest.split_once('<')?;
    let of = path(unescaped(behind.split_once('>')?.0));
    let last = |text: &str| text.rsplit_once(')')?.0.rsplit([',', ' ']).next()?.parse::<u64>().ok();
    match name {
        "fsync" | "fdatasync" => Some(Step::Sync(of)),
        "ftruncate" => Some(Step::Cut(of, last(rest)?)),
        "pwrite64" => Some(Step::Write(of, Some(last(rest)?), texts.concat())),
        "write" if number == "1" => Some(Step::Told(String::from_utf8(texts.concat()).ok()?)),
        "write" if of.is_absolute() => Some(Step::Write(of, None, texts.concat())),
        "write" | "writev" | "sendto" => Some(Step::Sent(texts.concat())),
        _ => None,
    }
}

fn path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

fn quoted(text: &str) -> Vec<Vec<u8>> {
    text.split('"').skip(1).step_by(2).map(unescaped).collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map_or(0, |digit| digit as u8);
    let bytes = text.as_bytes();
    if !text.starts_with("\\x") {
        return bytes.to_vec();
    }
    bytes.chunks_exact(4).map(|four| digit(four[2]) << 4 | digit(four[3])).collect()
}

/// A disk that holds what was synced, and may hold more. Names of files count at once.
#[derive(Default)]
pub struct Disk {
    files: BTreeMap<PathBuf, (Vec<u8>, Vec<Step>)>,
}

impl Disk {
    /// Passes a step.
    pub fn pass(&mut self, step: &Step) {
        match step {
            Step::Write(file, ..) | Step::Cut(file, _) => {
                self.files.entry(file.clone()).or_default().1.push(step.clone());
            }
            Step::Sync(file) => {
                if let Some((durable, pending)) = self.files.get_mut(file) {
                    std::mem::take(pending).iter().for_each(|step| apply(durable, step, usize::MAX));
                }
            }
            Step::Remove(file) => drop(self.files.remove(file)),
            Step::Rename(from, to) => {
                if let Some(content) = self.files.remove(from) {
                    self.files.insert(to.clone(), content);
                }
            }
            Step::Told(_) | Step::Sent(_) => {}
        }
    }

    /// What could be left of it now: none, all or some of what was not synced, the last of it torn in a sector.
    pub fn cut_power(&self, dice: &mut Dice) -> Vec<(PathBuf, Vec<u8>)> {
        let mode = dice.roll(3);
        let left = self.files.iter().map(|(file, (durable, pending))| {
            let mut bytes = durable.clone();
            for step in pending {
                let survives = mode == 1 || mode == 2 && dice.roll(2) == 0;
                let torn = if dice.roll(4) == 0 { 512 * dice.roll(8) as usize } else { usize::MAX };
                if survives {
                    apply(&mut bytes, step, torn);
                }
            }
            (file.clone(), bytes)
        });
        left.collect()
    }
}

fn apply(bytes: &mut Vec<u8>, step: &Step, most: usize) {
    match step {
        Step::Write(_, at, data) => {
            let data = &data[..data.len().min(most)];
            let at = at.map_or(bytes.len(), |at| at as usize);
            bytes.resize(bytes.len().max(at + data.len()), 0);
            bytes[at..at + data.len()].copy_from_slice(data);
        }
        Step::Cut(_, length) => bytes.resize(*length as usize, 0),
        _ => {}
    }
}

/// Whether a file is the shared memory of a database, which a power cut takes.
pub fn is_memory(file: &Path) -> bool {
    file.to_string_lossy().ends_with("-shm")
}
