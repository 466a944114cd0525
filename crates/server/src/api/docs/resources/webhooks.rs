//! `/v1/webhooks/…`.
//!
//! Law: `docs/contract.md`, "Webhooks" and "Emission".

use serde_json::{Value, json};
use store::webhooks::DeliveryStatus;

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::docs::operation::{ApiOperation, Parameter, operation, shows};
use crate::api::schema::{Schema, Type, may, schema};
use crate::api::view::{ViewValue, of};
use crate::api::webhooks::entregas::{AttemptView, DeliveriesView, DeliveryView};
use crate::api::webhooks::segredo::{FormerSecretView, SecretView};
use crate::api::words::Word;

pub(super) const WEBHOOKS: Resource = Resource {
    tag: "webhooks",
    title: "Webhooks",
    doc: "O segredo que assina as notificações e o registro das entregas. O guia [Webhooks](/docs/guia/webhooks) mostra como conferir uma assinatura.",
    operations: &[&MOSTRAR, &TROCAR, &ENTREGAS, &REENVIAR],
    schemas: SCHEMAS,
};

pub(crate) static MOSTRAR: ApiOperation = operation("mostrarSegredoDeWebhook", "O segredo que assina")
    .text("O do ambiente da credencial; é criado na primeira consulta ou na primeira entrega.")
    .answers(&[shows::<SecretView>(200, "O segredo em uso.")]);

pub(crate) static TROCAR: ApiOperation = operation("trocarSegredoDeWebhook", "Troca o segredo")
    .text(
        "O anterior continua a assinar durante a carência (24 h se nada for dito): `webhook-signature` traz as duas assinaturas, e \
         `X-Service-Signature` fica com a do anterior até o fim dela. `carencia_horas: 0` troca já, para um segredo que vazou.",
    )
    .body("TrocaDeSegredo", exchange)
    .or_no_body()
    .answers(&[shows::<SecretView>(200, "O segredo novo.")])
    .refuses(&["validacao"]);

pub(crate) static ENTREGAS: ApiOperation = operation("listarEntregasDeWebhook", "As entregas, tentativa por tentativa")
    .takes(&[
        Parameter::query("job_id", Type::Uuid, "Só as deste job.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"),
        Parameter::query("status", STATUS, "Só as que estão assim.", "perdida"),
        Parameter::query("evento", EVENTO, "Só as deste evento.", "nfe.autorizada"),
        PAGINA,
        LIMITE,
    ])
    .answers(&[shows::<DeliveriesView>(200, "Uma página, as mais novas primeiro.")]);

pub(crate) static REENVIAR: ApiOperation = operation("reenviarWebhook", "Envia de novo")
    .text("Nova série de três tentativas, com o mesmo `id` e o mesmo corpo; `tentativa` continua a contagem.")
    .takes(&[Parameter::path("id", Type::Uuid, "O `id` da entrega.", "01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f")])
    .answers(&[shows::<DeliveryView>(202, "Será entregue.")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

/// Pattern of an event, open to future documents.
const EVENTO: Type = Type::Form(
    "^(nfe|nfce|nfse|cte)[.](autorizada|rejeitada|denegada|falhou|cancelada|cancelamento_rejeitado|evento_registrado|evento_rejeitado|inutilizada|\
     inutilizacao_rejeitada|contingencia|prazo_contingencia)$",
);
const STATUS: Type = Word::<DeliveryStatus>::KIND;

fn exchange() -> Value {
    json!({ "carencia_horas": 24 })
}

const SCHEMAS: &[Schema] = &[
    of::<SecretView>(),
    of::<FormerSecretView>(),
    schema(
        "TrocaDeSegredo",
        "Como trocar.",
        &[may("carencia_horas", Type::Within(0, 168), "Por quantas horas o anterior ainda assina; 24 se ausente.")],
    ),
    of::<DeliveriesView>(),
    of::<DeliveryView>(),
    of::<AttemptView>(),
];
