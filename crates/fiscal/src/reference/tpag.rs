//! Means of payment (`tPag`), each with the day from which production accepts it.
//!
//! Law: Informe Técnico 2024.002 v1.11 (table of means of payment of the NF-e portal); MOC 7.0 anexo I, YA02.

use jiff::civil::{Date, date};

/// A means of payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeioPagamento {
    /// 2 digits.
    pub codigo: u8,
    /// First day in production.
    pub inicio: Date,
    /// Official text.
    pub descricao: &'static str,
}

/// Means that the table had before its Informe Técnico.
const ALWAYS: Date = date(2016, 1, 1);
/// Informe Técnico 2024.002 v1.00.
const V1_00: Date = date(2024, 7, 1);
/// Informe Técnico 2024.002 v1.10.
const V1_10: Date = date(2025, 11, 3);
/// Informe Técnico 2024.002 v1.11.
const V1_11: Date = date(2026, 5, 4);
/// NT 2020.006: transfers, loyalty and Pix.
const NT_2020_006: Date = date(2021, 9, 1);

/// Finds a code that is accepted on a day.
pub fn find(tPag: &str, on: Date) -> Option<&'static MeioPagamento> {
    let codigo: u8 = tPag.parse().ok()?;
    let at = ROWS.binary_search_by_key(&codigo, |row| row.codigo).ok()?;
    ROWS.get(at).filter(|row| row.inicio <= on)
}

/// All means, sorted.
pub fn all() -> &'static [MeioPagamento] {
    ROWS
}

const fn row(codigo: u8, inicio: Date, descricao: &'static str) -> MeioPagamento {
    MeioPagamento { codigo, inicio, descricao }
}

#[rustfmt::skip]
static ROWS: &[MeioPagamento] = &[
    row(1, ALWAYS, "Dinheiro"),
    row(2, ALWAYS, "Cheque"),
    row(3, ALWAYS, "Cartão de Crédito"),
    row(4, ALWAYS, "Cartão de Débito"),
    row(5, ALWAYS, "Cartão da Loja (Private Label), Crediário Digital, Outros Crediários"),
    row(10, ALWAYS, "Vale Alimentação"),
    row(11, ALWAYS, "Vale Refeição"),
    row(12, ALWAYS, "Vale Presente"),
    row(13, ALWAYS, "Vale Combustível"),
    row(14, ALWAYS, "Duplicata Mercantil"),
    row(15, ALWAYS, "Boleto Bancário"),
    row(16, NT_2020_006, "Depósito Bancário"),
    row(17, NT_2020_006, "Pagamento Instantâneo (PIX) - Dinâmico"),
    row(18, NT_2020_006, "TED (Transferência Eletrônica Disponível)"),
    row(19, NT_2020_006, "Programa de fidelidade, Cashback, Crédito Virtual"),
    row(20, V1_00, "Pagamento Instantâneo (PIX) - Estático"),
    row(21, V1_00, "Crédito em Loja"),
    row(22, V1_00, "Pagamento Eletrônico não Informado - falha de hardware do sistema emissor"),
    row(23, V1_11, "Pagamento Instantâneo (PIX) - Automático"),
    row(24, V1_11, "TEF - Book Transfer"),
    row(90, ALWAYS, "Sem pagamento"),
    row(91, V1_10, "Pagamento Posterior"),
    row(99, ALWAYS, "Outros"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_counts_from_its_day() {
        assert_eq!(find("01", date(2026, 11, 21)).unwrap().descricao, "Dinheiro");
        assert_eq!(find("91", date(2025, 11, 2)), None);
        assert!(find("91", date(2025, 11, 3)).is_some());
        assert_eq!(find("23", date(2026, 5, 3)), None);
        assert!(find("24", date(2026, 5, 4)).is_some());
        for none in ["06", "25", "98", "", "X1"] {
            assert_eq!(find(none, date(2026, 11, 21)), None, "{none}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(all().windows(2).all(|pair| pair[0].codigo < pair[1].codigo));
        assert_eq!(all().len(), 23);
    }
}
