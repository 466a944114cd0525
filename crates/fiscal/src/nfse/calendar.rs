//! Days from which the national NFS-e is otherwise, each with what says so. What depends on them is told or chosen, and
//! refuses nothing.
//!
//! A document is of the day of its `dhEmi` in its own offset: what stands before its `T`.

use crate::reference::ibscbs::REFORM_IN_FULL;
use jiff::civil::Date;

/// A day and its source.
pub(super) struct Day {
    /// The first.
    pub(super) from: Date,
    /// Who says so.
    pub(super) source: &'static str,
}

/// The group `IBSCBS` may be demanded, of the Simples too: guidance of the CGNFS-e of 2026-08-07 and its questions and
/// answers 1.1 of 2026-09-22 (until 2026-12-31 its absence does not refuse). That it does refuse from then on is a
/// reading of them which no code of the annexes bears out.
pub(super) const REFORM_MAY_BE_DEMANDED: Day = Day {
    from: REFORM_IN_FULL,
    source: "orientação do CGNFS-e de 07/08/2026 e Perguntas e Respostas 1.1 de 22/09/2026",
};

impl Day {
    /// Whether an instant is of this day, or of a later one, where it was written.
    pub(super) fn has_come(&self, dhEmi: &str) -> bool {
        dhEmi.get(..10).and_then(|day| day.parse::<Date>().ok()).is_some_and(|day| day >= self.from)
    }
}

/// Whether a declaration of this instant may be refused for want of the group `IBSCBS`.
pub fn may_demand_reform(dhEmi: &str) -> bool {
    REFORM_MAY_BE_DEMANDED.has_come(dhEmi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_in_the_offset_of_the_instant() {
        for (dhEmi, expected) in [
            ("2026-12-31T23:59:59-03:00", false),
            ("2027-01-01T00:00:00-03:00", true),
            // in UTC it is January
            ("2026-12-31T23:59:59-05:00", false),
            // in UTC it is December
            ("2027-01-01T00:00:00+01:00", true),
            ("2027", false),
            ("", false),
        ] {
            assert_eq!(may_demand_reform(dhEmi), expected, "{dhEmi}");
        }
    }
}
