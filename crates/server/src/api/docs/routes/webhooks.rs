//! `/v1/webhooks/…`.
//!
//! Law: `spec/not-shown.md` §4 and §9.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use crate::api::docs::operation::{Operation, Parameter, get, json, post};
use crate::api::schema::{Schema, Type, may, must, or_null, schema};

pub(super) const WEBHOOKS: Resource = Resource {
    tag: "webhooks",
    title: "Webhooks",
    doc: "O segredo que assina as notificações e o registro das entregas. O guia [Webhooks](/docs/guia/webhooks) mostra como conferir uma assinatura.",
    operations: &[MOSTRAR, TROCAR, ENTREGAS, REENVIAR],
    schemas: SCHEMAS,
};

const MOSTRAR: Operation = get("/v1/webhooks/segredo", "mostrarSegredoDeWebhook", "O segredo que assina")
    .text("O do ambiente da credencial; é criado na primeira consulta ou na primeira entrega.")
    .answers(&[json(200, "O segredo em uso.", "SegredoDeWebhook")]);

const TROCAR: Operation = post("/v1/webhooks/segredo", "trocarSegredoDeWebhook", "Troca o segredo")
    .text(
        "O anterior continua a assinar durante a carência (24 h se nada for dito): `webhook-signature` traz as duas assinaturas, e \
         `X-Service-Signature` fica com a do anterior até o fim dela. `carencia_horas: 0` troca já, para um segredo que vazou.",
    )
    .body("TrocaDeSegredo", exchange)
    .or_no_body()
    .answers(&[json(200, "O segredo novo.", "SegredoDeWebhook")])
    .refuses(&["validacao"]);

const ENTREGAS: Operation =
    get("/v1/webhooks/entregas", "listarEntregasDeWebhook", "As entregas, tentativa por tentativa")
        .takes(&[
            Parameter::query("job_id", Type::Uuid, "Só as deste job.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"),
            Parameter::query("status", STATUS, "Só as que estão assim.", "perdida"),
            Parameter::query("evento", EVENTO, "Só as deste evento.", "nfe.autorizada"),
            PAGINA,
            LIMITE,
        ])
        .answers(&[json(200, "Uma página, as mais novas primeiro.", "ListaDeEntregas")]);

const REENVIAR: Operation = post("/v1/webhooks/entregas/{id}/reenviar", "reenviarWebhook", "Envia de novo")
    .text("Nova série de três tentativas, com o mesmo `id` e o mesmo corpo; `tentativa` continua a contagem.")
    .takes(&[Parameter::path("id", Type::Uuid, "O `id` da entrega.", "01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f")])
    .answers(&[json(202, "Será entregue.", "Entrega")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

/// Also of documents to come.
const EVENTO: Type = Type::Form(
    "^(nfe|nfce|nfse|cte)[.](autorizada|rejeitada|denegada|falhou|cancelada|cancelamento_rejeitado|evento_registrado|evento_rejeitado|inutilizada|\
     inutilizacao_rejeitada|contingencia|prazo_contingencia)$",
);
const STATUS: Type = Type::Words(&["pendente", "entregue", "perdida"]);

fn exchange() -> Value {
    json!({ "carencia_horas": 24 })
}

const SCHEMAS: &[Schema] = &[
    schema(
        "SegredoDeWebhook",
        "O que assina as notificações de um ambiente.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("ambiente", AMBIENTE, "O da credencial; assina as notificações de documentos deste ambiente."),
            must("segredo", Type::Form("^whsec_[A-Za-z0-9+/]{43}=$"), "`whsec_` e 32 bytes em base64."),
            must("criado_em", Type::Instant, "Desde quando."),
            must("anteriores", Type::List(&Type::Ref("SegredoAnterior")), "Os que ainda assinam."),
        ],
    ),
    schema(
        "SegredoAnterior",
        "Um segredo trocado, na carência.",
        &[
            must("criado_em", Type::Instant, "Quando foi criado."),
            must("valido_ate", Type::Instant, "Até quando assina."),
        ],
    ),
    schema(
        "TrocaDeSegredo",
        "Como trocar.",
        &[may("carencia_horas", Type::Within(0, 168), "Por quantas horas o anterior ainda assina; 24 se ausente.")],
    ),
    schema(
        "ListaDeEntregas",
        "Uma página de entregas.",
        &[
            must("entregas", Type::List(&Type::Ref("Entrega")), "As desta página, a mais nova primeiro."),
            must("total", Type::Integer, "Quantas há ao todo."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
        ],
    ),
    schema(
        "Entrega",
        "Um evento e um endereço.",
        &[
            must("id", Type::Uuid, "O `id` do evento, o mesmo em todas as tentativas."),
            must("job_id", Type::Uuid, "O job de que fala."),
            must("evento", Type::Text, "`nfe.autorizada`…"),
            must("ambiente", AMBIENTE, "Do documento; diz qual segredo assina."),
            must("url", Type::Text, "Para onde vai."),
            must("status", STATUS, "Como está."),
            must("tentativas", Type::Integer, "Tentativas feitas."),
            must("criado_em", Type::Instant, "Quando o estado mudou."),
            or_null("proxima_tentativa_em", Type::Instant, "Quando será tentada de novo."),
            or_null("concluido_em", Type::Instant, "Quando foi entregue ou perdida."),
            must("historico", Type::List(&Type::Ref("TentativaDeEntrega")), "Cada tentativa."),
        ],
    ),
    schema(
        "TentativaDeEntrega",
        "O que houve em uma tentativa.",
        &[
            must("tentativa", Type::Integer, "De 1 em diante."),
            must("em", Type::Instant, "Quando começou."),
            or_null("codigo_http", Type::Integer, "O status que o destino respondeu."),
            must("duracao_ms", Type::Integer, "Quanto levou."),
            or_null("erro", Type::Text, "Por que não valeu como entrega."),
            or_null("resposta", Type::Text, "O começo do que o destino respondeu, até 500 caracteres."),
        ],
    ),
];
