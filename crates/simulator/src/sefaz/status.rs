//! NFeStatusServico4: 107, 108, 109, 113, 114; 252 and 410 before them.

use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, root};
use crate::settings::ServiceMode;
use crate::simulator_state::SimulatorState;
use fiscal::value::Uf;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    if message.payload.text_at("tpAmb") != Some(request.place.ambiente.code()) {
        return Err(Refusal::new(252));
    }
    let uf = message.payload.text_at("cUF").and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    let Some(uf) = uf.filter(|uf| request.place.serves(*uf)) else {
        return Err(Refusal::new(410));
    };
    if !world.settings().is_open(&request.place, uf) {
        return Err(Refusal::new(114));
    }
    let mode = world.settings().mode(&request.place).map(|at| at.modo);
    let cStat = if mode == Some(ServiceMode::SvcEmDesativacao) { 113 } else { 107 };
    let (tpAmb, dh) = (request.place.ambiente.code(), request.dh());
    let xMotivo = Refusal::new(cStat).xMotivo();
    let content = format!(
        "<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>{}</cUF>\
         <dhRecbto>{dh}</dhRecbto><tMed>1</tMed>",
        uf.code()
    );
    Ok(ServiceAnswer { xml: root(&request.place, &content), cStat, chaves: Vec::new() })
}

/// `dhRetorno` of a refusal of this service: its expected return.
pub(super) fn dhRetorno(request: &ServiceRequest<'_>, refusal: &Refusal) -> String {
    let Some(seconds) = refusal.retorno_s else { return String::new() };
    let Ok(back) = request.now.checked_add(jiff::SignedDuration::from_secs(seconds)) else { return String::new() };
    format!("<dhRetorno>{}</dhRetorno>", crate::clock::format_instant(back, request.place.authority.offset_hours()))
}
