//! Number conflict: the authority has the number under another key, or other content under ours. The registered
//! document decides, not the one of this job.
//!
//! Law: MOC 7.0, anexo I (539, and 562 or 613 of a query: the text names the key that exists); NT 008/2026 (E0014);
//! ABRASF (E10). When the database is a restored copy, a document that is unknown here may still be ours: the job is
//! then never settled as rejected.

use super::claimed_work::failure;
use super::key_query::key_in;
use super::outcome::{self, NumberUse};
use super::{ClaimedWork, Halt, NextStep, UNCERTAIN};
use crate::process::crash::crash_point;
use authority::answer::{Protocol, Rejection, RejectionReason};
use fiscal::lifecycle::LifecycleEvent;
use fiscal::value::{ChaveAcesso, Codigo};
use std::time::Duration;
use store::Visibility;
use store::jobs::{Job, JobFailure, LogLine, Transmission};

/// Handles a number that is registered under another key, which the text may name.
pub(super) async fn by_key(work: &mut ClaimedWork, said: Rejection) -> Result<NextStep, Halt> {
    let Some(chave) = key_in(&said.xMotivo, work.family()?.numbers.named_by) else {
        let what =
            format!("A autoridade tem o número sob outra chave, sem dizer qual: {} {}.", said.codigo, said.xMotivo);
        return give_up_uncertain(work, what).await;
    };
    if !is_of_the_series(work, &chave)? {
        let what = format!("A autoridade respondeu com a chave {}, que não é desta série e número.", chave.as_str());
        return give_up_uncertain(work, what).await;
    }
    if let Some(former) = former_transmission(work, chave.as_str(), None).await? {
        return readopt(work, former).await;
    }
    match job_with_key(work, chave.as_str()).await? {
        Some(job) => {
            reopen(work, &job).await?;
            work.log(format!("O número pertence à nota {} do job {}.", chave.as_str(), job.id));
            outcome::refuse(work, said, NumberUse::Gone).await
        }
        None => {
            let what = format!("O número pertence à nota {}, que este serviço não conhece.", chave.as_str());
            give_up_uncertain(work, what).await
        }
    }
}

/// Handles other bytes under our key: those of a former transmission, or unknown ones.
pub(super) async fn by_content(work: &mut ClaimedWork, protocol: &Protocol) -> Result<NextStep, Halt> {
    match former_transmission(work, &protocol.chave, protocol.digVal.as_deref()).await? {
        Some(former) => readopt(work, former).await,
        None => divergent(work, protocol).await,
    }
}

/// Gives up when the authority holds other bytes under our key: the document may not be called authorised, and an
/// operator must check.
pub(super) async fn divergent(work: &mut ClaimedWork, protocol: &Protocol) -> Result<NextStep, Halt> {
    let held = protocol.digVal.as_deref().unwrap_or("ausente");
    let nProt = protocol.nProt.as_deref().unwrap_or("ausente");
    work.log(format!(
        "O protocolo devolvido ({nProt}) é de outro conteúdo (digVal {held}): a nota não foi dada como autorizada."
    ));
    work.mark(LifecycleEvent::NoReply).await?;
    crash_point("settle.divergent");
    let why = "A autoridade devolveu um protocolo cujo resumo (digVal) difere do documento enviado. \
               A nota continua em dúvida; consulte a chave no portal da autoridade antes de qualquer nova emissão.";
    let failure = JobFailure { repetivel: false, ..failure("protocolo_divergente", "consulta", why) };
    Ok(NextStep::GiveUp { failure })
}

