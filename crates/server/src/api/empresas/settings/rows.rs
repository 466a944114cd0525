//! The tables: each member of each document type's configuration in a line, with its text in the API document.

use store::numbers::NumberedKind;

use super::{ConfigurationMember, ConfigurationTable, FIFTEEN_DIGITS, MemberScope, NINE_DIGITS, SecretFlag, ValueType};

const fn member(name: &'static str, kind: ValueType, scope: MemberScope, about: &'static str) -> ConfigurationMember {
    ConfigurationMember { name, aliases: &[], kind, scope, from_record: None, about, shown: None }
}

impl ConfigurationMember {
    const fn or(mut self, aliases: &'static [&'static str]) -> ConfigurationMember {
        self.aliases = aliases;
        self
    }

    const fn from(mut self, pointer: &'static str) -> ConfigurationMember {
        self.from_record = Some(pointer);
        self
    }

    const fn shown(mut self, shown: &'static str) -> ConfigurationMember {
        self.shown = Some(shown);
        self
    }

    const fn about(mut self, about: &'static str) -> ConfigurationMember {
        self.about = about;
        self
    }
}

const AMBIENTE: ConfigurationMember =
    member("ambiente", ValueType::Environment, MemberScope::Both, "1 produção, 2 homologação.")
        .shown("O ambiente em uso: 1 produção, 2 homologação.");
const CRT: ConfigurationMember = member(
    "crt",
    ValueType::Crt,
    MemberScope::Both,
    "1 Simples Nacional, 2 excesso de sublimite, 3 regime normal, 4 MEI.",
)
.from("/crt");
const SERIE: ConfigurationMember = serie(0, 999, "Série, de 0 a 999.");
const PROXIMO_NUMERO: ConfigurationMember = next_number(NINE_DIGITS);

/// First automatic number, at most the last number of the layout.
const fn next_number(last: u64) -> ConfigurationMember {
    let about = "O próximo número automático, a partir de 1; nunca volta atrás de um já usado.";
    member("proximo_numero", ValueType::NextNumber(last), MemberScope::Environment, about).shown(PROXIMO)
}

pub(super) const PROXIMO: &str = "Na resposta de uma configuração, o número que a próxima nota receberá (nulo: a série se esgotou); no cadastro, como foi configurado.";

const fn serie(first: u64, last: u64, about: &'static str) -> ConfigurationMember {
    member("serie", ValueType::Series(first, last), MemberScope::Environment, about).shown(SERIE_SHOWN)
}

const SERIE_SHOWN: &str = "A série do ambiente em uso; para uma credencial de homologação, a da homologação.";

pub(in crate::api::empresas) static NFE: ConfigurationTable = ConfigurationTable {
    tipo: "nfe",
    counted: &[NumberedKind::Nfe],
    own_sequences: &[],
    flag: None,
    members: &[
        AMBIENTE,
        CRT,
        SERIE,
        PROXIMO_NUMERO,
        member(
            "contingencia",
            ValueType::Word(&["automatica", "svc", "epec", "nenhuma"]),
            MemberScope::Both,
            "O que fazer quando a SEFAZ para: `automatica` (o padrão) e `svc` emitem pela SVC do estado, `epec` registra o EPEC no Ambiente Nacional e \
             transmite a nota depois, `nenhuma` espera.",
        ),
        // automatico: NT 2026.010 for documents issued from its date on
        member(
            "layout_danfe",
            ValueType::Word(&["automatico", "classico", "nt2026010"]),
            MemberScope::Both,
            "O leiaute do DANFE em A4: `automatico` (o da data de emissão; NT 2026.010 a partir de 01/12/2026), `classico` ou `nt2026010`.",
        ),
    ],
};

