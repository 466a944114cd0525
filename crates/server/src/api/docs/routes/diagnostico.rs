//! `/v1/diagnostico`.
//!
//! Law: `spec/not-shown.md` §4.

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use crate::api::docs::operation::{Operation, get, json};
use crate::api::schema::{Field, Schema, Type, may, must, or_null, schema};

pub(super) const DIAGNOSTICO: Resource = Resource {
    tag: "diagnostico",
    title: "Diagnóstico",
    doc: "O que pode impedir as notas da conta de chegar às autoridades, numa consulta só.",
    operations: &[MOSTRAR],
    schemas: SCHEMAS,
};

const MOSTRAR: Operation = get("/v1/diagnostico", "mostrarDiagnostico", "Certificados, contingência, limites e notas pendentes")
    .text(
        "Por empresa: o certificado, os jobs em andamento, para onde vai cada tipo de documento, o disjuntor dessa autoridade e da SVC, a última \
         resposta dela, os bloqueios por consumo indevido (656) e as consultas da última hora. Da conta: as notas entregues em contingência, com o prazo de \
         transmissão, e as em dúvida. Nada é perguntado às autoridades.",
    )
    .takes(&[LIMITE, PAGINA])
    .answers(&[json(200, "O diagnóstico.", "Diagnostico")])
    .refuses(&["requisicao_invalida"]);

const SCHEMAS: &[Schema] = &[
    schema(
        "Diagnostico",
        "A conta, no que toca à emissão.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("gerado_em", Type::Instant, "De quando é esta resposta."),
            must("empresas", Type::List(&Type::Ref("DiagnosticoDaEmpresa")), "Uma página de empresas."),
            must("total", Type::Integer, "Quantas empresas há."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
            must("notas_pendentes", Type::Group(UNSETTLED), "De todas as empresas; as 200 mais antigas."),
            must(
                "autoridades",
                Type::List(&Type::Group(AUTHORITY)),
                "As que este processo chamou desde que foi iniciado.",
            ),
        ],
    ),
    schema(
        "DiagnosticoDaEmpresa",
        "Uma empresa.",
        &[
            must("cpf_cnpj", Type::Text, "CNPJ ou CPF da empresa, sem máscara."),
            or_null("nome_razao_social", Type::Text, "Razão social."),
            must("certificado", Type::Ref("Certificado"), "Validade e situação."),
            must("jobs", Type::Group(JOBS), "O que ainda não terminou."),
            must("documentos", Type::List(&Type::Group(ROAD)), "Um por modelo dos tipos configurados."),
            must("bloqueios_656", Type::List(&Type::Group(BLOCK)), "Autoridades que a empresa não chama até lá."),
            must(
                "consultas_na_ultima_hora",
                Type::List(&Type::Group(PURSE)),
                "O que já foi gasto dos limites por hora.",
            ),
        ],
    ),
];

const JOBS: &[Field] =
    &[must("pendentes", Type::Integer, "À espera."), must("em_processamento", Type::Integer, "Em andamento.")];

const ROAD: &[Field] = &[
    must("tipo", Type::Words(&["nfe", "nfce", "cte"]), "Tipo de documento."),
    must("modelo", Type::Integer, "55, 65, 57 ou 67."),
    must("ambiente", AMBIENTE, "Para onde vão as notas desta credencial."),
    must("uf", Type::Text, "Sigla do estado."),
    must("autoridade", Type::Text, "Quem autoriza."),
    must(
        "contingencia",
        Type::Words(&["automatica", "svc", "epec", "offline", "nenhuma"]),
        "A configuração da empresa.",
    ),
    must("disjuntor", Type::Group(CIRCUIT), "Se as notas vão para lá."),
    or_null("ultima_resposta", Type::Group(TOLD), "O que o serviço de status disse por último."),
    or_null("svc", Type::Group(SVC), "A SVC do estado; nulo na NFC-e."),
];

const CIRCUIT: &[Field] = &[
    must("estado", Type::Words(&["fechado", "aberto", "meio_aberto"]), "`aberto`: em contingência."),
    or_null("desde", Type::Instant, "Desde quando."),
    or_null("motivo", Type::Text, "O que se ouviu da autoridade."),
];

