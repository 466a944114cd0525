//! Settings of the national NFS-e: conventions of municípios, registers, rules switched off, shapes of answers.

use super::municipality::{self, MunicipalConvention};
use crate::rule_switch::RuleSwitch;
use fiscal::nfse::layouts::DpsLayout;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// All settings of the national NFS-e.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NationalSettings {
    /// Municípios that differ from the table, by IBGE code.
    pub municipios: BTreeMap<u32, MunicipalConvention>,
    /// The registers of companies, of the Simples and of the municípios, by CNPJ or CPF.
    pub contribuintes: BTreeMap<String, NationalTaxpayer>,
    /// True when unregistered parties are refused: E0082 as prestador, E0190 as tomador.
    pub cadastro_fechado: bool,
    /// By code; absent rules follow the law: those of a technical note that is not in force (E0684, E0690) are off.
    /// `warn`: authorised, with the rule in `alertas`.
    pub regras: BTreeMap<String, RuleSwitch>,
    /// True when refusals of queries and events come as a list under `erro`, as production was seen to answer.
    pub erro_em_lista: bool,
    /// Key given to every note, as by an authority that counts wrongly.
    pub chave_repetida: Option<String>,
    pub leiaute: EnvironmentLayouts,
    /// The code that refuses a DPS of 2027 without the group `IBSCBS`; accepted when absent. A refusal by the Sefin is
    /// one reading of the law; its code is in no annex.
    pub ibscbs_ausente: Option<String>,
    /// `pCBS` of competences for which the law has no rate yet (2027 on); without it a rate of the sandbox, which the
    /// note mentions in `xOutInf`.
    #[serde(rename = "pCBS")]
    pub pCBS: Option<Decimal>,
    /// True when E0039 also refuses the ME or EPP of the Simples, which since 2026-11-01 issues by the national emitter
    /// (Resolução CGSN 191/2026): no published rule decides it.
    pub me_epp_por_convenio: bool,
    /// Real estate that the register does not have, by `cCIB`: E0373, E0933.
    pub cib_invalidos: BTreeSet<String>,
    /// True when a queried event comes as `eventoXmlGZipB64`, as the OpenAPI has it, and not as the list that
    /// production was seen to answer.
    pub evento_unico: bool,
}

/// Accepted layouts of the DPS, by environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnvironmentLayouts {
    /// Produção restrita, which was seen to accept NT 009 since 2026-10-31.
    pub homologacao: AcceptedLayouts,
    /// Production, whose day is unknown.
    pub producao: AcceptedLayouts,
}

impl Default for EnvironmentLayouts {
    fn default() -> EnvironmentLayouts {
        EnvironmentLayouts { homologacao: AcceptedLayouts::Both, producao: AcceptedLayouts::Current }
    }
}

/// Layouts of the DPS that an environment accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AcceptedLayouts {
    /// The package in force and NT 009.
    #[serde(rename = "ambos")]
    Both,
    /// The package in force: E1235 for the other, by the name of the excess element.
    #[serde(rename = "atual")]
    Current,
    /// NT 009: E1235 for the other, by the name of the missing element.
    #[serde(rename = "nt009")]
    Nt009,
}

impl AcceptedLayouts {
    /// The layout that a declaration is checked against.
    pub(super) fn layout_for(self, dps: &Element) -> DpsLayout {
        match self {
            AcceptedLayouts::Both => DpsLayout::of(dps),
            AcceptedLayouts::Current => DpsLayout::Current,
            AcceptedLayouts::Nt009 => DpsLayout::Nt009,
        }
    }
}

/// A registered taxpayer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NationalTaxpayer {
    pub nome: Option<String>,
    /// Município of the establishment: E0084 elsewhere.
    pub municipio: Option<u32>,
    /// Municipal registration: E0116 when a DPS leaves it out, E0120 when there is none and a DPS has it.
    #[serde(rename = "IM")]
    pub IM: Option<String>,
    /// The registration is inactive: E0124.
    pub im_inativa: bool,
    /// The registration may not emit: E0119.
    pub im_nao_autorizada: bool,
    /// Telephone by the register of companies.
    pub fone: Option<String>,
    /// E-mail by the register of companies.
    pub email: Option<String>,
    /// `opSimpNac` by the register of the Simples: E0160.
    pub opSimpNac: Option<String>,
}

impl NationalSettings {
    /// Convention of a município; `None` when no table has its code.
    pub(super) fn municipality(&self, codigo: u32) -> Option<Cow<'_, MunicipalConvention>> {
        match self.municipios.get(&codigo) {
            Some(own) => Some(Cow::Borrowed(own)),
            None => municipality::of(codigo),
        }
    }
    pub(super) fn accepted_layouts(&self, ambiente: TpAmb) -> AcceptedLayouts {
        match ambiente {
            TpAmb::Homologacao => self.leiaute.homologacao,
            TpAmb::Producao => self.leiaute.producao,
        }
    }
    pub(super) fn switch(&self, codigo: &str) -> RuleSwitch {
        self.regras.get(codigo).copied().unwrap_or(RuleSwitch::On)
    }
}