pub(in crate::api::empresas) static NFCE: ConfigurationTable = ConfigurationTable {
    tipo: "nfce",
    counted: &[NumberedKind::Nfce],
    own_sequences: &[],
    flag: Some(SecretFlag { name: "csc_configurado", about: "Se há CSC guardado para o ambiente em uso." }),
    members: &[
        AMBIENTE,
        CRT,
        SERIE,
        PROXIMO_NUMERO,
        member(
            "contingencia",
            ValueType::Word(&["offline", "nenhuma"]),
            MemberScope::Both,
            "O que fazer quando a SEFAZ para: `offline` (o padrão) emite off-line e transmite depois, `nenhuma` espera.",
        ),
        member(
            "csc_id",
            ValueType::Text(10),
            MemberScope::Environment,
            "Identificador do CSC, até 10 caracteres. Também `id_token`.",
        )
        .shown("Identificador do CSC do ambiente em uso.")
        .or(&["id_token", "idToken"]),
        member(
            "csc",
            ValueType::Text(50),
            MemberScope::Secret,
            "Código de segurança do contribuinte, até 50 caracteres; nunca devolvido.",
        ),
        // 3: the QR code that needs no CSC (NT 2025.001)
        member(
            "qr_versao",
            ValueType::Whole(&[2, 3]),
            MemberScope::Both,
            "Versão do QR Code: 2, com CSC, ou 3, que não precisa dele. Ausente: 2.",
        )
        .shown("Versão do QR Code, quando configurada."),
    ],
};

pub(in crate::api::empresas) static CTE: ConfigurationTable = ConfigurationTable {
    tipo: "cte",
    counted: &[NumberedKind::Cte, NumberedKind::CteOs],
    own_sequences: &[("cte_os", NumberedKind::CteOs)],
    flag: None,
    members: &[
        AMBIENTE,
        CRT,
        SERIE,
        PROXIMO_NUMERO,
        member(
            "rntrc",
            ValueType::Rntrc(&["ISENTO"]),
            MemberScope::Both,
            "Registro do transportador: 8 dígitos, também com o zero à esquerda com que a ANTT o imprime, ou ISENTO.",
        ),
        member("taf", ValueType::Digits(12, &[]), MemberScope::Both, "Termo de autorização de fretamento: 12 dígitos."),
        // offline only where the operator allows it (contingencia.offline)
        member(
            "contingencia",
            ValueType::Word(&["automatica", "offline", "nenhuma"]),
            MemberScope::Both,
            "O que fazer quando a SEFAZ para: `automatica` (o padrão) emite pela SVC do estado, ou espera; `offline`, se a SVC não está aberta, emite \
             off-line e transmite depois (só onde a instalação abre com a chave `contingencia.offline`); `nenhuma` espera.",
        ),
        member(
            "cte_os",
            ValueType::Group(CTE_OS, ["NumeracaoDoCteOs", "NumeracaoDoCteOsGuardada"]),
            MemberScope::Environment,
            "Numeração do CT-e OS (modelo 67), que conta à parte; sem ela, a série do CT-e a partir do número 1.",
        )
        .shown("Numeração do CT-e OS no ambiente em uso; null: a série do CT-e, a partir do número 1."),
    ],
};

pub(super) const CTE_OS: &[ConfigurationMember] = &[
    serie(0, 999, "Série do CT-e OS, de 0 a 999; sem ela, a do CT-e."),
    PROXIMO_NUMERO.about("O próximo número automático do CT-e OS, a partir de 1."),
];

