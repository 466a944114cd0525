//! Offline: a document is given out before any authority has judged it, and transmitted within a time.
//!
//! Law: MOC 7.0, anexo IV (NFC-e, and NF-e with `tpImp` 6); NT 2026.004 for CT-e and CT-e OS, whose own text was not
//! seen, so that the operator must open it (`docs/decisions.md`).

use super::{EmissionRequest, Family};
use crate::Engine;
use crate::family::issuer::Issuer;
use crate::family::policy::Policy;
use crate::family::spelled::TP_EMIS;
use fiscal::finding::Violation;
use fiscal::tipo::Tipo;
use fiscal::value::{CivilOffset, TpAmb, brasilia};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

/// How documents of a family are given out offline.
pub(crate) struct Offline {
    /// Of such a document.
    pub(crate) tpEmis: u8,
    /// By when it must be at its authority.
    pub(crate) deadline: Deadline,
    /// The day from which an environment takes it, where the operator must open it; `None`: nobody must.
    pub(crate) from: Option<fn(TpAmb) -> Date>,
}

/// By when a document that is given out offline must be at its authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deadline {
    /// As the operator chose for sales.
    Configured,
    /// 168 hours after `dhEmi`, before which the contingency has begun (588).
    Week,
}

impl Engine {
    /// What a company wants of contingency, as far as the installation has it open.
    pub(crate) fn policy(&self, issuer: &Issuer, ambiente: TpAmb, family: &Family) -> Policy {
        match issuer.contingencia(ambiente, family) {
            Policy::Offline if self.closed(family, ambiente).is_some() => Policy::Automatic,
            policy => policy,
        }
    }

    /// Why a company cannot choose offline for documents of a type here; Portuguese, says what to do.
    pub fn offline_is_closed(&self, tipo: Tipo) -> Option<String> {
        let family = super::of_tipo(tipo)?;
        family.detours.offline.as_ref()?.from.filter(|_| !self.inner.watch.options.offline)?;
        Some(format!(
            "A emissão off-line do {} (NT 2026.004) está desligada nesta instalação; quem a opera a liga com a chave contingencia.offline.",
            tipo.name()
        ))
    }

    /// The same of a document, in its environment and today.
    fn closed(&self, family: &Family, ambiente: TpAmb) -> Option<String> {
        if let Some(closed) = self.offline_is_closed(family.tipo) {
            return Some(closed);
        }
        let from = (family.detours.offline.as_ref()?.from?)(ambiente);
        let today = brasilia::day(self.now());
        (today < from).then(|| {
            let (name, day) = (family.tipo.name(), from.strftime("%d/%m/%Y"));
            let ambiente = if ambiente == TpAmb::Producao { "produção" } else { "homologação" };
            format!("A emissão off-line do {name} (NT 2026.004) vale em {ambiente} a partir de {day}.")
        })
    }

    /// What stops a payload that asks to be offline where that is closed.
    pub(crate) fn refused_offline(&self, family: &Family, nota: &Value, ambiente: TpAmb) -> Option<Violation> {
        let offline = family.detours.offline.as_ref()?.tpEmis;
        (family.detours.asked)(nota).chosen.filter(|chosen| *chosen == offline)?;
        let closed = self.closed(family, ambiente)?;
        let mensagem =
            format!("{closed} Omita tpEmis: o serviço usa a SVC do estado, ou espera, quando a autoridade para.");
        let campo = family.path(nota, TP_EMIS);
        Some(Violation { campo, codigo: "valor_invalido", mensagem, sugestao: None })
    }
}

impl Family {
    /// The instant that a payload gives itself, where the offline emission of its document counts from it.
    pub(crate) fn dhEmi(&self, asked: &EmissionRequest<'_>, place: impl Into<CivilOffset>) -> Option<String> {
        let dhEmi =
            asked.dhEmi.filter(|_| self.detours.offline.as_ref().is_some_and(|it| it.deadline == Deadline::Week))?;
        fiscal::map::instant(dhEmi, place.into().hours())
    }

    /// The same, to count from.
    pub(crate) fn emitted(&self, asked: &EmissionRequest<'_>, place: impl Into<CivilOffset>) -> Option<Timestamp> {
        self.dhEmi(asked, place)?.parse().ok()
    }
}
