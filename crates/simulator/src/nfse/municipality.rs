//! Conventions of municípios: the convênio, rates, regimes, withholding, benefits, deadlines.
//!
//! The rows are for rehearsal. Rates, benefits and deadlines are invented; no city that adopted the national emitter
//! (planilha oficial de adesões, gov.br/nfse, 2026-07-10 and 2026-09-28) has it closed here. Any other município of the
//! IBGE table emits by the national emitter, at 5 %. Shapes: OpenAPI of the parameters of municípios (2025-12).

use fiscal::nfse::amounts::BenefitTerms as Kind;
use fiscal::value::municipio;
use jiff::civil::{Date, date};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// State of the convênio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Convenio {
    Ativo,
    /// There is one, and it is not active: E0038.
    Inativo,
    /// There is none: E0037.
    Ausente,
}

/// Convention of a município.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MunicipalConvention {
    pub convenio: Convenio,
    /// First day of the convênio: E0016 before it.
    pub ativo_desde: Date,
    /// True when taxpayers established there emit by the national emitter: E0039 when not.
    pub emissor_nacional: bool,
    /// True when only taxpayers enabled in the CNC emit by it (`situacaoEmissaoPadraoContribuintesRFB` 0): E0084 for
    /// others.
    pub so_habilitados: bool,
    /// True when it has a server of its own, in the national layout.
    pub endereco_proprio: bool,
    /// Rate of services without their own, in per cent.
    pub aliquota: Decimal,
    /// Rates by `cTribNac`.
    pub aliquotas: BTreeMap<String, Decimal>,
    /// Services that it does not administer: E0312.
    pub servicos_excluidos: BTreeSet<String>,
    /// Values of `cTribMun`: E0314 for others; any when empty.
    pub codigos_municipais: BTreeSet<String>,
    /// Special regimes that it does not admit: E0177.
    pub regimes_vedados: BTreeSet<String>,
    /// True when it admits deductions: E0440 when not.
    pub admite_deducao: bool,
    /// Kinds of deduction that it does not admit, by `cTribNac`: E0454 (percentual), E0446 (valor), E0449 (documentos).
    pub deducoes_vedadas: BTreeMap<String, BTreeSet<DeductionKind>>,
    /// Taxation of a service, by `cTribNac`, where that is parametrised: E0539 of one that it taxes, E0540 of one that
    /// it does not.
    pub incidencia: BTreeMap<String, bool>,
    /// CPF that may withhold: E0667 of any other as tomador, E0670 as intermediário.
    pub cpfs_que_retem: BTreeSet<String>,
    /// True when art. 6 of LC 116 (withholding by the taker of the service) holds there.
    pub retencao_artigo_sexto: bool,
    /// Services whose takers must withhold by a law of its own, by `cTribNac`: the kinds of withholding.
    pub retencoes: BTreeMap<String, BTreeSet<u8>>,
    /// Benefits, by number.
    pub beneficios: BTreeMap<String, BenefitRow>,
    /// Hours after which the issuer cannot cancel: E0822.
    pub prazo_cancelamento_h: Option<u32>,
    /// Highest value of a note that its issuer can cancel: E0823.
    pub valor_cancelamento: Option<Decimal>,
    /// True when a note without tomador cannot be cancelled or substituted: E0824, E0056.
    pub exige_tomador: bool,
    /// Hours after which a note cannot be substituted: E0050.
    pub prazo_substituicao_h: Option<u32>,
    /// True when a substitute may name another tomador: E0058 when not.
    pub admite_outro_tomador: bool,
}

/// Kind of deduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeductionKind {
    /// `pDR`.
    Percentual,
    /// `vDR`.
    Valor,
    /// `documentos`.
    Documentos,
}

/// A benefit of a município.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenefitRow {
    pub descricao: String,
    /// 1 exemption, 2 reduction of the base in per cent, 3 reduction in R$, 4 a rate of its own.
    pub tipo: u8,
    /// Highest reduction, in per cent: E0586.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducao: Option<Decimal>,
    /// The rate, of kind 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aliquota: Option<Decimal>,
    /// Services with the benefit: E0550; any when empty.
    #[serde(default)]
    pub servicos: BTreeSet<String>,
    /// True when it is restricted to taxpayers established there: E0548 for others.
    #[serde(default)]
    pub restrito: bool,
    /// First day.
    pub inicio: Date,
    /// Last day: E0544 afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fim: Option<Date>,
}

