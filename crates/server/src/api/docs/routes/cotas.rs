//! `/v1/cotas`.
//!
//! Law: `spec/not-shown.md` §10.

use super::Resource;
use super::jobs::AMBIENTE;
use crate::api::docs::operation::{Operation, get, json};
use crate::api::schema::{Schema, Type, must, or_null, schema};

pub(super) const COTAS: Resource = Resource {
    tag: "cotas",
    title: "Cotas",
    doc: "Cotas por operação e mês, e o ritmo de requisições por credencial (`RateLimit`, `RateLimit-Policy`).",
    operations: &[LISTAR],
    schemas: SCHEMAS,
};

const LISTAR: Operation = get("/v1/cotas", "listarCotas", "O consumo do mês e os limites")
    .text("As do ambiente da credencial. Sem limite configurado, `limite` é nulo. A repetição de uma referência e um `422` não consomem cota.")
    .answers(&[json(200, "As cotas.", "ListaDeCotas")]);

const SCHEMAS: &[Schema] = &[
    schema(
        "ListaDeCotas",
        "As cotas de um ambiente.",
        &[
            must("ambiente", AMBIENTE, "O da credencial."),
            must("cotas", Type::List(&Type::Ref("Cota")), "Uma por família."),
        ],
    ),
    schema(
        "Cota",
        "O consumo de uma família de operações no mês.",
        &[
            must(
                "nome",
                Type::Words(&["nfe", "nfce", "nfse", "cte", "cep", "cnpj", "ncm", "assinatura"]),
                "A família.",
            ),
            must("consumo", Type::Integer, "Quanto já foi usado."),
            or_null("limite", Type::Integer, "Quanto pode ser usado; nulo é sem limite."),
            must("renova_em", Type::Instant, "Quando o consumo volta a zero."),
        ],
    ),
];
