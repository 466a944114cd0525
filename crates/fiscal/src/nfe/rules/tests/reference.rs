//! Rules that ask an official table.

use super::{DEST_CPF, Edit, ICMS00};

const RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const COUNTRY: &str = "<CEP>01001000</CEP><cPais>1058</cPais></enderDest>";
const HERE: &str = "<CEP>01001000</CEP></enderDest>";
const NFCE: Edit = ("<mod>55</mod>", "<mod>65</mod>");
const COMB: &str = "</indTot><comb><cProdANP>320102001</cProdANP><UFCons>SP</UFCons></comb>";
const ST: &str = "<ICMS60><orig>0</orig><CST>60</CST></ICMS60>";
const RET: &str = "</modFrete><retTransp><CFOP>5353</CFOP></retTransp>";

/// What breaks each rule.
#[rustfmt::skip]
pub(super) const BROKEN: &[(u16, &[Edit])] = &[
    (377, &[(HERE, "<cPais>9999</cPais></enderDest>")]),
    (511, &[(HERE, "<cPais>0230</cPais></enderDest>")]),
    (926, &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF><cPais>1058</cPais></enderDest>")]),
    (778, &[("<NCM>09012100<", "<NCM>09012199<")]),
    (770, &[("<CFOP>5102<", "<CFOP>5100<")]),
    (327, &[RETURN]),
    (1179, &[RETURN, ("<CRT>3<", "<CRT>4<"), ("<CFOP>5102<", "<CFOP>5411<")]),
    (328, &[("<CFOP>5102<", "<CFOP>5202<")]),
    (725, &[NFCE, ("<CFOP>5102<", "<CFOP>5405<"), ("<CFOP>5405<", "<CFOP>5106<")]),
    (660, &[("<CFOP>5102<", "<CFOP>5656<")]),
    (761, &[("</indTot>", COMB), ("320102001", "999999999")]),
    (806, &[(ICMS00, ST)]),
    (722, &[("</modFrete>", RET), ("<CFOP>5353<", "<CFOP>5102<")]),
];

/// The same, as it is right.
#[rustfmt::skip]
pub(super) const ACCEPTED: &[(u16, &[Edit])] = &[
    (377, &[(HERE, COUNTRY)]),
    (511, &[(HERE, COUNTRY)]),
    (511, &[(HERE, "<cPais>0230</cPais></enderDest>"), (DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>")]),
    (926, &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF><cPais>0230</cPais></enderDest>")]),
    (778, &[("<NCM>09012100<", "<NCM>00000000<")]),
    (778, &[("<NCM>09012100<", "<NCM>22030000<")]),
    (770, &[("<CFOP>5102<", "<CFOP>5101<")]),
    (327, &[RETURN, ("<CFOP>5102<", "<CFOP>5202<")]),
    (327, &[RETURN, ("<CFOP>5102<", "<CFOP>1949<")]),
    (327, &[RETURN, ("<CFOP>5102<", "<CFOP>5949<"), ("<NCM>09012100<", "<NCM>27112100<")]),
    (1179, &[RETURN, ("<CRT>3<", "<CRT>4<"), ("<CFOP>5102<", "<CFOP>5202<")]),
    (328, &[RETURN, ("<CFOP>5102<", "<CFOP>5202<")]),
    (328, &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>04</tpNFCredito>"), ("<CFOP>5102<", "<CFOP>5202<")]),
    (725, &[NFCE]),
    (725, &[NFCE, ("<CFOP>5102<", "<CFOP>5949<"), (ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>")]),
    (660, &[("<CFOP>5102<", "<CFOP>5656<"), ("</indTot>", COMB)]),
    (761, &[("</indTot>", COMB)]),
    (806, &[(ICMS00, ST), ("</NCM>", "</NCM><CEST>1709600</CEST>")]),
    (806, &[(ICMS00, ST), ("<NCM>09012100<", "<NCM>49019900<")]),
    (722, &[("</modFrete>", RET)]),
];
