//! Words of file names: root elements of archived documents and events, and printed forms.
//!
//! Law: MOC 7.0, MOC CT-e 4.00, layout of the national NFS-e (names of the root elements).

use crate::tipo::Tipo;

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
