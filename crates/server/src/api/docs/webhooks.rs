//! The `webhooks` section of the document: the bodies that the service sends to `webhook_url`.
//!
//! Law: `docs/contract.md`, "Webhooks".

use serde_json::{Map, Value, json};

use crate::api::schema::reference;

/// Documents whose operations notify.
const TIPOS: &[&str] = &["nfe", "nfce", "cte", "nfse"];
/// Events of NF-e only: an NFC-e has neither corrections nor manifestations.
const ONLY_NFE: &[&str] = &["evento_registrado", "evento_rejeitado"];

/// Events of CT-e, which is neither denied nor voided.
const OF_CTE: &[&str] = &[
    "autorizada",
    "rejeitada",
    "falhou",
    "cancelada",
    "cancelamento_rejeitado",
    "evento_registrado",
    "evento_rejeitado",
    "contingencia",
    "prazo_contingencia",
];

/// Events of NFS-e, which has no contingency.
const OF_NFSE: &[&str] = &[
    "autorizada",
    "rejeitada",
    "falhou",
    "cancelada",
    "cancelamento_rejeitado",
    "evento_registrado",
    "evento_rejeitado",
];

/// Events, with a sentence for each.
const EVENTS: &[(&str, &str)] = &[
    ("autorizada", "A autoridade autorizou o documento."),
    ("rejeitada", "A autoridade recusou o documento por uma regra; corrija e emita com nova referência."),
    ("denegada", "A autoridade negou o uso do documento."),
    ("falhou", "A operação falhou antes de uma decisão da autoridade; veja `erro`."),
    ("cancelada", "O cancelamento foi homologado. Vai ao endereço do cancelamento, e ao da nota quando for outro."),
    ("cancelamento_rejeitado", "A autoridade recusou o cancelamento."),
    (
        "evento_registrado",
        "A autoridade registrou o evento (carta de correção, ator interessado, manifestação, pedido de análise fiscal), ou um município indeferiu a análise; veja `operacao`.",
    ),
    ("evento_rejeitado", "A autoridade recusou o evento; a nota continua como estava."),
    ("inutilizada", "A autoridade inutilizou a faixa de números."),
    ("inutilizacao_rejeitada", "A autoridade recusou a inutilização; os números voltam ao que eram."),
    ("contingencia", "O documento entrou em contingência; o de NFC-e off-line ou com EPEC já pode ser entregue."),
    ("prazo_contingencia", "O prazo de transmissão de um documento entregue em contingência está no fim."),
];

/// Events of the account, which no job causes, with a sentence for each.
const ACCOUNT_EVENTS: &[(&str, &str)] = &[
    ("certificado.expira_em", "O certificado de uma empresa vence em 30, 15, 7 ou 1 dias; uma vez por prazo."),
    ("certificado.expirado", "O certificado de uma empresa venceu: ela não assina nem envia documentos."),
    ("numeracao.lacuna", "Há números que nenhum documento tem, abaixo de um já usado; uma vez por lacuna."),
    ("recebida.nova", "Chegou um documento que outro emitiu para a empresa (NF-e, CT-e ou NFS-e)."),
    ("webhook.teste", "A conta pediu um evento de teste."),
];

/// A tag of its own: generators must not mix bodies that callers receive with calls that they make.
const TAG: &str = "notificacoes";

pub(super) fn tag() -> Value {
    let doc = "O que o serviço envia a `webhook_url`: quem chama recebe, e não chama. `/docs/json?webhooks=nao` deixa esta seção fora, para os geradores que fariam dela chamadas.";
    json!({ "name": TAG, "x-displayName": "Notificações", "description": doc })
}

/// The `webhooks` section.
pub(super) fn section() -> Value {
    let events = all().map(|(tipo, event, doc)| {
        let name = format!("{tipo}.{event}");
        let item = item(&name, doc, "Notificacao", HEADERS);
        (name, item)
    });
    let of_job = |name: &str| name == JOB_HEADER;
    let headers: Vec<(&str, &str)> = HEADERS.iter().copied().filter(|(name, _)| !of_job(name)).collect();
    let of_account =
        account_events().map(|(name, doc)| (name.to_owned(), item(name, doc, "NotificacaoDaConta", &headers)));
    Value::Object(events.chain(of_account).collect::<Map<String, Value>>())
}

