//! Pages made from tables, by address and title.

/// A page of rules, codes or dates.
pub(crate) struct TablePage {
    pub(crate) address: &'static str,
    /// Its title, and its entry in the navigation.
    pub(crate) title: &'static str,
}

pub(super) const CHANGES_PAGE: TablePage =
    TablePage { address: "/docs/guia/o-que-muda", title: "O que muda, e quando" };
pub(super) const RULES_PAGE: TablePage = TablePage { address: "/docs/guia/regras", title: "Regras da NF-e e da NFC-e" };
pub(super) const CTE_RULES_PAGE: TablePage =
    TablePage { address: "/docs/guia/regras-do-cte", title: "Regras do CT-e e do CT-e OS" };
pub(super) const NFSE_RULES_PAGE: TablePage =
    TablePage { address: "/docs/guia/regras-da-nfse", title: "Regras da NFS-e nacional" };
pub(crate) const MUNICIPAL_CODES_PAGE: TablePage =
    TablePage { address: "/docs/guia/codigos-das-prefeituras", title: "Códigos das prefeituras (ABRASF)" };
pub(super) const MUNICIPIOS_PAGE: TablePage =
    TablePage { address: "/docs/guia/municipios-de-ensaio", title: "Municípios da NFS-e" };
pub(super) const CODES_PAGE: TablePage =
    TablePage { address: "/docs/guia/codigos", title: "Códigos da SEFAZ (cStat)" };

/// All of them, in the order of the navigation.
pub(super) const TABLE_PAGES: [TablePage; 7] =
    [CHANGES_PAGE, RULES_PAGE, CTE_RULES_PAGE, NFSE_RULES_PAGE, MUNICIPAL_CODES_PAGE, MUNICIPIOS_PAGE, CODES_PAGE];
