//! `/v1/webhooks/…`.
//!
//! Law: `docs/contract.md`, "Webhooks" and "Emission".

use serde_json::{Value, json};
use store::webhooks::DeliveryStatus;

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::docs::operation::{ApiOperation, Parameter, operation, shows};
use crate::api::schema::{Schema, Type, may, must, or_null, perhaps, schema};
use crate::api::view::{ViewValue, of};
use crate::api::webhooks::conta::WebhookAccountView;
use crate::api::webhooks::entregas::{AttemptView, DeliveriesView, DeliveryView};
use crate::api::webhooks::reenviar::ResentView;
use crate::api::webhooks::segredo::{FormerSecretView, SecretView};
use crate::api::words::Word;

pub(super) const WEBHOOKS: Resource = Resource {
    tag: "webhooks",
    title: "Webhooks",
    doc: "O segredo que assina as notificações, o endereço da conta e o registro das entregas. O guia [Webhooks](/docs/guia/webhooks) mostra como conferir uma assinatura.",
    operations: &[&MOSTRAR, &TROCAR, &ENTREGAS, &REENVIAR, &REENVIAR_PERDIDAS, &CONTA, &ALTERAR_CONTA, &TESTAR],
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
    .text("Nova série de tentativas, com o mesmo `id` e o mesmo corpo; `tentativa` continua a contagem.")
    .takes(&[Parameter::path("id", Type::Uuid, "O `id` da entrega.", "01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f")])
    .answers(&[shows::<DeliveryView>(202, "Será entregue.")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

pub(crate) static REENVIAR_PERDIDAS: ApiOperation = operation("reenviarWebhooksPerdidos", "Envia de novo as perdidas")
    .text("As mais novas primeiro, até 100 por chamada, das que a credencial vê.")
    .answers(&[shows::<ResentView>(200, "Voltam a ser tentadas.")]);

pub(crate) static CONTA: ApiOperation = operation("mostrarWebhookDaConta", "O endereço da conta")
    .text("Recebe todos os eventos do ambiente da credencial, também os que não são de um pedido, ao lado do `webhook_url` de cada emissão.")
    .answers(&[shows::<WebhookAccountView>(200, "Como está.")]);

pub(crate) static ALTERAR_CONTA: ApiOperation = operation("alterarWebhookDaConta", "Define o endereço da conta")
    .text(
        "Substitui tudo: o que falta volta ao padrão (sem endereço, todos os eventos, 3 tentativas). `tentativas` acima de 3 vale para todas as \
         entregas do ambiente: depois das três do contrato há mais, em 5 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h, 18 h e 24 h, marcadas `estendida`.",
    )
    .body("AlteracaoDeWebhookDaConta", account)
    .answers(&[shows::<WebhookAccountView>(200, "Como ficou.")])
    .refuses(&["validacao"]);

pub(crate) static TESTAR: ApiOperation = operation("testarWebhookDaConta", "Envia um evento de teste")
    .text("Evento `webhook.teste` ao endereço da conta, assinado como os outros, em uma tentativa. O que o destino respondeu está em `GET /v1/webhooks/entregas`.")
    .answers(&[shows::<DeliveryView>(202, "Será enviado.")])
    .refuses(&["estado_invalido"]);

/// Pattern of an event, open to future documents.
const EVENTO: Type = Type::Form(
    "^(nfe|nfce|nfse|cte)[.](autorizada|rejeitada|denegada|falhou|cancelada|cancelamento_rejeitado|evento_registrado|evento_rejeitado|inutilizada|\
     inutilizacao_rejeitada|contingencia|prazo_contingencia)$|^certificado[.](expira_em|expirado)$|^numeracao[.]lacuna$|^recebida[.]nova$|^webhook[.]teste$",
);
const STATUS: Type = Word::<DeliveryStatus>::KIND;

fn account() -> Value {
    json!({ "url": "https://erp.exemplo.com.br/carimbo", "eventos": ["nfe.*", "certificado.*"], "tentativas": 12 })
}

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
    of::<ResentView>(),
    of::<WebhookAccountView>(),
    schema(
        "AlteracaoDeWebhookDaConta",
        "Como deve ficar.",
        &[
            may("url", Type::Url, "O endereço da conta; sem ele a conta não tem endereço."),
            may(
                "eventos",
                Type::ListWithin(&Type::Text, 1, 60),
                "Só estes, como `nfe.autorizada` ou `nfe.*`; sem eles, todos.",
            ),
            may("tentativas", Type::Within(3, 12), "Tentativas de cada entrega; 3 se ausente."),
        ],
    ),
    schema(
        "NotificacaoDaConta",
        "O corpo de um evento que não é de um job, ao endereço da conta.",
        &[
            must("id", Type::Uuid, "O mesmo em todas as tentativas."),
            must("evento", Type::Text, "`certificado.expira_em`…"),
            must("timestamp", Type::Instant, "Quando o serviço soube do fato."),
            or_null("ambiente", Type::Words(&["producao", "homologacao"]), "Nulo quando vale para os dois."),
            perhaps("cpf_cnpj", Type::CpfCnpj, "A empresa; ausente em `webhook.teste`."),
            must("dados", Type::Free, "O fato; o guia [Webhooks](/docs/guia/webhooks) mostra os de cada evento."),
            must("tentativa", Type::Integer, "De 1 em diante."),
        ],
    ),
];
