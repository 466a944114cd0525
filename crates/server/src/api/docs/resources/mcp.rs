//! `/mcp`: the entry point of agents. The catalogue itself describes its tools.

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::operation::{Access, ApiOperation, empty, json, media, operation};
use crate::api::schema::{Schema, SchemaField, Type, may, must, perhaps, schema};

pub(super) const MCP: Resource = Resource {
    tag: "mcp",
    title: "MCP",
    doc: "O servidor MCP: consultas, leitura e emissão assistida para agentes de IA. Os mesmos cabeçalhos, cotas e limites das outras rotas.",
    operations: &[&CATALOGUE, &MESSAGE],
    schemas: SCHEMAS,
};

pub(crate) static CATALOGUE: ApiOperation = operation("catalogoMcp", "O catálogo de ferramentas")
    .text("JSON com os esquemas, ou uma página com `Accept: text/html`. Na porta própria (`mcp.endereco`) está também na raiz.")
    .access(Access::Public)
    .answers(&[
        json(200, "O catálogo.", "CatalogoMcp"),
        media(200, "A página.", &["text/html"]),
        empty(304, "O catálogo é o mesmo."),
        empty(405, "Não há fluxo de eventos: cada mensagem é respondida por si."),
    ])
    .refuses(&["origem_nao_permitida", "nao_encontrado"]);

pub(crate) static MESSAGE: ApiOperation = operation("mensagemMcp", "Uma mensagem do protocolo")
    .text(
        "Streamable HTTP, revisões 2026-07-28, 2025-11-25 e 2025-06-18, sem sessão no servidor. A resposta é um objeto JSON-RPC; o erro de uma \
         ferramenta vem dentro do resultado, com `isError`. A chave também vale em `Authorization: Bearer`.",
    )
    .body("MensagemMcp", example)
    .answers(&[
        json(200, "A resposta.", "RespostaMcp"),
        empty(202, "Uma notificação, que não tem resposta."),
        json(400, "A mensagem, ou a revisão que ela pede, não é aceita.", "RespostaMcp"),
        json(404, "O método não existe nesta revisão.", "RespostaMcp"),
    ])
    .refuses(&["origem_nao_permitida", "nao_encontrado", "requisicao_invalida"]);

fn example() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "validar_ncm", "arguments": { "codigo": "01012100" } } })
}

const ID: Type = Type::Either(&[Type::Text, Type::Integer]);

const SCHEMAS: &[Schema] = &[
    schema("CatalogoMcp", "O que um agente pode chamar.", CATALOGO),
    schema(
        "MensagemMcp",
        "Uma mensagem JSON-RPC 2.0.",
        &[
            must("jsonrpc", Type::Words(&["2.0"]), "Sempre `2.0`."),
            perhaps("id", ID, "Identifica a pergunta; sem ele é uma notificação."),
            must("method", Type::Text, "O método: `tools/call`, `tools/list`."),
            perhaps("params", Type::Free, "Os parâmetros do método."),
        ],
    ),
    schema(
        "RespostaMcp",
        "Uma resposta JSON-RPC 2.0.",
        &[
            must("jsonrpc", Type::Words(&["2.0"]), "Sempre `2.0`."),
            may("id", ID, "O da pergunta."),
            perhaps("result", Type::Free, "O resultado."),
            perhaps("error", Type::Free, "Um erro do protocolo: `code`, `message`."),
        ],
    ),
];

const CATALOGO: &[SchemaField] = &[
    must("nome", Type::Text, "O nome do servidor."),
    must("versao", Type::Text, "Versão do programa."),
    must("transporte", Type::Text, "`streamable-http`."),
    must("caminho", Type::Text, "Onde as mensagens são recebidas."),
    must("revisoes", Type::List(&Type::Text), "As revisões do protocolo, a mais nova primeiro."),
    must("autenticacao", Type::Text, "Como enviar a chave."),
    must("guia", Type::Text, "Caminho do guia."),
    must("ferramentas", Type::List(&Type::Free), "As ferramentas, como em `tools/list`."),
];
