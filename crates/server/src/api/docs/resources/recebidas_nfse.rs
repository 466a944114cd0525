//! `/v1/nfse/recebidas…`.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use super::target::{REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::nfse::recebidas::listar::ReceivedNfsesView;
use crate::api::nfse::recebidas::view::{ReceivedNfseView, ReceivedNfseWithEventsView};
use crate::api::recebidos::sincronizar::SyncedView;
use crate::api::schema::{Schema, SchemaField, Type, either, may, must, schema};
use crate::api::view::of;

pub(super) const RECEBIDAS_NFSE: Resource = Resource {
    tag: "recebidas_nfse",
    title: "NFS-e recebidas",
    doc: "As NFS-e nacionais em que uma empresa da conta é prestadora, tomadora ou intermediária: buscar no Ambiente de Dados Nacional (ADN), listar, baixar, \
          com os eventos do emitente, das partes e do município. O guia [Notas recebidas](/docs/guia/notas-recebidas) conta como o serviço consulta.",
    operations: &[&LISTAR, &SINCRONIZAR, &MANIFESTAR, &DETALHAR, &XML],
    schemas: SCHEMAS,
};

const EXEMPLO: &str = "35503082299999999000191000000000001726111234567890";
const DA_NFSE: Type = Type::Form("^[0-9]{9}[0-9A-Z]{12}[0-9]{29}$");
const CHAVE: Parameter = Parameter::path("chave", DA_NFSE, "A chave da NFS-e, 50 posições.", EXEMPLO);
const DE_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::CpfCnpj,
    "A empresa que a recebeu, quando mais de uma da conta tem parte na nota.",
    "11222333000181",
);
const SITUACAO: Type = Type::Words(&["autorizada", "cancelada"]);
const PAPEL: Type = Type::Words(&["prestador", "tomador", "intermediario"]);
const MES: Type = Type::Form("^[0-9]{4}-(0[1-9]|1[0-2])$");

pub(crate) static LISTAR: ApiOperation = operation("listarNfseRecebidas", "Lista as NFS-e recebidas")
    .text(
        "`de` e `ate` são dias de emissão; `competencia` é o mês do serviço. A NFS-e vem sempre inteira. Também vêm as que a própria empresa emitiu, aqui ou \
         em outro sistema: `papel=tomador` mostra só as de serviços que ela tomou.",
    )
    .takes(&[
        Parameter::query("cpf_cnpj", Type::CpfCnpj, "Só as recebidas por esta empresa.", "11222333000181"),
        Parameter::query("papel", PAPEL, "Só aquelas em que a empresa é isto.", "tomador"),
        Parameter::query("emitente", Type::CpfCnpj, "Só as deste emitente.", "99999999000191"),
        Parameter::query("prestador", Type::CpfCnpj, "Só as deste prestador.", "99999999000191"),
        Parameter::query("competencia", MES, "Só as deste mês.", "2026-11"),
        Parameter::query("de", Type::Date, "Emitidas a partir deste dia.", "2026-11-01"),
        Parameter::query("ate", Type::Date, "Emitidas até este dia.", "2026-11-30"),
        Parameter::query("situacao", SITUACAO, "Só as que estão assim.", "autorizada"),
        Parameter::query("ambiente", AMBIENTE, "Só as deste ambiente.", "homologacao"),
        Parameter::query("chave", DA_NFSE, "Só a desta chave.", EXEMPLO),
        PAGINA,
        LIMITE,
    ])
    .answers(&[shows::<ReceivedNfsesView>(200, "Uma página, as mais novas primeiro.")]);

pub(crate) static SINCRONIZAR: ApiOperation = operation("sincronizarNfseRecebidas", "Busca NFS-e no ADN agora")
        .text(
            "Continua de onde a última consulta parou, até o fim ou até 10 lotes. Os limites do ADN não são publicados: o serviço guarda os da NF-e, uma hora \
             depois de \"nenhum documento\" e 20 consultas avulsas por hora, e antes disso a resposta é `429` com `Retry-After`, e nada é consultado. Com \
             `nsu`, busca um só documento. NFS-e não se pede pela chave: com `chave` a resposta é `422`.",
        )
        .body("SincronizacaoDeNfseRecebidas", sync)
        .answers(&[shows::<SyncedView>(200, "O que veio.")])
        .refuses(&["nao_encontrado", "validacao", "certificado_invalido", "empresa_sem_configuracao"]);

