//! Direction of a walk along a list.

/// Direction of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanDirection {
    Older,
    Newer,
}
