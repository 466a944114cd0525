//! Before issuing: the check of a payload, and emission in two steps.

use serde_json::{Value, json};

use super::Resource;
use super::nfe::{ESTRITO, ITENS, LARGURA, LAYOUT, ORIENTACAO};
use crate::api::docs::operation::{Operation, json, media, post, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{FILLED, Field, REFERENCIA, Schema, Type, may, must, or_null, schema};

pub(super) const ASSISTIDA: Resource = Resource {
    tag: "antes_de_emitir",
    title: "Antes de emitir",
    doc: "Verificar um payload sem emitir; emitir em dois passos, com uma pessoa no meio.",
    operations: &[VERIFICAR, VERIFICAR_NFCE, PREVIA, PREVIA_NFCE, PREPARAR, CONFIRMAR],
    schemas: SCHEMAS,
};

const VERIFICAR: Operation =
    post("/v1/nfe/verificar-campos", "verificarCamposNfe", "Verifica os campos de uma NF-e, sem emitir")
        .text(CHECKED)
        .body("PedidoDeVerificacao", super::nfe::example)
        .answers(&[json(200, "O que foi encontrado.", "Verificacao")])
        .refuses(&["referencia_invalida", "validacao"]);

const VERIFICAR_NFCE: Operation =
    post("/v1/nfce/verificar-campos", "verificarCamposNfce", "Verifica os campos de uma NFC-e, sem emitir")
        .text(CHECKED)
        .body("PedidoDeVerificacao", super::nfce::example)
        .answers(&[json(200, "O que foi encontrado.", "Verificacao")])
        .refuses(&["referencia_invalida", "validacao"]);

const PREVIA: Operation = post("/v1/nfe/previa", "previaNfe", "O DANFE de uma NF-e, sem emitir")
    .text(PREVIEWED)
    .takes(&[LAYOUT, ORIENTACAO, LARGURA, ITENS, ESTRITO])
    .body("EmissaoNfe", super::nfe::example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const PREVIA_NFCE: Operation = post("/v1/nfce/previa", "previaNfce", "O cupom de uma NFC-e, sem emitir")
    .text(PREVIEWED)
    .takes(&[LARGURA, ITENS, ESTRITO])
    .body("EmissaoNfce", super::nfce::example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const PREVIEWED: &str = "Recebe o corpo da emissão, confere como ela e responde o PDF do que seria emitido, sem chave de acesso, sem QR Code e marcado \
     SEM VALOR FISCAL. Nada é registrado, nenhum número é tomado, nenhuma cota é usada.";

const PREPARAR: Operation = post("/v1/nfe/preparar", "prepararNfe", "Prepara uma NF-e para ser confirmada")
    .text(
        "Confere como a emissão, mostra o que seria emitido e devolve o token que a emite. Nada é registrado e nenhuma cota é usada. O token vale uma \
         vez, por 10 minutos, para a conta e o ambiente da credencial.",
    )
    .body("EmissaoNfe", super::nfe::example)
    .answers(&[json(200, "O que seria emitido.", "Preparacao")])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const CONFIRMAR: Operation = post("/v1/nfe/confirmar", "confirmarNfe", "Confirma e emite uma NF-e preparada")
    .text("O token se gasta, a cota é debitada e o job é registrado numa só transação. A resposta é a de `POST /v1/nfe/emitir`.")
    .body("ConfirmacaoNfe", confirmation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceita para processamento."),
        shows::<JobView>(200, "A referência preparada já tinha sido usada: o primeiro job, como está agora."),
    ])
    .refuses(&[
        "nao_encontrado",
        "ambiente_incorreto",
        "confirmacao_usada",
        "confirmacao_expirada",
        "estado_invalido",
        "teto_excedido",
        "documento_invalido",
        "empresa_sem_configuracao",
        "cota_excedida",
        "fila_cheia",
    ]);

const CHECKED: &str = "Recebe o mesmo corpo da emissão e responde `200` com tudo de uma vez: nomes desconhecidos com o nome certo, o que falta, o que está \
     errado, as rejeições que a autoridade daria e os totais que o serviço somaria. Nada é registrado e nenhuma cota é usada. `valido` é `true` quando \
     as quatro primeiras listas estão vazias; `avisos` não o muda.";

const SCHEMAS: &[Schema] = &[
    schema(
        "PedidoDeVerificacao",
        "O corpo da emissão. `nota` pode estar errada de qualquer jeito: é o que se quer saber.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa emitente, com ou sem máscara, letras aceitas."),
            must("nota", Type::Free, "O documento, como na emissão."),
            may("webhook_url", Type::Url, "Aceito como na emissão."),
            may("referencia_externa", REFERENCIA, "Aceita como na emissão; continua livre."),
        ],
    ),
    schema(
        "Verificacao",
        "O que há a dizer de um payload.",
        &[
            must("sucesso", Type::Bool, "`true`: a verificação foi feita."),
            must("valido", Type::Bool, "Se não há nada nas quatro primeiras listas."),
            must("ambiente", Type::Words(&["producao", "homologacao"]), "Para onde a nota iria."),
            must(
                "campos_desconhecidos",
                Type::List(&Type::Group(FOUND)),
                "Nomes que seriam ignorados; `sugestao` é o nome certo.",
            ),
            must(
                "campos_ausentes",
                Type::List(&Type::Group(FOUND)),
                "O que falta: sem isso a nota não se monta, ou sairia com zero.",
            ),
            must("erros", Type::List(&Type::Group(FOUND)), "O que está errado, pelas nossas contas."),
            must("rejeicoes_previstas", Type::List(&Type::Group(PREDICTED)), "O que a autoridade recusaria."),
            must("avisos", Type::List(&Type::Group(FOUND)), "O que seria assumido ou mudado; não impede nada."),
            must("totais_calculados", Type::Free, "A soma dos itens, pelas tags oficiais."),
            may("omitidos", Type::Group(OMITTED), "Quando alguma lista passa de 100: quantos há além dos mostrados."),
        ],
    ),
    schema(
        "Preparacao",
        "Uma emissão que espera a confirmação de uma pessoa.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("token_confirmacao", Type::Text, "Mostrado uma vez; é o que se envia a `confirmar`."),
            must("expira_em", Type::Instant, "Até quando o token vale."),
            must("resumo", Type::Group(SUMMARY), "O que mostrar a quem confirma."),
            must("avisos", Type::List(&Type::Free), "Os que a emissão daria."),
            must(
                "teto",
                Type::Group(&[
                    or_null(
                        "valor_maximo",
                        Type::Number,
                        "Quanto a conta pode confirmar numa nota; nulo: qualquer valor.",
                    ),
                    must("dentro_do_teto", Type::Bool, "Se esta nota cabe. A confirmação confere outra vez."),
                ]),
                "O teto da conta.",
            ),
            must("requer_confirmacao_humana", Type::Bool, "`true`."),
            must("confirmar", Type::Text, "Para onde enviar o token."),
        ],
    ),
    schema(
        "ConfirmacaoNfe",
        "A confirmação.",
        &[must("token_confirmacao", FILLED, "O token que `preparar` devolveu.")],
    ),
];

