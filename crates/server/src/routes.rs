//! Every route of the service on one page, a row each: method, path, need that key or role must meet, largest body (`-`
//! without one), handler, description in `api::docs::resources`.
//!
//! Law: `docs/contract.md`; of the permissions, `docs/concepts/permissions.md`. Must not know: the work of any route.

use std::sync::LazyLock;

use crate::api::docs::api_route::{ApiRoute, ApiRoutes};
use crate::api::documento::document_type::{Cte, MunicipalNfse, NationalNfse, Nfce, Nfe};
use crate::api::{
    auth, cep, cnpj, cotas, cte, diagnostico, docs, documento, emails, empresas, exportacoes, home, jobs, ncm, nfe,
    nfse, notas, recebidos, status, tributos, webhooks,
};
use crate::route::{Route, routes};
use crate::{mcp, painel};

/// All routes of the API and of the panel.
pub(crate) const ALL: &[&[Route]] =
    &[PUBLIC, MCP, ACCOUNT, HISTORY, COMPANIES, WEBHOOKS, LOOKUPS, NFE, CTE, NFSE, RECEIVED, PANEL];

/// Described routes, for the documentation.
pub(crate) fn described() -> ApiRoutes {
    static DESCRIBED: LazyLock<Vec<ApiRoute>> =
        LazyLock::new(|| ALL.iter().copied().flatten().filter_map(Route::described).collect());
    ApiRoutes(&DESCRIBED)
}

/// The card, signs of life, and the documentation.
pub(crate) const PUBLIC: &[Route] = routes! {
    GET "/"                        Free - => docs::show_entry, publico::CARD;
    GET "/health"                  Free - => home::health, publico::HEALTH;
    GET "/status"                  Free - => status::status, publico::STATUS;
    GET "/docs"                    Free - => docs::entrance, publico::DOCS;
    GET "/docs/json"               Free - => docs::json, publico::DOCS_JSON;
    GET "/docs/guia/{pagina}"      Free - => docs::guide, publico::DOCS_PAGE;
    GET "/docs/rotas/{operacao}"   Free - => docs::route, publico::DOCS_ROUTE;
    GET "/docs/recursos/{arquivo}" Free - => docs::asset, publico::ASSET;
    GET "/swagger"                 Free - => docs::console, publico::SWAGGER;
    GET "/docs/erros"              Free - => docs::error_pages::index, erros::INDEX;
    GET "/docs/erros/{codigo}"     Free - => docs::error_pages::page, erros::PAGE;
};

/// The MCP server, on this listener and on its own.
pub(crate) const MCP: &[Route] = routes! {
    GET  "/mcp" Free -       => mcp::show_catalogue, mcp::CATALOGUE;
    POST "/mcp" Read Message => mcp::handle_message, mcp::MESSAGE;
};

/// Sessions, keys and the audit trail.
pub(crate) const ACCOUNT: &[Route] = routes! {
    POST   "/v1/auth/login"         Free Tiny => auth::login::login, auth::LOGIN;
    POST   "/v1/auth/logout"        Free -    => auth::logout::logout, auth::LOGOUT;
    POST   "/v1/auth/ambiente"      Free Tiny => auth::ambiente::trocar, auth::SWITCH;
    GET    "/v1/auth/me"            Read -    => auth::me::me, auth::ME;
    PUT    "/v1/auth/senha"         Free Tiny => auth::senha::alterar, auth::PASSWORD;
    GET    "/v1/auth/api-keys"      ReadAccount -    => auth::api_keys::listar, auth::KEYS;
    POST   "/v1/auth/api-keys"      Administer  Tiny => auth::api_keys::criar, auth::CREATE_KEY;
    DELETE "/v1/auth/api-keys/{id}" Administer  -    => auth::api_keys::revogar, auth::REVOKE_KEY;
    GET    "/v1/auth/auditoria"     Administer -    => auth::auditoria::listar, auth::AUDIT;
    GET    "/v1/auth/notas"         Read -    => notas::listar::da_sessao, notas::LISTAR_NA_SESSAO;
};

