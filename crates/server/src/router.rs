//! Every route of the service on one page.

use std::net::SocketAddr;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::{delete, get, post, put};
use tower::util::option_layer;

use crate::api::documento::document_type::{Cte, MunicipalNfse, NationalNfse, Nfce, Nfe};
use crate::api::envelope::envelope;
use crate::api::{
    auth, browsers, cep, cnpj, cotas, cte, diagnostico, docs, documento, empresas, erros, home, jobs, ncm, nfe, nfse,
    notas, rate, recebidos, status, tributos, unknown, webhooks,
};
use crate::app::App;
use crate::mcp;
use crate::painel;

/// All routes with their layers.
pub(crate) fn router(app: App) -> Router {
    let empresa =
        get(empresas::detalhar::detalhar).put(empresas::atualizar::atualizar).delete(empresas::remover::remover);
    let logo = get(empresas::logo::mostrar).put(empresas::logo::enviar).delete(empresas::logo::retirar);
    let routes = Router::new()
        .route("/", get(home::card))
        .route("/health", get(home::health))
        .route("/status", get(status::status))
        .route("/docs", get(docs::entrance))
        .route("/docs/json", get(docs::json))
        .route("/docs/guia/{pagina}", get(docs::guide))
        .route("/docs/rotas/{operacao}", get(docs::route))
        .route("/docs/recursos/{arquivo}", get(docs::asset))
        .route("/swagger", get(docs::console))
        .route("/docs/erros", get(erros::index))
        .route("/docs/erros/{codigo}", get(erros::page))
        .route("/mcp", get(mcp::show_catalogue).post(mcp::handle_message))
        .route("/v1/auth/login", post(auth::login::login))
        .route("/v1/auth/logout", post(auth::logout::logout))
        .route("/v1/auth/ambiente", post(auth::ambiente::trocar))
        .route("/v1/auth/me", get(auth::me::me))
        .route("/v1/auth/senha", put(auth::senha::alterar))
        .route("/v1/auth/api-keys", get(auth::api_keys::listar).post(auth::api_keys::criar))
        .route("/v1/auth/api-keys/{id}", delete(auth::api_keys::revogar))
        .route("/v1/auth/auditoria", get(auth::auditoria::listar))
        .route("/v1/auth/notas", get(notas::listar::da_sessao))
        .route("/v1/notas", get(notas::listar::listar))
        .route("/v1/notas/{chave}", get(notas::detalhar::detalhar))
        .route("/v1/jobs/localizar", get(jobs::localizar::localizar))
        .route("/v1/jobs/consultar-lote", post(jobs::consultar_lote::consultar_lote))
        .route("/v1/jobs/erros", get(jobs::relatorio::erros))
        .route("/v1/jobs/rejeitadas", get(jobs::relatorio::rejeitadas))
        .route("/v1/jobs/{job_id}/itens", get(jobs::itens::itens))
        .route("/v1/jobs/{job_id}/cancelar", post(jobs::cancelar::cancelar))
        .route("/v1/jobs/{job_id}/reprocessar", post(jobs::reprocessar::reprocessar))
        .route("/v1/cotas", get(cotas::cotas))
        .route("/v1/diagnostico", get(diagnostico::diagnostico))
        .route("/v1/empresas", get(empresas::listar::listar).post(empresas::criar::criar))
        .route("/v1/empresas/certificados", get(empresas::certificados::listar))
        .route("/v1/empresas/numeracao", get(empresas::numeracao::listar))
        .route("/v1/empresas/{cpf_cnpj}", empresa)
        .route("/v1/empresas/{cpf_cnpj}/nfe", put(empresas::configurar::nfe))
        .route("/v1/empresas/{cpf_cnpj}/nfce", put(empresas::configurar::nfce))
        .route("/v1/empresas/{cpf_cnpj}/nfse", put(empresas::configurar::nfse))
        .route("/v1/empresas/{cpf_cnpj}/cte", put(empresas::configurar::cte))
        .route("/v1/empresas/{cpf_cnpj}/certificado", put(empresas::certificado::enviar))
        .route("/v1/empresas/{cpf_cnpj}/logo", logo)
        .route("/v1/webhooks/segredo", get(webhooks::segredo::mostrar).post(webhooks::segredo::trocar))
        .route("/v1/webhooks/entregas", get(webhooks::entregas::listar))
        .route("/v1/webhooks/entregas/{id}/reenviar", post(webhooks::reenviar::reenviar))
        .route("/v1/cep", get(cep::buscar::buscar))
        .route("/v1/cep/{cep}", get(cep::consultar::consultar))
        .route("/v1/cnpj/{cnpj}", get(cnpj::consultar::consultar))
        .route("/v1/ncm/buscar", post(ncm::buscar::buscar))
        .route("/v1/ncm/{codigo}", get(ncm::consultar::consultar))
        .route("/v1/ncm/{codigo}/validar", get(ncm::validar::validar))
        .route("/v1/tributos/simples", get(tributos::simples::consultar));
    with_layers(panel_routes(received_routes(nfse_routes(cte_routes(nfe_routes(routes))))), app)
}