impl Default for MunicipalConvention {
    fn default() -> MunicipalConvention {
        MunicipalConvention {
            convenio: Convenio::Ativo,
            ativo_desde: date(2023, 1, 1),
            emissor_nacional: true,
            so_habilitados: false,
            endereco_proprio: false,
            aliquota: Decimal::new(500, 2),
            aliquotas: BTreeMap::new(),
            servicos_excluidos: BTreeSet::new(),
            codigos_municipais: BTreeSet::new(),
            regimes_vedados: BTreeSet::new(),
            admite_deducao: true,
            deducoes_vedadas: BTreeMap::new(),
            incidencia: BTreeMap::new(),
            cpfs_que_retem: BTreeSet::new(),
            retencao_artigo_sexto: true,
            retencoes: BTreeMap::new(),
            beneficios: BTreeMap::new(),
            prazo_cancelamento_h: None,
            valor_cancelamento: None,
            exige_tomador: false,
            prazo_substituicao_h: None,
            admite_outro_tomador: true,
        }
    }
}

impl MunicipalConvention {
    pub(super) fn is_active(&self, on: Date) -> bool {
        self.convenio == Convenio::Ativo && on >= self.ativo_desde
    }
    /// Rate of a service, in per cent.
    pub(super) fn rate(&self, cTribNac: &str) -> Decimal {
        self.aliquotas.get(cTribNac).copied().unwrap_or(self.aliquota)
    }
}

/// The convention of a code of the IBGE table.
pub(super) fn of(codigo: u32) -> Option<Cow<'static, MunicipalConvention>> {
    static ANY: LazyLock<MunicipalConvention> = LazyLock::new(MunicipalConvention::default);
    municipio::find(codigo)?;
    Some(Cow::Borrowed(TABLE.get(&codigo).unwrap_or(&ANY)))
}

/// Municípios with a convention of their own, by IBGE code. The page of the municípios lists each of them (`server`,
/// `municipios-de-ensaio.tsv`).
pub fn table() -> &'static BTreeMap<u32, MunicipalConvention> {
    &TABLE
}

static TABLE: LazyLock<BTreeMap<u32, MunicipalConvention>> = LazyLock::new(|| {
    let any = MunicipalConvention::default;
    BTreeMap::from([
        (BELEM, MunicipalConvention { convenio: Convenio::Ausente, emissor_nacional: false, ..any() }),
        (FONTE_BOA, MunicipalConvention { convenio: Convenio::Inativo, emissor_nacional: false, ..any() }),
        (ARACAJU, MunicipalConvention { emissor_nacional: false, ..any() }),
        (SALVADOR, MunicipalConvention { emissor_nacional: false, endereco_proprio: true, ..any() }),
        (BELO_HORIZONTE, with_deadlines()),
        (CURITIBA, with_codes()),
        (PORTO_ALEGRE, with_benefits()),
        (SAO_PAULO, with_reduction()),
    ])
});

const BELEM: u32 = 1_501_402;
const FONTE_BOA: u32 = 1_301_605;
const ARACAJU: u32 = 2_800_308;
const SALVADOR: u32 = 2_927_408;
const BELO_HORIZONTE: u32 = 3_106_200;
const CURITIBA: u32 = 4_106_902;
const PORTO_ALEGRE: u32 = 4_314_902;
const SAO_PAULO: u32 = 3_550_308;

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn percent(hundredths: i64) -> Decimal {
    Decimal::new(hundredths, 2)
}

/// Deadlines, a limit, rates by service, no other tomador.
fn with_deadlines() -> MunicipalConvention {
    MunicipalConvention {
        aliquota: percent(300),
        aliquotas: BTreeMap::from([("010101".to_owned(), percent(200)), ("170101".to_owned(), percent(450))]),
        prazo_cancelamento_h: Some(24),
        valor_cancelamento: Some(Decimal::from(5_000)),
        exige_tomador: true,
        prazo_substituicao_h: Some(48),
        admite_outro_tomador: false,
        ..MunicipalConvention::default()
    }
}

