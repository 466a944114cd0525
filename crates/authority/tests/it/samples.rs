//! Replies of authorities, typed by us after the official layouts (each is checked against its XSD).

use authority::call::AuthorityReply;

pub const CHAVE: &str = "35261111222333000181550010000000011847362510";
pub const NFE: &str = include_str!("../../../signing/tests/golden/nfe.xml");
pub const NFE_ID: &str = "NFe35261111222333000181550010000000011847362510";
pub const CANCELAMENTO: &str = include_str!("../../../signing/tests/golden/cancelamento.xml");
pub const CANCELAMENTO_ID: &str = "ID1101113526111122233300018155001000000001184736251001";
pub const DIGEST: &str = "zFlUxofni50KI4dhhVmIumqFZiQ=";

/// A reply with status 200.
pub fn ok(body: impl AsRef<[u8]>) -> AuthorityReply {
    AuthorityReply::new(http::StatusCode::OK, body.as_ref())
}

/// The plainest envelope around an answer.
pub fn envelope(service: &str, answer: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><nfeResultMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/{service}">{answer}</nfeResultMsg></soap:Body></soap:Envelope>"#
    )
}

pub fn ret_envi(cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<retEnviNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><tpAmb>2</tpAmb><verAplic>SP_NFE_PL009_V4</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>35</cUF><dhRecbto>2026-11-20T10:00:05-03:00</dhRecbto>{rest}</retEnviNFe>"#
    )
}

/// `nProt` and `digVal` as an authorisation has them; a rejection has neither.
pub fn prot(cStat: u16, xMotivo: &str, authorised: bool) -> String {
    let record =
        if authorised { format!("<nProt>135260000000001</nProt><digVal>{DIGEST}</digVal>") } else { String::new() };
    format!(
        r#"<protNFe versao="4.00"><infProt><tpAmb>2</tpAmb><verAplic>SP_NFE_PL009_V4</verAplic><chNFe>{CHAVE}</chNFe><dhRecbto>2026-11-20T10:00:05-03:00</dhRecbto>{record}<cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo></infProt></protNFe>"#
    )
}

pub fn authorised() -> String {
    ret_envi(104, "Lote processado", &prot(100, "Autorizado o uso da NF-e", true))
}

pub fn ret_reci(cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<retConsReciNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><tpAmb>2</tpAmb><verAplic>SVRS2026</verAplic><nRec>431000012345678</nRec><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>43</cUF><dhRecbto>2026-11-20T10:00:20-03:00</dhRecbto>{rest}</retConsReciNFe>"#
    )
}

pub fn ret_sit(cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<retConsSitNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><tpAmb>2</tpAmb><verAplic>SVRS2026</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>35</cUF><dhRecbto>2026-11-20T10:05:00-03:00</dhRecbto><chNFe>{CHAVE}</chNFe>{rest}</retConsSitNFe>"#
    )
}

pub fn ret_status(cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<retConsStatServ xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><tpAmb>2</tpAmb><verAplic>SVRS2026</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>35</cUF><dhRecbto>2026-11-20T10:00:00-03:00</dhRecbto>{rest}</retConsStatServ>"#
    )
}

pub fn ret_evento(cStat: u16, xMotivo: &str) -> String {
    format!(
        r#"<retEvento versao="1.00"><infEvento><tpAmb>2</tpAmb><verAplic>SP_EVENTOS</verAplic><cOrgao>35</cOrgao><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><chNFe>{CHAVE}</chNFe><tpEvento>110111</tpEvento><xEvento>Cancelamento registrado</xEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>2026-11-20T11:00:02-03:00</dhRegEvento><nProt>135260000000002</nProt></infEvento></retEvento>"#
    )
}

pub fn ret_env_evento(cStat: u16, xMotivo: &str, rest: &str) -> String {
    format!(
        r#"<retEnvEvento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><idLote>1</idLote><tpAmb>2</tpAmb><verAplic>SP_EVENTOS</verAplic><cOrgao>35</cOrgao><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo>{rest}</retEnvEvento>"#
    )
}
