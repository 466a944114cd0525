//! Jobs and the document inside of them: the objects most answers are made of.
//!
//! Law: `spec/interface.md`, Job and Nota block; `spec/not-shown.md` §4.

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::schema::{Field, Schema, Type, may, must, or_null, schema};

pub(super) const JOBS: Resource = Resource {
    tag: "jobs",
    title: "Jobs e notas",
    doc: "Cada emissão, cancelamento, correção ou inutilização é um job. O job tem seu status; a nota, o dela.",
    operations: &[],
    schemas: SCHEMAS,
};

pub(super) const TIPO: Type = Type::Words(&["nfe", "nfce", "nfse", "cte", "mdfe"]);
pub(super) const AMBIENTE: Type = Type::Words(&["producao", "homologacao"]);
pub(super) const JOB_STATUS: Type = Type::Words(&["pending", "processing", "completed", "failed", "cancelled"]);
pub(super) const NOTA_STATUS: Type = Type::Words(&["autorizada", "rejeitada", "denegada", "cancelada", "inutilizada"]);
const OPERACAO: Type =
    Type::Words(&["emissao", "cancelamento", "carta_correcao", "ator_interessado", "manifestacao", "inutilizacao"]);

const SCHEMAS: &[Schema] = &[
    schema("Job", "Uma operação, como está agora.", JOB).like(job),
    schema("Nota", "O documento fiscal de um job.", NOTA),
    schema("Contingencia", "Como o documento foi emitido enquanto a autoridade estava fora.", CONTINGENCIA),
    schema(
        "Arquivos",
        "Caminhos para baixar; nulos enquanto o arquivo não existe.",
        &[
            or_null("xml", Type::Text, "O documento autorizado com o protocolo."),
            or_null("pdf", Type::Text, "O documento impresso."),
            or_null("log", Type::Text, "A história do job, passo a passo."),
            or_null("xml_cancelamento", Type::Text, "O evento de cancelamento homologado."),
        ],
    ),
    schema(
        "ErroDoJob",
        "Por que um job falhou.",
        &[
            must("codigo", Type::Text, "Tem página em /docs/erros."),
            must("etapa", Type::Words(&["validacao", "assinatura", "transmissao", "consulta"]), "Onde parou."),
            must("repetivel", Type::Bool, "Se repetir pode resolver."),
            or_null("proxima_tentativa_em", Type::Instant, "Quando o serviço tenta de novo."),
        ],
    ),
    schema("OperacaoAceita", "Aceita para processamento; não é a autorização.", ACCEPTED).like(accepted),
    schema(
        "Notificacao",
        "O corpo de um webhook: os membros do job, como estava quando o estado mudou, e quatro mais.",
        NOTIFICATION,
    ),
];

/// What is known of an operation, in answers and in webhooks.
macro_rules! job {
    ([$($before:expr),*], [$($after:expr),*]) => {
        &[
            $($before,)*
            must("job_id", Type::Uuid, "Identificador da operação."),
            or_null("referencia_externa", Type::Text, "A referência de quem chamou."),
            must("tipo", TIPO, "Tipo de documento."),
            must("operacao", OPERACAO, "O que o job faz."),
            must("cpf_cnpj", Type::Text, "A empresa."),
            must("ambiente", AMBIENTE, "Para onde o documento vai."),
            must("status", JOB_STATUS, "Status do job."),
            must("mensagem", Type::Text, "O status em palavras."),
            must("tentativas", Type::Integer, "Tentativas feitas."),
            must("idempotente", Type::Bool, "`true` na repetição de uma referência."),
            must("webhook", Type::Bool, "Se há `webhook_url`."),
            must("consulta", Type::Text, "Caminho para consultar."),
            must("criado_em", Type::Instant, "Quando o job foi registrado."),
            must("atualizado_em", Type::Instant, "Última mudança."),
            or_null("concluido_em", Type::Instant, "Quando terminou; nulo até lá."),
            or_null("nota", Type::Ref("Nota"), "O documento, quando já existe."),
            or_null(
                "substitui_job_id",
                Type::Uuid,
                "Numa venda emitida de novo em contingência: o job da primeira nota, que ficou sem resposta.",
            ),
            or_null(
                "substituida_por_job_id",
                Type::Uuid,
                "Na nota que ficou sem resposta: o job da venda. Se foi autorizada, é cancelada; se nunca foi recebida, o job termina `cancelled`.",
            ),
            or_null("evento_fiscal", Type::Group(EVENT), "O evento, num job que age sobre uma nota."),
            must("arquivos", Type::Ref("Arquivos"), "O que pode ser baixado."),
            must("avisos", Type::List(&Type::Ref("Aviso")), "O que foi ignorado, completado ou previsto."),
            or_null("erro", Type::Text, "Mensagem, quando `status` é `failed` ou há nova tentativa marcada."),
            or_null("erro_detalhe", Type::Ref("ErroDoJob"), "O erro para programas."),
            $($after,)*
        ]
    };
}

const JOB: &[Field] =
    job!([], [may("payload_divergente", Type::Bool, "Na repetição: se o conteúdo difere do primeiro.")]);

