//! `/v1/notas` and `/v1/jobs`: lists, searches, reports, and the acts on a job.
//!
//! Law: `docs/contract.md`, "Jobs" and "Reports and search".

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::{AMBIENTE, NOTA_STATUS, TIPO};
use crate::api::docs::operation::{Access, ApiOperation, Parameter, json, operation, shows};
use crate::api::job::view::{JobView, ListedNotaView};
use crate::api::jobs::consultar_lote::BatchView;
use crate::api::jobs::itens::ItemsView;
use crate::api::jobs::localizar::LocatedJobsView;
use crate::api::jobs::relatorio::{ReasonsView, ReportedJobsView};
use crate::api::notas::listar::NotesView;
use crate::api::schema::{Schema, Type, either, must, schema};
use crate::api::view::{NamedView, of};

pub(super) const NOTAS: Resource = Resource {
    tag: "notas",
    title: "Consultas e relatórios",
    doc: "Listas de notas, busca de jobs, relatórios de falhas e rejeições. Nada disto consome cota.",
    operations: &[
        &LISTAR,
        &LISTAR_NA_SESSAO,
        &DETALHAR,
        &LOCALIZAR,
        &LOTE,
        &ERROS,
        &REJEITADAS,
        &ITENS,
        &CANCELAR,
        &REPROCESSAR,
    ],
    schemas: SCHEMAS,
};

const JOB_ID: Parameter = Parameter::path("job_id", Type::Uuid, "O job.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e");
const TIPO_PEDIDO: Parameter = Parameter::query("tipo", TIPO, "Só deste tipo de documento.", "nfe");
const EMITENTE: Parameter =
    Parameter::query("emitente", Type::CpfCnpj, "CNPJ ou CPF da empresa, com ou sem máscara.", "11222333000181");
const DESTINATARIO: Parameter =
    Parameter::query("destinatario", Type::CpfCnpj, "CNPJ ou CPF do destinatário, com ou sem máscara.", "52998224725");
const AMBIENTE_PEDIDO: Parameter = Parameter::query("ambiente", AMBIENTE, "Só deste ambiente.", "homologacao");
const DE: Parameter = Parameter::query(
    "de",
    Type::Date,
    "Primeiro dia do registro do job, no horário do estado de `emitente` ou no de Brasília.",
    "2026-11-01",
);
const ATE: Parameter = Parameter::query("ate", Type::Date, "Último dia, inclusive.", "2026-11-20");

const NOTE_FILTERS: &[Parameter] = &[
    TIPO_PEDIDO,
    Parameter::query("status", NOTA_STATUS, "Só notas com este status.", "autorizada"),
    EMITENTE,
    DESTINATARIO,
    Parameter::query("serie", Type::Within(0, 999), "Só desta série.", "1"),
    Parameter::query("numero", Type::Within(1, 999_999_999), "Só deste número.", "1234"),
    AMBIENTE_PEDIDO,
    DE,
    ATE,
    Parameter::query(
        "chave",
        Type::Chave,
        "A nota desta chave de acesso.",
        "35261111222333000181550010000012341123456780",
    ),
    LIMITE,
    PAGINA,
];

pub(crate) static LISTAR: ApiOperation = operation("listarNotas", "Lista as notas da conta")
    .text(
        "Notas são os documentos que a autoridade decidiu, de todas as empresas e dos dois ambientes, a mais nova primeiro. `total` é o do filtro. \
         Com `status=inutilizada`, as faixas de números inutilizadas.",
    )
    .takes(NOTE_FILTERS)
    .answers(&[shows::<NotesView>(200, "As notas.")]);

