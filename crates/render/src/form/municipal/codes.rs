//! Texts of ABRASF's codes, from its manual.

type Table = &'static [(&'static str, &'static str)];

/// `ExigibilidadeISS`.
pub(super) const DUE: Table = &[
    ("1", "Exigível"),
    ("2", "Não incidência"),
    ("3", "Isenção"),
    ("4", "Exportação"),
    ("5", "Imunidade"),
    ("6", "Suspensa por decisão judicial"),
    ("7", "Suspensa por processo administrativo"),
];

/// `NaturezaOperacao` of 1.00.
pub(super) const NATURE: Table = &[
    ("1", "Tributação no município"),
    ("2", "Tributação fora do município"),
    ("3", "Isenção"),
    ("4", "Imune"),
    ("5", "Suspensa por decisão judicial"),
    ("6", "Suspensa por processo administrativo"),
];

/// `RegimeEspecialTributacao`.
pub(super) const REGIME: Table = &[
    ("1", "Microempresa municipal"),
    ("2", "Estimativa"),
    ("3", "Sociedade de profissionais"),
    ("4", "Cooperativa"),
    ("5", "MEI"),
    ("6", "ME/EPP do Simples Nacional"),
];

/// `Tipo` of an RPS.
pub(super) const KIND: Table = &[("1", "RPS"), ("2", "Nota conjugada"), ("3", "Cupom")];

/// `ResponsavelRetencao`.
pub(super) const WITHHOLDER: Table = &[("1", "Tomador"), ("2", "Intermediário")];

/// Fields with yes or no.
pub(super) const YES: Table = &[("1", "Sim"), ("2", "Não")];

/// A code with its text; the code alone when it has none here.
pub(super) fn meant(table: Table, code: &str) -> String {
    match table.iter().find(|(known, _)| *known == code) {
        Some((_, meaning)) if table.len() > 2 => format!("{code} - {meaning}"),
        Some((_, meaning)) => (*meaning).to_owned(),
        None => code.to_owned(),
    }
}
