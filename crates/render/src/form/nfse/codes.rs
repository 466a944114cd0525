//! Texts of the layout's codes, from its annotations; an unknown code is shown unchanged.
//!
//! Law: NT 008, 2.4.5 ("utilizar a descrição"); tiposSimples 1.01.

type LayoutCodes = &'static [(&'static str, &'static str)];

/// Text of a code; empty for an empty code.
pub(super) fn words(table: LayoutCodes, code: &str) -> &str {
    table.iter().find(|(of, _)| *of == code).map_or(code, |(_, words)| words)
}

/// `ambGer`.
pub(super) const GENERATOR: LayoutCodes = &[("1", "Prefeitura"), ("2", "Sistema Nacional da NFS-e")];

/// `tpAmb`.
pub(super) const ENVIRONMENT: LayoutCodes = &[("1", "Produção"), ("2", "Homologação")];

/// `tpEmit`.
pub(super) const EMITTER: LayoutCodes = &[("1", "Prestador"), ("2", "Tomador"), ("3", "Intermediário")];

/// `cStat`.
pub(super) const SITUATION: LayoutCodes =
    &[("100", "NFS-e Gerada"), ("102", "NFS-e de Decisão Judicial"), ("103", "NFS-e Avulsa"), ("107", "NFS-e MEI")];

/// `finNFSe`; 1 and 2 by NT 009.
pub(super) const PURPOSE: LayoutCodes = &[("0", "NFS-e regular"), ("1", "NFS-e de crédito"), ("2", "NFS-e de débito")];

/// `opSimpNac`; 4 by NT 009.
pub(super) const SIMPLES: LayoutCodes = &[
    ("1", "Não Optante"),
    ("2", "Optante - Microempreendedor Individual (MEI)"),
    ("3", "Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)"),
    ("4", "Optante Pendente"),
];

/// `regApTribSN`; the NT spells the first text out.
pub(super) const REGIME: LayoutCodes = &[
    ("1", "Regime de apuração dos tributos federais e municipal pelo Simples Nacional"),
    (
        "2",
        "Regime de apuração dos tributos federais pelo SN e ISSQN por fora do SN conforme respectiva legislação municipal do tributo",
    ),
    (
        "3",
        "Regime de apuração dos tributos federais e municipal por fora do SN conforme respectivas legislações federal e municipal de cada tributo",
    ),
];

/// `regEspTrib`.
pub(super) const SPECIAL: LayoutCodes = &[
    ("0", "Nenhum"),
    ("1", "Ato Cooperado (Cooperativa)"),
    ("2", "Estimativa"),
    ("3", "Microempresa Municipal"),
    ("4", "Notário ou Registrador"),
    ("5", "Profissional Autônomo"),
    ("6", "Sociedade de Profissionais"),
    ("9", "Outros"),
];

/// `tribISSQN`.
pub(super) const ISSQN: LayoutCodes =
    &[("1", "Operação Tributável"), ("2", "Imunidade"), ("3", "Exportação de Serviço"), ("4", "Não Incidência")];

/// `tpImunidade`.
pub(super) const IMMUNITY: LayoutCodes = &[
    ("0", "Imunidade (tipo não informado na nota de origem)"),
    ("1", "Patrimônio, renda ou serviços, uns dos outros (CF88, Art 150, VI, a)"),
    ("2", "Templos de qualquer culto (CF88, Art 150, VI, b)"),
    ("3", "Patrimônio, renda ou serviços dos partidos políticos, inclusive suas fundações"),
    ("4", "Livros, jornais, periódicos e o papel destinado a sua impressão (CF88, Art 150, VI, d)"),
    ("5", "Fonogramas e videofonogramas musicais produzidos no Brasil"),
];

/// `tpSusp`.
pub(super) const SUSPENSION: LayoutCodes = &[
    ("1", "Exigibilidade Suspensa por Decisão Judicial"),
    ("2", "Exigibilidade Suspensa por Processo Administrativo"),
];

/// `tpBM`.
pub(super) const BENEFIT: LayoutCodes = &[
    ("1", "Isenção"),
    ("2", "Redução da BC em percentual"),
    ("3", "Redução da BC em valor"),
    ("4", "Alíquota Diferenciada"),
];

/// `tpRetISSQN`.
pub(super) const ISSQN_WITHHELD: LayoutCodes =
    &[("1", "Não Retido"), ("2", "Retido pelo Tomador"), ("3", "Retido pelo Intermediário")];

/// `tpRetPisCofins`.
pub(super) const WITHHELD: LayoutCodes = &[
    ("0", "PIS/COFINS/CSLL Não Retidos"),
    ("1", "PIS/COFINS Retidos"),
    ("2", "PIS/COFINS Não Retidos"),
    ("3", "PIS/COFINS/CSLL Retidos"),
    ("4", "PIS/COFINS Retidos, CSLL Não Retido"),
    ("5", "PIS Retido, COFINS/CSLL Não Retido"),
    ("6", "COFINS Retido, PIS/CSLL Não Retido"),
    ("7", "PIS Não Retido, COFINS/CSLL Retidos"),
    ("8", "PIS/COFINS Não Retidos, CSLL Retido"),
    ("9", "COFINS Não Retido, PIS/CSLL Retidos"),
];
