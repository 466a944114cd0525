//! Voiding: numbers that no document will carry are reported to the authority in the order of everything that leaves
//! us: stored, sent, and sent again unchanged when no reply came. There is no query for a request; a repetition is
//! answered 563, with the protocol of the first.
//!
//! Law: MOC 7.0, visão geral, 5.3.

use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep};
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::family;
use crate::order::Order;
use crate::order::void::VoidRequest;
use crate::process::crash::crash_point;
use crate::steps::settled;
use authority::answer::{Rejection, VoidAnswer};
use authority::sefaz;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::inutilizacao::{self, Inutilizacao};
use fiscal::value::{Codigo, Uf};
use store::jobs::{JobAct, VoidAct, VoidEnd, VoidOutcome};
use store::numbers::{NumberState, SequenceRange, Series};
use store::webhooks::Evento;

/// cStat 256: a number of the range was voided before, by another request.
const VOIDED_BEFORE: u16 = 256;
/// cStat 241: a document carries a number of the range.
const IN_USE: u16 = 241;

/// Reports the range, or finds out that it was reported.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let absent = || Halt::Store(store::Error::Corrupt("a inutilização não tem faixa"));
    let act = work.job.act.as_ref().and_then(JobAct::void).cloned().ok_or_else(absent)?;
    let uf = Uf::from_code(act.cUF).ok_or_else(absent)?;
    let family = family::of_modelo(act.modelo).ok_or_else(absent)?;
    let channel = work.channel(uf, family, "transmissao").await?;
    let signed = match work.job.event_xml.clone() {
        Some(signed) => signed,
        None => prepare(work, &act, &channel).await?,
    };
    send(work, act, &channel, &signed).await
}

