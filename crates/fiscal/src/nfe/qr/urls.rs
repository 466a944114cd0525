//! Public addresses of the NFC-e in each state: for the QR code and for queries by key, in both environments.
//!
//! Source: portal nacional da NFC-e (nfce.encat.org, "Consulte sua nota" and "Desenvolvedor, QR Code"), read as a list
//! of facts on 2026-11-21. Rules ZX02-20 (395) and ZX03-20 (878) compare without regard to case. Where both
//! environments share an address, `tpAmb` in the code distinguishes them.

use crate::value::{TpAmb, Uf};

/// Addresses of one state in one environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NfceAddresses {
    /// Address of the QR code, up to the `?`.
    pub qr: &'static str,
    /// `urlChave`: address for queries by key.
    pub chave: &'static str,
}

/// Returns the addresses of a state.
pub fn addresses(uf: Uf, ambiente: TpAmb) -> NfceAddresses {
    let row = TABLE.iter().find(|(state, _)| *state == uf).unwrap_or(&TABLE[0]);
    let (_, [qr_producao, qr_homologacao, producao, homologacao]) = *row;
    match ambiente {
        TpAmb::Producao => NfceAddresses { qr: qr_producao, chave: producao },
        TpAmb::Homologacao => NfceAddresses { qr: qr_homologacao, chave: homologacao },
    }
}

