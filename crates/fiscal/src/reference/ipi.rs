//! Codes of legal framing of the IPI (`cEnq`), and their compatibility with a CST.
//!
//! Law: MOC 7.0 visão geral §8.9, table 8-6 (consolidated in October 2020, the latest published), used by O06-10 and
//! O09-10 of its anexo I. The codes are in blocks, one per kind of benefit.

/// First and last code of each block: immunity, suspension, exemption, reduction, everything else.
static BLOCKS: [(u16, u16); 5] = [(1, 7), (101, 165), (301, 351), (601, 608), (999, 999)];

/// True when the table has the code, with any number of leading zeros.
pub fn exists(cEnq: &str) -> bool {
    number(cEnq).is_some_and(|code| BLOCKS.iter().any(|(first, last)| (*first..=*last).contains(&code)))
}

/// True when the code suits the CST: exemption (02, 52), immunity (04, 54) and suspension (05, 55) have a hundred codes
/// each; other CST accept every code.
pub fn suits(cEnq: &str, cst: &str) -> bool {
    let of_its_own = match cst {
        "02" | "52" => 301..=399,
        "04" | "54" => 1..=99,
        "05" | "55" => 101..=199,
        _ => return true,
    };
    number(cEnq).is_some_and(|code| of_its_own.contains(&code))
}

fn number(cEnq: &str) -> Option<u16> {
    cEnq.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_132_codes() {
        assert_eq!((0..=999).filter(|code| exists(&format!("{code:03}"))).count(), 132);
        for known in ["001", "7", "101", "165", "351", "608", "999"] {
            assert!(exists(known), "{known}");
        }
        for none in ["000", "008", "100", "166", "300", "352", "600", "609", "998", "", "A01"] {
            assert!(!exists(none), "{none}");
        }
    }

    #[test]
    fn a_cst_has_its_hundred() {
        assert!(suits("301", "52") && suits("399", "02") && !suits("999", "52") && !suits("400", "02"));
        assert!(suits("001", "04") && suits("2", "54") && !suits("101", "54") && !suits("000", "04"));
        assert!(suits("199", "05") && !suits("301", "55"));
        assert!(suits("999", "50") && suits("301", "53") && suits("", "99"));
    }
}
