//! Members of a tool's result that `tools/list` describes: those that an agent needs, since every client keeps that
//! list in the context of its model. The API document describes the whole object.

pub(super) const PAGINA_DE_NCM: &[&str] = &["termo", "ncms.codigo", "ncms.descricao", "total", "pagina"];
pub(super) const NCM: &[&str] =
    &["codigo", "descricao", "vigente", "final", "hierarquia.codigo", "hierarquia.descricao"];
pub(super) const VALIDADE_NCM: &[&str] = &["valido"];
pub(super) const ENDERECO_DO_CEP: &[&str] = &["cep", "logradouro", "bairro", "cidade", "uf", "ibge", "parcial"];
pub(super) const LISTA_DE_CEPS: &[&str] =
    &["ceps.cep", "ceps.logradouro", "ceps.bairro", "ceps.cidade", "ceps.uf", "total", "pagina"];
pub(super) const CADASTRO_CNPJ: &[&str] = &[
    "cnpj",
    "razao_social",
    "descricao_situacao_cadastral",
    "logradouro",
    "numero",
    "bairro",
    "cep",
    "codigo_municipio_ibge",
    "municipio",
    "uf",
    "cnae_fiscal",
];
pub(super) const LISTA_DE_EMPRESAS: &[&str] = &[
    "empresas.cpf_cnpj",
    "empresas.nome_razao_social",
    "empresas.crt",
    "empresas.endereco",
    "empresas.configuracoes",
    "empresas.avisos",
    "total",
    "pagina",
];
pub(super) const LISTA_DE_COTAS: &[&str] = &["cotas.nome", "cotas.consumo", "cotas.limite", "cotas.renova_em"];
pub(super) const LISTA_DE_NOTAS: &[&str] = &[
    "notas.chave",
    "notas.job_id",
    "notas.tipo",
    "notas.numero",
    "notas.serie",
    "notas.status",
    "notas.data_emissao",
    "notas.valor_total",
    "notas.destinatario",
    "notas.motivo",
    "total",
    "pagina",
];
pub(super) const NOTA_CONSULTADA: &[&str] = &[
    "nota.status",
    "nota.chave",
    "nota.numero",
    "nota.valor_total",
    "nota.codigo_status",
    "nota.motivo",
    "job.job_id",
    "job.status",
    "job.mensagem",
    "job.nota.status",
    "job.nota.chave",
    "job.nota.numero",
    "job.nota.codigo_status",
    "job.nota.motivo",
    "job.erro",
];
pub(super) const JOBS_LOCALIZADOS: &[&str] = &[
    "encontrado",
    "jobs.job_id",
    "jobs.referencia_externa",
    "jobs.operacao",
    "jobs.status",
    "jobs.nota.status",
    "jobs.nota.chave",
    "jobs.nota.numero",
    "ha_mais",
];
pub(super) const REJEICAO_EXPLICADA: &[&str] =
    &["motivo", "regras.regra", "regras.texto", "regras.fonte", "regras.campo", "regras.o_que_fazer", "o_que_fazer"];
pub(super) const CAMPOS_DO_GRUPO: &[&str] = &[
    "grupo",
    "campos.nome",
    "campos.tag",
    "campos.descricao",
    "campos.obrigatorio",
    "campos.lista",
    "campos.grupo",
    "campos.esquema",
];
pub(super) const VERIFICACAO: &[&str] = &[
    "valido",
    "campos_desconhecidos.campo",
    "campos_desconhecidos.sugestao",
    "campos_ausentes.campo",
    "campos_ausentes.mensagem",
    "erros.campo",
    "erros.mensagem",
    "erros.sugestao",
    "rejeicoes_previstas.codigo_status",
    "rejeicoes_previstas.campo",
    "rejeicoes_previstas.mensagem",
    "avisos.campo",
    "avisos.mensagem",
    "totais_calculados",
];
pub(super) const PREPARACAO: &[&str] = &[
    "token_confirmacao",
    "id_confirmacao",
    "url_confirmacao",
    "expira_em",
    "resumo.emitente",
    "resumo.destinatario",
    "resumo.itens",
    "resumo.valor_total",
    "resumo.ambiente",
    "avisos.campo",
    "avisos.mensagem",
    "teto.valor_contado",
    "teto.dentro_do_teto",
];
pub(super) const SITUACAO_DA_CONFIRMACAO: &[&str] =
    &["situacao", "mensagem", "id_confirmacao", "url_confirmacao", "motivo", "job_id", "expira_em"];
pub(super) const ATO_PREPARADO: &[&str] = &[
    "token_confirmacao",
    "id_confirmacao",
    "url_confirmacao",
    "expira_em",
    "ato.nota",
    "ato.numeros",
    "ato.pedido.campo",
    "ato.pedido.texto",
    "avisos.mensagem",
];
