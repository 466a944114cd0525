//! Rules that need an official table.

use super::{DEST_CPF, Edit, ICMS00, Pair, pair, pair_65};
use crate::nfe::rules::options::StateChoice;

const RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const COUNTRY: &str = "<CEP>01001000</CEP><cPais>1058</cPais></enderDest>";
const HERE: &str = "<CEP>01001000</CEP></enderDest>";
const COMB: &str = "</indTot><comb><cProdANP>320102001</cProdANP><UFCons>SP</UFCons></comb>";
const ST: &str = "<ICMS60><orig>0</orig><CST>60</CST></ICMS60>";
const RET: &str = "</modFrete><retTransp><CFOP>5353</CFOP></retTransp>";

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("E14-04", &[(HERE, "<cPais>9999</cPais></enderDest>")], &[(HERE, COUNTRY)]),
    pair("E14-20", &[(HERE, "<cPais>0230</cPais></enderDest>")], &[(HERE, COUNTRY)]),
    pair("E14-30", &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF><cPais>1058</cPais></enderDest>")], &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF><cPais>0230</cPais></enderDest>")]),
    pair("I05-20", &[("<NCM>09012100<", "<NCM>09012199<")], &[("<NCM>09012100<", "<NCM>00000000<")]),
    pair("I08-04", &[("<CFOP>5102<", "<CFOP>5100<")], &[("<CFOP>5102<", "<CFOP>5101<")]),
    pair("I08-04", &[("<CFOP>5102<", "<CFOP>5353<")], &[("<CFOP>5102<", "<CFOP>5504<")]),
    pair_65("I08-04", &[("<CFOP>5102<", "<CFOP>5307<")], &[("<CFOP>5102<", "<CFOP>5405<")]),
    pair("I08-140", &[RETURN, ("<CFOP>5102<", "<CFOP>7930<")], &[RETURN, ("<CFOP>5102<", "<CFOP>7202<")]),
    pair("I08-140", &[RETURN], &[RETURN, ("<CFOP>5102<", "<CFOP>5202<")]),
    pair("I08-141", &[RETURN, ("<CRT>3<", "<CRT>4<"), ("<CFOP>5102<", "<CFOP>5411<")], &[RETURN, ("<CRT>3<", "<CRT>4<"), ("<CFOP>5102<", "<CFOP>5202<")]),
    pair("I08-144", &[("<CFOP>5102<", "<CFOP>5202<")], &[RETURN, ("<CFOP>5102<", "<CFOP>5202<")]),
    pair("LA01-20", &[("<CFOP>5102<", "<CFOP>5656<")], &[("<CFOP>5102<", "<CFOP>5656<"), ("</indTot>", COMB)]),
    pair_65("LA01-20", &[("<CFOP>5102<", "<CFOP>5656<")], &[("<CFOP>5102<", "<CFOP>5656<"), ("</indTot>", COMB)]).choosing(StateChoice::ExigeCombustivelNaNfce),
    pair("LA02-10", &[("</indTot>", COMB), ("320102001", "999999999")], &[("</indTot>", COMB)]),
    pair("LA02-10", &[("</indTot>", COMB), ("320102001", "320102006")], &[("</indTot>", COMB), ("320102001", "110101001")]),
    pair("N23-10", &[(ICMS00, ST)], &[(ICMS00, ST), ("</NCM>", "</NCM><CEST>1709600</CEST>")]),
    pair("X16-10", &[("</modFrete>", RET), ("<CFOP>5353<", "<CFOP>5102<")], &[("</modFrete>", RET)]),
    pair("X17-10", &[("</modFrete>", "</modFrete><retTransp><cMunFG>3599999</cMunFG></retTransp>")], &[("</modFrete>", "</modFrete><retTransp><cMunFG>3550308</cMunFG></retTransp>")]),
];

/// Further valid documents.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "E14-20", &[(HERE, "<cPais>0230</cPais></enderDest>"), (DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>")]),
    (55, "I05-20", &[("<NCM>09012100<", "<NCM>22030000<")]),
    (55, "I08-140", &[RETURN, ("<CFOP>5102<", "<CFOP>1949<")]),
    (55, "I08-140", &[RETURN, ("<CFOP>5102<", "<CFOP>2949<"), ("<indIEDest>9</indIEDest>", "<indIEDest>1</indIEDest><IE>110042490114</IE>")]),
    (55, "I08-140", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>"), ("<CFOP>5102<", "<CFOP>1949<")]),
    (55, "I08-140", &[RETURN, ("<CFOP>5102<", "<CFOP>5949<"), ("<NCM>09012100<", "<NCM>27112100<")]),
    (65, "LA01-20", &[("<CFOP>5102<", "<CFOP>5656<")]),
    (55, "I08-04", &[("<CFOP>5102<", "<CFOP>6929<")]),
    (55, "I08-144", &[("<CFOP>5102<", "<CFOP>7930<")]),
    (55, "I08-144", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>04</tpNFCredito>"), ("<CFOP>5102<", "<CFOP>5202<")]),
    (55, "N23-10", &[(ICMS00, ST), ("<NCM>09012100<", "<NCM>49019900<")]),
];
