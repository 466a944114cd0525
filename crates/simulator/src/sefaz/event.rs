//! NFeRecepcaoEvento4: cancellation by the issuer (110111).
//!
//! Law: MOC 7.0 visão geral, 5.8, rules P and Q; `reference/simulator.md` §5 (573 is asked right after 594, as authorities do).

use super::message::Message;
use super::{Answer, Refusal, Request, VER_APLIC, judge, query, root};
use crate::clock::seconds_between;
use crate::ledger::{Document, Event, Standing};
use crate::limits::Subject;
use crate::signature;
use crate::soap::escaped;
use crate::world::World;
use fiscal::layout;
use fiscal::value::{Cnpj, Cpf, Uf};
use fiscal::xml::Element;
use jiff::Timestamp;

const CANCELLATION: &str = "110111";

pub(super) fn answer(world: &World, request: &Request<'_>, message: &Message) -> Result<Answer, Refusal> {
    let idLote = message.payload.text_at("idLote").unwrap_or("0").to_owned();
    let mut answer = Answer::default();
    let mut replies = String::new();
    for evento in message.payload.children().filter(|child| child.name == "evento") {
        let asked = Asked::of(evento);
        world.ledger().count(&asked.chNFe).eventos += 1;
        let outcome = register(world, request, evento, &asked);
        let registered = match outcome {
            Ok(registered) => registered,
            Err(refusal) => {
                too_often(world, request, &asked, &refusal)?;
                Registered { cStat: refusal.cStat, xml: asked.reply(request, &refusal, None, None) }
            }
        };
        answer.cStat = registered.cStat;
        answer.chaves.push(asked.chNFe);
        replies.push_str(&registered.xml);
    }
    let (tpAmb, cOrgao) = (request.place.ambiente.code(), request.place.authority.cUF());
    let xMotivo = Refusal::new(128).xMotivo();
    let content = format!(
        "<idLote>{idLote}</idLote><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{cOrgao}</cOrgao><cStat>128</cStat>\
         <xMotivo>{xMotivo}</xMotivo>{replies}"
    );
    answer.xml = root(request.place.service, &content);
    Ok(answer)
}

struct Registered {
    cStat: u16,
    xml: String,
}

/// The fields of an event that its answer repeats.
struct Asked {
    cOrgao: String,
    chNFe: String,
    tpEvento: String,
    nSeqEvento: String,
    author: String,
}

impl Asked {
    fn of(evento: &Element) -> Asked {
        let text = |path: &str| evento.text_at(path).unwrap_or("").to_owned();
        let author = evento.text_at("infEvento/CNPJ").or_else(|| evento.text_at("infEvento/CPF"));
        Asked {
            cOrgao: text("infEvento/cOrgao"),
            chNFe: text("infEvento/chNFe"),
            tpEvento: text("infEvento/tpEvento"),
            nSeqEvento: text("infEvento/nSeqEvento"),
            author: author.unwrap_or("").to_owned(),
        }
    }
    fn reply(&self, request: &Request<'_>, outcome: &Refusal, nProt: Option<&str>, dest: Option<&str>) -> String {
        let (tpAmb, dh) = (request.place.ambiente.code(), request.dh());
        let id = nProt.map(|nProt| format!(" Id=\"ID{nProt}\"")).unwrap_or_default();
        let nProt = nProt.map(|nProt| format!("<nProt>{nProt}</nProt>")).unwrap_or_default();
        let xEvento = if nProt.is_empty() { "" } else { "<xEvento>Cancelamento registrado</xEvento>" };
        let dest = dest
            .map(|number| {
                let tag = if number.len() == 11 { "CPFDest" } else { "CNPJDest" };
                format!("<{tag}>{number}</{tag}>")
            })
            .unwrap_or_default();
        format!(
            "<retEvento versao=\"1.00\"><infEvento{id}><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{}</cOrgao>\
             <cStat>{}</cStat><xMotivo>{}</xMotivo><chNFe>{}</chNFe><tpEvento>{}</tpEvento>{xEvento}<nSeqEvento>{}</nSeqEvento>\
             {dest}<dhRegEvento>{dh}</dhRegEvento>{nProt}</infEvento></retEvento>",
            escaped(&self.cOrgao),
            outcome.cStat,
            outcome.xMotivo(),
            escaped(&self.chNFe),
            escaped(&self.tpEvento),
            escaped(&self.nSeqEvento),
        )
    }
}

