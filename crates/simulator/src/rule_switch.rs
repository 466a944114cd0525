//! Switches of rules.

use serde::{Deserialize, Serialize};

/// Effect of a broken rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleSwitch {
    /// The document is rejected.
    On,
    /// No effect.
    Off,
    /// The document is authorised with the remark in `cMsg` and `xMsg` (model 65: 120, NT 2026.002).
    Warn,
}