pub(in crate::api::empresas) static NFSE: ConfigurationTable = ConfigurationTable {
    tipo: "nfse",
    counted: &[NumberedKind::Dps, NumberedKind::Rps],
    own_sequences: &[],
    flag: Some(SecretFlag {
        name: "credenciais_configuradas",
        about: "Se há credencial da prefeitura para o ambiente em uso.",
    }),
    members: &[
        AMBIENTE,
        member(
            "codigo_municipio",
            ValueType::Municipio,
            MemberScope::Both,
            "Código do IBGE, 7 dígitos. Também `codigo_municipio_ibge`.",
        )
        .shown("Código do IBGE, 7 dígitos.")
        .or(&["codigo_municipio_ibge"])
        .from("/endereco/codigo_municipio"),
        member("inscricao_municipal", ValueType::Text(15), MemberScope::Both, "Até 15 caracteres. Também `im`.")
            .shown("Inscrição municipal.")
            .or(&["im"])
            .from("/inscricao_municipal"),
        member(
            "provedor",
            ValueType::Provider,
            MemberScope::Both,
            "Quem recebe a NFS-e: `nacional` (a Sefin Nacional), `nacional_propria` (o município em endereço próprio, no leiaute nacional), o nome de um \
             provedor municipal da tabela, como `govdigital`, ou `abrasf` com `versao` e URL próprias.",
        ),
        member("versao", ValueType::Text(10), MemberScope::Both, "Versão do modelo do provedor, até 10 caracteres.")
            .shown("Versão do modelo do provedor."),
        member("url_homologacao", ValueType::Https, MemberScope::Both, "Endereço https do provedor na homologação."),
        member("url_producao", ValueType::Https, MemberScope::Both, "Endereço https do provedor na produção."),
        member(
            "modo",
            ValueType::Word(&["sincrono", "lote", "gerar"]),
            MemberScope::Both,
            "Provedor municipal: como o RPS é enviado, quando não é o modo da linha do provedor.",
        ),
        member(
            "aliquota",
            ValueType::Word(&["percentual", "fracao"]),
            MemberScope::Both,
            "Provedor municipal: a unidade em que a prefeitura quer a alíquota (no payload é sempre percentual).",
        ),
        // DPS 1.01, serie: from 1 to 49999 for the taxpayer's own program (E0010); tsSerieRps of ABRASF: a text of five
        member(
            "serie",
            ValueType::LetteredSeries(49_999),
            MemberScope::Environment,
            "Série da DPS ou do RPS, de 1 a 49999; a do RPS municipal pode ter letras (até 5 letras e algarismos, como `NF`).",
        )
        .shown(SERIE_SHOWN),
        next_number(FIFTEEN_DIGITS),
        member(
            "regime",
            ValueType::Group(REGIME, ["RegimeNfse", "RegimeNfse"]),
            MemberScope::Both,
            "Os códigos de `regTrib`.",
        ),
        // no official text states which one the Sefin requires
        member(
            "assinatura",
            ValueType::Word(&["sha1", "sha256"]),
            MemberScope::Both,
            "Com o que a DPS e os eventos são assinados: RSA com SHA-1 (o padrão) ou SHA-256.",
        ),
        // pTotTribSN of documents without totTrib
        member(
            "percentual_simples",
            ValueType::Percent,
            MemberScope::Both,
            "ME/EPP: o percentual de tributos (pTotTribSN) da nota que não informa totTrib, de 0.00 a 100.00.",
        ),
        member("incentivo_fiscal", ValueType::Flag, MemberScope::Both, "Se a empresa tem incentivo fiscal do município."),
        member(
            "prefeitura",
            ValueType::Group(PREFEITURA, ["CredenciaisDaPrefeitura", ""]),
            MemberScope::Secret,
            "Credenciais do provedor municipal.",
        ),
    ],
};

/// DPS 1.01, group `regTrib`.
pub(super) const REGIME: &[ConfigurationMember] = &[
    member("opSimpNac", ValueType::Whole(&[1, 2, 3]), MemberScope::Both, "1 não optante, 2 MEI, 3 ME/EPP."),
    member("regApTribSN", ValueType::Whole(&[1, 2, 3]), MemberScope::Both, "1, 2 ou 3."),
    member("regEspTrib", ValueType::Whole(&[0, 1, 2, 3, 4, 5, 6, 9]), MemberScope::Both, "0 a 6, ou 9."),
];

pub(super) const PREFEITURA: &[ConfigurationMember] = &[
    member("login", ValueType::Text(100), MemberScope::Secret, "Até 100 caracteres."),
    member("senha", ValueType::Text(200), MemberScope::Secret, "Até 200 caracteres."),
    member("token", ValueType::Text(2_000), MemberScope::Secret, "Até 2000 caracteres."),
];

pub(super) static ALL: [&ConfigurationTable; 4] = [&NFE, &NFCE, &NFSE, &CTE];
