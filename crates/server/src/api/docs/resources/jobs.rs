//! Jobs and the document in them: the objects of most answers.
//!
//! Law: `docs/contract.md`, "Jobs" and "Emission".

use fiscal::value::TpAmb;
use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::generators::EITHER_ANSWER;
use crate::api::job::view::{
    AcceptedView, ContingenciaView, FailureView, FilesView, JobView, NotaStatus, NotaView, NotificationView,
    RejeicaoView,
};
use crate::api::schema::{Schema, Type, either};
use crate::api::view::{ViewValue, of};
use crate::api::words::Word;

pub(super) const JOBS: Resource = Resource {
    tag: "jobs",
    title: "Jobs e notas",
    doc: "Cada emissão, cancelamento, correção ou inutilização é um job. O job tem seu status; a nota, o dela.",
    operations: &[],
    schemas: SCHEMAS,
};

/// Document types of a filter: `mdfe` is a word of the contract, though there is no such document yet.
pub(super) const TIPO: Type = Type::Words(&["nfe", "nfce", "nfse", "cte", "mdfe"]);
pub(super) const AMBIENTE: Type = Word::<TpAmb>::KIND;
pub(super) const NOTA_STATUS: Type = Word::<NotaStatus>::KIND;

const SCHEMAS: &[Schema] = &[
    of::<JobView>().like(job),
    of::<NotaView>(),
    of::<ContingenciaView>(),
    of::<RejeicaoView>(),
    of::<FilesView>(),
    of::<FailureView>(),
    of::<AcceptedView>().like(accepted),
    of::<NotificationView>(),
    either(
        EITHER_ANSWER,
        "O job de uma referência já usada, como está agora (200), ou a operação aceita (202).",
        &["Job", "OperacaoAceita"],
    ),
];

fn accepted() -> Value {
    json!({
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e", "referencia_externa": "PED1001", "status": "pending",
        "mensagem": "Nota aceita para processamento. Isto não é a autorização: acompanhe por consulta ou webhook.",
        "consulta": "/v1/nfe/consultar/01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e", "webhook": false, "ambiente": "homologacao",
        "idempotente": false, "avisos": []
    })
}

fn job() -> Value {
    let id = "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e";
    let chave = "35261111222333000181550010000012341123456780";
    json!({
        "job_id": id, "referencia_externa": "PED1001", "tipo": "nfe", "operacao": "emissao", "cpf_cnpj": "11222333000181",
        "ambiente": "homologacao", "status": "completed", "mensagem": "Nota autorizada", "tentativas": 1, "idempotente": false,
        "webhook": false, "consulta": format!("/v1/nfe/consultar/{id}"), "criado_em": "2026-11-20T14:03:11-03:00",
        "atualizado_em": "2026-11-20T14:03:12-03:00", "concluido_em": "2026-11-20T14:03:12-03:00",
        "nota": {
            "status": "autorizada", "modelo": 55, "numero": 1234, "serie": "1", "chave": chave, "chave_acesso": chave,
            "protocolo": "135260000000001", "data_emissao": "2026-11-20T14:03:11-03:00",
            "data_autorizacao": "2026-11-20T14:03:12-03:00", "valor_total": 100.00, "destinatario": "52998224725", "codigo_status": 100,
            "motivo_status": "Autorizado o uso da NF-e", "motivo": "Autorizado o uso da NF-e", "campo": null, "tipo_emissao": 1,
            "contingencia": null, "qrcode": null, "url_chave": null
        },
        "substitui_job_id": null, "substituida_por_job_id": null, "evento_fiscal": null,
        "arquivos": { "xml": format!("/v1/nfe/{id}/file/xml"), "pdf": format!("/v1/nfe/{id}/file/pdf"), "log": format!("/v1/nfe/{id}/file/log"), "xml_cancelamento": null },
        "avisos": [], "erro": null, "erro_detalhe": null
    })
}
