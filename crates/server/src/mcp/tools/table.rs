//! The table of tools.

use super::emissao::{CANCELLED, CORRECTED, DOCUMENTS, VOIDED};
use super::reads::{
    ATO_PREPARADO, CADASTRO_CNPJ, CAMPOS_DO_GRUPO, ENDERECO_DO_CEP, JOBS_LOCALIZADOS, LISTA_DE_CEPS, LISTA_DE_COTAS,
    LISTA_DE_EMPRESAS, LISTA_DE_NOTAS, NCM, NOTA_CONSULTADA, PAGINA_DE_NCM, PREPARACAO, REJEICAO_EXPLICADA,
    SITUACAO_DA_CONFIRMACAO, VALIDADE_NCM, VERIFICACAO,
};
use super::{campos, consultas, emissao, leitura, rejeicao};
use crate::api::schema::{FILLED, REFERENCIA, SchemaField, Type, must, perhaps};
use crate::mcp::confirmation;
use crate::mcp::tool::ToolAction::{self, Gives};
use crate::mcp::tool::ToolEffect::{Asks, Issues, Prepares, Reads, ReadsAccount};
use crate::mcp::tool::{ExpectedOrder, Tool, ToolOutput};

/// Every tool.
pub(in crate::mcp) const TABLE: &[Tool] = &[
    Tool {
        name: "buscar_ncm_por_descricao",
        title: "Buscar NCM pela descrição",
        description: "Códigos da NCM cuja descrição oficial contém um termo literal, sem diferença de maiúsculas e acentos. Chame para classificar um produto: uma \
                      palavra da nomenclatura, no singular (cavalo, não cavalos de corrida). Não chame com o código na mão: use consultar_ncm ou validar_ncm. Usa uma \
                      unidade da cota de NCM.",
        takes: &[
            must("descricao", Type::TextOf(1, 200), "Uma palavra da descrição oficial, no singular."),
            perhaps("apenas_codigos_finais", Type::Bool, "false traz também capítulos e posições; true se ausente."),
            perhaps("so_inicio", Type::Bool, "true exige que a descrição comece pelo termo."),
            LIMITE,
            PAGINA,
        ],
        gives: ToolOutput { object: "PaginaDeNcm", reads: PAGINA_DE_NCM },
        effect: Reads,
        third_parties: false,
        call: Gives(consultas::buscar_ncm),
    },
    Tool {
        name: "consultar_ncm",
        title: "Consultar um código NCM",
        description: "A descrição oficial e a vigência de um código da NCM, de 2 a 8 dígitos, com os níveis acima dele. Chame para mostrar o que um código é. Para \
                      saber só se vale numa nota, validar_ncm. Usa uma unidade da cota de NCM.",
        takes: &[CODIGO_NCM],
        gives: ToolOutput { object: "Ncm", reads: NCM },
        effect: Reads,
        third_parties: false,
        call: Gives(consultas::consultar_ncm),
    },
    Tool {
        name: "validar_ncm",
        title: "Validar um código NCM",
        description: "Diz se uma nota de hoje pode usar o código: existe, tem 8 dígitos e está vigente. Chame antes de preparar uma nota com um NCM que não veio \
                      de um cadastro conferido. Não diz se o código é o certo para o produto. Usa uma unidade da cota de NCM.",
        takes: &[CODIGO_NCM],
        gives: ToolOutput { object: "ValidadeNcm", reads: VALIDADE_NCM },
        effect: Reads,
        third_parties: false,
        call: Gives(consultas::validar_ncm),
    },
    Tool {
        name: "consultar_cep",
        title: "Endereço de um CEP",
        description: "Logradouro, bairro, município (com o código IBGE que a nota pede) e UF de um CEP. Chame para completar um endereço. parcial true diz que só a UF \
                      e o município aproximado são sabidos. Sem o CEP, use buscar_cep. Usa uma unidade da cota de CEP.",
        takes: &[must("cep", Type::Form("^[0-9]{5}-?[0-9]{3}$"), "O CEP, 8 dígitos.")],
        gives: ToolOutput { object: "EnderecoDoCep", reads: ENDERECO_DO_CEP },
        effect: Asks,
        third_parties: false,
        call: Gives(consultas::consultar_cep),
    },
    Tool {
        name: "buscar_cep",
        title: "CEPs de um logradouro",
        description: "Os CEPs de uma rua. Chame quando há o endereço e falta o CEP; uf e cidade estreitam e podem ser necessárias. Com o CEP na mão, use consultar_cep. \
                      Usa uma unidade da cota de CEP.",
        takes: &[
            must("logradouro", Type::TextOf(3, 120), "Nome do logradouro, ou parte dele."),
            perhaps("tipo", Type::TextOf(0, 120), "Tipo do logradouro: Rua, Avenida."),
            perhaps("bairro", Type::TextOf(0, 120), "Bairro, ou parte do nome."),
            perhaps("cidade", Type::TextOf(0, 120), "Nome inteiro da cidade."),
            perhaps("uf", Type::TextOf(2, 2), "Sigla do estado."),
            LIMITE,
            PAGINA,
        ],
        gives: ToolOutput { object: "ListaDeCeps", reads: LISTA_DE_CEPS },
        effect: Asks,
        third_parties: false,
        call: Gives(consultas::buscar_cep),
    },
    Tool {
        name: "consultar_cnpj",
        title: "Cadastro de um CNPJ",
        description: "O cadastro de uma empresa na Receita Federal: razão social, situação, endereço, atividade. Chame para preencher o destinatário de uma nota ou \
                      conferir se está ativo. A inscrição estadual não vem daqui. Usa uma unidade da cota de CNPJ.",
        takes: &[must("cnpj", Type::CpfCnpj, "O CNPJ, com ou sem máscara, letras aceitas.")],
        gives: ToolOutput { object: "CadastroCnpj", reads: CADASTRO_CNPJ },
        effect: Asks,
        third_parties: true,
        call: Gives(consultas::consultar_cnpj),
    },
    Tool {
        name: "listar_empresas",
        title: "Empresas da conta",
        description: "As empresas que a conta tem para emitir: CNPJ ou CPF, nome, o que está configurado. Chame primeiro, para saber por quem se emite. Não usa cota.",
        takes: &[LIMITE, PAGINA],
        gives: ToolOutput { object: "ListaDeEmpresas", reads: LISTA_DE_EMPRESAS },
        effect: Reads,
        third_parties: true,
        call: Gives(leitura::listar_empresas),
    },
    Tool {
        name: "consultar_cotas",
        title: "Cotas da conta",
        description: "Quanto a conta já usou e quanto pode usar no mês, por família de operações. Chame depois de um erro cota_excedida. Não usa cota.",
        takes: &[],
        gives: ToolOutput { object: "ListaDeCotas", reads: LISTA_DE_COTAS },
        effect: ReadsAccount,
        third_parties: false,
        call: Gives(leitura::consultar_cotas),
    },
    Tool {
        name: "listar_notas",
        title: "Notas da conta",
        description: "As notas que uma autoridade decidiu, a mais nova primeiro, com filtros. Chame para achar uma nota por cliente, período ou situação. O que ainda \
                      está em andamento não está aqui: use localizar_job. Não usa cota.",
        takes: &[
            perhaps("tipo", Type::Words(&["nfe", "nfce", "nfse", "cte"]), "Tipo de documento."),
            perhaps(
                "status",
                Type::Words(&["autorizada", "cancelada", "rejeitada", "denegada", "inutilizada"]),
                "Situação da nota.",
            ),
            perhaps("emitente", Type::CpfCnpj, "Quem emitiu."),
            perhaps("destinatario", Type::CpfCnpj, "Para quem."),
            perhaps("serie", Type::Within(0, 999), "Série."),
            perhaps("numero", Type::Within(1, 999_999_999), "Número."),
            DE,
            ATE,
            LIMITE,
            PAGINA,
        ],
        gives: ToolOutput { object: "ListaDeNotas", reads: LISTA_DE_NOTAS },
        effect: Reads,
        third_parties: true,
        call: Gives(leitura::listar_notas),
    },
    Tool {
        name: "consultar_nota",
        title: "Uma nota ou um job",
        description: "Uma nota pela chave de acesso, ou uma operação pelo job_id que confirmar_nfe devolveu: situação, número, protocolo, motivo da rejeição, arquivos. \
                      Chame até status ser completed, sem repetir mais de uma vez por segundo. Não usa cota.",
        takes: &[
            perhaps(
                "chave",
                Type::Form("^[0-9A-Za-z]{44}([0-9A-Za-z]{6})?$"),
                "A chave de acesso: 44 posições, 50 da NFS-e.",
            ),
            perhaps("job_id", Type::Uuid, "O identificador da operação."),
        ],
        gives: ToolOutput { object: "NotaConsultada", reads: NOTA_CONSULTADA },
        effect: Reads,
        third_parties: true,
        call: Gives(leitura::consultar_nota),
    },
    Tool {
        name: "localizar_job",
        title: "Localizar uma operação",
        description: "Uma operação pela referencia_externa, ou pela venda (emitente, destinatario, valor). Chame quando uma resposta se perdeu, antes de repetir qualquer \
                      emissão. Não usa cota.",
        takes: &[
            perhaps("ref", REFERENCIA, "A referencia_externa."),
            perhaps("emitente", Type::CpfCnpj, "Quem emitiu."),
            perhaps("destinatario", Type::CpfCnpj, "Para quem."),
            perhaps("valor", Type::Form(r"^[0-9]{1,13}(\.[0-9]{1,2})?$"), "O total exato da nota, como 1234.50."),
            DE,
            ATE,
            LIMITE,
            PAGINA,
        ],
        gives: ToolOutput { object: "JobsLocalizados", reads: JOBS_LOCALIZADOS },
        effect: Reads,
        third_parties: true,
        call: Gives(leitura::localizar_job),
    },
    Tool {
        name: "explicar_rejeicao",
        title: "Explicar uma rejeição",
        description: "O que um código de rejeição quer dizer: texto oficial, regra, fonte, campo e o que fazer. Chame com o codigo_status de uma nota rejeitada ou de uma \
                      rejeição prevista. Não olha nenhuma nota. Não usa cota.",
        takes: &[
            must("codigo", Type::Form("^[0-9A-Za-z]{1,10}$"), "O codigo_status: 539, E0004."),
            perhaps("documento", Type::Words(&["nfe", "nfce", "cte", "nfse"]), "De que documento; nfe se ausente."),
        ],
        gives: ToolOutput { object: "RejeicaoExplicada", reads: REJEICAO_EXPLICADA },
        effect: Reads,
        third_parties: false,
        call: Gives(rejeicao::explicar_rejeicao),
    },
    Tool {
        name: "descrever_campos",
        title: "Campos de um grupo da nota",
        description: "Os campos de um grupo do payload: nome, tipo, o que aceita, o que acontece se faltar. A nota tem milhares de campos: comece sem grupo e desça só no \
                      que precisa (identificacao, destinatario, produtos, produtos.icms, pagamentos). Chame antes de montar uma nota. Não usa cota.",
        takes: &[
            perhaps(
                "documento",
                Type::Words(&["nfe", "nfce", "cte", "cte-os", "nfse", "nfse-municipal"]),
                "De que documento; nfe se ausente.",
            ),
            perhaps(
                "grupo",
                Type::TextOf(0, 200),
                "O caminho do grupo, com pontos: produtos.icms. Ausente: os grupos da própria nota.",
            ),
        ],
        gives: ToolOutput { object: "CamposDoGrupo", reads: CAMPOS_DO_GRUPO },
        effect: Reads,
        third_parties: false,
        call: Gives(campos::descrever_campos),
    },
    Tool {
        name: "verificar_campos_nfe",
        title: "Verificar uma NF-e",
        description: "Tudo o que há a dizer de uma NF-e sem emiti-la: campos desconhecidos, ausentes, errados, rejeições previstas, totais. Chame até valido ser true, \
                      antes de preparar_nfe. Nada é registrado. Não usa cota.",
        takes: &[EMITENTE, NOTA, REFERENCE],
        gives: ToolOutput { object: "Verificacao", reads: VERIFICACAO },
        effect: Reads,
        third_parties: false,
        call: Gives(campos::verificar_campos_nfe),
    },
    Tool {
        name: "verificar_campos",
        title: "Verificar NFC-e, CT-e ou NFS-e",
        description: "O mesmo que verificar_campos_nfe, para os outros documentos. Chame até valido ser true, antes de preparar. Nada é registrado. Não usa cota.",
        takes: &[
            must("documento", Type::Words(&["nfce", "cte", "nfse"]), "De que documento."),
            EMITENTE,
            NOTA,
            REFERENCE,
        ],
        gives: ToolOutput { object: "Verificacao", reads: VERIFICACAO },
        effect: Reads,
        third_parties: false,
        call: Gives(campos::verificar_campos),
    },
    Tool {
        name: "preparar_nfe",
        title: "Preparar uma NF-e",
        description: "Confere uma NF-e como a emissão o faria e a guarda por 10 minutos à espera de uma pessoa. Nada é emitido. Devolve o resumo, token_confirmacao (para \
                      confirmar_nfe) e url_confirmacao (para a pessoa). Chame quando verificar_campos_nfe diz valido e a pessoa pediu a nota. A emissão usará uma unidade \
                      da cota de NF-e; preparar não usa.",
        takes: &[EMITENTE, NOTA, REFERENCE],
        gives: ToolOutput { object: "Preparacao", reads: PREPARACAO },
        effect: Prepares,
        third_parties: true,
        call: Gives(emissao::preparar_nfe),
    },
    Tool {
        name: "preparar",
        title: "Preparar NFC-e, CT-e ou NFS-e",
        description: "O mesmo que preparar_nfe, para os outros documentos; o token vai para confirmar. O CT-e OS é um cte com identificacao.modelo 67. Chame quando \
                      verificar_campos diz valido e a pessoa pediu o documento. A emissão usará uma unidade da cota dele; preparar não usa.",
        takes: &[must("documento", Type::Words(DOCUMENTS), "De que documento."), EMITENTE, NOTA, REFERENCE],
        gives: ToolOutput { object: "Preparacao", reads: PREPARACAO },
        effect: Prepares,
        third_parties: true,
        call: Gives(emissao::preparar),
    },
    Tool {
        name: "preparar_cancelamento",
        title: "Preparar um cancelamento",
        description: "Confere o cancelamento de um documento autorizado e o guarda por 10 minutos à espera de uma pessoa, em url_confirmacao. Nada é cancelado até \
                      confirmar. Chame só se a pessoa pediu. O de um CT-e usará uma unidade da cota; os outros não usam.",
        takes: &[
            must("documento", Type::Words(CANCELLED), "De que documento."),
            EMITENTE,
            JOB,
            CHAVE,
            perhaps("numero", Type::Integer, "Da NFS-e municipal, em vez da chave."),
            must("justificativa", Type::TextOf(15, 255), "Por que é cancelado, nas palavras da pessoa."),
            perhaps(
                "codigo_motivo",
                Type::Text,
                "Da NFS-e nacional: 1 erro na emissão, 2 serviço não prestado, 9 outros.",
            ),
            perhaps("codigo_cancelamento", Type::Text, "Da NFS-e municipal: 1 a 5."),
            perhaps("chave_substituta", Type::Text, "Da NFC-e cancelada por substituição."),
            REFERENCE_OF_ACT,
        ],
        gives: ToolOutput { object: "AtoPreparado", reads: ATO_PREPARADO },
        effect: Prepares,
        third_parties: true,
        call: Gives(emissao::preparar_cancelamento),
    },
    Tool {
        name: "preparar_correcao",
        title: "Preparar uma carta de correção",
        description: "O mesmo que preparar_cancelamento, para a carta de correção de uma NF-e (correcao, um texto) ou de um CT-e (correcoes, campo a campo). Valor, \
                      imposto, partes e data não se corrigem assim. Não usa cota.",
        takes: &[
            must("documento", Type::Words(CORRECTED), "De que documento."),
            EMITENTE,
            JOB,
            CHAVE,
            perhaps("correcao", Type::TextOf(15, 1000), "Da NF-e: o texto, com o que continua valendo das anteriores."),
            perhaps("correcoes", Type::ListUpTo(&CORRECAO, 100), "Do CT-e: os campos, com as tags oficiais."),
            REFERENCE_OF_ACT,
        ],
        gives: ToolOutput { object: "AtoPreparado", reads: ATO_PREPARADO },
        effect: Prepares,
        third_parties: true,
        call: Gives(emissao::preparar_correcao),
    },
    Tool {
        name: "preparar_inutilizacao",
        title: "Preparar uma inutilização",
        description: "O mesmo que preparar_cancelamento, para números que nenhum documento terá. Não usa cota.",
        takes: &[
            must("documento", Type::Words(VOIDED), "De que documento."),
            EMITENTE,
            perhaps("serie", Type::Within(0, 999), "Série; a configurada se ausente."),
            must("numero_inicial", Type::Within(1, 999_999_999), "O primeiro número."),
            perhaps("numero_final", Type::Within(1, 999_999_999), "O último; o inicial se ausente."),
            perhaps("ano", Type::Within(6, 2099), "Este ano se ausente."),
            must("justificativa", Type::TextOf(15, 255), "Por que não serão usados."),
            REFERENCE_OF_ACT,
        ],
        gives: ToolOutput { object: "AtoPreparado", reads: ATO_PREPARADO },
        effect: Prepares,
        third_parties: false,
        call: Gives(emissao::preparar_inutilizacao),
    },
    Tool {
        name: "consultar_confirmacao",
        title: "Como está uma confirmação",
        description: "Se uma pessoa já aprovou ou recusou o que foi preparado, ou se venceu. Chame depois de mostrar url_confirmacao, sem repetir mais de uma vez a \
                      cada poucos segundos. Não usa cota.",
        takes: &[must("id_confirmacao", Type::Uuid, "O id_confirmacao que a preparação devolveu.")],
        gives: ToolOutput { object: "SituacaoDaConfirmacao", reads: SITUACAO_DA_CONFIRMACAO },
        effect: Reads,
        third_parties: true,
        call: Gives(confirmation::consult),
    },
    Tool {
        name: "confirmar_nfe",
        title: "Confirmar uma NF-e",
        description: "Emite o que preparar_nfe preparou, só depois da aprovação de uma pessoa na página url_confirmacao: você não pode aprovar no lugar dela. Sem aprovação, \
                      pede a pessoa ou devolve aguardando_confirmacao. O token vale uma vez e o teto da conta é conferido de novo. Usa uma unidade da cota de NF-e.",
        takes: &[must("token_confirmacao", Type::TextOf(1, 200), "O token_confirmacao de preparar_nfe.")],
        gives: ToolOutput { object: "SituacaoDaConfirmacao", reads: SITUACAO_DA_CONFIRMACAO },
        effect: Issues,
        third_parties: false,
        call: ToolAction::Confirms(ExpectedOrder::Nfe),
    },
    Tool {
        name: "confirmar",
        title: "Confirmar o que foi preparado",
        description: "O mesmo que confirmar_nfe, para o que qualquer ferramenta preparar_… preparou: emite, cancela, corrige ou inutiliza, só depois da aprovação de uma \
                      pessoa. Acompanhe o job_id com consultar_nota. Uma emissão usa uma unidade da cota do documento; um ato não usa.",
        takes: &[must("token_confirmacao", Type::TextOf(1, 200), "O token_confirmacao da preparação.")],
        gives: ToolOutput { object: "SituacaoDaConfirmacao", reads: SITUACAO_DA_CONFIRMACAO },
        effect: Issues,
        third_parties: false,
        call: ToolAction::Confirms(ExpectedOrder::Anything),
    },
];

