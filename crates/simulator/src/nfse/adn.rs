//! The ADN for taxpayers: notes and events by NSU, events of a note.
//!
//! Law: OpenAPI of the ADN contribuinte (2025-12), codes E2000, E2215, E2230, E2240, E2241 of anexo II. A document is
//! distributed under the number of each party named in it, as issuer, tomador or intermediário; the size of a batch is
//! not published.

use super::answer::{Answer, Problem, moment};
use super::envelope::pack;
use super::notes::Piece;
use super::{Visit, certificate, same_taxpayer};
use fiscal::value::TpAmb;
use http::StatusCode;
use serde_json::{Value, json};

/// Most documents in an answer.
const BATCH: usize = 50;

/// `GET /DFe/{NSU}?cnpjConsulta=&lote=`: documents after that number; with `lote=false` the document of that number.
pub(super) fn distribution(asked: &Visit<'_>, nsu: &str, query: &str) -> Answer {
    if let Some(stopped) = certified(asked) {
        return stopped;
    }
    let Ok(nsu) = nsu.parse::<u64>() else { return refused(asked, StatusCode::BAD_REQUEST, &Problem::new("E2230")) };
    let parameter = |name: &str| {
        query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let taxpayer = parameter("cnpjConsulta").filter(|value| !value.is_empty()).unwrap_or(asked.holder());
    if !same_taxpayer(taxpayer, asked.holder()) {
        return refused(asked, StatusCode::BAD_REQUEST, &Problem::new("E2241"));
    }
    let in_batches = parameter("lote") != Some("false");
    let notes = asked.world.nfse();
    let wanted = |piece: &&Piece| if in_batches { piece.nsu > nsu } else { piece.nsu == nsu };
    let found: Vec<&Piece> = notes.feed(asked.ambiente, taxpayer).iter().filter(wanted).take(BATCH).collect();
    let empty = if in_batches { "E2215" } else { "E2230" };
    listed(asked, &found, empty)
}

/// `GET /NFSe/{chave}/Eventos`.
pub(super) fn events(asked: &Visit<'_>, chave: &str) -> Answer {
    if let Some(stopped) = certified(asked) {
        return stopped;
    }
    let notes = asked.world.nfse();
    let Some(note) = notes.note(asked.ambiente, chave) else {
        return refused(asked, StatusCode::NOT_FOUND, &Problem::new("E2240"));
    };
    if !note.names(asked.holder()) {
        return refused(asked, StatusCode::NOT_FOUND, &Problem::new("E2241"));
    }
    let Some(party) = note.parties().find(|party| same_taxpayer(party, asked.holder())) else {
        return refused(asked, StatusCode::NOT_FOUND, &Problem::new("E2241"));
    };
    let feed = notes.feed(asked.ambiente, party).iter();
    let found: Vec<&Piece> = feed.filter(|piece| piece.chave == chave && piece.event.is_some()).collect();
    listed(asked, &found, "E2240")
}

fn listed(asked: &Visit<'_>, found: &[&Piece], empty: &'static str) -> Answer {
    if found.is_empty() {
        return said(asked, StatusCode::NOT_FOUND, "NENHUM_DOCUMENTO_LOCALIZADO", Vec::new(), &[Problem::new(empty)]);
    }
    let pieces = found.iter().map(|piece| one(piece)).collect();
    said(asked, StatusCode::OK, "DOCUMENTOS_LOCALIZADOS", pieces, &[])
}

fn one(piece: &Piece) -> Value {
    json!({
        "NSU": piece.nsu,
        "ChaveAcesso": piece.chave,
        "TipoDocumento": if piece.event.is_some() { "EVENTO" } else { "NFSE" },
        "TipoEvento": piece.event,
        "ArquivoXml": pack(&piece.xml),
        "DataHoraGeracao": crate::clock::written(piece.at, fiscal::value::brasilia::HOURS),
    })
}

/// A missing certificate has a status of its own there (496, as it was seen to answer).
fn certified(asked: &Visit<'_>) -> Option<Answer> {
    let status = match asked.credential {
        None => StatusCode::from_u16(496).unwrap_or(StatusCode::FORBIDDEN),
        Some(_) if certificate::problems(asked).is_empty() => return None,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    Some(refused(asked, status, &Problem::new("E2000")))
}

fn refused(asked: &Visit<'_>, status: StatusCode, problem: &Problem) -> Answer {
    said(asked, status, "REJEICAO", Vec::new(), std::slice::from_ref(problem))
}

fn said(asked: &Visit<'_>, status: StatusCode, outcome: &str, pieces: Vec<Value>, problems: &[Problem]) -> Answer {
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
    Answer::of(status, body).saying(problems)
}
