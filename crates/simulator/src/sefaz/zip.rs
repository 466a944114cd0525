//! Packed messages, as base64 of their gzip: every document of the CT-e, and a batch of the NF-e that asks for it
//! (`nfeDadosMsgZip`).
//!
//! The unpacked size is bounded: a packet of some kilobytes may hold gigabytes.
//! Law: MOC 7.0 visão geral, 5.1.1; NT 2016.002 (methods of 4.00), 416; MOC CT-e 4.00 visão geral, 3.4 and rule B00
//! (244).

use crate::dialect::ServiceKind;
use crate::service_address::ServiceAddress;
use base64::Engine as _;
use fiscal::xml::{self, Element};
use memchr::memmem;
use std::io::Read as _;

/// Most bytes that are unpacked; far more than 214 allows.
const MOST: u64 = 4 << 20;
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";
/// The element of a packed batch.
const BATCH: &str = "nfeDadosMsgZip";

/// Code of a message that cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnpackError(pub(super) u16);

/// The envelope as it would have come unpacked; `None` when it is not packed.
pub(crate) fn unpacked(place: &ServiceAddress, body: &[u8]) -> Option<Result<Vec<u8>, UnpackError>> {
    let (dialect, wire) = (place.dialect(), place.wire);
    let asked = wire.service == ServiceKind::Autorizacao && (wire.packed || names(body, BATCH));
    let envelope = asked.then(|| xml::read(body).ok()).flatten()?;
    let content = envelope.child("Body")?.children().next()?;
    let namespace = dialect.wsdl(wire);
    let packed = if wire.packed {
        content.name == dialect.data
    } else {
        content.name == BATCH && content.namespace == namespace
    };
    let broken = UnpackError(dialect.unpacking);
    packed.then(|| match only_text(content).filter(|_| content.namespace == namespace) {
        Some(text) => enclosed(&gunzip(text, broken)?, dialect.data, &namespace),
        // The element of another service, or plain XML, cannot be unpacked.
        None => Err(broken),
    })
}

fn only_text(element: &Element) -> Option<&str> {
    element.children().next().is_none().then(|| element.text())
}

fn names(body: &[u8], element: &str) -> bool {
    memmem::find(body, element.as_bytes()).is_some()
}

fn enclosed(message: &[u8], data: &str, namespace: &str) -> Result<Vec<u8>, UnpackError> {
    let message = message.strip_prefix(b"\xef\xbb\xbf").unwrap_or(message);
    // A declaration is allowed at the beginning of a document only.
    let declared = message.starts_with(b"<?xml");
    let end = message.iter().position(|byte| *byte == b'>').filter(|_| declared).map_or(0, |end| end + 1);
    let (declaration, message) = message.split_at_checked(end).unwrap_or((b"", message));
    let mut body = declaration.to_vec();
    body.extend_from_slice(format!("<Envelope xmlns=\"{SOAP12}\"><Body><{data} xmlns=\"{namespace}\">").as_bytes());
    body.extend_from_slice(message.trim_ascii_start());
    body.extend_from_slice(format!("</{data}></Body></Envelope>").as_bytes());
    Ok(body)
}

fn gunzip(packed: &str, broken: UnpackError) -> Result<Vec<u8>, UnpackError> {
    let digits: String = packed.split_ascii_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(digits).map_err(|_| broken)?;
    let mut message = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(bytes.as_slice()).take(MOST + 1);
    reader.read_to_end(&mut message).map_err(|_| broken)?;
    if message.len() as u64 > MOST { Err(UnpackError(214)) } else { Ok(message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn packed(bytes: &[u8]) -> String {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(bytes).unwrap();
        base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap())
    }

    #[test]
    fn what_is_packed_stands_in_an_envelope_behind_its_declaration() {
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
        let text = format!("{declaration}\n<enviNFe xmlns=\"urn:nfe\"/>");
        let body = String::from_utf8(enclosed(text.as_bytes(), "nfeDadosMsg", "urn:x").unwrap()).unwrap();
        assert!(body.starts_with(declaration), "{body}");
        assert!(body.contains("<nfeDadosMsg xmlns=\"urn:x\"><enviNFe xmlns=\"urn:nfe\"/></nfeDadosMsg>"), "{body}");
    }

    #[test]
    fn a_packet_that_unfolds_to_gigabytes_is_too_large_and_rubbish_cannot_be_unpacked() {
        let broken = UnpackError(416);
        let bomb = packed(&vec![b' '; 64 << 20]);
        assert!(bomb.len() < 100_000);
        assert_eq!(gunzip(&bomb, broken), Err(UnpackError(214)));
        for rubbish in ["", "?", "QUJD", &bomb[..bomb.len() / 2]] {
            assert_eq!(gunzip(rubbish, broken), Err(broken));
        }
    }

    #[test]
    fn a_document_of_the_cte_comes_packed_in_the_element_of_its_own_service() {
        let place = ServiceAddress::from_path("/cte/svrs/hom/CTeRecepcaoOSV4").unwrap();
        let body = |service: &str, content: &str| {
            format!(
                "<e:Envelope xmlns:e=\"{SOAP12}\"><e:Body><cteDadosMsg xmlns=\"http://www.portalfiscal.inf.br/cte/wsdl/{service}\">{content}\
                 </cteDadosMsg></e:Body></e:Envelope>"
            )
        };
        let opened = |service: &str, content: &str| unpacked(&place, body(service, content).as_bytes()).unwrap();
        let packed = packed(b"<CTeOS/>");
        assert!(opened("CTeRecepcaoOSV4", &packed).is_ok());
        assert_eq!(opened("CTeRecepcaoSincV4", &packed), Err(UnpackError(244)));
        assert_eq!(opened("CTeRecepcaoOSV4", "<CTeOS/>"), Err(UnpackError(244)));
        assert_eq!(opened("CTeRecepcaoOSV4", "QUJD"), Err(UnpackError(244)));
    }
}
