//! `/v1/nfe`.

mod assistida;
mod cancelar;
mod casos;
mod consulta;
mod consultar;
mod emitir;
mod file;
mod number;
mod recebidas;
mod reference;
mod rejeicoes;
mod verificar;
