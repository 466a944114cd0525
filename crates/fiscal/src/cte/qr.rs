//! QR code of the CT-e: its text, online and offline, and the addresses of the states.
//!
//! Law: MOC CT-e 4.00 visão geral 9.2 and anexo II; rules 850 to 855. The addresses are those of three public lists;
//! the official list, at the portal of SVRS, was not available. Must not know keys: the signature of an offline code is
//! an argument.

use crate::value::{ChaveAcesso, TpAmb, Uf};

/// Text that the signature of an offline code covers (RSA, SHA-1, base64): the 44 positions of the key.
pub fn signed_text(chave: &ChaveAcesso) -> &str {
    chave.as_str()
}

/// `qrCodCTe`. `sign` only for a document issued offline (853, 854); it is not percent-encoded.
pub fn text(chave: &ChaveAcesso, ambiente: TpAmb, sign: Option<&str>) -> String {
    let address = address(chave.parts().uf, ambiente);
    let sign = sign.map_or_else(String::new, |sign| format!("&sign={sign}"));
    format!("{address}?chCTe={chave}&tpAmb={}{sign}", ambiente.code())
}

/// Address at which a state shows a CT-e. In SVC it is still the issuer's state. An address shared by both environments
/// distinguishes them by `tpAmb`.
pub fn address(uf: Uf, ambiente: TpAmb) -> &'static str {
    let (_, producao, homologacao) = OWN.iter().find(|(states, ..)| states.contains(&uf)).unwrap_or(&SVRS);
    match ambiente {
        TpAmb::Producao => producao,
        TpAmb::Homologacao => homologacao,
    }
}

type QrAddresses = (&'static [Uf], &'static str, &'static str);

const SVRS: QrAddresses =
    (&[], "https://dfe-portal.svrs.rs.gov.br/cte/qrCode", "https://dfe-portal.svrs.rs.gov.br/cte/qrCode");

/// States with addresses of their own: production, homologação. The others use SVRS.
const OWN: &[QrAddresses] = &[
    (
        &[Uf::SP, Uf::AP, Uf::PE, Uf::RR],
        "https://nfe.fazenda.sp.gov.br/CTeConsulta/qrCode",
        "https://homologacao.nfe.fazenda.sp.gov.br/CTeConsulta/qrCode",
    ),
    (
        &[Uf::MG],
        "https://portalcte.fazenda.mg.gov.br/portalcte/sistema/qrcode.xhtml",
        "https://portalcte.fazenda.mg.gov.br/portalcte/sistema/qrcode.xhtml",
    ),
    (&[Uf::MS], "http://www.dfe.ms.gov.br/cte/qrcode", "http://www.dfe.ms.gov.br/cte/qrcode"),
    (&[Uf::MT], "https://www.sefaz.mt.gov.br/cte/qrcode", "https://homologacao.sefaz.mt.gov.br/cte/qrcode"),
    (&[Uf::PR], "http://www.fazenda.pr.gov.br/cte/qrcode", "http://www.fazenda.pr.gov.br/cte/qrcode"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{self, ContentModel, Element, check_value};
    use crate::map::members;
    use crate::value::ChaveParts;

    const KEY: &str = "43261111222333000181570010000001011202611019";

    fn simple(root: &'static Element, path: &[&str]) -> &'static layout::Simple {
        let found = path.iter().fold(root, |element, tag| match &element.kind {
            ContentModel::Group(complex) => members(complex).into_iter().find(|child| child.name == *tag).unwrap(),
            _ => panic!("{tag}"),
        });
        match found.kind {
            ContentModel::Leaf(simple) => simple,
            _ => panic!("a leaf"),
        }
    }

    #[test]
    fn says_where_the_document_is_shown() {
        let chave = ChaveAcesso::parse(KEY).unwrap();
        let text = text(&chave, TpAmb::Homologacao, None);
        assert_eq!(text, format!("https://dfe-portal.svrs.rs.gov.br/cte/qrCode?chCTe={KEY}&tpAmb=2"));
        assert_eq!(address(Uf::SP, TpAmb::Homologacao), "https://homologacao.nfe.fazenda.sp.gov.br/CTeConsulta/qrCode");
        assert_eq!(address(Uf::PE, TpAmb::Producao), "https://nfe.fazenda.sp.gov.br/CTeConsulta/qrCode");
    }

    #[test]
    fn the_schema_takes_the_code_of_every_state_online_and_offline() {
        let parts = ChaveAcesso::parse(KEY).unwrap().parts();
        let sign = "MIIC+/8=".repeat(43);
        for uf in Uf::ALL {
            let chave = ChaveAcesso::compose(&ChaveParts { uf, tpEmis: 2, ..parts });
            for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
                for sign in [None, Some(sign.as_str())] {
                    let code = text(&chave, ambiente, sign);
                    for root in [layout::CTE.root, layout::CTE_OS.root] {
                        assert_eq!(check_value(simple(root, &["infCTeSupl", "qrCodCTe"]), &code), Ok(()), "{code}");
                    }
                }
            }
        }
        assert_eq!(signed_text(&ChaveAcesso::parse(KEY).unwrap()), KEY);
    }
}
