//! The error codes of the interface: one row each, with status, title and the page that explains it.
//!
//! Law: `docs/contract.md`, "Errors". A new code is one row here and one page in `docs/erros`.

/// A stable error code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ApiErrorCode {
    /// The `codigo` of the body.
    pub(crate) codigo: &'static str,
    /// HTTP status.
    pub(crate) status: u16,
    /// The `title` of the body.
    pub(crate) title: &'static str,
}

macro_rules! codes {
    ($($name:ident $codigo:literal $status:literal $title:literal;)*) => {
        $(pub(crate) static $name: ApiErrorCode = ApiErrorCode { codigo: $codigo, status: $status, title: $title };)*
        /// Every code with the Markdown page that explains it.
        pub(crate) static PAGES: &[(&ApiErrorCode, &str)] = &[
            $((&$name, include_str!(concat!("../../../../docs/erros/", $codigo, ".md"))),)*
        ];
    };
}

codes! {
    JSON_INVALIDO "json_invalido" 400 "JSON inválido";
    REQUISICAO_INVALIDA "requisicao_invalida" 400 "Requisição inválida";
    CAMPO_OBRIGATORIO "campo_obrigatorio" 400 "Campo obrigatório ausente";
    REFERENCIA_INVALIDA "referencia_invalida" 400 "Referência externa inválida";
    LOTE_EXCEDIDO "lote_excedido" 400 "Lote grande demais";
    PERIODO_EXCEDIDO "periodo_excedido" 400 "Período longo demais";
    NAO_AUTENTICADO "nao_autenticado" 401 "Não autenticado";
    CHAVE_REVOGADA "chave_revogada" 401 "Chave de API revogada";
    TOKEN_EXPIRADO "token_expirado" 401 "Sessão encerrada";
    SEGUNDO_FATOR_EXIGIDO "segundo_fator_exigido" 401 "Falta o código do segundo fator";
    CREDENCIAIS_INVALIDAS "credenciais_invalidas" 401 "Credenciais inválidas";
    PERMISSAO_NEGADA "permissao_negada" 403 "Permissão negada";
    ORIGEM_NAO_PERMITIDA "origem_nao_permitida" 403 "Nome ou origem não permitidos";
    PERMISSAO_INSUFICIENTE "permissao_insuficiente" 403 "A permissão não basta";
    CONFIRMACAO_PENDENTE "confirmacao_pendente" 403 "Falta a aprovação de uma pessoa";
    AMBIENTE_INCORRETO "ambiente_incorreto" 403 "Ambiente incorreto";
    NAO_ENCONTRADO "nao_encontrado" 404 "Não encontrado";
    METODO_NAO_PERMITIDO "metodo_nao_permitido" 405 "Método não permitido";
    TEMPO_ESGOTADO "tempo_esgotado" 408 "Tempo esgotado ao receber a requisição";
    CONFIRMACAO_USADA "confirmacao_usada" 409 "Token de confirmação já usado";
    CONFIRMACAO_RECUSADA "confirmacao_recusada" 409 "Emissão recusada por uma pessoa";
    JA_EXISTE "ja_existe" 409 "Já existe";
    ESTADO_INVALIDO "estado_invalido" 409 "O estado atual não permite a operação";
    REGISTRO_INCERTO "registro_incerto" 409 "Registro incerto depois de uma restauração";
    ARQUIVO_INDISPONIVEL "arquivo_indisponivel" 409 "Arquivo ainda não disponível";
    CONFIRMACAO_EXPIRADA "confirmacao_expirada" 410 "Token de confirmação vencido";
    EXPORTACAO_EXPIRADA "exportacao_expirada" 410 "Arquivo da exportação vencido";
    CORPO_GRANDE "corpo_grande" 413 "Corpo da requisição grande demais";
    MIDIA_INVALIDA "midia_invalida" 415 "Tipo de mídia não aceito";
    VALIDACAO "validacao" 422 "Valor inválido";
    DOCUMENTO_INVALIDO "documento_invalido" 422 "O documento não pode ser montado";
    CERTIFICADO_INVALIDO "certificado_invalido" 422 "Certificado inválido";
    CERTIFICADO_DE_OUTRA_EMPRESA "certificado_de_outra_empresa" 422 "Certificado de outra empresa";
    EMPRESA_SEM_CONFIGURACAO "empresa_sem_configuracao" 422 "Empresa sem configuração para este documento";
    TETO_EXCEDIDO "teto_excedido" 422 "Acima do teto de emissão assistida";
    LIMITE_DA_CONTA "limite_da_conta" 422 "Limite da conta";
    PREPARACOES_EXCEDIDAS "preparacoes_excedidas" 429 "Preparações abertas demais";
    COTA_EXCEDIDA "cota_excedida" 429 "Cota excedida";
    MUITAS_REQUISICOES "muitas_requisicoes" 429 "Muitas requisições";
    ERRO_INTERNO "erro_interno" 500 "Erro interno";
    CONSULTA_NAO_CONFIGURADA "consulta_nao_configurada" 501 "Consulta não configurada nesta instalação";
    FILA_CHEIA "fila_cheia" 503 "Fila cheia";
    INDISPONIVEL "indisponivel" 503 "Serviço temporariamente indisponível";
}