/// Documents, jobs, quotas and the diagnosis of an account.
pub(crate) const HISTORY: &[Route] = routes! {
    GET  "/v1/notas"                     Read -      => notas::listar::listar, notas::LISTAR;
    GET  "/v1/notas/{chave}"             Read -      => notas::detalhar::detalhar, notas::DETALHAR;
    GET  "/v1/jobs/localizar"            Read -      => jobs::localizar::localizar, notas::LOCALIZAR;
    POST "/v1/jobs/consultar-lote"       Read Record => jobs::consultar_lote::consultar_lote, notas::LOTE;
    GET  "/v1/jobs/erros"                Read -      => jobs::relatorio::erros, notas::ERROS;
    GET  "/v1/jobs/rejeitadas"           Read -      => jobs::relatorio::rejeitadas, notas::REJEITADAS;
    GET  "/v1/jobs/{job_id}/itens"       Read -      => jobs::itens::itens, notas::ITENS;
    POST "/v1/jobs/{job_id}/cancelar"    Act  -      => jobs::cancelar::cancelar, notas::CANCELAR;
    POST "/v1/jobs/{job_id}/reprocessar" Act  -      => jobs::reprocessar::reprocessar, notas::REPROCESSAR;
    GET  "/v1/cotas"                     ReadAccount -      => cotas::cotas, cotas::LISTAR;
    POST   "/v1/exportacoes"              Export Tiny  => exportacoes::criar::criar, exportacoes::CRIAR;
    GET    "/v1/exportacoes"              Export -     => exportacoes::ver::listar, exportacoes::LISTAR;
    GET    "/v1/exportacoes/{id}"         Export -     => exportacoes::ver::detalhar, exportacoes::DETALHAR;
    GET    "/v1/exportacoes/{id}/arquivo" Export -     => exportacoes::arquivo::arquivo, exportacoes::ARQUIVO;
    DELETE "/v1/exportacoes/{id}"         Act  -     => exportacoes::apagar::apagar, exportacoes::APAGAR;
    POST   "/v1/notas/{chave}/email"      Act  Tiny  => emails::enviar::enviar, emails::ENVIAR;
    GET    "/v1/emails"                   Read -     => emails::ver::listar, emails::LISTAR;
    GET    "/v1/emails/{id}"              Read -     => emails::ver::detalhar, emails::DETALHAR;
    POST   "/v1/emails/{id}/reenviar"     Act  -     => emails::reenviar::reenviar, emails::REENVIAR;
    GET  "/v1/diagnostico"               Read -      => diagnostico::diagnostico, diagnostico::MOSTRAR;
};

/// Companies and their configuration.
pub(crate) const COMPANIES: &[Route] = routes! {
    GET    "/v1/empresas"                        Read -           => empresas::listar::listar, empresas::LISTAR;
    POST   "/v1/empresas"                        Administer  Record      => empresas::criar::criar, empresas::CRIAR;
    GET    "/v1/empresas/certificados"           Read -           =>
        empresas::certificados::listar, empresas::CERTIFICADOS;
    GET    "/v1/empresas/numeracao"              Read -           => empresas::numeracao::listar, empresas::NUMERACAO;
    GET    "/v1/empresas/{cpf_cnpj}"             Read -           => empresas::detalhar::detalhar, empresas::DETALHAR;
    PUT    "/v1/empresas/{cpf_cnpj}"             Configure  Record      =>
        empresas::atualizar::atualizar, empresas::ATUALIZAR;
    DELETE "/v1/empresas/{cpf_cnpj}"             Administer  -           => empresas::remover::remover, empresas::REMOVER;
    PUT    "/v1/empresas/{cpf_cnpj}/nfe"         Configure  Record      => empresas::configurar::nfe, empresas::NFE;
    PUT    "/v1/empresas/{cpf_cnpj}/nfce"        Configure  Record      => empresas::configurar::nfce, empresas::NFCE;
    PUT    "/v1/empresas/{cpf_cnpj}/nfse"        Configure  Record      => empresas::configurar::nfse, empresas::NFSE;
    PUT    "/v1/empresas/{cpf_cnpj}/cte"         Configure  Record      => empresas::configurar::cte, empresas::CTE;
    PUT    "/v1/empresas/{cpf_cnpj}/certificado" Configure  Certificate =>
        empresas::certificado::enviar, empresas::CERTIFICADO;
    GET    "/v1/empresas/{cpf_cnpj}/logo"        Read -           => empresas::logo::mostrar, empresas::VER_LOGO;
    PUT    "/v1/empresas/{cpf_cnpj}/logo"        Configure  Picture     => empresas::logo::enviar, empresas::LOGO;
    DELETE "/v1/empresas/{cpf_cnpj}/logo"        Configure  -           => empresas::logo::retirar, empresas::APAGAR_LOGO;
};

