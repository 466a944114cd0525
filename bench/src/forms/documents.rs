//! Documents to print: golden cases with the first item repeated, each with its own code and name; a CT-e with repeated
//! carried notes.

use anyhow::{Context as _, Result};
use std::path::Path;

/// A document to print.
#[derive(Clone, Copy)]
pub(crate) enum PrintedDocument {
    /// Model 55 with instalments and the new taxes.
    Nfe,
    /// Model 65.
    Nfce,
    /// Model 57, with the taxes of the reform.
    Cte,
    /// National NFS-e with retentions and the taxes of the reform.
    Nfse,
    /// NFS-e of a city hall (GovDigital 2.01) with retentions and deductions.
    Municipal,
}

impl PrintedDocument {
    /// Returns the name for the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PrintedDocument::Nfe => "NF-e",
            PrintedDocument::Nfce => "NFC-e",
            PrintedDocument::Cte => "CT-e",
            PrintedDocument::Nfse => "NFS-e",
            PrintedDocument::Municipal => "NFS-e municipal",
        }
    }

    /// Returns the noun of the count, for the table.
    pub(crate) fn count_noun(self) -> &'static str {
        match self {
            PrintedDocument::Nfe | PrintedDocument::Nfce => "items",
            PrintedDocument::Cte => "notes carried",
            PrintedDocument::Nfse | PrintedDocument::Municipal => "service",
        }
    }

    /// Returns the XML, wrapped in its authorisation.
    pub(crate) fn with_items(self, count: usize) -> Result<String> {
        let case = match self {
            PrintedDocument::Nfe => "cobranca",
            PrintedDocument::Nfce => "nfce_simples",
            PrintedDocument::Cte => return cte_with_notes(count),
            // by law an NFS-e has one service and one sheet
            PrintedDocument::Nfse => return nfse_of_dps(),
            PrintedDocument::Municipal => return municipal_nfse_of_rps(),
        };
        let xml = golden("nfe", case)?;
        let (before, rest) = xml.split_once("<det ").context("an item")?;
        let (item, _) = rest.split_once("</det>").context("an item")?;
        let (_, item) = item.split_once('>').context("an item")?;
        let (_, after) = xml.rsplit_once("</det>").context("an item")?;
        let items: String = (1..=count).map(|number| numbered_item(item, number)).collect();
        Ok(format!(
            "<nfeProc versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/nfe\">{before}{items}{after}<protNFe versao=\"4.00\"><infProt>\
             <tpAmb>2</tpAmb><verAplic>1</verAplic><dhRecbto>2026-11-20T10:00:01-03:00</dhRecbto><nProt>135260000000001</nProt><cStat>100</cStat>\
             <xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe></nfeProc>"
        ))
    }
}

/// Reads a golden case without its XML declaration.
fn golden(family: &str, case: &str) -> Result<String> {
    golden_file(family, case, "expected.xml")
}

/// Reads a file of a golden case without its XML declaration.
fn golden_file(family: &str, case: &str, file: &str) -> Result<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/fiscal/tests/golden").join(family).join(case);
    let xml = std::fs::read_to_string(folder.join(file))?;
    Ok(xml.split_once("?>").map_or(xml.as_str(), |(_, rest)| rest).to_owned())
}

/// Returns a CT-e with this many carried notes, wrapped in its authorisation.
fn cte_with_notes(count: usize) -> Result<String> {
    let xml = golden("cte", "exemplo_interestadual")?;
    let (before, rest) = xml.split_once("<infNFe>").context("a note carried")?;
    let (_, after) = rest.rsplit_once("</infNFe>").context("a note carried")?;
    let note =
        |number: usize| format!("<infNFe><chave>43261112ABC34501DE35550010{number:08}11847362513</chave></infNFe>");
    let notes: String = (1..=count).map(note).collect();
    Ok(format!(
        "<cteProc versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/cte\">{before}{notes}{after}<protCTe versao=\"4.00\"><infProt>\
         <tpAmb>2</tpAmb><verAplic>1</verAplic><chCTe>43261111222333000181570010000001011202611019</chCTe>\
         <dhRecbto>2026-11-20T10:00:01-03:00</dhRecbto><nProt>143260000000001</nProt><cStat>100</cStat>\
         <xMotivo>Autorizado o uso do CT-e</xMotivo></infProt></protCTe></cteProc>"
    ))
}

