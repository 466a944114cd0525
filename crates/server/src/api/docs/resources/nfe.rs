//! `/v1/nfe`.

use serde_json::{Value, json};

use super::Resource;
use super::target::{by_job, by_key};
use crate::api::docs::operation::{ApiOperation, Parameter, SuccessAnswer, media, operation, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{REFERENCIA, Schema, SchemaField, Type, either, may, must, schema};

pub(super) const NFE: Resource = Resource {
    tag: "nfe",
    title: "NF-e",
    doc: "Nota fiscal eletrônica, modelo 55: emitir, consultar, baixar, cancelar.",
    operations: &[&EMITIR, &CONSULTAR, &FILE, &CANCELAR],
    schemas: SCHEMAS,
};

pub(super) const ID: Parameter =
    Parameter::path("id", Type::Uuid, "O `job_id` da operação.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e");

pub(super) const ESTRITO: Parameter = Parameter::query(
    "estrito",
    Type::Words(&["true", "false", "1", "0"]),
    "Com `true`, o que seria aviso de campo desconhecido ou valor assumido é recusado com 422.",
    "false",
);

pub(super) const REFERENCIA_NOVA: Parameter = Parameter::query(
    "referencia_nova",
    Type::Words(&["true", "false", "1", "0"]),
    "Só importa depois de restaurada uma cópia do banco (409 `registro_incerto`): com `true`, quem chama responde por a referência nunca ter sido usada.",
    "false",
);

/// Answers of a registered emission, new or replayed.
pub(super) const REGISTERED: &[SuccessAnswer] = &[
    shows::<AcceptedView>(202, "Aceita para processamento."),
    shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
];

/// Refusals of an emission.
pub(super) const NOT_REGISTERED: &[&str] = &[
    "referencia_invalida",
    "nao_encontrado",
    "validacao",
    "documento_invalido",
    "empresa_sem_configuracao",
    "estado_invalido",
    "registro_incerto",
    "cota_excedida",
    "fila_cheia",
];

pub(super) const LAYOUT: Parameter = Parameter::query(
    "layout",
    Type::Words(&["classico", "nt2026010"]),
    "De `pdf`: o leiaute do DANFE em A4. Sem ele vale `layout_danfe` da empresa e, sem este, a data de emissão.",
    "classico",
);
pub(super) const ORIENTACAO: Parameter = Parameter::query(
    "orientacao",
    Type::Words(&["retrato", "paisagem"]),
    "De `pdf`: como o formulário em A4 fica. Sem ela vale `tpImp`.",
    "retrato",
);
pub(super) const LARGURA: Parameter =
    Parameter::query("largura", Type::Words(&["80", "58"]), "De cupons: a largura do papel em milímetros.", "80");
pub(super) const ITENS: Parameter = Parameter::query(
    "itens",
    Type::Words(&["true", "false"]),
    "De cupons: `false` deixa os itens fora, onde a UF permite e o consumidor quer.",
    "true",
);

pub(crate) static EMITIR: ApiOperation = operation("emitirNfe", "Emite uma NF-e")
    .text(
        "Assíncrona: `202` diz que o documento foi aceito e registrado, não que foi autorizado. A mesma `referencia_externa` de novo dá `200`, \
         `idempotente: true` e o primeiro job como está agora; nada é emitido duas vezes.\n\nUm campo desconhecido nunca impede a emissão: é \
         apontado em `avisos`, com o nome certo. O que não pode ser montado é `422`, com todos os problemas de uma vez, e nada é registrado.",
    )
    .takes(&[ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoNfe", example)
    .answers(REGISTERED)
    .refuses(NOT_REGISTERED);

pub(crate) static CONSULTAR: ApiOperation = operation("consultarNfe", "Consulta uma operação")
    .text("Sem pressa: 5 s, 15 s, 30 s, 60 s. Para muitos jobs de uma vez, use `POST /v1/jobs/consultar-lote`.")
    .takes(&[ID])
    .answers(&[shows::<JobView>(200, "O job.")])
    .refuses(&["nao_encontrado"]);

/// Parameters of a download.
pub(super) const FILE_PARAMETERS: &[Parameter] = &[
    ID,
    Parameter::path("tipo", Type::Words(&["xml", "pdf", "escpos", "log", "xml_cancelamento"]), "Qual arquivo.", "xml"),
    LAYOUT,
    ORIENTACAO,
    LARGURA,
    ITENS,
];

pub(crate) static FILE: ApiOperation = operation("baixarArquivoNfe", "Baixa um arquivo da operação")
    .text(
        "`xml` é o documento autorizado com o protocolo (procNFe); `xml_cancelamento`, o evento homologado; `log`, a história do job. `pdf` é o DANFE, \
         e o formulário do evento nos jobs de evento; antes da autorização é uma prévia sem valor fiscal. `escpos` são os bytes para uma impressora \
         de cupons (só de cupons: `tpImp` 6). O nome do arquivo vem em `Content-Disposition`, pela chave de acesso.",
    )
    .takes(FILE_PARAMETERS)
    .answers(&[media(200, "O arquivo.", &["application/xml", "application/pdf", "application/octet-stream", "text/plain"])])
    .refuses(&["nao_encontrado", "arquivo_indisponivel"]);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarNfe", "Cancela uma NF-e autorizada")
    .text("O cancelamento é um job: `202`, e a consulta ou o webhook diz como acabou. Informe `job_id` ou `chave`.")
    .body("CancelamentoNfe", cancellation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceito para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

const SCHEMAS: &[Schema] = &[
    schema(
        "EmissaoNfe",
        "O pedido de emissão. Outros membros são ignorados e apontados em `avisos`.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa emitente, com ou sem máscara, letras aceitas."),
            must("nota", Type::Ref("NfeNota"), "O documento."),
            may("webhook_url", Type::Url, "Endereço https avisado no fim."),
            may(
                "referencia_externa",
                REFERENCIA,
                "Sua referência, 1 a 120 letras e dígitos: a mesma referência nunca emite duas vezes.",
            ),
        ],
    ),
    either(
        "CancelamentoNfe",
        "O pedido de cancelamento: qual nota, e por quê.",
        &["CancelamentoNfePorJob", "CancelamentoNfePorChave"],
    ),
    schema("CancelamentoNfePorJob", "O cancelamento da nota que um job emitiu.", by_job!(JUSTIFICATIVA)),
    schema("CancelamentoNfePorChave", "O cancelamento da nota de uma chave de acesso.", by_key!(JUSTIFICATIVA)),
];

pub(super) const JUSTIFICATIVA: SchemaField =
    must("justificativa", Type::Reason(15, 255), "Por quê, de 15 a 255 caracteres.");

/// The NF-e of the guide, so that guide, reference and console agree.
pub(super) fn example() -> Value {
    serde_json::from_str(include_str!("../../../../../../docs/guides/nota.json")).unwrap_or_default()
}

fn cancellation() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "justificativa": "Pedido desfeito pelo cliente"
    })
}
