//! Each rule has a document that breaks it; the valid one breaks none. Exceptions of the manual have cases of their own.

mod reference;

use super::{Facts, RULES, predict};
use crate::value::TpAmb;
use crate::xml;
use std::collections::BTreeSet;

/// A replacement in the valid document.
type Edit = (&'static str, &'static str);

/// Codes predicted for the valid document after some edits.
fn codes(edits: &[Edit]) -> BTreeSet<u16> {
    let document = edits.iter().fold(VALID.to_owned(), |document, (from, to)| {
        assert!(document.contains(from), "the edit {from} → {to} finds nothing");
        document.replacen(from, to, 1)
    });
    let nfe = xml::read(document.as_bytes()).unwrap();
    let facts = Facts::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao);
    predict(&nfe, &facts).into_iter().map(|(rule, _)| rule.cStat).collect()
}

fn breaks(cStat: u16, edits: &[Edit]) {
    assert!(codes(edits).contains(&cStat), "{cStat} expected after {edits:?}, found {:?}", codes(edits));
}

fn keeps(cStat: u16, edits: &[Edit]) {
    assert!(!codes(edits).contains(&cStat), "{cStat} not expected after {edits:?}");
}

#[test]
fn the_valid_document_breaks_no_rule() {
    assert_eq!(codes(&[]), BTreeSet::new());
}

#[test]
fn every_rule_has_a_document_that_breaks_it() {
    let broken = || BROKEN.iter().chain(reference::BROKEN);
    for (cStat, edits) in broken() {
        breaks(*cStat, edits);
    }
    let shown: BTreeSet<u16> = broken().map(|(cStat, _)| *cStat).collect();
    let unshown: Vec<_> = RULES.iter().filter(|rule| !shown.contains(&rule.cStat)).map(|rule| rule.id).collect();
    assert_eq!(unshown, Vec::<&str>::new(), "rules without a refusing document");
}

#[test]
fn every_rule_has_its_official_text_and_its_own_id() {
    let ids: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
    for rule in RULES {
        assert!(rule.xMotivo().starts_with("Rejeição: "), "{} {}", rule.id, rule.xMotivo());
    }
}

#[test]
fn exceptions_of_the_manual_are_kept() {
    for (cStat, edits) in EXCEPTED.iter().chain(reference::ACCEPTED) {
        keeps(*cStat, edits);
    }
}

#[test]
fn rules_of_model_55_leave_model_65_alone() {
    let nfce: &[Edit] = &[("<mod>55</mod>", "<mod>65</mod>"), ("<tpImp>1<", "<tpImp>4<")];
    keeps(710, nfce);
}

#[test]
fn an_item_rule_names_its_item() {
    let document = VALID.replacen("<CFOP>5102", "<CFOP>6102", 1);
    let nfe = xml::read(document.as_bytes()).unwrap();
    let facts = Facts::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao);
    let (_, place) = predict(&nfe, &facts).into_iter().find(|(rule, _)| rule.cStat == 732).unwrap();
    assert_eq!((place.path.as_str(), place.item), ("infNFe/det[0]/prod/CFOP", Some(1)));
}

const EXIT: &str = "</dhEmi>";
const ABROAD: Edit = ("<idDest>1<", "<idDest>3<");
const INTERSTATE: Edit = ("<idDest>1<", "<idDest>2<");
const DEST_CPF: &str = "<CPF>11144477735</CPF>";
const REF: &str = "<NFref><refNFe>35261111222333000181550010000000011123456784</refNFe></NFref></ide>";
const REF_OTHER: &str = "<NFref><refNFe>35261112ABC34501DE35550010000000011100001234</refNFe></NFref></ide>";
const FAT: &str =
    "<cobr><fat><nFat>1</nFat><vOrig>100.00</vOrig><vDesc>0.00</vDesc><vLiq>100.00</vLiq></fat></cobr><pag>";
const DUPS: &str = "<cobr><fat><nFat>1</nFat><vOrig>100.00</vOrig><vDesc>0.00</vDesc><vLiq>100.00</vLiq></fat>\
     <dup><nDup>001</nDup><dVenc>2026-12-20</dVenc><vDup>50.00</vDup></dup>\
     <dup><nDup>002</nDup><dVenc>2027-01-20</dVenc><vDup>50.00</vDup></dup></cobr><pag>";
