//! NF-e, model 55: goods.
//!
//! Law: MOC 7.0, anexo I (layout), anexo III (SVC, EPEC, FS-DA) and anexo IV (offline with `tpImp` 6).

use super::{
    Acts, Around, Builder, Detours, EmissionRequest, Family, IN_OPERATION, Numbers, Receipt, Repetition, Told, Wire,
    ours,
};
use crate::acceptance::event::act;
use crate::acceptance::event::kind::EventType;
use crate::family::emission::{EPEC, FS_DA, OFFLINE, SVC_AN, SVC_RS};
use crate::family::offline::{Deadline, Offline};
use crate::family::policy::Policy;
use crate::family::qr::Version;
use authority::sefaz;
use fiscal::nfe;
use fiscal::nfe::rules::{Facts, is_of_an_unregistered_issuer};
use fiscal::tipo::Tipo;
use serde_json::Value;
use signing::Algorithm;
use store::jobs::Operacao;
use store::numbers::Counted;

/// NF-e.
pub(crate) static NFE: Family = Family {
    counted: Counted::Nfe,
    tipo: Tipo::Nfe,
    modelo: 55,
    builder: Builder {
        numbering: nfe::numbering,
        build: nfe::build,
        write: nfe::write,
        around: Some(AROUND),
        review: nfe::review::review,
        told: TOLD,
        items: Some(nfe::items::items),
        home: nfe::official::home,
        groups: nfe::official::groups,
        // the code of a DANFE Simplificado Tipo 2 has no CSC (NT 2026.003)
        code: |_, _, nota| Ok(is_retail(nota).then_some(Version::Three)),
        root: "NFe",
        dated_at_sending: is_retail,
        unregistered: Some(|written, now, ambiente, law| {
            is_of_an_unregistered_issuer(written, &Facts::new(now, ambiente).under(law))
        }),
        dated_back_s: 0,
        algorithm: |_| Algorithm::Sha1,
    },
    wire: Wire::Sefaz(&sefaz::NFE),
    receipt: Some(Receipt { call: sefaz::receipt, read: sefaz::read_receipt, read_of: None, is_kept: false }),
    detours: Detours {
        asked,
        given_out: &[EPEC, FS_DA, OFFLINE],
        offline: Some(SALE),
        svc: &[("SVC-AN", SVC_AN), ("SVC-RS", SVC_RS)],
        // 113 of an NF-e's SVC: about to be switched off, nothing new goes there (MOC 7.0, anexo III, 2.1.3.4 g)
        svc_open: &[IN_OPERATION],
        policy: |word| match word {
            Some("nenhuma") => Policy::Nothing,
            Some("svc") => Policy::Svc,
            Some("epec") => Policy::Epec,
            _ => Policy::Automatic,
        },
        doubt_s: Some(|doubt| doubt.nfe_s),
        at_the_counter: false,
        number_of_its_own: false,
    },
    acts: ACTS,
    numbers: NUMBERS,
    marks: ours::by_digest,
    repetition: Repetition::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

/// Number rules of models 55 and 65.
pub(super) const NUMBERS: Numbers = Numbers {
    configured_in: None,
    tag: "nNF",
    voided: Some(206),
    still_processing: Some(635),
    named_by: "[chNFe:",
    used_before: None,
};
/// Body reuse of models 55 and 65.
pub(super) const AROUND: Around = Around { take: nfe::items::take, write: nfe::write_around };
/// Listed members of models 55 and 65.
pub(super) const TOLD: Told = Told { price: ["total.vNF", "total.ICMSTot.vNF"], receiver: ["destinatario", "dest"] };
/// Offline rules of retail, also as an NF-e.
pub(super) const SALE: Offline = Offline { tpEmis: OFFLINE, deadline: Deadline::Configured, from: None };

/// Events of models 55 and 65.
pub(super) const ACTS: Acts = Acts {
    possible: &[Operacao::Cancelamento, Operacao::CartaCorrecao, Operacao::AtorInteressado],
    substitution: false,
    kind: |order| act::kind(order).map(EventType::from),
    check: act::check,
    write: act::write,
    message: None,
    history: None,
    replaced: |_, _, _| None,
    not_authorised: 580,
    refusal_is_proof: false,
};

fn asked(nota: &Value) -> EmissionRequest<'_> {
    let asked = nfe::EmissionRequest::of(nota);
    EmissionRequest {
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
    nfe::EmissionRequest::of(nota).tipo_2
}