/// Builds, signs and stores the request before it is sent.
async fn prepare(work: &mut ClaimedWork, act: &VoidAct, channel: &Channel) -> Result<String, Halt> {
    let (cpf_cnpj, ambiente) = (work.job.cpf_cnpj, work.job.ambiente);
    let VoidAct { ano, modelo, serie, nNFIni, nNFFin, .. } = *act;
    let series = Series { cpf_cnpj, counted: channel.family.counted, serie: serie.into(), ambiente };
    let range = SequenceRange { from: nNFIni.into(), until: nNFFin.into() };
    work.engine.store().hold_range(work.lease, series, range).await.map_err(held)?;
    let Some(Order::Inutilizacao(VoidRequest { justificativa, .. })) = Order::of(&work.job) else {
        return Err(Halt::Store(store::Error::Corrupt("o pedido de inutilização é ilegível")));
    };
    let xJust = justificativa.as_str();
    let asked =
        Inutilizacao { uf: channel.uf, ambiente, ano, emitente: cpf_cnpj, modelo, serie, nNFIni, nNFFin, xJust };
    let (xml, id) = inutilizacao::build(&asked);
    let signed = signing::sign(xml, &id, &channel.certificate).map_err(|error| {
        let why = format!("O pedido não pôde ser assinado: {error}.");
        Halt::Step(NextStep::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
    })?;
    work.log(format!("Pedido de inutilização de {nNFIni} a {nNFFin}, série {serie}, assinado."));
    let lines = work.take_lines();
    work.engine.store().begin_event(work.lease, signed.xml.clone(), work.engine.now_s(), lines).await?;
    crash_point("void.stored");
    work.job.event_xml = Some(signed.xml.clone());
    Ok(signed.xml)
}

async fn send(work: &mut ClaimedWork, act: VoidAct, channel: &Channel, signed: &str) -> Result<NextStep, Halt> {
    let endpoint = work.endpoint_of(channel, AuthorityService::Inutilizacao, AuthorityRole::Normal)?;
    let line = format!("Pedido enviado a {} ({}).", endpoint.authority, endpoint.name);
    work.count_call(budget::VOID, &endpoint, "", &line).await?;
    let call = sefaz::void(&endpoint, signed);
    crash_point("void.before");
    let answer = work.call(&call, channel, sefaz::read_void).await;
    crash_point("void.reply");
    match answer {
        Ok(VoidAnswer::Voided { codigo, xMotivo, nProt, dhRecbto, xml }) => {
            let nProt = nProt.or_else(|| named_protocol(&xMotivo));
            let proc_inut = nProt.is_some().then(|| sefaz::proc_inut(signed, &xml));
            let act = VoidAct { voided: true, nProt, dhRecbto, ..act };
            settle(work, VoidOutcome { codigo, xMotivo, end: VoidEnd::Voided(act, proc_inut) }).await
        }
        Ok(VoidAnswer::Rejected(Rejection { codigo, xMotivo, .. })) => {
            let end = refused(&act, &codigo);
            settle(work, VoidOutcome { codigo, xMotivo, end }).await
        }
        Ok(VoidAnswer::Unavailable(said)) => Ok(work.after_unavailable(channel, &call.authority, &said)),
        Err(no_answer) => Ok(unanswered(work, &no_answer)),
    }
}

/// Returns the meaning of a refusal for the numbers. For a single number it may prove that it is gone; for several it
/// does not name the one. A number that is given to a note after all is refused there by 206 or 539, and skipped.
fn refused(act: &VoidAct, codigo: &Codigo) -> VoidEnd {
    match codigo.number() {
        Some(VOIDED_BEFORE) if act.nNFIni == act.nNFFin => VoidEnd::Gone(NumberState::Voided),
        Some(IN_USE) if act.nNFIni == act.nNFFin => VoidEnd::Gone(NumberState::Used),
        _ => VoidEnd::Refused,
    }
}

/// Protocol in the text of a 563: `[nProt:…]`.
fn named_protocol(xMotivo: &str) -> Option<String> {
    let (_, rest) = xMotivo.split_once("[nProt:")?;
    rest.split_once(']').map(|(nProt, _)| nProt.trim().to_owned())
}

async fn settle(work: &mut ClaimedWork, outcome: VoidOutcome) -> Result<NextStep, Halt> {
    work.log(format!("Resposta da autoridade: {} {}.", outcome.codigo, outcome.xMotivo));
    let lines = work.take_lines();
    crash_point("void.before_settle");
    let evento = match outcome.end {
        VoidEnd::Voided(..) => Evento::Inutilizada,
        VoidEnd::Gone(_) | VoidEnd::Refused => Evento::InutilizacaoRejeitada,
    };
    let codigo = outcome.codigo.clone();
    work.engine.store().settle_void(work.lease, outcome, work.engine.now_s(), lines).await?;
    settled::log_judgement(work, Some(evento), &codigo);
    crash_point("void.committed");
    Ok(NextStep::Done)
}

fn unanswered(work: &mut ClaimedWork, no_answer: &NoAnswer) -> NextStep {
    work.log(format!("Sem resposta da autoridade: {no_answer}."));
    let why = format!("A autoridade não respondeu: {no_answer}. O mesmo pedido será enviado de novo.");
    NextStep::Again { after: work.backoff(), failure: failure("sem_resposta", "transmissao", why) }
}

/// Failure of a retried job whose numbers were taken meanwhile.
fn held(error: store::Error) -> Halt {
    match error {
        store::Error::NumberHeld { numero, .. } => {
            let why = format!("O número {numero} da faixa não está mais livre.");
            Halt::Step(NextStep::GiveUp { failure: failure("numero_em_uso", "validacao", why) })
        }
        error => Halt::Store(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(nNFIni: u32, nNFFin: u32) -> VoidAct {
        VoidAct { cUF: 35, ano: 26, modelo: 55, serie: 1, nNFIni, nNFFin, voided: false, nProt: None, dhRecbto: None }
    }

    #[test]
    fn a_refusal_tells_what_became_of_a_single_number_only() {
        assert!(matches!(refused(&act(7, 7), &VOIDED_BEFORE.into()), VoidEnd::Gone(NumberState::Voided)));
        assert!(matches!(refused(&act(7, 7), &IN_USE.into()), VoidEnd::Gone(NumberState::Used)));
        assert!(matches!(refused(&act(7, 8), &VOIDED_BEFORE.into()), VoidEnd::Refused));
        assert!(matches!(refused(&act(7, 7), &203.into()), VoidEnd::Refused));
    }

    #[test]
    fn the_protocol_may_stand_in_the_text() {
        let said =
            "Rejeição: Já existe pedido de Inutilização com a mesma faixa de inutilização [nProt:135260000000007]";
        assert_eq!(named_protocol(said).as_deref(), Some("135260000000007"));
        assert_eq!(named_protocol("Rejeição"), None);
    }
}
