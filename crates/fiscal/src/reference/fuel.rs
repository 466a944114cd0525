//! Fuels with a single taxation of ICMS, and the obligatory share of biofuel in gasolines.
//!
//! Law: Lei Complementar 192/2022, Convênios ICMS 199/2022 and 15/2023; the NF-e portal's "Tabela de Combustíveis
//! Sujeitos à Tributação Monofásica" (Informe Técnico 2023.003 v1.08, in force since 2026-01-01) and "Tabela Índice de
//! Mistura de Biocombustível" (Informe Técnico 2025.004 v1.10, and v1.20 for the common gasoline). Rates (`adRemICMS`)
//! are left out, because NT 2023.001 v1.10 removed the rules that compared them.

use jiff::civil::{Date, date};
use rust_decimal::Decimal;

/// A fuel with a single taxation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonophasicFuel {
    /// 9 digits.
    pub cProdANP: u32,
    /// True for a mixture, whose share of biofuel the document states.
    pub pBio: bool,
    /// True when the document states its origin; false for gases.
    pub origComb: bool,
    /// Unit of measurement.
    pub uTrib: &'static str,
}

/// The fuel of a code; `None` without a single taxation.
pub fn find(cProdANP: &str) -> Option<&'static MonophasicFuel> {
    let codigo: u32 = cProdANP.parse().ok()?;
    let at = ROWS.binary_search_by_key(&codigo, |row| row.cProdANP).ok()?;
    ROWS.get(at)
}

/// Obligatory percentage of anhydrous ethanol in a gasoline on that day; `None` for other products, and for an unknown
/// percentage.
pub fn obligatory_mixture(cProdANP: &str, on: Date) -> Option<Decimal> {
    let (_, mixtures) = MIXTURES.iter().find(|(codes, _)| codes.contains(&cProdANP))?;
    let (_, percent) = mixtures.iter().rev().find(|(since, _)| *since <= on)?;
    percent.map(Decimal::from)
}

/// Gasolines, with their percentages from a day on; `None` from the day on which the known one ends and the next was
/// not available.
type FuelMixtures = (&'static [&'static str], &'static [(Date, Option<u8>)]);

#[rustfmt::skip]
const MIXTURES: [FuelMixtures; 3] = [
    // gasolina C comum e comum aditivada
    (&["320102001", "320102002"], &[(E27, Some(27)), (E30, Some(30)), (E32, Some(32))]),
    // premium
    (&["320102003", "320102005"], &[(E27, Some(25))]),
    // of reference, for export, others: v1.20 was available for the common gasoline only
    (&["320103001", "320103002", "320103003", "320301001", "320301002"], &[(E27, Some(27)), (E30, Some(30)), (E32, None)]),
];

/// First day of the table.
const E27: Date = date(2015, 3, 16);
/// Resolução CNPE 9/2025.
const E30: Date = date(2025, 8, 1);
/// Informe Técnico 2025.004 v1.20.
const E32: Date = date(2026, 8, 1);

/// A gas, measured in kilograms.
const fn gas(cProdANP: u32) -> MonophasicFuel {
    MonophasicFuel { cProdANP, pBio: false, origComb: false, uTrib: "KG" }
}

/// A mixture, measured in litres.
const fn mixed(cProdANP: u32, origComb: bool) -> MonophasicFuel {
    MonophasicFuel { cProdANP, pBio: true, origComb, uTrib: "L" }
}

/// A pure substance, measured in litres.
const fn pure(cProdANP: u32, origComb: bool) -> MonophasicFuel {
    MonophasicFuel { cProdANP, pBio: false, origComb, uTrib: "L" }
}

static ROWS: [MonophasicFuel; 40] = [
    // GLP, propano e butano
    gas(210203001),
    gas(210203003),
    gas(210203004),
    gas(210203005),
    // gasolinas A e C
    mixed(320101001, false),
    mixed(320101002, false),
    mixed(320102001, true),
    mixed(320102002, true),
    mixed(320102003, true),
    mixed(320102005, true),
    mixed(320103001, true),
    mixed(320103002, true),
    mixed(320103003, true),
    pure(320201001, false),
    mixed(320301001, true),
    mixed(320301002, true),
    // óleos diesel A, C e marítimos
    mixed(420101004, false),
    mixed(420101005, false),
    mixed(420102004, false),
    mixed(420102005, false),
    mixed(420105001, false),
    mixed(420107001, true),
    pure(420201001, false),
    pure(420201003, false),
    pure(420301002, false),
    // etanol anidro
    pure(810102001, true),
    pure(810102003, true),
    pure(810102004, true),
    // biodiesel e óleos diesel B
    pure(820101001, true),
    mixed(820101003, true),
    mixed(820101011, true),
    mixed(820101012, true),
    mixed(820101013, true),
    mixed(820101025, true),
    mixed(820101026, true),
    mixed(820101027, true),
    mixed(820101030, true),
    mixed(820101032, true),
    mixed(820101033, true),
    mixed(820101034, true),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::anp;

    #[test]
    fn fuels_taxed_once_are_gas_gasoline_diesel_and_their_biofuels() {
        for codigo in ["820101034", "210203001", "320102001", "820101001", "810102001", "320201001", "420301002"] {
            assert!(find(codigo).is_some(), "{codigo}");
        }
        for codigo in ["810101001", "810102002", "820101010", "", "220101005"] {
            assert_eq!(find(codigo), None, "{codigo}");
        }
    }

    #[test]
    fn a_mixture_has_its_days() {
        let mixture = |codigo, on| obligatory_mixture(codigo, on).map(|percent| percent.to_string());
        for common in ["320102001", "320102002"] {
            assert_eq!(mixture(common, date(2015, 3, 15)), None);
            assert_eq!(mixture(common, date(2025, 7, 31)).as_deref(), Some("27"));
            assert_eq!(mixture(common, date(2025, 8, 1)).as_deref(), Some("30"));
            assert_eq!(mixture(common, date(2026, 7, 31)).as_deref(), Some("30"));
            assert_eq!(mixture(common, date(2026, 8, 1)).as_deref(), Some("32"));
        }
        assert_eq!(mixture("320102003", date(2026, 7, 31)).as_deref(), Some("25"));
        assert_eq!(mixture("320102003", date(2026, 8, 1)).as_deref(), Some("25"));
        assert_eq!(mixture("820101034", date(2026, 11, 22)), None);
    }

    #[test]
    fn a_mixture_that_was_not_seen_is_not_guessed() {
        for other in ["320103001", "320103002", "320103003", "320301001", "320301002"] {
            assert_eq!(obligatory_mixture(other, date(2026, 7, 31)), Some(Decimal::from(30)), "{other}");
            assert_eq!(obligatory_mixture(other, date(2026, 8, 1)), None, "{other}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(ROWS.windows(2).all(|pair| pair[0].cProdANP < pair[1].cProdANP));
        assert!(ROWS.iter().all(|row| anp::exists(&row.cProdANP.to_string())));
        let count = |is: fn(&MonophasicFuel) -> bool| ROWS.iter().filter(|row| is(row)).count();
        assert_eq!((count(|row| row.pBio), count(|row| row.origComb), count(|row| row.uTrib == "KG")), (28, 25, 4));
    }
}
