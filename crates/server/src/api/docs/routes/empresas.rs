//! `/v1/empresas`.
//!
//! Law: `spec/interface.md`, Companies; `spec/not-shown.md` §7.

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::operation::{Operation, Parameter, get, json, post, put};
use crate::api::docs::schema::{Field, Schema, Type, may, must, or_null, schema};

pub(super) const EMPRESAS: Resource = Resource {
    tag: "Empresas",
    doc: "As empresas emitentes da conta: cadastro, configuração por documento, certificado A1, numeração.",
    operations: &[LISTAR, CRIAR, DETALHAR, ATUALIZAR, NFE, CERTIFICADO],
    schemas: SCHEMAS,
};

pub(super) const CPF_CNPJ: Parameter = Parameter::path(
    "cpf_cnpj",
    Type::Text,
    "CNPJ ou CPF da empresa, com ou sem máscara, letras aceitas.",
    "11222333000181",
);
pub(super) const PAGINA: Parameter =
    Parameter::query("pagina", Type::Within(1, 1_000_000), "A página, a partir de 1.", "1");
pub(super) const LIMITE: Parameter =
    Parameter::query("limite", Type::Within(1, 100), "Quantos por página, até 100; 20 se ausente.", "20");

const LISTAR: Operation = get("/v1/empresas", "listarEmpresas", "Lista as empresas da conta")
    .takes(&[LIMITE, PAGINA])
    .answers(&[json(200, "As empresas, a mais nova primeiro.", "ListaDeEmpresas")]);

const CRIAR: Operation = post("/v1/empresas", "criarEmpresa", "Cadastra uma empresa")
    .text("Depois: configure o documento (`PUT …/nfe`) e envie o certificado (`PUT …/certificado`).")
    .body("DadosDaEmpresa", company)
    .answers(&[json(201, "Cadastrada.", "Empresa")])
    .refuses(&["ja_existe", "validacao"]);

const DETALHAR: Operation = get("/v1/empresas/{cpf_cnpj}", "detalharEmpresa", "O cadastro de uma empresa")
    .takes(&[CPF_CNPJ])
    .answers(&[json(200, "A empresa.", "Empresa")])
    .refuses(&["nao_encontrado", "validacao"]);

const ATUALIZAR: Operation = put("/v1/empresas/{cpf_cnpj}", "atualizarEmpresa", "Altera o cadastro")
    .text("O que não é enviado fica como está; `null` limpa.")
    .takes(&[CPF_CNPJ])
    .body("AlteracaoDaEmpresa", change)
    .answers(&[json(200, "A empresa, como ficou.", "Empresa")])
    .refuses(&["nao_encontrado", "validacao"]);

const NFE: Operation = put("/v1/empresas/{cpf_cnpj}/nfe", "configurarNfe", "Configura a NF-e da empresa")
    .text(
        "Série e próximo número são guardados por ambiente; `ambiente` diz qual está em uso. Um documento só vai para produção com uma chave de \
         produção *e* `ambiente: 1`.",
    )
    .takes(&[CPF_CNPJ])
    .body("ConfiguracaoNfe", configuration)
    .answers(&[json(200, "A configuração, como ficou.", "ConfiguracaoNfeGuardada")])
    .refuses(&["nao_encontrado", "validacao"]);

const CERTIFICADO: Operation =
    put("/v1/empresas/{cpf_cnpj}/certificado", "enviarCertificado", "Envia ou troca o certificado A1")
        .text("Recusado na hora: senha errada, sem chave privada, vencido, de outra raiz de CNPJ. Guardado cifrado; nunca devolvido.")
        .takes(&[CPF_CNPJ])
        .body("EnvioDeCertificado", upload)
        .or_form("FormularioDeCertificado")
        .answers(&[json(200, "O certificado aceito.", "Certificado")])
        .refuses(&[
            "nao_encontrado",
            "validacao",
            "certificado_invalido",
            "certificado_de_outra_empresa",
        ]);

