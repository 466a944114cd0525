//! Groups B25 and BA: references to other documents.

use super::{Edit, Pair, REF, REF_EDIT, REF_OTHER, pair, pair_65};
use crate::nfe::rules::options::StateChoice;

const COMPLEMENT: Edit = ("<finNFe>1<", "<finNFe>2<");
const CREDIT_01: Edit = ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>01</tpNFCredito>");
const CREDIT_02: Edit = ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>02</tpNFCredito>");
const CREDIT_03: Edit = ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>");
const CREDIT_04: Edit = ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>04</tpNFCredito>");
const REFNF: Edit = (
    "</ide>",
    "<NFref><refNF><cUF>35</cUF><AAMM>2610</AAMM><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>1</serie><nNF>7</nNF></refNF></NFref></ide>",
);
const OF_ANOTHER: Edit = ("<CNPJ>11222333000181</CNPJ><mod>01", "<CNPJ>12ABC34501DE35</CNPJ><mod>01");
/// A key of the issuer's own company, without its `cNF`.
const SIG: Edit =
    ("</ide>", "<NFref><refNFeSig>35261111222333000181550010000000011000000006</refNFeSig></NFref></ide>");
const SIG_OTHER: Edit =
    ("</ide>", "<NFref><refNFeSig>35261111222333000181550010000000021000000003</refNFeSig></NFref></ide>");
const CTE: Edit = ("</ide>", "<NFref><refCTe>35261111222333000181570010000000011123456781</refCTe></NFref></ide>");
const CTE_OTHER: Edit =
    ("</ide>", "<NFref><refCTe>35261111222333000181570010000000021123456789</refCTe></NFref></ide>");
const BY_ITEM: Edit = (
    "</imposto>",
    "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado>",
);
const OF_RETAIL: Edit = ("<chaveAcesso>3526111122233300018155", "<chaveAcesso>3526111122233300018165");
const ADVANCE: Edit =
    ("</ide>", "<gPagAntecipado><refNFe>35261111222333000181550010000000011123456784</refNFe></gPagAntecipado></ide>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("B25-30", &[COMPLEMENT], &[COMPLEMENT, REF_EDIT]),
    pair("B25-30", &[CREDIT_01], &[CREDIT_01, REF_EDIT]),
    pair("B25-30", &[CREDIT_03], &[CREDIT_03, REF_EDIT]),
    pair("B25-30", &[CREDIT_04], &[CREDIT_02]),
    pair("B25-40", &[COMPLEMENT, REF_EDIT, REF_EDIT], &[COMPLEMENT, REF_EDIT]),
    pair("B25-40", &[CREDIT_01, REF_EDIT, REFNF], &[CREDIT_01, REF_EDIT]),
    pair("B25-40", &[CREDIT_03, REF_EDIT, REFNF], &[("</ide>", REF), ("</ide>", REF_OTHER)]),
    pair("B25-50", &[COMPLEMENT, ("</ide>", REF_OTHER)], &[COMPLEMENT, REF_EDIT]),
    pair("B25-50", &[CREDIT_04, ("</ide>", REF_OTHER)], &[CREDIT_01, ("</ide>", REF_OTHER)]),
    pair("B25-50", &[COMPLEMENT, REFNF, OF_ANOTHER], &[COMPLEMENT, REFNF]),
    pair("B25-60", &[COMPLEMENT, REF_EDIT, ("<refNFe>35", "<refNFe>33")], &[COMPLEMENT, REF_EDIT]),
    pair("B25-60", &[CREDIT_03, REFNF, ("<refNF><cUF>35", "<refNF><cUF>33")], &[CREDIT_03, REFNF]),
    pair("BA02-10", &[("</ide>", "<NFref><refNFe>35261111222333000181550010000000011123456780</refNFe></NFref></ide>")], &[("</ide>", REF)]),
    pair("BA02-14", &[REF_EDIT, ("<refNFe>35", "<refNFe>99")], &[REF_EDIT, ("<refNFe>35", "<refNFe>33")]),
    pair("BA02-20", &[REF_EDIT, ("<refNFe>352611", "<refNFe>350511")], &[REF_EDIT, ("<refNFe>352611", "<refNFe>350601")]),
    pair("BA02-24", &[REF_EDIT, ("<refNFe>352611", "<refNFe>352613")], &[REF_EDIT, ("<refNFe>352611", "<refNFe>352612")]),
    pair("BA02-30", &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018255")], &[("</ide>", REF_OTHER)]),
    pair("BA02-34", &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018157")], &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018165")]),
    pair("BA02-35", &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018165")], &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018165"), ("<finNFe>1<", "<finNFe>2<")]),
    pair("BA02-40", &[REF_EDIT, ("5500100000000111234567", "5500100000000011234567")], &[REF_EDIT]),
    pair("BA02-44", &[("</ide>", REF), ("</ide>", REF)], &[("</ide>", REF), ("</ide>", REF_OTHER)]),
    pair("BA02-50", &[("</ide>", "<NFref><refNFe>35261111222333000181550010000000011847362510</refNFe></NFref></ide>")], &[("</ide>", REF)]),
    pair("BA02-60", &[REF_EDIT, ("0001112345678", "0001812345678")], &[REF_EDIT, ("0001112345678", "0001912345678")]),
    pair("BA02-70", &[("<finNFe>1<", "<finNFe>4<"), REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3326111122233300018165")], &[("<finNFe>1<", "<finNFe>4<"), REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3326111122233300018155")]).choosing(StateChoice::RecusaDevolucaoDeVarejoDeFora),
    pair("BA02a-10", &[SIG, ("<finNFe>1<", "<finNFe>4<")], &[SIG]),
    pair("BA02a-20", &[SIG, ("<refNFeSig>35", "<refNFeSig>99")], &[SIG]),
    pair("BA02a-30", &[SIG, ("<refNFeSig>3526", "<refNFeSig>3527")], &[SIG]),
    pair("BA02a-40", &[SIG, ("<refNFeSig>352611", "<refNFeSig>352600")], &[SIG]),
    pair("BA02a-50", &[SIG, ("<refNFeSig>35261111222333000181", "<refNFeSig>35261111222333000182")], &[SIG]),
    pair("BA02a-60", &[SIG, ("<refNFeSig>3526111122233300018155", "<refNFeSig>3526111122233300018165")], &[SIG]),
    pair("BA02a-70", &[SIG, ("<refNFeSig>3526111122233300018155001000000001", "<refNFeSig>3526111122233300018155001000000000")], &[SIG]),
    pair("BA02a-74", &[SIG, ("000000011000000006", "000000011000000016")], &[SIG]),
    pair("BA02a-80", &[SIG, SIG, ("11000000006<", "11000000007<")], &[SIG, SIG_OTHER]),
    pair("BA02a-90", &[SIG, REF_EDIT], &[SIG_OTHER, REF_EDIT]),
    pair("BA02a-100", &[SIG], &[SIG_OTHER]),
    pair("BA02a-110", &[SIG, ("0000000011000000006", "0000000010000000006")], &[SIG]),
    pair("BA02a-120", &[SIG], &[SIG]).refused_choosing(StateChoice::RecusaChaveSemCodigo),
    pair("BA19-10", &[CTE, ("0011123456781<", "0011123456782<")], &[CTE]),
    pair("BA19-14", &[CTE, ("<refCTe>35", "<refCTe>99")], &[CTE]),
    pair("BA19-20", &[CTE, ("<refCTe>3526", "<refCTe>3505")], &[CTE, ("<refCTe>3526", "<refCTe>3506")]),
    pair("BA19-24", &[CTE, ("<refCTe>352611", "<refCTe>352613")], &[CTE, ("<refCTe>352611", "<refCTe>352612")]),
    pair("BA19-30", &[CTE, ("<refCTe>35261111222333000181", "<refCTe>35261111222333000182")], &[CTE]),
    pair("BA19-34", &[CTE, ("<refCTe>3526111122233300018157", "<refCTe>3526111122233300018167")], &[CTE]),
    pair("BA19-40", &[CTE, ("57001000000001", "57001000000000")], &[CTE]),
    pair("BA19-44", &[CTE, CTE], &[CTE, CTE_OTHER]),
    pair("VC02-40 679", &[BY_ITEM, OF_RETAIL], &[BY_ITEM]),
    pair_65("11BC01-10", &[ADVANCE], &[]),
];