/// Every `evento` that is sent: document, event, and sentence.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let happens = |tipo: &str, event: &str| match tipo {
        "nfe" => true,
        "cte" => OF_CTE.contains(&event),
        "nfse" => OF_NFSE.contains(&event),
        _ => !ONLY_NFE.contains(&event),
    };
    let of = move |tipo: &'static str| {
        EVENTS.iter().filter(move |(event, _)| happens(tipo, event)).map(move |(event, doc)| (tipo, *event, *doc))
    };
    TIPOS.iter().copied().flat_map(of)
}

/// Every event of the account, with its sentence.
pub(super) fn account_events() -> impl Iterator<Item = (&'static str, &'static str)> {
    ACCOUNT_EVENTS.iter().copied()
}

fn item(name: &str, doc: &str, body: &str, headers: &[(&str, &str)]) -> Value {
    let id = format!("aoReceber{}", name.split(['.', '_']).map(capitalised).collect::<String>());
    json!({
        "post": {
            "operationId": id,
            "tags": [TAG],
            "summary": doc,
            "description": "Confira a assinatura sobre os bytes recebidos antes de confiar no conteúdo; o guia mostra como, em cinco linguagens.",
            "security": [],
            "parameters": headers.iter().map(|(name, doc)| header(name, doc)).collect::<Vec<_>>(),
            "requestBody": { "required": true, "content": { "application/json": { "schema": reference(body) } } },
            "responses": { "2XX": { "description": "Recebida. Qualquer outra resposta, ou nenhuma em 10 segundos, é repetida após 30 e 60 segundos, e depois tantas vezes quantas a conta escolheu." } },
        }
    })
}

fn header(name: &str, doc: &str) -> Value {
    json!({ "name": name, "in": "header", "required": true, "description": doc, "schema": { "type": "string" } })
}

fn capitalised(word: &str) -> String {
    word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect()
}

/// Header of the events of a job only.
const JOB_HEADER: &str = "X-Service-Job-Id";

const HEADERS: &[(&str, &str)] = &[
    (
        "X-Service-Signature",
        "`sha256=` e o HMAC-SHA256 do corpo, em hexadecimal. A chave é o texto inteiro do segredo, com `whsec_`.",
    ),
    (JOB_HEADER, "O `job_id`."),
    ("X-Service-Tentativa", "Número da tentativa, de 1 em diante; um reenvio manual continua a contagem."),
    ("webhook-id", "Standard Webhooks: identificador da entrega, o mesmo em todas as tentativas."),
    ("webhook-timestamp", "Standard Webhooks: segundos desde 1970."),
    (
        "webhook-signature",
        "Standard Webhooks: `v1,` e o HMAC-SHA256 de `id.timestamp.corpo`, em base64. A chave são os bytes do base64 que segue `whsec_`; na troca do segredo vêm duas, separadas por espaço.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use store::alerts::AlertEvent;
    use store::webhooks::{Evento, TEST_EVENT};

    #[test]
    fn every_event_the_store_writes_is_described() {
        let known: Vec<&str> = Evento::ALL.iter().map(|(word, _)| *word).collect();
        assert_eq!(EVENTS.iter().map(|(event, _)| *event).collect::<Vec<_>>(), known);
        let alerts = AlertEvent::ALL.iter().map(|(word, _)| *word).chain([TEST_EVENT]);
        assert_eq!(account_events().map(|(name, _)| name).collect::<Vec<_>>(), alerts.collect::<Vec<_>>());
        let section = section();
        assert!(section["nfce.contingencia"]["post"].is_object() && section.get("nfce.evento_registrado").is_none());
        assert_eq!(section["nfce.autorizada"]["post"]["operationId"], "aoReceberNfceAutorizada");
    }
}
