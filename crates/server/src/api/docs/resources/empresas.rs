//! `/v1/empresas`.
//!
//! Law: `docs/contract.md`, "Companies".

use serde_json::{Value, json};

use super::Resource;
use crate::api::docs::operation::{ApiOperation, Parameter, json, media, operation, shows};
use crate::api::empresas::certificados::HoldersView;
use crate::api::empresas::listar::CompaniesView;
use crate::api::empresas::logo::{LogoView, RemovedLogoView};
use crate::api::empresas::numeracao::{NumberingView, SequenceView};
use crate::api::empresas::regimes::RegimeView;
use crate::api::empresas::remover::RemovedView;
use crate::api::empresas::settings::schema_fields;
use crate::api::empresas::view::{AddressView, CompanyView};
use crate::api::empresas::view::{CertificateView, HolderView};
use crate::api::schema::{FILLED, Schema, SchemaField, Type, may, must, perhaps, schema};
use crate::api::view::of;

pub(super) const EMPRESAS: Resource = Resource {
    tag: "empresas",
    title: "Empresas",
    doc: "As empresas emitentes da conta: cadastro, configuração por documento, certificado A1, numeração.",
    operations: &[
        &LISTAR,
        &CRIAR,
        &CERTIFICADOS,
        &NUMERACAO,
        &DETALHAR,
        &ATUALIZAR,
        &REMOVER,
        &NFE,
        &NFCE,
        &NFSE,
        &CTE,
        &CERTIFICADO,
        &LOGO,
        &VER_LOGO,
        &APAGAR_LOGO,
    ],
    schemas: SCHEMAS,
};

pub(super) const CPF_CNPJ: Parameter = Parameter::path(
    "cpf_cnpj",
    Type::CpfCnpj,
    "CNPJ ou CPF da empresa, com ou sem máscara, letras aceitas.",
    "11222333000181",
);
/// A number of its own: a reader who runs the examples in order keeps the company of the demonstration.
const CPF_CNPJ_REMOVIDA: Parameter =
    Parameter::path("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa, com ou sem máscara.", "98765432000198");
pub(super) const PAGINA: Parameter =
    Parameter::query("pagina", Type::Within(1, 1_000_000), "A página, a partir de 1.", "1");
pub(super) const LIMITE: Parameter =
    Parameter::query("limite", Type::Within(1, 100), "Quantos por página, até 100; 20 se ausente.", "20");

pub(crate) static LISTAR: ApiOperation = operation("listarEmpresas", "Lista as empresas da conta")
    .takes(&[LIMITE, PAGINA])
    .answers(&[shows::<CompaniesView>(200, "As empresas, a mais nova primeiro.")]);

pub(crate) static CRIAR: ApiOperation = operation("criarEmpresa", "Cadastra uma empresa")
    .text("Depois: configure o documento (`PUT …/nfe`) e envie o certificado (`PUT …/certificado`).")
    .body("DadosDaEmpresa", company)
    .answers(&[shows::<CompanyView>(201, "Cadastrada.")])
    .refuses(&["ja_existe", "validacao", "limite_da_conta"]);

pub(crate) static CERTIFICADOS: ApiOperation = operation(
    "listarCertificados",
    "Validade dos certificados de todas as empresas",
)
.text("O que vence primeiro vem primeiro; empresas sem certificado vêm no fim. `expira_em_breve` são 30 dias ou menos.")
.answers(&[shows::<HoldersView>(200, "Um registro por empresa.")]);

