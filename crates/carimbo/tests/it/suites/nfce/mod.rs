//! `/v1/nfce`: differences from the NF-e, and equal behaviour otherwise.

mod cancelar;
mod consulta_publica;
mod contingencia;
mod cupom;
mod duvida;
mod emitir;
mod inutilizar;
mod qr;
mod substituicao;
