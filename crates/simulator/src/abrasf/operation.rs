//! The operations of ABRASF: their names, their messages.

use crate::faults::FaultTarget;

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AbrasfService {
    /// A lot that is answered by a protocol.
    Batch,
    /// A lot that is answered by its notes.
    BatchNow,
    /// A single RPS that is answered by its note.
    Single,
    /// State of a lot (1.00).
    BatchState,
    /// Result of a lot.
    BatchResult,
    /// The note of an RPS.
    ByRps,
    Cancel,
    Substitute,
    /// Notes of a range of numbers.
    Range,
}

/// Names in faults.
pub(crate) const SERVICES: [&str; 9] = [
    "RecepcionarLoteRps",
    "RecepcionarLoteRpsSincrono",
    "GerarNfse",
    "ConsultarSituacaoLoteRps",
    "ConsultarLoteRps",
    "ConsultarNfsePorRps",
    "CancelarNfse",
    "SubstituirNfse",
    "ConsultarNfseFaixa",
];

/// Roots of the messages without `Envio`; the roots of the answers have `Resposta` in its place.
const MESSAGES: [&str; 9] = [
    "EnviarLoteRps",
    "EnviarLoteRpsSincrono",
    "GerarNfse",
    "ConsultarSituacaoLoteRps",
    "ConsultarLoteRps",
    "ConsultarNfseRps",
    "CancelarNfse",
    "SubstituirNfse",
    "ConsultarNfseFaixa",
];

impl AbrasfService {
    pub(super) const ALL: [AbrasfService; 9] = [
        AbrasfService::Batch,
        AbrasfService::BatchNow,
        AbrasfService::Single,
        AbrasfService::BatchState,
        AbrasfService::BatchResult,
        AbrasfService::ByRps,
        AbrasfService::Cancel,
        AbrasfService::Substitute,
        AbrasfService::Range,
    ];
    fn of(self, names: &[&'static str; 9]) -> &'static str {
        let at = AbrasfService::ALL.iter().position(|one| *one == self);
        at.and_then(|at| names.get(at)).copied().unwrap_or_default()
    }
    pub(super) fn name(self) -> &'static str {
        self.of(&SERVICES)
    }
    pub(super) fn message(self) -> &'static str {
        self.of(&MESSAGES)
    }
    /// True for operations that issue documents.
    pub(super) fn issues(self) -> bool {
        matches!(
            self,
            AbrasfService::Batch | AbrasfService::BatchNow | AbrasfService::Single | AbrasfService::Substitute
        )
    }
    pub(super) fn target(self) -> FaultTarget {
        FaultTarget {
            name: self.name(),
            service: None,
            packed: true,
            takes_documents: self.issues(),
            registers: self.issues() || self == AbrasfService::Cancel,
            names_documents: matches!(self, AbrasfService::BatchResult | AbrasfService::ByRps)
                || (self.issues() && self != AbrasfService::Batch),
            shows_digests: false,
            municipal: true,
        }
    }
}
