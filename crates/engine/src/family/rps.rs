//! NFS-e of a municipal provider (ABRASF): a provisional receipt of ours (RPS), from which the provider writes the
//! note, with a number and a code of its own and no key. A row of a table (`authority::abrasf`) holds each provider and
//! its dialect; there is no contingency.
//!
//! Law: ABRASF, manual de integração 1.00 to 2.04; `docs/contract.md`, "NFS-e".

use super::{
    ActRules, ContingencyRules, DocumentBuilder, Family, ListedFields, NumberRules, ReceiptQuery, RepetitionAnswer,
    WireProtocol, marks,
};
use crate::family::event::rps as events;
use authority::abrasf as city_halls;
use fiscal::abrasf;
use fiscal::tipo::{RPS as MODELO, Tipo};
use signing::SigningAlgorithm;
use store::jobs::Operacao;
use store::numbers::NumberedKind;

/// The provisional receipt of a municipal NFS-e.
pub(crate) static RPS: Family = Family {
    counted: NumberedKind::Rps,
    tipo: Tipo::Nfse,
    modelo: MODELO,
    builder: DocumentBuilder {
        numbering: abrasf::numbering,
        build: abrasf::build,
        write: abrasf::write,
        around: None,
        review: abrasf::review,
        listed: ListedFields { price: ["servico.valores.valor_servicos"; 2], receiver: ["tomador"; 2] },
        items: None,
        home: abrasf::groups_path,
        groups: abrasf::groups,
        code: |_, _, _| Ok(None),
        root: "CompNfse",
        dated_at_sending: |_| false,
        unregistered: None,
        dated_back_s: 0,
        // the manual of ABRASF names no other
        algorithm: |_| SigningAlgorithm::Sha1,
    },
    wire: WireProtocol::Abrasf,
    receipt: Some(ReceiptQuery {
        call: city_halls::receipt,
        read: city_halls::read_receipt,
        read_of: Some(|reply, asked_by| city_halls::read_receipt_of(reply, Some(asked_by))),
        is_kept: true,
    }),
    contingency: ContingencyRules::NONE,
    acts: ActRules {
        possible: &[Operacao::Cancelamento],
        substitution: false,
        kind: events::kind,
        check: events::check,
        write: |_, _| None,
        message: Some(events::message),
        replaced: events::replaced,
        history: None,
        not_authorised: 0,
        refusal_is_proof: true,
    },
    numbers: NumberRules {
        configured_in: None,
        tag: "RPS",
        voided: None,
        still_processing: None,
        named_by: "",
        used_before: Some("E10"),
    },
    marks: marks::by_content,
    // a provider may cancel the note of a used RPS and issue another
    repetition: RepetitionAnswer::AfterProof,
    municipal: true,
    handed_out: false,
    layouts: None,
};
