//! `/v1/nfe`.

mod cancelar;
mod consultar;
mod emitir;
mod file;
mod number;
mod reference;
mod verificar;
