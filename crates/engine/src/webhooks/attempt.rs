//! Attempt of a delivery: sign, post, and store the outcome.

use super::sign::{self, Signatures};
use super::{ATTEMPT_TIMEOUT, extended_interval_s, interval_s};
use crate::Engine;
use crate::process::cpu_time;
use crate::process::crash::crash_point;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use outbound::{AddressPolicy, HttpRequest, HttpResponse, OutboundClient, TargetUrl};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::jobs::LogLine;
use store::webhooks::{AttemptOutcome, ClaimedDelivery, DeliveryAttempt, OpenedSecret, host};
use tracing::Instrument;

/// Shared parts of every attempt.
pub(super) struct DeliveryContext {
    pub(super) engine: Engine,
    pub(super) client: OutboundClient,
    pub(super) reach: AddressPolicy,
}

/// Most bytes read of an answer.
const ANSWER_BYTES: usize = 2048;
/// Most characters stored of it.
const ANSWER_CHARS: usize = 500;

/// Makes one attempt; nothing is lost if it never ends.
pub(super) async fn deliver(post: Arc<DeliveryContext>, delivery: ClaimedDelivery) {
    let tentativa = delivery.tentativas + 1;
    let span = tracing::info_span!("webhook", job.id = delivery.job_id.map(tracing::field::display), delivery.id = %delivery.lease.delivery_id,
        delivery.event = %delivery.evento, delivery.host = %host(&delivery.url), delivery.attempt = tentativa);
    cpu_time::measure("webhook", post.attempt(&delivery, tentativa)).instrument(span).await;
}

/// Outcome of a post.
struct PostOutcome {
    codigo_http: Option<u16>,
    resposta: Option<String>,
    /// Reason why it does not count as delivered, in Portuguese.
    erro: Option<String>,
}

impl DeliveryContext {
    async fn attempt(&self, delivery: &ClaimedDelivery, tentativa: u32) {
        let (em, started) = (self.engine.now_s(), Instant::now());
        let secrets = match self.engine.webhook_secrets(delivery.lease.tenant_id, delivery.ambiente).await {
            Ok(secrets) => secrets,
            // the lease runs out and the attempt is made again
            Err(error) => return tracing::error!(%error, "the secret of a webhook cannot be read"),
        };
        let came = self.post(delivery, tentativa, em, &secrets).await;
        crash_point("webhook.reply");
        let took = started.elapsed();
        let after = self.next_state(&came, delivery);
        count(after, took);
        let duracao_ms = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
        let text = log_line(delivery, tentativa, &came, after, em);
        let PostOutcome { codigo_http, resposta, erro } = came;
        let estendida = delivery.restantes == 0;
        let attempt = DeliveryAttempt { tentativa, em, codigo_http, duracao_ms, erro, resposta, estendida };
        self.record(delivery, attempt, after, text).await;
    }

    /// Stores the attempt. If the store fails, the lease runs out and the attempt is made again.
    async fn record(&self, delivery: &ClaimedDelivery, attempt: DeliveryAttempt, after: AttemptOutcome, text: String) {
        let DeliveryAttempt { codigo_http, duracao_ms, erro, .. } = &attempt;
        let (outcome, elapsed_ms) = (word(after), duracao_ms);
        match after {
            AttemptOutcome::Lost => {
                tracing::warn!(http.status = codigo_http, error.cause = erro, elapsed_ms, "webhook lost")
            }
            AttemptOutcome::Delivered | AttemptOutcome::RetryAt(_) => {
                tracing::info!(
                    outcome,
                    http.status = codigo_http,
                    error.cause = erro,
                    elapsed_ms,
                    "delivery attempted"
                );
            }
        }
        let line = LogLine { at_ms: self.engine.now().as_millisecond(), text };
        let store = self.engine.store();
        if let Err(error) = store.delivery_attempted(delivery.lease, delivery.job_id, attempt, after, vec![line]).await
        {
            tracing::error!(%error, "what came of a delivery cannot be written");
        }
        crash_point("webhook.recorded");
    }

    fn next_state(&self, came: &PostOutcome, delivery: &ClaimedDelivery) -> AttemptOutcome {
        if came.erro.is_none() {
            return AttemptOutcome::Delivered;
        }
        let wait = match delivery.restantes {
            0 => extended_interval_s(delivery.estendidas + 1, delivery.extra),
            left => interval_s(left - 1).or_else(|| extended_interval_s(0, delivery.extra)),
        };
        wait.map_or(AttemptOutcome::Lost, |wait| AttemptOutcome::RetryAt(self.engine.now_s().saturating_add(wait)))
    }

    async fn post(
        &self,
        delivery: &ClaimedDelivery,
        tentativa: u32,
        now: i64,
        secrets: &[OpenedSecret],
    ) -> PostOutcome {
        let failed = |erro: String| PostOutcome { codigo_http: None, resposta: None, erro: Some(erro) };
        let target = match TargetUrl::parse(&delivery.url, &self.reach) {
            Ok(target) => target,
            Err(refused) => return failed(format!("O endereço {refused}")),
        };
        let body = with_attempt(&delivery.corpo, tentativa);
        let id = delivery.lease.delivery_id.to_string();
        let Ok(signed) = sign::sign(secrets, &id, now, body.as_bytes()) else {
            return failed("A notificação não pôde ser assinada.".to_owned());
        };
        let Some(headers) = headers(delivery, tentativa, now, &signed) else {
            return failed("Os cabeçalhos da notificação não puderam ser montados.".to_owned());
        };
        let (method, body) = (Method::POST, body.into_bytes().into());
        let request = HttpRequest { method, headers, body, within: ATTEMPT_TIMEOUT, at_most: ANSWER_BYTES };
        match self.client.send(&target, &self.reach, request).await {
            Ok(answer) => read(&answer, secrets),
            Err(failure) => failed(sentence(&failure.cause)),
        }
    }
}

