//! What may be chosen at the national NFS-e: conventions of municípios, registers, rules switched off, shapes of
//! answers.

use super::municipality::{self, Municipality};
use crate::settings::Switch;
use fiscal::nfse::layouts::DpsLayout;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// All of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Nfse {
    /// Municípios otherwise than the table has them, by IBGE code.
    pub municipios: BTreeMap<u32, Municipality>,
    /// The registers of companies, of the Simples and of the municípios, by CNPJ or CPF.
    pub contribuintes: BTreeMap<String, Provider>,
    /// Whether who is in no register is refused: E0082 as prestador, E0190 as tomador.
    pub cadastro_fechado: bool,
    /// By code; what is absent is as the law says: of a note that is not in force (E0684, E0690), off. `warn`:
    /// authorised, with the rule in `alertas`.
    pub regras: BTreeMap<String, Switch>,
    /// Whether refusals of queries and events come as a list under `erro`, as production was seen to answer.
    pub erro_em_lista: bool,
    /// The key that every note is given, whatever it is: an authority that counts wrongly.
    pub chave_repetida: Option<String>,
    /// Which layout of the DPS is taken.
    pub leiaute: Layouts,
    /// The code that refuses a DPS of 2027 without the group `IBSCBS`; none: it is taken. That the Sefin will refuse
    /// one is one reading, its code in no annex.
    pub ibscbs_ausente: Option<String>,
    /// `pCBS` of competences for which the law has no rate yet (2027 on); without it a rate of the sandbox, and the
    /// note says so in `xOutInf`.
    #[serde(rename = "pCBS")]
    pub pCBS: Option<Decimal>,
    /// Whether E0039 also refuses the ME or EPP of the Simples, which since 2026-11-01 issues by the national emitter
    /// (Resolução CGSN 191/2026): no published rule says so, nor the contrary.
    pub me_epp_por_convenio: bool,
    /// Real estate that the register does not have, by `cCIB`: E0373, E0933.
    pub cib_invalidos: BTreeSet<String>,
    /// Whether a queried event comes as `eventoXmlGZipB64`, as the OpenAPI has it, and not as the list that production
    /// was seen to answer.
    pub evento_unico: bool,
}

/// Which layout of the DPS each environment takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Layouts {
    /// Produção restrita, which was seen to take NT 009 since 2026-10-31.
    pub homologacao: Takes,
    /// Production, of which nobody knows a day.
    pub producao: Takes,
}

impl Default for Layouts {
    fn default() -> Layouts {
        Layouts { homologacao: Takes::Both, producao: Takes::Current }
    }
}

/// What an environment takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Takes {
    /// The package in force and NT 009.
    #[serde(rename = "ambos")]
    Both,
    /// The package in force: E1235 for the other, by the name of what is too much.
    #[serde(rename = "atual")]
    Current,
    /// NT 009: E1235 for the other, by the name of what is missing.
    #[serde(rename = "nt009")]
    Nt009,
}

impl Takes {
    /// The layout that a declaration is held against.
    pub(super) fn layout_for(self, dps: &Element) -> DpsLayout {
        match self {
            Takes::Both => DpsLayout::of(dps),
            Takes::Current => DpsLayout::Current,
            Takes::Nt009 => DpsLayout::Nt009,
        }
    }
}

/// A registered taxpayer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provider {
    /// Name.
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

impl Nfse {
    /// What holds in a município; `None` when no table has its code.
    pub(super) fn municipality(&self, codigo: u32) -> Option<Cow<'_, Municipality>> {
        match self.municipios.get(&codigo) {
            Some(own) => Some(Cow::Borrowed(own)),
            None => municipality::of(codigo),
        }
    }
    /// What an environment takes.
    pub(super) fn takes(&self, ambiente: TpAmb) -> Takes {
        match ambiente {
            TpAmb::Homologacao => self.leiaute.homologacao,
            TpAmb::Producao => self.leiaute.producao,
        }
    }
    /// How a rule is switched.
    pub(super) fn switch(&self, codigo: &str) -> Switch {
        self.regras.get(codigo).copied().unwrap_or(Switch::On)
    }
}
