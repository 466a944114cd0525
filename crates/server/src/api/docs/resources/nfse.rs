//! `/v1/nfse`.

use serde_json::{Value, json as object};

use super::Resource;
use super::nfe::{ESTRITO, JUSTIFICATIVA, NOT_REGISTERED, REFERENCIA_NOVA, REGISTERED};
use super::target::{EMPRESA, EMPRESA_DO_CAMINHO, JOB, REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::documento::eventos::EventsView;
use crate::api::documento::verificar::CheckView;
use crate::api::job::view::{AcceptedView, JobView};
use crate::api::nfse::consultar_sefaz::SefinView;
use crate::api::schema::{REFERENCIA, Schema, SchemaField, Type, either, may, must, schema};
use crate::api::view::of;

pub(super) const NFSE: Resource = Resource {
    tag: "nfse",
    title: "NFS-e",
    doc: "Nota fiscal de serviço eletrônica do padrão nacional: emitir, consultar, baixar, cancelar.",
    operations: &[
        &EMITIR,
        &CONSULTAR,
        &FILE,
        &CANCELAR,
        &SOLICITAR_ANALISE,
        &EVENTOS,
        &CONSULTAR_SEFAZ,
        &VERIFICAR,
        &PREVIA,
    ],
    schemas: SCHEMAS,
};

const JOB_ID: Parameter =
    Parameter::path("job_id", Type::Uuid, "O `job_id` devolvido na emissão.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e");

pub(crate) static EMITIR: ApiOperation = operation("emitirNfse", "Emite uma NFS-e nacional")
    .text(
        "`nota` é a DPS com as tags oficiais: em `infDPS`, dentro de `dps`, ou direto em `nota`. O que falta e o serviço sabe é preenchido e dito em \
         `avisos` (`dhEmi` um minuto antes de agora, `dCompet`, `cLocEmi`, `prest` com o regime da configuração, `tribISSQN`, `tpRetISSQN`, `totTrib`). \
         Nunca são preenchidos `cTribNac`, `xDescServ`, `vServ`, alíquotas, retenções, NBS e IBS/CBS.\n\nA Sefin Nacional faz a nota da DPS: `nota.numero` e \
         `nota.chave` são dela e vêm com a autorização; `nota.numero_dps` e `nota.id_dps` são nossos. Sem resposta, o serviço pergunta pela DPS antes de \
         qualquer reenvio: há uma nota só. Para substituir uma nota, informe `subst`.\n\n`202` diz que a DPS foi aceita e registrada, não que foi autorizada.",
    )
    .takes(&[ESTRITO, REFERENCIA_NOVA])
    .body("EmissaoNfse", example)
    .answers(REGISTERED)
    .refuses(NOT_REGISTERED);

pub(crate) static CONSULTAR: ApiOperation = operation("consultarNfse", "Consulta uma operação de NFS-e")
    .text("A operação como está agora: situação, número, chave, e em `nota.rejeicoes` tudo o que a Sefin recusou.")
    .takes(&[JOB_ID])
    .answers(&[shows::<JobView>(200, "O job.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static FILE: ApiOperation = operation("baixarArquivoNfse", "Baixa um arquivo de uma NFS-e")
    .text(
        "`xml` é a NFS-e como a Sefin a gerou, com a DPS dentro; `xml_dps`, a DPS assinada; `xml_cancelamento`, o evento do cancelamento; `xml_evento`, o último evento; `log`, a história \
         do job. `pdf` (ou `danfse`) é o DANFSe; antes da autorização é uma prévia sem valor fiscal. O nome do arquivo vem em `Content-Disposition`.",
    )
    .takes(&[JOB_ID, Parameter::path("tipo", FILES, "Qual arquivo.", "xml")])
    .answers(&[media(200, "O arquivo.", &["application/xml", "application/pdf", "text/plain"])])
    .refuses(&["nao_encontrado", "arquivo_indisponivel"]);

const FILES: Type = Type::Words(&["xml", "pdf", "log", "xml_cancelamento", "xml_evento", "xml_dps", "danfse"]);

pub(crate) static CANCELAR: ApiOperation = operation("cancelarNfse", "Cancela uma NFS-e autorizada")
    .text(
        "O cancelamento (evento 101101) é um job: `202`, e a consulta ou o webhook diz como acabou. O prazo e o valor até os quais o prestador cancela são \
         do município: depois deles a Sefin responde E0822 (o job termina `failed` com `prazo_encerrado`: peça a análise \
         fiscal) ou E0823.",
    )
    .body("CancelamentoNfse", cancellation)
    .answers(&[
        shows::<AcceptedView>(202, "Aceito para processamento."),
        shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
    ])
    .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

pub(crate) static SOLICITAR_ANALISE: ApiOperation = operation("solicitarAnaliseDeNfse", "Pede ao município o cancelamento de uma NFS-e")
        .text(
            "Depois do prazo do município, o prestador não cancela mais a nota sozinho: pede que o município a analise (evento 101103), com o corpo do \
             cancelamento. É um job. A nota continua `autorizada`, com `analise_fiscal` `pendente`; os eventos dela são lidos a cada hora, e a resposta do \
             município a torna `deferida` (e a nota `cancelada`) ou `indeferida`. O endereço da nota é avisado: `nfse.cancelada`, ou `nfse.evento_registrado`.",
        )
        .body("CancelamentoNfse", cancellation)
        .answers(&[
            shows::<AcceptedView>(202, "Aceito para processamento."),
            shows::<JobView>(200, "Referência já usada: o primeiro job, como está agora."),
        ])
        .refuses(&["nao_encontrado", "estado_invalido", "referencia_invalida", "validacao"]);

pub(crate) static EVENTOS: ApiOperation = operation("listarEventosDaNfse", "O que foi registrado numa NFS-e")
.text("Os eventos pedidos por aqui e os de outros (do município, do tomador) que já foram lidos, por tipo e sequência.")
.takes(&[JOB_ID])
.answers(&[shows::<EventsView>(200, "Os eventos.")])
.refuses(&["nao_encontrado"]);

pub(crate) static CONSULTAR_SEFAZ: ApiOperation = operation("consultarNfseNaSefin", "Consulta uma NFS-e na Sefin Nacional")
        .text(
            "Pergunta à Sefin, com o certificado da empresa, o que ela tem de uma nota e o que foi registrado nela por quem for: pela `chave`, pelo Id da DPS \
             ou pelo número e a série da DPS no município da empresa. A nota não precisa ter sido emitida aqui, mas a empresa tem de constar nela. O ambiente é \
             o da nota, quando é nossa, ou aquele em que a empresa emite com esta credencial; `ambiente` escolhe outro. Uma Sefin que não responde é `503`, nunca \
             `nao_encontrada`. São contadas por hora: 20 consultas sobre uma nota, 600 por empresa. Não usa cota.",
        )
        .body("ConsultaDeNfse", search)
        .answers(&[shows::<SefinView>(200, "O que a Sefin tem.")])
        .refuses(&[
            "nao_encontrado",
            "ambiente_incorreto",
            "empresa_sem_configuracao",
            "certificado_invalido",
            "muitas_requisicoes",
            "indisponivel",
            "validacao",
        ]);

pub(crate) static VERIFICAR: ApiOperation = operation("verificarCamposNfse", "Verifica uma NFS-e sem emitir")
    .text(
        "Tudo o que a emissão diria, e as rejeições previstas: da DPS, ou do RPS de uma empresa cujo provedor é municipal. Nada é registrado e nenhuma cota é \
         usada.",
    )
    .body("PedidoDeVerificacao", example)
    .answers(&[shows::<CheckView>(200, "O que foi encontrado.")])
    .refuses(&["referencia_invalida", "validacao"]);

pub(crate) static PREVIA: ApiOperation = operation("previaNfse", "O formulário de uma NFS-e, sem emitir")
    .text(
        "Recebe o corpo da emissão (nacional, ou municipal quando o provedor da empresa é municipal), confere como ela e responde o PDF do que seria emitido, marcado SEM VALOR FISCAL. Nada é registrado, nenhum número é \
         tomado, nenhuma cota é usada.",
    )
    .takes(&[ESTRITO])
    .body("EmissaoNfse", example)
    .answers(&[media(200, "O formulário, marcado SEM VALOR FISCAL.", &["application/pdf"])])
    .refuses(&["referencia_invalida", "nao_encontrado", "validacao", "documento_invalido", "empresa_sem_configuracao"]);

const SCHEMAS: &[Schema] = &[
    EMISSAO,
    INTEIRA,
    EM_DPS,
    of::<SefinView>(),
    either(
        "CancelamentoNfse",
        "O pedido de cancelamento: qual NFS-e, e por quê.",
        &["CancelamentoNfsePorJob", "CancelamentoNfsePorChave", "CancelamentoNfsePorNumero"],
    ),
    either(
        "ConsultaDeNfse",
        "De qual NFS-e se pergunta.",
        &["ConsultaDeNfsePorChave", "ConsultaDeNfsePorDps", "ConsultaDeNfsePorNumero", "ConsultaDeNfsePorRps"],
    ),
    schema("ConsultaDeNfsePorChave", "Pela chave da NFS-e.", &[EMPRESA, CHAVE, AMBIENTE]),
    schema("ConsultaDeNfsePorDps", "Pelo Id da DPS.", &[EMPRESA, ID_DPS, AMBIENTE]),
    schema("ConsultaDeNfsePorRps", "Pelo número e a série do RPS.", &[EMPRESA, NUMERO_RPS, SERIE_RPS, AMBIENTE]),
    schema("ConsultaDeNfsePorNumero", "Pelo número e a série da DPS.", &[EMPRESA, NUMERO_DPS, SERIE, AMBIENTE]),
    schema(
        "CancelamentoNfsePorJob",
        "O cancelamento da NFS-e que um job emitiu.",
        &[EMPRESA, JOB, JUSTIFICATIVA, CODIGO_MOTIVO, CODIGO_CANCELAMENTO, WEBHOOK, REFERENCIA_EXTERNA],
    ),
    schema(
        "CancelamentoNfsePorNumero",
        "O cancelamento da NFS-e municipal de um número.",
        &[EMPRESA, NUMERO, JUSTIFICATIVA, CODIGO_MOTIVO, CODIGO_CANCELAMENTO, WEBHOOK, REFERENCIA_EXTERNA],
    ),
    schema(
        "CancelamentoNfsePorChave",
        "O cancelamento da NFS-e de uma chave.",
        &[EMPRESA, CHAVE, JUSTIFICATIVA, CODIGO_MOTIVO, WEBHOOK, REFERENCIA_EXTERNA],
    ),
];

pub(super) const CHAVE: SchemaField =
    must("chave", Type::Form("^[0-9]{9}[0-9A-Z]{12}[0-9]{29}$"), "A chave da NFS-e, 50 posições.");
const ID_DPS: SchemaField =
    must("id_dps", Type::Form("^DPS[0-9]{8}[0-9A-Z]{12}[0-9]{22}$"), "O Id da DPS, 45 posições: o de `nota.id_dps`.");
const NUMERO_DPS: SchemaField =
    must("numero_dps", Type::Numeral(1, 999_999_999_999_999), "nDPS, de 1 a 999999999999999.");
const NUMERO_RPS: SchemaField = must("numero_rps", Type::Numeral(1, 999_999_999_999_999), "O número do RPS.");
const SERIE_RPS: SchemaField =
    may("serie", Type::Series(49_999), "A série do RPS; 1 se ausente. Com letras, só a do RPS municipal.");
const SERIE: SchemaField = must("serie", Type::Numeral(1, 49_999), "Série da DPS, de 1 a 49999.");
const AMBIENTE: SchemaField = may(
    "ambiente",
    Type::Words(&["producao", "homologacao"]),
    "Onde perguntar; a produção pede uma credencial de produção.",
);
/// A cancellation whose company is in the path.
pub(super) const BY_JOB: &[SchemaField] =
    &[EMPRESA_DO_CAMINHO, JOB, JUSTIFICATIVA, CODIGO_MOTIVO, WEBHOOK, REFERENCIA_EXTERNA];
pub(super) const BY_KEY: &[SchemaField] =
    &[EMPRESA_DO_CAMINHO, CHAVE, JUSTIFICATIVA, CODIGO_MOTIVO, WEBHOOK, REFERENCIA_EXTERNA];
const NUMERO: SchemaField =
    must("numero", Type::Numeral(1, 999_999_999_999_999), "O número que a prefeitura deu à nota.");
const CODIGO_CANCELAMENTO: SchemaField = may(
    "codigo_cancelamento",
    Type::Words(&["1", "2", "3", "4", "5"]),
    "NFS-e municipal: 1 erro na emissão, 2 serviço não prestado, 3 erro de assinatura, 4 duplicidade, 5 erro de processamento.",
);
const CODIGO_MOTIVO: SchemaField = may(
    "codigo_motivo",
    Type::Words(&["1", "2", "9"]),
    "1 erro na emissão, 2 serviço não prestado, 9 outros (o padrão).",
);

/// Official tags directly, inside `infDPS`, or in the form of an API that wraps the XML.
const NOTA: Type = Type::Either(&[Type::Ref("NfseNota"), Type::Ref("NfseInteira"), Type::Ref("NfseEmDps")]);

const INTEIRA: Schema =
    schema("NfseInteira", "A DPS como no XML.", &[must("infDPS", Type::Ref("NfseNota"), "O conteúdo da DPS.")]);
const EM_DPS: Schema = schema(
    "NfseEmDps",
    "A DPS dentro de `dps`.",
    &[must("dps", Type::Either(&[Type::Ref("NfseInteira"), Type::Ref("NfseNota")]), "A DPS.")],
);

const EMISSAO: Schema = schema(
    "EmissaoNfse",
    "O pedido de emissão de uma NFS-e. Outros membros são ignorados e apontados em `avisos`.",
    &[
        must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF do prestador, com ou sem máscara, letras aceitas."),
        must("nota", NOTA, "A DPS: as suas tags, ou ela inteira."),
        may("webhook_url", Type::Url, "Endereço https avisado no fim."),
        may(
            "referencia_externa",
            REFERENCIA,
            "Sua referência, 1 a 120 letras e dígitos: a mesma referência nunca emite duas vezes.",
        ),
    ],
);

/// Software development for a person, by a company of São Paulo.
pub(super) fn example() -> Value {
    serde_json::from_str(include_str!("../../../../../../docs/guides/nfse.json")).unwrap_or_default()
}

fn search() -> Value {
    object!({ "cpf_cnpj": "11222333000181", "id_dps": "DPS355030821122233300018100001000000000000001" })
}

fn cancellation() -> Value {
    object!({
        "cpf_cnpj": "11222333000181",
        "job_id": "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
        "justificativa": "Serviço não prestado ao cliente",
        "codigo_motivo": "2"
    })
}
