//! Places of an operation (`cIndOp`), and those that an NF-e may carry.
//!
//! Law: table "Código Indicador de Local da Operação", v1.02.00 (Anexo VII of the NFS-e's package, which both documents
//! share); NT 2025.002 v1.51, B25d-20.

/// A place of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationIndicator {
    /// 6 digits.
    pub codigo: u32,
    /// `indNFe`.
    pub nfe: bool,
}

/// Finds a code.
pub fn find(cIndOp: &str) -> Option<OperationIndicator> {
    let codigo: u32 = cIndOp.parse().ok()?;
    let at = ROWS.binary_search_by_key(&codigo, |row| row.codigo).ok()?;
    ROWS.get(at).copied()
}

const fn row(codigo: u32, nfe: bool) -> OperationIndicator {
    OperationIndicator { codigo, nfe }
}

/// Sorted.
#[rustfmt::skip]
static ROWS: &[OperationIndicator] = &[
    row(10101, false),
    row(10102, false),
    row(10103, false),
    row(10104, true),
    row(10105, true),
    row(10106, false),
    row(10201, false),
    row(10202, false),
    row(20101, false),
    row(20201, false),
    row(20202, false),
    row(20301, false),
    row(20401, false),
    row(30101, false),
    row(30102, false),
    row(40101, false),
    row(50101, false),
    row(50102, false),
    row(50201, false),
    row(60101, false),
    row(70101, false),
    row(70102, false),
    row(80101, false),
    row(90101, false),
    row(90102, false),
    row(100101, false),
    row(100102, false),
    row(100201, false),
    row(100301, false),
    row(100302, false),
    row(100401, false),
    row(100501, false),
    row(100502, false),
    row(100601, false),
    row(110101, false),
    row(110201, false),
    row(120101, false),
    row(130101, false),
    row(130201, false),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_goods_tells_only_where_seized_goods_lie() {
        assert!(find("010104").unwrap().nfe && find("010105").unwrap().nfe);
        assert!(!find("010101").unwrap().nfe && !find("130201").unwrap().nfe);
        for none in ["", "010107", "999999", "X"] {
            assert_eq!(find(none), None, "{none}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(ROWS.windows(2).all(|pair| pair[0].codigo < pair[1].codigo));
        assert_eq!((ROWS.len(), ROWS.iter().filter(|row| row.nfe).count()), (39, 2));
    }
}