fn register(world: &World, request: &Request<'_>, evento: &Element, asked: &Asked) -> Result<Registered, Refusal> {
    let source = judge::standing_alone(request.body.get(evento.span.clone()).unwrap_or_default());
    let before = faults_of_the_request(world, request, evento, asked, &source);
    if let Some(cStat) = world.settings().first_on(&before) {
        return Err(Refusal::new(cStat));
    }
    let settings = world.settings().clone();
    let mut ledger = world.ledger();
    let Some(stored) = ledger.document(request.place.ambiente, &asked.chNFe) else {
        return Err(Refusal::new(494));
    };
    if let Some(event) = stored.eventos.iter().find(|event| event.tpEvento == asked.tpEvento)
        && settings.first_on(&[573]).is_some()
    {
        return Err(Refusal::with(573, format!("[nProt:{}]", event.nProt)));
    }
    let late = is_late(stored, request.now);
    let refused_late = late && !(settings.cancelamento_tardio && stored.modelo == 55);
    let mut codes = if refused_late { vec![501] } else { Vec::new() };
    codes.extend(faults_against(stored, evento));
    if let Some(cStat) = settings.first_on(&codes) {
        return Err(Refusal::new(cStat));
    }
    let (cUF, dest) = (asked.cOrgao.parse().unwrap_or(0), stored.destinatario.clone());
    let nProt = ledger.next_protocol(&request.place, cUF, request.now);
    let outcome = Refusal::new(if late { 155 } else { 135 });
    let xml = asked.reply(request, &outcome, Some(&nProt), dest.as_deref());
    let event = Event {
        tpEvento: asked.tpEvento.clone(),
        nSeqEvento: 1,
        cStat: outcome.cStat,
        nProt,
        evento: source.as_ref().into(),
        ret_evento: xml.clone(),
    };
    if let Some(stored) = ledger.document_mut(request.place.ambiente, &asked.chNFe) {
        stored.situacao = Standing::Cancelada;
        stored.eventos.push(event);
    }
    Ok(Registered { cStat: outcome.cStat, xml })
}

/// What is wrong before the database is asked, in the order of the manual.
fn faults_of_the_request(
    world: &World,
    request: &Request<'_>,
    evento: &Element,
    asked: &Asked,
    source: &str,
) -> Vec<u16> {
    let examined = signature::examine(evento, "infEvento", source, &world.examiner, request.now);
    let signer = examined.signer.as_ref().map_or("", |signer| signer.holder());
    let sequence = asked.nSeqEvento.parse::<u8>().unwrap_or(0);
    let id = format!("ID{}{}{sequence:02}", asked.tpEvento, asked.chNFe);
    let serves = |code: &str| code.parse().ok().and_then(Uf::from_code).is_some_and(|uf| request.place.serves(uf));
    let dhEvento = evento.text_at("infEvento/dhEvento").and_then(|text| text.parse::<Timestamp>().ok());
    let mut codes = examined.faults;
    let own = [
        (213, codes.is_empty() && !judge::same_base(signer, &asked.author)),
        (572, evento.child("infEvento").and_then(|inf| inf.attribute("Id")) != Some(&id)),
        (250, !serves(&asked.cOrgao)),
        (252, evento.text_at("infEvento/tpAmb") != Some(request.place.ambiente.code())),
        (489, asked.author.len() == 14 && Cnpj::parse(&asked.author).is_err()),
        (490, asked.author.len() == 11 && Cpf::parse(&asked.author).is_err()),
    ];
    codes.extend(own.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat));
    codes.extend(query::key_faults(&asked.chNFe, request.now));
    let rest = [
        (249, !serves(asked.chNFe.get(..2).unwrap_or(""))),
        (491, asked.tpEvento != CANCELLATION),
        (493, !has_the_layout_of_its_kind(evento, &asked.tpEvento)),
        (574, !issued(&asked.chNFe, &asked.author)),
        (578, dhEvento.is_some_and(|at| seconds_between(request.now, at) > 5 * 60)),
        (594, sequence != 1),
    ];
    codes.extend(rest.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat));
    codes
}

/// `envEvento` leaves `detEvento` open; each kind of event has a schema of its own.
fn has_the_layout_of_its_kind(evento: &Element, tpEvento: &str) -> bool {
    match (layout::det_evento(tpEvento), evento.at("infEvento/detEvento")) {
        (Some(layout), Some(detEvento)) => layout::check(layout, detEvento).is_empty(),
        _ => true,
    }
}

/// Whether the key names this author as its issuer.
fn issued(chave: &str, author: &str) -> bool {
    chave.get(6..20).is_some_and(|issuer| issuer == format!("{author:0>14}"))
}

/// 580, 577, 579, 222.
fn faults_against(stored: &Document, evento: &Element) -> Vec<u16> {
    let dhEvento = evento.text_at("infEvento/dhEvento").and_then(|text| text.parse::<Timestamp>().ok());
    let before = |at: Option<Timestamp>| match (dhEvento, at) {
        (Some(event), Some(at)) => event.as_second() < at.as_second(),
        _ => false,
    };
    let nProt = evento.text_at("infEvento/detEvento/nProt");
    [
        (580, stored.situacao != Standing::Autorizada),
        (577, before(stored.issued_at)),
        (579, stored.tpEmis == 1 && before(Some(stored.received_at))),
        (222, nProt != Some(stored.nProt.as_str())),
    ]
    .into_iter()
    .filter(|(_, broken)| *broken)
    .map(|(cStat, _)| cStat)
    .collect()
}

/// 24 hours after the authorisation of a NF-e, 30 minutes after that of a NFC-e.
fn is_late(stored: &Document, now: Timestamp) -> bool {
    let limit = if stored.modelo == 55 { 24 * 3_600 } else { 30 * 60 };
    seconds_between(stored.received_at, now) > limit
}

/// The same rejection of the same event more than 20 times in an hour (656).
fn too_often(world: &World, request: &Request<'_>, asked: &Asked, refusal: &Refusal) -> Result<(), Refusal> {
    let subject = Subject {
        transmitter: request.transmitter().to_owned(),
        service: request.place.service,
        about: format!("{} {} {}", asked.chNFe, asked.tpEvento, refusal.cStat),
    };
    let limited = world.settings().limites;
    if limited && world.limits().exceeded(subject, request.now.as_second()) {
        return Err(Refusal::new(656));
    }
    Ok(())
}
