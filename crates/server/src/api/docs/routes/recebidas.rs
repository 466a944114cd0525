//! `/v1/nfe/recebidas…` and `/v1/empresas/{cpf_cnpj}/distribuicao`.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{CPF_CNPJ, LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use super::target::{REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{Operation, Parameter, get, json, media, post, put, shows};
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::schema::{Field, Schema, Type, either, may, must, or_null, schema};

pub(super) const RECEBIDAS: Resource = Resource {
    tag: "recebidas",
    title: "NF-e recebidas",
    doc: "O que outros emitiram para as suas empresas: buscar no Ambiente Nacional, listar, baixar. O guia [Notas recebidas](/docs/guia/notas-recebidas) \
          conta como o serviço consulta sem causar consumo indevido.",
    operations: &[LISTAR, SINCRONIZAR, MANIFESTAR, DETALHAR, XML, MOSTRAR, ALTERAR, STATUS, CADASTRO],
    schemas: SCHEMAS,
};

const CHAVE: Parameter =
    Parameter::path("chave", Type::Chave, "A chave de acesso.", "35261199999999000191550010000000011847362510");
const DE_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::Text,
    "A empresa destinatária, quando mais de uma da conta recebeu a nota.",
    "11222333000181",
);
const SITUACAO: Type = Type::Words(&["autorizada", "cancelada", "denegada"]);
const TIPO: Type = Type::Words(&["resumo", "completa"]);
const MANIFESTACAO: Type = Type::Words(&["pendente", "ciencia", "confirmacao", "desconhecimento", "nao_realizada"]);

const LISTAR: Operation = get("/v1/nfe/recebidas", "listarNfeRecebidas", "Lista as NF-e recebidas")
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
    .answers(&[json(200, "Uma página, as mais novas primeiro.", "ListaDeNotasRecebidas")]);

const SINCRONIZAR: Operation =
    post("/v1/nfe/recebidas/sincronizar", "sincronizarNfeRecebidas", "Busca no Ambiente Nacional agora")
        .text(
            "Continua de onde a última consulta parou, em lotes de 50, até o fim ou até 10 lotes. Depois de \"nenhum documento\", o Ambiente Nacional \
             exige uma hora de silêncio: antes dela a resposta é `429` com `Retry-After`, e nada é consultado. Com `nsu` ou `chave`, busca um só \
             documento; são 20 dessas consultas por hora.",
        )
        .body("SincronizacaoDeRecebidas", sync)
        .answers(&[json(200, "O que veio.", "RecebidasSincronizadas")])
        .refuses(&["nao_encontrado", "estado_invalido", "validacao", "certificado_invalido", "empresa_sem_configuracao"]);

const MANIFESTAR: Operation = post("/v1/nfe/manifestar", "manifestarNfe", "Manifesta-se sobre uma NF-e recebida")
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

const DETALHAR: Operation = get("/v1/nfe/recebidas/{chave}", "detalharNfeRecebida", "Uma NF-e recebida e seus eventos")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[json(200, "A nota.", "NotaRecebidaComEventos")])
    .refuses(&["nao_encontrado"]);

const XML: Operation = get("/v1/nfe/recebidas/{chave}/xml", "baixarXmlNfeRecebida", "O XML recebido")
    .text("A NF-e com o protocolo (procNFe), como foi entregue; enquanto só há resumo, o resumo (resNFe). O nome do arquivo diz qual.")
    .takes(&[CHAVE, DE_QUEM])
    .answers(&[media(200, "O arquivo.", &["application/xml"])])
    .refuses(&["nao_encontrado"]);

const MOSTRAR: Operation =
    get("/v1/empresas/{cpf_cnpj}/distribuicao", "mostrarDistribuicao", "Até onde os documentos foram buscados")
        .takes(&[CPF_CNPJ])
        .answers(&[json(200, "Como está.", "Distribuicao")])
        .refuses(&["nao_encontrado", "validacao", "empresa_sem_configuracao"]);

const ALTERAR: Operation =
    put("/v1/empresas/{cpf_cnpj}/distribuicao", "alterarDistribuicao", "Liga ou desliga a busca automática")
        .text("Ligada, o serviço busca os documentos recebidos em segundo plano, de hora em hora, no ambiente da credencial e da configuração.")
        .takes(&[CPF_CNPJ])
        .body("DistribuicaoAlterada", switch)
        .answers(&[json(200, "Como ficou.", "Distribuicao")])
        .refuses(&["nao_encontrado", "validacao", "empresa_sem_configuracao"]);

