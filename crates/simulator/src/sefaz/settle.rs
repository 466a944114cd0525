//! The databases (stage 10) and the protocol: duplicates, registry, denial, authorisation. All under one lock.

use super::document_checks::{CheckedDocument, DocumentVerdict};
use super::protocol_leaves::{ODD_PROTOCOL, with_leaf, without_leaf};
use super::{Refusal, ServiceRequest, VER_APLIC, registry};
use crate::clock::seconds_between;
use crate::faults::FaultType;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::limits::CallSubject;
use crate::rule_switch::RuleSwitch;
use crate::service_address::ServiceAddress;
use crate::settings::{DuplicatePolicy, SimulatorSettings, TaxpayerRecord};
use crate::simulator_state::SimulatorState;
use fiscal::value::ChaveAcesso;

/// Outcome of a document.
pub(super) struct ProtocolOutcome {
    pub(super) cStat: u16,
    pub(super) protocol_xml: String,
}

/// Gives the document its protocol; `Err` when the same rejection came too often (656).
pub(super) fn settle(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    judged: CheckedDocument,
) -> Result<ProtocolOutcome, Refusal> {
    let settled = decide_and_store(world, request, judged)?;
    Ok(altered_protocol(&mut world.ledger(), request, settled))
}

fn decide_and_store(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    judged: CheckedDocument,
) -> Result<ProtocolOutcome, Refusal> {
    let settings = world.settings();
    let mut ledger = world.ledger();
    Ok(match decided(&mut ledger, &settings, request, &judged) {
        SettleDecision::Store { cStat, remarks } => store(&mut ledger, request, judged, cStat, &remarks),
        SettleDecision::Original(protocol_xml) => {
            ledger.count(&judged.chave).processada += 1;
            ProtocolOutcome { cStat: 100, protocol_xml }
        }
        SettleDecision::Refuse(refusal) => {
            drop(ledger);
            return refuse(world, request, &judged, &refusal, settings.limites);
        }
    })
}

enum SettleDecision {
    Store { cStat: u16, remarks: Vec<Refusal> },
    Original(String),
    Refuse(Refusal),
}

fn decided(
    ledger: &mut Ledger,
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    judged: &CheckedDocument,
) -> SettleDecision {
    let (denied, remarks) = match &judged.verdict {
        DocumentVerdict::Reject(refusal) | DocumentVerdict::Message(refusal) => {
            ledger.count(&judged.chave).rejeitada += 1;
            return SettleDecision::Refuse(refusal.clone());
        }
        DocumentVerdict::Authorize(remarks) => (None, alerts(settings, request.place, judged, remarks)),
        DocumentVerdict::Queue => (None, Vec::new()),
        DocumentVerdict::Deny(cStat) => (Some(*cStat), Vec::new()),
    };
    if let Some(refusal) = unregistered(settings, request.place, judged) {
        ledger.count(&judged.chave).rejeitada += 1;
        return SettleDecision::Refuse(refusal);
    }
    if let Some(decision) = duplicate(ledger, settings, request, judged) {
        return decision;
    }
    if let Some(refusal) = announced(ledger, settings, request, judged) {
        ledger.count(&judged.chave).rejeitada += 1;
        return SettleDecision::Refuse(refusal);
    }
    if let Some(refusal) = registry::refusal(ledger, settings, request.place, &judged.registry_facts) {
        ledger.count(&judged.chave).rejeitada += 1;
        return SettleDecision::Refuse(refusal);
    }
    if let Some(cStat) = denied.or_else(|| denied_by_register(settings, request.place, judged)) {
        return SettleDecision::Store { cStat, remarks: Vec::new() };
    }
    let late = judged.issued_at.is_some_and(|at| {
        let limit = if request.place.modelo == 55 { 7 * DAY } else { DAY };
        seconds_between(at, request.now) > limit
    });
    let cStat = match (!remarks.is_empty(), late) {
        (true, _) => 120,
        (false, true) => 150,
        (false, false) => 100,
    };
    SettleDecision::Store { cStat, remarks }
}

/// Alerts are given to model 65 only (NT 2026.002, 2.1), late or not; 172 is that of an irregular addressee (5E17-65).
fn alerts(
    settings: &SimulatorSettings,
    place: ServiceAddress,
    judged: &CheckedDocument,
    remarks: &[Refusal],
) -> Vec<Refusal> {
    if place.modelo != 65 {
        return Vec::new();
    }
    let irregular = addressee(settings, judged).is_some_and(|taxpayer| taxpayer.destinatario_irregular);
    let alert = (irregular && settings.switch(172) != RuleSwitch::Off).then(|| Refusal::new(172));
    remarks.iter().cloned().chain(alert).collect()
}