pub(crate) static NUMERACAO: ApiOperation = operation("listarNumeracao", "O último número autorizado de cada sequência")
        .text(
            "Por empresa, tipo, série e ambiente. Notas rejeitadas não avançam. A consulta não reserva número: entre ler e emitir, outra emissão pode \
             tomar o mesmo.",
        )
        .takes(&[
            Parameter::query("cnpj", Type::CpfCnpj, "Só desta empresa; CNPJ ou CPF, com ou sem máscara.", "11222333000181"),
            Parameter::query("tipo", Type::Words(&["nfe", "nfce", "nfse", "cte"]), "Só deste tipo.", "nfe"),
            Parameter::query(
                "lacunas",
                Type::Words(&["true", "false", "1", "0"]),
                "Com `true`, cada registro traz `lacunas`: os números abaixo do maior em uso que nenhum documento tem, que não foram inutilizados e \
                 que o serviço não dará a mais ninguém. Até 100 trechos por sequência.",
                "true",
            ),
        ])
        .answers(&[shows::<NumberingView>(200, "Um registro por sequência.")]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharEmpresa", "O cadastro de uma empresa")
    .takes(&[CPF_CNPJ])
    .answers(&[shows::<CompanyView>(200, "A empresa.")])
    .refuses(&["nao_encontrado", "validacao"]);

pub(crate) static ATUALIZAR: ApiOperation = operation("atualizarEmpresa", "Altera o cadastro")
    .text(
        "O que não é enviado fica como está; `null` limpa. `regimes` agenda a troca de CRT: enviado em dezembro, vale sozinho do primeiro documento de \
         janeiro em diante, em todos os documentos da empresa.",
    )
    .takes(&[CPF_CNPJ])
    .body("AlteracaoDaEmpresa", change)
    .answers(&[shows::<CompanyView>(200, "A empresa, como ficou.")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static REMOVER: ApiOperation = operation("removerEmpresa", "Remove a empresa")
    .text(
        "Cancela na mesma transação o que ainda não foi enviado (os números reservados voltam), apaga configurações, segredos e certificado. As notas \
         emitidas continuam disponíveis. O que já pode ter chegado à autoridade continua até o fim (`jobs_em_andamento`), e só para isso o \
         certificado é guardado até lá. Cadastrada de novo, a empresa continua a numeração de onde parou.",
    )
    .takes(&[CPF_CNPJ_REMOVIDA])
    .answers(&[shows::<RemovedView>(200, "Removida.")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static NFE: ApiOperation = operation("configurarNfe", "Configura a NF-e da empresa")
    .text(
        "Série e próximo número são guardados por ambiente; `ambiente` diz qual está em uso. Um documento só vai para produção com uma chave de \
         produção *e* `ambiente: 1`.",
    )
    .takes(&[CPF_CNPJ])
    .body("ConfiguracaoNfe", configuration)
    .answers(&[json(200, "A configuração, como ficou.", "ConfiguracaoNfeGuardada")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static NFCE: ApiOperation = operation("configurarNfce", "Configura a NFC-e da empresa")
    .text("Como a NF-e, mais o CSC e seu id, por ambiente, obtidos no portal da SEFAZ. O CSC é guardado cifrado e nunca devolvido.")
    .takes(&[CPF_CNPJ])
    .body("ConfiguracaoNfce", nfce)
    .answers(&[json(200, "A configuração, como ficou.", "ConfiguracaoNfceGuardada")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static NFSE: ApiOperation = operation("configurarNfse", "Configura a NFS-e da empresa")
    .text(
        "Sem `codigo_municipio` ou `inscricao_municipal` vale o do cadastro. As credenciais da prefeitura são guardadas cifradas e nunca devolvidas.",
    )
    .takes(&[CPF_CNPJ])
    .body("ConfiguracaoNfse", nfse)
    .answers(&[json(200, "A configuração, como ficou.", "ConfiguracaoNfseGuardada")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static CTE: ApiOperation = operation("configurarCte", "Configura o CT-e da empresa")
    .text("`rntrc` vale quando o CT-e não traz `rodoviario.rntrc`; `taf` é o equivalente do modelo 67.")
    .takes(&[CPF_CNPJ])
    .body("ConfiguracaoCte", cte)
    .answers(&[json(200, "A configuração, como ficou.", "ConfiguracaoCteGuardada")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static CERTIFICADO: ApiOperation = operation("enviarCertificado", "Envia ou troca o certificado A1")
        .text("Recusado na hora: senha errada, sem chave privada, vencido, de outra raiz de CNPJ. Guardado cifrado; nunca devolvido.")
        .takes(&[CPF_CNPJ])
        .body("EnvioDeCertificado", upload)
        .or_form("FormularioDeCertificado")
        .answers(&[shows::<CertificateView>(200, "O certificado aceito.")])
        .refuses(&[
            "nao_encontrado",
            "ambiente_incorreto",
            "validacao",
            "certificado_invalido",
            "certificado_de_outra_empresa",
        ]);

pub(crate) static LOGO: ApiOperation = operation("enviarLogo", "Envia ou troca o logotipo dos formulários")
    .text(
        "PNG ou JPEG (RGB ou tons de cinza), até 512 KB e 1200 pixels de lado. Aparece no DANFE e no DANFE NFC-e, também nas reimpressões. O arquivo \
         pode vir em base64, como formulário (parte `arquivo`) ou ser o próprio corpo (`Content-Type: image/png` ou `image/jpeg`).",
    )
    .takes(&[CPF_CNPJ])
    .body("EnvioDeLogo", logo)
    .or_form("FormularioDeLogo")
    .answers(&[shows::<LogoView>(200, "O logotipo guardado.")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

pub(crate) static VER_LOGO: ApiOperation = operation("verLogo", "O logotipo, como foi enviado")
    .takes(&[CPF_CNPJ])
    .answers(&[media(200, "A imagem.", &["image/png", "image/jpeg"])])
    .refuses(&["nao_encontrado", "validacao"]);

pub(crate) static APAGAR_LOGO: ApiOperation = operation("apagarLogo", "Retira o logotipo dos formulários")
    .takes(&[CPF_CNPJ])
    .answers(&[shows::<RemovedLogoView>(200, "Retirado.")])
    .refuses(&["nao_encontrado", "ambiente_incorreto", "validacao"]);

const SCHEMAS: &[Schema] = &[
    schema(
        "EnvioDeLogo",
        "A imagem em base64.",
        &[must("logo", FILLED, "O arquivo PNG ou JPEG em base64; `data:…;base64,` e quebras de linha são aceitos.")],
    ),
    schema("FormularioDeLogo", "A mesma como formulário.", &[must("arquivo", Type::File, "O arquivo PNG ou JPEG.")]),
    of::<LogoView>(),
    of::<RemovedLogoView>(),
    of::<CompaniesView>(),
    of::<CompanyView>(),
    schema("DadosDaEmpresa", "O cadastro a criar.", NEW),
    schema("AlteracaoDaEmpresa", "O que muda no cadastro.", CHANGE),
    schema("RegimeAPartirDe", "O regime a partir de um dia.", REGIME),
    of::<RegimeView>(),
    schema("Endereco", "Endereço.", ADDRESS),
    of::<AddressView>(),
    schema(
        "ConfiguracaoNfe",
        "Parâmetros da NF-e; todos opcionais, o ausente fica como está e `null` limpa.",
        schema_fields::NFE_TAKEN,
    ),
    schema("ConfiguracaoNfeGuardada", "A configuração da NF-e.", schema_fields::NFE_SHOWN),
    schema(
        "ConfiguracaoNfce",
        "Parâmetros da NFC-e; todos opcionais, o ausente fica como está e `null` limpa.",
        schema_fields::NFCE_TAKEN,
    ),
    schema("ConfiguracaoNfceGuardada", "A configuração da NFC-e.", schema_fields::NFCE_SHOWN),
    schema(
        "ConfiguracaoNfse",
        "Parâmetros da NFS-e; todos opcionais, o ausente fica como está e `null` limpa.",
        schema_fields::NFSE_TAKEN,
    ),
    schema("ConfiguracaoNfseGuardada", "A configuração da NFS-e.", schema_fields::NFSE_SHOWN),
    schema(
        "ConfiguracaoCte",
        "Parâmetros do CT-e; todos opcionais, o ausente fica como está e `null` limpa.",
        schema_fields::CTE_TAKEN,
    ),
    schema("ConfiguracaoCteGuardada", "A configuração do CT-e.", schema_fields::CTE_SHOWN),
    schema("RegimeNfse", "Os códigos de `regTrib` da DPS.", schema_fields::REGIME_TAKEN),
    schema(
        "CredenciaisDaPrefeitura",
        "Guardadas cifradas, nunca devolvidas; `null` apaga.",
        schema_fields::PREFEITURA_TAKEN,
    ),
    schema("NumeracaoDoCteOs", "A numeração do CT-e OS; o ausente fica como está.", schema_fields::CTE_OS_TAKEN),
    schema("NumeracaoDoCteOsGuardada", "A numeração do CT-e OS.", schema_fields::CTE_OS_SHOWN),
    schema("NumeracaoDoAmbiente", "O que é guardado por ambiente.", schema_fields::OF_ENVIRONMENT),
    of::<RemovedView>(),
    of::<HoldersView>(),
    of::<HolderView>(),
    of::<NumberingView>(),
    of::<SequenceView>(),
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
        &[must("arquivo", Type::File, "O arquivo .pfx."), must("senha", Type::Text, "A senha.")],
    ),
    of::<CertificateView>(),
];

const NOME: Type = Type::Line(60);
const CODIGO_PAIS: Type = Type::Either(&[Type::Within(0, 9999), Type::Form("^ *[0-9]{0,4} *$")]);
const CRT: Type = Type::Numeral(1, 4);
const REGIMES: Type = Type::ListUpTo(&Type::Ref("RegimeAPartirDe"), 24);
const REGIMES_ABOUT: &str = "O CRT por dia: vale a última linha cujo dia não é depois da data do `dhEmi`, no fuso dele; antes da primeira vale \
     `crt`. A lista enviada substitui a guardada; `null` a apaga.";

const REGIME: &[SchemaField] = &[
    must("a_partir_de", Type::Date, "Primeiro dia do regime. Um dia só tem uma linha."),
    must("crt", CRT, "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI."),
    may(
        "ibs_cbs_regular",
        Type::Bool,
        "`true` só com `crt` 1 ou 2: a empresa escolheu apurar IBS e CBS pelo regime regular.",
    ),
];

const NEW: &[SchemaField] = &[
    must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF, com ou sem máscara. Também `cnpj` ou `cpf`."),
    must("nome_razao_social", Type::Name(60), "Razão social. Também `razao_social` ou `nome`."),
    may("nome_fantasia", NOME, "Nome fantasia."),
    may("inscricao_estadual", Type::Masked(14), "Conferida contra o estado. Também `ie`."),
    may("inscricao_municipal", Type::Masked(15), "Também `im`."),
    may("crt", CRT, "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI."),
    may("regimes", REGIMES, REGIMES_ABOUT),
    may("email", NOME, "E-mail para contato."),
    may("fone", Type::Masked(14), "Telefone com DDD, até 14 dígitos."),
    may("endereco", Type::Ref("Endereco"), "Endereço."),
];

const CHANGE: &[SchemaField] = &[
    may("cpf_cnpj", Type::CpfCnpj, "Se enviado, o mesmo do caminho."),
    perhaps("nome_razao_social", Type::Name(60), "Não pode ficar vazia."),
    may("nome_fantasia", NOME, "Nome fantasia."),
    may("inscricao_estadual", Type::Masked(14), "Inscrição estadual, sem máscara; ou `ISENTO`."),
    may("inscricao_municipal", Type::Masked(15), "Inscrição municipal."),
    may("crt", CRT, "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI."),
    may("regimes", REGIMES, REGIMES_ABOUT),
    may("email", NOME, "E-mail para contato."),
    may("fone", Type::Masked(14), "Telefone com DDD, até 14 dígitos."),
    may("endereco", Type::Ref("Endereco"), "Endereço."),
];

const ADDRESS: &[SchemaField] = &[
    may("logradouro", NOME, "Logradouro."),
    may("numero", Type::LineOrNumber(60), "Número do endereço, ou S/N."),
    may("complemento", NOME, "Complemento."),
    may("bairro", NOME, "Bairro."),
    may("codigo_municipio", Type::Digits(7), "Código do IBGE, 7 dígitos. Também `codigo_municipio_ibge`."),
    may("cidade", NOME, "Cidade."),
    may("uf", Type::Uf, "Sigla do estado."),
    may("cep", Type::Digits(8), "8 dígitos, com ou sem máscara."),
    may("codigo_pais", CODIGO_PAIS, "1058 se ausente."),
    may("pais", NOME, "Brasil se ausente."),
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

fn nfce() -> Value {
    json!({ "ambiente": 2, "serie": "1", "proximo_numero": 1, "csc_id": "000001", "csc": "0123456789ABCDEF" })
}

fn nfse() -> Value {
    json!({
        "ambiente": 2, "codigo_municipio": "3550308", "inscricao_municipal": "12345678", "provedor": "nacional", "serie": "1",
        "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 }
    })
}

fn cte() -> Value {
    json!({ "ambiente": 2, "crt": 1, "serie": "1", "proximo_numero": 1, "rntrc": "12345678" })
}

/// A PNG of a single white pixel.
fn logo() -> Value {
    json!({
        "logo": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
    })
}

fn upload() -> Value {
    json!({ "certificado": "MIIJ…", "senha": "a senha do arquivo" })
}
