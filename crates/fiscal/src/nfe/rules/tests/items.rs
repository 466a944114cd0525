//! Groups H and I: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, INTERSTATE, Pair, pair, pair_65};
use crate::nfe::rules::options::StateChoice;

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("H02-10", &[("nItem=\"1\"", "nItem=\"2\"")], &[]).choosing(StateChoice::ExigeItensEmOrdem),
    pair("H02-10", &[("nItem=\"1\"", "nItem=\"2\"")], &[("nItem=\"1\"", "nItem=\"2\"")]).refused_choosing(StateChoice::ExigeItensEmOrdem),
    pair("I03-10", &[("<cEAN>SEM GTIN<", "<cEAN>7891000315508<")], &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")]),
    pair("I03-20", &[("<cEAN>SEM GTIN<", "<cEAN>3810000000002<")], &[("<cEAN>SEM GTIN<", "<cEAN>2000000000008<")]),
    pair_65("I03-20", &[("<cEAN>SEM GTIN<", "<cEAN>9700000000000<")], &[("<cEAN>SEM GTIN<", "<cEAN>9800000000007<")]),
    pair("I03-30", &[("<cEAN>SEM GTIN<", "<cEAN><")], &[]),
    pair("I05-10", &[("<NCM>09012100<", "<NCM>09<")], &[("<NCM>09012100<", "<NCM>00<")]),
    pair("I05-24", &[("<NCM>09012100<", "<NCM>00<")], &[("<NCM>09012100<", "<NCM>00<"), ("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")]),
    pair_65("I05-24", &[("<NCM>09012100<", "<NCM>00<")], &[("<NCM>09012100<", "<NCM>00<"), ("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")]),
    pair("I05f-10", &[("<CFOP>", "<cBenef>SP000001</cBenef><CFOP>")], &[("<CFOP>", "<cBenef>SEM CBENEF</cBenef><CFOP>")]).choosing(StateChoice::ConfereCBenef),
    pair("I05f-30", &[("<CFOP>", "<cBenef>SP000001</cBenef><CFOP>")], &[("<CFOP>", "<cBenef>SP000001</cBenef><CFOP>"), ("</vICMS></ICMS00>", "</vICMS><vICMSDeson>1.00</vICMSDeson><motDesICMS>9</motDesICMS></ICMS00>")]).choosing(StateChoice::ExigeDesoneracao),
    pair("I08-10", &[("<CFOP>5102<", "<CFOP>1102<")], &[("<tpNF>1<", "<tpNF>0<"), ("<CFOP>5102<", "<CFOP>1102<")]),
    pair("I08-20", &[("<tpNF>1<", "<tpNF>0<")], &[("<tpNF>1<", "<tpNF>0<"), ("<CFOP>5102<", "<CFOP>1102<")]),
    pair("I08-30", &[("<CFOP>5102<", "<CFOP>7102<")], &[ABROAD, ("<CFOP>5102<", "<CFOP>7102<")]),
    pair("I08-40", &[("<CFOP>5102<", "<CFOP>6102<")], &[INTERSTATE, ("<CFOP>5102<", "<CFOP>6102<")]),
    pair("I08-50", &[INTERSTATE], &[INTERSTATE, ("<CFOP>5102<", "<CFOP>6102<")]),
    pair("I08-60", &[("<CFOP>5102<", "<CFOP>7102<")], &[("<CFOP>5102<", "<CFOP>7102<"), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF></enderDest>")]),
    pair("I08-110", &[("<CFOP>5102<", "<CFOP>3102<")], &[("<CFOP>5102<", "<CFOP>3102<"), ("</prod>", "<DI><nDI>1</nDI></DI></prod>")]),
    pair("I08-120", &[("<CFOP>5102<", "<CFOP>3102<")], &[("<CFOP>5102<", "<CFOP>3102<"), ("</imposto>", "<IPI/></imposto>")]),
    pair("I08-130", &[("<CFOP>5102<", "<CFOP>3102<")], &[("<CFOP>5102<", "<CFOP>3211<")]),
    pair("I11-10", &[("<vUnCom>50.00<", "<vUnCom>51.00<")], &[("<vProd>100.00<", "<vProd>100.01<")]),
    pair("I12-10", &[("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315508<")], &[("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315507<")]),
    pair("I12-20", &[("<cEANTrib>SEM GTIN<", "<cEANTrib>13810000000009<")], &[("<cEANTrib>SEM GTIN<", "<cEANTrib>13890000000001<")]),
    pair("I12-20", &[("<cEANTrib>SEM GTIN<", "<cEANTrib>9700000000000<")], &[("<cEANTrib>SEM GTIN<", "<cEANTrib>0412345678903<")]),
    pair("I12-30", &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")], &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<"), ("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315507<")]),
    pair("I12-40", &[("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315507<")], &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<"), ("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315507<")]),
    pair("I12-60", &[("<cEANTrib>SEM GTIN<", "<cEANTrib><")], &[]),
    pair("I11-20", &[("<vUnTrib>50.00<", "<vUnTrib>51.00<")], &[("<vUnTrib>50.00<", "<vUnTrib>50.005<")]),
    pair("I17-10", &[("</vUnTrib>", "</vUnTrib><vDesc>100.01</vDesc>")], &[("</vUnTrib>", "</vUnTrib><vDesc>100.00</vDesc>")]),
];
