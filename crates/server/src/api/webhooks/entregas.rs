//! `GET /v1/webhooks/entregas`: deliveries with their attempts, newest first.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::value::TpAmb;
use store::Visibility;
use store::alerts::AlertEvent;
use store::webhooks::{DeliveryAttempt, DeliveryFilter, DeliveryRecord, DeliveryStatus, Evento, TEST_EVENT};
use uuid::Uuid;

use super::nomes::is_event;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::query::{PageParameters, PageView, Query};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

/// `GET /v1/webhooks/entregas?job_id&status&evento&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<DeliveriesView>, ApiError> {
    let (filter, page, avisos) = read(query.as_deref())?;
    let (found, total) = app.store().deliveries(Visibility::of(&caller), filter, page.limite, page.skip()).await?;
    let page = page.view_of(&found, total, avisos);
    Ok(Json(DeliveriesView { entregas: found.into_iter().map(delivery).collect(), page }))
}

fn read(query: Option<&str>) -> Result<(DeliveryFilter, PageParameters, Vec<Notice>), ApiError> {
    let mut query = Query::new(query);
    let job_id = query.text("job_id").map(Uuid::parse_str).transpose();
    if job_id.is_err() {
        query.refuse("job_id", "job_id deve ser o UUID de um job.".to_owned());
    }
    let status = query.choice("status", &DeliveryStatus::ALL);
    let evento = query.text("evento").map(str::to_owned);
    if evento.as_deref().is_some_and(|evento| !is_event(evento)) {
        let words: Vec<&str> = Evento::ALL.iter().map(|(word, _)| *word).collect();
        let alerts: Vec<&str> = AlertEvent::ALL.iter().map(|(word, _)| *word).collect();
        let mensagem = format!(
            "evento deve ser <tipo>.<fato>, como nfe.autorizada, com um dos fatos {}; ou {}, {TEST_EVENT}.",
            words.join(", "),
            alerts.join(", ")
        );
        query.refuse("evento", mensagem);
    }
    let page = PageParameters::read(&mut query);
    let avisos = query.finish()?;
    Ok((DeliveryFilter { job_id: job_id.unwrap_or_default(), status, evento }, page, avisos))
}

view! {
    pub(crate) struct DeliveriesView = "ListaDeEntregas": "Uma página de entregas." {
        entregas: Vec<DeliveryView> = "As desta página, a mais nova primeiro.",
        #[flatten] page: PageView,
    }
}

view! {
    pub(crate) struct DeliveryView = "Entrega": "Um evento e um endereço." {
        id: Uuid = "O `id` do evento, o mesmo em todas as tentativas.",
        job_id: Option<Uuid> = "O job de que fala; nulo quando o evento não é de um job, como `certificado.expirado`.",
        conta: bool = "Se vai ao endereço da conta; `false` para o `webhook_url` de um pedido.",
        evento: String = "`nfe.autorizada`…",
        ambiente: Word<TpAmb> = "Do documento; diz qual segredo assina.",
        url: String = "Para onde vai.",
        status: Word<DeliveryStatus> = "Como está.",
        tentativas: u32 = "Tentativas feitas.",
        criado_em: Moment = "Quando o estado mudou.",
        proxima_tentativa_em: Option<Moment> = "Quando será tentada de novo.",
        concluido_em: Option<Moment> = "Quando foi entregue ou perdida.",
        historico: Vec<AttemptView> = "Cada tentativa.",
    }
}

view! {
    pub(crate) struct AttemptView = "TentativaDeEntrega": "O que houve em uma tentativa." {
        tentativa: u32 = "De 1 em diante.",
        em: Moment = "Quando começou.",
        codigo_http: Option<u16> = "O status que o destino respondeu.",
        duracao_ms: u32 = "Quanto levou.",
        erro: Option<String> = "Por que não valeu como entrega.",
        resposta: Option<String> = "O começo do que o destino respondeu, até 500 caracteres.",
        estendida: bool = "Se veio depois das tentativas de sempre, por escolha da conta (`PUT /v1/webhooks/conta`).",
    }
}

/// View of a delivery.
pub(super) fn delivery(record: DeliveryRecord) -> DeliveryView {
    let time = CivilTime::of(None);
    DeliveryView {
        id: record.id,
        job_id: record.job_id,
        conta: record.is_for_account,
        evento: record.evento,
        ambiente: Word(record.ambiente),
        url: record.url,
        status: Word(record.status),
        tentativas: record.tentativas,
        criado_em: time.at(record.criado_em),
        proxima_tentativa_em: record.proxima_em.map(|at| time.at(at)),
        concluido_em: record.concluido_em.map(|at| time.at(at)),
        historico: record.historico.into_iter().map(|attempt| self::attempt(attempt, time)).collect(),
    }
}

fn attempt(attempt: DeliveryAttempt, time: CivilTime) -> AttemptView {
    AttemptView {
        tentativa: attempt.tentativa,
        em: time.at(attempt.em),
        codigo_http: attempt.codigo_http,
        duracao_ms: attempt.duracao_ms,
        erro: attempt.erro,
        resposta: attempt.resposta,
        estendida: attempt.estendida,
    }
}
