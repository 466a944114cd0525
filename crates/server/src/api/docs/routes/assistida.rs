//! Before issuing: the check of a payload.

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::operation::{Operation, json, post};
use crate::api::docs::schema::{FILLED, Field, Schema, Type, may, must, or_null, schema};

pub(super) const ASSISTIDA: Resource = Resource {
    tag: "Antes de emitir",
    doc: "Verificar um payload sem emitir.",
    operations: &[VERIFICAR, VERIFICAR_NFCE],
    schemas: SCHEMAS,
};

const VERIFICAR: Operation =
    post("/v1/nfe/verificar-campos", "verificarCamposNfe", "Verifica os campos de uma NF-e, sem emitir")
        .text(CHECKED)
        .body("EmissaoNfe", super::nfe::example)
        .answers(&[json(200, "O que foi encontrado.", "Verificacao")])
        .refuses(&["referencia_invalida", "validacao"]);

const VERIFICAR_NFCE: Operation =
    post("/v1/nfce/verificar-campos", "verificarCamposNfce", "Verifica os campos de uma NFC-e, sem emitir")
        .text(CHECKED)
        .body("VerificacaoNfce", nfce)
        .answers(&[json(200, "O que foi encontrado.", "Verificacao")])
        .refuses(&["referencia_invalida", "validacao"]);

const CHECKED: &str = "Recebe o mesmo corpo da emissão e responde `200` com tudo de uma vez: nomes desconhecidos com o nome certo, o que falta, o que está \
     errado, as rejeições que a autoridade daria e os totais que o serviço somaria. Nada é registrado e nenhuma cota é usada. `valido` é `true` quando \
     as quatro primeiras listas estão vazias; `avisos` não o muda.";

const SCHEMAS: &[Schema] = &[
    schema(
        "VerificacaoNfce",
        "O pedido de verificação de uma NFC-e: o corpo da emissão.",
        &[
            must("cpf_cnpj", FILLED, "CNPJ ou CPF da empresa emitente, com ou sem máscara, letras aceitas."),
            must("nota", Type::Free, "O documento."),
            may("webhook_url", Type::Form("^https?://"), "Aceito como na emissão."),
            may("referencia_externa", Type::Form("^[A-Za-z0-9]{1,120}$"), "Aceita como na emissão; continua livre."),
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
        ],
    ),
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
    or_null("sugestao", Type::Text, "O que fazer, quando a regra o diz."),
];

fn nfce() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "nota": {
            "produtos": [{
                "cProd": "CAD-96", "xProd": "Caderno 96 folhas", "NCM": "48202000", "CFOP": 5102, "uCom": "UN",
                "qCom": 2, "vUnCom": 5, "vProd": 10,
                "icms": { "orig": 0, "CSOSN": "102" }, "pis": { "CST": "49" }, "cofins": { "CST": "49" }
            }],
            "pagamentos": [{ "tPag": "17", "vPag": 10 }]
        }
    })
}
