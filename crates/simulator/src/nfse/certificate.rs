//! Check of the connection's certificate, before any content of the request.
//!
//! Law: rules of reception E1200 to E1209 (the revocation list is always available here: no E1206). The status of a
//! refusal differs by route, as the OpenAPI has it.

use super::NationalRequest;
use super::answer::ProcessingMessage;
use crate::credential::{CertificateFacts, CertificateUse};

/// Errors of the certificate; empty when it may ask.
pub(super) fn problems(asked: &NationalRequest<'_>) -> Vec<ProcessingMessage> {
    let Some(credential) = &asked.credential else { return vec![ProcessingMessage::new("E1200")] };
    let revoked = &asked.world.settings().revogados;
    let faults = credential.faults(CertificateUse::Transmission, asked.now, revoked);
    faults.into_iter().filter_map(code).map(ProcessingMessage::new).collect()
}

/// The national code of an error that the SEFAZ numbers.
fn code(cStat: u16) -> Option<&'static str> {
    Some(match cStat {
        280 => "E1200",
        281 => "E1203",
        282 => "E1209",
        283 => "E1205",
        284 => "E1207",
        285 => "E1208",
        _ => return None,
    })
}

/// Codes of a refused signature.
pub(super) struct SignatureCodes {
    pub(super) absent: &'static str,
    pub(super) wrong: &'static str,
    pub(super) certificate: &'static str,
    pub(super) out_of_pattern: &'static str,
    pub(super) not_the_authors: &'static str,
}

impl SignatureCodes {
    /// The codes of the faults that the examination found, each once.
    pub(super) fn of(&self, faults: &[u16]) -> Vec<ProcessingMessage> {
        let mut codes: Vec<&'static str> = faults.iter().map(|fault| self.of_one(*fault)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().map(ProcessingMessage::new).collect()
    }
    fn of_one(&self, fault: u16) -> &'static str {
        match fault {
            297 | 298 => self.wrong,
            291 | 293 | 294 => self.certificate,
            _ => self.out_of_pattern,
        }
    }
}

/// True when a document was signed by this taxpayer.
pub(super) fn is_signed_by(signer: Option<&CertificateFacts>, taxpayer: &str) -> bool {
    signer.is_some_and(|signer| crate::taxpayer::same_taxpayer(signer.holder(), taxpayer))
}
