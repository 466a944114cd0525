//! Percentages of the Fundo de Combate à Pobreza (`pFCP`, `pFCPST`, `pFCPSTRet`) that each state accepts.
//!
//! Law: table "FCP por UF" of the NF-e portal as of 2025-02-07 (Informe Técnico 2023.004 v1.03); MOC 7.0 anexo I,
//! N17b-20, N23b-20 and N27b-20. A state without the fund accepts no percentage.

use crate::value::Uf;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// Percentages of a state, in hundredths of a per cent.
#[derive(Debug, Clone, Copy)]
enum FcpRates {
    /// Listed percentages.
    OneOf(&'static [u16]),
    /// Any percentage up to this one.
    UpTo(u16),
    /// Either `fixed`, or a rate that began at `first` in the year `since` and falls by a tenth of a per cent each
    /// year. The informe announces the fall, but no later table is published, so the rates of the years in between are
    /// accepted as well.
    Falling { fixed: u16, first: u16, since: i16 },
}

/// True when the state accepts the percentage on that day.
pub fn accepts_rate(uf: Uf, rate: Decimal, on: Date) -> bool {
    let Some((_, taken)) = ROWS.iter().find(|(known, _)| *known == uf) else { return true };
    match *taken {
        FcpRates::OneOf(rates) => rates.iter().any(|known| rate == percent(*known)),
        FcpRates::UpTo(most) => rate <= percent(most),
        FcpRates::Falling { fixed, first, since } => {
            let years = usize::try_from(on.year().saturating_sub(since)).unwrap_or_default();
            let fallen = (0..=first).rev().step_by(STEP).take(years.saturating_add(1));
            rate == percent(fixed) || fallen.into_iter().any(|known| rate == percent(known))
        }
    }
}

fn percent(hundredths: u16) -> Decimal {
    Decimal::new(i64::from(hundredths), 2)
}

/// A tenth of a per cent, in hundredths.
const STEP: usize = 10;

#[rustfmt::skip]
static ROWS: &[(Uf, FcpRates)] = {
    use FcpRates::{Falling, OneOf, UpTo};
    &[
        (Uf::RO, OneOf(&[200])),
        (Uf::AC, OneOf(&[])),
        (Uf::AM, Falling { fixed: 200, first: 120, since: 2025 }),
        (Uf::RR, UpTo(200)),
        (Uf::PA, OneOf(&[])),
        (Uf::AP, OneOf(&[])),
        (Uf::TO, OneOf(&[200])),
        (Uf::MA, OneOf(&[200])),
        (Uf::PI, OneOf(&[200])),
        (Uf::CE, OneOf(&[200])),
        (Uf::RN, OneOf(&[200])),
        (Uf::PB, OneOf(&[200])),
        (Uf::PE, OneOf(&[200])),
        (Uf::AL, OneOf(&[100, 200])),
        (Uf::SE, OneOf(&[100, 200])),
        (Uf::BA, OneOf(&[200])),
        (Uf::MG, OneOf(&[200])),
        (Uf::ES, OneOf(&[200])),
        (Uf::RJ, UpTo(400)),
        (Uf::SP, OneOf(&[200])),
        (Uf::PR, OneOf(&[200])),
        (Uf::SC, OneOf(&[])),
        (Uf::RS, OneOf(&[200])),
        (Uf::MS, OneOf(&[200])),
        (Uf::MT, UpTo(200)),
        (Uf::GO, UpTo(200)),
        (Uf::DF, OneOf(&[200])),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn taken(uf: Uf, rate: &str, year: i16) -> bool {
        accepts_rate(uf, rate.parse().unwrap(), date(year, 11, 20))
    }

    #[test]
    fn every_state_has_its_row() {
        assert!(ROWS.iter().map(|(uf, _)| *uf).eq(Uf::ALL));
    }

    #[test]
    fn a_fixed_rate_is_that_rate_and_a_limit_is_a_limit() {
        assert!(taken(Uf::SP, "2.0000", 2026) && !taken(Uf::SP, "1.9999", 2026) && !taken(Uf::SP, "2.01", 2026));
        assert!(taken(Uf::AL, "1", 2026) && taken(Uf::AL, "2", 2026) && !taken(Uf::AL, "1.5", 2026));
        assert!(taken(Uf::RJ, "4.00", 2026) && taken(Uf::RJ, "0.50", 2026) && !taken(Uf::RJ, "4.01", 2026));
        assert!(!taken(Uf::SC, "2", 2026) && !taken(Uf::SC, "1", 2026));
    }

    #[test]
    fn the_second_rate_of_amazonas_falls() {
        assert!(taken(Uf::AM, "2", 2026) && taken(Uf::AM, "1.20", 2025) && !taken(Uf::AM, "1.10", 2025));
        assert!(taken(Uf::AM, "1.10", 2026) && taken(Uf::AM, "1.20", 2026) && !taken(Uf::AM, "1.00", 2026));
        assert!(!taken(Uf::AM, "0.01", 9999));
    }
}
