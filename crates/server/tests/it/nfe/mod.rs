//! `/v1/nfe`.

mod assistida;
mod cancelar;
mod casos;
mod consultar;
mod emitir;
mod file;
mod number;
mod reference;
mod rejeicoes;
mod verificar;
