//! NFeInutilizacao4: voids a range of numbers that no document will carry.
//!
//! Law: MOC 7.0 visão geral, 5.3, rules DR; where the text leaves their order open, it is ours.

use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, document_checks, root};
use crate::ledger::VoidedRange;
use crate::magic;
use crate::signature;
use crate::simulator_state::SimulatorState;
use fiscal::value::Uf;
use fiscal::xml::Element;

/// A request to void numbers.
struct VoidingRequest {
    id: String,
    cUF: u8,
    ano: u16,
    /// `CNPJ`; of a person `CPF`.
    emitente: String,
    tag: &'static str,
    modelo: String,
    serie: u16,
    from: u32,
    until: u32,
}

impl VoidingRequest {
    fn of(request: &Element) -> VoidingRequest {
        let text = |tag: &str| request.at("infInut").and_then(|inf| inf.text_at(tag)).unwrap_or("").to_owned();
        VoidingRequest {
            id: request.child("infInut").and_then(|inf| inf.attribute("Id")).unwrap_or("").to_owned(),
            cUF: text("cUF").parse().unwrap_or(0),
            ano: text("ano").parse().unwrap_or(0),
            emitente: [text("CNPJ"), text("CPF")].concat(),
            tag: if text("CPF").is_empty() { "CNPJ" } else { "CPF" },
            modelo: text("mod"),
            serie: text("serie").parse().unwrap_or(0),
            from: text("nNFIni").parse().unwrap_or(0),
            until: text("nNFFin").parse().unwrap_or(0),
        }
    }
    /// As in `VoidedRange::serie`.
    fn series(&self) -> String {
        format!("{:02}{:0>14}{}{:03}", self.cUF, self.emitente, self.modelo, self.serie)
    }
    fn expected_id(&self) -> String {
        let VoidingRequest { cUF, ano, emitente, modelo, serie, from, until, .. } = self;
        format!("ID{cUF:02}{ano:02}{emitente:0>14}{modelo}{serie:03}{from:09}{until:09}")
    }
}

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let asked = VoidingRequest::of(&message.payload);
    let settings = world.settings();
    if let Some(cStat) = settings.first_on(&faults(world, request, &message.payload, &asked)) {
        return Err(Refusal::new(cStat));
    }
    if let Some(cStat) = magic::of_text(message.payload.text_at("infInut/xJust")) {
        return Err(Refusal::new(cStat));
    }
    let (ambiente, series) = (request.place.ambiente, asked.series());
    let mut ledger = world.ledger();
    let overlapping = ledger.voided.iter().find(|range| {
        range.ambiente == ambiente && range.serie == series && range.de <= asked.until && asked.from <= range.ate
    });
    if let Some(range) = overlapping.filter(|range| range.id == asked.id)
        && settings.first_on(&[563]).is_some()
    {
        return Ok(outcome(request, &asked, 563, &range.nProt));
    }
    let codes = match overlapping {
        Some(_) => vec![256],
        None if ledger.is_number_used(ambiente, &series, asked.from..=asked.until) => vec![241],
        None => vec![],
    };
    if let Some(cStat) = settings.first_on(&codes) {
        return Err(Refusal::new(cStat));
    }
    let nProt = ledger.next_protocol(&request.place, asked.cUF, request.now);
    ledger.voided.push(VoidedRange {
        ambiente,
        serie: series,
        de: asked.from,
        ate: asked.until,
        id: asked.id.clone(),
        nProt: nProt.clone(),
    });
    drop(ledger);
    Ok(outcome(request, &asked, 102, &nProt))
}

/// Signature, 213 or 227, 252, 250, 266, 453, 454, 224, 201, 502, 203, 240.
fn faults(world: &SimulatorState, request: &ServiceRequest<'_>, payload: &Element, asked: &VoidingRequest) -> Vec<u16> {
    let source = document_checks::standing_alone(
        request.body.get(payload.span.clone()).unwrap_or_default(),
        request.place.dialect().namespace,
    );
    let examined = signature::examine(payload, "infInut", &source, world, request.now);
    let signer = examined.signer.as_ref().map_or("", |signer| signer.holder());
    let this_year = u16::try_from(crate::clock::year(request.now, -3).rem_euclid(100)).unwrap_or(0);
    let listed = world.settings().contribuintes.get(&asked.emitente).cloned().unwrap_or_default();
    let mut codes = examined.faults;
    codes.extend(document_checks::signer_mismatch(signer, &asked.emitente).filter(|_| codes.is_empty()));
    let own = [
        (252, payload.text_at("infInut/tpAmb") != Some(request.place.ambiente.code())),
        (250, !Uf::from_code(asked.cUF).is_some_and(|uf| request.place.serves(uf))),
        (266, asked.tag == "CNPJ" && (910..=969).contains(&asked.serie)),
        (453, asked.ano > this_year),
        (454, asked.ano < 6),
        (224, asked.from > asked.until),
        (201, asked.until.saturating_sub(asked.from) >= 10_000),
        (502, asked.id != asked.expected_id()),
        (203, listed.nao_credenciado),
        (240, listed.emitente_irregular),
    ];
    codes.extend(own.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat));
    codes
}

/// 102, or 563 with the protocol of the earlier request.
fn outcome(request: &ServiceRequest<'_>, asked: &VoidingRequest, cStat: u16, nProt: &str) -> ServiceAnswer {
    let (tpAmb, dh, xMotivo) = (request.place.ambiente.code(), request.dh(), Refusal::new(cStat).xMotivo());
    let VoidingRequest { cUF, ano, emitente, tag, modelo, serie, from, until, .. } = asked;
    let content = format!(
        "<infInut Id=\"ID{nProt}\"><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo>\
         <cUF>{cUF:02}</cUF><ano>{ano:02}</ano><{tag}>{emitente}</{tag}><mod>{modelo}</mod><serie>{serie}</serie><nNFIni>{from}</nNFIni>\
         <nNFFin>{until}</nNFFin><dhRecbto>{dh}</dhRecbto><nProt>{nProt}</nProt></infInut>"
    );
    ServiceAnswer { xml: root(&request.place, &content), cStat, chaves: Vec::new() }
}