const UF: Parameter = Parameter::query("uf", Type::Uf, "O estado.", "SP").required();
const COMO_QUEM: Parameter = Parameter::query(
    "cpf_cnpj",
    Type::Text,
    "A empresa cujo certificado se apresenta; qualquer uma da conta, se ausente.",
    "11222333000181",
);
const AMBIENTE_CONSULTADO: Parameter = Parameter::query(
    "ambiente",
    AMBIENTE,
    "O da credencial, se ausente; produção só com credencial de produção.",
    "homologacao",
);

const STATUS: Operation = get("/v1/nfe/status-servico", "statusServicoNfe", "O serviço da autoridade de um estado")
    .text("Pergunta à autoridade no máximo a cada três minutos; entre duas perguntas a resposta é a última, e `consultado_em` diz de quando.")
    .takes(&[UF, AMBIENTE_CONSULTADO, COMO_QUEM])
    .answers(&[json(200, "O que a autoridade disse.", "StatusDoServico")])
    .refuses(&["campo_obrigatorio", "nao_encontrado", "certificado_invalido", "validacao"]);

const CADASTRO: Operation = get(
    "/v1/nfe/cadastro",
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
.answers(&[json(200, "Encontrado.", "CadastroDeContribuinte")])
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

/// What is said of a note that was received.
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
    schema(
        "RecebidasSincronizadas",
        "O que a consulta trouxe.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("cpf_cnpj", Type::Text, "A empresa."),
            must("ambiente", AMBIENTE, "Onde se consultou."),
            must("codigo_status", Type::Integer, "138 quando vieram documentos, 137 quando não há nenhum."),
            must("motivo_status", Type::Text, "As palavras da autoridade."),
            must("documentos_novos", Type::Integer, "Documentos que ainda não estavam aqui."),
            must("notas_novas", Type::Integer, "Destes, NF-e de que ainda não se sabia."),
            must("ult_nsu", Type::Integer, "Até onde se foi."),
            must("max_nsu", Type::Integer, "O maior número que há."),
            must("completo", Type::Bool, "Se nada ficou por buscar."),
            must("proxima_em", Type::Instant, "A partir de quando se pode buscar de novo."),
        ],
    ),
    schema(
        "ListaDeNotasRecebidas",
        "Uma página de notas recebidas.",
        &[
            must("notas", Type::List(&Type::Ref("NotaRecebida")), "As desta página."),
            must("total", Type::Integer, "Quantas há ao todo."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
        ],
    ),
    schema(
        "StatusDoServico",
        "O que uma autoridade disse do seu serviço.",
        &[
            must("sucesso", Type::Bool, "`true`: a autoridade respondeu."),
            must("uf", Type::Text, "O estado."),
            must("modelo", Type::Integer, "55."),
            must("autoridade", Type::Text, "Quem responde pelo estado: `SP`, `SVRS`…"),
            must("ambiente", AMBIENTE, "O ambiente."),
            must("em_operacao", Type::Bool, "`true` com 107."),
            must("codigo_status", Type::Integer, "107 em operação, 108 e 109 parado."),
            must("motivo_status", Type::Text, "As palavras da autoridade."),
            or_null("tempo_medio_s", Type::Integer, "Tempo médio de resposta."),
            or_null("retorno_previsto_em", Type::Text, "Quando um serviço parado espera voltar."),
            or_null("observacao", Type::Text, "O que a autoridade quer que se saiba."),
            must("consultado_em", Type::Instant, "De quando é a resposta."),
        ],
    ),
    schema(
        "CadastroDeContribuinte",
        "O que o cadastro de um estado sabe de um contribuinte.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("encontrado", Type::Bool, "`true`."),
            must("uf", Type::Text, "O estado consultado."),
            must("codigo_status", Type::Integer, "111, ou 112 quando há mais de uma inscrição."),
            must("motivo_status", Type::Text, "As palavras da autoridade."),
            or_null("consultado_em", Type::Text, "Como a autoridade escreveu."),
            must(
                "contribuintes",
                Type::List(&Type::Free),
                "As inscrições, com as tags oficiais (`IE`, `CNPJ`, `xNome`, `cSit`…), `habilitado` e `credenciado_nfe` (nulo quando o estado não diz).",
            ),
            must("total", Type::Integer, "Quantas inscrições."),
        ],
    ),
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
    schema("NotaRecebida", "Uma NF-e que outro emitiu.", NOTE),
    schema("NotaRecebidaComEventos", "Uma NF-e que outro emitiu, com seus eventos.", NOTE_WITH_EVENTS),
    schema(
        "EventoRecebido",
        "Um evento de uma nota recebida.",
        &[
            must("tipo_evento", Type::Text, "110111 cancelamento, 110110 carta de correção…"),
            or_null("descricao", Type::Text, "Em palavras."),
            must("sequencia", Type::Integer, "A contagem do seu tipo."),
            or_null("autor", Type::Text, "CNPJ ou CPF."),
            must("data_evento", Type::Text, "Como o autor escreveu."),
            or_null("protocolo", Type::Text, "O do registro."),
            must("tipo", Type::Words(&["resumo", "completo"]), "Se o evento inteiro foi entregue."),
            or_null("nsu", Type::Integer, "Seu número."),
            must("recebido_em", Type::Instant, "Quando chegou."),
        ],
    ),
    schema(
        "DistribuicaoAlterada",
        "Ligar ou desligar.",
        &[must("ativa", Type::Bool, "`true` busca em segundo plano.")],
    ),
    schema(
        "Distribuicao",
        "Até onde os documentos de uma empresa foram buscados.",
        &[
            must("cpf_cnpj", Type::Text, "A empresa."),
            must("ambiente", AMBIENTE, "O ambiente."),
            must("ativa", Type::Bool, "Se a busca automática está ligada."),
            must("ult_nsu", Type::Integer, "Até onde se foi."),
            must("max_nsu", Type::Integer, "O maior número de que a autoridade falou."),
            or_null("proxima_em", Type::Instant, "Antes disto ninguém consulta."),
            or_null("bloqueada_ate", Type::Instant, "Até quando vale um bloqueio por consumo indevido (656)."),
            or_null(
                "lacuna",
                Type::Free,
                "`{de, ate}`: números que outro programa consumiu e que se buscam um a um, com `nsu`.",
            ),
            or_null("ultima_consulta_em", Type::Instant, "Quando se consultou por último."),
            or_null("codigo_status", Type::Integer, "O que a autoridade respondeu."),
            or_null("motivo_status", Type::Text, "Em palavras dela, ou por que não houve resposta."),
        ],
    ),
];

