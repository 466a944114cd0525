//! NFS-e of the national standard: a declaration of ours (DPS), from which the Sefin Nacional writes the note, with a
//! key and a number of its own. There is one authority and no contingency: a declaration waits.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12), manual of the contributors 1.2, layout of the DPS 1.01.

use super::{
    ActRules, ContingencyRules, DocumentBuilder, Family, ListedFields, NumberRules, RepetitionAnswer, WireProtocol,
    marks,
};
use crate::family::event::nfse as events;
use crate::family::issuer::FamilyIssuer;
use crate::family::layouts::LayoutRow;
use fiscal::document::DpsLayout;
use fiscal::nfse::{self, layouts, moved_members};
use fiscal::tipo::{DPS as MODELO, Tipo};
use signing::SigningAlgorithm;
use store::jobs::Operacao;
use store::numbers::NumberedKind;

/// The declaration of a national NFS-e.
pub(crate) static DPS: Family = Family {
    counted: NumberedKind::Dps,
    tipo: Tipo::Nfse,
    modelo: MODELO,
    builder: DocumentBuilder {
        numbering: nfse::numbering,
        build: nfse::build,
        write: nfse::write,
        around: None,
        review: nfse::review,
        listed: ListedFields { price: ["valores.vServPrest.vServ"; 2], receiver: ["toma"; 2] },
        items: None,
        home: nfse::dps_path,
        groups: nfse::groups,
        code: |_, _, _| Ok(None),
        root: "NFSe",
        dated_at_sending: |_| false,
        // the clocks of both sides differ, and a future instant is refused (E0008)
        unregistered: None,
        dated_back_s: 60,
        algorithm,
    },
    wire: WireProtocol::NfseNacional,
    receipt: None,
    contingency: ContingencyRules::NONE,
    acts: ActRules {
        possible: &[Operacao::Cancelamento, Operacao::AnaliseFiscal],
        substitution: false,
        kind: events::kind,
        check: events::check,
        write: events::write,
        message: None,
        replaced: |_, _, _| None,
        history: Some(events::check_history),
        not_authorised: 0,
        refusal_is_proof: false,
    },
    numbers: NumberRules {
        configured_in: None,
        tag: "nDPS",
        voided: None,
        still_processing: None,
        named_by: "",
        used_before: Some("E0014"),
    },
    marks: marks::by_digest,
    // a DPS is sent again a minute after a 404 at the earliest
    repetition: RepetitionAnswer::AfterProof,
    municipal: true,
    handed_out: true,
    layouts: Some(LayoutRow {
        of_day: DpsLayout::of_day,
        of: DpsLayout::of,
        says_all: moved_members::expresses_all,
        is_asked: layouts::indicates_other_layout,
    }),
};

/// Signature algorithm: authorised notes with both exist, and no published text names the required one, so the company
/// chooses.
fn algorithm(issuer: Option<&FamilyIssuer>) -> SigningAlgorithm {
    match issuer.and_then(|issuer| issuer.configuration.get("assinatura")?.as_str()) {
        Some("sha256") => SigningAlgorithm::Sha256,
        _ => SigningAlgorithm::Sha1,
    }
}
