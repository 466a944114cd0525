//! Routes without credentials: the card, liveness and status, the documentation itself.

use super::Resource;
use crate::api::docs::operation::{Access, ApiOperation, Parameter, empty, json, media, operation, shows};
use crate::api::home::{CardView, HealthView};
use crate::api::schema::{Schema, Type, may, must, schema};
use crate::api::status::view::StatusView;
use crate::api::view::of;

pub(super) const PUBLICO: Resource = Resource {
    tag: "geral",
    title: "Geral",
    doc: "O cartão do serviço, sinais de vida e esta documentação. Sem autenticação.",
    operations: &[&CARD, &HEALTH, &STATUS, &DOCS, &DOCS_PAGE, &DOCS_ROUTE, &DOCS_JSON, &SWAGGER, &ASSET],
    schemas: SCHEMAS,
};

pub(crate) static CARD: ApiOperation = operation("cartao", "O serviço e seus endereços")
    .text("Um navegador (`Accept: text/html`) recebe a página de entrada; `Vary: Accept`.")
    .access(Access::Public)
    .answers(&[shows::<CardView>(200, "O cartão.")]);

pub(crate) static HEALTH: ApiOperation = operation("saude", "O processo está vivo")
    .text("Não consulta nenhuma dependência: responde 200 mesmo com o banco fora do ar.")
    .access(Access::Public)
    .answers(&[shows::<HealthView>(200, "Vivo.")]);

pub(crate) static STATUS: ApiOperation = operation("status", "O estado de cada parte")
    .text("Pergunta ao banco, à fila, à ponte fiscal e aos trabalhadores. `503` quando uma parte essencial está fora.")
    .access(Access::Public)
    .answers(&[
        shows::<StatusView>(200, "Operacional, ou degradado em algo que não é essencial."),
        shows::<StatusView>(503, "Uma parte essencial está fora do ar."),
    ]);

pub(crate) static DOCS: ApiOperation = operation("referencia", "A referência legível, com guias")
    .access(Access::Public)
    .answers(&[media(200, "A página.", &["text/html"]), empty(304, "A página é a mesma.")]);

pub(crate) static DOCS_PAGE: ApiOperation = operation("paginaDaReferencia", "Um guia ou uma parte da referência")
    .access(Access::Public)
    .takes(&[Parameter::path("pagina", Type::Words(PAGES), "O nome da página.", "primeira-nota")])
    .answers(&[media(200, "A página.", &["text/html"]), empty(304, "A página é a mesma.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static DOCS_ROUTE: ApiOperation = operation("paginaDaRota", "Uma rota, com exemplos em cinco linguagens")
    .access(Access::Public)
    .takes(&[Parameter::path("operacao", Type::Form("^[A-Za-z]{1,60}$"), "O `operationId` da rota.", "emitirNfe")])
    .answers(&[media(200, "A página.", &["text/html"]), empty(304, "A página é a mesma.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static DOCS_JSON: ApiOperation = operation("openapi", "Este documento, OpenAPI 3.1")
    .text("Para gerar clientes. O gerador de Python do openapi-generator faz das notificações chamadas que não compilam: dê a ele `?webhooks=nao`.")
    .access(Access::Public)
    .takes(&[Parameter::query("webhooks", Type::Words(&["sim", "nao"]), "`nao` deixa fora a seção `webhooks`; `sim` se ausente.", "nao")])
    .answers(&[json(200, "O documento.", "DocumentoOpenApi"), empty(304, "O documento é o mesmo.")]);

pub(crate) static SWAGGER: ApiOperation = operation("abrirConsole", "O console que executa chamadas reais")
    .access(Access::Public)
    .answers(&[media(200, "A página.", &["text/html"]), empty(304, "A página é a mesma.")]);

pub(crate) static ASSET: ApiOperation = operation("recursoDaPagina", "Um arquivo das páginas: estilo ou programa")
    .access(Access::Public)
    .takes(&[Parameter::path("arquivo", Type::Text, "O nome do arquivo, também de uma receita.", "estilo.css")])
    .text("Com `If-None-Match`, o `ETag` da resposta anterior, só vem de novo o que mudou.")
    .answers(&[
        media(200, "O arquivo.", &["text/css", "text/javascript", "image/svg+xml", "image/png", "application/json"]),
        empty(304, "O arquivo é o mesmo."),
    ])
    .refuses(&["nao_encontrado"]);

pub(in crate::api::docs) const PAGES: &[&str] = &[
    "primeira-nota",
    "primeiro-mes",
    "contabilidade",
    "email",
    "segundo-fator",
    "entrar-com-provedor",
    "acompanhar",
    "gerar-cliente",
    "acesso",
    "certificado",
    "container",
    "emissao-assistida",
    "mcp",
    "primeira-nfse",
    "primeiro-cte",
    "cte-os",
    "eventos-do-cte",
    "cancelar-e-substituir-nfse",
    "valores-da-nfse",
    "nfse-nt-009",
    "nfse-municipal",
    "nfse-rotas-sincronas",
    "provedores-nfse",
    "idempotencia",
    "webhooks",
    "erros-e-rejeicoes",
    "correcao-e-cancelamento",
    "inutilizacao",
    "notas-recebidas",
    "contingencia",
    "impressao",
    "consultas",
    "simulador",
    "homologacao",
    "operacao",
    "nfce",
    "receitas",
    "documento-nfe",
    "documento-nfce",
    "documento-cte",
    "documento-cte-os",
    "documento-nfse",
    "documento-nfse-municipal",
    "regime-tributario",
    "empresa-sem-ie",
    "migrar-focus-nfe",
    "migrar-nuvem-fiscal",
    "migrar-plugnotas",
    "migrar-sped-nfe",
    "campos-nfe",
    "campos-cte",
    "campos-cte-os",
    "campos-nfce",
    "campos-nfse",
    "campos-nfse-municipal",
    "api",
    "o-que-muda",
    "regras",
    "regras-do-cte",
    "regras-da-nfse",
    "municipios-de-ensaio",
    "codigos",
    "codigos-das-prefeituras",
];

const SCHEMAS: &[Schema] = &[
    of::<CardView>(),
    of::<HealthView>(),
    of::<StatusView>(),
    schema(
        "DocumentoOpenApi",
        "Um documento OpenAPI 3.1.",
        &[
            must("openapi", Type::Text, "Versão do formato."),
            must("info", Type::Free, "Título e versão."),
            must("paths", Type::Free, "As rotas."),
            may("webhooks", Type::Free, "O que o serviço envia; ausente com `webhooks=nao`."),
            must("components", Type::Free, "Os objetos."),
            may("externalDocs", Type::Free, "A referência legível."),
            may("servers", Type::List(&Type::Free), "Onde chamar."),
            may("tags", Type::List(&Type::Free), "Os recursos."),
        ],
    ),
];
