//! Groups N to UA: a document that each rule refuses, and the nearest it accepts.

use super::{
    DIFERIDO, DIFERIDO_OP, DIFERIDO_PART, DIFERIDO_REST, Edit, ICMS00, INTERSTATE, Pair, SHARE, VALID, case, pair,
    pair_65, predict_read, predicted,
};
use crate::nfe::rules::NfeRuleContext;
use crate::nfe::rules::options::StateChoice;
use crate::value::TpAmb;

const HERE: &str = "<cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>";
const BAHIA: Edit = (HERE, "<cMun>2927408</cMun><xMun>SALVADOR</xMun><UF>BA</UF><CEP>40010000</CEP></enderDest>");
const PARA: Edit = (HERE, "<cMun>1501402</cMun><xMun>BELEM</xMun><UF>PA</UF><CEP>66010000</CEP></enderDest>");
const AT_7: Edit = (
    ICMS00,
    "<ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>1000.00</vBC><pICMS>7.0000</pICMS><vICMS>70.00</vICMS></ICMS00>",
);
/// The share with two bases, as in the official text: 1134.15 × 18 % − 1000.00 × 7 % = 134.15.
const DUPLA: &str = "<ICMSUFDest><vBCUFDest>1134.15</vBCUFDest><vBCFCPUFDest>1134.15</vBCFCPUFDest><pFCPUFDest>2.0000</pFCPUFDest>\
     <pICMSUFDest>18.0000</pICMSUFDest><pICMSInter>7.00</pICMSInter><pICMSInterPart>100.0000</pICMSInterPart>\
     <vFCPUFDest>22.68</vFCPUFDest><vICMSUFDest>134.15</vICMSUFDest><vICMSUFRemet>0.00</vICMSUFRemet></ICMSUFDest></imposto>";
