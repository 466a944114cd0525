//! Words of each member of the configurations: what it means, and where to get it; one row each.

use fiscal::tipo::Tipo;

/// Words of a member.
pub(super) struct SettingWords {
    /// Document type, or empty for every type.
    tipo: &'static str,
    /// Path of the member.
    name: &'static str,
    pub(super) label: &'static str,
    pub(super) meaning: &'static str,
    /// Place where the value is got.
    pub(super) source: &'static str,
    /// Values with their words; without any, the value is written.
    pub(super) choices: &'static [(&'static str, &'static str)],
}

/// Words of a member of a type's configuration.
pub(super) fn words(tipo: Tipo, name: &str) -> Option<&'static SettingWords> {
    ROWS.iter().find(|row| row.name == name && (row.tipo.is_empty() || row.tipo == tipo.word()))
}

type WordChoices = &'static [(&'static str, &'static str)];

const fn row(
    tipo: &'static str,
    name: &'static str,
    label: &'static str,
    meaning: &'static str,
    source: &'static str,
    choices: WordChoices,
) -> SettingWords {
    SettingWords { tipo, name, label, meaning, source, choices }
}

/// `CRT`, where none means that of the company's record.
const OWN_REGIMES: WordChoices = &[
    ("", "O da página Dados"),
    ("1", "1 · Simples Nacional"),
    ("2", "2 · Simples Nacional, acima do sublimite"),
    ("3", "3 · Regime normal (lucro presumido ou real)"),
    ("4", "4 · MEI"),
];

