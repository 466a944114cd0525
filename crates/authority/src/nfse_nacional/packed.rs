//! Documents in transit: XML with its declaration, gzip (RFC 1952), base64.

use crate::gzip_text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read as _, Write as _};

/// Largest document unpacked from a reply, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;
/// First bytes of gzip data.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Packs a signed document. Writing to memory does not fail; should it fail, the text is empty, which is refused, while
/// a truncated one might be accepted.
pub(super) fn pack(signed: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let declaration = br#"<?xml version="1.0" encoding="UTF-8"?>"#;
    let written = gzip.write_all(declaration).and_then(|()| gzip.write_all(signed.as_bytes()));
    STANDARD.encode(written.and_then(|()| gzip.finish()).unwrap_or_default())
}

/// Unpacks a document without changing the signed bytes. Some answers encode in base64 twice.
pub(super) fn unpack(packed: &str) -> Result<String, String> {
    unpack_at_most(packed, LARGEST)
}

/// [`unpack`] with a limit of the caller.
pub(super) fn unpack_at_most(packed: &str, largest: u64) -> Result<String, String> {
    let mut bytes = decoded(packed.as_bytes())?;
    if !bytes.starts_with(&GZIP) {
        bytes = decoded(&bytes)?;
    }
    let mut xml = Vec::new();
    let read = MultiGzDecoder::new(bytes.as_slice()).take(largest + 1).read_to_end(&mut xml);
    read.map_err(|error| format!("o documento não é gzip: {error}"))?;
    if xml.len() as u64 > largest {
        return Err(format!("o documento descompactado passa de {largest} bytes"));
    }
    gzip_text::text(xml)
}

fn decoded(text: &[u8]) -> Result<Vec<u8>, String> {
    let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    STANDARD.decode(text).map_err(|error| format!("o documento não é base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_out_once_or_twice_in_base64() {
        let xml = "<DPS>á</DPS>";
        let whole = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{xml}");
        let packed = pack(xml);
        assert_eq!(unpack(&packed), Ok(whole.clone()));
        assert_eq!(unpack(&STANDARD.encode(&packed)), Ok(whole));
    }

    #[test]
    fn what_is_no_document_is_told_and_a_bomb_is_not_unpacked() {
        for text in ["", "###", "AAAA", "H4sIAAAA"] {
            assert!(unpack(text).is_err(), "{text}");
        }
        assert!(unpack(&pack("<DPS>\0</DPS>")).unwrap_err().contains("byte nulo"));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&vec![b' '; 9 * 1024 * 1024]).unwrap();
        assert!(unpack(&STANDARD.encode(gzip.finish().unwrap())).unwrap_err().contains("passa de"));
    }
}
