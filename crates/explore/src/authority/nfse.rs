//! The Sefin Nacional: a declaration (DPS) becomes a note with a key of its own, which is queried by the declaration's
//! identity.

use super::answer::{self, AnswerOddity};
use super::text::element;
use super::{AuthorityModel, HeldDocument, ModelAnswer, SentMessage};
use crate::authority::sefaz::{document_in, sale_in, written};
use authority::call::AuthorityReply;
use authority::table::AuthorityService;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::StatusCode;
use std::io::Write as _;

/// Positions of the identity of a declaration.
const IDENTITY: usize = 45;

/// Identity of the first declaration in a text.
pub fn identity_in(text: &str) -> Option<&str> {
    text.split_once("Id=\"DPS").map(|(before, _)| before.len() + 4).and_then(|at| text.get(at..at + IDENTITY))
}

pub(super) fn process(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    match message.service {
        AuthorityService::Autorizacao => issue(all, message, oddity),
        AuthorityService::ConsultaProtocolo => ask(all, message, oddity),
        _ => sefin_answer(StatusCode::NOT_FOUND, "404", &refusal("E4004", "Nada encontrado")),
    }
}

fn issue(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    let text = document_in(message);
    let (identity, sale) = (identity_in(&text).unwrap_or_default().to_owned(), sale_in(&text));
    if oddity == AnswerOddity::Uncatalogued || identity.is_empty() {
        return sefin_answer(StatusCode::BAD_REQUEST, "E9999", &refusal("E9999", "Erro interno não catalogado"));
    }
    if all.refused_sales.contains(&sale) {
        return sefin_answer(StatusCode::BAD_REQUEST, "E0310", &refusal("E0310", "Código de tributação inexistente"));
    }
    let (now_ms, dh) = (all.time.elapsed_ms(), written(all.time.now()));
    let numero = all.protocol_number();
    let numero: u64 = numero.trim_start_matches("135").parse().unwrap_or_default();
    let book = all.book(&message.authority);
    if book.by_key(&identity).is_some() {
        return sefin_answer(
            StatusCode::BAD_REQUEST,
            "E0014",
            &refusal("E0014", "Conjunto de série e número já existe"),
        );
    }
    let key = format!("35503082211222333000181{numero:013}2611{:09}7", 424_242 + numero);
    let declaration = text.split_once("?>").map_or(text.as_str(), |(_, rest)| rest);
    let xml = note(&key, numero, &dh, declaration);
    let hidden_ms = if let AnswerOddity::Hidden(ms) = oddity { ms } else { 0 };
    book.add(HeldDocument {
        chave: identity,
        note_key: key.clone(),
        sale,
        digest: element(&text, "DigestValue").to_owned(),
        protocol_xml: xml.clone(),
        cancellation_xml: None,
        visible_from_ms: now_ms + hidden_ms,
        registered_ms: now_ms,
    });
    match oddity {
        AnswerOddity::Gateway { .. } => answer::gateway(),
        AnswerOddity::Garbage => answer::garbage(),
        AnswerOddity::Digest => found(&key, &note(&key, numero, &dh, &other_digest(declaration)), StatusCode::CREATED),
        _ => found(&key, &xml, StatusCode::CREATED),
    }
}

fn ask(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    let now_ms = all.time.elapsed_ms();
    let asked = message.url.rsplit('/').next().unwrap_or_default();
    let book = all.book(&message.authority);
    let mut documents = book.documents().filter(|held| held.visible_from_ms <= now_ms);
    let held = documents.find(|held| held.chave == asked || held.note_key == asked);
    let Some(held) = held else {
        return sefin_answer(StatusCode::NOT_FOUND, "404", &refusal("E4004", "Nada encontrado"));
    };
    match oddity {
        AnswerOddity::Gateway { .. } => answer::gateway(),
        AnswerOddity::Garbage => answer::garbage(),
        _ if held.chave == asked => {
            let body = format!("{{\"tipoAmbiente\":2,\"chaveAcesso\":\"{}\"}}", held.note_key);
            sefin_answer(StatusCode::OK, "named", &body)
        }
        _ => found(&held.note_key, &held.protocol_xml, StatusCode::OK),
    }
}

fn other_digest(declaration: &str) -> String {
    let digest = element(declaration, "DigestValue");
    declaration.replace(digest, "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
}

fn note(key: &str, numero: u64, dh: &str, declaration: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><NFSe xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\">\
         <infNFSe Id=\"NFS{key}\"><nNFSe>{numero}</nNFSe><cStat>100</cStat><dhProc>{dh}</dhProc>\
         <valores><vLiq>1000.00</vLiq></valores>{declaration}</infNFSe></NFSe>"
    )
}

fn found(key: &str, xml: &str, status: StatusCode) -> ModelAnswer {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = gzip.write_all(xml.as_bytes()).and_then(|()| gzip.finish()).unwrap_or_default();
    let packed = STANDARD.encode(packed);
    let body = format!("{{\"tipoAmbiente\":2,\"chaveAcesso\":\"{key}\",\"nfseXmlGZipB64\":\"{packed}\"}}");
    sefin_answer(status, "note", &body)
}

fn refusal(code: &str, text: &str) -> String {
    format!("{{\"tipoAmbiente\":2,\"erros\":[{{\"codigo\":\"{code}\",\"descricao\":\"{text}\"}}]}}")
}

fn sefin_answer(status: StatusCode, word: &str, body: &str) -> ModelAnswer {
    ModelAnswer { reply: Some(AuthorityReply::new(status, body)), word: word.to_owned() }
}
