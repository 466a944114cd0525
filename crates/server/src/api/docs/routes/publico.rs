//! Routes that need no credential: the card, signs of life, the documentation itself.

use super::Resource;
use crate::api::docs::operation::{Access, Operation, Parameter, empty, get, json, media};
use crate::api::schema::{Field, Schema, Type, may, must, or_null, schema};

pub(super) const PUBLICO: Resource = Resource {
    tag: "geral",
    title: "Geral",
    doc: "O cartão do serviço, sinais de vida e esta documentação. Sem autenticação.",
    operations: &[CARD, HEALTH, STATUS, DOCS, DOCS_PAGE, DOCS_ROUTE, DOCS_JSON, SWAGGER, ASSET],
    schemas: SCHEMAS,
};

const CARD: Operation = get("/", "cartao", "O serviço e seus endereços").access(Access::Public).answers(&[json(
    200,
    "O cartão.",
    "Cartao",
)]);

const HEALTH: Operation = get("/health", "saude", "O processo está vivo")
    .text("Não consulta nenhuma dependência: responde 200 mesmo com o banco fora do ar.")
    .access(Access::Public)
    .answers(&[json(200, "Vivo.", "Saude")]);

const STATUS: Operation = get("/status", "status", "O estado de cada parte")
    .text("Pergunta ao banco, à fila, à ponte fiscal e aos trabalhadores. `503` quando uma parte essencial está fora.")
    .access(Access::Public)
    .answers(&[
        json(200, "Operacional, ou degradado em algo que não é essencial.", "Status"),
        json(503, "Uma parte essencial está fora do ar.", "Status"),
    ]);

const DOCS: Operation = get("/docs", "referencia", "A referência legível, com guias")
    .access(Access::Public)
    .answers(&[media(200, "A página.", &["text/html"])]);

const DOCS_PAGE: Operation = get("/docs/guia/{pagina}", "paginaDaReferencia", "Um guia ou uma parte da referência")
    .access(Access::Public)
    .takes(&[Parameter::path("pagina", Type::Words(PAGES), "O nome da página.", "primeira-nota")])
    .answers(&[media(200, "A página.", &["text/html"])])
    .refuses(&["nao_encontrado"]);

const DOCS_ROUTE: Operation =
    get("/docs/rotas/{operacao}", "paginaDaRota", "Uma rota, com exemplos em cinco linguagens")
        .access(Access::Public)
        .takes(&[Parameter::path("operacao", Type::Form("^[A-Za-z]{1,60}$"), "O `operationId` da rota.", "emitirNfe")])
        .answers(&[media(200, "A página.", &["text/html"])])
        .refuses(&["nao_encontrado"]);

const DOCS_JSON: Operation = get("/docs/json", "openapi", "Este documento, OpenAPI 3.1")
    .access(Access::Public)
    .answers(&[json(200, "O documento.", "DocumentoOpenApi")]);

const SWAGGER: Operation = get("/swagger", "abrirConsole", "O console que executa chamadas reais")
    .access(Access::Public)
    .answers(&[media(200, "A página.", &["text/html"])]);

const ASSET: Operation =
    get("/docs/recursos/{arquivo}", "recursoDaPagina", "Um arquivo das páginas: estilo ou programa")
        .access(Access::Public)
        .takes(&[Parameter::path("arquivo", Type::Text, "O nome do arquivo, também de uma receita.", "estilo.css")])
        .text("Com `If-None-Match`, o `ETag` da resposta anterior, só vem de novo o que mudou.")
        .answers(&[
            media(200, "O arquivo.", &["text/css", "text/javascript", "application/json"]),
            empty(304, "O arquivo é o mesmo."),
        ])
        .refuses(&["nao_encontrado"]);

pub(in crate::api::docs) const PAGES: &[&str] = &[
    "primeira-nota",
    "acesso",
    "certificado",
    "container",
    "emissao-assistida",
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
    "migrar-focus-nfe",
    "migrar-nuvem-fiscal",
    "migrar-plugnotas",
    "migrar-sped-nfe",
    "campos-nfe",
    "campos-nfce",
    "api",
    "regras",
    "codigos",
];

