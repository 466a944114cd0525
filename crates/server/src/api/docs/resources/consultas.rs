//! `/v1/cep`, `/v1/cnpj`, `/v1/ncm`, `/v1/tributos`.
//!
//! Law: `docs/contract.md`, "Limits" (quotas).

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::cep::view::{CepAddressView, CepView, CepsView};
use crate::api::docs::operation::{ApiOperation, Parameter, json, operation, shows};
use crate::api::ncm::buscar::NcmSearchView;
use crate::api::ncm::consultar::CodeView;
use crate::api::ncm::validar::ValidView;
use crate::api::schema::{Schema, SchemaField, Type, may, must, or_null, schema};
use crate::api::tributos::simples::{AmountsView, BandView, SimplesRatesView};
use crate::api::view::of;

pub(super) const CONSULTAS: Resource = Resource {
    tag: "consultas",
    title: "Consultas",
    doc: "Endereço por CEP, empresa por CNPJ, classificação fiscal (NCM), alíquotas do Simples Nacional. Dados locais primeiro, depois as fontes que o operador configurou. \
          Cada consulta de CEP, CNPJ e NCM respondida usa uma unidade da cota de sua família, também quando a resposta é que não existe; recusas, `501` e `503`, não. \
          Sem fonte configurada que saiba responder, a resposta é `501` `consulta_nao_configurada`; com todas fora do ar, `503` com o motivo. Nunca um dado inventado.",
    operations: &[&CEP, &STREET, &CNPJ, &SEARCH, &ENTRY, &VALID, &SIMPLES],
    schemas: SCHEMAS,
};

pub(crate) static CEP: ApiOperation = operation("consultarCep", "O endereço de um CEP")
    .text("`parcial: true` diz que só o que os primeiros dígitos do CEP contam é sabido: a UF e, aproximadamente, o município.")
    .takes(&[Parameter::path("cep", Type::Form("^[0-9]{8}$"), "O CEP, 8 dígitos, sem hífen.", "01001000")])
    .answers(&[shows::<CepView>(200, "O endereço.")])
    .refuses(&["requisicao_invalida", "nao_encontrado", "cota_excedida"]);

pub(crate) static STREET: ApiOperation = operation("buscarCeps", "Os CEPs de um logradouro")
    .text(
        "Sem diferença de maiúsculas e acentos. Sem a base completa de CEP importada, `uf` e `cidade` são necessários, pois só uma fonte externa \
         pode responder.",
    )
    .takes(&[
        Parameter::query("logradouro", Type::TextOf(3, 120), "Nome do logradouro, ou parte dele.", "Paulista").required(),
        Parameter::query("tipo", Type::TextOf(0, 120), "Tipo do logradouro.", "Avenida"),
        Parameter::query("bairro", Type::TextOf(0, 120), "Bairro, ou parte do nome.", "Bela Vista"),
        Parameter::query("cidade", Type::TextOf(0, 120), "Nome inteiro da cidade.", "São Paulo"),
        Parameter::query("uf", Type::Uf, "Sigla do estado.", "SP"),
        LIMITE,
        PAGINA,
    ])
    .answers(&[shows::<CepsView>(200, "Os endereços, em ordem de CEP; talvez nenhum.")])
    .refuses(&["cota_excedida", "consulta_nao_configurada"]);

pub(crate) static CNPJ: ApiOperation = operation("consultarCnpj", "O cadastro de uma empresa na Receita Federal")
    .text("A inscrição estadual não faz parte deste cadastro.")
    .takes(&[Parameter::path("cnpj", Type::CpfCnpj, "O CNPJ, com ou sem máscara, letras aceitas.", "11222333000181")])
    .answers(&[json(200, "O cadastro.", "CadastroCnpj")])
    .refuses(&["requisicao_invalida", "nao_encontrado", "validacao", "cota_excedida", "consulta_nao_configurada"]);

pub(crate) static SEARCH: ApiOperation = operation("buscarNcm", "Busca na descrição oficial da NCM")
    .text(
        "O termo é literal e vale em qualquer posição da descrição do próprio código, sem diferença de maiúsculas e acentos: uma palavra, no \
         singular. Só códigos vigentes hoje.",
    )
    .body("BuscaNcm", search)
    .answers(&[shows::<NcmSearchView>(200, "Os códigos, em ordem; talvez nenhum.")])
    .refuses(&["cota_excedida"]);