/// The members of a received note; the last one stands only in the answer about one.
const ALL: &[Field] = &[
    must("chave", Type::Chave, "A chave de acesso."),
    must("cpf_cnpj", Type::Text, "A empresa da conta que a recebeu."),
    must("ambiente", AMBIENTE, "O ambiente."),
    must("modelo", Type::Integer, "55."),
    or_null("numero", Type::Integer, "nNF."),
    or_null("serie", Type::Text, "Série."),
    must("operacao", Type::Words(&["entrada", "saida"]), "Como o emitente a vê."),
    must("emitente", Type::Group(EMITENTE), "Quem emitiu."),
    or_null("destinatario", Type::Text, "O CNPJ ou CPF do destinatário; o resumo não o traz."),
    must("data_emissao", Type::Text, "Como o emitente escreveu."),
    or_null("data_autorizacao", Type::Text, "Da autorização."),
    or_null("valor_total", Type::Number, "vNF."),
    or_null("protocolo", Type::Text, "O da autorização."),
    must("situacao", SITUACAO, "Como está."),
    must("tipo", TIPO, "Se a nota inteira já foi entregue."),
    or_null("manifestacao", Type::Group(MANIFESTADA), "O que a sua empresa manifestou por último."),
    must("recebido_em", Type::Instant, "Quando se soube dela."),
    must("atualizado_em", Type::Instant, "Última mudança."),
    must("arquivos", Type::Group(&[must("xml", Type::Text, "Onde baixar.")]), "O arquivo."),
    must("eventos", Type::List(&Type::Ref("EventoRecebido")), "Os eventos, do mais antigo ao mais novo."),
];
const NOTE: &[Field] = ALL.split_at(ALL.len() - 1).0;
const NOTE_WITH_EVENTS: &[Field] = ALL;
const EMITENTE: &[Field] = &[
    must("cpf_cnpj", Type::Text, "CNPJ ou CPF."),
    must("nome", Type::Text, "Razão social ou nome."),
    or_null("inscricao_estadual", Type::Text, "Inscrição estadual."),
];
const MANIFESTADA: &[Field] = &[
    must("tipo", Type::Words(&["ciencia", "confirmacao", "desconhecimento", "nao_realizada"]), "O quê."),
    must("em", Type::Instant, "Quando foi registrada."),
];