fn addressee<'a>(settings: &'a SimulatorSettings, judged: &CheckedDocument) -> Option<&'a TaxpayerRecord> {
    judged.destinatario.as_ref().and_then(|number| settings.contribuintes.get(number))
}

const DAY: i64 = 86_400;

/// 178, 179, 180, 245 or 621, 163, 164 of an issuer without IE, 230, 231 or 622, 203 or 781, 307; an irregular issuer
/// is not accredited either (NT 2023.002, NT 2024.001).
fn unregistered(settings: &SimulatorSettings, place: ServiceAddress, judged: &CheckedDocument) -> Option<Refusal> {
    let taxpayer = settings.contribuintes.get(&judged.emitente);
    let accreditation = if place.modelo == 55 { 203 } else { 781 };
    let elsewhere = || {
        let others = settings.contribuintes.iter().filter(|(number, _)| **number != judged.emitente);
        others.into_iter().any(|(_, other)| other.ie.contains(&judged.ie))
    };
    let codes = match taxpayer {
        None if settings.cadastro_aberto => vec![],
        None if judged.emitente.len() == 11 => vec![621],
        None => vec![245],
        Some(taxpayer) => {
            let TaxpayerRecord { ie, nao_credenciado, emitente_irregular, .. } = taxpayer;
            let none = place.modelo == 55 && judged.ie.is_empty();
            let unknown_ie = !none && !ie.is_empty() && !ie.contains(&judged.ie);
            let of_another = if judged.emitente.len() == 11 { 622 } else { 231 };
            let codes = [
                (163, none && !ie.is_empty() && judged.registry_facts.enforces(163)),
                (164, none && *emitente_irregular && judged.registry_facts.enforces(164)),
                (230, unknown_ie && !elsewhere()),
                (of_another, unknown_ie && elsewhere()),
                (accreditation, *nao_credenciado),
                (781, *emitente_irregular && !settings.denegacao),
                (307, place.modelo == 55 && judged.registry_facts.goes_where_blocked(taxpayer)),
            ];
            codes.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat).collect()
        }
    };
    let federal = judged.registry_facts.federal_codes(settings, &judged.emitente);
    settings.first_on(&[federal, codes].concat()).map(Refusal::new)
}

/// 301, 302, 303, as until 2024; the last two are of model 55.
fn denied_by_register(settings: &SimulatorSettings, place: ServiceAddress, judged: &CheckedDocument) -> Option<u16> {
    if !settings.denegacao {
        return None;
    }
    let issuer = settings.contribuintes.get(&judged.emitente).is_some_and(|taxpayer| taxpayer.emitente_irregular);
    let addressee = addressee(settings, judged).filter(|_| place.modelo == 55);
    let codes: Vec<u16> = [
        (301, issuer),
        (302, addressee.is_some_and(|taxpayer| taxpayer.destinatario_irregular)),
        (303, addressee.is_some_and(|taxpayer| taxpayer.destinatario_nao_habilitado)),
    ]
    .into_iter()
    .filter(|(_, applies)| *applies)
    .map(|(cStat, _)| cStat)
    .collect();
    settings.first_on(&codes)
}

/// 635, 539, 204, 218, 205, 206.
fn duplicate(
    ledger: &mut Ledger,
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    judged: &CheckedDocument,
) -> Option<SettleDecision> {
    let ambiente = request.place.ambiente;
    let refuse = |cStat: u16, extra: String| {
        settings.first_on(&[cStat]).map(|_| SettleDecision::Refuse(Refusal::with(cStat, extra)))
    };
    let is_known = |one: &LedgerDocument| settings.has_in_book(&request.place, one);
    if let Some(stored) = ledger.same_number_where(ambiente, &judged.chave, is_known) {
        if ledger.is_queued(&stored.chave) && settings.switch(635) != RuleSwitch::Off {
            return Some(SettleDecision::Refuse(Refusal::new(635)));
        }
        let nRec = format!("[nRec:{}]", stored.nRec);
        let decision = if stored.chave != judged.chave {
            refuse(539, format!("[chNFe:{}]{nRec}", stored.chave))
        } else {
            match stored.situacao {
                LedgerStatus::Cancelada => refuse(218, nRec),
                LedgerStatus::Denegada => refuse(205, nRec),
                LedgerStatus::Autorizada if settings.duplicidade == DuplicatePolicy::DevolverOriginal => {
                    Some(SettleDecision::Original(stored.protocol_xml.clone()))
                }
                LedgerStatus::Autorizada => Some(SettleDecision::Refuse(Refusal::with(204, nRec))),
            }
        };
        ledger.count(&judged.chave).processada += 1;
        return decision;
    }
    let chave = ChaveAcesso::parse(&judged.chave).ok()?;
    ledger.voided_range(ambiente, &chave).and_then(|_| refuse(206, String::new()))
}