const TOLD: &[Field] = &[
    or_null("codigo_status", Type::Integer, "Nulo quando não houve resposta."),
    or_null("motivo_status", Type::Text, "O xMotivo, como veio."),
    or_null("em", Type::Instant, "Quando."),
];

const SVC: &[Field] = &[
    must("autoridade", Type::Text, "`SVC-AN` ou `SVC-RS`."),
    must("disjuntor", Type::Group(CIRCUIT), "Se as notas vão para lá."),
    or_null("ultima_resposta", Type::Group(TOLD), "Quando respondeu por último."),
];

const BLOCK: &[Field] = &[
    must("autoridade", Type::Text, "Quem responde: `SP`, `SVRS`…"),
    must("ate", Type::Instant, "Quando volta a ser chamada."),
];

const PURSE: &[Field] = &[
    must("autoridade", Type::Text, "Quem responde: `SP`, `SVRS`…"),
    must("servico", Type::Text, "O web service."),
    must("consultas", Type::Integer, "Do assunto mais consultado (uma chave, um recibo)."),
    must("limite", Type::Integer, "Por assunto e hora."),
    must("assuntos", Type::Integer, "Quantos assuntos foram consultados."),
];

const UNSETTLED: &[Field] = &[
    must("em_contingencia", Type::Integer, "Entregues e ainda não transmitidas."),
    must("em_duvida", Type::Integer, "Enviadas e sem resposta."),
    must("proximas_do_prazo", Type::List(&Type::Group(NOTE)), "As 20 cujo prazo acaba primeiro."),
];

const NOTE: &[Field] = &[
    must("job_id", Type::Uuid, "O job."),
    must("tipo", Type::Text, "Tipo de documento."),
    must("cpf_cnpj", Type::Text, "CNPJ ou CPF da empresa, sem máscara."),
    or_null("numero", Type::Integer, "Número."),
    or_null("serie", Type::Text, "Série."),
    or_null("chave", Type::Text, "Chave de acesso, 44 posições."),
    or_null("prazo_transmissao", Type::Instant, "Até quando a autoridade deve recebê-la."),
    must("vencida", Type::Bool, "Se o prazo passou; ela é transmitida assim mesmo."),
    must("consulta", Type::Text, "Caminho para consultar o job."),
];

const TLS: &[Field] = &[
    must("servidor", Type::Text, "Nome e porta."),
    must("protocolo", Type::Text, "`TLSv1.2`."),
    must("cifra", Type::Text, "Pelo nome do OpenSSL."),
    must("cadeia", Type::List(&Type::Group(SHOWN)), "Do certificado da autoridade até a raiz em que se confia."),
    or_null("dias_para_expirar", Type::Integer, "Do certificado da cadeia que vence primeiro."),
];

const SHOWN: &[Field] = &[
    must("titular", Type::Text, "De quem é o certificado."),
    must("emissor", Type::Text, "Quem o emitiu."),
    or_null("valido_ate", Type::Instant, "Até quando vale."),
];

const AUTHORITY: &[Field] = &[
    must("autoridade", Type::Text, "Quem responde: `SP`, `SVRS`…"),
    must("ambiente", AMBIENTE, "Ambiente: produção ou homologação."),
    must("status", Type::Words(&["ok", "sem_resposta"]), "Como está."),
    or_null("ultima_resposta", Type::Instant, "Quando respondeu por último."),
    or_null("latencia_ms", Type::Integer, "Da última chamada respondida."),
    or_null("ultima_falha", Type::Instant, "Quando falhou por último."),
    or_null("falha", Type::Text, "O que houve então: o motivo, se o certificado da autoridade não foi aceito."),
    or_null("tls", Type::Group(TLS), "Como foi feita a última conexão; nulo se nenhuma foi."),
    may("codigo_status", Type::Integer, "O que disse do próprio serviço."),
    may("motivo_status", Type::Text, "O xMotivo, como veio."),
];
