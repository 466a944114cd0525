//! NFC-e, model 65: goods, over the counter. The buyer waits, so it goes offline where an NF-e goes to another
//! authority.
//!
//! Law: MOC 7.0, anexo IV (offline), NT 2025.001 (QR code), NT 2018.004 (cancellation by substitution).

use super::nfe::{ACTS, AROUND, NUMBERS, SALE, TOLD};
use super::{Acts, Builder, Detours, EmissionRequest, Family, Receipt, Repetition, Wire, ours};
use crate::family::emission::OFFLINE;
use crate::family::policy::Policy;
use authority::sefaz;
use fiscal::nfe;
use fiscal::tipo::Tipo;
use serde_json::Value;
use signing::Algorithm;
use store::jobs::Operacao;
use store::numbers::Counted;

/// NFC-e.
pub(crate) static NFCE: Family = Family {
    counted: Counted::Nfce,
    tipo: Tipo::Nfce,
    modelo: 65,
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
        code: |issuer, ambiente, _| issuer.qr_version(ambiente).map(Some),
        root: "NFe",
        dated_at_sending: |_| true,
        unregistered: None,
        dated_back_s: 0,
        algorithm: |_| Algorithm::Sha1,
    },
    wire: Wire::Sefaz(&sefaz::NFE),
    receipt: Some(Receipt { call: sefaz::receipt, read: sefaz::read_receipt, read_of: None, is_kept: false }),
    detours: Detours {
        asked,
        given_out: &[OFFLINE],
        offline: Some(SALE),
        svc: &[],
        svc_open: &[],
        policy: |word| match word {
            Some("nenhuma") => Policy::Nothing,
            _ => Policy::Offline,
        },
        doubt_s: Some(|doubt| doubt.nfce_s),
        at_the_counter: true,
        // its key differs by tpEmis, so a number that was not taken online may be used again (MOC 7.0, anexo IV); a
        // free one is taken first anyway
        number_of_its_own: false,
    },
    acts: Acts { possible: &[Operacao::Cancelamento], substitution: true, ..ACTS },
    numbers: NUMBERS,
    marks: ours::by_digest,
    repetition: Repetition::IsRefused,
    municipal: false,
    // a consumer has the paper only
    handed_out: false,
    layouts: None,
};

fn asked(nota: &Value) -> EmissionRequest<'_> {
    let asked = nfe::EmissionRequest::of(nota);
    EmissionRequest {
        chosen: asked.chosen(NFCE.modelo),
        svc: None,
        svc_refuses: false,
        dhCont: asked.dhCont,
        xJust: asked.xJust,
        dhEmi: asked.dhEmi,
    }
}