const SCHEMAS: &[Schema] = &[
    schema(
        "Cartao",
        "O serviço e seus endereços.",
        &[
            must("servico", Type::Text, "Nome."),
            must("descricao", Type::Text, "O que faz."),
            must("versao", Type::Text, "Versão do programa."),
            must("api", Type::Text, "Prefixo das rotas."),
            must("saude", Type::Text, "Caminho do sinal de vida."),
            must("status", Type::Text, "Caminho do estado das partes."),
            must("documentacao", Type::Text, "Caminho da referência."),
            must("openapi", Type::Text, "Caminho do documento OpenAPI."),
            must("console", Type::Text, "Caminho do console."),
            must("erros", Type::Text, "Caminho dos códigos de erro."),
        ],
    ),
    schema("Saude", "Sinal de vida.", &[must("status", Type::Words(&["ok"]), "Como está esta parte.")]),
    schema(
        "Status",
        "O estado de cada parte.",
        &[
            must("status", Type::Words(&["operacional", "degradado", "fora_do_ar"]), "O conjunto."),
            must("versao", Type::Text, "Versão do programa."),
            must("no_ar_ha_s", Type::Integer, "Segundos desde a partida."),
            must("componentes", Type::Group(PARTS), "As partes."),
        ],
    ),
    schema(
        "DocumentoOpenApi",
        "Um documento OpenAPI 3.1.",
        &[
            must("openapi", Type::Text, "Versão do formato."),
            must("info", Type::Free, "Título e versão."),
            must("paths", Type::Free, "As rotas."),
            must("webhooks", Type::Free, "O que o serviço envia."),
            must("components", Type::Free, "Os objetos."),
            may("externalDocs", Type::Free, "A referência legível."),
            may("servers", Type::List(&Type::Free), "Onde chamar."),
            may("tags", Type::List(&Type::Free), "Os recursos."),
        ],
    ),
];

const PARTS: &[Field] = &[
    must(
        "banco_de_dados",
        Type::Group(&[
            must("status", Type::Words(&["ok", "fora"]), "`ok` quando lê e grava."),
            must("leitura", Type::Words(&["ok", "fora"]), "Se responde a consultas."),
            must(
                "escrita",
                Type::Words(&["ok", "fora"]),
                "Se grava: tentado no máximo a cada 5 s. `fora` com o disco cheio.",
            ),
            must("tipo", Type::Text, "`sqlite` ou `postgres`."),
            must("essencial", Type::Bool, "Se o serviço para sem ela."),
        ]),
        "O banco de dados.",
    ),
    must(
        "fila",
        Type::Group(&[
            must("status", Type::Words(&["ok", "fora"]), "Como está esta parte."),
            must("essencial", Type::Bool, "Se o serviço para sem ela."),
            may("pendentes", Type::Integer, "Jobs à espera."),
            may("em_processamento", Type::Integer, "Jobs em andamento."),
            may("espera_mais_longa_s", Type::Integer, "Segundos que o mais antigo espera."),
        ]),
        "A fila de jobs.",
    ),
    must(
        "ponte_fiscal",
        Type::Group(&[
            must("status", Type::Words(&["ok", "degradado"]), "Como está esta parte."),
            must("essencial", Type::Bool, "Se o serviço para sem ela."),
            must("autoridades", Type::List(&Type::Group(AUTHORITY)), "As autoridades com que se falou há pouco."),
            must(
                "contingencia",
                Type::List(&Type::Group(CIRCUIT)),
                "Autoridades paradas, cujas notas vão por outro caminho.",
            ),
        ]),
        "As autoridades fiscais.",
    ),
    must(
        "webhooks",
        Type::Group(&[
            must("status", Type::Words(&["ok", "fora"]), "Como está esta parte."),
            must("essencial", Type::Bool, "Se o serviço para sem ela."),
            may("pendentes", Type::Integer, "Entregas à espera, da primeira tentativa ou de outra."),
            may("espera_mais_longa_s", Type::Integer, "Segundos que a mais antiga já devia ter saído."),
        ]),
        "As notificações a enviar.",
    ),
    must(
        "trabalhadores",
        Type::Group(&[
            must("status", Type::Words(&["ok", "fora", "em_outro_processo"]), "Como está esta parte."),
            or_null("jobs_em_maos", Type::Integer, "Jobs nas mãos deste processo."),
            must("essencial", Type::Bool, "Se o serviço para sem ela."),
        ]),
        "Quem leva os jobs adiante.",
    ),
];

const CIRCUIT: &[Field] = &[
    must("autoridade", Type::Text, "Quem parou; `SVC-AN/SP` é a SVC-AN para as notas de São Paulo."),
    must("modelo", Type::Integer, "55 ou 65."),
    must("ambiente", Type::Words(&["producao", "homologacao"]), "Ambiente: produção ou homologação."),
    must("disjuntor", Type::Words(&["aberto", "meio_aberto"]), "`meio_aberto`: uma nota de prova por vez."),
    or_null("desde", Type::Instant, "Quando a contingência começou."),
    or_null("motivo", Type::Text, "O que se ouviu da autoridade."),
];

const AUTHORITY: &[Field] = &[
    must("autoridade", Type::Text, "Quem responde: `SP`, `SVRS`…"),
    must("ambiente", Type::Words(&["producao", "homologacao"]), "Ambiente: produção ou homologação."),
    must("status", Type::Words(&["ok", "sem_resposta"]), "Como está esta parte."),
    or_null("ultima_resposta", Type::Instant, "Quando respondeu por último."),
    or_null("ultima_falha", Type::Instant, "Quando falhou por último."),
    or_null("codigo_status", Type::Integer, "Última resposta de status do serviço."),
    or_null("motivo_status", Type::Text, "O xMotivo, como veio."),
];
