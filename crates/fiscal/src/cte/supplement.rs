//! `infCTeSupl`, the unsigned part of a CT-e.
//!
//! Law: MOC CT-e 4.00 anexo I, group `infCTeSupl` (rule 850). Must not know how a QR code is composed.

use crate::xml::CanonicalWriter;

/// Writes the QR code into a document, signed or not: after `infCte`, before `Signature`, outside of the signed part.
/// `false` when there is no `infCte`, or already a supplement.
pub fn supplement(xml: &mut String, qrCodCTe: &str) -> bool {
    const END: &str = "</infCte>";
    let Some(after) = xml.find(END).map(|at| at + END.len()) else { return false };
    if xml[after..].starts_with("<infCTeSupl") {
        return false;
    }
    let mut own = CanonicalWriter::default();
    write(&mut own, qrCodCTe);
    xml.insert_str(after, &own.finish());
    true
}

/// Appends the supplement.
pub(super) fn write(xml: &mut CanonicalWriter, qrCodCTe: &str) {
    xml.open("infCTeSupl");
    xml.leaf("qrCodCTe", qrCodCTe);
    xml.close("infCTeSupl");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stands_between_the_document_and_its_signature_once() {
        let mut xml = "<CTe><infCte>x</infCte><Signature>s</Signature></CTe>".to_owned();
        assert!(supplement(&mut xml, "https://x?chCTe=1&tpAmb=2"));
        let expected = "<infCTeSupl><qrCodCTe>https://x?chCTe=1&amp;tpAmb=2</qrCodCTe></infCTeSupl>";
        assert_eq!(xml, format!("<CTe><infCte>x</infCte>{expected}<Signature>s</Signature></CTe>"));
        assert!(!supplement(&mut xml, "q"));
        assert!(!supplement(&mut "<NFe></NFe>".to_owned(), "q"));
    }
}
