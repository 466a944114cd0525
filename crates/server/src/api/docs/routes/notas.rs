//! `/v1/notas` and `/v1/jobs`: lists, searches, reports, and the acts on a job.
//!
//! Law: `spec/interface.md`, Notes and jobs; `spec/not-shown.md` §8.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::{AMBIENTE, JOB_STATUS, NOTA_STATUS, TIPO, document};
use crate::api::docs::operation::{Access, Operation, Parameter, get, json, post};
use crate::api::docs::schema::{Field, Schema, Type, may, must, or_null, schema};

pub(super) const NOTAS: Resource = Resource {
    tag: "notas",
    title: "Consultas e relatórios",
    doc: "Listas de notas, busca de jobs, relatórios de falhas e rejeições. Nada disto consome cota.",
    operations: &[LISTAR, LISTAR_NA_SESSAO, DETALHAR, LOCALIZAR, LOTE, ERROS, REJEITADAS, ITENS, CANCELAR, REPROCESSAR],
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

const LISTAR: Operation = get("/v1/notas", "listarNotas", "Lista as notas da conta")
    .text(
        "Notas são os documentos que a autoridade decidiu, de todas as empresas e dos dois ambientes, a mais nova primeiro. `total` é o do filtro. \
         Com `status=inutilizada`, as faixas de números inutilizadas.",
    )
    .takes(NOTE_FILTERS)
    .answers(&[json(200, "As notas.", "ListaDeNotas")]);

const LISTAR_NA_SESSAO: Operation = get("/v1/auth/notas", "listarNotasDaSessao", "Lista as notas, para usuários")
    .text("A mesma lista de `GET /v1/notas`, só com token de sessão.")
    .access(Access::Session)
    .takes(NOTE_FILTERS)
    .answers(&[json(200, "As notas.", "ListaDeNotas")]);

const DETALHAR: Operation = get("/v1/notas/{chave}", "detalharNota", "Uma nota pela chave de acesso")
    .takes(&[Parameter::path(
        "chave",
        Type::Chave,
        "Chave de acesso, 44 posições, sem máscara.",
        "35261111222333000181550010000012341123456780",
    )])
    .answers(&[json(200, "A nota.", "NotaListada")])
    .refuses(&["nao_encontrado"]);

const LOCALIZAR: Operation = get("/v1/jobs/localizar", "localizarJob", "Acha um job pela referência ou pela venda")
    .text(
        "Depois de uma resposta que não chegou, não reenvie: procure por `ref`, que é exata e não precisa de período. Sem a referência, \
         informe ao menos um destes: `emitente`, `destinatario`, `valor`; o período é de até 90 dias, e são os últimos 7 se ausente. \
         Sem resultado: 404 com `encontrado: false`.",
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
    .answers(&[json(200, "Os jobs, o mais novo primeiro.", "JobsLocalizados")])
    .refuses(&["nao_encontrado", "referencia_invalida", "campo_obrigatorio", "periodo_excedido"]);

const LOTE: Operation = post("/v1/jobs/consultar-lote", "consultarLote", "Consulta até 200 jobs de uma vez")
    .text("Na ordem pedida; um id repetido é respondido uma vez. O que não é um job desta conta vem em `nao_encontrados`.")
    .body("ConsultaEmLote", batch)
    .answers(&[json(200, "Os jobs.", "LoteDeJobs")])
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

const ERROS: Operation = get("/v1/jobs/erros", "listarErros", "Os jobs que falharam num período")
    .text(WINDOW)
    .takes(REPORT)
    .answers(&[json(200, "O relatório.", "RelatorioDeJobs")])
    .refuses(&["periodo_excedido"]);

const REJEITADAS: Operation = get("/v1/jobs/rejeitadas", "listarRejeitadas", "As notas rejeitadas num período")
    .text(WINDOW)
    .takes(REPORT)
    .answers(&[json(200, "O relatório.", "RelatorioDeJobs")])
    .refuses(&["periodo_excedido"]);

const ITENS: Operation = get("/v1/jobs/{job_id}/itens", "listarItens", "Os itens da nota e o que causou a rejeição")
    .text("Os grupos de tributos são os enviados. Uma rejeição da nota inteira não marca item nenhum e está em `rejeicao`.")
    .takes(&[JOB_ID])
    .answers(&[json(200, "Os itens.", "ItensDoJob")])
    .refuses(&["nao_encontrado"]);

const CANCELAR: Operation = post("/v1/jobs/{job_id}/cancelar", "cancelarJob", "Cancela um job que ainda espera")
    .text(
        "Só enquanto `status` é `pending` e nada pode ter sido enviado; o número reservado volta. Uma nota autorizada se cancela com \
         `POST /v1/nfe/cancelar`. A referência continua sendo deste job.",
    )
    .takes(&[JOB_ID])
    .answers(&[json(200, "O job, cancelado.", "Job")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

const REPROCESSAR: Operation = post("/v1/jobs/{job_id}/reprocessar", "reprocessarJob", "Tenta de novo um job que falhou")
    .text(
        "Não consome cota. Se o documento pode ter sido enviado, a autoridade é consultada pela chave antes; enquanto não se sabe o que \
         ela tem, a resposta é 409.",
    )
    .takes(&[JOB_ID])
    .answers(&[json(202, "O job, pendente outra vez.", "Job")])
    .refuses(&["nao_encontrado", "estado_invalido"]);

const SCHEMAS: &[Schema] = &[
    schema(
        "ListaDeNotas",
        "Uma página de notas.",
        &[
            must("notas", Type::List(&Type::Ref("NotaListada")), "A mais nova primeiro."),
            must("total", Type::Integer, "Quantas o filtro acha."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
        ],
    ),
    schema("NotaListada", "Uma nota e o job de que veio.", LISTED),
    schema(
        "JobsLocalizados",
        "O que foi achado.",
        &[
            must("encontrado", Type::Bool, "`true`."),
            must("jobs", Type::List(&Type::Ref("Job")), "O mais novo primeiro."),
            may("ha_mais", Type::Bool, "Se há outra página (na busca pela venda)."),
            may("pagina", Type::Integer, "Esta página, a partir de 1."),
            may("limite", Type::Integer, "Quantos por página."),
            may("de", Type::Date, "O período pesquisado."),
            may("ate", Type::Date, "Último dia do período."),
        ],
    ),
    schema("ConsultaEmLote", "Os jobs a consultar.", &[must("job_ids", Type::ListUpTo(&Type::Text, 200), "Até 200.")])
        .like(batch),
    schema(
        "LoteDeJobs",
        "Os jobs achados e os outros.",
        &[
            must("jobs", Type::List(&Type::Ref("Job")), "Na ordem pedida."),
            must("nao_encontrados", Type::List(&Type::Text), "Como vieram."),
        ],
    ),
    schema("RelatorioDeJobs", "Um relatório: a lista, em páginas, ou o resumo.", REPORT_FIELDS),
    schema(
        "ItensDoJob",
        "Os itens de uma nota.",
        &[
            must("job_id", Type::Uuid, "O job."),
            must("itens", Type::List(&Type::Group(ITEM)), "Na ordem da nota."),
            or_null("rejeicao", Type::Group(REJECTION), "A rejeição, quando houve."),
        ],
    ),
];

const LISTED: &[Field] = document!(
    [
        must("job_id", Type::Uuid, "O job que a emitiu."),
        must("job_status", JOB_STATUS, "O status dele."),
        or_null("referencia_externa", Type::Text, "A referência de quem chamou."),
        must("tipo", TIPO, "Tipo de documento."),
        must("cpf_cnpj", Type::Text, "A empresa."),
        must("emitente", Type::Text, "Igual a `cpf_cnpj`."),
        must("ambiente", AMBIENTE, "Ambiente do documento.")
    ],
    [
        must("consulta", Type::Text, "Caminho para consultar o job."),
        must("criado_em", Type::Instant, "Quando o job foi registrado."),
        must("atualizado_em", Type::Instant, "Última mudança."),
        must("arquivos", Type::Ref("Arquivos"), "O que pode ser baixado.")
    ]
);

const REPORT_FIELDS: &[Field] = &[
    must("de", Type::Date, "Primeiro dia do período."),
    must("ate", Type::Date, "Último dia."),
    must("total", Type::Integer, "Quantos no período."),
    may("jobs", Type::List(&Type::Ref("Job")), "O mais novo primeiro; ausente no resumo."),
    may("pagina", Type::Integer, "Esta página, a partir de 1."),
    may("por_pagina", Type::Integer, "Quantos por página."),
    may("paginas", Type::Integer, "Quantas páginas há."),
    may("resumo", Type::List(&Type::Group(GROUP)), "Só com `formato=resumo`: o motivo mais frequente primeiro."),
];

const GROUP: &[Field] = &[
    may("codigo", Type::Text, "Em `erros`: o código da falha."),
    may("codigo_status", Type::Integer, "Em `rejeitadas`: o cStat."),
    must("motivo", Type::Text, "Em palavras, como no exemplo."),
    must("quantidade", Type::Integer, "Quantos jobs."),
    must("exemplo_job_id", Type::Uuid, "O mais novo."),
];

const ITEM: &[Field] = &[
    must("item", Type::Integer, "nItem, a partir de 1."),
    or_null("cProd", Type::Any, "Como foi enviado."),
    or_null("xProd", Type::Any, "Descrição, como foi enviada."),
    or_null("NCM", Type::Any, "NCM, como foi enviado."),
    or_null("CFOP", Type::Any, "CFOP do item, como foi enviado."),
    or_null("vProd", Type::Any, "Valor bruto, como foi enviado."),
    must("tributos", Type::Free, "`icms`, `ipi`, `pis`, `cofins`, `ibscbs`, `is_`: os grupos enviados, ou nulo."),
    must("causou_rejeicao", Type::Bool, "Se a rejeição é deste item."),
    or_null("motivo", Type::Text, "A rejeição, quando é deste item."),
];

const REJECTION: &[Field] = &[
    or_null("codigo_status", Type::Integer, "cStat da autoridade."),
    or_null("motivo_status", Type::Text, "xMotivo, como veio."),
    or_null("campo", Type::Text, "O campo do seu payload, quando se sabe."),
];

fn batch() -> Value {
    json!({ "job_ids": ["01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"] })
}
