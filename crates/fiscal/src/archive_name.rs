//! Words of file names: root elements of archived documents and events, and printed forms.
//!
//! Law: MOC 7.0, MOC CT-e 4.00, layout of the national NFS-e (names of the root elements).

use crate::tipo::Tipo;
use crate::value::Chave;
use std::fmt::Display;

/// Root of an authorised document.
pub fn document_root(tipo: Tipo) -> &'static str {
    match tipo {
        Tipo::Cte => "procCTe",
        Tipo::Nfse => "NFSe",
        Tipo::Nfe | Tipo::Nfce => "procNFe",
    }
}

/// Root of a registered event.
pub fn event_root(tipo: Tipo) -> &'static str {
    match tipo {
        Tipo::Cte => "procEventoCTe",
        Tipo::Nfse => "evento",
        Tipo::Nfe | Tipo::Nfce => "procEventoNFe",
    }
}

/// Word of the printed form of a document.
pub fn form_word(tipo: Tipo) -> &'static str {
    match tipo {
        Tipo::Nfe => "danfe",
        Tipo::Nfce => "danfe-nfce",
        Tipo::Cte => "dacte",
        Tipo::Nfse => "danfse",
    }
}

/// Key of a document as a name, without characters that name a place; its job's id while it has none. A municipal
/// identity may have characters that names do not allow: the job's id keeps it apart.
pub fn document_key(chave: Option<&Chave>, job: &impl Display) -> String {
    match chave {
        Some(chave @ Chave::Rps(_)) => format!("{}-{job}", letters(chave.as_str())),
        Some(chave) => letters(chave.as_str()),
        None => job.to_string(),
    }
}

/// Letters and digits of a text; any other character becomes a hyphen.
pub fn letters(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}