/// Rows of a state: QR code in production and in homologação, then query by key in production and in homologação.
#[rustfmt::skip]
const TABLE: [(Uf, [&str; 4]); 27] = [
    (Uf::AC, [
        "http://www.sefaznet.ac.gov.br/nfce/qrcode", "http://www.hml.sefaznet.ac.gov.br/nfce/qrcode",
        "www.sefaznet.ac.gov.br/nfce/consulta", "www.sefaznet.ac.gov.br/nfce/consulta",
    ]),
    (Uf::AL, [
        "http://nfce.sefaz.al.gov.br/QRCode/consultarNFCe.jsp", "http://nfce.sefaz.al.gov.br/QRCode/consultarNFCe.jsp",
        "www.sefaz.al.gov.br/nfce/consulta", "www.sefaz.al.gov.br/nfce/consulta",
    ]),
    (Uf::AM, [
        "https://sistemas.sefaz.am.gov.br/nfceweb/consultarNFCe.jsp", "https://sistemas.sefaz.am.gov.br/nfceweb-hom/consultarNFCe.jsp",
        "www.sefaz.am.gov.br/nfce/consulta", "www.sefaz.am.gov.br/nfce/consulta",
    ]),
    (Uf::AP, [
        "https://www.sefaz.ap.gov.br/nfce/nfcep.php", "https://www.sefaz.ap.gov.br/nfcehml/nfce.php",
        "www.sefaz.ap.gov.br/nfce/consulta", "www.sefaz.ap.gov.br/nfce/consulta",
    ]),
    (Uf::BA, [
        "http://nfe.sefaz.ba.gov.br/servicos/nfce/qrcode.aspx", "http://hnfe.sefaz.ba.gov.br/servicos/nfce/qrcode.aspx",
        "http://www.sefaz.ba.gov.br/nfce/consulta", "http://hinternet.sefaz.ba.gov.br/nfce/consulta",
    ]),
    (Uf::CE, [
        "http://nfce.sefaz.ce.gov.br/pages/ShowNFCe.html", "http://nfceh.sefaz.ce.gov.br/pages/ShowNFCe.html",
        "www.sefaz.ce.gov.br/nfce/consulta", "www.sefaz.ce.gov.br/nfce/consulta",
    ]),
    (Uf::DF, [
        "http://www.fazenda.df.gov.br/nfce/qrcode", "http://dec.fazenda.df.gov.br/ConsultarNFCe.aspx",
        "www.fazenda.df.gov.br/nfce/consulta", "www.fazenda.df.gov.br/nfce/consulta",
    ]),
    (Uf::ES, [
        "http://app.sefaz.es.gov.br/ConsultaNFCe/qrcode.aspx", "http://homologacao.sefaz.es.gov.br/ConsultaNFCe/qrcode.aspx",
        "www.sefaz.es.gov.br/nfce/consulta", "www.sefaz.es.gov.br/nfce/consulta",
    ]),
    (Uf::GO, [
        "https://nfeweb.sefaz.go.gov.br/nfeweb/sites/nfce/danfeNFCe", "https://nfewebhomolog.sefaz.go.gov.br/nfeweb/sites/nfce/danfeNFCe",
        "www.sefaz.go.gov.br/nfce/consulta", "www.nfce.go.gov.br/post/ver/214413/consulta-nfc-e-homologacao",
    ]),
    (Uf::MA, [
        "http://www.nfce.sefaz.ma.gov.br/portal/consultarNFCe.jsp", "http://www.hom.nfce.sefaz.ma.gov.br/portal/consultarNFCe.jsp",
        "www.sefaz.ma.gov.br/nfce/consulta", "www.sefaz.ma.gov.br/nfce/consulta",
    ]),
    (Uf::MG, [
        "https://portalsped.fazenda.mg.gov.br/portalnfce/sistema/qrcode.xhtml", "https://portalsped.fazenda.mg.gov.br/portalnfce/sistema/qrcode.xhtml",
        "https://portalsped.fazenda.mg.gov.br/portalnfce", "https://hportalsped.fazenda.mg.gov.br/portalnfce",
    ]),
    (Uf::MS, [
        "http://www.dfe.ms.gov.br/nfce/qrcode", "http://www.dfe.ms.gov.br/nfce/qrcode",
        "http://www.dfe.ms.gov.br/nfce/consulta", "http://www.dfe.ms.gov.br/nfce/consulta",
    ]),
    (Uf::MT, [
        "http://www.sefaz.mt.gov.br/nfce/consultanfce", "http://homologacao.sefaz.mt.gov.br/nfce/consultanfce",
        "http://www.sefaz.mt.gov.br/nfce/consultanfce", "http://homologacao.sefaz.mt.gov.br/nfce/consultanfce",
    ]),
    (Uf::PA, [
        "https://appnfc.sefa.pa.gov.br/portal/view/consultas/nfce/nfceForm.seam", "https://appnfc.sefa.pa.gov.br/portal-homologacao/view/consultas/nfce/nfceForm.seam",
        "www.sefa.pa.gov.br/nfce/consulta", "www.sefa.pa.gov.br/nfce/consulta",
    ]),
    (Uf::PB, [
        "http://www.sefaz.pb.gov.br/nfce", "http://www.sefaz.pb.gov.br/nfcehom",
        "www.sefaz.pb.gov.br/nfce/consulta", "www.sefaz.pb.gov.br/nfcehom",
    ]),
    (Uf::PE, [
        "http://nfce.sefaz.pe.gov.br/nfce/consulta", "http://nfcehomolog.sefaz.pe.gov.br/nfce/consulta",
        "nfce.sefaz.pe.gov.br/nfce/consulta", "nfce.sefaz.pe.gov.br/nfce/consulta",
    ]),
    (Uf::PI, [
        "http://www.sefaz.pi.gov.br/nfce/qrcode", "http://www.sefaz.pi.gov.br/nfce/qrcode",
        "www.sefaz.pi.gov.br/nfce/consulta", "www.sefaz.pi.gov.br/nfce/consulta",
    ]),
    (Uf::PR, [
        "http://www.fazenda.pr.gov.br/nfce/qrcode", "http://www.fazenda.pr.gov.br/nfce/qrcode",
        "http://www.fazenda.pr.gov.br/nfce/consulta", "http://www.fazenda.pr.gov.br/nfce/consulta",
    ]),
    (Uf::RJ, [
        "https://consultadfe.fazenda.rj.gov.br/consultaNFCe/QRCode", "http://www4.fazenda.rj.gov.br/consultaNFCe/QRCode",
        "www.fazenda.rj.gov.br/nfce/consulta", "www.fazenda.rj.gov.br/nfce/consulta",
    ]),
    (Uf::RN, [
        "http://nfce.set.rn.gov.br/consultarNFCe.aspx", "http://hom.nfce.set.rn.gov.br/consultarNFCe.aspx",
        "www.set.rn.gov.br/nfce/consulta", "www.set.rn.gov.br/nfce/consulta",
    ]),
    (Uf::RO, [
        "http://www.nfce.sefin.ro.gov.br/consultanfce/consulta.jsp", "http://www.nfce.sefin.ro.gov.br/consultanfce/consulta.jsp",
        "www.sefin.ro.gov.br/nfce/consulta", "www.sefin.ro.gov.br/nfce/consulta",
    ]),
    (Uf::RR, [
        "https://www.sefaz.rr.gov.br/servlet/qrcode", "http://200.174.88.103:8080/nfce/servlet/qrcode",
        "www.sefaz.rr.gov.br/nfce/consulta", "www.sefaz.rr.gov.br/nfce/consulta",
    ]),
    (Uf::RS, [
        "https://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx", "https://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx",
        "www.sefaz.rs.gov.br/nfce/consulta", "www.sefaz.rs.gov.br/nfce/consulta",
    ]),
    (Uf::SC, [
        "https://sat.sef.sc.gov.br/nfce/consulta", "https://hom.sat.sef.sc.gov.br/nfce/consulta",
        "https://sat.sef.sc.gov.br/nfce/consulta", "https://hom.sat.sef.sc.gov.br/nfce/consulta",
    ]),
    (Uf::SE, [
        "http://www.nfce.se.gov.br/nfce/qrcode", "http://www.hom.nfe.se.gov.br/nfce/qrcode",
        "http://www.nfce.se.gov.br/nfce/consulta", "http://www.hom.nfe.se.gov.br/nfce/consulta",
    ]),
    (Uf::SP, [
        "https://www.nfce.fazenda.sp.gov.br/qrcode", "https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode",
        "https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica", "https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica",
    ]),
    (Uf::TO, [
        "http://www.sefaz.to.gov.br/nfce/qrcode", "http://homologacao.sefaz.to.gov.br/nfce/qrcode",
        "www.sefaz.to.gov.br/nfce/consulta", "http://homologacao.sefaz.to.gov.br/nfce/consulta.jsf",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_one_row_of_its_own() {
        for uf in Uf::ALL {
            assert_eq!(TABLE.iter().filter(|(state, _)| *state == uf).count(), 1, "{uf:?}");
        }
    }
}