const SCHEMAS: &[Schema] = &[
    schema(
        "ListaDeEmpresas",
        "Uma página de empresas.",
        &[
            must("empresas", Type::List(&Type::Ref("Empresa")), ""),
            must("total", Type::Integer, "Quantas há ao todo."),
            must("pagina", Type::Integer, ""),
            must("limite", Type::Integer, ""),
        ],
    ),
    schema("Empresa", "O cadastro de uma empresa.", COMPANY),
    schema("DadosDaEmpresa", "O cadastro a criar.", NEW),
    schema("AlteracaoDaEmpresa", "O que muda no cadastro.", CHANGE),
    schema("Endereco", "Endereço.", ADDRESS),
    schema("EnderecoDaEmpresa", "Endereço, como é guardado.", STORED_ADDRESS),
    schema(
        "ConfiguracaoNfe",
        "Parâmetros da NF-e; todos opcionais, o ausente fica como está.",
        &[
            may("ambiente", ENVIRONMENT, "1 produção, 2 homologação."),
            may("crt", CRT, "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI."),
            may("serie", NUMERAL, "Série, de 0 a 999."),
            may("proximo_numero", NUMERAL, "O próximo número automático; nunca volta atrás de um já usado."),
        ],
    ),
    schema("ConfiguracaoNfeGuardada", "A configuração da NF-e.", STORED_NFE),
    schema(
        "NumeracaoDoAmbiente",
        "Série e próximo número de um ambiente.",
        &[must("serie", Type::Text, ""), must("proximo_numero", Type::Integer, "")],
    ),
    schema(
        "EnvioDeCertificado",
        "O arquivo .pfx em base64 e sua senha.",
        &[
            must("certificado", Type::Text, "O .pfx em base64; `data:…;base64,` e quebras de linha são aceitos."),
            must("senha", Type::Text, "A senha; pode ser vazia."),
        ],
    ),
    schema(
        "FormularioDeCertificado",
        "O mesmo como formulário.",
        &[must("arquivo", Type::Text, "O arquivo .pfx."), must("senha", Type::Text, "A senha.")],
    ),
    schema("Certificado", "O certificado A1 de uma empresa.", CERTIFICATE),
];

const TEXT_OR_NUMBER: Type = Type::Either(&[Type::Text, Type::Number]);
const NUMERAL: Type = Type::Either(&[Type::Integer, Type::Text]);
const ENVIRONMENT: Type = Type::Either(&[Type::Integer, Type::Words(&["1", "2", "producao", "homologacao"])]);
const CRT: Type = Type::Either(&[Type::Integer, Type::Words(&["1", "2", "3", "4"])]);

const COMPANY: &[Field] = &[
    must("cpf_cnpj", Type::Text, "CNPJ ou CPF, sem máscara."),
    or_null("nome_razao_social", Type::Text, ""),
    or_null("nome_fantasia", Type::Text, ""),
    or_null("inscricao_estadual", Type::Text, ""),
    or_null("inscricao_municipal", Type::Text, ""),
    or_null("crt", Type::Integer, "Código de regime tributário."),
    or_null("email", Type::Text, ""),
    or_null("fone", Type::Text, ""),
    must("endereco", Type::Ref("EnderecoDaEmpresa"), ""),
    must(
        "configuracoes",
        Type::Group(&[
            may("nfe", Type::Ref("ConfiguracaoNfeGuardada"), ""),
            may("nfce", Type::Free, "Com `csc_configurado`; o CSC nunca é devolvido."),
            may("nfse", Type::Free, "Com `credenciais_configuradas`."),
            may("cte", Type::Free, ""),
        ]),
        "Configuração por tipo de documento.",
    ),
    must("certificado", Type::Ref("Certificado"), ""),
    must("criado_em", Type::Instant, ""),
    must("atualizado_em", Type::Instant, ""),
    may("avisos", Type::List(&Type::Ref("Aviso")), "O que foi ignorado no corpo enviado."),
];

const NEW: &[Field] = &[
    must("cpf_cnpj", Type::Text, "CNPJ ou CPF, com ou sem máscara. Também `cnpj` ou `cpf`."),
    must("nome_razao_social", TEXT_OR_NUMBER, "Razão social. Também `razao_social` ou `nome`."),
    may("nome_fantasia", TEXT_OR_NUMBER, ""),
    may("inscricao_estadual", TEXT_OR_NUMBER, "Conferida contra o estado. Também `ie`."),
    may("inscricao_municipal", TEXT_OR_NUMBER, "Também `im`."),
    may("crt", CRT, "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI."),
    may("email", TEXT_OR_NUMBER, ""),
    may("fone", TEXT_OR_NUMBER, ""),
    may("endereco", Type::Ref("Endereco"), ""),
];

