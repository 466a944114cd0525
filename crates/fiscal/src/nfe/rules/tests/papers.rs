//! BA03 to BA20: a document that each rule refuses, and the nearest it accepts.

use super::{Edit, INTERSTATE, Pair, pair};

const REFNF: Edit = (
    "</ide>",
    "<NFref><refNF><cUF>35</cUF><AAMM>2611</AAMM><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>1</serie><nNF>7</nNF></refNF></NFref></ide>",
);
const REFNFP: Edit = (
    "</ide>",
    "<NFref><refNFP><cUF>35</cUF><AAMM>2611</AAMM><CPF>11144477735</CPF><IE>110042490114</IE><mod>04</mod><serie>1</serie><nNF>7</nNF></refNFP></NFref></ide>",
);
const REFECF: Edit =
    ("</ide>", "<NFref><refECF><mod>2D</mod><nECF>001</nECF><nCOO>000123</nCOO></refECF></NFref></ide>");
const OTHER_NUMBER: Edit = ("<nNF>7<", "<nNF>8<");
const OTHER_COUPON: Edit = ("<nCOO>000123<", "<nCOO>000124<");
const OF_A_COMPANY: Edit = ("<CPF>11144477735</CPF><IE>", "<CNPJ>11222333000181</CNPJ><IE>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("BA03-10", &[REFNF, REFNF], &[REFNF, OTHER_NUMBER, REFNF]),
    pair("BA10-10", &[REFNFP, REFNFP], &[REFNFP, OTHER_NUMBER, REFNFP]),
    pair("BA12-10", &[REFNFP, ("<AAMM>2611<", "<AAMM>2701<")], &[REFNFP]),
    pair("BA12-10", &[REFNFP, ("<AAMM>2611<", "<AAMM>0512<")], &[REFNFP, ("<AAMM>2611<", "<AAMM>0612<")]),
    pair("BA13-10", &[REFNFP, OF_A_COMPANY, ("<CNPJ>11222333000181</CNPJ><IE>", "<CNPJ>11222333000182</CNPJ><IE>")], &[REFNFP, OF_A_COMPANY]),
    pair("BA14-10", &[REFNFP, ("<CPF>11144477735</CPF><IE>", "<CPF>11144477734</CPF><IE>")], &[REFNFP]),
    pair("BA15-10", &[REFNFP, ("<IE>110042490114</IE><mod>", "<IE>110042490115</IE><mod>")], &[REFNFP]),
    pair("BA15-10", &[REFNFP, ("<refNFP><cUF>35", "<refNFP><cUF>33")], &[REFNFP]),
    pair("BA20-10", &[REFECF, REFECF], &[REFECF, OTHER_COUPON, REFECF]),
    pair("BA20-20", &[REFECF, INTERSTATE], &[REFECF]),
    pair("BA20-20", &[REFNF, INTERSTATE], &[REFNF]),
];

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "BA15-10", &[REFNFP, ("<IE>110042490114</IE><mod>", "<IE>ISENTO</IE><mod>")]),
    (55, "BA20-20", &[REFNFP, INTERSTATE]),
];
