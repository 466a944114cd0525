//! Voiding of unused numbers.

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::operation::{ApiOperation, SuccessAnswer, operation, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{REFERENCIA, Schema, Type, may, must, schema};

pub(super) const INUTILIZACAO: Resource = Resource {
    tag: "inutilizacao",
    title: "Inutilização",
    doc: "Declara à autoridade números que nenhum documento vai usar. É um job, e não consome cota.",
    operations: &[&NFE, &NFCE],
    schemas: SCHEMAS,
};

const HOW: &str = "A faixa fica reservada na mesma transação que registra o job: nenhuma nota recebe esses números. Se um deles já está em uso, a resposta é \
     409 com `numero`, e nada é registrado. Se a autoridade recusa, os números voltam ao que eram. O mesmo pedido repetido à autoridade não inutiliza duas \
     vezes: ela responde 563 com o protocolo do primeiro. No fim, `nota.status` é `inutilizada` ou `rejeitada`, e `file/xml` é o ProcInutNFe. \
     `GET /v1/empresas/numeracao?lacunas=true` mostra as lacunas.";

pub(crate) static NFE: ApiOperation = operation("inutilizarNfe", "Inutiliza números de NF-e")
    .text(HOW)
    .body("Inutilizacao", example)
    .answers(ANSWERS)
    .refuses(REFUSALS);

pub(crate) static NFCE: ApiOperation = operation("inutilizarNfce", "Inutiliza números de NFC-e")
    .text(HOW)
    .body("Inutilizacao", example)
    .answers(ANSWERS)
    .refuses(REFUSALS);

const ANSWERS: &[SuccessAnswer] = &[
    shows::<AcceptedView>(202, "Aceita para processamento."),
    shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
];
const REFUSALS: &[&str] =
    &["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao", "empresa_sem_configuracao"];

const SCHEMAS: &[Schema] = &[schema(
    "Inutilizacao",
    "A faixa, com as duas pontas, e por quê.",
    &[
        must("cpf_cnpj", Type::CpfCnpj, "CNPJ da empresa emitente; a de um CPF não se inutiliza."),
        may("serie", Type::Numeral(0, 999), "A série; a da configuração se ausente."),
        must("numero_inicial", NUMERO, "O primeiro número."),
        may("numero_final", NUMERO, "O último, até 10.000 números; igual ao primeiro se ausente."),
        may("ano", ANO, "O ano da numeração, com dois ou quatro dígitos; o corrente se ausente."),
        must("justificativa", Type::Reason(15, 255), "Por quê, de 15 a 255 caracteres."),
        may("webhook_url", Type::Url, "Endereço https avisado no fim."),
        may("referencia_externa", REFERENCIA, "Sua referência, 1 a 120 letras e dígitos."),
    ],
)];

/// A year of two digits or four.
const ANO: Type = Type::Either(&[Type::Numeral(6, 99), Type::Numeral(2006, 2099)]);
const NUMERO: Type = Type::Numeral(1, 999_999_999);

fn example() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "serie": 1,
        "numero_inicial": 1201,
        "numero_final": 1204,
        "justificativa": "Numeração reservada por outro sistema e não usada"
    })
}
