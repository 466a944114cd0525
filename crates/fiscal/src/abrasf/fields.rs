//! Members of the payload in the order of the reference, with short names and documentation. Every leaf of every
//! version is one of them.
//!
//! Law: ABRASF, manual de integração 2.0x; `docs/contract.md`, "NFS-e". `defaults` fills absent members.

use crate::map::MemberRequirement;

/// A member or a group.
pub(super) struct PayloadField {
    /// Name in the payload.
    pub(super) name: &'static str,
    /// Path of tags of a group. The tags of a member are those of the layouts.
    pub(super) tag: &'static str,
    /// Other names, the tags excepted.
    pub(super) aliases: &'static [&'static str],
    /// Consequence of its absence.
    pub(super) need: MemberRequirement,
    pub(super) is_list: bool,
    pub(super) doc: &'static str,
    /// Members of a group.
    pub(super) inside: &'static [PayloadField],
}

const fn field(name: &'static str, need: MemberRequirement, doc: &'static str) -> PayloadField {
    field_with_aliases(name, &[], need, doc)
}

const fn field_with_aliases(
    name: &'static str,
    also: &'static [&'static str],
    need: MemberRequirement,
    doc: &'static str,
) -> PayloadField {
    PayloadField { name, tag: "", aliases: also, need, is_list: false, doc, inside: &[] }
}

const fn group(
    name: &'static str,
    tag: &'static str,
    need: MemberRequirement,
    doc: &'static str,
    inside: &'static [PayloadField],
) -> PayloadField {
    PayloadField { name, tag, aliases: &[], need, is_list: false, doc, inside }
}

const fn list(
    name: &'static str,
    tag: &'static str,
    need: MemberRequirement,
    doc: &'static str,
    inside: &'static [PayloadField],
) -> PayloadField {
    PayloadField { is_list: true, ..group(name, tag, need, doc, inside) }
}

/// Members of an address, with the tag of its foreign part.
const fn place(abroad_tag: &'static str) -> [PayloadField; 9] {
    [
        field("endereco", MemberRequirement::Optional, "Logradouro."),
        field("numero", MemberRequirement::Optional, "Número."),
        field("complemento", MemberRequirement::Optional, "Complemento."),
        field("bairro", MemberRequirement::Optional, "Bairro."),
        field("codigo_municipio", MemberRequirement::Optional, "Código do município na tabela do IBGE, 7 dígitos."),
        field("uf", MemberRequirement::Optional, "Sigla da UF."),
        field("codigo_pais", MemberRequirement::Optional, "Código do país."),
        field("cep", MemberRequirement::Optional, "CEP, com ou sem máscara."),
        abroad(abroad_tag),
    ]
}

/// Members of an address outside of Brazil.
const fn abroad(tag: &'static str) -> PayloadField {
    const INSIDE: &[PayloadField] = &[
        field("codigo_end_post", MemberRequirement::Optional, "Código postal."),
        field("cidade_exterior", MemberRequirement::Optional, "Cidade."),
        field("est_prov_reg_exterior", MemberRequirement::Optional, "Estado, província ou região."),
    ];
    group("end_ext", tag, MemberRequirement::Optional, "Endereço fora do Brasil.", INSIDE)
}