/// Webhook secret and deliveries.
pub(crate) const WEBHOOKS: &[Route] = routes! {
    GET  "/v1/webhooks/segredo"                Administer  -    => webhooks::segredo::mostrar, webhooks::MOSTRAR;
    POST "/v1/webhooks/segredo"                Administer  Tiny => webhooks::segredo::trocar, webhooks::TROCAR;
    GET  "/v1/webhooks/entregas"               Read -    => webhooks::entregas::listar, webhooks::ENTREGAS;
    POST "/v1/webhooks/entregas/{id}/reenviar" Act  -    => webhooks::reenviar::reenviar, webhooks::REENVIAR;
    POST "/v1/webhooks/entregas/reenviar"      Act  -    =>
        webhooks::reenviar::reenviar_perdidas, webhooks::REENVIAR_PERDIDAS;
    GET  "/v1/webhooks/conta"                  ReadAccount -    => webhooks::conta::mostrar, webhooks::CONTA;
    PUT  "/v1/webhooks/conta"                  Administer  Tiny => webhooks::conta::alterar, webhooks::ALTERAR_CONTA;
    POST "/v1/webhooks/conta/teste"            Administer  -    => webhooks::conta::testar, webhooks::TESTAR;
};

/// CEP, CNPJ, NCM and tax rates.
pub(crate) const LOOKUPS: &[Route] = routes! {
    GET  "/v1/cep"                  Read -    => cep::buscar::buscar, consultas::STREET;
    GET  "/v1/cep/{cep}"            Read -    => cep::consultar::consultar, consultas::CEP;
    GET  "/v1/cnpj/{cnpj}"          Read -    => cnpj::consultar::consultar, consultas::CNPJ;
    POST "/v1/ncm/buscar"           Read Tiny => ncm::buscar::buscar, consultas::SEARCH;
    GET  "/v1/ncm/{codigo}"         Read -    => ncm::consultar::consultar, consultas::ENTRY;
    GET  "/v1/ncm/{codigo}/validar" Read -    => ncm::validar::validar, consultas::VALID;
    GET  "/v1/tributos/simples"     Read -    => tributos::simples::consultar, consultas::SIMPLES;
};

/// NF-e and NFC-e.
pub(crate) const NFE: &[Route] = routes! {
    POST "/v1/nfe/emitir"            Act    Document => documento::emitir::emitir::<Nfe>, nfe::EMITIR;
    POST "/v1/nfe/verificar-campos"  Read   Document => documento::verificar::verificar::<Nfe>, assistida::VERIFICAR;
    POST "/v1/nfe/preparar"          Assist Document => nfe::preparar::preparar, assistida::PREPARAR;
    POST "/v1/nfe/confirmar"         Assist Tiny     => nfe::confirmar::confirmar, assistida::CONFIRMAR;
    POST "/v1/nfce/verificar-campos" Read   Document =>
        documento::verificar::verificar::<Nfce>, assistida::VERIFICAR_NFCE;
    POST "/v1/nfe/previa"            Read   Document => documento::previa::previa::<Nfe>, assistida::PREVIA;
    POST "/v1/nfce/previa"           Read   Document => documento::previa::previa::<Nfce>, assistida::PREVIA_NFCE;
    POST "/v1/nfe/cancelar"          Act    Act      => documento::cancelar::cancelar::<Nfe>, nfe::CANCELAR;
    POST "/v1/nfe/carta-correcao"    Act    Act      => nfe::carta_correcao::carta_correcao, eventos::CORRIGIR;
    POST "/v1/nfe/ator-interessado"  Act    Act      => nfe::ator_interessado::ator_interessado, eventos::AUTORIZAR;
    POST "/v1/nfe/inutilizar"        Act    Act      => nfe::inutilizar::inutilizar::<Nfe>, inutilizacao::NFE;
    GET  "/v1/nfe/{id}/eventos"      Read   -        => documento::eventos::eventos::<Nfe>, eventos::LISTAR;
    GET  "/v1/nfe/consultar/{id}"    Read   -        => documento::consultar::consultar::<Nfe>, nfe::CONSULTAR;
    GET  "/v1/nfe/{id}/file/{tipo}"  Read   -        => documento::file::file::<Nfe>, nfe::FILE;
    POST "/v1/nfce/emitir"           Act    Document => documento::emitir::emitir::<Nfce>, nfce::EMITIR;
    POST "/v1/nfce/cancelar"         Act    Act      => documento::cancelar::cancelar::<Nfce>, nfce::CANCELAR;
    POST "/v1/nfce/inutilizar"       Act    Act      => nfe::inutilizar::inutilizar::<Nfce>, inutilizacao::NFCE;
    GET  "/v1/nfce/consultar/{id}"   Read   -        => documento::consultar::consultar::<Nfce>, nfce::CONSULTAR;
    GET  "/v1/nfce/{id}/file/{tipo}" Read   -        => documento::file::file::<Nfce>, nfce::FILE;
};

