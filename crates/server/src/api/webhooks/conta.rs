//! `/v1/webhooks/conta`: the account's own address for all events of an environment, its attempts, and a test event.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use http::StatusCode;
use outbound::{AddressPolicy, TargetUrl};
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::audit::Actor;
use store::webhooks::{ATTEMPTS, DeliveryRecord, MOST_ATTEMPTS, WebhookAccount};

use super::entregas::{self, DeliveryView};
use super::nomes::{is_event_choice, kinds};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::{AuditedCaller, AuthenticatedCaller};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

/// Most events that an address names.
const MOST_EVENTS: usize = 60;

view! {
    pub(crate) struct WebhookAccountView =
        "WebhookDaConta": "Para onde vão todos os eventos da conta em um ambiente, e quantas vezes se tenta."
    {
        sucesso: bool = "`true`.",
        ambiente: Word<TpAmb> = "O da credencial.",
        url: Option<String> = "O endereço da conta; nulo quando não há.",
        eventos: Option<Vec<String>> = "Só estes eventos; `nfe.*` são todos os de um tipo. Nulo: todos.",
        tentativas: u32 = "Tentativas de cada entrega: as 3 de sempre, e até 9 mais, com intervalos de 5 minutos a 1 dia.",
        atualizado_em: Option<Moment> = "Quando mudou; nulo se nunca.",
    }
}

/// `GET /v1/webhooks/conta`
pub(crate) async fn mostrar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
) -> Result<Json<WebhookAccountView>, ApiError> {
    let account = app.store().webhook_account(caller.tenant_id, caller.ambiente).await?;
    Ok(Json(shown(caller.ambiente, account)))
}

/// `PUT /v1/webhooks/conta {url?, eventos?, tentativas?}`
pub(crate) async fn alterar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<WebhookAccountView>, ApiError> {
    let account = save(&app, &caller, actor, &body).await?;
    Ok(Json(shown(caller.ambiente, account)))
}

/// `POST /v1/webhooks/conta/teste`
pub(crate) async fn testar(
    State(app): State<App>,
    AuditedCaller(caller, _): AuditedCaller,
) -> Result<(StatusCode, Json<DeliveryView>), ApiError> {
    let record = send_test(&app, &caller).await?;
    Ok((StatusCode::ACCEPTED, Json(entregas::delivery(record))))
}

/// Replaces the settings of the caller's environment by those of a body.
pub(crate) async fn save(
    app: &App,
    caller: &Caller,
    actor: Actor,
    body: &Map<String, Value>,
) -> Result<WebhookAccount, ApiError> {
    let account = read(body, app.reach())?;
    let (tenant, ambiente) = (caller.tenant_id, caller.ambiente);
    app.store().set_webhook_account(tenant, ambiente, account, actor, app.now()).await?;
    Ok(app.store().webhook_account(tenant, ambiente).await?)
}

/// Enqueues a test event for the account's address.
pub(crate) async fn send_test(app: &App, caller: &Caller) -> Result<DeliveryRecord, ApiError> {
    let sent = app.engine().send_test_event(caller.tenant_id, caller.ambiente).await;
    sent.map_err(|error| match error {
        store::Error::NotFound => {
            let detail =
                "A conta não tem endereço neste ambiente. Informe um por PUT /v1/webhooks/conta e tente de novo.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        other => other.into(),
    })
}

fn read(body: &Map<String, Value>, reach: &AddressPolicy) -> Result<WebhookAccount, ApiError> {
    let mut fields = BodyFields::of(body);
    let url = fields.text(&["url"]).map(str::to_owned);
    if fields.value(&["url"]).is_some_and(|(_, given)| given.as_str().is_some_and(|text| text.trim().is_empty())) {
        let mensagem = "url não pode ser vazio. Para tirar o endereço, deixe url fora ou mande null.";
        fields.refuse(&error_code::VALIDACAO, "url", mensagem.to_owned());
    }
    if let Some(Err(refused)) = url.as_deref().map(|text| TargetUrl::parse(text, reach)) {
        fields.refuse(&error_code::VALIDACAO, "url", format!("url {refused}"));
    }
    let eventos = events(&mut fields);
    let tentativas = fields.integer("tentativas").unwrap_or(u64::from(ATTEMPTS));
    let tentativas = u32::try_from(tentativas).ok().filter(|count| (ATTEMPTS..=MOST_ATTEMPTS).contains(count));
    if tentativas.is_none() {
        let mensagem = format!("tentativas vai de {ATTEMPTS} a {MOST_ATTEMPTS}.");
        fields.refuse(&error_code::VALIDACAO, "tentativas", mensagem);
    }
    fields.finish()?;
    Ok(WebhookAccount { url, eventos, tentativas: tentativas.unwrap_or(ATTEMPTS), atualizado_em: None })
}

fn events(fields: &mut BodyFields<'_>) -> Option<Vec<String>> {
    let (_, value) = fields.value(&["eventos"])?;
    let words: Option<Vec<&str>> = value.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    let Some(words) = words.filter(|words| (1..=MOST_EVENTS).contains(&words.len())) else {
        let mensagem = format!("eventos deve ser uma lista de 1 a {MOST_EVENTS} nomes; para todos, deixe-o de fora.");
        fields.refuse(&error_code::REQUISICAO_INVALIDA, "eventos", mensagem);
        return None;
    };
    if words.iter().any(|word| !is_event_choice(word)) {
        let kinds: Vec<String> = kinds().map(|kind| format!("{kind}.*")).collect();
        let mensagem =
            format!("eventos aceita nomes de evento, como nfe.autorizada, ou todos de um tipo: {}.", kinds.join(", "));
        fields.refuse(&error_code::VALIDACAO, "eventos", mensagem);
    }
    Some(words.into_iter().map(str::to_owned).collect())
}

fn shown(ambiente: TpAmb, account: WebhookAccount) -> WebhookAccountView {
    let time = CivilTime::of(None);
    WebhookAccountView {
        sucesso: true,
        ambiente: Word(ambiente),
        url: account.url,
        eventos: account.eventos,
        tentativas: account.tentativas,
        atualizado_em: account.atualizado_em.map(|at| time.at(at)),
    }
}