const CODIGO: Parameter =
    Parameter::path("codigo", Type::Text, "O código, de 2 a 8 dígitos, com ou sem pontos.", "01012100");

pub(crate) static ENTRY: ApiOperation = operation("consultarNcm", "Um código da NCM, de qualquer nível")
    .takes(&[CODIGO])
    .answers(&[shows::<CodeView>(200, "O código e os que estão acima dele.")])
    .refuses(&["nao_encontrado", "cota_excedida"]);

pub(crate) static VALID: ApiOperation = operation("validarNcm", "Se uma nota de hoje pode usar o código")
    .text("Válido é o código que existe, tem 8 dígitos e está vigente hoje.")
    .takes(&[CODIGO])
    .answers(&[shows::<ValidView>(200, "O veredito.")])
    .refuses(&["cota_excedida"]);

pub(crate) static SIMPLES: ApiOperation = operation("consultarAliquotasDoSimples", "As alíquotas de IBS e CBS de uma empresa do Simples")
        .text(
            "`pIBSSN` e `pCBSSN` de 2027 e 2028: alíquota efetiva da receita × a parte do tributo na faixa, com a conta em `calculo`. A RBT12 é a dos doze \
             meses antes do mês anterior. Não usa cota, e nada disto entra sozinho num documento: as alíquotas são de quem emite. A partilha com ISS acima \
             de 5% não é a da tabela; aí as duas vêm nulas.",
        )
        .takes(&[
            Parameter::query(
                "anexo",
                Type::Words(&["I", "II", "III", "IV", "V", "1", "2", "3", "4", "5"]),
                "O anexo do Simples, em romanos ou de 1 a 5.",
                "I",
            )
            .required(),
            Parameter::query("rbt12", VALOR, "Receita bruta acumulada de `rbt12_de` a `rbt12_ate`, em reais.", "180000.00").required(),
            Parameter::query("data", Type::Date, "O dia da operação, em 2027 ou 2028; hoje se ausente.", "2027-01-04").called(),
            Parameter::query("receita", VALOR, "A receita do item, para ver também os valores.", "1000.00"),
        ])
        .answers(&[shows::<SimplesRatesView>(200, "As alíquotas e a conta.")])
        .refuses(&["campo_obrigatorio", "validacao"]);

/// An amount in reais in a query.
const VALOR: Type = Type::Form(r"^[0-9]{1,13}(\.[0-9]{1,2})?$");

fn search() -> Value {
    json!({ "descricao": "cavalo", "apenas_codigos_finais": true, "so_inicio": false })
}

const SUCESSO: SchemaField = must("sucesso", Type::Bool, "Sempre `true`.");
const ENCONTRADO: SchemaField = must("encontrado", Type::Bool, "Sempre `true`.");

const SCHEMAS: &[Schema] = &[
    of::<CepView>(),
    of::<CepAddressView>(),
    of::<CepsView>(),
    schema("CadastroCnpj", "O cadastro de um estabelecimento; o que a fonte não diz é nulo.", CADASTRO),
    schema(
        "BuscaNcm",
        "O que buscar.",
        &[
            must("descricao", Type::TextOf(1, 200), "O termo: uma palavra, no singular."),
            may("apenas_codigos_finais", Type::Bool, "`false` traz também capítulos e posições; `true` se ausente."),
            may("so_inicio", Type::Bool, "`true` exige que a descrição comece pelo termo."),
        ],
    ),
    of::<NcmSearchView>(),
    of::<CodeView>(),
    of::<ValidView>(),
    of::<SimplesRatesView>(),
    of::<BandView>(),
    of::<AmountsView>(),
];