/// Pages of the panel, behind a password login.
fn panel_routes(routes: Router<App>) -> Router<App> {
    routes
        .route("/painel", get(painel::list_orders))
        .route("/painel/entrar", get(painel::show_login).post(painel::submit_login))
        .route("/painel/sair", post(painel::submit_logout))
        .route("/painel/ambiente", post(painel::switch_environment))
        .route("/painel/confirmar/{id}", get(painel::show_order).post(painel::submit_decision))
        .route("/painel/confirmar/{id}/pdf", get(painel::show_form))
        .route("/painel/recursos/painel.css", get(painel::style_sheet))
}

/// Received documents, and queries to authorities.
fn received_routes(routes: Router<App>) -> Router<App> {
    let distribuicao = get(empresas::distribuicao::mostrar).put(empresas::distribuicao::alterar);
    routes
        .route("/v1/nfe/manifestar", post(nfe::manifestar::manifestar))
        .route("/v1/nfe/recebidas", get(nfe::recebidas::listar::listar))
        .route("/v1/nfe/recebidas/sincronizar", post(recebidos::sincronizar::sincronizar::<Nfe>))
        .route("/v1/nfe/recebidas/{chave}", get(nfe::recebidas::detalhar::detalhar))
        .route("/v1/nfe/recebidas/{chave}/xml", get(recebidos::xml::xml::<Nfe>))
        .route("/v1/cte/recebidos", get(cte::recebidos::listar::listar))
        .route("/v1/cte/recebidos/sincronizar", post(recebidos::sincronizar::sincronizar::<Cte>))
        .route("/v1/cte/recebidos/{chave}", get(cte::recebidos::detalhar::detalhar))
        .route("/v1/cte/recebidos/{chave}/xml", get(recebidos::xml::xml::<Cte>))
        .route("/v1/nfse/manifestar", post(nfse::manifestar::manifestar))
        .route("/v1/nfse/recebidas", get(nfse::recebidas::listar::listar))
        .route("/v1/nfse/recebidas/sincronizar", post(recebidos::sincronizar::sincronizar::<NationalNfse>))
        .route("/v1/nfse/recebidas/{chave}", get(nfse::recebidas::detalhar::detalhar))
        .route("/v1/nfse/recebidas/{chave}/xml", get(recebidos::xml::xml::<NationalNfse>))
        .route("/v1/empresas/{cpf_cnpj}/distribuicao", distribuicao)
        .route("/v1/nfe/status-servico", get(nfe::consulta::status))
        .route("/v1/nfe/cadastro", get(nfe::consulta::cadastro))
}

/// Routes of NF-e and NFC-e.
fn nfe_routes(routes: Router<App>) -> Router<App> {
    routes
        .route("/v1/nfe/emitir", post(documento::emitir::emitir::<Nfe>))
        .route("/v1/nfe/verificar-campos", post(documento::verificar::verificar::<Nfe>))
        .route("/v1/nfe/preparar", post(nfe::preparar::preparar))
        .route("/v1/nfe/confirmar", post(nfe::confirmar::confirmar))
        .route("/v1/nfce/verificar-campos", post(documento::verificar::verificar::<Nfce>))
        .route("/v1/nfe/previa", post(documento::previa::previa::<Nfe>))
        .route("/v1/nfce/previa", post(documento::previa::previa::<Nfce>))
        .route("/v1/nfe/cancelar", post(documento::cancelar::cancelar::<Nfe>))
        .route("/v1/nfe/carta-correcao", post(nfe::carta_correcao::carta_correcao))
        .route("/v1/nfe/ator-interessado", post(nfe::ator_interessado::ator_interessado))
        .route("/v1/nfe/inutilizar", post(nfe::inutilizar::inutilizar::<Nfe>))
        .route("/v1/nfe/{id}/eventos", get(documento::eventos::eventos::<Nfe>))
        .route("/v1/nfe/consultar/{id}", get(documento::consultar::consultar::<Nfe>))
        .route("/v1/nfe/{id}/file/{tipo}", get(documento::file::file::<Nfe>))
        .route("/v1/nfce/emitir", post(documento::emitir::emitir::<Nfce>))
        .route("/v1/nfce/cancelar", post(documento::cancelar::cancelar::<Nfce>))
        .route("/v1/nfce/inutilizar", post(nfe::inutilizar::inutilizar::<Nfce>))
        .route("/v1/nfce/consultar/{id}", get(documento::consultar::consultar::<Nfce>))
        .route("/v1/nfce/{id}/file/{tipo}", get(documento::file::file::<Nfce>))
}