const EVENT: &[Field] = &[
    must("tipo", Type::Text, "`cancelamento`…"),
    or_null("chave", Type::Text, "A nota de que ele fala."),
    or_null("codigo", Type::Text, "tpEvento."),
    or_null("sequencia", Type::Integer, "nSeqEvento."),
    or_null("protocolo", Type::Text, "Protocolo do evento, quando registrado."),
    or_null("data_registro", Type::Text, "dhRegEvento."),
    or_null("codigo_status", Type::Integer, "cStat da autoridade; nulo enquanto ela não respondeu."),
    or_null("motivo_status", Type::Text, "xMotivo, como veio."),
];

/// What is known of a document, in a job and in the list of documents.
macro_rules! document {
    ([$($before:expr),*], [$($after:expr),*]) => {
        &[
            $($before,)*
            or_null("status", NOTA_STATUS, "Status do documento; nulo enquanto a autoridade não decidiu."),
            must("modelo", Type::Integer, "55, 65, 57, 67."),
            or_null("numero", Type::Integer, "nNF."),
            must("serie", Type::Text, "Série."),
            or_null("chave", Type::Text, "Chave de acesso, 44 posições."),
            or_null("chave_acesso", Type::Text, "Igual a `chave`."),
            or_null("protocolo", Type::Text, "Protocolo da autoridade."),
            or_null("data_emissao", Type::Text, "dhEmi."),
            or_null("data_autorizacao", Type::Text, "dhRecbto."),
            or_null("valor_total", Type::Number, "vNF."),
            or_null("destinatario", Type::Text, "CNPJ ou CPF do destinatário."),
            or_null("codigo_status", Type::Integer, "cStat da autoridade."),
            or_null("motivo_status", Type::Text, "xMotivo, como veio."),
            or_null("motivo", Type::Text, "Igual a `motivo_status`."),
            or_null("campo", Type::Text, "O campo do seu payload que causou a rejeição, quando se sabe."),
            or_null("tipo_emissao", Type::Integer, "tpEmis: 1 normal; os demais, contingência; nulo numa inutilização."),
            may("numero_inicial", Type::Integer, "Numa inutilização: o primeiro número da faixa."),
            may("numero_final", Type::Integer, "Numa inutilização: o último."),
            may("ano", Type::Integer, "Numa inutilização: o ano da numeração."),
            or_null("contingencia", Type::Ref("Contingencia"), "A contingência, quando houve."),
            or_null("qrcode", Type::Text, "NFC-e: o texto do QR Code, quando a nota pode ser impressa."),
            or_null("url_chave", Type::Text, "NFC-e: o endereço da consulta pela chave, que o DANFE imprime."),
            $($after,)*
        ]
    };
}
pub(super) use document;

const NOTA: &[Field] = document!([], []);

const CONTINGENCIA: &[Field] = &[
    must(
        "tipo",
        Type::Words(&["svc", "epec", "fs_da", "offline"]),
        "Pela SVC do estado, por EPEC, em formulário de segurança (FS-DA), ou off-line.",
    ),
    or_null("autoridade", Type::Text, "Quem autoriza, como `SVC-AN`; nulo na off-line."),
    must("desde", Type::Text, "dhCont: quando a contingência começou."),
    must("justificativa", Type::Text, "xJust."),
    or_null(
        "prazo_transmissao",
        Type::Instant,
        "Até quando a autoridade deve receber a nota entregue em contingência.",
    ),
    or_null("protocolo_epec", Type::Text, "Protocolo do EPEC: com ele a nota pode ser entregue."),
    or_null("transmitida_em", Type::Text, "Quando a autoridade recebeu a nota."),
];

const ACCEPTED: &[Field] = &[
    must("job_id", Type::Uuid, "Guarde-o: é por ele que se consulta."),
    may("referencia_externa", Type::Text, "A referência enviada."),
    may("job_id_emissao", Type::Uuid, "Num evento: o job que emitiu a nota."),
    may("operacao", OPERACAO, "O que o job faz."),
    must("status", JOB_STATUS, "`pending`."),
    must("mensagem", Type::Text, "O que acontece a seguir, em palavras."),
    must("consulta", Type::Text, "Caminho para consultar."),
    must("webhook", Type::Bool, "Se há `webhook_url`."),
    must("ambiente", AMBIENTE, "Para onde o documento vai."),
    may("idempotente", Type::Bool, "`false`: é um job novo."),
    must("avisos", Type::List(&Type::Ref("Aviso")), "O que foi ignorado, completado ou previsto."),
];

const NOTIFICATION: &[Field] = job!(
    [
        must("id", Type::Uuid, "Identificador da notificação, o mesmo em todas as tentativas."),
        must("evento", Type::Text, "`nfe.autorizada`, `nfce.rejeitada`…"),
        must("timestamp", Type::Instant, "Quando aconteceu."),
        must("tentativa", Type::Integer, "De 1 a 3; um reenvio manual continua a contagem.")
    ],
    []
);

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