/// 692, 468, 691, 467: a note and the EPEC of its number belong together.
fn announced(
    ledger: &Ledger,
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    judged: &CheckedDocument,
) -> Option<Refusal> {
    let epec = ledger.epec_of_number(request.place.ambiente, &judged.chave).filter(|_| request.place.modelo == 55);
    let named = |cStat, chave: &str| Refusal::with(cStat, format!("[Chave EPEC: {chave}]"));
    let refusal = match (epec, judged.tpEmis) {
        (None, 4) => Refusal::new(468),
        (Some(epec), 4) if epec.chave != judged.chave => named(691, &epec.chave),
        (Some(epec), 4) if epec.repeated_values != epec_values(&judged.source) => Refusal::new(467),
        (Some(epec), tpEmis) if tpEmis != 4 => named(692, &epec.chave),
        _ => return None,
    };
    settings.first_on(&[refusal.cStat]).map(|_| refusal)
}

/// Values that an EPEC repeats, as in its `PendingEpec`.
fn epec_values(source: &str) -> Vec<String> {
    let note = fiscal::xml::read(source.as_bytes());
    let epec = note.ok().and_then(|note| fiscal::event::EpecSummary::of(&note, ""));
    let Some(epec) = epec else { return Vec::new() };
    vec![epec.dhEmi, epec.tpNF, epec.IE, epec.vNF, epec.vICMS, epec.vST, epec.dest.1]
}

fn store(
    ledger: &mut Ledger,
    request: &ServiceRequest<'_>,
    judged: CheckedDocument,
    cStat: u16,
    remarks: &[Refusal],
) -> ProtocolOutcome {
    let nProt = ledger.next_protocol(&request.place, judged.cUF, request.now);
    let nRec = ledger.next_receipt(&request.place, judged.cUF);
    let authorised = is_success(cStat);
    let said = Refusal::new(cStat).xMotivo();
    // 302 and 303 have been refusals since 2024, and their official text begins accordingly.
    let xMotivo = if authorised { said } else { said.replacen("Rejeição: ", "Uso Denegado: ", 1) };
    let dhRecbto = request.dh();
    let protocol = ProtocolDraft {
        place: request.place,
        chave: &judged.chave,
        dhRecbto: &dhRecbto,
        nProt: Some(&nProt),
        digVal: &judged.digest,
        cStat,
        xMotivo: &xMotivo,
        remarks,
    };
    let protocol_xml = protocol.written();
    ledger.count(&judged.chave).processada += 1;
    let announced = ledger.settle_epec(request.place.ambiente, &judged.chave);
    if authorised {
        ledger.issuers.insert((judged.cUF, judged.emitente.clone(), judged.ie), judged.nome);
    }
    ledger.store(LedgerDocument {
        chave: judged.chave,
        ambiente: request.place.ambiente,
        autoridade: request.place.authority.segment(),
        modelo: request.place.modelo,
        emitente: judged.emitente,
        destinatario: judged.destinatario,
        serie: judged.serie,
        nNF: judged.nNF,
        situacao: if authorised { LedgerStatus::Autorizada } else { LedgerStatus::Denegada },
        cStat,
        xMotivo,
        nProt,
        digVal: judged.digest,
        dhRecbto,
        nRec,
        eventos: announced.into_iter().collect(),
        registros: Vec::new(),
        protocol_xml: protocol_xml.clone(),
        xml: Some(judged.source.into()),
        received_at: request.now,
        issued_at: judged.issued_at,
        tpEmis: judged.tpEmis,
        contingency: request.place.contingency(),
        visibility: request.drawn.visibility(),
    });
    ProtocolOutcome { cStat, protocol_xml }
}