/// A key of a natural person's series, with a CPF in place of the CNPJ.
const OF_A_PERSON: &str = "<NFref><refNFe>35261100011144477735559200000000011123456780</refNFe></NFref></ide>";
const ISSUED_BY_A_PERSON: Edit = ("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>");
const RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "B25-50", &[COMPLEMENT, ISSUED_BY_A_PERSON, ("</ide>", OF_A_PERSON)]),
    // an avulsa has the Fisco's own CNPJ in its key
    (55, "B25-50", &[COMPLEMENT, ("</ide>", REF_OTHER), ("12ABC34501DE3555001", "12ABC34501DE3555890")]),
    (55, "B25-50", &[COMPLEMENT, CTE]),
    (55, "B25-60", &[CREDIT_01, REF_EDIT, ("<refNFe>35", "<refNFe>33")]),
    (55, "BA02-30", &[("</ide>", OF_A_PERSON)]),
    // Nota Fiscal Fácil: the fifth digit of the number is the kind of issuer
    (55, "BA02-30", &[("</ide>", OF_A_PERSON), ("55920000000001112", "55001000020001312")]),
    (55, "BA02-60", &[REF_EDIT, ("<refNFe>352611", "<refNFe>351104"), ("0001112345678", "0001812345678")]),
    (55, "BA02-60", &[REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3526111122233300018159"), ("0001112345678", "0001812345678")]),
    (55, "BA02-70", &[RETURN, REF_EDIT, ("<refNFe>3526111122233300018155", "<refNFe>3326111122233300018165")]),
    (55, "BA02a-10", &[SIG, ("<finNFe>1<", "<finNFe>3<")]),
    (55, "VC02-40 679", &[BY_ITEM, OF_RETAIL, ("<tpNF>1<", "<tpNF>0<")]),
    (55, "VC02-40 679", &[BY_ITEM, OF_RETAIL, COMPLEMENT]),
    (55, "VC02-40 679", &[BY_ITEM, OF_RETAIL, ("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>")]),
];
