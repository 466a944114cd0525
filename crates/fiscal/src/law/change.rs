//! A change of the printed terms of a rule, by the operator.

use super::{RuleEffect, RuleFamily, RuleKey, RuleStart, RuleTerm, RuleTerms};
use crate::value::{Codigo, TpAmb, Uf};
use jiff::civil::Date;
use std::fmt;

/// A change of the terms of the rules with one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawChange {
    /// Family of the rule.
    pub documento: RuleFamily,
    /// Code of the authority.
    pub codigo: u16,
    /// Id of the rule, to select one of several with the code.
    pub regra: Option<String>,
    /// Environment; both when absent.
    pub ambiente: Option<TpAmb>,
    /// Start.
    pub a_partir_de: Option<RuleStart>,
    /// Last day.
    pub ate: Option<Date>,
    /// New effect.
    pub efeito: Option<RuleEffect>,
    /// States of the issuers.
    pub ufs: Option<Vec<Uf>>,
    /// CRT of the issuers.
    pub crt: Option<Vec<u8>>,
    /// Source of the change, in the operator's words.
    pub fonte: String,
}

impl LawChange {
    /// True when the change applies to a rule.
    pub fn applies_to(&self, key: &RuleKey) -> bool {
        self.documento == key.documento
            && self.codigo == key.codigo
            && self.regra.as_deref().is_none_or(|regra| regra == key.id)
    }

    pub(super) fn apply(&self, terms: &mut RuleTerms) {
        for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
            if self.ambiente.is_none_or(|only| only == ambiente) {
                self.apply_to(terms.of_mut(ambiente));
            }
        }
    }

    fn apply_to(&self, term: &mut RuleTerm) {
        term.onset = self.a_partir_de.unwrap_or(term.onset);
        term.last = self.ate.or(term.last);
        term.effect = self.efeito.unwrap_or(term.effect);
        term.ufs = self.ufs.clone().or_else(|| term.ufs.take());
        term.crts = self.crt.clone().or_else(|| term.crts.take());
    }

    /// The code in the authority's spelling.
    pub fn status(&self) -> Codigo {
        match self.documento {
            RuleFamily::Nfse => Codigo::parse(&format!("E{:04}", self.codigo)).unwrap_or(self.codigo.into()),
            RuleFamily::Nfe | RuleFamily::Cte => self.codigo.into(),
        }
    }

    /// The change in Portuguese, for display: `a partir de 2027-03-01, aviso, só em SP`.
    pub fn effect_in_words(&self) -> String {
        let onset = self.a_partir_de.map(|onset| match onset {
            RuleStart::Day(day) => format!("a partir de {day}"),
            RuleStart::Never | RuleStart::Manual => "sem dia para valer".to_owned(),
        });
        let effect = self.efeito.map(|effect| match effect {
            RuleEffect::Rejeicao => "rejeição".to_owned(),
            RuleEffect::Aviso => "só um aviso".to_owned(),
            RuleEffect::Nada => "desligada".to_owned(),
        });
        let ufs = self.ufs.as_ref().map(|ufs| ufs.iter().map(|uf| uf.sigla()).collect::<Vec<_>>().join(", "));
        let crt = self.crt.as_ref().map(|crt| crt.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
        let said = [
            onset,
            self.ate.map(|last| format!("até {last}")),
            effect,
            ufs.map(|ufs| if ufs.is_empty() { "em nenhuma UF".to_owned() } else { format!("só em {ufs}") }),
            crt.map(|crt| format!("só para CRT {crt}")),
        ];
        said.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// True when a term changes.
    pub(super) fn changes_term(&self) -> bool {
        let day = self.a_partir_de.is_some() || self.ate.is_some();
        day || self.efeito.is_some() || self.ufs.is_some() || self.crt.is_some()
    }
}

impl fmt::Display for LawChange {
    /// `1115 UB12-10 em produção: a partir de 2027-03-01 (NT 2025.002 v1.54)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status())?;
        // the code of an NFS-e is recognised by its letter
        if self.documento == RuleFamily::Cte {
            f.write_str(" do CT-e")?;
        }
        if let Some(regra) = &self.regra {
            write!(f, " {regra}")?;
        }
        match self.ambiente {
            Some(TpAmb::Producao) => f.write_str(" em produção")?,
            Some(TpAmb::Homologacao) => f.write_str(" em homologação")?,
            None => {}
        }
        write!(f, ": {} ({})", self.effect_in_words(), self.fonte)
    }
}
