//! Texts of ABRASF's codes, from its manual.

type AbrasfCodes = &'static [(&'static str, &'static str)];

/// `ExigibilidadeISS`.
pub(super) const DUE: AbrasfCodes = &[
    ("1", "Exigível"),
    ("2", "Não incidência"),
    ("3", "Isenção"),
    ("4", "Exportação"),
    ("5", "Imunidade"),
    ("6", "Suspensa por decisão judicial"),
    ("7", "Suspensa por processo administrativo"),
];

/// `NaturezaOperacao` of 1.00.
pub(super) const NATURE: AbrasfCodes = &[
    ("1", "Tributação no município"),
    ("2", "Tributação fora do município"),
    ("3", "Isenção"),
    ("4", "Imune"),
    ("5", "Suspensa por decisão judicial"),
    ("6", "Suspensa por processo administrativo"),
];

/// `RegimeEspecialTributacao`.
pub(super) const REGIME: AbrasfCodes = &[
    ("1", "Microempresa municipal"),
    ("2", "Estimativa"),
    ("3", "Sociedade de profissionais"),
    ("4", "Cooperativa"),
    ("5", "MEI"),
    ("6", "ME/EPP do Simples Nacional"),
];

/// `Tipo` of an RPS.
pub(super) const KIND: AbrasfCodes = &[("1", "RPS"), ("2", "Nota conjugada"), ("3", "Cupom")];

/// `ResponsavelRetencao`.
pub(super) const WITHHOLDER: AbrasfCodes = &[("1", "Tomador"), ("2", "Intermediário")];

/// Fields with yes or no.
pub(super) const YES: AbrasfCodes = &[("1", "Sim"), ("2", "Não")];

/// A code with its text; the code alone when it has none here.
pub(super) fn with_text(table: AbrasfCodes, code: &str) -> String {
    match table.iter().find(|(known, _)| *known == code) {
        Some((_, meaning)) if table.len() > 2 => format!("{code} - {meaning}"),
        Some((_, meaning)) => (*meaning).to_owned(),
        None => code.to_owned(),
    }
}