#[rustfmt::skip]
pub(super) static FIELDS: &[PayloadField] = &[
    field("competencia", MemberRequirement::SameAs("dia da emissão"), "Dia em que o serviço foi prestado, AAAA-MM-DD."),
    field("natureza_operacao", MemberRequirement::Assumed("1"), "Natureza da operação: `1` tributação no município, `2` fora dele, `3` isenção, `4` imune, `5` e `6` exigibilidade suspensa por decisão judicial ou processo administrativo. Nas outras versões quem diz isso é `exigibilidade_iss`, e um valor vale pelo outro onde há correspondente."),
    field("regime_especial_tributacao", MemberRequirement::Company, "Regime especial: `1` microempresa municipal, `2` estimativa, `3` sociedade de profissionais, `4` cooperativa, `5` MEI, `6` ME ou EPP do Simples Nacional."),
    field("optante_simples_nacional", MemberRequirement::Company, "Optante pelo Simples Nacional: `1` sim, `2` não."),
    field_with_aliases("incentivo_fiscal", &["IncentivadorCultural"], MemberRequirement::Company, "Incentivo fiscal: `1` sim, `2` não."),
    field("informacoes_complementares", MemberRequirement::Optional, "Informações que o tomador lê na nota."),
    group("rps", "Rps", MemberRequirement::Optional, "O recibo que a prefeitura converte em nota. Tudo nele é preenchido pelo serviço.", &[
        field("numero", MemberRequirement::Service, "Número do RPS; informado, é reservado como veio."),
        field("serie", MemberRequirement::Company, "Série do RPS, 1 a 5 letras ou algarismos."),
        field("tipo", MemberRequirement::Default("1"), "Tipo: `1` RPS, `2` nota conjugada (mista), `3` cupom."),
        field("data_emissao", MemberRequirement::Service, "Quando o RPS foi emitido; não pode ser depois de hoje."),
        field("status", MemberRequirement::Default("1"), "Situação: `1` normal, `2` cancelado."),
        group("rps_substituido", "Rps/RpsSubstituido", MemberRequirement::Optional, "O RPS de uma nota autorizada que esta substitui: num só pedido (SubstituirNfse) onde o provedor o tem.", &[
            field("numero", MemberRequirement::Required, "Número dele."),
            field("serie", MemberRequirement::SameAs("rps.serie"), "Série dele."),
            field("tipo", MemberRequirement::Assumed("1"), "Tipo dele."),
        ]),
    ]),
    group("servico", "Servico", MemberRequirement::Required, "O serviço prestado.", &[
        field_with_aliases("item_lista_servico", &["codigo_item_lista_servico"], MemberRequirement::Required, "Item da lista da LC 116: `1.07`, `01.07`, `0107` ou o código nacional `010701`. O serviço o escreve como a prefeitura quer."),
        field_with_aliases("discriminacao", &["descricao"], MemberRequirement::Required, "Descrição do serviço; as quebras de linha são as da prefeitura."),
        field("codigo_municipio", MemberRequirement::Company, "Município onde o serviço foi prestado, código do IBGE; `9999999` fora do Brasil."),
        field("iss_retido", MemberRequirement::Assumed("2"), "ISS retido pelo tomador ou intermediário: `1` sim, `2` não."),
        field("responsavel_retencao", MemberRequirement::Optional, "Quem retém: `1` tomador, `2` intermediário. Ausente com ISS retido: `1`, com aviso."),
        field("exigibilidade_iss", MemberRequirement::Assumed("1"), "Exigibilidade do ISS: `1` exigível, `2` não incidência, `3` isenção, `4` exportação, `5` imunidade, `6` suspensa por decisão judicial, `7` suspensa por processo administrativo. Na versão 1.00 quem diz isso é `natureza_operacao`."),
        field("municipio_incidencia", MemberRequirement::Optional, "Município onde o ISS é devido, código do IBGE. Ausente: o da empresa, com aviso, se o serviço foi prestado nele e o ISS é exigível ou suspenso."),
        field("numero_processo", MemberRequirement::Optional, "Processo judicial ou administrativo que suspende a exigibilidade."),
        field("identif_nao_exigibilidade", MemberRequirement::Optional, "Código do município para a não exigibilidade."),
        field_with_aliases("codigo_tributacao_municipio", &["codigo_tributario_municipio"], MemberRequirement::Optional, "Código de tributação da prefeitura."),
        field("codigo_cnae", MemberRequirement::Optional, "CNAE, 7 dígitos."),
        field_with_aliases("codigo_nbs", &["codigo_nacional_bs"], MemberRequirement::Optional, "Código da NBS, 9 dígitos. Nunca é adivinhado."),
        field("codigo_pais", MemberRequirement::Optional, "País onde o serviço foi prestado, se fora do Brasil."),
        field("municipio_prestacao", MemberRequirement::Optional, "Município da prestação, onde a prefeitura o separa do da incidência."),
        field("pais_prestacao", MemberRequirement::Optional, "País da prestação."),
        field("c_ind_op", MemberRequirement::Optional, "Indicador da operação (IBS e CBS). Nunca é adivinhado."),
        field("c_class_trib_reg", MemberRequirement::Optional, "Classificação tributária (IBS e CBS). Nunca é adivinhada."),
        group("valores", "Servico/Valores", MemberRequirement::Required, "Os valores. Também podem vir direto em `nota.valores`.", &[
            field("valor_servicos", MemberRequirement::Required, "Valor bruto dos serviços."),
            field("valor_deducoes", MemberRequirement::Optional, "Deduções da base de cálculo. Nunca são adivinhadas."),
            field("valor_pis", MemberRequirement::Optional, "PIS retido."),
            field("valor_cofins", MemberRequirement::Optional, "COFINS retida."),
            field("valor_inss", MemberRequirement::Optional, "INSS retido."),
            field("valor_ir", MemberRequirement::Optional, "IR retido."),
            field("valor_csll", MemberRequirement::Optional, "CSLL retida."),
            field("outras_retencoes", MemberRequirement::Optional, "Outras retenções."),
            field("val_tot_tributos", MemberRequirement::Optional, "Total aproximado dos tributos (Lei 12.741)."),
            field("base_calculo", MemberRequirement::Sum, "Base de cálculo: serviços menos deduções menos desconto incondicionado."),
            field("aliquota", MemberRequirement::Optional, "Alíquota do ISS, sempre em percentual: `2` é 2 %, seja qual for a unidade da prefeitura. Nunca é adivinhada."),
            field("valor_iss", MemberRequirement::Sum, "Valor do ISS: base vezes alíquota, se o ISS é devido."),
            field("valor_iss_retido", MemberRequirement::Sum, "O mesmo, se retido."),
            field("valor_liquido_nfse", MemberRequirement::Sum, "Valor líquido: serviços menos retenções e descontos."),
            field_with_aliases("desconto_incondicionado", &["desconto_incondicional"], MemberRequirement::Optional, "Desconto que reduz a base."),
            field_with_aliases("desconto_condicionado", &["desconto_condicional"], MemberRequirement::Optional, "Desconto que não reduz a base."),
            field("cst", MemberRequirement::Optional, "Situação tributária do PIS e da COFINS."),
            field("tp_ret_pis_cofins", MemberRequirement::Optional, "Se PIS e COFINS são retidos: `1` sim, `2` não."),
        ]),
        group("imovel", "Servico/Imovel", MemberRequirement::Optional, "O imóvel do serviço.", &[
            field("c_cib", MemberRequirement::Optional, "Código do imóvel no CIB."),
            group("endereco", "Servico/Imovel/Endereco", MemberRequirement::Optional, "Onde fica.", &place("Servico/Imovel/Endereco/EndExt")),
        ]),
    ]),
    group("prestador", "Prestador", MemberRequirement::Optional, "A empresa que emite: vem do cadastro. Informada, tem de ser ela.", &[
        field_with_aliases("cpf_cnpj", &["cpf", "cnpj"], MemberRequirement::Company, "CNPJ ou CPF, com ou sem máscara. A versão 1.00 leva só CNPJ."),
        field("inscricao_municipal", MemberRequirement::Company, "Inscrição municipal."),
    ]),
    group("tomador", "Tomador", MemberRequirement::Optional, "Quem tomou o serviço. Com CNPJ, as prefeituras pedem nome e endereço completos.", &[
        field_with_aliases("cpf_cnpj", &["cpf", "cnpj"], MemberRequirement::Optional, "CNPJ ou CPF, com ou sem máscara."),
        field_with_aliases("nif_tomador", &["nif"], MemberRequirement::Optional, "Número fiscal de quem é do exterior."),
        field("cod_nao_nif", MemberRequirement::Optional, "Por que não há NIF: `0` não informado na origem, `1` dispensado, `2` não exigido."),
        field("inscricao_municipal", MemberRequirement::Optional, "Inscrição municipal; só de quem é do município do prestador."),
        field("razao_social", MemberRequirement::Optional, "Nome ou razão social."),
        field("telefone", MemberRequirement::Optional, "Telefone, com ou sem máscara."),
        field("email", MemberRequirement::Optional, "E-mail."),
        group("endereco", "Tomador/Endereco", MemberRequirement::Optional, "Endereço.", &[
            field_with_aliases("logradouro", &["endereco"], MemberRequirement::Optional, "Logradouro."),
            field("numero", MemberRequirement::Optional, "Número."),
            field("complemento", MemberRequirement::Optional, "Complemento."),
            field("bairro", MemberRequirement::Optional, "Bairro."),
            field("codigo_municipio", MemberRequirement::Optional, "Código do município na tabela do IBGE, 7 dígitos."),
            field("uf", MemberRequirement::Optional, "Sigla da UF."),
            field("codigo_pais", MemberRequirement::Optional, "Código do país."),
            field("cep", MemberRequirement::Optional, "CEP, com ou sem máscara."),
            abroad("Tomador/Endereco/EndExt"),
        ]),
        group("endereco_exterior", "Tomador/EnderecoExterior", MemberRequirement::Optional, "Endereço fora do Brasil.", &[
            field("codigo_pais", MemberRequirement::Optional, "Código do país."),
            field("endereco_completo_exterior", MemberRequirement::Optional, "O endereço inteiro."),
        ]),
    ]),
    group("intermediario", "Intermediario", MemberRequirement::Optional, "Quem intermediou o serviço.", &[
        field_with_aliases("cpf_cnpj", &["cpf", "cnpj"], MemberRequirement::Optional, "CNPJ ou CPF, com ou sem máscara."),
        field("inscricao_municipal", MemberRequirement::Optional, "Inscrição municipal."),
        field("razao_social", MemberRequirement::Optional, "Nome ou razão social."),
        field("codigo_municipio", MemberRequirement::Optional, "Município dele, código do IBGE."),
    ]),
    group("construcao_civil", "ConstrucaoCivil", MemberRequirement::Optional, "A obra de um serviço de construção.", &[
        field("codigo_obra", MemberRequirement::Optional, "Código da obra."),
        field("art", MemberRequirement::Optional, "Número da ART."),
        field("insc_imob_fisc", MemberRequirement::Optional, "Inscrição imobiliária na prefeitura."),
        field("id_obra", MemberRequirement::Optional, "Identificação da obra (CNO, CEI)."),
        field("c_cib", MemberRequirement::Optional, "Código do imóvel no CIB."),
        group("endereco", "ConstrucaoCivil/Endereco", MemberRequirement::Optional, "Onde fica.", &place("ConstrucaoCivil/Endereco/EndExt")),
    ]),
    group("evento", "Evento", MemberRequirement::Optional, "O evento a que o serviço se refere.", &[
        field("identificacao_evento", MemberRequirement::Optional, "Código dele na prefeitura."),
        field("descricao_evento", MemberRequirement::Optional, "Descrição dele."),
    ]),
    group("atv_evento", "AtvEvento", MemberRequirement::Optional, "O evento a que o serviço se refere, no leiaute da GovDigital.", &[
        field("nome", MemberRequirement::Optional, "Nome dele."),
        field("data_inicio", MemberRequirement::Optional, "Primeiro dia."),
        field("data_fim", MemberRequirement::Optional, "Último dia."),
        field("id_atv_ev", MemberRequirement::Optional, "Código dele na prefeitura."),
        group("endereco", "AtvEvento/Endereco", MemberRequirement::Optional, "Onde é.", &place("AtvEvento/Endereco/EndExt")),
    ]),
    group("com_ext", "ComExt", MemberRequirement::Optional, "Serviço de ou para o exterior; os códigos são os do grupo `comExt` da NFS-e nacional.", &[
        field("md_prestacao", MemberRequirement::Optional, "Modo da prestação."),
        field("vinc_prest", MemberRequirement::Optional, "Vínculo entre as partes."),
        field("tp_moeda", MemberRequirement::Optional, "Moeda, pelo código de três dígitos do Banco Central."),
        field("v_serv_moeda", MemberRequirement::Optional, "Valor do serviço na moeda."),
        field("mec_af_comex_p", MemberRequirement::Optional, "Mecanismo de apoio ao prestador."),
        field("mec_af_comex_t", MemberRequirement::Optional, "Mecanismo de apoio ao tomador."),
        field("mov_temp_bens", MemberRequirement::Optional, "Movimentação temporária de bens."),
        field("mdic", MemberRequirement::Optional, "Se a nota vai à Secretaria de Comércio Exterior: `0` não, `1` sim."),
    ]),
    list("deducao", "Deducao", MemberRequirement::Optional, "As deduções, uma a uma.", &[
        field("tipo_deducao", MemberRequirement::Optional, "Tipo da dedução, pelo código do leiaute."),
        field("descricao_deducao", MemberRequirement::Optional, "O que é, quando o tipo é outros."),
        field("data_emissao", MemberRequirement::Optional, "Data do documento."),
        field("valor_dedutivel", MemberRequirement::Optional, "Valor dedutível do documento."),
        field("valor_utilizado_deducao", MemberRequirement::Optional, "Quanto dele se usa nesta nota."),
        group("identificacao_documento_deducao", "Deducao/IdentificacaoDocumentoDeducao", MemberRequirement::Optional, "O documento da dedução.", &[
            group("identificacao_nfse", "Deducao/IdentificacaoDocumentoDeducao/IdentificacaoNfse", MemberRequirement::Optional, "Uma NFS-e.", &[
                field("codigo_municipio_gerador", MemberRequirement::Optional, "Município que a gerou, código do IBGE."),
                field("numero_nfse", MemberRequirement::Optional, "Número."),
                field("codigo_verificacao", MemberRequirement::Optional, "Código de verificação."),
            ]),
            group("identificacao_nfe", "Deducao/IdentificacaoDocumentoDeducao/IdentificacaoNfe", MemberRequirement::Optional, "Uma NF-e.", &[
                field("numero_nfe", MemberRequirement::Optional, "Número."),
                field("uf_nfe", MemberRequirement::Optional, "UF."),
                field("chave_acesso_nfe", MemberRequirement::Optional, "Chave de acesso."),
            ]),
            group("outro_documento", "Deducao/IdentificacaoDocumentoDeducao/OutroDocumento", MemberRequirement::Optional, "Outro documento.", &[
                field("identificacao_documento", MemberRequirement::Optional, "Como se identifica."),
            ]),
        ]),
        group("dados_fornecedor", "Deducao/DadosFornecedor", MemberRequirement::Optional, "Quem o emitiu.", &[
            group("identificacao_fornecedor", "Deducao/DadosFornecedor/IdentificacaoFornecedor", MemberRequirement::Optional, "Fornecedor do Brasil.", &[
                field_with_aliases("cpf_cnpj", &["cpf", "cnpj"], MemberRequirement::Optional, "CNPJ ou CPF, com ou sem máscara."),
            ]),
            group("fornecedor_exterior", "Deducao/DadosFornecedor/FornecedorExterior", MemberRequirement::Optional, "Fornecedor do exterior.", &[
                field("nif_fornecedor", MemberRequirement::Optional, "Número fiscal dele."),
                field("codigo_pais", MemberRequirement::Optional, "Código do país."),
            ]),
        ]),
    ]),
];
