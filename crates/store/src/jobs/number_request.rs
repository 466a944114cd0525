//! The request of a number for a document.

use super::document::Contingencia;
use crate::installation::KeyCode;
use crate::numbers::sequence::Series;

/// Number and key of a document, fixed before it is signed.
#[derive(Debug, Clone)]
pub struct NumberRequest {
    pub series: Series,
    /// Number requested by the payload.
    pub asked_numero: Option<u64>,
    /// Computed once the number is known.
    pub codigo_aleatorio: KeyCode,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// Only a number that was never given: under a released one another document may have been sent.
    pub fresh: bool,
}
