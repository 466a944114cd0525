//! `/v1/cte/recebidos…`.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use crate::api::cte::recebidos::listar::ReceivedCtesView;
use crate::api::cte::recebidos::view::{ReceivedCteView, ReceivedCteWithEventsView};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::recebidos::sincronizar::SyncedView;
use crate::api::schema::{Schema, Type, may, must, schema};
use crate::api::view::of;

pub(super) const RECEBIDOS_CTE: Resource = Resource {
    tag: "recebidos_cte",
    title: "CT-e recebidos",
    doc: "Os CT-e e CT-e OS em que uma empresa da conta é remetente, expedidor, recebedor, destinatário, tomador ou autorizada: buscar no Ambiente \
          Nacional, listar, baixar. O guia [Notas recebidas](/docs/guia/notas-recebidas) conta como o serviço consulta sem causar consumo indevido.",
    operations: &[&LISTAR, &SINCRONIZAR, &DETALHAR, &XML],
    schemas: SCHEMAS,
};

const EXEMPLO: &str = "35261199999999000191570010000000011847362518";
const CHAVE: Parameter = Parameter::path("chave", Type::Chave, "A chave de acesso.", EXEMPLO);
const DE_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::CpfCnpj,
    "A empresa que o recebeu, quando mais de uma da conta tem papel no CT-e.",
    "11222333000181",
);
const SITUACAO: Type = Type::Words(&["autorizada", "cancelada"]);
const PAPEL: Type = Type::Words(&["remetente", "expedidor", "recebedor", "destinatario", "tomador", "autorizado"]);

pub(crate) static LISTAR: ApiOperation = operation("listarCteRecebidos", "Lista os CT-e recebidos")
    .text(
        "`de` e `ate` são dias de emissão. O CT-e vem sempre inteiro: não há resumo nem manifestação. `papel` é o da empresa que o recebeu; ela pode ter \
         mais de um.",
    )
    .takes(&[
        Parameter::query("cpf_cnpj", Type::CpfCnpj, "Só os recebidos por esta empresa.", "11222333000181"),
        Parameter::query("emitente", Type::CpfCnpj, "Só os desta transportadora.", "99999999000191"),
        Parameter::query("papel", PAPEL, "Só aqueles em que a empresa é isto.", "tomador"),
        Parameter::query("de", Type::Date, "Emitidos a partir deste dia.", "2026-11-01"),
        Parameter::query("ate", Type::Date, "Emitidos até este dia.", "2026-11-30"),
        Parameter::query("situacao", SITUACAO, "Só os que estão assim.", "autorizada"),
        Parameter::query("ambiente", AMBIENTE, "Só os deste ambiente.", "homologacao"),
        Parameter::query("chave", Type::Chave, "Só o desta chave.", EXEMPLO),
        PAGINA,
        LIMITE,
    ])
    .answers(&[shows::<ReceivedCtesView>(200, "Uma página, os mais novos primeiro.")]);

pub(crate) static SINCRONIZAR: ApiOperation = operation("sincronizarCteRecebidos", "Busca CT-e no Ambiente Nacional agora")
        .text(
            "Continua de onde a última consulta parou, em lotes de 50, até o fim ou até 10 lotes. Depois de \"nenhum documento\", o Ambiente Nacional \
             exige uma hora de silêncio: antes dela a resposta é `429` com `Retry-After`, e nada é consultado. Com `nsu`, busca um só documento; são 20 \
             dessas consultas por hora. A numeração e os limites não são os das NF-e recebidas. CT-e não se pede pela chave: com `chave` a resposta é `422`.",
        )
        .body("SincronizacaoDeCteRecebidos", sync)
        .answers(&[shows::<SyncedView>(200, "O que veio.")])
        .refuses(&["nao_encontrado", "validacao", "certificado_invalido", "empresa_sem_configuracao"]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharCteRecebido", "Um CT-e recebido e seus eventos")
    .text("Com os eventos que outros registraram: cancelamento, carta de correção, comprovante de entrega, desacordo.")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[shows::<ReceivedCteWithEventsView>(200, "O CT-e.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static XML: ApiOperation = operation("baixarXmlCteRecebido", "O XML de um CT-e recebido")
    .text(
        "O documento com o protocolo (cteProc, cteOSProc), como foi entregue. A quem só está em autXML o Ambiente Nacional troca por noves as chaves dos \
         documentos relacionados, e a assinatura desse XML não confere.",
    )
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[media(200, "O arquivo.", &["application/xml"])])
    .refuses(&["nao_encontrado"]);

fn sync() -> Value {
    json!({ "cpf_cnpj": "11222333000181" })
}

const SCHEMAS: &[Schema] = &[
    schema(
        "SincronizacaoDeCteRecebidos",
        "O que buscar. Sem `nsu`, tudo o que há de novo.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "A empresa que recebe."),
            may("nsu", Type::Within(1, 999_999_999_999_999), "Só o documento deste número."),
        ],
    ),
    of::<ReceivedCtesView>(),
    of::<ReceivedCteView>(),
    of::<ReceivedCteWithEventsView>(),
];
