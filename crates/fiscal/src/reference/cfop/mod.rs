//! Codes of CFOP, with their indicators in the NF-e portal's table.
//!
//! Law: Ajuste SINIEF (Convênio s/nº of 1970, anexo); MOC 7.0 visão geral §8.10 for the indicators; Informe Técnico
//! 2023.002 v1.00 for the table. An indicator comes from the table, never from the text or the position of a code: the
//! text of 7930 names a return, and its indicator does not.

mod table;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cfop {
    /// 4 digits.
    pub codigo: u16,
    /// A bit per indicator, see `indicator`.
    indicators: u16,
}

/// Columns of the table.
mod indicator {
    /// `indNFe`: allowed in an NF-e.
    pub(super) const N: u16 = 1;
    /// `indComunica`: services of communication.
    pub(super) const C: u16 = 1 << 1;
    /// `indTransp`: services of transport.
    pub(super) const T: u16 = 1 << 2;
    /// `indDevol`: return of goods by the buyer.
    pub(super) const D: u16 = 1 << 3;
    /// `indRetor`: return of goods sent before.
    pub(super) const R: u16 = 1 << 4;
    /// `indAnula`: annulment of a value.
    pub(super) const A: u16 = 1 << 5;
    /// `indRemes`: goods sent without a sale.
    pub(super) const M: u16 = 1 << 6;
    /// `indComb` 1 or 2: fuel.
    pub(super) const F: u16 = 1 << 7;
    /// `indComb` 2: fuel, with the carrier named.
    pub(super) const X: u16 = 1 << 8;
}

/// Finds a code in the document's form. Headings of the anexo (`5100`) are no codes.
pub fn find(codigo: &str) -> Option<&'static Cfop> {
    let codigo: u16 = codigo.parse().ok()?;
    let at = table::ROWS.binary_search_by_key(&codigo, |row| row.codigo).ok()?;
    table::ROWS.get(at)
}

/// All codes, sorted.
pub fn all() -> &'static [Cfop] {
    &table::ROWS
}

impl Cfop {
    /// True for an entry of goods or services (1, 2, 3).
    pub fn is_entry(&self) -> bool {
        self.codigo < 4000
    }
    /// True when an item of an NF-e may carry it. Services of transport and communication have other documents.
    pub fn is_for_a_note(&self) -> bool {
        self.has(indicator::N)
    }
    /// True for a return by the buyer (`indDevol`).
    pub fn is_devolucao(&self) -> bool {
        self.has(indicator::D)
    }
    /// True for a return of goods sent before (`indRetor`).
    pub fn is_retorno(&self) -> bool {
        self.has(indicator::R)
    }
    /// True for goods sent without a sale (`indRemes`).
    pub fn is_remessa(&self) -> bool {
        self.has(indicator::M)
    }
    /// True for an annulment of a value (`indAnula`).
    pub fn is_anulacao(&self) -> bool {
        self.has(indicator::A)
    }
    /// True for fuel and lubricants (`indComb` 1 or 2).
    pub fn is_fuel(&self) -> bool {
        self.has(indicator::F)
    }
    /// True for fuel and lubricants with the carrier named (`indComb` 2).
    pub fn names_its_carrier(&self) -> bool {
        self.has(indicator::X)
    }
    /// True for services of communication (`indComunica`).
    pub fn is_communication(&self) -> bool {
        self.has(indicator::C)
    }
    /// True for services of transport (`indTransp`).
    pub fn is_transport(&self) -> bool {
        self.has(indicator::T)
    }
    /// True when an NFC-e may carry it (I08-150; NT 2024.001 v1.20).
    pub fn is_for_nfce(&self) -> bool {
        matches!(self.codigo, 5101..=5104 | 5115 | 5405 | 5656 | 5667 | 5910 | 5933)
    }

    fn has(&self, indicator: u16) -> bool {
        self.indicators & indicator != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(is: impl Fn(&Cfop) -> bool) -> Vec<u16> {
        all().iter().filter(|row| is(row)).map(|row| row.codigo).collect()
    }

    #[test]
    fn finds_codes_and_no_headings() {
        assert!(["5102", "5504", "5505", "6504", "6505", "6929", "7552"].iter().all(|codigo| find(codigo).is_some()));
        for none in ["5100", "5999", "4102", "0", "", "51O2"] {
            assert_eq!(find(none), None, "{none}");
        }
        assert!(find("3102").is_some_and(Cfop::is_entry) && !find("5102").is_some_and(Cfop::is_entry));
    }

    #[test]
    fn returns_are_those_of_the_portal() {
        for codigo in ["1201", "1410", "1504", "1918", "2202", "3202", "5202", "5411", "5556", "5921", "6202", "7202"] {
            assert!(find(codigo).unwrap().is_devolucao(), "{codigo}");
        }
        for codigo in ["5102", "5910", "1949", "5949", "6949", "5405", "7930"] {
            assert!(!find(codigo).unwrap().is_devolucao(), "{codigo}");
        }
        assert!(["1903", "2903", "5916"].iter().all(|codigo| find(codigo).unwrap().is_retorno()));
        assert!(["5504", "5915"].iter().all(|codigo| find(codigo).unwrap().is_remessa()));
        assert!(["5131", "6131"].iter().all(|codigo| !find(codigo).unwrap().is_remessa()));
        assert!(find("5206").unwrap().is_anulacao());
    }

    #[test]
    fn groups_follow_the_table() {
        assert!(["1652", "3652", "5656", "5667", "6655", "7651"].iter().all(|codigo| find(codigo).unwrap().is_fuel()));
        assert!(!find("5102").unwrap().is_fuel());
        assert!(find("5652").unwrap().names_its_carrier() && !find("5656").unwrap().names_its_carrier());
        assert!(find("5301").unwrap().is_communication());
        assert!(find("6353").unwrap().is_transport() && find("5932").unwrap().is_transport());
        assert_eq!(codes(Cfop::is_for_nfce), [5101, 5102, 5103, 5104, 5115, 5405, 5656, 5667, 5910, 5933]);
    }

    /// Sums of the sheet's columns.
    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(all().windows(2).all(|pair| pair[0].codigo < pair[1].codigo));
        assert!(all().iter().all(|row| matches!(row.codigo / 1000, 1..=3 | 5..=7)));
        let columns: [fn(&Cfop) -> bool; 9] = [
            Cfop::is_for_a_note,
            Cfop::is_communication,
            Cfop::is_transport,
            Cfop::is_devolucao,
            Cfop::is_retorno,
            Cfop::is_anulacao,
            Cfop::is_remessa,
            Cfop::is_fuel,
            Cfop::names_its_carrier,
        ];
        assert_eq!(columns.map(|is| codes(is).len()), [585, 15, 23, 105, 64, 18, 52, 63, 47]);
        assert_eq!(all().len(), 619);
    }
}
