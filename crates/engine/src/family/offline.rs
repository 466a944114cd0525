//! Offline emission: a document is given out before any authority has judged it, and transmitted within a time.
//!
//! Law: MOC 7.0, anexo IV (NFC-e, and NF-e with `tpImp` 6); NT 2026.004 for CT-e and CT-e OS, whose own text was not
//! seen, so that the operator must open it (`docs/decisions/documents.md`).

use super::{EmissionChoice, Family};
use crate::Engine;
use crate::family::issuer::FamilyIssuer;
use crate::family::member_path::TP_EMIS;
use crate::family::policy::ContingencyPolicy;
use fiscal::finding::Violation;
use fiscal::tipo::Tipo;
use fiscal::value::{CivilOffset, TpAmb, brasilia};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

/// Offline rules of a family.
pub(crate) struct OfflineRules {
    /// `tpEmis` of such a document.
    pub(crate) tpEmis: u8,
    /// Deadline for its transmission.
    pub(crate) deadline: OfflineTerm,
    /// First day on which an environment accepts it, where the operator must open it; `None`: no opening is needed.
    pub(crate) from: Option<fn(TpAmb) -> Date>,
}

/// Deadline of a document that is given out offline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OfflineTerm {
    /// The operator's choice for sales.
    Configured,
    /// 168 hours after `dhEmi`, before which the contingency has begun (588).
    Week,
}

impl Engine {
    /// Contingency policy of a company, as far as the installation allows it.
    pub(crate) fn policy(&self, issuer: &FamilyIssuer, ambiente: TpAmb, family: &Family) -> ContingencyPolicy {
        match issuer.contingencia(ambiente, family) {
            ContingencyPolicy::Offline if self.closed_today(family, ambiente).is_some() => ContingencyPolicy::Automatic,
            policy => policy,
        }
    }

    /// Reason why a company cannot choose offline for documents of a type here; Portuguese, with the remedy.
    pub fn offline_is_closed(&self, tipo: Tipo) -> Option<String> {
        let family = super::of_tipo(tipo)?;
        family.contingency.offline.as_ref()?.from.filter(|_| !self.inner.circuit_monitor.options.offline)?;
        Some(format!(
            "A emissão off-line do {} (NT 2026.004) está desligada nesta instalação; quem a opera a liga com a chave contingencia.offline.",
            tipo.name()
        ))
    }

    /// Reason why a document cannot be offline today in its environment.
    fn closed_today(&self, family: &Family, ambiente: TpAmb) -> Option<String> {
        if let Some(closed) = self.offline_is_closed(family.tipo) {
            return Some(closed);
        }
        let from = (family.contingency.offline.as_ref()?.from?)(ambiente);
        let today = brasilia::day(self.now());
        (today < from).then(|| {
            let (name, day) = (family.tipo.name(), from.strftime("%d/%m/%Y"));
            let ambiente = if ambiente == TpAmb::Producao { "produção" } else { "homologação" };
            format!("A emissão off-line do {name} (NT 2026.004) vale em {ambiente} a partir de {day}.")
        })
    }

    /// Refusal of a payload that asks to be offline where that is closed.
    pub(crate) fn refused_offline(&self, family: &Family, nota: &Value, ambiente: TpAmb) -> Option<Violation> {
        let offline = family.contingency.offline.as_ref()?.tpEmis;
        (family.contingency.asked)(nota).chosen.filter(|chosen| *chosen == offline)?;
        let closed = self.closed_today(family, ambiente)?;
        let mensagem =
            format!("{closed} Omita tpEmis: o serviço usa a SVC do estado, ou espera, quando a autoridade para.");
        let campo = family.path(nota, TP_EMIS);
        Some(Violation { campo, codigo: "valor_invalido", mensagem, sugestao: None })
    }
}

impl Family {
    /// Instant that a payload itself gives, where the offline deadline of its document counts from it.
    pub(crate) fn dhEmi(&self, asked: &EmissionChoice<'_>, place: impl Into<CivilOffset>) -> Option<String> {
        let dhEmi = asked
            .dhEmi
            .filter(|_| self.contingency.offline.as_ref().is_some_and(|it| it.deadline == OfflineTerm::Week))?;
        fiscal::map::instant(dhEmi, place.into().hours())
    }

    /// Parses that instant.
    pub(crate) fn emitted(&self, asked: &EmissionChoice<'_>, place: impl Into<CivilOffset>) -> Option<Timestamp> {
        self.dhEmi(asked, place)?.parse().ok()
    }
}
