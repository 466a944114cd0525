//! Settings of the municipal providers: the registers, the unit of rates, the time that lots take, deadlines.

use super::provider::RateScale;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// All settings of the municipal providers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MunicipalSettings {
    /// By IBGE code; the defaults for a city that is not listed.
    pub cidades: BTreeMap<u32, CitySettings>,
    /// The registers of the cities, by CNPJ or CPF.
    pub contribuintes: BTreeMap<String, MunicipalTaxpayer>,
    /// True when unregistered parties are refused: E45 as prestador, E39 as a tomador who withholds.
    pub cadastro_fechado: bool,
}

/// Settings of a city.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CitySettings {
    /// Unit of its rates; that of its provider when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unidade: Option<RateScale>,
    /// Rate of a note that states none, in per cent.
    pub aliquota: Decimal,
    /// Municipal codes of services that it knows: E35; any when empty.
    pub codigos: BTreeSet<String>,
    /// Queries of a lot answered E92 before its result.
    pub consultas_em_processamento: u32,
    /// Seconds until a lot is processed.
    pub espera_s: i64,
    /// Hours after which a note cannot be cancelled here (E181).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prazo_cancelamento_h: Option<u32>,
    /// Notes with a credit, by number: E6.
    pub com_credito: BTreeSet<u64>,
}

impl Default for CitySettings {
    fn default() -> CitySettings {
        CitySettings {
            unidade: None,
            aliquota: Decimal::new(2, 0),
            codigos: BTreeSet::new(),
            consultas_em_processamento: 0,
            espera_s: 0,
            prazo_cancelamento_h: None,
            com_credito: BTreeSet::new(),
        }
    }
}

/// A registered taxpayer.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MunicipalTaxpayer {
    pub nome: Option<String>,
    /// Municipal registration: E141 when a message leaves it out, E142 when it states another.
    #[serde(rename = "IM")]
    pub IM: Option<String>,
    /// City of the registration: E45 elsewhere.
    pub municipio: Option<u32>,
    /// May not issue: E156.
    pub nao_autorizado: bool,
    /// First day on which it may issue: E17.
    pub habilitado_em: Option<Date>,
    /// User and password at the provider: E157.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acesso: Option<(String, String)>,
}

impl std::fmt::Debug for MunicipalTaxpayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let MunicipalTaxpayer { nome, IM, municipio, nao_autorizado, habilitado_em, acesso } = self;
        f.debug_struct("MunicipalTaxpayer")
            .field("nome", nome)
            .field("IM", IM)
            .field("municipio", municipio)
            .field("nao_autorizado", nao_autorizado)
            .field("habilitado_em", habilitado_em)
            .field("acesso", &acesso.is_some())
            .finish()
    }
}

impl MunicipalSettings {
    pub(super) fn city(&self, codigo: u32) -> CitySettings {
        self.cidades.get(&codigo).cloned().unwrap_or_default()
    }
}
