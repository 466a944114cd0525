//! `/v1/nfce`.

use serde_json::{Value, json};

use super::Resource;
use super::nfe::{ESTRITO, FILE_PARAMETERS, ID, JUSTIFICATIVA, NOT_REGISTERED, REFERENCIA_NOVA, REGISTERED};
use super::target::{by_job, by_key};
use crate::api::docs::operation::{ApiOperation, media, operation, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{REFERENCIA, Schema, SchemaField, Type, either, may, must, schema};

pub(super) const NFCE: Resource = Resource {
    tag: "nfce",
    title: "NFC-e",
    doc: "Nota fiscal de consumidor eletrônica, modelo 65: emitir, consultar, baixar, cancelar.",
    operations: &[&EMITIR, &CONSULTAR, &FILE, &CANCELAR],
    schemas: SCHEMAS,
};

pub(crate) static EMITIR: ApiOperation = operation("emitirNfce", "Emite uma NFC-e")
    .text(
        "Como a emissão da NF-e, com o modelo 65. O serviço preenche o que a NFC-e fixa (`tpImp` 4, `idDest` 1, `indPres` 1, `tpNF` 1, `finNFe` 1, \
         `indFinal` 1, `modFrete` 9), o troco devido e o QR Code. `destinatario` é opcional. Do que o chamador informa em `identificacao` valem \
         `indPres`, `tpImp` (4 ou 5) e `tpEmis` (1 ou 9, offline); o resto é corrigido e dito em `avisos`.\n\nA empresa precisa de `csc` e `csc_id` \
         (QR Code versão 2) ou de `qr_versao` 3; sem isso a resposta é `422 empresa_sem_configuracao`. Emitente pessoa física usa sempre a versão 3.",
    )
    .takes(&[ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoNfce", example)
    .answers(REGISTERED)
    .refuses(NOT_REGISTERED);

pub(crate) static CONSULTAR: ApiOperation = operation("consultarNfce", "Consulta uma operação de NFC-e")
    .text("`nota.qrcode` e `nota.url_chave` são o que o DANFE NFC-e imprime; vêm quando a nota pode ser impressa.")
    .takes(&[ID])
    .answers(&[shows::<JobView>(200, "O job.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static FILE: ApiOperation = operation("baixarArquivoNfce", "Baixa um arquivo de uma NFC-e")
    .text("Os mesmos arquivos da NF-e. `pdf` é o cupom; `escpos`, os bytes para uma impressora térmica (ESC/POS: texto na página 850, QR Code, corte); \
         as duas vias quando a nota espera autorização em contingência. O nome do arquivo vem em `Content-Disposition`, pela chave de acesso.")
    .takes(FILE_PARAMETERS)
    .answers(&[media(200, "O arquivo.", &["application/xml", "application/pdf", "application/octet-stream", "text/plain"])])
    .refuses(&["nao_encontrado", "arquivo_indisponivel"]);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarNfce", "Cancela uma NFC-e autorizada")
    .text(
        "O cancelamento é um job, como o da NF-e. A SEFAZ aceita o da NFC-e até 30 minutos depois da autorização; depois responde 501.\n\nQuando a mesma \
         venda foi emitida outra vez em contingência off-line (`tpEmis` 9), a primeira é cancelada *por substituição*: informe a nota que ficou em \
         `job_id_substituto` ou `chave_substituta`. A SEFAZ aceita até 168 horas depois, e confere que as duas notas dizem a mesma venda (912 a 919).",
    )
    .body("CancelamentoNfce", cancellation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceito para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

const SCHEMAS: &[Schema] = &[
    EMISSAO,
    either(
        "CancelamentoNfce",
        "O pedido de cancelamento: qual nota, e por quê.",
        &["CancelamentoNfcePorJob", "CancelamentoNfcePorChave"],
    ),
    schema(
        "CancelamentoNfcePorJob",
        "O cancelamento da nota que um job emitiu.",
        by_job!(JUSTIFICATIVA, JOB_SUBSTITUTO, CHAVE_SUBSTITUTA),
    ),
    schema(
        "CancelamentoNfcePorChave",
        "O cancelamento da nota de uma chave de acesso.",
        by_key!(JUSTIFICATIVA, JOB_SUBSTITUTO, CHAVE_SUBSTITUTA),
    ),
];

const JOB_SUBSTITUTO: SchemaField =
    may("job_id_substituto", Type::Uuid, "Por substituição: o job da nota que ficou, emitida off-line.");
const CHAVE_SUBSTITUTA: SchemaField = may("chave_substituta", Type::Chave, "Ou a chave dela, também de outro sistema.");

const EMISSAO: Schema = schema(
    "EmissaoNfce",
    "O pedido de emissão de uma NFC-e. Outros membros são ignorados e apontados em `avisos`.",
    &[
        must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa emitente, com ou sem máscara, letras aceitas."),
        must("nota", Type::Ref("NfceNota"), "O documento."),
        may("webhook_url", Type::Url, "Endereço https avisado no fim."),
        may(
            "referencia_externa",
            REFERENCIA,
            "Sua referência, 1 a 120 letras e dígitos: a mesma referência nunca emite duas vezes.",
        ),
    ],
);

/// A sale at the counter, as in the guide.
pub(super) fn example() -> Value {
    serde_json::from_str(include_str!("../../../../../../docs/guides/nfce.json")).unwrap_or_default()
}

fn cancellation() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "justificativa": "Venda desfeita pelo cliente"
    })
}
