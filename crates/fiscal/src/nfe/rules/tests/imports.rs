//! Groups I01 and I03: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, Edit, Pair, pair, pair_65};

const DI: Edit = (
    "</indTot>",
    "</indTot><DI><nDI>1</nDI><dDesemb>2026-11-20</dDesemb><tpViaTransp>7</tpViaTransp><tpIntermedio>1</tpIntermedio>\
     <adi><nAdicao>1</nAdicao></adi></DI>",
);
const SEA: Edit = ("<tpViaTransp>7<", "<tpViaTransp>1<");
const FOR_ANOTHER: Edit = ("<tpIntermedio>1<", "<tpIntermedio>2<");
const ORDERED: Edit = ("<tpIntermedio>1<", "<tpIntermedio>3<");
const BY: &str = "</tpIntermedio><CNPJ>11222333000181</CNPJ>";
const BY_CPF: &str = "</tpIntermedio><CPF>11144477735</CPF>";
const OF: &str = "</tpIntermedio><UFTerceiro>PR</UFTerceiro>";
const DRAWBACK: Edit = ("<CFOP>5102<", "<CFOP>3127<");
const CONCESSION: Edit = ("</nAdicao>", "</nAdicao><nDraw>20261234567</nDraw>");
const OUT: Edit = ("</indTot>", "</indTot><detExport></detExport>");
const OUT_DRAWBACK: Edit = ("</indTot>", "</indTot><detExport><nDraw>20261234567</nDraw></detExport>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("I23-10", &[DI, ("<dDesemb>2026-11-20<", "<dDesemb>2026-11-21<")], &[DI]),
    pair("I23-10", &[DI, ("<dDesemb>2026-11-20<", "<dDesemb>2021-11-19<")], &[DI, ("<dDesemb>2026-11-20<", "<dDesemb>2021-11-20<")]),
    pair("I23b-10", &[DI, SEA], &[DI, SEA, ("</tpViaTransp>", "</tpViaTransp><vAFRMM>0.00</vAFRMM>")]),
    pair("I23d-10", &[DI, FOR_ANOTHER], &[DI, FOR_ANOTHER, ("</tpIntermedio>", BY)]),
    pair("I23d-10", &[DI, ORDERED], &[DI, ORDERED, ("</tpIntermedio>", BY_CPF)]),
    pair("I23d-20", &[DI, ("</tpIntermedio>", BY), ("<CNPJ>11222333000181</CNPJ><adi>", "<CNPJ>11222333000180</CNPJ><adi>")], &[DI, ("</tpIntermedio>", BY)]),
    pair("I23d1-10", &[DI, ("</tpIntermedio>", BY_CPF), ("<CPF>11144477735</CPF><adi>", "<CPF>11144477734</CPF><adi>")], &[DI, ("</tpIntermedio>", BY_CPF)]),
    pair("I23e-10", &[DI, FOR_ANOTHER], &[DI, FOR_ANOTHER, ("</tpIntermedio>", OF)]),
    pair("I29a-10", &[DI, DRAWBACK], &[DI, DRAWBACK, CONCESSION]),
    pair("I29a-10", &[DI, ("<CFOP>5102<", "<CFOP>3211<")], &[DI, ("<CFOP>5102<", "<CFOP>3211<"), CONCESSION]),
    pair("I50-10", &[OUT], &[ABROAD, OUT]),
    pair_65("I50-10", &[OUT], &[]),
    pair("I51-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7127<"), OUT], &[ABROAD, ("<CFOP>5102<", "<CFOP>7127<"), OUT_DRAWBACK]),
    pair("I51-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7211<")], &[ABROAD, ("<CFOP>5102<", "<CFOP>7211<"), OUT_DRAWBACK]),
];

/// Further valid documents.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "I23d-10", &[DI]),
    (55, "I23e-10", &[DI]),
    (55, "I23b-10", &[DI]),
    (55, "I29a-10", &[DI, ("<CFOP>5102<", "<CFOP>3102<")]),
    (55, "I51-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7102<"), OUT]),
];
