//! The control plane, `/_sim`: JSON over plain HTTP, on a listener of its own.
//!
//! - `GET /_sim`: describes itself.
//! - `POST /_sim/reset`: forgets documents, counts, faults and settings.
//! - `GET`, `PUT /_sim/relogio`: clock, `{"modo":"real"}`, `{"modo":"deslocado","segundos":-86400}`,
//!   `{"modo":"fixo","instante":"2026-11-20T10:00:00-03:00"}`.
//! - `GET`, `PATCH /_sim/configuracao`: all settings; the members given replace theirs.
//! - `PUT /_sim/regras`: `{"610":"off","703":"warn"}`, joined to the present ones.
//! - `PUT /_sim/servicos`: list of modes, e.g. `[{"modo":"paralisado_momentaneamente","autoridade":"sp"}]`.
//! - `GET`, `PUT /_sim/quedas`: outages by the simulator's clock, e.g.
//!   `[{"de":"…","ate":"…","autoridade":"sp","falha":{"tipo":"cstat","cStat":109}}]`; an SVC that a state switches off:
//!   `"autoridade":"svc-an","falha":{"tipo":"cstat","cStat":114,"servico":"NFeAutorizacao4","contem":"<cUF>35</cUF>"}`.
//! - `PUT /_sim/limites`: `{"ativo":false}` ends the answers 656.
//! - `PUT`, `DELETE /_sim/contribuintes/{numero}`: registry and deny-lists, e.g. `{"destinatario_irregular":true}`.
//! - `GET`, `POST`, `DELETE /_sim/falhas`: script of faults ([`crate::faults::Fault`]), e.g.
//!   `{"servico":"NFeAutorizacao4","tipo":"reset_after","vezes":3}`.
//! - `DELETE /_sim/falhas/{id}`: removes one.
//! - `GET`, `POST /_sim/atrasos`: counts the messages and documents that `late` and `invisible` hold back; processes
//!   and shows them at once.
//! - `POST /_sim/livro`: forgets documents, `{"livro":"perdido","chave","emitente","autoridade","desde"}`.
//! - `GET /_sim/documentos?emitente=&ambiente=`: documents with their counts.
//! - `GET /_sim/documentos/{chave}`: one, its counts even when it is not stored.
//! - `GET /_sim/documentos/{chave}/xml`: as received.
//! - `GET /_sim/nfse/notas`, `…/{chave}`, `…/{chave}/xml`: national NFS-e.
//! - `POST /_sim/nfse/notas/{chave}/eventos`: an act of the município, `{"tipo":"305101","motivo"}` (also 105104,
//!   105105, 205204, 205208, 305102, 305103; `sobre`).
//! - `GET /_sim/nfse/dps/{id}`: counts of a DPS.
//! - `GET /_sim/nfse/municipios`, `PUT …/{codigo}`, `PUT /_sim/nfse/contribuintes/{numero}`: conventions and registers
//!   of the national NFS-e.
//! - `GET /_sim/municipal/notas?ambiente=`, `…/{cidade}/{numero}/xml`: municipal NFS-e.
//! - `POST /_sim/municipal/notas/{cidade}/{numero}/cancelamento`: cancels a municipal note by the city itself.
//! - `PUT /_sim/municipal/cidades/{codigo}`, `PUT /_sim/municipal/contribuintes/{numero}`, `GET
//!   /_sim/municipal/provedores`: settings of a city, its register, the simulated providers.
//! - `GET /_sim/requisicoes?desde=`: requests received after that sequence number.
//! - `GET /_sim/contadores`: totals.
//! - `GET /_sim/ca.pem`, `GET /_sim/enderecos.toml`: the root to trust, the table of addresses.
//! - `GET /qrcode/{uf}?p=`, `GET /consulta/{uf}?chave=`: the public pages of a state for an NFC-e.
//! - `POST /_sim/certificados`: `{"nome","cpf_cnpj","senha","dias"}` returns a PFX.

mod commands;
mod inspect;
mod memory;
mod municipal;
mod nfse;
mod public_pages;

use crate::pki::Pki;
use crate::simulator_state::SimulatorState;
use axum::Json;
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// State shared by the handlers.
#[derive(Clone)]
struct ControlState {
    world: Arc<SimulatorState>,
    pki: Pki,
}

pub(crate) async fn serve(
    world: Arc<SimulatorState>,
    pki: Pki,
    listener: TcpListener,
    mut stop: watch::Receiver<bool>,
) {
    let stopped = async move {
        let _ = stop.changed().await;
    };
    let served = axum::serve(listener, router(ControlState { world, pki })).with_graceful_shutdown(stopped).await;
    if let Err(error) = served {
        tracing::error!(%error, "plano de controle encerrado");
    }
}

