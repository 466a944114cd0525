//! Acts on an existing NF-e, except its cancellation.

use serde_json::{Value, json};

use super::Resource;
use super::nfe::ID;
use super::target::{by_job, by_key};
use crate::api::docs::operation::{ApiOperation, operation, shows};
use crate::api::documento::eventos::EventsView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{Schema, SchemaField, Type, either, may, must, schema};
use crate::api::view::of;

pub(super) const EVENTOS: Resource = Resource {
    tag: "eventos",
    title: "Eventos da NF-e",
    doc: "Carta de correção, ator interessado, e a lista dos eventos de uma nota. Cada evento é um job e não consome cota.",
    operations: &[&CORRIGIR, &AUTORIZAR, &LISTAR],
    schemas: SCHEMAS,
};

pub(crate) static CORRIGIR: ApiOperation = operation("corrigirNfe", "Corrige uma NF-e autorizada")
    .text(
        "O serviço numera as correções na ordem em que foram pedidas (até 20 por nota); cada uma substitui as anteriores, por isso repita na nova o \
         que continua valendo. Não corrige valores, alíquotas, partes nem datas. `file/xml` do job é o procEventoNFe. NFC-e não tem carta de \
         correção: a resposta é 422.",
    )
    .body("CartaCorrecaoNfe", correction)
    .answers(&[
        shows::<AcceptedView>(202, "Aceita para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

pub(crate) static AUTORIZAR: ApiOperation =
    operation("autorizarAtorNfe", "Permite que um transportador obtenha uma NF-e")
        .text("O evento vai ao Ambiente Nacional. Com `permite_subcontratacao`, o transportador pode indicar outros.")
        .body("AtorInteressadoNfe", carrier)
        .answers(&[
            shows::<AcceptedView>(202, "Aceito para processamento."),
            shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
        ])
        .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

pub(crate) static LISTAR: ApiOperation = operation("listarEventosNfe", "Os eventos de uma NF-e")
    .text("Por tipo e sequência. `job_id` é nulo num evento que outro sistema da empresa registrou.")
    .takes(&[ID])
    .answers(&[shows::<EventsView>(200, "Os eventos.")])
    .refuses(&["nao_encontrado"]);

const SCHEMAS: &[Schema] = &[
    either("CartaCorrecaoNfe", "O pedido de correção: qual nota, e o texto.", &["CorrecaoPorJob", "CorrecaoPorChave"]),
    schema("CorrecaoPorJob", "A correção da nota que um job emitiu.", by_job!(CORRECAO)),
    schema("CorrecaoPorChave", "A correção da nota de uma chave de acesso.", by_key!(CORRECAO)),
    either(
        "AtorInteressadoNfe",
        "O pedido: qual nota, e quem pode obtê-la.",
        &["AtorInteressadoPorJob", "AtorInteressadoPorChave"],
    ),
    schema("AtorInteressadoPorJob", "Um ator para a nota que um job emitiu.", by_job!(ATOR, SUBCONTRATACAO)),
    schema("AtorInteressadoPorChave", "Um ator para a nota de uma chave de acesso.", by_key!(ATOR, SUBCONTRATACAO)),
    of::<EventsView>(),
];

const CORRECAO: SchemaField = must("correcao", Type::Reason(15, 1000), "O que deve ser lido, de 15 a 1000 caracteres.");
const ATOR: SchemaField = must("ator", Type::CpfCnpj, "CNPJ ou CPF do transportador.");
const SUBCONTRATACAO: SchemaField =
    may("permite_subcontratacao", Type::Bool, "Se ele pode indicar outros transportadores; `false` se ausente.");

fn correction() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "correcao": "O peso bruto correto é 12,5 kg"
    })
}

fn carrier() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "ator": "33000167000101",
        "permite_subcontratacao": false
    })
}
