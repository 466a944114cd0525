//! Query of a restored copy to an authority: by the key or identity that a document of the job would have there, in
//! every mode that gives it one of its own.
//!
//! Must not know: which numbers are queried, what becomes of the result.

use super::super::claimed_work::failure;
use super::super::key_query::{fetch_named, key_in, no_identity};
use super::super::{ClaimedWork, Halt, NextStep};
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use authority::answer::{DocumentSituation, Protocol, Rejection};
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::value::{ChaveAcesso, ChaveParts};

/// Key and record of a document at the authority.
pub(super) type KeyAndRecord = (String, Option<String>);

/// Keys of the same document under the other modes, each with the role of its authority.
pub(super) fn other_keys(work: &ClaimedWork, channel: &Channel, asked_by: &str) -> Vec<(AuthorityRole, String)> {
    let Ok(chave) = ChaveAcesso::parse(asked_by) else { return Vec::new() };
    let ways = work.engine.ways_to_issue(channel).into_iter();
    let others = ways.filter(|(_, tpEmis)| *tpEmis != chave.parts().tpEmis);
    let key = |tpEmis| ChaveAcesso::compose(&ChaveParts { tpEmis, ..chave.parts() }).as_str().to_owned();
    others.map(|(role, tpEmis)| (role, key(tpEmis))).collect()
}

/// Queries one authority for one key or identity; `what` names it in Portuguese for the log.
pub(super) async fn ask_for(
    work: &mut ClaimedWork,
    channel: &Channel,
    role: AuthorityRole,
    asked_by: &str,
    what: &str,
) -> Result<Option<KeyAndRecord>, Halt> {
    let endpoint = work.endpoint_of(channel, AuthorityService::ConsultaProtocolo, role)?;
    let line = format!("Perguntando à autoridade {what} ({}).", endpoint.name);
    work.count_call(budget::QUERY_BY_KEY, &endpoint, asked_by, &line).await?;
    let call = work.engine.rps_query(channel, &endpoint, asked_by).ok_or_else(no_identity)?;
    let wire = channel.family.wire;
    let situation = work.call(&call, channel, move |reply| wire.read_query(reply)).await;
    let situation = match situation {
        Ok(DocumentSituation::Named(chave)) => fetch_named(work, channel, &endpoint, &chave).await,
        situation => situation,
    };
    read(work, channel, &call.authority, asked_by, situation)
}

fn read(
    work: &mut ClaimedWork,
    channel: &Channel,
    authority: &str,
    asked_by: &str,
    situation: Result<DocumentSituation, NoAnswer>,
) -> Result<Option<KeyAndRecord>, Halt> {
    match situation {
        Ok(DocumentSituation::Authorized(protocol) | DocumentSituation::Denied(protocol)) => {
            key_and_record(asked_by, &protocol).map(Some)
        }
        Ok(DocumentSituation::Cancelled { protocol, .. }) => match protocol {
            Some(protocol) => key_and_record(asked_by, &protocol).map(Some),
            None => Ok(Some((asked_by.to_owned(), None))),
        },
        Ok(DocumentSituation::OtherKey(said)) => {
            let chave = key_in(&said.xMotivo, channel.family.numbers.named_by);
            Ok(Some((chave.map(|chave| chave.as_str().to_owned()).unwrap_or_default(), None)))
        }
        Ok(DocumentSituation::NeverSeen(_)) => Ok(None),
        Ok(DocumentSituation::Unavailable(said)) => Err(Halt::Step(work.after_unavailable(channel, authority, &said))),
        Ok(DocumentSituation::Refused(said)) => Err(refused(work, &said)),
        Ok(DocumentSituation::Named(_)) => Err(refused(work, &Rejection::new(404, "Documento não devolvido"))),
        Err(no_answer) => {
            let why = format!("A autoridade não respondeu à consulta: {no_answer}.");
            Err(Halt::Step(NextStep::Again {
                after: work.backoff(),
                failure: failure("sem_resposta", "consulta", why),
            }))
        }
    }
}

/// Returns a key without its record, since a key identifies its job; keeps the record of any other document.
fn key_and_record(asked_by: &str, protocol: &Protocol) -> Result<KeyAndRecord, Halt> {
    if ChaveAcesso::parse(asked_by).is_ok() {
        return Ok((asked_by.to_owned(), None));
    }
    let unwritable = |_| Halt::Store(store::Error::Corrupt("o registro da autoridade não pôde ser guardado"));
    let evidence = serde_json::to_string(protocol).map_err(unwritable)?;
    let chave = if protocol.chave.is_empty() { asked_by.to_owned() } else { protocol.chave.clone() };
    Ok((chave, Some(evidence)))
}

fn refused(work: &mut ClaimedWork, said: &Rejection) -> Halt {
    let why = format!("A autoridade recusou a consulta: {} {}", said.codigo, said.xMotivo);
    Halt::Step(NextStep::Again { after: work.backoff(), failure: failure("consulta_recusada", "consulta", why) })
}