/// The body as it is sent: the same bytes in every attempt but for `tentativa`.
fn with_attempt(corpo: &str, tentativa: u32) -> String {
    let open = corpo.strip_suffix('}').unwrap_or(corpo);
    let comma = if open == "{" { "" } else { "," };
    format!("{open}{comma}\"tentativa\":{tentativa}}}")
}

fn headers(delivery: &ClaimedDelivery, tentativa: u32, now: i64, signed: &Signatures) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("Carimbo-Webhooks"));
    for (name, value) in [
        ("x-service-signature", signed.contract.clone()),
        ("x-service-tentativa", tentativa.to_string()),
        ("webhook-id", delivery.lease.delivery_id.to_string()),
        ("webhook-timestamp", now.to_string()),
        ("webhook-signature", signed.standard.clone()),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value).ok()?);
    }
    if let Some(job) = delivery.job_id {
        headers.insert(HeaderName::from_static("x-service-job-id"), HeaderValue::try_from(job.to_string()).ok()?);
    }
    Some(headers)
}

fn read(answer: &HttpResponse, secrets: &[OpenedSecret]) -> PostOutcome {
    let status = answer.status;
    let erro = match status {
        _ if status.is_success() => None,
        _ if status.is_redirection() => {
            Some(format!("O destino respondeu HTTP {}; redirecionamentos não são seguidos.", status.as_u16()))
        }
        _ => Some(format!("O destino respondeu HTTP {}; só 2xx confirma a entrega.", status.as_u16())),
    };
    PostOutcome { codigo_http: Some(status.as_u16()), resposta: answer_excerpt(&answer.body, secrets), erro }
}

/// First characters of an answer in one line, without any secret that it repeats.
fn answer_excerpt(body: &[u8], secrets: &[OpenedSecret]) -> Option<String> {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for secret in secrets {
        let secret = secret.text.expose();
        text = text.replace(secret, "…").replace(secret.trim_start_matches(super::secret::PREFIX), "…");
    }
    let kept = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(ANSWER_CHARS);
    Some(kept.collect::<String>().trim().to_owned()).filter(|kept| !kept.is_empty())
}

/// Adds a capital and a full stop.
fn sentence(cause: &str) -> String {
    let mut letters = cause.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// Line of the job log. Names the host only: path and query of the address may hold a secret of the receiver's.
fn log_line(delivery: &ClaimedDelivery, tentativa: u32, came: &PostOutcome, after: AttemptOutcome, now: i64) -> String {
    let event = format!("Webhook {} para {}, tentativa {tentativa}:", delivery.evento, host(&delivery.url));
    let erro = came.erro.as_deref().unwrap_or_default();
    match after {
        AttemptOutcome::Delivered => {
            format!("{event} entregue (HTTP {}).", came.codigo_http.unwrap_or(StatusCode::OK.as_u16()))
        }
        AttemptOutcome::RetryAt(at) => format!("{event} {erro} Nova tentativa em {} s.", at - now),
        AttemptOutcome::Lost => {
            format!("{event} {erro} Entrega perdida; reenvie por POST /v1/webhooks/entregas/{{id}}/reenviar.")
        }
    }
}

fn word(after: AttemptOutcome) -> &'static str {
    match after {
        AttemptOutcome::Delivered => "entregue",
        AttemptOutcome::RetryAt(_) => "nova_tentativa",
        AttemptOutcome::Lost => "perdida",
    }
}

/// Starts the series of every outcome at zero.
pub(crate) fn start_counters() {
    for after in [AttemptOutcome::Delivered, AttemptOutcome::RetryAt(0), AttemptOutcome::Lost] {
        counter(after).increment(0);
    }
}

fn counter(after: AttemptOutcome) -> metrics::Counter {
    metrics::counter!("carimbo_webhooks_total", "result" => word(after))
}

fn count(after: AttemptOutcome, took: Duration) {
    counter(after).increment(1);
    metrics::histogram!("carimbo_webhook_seconds").record(took);
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::webhooks::SecretText;

    #[test]
    fn the_attempt_is_the_last_member_whatever_comes_before() {
        assert_eq!(with_attempt("{}", 1), "{\"tentativa\":1}");
        assert_eq!(with_attempt("{\"a\":1}", 2), "{\"a\":1,\"tentativa\":2}");
        assert_eq!(with_attempt("{\"a\":{\"b\":{}}}", 3), "{\"a\":{\"b\":{}},\"tentativa\":3}");
    }

    #[test]
    fn an_answer_is_kept_short_in_one_line_and_without_our_secret() {
        let text = SecretText::new("whsec_c2VncmVkbw==".to_owned());
        let secrets = [OpenedSecret { text, criado_em: 0, vale_ate: None }];
        let echo = b"ok\r\nkey whsec_c2VncmVkbw== or c2VncmVkbw==\xff";
        assert_eq!(answer_excerpt(echo, &secrets).unwrap(), "ok  key … or …\u{fffd}");
        assert_eq!(answer_excerpt(&[b'x'; 2048], &secrets).unwrap().len(), 500);
        assert_eq!(answer_excerpt(b" \n", &secrets), None);
    }

    #[test]
    fn only_2xx_is_an_acceptance() {
        let came = |status: u16| {
            let answer = HttpResponse {
                status: StatusCode::from_u16(status).unwrap(),
                headers: HeaderMap::new(),
                body: Vec::new(),
                cut: false,
            };
            read(&answer, &[]).erro
        };
        assert_eq!((came(200), came(204)), (None, None));
        assert!(came(302).unwrap().contains("redirecionamentos"));
        assert!(came(410).is_some() && came(500).is_some());
    }
}