/// CT-e and CT-e OS.
pub(crate) const CTE: &[Route] = routes! {
    POST "/v1/cte/emitir"           Act  Document => documento::emitir::emitir::<Cte>, cte::EMITIR;
    POST "/v1/cte/verificar-campos" Read Document => documento::verificar::verificar::<Cte>, cte::VERIFICAR;
    POST "/v1/cte/previa"           Read Document => documento::previa::previa::<Cte>, cte::PREVIA;
    POST "/v1/cte/cancelar"         Act  Act      => documento::cancelar::cancelar::<Cte>, cte::CANCELAR;
    POST "/v1/cte/carta-correcao"   Act  Record   => cte::carta_correcao::carta_correcao, eventos_cte::CORRIGIR;
    POST "/v1/cte/eventos"          Act  Picture  => cte::eventos::registrar, eventos_cte::REGISTRAR;
    GET  "/v1/cte/{id}/eventos"     Read -        => documento::eventos::eventos::<Cte>, eventos_cte::LISTAR;
    GET  "/v1/cte/consultar/{id}"   Read -        => documento::consultar::consultar::<Cte>, cte::CONSULTAR;
    GET  "/v1/cte/{id}/file/{tipo}" Read -        => documento::file::file::<Cte>, cte::FILE;
};

/// NFS-e, national and municipal.
pub(crate) const NFSE: &[Route] = routes! {
    POST "/v1/nfse/emitir"                      Act  Document =>
        documento::emitir::emitir::<NationalNfse>, nfse::EMITIR;
    POST "/v1/nfse/govdigital/emitir"           Act  Document =>
        documento::emitir::emitir::<MunicipalNfse>, nfse_municipal::EMITIR;
    GET  "/v1/nfse/municipios/{codigo}"         Read -        => nfse::municipios::explicar, nfse_municipal::MUNICIPIO;
    POST "/v1/nfse/verificar-campos"            Read Document => nfse::sem_emitir::verificar, nfse::VERIFICAR;
    POST "/v1/nfse/previa"                      Read Document => nfse::sem_emitir::previa, nfse::PREVIA;
    POST "/v1/nfse/cancelar"                    Act  Act      => nfse::cancelar::cancelar, nfse::CANCELAR;
    POST "/v1/nfse/solicitar-analise"           Act  Act      =>
        nfse::solicitar_analise::solicitar_analise, nfse::SOLICITAR_ANALISE;
    GET  "/v1/nfse/{job_id}/eventos"            Read -        =>
        documento::eventos::eventos::<NationalNfse>, nfse::EVENTOS;
    POST "/v1/nfse/consultar-sefaz"             Read Tiny     =>
        nfse::consultar_sefaz::consultar_sefaz, nfse::CONSULTAR_SEFAZ;
    GET  "/v1/nfse/consultar/{job_id}"          Read -        =>
        documento::consultar::consultar::<NationalNfse>, nfse::CONSULTAR;
    GET  "/v1/nfse/{job_id}/file/{tipo}"        Read -        => documento::file::file::<NationalNfse>, nfse::FILE;
    GET  "/v1/nfse/{cpf_cnpj}/consultar-rps"    Read -        =>
        nfse::consultar::consultar_rps, nfse_sincronas::CONSULTAR_RPS;
    POST "/v1/nfse/{cpf_cnpj}/emitir"           Act  Document => nfse::sincrono::emitir, nfse_sincronas::EMITIR;
    POST "/v1/nfse/{cpf_cnpj}/emitir/json/sync" Act  Document => nfse::sincrono::emitir, nfse_sincronas::EMITIR_JSON;
    POST "/v1/nfse/{cpf_cnpj}/cancelar"         Act  Act      => nfse::sincrono::cancelar, nfse_sincronas::CANCELAR;
    POST "/v1/nfse/{cpf_cnpj}/consultar"        Read Tiny     => nfse::consultar::consultar, nfse_sincronas::CONSULTAR;
};

