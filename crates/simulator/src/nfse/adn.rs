//! The ADN for taxpayers: notes and events by NSU, events of a note.
//!
//! Law: OpenAPI of the ADN contribuinte (2025-12), codes E2000, E2215, E2230, E2240, E2241 of anexo II. A document is
//! distributed under the number of each party named in it, as issuer, tomador or intermediário; the size of a batch is
//! not published.

use super::answer::{NationalAnswer, ProcessingMessage, moment};
use super::envelope::pack;
use super::notes::FeedItem;
use super::{NationalRequest, certificate};
use crate::taxpayer::same_taxpayer;
use fiscal::value::TpAmb;
use http::StatusCode;
use serde_json::{Value, json};

/// Most documents in an answer.
const BATCH: usize = 50;

/// `GET /DFe/{NSU}?cnpjConsulta=&lote=`: documents after that number; with `lote=false` the document of that number.
pub(super) fn distribution(asked: &NationalRequest<'_>, nsu: &str, query: &str) -> NationalAnswer {
    if let Some(stopped) = certificate_refusal(asked) {
        return stopped;
    }
    let Ok(nsu) = nsu.parse::<u64>() else {
        return refused(asked, StatusCode::BAD_REQUEST, &ProcessingMessage::new("E2230"));
    };
    let parameter = |name: &str| {
        query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let taxpayer = parameter("cnpjConsulta").filter(|value| !value.is_empty()).unwrap_or(asked.holder());
    if !same_taxpayer(taxpayer, asked.holder()) {
        return refused(asked, StatusCode::BAD_REQUEST, &ProcessingMessage::new("E2241"));
    }
    let in_batches = parameter("lote") != Some("false");
    let notes = asked.world.nfse();
    let wanted = |piece: &&FeedItem| if in_batches { piece.nsu > nsu } else { piece.nsu == nsu };
    let found: Vec<&FeedItem> = notes.feed(asked.ambiente, taxpayer).iter().filter(wanted).take(BATCH).collect();
    let empty = if in_batches { "E2215" } else { "E2230" };
    listed(asked, &found, empty)
}

/// `GET /NFSe/{chave}/Eventos`.
pub(super) fn events(asked: &NationalRequest<'_>, chave: &str) -> NationalAnswer {
    if let Some(stopped) = certificate_refusal(asked) {
        return stopped;
    }
    let notes = asked.world.nfse();
    let Some(note) = notes.note(asked.ambiente, chave) else {
        return refused(asked, StatusCode::NOT_FOUND, &ProcessingMessage::new("E2240"));
    };
    if !note.names(asked.holder()) {
        return refused(asked, StatusCode::NOT_FOUND, &ProcessingMessage::new("E2241"));
    }
    let Some(party) = note.parties().find(|party| same_taxpayer(party, asked.holder())) else {
        return refused(asked, StatusCode::NOT_FOUND, &ProcessingMessage::new("E2241"));
    };
    let feed = notes.feed(asked.ambiente, party).iter();
    let found: Vec<&FeedItem> = feed.filter(|piece| piece.chave == chave && piece.event.is_some()).collect();
    listed(asked, &found, "E2240")
}

fn listed(asked: &NationalRequest<'_>, found: &[&FeedItem], empty: &'static str) -> NationalAnswer {
    if found.is_empty() {
        return distribution_answer(
            asked,
            StatusCode::NOT_FOUND,
            "NENHUM_DOCUMENTO_LOCALIZADO",
            Vec::new(),
            &[ProcessingMessage::new(empty)],
        );
    }
    let pieces = found.iter().map(|piece| one(piece)).collect();
    distribution_answer(asked, StatusCode::OK, "DOCUMENTOS_LOCALIZADOS", pieces, &[])
}

fn one(piece: &FeedItem) -> Value {
    json!({
        "NSU": piece.nsu,
        "ChaveAcesso": piece.chave,
        "TipoDocumento": if piece.event.is_some() { "EVENTO" } else { "NFSE" },
        "TipoEvento": piece.event,
        "ArquivoXml": pack(&piece.xml),
        "DataHoraGeracao": crate::clock::format_instant(piece.at, fiscal::value::brasilia::HOURS),
    })
}

/// A missing certificate has a status of its own there (496, as it was seen to answer).
fn certificate_refusal(asked: &NationalRequest<'_>) -> Option<NationalAnswer> {
    let status = match asked.credential {
        None => StatusCode::from_u16(496).unwrap_or(StatusCode::FORBIDDEN),
        Some(_) if certificate::problems(asked).is_empty() => return None,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    Some(refused(asked, status, &ProcessingMessage::new("E2000")))
}

fn refused(asked: &NationalRequest<'_>, status: StatusCode, problem: &ProcessingMessage) -> NationalAnswer {
    distribution_answer(asked, status, "REJEICAO", Vec::new(), std::slice::from_ref(problem))
}

fn distribution_answer(
    asked: &NationalRequest<'_>,
    status: StatusCode,
    outcome: &str,
    pieces: Vec<Value>,
    problems: &[ProcessingMessage],
) -> NationalAnswer {
    let erros: Vec<Value> = problems
        .iter()
        .map(|problem| json!({ "Codigo": problem.codigo, "Descricao": problem.descricao, "Complemento": problem.complemento, "Parametros": [] }))
        .collect();
    let ambiente = if asked.ambiente == TpAmb::Producao { "PRODUCAO" } else { "HOMOLOGACAO" };
    let body = json!({
        "StatusProcessamento": outcome,
        "LoteDFe": pieces,
        "Alertas": [],
        "Erros": erros,
        "TipoAmbiente": ambiente,
        "VersaoAplicativo": super::VER_APLIC,
        "DataHoraProcessamento": moment(asked),
    });
    NationalAnswer::of(status, body).with_first_code(problems)
}
