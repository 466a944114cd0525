//! CTeStatusServicoV4: 107; 113 and 114 at an SVC; 252 and 410 or 513 before them (rules M01 to M05, C07, C08).

use super::{ServiceMessage, head};
use crate::sefaz::{Refusal, ServiceAnswer, ServiceRequest, root};
use crate::simulator_state::SimulatorState;
use fiscal::value::Uf;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let place = request.place;
    let uf = message.payload.text_at("cUF").and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    let contingency = place.contingency().is_some();
    let Some(uf) = uf.filter(|uf| place.serves(*uf)) else {
        return Err(Refusal::new(if contingency { 513 } else { 410 }));
    };
    if message.payload.text_at("tpAmb") != Some(place.ambiente.code()) {
        return Err(Refusal::new(252));
    }
    if !world.settings().is_open(&place, uf) {
        return Err(Refusal::new(114));
    }
    // An open SVC always announces that it will be closed again.
    let outcome = Refusal::new(if contingency { 113 } else { 107 });
    let content = format!("{}<dhRecbto>{}</dhRecbto><tMed>1</tMed>", head(request, &outcome), request.dh());
    Ok(ServiceAnswer { xml: root(&place, &content), cStat: outcome.cStat, chaves: Vec::new() })
}
