//! What the ADN handed out of a note of ours: the events that a município, a party or another program of the same company registered are brought to it.
//!
//! Note and event may come in any order: this is asked when an event arrives, when a note is authorised, and when an act of ours ends without having ended
//! the note (while one is under way, its own end decides). Must not know: XML, what an event makes of a note.

use crate::Error;
use crate::jobs::{EventAct, Learned, LearnedEvent, learn, words};
use crate::row::{Row, first, params};
use crate::tx::Tx;
use crate::webhooks::EventBody;
use fiscal::nfse::registered;
use fiscal::tipo::Tipo;
use fiscal::value::Chave;
use uuid::Uuid;

/// Brings a note of ours up to what was handed out of it; nothing when there is no such note. Gives whether somebody was told.
pub(crate) async fn note<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    chave: &str,
    now: i64,
) -> Result<bool, Error> {
    // a key is of one environment, and what was handed out elsewhere is of another note
    let sql = "SELECT f.tpEvento, f.nSeqEvento, f.nProt, f.dhRegEvento, f.substituta, f.content FROM received_files f
               JOIN documents d ON d.tenant_id = f.tenant_id AND d.chave = f.chave AND d.ambiente = f.ambiente AND d.tipo = f.tipo
               WHERE f.tenant_id = $1 AND f.chave = $2 AND f.tipo = $3 AND f.tpEvento IS NOT NULL ORDER BY f.id";
    let rows = tx.query(sql, &params![tenant, chave, Tipo::Nfse.word()]).await?;
    if rows.is_empty() {
        return Ok(false);
    }
    let chave = words::read_chave(chave.to_owned())?;
    let events: Vec<LearnedEvent> = rows.into_iter().map(|row| read(chave, row)).collect::<Result<_, _>>()?;
    let kinds = events.iter().map(|event| event.act.tpEvento.as_str());
    let analysis = registered::analysis(kinds).map(registered::Analysis::word);
    let learned = Learned { chave, events, analysis };
    learn(tx, event_body, tenant, &learned, now).await.map(|(_, told)| told)
}

/// The same of the note that a job acts on.
pub(crate) async fn target<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    job: Uuid,
    now: i64,
) -> Result<bool, Error> {
    let sql = "SELECT d.chave FROM documents d JOIN jobs j ON j.tenant_id = d.tenant_id AND j.alvo = d.job_id
               WHERE j.tenant_id = $1 AND j.id = $2 AND d.tipo = $3 AND d.chave IS NOT NULL";
    match first::<String>(tx.query(sql, &params![tenant, job, Tipo::Nfse.word()]).await?)? {
        Some(chave) => note(tx, event_body, tenant, &chave, now).await,
        None => Ok(false),
    }
}

fn read(chave: Chave, mut row: Row) -> Result<LearnedEvent, Error> {
    let (tpEvento, nSeqEvento): (String, u16) = (row.take()?, row.take()?);
    let (nProt, dhRegEvento) = (row.take()?, row.take()?);
    let substituta: Option<String> = row.take()?;
    Ok(LearnedEvent {
        cancels: registered::cancels(&tpEvento),
        substituta: substituta.map(words::read_chave).transpose()?,
        act: EventAct { chave, tpEvento, nSeqEvento, nProt, dhRegEvento },
        xml: row.take()?,
    })
}