const SERVICE: [Edit; 2] = [("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")];
const TO_RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const FUEL: Edit = ("</indTot>", "</indTot><comb><cProdANP>320102001</cProdANP></comb>");
const BIODIESEL: Edit = ("</indTot>", "</indTot><comb><cProdANP>820101001</cProdANP></comb>");
const CST_50: Edit = (ICMS00, "<ICMS40><orig>0</orig><CST>50</CST></ICMS40>");
const CST_90: Edit = (ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>");

/// A sale to a consumer in Bahia with its share, and further replacements.
macro_rules! to_bahia {
    ($($edit:expr),*) => {
        &[INTERSTATE, BAHIA, ("<CFOP>5102<", "<CFOP>6108<"), AT_7, ("</imposto>", DUPLA), $($edit),*]
    };
}

/// A sale to a consumer in Bahia without its share.
macro_rules! to_bahia_without_share {
    ($($edit:expr),*) => {
        &[INTERSTATE, BAHIA, ("<CFOP>5102<", "<CFOP>6108<"), AT_7, $($edit),*]
    };
}

/// An IPI group.
macro_rules! ipi {
    ($inner:literal) => {
        ("</imposto>", concat!("<IPI>", $inner, "</IPI></imposto>"))
    };
}

/// The item's ICMS with more fields, or another group.
macro_rules! icms {
    ($more:literal) => {
        ("</vICMS></ICMS00>", concat!("</vICMS>", $more, "</ICMS00>"))
    };
    ($name:literal, $inner:literal) => {
        (ICMS00, concat!("<", $name, "><orig>0</orig>", $inner, "</", $name, ">"))
    };
}

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("N12-10", &[("<CFOP>5102<", "<CFOP>7102<")], &[("<CFOP>5102<", "<CFOP>7102<"), (ICMS00, "<ICMS40><orig>0</orig><CST>41</CST></ICMS40>")]),
    pair("N12-20", &[("<CRT>3<", "<CRT>1<")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMS61><orig>0</orig><CST>61</CST></ICMS61>")]),
    pair("N11-10", &[("<orig>0</orig><CST>00<", "<CST>00<")], &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN102><CSOSN>102</CSOSN></ICMSSN102>")]),
    pair_65("N11-10", &[("<orig>0</orig><CST>00<", "<orig></orig><CST>00<")], &[]),
    pair("N12-70", &[CST_90], &[("<tpNF>1<", "<tpNF>0<"), CST_90]),
    pair("N12-70", &[CST_50], &[CST_50, ("<CFOP>5102<", "<CFOP>5915<")]),
    pair("N12-70", &[(ICMS00, DIFERIDO), INTERSTATE, ("<CFOP>5102<", "<CFOP>6102<")], &[(ICMS00, DIFERIDO), INTERSTATE, ("<CFOP>5102<", "<CFOP>6922<")]),
    pair("N12-70", &[icms!("ICMS30", "<CST>30</CST>"), INTERSTATE, BIODIESEL], &[icms!("ICMS30", "<CST>30</CST>"), INTERSTATE, FUEL]),
    pair("N12-70", &[icms!("ICMS02", "<CST>02</CST>")], &[icms!("ICMS02", "<CST>02</CST>")]).accepted_choosing(StateChoice::SubstituicaoANaoContribuinte),
    pair("N12-80", &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, DIFERIDO)], &[("<indIEDest>9<", "<indIEDest>2<"), CST_50, ("<CFOP>5102<", "<CFOP>5915<")]),
    pair("N12-80", &[("<indIEDest>9<", "<indIEDest>2<"), CST_50, ("<CFOP>5102<", "<CFOP>6912<")], &[("<indIEDest>9<", "<indIEDest>2<"), CST_50, ("<CFOP>5102<", "<CFOP>5912<")]),
    pair("N12-80", &[("<CPF>11144477735</CPF>", "<CNPJ>12ABC34501DE35</CNPJ>"), ("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, DIFERIDO)], &[("<CPF>11144477735</CPF>", "<CNPJ>12ABC34501DE35</CNPJ>"), ("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, DIFERIDO)]).accepted_choosing(StateChoice::DiferimentoAIsento),
    pair("N12-84", &[(ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>")], &[(ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>"), ("<CFOP>", "<cBenef>SP000001</cBenef><CFOP>")]).choosing(StateChoice::ExigeCBenef),
    pair("N12a-10", &[(ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>")]),
    pair("N12a-70", &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>")], &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>"), ("<CFOP>5102<", "<CFOP>5915<")]),
    pair("N12a-80", &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN500><orig>0</orig><CSOSN>500</CSOSN></ICMSSN500>")], &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>")]),
    pair("N12a-90", &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>"), ("<CFOP>5102<", "<CFOP>5101<")], &[("<CRT>3<", "<CRT>4<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>"), ("<CFOP>5102<", "<CFOP>5904<")]),
    pair("N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<")], &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("<pICMS>18.0000<", "<pICMS>4.0000<")]),
    pair("N16-20", to_bahia!(("<pICMS>7.0000<", "<pICMS>7.0100<")), to_bahia!()),
    pair("N17-20", &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.98</vICMS></ICMS00>")], &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.99</vICMS></ICMS00>")]),
    pair("N16a-10", &[(ICMS00, DIFERIDO_OP)], &[(ICMS00, DIFERIDO)]),
    pair("N16c-10", &[(ICMS00, DIFERIDO_PART)], &[(ICMS00, DIFERIDO)]),
    pair("N17-10", &[(ICMS00, DIFERIDO_REST)], &[(ICMS00, DIFERIDO)]),
    pair("N17c-10", &[icms!("<pFCP>2.0000</pFCP><vFCP>1.98</vFCP>")], &[icms!("<pFCP>2.0000</pFCP><vFCP>1.99</vFCP>")]),
    pair_65("N17c-10", &[icms!("ICMS20", "<CST>20</CST><vBCFCP>50.00</vBCFCP><pFCP>2.0000</pFCP><vFCP>2.00</vFCP>")], &[icms!("ICMS20", "<CST>20</CST><vBCFCP>50.00</vBCFCP><pFCP>2.0000</pFCP><vFCP>1.00</vFCP>")]),
    pair("N17b-20", &[icms!("<pFCP>1.0000</pFCP><vFCP>1.00</vFCP>")], &[icms!("<pFCP>2.0000</pFCP><vFCP>2.00</vFCP>")]),
    pair_65("N17b-20", &[icms!("<pFCP>2.0100</pFCP><vFCP>2.01</vFCP>")], &[icms!("<pFCP>2.0000</pFCP><vFCP>2.00</vFCP>")]),
    pair("N17c-20", to_bahia!(("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>20.00</vFCP></ICMS00>")), to_bahia!(("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>20.00</vFCP></ICMS00>"), ("<indIEDest>9<", "<indIEDest>2<"))),
    pair("N23b-10", &[icms!("ICMS10", "<CST>10</CST><pFCPST>0.00</pFCPST>")], &[icms!("ICMS10", "<CST>10</CST><pFCPST>2.00</pFCPST>")]),
    pair("N23b-20", &[icms!("ICMS10", "<CST>10</CST><pFCPST>2.00</pFCPST>"), PARA], &[icms!("ICMS10", "<CST>10</CST><pFCPST>2.00</pFCPST>"), BAHIA]),
    pair("N23d-10", &[icms!("ICMS10", "<CST>10</CST><vFCP>2.00</vFCP><vBCFCPST>150.00</vBCFCPST><pFCPST>2.00</pFCPST><vFCPST>3.00</vFCPST>")], &[icms!("ICMS10", "<CST>10</CST><vFCP>2.00</vFCP><vBCFCPST>150.00</vBCFCPST><pFCPST>2.00</pFCPST><vFCPST>1.00</vFCPST>")]).choosing(StateChoice::ConfereFcpSt),
    pair("N27b-10", &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>0.00</pFCPSTRet>")], &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>2.00</pFCPSTRet>")]),
    pair("N27b-20", &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>3.00</pFCPSTRet>")], &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>2.00</pFCPSTRet>")]),
    pair_65("N27b-20", &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>3.00</pFCPSTRet>")], &[icms!("ICMS60", "<CST>60</CST><pFCPSTRet>3.00</pFCPSTRet>"), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "</enderDest>")]),
    pair("N28-12", &[icms!("ICMS40", "<CST>40</CST><vICMSDeson>18.00</vICMSDeson><motDesICMS>7</motDesICMS>")], &[icms!("ICMS40", "<CST>40</CST><vICMSDeson>18.00</vICMSDeson><motDesICMS>7</motDesICMS><indDeduzDeson>1</indDeduzDeson>")]),
    pair("N28-12", &[icms!("ICMS40", "<CST>40</CST><vICMSDeson>18.00</vICMSDeson><motDesICMS>7</motDesICMS><indDeduzDeson>0</indDeduzDeson>")], &[icms!("ICMS40", "<CST>40</CST><vICMSDeson>18.00</vICMSDeson><motDesICMS>9</motDesICMS>")]),
    pair("N17b-10", &[("</vICMS></ICMS00>", "</vICMS><pFCP>0.0000</pFCP><vFCP>0.00</vFCP></ICMS00>")], &[("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>2.00</vFCP></ICMS00>")]),
    pair("NA01-20", to_bahia_without_share!(), to_bahia!()),
    pair("NA01-20", to_bahia_without_share!(BIODIESEL), to_bahia_without_share!(FUEL)),
    pair("NA01-20", to_bahia_without_share!(("<CST>00<", "<CST>20<")), to_bahia_without_share!(("<CST>00<", "<CST>41<"))),
    pair("NA01-30", &[("</imposto>", SHARE)], to_bahia!()),
    pair("NA01-30", to_bahia!(FUEL), to_bahia!(BIODIESEL)),
    pair("NA09-10", &[INTERSTATE, ("</imposto>", SHARE), ("<orig>0<", "<orig>1<")], &[INTERSTATE, ("</imposto>", SHARE), ("<orig>0<", "<orig>1<"), ("<pICMSInter>12.00<", "<pICMSInter>4.00<")]),
    pair("NA09-30", &[INTERSTATE, ("</imposto>", SHARE), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>BA</UF></enderDest>")], &[INTERSTATE, ("</imposto>", SHARE), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>BA</UF></enderDest>"), ("<pICMSInter>12.00<", "<pICMSInter>7.00<")]),
    pair("NA11-10", to_bahia!(("<pICMSInterPart>100.0000<", "<pICMSInterPart>80.0000<")), to_bahia!()),
    pair("NA13-10", to_bahia!(("<vFCPUFDest>22.68<", "<vFCPUFDest>22.66<")), to_bahia!(("<vFCPUFDest>22.68<", "<vFCPUFDest>22.67<"))),
    pair("NA13-10", to_bahia!(("<vBCFCPUFDest>1134.15</vBCFCPUFDest>", "")), to_bahia!(("<vBCFCPUFDest>1134.15</vBCFCPUFDest>", ""), ("<pFCPUFDest>2.0000</pFCPUFDest>", ""), ("<vFCPUFDest>22.68</vFCPUFDest>", ""))),
    // by the old formula 1134.15 × 11 % = 124.76
    pair("NA15-10", to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>124.76<")), to_bahia!()),
    pair("NA15-10", to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>134.17<")), to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>134.16<"))),
    pair("NA15-10", to_bahia!(("<vBCUFDest>1134.15<", "<vBCUFDest>300.00<")), to_bahia!(("<vBCUFDest>1134.15<", "<vBCUFDest>300.00<"), ("<vICMSUFDest>134.15<", "<vICMSUFDest>0.00<"))),
    pair("NA17-10", to_bahia!(("<vICMSUFRemet>0.00<", "<vICMSUFRemet>0.02<")), to_bahia!(("<vICMSUFRemet>0.00<", "<vICMSUFRemet>0.01<"))),
    pair("NA17-10", to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>107.32<")), to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>107.32<"), ("<vICMSUFRemet>0.00<", "<vICMSUFRemet>26.83<"))),
    pair("O06-10", &[ipi!("<cEnq>008</cEnq><IPITrib><CST>50</CST></IPITrib>")], &[ipi!("<cEnq>999</cEnq><IPITrib><CST>50</CST></IPITrib>")]),
    pair("O06-10", &[ipi!("<cEnq>352</cEnq>")], &[ipi!("<cEnq>352</cEnq>")]).accepted_choosing(StateChoice::AceitaCEnqForaDaTabela),
    pair("O09-10", &[ipi!("<cEnq>999</cEnq><IPINT><CST>52</CST></IPINT>")], &[ipi!("<cEnq>301</cEnq><IPINT><CST>52</CST></IPINT>")]),
    pair("O09-10", &[ipi!("<cEnq>101</cEnq><IPINT><CST>54</CST></IPINT>")], &[ipi!("<cEnq>002</cEnq><IPINT><CST>54</CST></IPINT>")]),
    pair("O09-10", &[ipi!("<cEnq>301</cEnq><IPINT><CST>55</CST></IPINT>")], &[ipi!("<cEnq>108</cEnq><IPINT><CST>55</CST></IPINT>")]),
    pair("Q01-20", &[("<PIS><PISNT><CST>07</CST></PISNT></PIS>", "")], &[("<PIS><PISNT><CST>07</CST></PISNT></PIS>", ""), ("<finNFe>1<", "<finNFe>6<")]),
    pair("S01-20", &[("<COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>", "")], &[("<COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>", ""), ("<finNFe>1<", "<finNFe>5<")]),
    pair("U06-10", &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cListServ>17.07</cListServ>")], &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cListServ>14.01</cListServ>")]),
    pair_65("U06-10", &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cListServ>41.01</cListServ>")], &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cListServ>40.01</cListServ>")]),
    pair("U15-10", &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cPais>9999</cPais>")], &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cPais>0175</cPais>")]),
    pair("UA01-10", &[("</imposto>", "</imposto><impostoDevol><pDevol>100.00</pDevol></impostoDevol>")], &[("</imposto>", "</imposto><impostoDevol><pDevol>100.00</pDevol></impostoDevol>"), TO_RETURN]),
    pair("U01-10", &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>"), ("<CRT>", "<IM>1</IM><CRT>")]),
    pair("U01-30", &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>"), ("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")], &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")]),
    pair("U05-10", &[("<ICMS>", "<ISSQN><cMunFG>3599999</cMunFG>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN><cMunFG>9999999</cMunFG>"), ("</ICMS>", "</ISSQN>"), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF></enderDest>")]),
    pair("U14-10", &[("<ICMS>", "<ISSQN><cMun>3599999</cMun>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN><cMun>3509502</cMun>"), ("</ICMS>", "</ISSQN>")]),
];

/// Further valid documents: each exception of the official texts.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "N11-10", &[("<orig>0</orig><CST>00<", "<CST>00<"), ("<finNFe>1<", "<finNFe>5<")]),
    (55, "N11-10", &[("<orig>0</orig><CST>00<", "<CST>00<"), ("<finNFe>1<", "<finNFe>6<")]),
    (55, "N11-10", &[(ICMS00, "")]),
    (55, "N12-70", &[CST_50, ("<CFOP>5102<", "<CFOP>5916<")]),
    (55, "N12-70", &[CST_50, ("<CFOP>5102<", "<CFOP>5949<")]),
    (55, "N12-70", &[CST_50, INTERSTATE, ("<CFOP>5102<", "<CFOP>6949<")]),
    (55, "N12-70", &[CST_50, TO_RETURN]),
    (55, "N12-70", &[(ICMS00, DIFERIDO), INTERSTATE, TO_RETURN]),
    (55, "N12-70", &[(ICMS00, DIFERIDO)]),
    (55, "N12-70", &[(ICMS00, DIFERIDO), INTERSTATE, ("<CFOP>5102<", "<CFOP>6123<")]),
    (55, "N12-70", &[CST_90, ("</prod>", "<veicProd/></prod>")]),
    (55, "N12-70", &[icms!("ICMS61", "<CST>61</CST>")]),
    (55, "N12-70", &[icms!("ICMS30", "<CST>30</CST>"), INTERSTATE, ("<NCM>09012100<", "<NCM>27160000<")]),
    (55, "N12-80", &[("<indIEDest>9<", "<indIEDest>2<"), CST_50, ("<CFOP>5102<", "<CFOP>6901<")]),
    (55, "N12a-70", &[("<CRT>3<", "<CRT>4<"), icms!("ICMSSN900", "<CSOSN>900</CSOSN>"), ("<CFOP>5102<", "<CFOP>5551<")]),
    (55, "N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<"), TO_RETURN]),
    (55, "N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("<CFOP>5102<", "<CFOP>6916<")]),
    (55, "N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("<CFOP>5102<", "<CFOP>6118<")]),
    (55, "N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("</prod>", "<veicProd><tpOp>3</tpOp></veicProd></prod>")]),
    (55, "N16-04", &[INTERSTATE, ("<orig>0<", "<orig>1<"), ("<CST>00<", "<CST>51<")]),
    (55, "N16-20", &[INTERSTATE, ("<CFOP>5102<", "<CFOP>6916<")]),
    (55, "N16-20", &[INTERSTATE, ("<CFOP>5102<", "<CFOP>6206<")]),
    (55, "N16-20", &[INTERSTATE, ("<CFOP>5102<", "<CFOP>6119<")]),
    (55, "N16-20", &[INTERSTATE, ("<det ", "<entrega><UF>BA</UF></entrega><det ")]),
    (55, "N16-20", &[INTERSTATE, ("<det ", "<retirada><UF>BA</UF></retirada><det ")]),
    (55, "N16-20", &[INTERSTATE, ("</prod>", "<veicProd><tpOp>2</tpOp></veicProd></prod>")]),
    (55, "N17b-20", &[icms!("<pFCP>0.0000</pFCP><vFCP>0.00</vFCP>")]),
    (55, "N17c-10", &[(ICMS00, DIFERIDO), ("<vICMS>9.00</vICMS></ICMS51>", "<vICMS>9.00</vICMS><vBCFCP>100.00</vBCFCP><pFCP>2.00</pFCP><vFCP>1.00</vFCP></ICMS51>")]),
    (55, "N17c-10", &[icms!("<pFCP>2.0000</pFCP><vFCP>1.00</vFCP>"), ("<finNFe>1<", "<finNFe>2<")]),
    (55, "N17c-20", &[INTERSTATE, BAHIA, icms!("<pFCP>2.0000</pFCP><vFCP>2.00</vFCP>"), ("<indFinal>1<", "<indFinal>0<")]),
    (55, "N23b-20", &[icms!("ICMS10", "<CST>10</CST><pFCPST>2.00</pFCPST>"), PARA, ("<det ", "<entrega><UF>BA</UF></entrega><det ")]),
    (55, "N23b-20", &[icms!("ICMS10", "<CST>10</CST><pFCPST>3.00</pFCPST>"), (HERE, "<UF>EX</UF></enderDest>")]),
    (55, "N23d-10", &[icms!("ICMS10", "<CST>10</CST><vBCFCPST>150.00</vBCFCPST><pFCPST>2.00</pFCPST><vFCPST>9.00</vFCPST>")]),
    (55, "NA01-20", to_bahia_without_share!(("<CFOP>6108<", "<CFOP>6916<"))),
    (55, "NA01-20", to_bahia_without_share!(("<CFOP>6108<", "<CFOP>6915<"))),
    (55, "NA01-20", to_bahia_without_share!(("<CFOP>6108<", "<CFOP>6552<"))),
    (55, "NA01-20", to_bahia_without_share!(("<CFOP>6108<", "<CFOP>6922<"))),
    (55, "NA01-20", to_bahia_without_share!(("<CFOP>6108<", "<CFOP>6929<"))),
    (55, "NA01-20", to_bahia_without_share!(("<tpNF>1<", "<tpNF>0<"))),
    (55, "NA01-20", to_bahia_without_share!(("<CRT>3<", "<CRT>4<"))),
    (55, "NA01-20", to_bahia_without_share!(("<finNFe>1<", "<finNFe>2<"))),
    (55, "NA01-20", to_bahia_without_share!(("<finNFe>1<", "<finNFe>3<"))),
    (55, "NA01-20", to_bahia_without_share!(("<finNFe>1<", "<finNFe>5<"))),
    (55, "NA01-20", to_bahia_without_share!(("<finNFe>1<", "<finNFe>6<"))),
    (55, "NA01-20", to_bahia_without_share!(("</ide>", "<gCompraGov><tpOperGov>2</tpOperGov></gCompraGov></ide>"))),
    (55, "NA01-20", to_bahia_without_share!(TO_RETURN, ("</ide>", "<NFref><refNFe>35151211222333000181550010000000011123456784</refNFe></NFref></ide>"))),
    (55, "NA01-20", to_bahia_without_share!(("<det ", "<entrega><UF>SP</UF></entrega><det "))),
    (55, "NA01-20", to_bahia_without_share!(("<ICMS00>", "<ICMSPart>"), ("</ICMS00>", "</ICMSPart>"))),
    (55, "NA01-20", to_bahia_without_share!(SERVICE[0], SERVICE[1])),
    (55, "NA01-30", &[("</imposto>", SHARE), ("<det ", "<entrega><UF>BA</UF></entrega><det ")]),
    (55, "NA09-30", to_bahia!(("<pICMSInter>7.00<", "<pICMSInter>12.00<"), ("<CFOP>6108<", "<CFOP>6916<"))),
    (55, "NA11-10", to_bahia!(("<pICMSInterPart>100.0000<", "<pICMSInterPart>80.0000<"), TO_RETURN, ("</ide>", "<NFref><refNFe>35180611222333000181550010000000011123456784</refNFe></NFref></ide>"))),
    (55, "NA11-10", to_bahia!(("<pICMSInterPart>100.0000<", "<pICMSInterPart>40.0000<"), ("<CFOP>6108<", "<CFOP>6916<"), ("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35160611222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>"))),
    (55, "NA15-10", to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>1.00<"), ("<tpNF>1<", "<tpNF>0<"))),
    (55, "NA15-10", to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>1.00<"), ("<CST>00<", "<CST>20<"))),
    (55, "NA17-10", to_bahia!(("<vICMSUFRemet>0.00<", "<vICMSUFRemet>9.00<"), ("<tpNF>1<", "<tpNF>0<"))),
    (55, "NA17-10", to_bahia!(("<vICMSUFRemet>0.00<", "<vICMSUFRemet>9.00<"), ("<CST>00<", "<CST>20<"))),
    (55, "O09-10", &[ipi!("<cEnq>999</cEnq><IPINT><CST>53</CST></IPINT>")]),
    (55, "Q01-20", &[("<PIS><PISNT><CST>07</CST></PISNT></PIS>", ""), ("<finNFe>1<", "<finNFe>5<")]),
    (55, "Q01-20", &[("<PIS><PISNT><CST>07</CST></PISNT></PIS>", ""), ("</ide>", "<gCompraGov><tpOperGov>2</tpOperGov></gCompraGov></ide>")]),
    (65, "Q01-20", &[("<PIS><PISNT><CST>07</CST></PISNT></PIS>", "")]),
    (55, "S01-20", &[("<COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>", ""), ("<finNFe>1<", "<finNFe>6<")]),
    (55, "S01-20", &[("<COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>", ""), ("</ide>", "<gCompraGov><tpOperGov>2</tpOperGov></gCompraGov></ide>")]),
    (65, "S01-20", &[("<COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>", "")]),
    (55, "U05-10", &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cMunFG>9999999</cMunFG>"), (HERE, "<UF>EX</UF></enderDest>")]),
    (55, "U15-10", &[SERVICE[0], SERVICE[1], ("<ISSQN>", "<ISSQN><cPais>01058</cPais>")]),
];

#[test]
fn the_usual_share_of_two_bases_breaks_nothing_but_totals() {
    let found = predicted(55, &case(to_bahia!()));
    let others: Vec<_> = found.into_iter().filter(|id| !id.starts_with('W') && !id.starts_with("I11")).collect();
    assert_eq!(others, Vec::<&str>::new());
}

#[test]
fn the_authority_says_what_was_stated_and_what_it_found() {
    let document = to_bahia!(("<vICMSUFDest>134.15<", "<vICMSUFDest>124.76<"))
        .iter()
        .fold(VALID.to_owned(), |document, (from, to)| document.replacen(from, to, 1));
    let facts = NfeRuleContext::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao);
    let found = predict_read(&document, &facts);
    let (_, place) = found.iter().find(|(rule, _)| rule.cStat == 815).unwrap();
    assert_eq!(place.path, "infNFe/det[0]/imposto/ICMSUFDest/vICMSUFDest");
    assert_eq!(place.appended(), "[nItem:1] (Valor Informado: 124.76, Valor Calculado: 134.15)");
}

/// Values that the schema refuses still reach the rules when a caller only asks for a check.
#[test]
fn the_greatest_numbers_are_computed_without_a_panic() {
    const MOST: &str = "99999999999999.9999999999";
    for value in [MOST, "-99999999999999.9999999999"] {
        let share = DUPLA
            .replace("1134.15", value)
            .replace("18.0000", value)
            .replace("7.00", value)
            .replace("100.0000", value)
            .replace("2.0000", value);
        let icms = format!(
            "<vBC>{value}</vBC><pFCP>{value}</pFCP><vFCP>{value}</vFCP><vBCFCPST>{value}</vBCFCPST><pFCPST>{value}</pFCPST><vFCPST>{value}</vFCPST></ICMS00>"
        );
        let document = VALID.replacen("</imposto>", &share, 1).replacen("<vBC>100.00</vBC>", "", 1).replacen(
            "</ICMS00>",
            &icms,
            1,
        );
        let facts = NfeRuleContext::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao);
        assert!(!predict_read(&document, &facts).is_empty());
    }
}
