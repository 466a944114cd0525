//! Storage of distributed documents: the document under its number, and the facts it gives about a note or a transport.
//!
//! A document that is stored already changes nothing, so an answer may be stored twice.

use super::{
    DistributionKey, DocZip, DocumentContent, DocumentFacts, EventFacts, NewDocuments, ServiceFacts, TypeFacts,
    own_notes, stored,
};
use crate::emissions::addressees::{MOST_WORDS, search_words};
use crate::row::{Params, first, params};
use crate::tx::{SqlStep, Tx};
use crate::webhooks::EventBody;
use crate::{Error, words};
use fiscal::event::NfeEventKind;
use fiscal::nfse;
use fiscal::tipo::Tipo;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Stores all documents of an answer and applies its events to notes of ours. Also returns whether a webhook event was
/// enqueued.
pub(super) async fn save_answer<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    owner: &DistributionKey,
    documents: &[DocZip],
    now: i64,
) -> Result<(NewDocuments, bool), Error> {
    let about: BTreeSet<String> = documents.iter().filter_map(chave).map(ToOwned::to_owned).collect();
    own_notes::lock_notes(tx, owner.tenant, &about).await?;
    let kept = save_all(tx, owner, documents, now).await?;
    let events = documents.iter().filter_map(event_target).filter(|_| owner.tipo == Tipo::Nfse);
    let acted_on: BTreeSet<String> = events.map(ToOwned::to_owned).collect();
    let told = own_notes::apply_distributed_all(tx, event_body, owner.tenant, &acted_on, now).await?;
    Ok((kept, told))
}

/// Key of a document, or of the document that an event concerns.
fn chave(document: &DocZip) -> Option<&str> {
    match &document.content_facts {
        DocumentContent::Document(facts) => Some(&facts.chave),
        DocumentContent::Event(facts) => Some(&facts.chave),
        DocumentContent::Unknown => None,
    }
}

/// Key of the document that an event concerns; `None` for documents.
fn event_target(document: &DocZip) -> Option<&str> {
    match &document.content_facts {
        DocumentContent::Event(facts) => Some(&facts.chave),
        _ => None,
    }
}

async fn save_all<T: Tx>(
    tx: &mut T,
    owner: &DistributionKey,
    documents: &[DocZip],
    now: i64,
) -> Result<NewDocuments, Error> {
    let mut kept = NewDocuments::default();
    save_issuers(tx, owner, documents).await?;
    for document in documents {
        if !insert_received(tx, owner, document, now).await? {
            continue;
        }
        kept.documentos += 1;
        match &document.content_facts {
            DocumentContent::Document(facts) => {
                kept.notas += save_facts(tx, owner, facts, now).await?;
                mark_cancelled(tx, owner, &facts.chave, now).await?;
            }
            DocumentContent::Event(facts) if facts.cancela => mark_cancelled(tx, owner, &facts.chave, now).await?,
            DocumentContent::Event(_) | DocumentContent::Unknown => {}
        }
    }
    Ok(kept)
}

/// Stores the words of the issuers' names, in order, so that no deadlock arises.
async fn save_issuers<T: Tx>(tx: &mut T, owner: &DistributionKey, documents: &[DocZip]) -> Result<(), Error> {
    let named = documents.iter().filter_map(|document| match &document.content_facts {
        DocumentContent::Document(facts) => Some((facts.emitente.as_str(), facts.nome.as_str())),
        _ => None,
    });
    let named: BTreeSet<(&str, &str)> = named.collect();
    let mut written = BTreeSet::new();
    for (emitente, nome) in named {
        written.extend(search_words(nome, MOST_WORDS).into_iter().map(|word| (word, emitente)));
    }
    let sql = "INSERT INTO issuer_words (tenant_id, ambiente, word, emitente) VALUES ($1, $2, $3, $4)
               ON CONFLICT DO NOTHING";
    for (word, emitente) in written {
        tx.execute(sql, &params![owner.tenant, words::ambiente(owner.ambiente), word, emitente]).await?;
    }
    Ok(())
}

