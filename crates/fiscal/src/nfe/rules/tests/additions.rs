//! Rules about fields that technical notes added (`layout::additions`).

use super::{Edit, ICMS00, Pair, pair, pair_65};

/// NT 2026.005: an activity behind the last field of the base's `prod`.
const UNTAXED: Edit = ("</indTot>", "</indTot><cAtivSN>90</cAtivSN>");
const RESALE: Edit = ("</indTot>", "</indTot><cAtivSN>01</cAtivSN>");
/// The base's taxes of the reform, stated only within the Simples.
const WITHIN_THE_SIMPLES: Edit = (
    "<gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun>\
     <vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.74</vCBS></gCBS></gIBSCBS>",
    TRIB_SN,
);
const TRIB_SN: &str = "<gTribSN><gIBSSN><pIBSSN>0.0068</pIBSSN><vIBSSN>0.01</vIBSSN></gIBSSN><gCBSSN><pCBSSN>0.6132</pCBSSN>\
     <vCBSSN>0.61</vCBSSN></gCBSSN></gTribSN>";
const ABOVE_THE_SUBLIMIT: Edit = ("<CRT>3<", "<CRT>2<");
const BESIDE_THE_GROUP: Edit =
    ("</gIBSCBS>", "</gIBSCBS><gTribSN><gCBSSN><pCBSSN>0.6132</pCBSSN><vCBSSN>0.61</vCBSSN></gCBSSN></gTribSN>");
const NO_RATE: Edit = ("<pIBSUF>0.1000<", "<pIBSUF>0.0000<");
const NO_CBS_RATE: Edit = ("<pCBS>0.9000<", "<pCBS>0.0000<");

/// NT 2026.008: net value 90.00 of the base's 100.00.
const NET: Edit = ("<cEANTrib>", "<vUnComLiq>45.00</vUnComLiq><vProdLiq>90.00</vProdLiq><cEANTrib>");
const NET_TOTAL: Edit = ("<total>", "<total><vProdLiqTot>90.00</vProdLiqTot>");
const FORESEEN: Edit =
    (ICMS00, "<ICMSPrevistoPagtoAntecip><vICMSPrevisto>18.00</vICMSPrevisto></ICMSPrevistoPagtoAntecip>");
const ADVANCE: Edit = ("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>06</tpNFDebito>");
const PAID_BEFORE: Edit = (
    "</ide>",
    "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.00</pRedutor><tpOperGov>4</tpOperGov></gCompraGov></ide>",
);

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("I11c-20", &[("<cEANTrib>", "<vUnComLiq>45.00</vUnComLiq><vProdLiq>90.02</vProdLiq><cEANTrib>")], &[("<cEANTrib>", "<vUnComLiq>45.00</vUnComLiq><vProdLiq>90.01</vProdLiq><cEANTrib>")]),
    pair_65("NB01-10", &[FORESEEN], &[]),
    pair("NB01-20", &[FORESEEN], &[FORESEEN, ADVANCE]),
    pair("NB01-30", &[ADVANCE], &[ADVANCE, FORESEEN]).received_later(),
    pair("UB13-30", &[WITHIN_THE_SIMPLES], &[("<CRT>3<", "<CRT>1<"), WITHIN_THE_SIMPLES]),
    pair("UB14-90", &[UNTAXED], &[RESALE]),
    pair("W01a-10", &[NET], &[NET, NET_TOTAL]),
    pair("W01a-20", &[NET, ("<total>", "<total><vProdLiqTot>90.01</vProdLiqTot>")], &[NET, NET_TOTAL]),
];

/// Model, rule, replacements.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "UB13-30", &[("<CRT>3<", "<CRT>1<"), WITHIN_THE_SIMPLES]),
    (55, "UB18-10", &[ABOVE_THE_SUBLIMIT, BESIDE_THE_GROUP, NO_RATE]),
    (55, "UB56-10", &[ABOVE_THE_SUBLIMIT, BESIDE_THE_GROUP, NO_CBS_RATE]),
    (55, "I11c-20", &[("<finNFe>1<", "<finNFe>2<"), ("<cEANTrib>", "<vUnComLiq>45.00</vUnComLiq><vProdLiq>95.00</vProdLiq><cEANTrib>")]),
    (55, "NB01-20", &[FORESEEN, PAID_BEFORE]),
    (55, "NB01-30", &[ADVANCE]),
    (55, "B25-80", &[ADVANCE, FORESEEN]),
    (55, "UB14-90", &[UNTAXED, ("<CST>000</CST><cClassTrib>000001<", "<CST>410</CST><cClassTrib>410999<")]),
];
