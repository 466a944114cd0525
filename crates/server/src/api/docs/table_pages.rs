//! Addresses and titles of the pages made from tables, as the navigation lists them.

/// A page made from a table.
pub(crate) struct TablePage {
    pub(crate) address: &'static str,
    /// Title in the navigation.
    pub(super) title: &'static str,
}

/// In the order of the navigation.
pub(super) const ALL: [&TablePage; 7] =
    [&CHANGES, &NFE_RULES, &CTE_RULES, &NFSE_RULES, &MUNICIPAL_CODES, &MUNICIPALITIES, &STATUS_CODES];

pub(super) const CHANGES: TablePage = TablePage { address: "/docs/guia/o-que-muda", title: "O que muda, e quando" };
pub(crate) const NFE_RULES: TablePage = TablePage { address: "/docs/guia/regras", title: "Regras da NF-e e da NFC-e" };
pub(crate) const CTE_RULES: TablePage =
    TablePage { address: "/docs/guia/regras-do-cte", title: "Regras do CT-e e do CT-e OS" };
pub(crate) const NFSE_RULES: TablePage =
    TablePage { address: "/docs/guia/regras-da-nfse", title: "Regras da NFS-e nacional" };
pub(crate) const MUNICIPAL_CODES: TablePage =
    TablePage { address: "/docs/guia/codigos-das-prefeituras", title: "Códigos das prefeituras (ABRASF)" };
pub(super) const MUNICIPALITIES: TablePage =
    TablePage { address: "/docs/guia/municipios-de-ensaio", title: "Municípios da NFS-e" };
pub(crate) const STATUS_CODES: TablePage =
    TablePage { address: "/docs/guia/codigos", title: "Códigos da SEFAZ (cStat)" };
