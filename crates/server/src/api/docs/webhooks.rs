//! The `webhooks` section of the document: what the service sends to `webhook_url`.
//!
//! Law: `spec/interface.md`, Events; `spec/not-shown.md` §9.

use serde_json::{Map, Value, json};

use super::schema::reference;

/// What happened, and the sentence that says it.
pub(super) const EVENTS: &[(&str, &str)] = &[
    ("autorizada", "A autoridade autorizou o documento."),
    ("rejeitada", "A autoridade recusou o documento por uma regra; corrija e emita com nova referência."),
    ("denegada", "A autoridade negou o uso do documento."),
    ("falhou", "A operação falhou antes de uma decisão da autoridade; veja `erro`."),
    ("cancelada", "O cancelamento foi homologado. Vai ao endereço do cancelamento, e ao da nota quando for outro."),
    ("cancelamento_rejeitado", "A autoridade recusou o cancelamento."),
    ("evento_registrado", "A autoridade registrou o evento (carta de correção, ator interessado); veja `operacao`."),
    ("evento_rejeitado", "A autoridade recusou o evento; a nota continua como estava."),
    ("inutilizada", "A autoridade inutilizou a faixa de números."),
    ("inutilizacao_rejeitada", "A autoridade recusou a inutilização; os números voltam ao que eram."),
    ("contingencia", "O documento entrou em contingência; o de NFC-e off-line ou com EPEC já pode ser entregue."),
    ("prazo_contingencia", "O prazo de transmissão de um documento entregue em contingência está no fim."),
];

/// The section.
pub(super) fn section() -> Value {
    let events = EVENTS.iter().map(|(event, doc)| (format!("nfe.{event}"), item(event, doc)));
    Value::Object(events.collect::<Map<String, Value>>())
}

fn item(event: &str, doc: &str) -> Value {
    let id = format!("aoReceberNfe{}", event.split('_').map(capitalised).collect::<String>());
    json!({
        "post": {
            "operationId": id,
            "tags": ["Webhooks"],
            "summary": doc,
            "description": "Confira a assinatura sobre os bytes recebidos antes de confiar no conteúdo; o guia mostra como, em cinco linguagens.",
            "security": [],
            "parameters": HEADERS.iter().map(|(name, doc)| header(name, doc)).collect::<Vec<_>>(),
            "requestBody": { "required": true, "content": { "application/json": { "schema": reference("Notificacao") } } },
            "responses": { "2XX": { "description": "Recebida. Qualquer outra resposta, ou nenhuma em 10 segundos, é repetida após 30 e 60 segundos." } },
        }
    })
}

fn header(name: &str, doc: &str) -> Value {
    json!({ "name": name, "in": "header", "required": true, "description": doc, "schema": { "type": "string" } })
}

fn capitalised(word: &str) -> String {
    word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect()
}

const HEADERS: &[(&str, &str)] = &[
    (
        "X-Service-Signature",
        "`sha256=` e o HMAC-SHA256 do corpo, em hexadecimal. A chave é o texto inteiro do segredo, com `whsec_`.",
    ),
    ("X-Service-Job-Id", "O `job_id`."),
    ("X-Service-Tentativa", "Número da tentativa, de 1 a 3; um reenvio manual continua a contagem."),
    ("webhook-id", "Standard Webhooks: identificador da entrega, o mesmo em todas as tentativas."),
    ("webhook-timestamp", "Standard Webhooks: segundos desde 1970."),
    (
        "webhook-signature",
        "Standard Webhooks: `v1,` e o HMAC-SHA256 de `id.timestamp.corpo`, em base64. A chave são os bytes do base64 que segue `whsec_`; na troca do segredo vêm duas, separadas por espaço.",
    ),
];