fn router(console: ControlState) -> Router {
    Router::new()
        .route("/_sim", get(describe))
        .route("/_sim/", get(describe))
        .route("/_sim/reset", post(commands::reset))
        .route("/_sim/relogio", get(commands::clock).put(commands::set_clock))
        .route("/_sim/configuracao", get(commands::settings).patch(commands::patch_settings))
        .route("/_sim/regras", put(commands::put_rules))
        .route("/_sim/servicos", put(commands::put_modes))
        .route("/_sim/quedas", get(commands::outages).put(commands::put_outages))
        .route("/_sim/limites", put(commands::put_limits))
        .route("/_sim/contribuintes/{numero}", put(commands::put_taxpayer).delete(commands::delete_taxpayer))
        .route("/_sim/falhas", get(commands::faults).post(commands::add_fault).delete(commands::clear_faults))
        .route("/_sim/falhas/{id}", delete(commands::remove_fault))
        .route("/_sim/atrasos", get(memory::delays).post(memory::end_delays))
        .route("/_sim/livro", post(memory::lose_book))
        .route("/_sim/documentos", get(inspect::documents))
        .route("/_sim/documentos/{chave}", get(inspect::document))
        .route("/_sim/documentos/{chave}/xml", get(inspect::document_xml))
        .route("/_sim/documentos/{chave}/registros", post(commands::register))
        .route("/_sim/nfse/notas", get(nfse::notes))
        .route("/_sim/nfse/notas/{chave}", get(nfse::note))
        .route("/_sim/nfse/notas/{chave}/xml", get(nfse::note_xml))
        .route("/_sim/nfse/notas/{chave}/eventos", post(nfse::register))
        .route("/_sim/nfse/dps/{id}", get(nfse::counts))
        .route("/_sim/nfse/municipios", get(nfse::municipalities))
        .route("/_sim/nfse/municipios/{codigo}", put(nfse::put_municipality))
        .route("/_sim/nfse/contribuintes/{numero}", put(nfse::put_provider))
        .route("/_sim/municipal/notas", get(municipal::notes))
        .route("/_sim/municipal/notas/{cidade}/{numero}/xml", get(municipal::note_xml))
        .route("/_sim/municipal/notas/{cidade}/{numero}/cancelamento", post(municipal::cancel))
        .route("/_sim/municipal/cidades/{codigo}", put(municipal::put_city))
        .route("/_sim/municipal/contribuintes/{numero}", put(municipal::put_taxpayer))
        .route("/_sim/municipal/provedores", get(municipal::providers))
        .route("/_sim/requisicoes", get(inspect::requests))
        .route("/_sim/contadores", get(inspect::totals))
        .route("/_sim/ca.pem", get(inspect::ca_pem))
        .route("/_sim/enderecos.toml", get(inspect::endpoints))
        .route("/_sim/certificados", post(inspect::issue_certificate))
        .route("/qrcode/{uf}", get(public_pages::by_code))
        .route("/consulta/{uf}", get(public_pages::by_key))
        .fallback(|| async { ControlError::not_found("caminho desconhecido; veja GET /_sim") })
        .layer(DefaultBodyLimit::max(1 << 20))
        .with_state(console)
}

/// An error answer of the control plane.
struct ControlError {
    status: StatusCode,
    codigo: &'static str,
    mensagem: String,
}

impl ControlError {
    fn bad_request(mensagem: impl Into<String>) -> ControlError {
        ControlError { status: StatusCode::BAD_REQUEST, codigo: "requisicao_invalida", mensagem: mensagem.into() }
    }
    fn not_found(mensagem: impl Into<String>) -> ControlError {
        ControlError { status: StatusCode::NOT_FOUND, codigo: "nao_encontrado", mensagem: mensagem.into() }
    }
}

impl IntoResponse for ControlError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "codigo": self.codigo, "mensagem": self.mensagem }))).into_response()
    }
}

/// A JSON body; the content type may be absent, for requests typed into `curl`.
struct ControlBody<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ControlBody<T> {
    type Rejection = ControlError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ControlError> {
        let bytes = bytes::Bytes::from_request(request, state)
            .await
            .map_err(|_| ControlError::bad_request("o corpo não pôde ser lido"))?;
        serde_json::from_slice(&bytes).map(ControlBody).map_err(|error| ControlError::bad_request(error.to_string()))
    }
}