/// Handles a number used by a document that its authority names in full.
pub(super) async fn by_number(work: &mut ClaimedWork, protocol: &Protocol) -> Result<NextStep, Halt> {
    let (numero, tag) = (work.document()?.numero, work.family()?.numbers.tag);
    let by = match &protocol.written {
        Some(note) if protocol.chave.is_empty() => format!("na NFS-e {}", note.numero),
        _ => format!("no documento {}", protocol.chave),
    };
    let found = if protocol.chave.is_empty() { None } else { job_with_key(work, &protocol.chave).await? };
    let Some(job) = found else {
        return give_up_uncertain(work, format!("O {tag} {numero} já foi usado {by}, que este serviço não conhece."))
            .await;
    };
    let why = format!("O {tag} {numero} já foi usado {by}, do job {}.", job.id);
    work.log(why.clone());
    let codigo = work.family()?.numbers.used_before.and_then(|code| Codigo::parse(code).ok());
    let codigo = codigo.ok_or(store::Error::Corrupt("a família não tem código de número já usado"))?;
    let reasons = vec![RejectionReason { codigo: codigo.clone(), motivo: why.clone(), complemento: None }];
    outcome::refuse(work, Rejection { reasons, ..Rejection::new(codigo, why) }, NumberUse::Gone).await
}

/// Gives the job up without an outcome: its sale may be the document that the authority has.
async fn give_up_uncertain(work: &mut ClaimedWork, what: String) -> Result<NextStep, Halt> {
    work.log(what.clone());
    work.mark(LifecycleEvent::NoReply).await?;
    crash_point("elsewhere.uncertain");
    let why = format!(
        "{what} O banco de dados pode ser uma cópia restaurada, ou outro programa emite nesta série. Se a nota existente é a desta venda, não emita outra; \
         se não é, informe proximo_numero na configuração da empresa e reprocesse este job."
    );
    Ok(NextStep::GiveUp { failure: failure(UNCERTAIN, "consulta", why) })
}

/// Finds this job's former transmission of a key, and of a digest where that is known.
async fn former_transmission(
    work: &ClaimedWork,
    asked_by: &str,
    digest: Option<&str>,
) -> Result<Option<Transmission>, Halt> {
    let found = work.engine.store().transmissions(work.job.tenant_id, asked_by).await?;
    let is_it = |it: &Transmission| it.job_id == work.job.id && digest.is_none_or(|digest| digest == it.digest);
    Ok(found.into_iter().find(is_it))
}

/// Makes a former transmission the document again, since the authority has that one.
async fn readopt(work: &mut ClaimedWork, former: Transmission) -> Result<NextStep, Halt> {
    work.log(format!(
        "A autoridade tem uma transmissão anterior desta nota ({}): ela volta a ser a nota.",
        former.asked_by
    ));
    let lines = work.take_lines();
    work.engine.store().readopt(work.lease, former, work.engine.now_s(), lines).await?;
    crash_point("elsewhere.readopted");
    let why = "A autoridade tem uma transmissão anterior desta nota, que será consultada.";
    Ok(NextStep::Again { after: Duration::ZERO, failure: failure("em_duvida", "consulta", why) })
}

/// Finds another job of the account whose document has the key.
async fn job_with_key(work: &ClaimedWork, chave: &str) -> Result<Option<Job>, Halt> {
    match work.engine.store().job_by_chave(Visibility::whole(work.job.tenant_id), chave).await {
        Ok(job) => Ok(Some(job).filter(|job| job.id != work.job.id)),
        Err(store::Error::NotFound) => Ok(None),
        Err(error) => Err(Halt::Store(error)),
    }
}

/// Reopens a job that gave its document up as never received; it queries the document again.
async fn reopen(work: &ClaimedWork, job: &Job) -> Result<(), Halt> {
    let now = work.engine.now();
    let text =
        format!("A autoridade informou ao job {} que tem este documento: ele é consultado de novo.", work.job.id);
    let lines = vec![LogLine { at_ms: now.as_millisecond(), text }];
    if work.engine.store().reopen(job.tenant_id, job.id, now.as_second(), lines).await? {
        tracing::warn!(job.id = %job.id, "a document that was given up is registered at its authority");
    }
    Ok(())
}

/// `true` if a key has the issuer, series and number of the document's own.
fn is_of_the_series(work: &ClaimedWork, chave: &ChaveAcesso) -> Result<bool, Halt> {
    Ok(work.document()?.acesso().is_some_and(|own| own.has_number_of(chave)))
}
