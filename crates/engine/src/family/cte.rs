//! CT-e, model 57 (cargo), and CT-e OS, model 67 (passengers, valuables, excess baggage): transport. Sent one by one,
//! without receipt and without voided numbers.
//!
//! Law: MOC CT-e 4.00, anexo I, and its chapter on contingency; NT 2026.004 (offline).

use super::{
    ActRules, ContingencyRules, DocumentBuilder, EmissionChoice, Family, IN_OPERATION, ListedFields, NumberRules,
    RepetitionAnswer, WireProtocol, marks,
};
use crate::family::emission::{CTE_OFFLINE, SVC_RS, SVC_SP};
use crate::family::event::cte as events;
use crate::family::member_path::MemberPath;
use crate::family::offline::{OfflineRules, OfflineTerm};
use crate::family::policy::ContingencyPolicy;
use crate::family::qr::QrVersion;
use authority::sefaz;
use fiscal::cte;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use jiff::civil::date;
use serde_json::Value;
use signing::SigningAlgorithm;
use store::jobs::Operacao;
use store::numbers::NumberedKind;

/// CT-e.
pub(crate) static CTE: Family = Family {
    counted: NumberedKind::Cte,
    tipo: Tipo::Cte,
    modelo: 57,
    builder: BUILDER,
    wire: WireProtocol::Sefaz(&sefaz::CTE),
    receipt: None,
    contingency: CONTINGENCY,
    acts: ACTS,
    numbers: NUMBERS,
    marks: marks::by_digest,
    repetition: RepetitionAnswer::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

/// CT-e OS.
pub(crate) static CTE_OS: Family = Family {
    counted: NumberedKind::CteOs,
    tipo: Tipo::Cte,
    modelo: 67,
    builder: DocumentBuilder {
        root: "CTeOS",
        listed: ListedFields { price: PRICE, receiver: ["tomador", "toma"] },
        ..BUILDER
    },
    wire: WireProtocol::Sefaz(&sefaz::CTE_OS),
    receipt: None,
    contingency: CONTINGENCY,
    acts: ACTS,
    numbers: NumberRules { configured_in: Some("cte_os"), ..NUMBERS },
    marks: marks::by_digest,
    repetition: RepetitionAnswer::IsRefused,
    municipal: false,
    handed_out: true,
    layouts: None,
};

const BUILDER: DocumentBuilder = DocumentBuilder {
    numbering: cte::numbering,
    build: cte::build,
    write: cte::write,
    around: None,
    review: cte::review::review,
    listed: ListedFields { price: PRICE, receiver: ["destinatario", "dest"] },
    items: None,
    home: cte::official::groups_path,
    groups: cte::official::groups,
    code: |_, _, _| Ok(Some(QrVersion::Transport)),
    root: "CTe",
    dated_at_sending: |_| false,
    unregistered: None,
    dated_back_s: 0,
    algorithm: |_| SigningAlgorithm::Sha1,
};

const PRICE: MemberPath = ["valores.vTPrest", "vPrest.vTPrest"];

const CONTINGENCY: ContingencyRules = ContingencyRules {
    asked,
    given_out: &[CTE_OFFLINE],
    offline: Some(OfflineRules {
        tpEmis: CTE_OFFLINE,
        deadline: OfflineTerm::Week,
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
        Some("nenhuma") => ContingencyPolicy::Nothing,
        Some("offline") => ContingencyPolicy::Offline,
        _ => ContingencyPolicy::Automatic,
    },
    doubt_s: None,
    at_the_counter: false,
    number_of_its_own: true,
};

const ACTS: ActRules = ActRules {
    possible: &[Operacao::Cancelamento, Operacao::CartaCorrecao, Operacao::Evento],
    substitution: false,
    kind: events::kind,
    check: events::check,
    write: events::write,
    message: None,
    history: Some(events::history::check_history),
    replaced: |_, _, _| None,
    not_authorised: 218,
    refusal_is_proof: false,
};

const NUMBERS: NumberRules = NumberRules {
    configured_in: None,
    tag: "nCT",
    voided: None,
    still_processing: None,
    named_by: "[chCTe:",
    used_before: None,
};

fn asked(nota: &Value) -> EmissionChoice<'_> {
    let cte::CteEmissionRequest { offline, svc_refuses, dhCont, xJust, dhEmi } = cte::CteEmissionRequest::of(nota);
    EmissionChoice { chosen: offline.then_some(CTE_OFFLINE), svc: None, svc_refuses, dhCont, xJust, dhEmi }
}