const SUMMARY: &[Field] = &[
    must("emitente", Type::Group(PARTY), "Quem emite."),
    or_null("destinatario", Type::Group(PARTY), "Para quem."),
    must("itens", Type::List(&Type::Group(LINE)), "Na ordem da nota."),
    must("quantidade_itens", Type::Integer, "Quantos itens a nota tem."),
    must("valor_total", Type::Number, "vNF."),
    must("ambiente", Type::Words(&["producao", "homologacao"]), "Para onde a nota iria."),
    must("natureza", Type::Text, "natOp."),
];

const PARTY: &[Field] = &[
    or_null("cpf_cnpj", Type::Text, "CNPJ, CPF ou documento estrangeiro."),
    or_null("nome", Type::Text, "Razão social ou nome."),
];

const LINE: &[Field] = &[
    must("codigo", Type::Text, "cProd."),
    must("descricao", Type::Text, "xProd."),
    must("CFOP", Type::Text, "CFOP do item, como foi enviado."),
    must("unidade", Type::Text, "uCom."),
    must("quantidade", Type::Number, "qCom."),
    must("valor_unitario", Type::Number, "vUnCom."),
    must("valor_total", Type::Number, "vProd."),
];

const OMITTED: &[Field] = &[
    must("campos_desconhecidos", Type::Integer, "Além dos 100 mostrados; a busca para em 1.000."),
    must("campos_ausentes", Type::Integer, "O mesmo."),
    must("erros", Type::Integer, "O mesmo."),
    must("rejeicoes_previstas", Type::Integer, "O mesmo."),
    must("avisos", Type::Integer, "O mesmo."),
];

const FOUND: &[Field] = &[
    must("campo", Type::Text, "Caminho no seu payload."),
    must("codigo", Type::Text, "Palavra estável, com página em `/docs/erros`."),
    must("mensagem", Type::Text, "O que é e o que fazer."),
    or_null("sugestao", Type::Text, "O nome ou o valor certo."),
];

const PREDICTED: &[Field] = &[
    must("codigo_status", Type::Integer, "O cStat que a autoridade responderia."),
    must("motivo_status", Type::Text, "O texto oficial."),
    must("campo", Type::Text, "Caminho no seu payload."),
    must("mensagem", Type::Text, "Em palavras."),
    or_null("sugestao", Type::Text, "O valor certo, quando há um só; o que fazer diz `mensagem`."),
];

fn confirmation() -> Value {
    json!({ "token_confirmacao": "crb_conf_5f2c8b1e9d3a47600c4e8f7a1b2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e" })
}