const ROWS: &[SettingWords] = &[
    row(
        "",
        "crt",
        "Regime tributário (CRT)",
        "Como a empresa paga imposto; sai em cada documento.",
        "Em dúvida, pergunte à contabilidade.",
        OWN_REGIMES,
    ),
    row(
        "",
        "serie",
        "Série",
        "Separa sequências de números. Quem começa usa 1.",
        "Se outro programa também emite por esta empresa, use aqui uma série que ele não usa.",
        &[],
    ),
    row(
        "",
        "proximo_numero",
        "Próximo número",
        "Preencha só para começar de outro número ou pular para ele; nunca volta atrás.",
        "Quem já emitiu nesta série por outro programa: o último número autorizado, mais um.",
        &[],
    ),
    row(
        "nfe",
        "contingencia",
        "Quando a SEFAZ para",
        "O que fazer com a nota enquanto a SEFAZ do Estado não responde.",
        "",
        &[
            ("", "O padrão: automática"),
            ("automatica", "Automática: emite pela SEFAZ de reserva (SVC)"),
            ("svc", "SVC: emite pela SEFAZ de reserva"),
            ("epec", "EPEC: registra um aviso no Ambiente Nacional e envia a nota depois"),
            ("nenhuma", "Nenhuma: espera a SEFAZ voltar"),
        ],
    ),
    row(
        "nfe",
        "layout_danfe",
        "Desenho do DANFE",
        "O impresso que acompanha a mercadoria, em A4.",
        "",
        &[
            ("", "O padrão: o da data de emissão"),
            ("automatico", "O da data de emissão"),
            ("classico", "Clássico"),
            ("nt2026010", "O novo (NT 2026.010)"),
        ],
    ),
    row(
        "nfce",
        "contingencia",
        "Quando a SEFAZ para",
        "O que fazer com a venda enquanto a SEFAZ não responde.",
        "",
        &[
            ("", "O padrão: off-line"),
            ("offline", "Off-line: entrega o cupom e envia a nota depois"),
            ("nenhuma", "Nenhuma: espera a SEFAZ voltar"),
        ],
    ),
    row(
        "nfce",
        "csc_id",
        "Identificador do CSC",
        "O número que a SEFAZ dá junto com o código, como 000001 ou 1.",
        "No portal da NFC-e da SEFAZ do Estado, na mesma página do CSC.",
        &[],
    ),
    row(
        "nfce",
        "csc",
        "CSC (código de segurança)",
        "A senha que assina o QR Code do cupom. Há um para homologação e outro para produção.",
        "No portal da SEFAZ do Estado, com o certificado da empresa: menu NFC-e, “Código de Segurança do Contribuinte”.",
        &[],
    ),
    row(
        "nfce",
        "qr_versao",
        "Versão do QR Code",
        "A versão 3 não precisa de CSC; a 2 precisa.",
        "Veja no portal da SEFAZ do Estado se ela já aceita a 3.",
        &[("", "O padrão: 2"), ("2", "2, com CSC"), ("3", "3, sem CSC")],
    ),
    row(
        "cte",
        "contingencia",
        "Quando a SEFAZ para",
        "O que fazer com o conhecimento enquanto a SEFAZ não responde.",
        "",
        &[
            ("", "O padrão: automática"),
            ("automatica", "Automática: emite pela SEFAZ de reserva (SVC)"),
            ("offline", "Off-line: imprime e envia depois, onde a instalação permite"),
            ("nenhuma", "Nenhuma: espera a SEFAZ voltar"),
        ],
    ),
    row(
        "cte",
        "rntrc",
        "RNTRC",
        "Registro do transportador de cargas: 8 dígitos, ou ISENTO.",
        "No certificado do RNTRC, no site da ANTT (rntrcdigital.antt.gov.br).",
        &[],
    ),
    row(
        "cte",
        "taf",
        "TAF",
        "Termo de autorização de fretamento, de quem leva passageiros (CT-e OS): 12 dígitos.",
        "Na ANTT, no sistema de fretamento (SisHAB).",
        &[],
    ),
    row(
        "cte",
        "cte_os.serie",
        "Série do CT-e OS",
        "Só de quem transporta pessoas ou valores. Em branco, a do CT-e.",
        "",
        &[],
    ),
    row(
        "cte",
        "cte_os.proximo_numero",
        "Próximo número do CT-e OS",
        "O CT-e OS conta à parte do CT-e. Preencha só para começar de outro número.",
        "Quem já emitiu por outro programa: o último número autorizado, mais um.",
        &[],
    ),
    row(
        "nfse",
        "codigo_municipio",
        "Município que recebe a NFS-e",
        "Código do IBGE, 7 dígitos. Em branco, o do endereço da empresa.",
        "Na página Dados, ou no site do IBGE.",
        &[],
    ),
    row(
        "nfse",
        "inscricao_municipal",
        "Inscrição municipal",
        "Em branco, a da página Dados.",
        "Na prefeitura: alvará ou cadastro mobiliário.",
        &[],
    ),
    row(
        "nfse",
        "provedor",
        "Quem recebe a NFS-e",
        "nacional (o emissor do governo federal), nacional_propria, abrasf ou o nome do sistema da prefeitura. Em branco, o município decide.",
        "Na prefeitura, setor de ISS: pergunte qual sistema de nota usa e se aderiu ao emissor nacional.",
        &[],
    ),
    row(
        "nfse",
        "versao",
        "Versão do sistema",
        "Só de sistemas municipais com mais de uma.",
        "No manual do sistema da prefeitura.",
        &[],
    ),
    row(
        "nfse",
        "url_homologacao",
        "Endereço de testes da prefeitura",
        "Começa com https://. Só de sistemas fora da tabela.",
        "No manual do sistema da prefeitura.",
        &[],
    ),
    row(
        "nfse",
        "url_producao",
        "Endereço de produção da prefeitura",
        "Começa com https://. Só de sistemas fora da tabela.",
        "No manual do sistema da prefeitura.",
        &[],
    ),
    row(
        "nfse",
        "modo",
        "Modo de envio",
        "Só de sistemas municipais. Em branco, o do sistema.",
        "",
        &[("", "O do sistema"), ("sincrono", "Síncrono"), ("lote", "Em lote"), ("gerar", "Gerar uma nota")],
    ),
    row(
        "nfse",
        "aliquota",
        "Como a prefeitura quer a alíquota",
        "Só de sistemas municipais. Na nota você escreve sempre em porcentagem.",
        "No manual do sistema da prefeitura.",
        &[("", "A do sistema"), ("percentual", "Em porcentagem (5)"), ("fracao", "Como fração (0,05)")],
    ),
    row(
        "nfse",
        "regime.opSimpNac",
        "Simples Nacional",
        "Se a empresa é do Simples.",
        "Na consulta de optantes do Simples Nacional, ou com a contabilidade.",
        &[("", "Não informado"), ("1", "1 · Não é do Simples"), ("2", "2 · MEI"), ("3", "3 · ME ou EPP do Simples")],
    ),
    row(
        "nfse",
        "regime.regApTribSN",
        "Apuração no Simples",
        "Só de ME ou EPP do Simples: por onde os tributos são pagos.",
        "Com a contabilidade.",
        &[
            ("", "Não informado"),
            ("1", "1 · Todos os tributos pelo Simples"),
            ("2", "2 · Federais pelo Simples, ISS pela prefeitura"),
            ("3", "3 · Todos fora do Simples"),
        ],
    ),
    row(
        "nfse",
        "regime.regEspTrib",
        "Regime especial do município",
        "Se a prefeitura deu um.",
        "Na prefeitura, setor de ISS.",
        &[
            ("", "Não informado"),
            ("0", "0 · Nenhum"),
            ("1", "1 · Ato cooperado"),
            ("2", "2 · Estimativa"),
            ("3", "3 · Microempresa municipal"),
            ("4", "4 · Notário ou registrador"),
            ("5", "5 · Profissional autônomo"),
            ("6", "6 · Sociedade de profissionais"),
            ("9", "9 · Outros"),
        ],
    ),
    row(
        "nfse",
        "assinatura",
        "Algoritmo da assinatura",
        "Deixe o padrão, a não ser que a autoridade peça outro.",
        "",
        &[("", "O padrão: SHA-1"), ("sha1", "SHA-1"), ("sha256", "SHA-256")],
    ),
    row(
        "nfse",
        "percentual_simples",
        "Tributos do Simples, em %",
        "O percentual aproximado que sai na nota (Lei da Transparência), de ME ou EPP do Simples. De 0 a 100.",
        "Com a contabilidade: é a alíquota efetiva do mês.",
        &[],
    ),
    row(
        "nfse",
        "incentivo_fiscal",
        "Incentivo fiscal do município",
        "Se a empresa tem um.",
        "Na prefeitura, setor de ISS.",
        &[("", "Não informado"), ("true", "Sim"), ("false", "Não")],
    ),
    row(
        "nfse",
        "prefeitura.login",
        "Usuário na prefeitura",
        "Só se o sistema pede.",
        "Na prefeitura: o do portal da nota.",
        &[],
    ),
    row(
        "nfse",
        "prefeitura.senha",
        "Senha na prefeitura",
        "Só se o sistema pede.",
        "Na prefeitura: a do portal da nota.",
        &[],
    ),
    row(
        "nfse",
        "prefeitura.token",
        "Token na prefeitura",
        "Só se o sistema pede um código de acesso para programas.",
        "No portal da nota da prefeitura, onde se autorizam programas.",
        &[],
    ),
];