/// Routes of CT-e and CT-e OS.
fn cte_routes(routes: Router<App>) -> Router<App> {
    routes
        .route("/v1/cte/emitir", post(documento::emitir::emitir::<Cte>))
        .route("/v1/cte/verificar-campos", post(documento::verificar::verificar::<Cte>))
        .route("/v1/cte/previa", post(documento::previa::previa::<Cte>))
        .route("/v1/cte/cancelar", post(documento::cancelar::cancelar::<Cte>))
        .route("/v1/cte/carta-correcao", post(cte::carta_correcao::carta_correcao))
        .route("/v1/cte/eventos", post(cte::eventos::registrar))
        .route("/v1/cte/{id}/eventos", get(documento::eventos::eventos::<Cte>))
        .route("/v1/cte/consultar/{id}", get(documento::consultar::consultar::<Cte>))
        .route("/v1/cte/{id}/file/{tipo}", get(documento::file::file::<Cte>))
}

/// Routes of NFS-e.
fn nfse_routes(routes: Router<App>) -> Router<App> {
    routes
        .route("/v1/nfse/emitir", post(documento::emitir::emitir::<NationalNfse>))
        .route("/v1/nfse/govdigital/emitir", post(documento::emitir::emitir::<MunicipalNfse>))
        .route("/v1/nfse/municipios/{codigo}", get(nfse::municipios::explicar))
        .route("/v1/nfse/verificar-campos", post(nfse::sem_emitir::verificar))
        .route("/v1/nfse/previa", post(nfse::sem_emitir::previa))
        .route("/v1/nfse/cancelar", post(nfse::cancelar::cancelar))
        .route("/v1/nfse/solicitar-analise", post(nfse::solicitar_analise::solicitar_analise))
        .route("/v1/nfse/{job_id}/eventos", get(documento::eventos::eventos::<NationalNfse>))
        .route("/v1/nfse/consultar-sefaz", post(nfse::consultar_sefaz::consultar_sefaz))
        .route("/v1/nfse/consultar/{job_id}", get(documento::consultar::consultar::<NationalNfse>))
        .route("/v1/nfse/{job_id}/file/{tipo}", get(documento::file::file::<NationalNfse>))
        .route("/v1/nfse/{cpf_cnpj}/consultar-rps", get(nfse::consultar::consultar_rps))
        .route("/v1/nfse/{cpf_cnpj}/emitir", post(nfse::sincrono::emitir))
        .route("/v1/nfse/{cpf_cnpj}/emitir/json/sync", post(nfse::sincrono::emitir))
        .route("/v1/nfse/{cpf_cnpj}/cancelar", post(nfse::sincrono::cancelar))
        .route("/v1/nfse/{cpf_cnpj}/consultar", post(nfse::consultar::consultar))
}

/// Routes of the MCP listener, with its catalogue at the root. `api` is the address of the API.
pub(crate) fn mcp_router(app: App, api: Option<SocketAddr>) -> Router {
    with_layers(mcp::routes(api), app)
}

/// Layers around every route, from the inside out.
fn with_layers(routes: Router<App>, app: App) -> Router {
    routes
        .fallback(unknown::path)
        .method_not_allowed_fallback(unknown::method)
        .layer(from_fn(rate::headers))
        .layer(option_layer(browsers::cors(app.edge())))
        .layer(from_fn_with_state(app.limits(), envelope))
        .layer(browsers::compression(app.edge()))
        .layer(option_layer(app.edge().is_https().then(|| map_response(browsers::strict_transport))))
        .with_state(app)
}