/// Faults that alter the protocol, not the stored document.
fn altered_protocol(ledger: &mut Ledger, request: &ServiceRequest<'_>, settled: ProtocolOutcome) -> ProtocolOutcome {
    let is_registered = settled.protocol_xml.contains("<nProt>");
    match request.fault() {
        Some(FaultType::WrongDigval) if is_registered => {
            let protocol_xml = with_leaf(&settled.protocol_xml, "digVal", &ledger.wrong_digest());
            ProtocolOutcome { protocol_xml, ..settled }
        }
        Some(FaultType::NoDigval) if is_registered => {
            ProtocolOutcome { protocol_xml: without_leaf(&settled.protocol_xml, "digVal"), ..settled }
        }
        Some(FaultType::OddSuccess) if is_success(settled.cStat) => {
            let cStat = request.drawn.cStat_of(FaultType::OddSuccess).unwrap_or(settled.cStat);
            let protocol_xml = with_leaf(&settled.protocol_xml, "cStat", &cStat.to_string());
            ProtocolOutcome { cStat, protocol_xml }
        }
        Some(FaultType::OddProtocol) if is_registered => {
            ProtocolOutcome { protocol_xml: with_leaf(&settled.protocol_xml, "nProt", ODD_PROTOCOL), ..settled }
        }
        Some(FaultType::OtherDocument) => of_another(ledger, request, settled),
        Some(FaultType::Duplicate204) if is_registered => {
            let chave = key_in(&settled.protocol_xml);
            let nRec = ledger.document(request.place.ambiente, chave).map(|stored| format!("[nRec:{}]", stored.nRec));
            let protocol_xml = refusal(request, chave, "", &Refusal::with(204, nRec.unwrap_or_default()));
            ProtocolOutcome { cStat: 204, protocol_xml }
        }
        _ => settled,
    }
}

/// Codes of an authorisation.
fn is_success(cStat: u16) -> bool {
    matches!(cStat, 100 | 120 | 150)
}

fn key_in(protocol_xml: &str) -> &str {
    super::text_between(protocol_xml.as_bytes(), "<chNFe>").unwrap_or_default()
}

/// The outcome under the key of another document, or a scripted refusal of that one.
fn of_another(ledger: &Ledger, request: &ServiceRequest<'_>, settled: ProtocolOutcome) -> ProtocolOutcome {
    let another = ledger.another_key(request.place.ambiente, key_in(&settled.protocol_xml));
    match request.drawn.cStat_of(FaultType::OtherDocument) {
        Some(cStat) => ProtocolOutcome { cStat, protocol_xml: refusal(request, &another, "", &Refusal::new(cStat)) },
        None => ProtocolOutcome { protocol_xml: with_leaf(&settled.protocol_xml, "chNFe", &another), ..settled },
    }
}

/// A rejection; repeated too often for the same document in an hour it is undue use.
fn refuse(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    judged: &CheckedDocument,
    why: &Refusal,
    limited: bool,
) -> Result<ProtocolOutcome, Refusal> {
    let subject = CallSubject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: format!("{} {}", judged.chave, why.cStat),
    };
    if limited && world.limits().exceeded(subject, request.now.as_second()) {
        return Err(Refusal::new(656));
    }
    let protocol_xml = refusal(request, &judged.chave, &judged.digest, why);
    Ok(ProtocolOutcome { cStat: why.cStat, protocol_xml })
}

fn refusal(request: &ServiceRequest<'_>, chave: &str, digVal: &str, why: &Refusal) -> String {
    let (dhRecbto, xMotivo) = (request.dh(), why.xMotivo());
    let protocol = ProtocolDraft {
        place: request.place,
        chave,
        dhRecbto: &dhRecbto,
        nProt: None,
        digVal,
        cStat: why.cStat,
        xMotivo: &xMotivo,
        remarks: &[],
    };
    protocol.written()
}

/// `protNFe` to be written.
struct ProtocolDraft<'a> {
    place: ServiceAddress,
    chave: &'a str,
    dhRecbto: &'a str,
    nProt: Option<&'a str>,
    digVal: &'a str,
    cStat: u16,
    xMotivo: &'a str,
    remarks: &'a [Refusal],
}

impl ProtocolDraft<'_> {
    fn written(&self) -> String {
        let id = self.nProt.map(|nProt| format!(" Id=\"ID{nProt}\"")).unwrap_or_default();
        let nProt = self.nProt.map(|nProt| format!("<nProt>{nProt}</nProt>")).unwrap_or_default();
        let digVal = if self.digVal.len() == 28 { format!("<digVal>{}</digVal>", self.digVal) } else { String::new() };
        let remarks: String = self
            .remarks
            .iter()
            .take(5)
            .map(|remark| format!("<cMsg>{}</cMsg><xMsg>{}</xMsg>", remark.cStat, remark.xMotivo()))
            .collect();
        format!(
            "<protNFe versao=\"4.00\"><infProt{id}><tpAmb>{}</tpAmb><verAplic>{VER_APLIC}</verAplic><chNFe>{}</chNFe>\
             <dhRecbto>{}</dhRecbto>{nProt}{digVal}<cStat>{}</cStat><xMotivo>{}</xMotivo>{remarks}</infProt></protNFe>",
            self.place.ambiente.code(),
            self.chave,
            self.dhRecbto,
            self.cStat,
            self.xMotivo,
        )
    }
}
