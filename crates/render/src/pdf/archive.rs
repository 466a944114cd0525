//! Requirements of PDF/A-2b: metadata with its name, a colour profile, an identity derived from the content.
//!
//! Law: ISO 19005-2, 6.2.3 (output intent), 6.6 (metadata), 6.1.3 (file identifier); ICC.1:2001-04 (profile).

use super::compressor::StreamCompressor;
use pdf_writer::types::OutputIntentSubtype;
use pdf_writer::{Filter, Finish, Name, Pdf, Ref, TextStr};
use sha1::{Digest, Sha1};
use std::sync::LazyLock;

/// References of the objects written here.
pub(super) struct ArchiveRefs {
    pub(super) catalog: Ref,
    pub(super) tree: Ref,
    pub(super) information: Ref,
    pub(super) metadata: Ref,
    pub(super) profile: Ref,
}

/// Writes catalog, title, metadata and colour profile.
pub(super) fn write<'c>(pdf: &mut Pdf, title: &str, contents: impl Iterator<Item = &'c [u8]>, refs: ArchiveRefs) {
    let mut hash = Sha1::new();
    for content in contents {
        hash.update(content);
    }
    let identity = hash.finalize()[..16].to_vec();
    pdf.set_file_id((identity.clone(), identity));
    let mut catalog = pdf.catalog(refs.catalog);
    catalog.pages(refs.tree).metadata(refs.metadata).lang(TextStr("pt-BR"));
    catalog.viewer_preferences().display_doc_title(true);
    let mut intents = catalog.output_intents();
    let mut intent = intents.push();
    intent.subtype(OutputIntentSubtype::PDFA).output_condition_identifier(TextStr("sRGB"));
    intent.info(TextStr("sRGB IEC61966-2.1")).dest_output_profile(refs.profile);
    intent.finish();
    intents.finish();
    catalog.finish();
    // many readers know no other metadata
    pdf.document_info(refs.information).title(TextStr(title));
    pdf.stream(refs.metadata, xmp(title).as_bytes())
        .pair(Name(b"Type"), Name(b"Metadata"))
        .pair(Name(b"Subtype"), Name(b"XML"));
    static PROFILE: LazyLock<Vec<u8>> = LazyLock::new(|| StreamCompressor::best().pack(&srgb()));
    pdf.icc_profile(refs.profile, &PROFILE).n(3).filter(Filter::FlateDecode);
}

fn xmp(title: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\"><pdfaid:part>2</pdfaid:part>\
         <pdfaid:conformance>B</pdfaid:conformance><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li>\
         </rdf:Alt></dc:title><dc:language><rdf:Bag><rdf:li>pt-BR</rdf:li></rdf:Bag></dc:language></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
    )
}

/// Primaries of sRGB with a plain gamma of 2.2, as a monitor profile of ICC version 2.
fn srgb() -> Vec<u8> {
    let text = |kind: &[u8; 4], text: &str| {
        let mut tag = [kind.as_slice(), &[0; 4]].concat();
        if kind == b"desc" {
            tag.extend(u32::try_from(text.len() + 1).unwrap_or_default().to_be_bytes());
        }
        tag.extend(text.as_bytes());
        // end of the text; a description has two more empty texts
        tag.extend(std::iter::repeat_n(0, if kind == b"desc" { 1 + 4 + 4 + 2 + 1 + 67 } else { 1 }));
        tag
    };
    let xyz = |values: [u32; 3]| [b"XYZ \0\0\0\0".to_vec(), values.map(u32::to_be_bytes).concat()].concat();
    let gamma = [b"curv\0\0\0\0\0\0\0\x01".as_slice(), &0x0233_u16.to_be_bytes()].concat();
    // D50 and the primaries adapted to it, in 1/65536
    let tags: [(&[u8; 4], Vec<u8>); 9] = [
        (b"desc", text(b"desc", "sRGB")),
        (b"cprt", text(b"text", "CC0")),
        (b"wtpt", xyz([0xF6D6, 0x1_0000, 0xD32D])),
        (b"rXYZ", xyz([0x6FA2, 0x38F5, 0x0390])),
        (b"gXYZ", xyz([0x6299, 0xB785, 0x18DA])),
        (b"bXYZ", xyz([0x24A0, 0x0F84, 0xB6CF])),
        (b"rTRC", gamma.clone()),
        (b"gTRC", gamma.clone()),
        (b"bTRC", gamma),
    ];
    profile(&tags)
}

/// Header, table and tags, each on a multiple of four bytes.
fn profile(tags: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let word = |number: usize| u32::try_from(number).unwrap_or_default().to_be_bytes();
    let mut table = word(tags.len()).to_vec();
    let mut data = Vec::new();
    let start = 128 + 4 + tags.len() * 12;
    for (name, tag) in tags {
        table.extend([name.as_slice(), &word(start + data.len()), &word(tag.len())].concat());
        data.extend(tag);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let mut header = vec![0; 128];
    header[..4].copy_from_slice(&word(start + data.len()));
    header[8..12].copy_from_slice(&[2, 0x10, 0, 0]);
    header[12..24].copy_from_slice(b"mntrRGB XYZ ");
    // a date is required: the format's
    header[24..36].copy_from_slice(&[0x07, 0xD1, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0]);
    header[36..40].copy_from_slice(b"acsp");
    header[68..80].copy_from_slice(&[0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    [header, table, data].concat()
}
