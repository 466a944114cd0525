//! `/v1/nfe/recebidas…` and `/v1/empresas/{cpf_cnpj}/distribuicao`.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{CPF_CNPJ, LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use super::target::{REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::empresas::distribuicao::DistributionView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::nfe::consulta::view::{RegisterView, ServiceView};
use crate::api::nfe::recebidas::listar::ReceivedNotesView;
use crate::api::nfe::recebidas::view::{ReceivedView, ReceivedWithEventsView};
use crate::api::recebidos::sincronizar::SyncedView;
use crate::api::recebidos::view::ReceivedEventView;
use crate::api::schema::{Schema, Type, either, may, must, schema};
use crate::api::view::of;

pub(super) const RECEBIDAS: Resource = Resource {
    tag: "recebidas",
    title: "NF-e recebidas",
    doc: "O que outros emitiram para as suas empresas: buscar no Ambiente Nacional, listar, baixar. O guia [Notas recebidas](/docs/guia/notas-recebidas) \
          conta como o serviço consulta sem causar consumo indevido.",
    operations: &[&LISTAR, &SINCRONIZAR, &MANIFESTAR, &DETALHAR, &XML, &MOSTRAR, &ALTERAR, &STATUS, &CADASTRO],
    schemas: SCHEMAS,
};

const CHAVE: Parameter =
    Parameter::path("chave", Type::Chave, "A chave de acesso.", "35261199999999000191550010000000011847362510");
const DE_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::CpfCnpj,
    "A empresa destinatária, quando mais de uma da conta recebeu a nota.",
    "11222333000181",
);
const SITUACAO: Type = Type::Words(&["autorizada", "cancelada", "denegada"]);
const TIPO: Type = Type::Words(&["resumo", "completa"]);
const MANIFESTACAO: Type = Type::Words(&["pendente", "ciencia", "confirmacao", "desconhecimento", "nao_realizada"]);

pub(crate) static LISTAR: ApiOperation = operation("listarNfeRecebidas", "Lista as NF-e recebidas")
    .text("`de` e `ate` são dias de emissão. Antes da manifestação, o Ambiente Nacional entrega só o resumo da nota (`tipo: resumo`).")
    .takes(&[
        Parameter::query("cpf_cnpj", Type::CpfCnpj, "Só as recebidas por esta empresa.", "11222333000181"),
        Parameter::query("emitente", Type::CpfCnpj, "Só as deste emitente.", "99999999000191"),
        Parameter::query("de", Type::Date, "Emitidas a partir deste dia.", "2026-11-01"),
        Parameter::query("ate", Type::Date, "Emitidas até este dia.", "2026-11-30"),
        Parameter::query("situacao", SITUACAO, "Só as que estão assim.", "autorizada"),
        Parameter::query("tipo", TIPO, "Só os resumos ou só as completas.", "resumo"),
        Parameter::query("manifestacao", MANIFESTACAO, "Só as que receberam esta manifestação.", "pendente"),
        Parameter::query("ambiente", AMBIENTE, "Só as deste ambiente.", "homologacao"),
        Parameter::query("chave", Type::Chave, "Só a desta chave.", "35261199999999000191550010000000011847362510"),
        PAGINA,
        LIMITE,
    ])
    .answers(&[shows::<ReceivedNotesView>(200, "Uma página, as mais novas primeiro.")]);

pub(crate) static SINCRONIZAR: ApiOperation = operation("sincronizarNfeRecebidas", "Busca no Ambiente Nacional agora")
        .text(
            "Continua de onde a última consulta parou, em lotes de 50, até o fim ou até 10 lotes. Depois de \"nenhum documento\", o Ambiente Nacional \
             exige uma hora de silêncio: antes dela a resposta é `429` com `Retry-After`, e nada é consultado. Com `nsu` ou `chave`, busca um só \
             documento; são 20 dessas consultas por hora.",
        )
        .body("SincronizacaoDeRecebidas", sync)
        .answers(&[shows::<SyncedView>(200, "O que veio.")])
        .refuses(&["nao_encontrado", "estado_invalido", "validacao", "certificado_invalido", "empresa_sem_configuracao"]);

pub(crate) static MANIFESTAR: ApiOperation = operation("manifestarNfe", "Manifesta-se sobre uma NF-e recebida")
    .text(
        "A manifestação é um job: `202`, e a consulta ou o webhook diz como acabou. Depois da ciência, da confirmação ou da operação não realizada, a nota \
         inteira vem na próxima sincronização. Prazos, da autorização em diante: 10 dias para a ciência, 90 para as outras; cada uma das outras pode ser \
         registrada duas vezes, e vale a última. Não consome cota.",
    )
    .body("Manifestacao", manifestation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceita para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["referencia_invalida", "nao_encontrado", "estado_invalido", "validacao", "empresa_sem_configuracao"]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharNfeRecebida", "Uma NF-e recebida e seus eventos")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[shows::<ReceivedWithEventsView>(200, "A nota.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static XML: ApiOperation = operation("baixarXmlNfeRecebida", "O XML recebido")
    .text("A NF-e com o protocolo (procNFe), como foi entregue; enquanto só há resumo, o resumo (resNFe). O nome do arquivo diz qual.")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[media(200, "O arquivo.", &["application/xml"])])
    .refuses(&["nao_encontrado"]);

