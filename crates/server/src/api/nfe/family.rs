//! The two document types that share layout, routes and handlers: NF-e and NFC-e.

/// A document type of these routes.
pub(crate) trait Family: Send + Sync + 'static {
    /// The contract's word, also in the path.
    const TIPO: &'static str;
    /// Model of the documents.
    const MODELO: u8;
    /// Its name, for people.
    const NOME: &'static str;
}

/// Model 55, `/v1/nfe`.
pub(crate) enum Nfe {}

/// Model 65, `/v1/nfce`.
pub(crate) enum Nfce {}

impl Family for Nfe {
    const TIPO: &'static str = "nfe";
    const MODELO: u8 = 55;
    const NOME: &'static str = "NF-e";
}

impl Family for Nfce {
    const TIPO: &'static str = "nfce";
    const MODELO: u8 = 65;
    const NOME: &'static str = "NFC-e";
}
