//! `/v1/nfe`.

mod assistida;
mod ator_interessado;
mod cancelar;
mod carta_correcao;
mod casos;
mod consulta;
mod consultar;
mod emitir;
mod file;
mod inutilizar;
mod manifestar;
mod number;
mod recebidas;
mod reference;
mod rejeicoes;
mod verificar;
