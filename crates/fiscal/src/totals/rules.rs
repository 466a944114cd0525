//! Places of the base and the amount of each tax in each layout.

use super::{amount, descendant, first_text};
use crate::tipo::Tipo;
use crate::xml::Element;
use rust_decimal::Decimal;

/// Place of a tax: the group that holds it, and the names of its members at any depth in the group, or their paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaxRule {
    pub(super) imposto: &'static str,
    /// Group; empty for the whole document.
    group: &'static str,
    cst: &'static [&'static str],
    base: &'static [&'static str],
    valor: &'static [&'static str],
    /// `true` if the row counts without an amount: an exempt item has a CST.
    without_amount: bool,
}

/// Values of a tax in an item.
pub(super) struct StatedTax<'x> {
    pub(super) cst: &'x str,
    pub(super) base: Decimal,
    pub(super) valor: Decimal,
}

impl TaxRule {
    const fn of(
        imposto: &'static str,
        group: &'static str,
        [cst, base, valor]: [&'static [&'static str]; 3],
    ) -> TaxRule {
        TaxRule { imposto, group, cst, base, valor, without_amount: true }
    }

    /// A tax that shares its group with another one.
    const fn beside(
        imposto: &'static str,
        group: &'static str,
        [cst, base, valor]: [&'static [&'static str]; 3],
    ) -> TaxRule {
        TaxRule { imposto, group, cst, base, valor, without_amount: false }
    }

    /// Reads the tax; `None` when the item does not have it.
    pub(super) fn read<'x>(&self, taxes: &'x Element) -> Option<StatedTax<'x>> {
        let group = if self.group.is_empty() { taxes } else { descendant(taxes, self.group)? };
        let valor = first_text(group, self.valor);
        if valor.is_none() && !self.without_amount {
            return None;
        }
        let cst = first_text(group, self.cst).unwrap_or_default();
        Some(StatedTax { cst, base: amount(first_text(group, self.base)), valor: amount(valor) })
    }
}

const ICMS_CODE: &[&str] = &["CST", "CSOSN"];

const GOODS: &[TaxRule] = &[
    TaxRule::of("ICMS", "ICMS", [ICMS_CODE, &["vBC"], &["vICMS"]]),
    TaxRule::beside("ICMS ST", "ICMS", [ICMS_CODE, &["vBCST"], &["vICMSST"]]),
    TaxRule::beside("FCP", "ICMS", [ICMS_CODE, &["vBCFCP"], &["vFCP"]]),
    TaxRule::beside("FCP ST", "ICMS", [ICMS_CODE, &["vBCFCPST"], &["vFCPST"]]),
    TaxRule::beside("ICMS UF destino", "ICMSUFDest", [&[], &["vBCUFDest"], &["vICMSUFDest"]]),
    TaxRule::of("IPI", "IPI", [&["CST"], &["vBC"], &["vIPI"]]),
    TaxRule::of("PIS", "PIS", [&["CST"], &["vBC"], &["vPIS"]]),
    TaxRule::of("COFINS", "COFINS", [&["CST"], &["vBC"], &["vCOFINS"]]),
    TaxRule::of("II", "II", [&[], &["vBC"], &["vII"]]),
    TaxRule::of("ISSQN", "ISSQN", [&[], &["vBC"], &["vISSQN"]]),
    TaxRule::of("IS", "IS", [&["CSTIS"], &["vBCIS"], &["vIS"]]),
    TaxRule::of("IBS", "IBSCBS", [&["CST"], &["vBC"], &["vIBS"]]),
    TaxRule::of("CBS", "IBSCBS", [&["CST"], &["vBC"], &["vCBS"]]),
];

const TRANSPORT: &[TaxRule] = &[
    TaxRule::of("ICMS", "ICMS", [ICMS_CODE, &["vBC", "vBCOutraUF"], &["vICMS", "vICMSOutraUF"]]),
    TaxRule::beside("ICMS UF destino", "ICMSUFFim", [&[], &["vBCUFFim"], &["vICMSUFFim"]]),
    TaxRule::of("IBS", "IBSCBS", [&["CST"], &["vBC"], &["vIBS"]]),
    TaxRule::of("CBS", "IBSCBS", [&["CST"], &["vBC"], &["vCBS"]]),
];

const NATIONAL_SERVICES: &[TaxRule] = &[
    // `vBC` may be absent, and the group of IBS and CBS has one of its own
    TaxRule::of("ISSQN", "infNFSe", [&["tribISSQN"], &["valores/vBC"], &["valores/vISSQN"]]),
    TaxRule::beside("PIS", "piscofins", [&["CST"], &["vBCPisCofins"], &["vPis"]]),
    TaxRule::beside("COFINS", "piscofins", [&["CST"], &["vBCPisCofins"], &["vCofins"]]),
    TaxRule::beside("IRRF", "tribFed", [&[], &[], &["vRetIRRF"]]),
    TaxRule::beside("CSLL", "tribFed", [&[], &[], &["vRetCSLL"]]),
    TaxRule::beside("CP", "tribFed", [&[], &[], &["vRetCP"]]),
];

const MUNICIPAL_SERVICES: &[TaxRule] = &[
    TaxRule::of("ISSQN", "", [&[], &["BaseCalculo"], &["ValorIss"]]),
    TaxRule::beside("PIS", "", [&[], &[], &["ValorPis"]]),
    TaxRule::beside("COFINS", "", [&[], &[], &["ValorCofins"]]),
    TaxRule::beside("INSS", "", [&[], &[], &["ValorInss"]]),
    TaxRule::beside("IRRF", "", [&[], &[], &["ValorIr"]]),
    TaxRule::beside("CSLL", "", [&[], &[], &["ValorCsll"]]),
];

/// Rules of a document.
pub(super) fn rules_of(tipo: Tipo, root: &Element) -> &'static [TaxRule] {
    match tipo {
        Tipo::Nfe | Tipo::Nfce => GOODS,
        Tipo::Cte => TRANSPORT,
        Tipo::Nfse if descendant(root, "infNFSe").is_some() => NATIONAL_SERVICES,
        Tipo::Nfse => MUNICIPAL_SERVICES,
    }
}