/// Codes of its own, services left out, one regime, no deductions.
fn with_codes() -> MunicipalConvention {
    MunicipalConvention {
        servicos_excluidos: set(&["160101", "160201"]),
        codigos_municipais: set(&["001", "002"]),
        regimes_vedados: set(&["1", "2", "3", "4", "5", "9"]),
        admite_deducao: false,
        retencao_artigo_sexto: false,
        retencoes: BTreeMap::from([("170101".to_owned(), BTreeSet::from([1, 2]))]),
        ..MunicipalConvention::default()
    }
}

/// A benefit of each kind, and one that ended.
fn with_benefits() -> MunicipalConvention {
    let benefit = |descricao: &str, tipo| BenefitRow {
        descricao: descricao.to_owned(),
        tipo,
        reducao: None,
        aliquota: None,
        servicos: BTreeSet::new(),
        restrito: false,
        inicio: date(2024, 1, 1),
        fim: None,
    };
    MunicipalConvention {
        beneficios: BTreeMap::from([
            ("43149020100001".to_owned(), benefit("Isenção de ensaio", Kind::EXEMPTION)),
            (
                "43149020200002".to_owned(),
                BenefitRow {
                    reducao: Some(percent(4_000)),
                    ..benefit("Redução percentual de ensaio", Kind::PERCENTAGE)
                },
            ),
            ("43149020300003".to_owned(), benefit("Redução em valor de ensaio", Kind::VALUE)),
            (
                "43149020400004".to_owned(),
                BenefitRow {
                    aliquota: Some(percent(200)),
                    servicos: set(&["010101"]),
                    ..benefit("Alíquota diferenciada de ensaio", Kind::RATE)
                },
            ),
            (
                "43149020200005".to_owned(),
                BenefitRow {
                    reducao: Some(percent(1_000)),
                    fim: Some(date(2025, 12, 31)),
                    ..benefit("Redução encerrada de ensaio", Kind::PERCENTAGE)
                },
            ),
            (
                "43149020200006".to_owned(),
                BenefitRow {
                    reducao: Some(percent(1_000)),
                    restrito: true,
                    ..benefit("Redução dos estabelecidos de ensaio", Kind::PERCENTAGE)
                },
            ),
        ]),
        deducoes_vedadas: BTreeMap::from([
            ("010601".to_owned(), BTreeSet::from([DeductionKind::Percentual, DeductionKind::Valor])),
            ("010801".to_owned(), BTreeSet::from([DeductionKind::Documentos])),
        ]),
        incidencia: BTreeMap::from([("140101".to_owned(), true), ("250301".to_owned(), false)]),
        cpfs_que_retem: set(&["11144477735"]),
        ..MunicipalConvention::default()
    }
}

/// An exemption and reductions that any taxpayer may have.
fn with_reduction() -> MunicipalConvention {
    let benefit = |descricao: &str, tipo, reducao| BenefitRow {
        descricao: descricao.to_owned(),
        tipo,
        reducao,
        aliquota: None,
        servicos: BTreeSet::new(),
        restrito: false,
        inicio: date(2024, 1, 1),
        fim: None,
    };
    let share = Some(percent(4_000));
    let all = [
        ("35503080100001", benefit("Redução da base de cálculo de ensaio", Kind::PERCENTAGE, share)),
        ("35503080100002", benefit("Isenção de ensaio", Kind::EXEMPTION, None)),
        ("35503080100003", benefit("Redução em valor de ensaio", Kind::VALUE, None)),
    ];
    let beneficios = all.into_iter().map(|(numero, benefit)| (numero.to_owned(), benefit)).collect();
    MunicipalConvention { beneficios, ..MunicipalConvention::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_municipality_and_any_other_emits_nationally() {
        for codigo in TABLE.keys() {
            assert!(municipio::find(*codigo).is_some(), "{codigo}");
        }
        let campinas = of(3_509_502).unwrap();
        assert!(campinas.is_active(date(2026, 11, 20)) && campinas.emissor_nacional);
        assert!(!campinas.is_active(date(2022, 12, 31)));
        assert!(of(9_999_999).is_none());
    }

    #[test]
    fn a_service_has_its_own_rate_or_that_of_the_municipality() {
        let horizonte = of(BELO_HORIZONTE).unwrap();
        assert_eq!((horizonte.rate("010101"), horizonte.rate("010201")), (percent(200), percent(300)));
    }
}
