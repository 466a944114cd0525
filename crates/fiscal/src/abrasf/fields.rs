//! Members of the payload in the order of the reference, with short names and documentation. Every leaf of every
//! version is one of them.
//!
//! Law: ABRASF, manual de integração 2.0x; `docs/contract.md`, "NFS-e". `defaults` fills absent members.

use crate::map::Need;

/// A member or a group.
pub(super) struct Row {
    /// Name in the payload.
    pub(super) name: &'static str,
    /// Path of tags of a group. The tags of a member are those of the layouts.
    pub(super) tag: &'static str,
    /// Other names, the tags excepted.
    pub(super) also: &'static [&'static str],
    /// Consequence of its absence.
    pub(super) need: Need,
    pub(super) is_list: bool,
    pub(super) doc: &'static str,
    /// Members of a group.
    pub(super) inside: &'static [Row],
}

const fn field(name: &'static str, need: Need, doc: &'static str) -> Row {
    called(name, &[], need, doc)
}

const fn called(name: &'static str, also: &'static [&'static str], need: Need, doc: &'static str) -> Row {
    Row { name, tag: "", also, need, is_list: false, doc, inside: &[] }
}

const fn group(name: &'static str, tag: &'static str, need: Need, doc: &'static str, inside: &'static [Row]) -> Row {
    Row { name, tag, also: &[], need, is_list: false, doc, inside }
}

const fn list(name: &'static str, tag: &'static str, need: Need, doc: &'static str, inside: &'static [Row]) -> Row {
    Row { is_list: true, ..group(name, tag, need, doc, inside) }
}

/// Members of an address, with the tag of its foreign part.
const fn place(abroad_tag: &'static str) -> [Row; 9] {
    [
        field("endereco", Need::Optional, "Logradouro."),
        field("numero", Need::Optional, "Número."),
        field("complemento", Need::Optional, "Complemento."),
        field("bairro", Need::Optional, "Bairro."),
        field("codigo_municipio", Need::Optional, "Código do município na tabela do IBGE, 7 dígitos."),
        field("uf", Need::Optional, "Sigla da UF."),
        field("codigo_pais", Need::Optional, "Código do país."),
        field("cep", Need::Optional, "CEP, com ou sem máscara."),
        abroad(abroad_tag),
    ]
}

/// Members of an address outside of Brazil.
const fn abroad(tag: &'static str) -> Row {
    const INSIDE: &[Row] = &[
        field("codigo_end_post", Need::Optional, "Código postal."),
        field("cidade_exterior", Need::Optional, "Cidade."),
        field("est_prov_reg_exterior", Need::Optional, "Estado, província ou região."),
    ];
    group("end_ext", tag, Need::Optional, "Endereço fora do Brasil.", INSIDE)
}

#[rustfmt::skip]
pub(super) static FIELDS: &[Row] = &[
    field("competencia", Need::SameAs("dia da emissão"), "Dia em que o serviço foi prestado, AAAA-MM-DD."),
    field("natureza_operacao", Need::Assumed("1"), "Natureza da operação: `1` tributação no município, `2` fora dele, `3` isenção, `4` imune, `5` e `6` exigibilidade suspensa por decisão judicial ou processo administrativo. Nas outras versões quem diz isso é `exigibilidade_iss`, e um valor vale pelo outro onde há correspondente."),
    field("regime_especial_tributacao", Need::Company, "Regime especial: `1` microempresa municipal, `2` estimativa, `3` sociedade de profissionais, `4` cooperativa, `5` MEI, `6` ME ou EPP do Simples Nacional."),
    field("optante_simples_nacional", Need::Company, "Optante pelo Simples Nacional: `1` sim, `2` não."),
    called("incentivo_fiscal", &["IncentivadorCultural"], Need::Company, "Incentivo fiscal: `1` sim, `2` não."),
    field("informacoes_complementares", Need::Optional, "Informações que o tomador lê na nota."),
    group("rps", "Rps", Need::Optional, "O recibo que a prefeitura converte em nota. Tudo nele é preenchido pelo serviço.", &[
        field("numero", Need::Service, "Número do RPS; informado, é reservado como veio."),
        field("serie", Need::Company, "Série do RPS, 1 a 5 letras ou algarismos."),
        field("tipo", Need::Default("1"), "Tipo: `1` RPS, `2` nota conjugada (mista), `3` cupom."),
        field("data_emissao", Need::Service, "Quando o RPS foi emitido; não pode ser depois de hoje."),
        field("status", Need::Default("1"), "Situação: `1` normal, `2` cancelado."),
        group("rps_substituido", "Rps/RpsSubstituido", Need::Optional, "O RPS de uma nota autorizada que esta substitui: num só pedido (SubstituirNfse) onde o provedor o tem.", &[
            field("numero", Need::Required, "Número dele."),
            field("serie", Need::SameAs("rps.serie"), "Série dele."),
            field("tipo", Need::Assumed("1"), "Tipo dele."),
        ]),
    ]),
    group("servico", "Servico", Need::Required, "O serviço prestado.", &[
        called("item_lista_servico", &["codigo_item_lista_servico"], Need::Required, "Item da lista da LC 116: `1.07`, `01.07`, `0107` ou o código nacional `010701`. O serviço o escreve como a prefeitura quer."),
        called("discriminacao", &["descricao"], Need::Required, "Descrição do serviço; as quebras de linha são as da prefeitura."),
        field("codigo_municipio", Need::Company, "Município onde o serviço foi prestado, código do IBGE; `9999999` fora do Brasil."),
        field("iss_retido", Need::Assumed("2"), "ISS retido pelo tomador ou intermediário: `1` sim, `2` não."),
        field("responsavel_retencao", Need::Optional, "Quem retém: `1` tomador, `2` intermediário. Ausente com ISS retido: `1`, com aviso."),
        field("exigibilidade_iss", Need::Assumed("1"), "Exigibilidade do ISS: `1` exigível, `2` não incidência, `3` isenção, `4` exportação, `5` imunidade, `6` suspensa por decisão judicial, `7` suspensa por processo administrativo. Na versão 1.00 quem diz isso é `natureza_operacao`."),
        field("municipio_incidencia", Need::Optional, "Município onde o ISS é devido, código do IBGE. Ausente: o da empresa, com aviso, se o serviço foi prestado nele e o ISS é exigível ou suspenso."),
        field("numero_processo", Need::Optional, "Processo judicial ou administrativo que suspende a exigibilidade."),
        field("identif_nao_exigibilidade", Need::Optional, "Código do município para a não exigibilidade."),
        called("codigo_tributacao_municipio", &["codigo_tributario_municipio"], Need::Optional, "Código de tributação da prefeitura."),
        field("codigo_cnae", Need::Optional, "CNAE, 7 dígitos."),
        called("codigo_nbs", &["codigo_nacional_bs"], Need::Optional, "Código da NBS, 9 dígitos. Nunca é adivinhado."),
        field("codigo_pais", Need::Optional, "País onde o serviço foi prestado, se fora do Brasil."),
        field("municipio_prestacao", Need::Optional, "Município da prestação, onde a prefeitura o separa do da incidência."),
        field("pais_prestacao", Need::Optional, "País da prestação."),
        field("c_ind_op", Need::Optional, "Indicador da operação (IBS e CBS). Nunca é adivinhado."),
        field("c_class_trib_reg", Need::Optional, "Classificação tributária (IBS e CBS). Nunca é adivinhada."),
        group("valores", "Servico/Valores", Need::Required, "Os valores. Também podem vir direto em `nota.valores`.", &[
            field("valor_servicos", Need::Required, "Valor bruto dos serviços."),
            field("valor_deducoes", Need::Optional, "Deduções da base de cálculo. Nunca são adivinhadas."),
            field("valor_pis", Need::Optional, "PIS retido."),
            field("valor_cofins", Need::Optional, "COFINS retida."),
            field("valor_inss", Need::Optional, "INSS retido."),
            field("valor_ir", Need::Optional, "IR retido."),
            field("valor_csll", Need::Optional, "CSLL retida."),
            field("outras_retencoes", Need::Optional, "Outras retenções."),
            field("val_tot_tributos", Need::Optional, "Total aproximado dos tributos (Lei 12.741)."),
            field("base_calculo", Need::Sum, "Base de cálculo: serviços menos deduções menos desconto incondicionado."),
            field("aliquota", Need::Optional, "Alíquota do ISS, sempre em percentual: `2` é 2 %, seja qual for a unidade da prefeitura. Nunca é adivinhada."),
            field("valor_iss", Need::Sum, "Valor do ISS: base vezes alíquota, se o ISS é devido."),
            field("valor_iss_retido", Need::Sum, "O mesmo, se retido."),
            field("valor_liquido_nfse", Need::Sum, "Valor líquido: serviços menos retenções e descontos."),
            called("desconto_incondicionado", &["desconto_incondicional"], Need::Optional, "Desconto que reduz a base."),
            called("desconto_condicionado", &["desconto_condicional"], Need::Optional, "Desconto que não reduz a base."),
            field("cst", Need::Optional, "Situação tributária do PIS e da COFINS."),
            field("tp_ret_pis_cofins", Need::Optional, "Se PIS e COFINS são retidos: `1` sim, `2` não."),
        ]),
        group("imovel", "Servico/Imovel", Need::Optional, "O imóvel do serviço.", &[
            field("c_cib", Need::Optional, "Código do imóvel no CIB."),
            group("endereco", "Servico/Imovel/Endereco", Need::Optional, "Onde fica.", &place("Servico/Imovel/Endereco/EndExt")),
        ]),
    ]),
    group("prestador", "Prestador", Need::Optional, "A empresa que emite: vem do cadastro. Informada, tem de ser ela.", &[
        called("cpf_cnpj", &["cpf", "cnpj"], Need::Company, "CNPJ ou CPF, com ou sem máscara. A versão 1.00 leva só CNPJ."),
        field("inscricao_municipal", Need::Company, "Inscrição municipal."),
    ]),
    group("tomador", "Tomador", Need::Optional, "Quem tomou o serviço. Com CNPJ, as prefeituras pedem nome e endereço completos.", &[
        called("cpf_cnpj", &["cpf", "cnpj"], Need::Optional, "CNPJ ou CPF, com ou sem máscara."),
        called("nif_tomador", &["nif"], Need::Optional, "Número fiscal de quem é do exterior."),
        field("cod_nao_nif", Need::Optional, "Por que não há NIF: `0` não informado na origem, `1` dispensado, `2` não exigido."),
        field("inscricao_municipal", Need::Optional, "Inscrição municipal; só de quem é do município do prestador."),
        field("razao_social", Need::Optional, "Nome ou razão social."),
        field("telefone", Need::Optional, "Telefone, com ou sem máscara."),
        field("email", Need::Optional, "E-mail."),
        group("endereco", "Tomador/Endereco", Need::Optional, "Endereço.", &[
            called("logradouro", &["endereco"], Need::Optional, "Logradouro."),
            field("numero", Need::Optional, "Número."),
            field("complemento", Need::Optional, "Complemento."),
            field("bairro", Need::Optional, "Bairro."),
            field("codigo_municipio", Need::Optional, "Código do município na tabela do IBGE, 7 dígitos."),
            field("uf", Need::Optional, "Sigla da UF."),
            field("codigo_pais", Need::Optional, "Código do país."),
            field("cep", Need::Optional, "CEP, com ou sem máscara."),
            abroad("Tomador/Endereco/EndExt"),
        ]),
        group("endereco_exterior", "Tomador/EnderecoExterior", Need::Optional, "Endereço fora do Brasil.", &[
            field("codigo_pais", Need::Optional, "Código do país."),
            field("endereco_completo_exterior", Need::Optional, "O endereço inteiro."),
        ]),
    ]),
    group("intermediario", "Intermediario", Need::Optional, "Quem intermediou o serviço.", &[
        called("cpf_cnpj", &["cpf", "cnpj"], Need::Optional, "CNPJ ou CPF, com ou sem máscara."),
        field("inscricao_municipal", Need::Optional, "Inscrição municipal."),
        field("razao_social", Need::Optional, "Nome ou razão social."),
        field("codigo_municipio", Need::Optional, "Município dele, código do IBGE."),
    ]),
    group("construcao_civil", "ConstrucaoCivil", Need::Optional, "A obra de um serviço de construção.", &[
        field("codigo_obra", Need::Optional, "Código da obra."),
        field("art", Need::Optional, "Número da ART."),
        field("insc_imob_fisc", Need::Optional, "Inscrição imobiliária na prefeitura."),
        field("id_obra", Need::Optional, "Identificação da obra (CNO, CEI)."),
        field("c_cib", Need::Optional, "Código do imóvel no CIB."),
        group("endereco", "ConstrucaoCivil/Endereco", Need::Optional, "Onde fica.", &place("ConstrucaoCivil/Endereco/EndExt")),
    ]),
    group("evento", "Evento", Need::Optional, "O evento a que o serviço se refere.", &[
        field("identificacao_evento", Need::Optional, "Código dele na prefeitura."),
        field("descricao_evento", Need::Optional, "Descrição dele."),
    ]),
    group("atv_evento", "AtvEvento", Need::Optional, "O evento a que o serviço se refere, no leiaute da GovDigital.", &[
        field("nome", Need::Optional, "Nome dele."),
        field("data_inicio", Need::Optional, "Primeiro dia."),
        field("data_fim", Need::Optional, "Último dia."),
        field("id_atv_ev", Need::Optional, "Código dele na prefeitura."),
        group("endereco", "AtvEvento/Endereco", Need::Optional, "Onde é.", &place("AtvEvento/Endereco/EndExt")),
    ]),
    group("com_ext", "ComExt", Need::Optional, "Serviço de ou para o exterior; os códigos são os do grupo `comExt` da NFS-e nacional.", &[
        field("md_prestacao", Need::Optional, "Modo da prestação."),
        field("vinc_prest", Need::Optional, "Vínculo entre as partes."),
        field("tp_moeda", Need::Optional, "Moeda, pelo código de três dígitos do Banco Central."),
        field("v_serv_moeda", Need::Optional, "Valor do serviço na moeda."),
        field("mec_af_comex_p", Need::Optional, "Mecanismo de apoio ao prestador."),
        field("mec_af_comex_t", Need::Optional, "Mecanismo de apoio ao tomador."),
        field("mov_temp_bens", Need::Optional, "Movimentação temporária de bens."),
        field("mdic", Need::Optional, "Se a nota vai à Secretaria de Comércio Exterior: `0` não, `1` sim."),
    ]),
    list("deducao", "Deducao", Need::Optional, "As deduções, uma a uma.", &[
        field("tipo_deducao", Need::Optional, "Tipo da dedução, pelo código do leiaute."),
        field("descricao_deducao", Need::Optional, "O que é, quando o tipo é outros."),
        field("data_emissao", Need::Optional, "Data do documento."),
        field("valor_dedutivel", Need::Optional, "Valor dedutível do documento."),
        field("valor_utilizado_deducao", Need::Optional, "Quanto dele se usa nesta nota."),
        group("identificacao_documento_deducao", "Deducao/IdentificacaoDocumentoDeducao", Need::Optional, "O documento da dedução.", &[
            group("identificacao_nfse", "Deducao/IdentificacaoDocumentoDeducao/IdentificacaoNfse", Need::Optional, "Uma NFS-e.", &[
                field("codigo_municipio_gerador", Need::Optional, "Município que a gerou, código do IBGE."),
                field("numero_nfse", Need::Optional, "Número."),
                field("codigo_verificacao", Need::Optional, "Código de verificação."),
            ]),
            group("identificacao_nfe", "Deducao/IdentificacaoDocumentoDeducao/IdentificacaoNfe", Need::Optional, "Uma NF-e.", &[
                field("numero_nfe", Need::Optional, "Número."),
                field("uf_nfe", Need::Optional, "UF."),
                field("chave_acesso_nfe", Need::Optional, "Chave de acesso."),
            ]),
            group("outro_documento", "Deducao/IdentificacaoDocumentoDeducao/OutroDocumento", Need::Optional, "Outro documento.", &[
                field("identificacao_documento", Need::Optional, "Como se identifica."),
            ]),
        ]),
        group("dados_fornecedor", "Deducao/DadosFornecedor", Need::Optional, "Quem o emitiu.", &[
            group("identificacao_fornecedor", "Deducao/DadosFornecedor/IdentificacaoFornecedor", Need::Optional, "Fornecedor do Brasil.", &[
                called("cpf_cnpj", &["cpf", "cnpj"], Need::Optional, "CNPJ ou CPF, com ou sem máscara."),
            ]),
            group("fornecedor_exterior", "Deducao/DadosFornecedor/FornecedorExterior", Need::Optional, "Fornecedor do exterior.", &[
                field("nif_fornecedor", Need::Optional, "Número fiscal dele."),
                field("codigo_pais", Need::Optional, "Código do país."),
            ]),
        ]),
    ]),
];
