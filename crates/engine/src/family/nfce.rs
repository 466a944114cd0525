//! NFC-e, model 65: goods, over the counter. The buyer waits, so it goes offline where an NF-e goes to another
//! authority.
//!
//! Law: MOC 7.0, anexo IV (offline), NT 2025.001 (QR code), NT 2018.004 (cancellation by substitution).

use super::nfe::{ACTS, BODY_REUSE, LISTED, NUMBERS, RETAIL_OFFLINE};
use super::{
    ActRules, ContingencyRules, DocumentBuilder, EmissionChoice, Family, ReceiptQuery, RepetitionAnswer, WireProtocol,
    marks,
};
use crate::family::emission::OFFLINE;
use crate::family::policy::ContingencyPolicy;
use authority::sefaz;
use fiscal::nfe;
use fiscal::tipo::Tipo;
use serde_json::Value;
use signing::SigningAlgorithm;
use store::jobs::Operacao;
use store::numbers::NumberedKind;

/// NFC-e.
pub(crate) static NFCE: Family = Family {
    counted: NumberedKind::Nfce,
    tipo: Tipo::Nfce,
    modelo: 65,
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
        code: |issuer, ambiente, _| issuer.qr_version(ambiente).map(Some),
        root: "NFe",
        dated_at_sending: |_| true,
        unregistered: None,
        dated_back_s: 0,
        algorithm: |_| SigningAlgorithm::Sha1,
    },
    wire: WireProtocol::Sefaz(&sefaz::NFE),
    receipt: Some(ReceiptQuery { call: sefaz::receipt, read: sefaz::read_receipt, read_of: None, is_kept: false }),
    contingency: ContingencyRules {
        asked,
        given_out: &[OFFLINE],
        offline: Some(RETAIL_OFFLINE),
        svc: &[],
        svc_open: &[],
        policy: |word| match word {
            Some("nenhuma") => ContingencyPolicy::Nothing,
            _ => ContingencyPolicy::Offline,
        },
        doubt_s: Some(|doubt| doubt.nfce_s),
        at_the_counter: true,
        // its key differs by tpEmis, so a number that was not taken online may be used again (MOC 7.0, anexo IV); a
        // free one is taken first anyway
        number_of_its_own: false,
    },
    acts: ActRules { possible: &[Operacao::Cancelamento], substitution: true, ..ACTS },
    numbers: NUMBERS,
    marks: marks::by_digest,
    repetition: RepetitionAnswer::IsRefused,
    municipal: false,
    // a consumer has the paper only
    handed_out: false,
    layouts: None,
};

fn asked(nota: &Value) -> EmissionChoice<'_> {
    let asked = nfe::NfeEmissionRequest::of(nota);
    EmissionChoice {
        chosen: asked.chosen(NFCE.modelo),
        svc: None,
        svc_refuses: false,
        dhCont: asked.dhCont,
        xJust: asked.xJust,
        dhEmi: asked.dhEmi,
    }
}