pub(crate) static MOSTRAR: ApiOperation = operation("mostrarDistribuicao", "Até onde os documentos foram buscados")
    .takes(&[CPF_CNPJ, Parameter::query("tipo", DISTRIBUIDOS, "Que documentos; `nfe`, se ausente.", "cte")])
    .answers(&[shows::<DistributionView>(200, "Como está.")])
    .refuses(&["nao_encontrado", "validacao", "empresa_sem_configuracao"]);

pub(crate) static ALTERAR: ApiOperation = operation("alterarDistribuicao", "Liga ou desliga a busca automática")
        .text(
            "Ligada, o serviço busca os documentos recebidos em segundo plano, de hora em hora, no ambiente da credencial e da configuração. Cada `tipo` \
             tem a sua distribuição: numeração, limites e chave liga-desliga próprios.",
        )
        .takes(&[CPF_CNPJ])
        .body("DistribuicaoAlterada", switch)
        .answers(&[shows::<DistributionView>(200, "Como ficou.")])
        .refuses(&["nao_encontrado", "validacao", "empresa_sem_configuracao"]);

const DISTRIBUIDOS: Type = Type::Words(&["nfe", "cte", "nfse"]);

const UF: Parameter = Parameter::query("uf", Type::Uf, "O estado.", "SP").required();
const COMO_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::CpfCnpj,
    "A empresa cujo certificado se apresenta; qualquer uma da conta, se ausente.",
    "11222333000181",
);
const AMBIENTE_CONSULTADO: Parameter = Parameter::query(
    "ambiente",
    AMBIENTE,
    "O da credencial, se ausente; produção só com credencial de produção.",
    "homologacao",
);

pub(crate) static STATUS: ApiOperation = operation("statusServicoNfe", "O serviço da autoridade de um estado")
    .text("Pergunta à autoridade no máximo a cada três minutos; entre duas perguntas a resposta é a última, e `consultado_em` diz de quando.")
    .takes(&[UF, AMBIENTE_CONSULTADO, COMO_QUEM])
    .answers(&[shows::<ServiceView>(200, "O que a autoridade disse.")])
    .refuses(&["campo_obrigatorio", "nao_encontrado", "certificado_invalido", "validacao"]);

pub(crate) static CADASTRO: ApiOperation = operation(
    "consultarCadastro",
    "Um contribuinte no cadastro do ICMS de um estado",
)
.text("Por um destes: `cnpj`, `cpf` ou `ie`. AM e MA não oferecem a consulta; outros estados podem não responder.")
.takes(&[
    UF,
    Parameter::query("cnpj", Type::CpfCnpj, "CNPJ, com ou sem máscara.", "11222333000181").called(),
    Parameter::query("cpf", Type::CpfCnpj, "Ou CPF.", "11144477735"),
    Parameter::query("ie", Type::Text, "Ou inscrição estadual.", "110042490114"),
    AMBIENTE_CONSULTADO,
    COMO_QUEM,
])
.answers(&[shows::<RegisterView>(200, "Encontrado.")])
.refuses(&["campo_obrigatorio", "nao_encontrado", "certificado_invalido", "validacao"]);

fn sync() -> Value {
    json!({ "cpf_cnpj": "11222333000181" })
}

fn manifestation() -> Value {
    json!({
        "cpf_cnpj": "11222333000181",
        "chave": "35261199999999000191550010000000011847362510",
        "tipo": "ciencia"
    })
}

fn switch() -> Value {
    json!({ "ativa": true })
}

/// Members of a manifestation about a received NF-e.
macro_rules! said {
    ($($own:expr),*) => {
        &[
            must("cpf_cnpj", Type::CpfCnpj, "A empresa destinatária."),
            must("chave", Type::Chave, "A chave de acesso da nota. Também `chave_acesso`."),
            $($own,)*
            REFERENCIA_EXTERNA,
            WEBHOOK,
        ]
    };
}

const SCHEMAS: &[Schema] = &[
    schema(
        "SincronizacaoDeRecebidas",
        "O que buscar. Sem `nsu` e sem `chave`, tudo o que há de novo.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "A empresa destinatária."),
            may("nsu", Type::Within(1, 999_999_999_999_999), "Só o documento deste número."),
            may("chave", Type::Chave, "Só a NF-e desta chave."),
        ],
    ),
    of::<SyncedView>(),
    of::<ReceivedNotesView>(),
    of::<ServiceView>(),
    of::<RegisterView>(),
    either(
        "Manifestacao",
        "O que a empresa diz de uma nota que recebeu.",
        &["ManifestacaoSobreNota", "ManifestacaoNaoRealizada"],
    ),
    schema(
        "ManifestacaoSobreNota",
        "Ciência, confirmação ou desconhecimento.",
        said!(
            must("tipo", Type::Words(&["ciencia", "confirmacao", "desconhecimento"]), "O quê."),
            may("justificativa", Type::Reason(15, 255), "Possível em `desconhecimento`, e em nenhuma das outras.")
        ),
    ),
    schema(
        "ManifestacaoNaoRealizada",
        "Operação não realizada, e por quê.",
        said!(
            must("tipo", Type::Words(&["nao_realizada"]), "O quê."),
            must("justificativa", Type::Reason(15, 255), "Por quê, de 15 a 255 caracteres.")
        ),
    ),
    of::<ReceivedView>(),
    of::<ReceivedWithEventsView>(),
    of::<ReceivedEventView>(),
    schema(
        "DistribuicaoAlterada",
        "Ligar ou desligar.",
        &[
            must("ativa", Type::Bool, "`true` busca em segundo plano."),
            may("tipo", DISTRIBUIDOS, "Que documentos; `nfe`, se ausente."),
        ],
    ),
    of::<DistributionView>(),
];
