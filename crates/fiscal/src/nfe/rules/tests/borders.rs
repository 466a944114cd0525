//! `idDest`: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, DEST_CPF, Edit, INTERSTATE, Pair, pair};

const ENTRY: Edit = ("<tpNF>1<", "<tpNF>0<");
const RESOLD: Edit = ("<indFinal>1<", "<indFinal>0<");
const CONTRIBUTOR: Edit = ("<indIEDest>9<", "<indIEDest>1<");
const OF_RS: Edit = ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>RS</UF><CEP>90010000</CEP></enderDest>");
const TO_SP: Edit = ("<det ", "<entrega><UF>SP</UF></entrega><det ");
const TO_RS: Edit = ("<det ", "<entrega><UF>RS</UF></entrega><det ");
const TO_RJ: Edit = ("<det ", "<entrega><UF>RJ</UF></entrega><det ");
const FROM_SP: Edit = ("<det ", "<retirada><UF>SP</UF></retirada><det ");
const FROM_RS: Edit = ("<det ", "<retirada><UF>RS</UF></retirada><det ");
const FROM_RJ: Edit = ("<det ", "<retirada><UF>RJ</UF></retirada><det ");
const FROM_RJ_TO_SP: Edit = ("<det ", "<retirada><UF>RJ</UF></retirada><entrega><UF>SP</UF></entrega><det ");
const FROM_RJ_TO_RJ: Edit = ("<det ", "<retirada><UF>RJ</UF></retirada><entrega><UF>RJ</UF></entrega><det ");
const BURNT_HERE: Edit = ("</indTot>", "</indTot><comb><UFCons>SP</UFCons></comb>");
const BURNT_IN_RJ: Edit = ("</indTot>", "</indTot><comb><UFCons>RJ</UFCons></comb>");
const BURNT_ABROAD: Edit = ("</indTot>", "</indTot><comb><UFCons>EX</UFCons></comb>");
const FUEL: Edit = ("<CFOP>5102<", "<CFOP>7667<");
const TO_A_COMPANY: Edit = (DEST_CPF, "<CNPJ>12ABC34501DE35</CNPJ>");
const TO_ITSELF: Edit = (DEST_CPF, "<CNPJ>11222333000181</CNPJ>");
const OF_BRAZIL: Edit = ("<CEP>01001000</CEP></enderDest>", "<CEP>01001000</CEP><cPais>1058</cPais></enderDest>");
const MAILED: Edit = ("<modFrete>9<", "<modFrete>0<");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("E03a-10", &[ABROAD], &[ABROAD, (DEST_CPF, "<idEstrangeiro></idEstrangeiro>")]),
    pair("E12-10", &[ABROAD], &[ABROAD, ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF></enderDest>")]),
    pair("E12-30", &[INTERSTATE], &[INTERSTATE, ("<det ", "<entrega><UF>RJ</UF></entrega><det ")]),
    pair("E12-40", &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>RS</UF><CEP>90010000</CEP></enderDest>"), ("<indFinal>1<", "<indFinal>0<")], &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>RS</UF><CEP>90010000</CEP></enderDest>"), ("<indFinal>1<", "<indFinal>0<"), ("<det ", "<entrega><UF>SP</UF></entrega><det ")]),
    pair("E14-10", &[ABROAD], &[ABROAD, ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF><cPais>2496</cPais></enderDest>")]),
    pair("E16a-20", &[ABROAD, ("<indIEDest>9<", "<indIEDest>1<")], &[ABROAD]),
    pair("E12-50", &[ENTRY, INTERSTATE], &[ENTRY, INTERSTATE, TO_RJ]),
    pair("E12-60", &[ENTRY, RESOLD, OF_RS], &[ENTRY, RESOLD, OF_RS, TO_RS]),
    pair("I08-70", &[OF_RS, CONTRIBUTOR, MAILED], &[OF_RS, CONTRIBUTOR]),
];

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    // NT 2022.002: fuel that a Brazilian company burns abroad; goods received for export or consumed on board
    (55, "E03a-10", &[ABROAD, FUEL, BURNT_ABROAD, TO_A_COMPANY, OF_BRAZIL]),
    (55, "E03a-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7501<")]),
    (55, "E03a-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7552<")]),
    (55, "E12-10", &[ABROAD, FUEL, BURNT_ABROAD]),
    (55, "E12-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7501<")]),
    (55, "E12-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7552<")]),
    (55, "E14-10", &[ABROAD, FUEL, BURNT_ABROAD, OF_BRAZIL]),
    (55, "E14-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7501<")]),
    (55, "E14-10", &[ABROAD, ("<CFOP>5102<", "<CFOP>7552<")]),
    (55, "E16a-20", &[ABROAD, CONTRIBUTOR, FUEL, BURNT_ABROAD]),
    (55, "E16a-20", &[ABROAD, CONTRIBUTOR, ("<CFOP>5102<", "<CFOP>7501<")]),
    (55, "E16a-20", &[ABROAD, CONTRIBUTOR, ("<CFOP>5102<", "<CFOP>7552<")]),
    // a sale: goods go from SP to SP
    (55, "E12-30", &[INTERSTATE, FROM_RJ]),
    (55, "E12-30", &[INTERSTATE, FROM_RJ_TO_SP]),
    (55, "E12-30", &[INTERSTATE, BURNT_IN_RJ]),
    (55, "E12-30", &[INTERSTATE, TO_ITSELF]),
    (55, "E12-50", &[ENTRY, INTERSTATE, FROM_RJ]),
    (55, "E12-50", &[ENTRY, INTERSTATE, FROM_RJ_TO_SP]),
    (55, "E12-50", &[ENTRY, INTERSTATE, BURNT_IN_RJ]),
    (55, "E12-50", &[ENTRY, INTERSTATE, TO_ITSELF]),
    (55, "E12-50", &[INTERSTATE]),
    // from SP to RS, and of an entry from RS to SP
    (55, "E12-40", &[RESOLD, OF_RS, FROM_RS]),
    (55, "E12-40", &[RESOLD, OF_RS, FROM_RJ_TO_RJ]),
    (55, "E12-40", &[RESOLD, OF_RS, BURNT_HERE]),
    (55, "E12-60", &[ENTRY, RESOLD, OF_RS, FROM_SP]),
    (55, "E12-60", &[ENTRY, RESOLD, OF_RS, FROM_RJ_TO_RJ]),
    (55, "E12-60", &[ENTRY, RESOLD, OF_RS, BURNT_HERE]),
    (55, "E12-60", &[ENTRY, OF_RS]),
    (55, "I08-70", &[OF_RS, CONTRIBUTOR, MAILED, BURNT_HERE]),
    (55, "I08-70", &[OF_RS, MAILED]),
];

/// The exceptions of one direction do not apply to the other.
#[rustfmt::skip]
const REFUSED: &[(&str, &[Edit])] = &[
    ("E03a-10", &[ABROAD, FUEL, BURNT_ABROAD, TO_A_COMPANY]),
    ("E12-10", &[ABROAD, FUEL, BURNT_HERE]),
    ("E12-50", &[ENTRY, INTERSTATE, ("<det ", "<retirada><UF>SP</UF></retirada><det ")]),
    ("E12-60", &[ENTRY, RESOLD, OF_RS, TO_SP]),
    ("E12-40", &[RESOLD, OF_RS, FROM_SP]),
];

#[test]
fn an_exception_is_no_wider_than_its_text() {
    for (id, edits) in REFUSED {
        let found = super::predicted(55, &super::case(edits));
        assert!(found.contains(id), "{id} expected after {edits:?}, found {found:?}");
    }
}
