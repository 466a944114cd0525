//! Groups I, I08, J and K: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, Edit, Pair, REF_EDIT, pair, pair_65};

const SMALL: &str = "</NCM><indEscala>N</indEscala>";
const MADE: &str = "</NCM><indEscala>N</indEscala><CNPJFab>11222333000181</CNPJFab>";
const ISSQN: Edit = ("<ICMS>", "<ISSQN>");
const ISSQN_END: Edit = ("</ICMS>", "</ISSQN>");
const CUPOM: Edit = ("<CFOP>5102<", "<CFOP>5929<");
const REF_65: &str = "<NFref><refNFe>35261111222333000181650010000000011123456784</refNFe></NFref></ide>";
const EXPORT: Edit = ("<CFOP>5102<", "<CFOP>7102<");
const KG: Edit = ("<uTrib>UN<", "<uTrib>kg<");
const CAR: &str = "</indTot><veicProd><tpOp>1</tpOp><tpVeic>06</tpVeic><espVeic>1</espVeic></veicProd>";
const BATCH: &str =
    "</indTot><rastro><nLote>1</nLote><qLote>2.000</qLote><dFab>2026-11-20</dFab><dVal>2026-11-20</dVal></rastro>";
const MEDICINE: Edit = ("</indTot>", "</indTot><med><cProdANVISA>1234567890123</cProdANVISA><vPMC>10.00</vPMC></med>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("I05e-10", &[("</NCM>", SMALL)], &[("</NCM>", MADE)]),
    pair_65("I05e-10", &[("</NCM>", SMALL)], &[("</NCM>", MADE)]),
    pair("I05e-20", &[("</NCM>", MADE), ("<CNPJFab>11222333000181<", "<CNPJFab>11222333000180<")], &[("</NCM>", MADE)]),
    pair("I08-160", &[("<CFOP>5102<", "<CFOP>5933<")], &[("<CFOP>5102<", "<CFOP>5933<"), ISSQN, ISSQN_END]),
    pair_65("I08-160", &[("<CFOP>5102<", "<CFOP>5933<")], &[("<CFOP>5102<", "<CFOP>5933<"), ISSQN, ISSQN_END]),
    pair("I08-170", &[ISSQN, ISSQN_END], &[("<CFOP>5102<", "<CFOP>6933<"), ISSQN, ISSQN_END]),
    pair_65("I08-170", &[ISSQN, ISSQN_END], &[("<CFOP>5102<", "<CFOP>5933<"), ISSQN, ISSQN_END]),
    pair("I08-180", &[CUPOM, ("</ide>", REF_65)], &[CUPOM, REF_EDIT]),
    pair("I08-180", &[("<CFOP>5102<", "<CFOP>6929<"), ("</ide>", REF_65)], &[("</ide>", REF_65)]),
    pair("I08-190", &[ABROAD, ("<CFOP>5102<", "<CFOP>7501<")], &[ABROAD, ("<CFOP>5102<", "<CFOP>7501<"), REF_EDIT]),
    pair("I14-10", &[ABROAD, EXPORT], &[ABROAD, EXPORT, KG]),
    pair("I14-10", &[("<CFOP>5102<", "<CFOP>5504<")], &[("<CFOP>5102<", "<CFOP>5504<"), KG]),
    pair("J19-10", &[("</indTot>", CAR), ("<tpVeic>06<", "<tpVeic>09<")], &[("</indTot>", CAR)]),
    pair("J20-10", &[("</indTot>", CAR), ("<espVeic>1<", "<espVeic>4<")], &[("</indTot>", CAR)]),
    pair("J20-20", &[("</indTot>", CAR), ("<espVeic>1<", "<espVeic>2<")], &[("</indTot>", CAR), ("<espVeic>1<", "<espVeic>6<")]),
    pair("I83-10", &[("</indTot>", BATCH), ("<dFab>2026-11-20<", "<dFab>2026-11-21<")], &[("</indTot>", BATCH)]),
    pair("I84-10", &[("</indTot>", BATCH), ("<dVal>2026-11-20<", "<dVal>2026-11-19<")], &[("</indTot>", BATCH)]),
    pair("K01-20", &[MEDICINE], &[MEDICINE, ("</indTot>", BATCH)]),
];

/// Further valid documents.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "I05e-10", &[("</NCM>", SMALL), ("<indEscala>N<", "<indEscala>S<")]),
    (55, "I08-170", &[("<CFOP>5102<", "<CFOP>1933<"), ISSQN, ISSQN_END]),
    (55, "I14-10", &[ABROAD, ("<tpNF>1<", "<tpNF>0<"), ("<CFOP>5102<", "<CFOP>3102<")]),
    (55, "I14-10", &[ABROAD, EXPORT, ("<NCM>09012100<", "<NCM>00<")]),
    (55, "J20-20", &[("</indTot>", CAR), ("<espVeic>1<", "<espVeic>4<")]),
    (55, "K01-20", &[MEDICINE, ("<finNFe>1<", "<finNFe>4<")]),
    (55, "K01-20", &[MEDICINE, ("<finNFe>1<", "<finNFe>3<")]),
    (55, "K01-20", &[MEDICINE, ("<finNFe>1<", "<finNFe>2<")]),
    (55, "K01-20", &[MEDICINE, ("<indPres>1<", "<indPres>2<")]),
    (55, "K01-20", &[MEDICINE, ("<indPres>1<", "<indPres>3<")]),
    (55, "K01-20", &[MEDICINE, ("<CFOP>5102<", "<CFOP>5922<")]),
    (55, "K01-20", &[MEDICINE, ("<CFOP>5102<", "<CFOP>6922<")]),
    (55, "K01-20", &[MEDICINE, ("<CFOP>5102<", "<CFOP>5119<")]),
    (55, "K01-20", &[MEDICINE, ("<CFOP>5102<", "<CFOP>6120<")]),
    (55, "K01-20", &[MEDICINE, ("<tpNF>1<", "<tpNF>0<")]),
    (55, "K01-20", &[MEDICINE, ("<tpImp>1<", "<tpImp>6<")]),
    (65, "K01-20", &[MEDICINE]),
];
