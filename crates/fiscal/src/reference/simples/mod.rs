//! Bands of the Simples Nacional and the shares of its taxes, with IBS and CBS inside the DAS.
//!
//! Law: Resolução CGSN 190/2026 (DOU of 2026-08-10), Anexos I to V for 2027 and 2028; LC 123 art. 18. From 2027 the
//! revenue is that of the twelve months before the previous month. Must not know the current day.

mod bands;
mod rates;
mod revenue;

pub use rates::{SimplesRates, amount_of};
pub use revenue::{is_untaxed, tpRBSN};

use bands::BANDS;
use jiff::civil::{Date, date};
use jiff::{Span, ToSpan};
use rust_decimal::{Decimal, RoundingStrategy};

/// Source of the bands.
pub const SOURCE: &str =
    "Resolução CGSN 190/2026 (DOU de 10/08/2026), Anexos I a V, períodos de apuração de 2027 e 2028";

/// An annex of the Simples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anexo {
    /// Commerce.
    I,
    /// Industry.
    II,
    /// Services, or those of factor R from 28 % on.
    III,
    /// Services with the CPP outside of the DAS.
    IV,
    /// Services of factor R below 28 %.
    V,
}

impl Anexo {
    /// Every annex, in its order.
    pub const ALL: [Anexo; 5] = [Anexo::I, Anexo::II, Anexo::III, Anexo::IV, Anexo::V];

    /// The Roman numeral.
    pub fn numeral(self) -> &'static str {
        match self {
            Anexo::I => "I",
            Anexo::II => "II",
            Anexo::III => "III",
            Anexo::IV => "IV",
            Anexo::V => "V",
        }
    }
}

/// A tax inside the DAS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tributo {
    /// Income tax of companies.
    IRPJ,
    /// Social contribution on profit.
    CSLL,
    /// Contribution on goods and services.
    CBS,
    /// Employer contribution to social security.
    CPP,
    /// Tax on industrialised products.
    IPI,
    /// Tax of the states on goods.
    ICMS,
    /// Tax of municipalities on services.
    ISS,
    /// Tax on goods and services.
    IBS,
}

impl Tributo {
    /// Every tax, in the order of a band's shares.
    pub const ALL: [Tributo; 8] = {
        use Tributo::{CBS, CPP, CSLL, IBS, ICMS, IPI, IRPJ, ISS};
        [IRPJ, CSLL, CBS, CPP, IPI, ICMS, ISS, IBS]
    };

    /// The abbreviation.
    pub fn name(self) -> &'static str {
        match self {
            Tributo::IRPJ => "IRPJ",
            Tributo::CSLL => "CSLL",
            Tributo::CBS => "CBS",
            Tributo::CPP => "CPP",
            Tributo::IPI => "IPI",
            Tributo::ICMS => "ICMS",
            Tributo::ISS => "ISS",
            Tributo::IBS => "IBS",
        }
    }
}

/// A band of an annex: a row of its table.
#[derive(Debug, Clone, Copy)]
pub struct RevenueBand {
    /// Annex whose row it is.
    pub anexo: Anexo,
    /// From 1 to 6.
    pub faixa: u8,
    /// Highest revenue, in reais.
    ate: i64,
    /// Nominal rate, in hundredths of a per cent.
    nominal: i64,
    /// Amount deducted, in reais.
    deducao: i64,
    /// Shares in hundredths of a per cent, in the order of [`Tributo::ALL`]; zero where the tax is outside the DAS.
    shares: [i64; 8],
}

/// Reason for a missing band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBand {
    /// The tables are those of 2027 and 2028.
    OutsideYears,
    /// No revenue to divide by; in the first months it is made proportional (LC 123 art. 18 §2).
    NoRevenue,
    /// Above the limit of the Simples (LC 123 art. 3 II).
    AboveLimit,
}

/// Highest revenue of the Simples, in reais.
pub const LIMIT: i64 = 4_800_000;

/// The band of a revenue, within the years of the tables.
pub fn find(anexo: Anexo, rbt12: Decimal, on: Date) -> Result<&'static RevenueBand, NoBand> {
    if !(date(2027, 1, 1)..=date(2028, 12, 31)).contains(&on) {
        return Err(NoBand::OutsideYears);
    }
    if rbt12 <= Decimal::ZERO {
        return Err(NoBand::NoRevenue);
    }
    let mut bands = BANDS.iter().filter(|band| band.anexo == anexo);
    bands.find(|band| rbt12 <= band.ate()).ok_or(NoBand::AboveLimit)
}

/// First days of the first and of the last month that the revenue of a month's rate covers.
pub fn months_of_revenue(on: Date) -> (Date, Date) {
    let back = |months: Span| on.first_of_month().saturating_sub(months);
    (back(13.months()), back(2.months()))
}

impl RevenueBand {
    /// Highest revenue.
    pub fn ate(&self) -> Decimal {
        Decimal::new(self.ate * 100, 2)
    }

    /// Revenue above which it begins.
    pub fn acima_de(&self) -> Decimal {
        let below = BANDS.iter().filter(|band| band.anexo == self.anexo && band.faixa + 1 == self.faixa);
        below.map(RevenueBand::ate).next().unwrap_or(Decimal::new(0, 2))
    }

