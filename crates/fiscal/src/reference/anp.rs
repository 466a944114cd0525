//! The products of ANP (`cProdANP`): those we know, and whether another code can be one.
//!
//! Law: Informe Técnico 2023.001 v1.10 (its 16 new codes), MOC 7.0 visão geral table 8-7, NT 2016.002, NT 2023.001 v1.60, NT 2025.002 v1.51.
//! The whole table (`T012` of SIMP, at ANP) is in none of them and in no package: a code that is not here may exist all the same.
//! So a rule asks `can_exist`, which says no only to what cannot be a product: the class (first two digits) is none of SIMP's, or
//! the code counts from a later day.

use jiff::civil::{Date, date};

/// Day from which production accepts the codes of IT 2023.001 v1.10.
const V1_10: Date = date(2024, 12, 16);

/// Whether a note of that day may carry the code, as far as we can know.
pub fn can_exist(cProdANP: &str, on: Date) -> bool {
    let Ok(codigo) = cProdANP.parse::<u32>() else { return false };
    if NEW.binary_search(&codigo).is_ok() {
        return on >= V1_10;
    }
    cProdANP.len() == 9 && CLASSES.binary_search(&(codigo / 10_000_000)).is_ok()
}

/// Whether we know the code by name.
pub fn is_listed(cProdANP: &str) -> bool {
    cProdANP.parse().is_ok_and(|codigo| LISTED.binary_search(&codigo).is_ok() || NEW.binary_search(&codigo).is_ok())
}

/// Fuels taxed once (ICMS: Lei Complementar 192/2022, Convênios 199/2022 and 15/2023, table of NT 2023.001; IBS and CBS: LC 214/2025,
/// art. 172). The portal's table is in no package; this one follows the codes that the notes themselves name.
pub fn is_monophasic(cProdANP: &str) -> bool {
    cProdANP.parse().is_ok_and(|codigo| MONOPHASIC.binary_search(&codigo).is_ok())
}

/// First two digits of products of SIMP: crude oils, gases, gasolines, kerosenes and diesel, heavy oils and coke, lubricants and
/// solvents, additives, biofuels. A class is here when a code of it is known, or when the neighbouring ones are: rather too many than too few.
static CLASSES: [u32; 32] = [
    11, 12, 13, 21, 22, 31, 32, 33, 34, 41, 42, 43, 51, 52, 53, 54, 55, 56, 61, 62, 63, 64, 65, 66, 71, 72, 73, 74, 81,
    82, 83, 84,
];

/// Codes named by the documents, and the lubricants and solvents of SIMP that issuers use; all valid since before 2024.
#[rustfmt::skip]
static LISTED: [u32; 187] = [
    210101001, 210201001, 210201002, 210201003, 210202001, 210202002, 210202003, 210203001, 210203002, 210203003, 210203004, 210203005,
    210204001, 210204002, 210301001, 210301002, 210302001, 210302002, 210302003, 210302004, 220101001, 220101002, 220101003, 220101004,
    220101005, 220101006, 220102001, 220102002, 320101001, 320101002, 320101003, 320102001, 320102002, 320102003, 320102004, 320102005,
    320103001, 320103002, 320103003, 320201001, 320201002, 320301001, 320301002, 340101002, 340101003, 410101001, 410101002, 410102001,
    410102002, 410103001, 420101003, 420101004, 420101005, 420102003, 420102004, 420102005, 420102006, 420104001, 420105001, 420106001,
    420106002, 420201001, 420201002, 420201003, 420202001, 420301001, 420301002, 420301003, 420301004, 430101004, 510101001, 510101002,
    510101003, 510102001, 510102002, 510102003, 510103001, 510201001, 510201002, 510201003, 510301001, 510301002, 510301003, 520101001,
    540101001, 540101002, 550101001, 550101002, 550101003, 550101004, 550101005, 560101001, 560101002, 560101003, 610101001, 610101002,
    610101003, 610101004, 610101005, 610101006, 610101007, 610101008, 610101009, 610101010, 610201001, 610201002, 610201003, 610201004,
    610301001, 610302001, 610401001, 610401002, 610401003, 610401004, 610501001, 610601001, 610701001, 620101001, 620101002, 620101003,
    620101004, 620101005, 620101006, 620101007, 620101008, 620201001, 620301001, 620401001, 620501001, 620501002, 620502001, 620504001,
    620505001, 620601001, 620601002, 620601003, 620601004, 630101001, 640101001, 640201001, 640301001, 640401001, 650101001, 650101002,
    660101001, 810101001, 810101002, 810101003, 810102001, 810102002, 810102003, 810102004, 810201001, 810201002, 820101001, 820101002,
    820101003, 820101004, 820101005, 820101006, 820101007, 820101008, 820101009, 820101010, 820101011, 820101012, 820101013, 820101014,
    820101015, 820101016, 820101017, 820101018, 820101019, 820101020, 820101021, 820101022, 820101025, 820101026, 820101027, 820101028,
    820101029, 820101030, 820101031, 820101032, 820101033, 820101034, 830101001,
];

/// IT 2023.001 v1.10, item 03.1.
#[rustfmt::skip]
static NEW: [u32; 16] = [
    420107001, 610502001, 610502002, 610503001, 610601002, 610702001, 611302001, 611401001, 611402001, 611402002, 611501001, 620101009,
    620501003, 620503001, 840101003, 840101004,
];

#[rustfmt::skip]
static MONOPHASIC: [u32; 35] = [
    210203001, 210203003, 210203004, 210203005, 320101001, 320101002, 320102001, 320102002, 320102003, 320102005, 320103001, 320103002,
    320103003, 320301001, 320301002, 420101004, 420101005, 420102004, 420102005, 420105001, 810102001, 810102002, 810102003, 810102004,
    820101001, 820101003, 820101010, 820101011, 820101012, 820101013, 820101026, 820101027, 820101032, 820101033, 820101034,
];

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = date(2026, 11, 21);

    #[test]
    fn codes_of_the_official_documents_exist() {
        for codigo in ["210203001", "320102001", "820101034", "810101001", "420107001", "840101003"] {
            assert!(is_listed(codigo) && can_exist(codigo, TODAY), "{codigo}");
        }
        assert!(can_exist("740101005", TODAY), "ARLA 32, which no document at hand lists");
    }

    #[test]
    fn what_cannot_be_a_product_does_not_exist() {
        for codigo in ["999999999", "000000000", "910101001", "32010200", "", "3201O2001"] {
            assert!(!can_exist(codigo, TODAY), "{codigo}");
        }
        assert!(!can_exist("840101003", date(2024, 12, 15)));
    }

    #[test]
    fn fuels_taxed_once_are_diesel_gas_gasoline_and_their_biofuels() {
        assert!(
            ["820101034", "210203001", "320102001", "820101001", "810102001"]
                .iter()
                .all(|codigo| is_monophasic(codigo))
        );
        assert!(!is_monophasic("810101001"), "etanol hidratado");
    }

    #[test]
    fn the_lists_are_sorted() {
        for list in [&LISTED[..], &NEW, &MONOPHASIC, &CLASSES] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert!(MONOPHASIC.iter().all(|codigo| LISTED.binary_search(codigo).is_ok()));
    }
}
