//! `infNFeSupl`: the unsigned supplement of an NFC-e.
//!
//! Law: MOC 7.0, anexo I, group ZX. Must not know how a QR code is made.

use crate::xml::CanonicalWriter;

/// Writes the QR code and the address for queries by key into a document, signed or not: after `infNFe`, before
/// `Signature`, outside the signed part. False when there is no `infNFe`, or already a supplement.
pub fn supplement(xml: &mut String, qrCode: &str, urlChave: &str) -> bool {
    const END: &str = "</infNFe>";
    let Some(after) = xml.find(END).map(|at| at + END.len()) else { return false };
    if xml[after..].starts_with("<infNFeSupl") {
        return false;
    }
    let mut own = CanonicalWriter::default();
    own.raw("<infNFeSupl><qrCode>");
    own.text(qrCode);
    own.raw("</qrCode><urlChave>");
    own.text(urlChave);
    own.raw("</urlChave></infNFeSupl>");
    xml.insert_str(after, &own.finish());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stands_between_the_note_and_its_signature() {
        let mut xml = "<NFe><infNFe>x</infNFe><Signature>s</Signature></NFe>".to_owned();
        assert!(supplement(&mut xml, "http://x?p=1|2&a", "www.x"));
        let expected = "<infNFeSupl><qrCode>http://x?p=1|2&amp;a</qrCode><urlChave>www.x</urlChave></infNFeSupl>";
        assert_eq!(xml, format!("<NFe><infNFe>x</infNFe>{expected}<Signature>s</Signature></NFe>"));
    }

    #[test]
    fn refuses_what_has_one_or_is_no_note() {
        let mut xml = "<NFe><infNFe></infNFe></NFe>".to_owned();
        assert!(supplement(&mut xml, "q", "u"));
        let once = xml.clone();
        assert!(!supplement(&mut xml, "q", "u"));
        assert!(!supplement(&mut "<CTe></CTe>".to_owned(), "q", "u"));
        assert_eq!(xml, once);
    }
}
