//! Routes before issuing: the check of a payload, and emission in two steps.

use serde_json::{Value, json};

use super::Resource;
use super::nfe::{ESTRITO, ITENS, LARGURA, LAYOUT, ORIENTACAO};
use crate::api::docs::operation::{ApiOperation, media, operation, shows};
use crate::api::documento::verificar::CheckView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::nfe::preparar::PreparedView;
use crate::api::schema::{FILLED, REFERENCIA, Schema, Type, may, must, schema};
use crate::api::view::of;

pub(super) const ASSISTIDA: Resource = Resource {
    tag: "antes_de_emitir",
    title: "Antes de emitir",
    doc: "Verificar um payload sem emitir; emitir em dois passos, com uma pessoa no meio.",
    operations: &[&VERIFICAR, &VERIFICAR_NFCE, &PREVIA, &PREVIA_NFCE, &PREPARAR, &CONFIRMAR],
    schemas: SCHEMAS,
};

pub(crate) static VERIFICAR: ApiOperation =
    operation("verificarCamposNfe", "Verifica os campos de uma NF-e, sem emitir")
        .text(CHECKED)
        .body("PedidoDeVerificacao", super::nfe::example)
        .answers(&[shows::<CheckView>(200, "O que foi encontrado.")])
        .refuses(&["referencia_invalida", "validacao"]);

pub(crate) static VERIFICAR_NFCE: ApiOperation =
    operation("verificarCamposNfce", "Verifica os campos de uma NFC-e, sem emitir")
        .text(CHECKED)
        .body("PedidoDeVerificacao", super::nfce::example)
        .answers(&[shows::<CheckView>(200, "O que foi encontrado.")])
        .refuses(&["referencia_invalida", "validacao"]);

pub(crate) static PREVIA: ApiOperation = operation("previaNfe", "O DANFE de uma NF-e, sem emitir")
    .text(PREVIEWED)
    .takes(&[LAYOUT, ORIENTACAO, LARGURA, ITENS, ESTRITO])
    .body("EmissaoNfe", super::nfe::example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

pub(crate) static PREVIA_NFCE: ApiOperation = operation("previaNfce", "O cupom de uma NFC-e, sem emitir")
    .text(PREVIEWED)
    .takes(&[LARGURA, ITENS, ESTRITO])
    .body("EmissaoNfce", super::nfce::example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const PREVIEWED: &str = "Recebe o corpo da emissão, confere como ela e responde o PDF do que seria emitido, sem chave de acesso, sem QR Code e marcado \
     SEM VALOR FISCAL. Nada é registrado, nenhum número é tomado, nenhuma cota é usada.";

pub(crate) static PREPARAR: ApiOperation = operation("prepararNfe", "Prepara uma NF-e para ser confirmada")
    .text(
        "Confere como a emissão, mostra o que seria emitido e devolve o token que a emite. Nada é registrado e nenhuma cota é usada. O token vale uma \
         vez, por 10 minutos, para a conta e o ambiente da credencial.",
    )
    .body("EmissaoNfe", super::nfe::example)
    .answers(&[shows::<PreparedView>(200, "O que seria emitido.")])
    .refuses(&[
        "referencia_invalida",
        "nao_encontrado",
        "validacao",
        "documento_invalido",
        "empresa_sem_configuracao",
        "preparacoes_excedidas",
    ]);

pub(crate) static CONFIRMAR: ApiOperation = operation("confirmarNfe", "Confirma e emite uma NF-e preparada")
    .text("O token se gasta, a cota é debitada e o job é registrado numa só transação. A resposta é a de `POST /v1/nfe/emitir`. Com uma chave `assistida`, ou \
         para o que uma preparou, só depois que uma pessoa aprovou em `url_confirmacao`: antes, `403` `confirmacao_pendente`; recusada, `409` \
         `confirmacao_recusada`, com qualquer chave.")
    .body("ConfirmacaoNfe", confirmation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceita para processamento."),
        shows::<JobView>(200, "A referência preparada já tinha sido usada: o primeiro job, como está agora."),
    ])
    .refuses(&[
        "nao_encontrado",
        "ambiente_incorreto",
        "confirmacao_pendente",
        "confirmacao_recusada",
        "confirmacao_usada",
        "confirmacao_expirada",
        "estado_invalido",
        "teto_excedido",
        "documento_invalido",
        "empresa_sem_configuracao",
        "registro_incerto",
        "cota_excedida",
        "fila_cheia",
    ]);

const CHECKED: &str = "Recebe o mesmo corpo da emissão e responde `200` com tudo de uma vez: nomes desconhecidos com o nome certo, o que falta, o que está \
     errado, as rejeições que a autoridade daria e os totais que o serviço somaria. Nada é registrado e nenhuma cota é usada. `valido` é `true` quando \
     as quatro primeiras listas estão vazias; `avisos` não o muda.";

const SCHEMAS: &[Schema] = &[
    schema(
        "PedidoDeVerificacao",
        "O corpo da emissão. `nota` pode estar errada de qualquer jeito: é o que se quer saber.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa emitente, com ou sem máscara, letras aceitas."),
            must("nota", Type::Free, "O documento, como na emissão."),
            may("webhook_url", Type::Url, "Aceito como na emissão."),
            may("referencia_externa", REFERENCIA, "Aceita como na emissão; continua livre."),
        ],
    ),
    of::<CheckView>(),
    of::<PreparedView>(),
    schema(
        "ConfirmacaoNfe",
        "A confirmação.",
        &[must("token_confirmacao", FILLED, "O token que `preparar` devolveu.")],
    ),
];

fn confirmation() -> Value {
    json!({ "token_confirmacao": "crb_conf_5f2c8b1e9d3a47600c4e8f7a1b2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e" })
}
