//! NF-e, model 55: goods.
//!
//! Law: MOC 7.0, anexo I (layout), anexo III (SVC, EPEC, FS-DA) and anexo IV (offline with `tpImp` 6).

use super::{
    ActRules, BodyReuse, ContingencyRules, DocumentBuilder, EmissionChoice, Family, IN_OPERATION, ListedFields,
    NumberRules, ReceiptQuery, RepetitionAnswer, WireProtocol, marks,
};
use crate::family::emission::{EPEC, FS_DA, OFFLINE, SVC_AN, SVC_RS};
use crate::family::event::event_type::EventType;
use crate::family::event::nfe as events;
use crate::family::offline::{OfflineRules, OfflineTerm};
use crate::family::policy::ContingencyPolicy;
use crate::family::qr::QrVersion;
use authority::sefaz;
use fiscal::nfe;
use fiscal::nfe::rules::{NfeRuleContext, is_of_an_unregistered_issuer};
use fiscal::tipo::Tipo;
use serde_json::Value;
use signing::SigningAlgorithm;
use store::jobs::Operacao;
use store::numbers::NumberedKind;

/// NF-e.
pub(crate) static NFE: Family = Family {
    counted: NumberedKind::Nfe,
    tipo: Tipo::Nfe,
    modelo: 55,
    builder: DocumentBuilder {
        numbering: nfe::numbering,
        build: nfe::build,
        write: nfe::write,
        around: Some(BODY_REUSE),
        review: nfe::review::review,
        listed: LISTED,
        items: Some(nfe::items::items),
        home: nfe::official_tree::tree_path,
        groups: nfe::official_tree::groups,
        // the code of a DANFE Simplificado Tipo 2 has no CSC (NT 2026.003)
        code: |_, _, nota| Ok(is_retail(nota).then_some(QrVersion::Three)),
        root: "NFe",
        dated_at_sending: is_retail,
        unregistered: Some(|written, now, ambiente, law| {
            is_of_an_unregistered_issuer(written, &NfeRuleContext::new(now, ambiente).under(law))
        }),
        dated_back_s: 0,
        algorithm: |_| SigningAlgorithm::Sha1,
    },
    wire: WireProtocol::Sefaz(&sefaz::NFE),
    receipt: Some(ReceiptQuery { call: sefaz::receipt, read: sefaz::read_receipt, read_of: None, is_kept: false }),
    contingency: ContingencyRules {
        asked,
        given_out: &[EPEC, FS_DA, OFFLINE],
        offline: Some(RETAIL_OFFLINE),
        svc: &[("SVC-AN", SVC_AN), ("SVC-RS", SVC_RS)],
        // 113 of an NF-e's SVC: about to be switched off, nothing new goes there (MOC 7.0, anexo III, 2.1.3.4 g)
        svc_open: &[IN_OPERATION],
        policy: |word| match word {
            Some("nenhuma") => ContingencyPolicy::Nothing,
            Some("svc") => ContingencyPolicy::Svc,
            Some("epec") => ContingencyPolicy::Epec,
            _ => ContingencyPolicy::Automatic,
        },
        doubt_s: Some(|doubt| doubt.nfe_s),
        at_the_counter: false,
        number_of_its_own: false,
    },
    acts: ACTS,
    numbers: NUMBERS,
    marks: marks::by_digest,
    repetition: RepetitionAnswer::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

/// Number rules of models 55 and 65.
pub(super) const NUMBERS: NumberRules = NumberRules {
    configured_in: None,
    tag: "nNF",
    voided: Some(206),
    still_processing: Some(635),
    named_by: "[chNFe:",
    used_before: None,
};
/// Body reuse of models 55 and 65.
pub(super) const BODY_REUSE: BodyReuse = BodyReuse { take: nfe::items::remove_items, write: nfe::write_around };
/// Listed members of models 55 and 65.
pub(super) const LISTED: ListedFields =
    ListedFields { price: ["total.vNF", "total.ICMSTot.vNF"], receiver: ["destinatario", "dest"] };
/// Offline rules of retail, also as an NF-e.
pub(super) const RETAIL_OFFLINE: OfflineRules =
    OfflineRules { tpEmis: OFFLINE, deadline: OfflineTerm::Configured, from: None };

/// Events of models 55 and 65.
pub(super) const ACTS: ActRules = ActRules {
    possible: &[Operacao::Cancelamento, Operacao::CartaCorrecao, Operacao::AtorInteressado],
    substitution: false,
    kind: |order| events::kind(order).map(EventType::from),
    check: events::check,
    write: events::write,
    message: None,
    history: None,
    replaced: |_, _, _| None,
    not_authorised: 580,
    refusal_is_proof: false,
};

fn asked(nota: &Value) -> EmissionChoice<'_> {
    let asked = nfe::NfeEmissionRequest::of(nota);
    EmissionChoice {
        chosen: asked.chosen(NFE.modelo),
        svc: asked.svc(NFE.modelo),
        svc_refuses: false,
        dhCont: asked.dhCont,
        xJust: asked.xJust,
        dhEmi: asked.dhEmi,
    }
}

/// `true` for an NF-e that is printed like an NFC-e.
fn is_retail(nota: &Value) -> bool {
    nfe::NfeEmissionRequest::of(nota).tipo_2
}