/// Returns an NFS-e as the authority makes it from a DPS.
fn nfse_of_dps() -> Result<String> {
    let dps = golden("nfse", "exemplo_retencoes_ibs_cbs")?;
    Ok(format!(
        "<NFSe xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\"><infNFSe Id=\"NFS35503082211222333000181000000000000226112234567892\">\
         <xLocEmi>São Paulo</xLocEmi><xLocPrestacao>São Paulo</xLocPrestacao><nNFSe>2</nNFSe><cLocIncid>3550308</cLocIncid><xLocIncid>São Paulo</xLocIncid>\
         <xTribNac>Assessoria ou consultoria de qualquer natureza</xTribNac><verAplic>1</verAplic><ambGer>2</ambGer><tpEmis>1</tpEmis><cStat>100</cStat>\
         <dhProc>2026-11-20T10:00:05-03:00</dhProc><nDFSe>2</nDFSe><emit><CNPJ>11222333000181</CNPJ><xNome>PRESTADOR EXEMPLO LTDA</xNome><enderNac>\
         <xLgr>Avenida Paulista</xLgr><nro>1000</nro><xBairro>Bela Vista</xBairro><cMun>3550308</cMun><UF>SP</UF><CEP>01310100</CEP></enderNac></emit>\
         <valores><vBC>10000.00</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>500.00</vISSQN><vTotalRet>1115.00</vTotalRet><vLiq>8885.00</vLiq></valores>\
         <IBSCBS><cLocalidadeIncid>3550308</cLocalidadeIncid><xLocalidadeIncid>São Paulo</xLocalidadeIncid><valores><vBC>9135.00</vBC><uf>\
         <pIBSUF>0.10</pIBSUF><pAliqEfetUF>0.10</pAliqEfetUF></uf><mun><pIBSMun>0.00</pIBSMun><pAliqEfetMun>0.00</pAliqEfetMun></mun><fed>\
         <pCBS>0.90</pCBS><pAliqEfetCBS>0.90</pAliqEfetCBS></fed></valores><totCIBS><vTotNF>8885.00</vTotNF><gIBS><vIBSTot>9.14</vIBSTot><gIBSUFTot>\
         <vIBSUF>9.14</vIBSUF></gIBSUFTot><gIBSMunTot><vIBSMun>0.00</vIBSMun></gIBSMunTot></gIBS><gCBS><vCBS>82.22</vCBS></gCBS></totCIBS></IBSCBS>\
         {dps}</infNFSe></NFSe>"
    ))
}

/// Returns a municipal NFS-e as the city hall makes it from an RPS.
fn municipal_nfse_of_rps() -> Result<String> {
    let message = golden_file("abrasf", "retencoes_federais_e_deducoes", "govdigital-2.01.xml")?;
    let (_, rps) = message.split_once("<Rps>").context("an RPS")?;
    let (declared, _) = rps.rsplit_once("</Rps>").context("an RPS")?;
    Ok(format!(
        "<CompNfse xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><Nfse versao=\"2.01\"><InfNfse Id=\"N26000001\"><Numero>26000001</Numero>\
         <CodigoVerificacao>ABCD1234</CodigoVerificacao><DataEmissao>2026-11-20T10:00:05</DataEmissao><ValoresNfse><BaseCalculo>8399.50</BaseCalculo>\
         <Aliquota>0.0500</Aliquota><ValorIss>419.98</ValorIss><ValorLiquidoNfse>8703.79</ValorLiquidoNfse></ValoresNfse><PrestadorServico>\
         <IdentificacaoPrestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal></IdentificacaoPrestador>\
         <RazaoSocial>PRESTADOR EXEMPLO LTDA</RazaoSocial><Endereco><Endereco>Rua Um</Endereco><Numero>1</Numero><Bairro>Centro</Bairro>\
         <CodigoMunicipio>3138203</CodigoMunicipio><Uf>MG</Uf><Cep>37200000</Cep></Endereco></PrestadorServico><OrgaoGerador>\
         <CodigoMunicipio>3138203</CodigoMunicipio><Uf>MG</Uf></OrgaoGerador><DeclaracaoPrestacaoServico>{declared}</DeclaracaoPrestacaoServico>\
         </InfNfse></Nfse></CompNfse>"
    ))
}

fn numbered_item(item: &str, number: usize) -> String {
    let item = replace_element_text(item, "cProd", &format!("CAD-{number}"));
    let item = replace_element_text(&item, "xProd", &format!("Caderno universitário capa dura {number} folhas"));
    format!("<det nItem=\"{number}\">{item}</det>")
}

fn replace_element_text(xml: &str, tag: &str, content: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    match xml.split_once(&open).and_then(|(before, rest)| Some((before, rest.split_once(&close)?.1))) {
        Some((before, after)) => format!("{before}{open}{content}{close}{after}"),
        None => xml.to_owned(),
    }
}
