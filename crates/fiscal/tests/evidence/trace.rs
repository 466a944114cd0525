//! A state in a line, as a trace shows it.

use crate::state::{Sale, State};

impl State {
    /// In one line of a trace.
    pub(crate) fn line(&self) -> String {
        let Sale { stage, key, refusal, clocks, unsent, call, .. } = self.sale;
        let kept = if refusal { ", a refusal is kept" } else { "" };
        let unsent = if unsent { ", unsent" } else { "" };
        let air: Vec<String> = self
            .air
            .iter()
            .flatten()
            .map(|it| format!("{:?}({}{})", it.key, it.left, if it.hidden { " hidden" } else { "" }))
            .collect();
        format!(
            "sale {stage:?} {key:?} {}/{}{kept}{unsent} {call:?} | twin {:?} | tie {:?} by {:?} | under way {} | books {:?} | out {} svc {}",
            clocks.wall,
            clocks.own,
            self.twin,
            self.tie,
            self.routes,
            air.join(" "),
            self.book,
            self.out,
            self.svc
        )
    }
}
