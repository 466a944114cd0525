//! Group W: a document that each rule refuses, and the nearest it accepts.

use super::{Edit, Pair, SHARE, pair};

const SERVICE: Edit = ("<ICMS>", "<ISSQN><vBC>100.00</vBC><vISSQN>5.00</vISSQN>");
const SERVICE_END: Edit = ("</ICMS>", "</ISSQN>");
const PIS: Edit = ("<PISNT><CST>07</CST></PISNT>", "<PISAliq><CST>01</CST><vPIS>1.00</vPIS></PISAliq>");
const COFINS: Edit =
    ("<COFINSNT><CST>07</CST></COFINSNT>", "<COFINSAliq><CST>01</CST><vCOFINS>1.00</vCOFINS></COFINSAliq>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("W03-10", &[("<ICMSTot><vBC>100.00<", "<ICMSTot><vBC>99.99<")], &[("<vBC>100.00</vBC><pICMS>", "<vBC>90.00</vBC><pICMS>"), ("<ICMSTot><vBC>100.00<", "<ICMSTot><vBC>90.00<")]),
    pair("W04-10", &[("<vICMS>18.00</vICMS><vICMSDeson>", "<vICMS>18.01</vICMS><vICMSDeson>")], &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.99</vICMS></ICMS00>"), ("<vICMS>18.00</vICMS><vICMSDeson>", "<vICMS>17.99</vICMS><vICMSDeson>")]),
    pair("W04a-10", &[("<vICMSDeson>0.00<", "<vICMSDeson>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vICMSDeson>1.00</vICMSDeson></ICMS00>"), ("<vICMSDeson>0.00<", "<vICMSDeson>1.00<")]),
    pair("W04b-10", &[("<vFCP>0.00<", "<vFCP>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vFCP>1.00</vFCP></ICMS00>"), ("<vFCP>0.00<", "<vFCP>1.00<")]),
    pair("W04c-10", &[("<vFCP>0.00<", "<vFCPUFDest>0.01</vFCPUFDest><vFCP>0.00<")], &[("</imposto>", "<ICMSUFDest><vFCPUFDest>1.00</vFCPUFDest></ICMSUFDest></imposto>"), ("<vFCP>0.00<", "<vFCPUFDest>1.00</vFCPUFDest><vFCP>0.00<")]),
    pair("W04e-10", &[("<vFCP>0.00<", "<vICMSUFDest>0.01</vICMSUFDest><vFCP>0.00<")], &[("</imposto>", SHARE), ("<vFCP>0.00<", "<vICMSUFDest>6.00</vICMSUFDest><vFCP>0.00<")]),
    pair("W04g-10", &[("<vFCP>0.00<", "<vICMSUFRemet>0.01</vICMSUFRemet><vFCP>0.00<")], &[("</imposto>", SHARE), ("<vICMSUFRemet>0.00<", "<vICMSUFRemet>1.00<"), ("<vFCP>0.00<", "<vICMSUFRemet>1.00</vICMSUFRemet><vFCP>0.00<")]),
    pair("W05-10", &[("<vBCST>0.00<", "<vBCST>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vBCST>1.00</vBCST></ICMS00>"), ("<vBCST>0.00<", "<vBCST>1.00<")]),
    pair("W06-10", &[("<vST>0.00<", "<vST>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vICMSST>1.00</vICMSST></ICMS00>"), ("<vST>0.00<", "<vST>1.00<")]),
    pair("W06a-10", &[("<vFCPST>0.00<", "<vFCPST>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vFCPST>1.00</vFCPST></ICMS00>"), ("<vFCPST>0.00<", "<vFCPST>1.00<")]),
    pair("W06b-10", &[("<vFCPSTRet>0.00<", "<vFCPSTRet>0.01<")], &[("</vICMS></ICMS00>", "</vICMS><vFCPSTRet>1.00</vFCPSTRet></ICMS00>"), ("<vFCPSTRet>0.00<", "<vFCPSTRet>1.00<")]),
    pair("W07-10", &[("<indTot>1<", "<indTot>0<")], &[("<indTot>1<", "<indTot>0<"), ("<vProd>100.00</vProd><vFrete>", "<vProd>0.00</vProd><vFrete>")]),
    pair("W08-10", &[("<vFrete>0.00<", "<vFrete>0.01<")], &[("</vUnTrib>", "</vUnTrib><vFrete>1.00</vFrete>"), ("<vFrete>0.00<", "<vFrete>1.00<")]),
    pair("W09-10", &[("<vSeg>0.00<", "<vSeg>0.01<")], &[("</vUnTrib>", "</vUnTrib><vSeg>1.00</vSeg>"), ("<vSeg>0.00<", "<vSeg>1.00<")]),
    pair("W10-10", &[("<vDesc>0.00<", "<vDesc>0.01<")], &[("</vUnTrib>", "</vUnTrib><vDesc>1.00</vDesc>"), ("<vDesc>0.00<", "<vDesc>1.00<")]),
    pair("W11-10", &[("<vII>0.00<", "<vII>0.01<")], &[("</imposto>", "<II><vII>1.00</vII></II></imposto>"), ("<vII>0.00<", "<vII>1.00<")]),
    pair("W12-10", &[("<vIPI>0.00<", "<vIPI>0.01<")], &[("</imposto>", "<IPI><IPITrib><vIPI>1.00</vIPI></IPITrib></IPI></imposto>"), ("<vIPI>0.00<", "<vIPI>1.00<")]),
    pair("W12a-10", &[("<vIPIDevol>0.00<", "<vIPIDevol>0.01<")], &[("</imposto>", "</imposto><impostoDevol><IPI><vIPIDevol>1.00</vIPIDevol></IPI></impostoDevol>"), ("<vIPIDevol>0.00<", "<vIPIDevol>1.00<")]),
    pair("W13-10", &[("<vPIS>0.00<", "<vPIS>0.01<")], &[("<PISNT><CST>07</CST></PISNT>", "<PISAliq><CST>01</CST><vPIS>1.00</vPIS></PISAliq>"), ("<vPIS>0.00<", "<vPIS>1.00<")]),
    pair("W14-10", &[("<vCOFINS>0.00<", "<vCOFINS>0.01<")], &[("<COFINSNT><CST>07</CST></COFINSNT>", "<COFINSAliq><CST>01</CST><vCOFINS>1.00</vCOFINS></COFINSAliq>"), ("<vCOFINS>0.00<", "<vCOFINS>1.00<")]),
    pair("W15-10", &[("<vOutro>0.00<", "<vOutro>0.01<")], &[("</vUnTrib>", "</vUnTrib><vOutro>1.00</vOutro>"), ("<vOutro>0.00<", "<vOutro>1.00<")]),
    pair("W16-10", &[("<vNF>100.00<", "<vNF>100.51<")], &[("<vNF>100.00<", "<vNF>100.50<")]),
    pair("W16-20", &[("<vNF>100.00<", "<vNF>100.01<")], &[]).limited(),
    pair("W16a-10", &[("</vNF>", "</vNF><vTotTrib>0.01</vTotTrib>")], &[("</imposto>", "<vTotTrib>1.00</vTotTrib></imposto>"), ("</vNF>", "</vNF><vTotTrib>1.00</vTotTrib>")]),
    pair("W19-10", &[SERVICE, SERVICE_END], &[SERVICE, SERVICE_END, ("</ICMSTot>", "</ICMSTot><ISSQNtot><vBC>100.00</vBC></ISSQNtot>")]),
    pair("W20-10", &[SERVICE, SERVICE_END], &[SERVICE, SERVICE_END, ("</ICMSTot>", "</ICMSTot><ISSQNtot><vISS>5.00</vISS></ISSQNtot>")]),
    pair("W21-10", &[SERVICE, SERVICE_END, PIS], &[SERVICE, SERVICE_END, PIS, ("</ICMSTot>", "</ICMSTot><ISSQNtot><vPIS>1.00</vPIS></ISSQNtot>")]),
    pair("W22-10", &[SERVICE, SERVICE_END, COFINS], &[SERVICE, SERVICE_END, COFINS, ("</ICMSTot>", "</ICMSTot><ISSQNtot><vCOFINS>1.00</vCOFINS></ISSQNtot>")]),
    pair("W21-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vPIS>1.00</vPIS></ISSQNtot>")], &[PIS]),
    pair("W18-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vServ>1.00</vServ></ISSQNtot>")], &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vServ>100.00</vServ></ISSQNtot>")]),
    pair("W22b-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vDeducao>1.00</vDeducao></ISSQNtot>")], &[("<ICMS>", "<ISSQN><vDeducao>1.00</vDeducao>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vDeducao>1.00</vDeducao></ISSQNtot>")]),
    pair("W22c-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vOutro>1.00</vOutro></ISSQNtot>")], &[("<ICMS>", "<ISSQN><vOutro>1.00</vOutro>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vOutro>1.00</vOutro></ISSQNtot>")]),
    pair("W22d-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vDescIncond>1.00</vDescIncond></ISSQNtot>")], &[("<ICMS>", "<ISSQN><vDescIncond>1.00</vDescIncond>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vDescIncond>1.00</vDescIncond></ISSQNtot>")]),
    pair("W22e-10", &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vDescCond>1.00</vDescCond></ISSQNtot>")], &[("<ICMS>", "<ISSQN><vDescCond>1.00</vDescCond>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vDescCond>1.00</vDescCond></ISSQNtot>")]),
    pair("W22f-10", &[("<ICMS>", "<ISSQN><vISSRet>1.00</vISSRet>"), ("</ICMS>", "</ISSQN>")], &[("<ICMS>", "<ISSQN><vISSRet>1.00</vISSRet>"), ("</ICMS>", "</ISSQN>"), ("</ICMSTot>", "</ICMSTot><ISSQNtot><vISSRet>1.00</vISSRet></ISSQNtot>")]),
];