/// Stores the document; returns whether it is new. One fetched by its key has no number: it is new when no such
/// document is stored.
async fn insert_received<T: Tx>(
    tx: &mut T,
    owner: &DistributionKey,
    document: &DocZip,
    now: i64,
) -> Result<bool, Error> {
    let (kind, chave, event) = match &document.content_facts {
        DocumentContent::Document(DocumentFacts { chave, completa: true, .. }) => ("nota", Some(chave), None),
        DocumentContent::Document(DocumentFacts { chave, completa: false, .. }) => ("resumo", Some(chave), None),
        DocumentContent::Event(facts @ EventFacts { completo: true, .. }) => {
            ("evento", Some(&facts.chave), Some(facts))
        }
        DocumentContent::Event(facts) => ("resumo_evento", Some(&facts.chave), Some(facts)),
        DocumentContent::Unknown => ("desconhecido", None, None),
    };
    if document.nsu.is_none() {
        let sql = "SELECT COUNT(*) FROM received_files WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3
                   AND tipo = $4 AND chave = $5 AND kind = $6";
        let mut same = owner.params();
        same.extend(params![chave, kind]);
        if first::<i64>(tx.query(sql, &same).await?)?.unwrap_or_default() > 0 {
            return Ok(false);
        }
    }
    if let Some(nsu) = document.nsu
        && !free_number(tx, owner, (nsu, chave, kind), &document.content).await?
    {
        return Ok(false);
    }
    let mut row = owner.params();
    row.extend(params![
        Uuid::now_v7(),
        document.nsu.map(stored),
        chave,
        kind,
        &document.schema,
        event.map(|event| &event.tpEvento),
        event.map(|event| event.nSeqEvento),
        event.map(|event| &event.dhEvento),
        event.and_then(|event| event.autor.as_ref()),
        event.and_then(|event| event.descricao.as_ref()),
        event.and_then(|event| event.nProt.as_ref()),
        &document.content,
        now,
        event.and_then(|event| event.motivo.as_ref()),
        event.and_then(|event| event.dhRegEvento.as_ref()),
        event.and_then(|event| event.substituta.as_ref())
    ]);
    let sql = "INSERT INTO received_files (tenant_id, cpf_cnpj, ambiente, tipo, id, nsu, chave, kind, schema_name, tpEvento, nSeqEvento,
                   dhEvento, autor, descricao, nProt, content, recebido_em, motivo, dhRegEvento,
                   substituta)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
               ON CONFLICT (tenant_id, cpf_cnpj, ambiente, tipo, nsu) WHERE nsu IS NOT NULL DO NOTHING";
    Ok(tx.execute(sql, &row).await? > 0)
}

/// `true` if a numbered document is new. An authority that restarts its numbers distributes known documents under other
/// numbers, which are stored already, and other documents under known numbers; the former ones lose their number and
/// stay.
async fn free_number<T: Tx>(
    tx: &mut T,
    owner: &DistributionKey,
    (nsu, chave, kind): (u64, Option<&String>, &str),
    content: &str,
) -> Result<bool, Error> {
    let mut other = owner.params();
    other.extend(params![stored(nsu), chave, kind, content]);
    let sql =
        "SELECT COUNT(*) FROM received_files WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4
               AND nsu <> $5 AND chave = $6 AND kind = $7 AND content = $8";
    if first::<i64>(tx.query(sql, &other).await?)?.unwrap_or_default() > 0 {
        return Ok(false);
    }
    let sql =
        "UPDATE received_files SET nsu = NULL WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4
               AND nsu = $5 AND content <> $8
                   AND (kind NOT IN ('nota', 'resumo') OR kind <> $7 OR COALESCE(chave, '') <> COALESCE($6, ''))";
    tx.execute(sql, &other).await?;
    Ok(true)
}

/// Stores the facts of a document; returns 1 for a document without facts before. A whole document never becomes a
/// summary again, and a cancelled one stays cancelled.
async fn save_facts<T: Tx>(tx: &mut T, owner: &DistributionKey, facts: &DocumentFacts, now: i64) -> Result<u32, Error> {
    let mut known = owner.params();
    known.extend(params![&facts.chave]);
    let sql = "SELECT COUNT(*) FROM received_notes WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND chave = $5";
    let new = first::<i64>(tx.query(sql, &known).await?)?.unwrap_or_default() == 0;
    let (tpNF, transport, services) = match &facts.type_facts {
        TypeFacts::Goods { tpNF } => (Some(tpNF), None, None),
        TypeFacts::Transport(transport) => (None, Some(transport), None),
        TypeFacts::Services(services) => (None, None, Some(services)),
    };
    let pays = transport.and_then(|one| one.tomador.as_ref());
    let mut row = known;
    row.extend(params![
        Uuid::now_v7(),
        &facts.emitente,
        &facts.nome,
        facts.ie.as_ref(),
        facts.destinatario.as_ref(),
        &facts.dhEmi,
        facts.emitida_em,
        facts.valor.as_ref(),
        facts.dhRecbto.as_ref(),
        facts.nProt.as_ref(),
        facts.situacao.word(),
        i64::from(facts.completa),
        tpNF,
        transport.map(|one| &one.modal),
        transport.map(|one| &one.tpServ),
        transport.map(|one| &one.tpCTe),
        transport.and_then(|one| one.remetente.as_ref()),
        transport.and_then(|one| one.expedidor.as_ref()),
        transport.and_then(|one| one.recebedor.as_ref()),
        pays.or(services.and_then(|one| one.tomador.as_ref())),
        now
    ]);
    row.extend(service_params(services));
    row.push(facts.authorised_at().into());
    tx.execute(UPSERT_FACTS, &row).await?;
    if new {
        tx.query_all(&[update_manifestation(owner.tenant, &facts.chave, now)]).await?;
    }
    Ok(u32::from(new))
}

