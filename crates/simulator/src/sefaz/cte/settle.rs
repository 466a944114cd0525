//! The databases and the protocol: register, duplicates, authorisation. All under one lock.
//!
//! Law: MOC CT-e 4.00 anexo I, rules G108 to G111, G157 to G159 (H082 to H084, H098 to H100); CI01 (678).

use super::{registers, related};
use crate::faults::FaultType;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::limits::CallSubject;
use crate::sefaz::protocol_leaves::{ODD_PROTOCOL, with_leaf, without_leaf};
use crate::sefaz::{Refusal, ServiceRequest, VER_APLIC, text_between};
use crate::settings::{DuplicatePolicy, SimulatorSettings};
use crate::simulator_state::SimulatorState;
use fiscal::cte::rules::{key_of, party_document};
use fiscal::xml::Element;
use std::borrow::Cow;

/// A document before the databases.
pub(super) struct CheckedCte<'d> {
    pub(super) document: &'d Element,
    /// Refusal by its rules, if any.
    pub(super) verdict: Result<(), Refusal>,
    /// base64 digest.
    pub(super) digest: String,
    /// The document standing alone, with its namespace.
    pub(super) source: Cow<'d, str>,
}

/// Outcome of a document.
pub(super) struct CteOutcome {
    pub(super) outcome: Refusal,
    /// `protCTe`.
    pub(super) protocol_xml: String,
}

/// Gives the document its protocol; `Err` when the same rejection came too often (678).
pub(super) fn settle(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    judged: CheckedCte<'_>,
) -> Result<CteOutcome, Refusal> {
    let settled = decide_cte(world, request, judged)?;
    Ok(altered_outcome(&mut world.ledger(), request, settled))
}

fn decide_cte(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    judged: CheckedCte<'_>,
) -> Result<CteOutcome, Refusal> {
    let settings = world.settings();
    let chave = key_of(judged.document).to_owned();
    let mut ledger = world.ledger();
    let document = judged.document;
    let found = judged
        .verdict
        .clone()
        .and_then(|()| first(&settings, related::substitution(&ledger, request, document)))
        .and_then(|()| registered(&settings, document))
        .and_then(|()| first(&settings, registers::faults(&settings, &ledger, request, document)));
    let decided = match found {
        Ok(()) => {
            ledger.count(&chave).processada += 1;
            match duplicate(&ledger, &settings, request, &chave) {
                Ok(None) => first(&settings, related::complement(&ledger, request, document)).map(|()| None),
                decided => decided,
            }
        }
        Err(refusal) => {
            ledger.count(&chave).rejeitada += 1;
            Err(refusal)
        }
    };
    match decided {
        Ok(Some(protocol_xml)) => Ok(CteOutcome { outcome: Refusal::new(100), protocol_xml }),
        Ok(None) => Ok(store(&mut ledger, request, judged, chave)),
        Err(refusal) => {
            drop(ledger);
            too_often(world, request, &chave, &refusal, settings.limites)?;
            let protocol_xml = protocol(request, &chave, None, &refusal);
            Ok(CteOutcome { outcome: refusal, protocol_xml })
        }
    }
}

/// The first refusal whose rule is not switched off.
fn first(settings: &SimulatorSettings, refusals: Vec<Refusal>) -> Result<(), Refusal> {
    let on = |refusal: &Refusal| settings.first_on(&[refusal.cStat]).is_some();
    refusals.into_iter().find(on).map_or(Ok(()), Err)
}