async fn describe(State(console): State<ControlState>) -> Json<Value> {
    Json(json!({
        "nome": "Simulador das autoridades",
        "https": console.world.address(),
        "enderecos": "https://HOST/{nfe|nfce|cte}/{autoridade}/{prod|hom}/{servico}; autoridade em minúsculas: sp, svrs, svan, svsp, svc-an, svc-rs, svc-sp, an",
        "servicos": crate::dialect::ModelFamily::services().map(|wire| wire.name).collect::<Vec<_>>(),
        "nfse": "https://HOST/nfse/{prod|hom}/{SefinNacional|contribuintes|parametrizacao|municipios/CODIGO}; falhas por serviço: POST /nfse, GET /nfse, GET /dps, HEAD /dps, POST /nfse/eventos, GET /nfse/eventos, GET /contribuintes, GET /parametrizacao",
        "municipal": "https://HOST/municipal/{provedor[-versão]}/{código IBGE}/{prod|hom}; falhas por serviço: RecepcionarLoteRps, RecepcionarLoteRpsSincrono, GerarNfse, ConsultarSituacaoLoteRps, ConsultarLoteRps, ConsultarNfsePorRps, CancelarNfse, SubstituirNfse, ConsultarNfseFaixa",
        "valor_magico": "[SIM:cStat=NNN] em xProd (no CT-e, em proPred, xDescServ ou xObs), na justificativa ou no texto da correção recebe NNN com o texto oficial",
        "rotas": {
            "POST /_sim/reset": "volta ao estado inicial",
            "GET|PUT /_sim/relogio": "{\"modo\":\"real\"} | {\"modo\":\"deslocado\",\"segundos\":n} | {\"modo\":\"fixo\",\"instante\":\"…\"}",
            "GET|PATCH /_sim/configuracao": "todas as opções",
            "PUT /_sim/regras": "{\"610\":\"on|off|warn\"}",
            "PUT /_sim/servicos": "[{\"modo\":\"normal|paralisado_momentaneamente|paralisado_sem_previsao|svc_em_desativacao|svc_desabilitada\",\"autoridade\",\"modelo\",\"ambiente\",\"servico\",\"retorno_s\"}]",
            "GET|PUT /_sim/quedas": "[{\"de\",\"ate\",\"autoridade\",\"modelo\",\"falha\":{\"tipo\":\"reset_before|cstat|http_status|latency…\"}}] pelo relógio do simulador",
            "PUT /_sim/limites": "{\"ativo\":true|false} (656; 678 no CT-e)",
            "PUT|DELETE /_sim/contribuintes/{numero}": "{\"ie\":[],\"nao_credenciado\",\"emitente_irregular\",\"destinatario_irregular\",\"destinatario_nao_habilitado\",\"ie_destinatario\":[],\"destinatario_bloqueado\",\"ie_inativa\",\"transporte\":{\"nao_credenciado\",\"modais\":[]},\"receita\":{\"ausente\",\"inativo\",\"regTrib\"},\"csc\":{\"1\":{\"csc\",\"revogado_em\"}}}",
            "GET|POST|DELETE /_sim/falhas, DELETE /_sim/falhas/{id}": "{\"tipo\",\"servico\",\"vezes\",\"apos\",\"probabilidade\",\"semente\",\"ms\",\"status\",\"cStat\",\"codigo\",\"mensagem\",\"resposta\",\"nsu\",\"contem\"}",
            "GET|POST /_sim/atrasos": "quantas mensagens late ainda esperam e quantos documentos invisible estão escondidos; POST processa e mostra tudo já",
            "POST /_sim/livro": "{\"livro\":\"perdido\",\"chave\",\"emitente\",\"autoridade\",\"desde\"}: a autoridade esquece o que autorizou",
            "GET /_sim/documentos?emitente=&ambiente=": "documentos e quantas vezes cada um foi recebido e processado",
            "GET /_sim/documentos/{chave}, GET /_sim/documentos/{chave}/xml": "um documento",
            "POST /_sim/documentos/{chave}/registros": "{\"tpEvento\":\"610600\"}: outro registrou isto da nota; 219, 690, 304 ou 221 no cancelamento; 412140 (Tributação do Simples Nacional) é distribuído como evento",
            "GET /_sim/requisicoes?desde=": "requisições recebidas",
            "GET /_sim/nfse/notas[/{chave}[/xml]], GET /_sim/nfse/dps/{id}": "NFS-e nacionais e contagem de uma DPS",
            "POST /_sim/nfse/notas/{chave}/eventos": "ato do município: {\"tipo\":\"305101|305102|305103|105104|105105|205204|205208\",\"motivo\",\"sobre\"}",
            "GET /_sim/nfse/municipios, PUT /_sim/nfse/municipios/{codigo}, PUT /_sim/nfse/contribuintes/{numero}": "convênios e cadastros da NFS-e nacional",
            "GET /_sim/municipal/notas[/{cidade}/{numero}/xml], POST /_sim/municipal/notas/{cidade}/{numero}/cancelamento": "NFS-e das prefeituras; cancelamento de ofício",
            "PUT /_sim/municipal/cidades/{codigo}": "{\"unidade\":\"fracao|percentual\",\"aliquota\",\"codigos\":[],\"consultas_em_processamento\",\"espera_s\",\"prazo_cancelamento_h\",\"com_credito\":[]}",
            "PUT /_sim/municipal/contribuintes/{numero}, GET /_sim/municipal/provedores": "cadastro das prefeituras: {\"nome\",\"IM\",\"municipio\",\"nao_autorizado\",\"habilitado_em\",\"acesso\":[\"usuário\",\"senha\"]}; provedores simulados",
            "GET /_sim/contadores": "totais",
            "GET /_sim/ca.pem, GET /_sim/enderecos.toml": "raiz a confiar, tabela de endereços",
            "GET /qrcode/{uf}?p=, GET /consulta/{uf}?chave=": "consulta pública da NFC-e: confere os parâmetros do QR Code e mostra a nota",
            "POST /_sim/certificados": "{\"nome\",\"cpf_cnpj\",\"senha\",\"dias\"} devolve um PFX"
        },
        "tipos_de_falha": fault_descriptions()
    }))
}