/// Parameters `$27` to `$34`.
fn service_params(services: Option<&ServiceFacts>) -> Params {
    params![
        services.map(|one| &one.numero),
        services.map(|one| &one.competencia),
        services.map(|one| &one.municipio),
        services.map(|one| &one.servico),
        services.map(|one| &one.descricao),
        services.and_then(|one| one.valor_liquido.as_ref()),
        services.and_then(|one| one.prestador.as_ref()),
        services.and_then(|one| one.intermediario.as_ref()),
    ]
}

const UPSERT_FACTS: &str = "INSERT INTO received_notes (tenant_id, cpf_cnpj, ambiente, tipo, chave, id, emitente, nome, ie, destinatario, dhEmi,
        emitida_em, valor, dhRecbto, nProt, situacao, completa, tpNF, modal, tpServ, tpCTe, remetente, expedidor, recebedor, tomador,
        recebido_em, atualizado_em, numero, competencia, municipio, servico, descricao, valor_liquido, prestador, intermediario,
        autorizada_em)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $26,
        $27, $28, $29, $30, $31, $32, $33, $34, $35)
    ON CONFLICT (tenant_id, cpf_cnpj, ambiente, chave) DO UPDATE SET
        ie = COALESCE(received_notes.ie, excluded.ie),
        destinatario = COALESCE(excluded.destinatario, received_notes.destinatario),
        situacao = CASE WHEN received_notes.situacao = 'cancelada' THEN 'cancelada' ELSE excluded.situacao END,
        completa = CASE WHEN received_notes.completa = 1 THEN 1 ELSE excluded.completa END,
        atualizado_em = excluded.atualizado_em";

/// Marks a document cancelled if a cancellation of it is stored; either may arrive first.
async fn mark_cancelled<T: Tx>(tx: &mut T, owner: &DistributionKey, chave: &str, now: i64) -> Result<(), Error> {
    let mut row = owner.params();
    row.extend(params![chave, now]);
    // The cancellation of a CT-e is among these codes; the others do not occur on a CT-e, and those of an NFS-e occur
    // on no other type.
    let mut cancellations: Vec<&str> =
        NfeEventKind::ALL.into_iter().filter(|kind| kind.is_cancellation()).map(NfeEventKind::code).collect();
    cancellations.extend(nfse::registered::CANCELLATIONS);
    let sql = format!(
        "UPDATE received_notes SET situacao = 'cancelada', atualizado_em = $6
         WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND chave = $5 AND situacao <> 'cancelada'
             AND EXISTS (SELECT 1 FROM received_files f WHERE f.tenant_id = $1 AND f.chave = $5
                 AND f.tpEvento IN ('{}'))",
        cancellations.join("', '")
    );
    tx.execute(&sql, &row).await.map(drop)
}

/// Updates the manifestation shown on a note.
pub(crate) fn update_manifestation(tenant: Uuid, chave: &str, now: i64) -> SqlStep<'static> {
    SqlStep::new(UPDATE_MANIFESTATION, params![tenant, chave, now])
}

/// Updates the manifestation shown on a note from the ledger of events: the last one counts, but "ciência" does not
/// after any other (NT 2020.001 v1.60, 3 E; anexo II of the NFS-e). `$1` account, `$2` key, `$3` now.
const UPDATE_MANIFESTATION: &str = "UPDATE received_notes SET (manifestacao, manifestada_em) = (
        SELECT CASE e.tpEvento WHEN '210200' THEN 'confirmacao' WHEN '210210' THEN 'ciencia'
                   WHEN '210220' THEN 'desconhecimento' WHEN '210240' THEN 'nao_realizada'
                   WHEN '202205' THEN 'rejeicao' WHEN '203206' THEN 'rejeicao' WHEN '204207' THEN 'rejeicao'
                   ELSE 'confirmacao' END, j.concluido_em
        FROM events e JOIN jobs j ON j.tenant_id = e.tenant_id AND j.id = e.job_id
        WHERE e.tenant_id = $1 AND e.chave = $2 AND e.state = 'registered'
            AND e.tpEvento IN ('210200', '210210', '210220', '210240', '202201', '203202', '204203', '202205', '203206', '204207')
            AND j.cpf_cnpj = received_notes.cpf_cnpj AND j.ambiente = received_notes.ambiente
        ORDER BY CASE e.tpEvento WHEN '210210' THEN 1 ELSE 0 END, COALESCE(e.dhRegEvento, '') DESC, j.id DESC LIMIT 1),
        atualizado_em = $3
    WHERE tenant_id = $1 AND chave = $2";