/// 230, 231, 203, 585: codes of the emitter in the register, which is empty at first; an unlisted emitter may issue.
fn registered(settings: &SimulatorSettings, document: &Element) -> Result<(), Refusal> {
    let text = |path: &str| document.text_at(path).unwrap_or("");
    let emitente = document.at("infCte/emit").map_or("", party_document);
    let ie = text("infCte/emit/IE");
    let Some(listed) = settings.contribuintes.get(emitente) else {
        let unknown = !settings.cadastro_aberto && settings.first_on(&[203]).is_some();
        return if unknown { Err(Refusal::new(203)) } else { Ok(()) };
    };
    let others = settings.contribuintes.iter().filter(|(number, _)| *number != emitente);
    let elsewhere = others.into_iter().any(|(_, other)| other.ie.contains(ie));
    let unknown = !listed.ie.is_empty() && !listed.ie.contains(ie);
    let carrier = &listed.transporte;
    let modal = text("infCte/ide/modal");
    let codes = [
        (230, unknown && !elsewhere),
        (231, unknown && elsewhere),
        (203, listed.nao_credenciado || carrier.nao_credenciado || listed.emitente_irregular),
        (585, !carrier.modais.is_empty() && !carrier.modais.contains(modal)),
    ];
    let broken: Vec<u16> = codes.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat).collect();
    settings.first_on(&broken).map_or(Ok(()), |cStat| Err(Refusal::new(cStat)))
}

/// 539, 204, 218; the original protocol when the settings ask for it.
fn duplicate(
    ledger: &Ledger,
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    chave: &str,
) -> Result<Option<String>, Refusal> {
    let is_known = |one: &LedgerDocument| settings.has_in_book(&request.place, one);
    let Some(stored) = ledger.same_number_where(request.place.ambiente, chave, is_known) else { return Ok(None) };
    let authorised = format!("[nProt:{}][dhAut:{}]", stored.nProt, stored.dhRecbto);
    if stored.chave != chave {
        return Err(Refusal::with(539, format!("[chCTe:{}]{authorised}", stored.chave)));
    }
    let cancellation = stored.eventos.iter().find(|event| event.tpEvento == "110111");
    match (stored.situacao, cancellation) {
        (LedgerStatus::Cancelada, Some(event)) => Err(Refusal::with(218, format!("[nProt:{}]", event.nProt))),
        (LedgerStatus::Cancelada, None) => Err(Refusal::new(218)),
        _ if settings.duplicidade == DuplicatePolicy::DevolverOriginal => Ok(Some(stored.protocol_xml.clone())),
        _ => Err(Refusal::with(204, authorised)),
    }
}

fn store(ledger: &mut Ledger, request: &ServiceRequest<'_>, judged: CheckedCte<'_>, chave: String) -> CteOutcome {
    let text = |path: &str| judged.document.text_at(path).unwrap_or("");
    let cUF = chave.get(..2).and_then(|code| code.parse().ok()).unwrap_or(0);
    let nProt = ledger.next_protocol(&request.place, cUF, request.now);
    let outcome = Refusal::new(100);
    let protocol_xml = protocol(request, &chave, Some((&nProt, &judged.digest)), &outcome);
    let addressee = ["infCte/dest", "infCte/toma"].iter().find_map(|path| judged.document.at(path));
    ledger.store(LedgerDocument {
        ambiente: request.place.ambiente,
        autoridade: request.place.authority.segment(),
        modelo: request.place.modelo,
        emitente: judged.document.at("infCte/emit").map_or("", party_document).to_owned(),
        destinatario: addressee.map(|party| party_document(party).to_owned()),
        serie: text("infCte/ide/serie").parse().unwrap_or(0),
        nNF: text("infCte/ide/nCT").parse().unwrap_or(0),
        situacao: LedgerStatus::Autorizada,
        cStat: outcome.cStat,
        xMotivo: outcome.xMotivo_in(&request.place),
        nProt,
        digVal: judged.digest,
        dhRecbto: request.dh(),
        nRec: String::new(),
        eventos: Vec::new(),
        registros: Vec::new(),
        protocol_xml: protocol_xml.clone(),
        received_at: request.now,
        issued_at: text("infCte/ide/dhEmi").parse().ok(),
        tpEmis: text("infCte/ide/tpEmis").parse().unwrap_or(1),
        contingency: request.place.contingency(),
        visibility: request.drawn.visibility(),
        xml: Some(judged.source.as_ref().into()),
        chave,
    });
    CteOutcome { outcome, protocol_xml }
}

