//! Plain form of a municipal NFS-e (ABRASF of any version), or of an RPS without note: blocks on the first sheet, the
//! description on as many as it needs.
//!
//! Law: none; every city draws its own, which its portal prints. This form shows everything in the document, with the
//! city, the number and the verification code for the query in that portal.

mod codes;
mod fields;
mod note;
mod page;

use super::FormKind;
use super::dfe::{Dfe, DocumentTags, FormError};
use super::options::PrintOptions;
use crate::paper::Sheet;
pub(super) use fields::named;
pub(super) use note::AbrasfNote;

/// A note as the provider generated it.
pub(super) static NOTE: FormKind = form("CompNfse", "Nfse");
/// A lot with an RPS without note.
pub(super) static LOT: FormKind = form("EnviarLoteRpsEnvio", "LoteRps");
/// A synchronous lot with an RPS without note.
pub(super) static LOT_AT_ONCE: FormKind = form("EnviarLoteRpsSincronoEnvio", "LoteRps");
/// A single RPS without note.
pub(super) static SINGLE: FormKind = form("GerarNfseEnvio", "Rps");
/// An RPS without note that replaces a note.
pub(super) static SUBSTITUTE: FormKind = form("SubstituirNfseEnvio", "SubstituicaoNfse");

const fn form(root: &'static str, inf: &'static str) -> FormKind {
    let words = DocumentTags {
        root,
        inf,
        // the Id of a note holds no key
        id: "",
        protocol: "-",
        qr_code: "-",
        number: "InfNfse/Numero",
        offline: "-",
        on_security_paper: &[],
        ending: 'A',
    };
    FormKind { words, title: |_| "NFS-e", sheets, receipt: |_, _| Ok(None) }
}

fn sheets<'x>(dfe: Dfe<'x>, options: &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    let note = AbrasfNote::of(dfe)?;
    Ok(page::sheets(&note, options))
}
