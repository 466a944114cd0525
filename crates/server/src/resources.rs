//! Compares limits of the system with the configuration and warns at start where they are too low.
//!
//! Nothing is refused: a small machine with few callers works. Must not know: routes.

use std::path::Path;

use crate::app::{FILES_OF_OTHERS, ServiceLimits};

/// Logs each limit that is too low, with the value to set.
pub(crate) fn check(limits: &ServiceLimits, open_files: usize) {
    let wanted = limits.connections.saturating_add(FILES_OF_OTHERS);
    if open_files < wanted {
        tracing::warn!(
            open_files,
            wanted,
            give = %format_args!("LimitNOFILE={wanted}, ulimits.nofile, http.conexoes"),
            "the process may open too few files for the configured connections"
        );
    }
    let wanted = wanted_memory(limits);
    if let Some(memory) = memory_limit(Path::new("/proc/self/cgroup"), Path::new("/sys/fs/cgroup"))
        && memory < wanted
    {
        let (memory_mb, wanted_mb) = (memory >> 20, wanted >> 20);
        tracing::warn!(
            memory_mb,
            wanted_mb,
            give = %format_args!("MemoryMax={wanted_mb}M, mem_limit, http.memoria_corpos_bytes"),
            "the process may use too little memory for the configured bodies"
        );
    }
    if let Ok((space, _)) = rlimit::getrlimit(rlimit::Resource::AS)
        && space < ADDRESS_SPACE
    {
        let (space_mb, wanted_mb) = (space >> 20, ADDRESS_SPACE >> 20);
        tracing::warn!(space_mb, wanted_mb, give = "LimitAS=infinity", "the process may use too little address space");
    }
}

/// Memory of bodies in flight at their bound, and of the process beside them.
fn wanted_memory(limits: &ServiceLimits) -> u64 {
    u64::try_from(limits.bodies_bytes).unwrap_or(u64::MAX).saturating_add(BESIDE_BODIES)
}

/// Lowest memory limit of the process's control groups, bytes.
fn memory_limit(own: &Path, root: &Path) -> Option<u64> {
    let groups = std::fs::read_to_string(own).ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut group = root.join(path.trim_start_matches('/'));
    let mut lowest: Option<u64> = None;
    loop {
        // `max` is no number: no limit of this group
        let limit = std::fs::read_to_string(group.join("memory.max")).ok().and_then(|text| text.trim().parse().ok());
        lowest = lowest.into_iter().chain(limit).min();
        if group == root || !group.pop() {
            return lowest;
        }
    }
}

/// Measured beside the bodies under attack: 300 MB with all of them, rounded up.
const BESIDE_BODIES: u64 = 256 << 20;
/// The allocator reserves more than it uses.
const ADDRESS_SPACE: u64 = 4 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_the_groups_counts() {
        let root = std::env::temp_dir().join(format!("carimbo-cgroup-{}", uuid::Uuid::now_v7()));
        let service = root.join("system.slice/carimbo.service");
        std::fs::create_dir_all(&service).unwrap();
        let own = root.join("own");
        std::fs::write(&own, "0::/system.slice/carimbo.service\n").unwrap();
        assert_eq!(memory_limit(&own, &root), None);
        std::fs::write(service.join("memory.max"), "max\n").unwrap();
        assert_eq!(memory_limit(&own, &root), None);
        std::fs::write(root.join("system.slice/memory.max"), "134217728\n").unwrap();
        assert_eq!(memory_limit(&own, &root), Some(128 << 20));
        std::fs::write(service.join("memory.max"), "67108864\n").unwrap();
        assert_eq!(memory_limit(&own, &root), Some(64 << 20));
        assert_eq!(memory_limit(&root.join("none"), &root), None);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn the_usual_bounds_want_less_than_half_a_gigabyte() {
        assert!(wanted_memory(&ServiceLimits::default()) < 512 << 20);
    }
}
