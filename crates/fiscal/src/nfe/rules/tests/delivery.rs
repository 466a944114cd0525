//! Groups F, G and B10a: a document that each rule refuses, and the nearest it accepts.

use super::{EXIT, Edit, Pair, pair, pair_65};

const TAKEN: Edit = ("<det ", "<retirada><cMun>3550308</cMun><UF>SP</UF></retirada><det ");
const GIVEN: Edit = ("<det ", "<entrega><cMun>3550308</cMun><UF>SP</UF></entrega><det ");
const TAKEN_ABROAD: Edit = ("<det ", "<retirada><cMun>9999999</cMun><UF>EX</UF></retirada><det ");
const GIVEN_ABROAD: Edit = ("<det ", "<entrega><cMun>9999999</cMun><UF>EX</UF></entrega><det ");
const PROMISED: Edit = (EXIT, "</dhEmi><dPrevEntrega>2026-11-20</dPrevEntrega>");
const LATEST: Edit = (EXIT, "</dhEmi><dPrevEntrega>2027-02-20</dPrevEntrega>");
const TOO_LATE: Edit = (EXIT, "</dhEmi><dPrevEntrega>2027-02-21</dPrevEntrega>");
const TOO_EARLY: Edit = (EXIT, "</dhEmi><dPrevEntrega>2026-11-19</dPrevEntrega>");
const SENT: Edit = ("<modFrete>9<", "<modFrete>0<");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("F07-10", &[TAKEN_ABROAD, ("9999999", "3550308")], &[TAKEN_ABROAD]),
    pair_65("F07-10", &[TAKEN_ABROAD, ("9999999", "3550308")], &[TAKEN_ABROAD]),
    pair("F07-20", &[TAKEN, ("<retirada><cMun>3550308", "<retirada><cMun>3599999")], &[TAKEN]),
    pair("F07-30", &[TAKEN, ("<retirada><cMun>3550308", "<retirada><cMun>4314902")], &[TAKEN]),
    pair("F11-10", &[TAKEN, ("</retirada>", "<cPais>9999</cPais></retirada>")], &[TAKEN, ("</retirada>", "<cPais>1058</cPais></retirada>")]),
    pair("F15-10", &[TAKEN, ("</retirada>", "<IE>110042490115</IE></retirada>")], &[TAKEN, ("</retirada>", "<IE>110042490114</IE></retirada>")]),
    pair("G07-10", &[GIVEN_ABROAD, ("9999999", "3550308")], &[GIVEN_ABROAD]),
    pair("G07-20", &[GIVEN, ("<entrega><cMun>3550308", "<entrega><cMun>3599999")], &[GIVEN]),
    pair_65("G07-20", &[GIVEN, ("<entrega><cMun>3550308", "<entrega><cMun>3599999")], &[GIVEN]),
    pair("G07-30", &[GIVEN, ("<entrega><cMun>3550308", "<entrega><cMun>4314902")], &[GIVEN]),
    pair("G11-10", &[GIVEN, ("</entrega>", "<cPais>9999</cPais></entrega>")], &[GIVEN, ("</entrega>", "<cPais>01058</cPais></entrega>")]),
    pair("G15-10", &[GIVEN, ("</entrega>", "<IE>110042490115</IE></entrega>")], &[GIVEN, ("</entrega>", "<IE>110042490114</IE></entrega>")]),
    pair_65("B10a-10", &[PROMISED], &[]),
    pair("B10a-20", &[SENT, TOO_LATE], &[SENT, LATEST]),
    pair("B10a-30", &[SENT, TOO_EARLY], &[SENT, PROMISED]),
    pair("B10a-40", &[SENT, PROMISED, ("<finNFe>1<", "<finNFe>3<")], &[SENT, PROMISED, ("<finNFe>1<", "<finNFe>4<")]),
    pair("B10a-50", &[PROMISED], &[SENT, PROMISED]),
];

/// An exit a month after the emission.
const LEAVES: &str = "</dhEmi><dhSaiEnt>2026-12-15T23:30:00-03:00</dhSaiEnt>";

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "F07-20", &[TAKEN_ABROAD]),
    (55, "F07-30", &[TAKEN_ABROAD]),
    (55, "G07-20", &[GIVEN_ABROAD]),
    (55, "G07-30", &[GIVEN_ABROAD]),
    (65, "G11-10", &[GIVEN, ("</entrega>", "<cPais>9999</cPais></entrega>")]),
    (65, "G15-10", &[GIVEN, ("</entrega>", "<IE>110042490115</IE></entrega>")]),
    (55, "B10a-20", &[SENT, TOO_LATE, (EXIT, LEAVES)]),
    // the hour does not count
    (55, "B10a-30", &[SENT, PROMISED, (EXIT, LEAVES), ("<dPrevEntrega>2026-11-20", "<dPrevEntrega>2026-12-15")]),
    (55, "B10a-50", &[PROMISED, ("<modFrete>9<", "<modFrete>2<")]),
    (55, "B10a-50", &[PROMISED, ("<modFrete>9<", "<modFrete>3<")]),
];
