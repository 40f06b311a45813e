//! The memory of programs.

/// Returns the memory of these processes and all of their children, in kB. Memory that several share is divided among
/// them.
pub fn of_family(processes: &[u32]) -> u64 {
    let mut family = processes.to_vec();
    for process in running() {
        if !family.contains(&process) && parent(process).is_some_and(|parent| family.contains(&parent)) {
            family.push(process);
        }
    }
    family.into_iter().filter_map(held).sum()
}

/// Children of these processes whose program has this name. Linux cuts names after fifteen letters.
pub(crate) fn children_of(processes: &[u32], name: &str) -> Vec<u32> {
    let is_one = |process: &u32| {
        let own = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        own.trim_end() == name && parent(*process).is_some_and(|parent| processes.contains(&parent))
    };
    running().filter(is_one).collect()
}

/// Every process of this computer, by id.
pub(crate) fn running() -> impl Iterator<Item = u32> {
    let all = std::fs::read_dir("/proc").expect("Linux");
    let mut ids: Vec<u32> = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable();
    ids.into_iter()
}

fn parent(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    status.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

fn held(process: u32) -> Option<u64> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = maps.lines().find(|line| line.starts_with("Pss:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
