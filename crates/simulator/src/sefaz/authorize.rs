//! NFeAutorizacao4: rules of the batch, then each document, then the answer (batch processed, or received with a
//! receipt).

use super::document_checks::{self, CheckedDocument, DocumentVerdict};
use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, root, settle};
use crate::faults::FaultType;
use crate::ledger::BatchReceipt;
use crate::simulator_state::SimulatorState;
use fiscal::value::Uf;
use fiscal::xml::Element;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let documents: Vec<&Element> = message.payload.children().filter(|child| child.name == "NFe").collect();
    let chaves: Vec<String> = documents.iter().map(|nfe| document_checks::key(nfe).to_owned()).collect();
    {
        let mut ledger = world.ledger();
        chaves.iter().for_each(|chave| ledger.count(chave).recebida += 1);
    }
    let synchronous = message.payload.text_at("indSinc") == Some("1");
    if let Some(cStat) = world.settings().first_on(&batch_faults(request, &documents, synchronous)) {
        return Err(Refusal::new(cStat));
    }
    let of = |nfe: &&Element| nfe.text_at("infNFe/ide/cUF").and_then(|code| Uf::from_code(code.parse().ok()?));
    let is_closed = |uf| !request.is_late_message() && !world.settings().is_open(&request.place, uf);
    if documents.first().and_then(of).is_some_and(is_closed) {
        return Err(Refusal::new(114));
    }
    let judged: Vec<CheckedDocument> =
        documents.iter().map(|nfe| document_checks::check_document(world, request, nfe)).collect();
    if let Some(refusal) = judged.iter().find_map(of_the_message) {
        return Err(refusal);
    }
    let asynchronous = !synchronous
        || request.fault() == Some(FaultType::Async)
        || judged.iter().any(|judged| judged.verdict == DocumentVerdict::Queue);
    let settled = judged
        .into_iter()
        .map(|judged| settle::settle(world, request, judged))
        .collect::<Result<Vec<settle::ProtocolOutcome>, Refusal>>()?;
    let protocols: String = settled.iter().map(|settled| settled.protocol_xml.as_str()).collect();
    if asynchronous {
        return Ok(received(world, request, protocols, chaves));
    }
    let cStat = settled.first().map_or(104, |settled| settled.cStat);
    Ok(ServiceAnswer { xml: root(&request.place, &processed(request, 104, &protocols)), cStat, chaves })
}

/// Stage 2 in its order: 764, 452, 765, 450, 775, 476, 560.
fn batch_faults(request: &ServiceRequest<'_>, documents: &[&Element], synchronous: bool) -> Vec<u16> {
    let texts = |path: &str| -> Vec<&str> { documents.iter().map(|nfe| nfe.text_at(path).unwrap_or("")).collect() };
    let issuers: Vec<&str> = documents.iter().map(|nfe| base(document_checks::issuer(nfe))).collect();
    let differ = |texts: &[&str]| texts.windows(2).any(|pair| pair[0] != pair[1]);
    let models = texts("infNFe/ide/mod");
    let expected = request.place.modelo.to_string();
    let wrong_model = models.iter().any(|modelo| *modelo != expected);
    [
        (764, synchronous && documents.len() > 1),
        (452, !synchronous && documents.len() == 1),
        (765, differ(&models)),
        (450, wrong_model && request.place.modelo == 55),
        (775, wrong_model && request.place.modelo == 65),
        (476, differ(&texts("infNFe/ide/cUF"))),
        (560, differ(&issuers)),
    ]
    .into_iter()
    .filter(|(_, broken)| *broken)
    .map(|(cStat, _)| cStat)
    .collect()
}

/// CNPJ base, or the whole CPF.
fn base(cnpj_cpf: &str) -> &str {
    if cnpj_cpf.len() == 14 { cnpj_cpf.get(..8).unwrap_or(cnpj_cpf) } else { cnpj_cpf }
}

fn of_the_message(judged: &CheckedDocument) -> Option<Refusal> {
    match &judged.verdict {
        DocumentVerdict::Message(refusal) => Some(refusal.clone()),
        _ => None,
    }
}

/// 103 with a receipt.
fn received(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    protocols: String,
    chaves: Vec<String>,
) -> ServiceAnswer {
    let polls_left = world.settings().consultas_em_processamento;
    let mut ledger = world.ledger();
    let nRec = ledger.next_receipt(&request.place, request.place.authority.cUF());
    let receipt = BatchReceipt { transmitter: request.transmitter().to_owned(), polls_left, protocols };
    ledger.receipts.insert(nRec.clone(), receipt);
    let receipt = format!("<infRec><nRec>{nRec}</nRec><tMed>1</tMed></infRec>");
    ServiceAnswer { xml: root(&request.place, &processed(request, 103, &receipt)), cStat: 103, chaves }
}

fn processed(request: &ServiceRequest<'_>, cStat: u16, content: &str) -> String {
    let (tpAmb, cUF, dh) = (request.place.ambiente.code(), request.place.authority.cUF(), request.dh());
    let xMotivo = Refusal::new(cStat).xMotivo();
    format!(
        "<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>{cUF}</cUF>\
         <dhRecbto>{dh}</dhRecbto>{content}"
    )
}