pub(crate) static LISTAR_NA_SESSAO: ApiOperation = operation("listarNotasDaSessao", "Lista as notas, para usuários")
    .text("A mesma lista de `GET /v1/notas`, só com token de sessão.")
    .access(Access::Session)
    .takes(NOTE_FILTERS)
    .answers(&[shows::<NotesView>(200, "As notas.")]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharNota", "Uma nota pela chave de acesso")
    .takes(&[Parameter::path(
        "chave",
        Type::Chave,
        "Chave de acesso, 44 posições (50 da NFS-e), sem máscara.",
        "35261111222333000181550010000012341123456780",
    )])
    .answers(&[shows::<ListedNotaView>(200, "A nota.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static LOCALIZAR: ApiOperation = operation("localizarJob", "Acha um job pela referência ou pela venda")
    .text(
        "Depois de uma resposta que não chegou, não reenvie: procure por `ref`, que é exata e não precisa de período. Sem a referência, \
         informe ao menos um destes: `emitente`, `destinatario`, `valor`; o período é de até 90 dias, e são os últimos 7 se ausente. \
         Sem resultado: 404 com `encontrado: false`; ou, depois de restaurada uma cópia do banco, 409 `registro_incerto`: a operação pode ter \
         sido registrada no intervalo que ele desconhece.",
    )
    .takes(&[
        Parameter::query("ref", Type::TextOf(1, 120), "A `referencia_externa`, exata.", "PED1001").called(),
        EMITENTE,
        DESTINATARIO,
        Parameter::query("valor", Type::Text, "O total exato da nota, com ponto.", "100.00"),
        DE,
        ATE,
        LIMITE,
        PAGINA,
    ])
    .answers(&[shows::<LocatedJobsView>(200, "Os jobs, o mais novo primeiro.")])
    .refuses(&["registro_incerto", "nao_encontrado", "referencia_invalida", "campo_obrigatorio", "periodo_excedido"]);

pub(crate) static LOTE: ApiOperation = operation("consultarLote", "Consulta até 200 jobs de uma vez")
    .text("Na ordem pedida; um id repetido é respondido uma vez. O que não é um job desta conta vem em `nao_encontrados`.")
    .body("ConsultaEmLote", batch)
    .answers(&[shows::<BatchView>(200, "Os jobs.")])
    .refuses(&["lote_excedido"]);

const REPORT: &[Parameter] = &[
    DE,
    ATE,
    EMITENTE,
    TIPO_PEDIDO,
    AMBIENTE_PEDIDO,
    Parameter::query("formato", Type::Words(&["lista", "resumo"]), "`resumo` agrupa por motivo.", "resumo"),
    Parameter::query("por_pagina", Type::Within(1, 200), "Quantos por página, até 200; 50 se ausente.", "50"),
    PAGINA,
];
const WINDOW: &str = "Até 90 dias; sem datas, os últimos 7; sem `ate`, até hoje; sem `de`, os 7 dias antes de `ate`. O período é o do registro do job.";

pub(crate) static ERROS: ApiOperation = operation("listarErros", "Os jobs que falharam num período")
    .text(WINDOW)
    .takes(REPORT)
    .answers(&[json(200, "O relatório.", "RelatorioDeJobs")])
    .refuses(&["periodo_excedido"]);

pub(crate) static REJEITADAS: ApiOperation = operation("listarRejeitadas", "As notas rejeitadas num período")
    .text(WINDOW)
    .takes(REPORT)
    .answers(&[json(200, "O relatório.", "RelatorioDeJobs")])
    .refuses(&["periodo_excedido"]);

pub(crate) static ITENS: ApiOperation = operation("listarItens", "Os itens da nota e o que causou a rejeição")
    .text("Os grupos de tributos são os enviados. Uma rejeição da nota inteira não marca item nenhum e está em `rejeicao`.")
    .takes(&[JOB_ID])
    .answers(&[shows::<ItemsView>(200, "Os itens.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarJob", "Cancela um job que ainda espera")
    .text(
        "Só enquanto `status` é `pending` e nada pode ter sido enviado; o número reservado volta. Uma nota autorizada se cancela com \
         `POST /v1/nfe/cancelar`. A referência continua sendo deste job.",
    )
    .takes(&[JOB_ID])
    .answers(&[shows::<JobView>(200, "O job, cancelado.")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

pub(crate) static REPROCESSAR: ApiOperation = operation("reprocessarJob", "Tenta de novo um job que falhou")
    .text(
        "Não consome cota. Se o documento pode ter sido enviado, a autoridade é consultada pela chave antes; enquanto não se sabe o que \
         ela tem, a resposta é 409.",
    )
    .takes(&[JOB_ID])
    .answers(&[shows::<JobView>(202, "O job, pendente outra vez.")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

const SCHEMAS: &[Schema] = &[
    of::<NotesView>(),
    of::<ListedNotaView>(),
    of::<LocatedJobsView>(),
    schema("ConsultaEmLote", "Os jobs a consultar.", &[must("job_ids", Type::ListUpTo(&Type::Text, 200), "Até 200.")])
        .like(batch),
    of::<BatchView>(),
    either(
        "RelatorioDeJobs",
        "Um relatório: a lista, em páginas, ou o resumo.",
        &[ReportedJobsView::NAME, ReasonsView::NAME],
    ),
    of::<ReportedJobsView>(),
    of::<ReasonsView>(),
    of::<ItemsView>(),
];

fn batch() -> Value {
    json!({ "job_ids": ["01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"] })
}
