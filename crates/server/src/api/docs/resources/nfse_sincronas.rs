//! The older routes of `/v1/nfse/{cpf_cnpj}`.

use serde_json::{Value, json as object};

use super::Resource;
use super::empresas::CPF_CNPJ;
use super::nfe::{ESTRITO, NOT_REGISTERED, REFERENCIA_NOVA};
use super::nfse::{BY_JOB, BY_KEY, CHAVE, example};
use super::target::{EMPRESA_DO_CAMINHO, REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{ApiOperation, Parameter, SuccessAnswer, operation, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::nfse::consultar::RpsView;
use crate::api::nfse::consultar_sefaz::SefinView;
use crate::api::schema::{Schema, Type, either, may, must, schema};
use crate::api::view::of;

pub(super) const NFSE_SINCRONAS: Resource = Resource {
    tag: "nfse_sincronas",
    title: "NFS-e, rotas síncronas",
    doc: "As rotas anteriores da NFS-e, mantidas para quem já as usa: a empresa vai no caminho e a resposta traz o job no fim. Integrações novas usam as \
          rotas assíncronas. O guia [As rotas síncronas da NFS-e](/docs/guia/nfse-rotas-sincronas) compara as duas.",
    operations: &[&EMITIR, &EMITIR_JSON, &CANCELAR, &CONSULTAR, &CONSULTAR_RPS],
    schemas: SCHEMAS,
};

const ENDED: &[SuccessAnswer] = &[
    shows::<JobView>(200, "O job no fim: autorizado, rejeitado ou com falha. Também a repetição de uma referência."),
    shows::<AcceptedView>(
        202,
        "O job não terminou em 60 segundos (`http.espera_sincrona_s`): acompanhe-o por consulta ou webhook.",
    ),
];

pub(crate) static EMITIR: ApiOperation = operation("emitirNfseSincrona", "Emite uma NFS-e e espera pelo fim")
    .text(
        "O corpo é o de `POST /v1/nfse/emitir`; `cpf_cnpj` vai no caminho, e no corpo só pode ser o mesmo. O job é o mesmo, com as mesmas garantias: sem \
         resposta de quem autoriza, ele continua depois do `202`. `200` traz o job no fim, também quando a nota foi rejeitada: leia `nota.status`.",
    )
    .takes(&[CPF_CNPJ, ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoNfseSincrona", issue)
    .answers(ENDED)
    .refuses(NOT_REGISTERED);

pub(crate) static EMITIR_JSON: ApiOperation = operation("emitirNfseJsonSincrona", "Emite uma NFS-e e espera pelo fim")
    .text("O mesmo de `POST /v1/nfse/{cpf_cnpj}/emitir`, com o outro nome que ele já teve.")
    .takes(&[CPF_CNPJ, ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoNfseSincrona", issue)
    .answers(ENDED)
    .refuses(NOT_REGISTERED);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarNfseSincrona", "Cancela uma NFS-e e espera pelo fim")
    .text("O corpo é o de `POST /v1/nfse/cancelar`, com a empresa no caminho.")
    .takes(&[CPF_CNPJ])
    .body("CancelamentoNfseSincrono", cancellation)
    .answers(ENDED)
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

/// Refusals of a query.
const UNANSWERED: &[&str] = &[
    "nao_encontrado",
    "empresa_sem_configuracao",
    "certificado_invalido",
    "muitas_requisicoes",
    "indisponivel",
    "validacao",
];

/// Refusals of a query by URL.
const RPS_UNANSWERED: &[&str] = &[
    "campo_obrigatorio",
    "nao_encontrado",
    "empresa_sem_configuracao",
    "certificado_invalido",
    "muitas_requisicoes",
    "indisponivel",
    "validacao",
];

pub(crate) static CONSULTAR: ApiOperation = operation("consultarNfsePorChaveOuRps", "Consulta uma NFS-e por chave ou por RPS")
        .text(
            "Pergunta a quem autoriza, como `POST /v1/nfse/consultar-sefaz`: pela `chave`, ou pelo número e a série do RPS, que no padrão nacional são os da DPS. \
             Quem não responde é `503`, nunca `nao_encontrada`.",
        )
        .takes(&[CPF_CNPJ])
        .body("ConsultaDeNfseAnterior", search)
        .answers(&[shows::<SefinView>(200, "O que há.")])
        .refuses(UNANSWERED);

pub(crate) static CONSULTAR_RPS: ApiOperation = operation("consultarRps", "Pergunta se um RPS já virou nota")
        .text(
            "No padrão nacional pergunta à Sefin pela DPS de mesmo número e série. `emitida` é `false` só quando quem autoriza diz que não há nota; quem não \
             responde é `503`. As consultas são contadas por hora, como as de `POST /v1/nfse/consultar-sefaz`. Não usa cota.",
        )
        .takes(&[
            CPF_CNPJ,
            Parameter::query("numero_rps", Type::Within(1, 999_999_999_999_999), "O número do RPS (ou da DPS).", "1").required(),
            Parameter::query("serie", Type::Series(49_999), "A série; 1 se ausente. Com letras, só a do RPS municipal.", "1"),
            Parameter::query(
                "inscricao_municipal",
                Type::Line(15),
                "A inscrição municipal, quando não é a do cadastro; o padrão nacional não a usa.",
                "12345",
            ),
        ])
        .answers(&[shows::<RpsView>(200, "Se há nota, e qual.")])
        .refuses(RPS_UNANSWERED);

const SCHEMAS: &[Schema] = &[
    of::<RpsView>(),
    schema(
        "EmissaoNfseSincrona",
        "O pedido de emissão de uma NFS-e cuja empresa está no caminho.",
        &[
            EMPRESA_DO_CAMINHO,
            must("nota", Type::Free, "O documento, como na rota assíncrona."),
            WEBHOOK,
            REFERENCIA_EXTERNA,
        ],
    ),
    either(
        "CancelamentoNfseSincrono",
        "O pedido de cancelamento, com a empresa no caminho.",
        &["CancelamentoNfseSincronoPorJob", "CancelamentoNfseSincronoPorChave"],
    ),
    schema("CancelamentoNfseSincronoPorJob", "O da NFS-e que um job emitiu.", BY_JOB),
    schema("CancelamentoNfseSincronoPorChave", "O da NFS-e de uma chave.", BY_KEY),
    either(
        "ConsultaDeNfseAnterior",
        "De qual NFS-e se pergunta.",
        &["ConsultaDeNfseAnteriorPorChave", "ConsultaDeNfseAnteriorPorRps"],
    ),
    schema("ConsultaDeNfseAnteriorPorChave", "Pela chave da NFS-e.", &[EMPRESA_DO_CAMINHO, CHAVE]),
    schema(
        "ConsultaDeNfseAnteriorPorRps",
        "Pelo número e a série do RPS.",
        &[
            EMPRESA_DO_CAMINHO,
            must("numero_rps", Type::Numeral(1, 999_999_999_999_999), "O número do RPS (ou da DPS)."),
            may("serie", Type::Series(49_999), "A série; 1 se ausente. Com letras, só a do RPS municipal."),
        ],
    ),
];

fn issue() -> Value {
    let mut body = example();
    if let Some(body) = body.as_object_mut() {
        body.remove("cpf_cnpj");
        body.insert("referencia_externa".to_owned(), "SINCRONA1".into());
    }
    body
}

fn cancellation() -> Value {
    object!({
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "justificativa": "Serviço não prestado ao cliente",
        "codigo_motivo": "2"
    })
}

fn search() -> Value {
    object!({ "numero_rps": 1, "serie": "1" })
}
