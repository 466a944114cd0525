//! The plain form of a municipal NFS-e (ABRASF of any version), or of an RPS of which none was made: blocks on the
//! first sheet, its description on as many as it needs.
//!
//! Law: none; every city draws its own, and their portals print that one. This one says everything that the document
//! says, with the city, the number and the verification code by which whoever holds it looks it up there.

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

/// A note as its city made it.
pub(super) static NOTE: Form = form("CompNfse", "Nfse");
/// Messages with the RPS of which no note was made.
pub(super) static LOT: Form = form("EnviarLoteRpsEnvio", "LoteRps");
/// The same, answered at once.
pub(super) static LOT_AT_ONCE: Form = form("EnviarLoteRpsSincronoEnvio", "LoteRps");
/// The same, alone.
pub(super) static SINGLE: Form = form("GerarNfseEnvio", "Rps");
/// The same, in the place of a note.
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