/// Received documents, and queries to authorities.
pub(crate) const RECEIVED: &[Route] = routes! {
    POST "/v1/nfe/manifestar"                   Act  Act  => nfe::manifestar::manifestar, recebidas::MANIFESTAR;
    GET  "/v1/nfe/recebidas"                    Read -    => nfe::recebidas::listar::listar, recebidas::LISTAR;
    POST "/v1/nfe/recebidas/sincronizar"        Act  Tiny =>
        recebidos::sincronizar::sincronizar::<Nfe>, recebidas::SINCRONIZAR;
    GET  "/v1/nfe/recebidas/{chave}"            Read -    => nfe::recebidas::detalhar::detalhar, recebidas::DETALHAR;
    GET  "/v1/nfe/recebidas/{chave}/xml"        Read -    => recebidos::xml::xml::<Nfe>, recebidas::XML;
    GET  "/v1/cte/recebidos"                    Read -    => cte::recebidos::listar::listar, recebidos_cte::LISTAR;
    POST "/v1/cte/recebidos/sincronizar"        Act  Tiny =>
        recebidos::sincronizar::sincronizar::<Cte>, recebidos_cte::SINCRONIZAR;
    GET  "/v1/cte/recebidos/{chave}"            Read -    =>
        cte::recebidos::detalhar::detalhar, recebidos_cte::DETALHAR;
    GET  "/v1/cte/recebidos/{chave}/xml"        Read -    => recebidos::xml::xml::<Cte>, recebidos_cte::XML;
    POST "/v1/nfse/manifestar"                  Act  Act  => nfse::manifestar::manifestar, recebidas_nfse::MANIFESTAR;
    GET  "/v1/nfse/recebidas"                   Read -    => nfse::recebidas::listar::listar, recebidas_nfse::LISTAR;
    POST "/v1/nfse/recebidas/sincronizar"       Act  Tiny =>
        recebidos::sincronizar::sincronizar::<NationalNfse>, recebidas_nfse::SINCRONIZAR;
    GET  "/v1/nfse/recebidas/{chave}"           Read -    =>
        nfse::recebidas::detalhar::detalhar, recebidas_nfse::DETALHAR;
    GET  "/v1/nfse/recebidas/{chave}/xml"       Read -    => recebidos::xml::xml::<NationalNfse>, recebidas_nfse::XML;
    GET  "/v1/empresas/{cpf_cnpj}/distribuicao" Read -    => empresas::distribuicao::mostrar, recebidas::MOSTRAR;
    PUT  "/v1/empresas/{cpf_cnpj}/distribuicao" Configure  Tiny => empresas::distribuicao::alterar, recebidas::ALTERAR;
    GET  "/v1/nfe/status-servico"               Read -    => nfe::consulta::status, recebidas::STATUS;
    GET  "/v1/nfe/cadastro"                     Read -    => nfe::consulta::cadastro, recebidas::CADASTRO;
};

