//! The body of every refusal, and of every notice.
//!
//! Law: `docs/contract.md`, "Errors".

use super::Resource;
use crate::api::docs::operation::{Access, ApiOperation, Parameter, media, operation};
use crate::api::schema::{Schema, Type, may, must, or_null, perhaps, schema};

pub(super) const ERROS: Resource = Resource {
    tag: "erros",
    title: "Erros",
    doc: "Cada `codigo` tem uma página que diz o que aconteceu, por quê e o que fazer.",
    operations: &[&INDEX, &PAGE],
    schemas: SCHEMAS,
};

pub(crate) static INDEX: ApiOperation = operation("listarCodigosDeErro", "Todos os códigos de erro")
    .access(Access::Public)
    .answers(&[media(200, "Página com a lista.", &["text/html"])]);

pub(crate) static PAGE: ApiOperation = operation("explicarCodigoDeErro", "A página de um código de erro")
    .text("HTML; com `Accept: text/markdown`, o texto em Markdown.")
    .access(Access::Public)
    .takes(&[Parameter::path(
        "codigo",
        Type::Form("^[a-z_]+$"),
        "O `codigo` de um erro ou aviso.",
        "campo_obrigatorio",
    )])
    .answers(&[media(200, "A página.", &["text/html", "text/markdown"])])
    .refuses(&["nao_encontrado"]);

const SCHEMAS: &[Schema] = &[
    schema(
        "Erro",
        "Recusa, RFC 9457. `erros` lista todos os problemas encontrados, nunca só o primeiro.",
        &[
            must("type", Type::Text, "Página que explica o código."),
            must("title", Type::Text, "O código em palavras."),
            must("status", Type::Integer, "O status HTTP."),
            must("detail", Type::Text, "O que aconteceu e o que fazer."),
            must("instance", Type::Text, "O caminho pedido."),
            must("sucesso", Type::Bool, "Sempre `false`."),
            must("codigo", Type::Text, "Código estável; programe por ele."),
            must("mensagem", Type::Text, "Igual a `detail`."),
            must("erros", Type::List(&Type::Ref("Problema")), "Todos os problemas, até 100."),
            may(
                "erros_omitidos",
                Type::Integer,
                "Quantos problemas há além dos 100 de `erros`; a busca para em 1.000.",
            ),
            must("requisicao_id", Type::Text, "O mesmo de `X-Request-Id`; informe-o ao suporte."),
            may(
                "avisos",
                Type::List(&Type::Ref("Aviso")),
                "NFS-e: o que a emissão aceita teria em `avisos`; nada foi registrado.",
            ),
            may("encontrado", Type::Bool, "`false` nas consultas de CEP, CNPJ e NCM que nada encontram."),
            may(
                "codigo_status",
                Type::Code,
                "O código da autoridade que recusou uma consulta: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e.",
            ),
            may("motivo_status", Type::Text, "O xMotivo, sem alteração."),
            may("job_id", Type::Uuid, "`confirmacao_usada`: o job que o token já registrou."),
            may("consulta", Type::Text, "`confirmacao_usada`: o caminho para consultar esse job."),
            may(
                "id_confirmacao",
                Type::Uuid,
                "`confirmacao_pendente`, `confirmacao_recusada`: o nome público do que foi preparado.",
            ),
            may(
                "url_confirmacao",
                Type::Text,
                "`confirmacao_pendente`, `confirmacao_recusada`: a página em que uma pessoa decide, ou decidiu.",
            ),
            may("motivo", Type::Text, "`confirmacao_recusada`: por que foi recusada, nas palavras de quem recusou."),
            may("numero", Type::Integer, "Inutilização: o número da faixa que não está livre."),
            may("proxima_em", Type::Instant, "Distribuição: quando a lei permite perguntar de novo."),
            may("copia_de", Type::Instant, "`registro_incerto`: o instante da cópia que o banco é."),
            may("restaurado_em", Type::Instant, "`registro_incerto`: quando essa cópia foi posta no lugar do banco."),
        ],
    ),
    schema(
        "Problema",
        "Um problema, em um lugar.",
        &[
            must("campo", Type::Text, "Caminho no corpo enviado, ou nome do parâmetro."),
            must("codigo", Type::Text, "Código do problema."),
            must("mensagem", Type::Text, "O que está errado e o que fazer."),
            or_null("sugestao", Type::Text, "O nome ou valor certo mais parecido."),
        ],
    ),
    schema(
        "Aviso",
        "O que o serviço ignorou, completou ou prevê, sem recusar.",
        &[
            must("campo", Type::Text, "Caminho no corpo enviado."),
            must(
                "codigo",
                Type::Text,
                "`campo_desconhecido`, `assumido_zero`, `assumido_padrao`, `rejeicao_prevista`…",
            ),
            must("mensagem", Type::Text, "O aviso em palavras."),
            or_null("sugestao", Type::Text, "O nome ou valor certo mais parecido."),
            perhaps(
                "codigo_status",
                Type::Code,
                "O código da rejeição prevista: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e.",
            ),
        ],
    ),
];