    /// Nominal rate, per cent.
    pub fn nominal(&self) -> Decimal {
        Decimal::new(self.nominal, 2)
    }

    /// Amount deducted.
    pub fn deducao(&self) -> Decimal {
        Decimal::new(self.deducao * 100, 2)
    }

    /// Share of a tax in per cent; `None` for a tax outside of the DAS.
    pub fn share(&self, of: Tributo) -> Option<Decimal> {
        let mut shares = Tributo::ALL.into_iter().zip(self.shares);
        let (_, share) = shares.find(|(tributo, _)| *tributo == of)?;
        (share > 0).then(|| Decimal::new(share, 2))
    }

    /// Effective rate of a revenue above zero, per cent, not rounded.
    pub fn effective(&self, rbt12: Decimal) -> Decimal {
        self.nominal() - self.deducao() / rbt12 * Decimal::ONE_HUNDRED
    }
}

/// A value with exactly this number of decimals, rounded half away from zero.
pub fn rounded(value: Decimal, decimals: u32) -> Decimal {
    let mut value = value.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
    value.rescale(decimals);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::amount;

    const JANUARY: Date = date(2027, 1, 1);

    fn check(anexo: Anexo, rbt12: &str, faixa: u8, effective: &str, ibs: Option<&str>, cbs: &str) {
        let rbt12 = amount(rbt12).unwrap();
        let band = find(anexo, rbt12, JANUARY).unwrap();
        let rates = SimplesRates::of(band, rbt12);
        let shown = |rate: Option<Decimal>| rate.map(|rate| rate.to_string());
        assert_eq!(band.faixa, faixa, "{rbt12}");
        assert_eq!(rounded(rates.effective, 6).to_string(), effective, "{rbt12}");
        assert_eq!(shown(rates.pIBSSN).as_deref(), ibs, "{rbt12}");
        assert_eq!(shown(rates.pCBSSN).as_deref(), Some(cbs), "{rbt12}");
    }

    #[test]
    fn the_first_band_of_commerce_is_the_official_example() {
        check(Anexo::I, "1", 1, "4.000000", Some("0.0068"), "0.6132");
    }

    #[test]
    fn a_band_ends_with_its_highest_revenue() {
        check(Anexo::I, "180000.00", 1, "4.000000", Some("0.0068"), "0.6132");
        check(Anexo::I, "180000.01", 2, "4.000000", Some("0.0068"), "0.6132");
        check(Anexo::I, "360000", 2, "5.650000", Some("0.0096"), "0.8661");
        check(Anexo::II, "3600000", 5, "12.325000", Some("0.0185"), "1.7070");
        check(Anexo::V, "720000.01", 4, "18.125000", Some("0.0381"), "3.4329");
        check(Anexo::I, "4800000", 6, "11.025000", None, "3.7507");
    }

    #[test]
    fn shares_are_a_whole_and_bands_meet() {
        assert_eq!(BANDS.len(), 30);
        for band in BANDS {
            assert_eq!(band.shares.iter().sum::<i64>(), 10_000, "{band:?}");
            assert_eq!(band.faixa == 1, band.acima_de() == Decimal::ZERO, "{band:?}");
            assert_eq!(band.faixa == 6, band.ate == LIMIT, "{band:?}");
            assert_eq!(band.faixa == 6, band.share(Tributo::IBS).is_none(), "{band:?}");
        }
    }

    #[test]
    fn iss_above_five_per_cent_leaves_the_shares_of_the_table() {
        let rates = |anexo, rbt12: &str| {
            let rbt12 = amount(rbt12).unwrap();
            let rates = SimplesRates::of(find(anexo, rbt12, JANUARY).unwrap(), rbt12);
            (rates.pIBSSN.is_some(), rates.pCBSSN.is_some())
        };
        assert_eq!((rates(Anexo::III, "2000000"), rates(Anexo::III, "2100000")), ((true, true), (false, false)));
        assert_eq!((rates(Anexo::IV, "3600000"), rates(Anexo::V, "3600000")), ((false, false), (true, true)));
    }

    #[test]
    fn there_are_no_bands_of_other_years_nothing_or_too_much() {
        let of = |rbt12: i64, on| find(Anexo::I, Decimal::from(rbt12), on).err();
        assert_eq!(of(1, date(2026, 12, 31)), Some(NoBand::OutsideYears));
        assert_eq!((of(1, date(2028, 12, 31)), of(1, date(2029, 1, 1))), (None, Some(NoBand::OutsideYears)));
        assert_eq!((of(0, JANUARY), of(-1, JANUARY)), (Some(NoBand::NoRevenue), Some(NoBand::NoRevenue)));
        assert_eq!((of(LIMIT, JANUARY), of(LIMIT + 1, JANUARY)), (None, Some(NoBand::AboveLimit)));
    }

    #[test]
    fn the_revenue_is_of_twelve_months_and_leaves_the_last_one_out() {
        assert_eq!(months_of_revenue(date(2027, 1, 31)), (date(2025, 12, 1), date(2026, 11, 1)));
        assert_eq!(months_of_revenue(date(2028, 3, 1)), (date(2027, 2, 1), date(2028, 1, 1)));
    }
}
