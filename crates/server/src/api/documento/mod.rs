//! Routes that all document types share: issue, preview, query, files, cancellation.
//!
//! Each handler is generic over its `document_type::DocumentType`; parts of a single type are in that type's folder.

pub(in crate::api) mod act_refusal;
pub(crate) mod cancelar;
mod choices;
pub(crate) mod consultar;
pub(crate) mod document_type;
pub(crate) mod emitir;
pub(crate) mod evento;
pub(crate) mod eventos;
pub(crate) mod file;
mod file_name;
pub(crate) mod preparar;
pub(crate) mod previa;
pub(crate) mod verificar;
pub(in crate::api) mod wrapper;
