//! Events on authorised documents (MOC 7.0, visão geral, 5.8; event packages).

mod cancelamento;

pub use cancelamento::{Cancelamento, build_cancelamento};

/// Namespace of the NF-e messages and events.
const NAMESPACE: &str = "http://www.portalfiscal.inf.br/nfe";
