//! Inutilização: the request to void a range of numbers that no document will carry.
//!
//! Law: MOC 7.0, visão geral, 5.3; layout `inutNFe` 4.00. Must not know which numbers are free.

use crate::layout::{self, LayoutFault};
use crate::value::{CnpjCpf, TpAmb, Uf};
use crate::xml::CanonicalWriter;

/// A range of numbers to be voided, with the reason.
#[derive(Debug, Clone, Copy)]
pub struct Inutilizacao<'a> {
    pub uf: Uf,
    pub ambiente: TpAmb,
    /// Two digits.
    pub ano: u8,
    /// A CPF is taken by some authorities only: the national layout has the CNPJ alone (cStat 266).
    pub emitente: CnpjCpf,
    pub modelo: u8,
    pub serie: u16,
    pub nNFIni: u32,
    pub nNFFin: u32,
    /// 15 to 255 characters.
    pub xJust: &'a str,
}

/// Most numbers of one request (cStat 201).
pub const MOST_NUMBERS: u32 = 10_000;
/// Last series that may be voided (cStat 266).
pub const LAST_SERIES: u16 = 909;

/// Canonical, unsigned `<inutNFe xmlns=… versao="4.00">…</inutNFe>` and its `Id`.
pub fn build(asked: &Inutilizacao<'_>) -> (String, String) {
    let Inutilizacao { uf, ambiente, ano, emitente, modelo, serie, nNFIni, nNFFin, xJust } = *asked;
    let cUF = uf.code();
    let id = format!("ID{cUF:02}{ano:02}{:0>14}{modelo:02}{serie:03}{nNFIni:09}{nNFFin:09}", emitente.as_str());
    let tag = if matches!(emitente, CnpjCpf::Cpf(_)) { "CPF" } else { "CNPJ" };
    let mut xml = CanonicalWriter::with_capacity(512);
    xml.open_with("inutNFe", &[("xmlns", NAMESPACE), ("versao", VERSAO)]);
    xml.open_with("infInut", &[("Id", &id)]);
    xml.leaf("tpAmb", ambiente.code());
    xml.leaf("xServ", "INUTILIZAR");
    xml.leaf("cUF", &cUF.to_string());
    xml.leaf("ano", &format!("{ano:02}"));
    xml.leaf(tag, emitente.as_str());
    xml.leaf("mod", &modelo.to_string());
    xml.leaf("serie", &serie.to_string());
    xml.leaf("nNFIni", &nNFIni.to_string());
    xml.leaf("nNFFin", &nNFFin.to_string());
    xml.leaf("xJust", xJust);
    xml.close("infInut");
    xml.close("inutNFe");
    (xml.finish(), id)
}

/// Faults by the layout. The missing signature does not count, nor a CPF in place of the CNPJ.
pub fn check(asked: &Inutilizacao<'_>) -> Vec<LayoutFault> {
    let (xml, _) = build(asked);
    let Ok(element) = crate::xml::read(xml.as_bytes()) else { return Vec::new() };
    let faults = layout::check(&layout::INUT_NFE, &element);
    let faults = faults.into_iter().filter(|fault| fault.path.starts_with("infInut"));
    let is_of_person = matches!(asked.emitente, CnpjCpf::Cpf(_));
    faults.filter(|fault| !(is_of_person && is_beside_layout(&fault.path))).collect()
}

/// True for the path of a fault that a CPF in place of the CNPJ causes.
pub fn is_beside_layout(path: &str) -> bool {
    matches!(path, "infInut/CPF" | "infInut/CNPJ")
}

const NAMESPACE: &str = "http://www.portalfiscal.inf.br/nfe";
const VERSAO: &str = "4.00";

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Inutilizacao<'static> {
        Inutilizacao {
            uf: Uf::SP,
            ambiente: TpAmb::Homologacao,
            ano: 26,
            emitente: CnpjCpf::parse("11222333000181").unwrap(),
            modelo: 55,
            serie: 1,
            nNFIni: 10,
            nNFFin: 12,
            xJust: "Falha na sequencia de numeracao",
        }
    }

    /// Text whose SHA-1 xmlsec1 confirmed as `ZKP8th8iSetpO/wxsETiz42/Jdw=`, canonicalised with its namespace.
    const CONFIRMED: &str = "<inutNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><infInut \
        Id=\"ID35261122233300018155001000000010000000012\"><tpAmb>2</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>26</ano>\
        <CNPJ>11222333000181</CNPJ><mod>55</mod><serie>1</serie><nNFIni>10</nNFIni><nNFFin>12</nNFFin>\
        <xJust>Falha na sequencia de numeracao</xJust></infInut></inutNFe>";

    #[test]
    fn writes_the_request_that_was_confirmed() {
        let (xml, id) = build(&asked());
        assert_eq!(xml, CONFIRMED);
        assert_eq!(id, "ID35261122233300018155001000000010000000012");
        assert_eq!(check(&asked()), []);
    }

    #[test]
    fn the_layout_refuses_what_it_does_not_take() {
        assert_ne!(check(&Inutilizacao { xJust: "curta", ..asked() }), []);
        assert_ne!(check(&Inutilizacao { nNFIni: 0, ..asked() }), []);
        let lettered = Inutilizacao { emitente: CnpjCpf::parse("12ABC34501DE35").unwrap(), ..asked() };
        assert_eq!(check(&lettered), []);
    }

    #[test]
    fn a_person_stands_with_fourteen_positions_in_the_id_and_a_cpf_in_the_request() {
        let person = Inutilizacao { uf: Uf::MT, emitente: CnpjCpf::parse("52998224725").unwrap(), ..asked() };
        let (xml, id) = build(&person);
        assert_eq!(id, "ID51260005299822472555001000000010000000012");
        assert!(xml.contains("<CPF>52998224725</CPF>"));
        assert_eq!(check(&person), []);
        assert_ne!(check(&Inutilizacao { xJust: "curta", ..person }), []);
    }
}