const LIMITE: SchemaField = perhaps("limite", Type::Within(1, 100), "Quantos por página; 10 se ausente.");
const PAGINA: SchemaField = perhaps("pagina", Type::Within(1, 1_000_000), "Qual página; 1 se ausente.");
const DE: SchemaField = perhaps("de", Type::Date, "Primeiro dia.");
const ATE: SchemaField = perhaps("ate", Type::Date, "Último dia.");
const CODIGO_NCM: SchemaField =
    must("codigo", Type::Form("^[0-9][0-9. -]{0,11}$"), "O código, de 2 a 8 dígitos, com ou sem pontos.");
const EMITENTE: SchemaField = must("cpf_cnpj", FILLED, "O emitente: CNPJ ou CPF de uma empresa de listar_empresas.");
const NOTA: SchemaField = must(
    "nota",
    Type::Free,
    "O conteúdo da nota, com os nomes de descrever_campos. Não invente imposto, NCM nem CFOP.",
);
const REFERENCE: SchemaField =
    perhaps("referencia_externa", REFERENCIA, "Seu identificador desta nota: repetido, não emite duas.");
const REFERENCE_OF_ACT: SchemaField =
    perhaps("referencia_externa", REFERENCIA, "Seu identificador deste ato: repetido, não faz dois.");
const JOB: SchemaField = perhaps("job_id", Type::Uuid, "O job que o emitiu; ou a chave.");
const CHAVE: SchemaField = perhaps("chave", Type::Text, "A chave de acesso; ou o job_id.");
/// A correction of a CT-e.
const CORRECAO: Type = Type::Group(&[
    must("grupo", Type::Text, ""),
    must("campo", Type::Text, ""),
    must("valor", Type::Text, ""),
    perhaps("item", Type::Integer, ""),
]);
