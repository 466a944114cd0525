//! `/v1/cte`.

use serde_json::{Value, json as object};

use super::Resource;
use super::nfe::{ESTRITO, ID, JUSTIFICATIVA, NOT_REGISTERED, ORIENTACAO, REFERENCIA_NOVA, REGISTERED};
use super::target::{by_job, by_key};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::documento::verificar::CheckView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{REFERENCIA, Schema, Type, either, may, must, schema};

pub(super) const CTE: Resource = Resource {
    tag: "cte",
    title: "CT-e",
    doc: "Conhecimento de transporte eletrônico: modelo 57 (carga) e modelo 67 (CT-e OS: pessoas, valores, excesso de bagagem).",
    operations: &[&EMITIR, &CONSULTAR, &FILE, &CANCELAR, &VERIFICAR, &PREVIA],
    schemas: SCHEMAS,
};

pub(crate) static EMITIR: ApiOperation = operation("emitirCte", "Emite um CT-e ou CT-e OS")
    .text(
        "O modelo vem em `nota.identificacao.modelo`: 57 (o padrão) ou 67. Os grupos são os do contrato (`remetente`, `destinatario`, `tomador`, \
         `valores`, `imposto`, `carga`, `documentos`, `rodoviario`), as folhas são as tags oficiais; a árvore oficial (`infCte`) também é aceita. O \
         modal é o rodoviário. `rntrc` e `taf` que a nota não traz vêm da configuração da empresa. `tpEmis` 2 (off-line) só onde a instalação o abre \
         (`contingencia.offline`); 4 e 5 são recusados.\n\nAs respostas são as da emissão de NF-e: `202` diz \
         que o documento foi aceito e registrado, não que foi autorizado.",
    )
    .takes(&[ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoCte", example)
    .answers(REGISTERED)
    .refuses(NOT_REGISTERED);

pub(crate) static CONSULTAR: ApiOperation = operation("consultarCte", "Consulta uma operação de CT-e")
    .text("A operação como está agora: situação, número, chave, protocolo, e por que a autoridade recusou.")
    .takes(&[ID])
    .answers(&[shows::<JobView>(200, "O job.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static FILE: ApiOperation = operation("baixarArquivoCte", "Baixa um arquivo de um CT-e")
    .text(
        "`xml` é o documento autorizado com o protocolo (cteProc ou cteOSProc); de um evento, o procEventoCTe; `xml_cancelamento`, o do cancelamento; `xml_evento`, o do último evento registrado; `log`, a história do job. `pdf` (ou `dacte`) é o DACTE, ou o DACTE OS do modelo 67; \
         antes da autorização é uma prévia sem valor fiscal. O nome do arquivo vem em `Content-Disposition`, pela chave de acesso.",
    )
    .takes(&[ID, Parameter::path("tipo", FILES, "Qual arquivo.", "xml"), ORIENTACAO])
    .answers(&[media(200, "O arquivo.", &["application/xml", "application/pdf", "text/plain"])])
    .refuses(&["nao_encontrado", "arquivo_indisponivel"]);

const FILES: Type = Type::Words(&["xml", "pdf", "log", "xml_cancelamento", "xml_evento", "dacte"]);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarCte", "Cancela um CT-e autorizado")
    .text(
        "O cancelamento é um job: `202`, e a consulta ou o webhook diz como acabou; consome cota. O prazo é de 168 horas da autorização (220). Não se \
         cancela um CT-e com carta de correção (523), com comprovante de entrega em vigor (862), nem um de substituição (574): a resposta é `409`. O que \
         só a autoridade sabe (MDF-e em vigor, 528; complemento, 660; substituto, 576) ela responde em `evento_fiscal.codigo_status`.",
    )
    .body("CancelamentoCte", cancellation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceito para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao", "cota_excedida"]);

pub(crate) static VERIFICAR: ApiOperation = operation("verificarCamposCte", "Verifica um CT-e sem emitir")
    .text("Tudo o que a emissão diria, e as rejeições previstas. Nada é registrado e nenhuma cota é usada.")
    .body("PedidoDeVerificacao", example)
    .answers(&[shows::<CheckView>(200, "O que foi encontrado.")])
    .refuses(&["referencia_invalida", "validacao"]);

pub(crate) static PREVIA: ApiOperation = operation("previaCte", "O DACTE de um CT-e, sem emitir")
    .text(
        "Recebe o corpo da emissão, confere como ela e responde o PDF do que seria emitido, sem chave de acesso, sem QR Code e marcado SEM VALOR FISCAL. \
         Nada é registrado, nenhum número é tomado, nenhuma cota é usada.",
    )
    .takes(&[ORIENTACAO, ESTRITO])
    .body("EmissaoCte", example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const SCHEMAS: &[Schema] = &[
    EMISSAO,
    either(
        "CancelamentoCte",
        "O pedido de cancelamento: qual CT-e, e por quê.",
        &["CancelamentoCtePorJob", "CancelamentoCtePorChave"],
    ),
    schema("CancelamentoCtePorJob", "O cancelamento do CT-e que um job emitiu.", by_job!(JUSTIFICATIVA)),
    schema("CancelamentoCtePorChave", "O cancelamento do CT-e de uma chave de acesso.", by_key!(JUSTIFICATIVA)),
];

/// `identificacao.modelo` selects the object.
const NOTA: Type = Type::Either(&[Type::Ref("CteNota"), Type::Ref("CteOsNota")]);

const EMISSAO: Schema = schema(
    "EmissaoCte",
    "O pedido de emissão de um CT-e. Outros membros são ignorados e apontados em `avisos`.",
    &[
        must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da transportadora, com ou sem máscara, letras aceitas."),
        must("nota", NOTA, "O documento: modelo 57, ou 67."),
        may("webhook_url", Type::Url, "Endereço https avisado no fim."),
        may(
            "referencia_externa",
            REFERENCIA,
            "Sua referência, 1 a 120 letras e dígitos: a mesma referência nunca emite duas vezes.",
        ),
    ],
);

/// A delivery of books within the state, by a carrier of Simples Nacional.
fn example() -> Value {
    serde_json::from_str(include_str!("../../../../../../docs/guides/cte.json")).unwrap_or_default()
}

fn cancellation() -> Value {
    object!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "justificativa": "Serviço não prestado ao cliente"
    })
}
