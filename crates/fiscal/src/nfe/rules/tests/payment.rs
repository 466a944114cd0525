//! Group YA: a document that each rule refuses, and the nearest it accepts.

use super::{Edit, Pair, pair, pair_65};

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("YA02-04", &[("<finNFe>1<", "<finNFe>3<")], &[("<finNFe>1<", "<finNFe>3<"), ("<tPag>01</tPag><vPag>100.00<", "<tPag>90</tPag><vPag>0.00<")]),
    pair("YA02a-10", &[("<tPag>01<", "<tPag>99<")], &[("<tPag>01</tPag>", "<tPag>99</tPag><xPag>moedas</xPag>")]),
    pair("YA02a-20", &[("<tPag>01</tPag>", "<tPag>01</tPag><xPag>moedas</xPag>")], &[("<tPag>01</tPag>", "<tPag>99</tPag><xPag>moedas</xPag>")]),
    pair("YA03-20", &[("<vPag>100.00<", "<vPag>110.00<")], &[("<vPag>100.00</vPag></detPag>", "<vPag>110.00</vPag></detPag><vTroco>10.00</vTroco>")]),
    pair("YA03-30", &[("<tPag>01<", "<tPag>90<")], &[("<tPag>01</tPag><vPag>100.00<", "<tPag>90</tPag><vPag>0.00<")]),
    pair("YA05-10", &[("</vPag>", "</vPag><card><tpIntegra>1</tpIntegra></card>")], &[("</vPag>", "</vPag><card><tpIntegra>1</tpIntegra><CNPJ>11222333000181</CNPJ><cAut>123</cAut></card>")]),
    pair("YA05-20", &[("</vPag>", "</vPag><card><tpIntegra>2</tpIntegra><CNPJ>11222333000182</CNPJ></card>")], &[("</vPag>", "</vPag><card><tpIntegra>2</tpIntegra><CNPJ>11222333000181</CNPJ></card>")]),
    pair("YA09-10", &[("<vPag>100.00</vPag></detPag>", "<vPag>110.00</vPag></detPag><vTroco>9.00</vTroco>")], &[("<vPag>100.00</vPag></detPag>", "<vPag>110.00</vPag></detPag><vTroco>10.00</vTroco>")]),
    pair("YA02-60", &[("<tPag>01<", "<tPag>06<")], &[("<tPag>01<", "<tPag>24<")]),
    pair_65("YA02-60", &[("<tPag>01<", "<tPag>25<")], &[("<tPag>01<", "<tPag>22<")]),
    pair("YA03a-10", &[("</vPag>", "</vPag><dPag>2026-11-21</dPag>")], &[("</vPag>", "</vPag><dPag>2026-11-20</dPag>")]),
    pair("YA03c-10", &[("</vPag>", "</vPag><CNPJPag>11222333000182</CNPJPag>")], &[("</vPag>", "</vPag><CNPJPag>11222333000181</CNPJPag>")]),
    pair("YA04-20", &[("</vPag>", "</vPag><card><tpIntegra>2</tpIntegra></card>")], &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>15</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra></card>")]),
    pair_65("YA04-20", &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>20</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra></card>")], &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>17</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra></card>")]),
    pair("YA06-10", &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra><tBand>28</tBand></card>")], &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra><tBand>27</tBand></card>")]),
    pair("YA07a", &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra><CNPJReceb>11222333000182</CNPJReceb></card>")], &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra><CNPJReceb>11222333000181</CNPJReceb></card>")]),
    pair("YA09-20", &[("<vPag>100.00</vPag></detPag>", "<vPag>300100.01</vPag></detPag><vTroco>300000.01</vTroco>")], &[("<vPag>100.00</vPag></detPag>", "<vPag>300100.00</vPag></detPag><vTroco>300000.00</vTroco>")]),
];

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "YA02-60", &[("<tPag>01<", "<tPag>99<")]),
    (55, "YA06-10", &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra><tBand>99</tBand></card>")]),
    (55, "YA06-10", &[("<tPag>01</tPag><vPag>100.00</vPag>", "<tPag>03</tPag><vPag>100.00</vPag><card><tpIntegra>2</tpIntegra></card>")]),
];
