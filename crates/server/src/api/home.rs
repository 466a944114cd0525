//! `GET /` and `GET /health`: the service card, and the liveness check, which touches no other part.

use axum::Json;

use super::view::view;

view! {
    pub(crate) struct CardView = "Cartao": "O serviço e seus endereços." {
        servico: &'static str = "Nome.",
        descricao: &'static str = "O que faz.",
        versao: &'static str = "Versão do programa.",
        api: &'static str = "Prefixo das rotas.",
        saude: &'static str = "Caminho do sinal de vida.",
        status: &'static str = "Caminho do estado das partes.",
        documentacao: &'static str = "Caminho da referência.",
        openapi: &'static str = "Caminho do documento OpenAPI.",
        console: &'static str = "Caminho do console.",
        erros: &'static str = "Caminho dos códigos de erro.",
    }
}

view! {
    pub(crate) struct HealthView = "Saude": "Sinal de vida." {
        status: &'static str as ["ok"] = "Como está esta parte.",
    }
}

/// `GET /`
pub(crate) async fn card() -> Json<CardView> {
    Json(CardView {
        servico: "Carimbo",
        descricao: "Emissão e gestão de documentos fiscais eletrônicos",
        versao: crate::VERSION,
        api: "/v1",
        saude: "/health",
        status: "/status",
        documentacao: "/docs",
        openapi: "/docs/json",
        console: "/swagger",
        erros: "/docs/erros",
    })
}

/// `GET /health`
pub(crate) async fn health() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}
