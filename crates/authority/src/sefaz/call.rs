//! Query messages (MOC 7.0, anexo I: enviNFe, consSitNFe, consStatServ; envEvento. MOC CT-e 4.00, anexo I: CTe,
//! consSitCTe, consStatServCTe, eventoCTe) in their envelope.

use super::dialect::{SefazDialect, SubmissionForm};
use super::envelope::in_envelope;
use crate::call::AuthorityCall;
use crate::table::endpoint::Endpoint;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::{ChaveAcesso, TpAmb, Uf};
use fiscal::xml::CanonicalWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

impl SefazDialect {
    /// Submits a document for a synchronous answer: in a lote with `indSinc` 1 (required for a single document, cStat
    /// 452), or alone. The caller chooses `id_lote`, 1–15 digits.
    pub fn authorize(&self, endpoint: &Endpoint, id_lote: u64, signed: &str) -> AuthorityCall {
        match self.authorization.submission {
            SubmissionForm::Lote(root) => {
                let mut head = open_versioned(self, root, "4.00", 256);
                head.leaf("idLote", &lote(id_lote));
                head.leaf("indSinc", "1");
                plain(self, endpoint, &[&head.finish(), signed, &format!("</{root}>")])
            }
            SubmissionForm::Packed => plain(self, endpoint, &[&packed(signed)]),
        }
    }

    /// Queries the document of a key.
    pub fn query(&self, endpoint: &Endpoint, ambiente: TpAmb, chave: &ChaveAcesso) -> AuthorityCall {
        let fields = [("tpAmb", ambiente.code()), ("xServ", "CONSULTAR"), (self.chave, chave.as_str())];
        message(self, endpoint, self.query.asks, &fields)
    }

    /// Queries the status of the service.
    pub fn status(&self, endpoint: &Endpoint, ambiente: TpAmb, uf: Uf) -> AuthorityCall {
        let fields = [("tpAmb", ambiente.code()), ("cUF", &uf.code().to_string()), ("xServ", "STATUS")];
        message(self, endpoint, self.status.asks, &fields)
    }

    /// Submits a signed event, in a lote of its own where the service has lotes.
    pub fn event(&self, endpoint: &Endpoint, id_lote: u64, signed_event: &str) -> AuthorityCall {
        let Some(root) = self.event.lote else { return plain(self, endpoint, &[signed_event]) };
        let mut head = open_versioned(self, root, self.event.versao, 256);
        head.leaf("idLote", &lote(id_lote));
        plain(self, endpoint, &[&head.finish(), signed_event, &format!("</{root}>")])
    }
}

/// A message of text elements alone.
pub(super) fn message(
    dialect: &SefazDialect,
    endpoint: &Endpoint,
    root: &str,
    fields: &[(&str, &str)],
) -> AuthorityCall {
    let mut writer = open_versioned(dialect, root, "4.00", 320);
    for (name, text) in fields {
        writer.leaf(name, text);
    }
    writer.close(root);
    plain(dialect, endpoint, &[&writer.finish()])
}

/// Root of a message with its namespace and version.
pub(super) fn open_versioned(dialect: &SefazDialect, root: &str, versao: &str, capacity: usize) -> CanonicalWriter {
    let mut writer = CanonicalWriter::with_capacity(capacity);
    writer.open_with(root, &[("xmlns", dialect.namespace), ("versao", versao)]);
    writer
}

/// Call with a payload inside the service's data element.
pub(super) fn plain(dialect: &SefazDialect, endpoint: &Endpoint, payload: &[&str]) -> AuthorityCall {
    let open = format!("<{} xmlns=\"{}\">", dialect.data, endpoint.namespace);
    in_envelope(endpoint, &open, payload, &format!("</{}>", dialect.data))
}

/// Lower 15 digits, the most that the layout allows.
fn lote(id: u64) -> String {
    (id % 1_000_000_000_000_000).to_string()
}

/// gzip in base64. Writing to memory does not fail; should it fail, the text is empty, which is refused (244), while a
/// truncated one might be accepted.
fn packed(xml: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let bytes = gzip.write_all(xml.as_bytes()).and_then(|()| gzip.finish());
    STANDARD.encode(bytes.unwrap_or_default())
}