const CHANGE: &[Field] = &[
    may("cpf_cnpj", Type::Text, "Se enviado, o mesmo do caminho."),
    may("nome_razao_social", TEXT_OR_NUMBER, "Não pode ficar vazia."),
    may("nome_fantasia", TEXT_OR_NUMBER, ""),
    may("inscricao_estadual", TEXT_OR_NUMBER, ""),
    may("inscricao_municipal", TEXT_OR_NUMBER, ""),
    may("crt", CRT, ""),
    may("email", TEXT_OR_NUMBER, ""),
    may("fone", TEXT_OR_NUMBER, ""),
    may("endereco", Type::Ref("Endereco"), ""),
];

const ADDRESS: &[Field] = &[
    may("logradouro", TEXT_OR_NUMBER, ""),
    may("numero", TEXT_OR_NUMBER, ""),
    may("complemento", TEXT_OR_NUMBER, ""),
    may("bairro", TEXT_OR_NUMBER, ""),
    may("codigo_municipio", TEXT_OR_NUMBER, "Código do IBGE, 7 dígitos. Também `codigo_municipio_ibge`."),
    may("cidade", TEXT_OR_NUMBER, ""),
    may("uf", Type::Text, "Sigla."),
    may("cep", TEXT_OR_NUMBER, "8 dígitos, com ou sem máscara."),
    may("codigo_pais", TEXT_OR_NUMBER, "1058 se ausente."),
    may("pais", TEXT_OR_NUMBER, "Brasil se ausente."),
];

const STORED_ADDRESS: &[Field] = &[
    or_null("logradouro", Type::Text, ""),
    or_null("numero", Type::Text, ""),
    or_null("complemento", Type::Text, ""),
    or_null("bairro", Type::Text, ""),
    or_null("codigo_municipio", Type::Text, "Código do IBGE."),
    or_null("cidade", Type::Text, ""),
    or_null("uf", Type::Text, ""),
    or_null("cep", Type::Text, ""),
    must("codigo_pais", Type::Text, ""),
    must("pais", Type::Text, ""),
];

const STORED_NFE: &[Field] = &[
    must("ambiente", Type::Within(1, 2), "O ambiente em uso: 1 produção, 2 homologação."),
    or_null("crt", Type::Integer, ""),
    must("serie", Type::Text, "A série do ambiente em uso."),
    must("proximo_numero", Type::Integer, "O próximo número do ambiente em uso, como configurado."),
    may("producao", Type::Ref("NumeracaoDoAmbiente"), ""),
    may("homologacao", Type::Ref("NumeracaoDoAmbiente"), ""),
];

const CERTIFICATE: &[Field] = &[
    must("status", Type::Words(&["valido", "expira_em_breve", "expirado", "sem_certificado"]), ""),
    may("cpf_cnpj", Type::Text, "A empresa."),
    may("nome_razao_social", Type::Text, ""),
    may("titular", Type::Text, "De quem é."),
    may("emissor", Type::Text, "Quem o emitiu."),
    may("numero_serie", Type::Text, ""),
    may("valido_de", Type::Instant, ""),
    may("valido_ate", Type::Instant, ""),
    may("dias_para_expirar", Type::Integer, "Negativo depois do vencimento."),
];

fn company() -> Value {
    json!({
        "cpf_cnpj": "11.222.333/0001-81", "nome_razao_social": "Papelaria Exemplo Ltda", "inscricao_estadual": "110.042.490.114", "crt": 1,
        "endereco": {
            "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308", "cidade": "São Paulo",
            "uf": "SP", "cep": "01001-000"
        }
    })
}

fn change() -> Value {
    json!({ "email": "fiscal@exemplo.com.br", "endereco": { "complemento": "Loja 2" } })
}

fn configuration() -> Value {
    json!({ "ambiente": 2, "crt": 1, "serie": "1", "proximo_numero": 1 })
}

fn upload() -> Value {
    json!({ "certificado": "MIIJ…", "senha": "a senha do arquivo" })
}
