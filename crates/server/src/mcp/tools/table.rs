//! The table.

use super::Call::{self, Gives};
use super::Effect::{Asks, Issues, Prepares, Reads};
use super::{Tool, campos, consultas, emissao, leitura, rejeicao};
use crate::api::schema::{FILLED, Field, REFERENCIA, Type, must, perhaps};
use crate::mcp::confirmation;

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
        gives: "PaginaDeNcm",
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
        gives: "Ncm",
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
        gives: "ValidadeNcm",
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
        gives: "EnderecoDoCep",
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
            perhaps("uf", Type::Uf, "Sigla do estado."),
            LIMITE,
            PAGINA,
        ],
        gives: "ListaDeCeps",
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
        gives: "CadastroCnpj",
        effect: Asks,
        third_parties: true,
        call: Gives(consultas::consultar_cnpj),
    },
    Tool {
        name: "listar_empresas",
        title: "Empresas da conta",
        description: "As empresas que a conta tem para emitir: CNPJ ou CPF, nome, o que está configurado. Chame primeiro, para saber por quem se emite. Não usa cota.",
        takes: &[LIMITE, PAGINA],
        gives: "ListaDeEmpresas",
        effect: Reads,
        third_parties: true,
        call: Gives(leitura::listar_empresas),
    },
    Tool {
        name: "consultar_cotas",
        title: "Cotas da conta",
        description: "Quanto a conta já usou e quanto pode usar no mês, por família de operações. Chame depois de um erro cota_excedida. Não usa cota.",
        takes: &[],
        gives: "ListaDeCotas",
        effect: Reads,
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
        gives: "ListaDeNotas",
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
        gives: "NotaConsultada",
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
        gives: "JobsLocalizados",
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
        gives: "RejeicaoExplicada",
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
        gives: "CamposDoGrupo",
        effect: Reads,
        third_parties: false,
        call: Gives(campos::descrever_campos),
    },
    Tool {
        name: "verificar_campos_nfe",
        title: "Verificar uma NF-e",
        description: "Tudo o que há a dizer de uma NF-e sem emiti-la: campos desconhecidos, ausentes, errados, rejeições previstas, totais. Chame até valido ser true, \
                      antes de preparar_nfe. Nada é registrado. Não usa cota.",
        takes: &[EMITENTE, NOTA],
        gives: "Verificacao",
        effect: Reads,
        third_parties: false,
        call: Gives(campos::verificar_campos_nfe),
    },
    Tool {
        name: "verificar_campos",
        title: "Verificar NFC-e, CT-e ou NFS-e",
        description: "O mesmo que verificar_campos_nfe, para os outros documentos. Estes não se emitem por aqui: o que está certo vai para quem os emite pela API. Nada é \
                      registrado. Não usa cota.",
        takes: &[must("documento", Type::Words(&["nfce", "cte", "nfse"]), "De que documento."), EMITENTE, NOTA],
        gives: "Verificacao",
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
        takes: &[
            EMITENTE,
            NOTA,
            perhaps("referencia_externa", REFERENCIA, "Seu identificador desta nota: repetido, não emite duas."),
        ],
        gives: "Preparacao",
        effect: Prepares,
        third_parties: true,
        call: Gives(emissao::preparar_nfe),
    },
    Tool {
        name: "consultar_confirmacao",
        title: "Como está uma confirmação",
        description: "Se uma pessoa já aprovou ou recusou o que preparar_nfe preparou, ou se venceu. Chame depois de mostrar url_confirmacao, sem repetir mais de uma vez a \
                      cada poucos segundos. Não usa cota.",
        takes: &[must("id_confirmacao", Type::Uuid, "O id_confirmacao de preparar_nfe.")],
        gives: "SituacaoDaConfirmacao",
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
        gives: "SituacaoDaConfirmacao",
        effect: Issues,
        third_parties: false,
        call: Call::Confirms,
    },
];

const LIMITE: Field = perhaps("limite", Type::Within(1, 100), "Quantos por página; 10 se ausente.");
const PAGINA: Field = perhaps("pagina", Type::Within(1, 1_000_000), "Qual página; 1 se ausente.");
const DE: Field = perhaps("de", Type::Date, "Primeiro dia.");
const ATE: Field = perhaps("ate", Type::Date, "Último dia.");
const CODIGO_NCM: Field =
    must("codigo", Type::Form("^[0-9][0-9. -]{0,11}$"), "O código, de 2 a 8 dígitos, com ou sem pontos.");
const EMITENTE: Field = must("cpf_cnpj", FILLED, "O emitente: CNPJ ou CPF de uma empresa de listar_empresas.");
const NOTA: Field = must(
    "nota",
    Type::Free,
    "O conteúdo da nota, com os nomes de descrever_campos. Não invente imposto, NCM nem CFOP.",
);
