//! Groups N, NA and U: what each rule refuses, and the nearest that it accepts.

use super::{DIFERIDO, DIFERIDO_OP, DIFERIDO_PART, DIFERIDO_REST, ICMS00, INTERSTATE, Pair, SHARE, pair};
use crate::nfe::rules::options::Choice;

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("N12-10", &[("<CFOP>5102<", "<CFOP>7102<")], &[("<CFOP>5102<", "<CFOP>7102<"), (ICMS00, "<ICMS40><orig>0</orig><CST>41</CST></ICMS40>")]),
    pair("N12-20", &[("<CRT>3<", "<CRT>1<")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMS61><orig>0</orig><CST>61</CST></ICMS61>")]),
    pair("N12-70", &[(ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>")], &[("<tpNF>1<", "<tpNF>0<"), (ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>")]),
    pair("N12-80", &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, DIFERIDO)], &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, "<ICMS40><orig>0</orig><CST>50</CST></ICMS40>"), ("<CFOP>5102<", "<CFOP>5915<")]),
    pair("N12-84", &[(ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>")], &[(ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>"), ("<CFOP>", "<cBenef>SP000001</cBenef><CFOP>")]).choosing(Choice::ExigeCBenef),
    pair("N12a-10", &[(ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>")]),
    pair("N12a-70", &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>"), ("<CFOP>5102<", "<CFOP>5915<")]),
    pair("N12a-80", &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN500><orig>0</orig><CSOSN>500</CSOSN></ICMSSN500>")], &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>")]),
    pair("N12a-90", &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>"), ("<CFOP>5102<", "<CFOP>5101<")], &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>"), ("<CFOP>5102<", "<CFOP>5904<")]),
    pair("N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<")], &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("<pICMS>18.0000<", "<pICMS>4.0000<")]),
    pair("N16-20", &[INTERSTATE], &[INTERSTATE, ("<pICMS>18.0000<", "<pICMS>12.0000<")]),
    pair("N17-20", &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.98</vICMS></ICMS00>")], &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.99</vICMS></ICMS00>")]),
    pair("N16a-10", &[(ICMS00, DIFERIDO_OP)], &[(ICMS00, DIFERIDO)]),
    pair("N16c-10", &[(ICMS00, DIFERIDO_PART)], &[(ICMS00, DIFERIDO)]),
    pair("N17-10", &[(ICMS00, DIFERIDO_REST)], &[(ICMS00, DIFERIDO)]),
    pair("N17c-10", &[("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>1.00</vFCP></ICMS00>")], &[("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>2.00</vFCP></ICMS00>")]),
    pair("N17b-10", &[("</vICMS></ICMS00>", "</vICMS><pFCP>0.0000</pFCP><vFCP>0.00</vFCP></ICMS00>")], &[("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>2.00</vFCP></ICMS00>")]),
    pair("NA01-20", &[INTERSTATE], &[INTERSTATE, ("<CRT>3<", "<CRT>1<")]),
    pair("NA01-30", &[("</imposto>", SHARE)], &[INTERSTATE, ("</imposto>", SHARE)]),
    pair("NA09-10", &[INTERSTATE, ("</imposto>", SHARE), ("<orig>0<", "<orig>1<")], &[INTERSTATE, ("</imposto>", SHARE), ("<orig>0<", "<orig>1<"), ("<pICMSInter>12.00<", "<pICMSInter>4.00<")]),
    pair("NA09-30", &[INTERSTATE, ("</imposto>", SHARE), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>BA</UF></enderDest>")], &[INTERSTATE, ("</imposto>", SHARE), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>BA</UF></enderDest>"), ("<pICMSInter>12.00<", "<pICMSInter>7.00<")]),
    pair("NA11-10", &[INTERSTATE, ("</imposto>", SHARE), ("<pICMSInterPart>100.0000<", "<pICMSInterPart>80.0000<")], &[INTERSTATE, ("</imposto>", SHARE)]),
    pair("NA15-10", &[INTERSTATE, ("</imposto>", SHARE), ("<vICMSUFDest>6.00<", "<vICMSUFDest>5.00<")], &[INTERSTATE, ("</imposto>", SHARE)]),
    pair("U01-10", &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>"), ("<CRT>", "<IM>1</IM><CRT>")]),
    pair("U01-30", &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>"), ("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")], &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")]),
    pair("U05-10", &[("<ICMS>", "<ISSQN><cMunFG>3599999</cMunFG>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN><cMunFG>9999999</cMunFG>"), ("</ICMS>", "</ISSQN>"), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF></enderDest>")]),
    pair("U14-10", &[("<ICMS>", "<ISSQN><cMun>3599999</cMun>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN><cMun>3509502</cMun>"), ("</ICMS>", "</ISSQN>")]),
];
