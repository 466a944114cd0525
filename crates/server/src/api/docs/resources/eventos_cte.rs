//! Acts on an existing CT-e, except its cancellation.

use serde_json::{Value, json};

use super::Resource;
use super::nfe::ID;
use super::target::{by_job, by_key};
use crate::api::docs::operation::{ApiOperation, SuccessAnswer, operation, shows};
use crate::api::documento::eventos::EventsView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{Schema, SchemaField, Type, either, may, must, schema};
use fiscal::event::cte::CteEventKind;

pub(super) const EVENTOS_CTE: Resource = Resource {
    tag: "eventos_cte",
    title: "Eventos do CT-e",
    doc: "Carta de correção, comprovante de entrega, insucesso, desacordo, GTV, multimodal, e a lista dos eventos de um CT-e. Cada evento é um job \
          e não consome cota.",
    operations: &[&CORRIGIR, &REGISTRAR, &LISTAR],
    schemas: SCHEMAS,
};

pub(crate) static CORRIGIR: ApiOperation = operation("corrigirCte", "Corrige campos de um CT-e autorizado")
    .text(
        "Cada correção diz o grupo, o campo (tags oficiais) e o novo valor. Só a última carta vale, e por isso o serviço repete nela as correções das \
         anteriores: mande só as novas. Até 20 cartas por CT-e. Valores, imposto, partes, datas e os campos da chave não se corrigem (681): a \
         resposta é 422. Depois de uma carta o CT-e não pode mais ser cancelado (523).",
    )
    .body("CartaCorrecaoCte", correction)
    .answers(TAKEN)
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

pub(crate) static REGISTRAR: ApiOperation = operation("registrarEventoCte", "Registra outro evento de um CT-e")
    .text(
        "`tipo` diz qual; `dados`, os campos dele pelas tags oficiais. O protocolo do CT-e, os textos fixos e, ao cancelar um evento, o protocolo dele \
         são preenchidos pelo serviço. Em `comprovante_entrega` e `insucesso_entrega`, `dados.imagem` (base64) é trocada pelo hash e não é guardada.\n\n\
         Os eventos são do emitente do CT-e; `desacordo` e `cancelar_desacordo` são do tomador: `cpf_cnpj` é o dele, e o CT-e, indicado por `chave`, \
         não precisa estar no serviço. Prazo do desacordo: 45 dias da autorização (787). O que a autoridade deve recusar vem em `avisos`.",
    )
    .body("EventoCte", proof)
    .answers(TAKEN)
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao", "empresa_sem_configuracao"]);

pub(crate) static LISTAR: ApiOperation = operation("listarEventosCte", "Os eventos de um CT-e")
    .text("Por tipo e sequência. `job_id` é nulo num evento que outro sistema da empresa registrou.")
    .takes(&[ID])
    .answers(&[shows::<EventsView>(200, "Os eventos.")])
    .refuses(&["nao_encontrado"]);

const TAKEN: &[SuccessAnswer] = &[
    shows::<AcceptedView>(202, "Aceito para processamento."),
    shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
];

const SCHEMAS: &[Schema] = &[
    either(
        "CartaCorrecaoCte",
        "O pedido de correção: qual CT-e, e o quê.",
        &["CorrecaoCtePorJob", "CorrecaoCtePorChave"],
    ),
    schema("CorrecaoCtePorJob", "A correção do CT-e que um job emitiu.", by_job!(CORRECOES)),
    schema("CorrecaoCtePorChave", "A correção do CT-e de uma chave de acesso.", by_key!(CORRECOES)),
    either("EventoCte", "O pedido: qual CT-e, que evento, e o que ele diz.", &["EventoCtePorJob", "EventoCtePorChave"]),
    schema("EventoCtePorJob", "Um evento do CT-e que um job emitiu.", by_job!(TIPO, DADOS)),
    schema("EventoCtePorChave", "Um evento do CT-e de uma chave de acesso.", by_key!(TIPO, DADOS)),
];

const CORRECOES: SchemaField =
    must("correcoes", Type::ListWithin(&Type::Group(CORRECAO), 1, 100), "De 1 a 100 correções; só as novas.");
const CORRECAO: &[SchemaField] = &[
    must("grupo", Type::TextOf(1, 20), "A tag do grupo que contém o campo diretamente, como `infQ`."),
    must("campo", Type::TextOf(1, 20), "A tag do campo, como `qCarga`."),
    must("valor", Type::TextOf(1, 500), "O que deve ser lido, como estaria no XML."),
    may("item", Type::Numeral(1, 99), "A posição, a partir de 1, quando o grupo se repete."),
];
const TIPO: SchemaField = must("tipo", Type::Words(&CteEventKind::COMMON_ROUTE), "O evento.");
const DADOS: SchemaField = must("dados", Type::Free, "Os campos do evento; `{}` ao cancelar um evento.");

fn correction() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Entregar pela rua lateral" }]
    })
}

fn proof() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "tipo": "comprovante_entrega",
        "dados": {
            "dhEntrega": "2026-11-23T09:00:00-03:00",
            "nDoc": "52998224725",
            "xNome": "Maria da Silva",
            "imagem": "aVZCT1J3MEtHZ28=",
            "infEntrega": ["35261112ABC34501DE35550010000000011847362511"]
        }
    })
}
