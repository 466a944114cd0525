//! Exemption, deferral, indirect export, immune paper: a document that each rule refuses, and the nearest it accepts.

use super::{DIFERIDO, Edit, ICMS00, INTERSTATE, Pair, REF_EDIT, pair, pair_65};
use crate::nfe::rules::options::StateChoice;

const EXEMPT: Edit =
    (ICMS00, "<ICMS40><orig>0</orig><CST>40</CST><vICMSDeson>18.00</vICMSDeson><motDesICMS>7</motDesICMS></ICMS40>");
const REGISTERED: Edit = ("</indIEDest>", "</indIEDest><ISUF>200106023</ISUF>");
const OF_THE_ZONE: Edit = ("<CFOP>5102<", "<CFOP>6109<");
const NO_VALUE: Edit = ("<vICMSDeson>18.00<", "<vICMSDeson>0.00<");
const DEFERRED: Edit = (ICMS00, DIFERIDO);
const TOLD: Edit = ("<CST>51</CST><vBC>", "<CST>51</CST><modBC>3</modBC><vBC>");
const BARE: Edit = (ICMS00, "<ICMS51><orig>0</orig><CST>51</CST></ICMS51>");
const RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const ADJUSTMENT: Edit = ("<finNFe>1<", "<finNFe>3<");
const ENTRY: Edit = ("<tpNF>1<", "<tpNF>0<");
const IN_PR: Edit = ("<cUF>35<", "<cUF>41<");
const IN_RJ: Edit = ("<cUF>35<", "<cUF>33<");
const IN_MG: Edit = ("<cUF>35<", "<cUF>31<");
const EXPORTED: Edit = (
    "</prod>",
    "<detExport><exportInd><nRE>1</nRE><chNFe>35261111222333000181550010000000011123456784</chNFe><qExport>1</qExport></exportInd></detExport></prod>",
);
const EXPORTED_TOO: Edit = (
    "</prod>",
    "<detExport><exportInd><nRE>2</nRE><chNFe>35261112ABC34501DE35550010000000011100001234</chNFe><qExport>1</qExport></exportInd></detExport></prod>",
);

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("N28-10", &[EXEMPT], &[EXEMPT, REGISTERED]),
    pair_65("N28-10", &[EXEMPT], &[]),
    pair("N28-20", &[EXEMPT], &[EXEMPT, OF_THE_ZONE]),
    pair("N28-30", &[EXEMPT, NO_VALUE], &[EXEMPT]),
    pair_65("N28-30", &[EXEMPT, NO_VALUE], &[EXEMPT]),
    pair("N12-97", &[DEFERRED], &[DEFERRED, TOLD]),
    pair("N12-97", &[BARE, IN_PR, RETURN], &[BARE, IN_RJ, RETURN]),
    pair("N12-97", &[BARE, IN_RJ, ENTRY], &[BARE, ENTRY]),
    pair("N07-10", &[BARE, RETURN], &[BARE, RETURN]).refused_choosing(StateChoice::ExigeDiferimentoSempre),
    pair("W03-20", &[("<vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>", "<vBC>200000.01</vBC><vICMS>18.00</vICMS><vICMSDeson>")], &[("<vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>", "<vBC>200000.00</vBC><vICMS>18.00</vICMS><vICMSDeson>")]).choosing(StateChoice::LimitaBaseDoIcms),
    pair_65("W03-20", &[("<vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>", "<vBC>200000.01</vBC><vICMS>18.00</vICMS><vICMSDeson>")], &[("<vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>", "<vBC>200000.01</vBC><vICMS>18.00</vICMS><vICMSDeson>")]).refused_choosing(StateChoice::LimitaBaseDoIcms),
    pair("LB01-30", &[("</prod>", "<nRECOPI>20131106114609734394</nRECOPI></prod>")], &[("</prod>", "<nRECOPI>20131106114609734393</nRECOPI></prod>")]),
    pair("I54-10", &[EXPORTED, ("123456784</chNFe>", "123456785</chNFe>")], &[EXPORTED]),
    pair("I54-20", &[EXPORTED, ("<chNFe>3526111122233300018155", "<chNFe>3526111122233300018165")], &[EXPORTED]),
    pair("I54-30", &[EXPORTED, EXPORTED], &[EXPORTED, EXPORTED_TOO]),
    pair("I54-40", &[EXPORTED], &[REF_EDIT, EXPORTED]),
];

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "N28-10", &[EXEMPT, ("<CFOP>5102<", "<CFOP>2203<")]),
    (55, "N28-10", &[EXEMPT, ("<motDesICMS>7<", "<motDesICMS>9<")]),
    (55, "N28-20", &[EXEMPT, ("<motDesICMS>7<", "<motDesICMS>9<")]),
    // exception 1 everywhere, 2 and 3 in RJ and SP, 4 in SP; only GO, PR, RJ and SP apply the rule
    (55, "N12-97", &[BARE, IN_PR, RETURN, INTERSTATE]),
    (55, "N12-97", &[BARE, ADJUSTMENT]),
    (55, "N12-97", &[BARE, IN_RJ, ADJUSTMENT]),
    (55, "N12-97", &[BARE, IN_MG]),
    (55, "W03-20", &[("<vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>", "<vBC>900000.00</vBC><vICMS>18.00</vICMS><vICMSDeson>")]),
];