/// Pages of the panel, behind a password login.
pub(crate) const PANEL: &[Route] = routes! {
    GET  "/painel"                     Read -    => painel::show_home;
    GET  "/painel/documentos"          Read -    => painel::list_documents;
    GET  "/painel/pendencias/{assunto}" Read -   => painel::show_pending;
    GET  "/painel/confirmacoes"        Read -    => painel::list_orders;
    GET  "/painel/entrar"              Free -    => painel::show_login;
    POST "/painel/entrar"              Free Act  => painel::submit_login;
    GET  "/painel/entrar/codigo"       Free -    => painel::show_code;
    POST "/painel/entrar/codigo"       Free Tiny => painel::submit_code;
    GET  "/painel/entrar/oidc"         Free -    => painel::begin_oidc;
    GET  "/painel/entrar/oidc/retorno" Free -    => painel::finish_oidc;
    GET  "/painel/entrar/oidc/sair"    Free -    => painel::leave_oidc;
    POST "/painel/sair"                Free Tiny => painel::submit_logout;
    POST "/painel/ambiente"            Free Tiny => painel::switch_environment;
    GET  "/painel/confirmar/{id}"      Read -    => painel::show_order;
    POST "/painel/confirmar/{id}"      Approve Act  => painel::submit_decision;
    GET  "/painel/confirmar/{id}/pdf"  Read -    => painel::show_pdf;
    GET  "/painel/documentos/{id}"                Read -   => painel::show_document;
    GET  "/painel/documentos/{id}/pdf"            Read -   => painel::show_document_pdf;
    GET  "/painel/documentos/{id}/arquivo/{tipo}" Read -   => painel::download_document_file;
    POST "/painel/documentos/{id}/reenviar"       Act  Act => painel::resend_document_delivery;
    POST "/painel/documentos/{id}/email"          Act  Tiny => painel::mail::send_document_mail;
    GET  "/painel/documentos/{id}/{ato}"          Act  -   => painel::show_act;
    POST "/painel/documentos/{id}/{ato}"          Act  Act => painel::submit_act;
    GET  "/painel/emitir"              Act  -    => painel::issue::show_issue;
    POST "/painel/emitir"              Act  Document => painel::issue::submit_issue;
    GET  "/painel/recebidos"                                     Read -    => painel::show_inbox;
    POST "/painel/recebidos/vistos"                              Read Tiny => painel::mark_received_seen;
    GET  "/painel/recebidos/buscas"                              Read -    => painel::show_searches;
    POST "/painel/recebidos/buscas"                              Act  Tiny => painel::submit_search;
    GET  "/painel/recebidos/{empresa}/{chave}"                   Read -    => painel::show_received;
    GET  "/painel/recebidos/{empresa}/{chave}/pdf"               Read -    => painel::show_received_pdf;
    GET  "/painel/recebidos/{empresa}/{chave}/xml"               Read -    => painel::download_received;
    POST "/painel/recebidos/{empresa}/{chave}/buscar"            Act  Tiny => painel::fetch_received;
    GET  "/painel/recebidos/{empresa}/{chave}/manifestar/{ato}"  Act  -    => painel::show_manifestation;
    POST "/painel/recebidos/{empresa}/{chave}/manifestar/{ato}"  Act  Act  => painel::submit_manifestation;
    GET  "/painel/exportacoes"              Export -    => painel::show_exports;
    POST "/painel/exportacoes"              Export Tiny => painel::submit_export;
    GET  "/painel/exportacoes/{id}/arquivo" Export -    => painel::download_export;
    POST "/painel/exportacoes/{id}/apagar"  Export Tiny => painel::remove_export;
    GET  "/painel/conta"                         Free -    => painel::show_account;
    POST "/painel/conta/nome"                    Free Tiny => painel::change_name;
    POST "/painel/conta/senha"                   Free Act  => painel::change_password;
    POST "/painel/conta/sessoes"                 Free Tiny => painel::end_sessions;
    GET  "/painel/conta/segundo-fator"           Free -    => painel::show_factor;
    POST "/painel/conta/segundo-fator"           Free Act  => painel::begin_factor;
    POST "/painel/conta/segundo-fator/confirmar" Free Tiny => painel::confirm_factor;
    POST "/painel/conta/segundo-fator/codigos"   Free Act  => painel::replace_codes;
    POST "/painel/conta/segundo-fator/desligar"  Free Act  => painel::remove_factor;
    POST "/painel/conta/vinculo"                 Free Act  => painel::link_identity;
    POST "/painel/conta/vinculo/desfazer"        Free Tiny => painel::unlink_identity;
    GET  "/painel/empresas"                                Read -           => painel::companies::list_companies;
    GET  "/painel/empresas/nova"                           Administer  -           => painel::companies::show_registration;
    POST "/painel/empresas/nova"                           Administer  Act         => painel::companies::submit_registration;
    GET  "/painel/empresas/{cpf_cnpj}"                     Read -           => painel::companies::show_company;
    GET  "/painel/empresas/{cpf_cnpj}/dados"               Configure  -           => painel::companies::show_record;
    POST "/painel/empresas/{cpf_cnpj}/dados"               Configure  Act         => painel::companies::submit_record;
    GET  "/painel/empresas/{cpf_cnpj}/certificado"         Configure  -           => painel::companies::show_certificate;
    POST "/painel/empresas/{cpf_cnpj}/certificado"         Configure  Certificate => painel::companies::submit_certificate;
    GET  "/painel/empresas/{cpf_cnpj}/certificado/{id}"    Configure  -           => painel::companies::show_offer;
    POST "/painel/empresas/{cpf_cnpj}/certificado/{id}"    Configure  Tiny        => painel::companies::keep_offer;
    GET  "/painel/empresas/{cpf_cnpj}/tipos/{tipo}"        Configure  -           => painel::companies::show_configuration;
    POST "/painel/empresas/{cpf_cnpj}/tipos/{tipo}"        Configure  Act         => painel::companies::submit_configuration;
    GET  "/painel/empresas/{cpf_cnpj}/logotipo"            Read -           => painel::companies::show_logo;
    POST "/painel/empresas/{cpf_cnpj}/logotipo"            Configure  Picture     => painel::companies::submit_logo;
    GET  "/painel/empresas/{cpf_cnpj}/logotipo/imagem"     Read -           => painel::companies::show_picture;
    GET  "/painel/empresas/{cpf_cnpj}/logotipo/previa"     Read -           => painel::companies::show_sample;
    POST "/painel/empresas/{cpf_cnpj}/logotipo/retirar"    Configure  Tiny        => painel::companies::remove_logo;
    GET  "/painel/empresas/{cpf_cnpj}/producao"            Read -           => painel::companies::show_checklist;
    GET  "/painel/emails"                    Read -    => painel::mail::list_mails;
    GET  "/painel/emails/empresa"            Configure -    => painel::mail::show_choice;
    POST "/painel/emails/empresa"            Configure Tiny => painel::mail::submit_choice;
    POST "/painel/emails/teste"              Administer Tiny => painel::mail::submit_test;
    GET  "/painel/emails/bloqueios"          Administer -    => painel::mail::show_blocks;
    POST "/painel/emails/bloqueios"          Administer Tiny => painel::mail::submit_block;
    POST "/painel/emails/bloqueios/remover"  Administer Tiny => painel::mail::submit_unblock;
    GET  "/painel/emails/avisos"             Read -    => painel::mail::show_alerts;
    POST "/painel/emails/avisos"             Read Tiny => painel::mail::submit_alerts;
    GET  "/painel/emails/{id}"               Read -    => painel::mail::show_mail;
    POST "/painel/emails/{id}/reenviar"      Act Tiny => painel::mail::resend_mail_page;
    GET  "/painel/integracoes"               Read       -    => painel::show_integrations;
    POST "/painel/integracoes"               Administer Act  => painel::save_webhook_account;
    POST "/painel/integracoes/teste"         Administer Tiny => painel::send_test_event;
    GET  "/painel/integracoes/segredo"       Administer -    => painel::show_webhook_secret;
    POST "/painel/integracoes/segredo"       Administer Tiny => painel::rotate_webhook_secret;
    POST "/painel/integracoes/reenviar"      Act        Tiny => painel::resend_lost_deliveries;
    POST "/painel/integracoes/{id}/reenviar" Act        Tiny => painel::resend_delivery;
    GET  "/painel/chaves"                    Administer -    => painel::show_keys;
    POST "/painel/chaves"                    Administer Tiny => painel::create_key;
    GET  "/painel/chaves/{id}"               Administer -    => painel::show_key;
    POST "/painel/chaves/{id}/trocar"        Administer Tiny => painel::replace_key;
    POST "/painel/chaves/{id}/revogar"       Administer Tiny => painel::revoke_key;
    GET  "/painel/recursos/{arquivo}"  Free -    => painel::show_asset;
    GET  "/painel/pessoas"                       Administer -    => painel::show_people;
    POST "/painel/pessoas/convidar"              Administer Act  => painel::invite_person;
    POST "/painel/pessoas/convites/{id}/revogar" Administer Tiny => painel::revoke_invitation;
    GET  "/painel/pessoas/{id}"                  Administer -    => painel::show_person;
    POST "/painel/pessoas/{id}/papel"            Administer Tiny => painel::give_role;
    POST "/painel/pessoas/{id}/retirar"          Administer Tiny => painel::take_role;
    POST "/painel/pessoas/{id}/remover"          Administer Tiny => painel::remove_person;
    GET  "/painel/convite/{codigo}"              Free       -    => painel::show_invitation;
    POST "/painel/convite/{codigo}"              Free       Act  => painel::accept_invitation;
    GET  "/painel/auditoria"                     Administer -    => painel::show_trail;
    GET  "/painel/auditoria.csv"                 Administer -    => painel::download_trail;
    GET  "/painel/amostra.json"        Read -    => painel::show_account_sample;
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::permission::RequiredPermission;

    fn rows() -> impl Iterator<Item = &'static Route> {
        ALL.iter().copied().flatten()
    }

    #[test]
    fn every_operation_has_one_row_and_only_the_panel_has_none() {
        for (resource, operation) in
            docs::resources::all().flat_map(|it| it.operations.iter().map(move |one| (it, one)))
        {
            let rows = rows().filter(|row| row.operation.is_some_and(|its| std::ptr::eq(its, *operation))).count();
            assert_eq!(rows, 1, "{}: {}", resource.tag, operation.id);
        }
        let described = docs::resources::all().map(|resource| resource.operations.len()).sum::<usize>();
        assert_eq!(rows().filter(|row| row.operation.is_some()).count(), described, "an operation of no resource");
        let hidden: Vec<&str> = rows().filter(|row| row.operation.is_none()).map(|row| row.path).collect();
        assert_eq!(hidden, PANEL.iter().map(|row| row.path).collect::<Vec<_>>());
    }

    #[test]
    fn a_row_has_a_size_exactly_when_its_operation_has_a_body() {
        for row in rows() {
            if let Some(operation) = row.operation {
                assert_eq!(row.size.is_some(), operation.body.is_some(), "{} {}", row.method, row.path);
            }
        }
    }

    #[test]
    fn path_parameters_are_described_in_their_order() {
        for row in rows() {
            let Some(operation) = row.operation else { continue };
            let named: Vec<&str> = row.path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
            assert_eq!(named, operation.path_parameters().collect::<Vec<_>>(), "{}", row.path);
        }
    }

    /// A route without a need would be open to every role.
    #[test]
    fn only_what_is_public_or_about_the_user_itself_is_free() {
        let open = [
            "/health",
            "/status",
            "/docs",
            "/swagger",
            "/v1/auth/login",
            "/v1/auth/logout",
            "/v1/auth/ambiente",
            "/v1/auth/senha",
            "/painel/entrar",
            "/painel/conta",
            "/painel/sair",
            "/painel/ambiente",
            "/painel/recursos",
            "/painel/convite",
        ];
        for row in rows() {
            let is_below = |path: &str| {
                row.path.strip_prefix(path).is_some_and(|rest: &str| rest.is_empty() || rest.starts_with('/'))
            };
            let is_exact = row.path == "/" || (row.method, row.path) == ("GET", "/mcp");
            let is_open = is_exact || open.iter().any(|path| is_below(path));
            assert_eq!(row.permission == RequiredPermission::Free, is_open, "{} {}", row.method, row.path);
        }
    }

    /// `Act` is of documents: what changes a company needs `Configure`, what changes the account `Administer`.
    #[test]
    fn only_acts_on_documents_need_act() {
        let of_documents = [
            "/v1/nfe",
            "/v1/nfce",
            "/v1/nfse",
            "/v1/cte",
            "/v1/jobs",
            "/v1/notas",
            "/v1/emails",
            "/v1/exportacoes",
            "/v1/webhooks/entregas",
            "/painel/documentos",
            "/painel/emails",
            "/painel/integracoes",
            "/painel/emitir",
            "/painel/recebidos",
        ];
        for row in rows().filter(|row| row.permission == RequiredPermission::Act) {
            let is_of_documents = of_documents.iter().any(|path| row.path.starts_with(path));
            assert!(is_of_documents, "{} {} needs Configure or Administer", row.method, row.path);
        }
    }

    /// The bound of a person's companies holds for a company in a path by the name of its place.
    #[test]
    fn every_place_of_a_path_is_known() {
        let others = [
            "arquivo", "assunto", "ato", "cep", "chave", "cnpj", "codigo", "id", "job_id", "operacao", "pagina", "tipo",
        ];
        let companies = crate::api::permission::COMPANY_PLACES;
        for row in rows() {
            for place in row.path.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
                assert!(companies.contains(&place) || others.contains(&place), "{place}: {} {}", row.method, row.path);
            }
        }
    }

    #[test]
    fn an_act_needs_every_permission() {
        let harmless: BTreeSet<&str> = BTreeSet::from([
            "preparar",
            "confirmar",
            "verificar-campos",
            "previa",
            "buscar",
            "consultar",
            "consultar-lote",
            "consultar-sefaz",
            "mcp",
            // a mark and a choice of the user alone
            "vistos",
            "avisos",
            // a copy of what the key may read anyway
            "exportacoes",
            "apagar",
        ]);
        for row in rows().filter(|row| row.method != "GET") {
            let last = row.path.rsplit('/').next().unwrap_or_default();
            let is_guarded = !row.permission.met_by(store::accounts::Permissao::Assistida)
                || row.permission == RequiredPermission::Free;
            assert!(is_guarded || harmless.contains(last), "{} {}", row.method, row.path);
        }
    }
}
