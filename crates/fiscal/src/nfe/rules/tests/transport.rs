//! Group X: a document that each rule refuses, and the nearest it accepts.

use super::{DEST_CPF, Edit, INTERSTATE, Pair, pair};

const CARRIED_BY_3: Edit =
    ("<modFrete>9</modFrete>", "<modFrete>3</modFrete><transporta><CNPJ>11222333000262</CNPJ></transporta>");
const CARRIED_BY_4: Edit =
    ("<modFrete>9</modFrete>", "<modFrete>4</modFrete><transporta><CNPJ>11222333000262</CNPJ></transporta>");
const OF_ANOTHER: Edit = ("<CNPJ>11222333000262<", "<CNPJ>12ABC34501DE35<");
const ENTRY: Edit = ("<tpNF>1<", "<tpNF>0<");
/// The other party is an establishment of the carrier's company.
const TO_THE_COMPANY: Edit = (DEST_CPF, "<CNPJ>11222333000181</CNPJ>");
const TO_ANOTHER: Edit = (DEST_CPF, "<CNPJ>12ABC34501DE35</CNPJ>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("X02-20", &[INTERSTATE, ("</modFrete>", "</modFrete><veicTransp><placa>ABC1D23</placa></veicTransp>")], &[("</modFrete>", "</modFrete><veicTransp><placa>ABC1D23</placa></veicTransp>")]),
    pair("X04-20", &[("</modFrete>", "</modFrete><transporta><CNPJ>11222333000182</CNPJ></transporta>")], &[("</modFrete>", "</modFrete><transporta><CNPJ>11222333000181</CNPJ></transporta>")]),
    pair("X05-10", &[("</modFrete>", "</modFrete><transporta><CPF>11144477734</CPF></transporta>")], &[("</modFrete>", "</modFrete><transporta><CPF>11144477735</CPF></transporta>")]),
    pair("X07-10", &[("</modFrete>", "</modFrete><transporta><IE>110042490114</IE></transporta>")], &[("</modFrete>", "</modFrete><transporta><IE>110042490114</IE><UF>SP</UF></transporta>")]),
    pair("X07-20", &[("</modFrete>", "</modFrete><transporta><IE>110042490115</IE><UF>SP</UF></transporta>")], &[("</modFrete>", "</modFrete><transporta><IE>ISENTO</IE><UF>SP</UF></transporta>")]),
    pair("X03-30", &[("</modFrete>", "</modFrete><transporta><xNome>JOSE</xNome></transporta>")], &[("<modFrete>9</modFrete>", "<modFrete>1</modFrete><transporta><xNome>JOSE</xNome></transporta>")]),
    pair("X04-30", &[CARRIED_BY_3, OF_ANOTHER], &[CARRIED_BY_3]),
    pair("X04-40", &[ENTRY, TO_ANOTHER, CARRIED_BY_3], &[ENTRY, TO_THE_COMPANY, CARRIED_BY_3]),
    pair("X04-70", &[TO_ANOTHER, CARRIED_BY_4], &[TO_THE_COMPANY, CARRIED_BY_4]),
    pair("X04-80", &[ENTRY, CARRIED_BY_4, OF_ANOTHER], &[ENTRY, CARRIED_BY_4]),
];

const NAMED_3: Edit = ("<modFrete>9</modFrete>", "<modFrete>3</modFrete><transporta><xNome>JOSE</xNome></transporta>");
const NAMED_4: Edit = ("<modFrete>9</modFrete>", "<modFrete>4</modFrete><transporta><xNome>JOSE</xNome></transporta>");

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    // not applied to a carrier without CNPJ and CPF
    (55, "X04-30", &[NAMED_3]),
    (55, "X04-40", &[ENTRY, NAMED_3]),
    (55, "X04-70", &[NAMED_4]),
    (55, "X04-80", &[ENTRY, NAMED_4]),
    (55, "X04-70", &[("<modFrete>9</modFrete>", "<modFrete>4</modFrete><transporta><CPF>11144477735</CPF></transporta>")]),
    // home delivery of retail may name its carrier or omit it (NT 2023.004)
    (65, "X03-30", &[("</modFrete>", "</modFrete><transporta><xNome>JOSE</xNome></transporta>")]),
];