const ICMS00: &str = "<ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMS>18.00</vICMS></ICMS00>";
const SHARE: &str = "<ICMSUFDest><vBCUFDest>100.00</vBCUFDest><pICMSUFDest>18.0000</pICMSUFDest><pICMSInter>12.00</pICMSInter>\
     <pICMSInterPart>100.0000</pICMSInterPart><vICMSUFDest>6.00</vICMSUFDest><vICMSUFRemet>0.00</vICMSUFRemet></ICMSUFDest></imposto>";
const DIFERIDO: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>9.00</vICMSDif><vICMS>9.00</vICMS></ICMS51>";
const DIFERIDO_OP: &str =
    "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>17.00</vICMSOp></ICMS51>";
const DIFERIDO_PART: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>8.00</vICMSDif></ICMS51>";
const DIFERIDO_REST: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>9.00</vICMSDif><vICMS>8.00</vICMS></ICMS51>";

const NFCE: Edit = ("<mod>55</mod>", "<mod>65</mod>");
const QR: &str = "</infNFe><infNFeSupl><qrCode>https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode?p=35|2|2|1|AA</qrCode>\
     <urlChave>https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica</urlChave></infNFeSupl>";

/// What breaks each rule.
#[rustfmt::skip]
const BROKEN: &[(u16, &[Edit])] = &[
    (502, &[("NFe35261111222333000181550010000000011847362510", "NFe35261111222333000181550010000000021847362510")]),
    (253, &[("<cDV>0<", "<cDV>1<")]),
    (897, &[("<cNF>84736251<", "<cNF>11111111<")]),
    (504, &[(EXIT, "</dhEmi><dhSaiEnt>2027-01-20T10:00:00-03:00</dhSaiEnt>")]),
    (505, &[(EXIT, "</dhEmi><dhSaiEnt>2026-09-20T10:00:00-03:00</dhSaiEnt>")]),
    (506, &[(EXIT, "</dhEmi><dhSaiEnt>2026-11-20T09:00:00-03:00</dhSaiEnt>")]),
    (270, &[("<cMunFG>3550308<", "<cMunFG>3599999<")]),
    (271, &[("<cMunFG>3550308<", "<cMunFG>4314902<")]),
    (710, &[("<tpImp>1<", "<tpImp>4<")]),
    (711, &[("<tpEmis>1<", "<tpEmis>9<")]),
    (254, &[("<finNFe>1<", "<finNFe>2<")]),
    (255, &[("<finNFe>1<", "<finNFe>2<"), ("</ide>", REF), ("</ide>", REF)]),
    (321, &[("<finNFe>1<", "<finNFe>4<")]),
    (794, &[("<indPres>1<", "<indPres>4<")]),
    (864, &[("<indPres>1<", "<indPres>5<")]),
    (434, &[("<indPres>1<", "<indPres>2<")]),
    (435, &[("<indPres>1</indPres>", "<indPres>1</indPres><indIntermed>0</indIntermed>")]),
    (244, &[("<serie>1<", "<serie>900<")]),
    (556, &[("</ide>", "<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEM COMUNICACAO COM A SEFAZ</xJust></ide>")]),
    (557, &[("<tpEmis>1<", "<tpEmis>5<")]),
    (558, &[("</ide>", "<dhCont>2026-11-20T10:30:00-03:00</dhCont></ide>")]),
    (569, &[("</ide>", "<dhCont>2026-10-01T10:30:00-03:00</dhCont></ide>")]),
    (547, &[("</ide>", "<NFref><refNFe>35261111222333000181550010000000011123456780</refNFe></NFref></ide>")]),
    (680, &[("</ide>", REF), ("</ide>", REF)]),
    (316, &[("</ide>", "<NFref><refNFe>35261111222333000181550010000000011847362510</refNFe></NFref></ide>")]),
    (207, &[("<CNPJ>11222333000181<", "<CNPJ>11222333000182<")]),
    (401, &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477734</CPF>")]),
    (495, &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")]),
    (503, &[("<serie>1<", "<serie>920<")]),
    (272, &[("<cMun>3550308<", "<cMun>3599999<")]),
    (273, &[("<cMun>3550308<", "<cMun>4314902<")]),
    (247, &[("<UF>SP<", "<UF>RS<")]),
    (229, &[("<IE>110042490114<", "<IE>000000000000<")]),
    (209, &[("<IE>110042490114<", "<IE>110042490115<")]),
    (211, &[("<IE>110042490114</IE>", "<IE>110042490114</IE><IEST>110042490115</IEST>")]),
    (719, &[("<dest>", "<avulsa>"), ("</dest>", "</avulsa>")]),
    (208, &[(DEST_CPF, "<CNPJ>11222333000182</CNPJ>")]),
    (237, &[(DEST_CPF, "<CPF>11144477734</CPF>")]),
    (720, &[ABROAD]),
    (721, &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>"), ("<indFinal>1<", "<indFinal>0<")]),
    (372, &[(DEST_CPF, "<idEstrangeiro>AB_123</idEstrangeiro>")]),
    (925, &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>"), ("</indIEDest>", "</indIEDest><IE>110042490114</IE>")]),
    (724, &[("<xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome>", "")]),
    (598, &[("NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL", "JOSE")]),
    (726, &[("<enderDest>", "<outro>"), ("</enderDest>", "</outro>")]),
    (274, &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3599999")]),
    (275, &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>4314902")]),
    (509, &[("SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>", "LIMA</xMun><UF>EX</UF></enderDest>")]),
    (727, &[ABROAD]),
    (772, &[INTERSTATE]),
    (773, &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>RS</UF><CEP>90010000</CEP></enderDest>"), ("<indFinal>1<", "<indFinal>0<")]),
    (510, &[ABROAD]),
    (790, &[ABROAD, ("<indIEDest>9<", "<indIEDest>1<")]),
    (696, &[("<indFinal>1<", "<indFinal>0<")]),
    (728, &[("<indIEDest>9<", "<indIEDest>1<")]),
    (791, &[("<indIEDest>9</indIEDest>", "<indIEDest>2</indIEDest><IE>110042490114</IE>")]),
    (210, &[("<indIEDest>9</indIEDest>", "<indIEDest>1</indIEDest><IE>110042490115</IE>")]),
    (235, &[("</indIEDest>", "</indIEDest><ISUF>123456788</ISUF>")]),
    (323, &[("<det ", "<autXML><CNPJ>11222333000182</CNPJ></autXML><det ")]),
    (325, &[("<det ", "<autXML><CPF>11144477734</CPF></autXML><det ")]),
    (927, &[("nItem=\"1\"", "nItem=\"2\"")]),
    (611, &[("<cEAN>SEM GTIN<", "<cEAN>7891000315508<")]),
    (883, &[("<cEAN>SEM GTIN<", "<cEAN><")]),
    (888, &[("<cEANTrib>SEM GTIN<", "<cEANTrib><")]),
    (612, &[("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315508<")]),
    (885, &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")]),
    (886, &[("<cEANTrib>SEM GTIN<", "<cEANTrib>7891000315507<")]),
    (777, &[("<NCM>09012100<", "<NCM>09<")]),
    (471, &[("<NCM>09012100<", "<NCM>00<")]),
    (518, &[("<CFOP>5102<", "<CFOP>1102<")]),
    (519, &[("<tpNF>1<", "<tpNF>0<")]),
    (731, &[("<CFOP>5102<", "<CFOP>7102<")]),
    (732, &[("<CFOP>5102<", "<CFOP>6102<")]),
    (733, &[INTERSTATE]),
    (520, &[("<CFOP>5102<", "<CFOP>7102<")]),
    (629, &[("<vUnCom>50.00<", "<vUnCom>51.00<")]),
    (630, &[("<vUnTrib>50.00<", "<vUnTrib>51.00<")]),
    (483, &[("</vUnTrib>", "</vUnTrib><vDesc>100.01</vDesc>")]),
    (590, &[("<CRT>3<", "<CRT>1<")]),
    (591, &[(ICMS00, "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>")]),
    (508, &[(ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>")]),
    (600, &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>")]),
    (529, &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, DIFERIDO)]),
    (527, &[("<CFOP>5102<", "<CFOP>7102<")]),
    (663, &[INTERSTATE, ("<orig>0<", "<orig>1<")]),
    (693, &[INTERSTATE]),
    (528, &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.98</vICMS></ICMS00>")]),
    (351, &[(ICMS00, DIFERIDO_OP)]),
    (352, &[(ICMS00, DIFERIDO_PART)]),
    (353, &[(ICMS00, DIFERIDO_REST)]),
    (860, &[("</vICMS></ICMS00>", "</vICMS><pFCP>2.0000</pFCP><vFCP>1.00</vFCP></ICMS00>")]),
    (880, &[("</vICMS></ICMS00>", "</vICMS><pFCP>0.0000</pFCP><vFCP>0.00</vFCP></ICMS00>")]),
    (694, &[INTERSTATE]),
    (695, &[("</imposto>", SHARE)]),
    (699, &[INTERSTATE, ("</imposto>", SHARE), ("<pICMSInterPart>100.0000<", "<pICMSInterPart>80.0000<")]),
    (815, &[INTERSTATE, ("</imposto>", SHARE), ("<vICMSUFDest>6.00<", "<vICMSUFDest>5.00<")]),
    (530, &[("<ICMS>", "<ISSQN>"), ("</ICMS>", "</ISSQN>")]),
    (531, &[("<ICMSTot><vBC>100.00<", "<ICMSTot><vBC>99.99<")]),
    (532, &[("<vICMS>18.00</vICMS><vICMSDeson>", "<vICMS>18.01</vICMS><vICMSDeson>")]),
    (795, &[("<vICMSDeson>0.00<", "<vICMSDeson>0.01<")]),
    (861, &[("<vFCP>0.00<", "<vFCP>0.01<")]),
    (798, &[("<vFCP>0.00<", "<vFCPUFDest>0.01</vFCPUFDest><vFCP>0.00<")]),
    (799, &[("<vFCP>0.00<", "<vICMSUFDest>0.01</vICMSUFDest><vFCP>0.00<")]),
    (800, &[("<vFCP>0.00<", "<vICMSUFRemet>0.01</vICMSUFRemet><vFCP>0.00<")]),
    (533, &[("<vBCST>0.00<", "<vBCST>0.01<")]),
    (534, &[("<vST>0.00<", "<vST>0.01<")]),
    (862, &[("<vFCPST>0.00<", "<vFCPST>0.01<")]),
    (564, &[("<indTot>1<", "<indTot>0<")]),
    (535, &[("<vFrete>0.00<", "<vFrete>0.01<")]),
    (536, &[("<vSeg>0.00<", "<vSeg>0.01<")]),
    (537, &[("<vDesc>0.00<", "<vDesc>0.01<")]),
    (601, &[("<vII>0.00<", "<vII>0.01<")]),
    (538, &[("<vIPI>0.00<", "<vIPI>0.01<")]),
    (863, &[("<vIPIDevol>0.00<", "<vIPIDevol>0.01<")]),
    (602, &[("<vPIS>0.00<", "<vPIS>0.01<")]),
    (603, &[("<vCOFINS>0.00<", "<vCOFINS>0.01<")]),
    (604, &[("<vOutro>0.00<", "<vOutro>0.01<")]),
    (685, &[("</vNF>", "</vNF><vTotTrib>0.01</vTotTrib>")]),
    (605, &[("</ICMSTot>", "</ICMSTot><ISSQNtot><vServ>1.00</vServ></ISSQNtot>")]),
    (610, &[("<vNF>100.00<", "<vNF>100.51<")]),
    (868, &[INTERSTATE, ("</modFrete>", "</modFrete><veicTransp><placa>ABC1D23</placa></veicTransp>")]),
    (542, &[("</modFrete>", "</modFrete><transporta><CNPJ>11222333000182</CNPJ></transporta>")]),
    (543, &[("</modFrete>", "</modFrete><transporta><CPF>11144477734</CPF></transporta>")]),
    (905, &[("<pag>", "<cobr></cobr><pag>")]),
    (901, &[("<pag>", FAT), ("<vOrig>100.00<", "<vOrig>0.00<"), ("<vDesc>0.00</vDesc><vLiq>", "<vDesc>1.00</vDesc><vLiq>")]),
    (902, &[("<pag>", FAT), ("<vLiq>100.00<", "<vLiq>99.00<")]),
    (852, &[("<pag>", DUPS), ("<nDup>002<", "<nDup>2<")]),
    (900, &[("<pag>", DUPS), ("<dVenc>2026-12-20<", "<dVenc>2026-11-19<")]),
    (850, &[("<pag>", DUPS), ("<dVenc>2027-01-20<", "<dVenc>2026-12-19<")]),
    (851, &[("<pag>", DUPS), ("<vDup>50.00<", "<vDup>49.99<")]),
    (871, &[("<finNFe>1<", "<finNFe>3<")]),
    (441, &[("<tPag>01<", "<tPag>99<")]),
    (442, &[("<tPag>01</tPag>", "<tPag>01</tPag><xPag>moedas</xPag>")]),
    (866, &[("<vPag>100.00<", "<vPag>110.00<")]),
    (869, &[("<vPag>100.00</vPag></detPag>", "<vPag>110.00</vPag></detPag><vTroco>9.00</vTroco>")]),
    (904, &[("<tPag>01<", "<tPag>90<")]),
    (392, &[("</vPag>", "</vPag><card><tpIntegra>1</tpIntegra></card>")]),
    (437, &[("</vPag>", "</vPag><card><tpIntegra>2</tpIntegra><CNPJ>11222333000182</CNPJ></card>")]),
    (438, &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>1</indIntermed>")]),
    (439, &[("</pag>", "</pag><infIntermed><CNPJ>11222333000181</CNPJ></infIntermed>")]),
    (440, &[("</pag>", "</pag><infIntermed><CNPJ>11222333000182</CNPJ></infIntermed>")]),
    (355, &[ABROAD]),
    (356, &[("</pag>", "</pag><exporta><UFSaidaPais>SP</UFSaidaPais></exporta>")]),
    (393, &[("</infNFe>", "</infNFe><infNFeSupl><qrCode>x</qrCode></infNFeSupl>")]),
    (394, &[NFCE]),
    (395, &[NFCE, ("</infNFe>", QR), ("www.homologacao.nfce.fazenda.sp.gov.br/qrcode", "www.example.com/qrcode")]),
    (444, &[NFCE, ("</infNFe>", QR), ("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")]),
    (396, &[NFCE, ("</infNFe>", QR), ("|2|2|1|", "|2|2|")]),
    (397, &[NFCE, ("</infNFe>", QR), ("|2|2|1|", "|2|1|1|")]),
    (398, &[NFCE, ("</infNFe>", QR), ("|2|2|1|", "|1|2|1|")]),
    (445, &[NFCE, ("</infNFe>", QR), ("|2|2|1|AA", "|3|2|AA")]),
    (474, &[NFCE, ("<tpEmis>1<", "<tpEmis>9<"), ("</infNFe>", QR), ("|2|2|1|AA", "|3|2|20|100.00|2|11144477735")]),
    (878, &[NFCE, ("</infNFe>", QR), ("/NFCeConsultaPublica", "/consulta")]),
];

/// Documents the condition alone would refuse, and an exception of the manual lets pass.
#[rustfmt::skip]
const EXCEPTED: &[(u16, &[Edit])] = &[
    (711, &[("<tpEmis>1<", "<tpEmis>9<"), ("<tpImp>1<", "<tpImp>6<")]),
    (255, &[("<finNFe>1<", "<finNFe>2<"), ("</ide>", REF)]),
    (680, &[("</ide>", REF), ("</ide>", REF_OTHER)]),
    (321, &[("<finNFe>1<", "<finNFe>4<"), ("<CFOP>5102<", "<CFOP>5921<")]),
    (321, &[("<finNFe>1<", "<finNFe>4<"), ("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>")]),
    (434, &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>0</indIntermed>")]),
    (772, &[INTERSTATE, ("<det ", "<entrega><UF>RJ</UF></entrega><det ")]),
    (773, &[("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>RS</UF><CEP>90010000</CEP></enderDest>"), ("<indFinal>1<", "<indFinal>0<"), ("<det ", "<entrega><UF>SP</UF></entrega><det ")]),
    (209, &[("<IE>110042490114<", "<IE>ISENTO<")]),
    (235, &[("</indIEDest>", "</indIEDest><ISUF>200106023</ISUF>")]),
    (590, &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMS61><orig>0</orig><CST>61</CST></ICMS61>")]),
    (600, &[("<CRT>3<", "<CRT>1<"), (ICMS00, "<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>"), ("<CFOP>5102<", "<CFOP>5915<")]),
    (529, &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, "<ICMS40><orig>0</orig><CST>50</CST></ICMS40>"), ("<CFOP>5102<", "<CFOP>5915<")]),
    (351, &[(ICMS00, DIFERIDO)]),
    (352, &[(ICMS00, DIFERIDO)]),
    (353, &[(ICMS00, DIFERIDO)]),
    (694, &[INTERSTATE, ("<CRT>3<", "<CRT>1<")]),
    (815, &[INTERSTATE, ("</imposto>", SHARE)]),
    (528, &[("<vICMS>18.00</vICMS></ICMS00>", "<vICMS>17.99</vICMS></ICMS00>")]),
    (629, &[("<vProd>100.00<", "<vProd>100.01<")]),
    (611, &[("<cEAN>SEM GTIN<", "<cEAN>7891000315507<")]),
    (610, &[("<vNF>100.00<", "<vNF>100.50<")]),
    (610, &[("<vNF>100.00<", "<vNF>500.00<"), ("<CFOP>5102<", "<CFOP>3102<")]),
    (851, &[("<pag>", DUPS)]),
    (852, &[("<pag>", DUPS)]),
    (441, &[("<tPag>01</tPag>", "<tPag>99</tPag><xPag>moedas</xPag>")]),
    (869, &[("<vPag>100.00</vPag></detPag>", "<vPag>110.00</vPag></detPag><vTroco>10.00</vTroco>")]),
];

/// A taxed sale inside São Paulo to a consumer.
const VALID: &str = concat!(
    r#"<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35261111222333000181550010000000011847362510" versao="4.00">"#,
    "<ide><cUF>35</cUF><cNF>84736251</cNF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>1</nNF>",
    "<dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp>",
    "<tpEmis>1</tpEmis><cDV>0</cDV><tpAmb>2</tpAmb><finNFe>1</finNFe><indFinal>1</indFinal><indPres>1</indPres>",
    "<procEmi>0</procEmi><verProc>1.0</verProc></ide><emit><CNPJ>11222333000181</CNPJ><xNome>EMPRESA</xNome><enderEmit>",
    "<xLgr>RUA A</xLgr><nro>1</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF>",
    "<CEP>01001000</CEP></enderEmit><IE>110042490114</IE><CRT>3</CRT></emit><dest><CPF>11144477735</CPF>",
    "<xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest><xLgr>RUA B</xLgr><nro>2</nro>",
    "<xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>",
    "<indIEDest>9</indIEDest></dest><det nItem=\"1\"><prod><cProd>1</cProd><cEAN>SEM GTIN</cEAN><xProd>CAFE</xProd>",
    "<NCM>09012100</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>50.00</vUnCom><vProd>100.00</vProd>",
    "<cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>2.0000</qTrib><vUnTrib>50.00</vUnTrib><indTot>1</indTot></prod>",
    "<imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS>",
    "<vICMS>18.00</vICMS></ICMS00></ICMS><PIS><PISNT><CST>07</CST></PISNT></PIS><COFINS><COFINSNT><CST>07</CST>",
    "</COFINSNT></COFINS></imposto></det><total><ICMSTot><vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>0.00</vICMSDeson>",
    "<vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST><vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>100.00</vProd>",
    "<vFrete>0.00</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII><vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol>",
    "<vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro><vNF>100.00</vNF></ICMSTot></total><transp>",
    "<modFrete>9</modFrete></transp><pag><detPag><indPag>0</indPag><tPag>01</tPag><vPag>100.00</vPag></detPag></pag>",
    "</infNFe></NFe>"
);
