//! Plain form of a municipal NFS-e (ABRASF of any version), or of an RPS without note: blocks on the first sheet, the
//! description on as many as it needs.
//!
//! Law: none; every city draws its own, which its portal prints. This form shows everything in the document, with the
//! city, the number and the verification code for the query in that portal.

mod codes;
mod fields;
mod note;
mod page;

use super::Form;
use super::dfe::{Dfe, Unreadable, Words};
use super::options::Options;
use crate::paper::Sheet;
pub(super) use fields::named;
pub(super) use note::Note;

/// A note as the provider generated it.
pub(super) static NOTE: Form = form("CompNfse", "Nfse");
/// A lot with an RPS without note.
pub(super) static LOT: Form = form("EnviarLoteRpsEnvio", "LoteRps");
/// A synchronous lot with an RPS without note.
pub(super) static LOT_AT_ONCE: Form = form("EnviarLoteRpsSincronoEnvio", "LoteRps");
/// A single RPS without note.
pub(super) static SINGLE: Form = form("GerarNfseEnvio", "Rps");
/// An RPS without note that replaces a note.
pub(super) static SUBSTITUTE: Form = form("SubstituirNfseEnvio", "SubstituicaoNfse");

const fn form(root: &'static str, inf: &'static str) -> Form {
    let words = Words {
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
    Form { words, title: |_| "NFS-e", sheets, receipt: |_, _| Ok(None) }
}

fn sheets<'x>(dfe: Dfe<'x>, options: &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    let note = Note::of(dfe)?;
    Ok(page::sheets(&note, options))
}
