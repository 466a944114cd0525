//! CT-e, model 57 (cargo), and CT-e OS, model 67 (passengers, valuables, excess baggage): transport. Sent one by one,
//! without receipt and without voided numbers.
//!
//! Law: MOC CT-e 4.00, anexo I, and its chapter on contingency; NT 2026.004 (offline).

use super::{Acts, Builder, Detours, EmissionRequest, Family, IN_OPERATION, Numbers, Repetition, Told, Wire, ours};
use crate::acceptance::event::transport;
use crate::family::emission::{CTE_OFFLINE, SVC_RS, SVC_SP};
use crate::family::offline::{Deadline, Offline};
use crate::family::policy::Policy;
use crate::family::qr::Version;
use crate::family::spelled::Spelled;
use authority::sefaz;
use fiscal::cte;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use jiff::civil::date;
use serde_json::Value;
use signing::Algorithm;
use store::jobs::Operacao;
use store::numbers::Counted;

/// CT-e.
pub(crate) static CTE: Family = Family {
    counted: Counted::Cte,
    tipo: Tipo::Cte,
    modelo: 57,
    builder: PAPER,
    wire: Wire::Sefaz(&sefaz::CTE),
    receipt: None,
    detours: DETOURS,
    acts: ACTS,
    numbers: NUMBERS,
    marks: ours::by_digest,
    repetition: Repetition::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

/// CT-e OS.
pub(crate) static CTE_OS: Family = Family {
    counted: Counted::CteOs,
    tipo: Tipo::Cte,
    modelo: 67,
    builder: Builder { root: "CTeOS", told: Told { price: PRICE, receiver: ["tomador", "toma"] }, ..PAPER },
    wire: Wire::Sefaz(&sefaz::CTE_OS),
    receipt: None,
    detours: DETOURS,
    acts: ACTS,
    numbers: Numbers { configured_in: Some("cte_os"), ..NUMBERS },
    marks: ours::by_digest,
    repetition: Repetition::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

const PAPER: Builder = Builder {
    numbering: cte::numbering,
    build: cte::build,
    write: cte::write,
    around: None,
    review: cte::review::review,
    told: Told { price: PRICE, receiver: ["destinatario", "dest"] },
    items: None,
    home: cte::official::home,
    groups: cte::official::groups,
    code: |_, _, _| Ok(Some(Version::Transport)),
    root: "CTe",
    dated_at_sending: |_| false,
    unregistered: None,
    dated_back_s: 0,
    algorithm: |_| Algorithm::Sha1,
};

const PRICE: Spelled = ["valores.vTPrest", "vPrest.vTPrest"];

const DETOURS: Detours = Detours {
    asked,
    given_out: &[CTE_OFFLINE],
    offline: Some(Offline {
        tpEmis: CTE_OFFLINE,
        deadline: Deadline::Week,
        // NT 2026.004, block A
        from: Some(|ambiente| match ambiente {
            TpAmb::Homologacao => date(2026, 10, 13),
            TpAmb::Producao => date(2026, 11, 16),
        }),
    }),
    svc: &[("SVC-RS", SVC_RS), ("SVC-SP", SVC_SP)],
    // 113 of a CT-e's SVC: open, with its end (rule M04)
    svc_open: &[IN_OPERATION, 113],
    policy: |word| match word {
        Some("nenhuma") => Policy::Nothing,
        Some("offline") => Policy::Offline,
        _ => Policy::Automatic,
    },
    doubt_s: None,
    at_the_counter: false,
    number_of_its_own: true,
};

const ACTS: Acts = Acts {
    possible: &[Operacao::Cancelamento, Operacao::CartaCorrecao, Operacao::Evento],
    substitution: false,
    kind: transport::kind,
    check: transport::check,
    write: transport::write,
    message: None,
    history: Some(transport::history::look),
    replaced: |_, _, _| None,
    not_authorised: 218,
    refusal_is_proof: false,
};

const NUMBERS: Numbers = Numbers {
    configured_in: None,
    tag: "nCT",
    voided: None,
    still_processing: None,
    named_by: "[chCTe:",
    used_before: None,
};

fn asked(nota: &Value) -> EmissionRequest<'_> {
    let cte::EmissionRequest { offline, svc_refuses, dhCont, xJust, dhEmi } = cte::EmissionRequest::of(nota);
    EmissionRequest { chosen: offline.then_some(CTE_OFFLINE), svc: None, svc_refuses, dhCont, xJust, dhEmi }
}
