//! Days on which the national NFS-e changes, each with its source. They select texts and layouts, and refuse nothing.
//!
//! A document belongs to the day of its `dhEmi` in its own offset: the text before its `T`.

use crate::reference::ibscbs::REFORM_IN_FULL;
use jiff::civil::Date;

/// A first day and its source.
pub(super) struct EffectiveDay {
    /// First day.
    pub(super) from: Date,
    /// Official text that sets the day.
    pub(super) source: &'static str,
}

/// Day from which the group `IBSCBS` may be demanded, also of the Simples: guidance of the CGNFS-e of 2026-08-07 and
/// its questions and answers 1.1 of 2026-09-22 (until 2026-12-31 its absence does not lead to a refusal). A refusal
/// from then on is an interpretation of these texts; no code of the annexes supports it.
pub(super) const REFORM_MAY_BE_DEMANDED: EffectiveDay = EffectiveDay {
    from: REFORM_IN_FULL,
    source: "orientação do CGNFS-e de 07/08/2026 e Perguntas e Respostas 1.1 de 22/09/2026",
};

impl EffectiveDay {
    /// True when an instant, in its own offset, is on this day or later.
    pub(super) fn has_come(&self, dhEmi: &str) -> bool {
        dhEmi.get(..10).and_then(|day| day.parse::<Date>().ok()).is_some_and(|day| day >= self.from)
    }
}

/// True when a declaration of this instant may be refused for lack of the group `IBSCBS`.
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
            // in January by UTC
            ("2026-12-31T23:59:59-05:00", false),
            // in December by UTC
            ("2027-01-01T00:00:00+01:00", true),
            ("2027", false),
            ("", false),
        ] {
            assert_eq!(may_demand_reform(dhEmi), expected, "{dhEmi}");
        }
    }
}