macro_rules! further {
    ($($codigo:literal)*) => {
        /// Pages of codes that are never the `codigo` of a whole answer: they appear in `erros`, `avisos` or
        /// `erro_detalhe`.
        pub(crate) static FURTHER_PAGES: &[(&str, &str)] =
            &[$(($codigo, include_str!(concat!("../../../../docs/erros/", $codigo, ".md"))),)*];
    };
}

further! {
    "campo_desconhecido"
    "parametro_desconhecido"
    "campo_ignorado"
    "campo_futuro"
    "avisos_omitidos"
    "emitente_divergente"
    "estrutura_invalida"
    "valor_arredondado"
    "caractere_removido"
    "assumido_zero"
    "assumido_padrao"
    "tipo_invalido"
    "digito_invalido"
    "valor_divergente"
    "total_divergente"
    "valor_invalido"
    "rejeicao_prevista"
    "rejeicao_possivel"
    "referencia_em_outro_ambiente"
    "empresa_sem_certificado"
    "certificado_expirado"
    "autoridade_sem_endereco"
    "falha_de_conexao"
    "sem_resposta"
    "em_duvida"
    "consulta_recusada"
    "limite_de_consultas"
    "consumo_indevido"
    "autoridade_indisponivel"
    "numero_em_uso"
    "numeracao_esgotada"
    "limite_de_eventos"
    "sem_protocolo"
    "protocolo_divergente"
    "chave_repetida"
    "substituta_nao_autorizada"
    "epec_recusado"
    "modal_nao_suportado"
    "campo_nao_corrigivel"
    "ibscbs_ausente"
    "aliquota_desconhecida"
    "tributo_extinto"
    "epec_vedada"
    "soma_componentes"
    "icms_de_outra_uf"
    "base_acima_do_total"
    "icms_previsto_divergente"
    "nome_de_outro_servico"
    "prazo_encerrado"
    "provedor_municipal"
    "provedor_nacional"
    "provedor_nao_confirmado"
    "provedor_sem_endereco"
    "retencao_do_municipio"
    "emissor_nacional_obrigatorio"
    "aliquota_em_fracao"
    "codigo_antigo"
    "substituicao"
}

/// The code of an answer, by its `codigo`.
pub(crate) fn find(codigo: &str) -> Option<&'static ApiErrorCode> {
    PAGES.iter().map(|(code, _)| *code).find(|code| code.codigo == codigo)
}

/// The page of a code, as Markdown.
pub(crate) fn page(codigo: &str) -> Option<&'static str> {
    let whole = PAGES.iter().find(|(code, _)| code.codigo == codigo).map(|(_, page)| *page);
    whole.or_else(|| FURTHER_PAGES.iter().find(|(name, _)| *name == codigo).map(|(_, page)| *page))
}

/// All codes that have a page, in the order of their status.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(code, _)| code.codigo).chain(FURTHER_PAGES.iter().map(|(name, _)| *name))
}
