//! 110111: cancellation by the issuer.

use super::NAMESPACE;
use crate::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use crate::xml::Writer;

/// What a cancellation says.
#[derive(Debug, Clone, Copy)]
pub struct Cancelamento<'a> {
    /// Document.
    pub chave: ChaveAcesso,
    /// `cOrgao`.
    pub uf: Uf,
    /// Environment.
    pub ambiente: TpAmb,
    /// Author.
    pub emitente: CnpjCpf,
    /// RFC 3339 with offset, no fraction.
    pub dhEvento: &'a str,
    /// Protocol of the authorisation.
    pub nProt: &'a str,
    /// 15–255.
    pub xJust: &'a str,
}

/// Canonical, unsigned `<evento xmlns=… versao="1.00">…</evento>` and its `Id`.
pub fn build_cancelamento(cancelamento: &Cancelamento<'_>) -> (String, String) {
    let id = format!("ID{TP_EVENTO}{}{N_SEQ_EVENTO:02}", cancelamento.chave);
    let uf = cancelamento.uf.code().to_string();
    let mut xml = Writer::with_capacity(640);
    xml.open_with("evento", &[("xmlns", NAMESPACE), ("versao", VERSAO)]);
    xml.open_with("infEvento", &[("Id", &id)]);
    xml.leaf("cOrgao", &uf);
    xml.leaf("tpAmb", cancelamento.ambiente.code());
    xml.leaf(cancelamento.emitente.tag(), cancelamento.emitente.as_str());
    xml.leaf("chNFe", cancelamento.chave.as_str());
    xml.leaf("dhEvento", cancelamento.dhEvento);
    xml.leaf("tpEvento", TP_EVENTO);
    xml.leaf("nSeqEvento", &N_SEQ_EVENTO.to_string());
    xml.leaf("verEvento", VERSAO);
    xml.open_with("detEvento", &[("versao", VERSAO)]);
    xml.leaf("descEvento", "Cancelamento");
    xml.leaf("nProt", cancelamento.nProt);
    xml.leaf("xJust", cancelamento.xJust);
    xml.close("detEvento");
    xml.close("infEvento");
    xml.close("evento");
    (xml.finish(), id)
}

const TP_EVENTO: &str = "110111";
const VERSAO: &str = "1.00";
/// A document is cancelled once.
const N_SEQ_EVENTO: u8 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// The text whose SHA-1 xmlsec1 confirmed as `bYW4rb400oGm7iDPp+rgpct9JSM=` once canonicalised with its namespace.
    const CONFIRMED: &str = "<evento xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"1.00\">\
        <infEvento Id=\"ID1101113526111122233300018155001000000001184736251001\"><cOrgao>35</cOrgao><tpAmb>2</tpAmb>\
        <CNPJ>11222333000181</CNPJ><chNFe>35261111222333000181550010000000011847362510</chNFe>\
        <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>\
        <verEvento>1.00</verEvento><detEvento versao=\"1.00\"><descEvento>Cancelamento</descEvento>\
        <nProt>135260000000001</nProt><xJust>Pedido cancelado pelo cliente</xJust></detEvento></infEvento></evento>";

    #[test]
    fn writes_the_event_that_was_confirmed() {
        let (xml, id) = build_cancelamento(&Cancelamento {
            chave: ChaveAcesso::parse("35261111222333000181550010000000011847362510").unwrap(),
            uf: Uf::SP,
            ambiente: TpAmb::Homologacao,
            emitente: CnpjCpf::parse("11222333000181").unwrap(),
            dhEvento: "2026-11-20T11:00:00-03:00",
            nProt: "135260000000001",
            xJust: "Pedido cancelado pelo cliente",
        });
        assert_eq!(xml, CONFIRMED);
        assert_eq!(id, "ID1101113526111122233300018155001000000001184736251001");
        let signed = xml.split_once("<infEvento").map(|(_, rest)| rest.trim_end_matches("</evento>").len());
        assert_eq!(
            signed.map(|rest| rest + "<infEvento xmlns=\"http://www.portalfiscal.inf.br/nfe\"".len()),
            Some(521)
        );
    }
}