/// Descriptions of the faults, in Portuguese.
fn fault_descriptions() -> Value {
    json!({
        "latency": "espera ms antes de tudo; soma-se às outras",
        "refuse": "conexões novas são derrubadas; as abertas são fechadas",
        "tls_failure": "a conexão responde bytes que não são TLS",
        "reset_before": "derruba a conexão sem processar",
        "reset_after": "processa e derruba a conexão sem responder",
        "half_reply": "processa e envia metade da resposta",
        "http_status": "responde o status HTTP em `status` com HTML, sem processar",
        "empty_200": "200 sem corpo, sem processar",
        "soap_fault": "SOAP Fault com HTTP 500, sem processar",
        "garbage": "processa e responde bytes sem sentido",
        "iso_8859_1": "processa e responde em ISO-8859-1",
        "prefixed": "processa e responde com prefixos incomuns",
        "whitespace": "processa e responde com BOM, declaração e quebras de linha",
        "cdata": "processa e responde com o conteúdo dentro de CDATA",
        "late": "lê, derruba a conexão já, e processa ms depois, esteja o serviço como estiver; antes disso as consultas não acham nada",
        "wrong_digval": "processa e responde com outro digVal no protocolo (NFS-e nacional: a DPS dentro da nota)",
        "no_digval": "processa e responde sem digVal no protocolo (NFS-e nacional: a DPS sem assinatura)",
        "odd_success": "autoriza com o código em `cStat` no protocolo; a consulta depois responde o de sempre",
        "odd_protocol": "autoriza com um protocolo que não tem a forma de um (marcas e pontos); a consulta depois responde o certo",
        "other_document": "processa e responde com a chave, a DPS ou o RPS de outro documento; com `cStat` ou `codigo`, a rejeição dele",
        "invisible": "registra e, por ms, as consultas não acham; a resposta se perde, a menos que `resposta` seja true",
        "cstat": "responde o código em `cStat` (na NFS-e, `codigo` e `mensagem`; na nacional, também `status`), sem processar",
        "high_nsu": "distribuição: ultNSU e maxNSU são `nsu`, seja qual for o maior",
        "slow_body": "processa e responde um byte a cada ms",
        "endless_body": "processa e responde sem nunca terminar",
        "async": "processa como lote: 103 com recibo",
        "polls_105": "a consulta do recibo responde 105",
        "duplicate_204": "autoriza e responde 204 (prefeitura: E10)",
        "status_after": "processa e responde o status HTTP em `status` (500), como se não tivesse processado",
        "page_after": "processa e responde 200 com uma página HTML",
        "silence_after": "processa, não responde por ms e derruba a conexão",
        "lost_lot": "prefeitura: o lote recebe protocolo e desaparece"
    })
}
