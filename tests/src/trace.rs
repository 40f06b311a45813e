//! The file operations of a program, as strace saw them, and the disks that a power cut could leave.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dice::Dice;

/// One operation of a program.
#[derive(Clone, Debug)]
pub enum Step {
    /// Bytes written at an offset of a file; `None` for its end.
    Write(PathBuf, Option<u64>, Vec<u8>),
    /// A file was synced.
    Sync(PathBuf),
    /// A file got another length.
    Cut(PathBuf, u64),
    /// A file was removed.
    Remove(PathBuf),
    /// A file was renamed.
    Rename(PathBuf, PathBuf),
    /// A file was created if missing.
    Create(PathBuf),
    /// A folder was created.
    Folder(PathBuf),
    /// A line on the standard output.
    Told(String),
    /// Bytes sent to another program.
    Sent(Vec<u8>),
}

impl Step {
    /// Returns the folder, if this step creates one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(name) => Some(name),
            _ => None,
        }
    }
}

/// The system calls to trace, for `strace -e`.
pub const CALLS: &str = "trace=pwrite64,write,writev,sendto,fdatasync,fsync,ftruncate,unlink,rename,openat,mkdir";

/// Parses the output of `strace -f -y -xx`. A step counts once it has finished.
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
    let is_done = !rest.contains(" = -1 ");
    if name == "openat" || name == "mkdir" {
        let creates = is_done && (name == "mkdir" || rest.contains("O_CREAT"));
        let of = creates.then(|| texts.pop().map(path)).flatten();
        return of.map(if name == "mkdir" { Step::Folder } else { Step::Create });
    }
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

/// A disk that holds everything that was synced, and may hold more. A name is on it once its folder was synced.
#[derive(Default)]
pub struct Disk {
    /// The durable bytes of each file, and the writes since.
    contents: Vec<(Vec<u8>, Vec<Step>)>,
    /// Files and folders as the program sees them, with the index of their contents.
    names: BTreeMap<PathBuf, usize>,
    durable: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
    /// Changes of names since their folders were synced, oldest first.
    renamed: Vec<Naming>,
}

/// A change of names in one folder: either all of it reaches the disk, or nothing.
#[derive(Clone)]
struct Naming {
    folder: PathBuf,
    gone: Option<PathBuf>,
    there: Option<(PathBuf, usize)>,
}

impl Naming {
    fn apply(self, names: &mut BTreeMap<PathBuf, usize>) {
        self.gone.map(|name| names.remove(&name));
        names.extend(self.there);
    }
}

impl Disk {
    /// Applies a step.
    pub fn pass(&mut self, step: &Step) {
        match step {
            Step::Write(file, ..) | Step::Cut(file, _) => {
                let number = self.number(file);
                self.contents[number].1.push(step.clone());
            }
            Step::Create(name) => drop(self.number(name)),
            Step::Folder(name) => {
                self.folders.insert(name.clone());
                self.number(name);
            }
            Step::Sync(name) => self.sync(name),
            Step::Remove(file) => {
                if self.names.remove(file).is_some() {
                    self.rename(Some(file), None);
                }
            }
            Step::Rename(from, to) => {
                let Some(number) = self.names.remove(from) else { return };
                self.names.insert(to.clone(), number);
                if from.parent() == to.parent() {
                    self.rename(Some(from), Some((to, number)));
                } else {
                    self.rename(None, Some((to, number)));
                    self.rename(Some(from), None);
                }
            }
            Step::Told(_) | Step::Sent(_) => {}
        }
    }

    fn number(&mut self, name: &Path) -> usize {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.contents.len();
        self.contents.push(Default::default());
        self.names.insert(name.to_owned(), number);
        self.rename(None, Some((name, number)));
        number
    }

    fn rename(&mut self, gone: Option<&PathBuf>, there: Option<(&Path, usize)>) {
        let name = there.map(|(name, _)| name).or(gone.map(PathBuf::as_path));
        let folder = name.and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        let there = there.map(|(name, number)| (name.to_owned(), number));
        self.renamed.push(Naming { folder, gone: gone.cloned(), there });
    }

    fn sync(&mut self, name: &Path) {
        if let Some(number) = self.names.get(name) {
            let (durable, pending) = &mut self.contents[*number];
            std::mem::take(pending).iter().for_each(|step| apply(durable, step, usize::MAX));
        }
        let (synced, left) = std::mem::take(&mut self.renamed).into_iter().partition(|one| one.folder == name);
        self.renamed = left;
        let synced: Vec<Naming> = synced;
        synced.into_iter().for_each(|one| one.apply(&mut self.durable));
    }

    /// Returns the files that could remain after a power cut now: with none, all or some of the unsynced bytes and
    /// names, and the last bytes torn within a sector.
    pub fn cut_power(&self, dice: &mut Dice) -> Vec<(PathBuf, Vec<u8>)> {
        let mode = dice.roll(3);
        let survives = |dice: &mut Dice| mode == 1 || mode == 2 && dice.roll(2) == 0;
        let mut names = self.durable.clone();
        for one in &self.renamed {
            if survives(dice) {
                one.clone().apply(&mut names);
            }
        }
        let is_left =
            |(name, _): &(&PathBuf, &usize)| !self.folders.contains(*name) && self.has_its_folder(name, &names);
        let left = names.iter().filter(is_left).map(|(name, number)| {
            let (durable, pending) = &self.contents[*number];
            let mut bytes = durable.clone();
            for step in pending {
                let torn = if dice.roll(4) == 0 { 512 * dice.roll(8) as usize } else { usize::MAX };
                if survives(dice) {
                    apply(&mut bytes, step, torn);
                }
            }
            (name.clone(), bytes)
        });
        left.collect()
    }

    /// Whether the folders around a name exist. A folder whose own name is lost takes everything in it with it.
    fn has_its_folder(&self, name: &Path, names: &BTreeMap<PathBuf, usize>) -> bool {
        let mut made = name.ancestors().skip(1).filter(|folder| self.folders.contains(*folder));
        made.all(|folder| names.contains_key(folder))
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

/// Returns whether a file is the shared memory of a database, which a power cut removes.
pub fn is_memory(file: &Path) -> bool {
    file.to_string_lossy().ends_with("-shm")
}