/// Faults that alter the answer, not the stored document.
fn altered_outcome(ledger: &mut Ledger, request: &ServiceRequest<'_>, settled: CteOutcome) -> CteOutcome {
    let is_registered = settled.protocol_xml.contains("<nProt>");
    match request.fault() {
        Some(FaultType::WrongDigval) if is_registered => {
            let protocol_xml = with_leaf(&settled.protocol_xml, "digVal", &ledger.wrong_digest());
            CteOutcome { protocol_xml, ..settled }
        }
        Some(FaultType::NoDigval) if is_registered => {
            CteOutcome { protocol_xml: without_leaf(&settled.protocol_xml, "digVal"), ..settled }
        }
        Some(FaultType::OddSuccess) if settled.outcome.cStat == 100 => {
            let cStat = request.drawn.cStat_of(FaultType::OddSuccess).unwrap_or(settled.outcome.cStat);
            let protocol_xml = with_leaf(&settled.protocol_xml, "cStat", &cStat.to_string());
            let text = (request.place.dialect().motivo)(settled.outcome.cStat);
            CteOutcome { protocol_xml, outcome: Refusal { text, ..Refusal::new(cStat) } }
        }
        Some(FaultType::OddProtocol) if is_registered => {
            CteOutcome { protocol_xml: with_leaf(&settled.protocol_xml, "nProt", ODD_PROTOCOL), ..settled }
        }
        Some(FaultType::OtherDocument) => of_another(ledger, request, settled),
        Some(FaultType::Duplicate204) if is_registered => {
            let part = |tag: &str| text_between(settled.protocol_xml.as_bytes(), tag).unwrap_or("");
            let extra = format!("[nProt:{}][dhAut:{}]", part("<nProt>"), part("<dhRecbto>"));
            let outcome = Refusal::with(204, extra);
            CteOutcome { protocol_xml: protocol(request, part("<chCTe>"), None, &outcome), outcome }
        }
        _ => settled,
    }
}

/// The outcome under the key of another document, or a scripted refusal of that one.
fn of_another(ledger: &Ledger, request: &ServiceRequest<'_>, settled: CteOutcome) -> CteOutcome {
    let chave = text_between(settled.protocol_xml.as_bytes(), "<chCTe>").unwrap_or_default();
    let another = ledger.another_key(request.place.ambiente, chave);
    match request.drawn.cStat_of(FaultType::OtherDocument) {
        Some(cStat) => {
            let outcome = Refusal::new(cStat);
            CteOutcome { protocol_xml: protocol(request, &another, None, &outcome), outcome }
        }
        None => CteOutcome { protocol_xml: with_leaf(&settled.protocol_xml, "chCTe", &another), ..settled },
    }
}

/// `protCTe`; a rejection has neither number nor digest.
fn protocol(request: &ServiceRequest<'_>, chave: &str, given: Option<(&str, &str)>, outcome: &Refusal) -> String {
    let (tpAmb, dh, cStat) = (request.place.ambiente.code(), request.dh(), outcome.cStat);
    let id = given.map(|(nProt, _)| format!(" Id=\"CTe{nProt}\"")).unwrap_or_default();
    let proof = given.map(|(nProt, digVal)| format!("<nProt>{nProt}</nProt><digVal>{digVal}</digVal>"));
    format!(
        "<protCTe versao=\"4.00\"><infProt{id}><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><chCTe>{chave}</chCTe>\
         <dhRecbto>{dh}</dhRecbto>{}<cStat>{cStat}</cStat><xMotivo>{}</xMotivo></infProt></protCTe>",
        proof.unwrap_or_default(),
        outcome.xMotivo_in(&request.place)
    )
}

/// Undue use: the same rejection of the same document too often in an hour.
fn too_often(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    chave: &str,
    why: &Refusal,
    limited: bool,
) -> Result<(), Refusal> {
    let subject = CallSubject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: format!("{chave} {}", why.cStat),
    };
    let exceeded = limited && world.limits().exceeded(subject, request.now.as_second());
    if exceeded { Err(Refusal::new(request.place.dialect().undue_use)) } else { Ok(()) }
}
