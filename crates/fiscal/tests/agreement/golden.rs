//! Whole documents, not drawn, whose verdict, size and encoding are known.

use fiscal::layout::{self, Layout};
use fiscal::xml;

use crate::libxml;

const NFE: &str = concat!(
    r#"<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35261111222333000181550010000000011847362510" versao="4.00">"#,
    "<ide><cUF>35</cUF><cNF>84736251</cNF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>1</nNF>",
    "<dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp>",
    "<tpEmis>1</tpEmis><cDV>0</cDV><tpAmb>2</tpAmb><finNFe>1</finNFe><indFinal>1</indFinal><indPres>1</indPres>",
    "<procEmi>0</procEmi><verProc>1.0</verProc></ide>",
    "<emit><CNPJ>11222333000181</CNPJ><xNome>EMPRESA TESTE LTDA</xNome><enderEmit><xLgr>RUA A</xLgr><nro>1</nro>",
    "<xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderEmit>",
    "<IE>110042490114</IE><CRT>3</CRT></emit>",
    "<dest><CPF>11144477735</CPF><xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest>",
    "<xLgr>RUA B</xLgr><nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF>",
    "<CEP>01001000</CEP></enderDest><indIEDest>9</indIEDest></dest>",
    r#"<det nItem="1"><prod><cProd>1</cProd><cEAN>SEM GTIN</cEAN><xProd>CAFE &amp; ACUCAR</xProd><NCM>09012100</NCM>"#,
    "<CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>50.00</vUnCom><vProd>100.00</vProd>",
    "<cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>2.0000</qTrib><vUnTrib>50.00</vUnTrib><indTot>1</indTot></prod>",
    "<imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS>",
    "<vICMS>18.00</vICMS></ICMS00></ICMS><PIS><PISNT><CST>07</CST></PISNT></PIS><COFINS><COFINSNT><CST>07</CST></COFINSNT>",
    "</COFINS></imposto></det>",
    "<total><ICMSTot><vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>0.00</vICMSDeson><vFCP>0.00</vFCP><vBCST>0.00</vBCST>",
    "<vST>0.00</vST><vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>100.00</vProd><vFrete>0.00</vFrete>",
    "<vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII><vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol><vPIS>0.00</vPIS>",
    "<vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro><vNF>100.00</vNF></ICMSTot></total>",
    "<transp><modFrete>9</modFrete></transp><pag><detPag><indPag>0</indPag><tPag>01</tPag><vPag>100.00</vPag></detPag></pag>",
    "</infNFe></NFe>",
);

const INUT: &str = concat!(
    r#"<inutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><infInut Id="ID35261122233300018155001000000010000000012">"#,
    "<tpAmb>2</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>26</ano><CNPJ>11222333000181</CNPJ><mod>55</mod>",
    "<serie>1</serie><nNFIni>10</nNFIni><nNFFin>12</nNFFin><xJust>Falha na sequencia de numeracao</xJust></infInut></inutNFe>",
);

const EVENTO: &str = concat!(
    r#"<evento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00">"#,
    r#"<infEvento Id="ID1101113526111122233300018155001000000001184736251001">"#,
    "<cOrgao>35</cOrgao><tpAmb>2</tpAmb><CNPJ>11222333000181</CNPJ><chNFe>35261111222333000181550010000000011847362510</chNFe>",
    "<dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>",
    r#"<verEvento>1.00</verEvento><detEvento versao="1.00"><descEvento>Cancelamento</descEvento><nProt>135260000000001</nProt>"#,
    "<xJust>Pedido cancelado pelo cliente</xJust></detEvento></infEvento></evento>",
);

const SIGNATURE: &str = concat!(
    r#"<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>"#,
    r#"<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod>"#,
    r#"<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod><Reference URI="#,
    "\"#x\">",
    r#"<Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>"#,
    r#"<Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms>"#,
    r#"<DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod>"#,
    "<DigestValue>zFlUxofni50KI4dhhVmIumqFZiQ=</DigestValue></Reference></SignedInfo><SignatureValue>AAAA</SignatureValue>",
    "<KeyInfo><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></Signature>",
);

fn signed(document: &str) -> String {
    let end = document.rfind("</").unwrap();
    format!("{}{SIGNATURE}{}", &document[..end], &document[end..])
}

/// Both validators must accept the document.
fn check_taken(layout: &Layout, xsd: &str, document: &str) {
    let faults = layout::check(layout, &xml::read(document.as_bytes()).unwrap());
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(libxml::verdicts(xsd, &[document]), [true], "{document}");
}

/// Returns the only fault of a document.
fn only_fault(layout: &Layout, document: &str) -> (String, String) {
    let faults = layout::check(layout, &xml::read(document.as_bytes()).unwrap());
    let [fault] = faults.as_slice() else { panic!("{faults:#?}") };
    (fault.path.clone(), fault.message.clone())
}

fn check_fault(from: &str, to: &str, path: &str, says: &str) {
    let document = signed(NFE);
    assert_eq!(document.matches(from).count(), 1, "{from}");
    let (found, message) = only_fault(&layout::NFE, &document.replace(from, to));
    assert_eq!(found, path);
    assert!(message.contains(says), "{message}");
}

