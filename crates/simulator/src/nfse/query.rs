//! Queries: a note by its key, a DPS by its Id, the events of a note.
//!
//! Law: OpenAPI of the Sefin Nacional; a note is shown to the parties named in it, the existence of a DPS to any
//! certificate. The codes of these refusals are in no annex.

use super::answer::{NationalAnswer, ProcessingMessage, refused, with_head};
use super::envelope::pack;
use super::notes::{NfseEvent, StoredNfse};
use super::{NationalRequest, alterations, certificate};
use crate::soap::base64;
use fiscal::value::ChaveNfse;
use http::StatusCode;
use serde_json::{Value, json};

/// `GET /nfse/{chave}`.
pub(super) fn note(asked: &NationalRequest<'_>, chave: &str) -> NationalAnswer {
    if let Some(stopped) = refusal_of_certificate(asked, StatusCode::UNAUTHORIZED) {
        return stopped;
    }
    if ChaveNfse::parse(chave).is_err() {
        return stated(asked, StatusCode::BAD_REQUEST, "A chave de acesso consultada deve conter 50 números.");
    }
    let stored = asked.world.nfse().note(asked.ambiente, chave).filter(|note| is_found(asked, note)).cloned();
    let another = alterations::substituted_note(asked, |one| one.chave == chave);
    match another.or_else(|| stored.map(|note| alterations::altered_note(asked, note))) {
        None => stated(asked, StatusCode::NOT_FOUND, "Chave de acesso não encontrada."),
        Some(note) if !note.names(asked.holder()) => {
            stated(asked, StatusCode::FORBIDDEN, "Consulta desta NFS-e não é permitida para este usuário.")
        }
        Some(note) => {
            let members = [("chaveAcesso", json!(note.chave)), ("nfseXmlGZipB64", json!(pack(note.xml())))];
            NationalAnswer::of(StatusCode::OK, with_head(asked, members)).about(chave)
        }
    }
}

/// `GET /dps/{id}`.
pub(super) fn dps(asked: &NationalRequest<'_>, id: &str) -> NationalAnswer {
    if let Some(stopped) = refusal_of_certificate(asked, StatusCode::FORBIDDEN) {
        return stopped;
    }
    if !is_id(id) {
        return stated(asked, StatusCode::BAD_REQUEST, "Identificador de DPS inválido");
    }
    let stored = {
        let mut notes = asked.world.nfse();
        notes.count(id).consultada += 1;
        notes.of_dps(asked.ambiente, asked.host.ambGer(), id).filter(|note| is_found(asked, note)).cloned()
    };
    let another = alterations::substituted_note(asked, |one| one.id_dps == id);
    match another.or_else(|| stored.map(|note| alterations::altered_note(asked, note))) {
        None => {
            let said = "Não foi gerada uma NFS-e com o identificador de DPS informado";
            stated(asked, StatusCode::NOT_FOUND, said).about(id)
        }
        Some(note) if !note.names(asked.holder()) => {
            stated(asked, StatusCode::FORBIDDEN, "Consulta deste DPS não é permitida para este usuário.").about(id)
        }
        Some(note) => {
            let members = [("idDps", json!(note.id_dps)), ("chaveAcesso", json!(note.chave))];
            NationalAnswer::of(StatusCode::OK, with_head(asked, members)).about(id)
        }
    }
}

/// `HEAD /dps/{id}`: any certificate may ask; the answer is a status alone.
pub(super) fn dps_exists(asked: &NationalRequest<'_>, id: &str) -> NationalAnswer {
    let mut notes = asked.world.nfse();
    let status = match () {
        () if !certificate::problems(asked).is_empty() => StatusCode::FORBIDDEN,
        () if !is_id(id) => StatusCode::BAD_REQUEST,
        () => {
            notes.count(id).consultada += 1;
            let found = notes.of_dps(asked.ambiente, asked.host.ambGer(), id).is_some_and(|note| is_found(asked, note));
            if found { StatusCode::OK } else { StatusCode::NOT_FOUND }
        }
    };
    NationalAnswer { status, body: None, codigo: None, chaves: vec![id.to_owned()] }
}

/// `GET /nfse/{chave}/eventos[/{tipo}[/{n}]]`.
pub(super) fn events(
    asked: &NationalRequest<'_>,
    chave: &str,
    tipo: Option<&str>,
    numero: Option<&str>,
) -> NationalAnswer {
    if let Some(stopped) = refusal_of_certificate(asked, StatusCode::UNAUTHORIZED) {
        return stopped;
    }
    let notes = asked.world.nfse();
    let note = notes.note(asked.ambiente, chave).filter(|note| is_found(asked, note));
    if note.is_some_and(|note| !note.names(asked.holder())) {
        return stated(asked, StatusCode::UNAUTHORIZED, "Usuário não tem permissão para acessar os eventos");
    }
    let numero = numero.map(|text| text.parse::<u16>().unwrap_or_default());
    let wanted = |event: &&NfseEvent| {
        tipo.is_none_or(|tipo| event.tipo == tipo) && numero.is_none_or(|numero| event.numero == numero)
    };
    let found: Vec<&NfseEvent> = note.into_iter().flat_map(|note| &note.eventos).filter(wanted).collect();
    event_answer(asked, chave, note, &found)
}

/// Without events the answer is 404 without any error, as in production.
fn event_answer(
    asked: &NationalRequest<'_>,
    chave: &str,
    note: Option<&StoredNfse>,
    found: &[&NfseEvent],
) -> NationalAnswer {
    let (Some(note), [first, ..]) = (note, found) else {
        return NationalAnswer::of(StatusCode::NOT_FOUND, with_head(asked, [])).about(chave);
    };
    if asked.world.settings().nfse.evento_unico {
        let members = [("eventoXmlGZipB64", json!(pack(&first.xml)))];
        return NationalAnswer::of(StatusCode::OK, with_head(asked, members)).about(chave);
    }
    let list: Vec<Value> = found.iter().map(|event| listed(note, event)).collect();
    NationalAnswer::of(StatusCode::OK, with_head(asked, [("eventos", Value::Array(list))])).about(chave)
}

/// An event of the list, its document in base64 twice, as production was seen to answer.
fn listed(note: &StoredNfse, event: &NfseEvent) -> Value {
    json!({
        "chaveAcesso": note.chave,
        "tipoEvento": event.tipo.parse::<u32>().unwrap_or_default(),
        "numeroPedidoRegistroEvento": event.numero,
        "dataHoraRecebimento": event.dhProc,
        "arquivoXml": base64(pack(&event.xml).as_bytes()),
    })
}

/// True for a visible note of the queried host.
fn is_found(asked: &NationalRequest<'_>, note: &StoredNfse) -> bool {
    note.ambGer == asked.host.ambGer() && note.visibility.is_reached()
}

/// Refusal of a certificate that may not ask; a missing one has its own status.
pub(super) fn refusal_of_certificate(asked: &NationalRequest<'_>, missing: StatusCode) -> Option<NationalAnswer> {
    if asked.credential.is_none() {
        return Some(stated(asked, missing, "Não foi possível obter o certificado de cliente."));
    }
    let problems = certificate::problems(asked);
    (!problems.is_empty()).then(|| refused(asked, StatusCode::FORBIDDEN, &problems))
}

fn stated(asked: &NationalRequest<'_>, status: StatusCode, said: &'static str) -> NationalAnswer {
    refused(asked, status, &[ProcessingMessage::of_status(status, said)])
}

/// Shape of the Id of a DPS.
fn is_id(id: &str) -> bool {
    let Some(positions) = id.strip_prefix("DPS") else { return false };
    positions.len() == 42 && positions.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
