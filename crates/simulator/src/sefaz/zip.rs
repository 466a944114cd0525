//! A batch that comes packed: `nfeDadosMsgZip` holds the base64 of the gzip of `enviNFe`.
//!
//! Law: MOC 7.0 visão geral, 5.1.1; NT 2016.002 (methods of 4.00); 416 when it cannot be unpacked. What it unfolds to is bounded: a packet of
//! some kilobytes may hold gigabytes.

use super::Request;
use crate::place::Service;
use base64::Engine as _;
use fiscal::xml;
use std::io::Read as _;

/// Most bytes that are unpacked; far more than 214 lets pass.
const MOST: u64 = 4 << 20;
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";
const ELEMENT: &str = "nfeDadosMsgZip";

/// Why there is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refused(pub(super) u16);

/// The request as it would have come unpacked; `None` when it is not packed.
pub(super) fn unpacked(request: &Request<'_>) -> Option<Result<Vec<u8>, Refused>> {
    if request.place.service != Service::Autorizacao || !names_it(request.body) {
        return None;
    }
    let envelope = xml::read(request.body).ok()?;
    let packed = envelope.child("Body")?.children().next()?;
    let namespace = request.place.service.namespace();
    (packed.name == ELEMENT && packed.namespace == namespace).then(|| enclosed(packed.text(), &namespace))
}

fn names_it(body: &[u8]) -> bool {
    body.windows(ELEMENT.len()).any(|window| window == ELEMENT.as_bytes())
}

fn enclosed(packed: &str, namespace: &str) -> Result<Vec<u8>, Refused> {
    let message = gunzip(packed)?;
    let message = message.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&message);
    // a declaration stands at the beginning of a document only
    let message = match message.strip_prefix(b"<?xml") {
        Some(rest) => {
            rest.iter().position(|byte| *byte == b'>').and_then(|end| rest.get(end + 1..)).unwrap_or_default()
        }
        None => message,
    };
    let mut body = format!("<Envelope xmlns=\"{SOAP12}\"><Body><nfeDadosMsg xmlns=\"{namespace}\">").into_bytes();
    body.extend_from_slice(message.trim_ascii_start());
    body.extend_from_slice(b"</nfeDadosMsg></Body></Envelope>");
    Ok(body)
}

fn gunzip(packed: &str) -> Result<Vec<u8>, Refused> {
    let digits: String = packed.split_ascii_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(digits).map_err(|_| BROKEN)?;
    let mut message = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(bytes.as_slice()).take(MOST + 1);
    reader.read_to_end(&mut message).map_err(|_| BROKEN)?;
    if message.len() as u64 > MOST { Err(Refused(214)) } else { Ok(message) }
}

const BROKEN: Refused = Refused(416);

#[cfg(test)]
mod tests {
    use super::super::NFE;
    use super::*;
    use std::io::Write as _;

    fn packed(bytes: &[u8]) -> String {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(bytes).unwrap();
        base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap())
    }

    #[test]
    fn what_is_packed_stands_in_an_envelope_without_its_declaration() {
        let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<enviNFe xmlns=\"{NFE}\"/>");
        let body = String::from_utf8(enclosed(&packed(text.as_bytes()), "urn:x").unwrap()).unwrap();
        assert!(
            body.contains(&format!("<nfeDadosMsg xmlns=\"urn:x\"><enviNFe xmlns=\"{NFE}\"/></nfeDadosMsg>")),
            "{body}"
        );
    }

    #[test]
    fn a_packet_that_unfolds_to_gigabytes_is_too_large_and_rubbish_cannot_be_unpacked() {
        let bomb = packed(&vec![b' '; 64 << 20]);
        assert!(bomb.len() < 100_000);
        assert_eq!(gunzip(&bomb), Err(Refused(214)));
        for rubbish in ["", "?", "QUJD", &bomb[..bomb.len() / 2]] {
            assert_eq!(gunzip(rubbish), Err(BROKEN));
        }
    }
}