pub(crate) static MANIFESTAR: ApiOperation = operation("manifestarNfse", "Manifesta-se sobre uma NFS-e")
    .text(
        "Confirmação ou rejeição do prestador, do tomador ou do intermediário (eventos 202201 a 204207), assinada e entregue à Sefin Nacional. É um job: \
         `202`, e a consulta ou o webhook diz como acabou. Desligada até que quem opera a instalação a abra com a chave `manifestacao.nfse`: a recepção pela \
         Sefin não foi conferida. Uma confirmação impede o emitente de cancelar. Não consome cota.",
    )
    .body("ManifestacaoNfse", manifestation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceita para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&[
        "permissao_negada",
        "referencia_invalida",
        "nao_encontrado",
        "estado_invalido",
        "validacao",
        "empresa_sem_configuracao",
    ]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharNfseRecebida", "Uma NFS-e recebida e seus eventos")
.text(
    "Com os eventos que o ADN entregou: cancelamento, substituição, decisão de análise fiscal, bloqueio, manifestação.",
)
.takes(&[CHAVE, DE_QUEM])
.answers(&[shows::<ReceivedNfseWithEventsView>(200, "A NFS-e.")])
.refuses(&["nao_encontrado"]);

pub(crate) static XML: ApiOperation = operation("baixarXmlNfseRecebida", "O XML de uma NFS-e recebida")
    .text("A NFS-e como a Sefin a gerou, com a DPS dentro, byte por byte.")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[media(200, "O arquivo.", &["application/xml"])])
    .refuses(&["nao_encontrado"]);

fn manifestation() -> Value {
    json!({ "cpf_cnpj": "11222333000181", "chave": EXEMPLO, "tipo": "confirmacao", "papel": "tomador" })
}

fn sync() -> Value {
    json!({ "cpf_cnpj": "11222333000181" })
}

const QUEM: SchemaField = must("cpf_cnpj", Type::CpfCnpj, "A empresa que se manifesta.");
const DA_CHAVE: SchemaField = must("chave", DA_NFSE, "A chave da NFS-e. Também `chave_acesso`.");
const COMO_QUEM: SchemaField = may("papel", PAPEL, "Como quem ela fala; ausente, o papel que tem na nota recebida.");

const SCHEMAS: &[Schema] = &[
    schema(
        "SincronizacaoDeNfseRecebidas",
        "O que buscar. Sem `nsu`, tudo o que há de novo.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "A empresa que recebe."),
            may("nsu", Type::Within(1, 999_999_999_999_999), "Só o documento deste número."),
        ],
    ),
    either("ManifestacaoNfse", "O que uma parte diz de uma NFS-e.", &["ConfirmacaoDeNfse", "RejeicaoDeNfse"]),
    schema(
        "ConfirmacaoDeNfse",
        "A confirmação.",
        &[
            QUEM,
            DA_CHAVE,
            must("tipo", Type::Words(&["confirmacao"]), "O quê."),
            COMO_QUEM,
            REFERENCIA_EXTERNA,
            WEBHOOK,
        ],
    ),
    schema(
        "RejeicaoDeNfse",
        "A rejeição, e por quê.",
        &[
            QUEM,
            DA_CHAVE,
            must("tipo", Type::Words(&["rejeicao"]), "O quê."),
            COMO_QUEM,
            must(
                "codigo_motivo",
                Type::Words(&["1", "2", "3", "4", "5", "9"]),
                "1 duplicidade, 2 já emitida pelo tomador, 3 não ocorrência do fato gerador, 4 responsabilidade tributária, 5 valor, deduções, serviço ou \
                 data, 9 outros.",
            ),
            may("justificativa", Type::Reason(15, 255), "Por quê; o motivo 9 a pede."),
            REFERENCIA_EXTERNA,
            WEBHOOK,
        ],
    ),
    of::<ReceivedNfsesView>(),
    of::<ReceivedNfseView>(),
    of::<ReceivedNfseWithEventsView>(),
];
