//! NFeRetAutorizacao4: the result of a batch (104), still in processing (105), not found (106), another transmitter
//! (223).

use super::message::ServiceMessage;
use super::protocol_leaves::{with_leaf, without_leaf};
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, root, text_between};
use crate::faults::FaultType;
use crate::ledger::Ledger;
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
    let nRec = message.payload.text_at("nRec").unwrap_or("");
    let uf = nRec.get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    let taken = world.settings().accepts_unregistered(&request.place, request.now);
    if !taken && !uf.is_some_and(|uf| request.place.serves(uf)) {
        return Err(Refusal::new(248));
    }
    let mut ledger = world.ledger();
    let Some(receipt) = ledger.receipts.get_mut(nRec) else {
        return Err(Refusal::new(106));
    };
    if receipt.transmitter != request.transmitter() {
        return Err(Refusal::new(223));
    }
    if request.fault() == Some(FaultType::Polls105) {
        return Err(Refusal::new(105));
    }
    if receipt.polls_left > 0 {
        receipt.polls_left -= 1;
        return Err(Refusal::new(105));
    }
    let protocols = receipt.protocols.clone();
    let protocols = bent(&mut ledger, request, protocols);
    drop(ledger);
    let (tpAmb, cUF, dh) = (request.place.ambiente.code(), request.place.authority.cUF(), request.dh());
    let xMotivo = Refusal::new(104).xMotivo();
    let content = format!(
        "<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><nRec>{nRec}</nRec><cStat>104</cStat><xMotivo>{xMotivo}</xMotivo>\
         <cUF>{cUF}</cUF><dhRecbto>{dh}</dhRecbto>{protocols}"
    );
    Ok(ServiceAnswer { xml: root(&request.place, &content), cStat: 104, chaves: Vec::new() })
}

/// Faults that alter the first protocol of a receipt.
fn bent(ledger: &mut Ledger, request: &ServiceRequest<'_>, protocols: String) -> String {
    match request.fault() {
        Some(FaultType::WrongDigval) => with_leaf(&protocols, "digVal", &ledger.wrong_digest()),
        Some(FaultType::NoDigval) => without_leaf(&protocols, "digVal"),
        Some(FaultType::OtherDocument) => {
            let chave = text_between(protocols.as_bytes(), "<chNFe>").unwrap_or_default();
            with_leaf(&protocols, "chNFe", &ledger.another_key(request.place.ambiente, chave))
        }
        _ => protocols,
    }
}
