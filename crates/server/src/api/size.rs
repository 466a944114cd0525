//! Largest body of each route: a table for the reader of bodies and for the API document.
//!
//! A body takes many times its size in memory, and a caller may send a hundred at once: each route accepts only the
//! size that its own bodies need.

use axum::extract::{MatchedPath, Request};

use crate::app::ServiceLimits;

/// Size class of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A few short fields.
    Tiny,
    /// An act with its justification.
    Act,
    /// A record, or a list of identifiers.
    Record,
    /// A certificate with its chain, as base64.
    Certificate,
    /// A message of an agent, with a document that a model wrote.
    Message,
    /// A picture, as base64.
    Picture,
    /// A document, of the size that the operator allows (`http.corpo_maximo_bytes`).
    Document,
}

impl Size {
    /// Largest size in bytes, at most the one that the operator allows.
    pub(crate) fn bytes(self, limits: ServiceLimits) -> usize {
        let own = match self {
            Size::Tiny => 4 << 10,
            Size::Act => 16 << 10,
            Size::Record => 64 << 10,
            Size::Certificate => 256 << 10,
            Size::Message => 512 << 10,
            Size::Picture => 768 << 10,
            Size::Document => return limits.body_bytes,
        };
        own.min(limits.body_bytes)
    }

    /// Size as text, for the API document.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Size::Tiny => "4 KB",
            Size::Act => "16 KB",
            Size::Record => "64 KB",
            Size::Certificate => "256 KB",
            Size::Message => "512 KB",
            Size::Picture => "768 KB",
            Size::Document => "8 MB (`http.corpo_maximo_bytes`)",
        }
    }
}

/// Size class of a route; a route without a row has a body of few fields, or none.
pub(crate) fn of(method: &str, path: &str) -> Size {
    let found = TABLE.iter().find(|(route, _)| route.split_once(' ') == Some((method, path)));
    found.map_or(Size::Tiny, |(_, size)| *size)
}

/// Size class of a request's route.
pub(crate) fn of_request(request: &Request) -> Size {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    of(request.method().as_str(), path)
}

/// Every route with a body.
pub(crate) const TABLE: &[(&str, Size)] = &[
    ("POST /mcp", Size::Message),
    ("POST /v1/auth/login", Size::Tiny),
    ("POST /v1/auth/ambiente", Size::Tiny),
    ("PUT /v1/auth/senha", Size::Tiny),
    ("POST /v1/auth/api-keys", Size::Tiny),
    ("POST /v1/webhooks/segredo", Size::Tiny),
    ("POST /v1/nfe/recebidas/sincronizar", Size::Tiny),
    ("POST /v1/cte/recebidos/sincronizar", Size::Tiny),
    ("POST /v1/nfse/recebidas/sincronizar", Size::Tiny),
    ("POST /v1/nfse/manifestar", Size::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/distribuicao", Size::Tiny),
    ("POST /v1/ncm/buscar", Size::Tiny),
    ("POST /v1/nfe/confirmar", Size::Tiny),
    ("POST /painel/entrar", Size::Act),
    ("POST /painel/sair", Size::Tiny),
    ("POST /painel/ambiente", Size::Tiny),
    ("POST /painel/confirmar/{id}", Size::Act),
    ("POST /v1/nfe/cancelar", Size::Act),
    ("POST /v1/nfce/cancelar", Size::Act),
    ("POST /v1/cte/cancelar", Size::Act),
    ("POST /v1/nfse/cancelar", Size::Act),
    ("POST /v1/nfse/solicitar-analise", Size::Act),
    ("POST /v1/nfse/consultar-sefaz", Size::Tiny),
    ("POST /v1/nfse/{cpf_cnpj}/cancelar", Size::Act),
    ("POST /v1/nfse/{cpf_cnpj}/consultar", Size::Tiny),
    ("POST /v1/cte/carta-correcao", Size::Record),
    ("POST /v1/cte/eventos", Size::Picture),
    ("POST /v1/nfe/carta-correcao", Size::Act),
    ("POST /v1/nfe/ator-interessado", Size::Act),
    ("POST /v1/nfe/inutilizar", Size::Act),
    ("POST /v1/nfce/inutilizar", Size::Act),
    ("POST /v1/nfe/manifestar", Size::Act),
    ("POST /v1/jobs/consultar-lote", Size::Record),
    ("POST /v1/empresas", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}/nfse", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}/cte", Size::Record),
    ("PUT /v1/empresas/{cpf_cnpj}/certificado", Size::Certificate),
    ("PUT /v1/empresas/{cpf_cnpj}/logo", Size::Picture),
    ("POST /v1/nfe/emitir", Size::Document),
    ("POST /v1/nfce/emitir", Size::Document),
    ("POST /v1/cte/emitir", Size::Document),
    ("POST /v1/nfse/emitir", Size::Document),
    ("POST /v1/nfse/govdigital/emitir", Size::Document),
    ("POST /v1/nfse/{cpf_cnpj}/emitir", Size::Document),
    ("POST /v1/nfse/{cpf_cnpj}/emitir/json/sync", Size::Document),
    ("POST /v1/nfse/verificar-campos", Size::Document),
    ("POST /v1/nfse/previa", Size::Document),
    ("POST /v1/cte/verificar-campos", Size::Document),
    ("POST /v1/cte/previa", Size::Document),
    ("POST /v1/nfe/verificar-campos", Size::Document),
    ("POST /v1/nfce/verificar-campos", Size::Document),
    ("POST /v1/nfe/preparar", Size::Document),
    ("POST /v1/nfe/previa", Size::Document),
    ("POST /v1/nfce/previa", Size::Document),
];
