//! Groups Y, YB to ZF: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, DUPS, FAT, Pair, pair};
use crate::nfe::rules::options::StateChoice;

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("Y01-20", &[("<pag>", "<cobr></cobr><pag>")], &[("<pag>", FAT)]),
    pair("Y05-10", &[("<pag>", FAT), ("<vOrig>100.00<", "<vOrig>0.00<"), ("<vDesc>0.00</vDesc><vLiq>", "<vDesc>1.00</vDesc><vLiq>")], &[("<pag>", FAT), ("<vDesc>0.00</vDesc><vLiq>", "<vDesc>100.00</vDesc><vLiq>")]),
    pair("Y06-10", &[("<pag>", FAT), ("<vLiq>100.00<", "<vLiq>99.00<")], &[("<pag>", FAT), ("<vDesc>0.00</vDesc><vLiq>100.00<", "<vDesc>1.00</vDesc><vLiq>99.00<")]),
    pair("Y08-10", &[("<pag>", DUPS), ("<nDup>002<", "<nDup>2<")], &[("<pag>", DUPS)]),
    pair("Y09-20", &[("<pag>", DUPS), ("<dVenc>2026-12-20<", "<dVenc>2026-11-19<")], &[("<pag>", DUPS), ("<dVenc>2026-12-20<", "<dVenc>2026-11-20<")]),
    pair("Y09-30", &[("<pag>", DUPS), ("<dVenc>2027-01-20<", "<dVenc>2026-12-19<")], &[("<pag>", DUPS)]),
    pair("Y09-40", &[("<pag>", "<cobr><dup><nDup>001</nDup><dVenc>2026-11-20</dVenc><vDup>100.00</vDup></dup></cobr><pag>")], &[("<pag>", "<cobr><dup><nDup>001</nDup><dVenc>2026-11-21</dVenc><vDup>100.00</vDup></dup></cobr><pag>")]),
    pair("Y09-50", &[("<pag>", DUPS), ("<dVenc>2027-01-20<", "<dVenc>2036-11-21<")], &[("<pag>", DUPS), ("<dVenc>2027-01-20<", "<dVenc>2036-11-20<")]),
    pair("Y10-10", &[("<pag>", DUPS), ("<vDup>50.00<", "<vDup>49.99<")], &[("<pag>", DUPS)]),
    pair("YB01-10", &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>1</indIntermed>")], &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>1</indIntermed>"), ("</pag>", "</pag><infIntermed><CNPJ>11222333000181</CNPJ></infIntermed>")]),
    pair("YB01-20", &[("</pag>", "</pag><infIntermed><CNPJ>11222333000181</CNPJ></infIntermed>")], &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>1</indIntermed>"), ("</pag>", "</pag><infIntermed><CNPJ>11222333000181</CNPJ></infIntermed>")]),
    pair("YB02-10", &[("</pag>", "</pag><infIntermed><CNPJ>11222333000182</CNPJ></infIntermed>")], &[("</pag>", "</pag><infIntermed><CNPJ>11222333000181</CNPJ></infIntermed>")]),
    pair("ZA01-10", &[ABROAD], &[ABROAD, ("</pag>", "</pag><exporta><UFSaidaPais>SP</UFSaidaPais></exporta>")]),
    pair("ZA01-20", &[("</pag>", "</pag><exporta><UFSaidaPais>SP</UFSaidaPais></exporta>")], &[ABROAD, ("</pag>", "</pag><exporta><UFSaidaPais>SP</UFSaidaPais></exporta>")]),
    pair("ZD01-10", &[], &[("</pag>", "</pag><infRespTec><CNPJ>11222333000181</CNPJ></infRespTec>")]).choosing(StateChoice::ExigeRespTec),
    pair("ZD02-10", &[("</pag>", "</pag><infRespTec><CNPJ>11222333000182</CNPJ></infRespTec>")], &[("</pag>", "</pag><infRespTec><CNPJ>11222333000181</CNPJ></infRespTec>")]),
    pair("ZD07-10", &[("</pag>", "</pag><infRespTec><idCSRT>01</idCSRT></infRespTec>")], &[("</pag>", "</pag><infRespTec><idCSRT>01</idCSRT><hashCSRT>aWMvM2J1N2c3SHc3ZmJ3ZmJ3ZmI=</hashCSRT></infRespTec>")]).choosing(StateChoice::ExigeCsrt),
    pair("ZF03-10", &[("</pag>", "</pag><agropecuario><defensivo><nReceituario>1</nReceituario><CPFRespTec>11144477734</CPFRespTec></defensivo></agropecuario>")], &[("</pag>", "</pag><agropecuario><defensivo><nReceituario>1</nReceituario><CPFRespTec>11144477735</CPFRespTec></defensivo></agropecuario>")]),
];