#[test]
fn takes_the_official_examples() {
    check_taken(&layout::NFE, "nfe/nfe_v4.00.xsd", &signed(NFE));
    check_taken(&layout::INUT_NFE, "nfe/inutNFe_v4.00.xsd", &signed(INUT));
    let batch = format!(
        r#"<envEvento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><idLote>1</idLote>{}</envEvento>"#,
        signed(EVENTO)
    );
    check_taken(&layout::ENV_EVENTO, "evento/envEvento_v1.00.xsd", &batch);
    let from = EVENTO.find("<detEvento").unwrap();
    let to = EVENTO.find("</infEvento").unwrap();
    let content = EVENTO[from..to].replace("<detEvento", r#"<detEvento xmlns="http://www.portalfiscal.inf.br/nfe""#);
    check_taken(layout::nfe_det_evento("110111").unwrap(), "evento/110111/e110111_v1.00.xsd", &content);
}

#[test]
fn takes_a_cnpj_with_letters_in_every_message() {
    let with_letters = |document: &str| signed(&document.replace("11222333000181", "12ABC34501DE35"));
    check_taken(&layout::NFE, "nfe/nfe_v4.00.xsd", &with_letters(NFE));
    let inut = INUT.replace("11222333000181", "12ABC34501DE35").replace("ID352611222333000181", "ID352612ABC34501DE35");
    check_taken(&layout::INUT_NFE, "nfe/inutNFe_v4.00.xsd", &signed(&inut));
    let evento = format!(
        r#"<envEvento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><idLote>1</idLote>{}</envEvento>"#,
        with_letters(EVENTO)
    );
    check_taken(&layout::ENV_EVENTO, "evento/envEvento_v1.00.xsd", &evento);
}

#[test]
fn tells_one_mistake_once_and_says_what_was_expected() {
    check_fault("<vProd>100.00</vProd><cEANTrib>", "<cEANTrib>", "infNFe/det[0]/prod/vProd", "Falta vProd em prod");
    check_fault(
        "<vProd>100.00</vProd><cEANTrib>",
        "<vProd>1,00</vProd><cEANTrib>",
        "infNFe/det[0]/prod/vProd",
        "\"1,00\"",
    );
    check_fault("<tpAmb>2<", "<tpAmb>3<", "infNFe/ide/tpAmb", "1 ou 2");
    check_fault(
        "<modFrete>9</modFrete>",
        "<modFrete>9</modFrete><modFrete>9</modFrete>",
        "infNFe/transp/modFrete",
        "repetido",
    );
    check_fault(
        "<serie>1</serie><nNF>1</nNF>",
        "<nNF>1</nNF><serie>1</serie>",
        "infNFe/ide/nNF",
        "vem depois de serie",
    );
    check_fault("<natOp>", "<xPto>1</xPto><natOp>", "infNFe/ide/xPto", "não existe em ide; aqui se espera natOp");
    check_fault("<natOp>VENDA<", "<natOp> VENDA<", "infNFe/ide/natOp", "espaço no começo ou no fim");
    check_fault(r#" nItem="1""#, "", "infNFe/det[0]/@nItem", "Falta o atributo nItem");
    check_fault(r#" nItem="1""#, r#" nItem="1" nitem="1""#, "infNFe/det[0]/@nitem", "nItem?");
    check_fault("<ide>", "<ide>x", "infNFe/ide", "não contém texto");
    check_fault("<CPF>11144477735</CPF>", "", "infNFe/dest", "CNPJ, CPF ou idEstrangeiro");
    check_fault(SIGNATURE, "", "Signature", "Falta Signature em NFe");
    check_fault("xmlns=\"http://www.portalfiscal.inf.br/nfe\"", "xmlns=\"urn:x\"", "NFe", "portalfiscal");
}

#[test]
fn tells_all_mistakes_at_once() {
    let broken =
        signed(NFE).replace("<tpAmb>2<", "<tpAmb>3<").replace("<NCM>09012100</NCM>", "").replace("<CRT>3<", "<CRT>9<");
    let faults = layout::check(&layout::NFE, &xml::read(broken.as_bytes()).unwrap());
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["infNFe/ide/tpAmb", "infNFe/emit/CRT", "infNFe/det[0]/prod/NCM"]);
}

#[test]
fn a_hostile_document_is_refused_without_listing_all_of_it() {
    let hostile = signed(NFE).replace("<natOp>", &format!("{}<natOp>", "<xPto></xPto>".repeat(20_000)));
    assert_eq!(layout::check(&layout::NFE, &xml::read(hostile.as_bytes()).unwrap()).len(), 1_000);
}

#[test]
fn an_identifier_may_stand_once_in_a_document() {
    let document = signed(NFE);
    let twice =
        document.replace("<SignedInfo>", r#"<SignedInfo Id="NFe35261111222333000181550010000000011847362510">"#);
    assert_eq!(only_fault(&layout::NFE, &twice).0, "Signature/SignedInfo/@Id");
    assert_eq!(libxml::verdicts("nfe/nfe_v4.00.xsd", &[&twice]), [false]);
}