const CADASTRO: &[SchemaField] = &[
    SUCESSO,
    ENCONTRADO,
    must("cnpj", Type::Form("^[0-9A-Z]{12}[0-9]{2}$"), "O CNPJ, sem máscara."),
    or_null("identificador_matriz_filial", Type::Integer, "1 matriz, 2 filial."),
    or_null("descricao_identificador_matriz_filial", Type::Text, "MATRIZ ou FILIAL."),
    or_null("razao_social", Type::Text, "Razão social."),
    or_null("nome_fantasia", Type::Text, "Nome fantasia."),
    or_null("situacao_cadastral", Type::Integer, "1 nula, 2 ativa, 3 suspensa, 4 inapta, 8 baixada."),
    or_null("descricao_situacao_cadastral", Type::Text, "A situação em palavras."),
    or_null("data_situacao_cadastral", Type::Date, "Desde quando."),
    or_null("motivo_situacao_cadastral", Type::Integer, "Código do motivo."),
    or_null("descricao_motivo_situacao_cadastral", Type::Text, "O motivo em palavras."),
    or_null("situacao_especial", Type::Text, "Situação especial."),
    or_null("data_situacao_especial", Type::Date, "Desde quando."),
    or_null("natureza_juridica", Type::Text, "Natureza jurídica."),
    or_null("codigo_natureza_juridica", Type::Integer, "Seu código."),
    or_null("data_inicio_atividade", Type::Date, "Início da atividade."),
    or_null("cnae_fiscal", Type::Form("^[0-9]{7}$"), "CNAE principal."),
    or_null("cnae_fiscal_descricao", Type::Text, "Sua descrição."),
    must(
        "cnaes_secundarios",
        Type::List(&Type::Group(&[
            must("codigo", Type::Text, "CNAE."),
            or_null("descricao", Type::Text, "Sua descrição."),
        ])),
        "CNAEs secundários.",
    ),
    or_null("descricao_tipo_de_logradouro", Type::Text, "Tipo do logradouro."),
    or_null("logradouro", Type::Text, "Logradouro."),
    or_null("numero", Type::Text, "Número."),
    or_null("complemento", Type::Text, "Complemento."),
    or_null("bairro", Type::Text, "Bairro."),
    or_null("cep", Type::Form("^[0-9]{8}$"), "CEP."),
    or_null("municipio", Type::Text, "Nome do município."),
    or_null("codigo_municipio", Type::Text, "Código TOM/SIAFI do município."),
    or_null(
        "codigo_municipio_ibge",
        Type::Form("^[0-9]{7}$"),
        "Código IBGE do município, o que os documentos pedem (`cMun`).",
    ),
    or_null("uf", Type::Text, "Sigla do estado; EX no exterior."),
    or_null("pais", Type::Text, "País, se no exterior."),
    or_null("codigo_pais", Type::Text, "Seu código na Receita Federal."),
    or_null("nome_cidade_no_exterior", Type::Text, "Cidade, se no exterior."),
    or_null("ddd_telefone_1", Type::Text, "DDD e telefone."),
    or_null("ddd_telefone_2", Type::Text, "DDD e telefone."),
    or_null("ddd_fax", Type::Text, "DDD e fax."),
    or_null("email", Type::Text, "E-mail."),
    or_null("capital_social", Type::Number, "Capital social, em reais."),
    or_null("porte", Type::Text, "Porte."),
    or_null("codigo_porte", Type::Integer, "Seu código."),
    or_null("ente_federativo_responsavel", Type::Text, "Ente responsável, em órgãos públicos."),
    or_null("qualificacao_do_responsavel", Type::Integer, "Código da qualificação do responsável."),
    or_null("opcao_pelo_simples", Type::Bool, "Optante pelo Simples Nacional."),
    or_null("data_opcao_pelo_simples", Type::Date, "Desde quando."),
    or_null("data_exclusao_do_simples", Type::Date, "Até quando."),
    or_null("opcao_pelo_mei", Type::Bool, "Microempreendedor individual."),
    or_null("data_opcao_pelo_mei", Type::Date, "Desde quando."),
    or_null("data_exclusao_do_mei", Type::Date, "Até quando."),
    must("qsa", Type::List(&Type::Free), "Sócios e administradores."),
    must("fonte", Type::Text, "`receita_federal` (base importada) ou `fonte_externa`."),
    or_null("versao_da_base", Type::Text, "Edição da base importada."),
];
