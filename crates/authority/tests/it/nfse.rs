//! The Sefin Nacional: the calls byte for byte, and answers in every form of its OpenAPI and its production, typed by
//! us.

use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::nfse_nacional::{
    DpsAnswer, IssueAnswer, NfseAnswer, NfseEventAnswer, SefinEndpoint, SefinMessage, read_dps, read_event,
    read_events, read_exists, read_issue, read_nfse,
};
use authority::sefaz::UnreadableReply;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::ChaveNfse;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::StatusCode;
use std::io::{Read as _, Write as _};

const CHAVE: &str = "35503082211222333000181000000000000126111234567890";
const ID: &str = "DPS355030821122233300018100001000000000000001";
const NFSE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NFSe>ç</NFSe>";

fn chave() -> ChaveNfse {
    ChaveNfse::parse(CHAVE).unwrap()
}

fn packed(xml: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(xml.as_bytes()).unwrap();
    STANDARD.encode(gzip.finish().unwrap())
}

fn reply(status: u16, body: impl Into<Vec<u8>>) -> AuthorityReply {
    AuthorityReply::new(StatusCode::from_u16(status).unwrap(), body)
}

fn codes(said: &[SefinMessage]) -> Vec<&str> {
    said.iter().map(|said| said.codigo.as_str()).collect()
}

fn document_of(call: &AuthorityCall, name: &str) -> String {
    let body = std::str::from_utf8(&call.body).unwrap();
    let packed = body.strip_prefix(&format!("{{\"{name}\":\"")).unwrap().strip_suffix("\"}").unwrap();
    let mut xml = String::new();
    GzDecoder::new(STANDARD.decode(packed).unwrap().as_slice()).read_to_string(&mut xml).unwrap();
    xml
}

#[test]
fn every_call_goes_where_the_openapi_says() {
    let sefin = SefinEndpoint::at("https://sefin.nfse.gov.br/SefinNacional/");
    let chave = chave();
    for (call, method, path) in [
        (sefin.issue("<DPS/>"), CallMethod::Post, "/nfse".to_owned()),
        (sefin.nfse(&chave), CallMethod::Get, format!("/nfse/{CHAVE}")),
        (sefin.dps(ID), CallMethod::Get, format!("/dps/{ID}")),
        (sefin.exists(ID), CallMethod::Head, format!("/dps/{ID}")),
        (sefin.event(&chave, "<pedRegEvento/>"), CallMethod::Post, format!("/nfse/{CHAVE}/eventos")),
        (sefin.event_of(&chave, "101101", 1), CallMethod::Get, format!("/nfse/{CHAVE}/eventos/101101/1")),
    ] {
        assert_eq!((call.method, &*call.url), (method, &*format!("https://sefin.nfse.gov.br/SefinNacional{path}")));
        let is_json = call.headers.contains(&("content-type", "application/json".to_owned()));
        assert_eq!((is_json, call.body.is_empty()), (method == CallMethod::Post, method != CallMethod::Post), "{path}");
    }
    let declared = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let (dps, event) = (sefin.issue("<DPS>ç</DPS>"), sefin.event(&chave, "<pedRegEvento/>"));
    assert_eq!(document_of(&dps, "dpsXmlGZipB64"), format!("{declared}<DPS>ç</DPS>"));
    assert_eq!(document_of(&event, "pedidoRegistroEventoXmlGZipB64"), format!("{declared}<pedRegEvento/>"));
}

#[test]
fn a_dps_that_is_accepted_brings_its_note_byte_by_byte() {
    let nfse = packed(NFSE);
    for name in ["idDps", "idDPS"] {
        let body = format!(
            r#"{{"tipoAmbiente":2,"{name}":"{ID}","chaveAcesso":"{CHAVE}","nfseXmlGZipB64":"{nfse}","alertas":[{{"codigo":"A1","mensagem":"x"}}]}}"#
        );
        let Ok(IssueAnswer::Authorized(issued)) = read_issue(&reply(201, body)) else { panic!("{name}") };
        assert_eq!((issued.chave, &*issued.xml, codes(&issued.alertas)), (chave(), NFSE, vec!["A1"]));
    }
}

#[test]
fn the_errors_of_a_refusal_are_read_in_every_shape() {
    let one = r#"{"codigo":"E0010","descricao":"Série","complemento":null}"#;
    for body in [
        format!(r#"{{"idDPS":"{ID}","erros":[{one}]}}"#),
        format!(r#"{{"Erros":[{one}]}}"#),
        format!(r#"{{"erro":{one}}}"#),
        format!(r#"{{"erro":[{one}]}}"#),
        format!("[{one}]"),
        r#"{"codigo":"E0010","mensagem":"Série"}"#.to_owned(),
        r#"{"erros":[{"Codigo":"E0010","Descricao":"Série","Complemento":""}]}"#.to_owned(),
    ] {
        let Ok(IssueAnswer::Rejected(said)) = read_issue(&reply(400, body.clone())) else { panic!("{body}") };
        assert_eq!(
            (codes(&said), &*said[0].descricao, &said[0].complemento),
            (vec!["E0010"], "Série", &None),
            "{body}"
        );
    }
    let duplicate = r#"{"erros":[{"codigo":"E0008","descricao":"a"},{"codigo":"E0014","descricao":"b"}]}"#;
    assert!(matches!(read_issue(&reply(400, duplicate)), Ok(IssueAnswer::Duplicate(said)) if said.len() == 2));
    let forbidden = r#"{"erros":[{"codigo":"E9000","descricao":"Certificado"}]}"#;
    assert!(matches!(read_issue(&reply(403, forbidden)), Ok(IssueAnswer::Forbidden(_))));
}

/// An answer that proves nothing leaves the document in doubt.
#[test]
fn pages_failures_and_cut_bodies_say_nothing_of_a_document() {
    let html = "<!DOCTYPE html><html><head><title>Manutenção</title></head></html>";
    let failed = r#"{"tipoAmbiente":2,"erros":[{"codigo":"E9999","descricao":"Erro"}]}"#;
    for (status, body) in [
        (200, html),
        (400, html),
        (403, html),
        (404, html),
        (500, html),
        (500, failed),
        (502, ""),
        (429, "{}"),
        (400, "{}"),
        (400, r#"{"erros":[]}"#),
        (201, "{"),
        (302, ""),
    ] {
        assert!(read_issue(&reply(status, body)).is_err(), "{status} {body}");
    }
    for (status, body) in [
        (404, html),
        (404, ""),
        (404, r#"{"statusCode":404,"message":"Resource not found"}"#),
        (500, failed),
        (503, html),
        (200, "{}"),
        (200, r#"{"chaveAcesso":"123"}"#),
    ] {
        assert!(read_dps(&reply(status, body)).is_err(), "{status} {body}");
        assert!(read_nfse(&reply(status, body)).is_err(), "{status} {body}");
    }
    let Err(UnreadableReply::Status { status, explanation: said }) = read_issue(&reply(500, failed)) else {
        panic!("a status")
    };
    assert_eq!((status.as_u16(), &*said), (500, "E9999: Erro"));
}

#[test]
fn a_question_for_a_dps_or_a_note_is_answered() {
    let found = format!(r#"{{"tipoAmbiente":2,"idDps":"{ID}","chaveAcesso":"{CHAVE}"}}"#);
    assert_eq!(read_dps(&reply(200, found)), Ok(DpsAnswer::Found(chave())));
    let none = r#"{"tipoAmbiente":2,"erro":{"codigo":"E2220","descricao":"não encontrada"}}"#;
    assert_eq!(read_dps(&reply(404, none)), Ok(DpsAnswer::NotFound));
    assert_eq!(read_nfse(&reply(404, r#"{"tipoAmbiente":2}"#)), Ok(NfseAnswer::NotFound));
    assert!(matches!(read_dps(&reply(400, none)), Ok(DpsAnswer::Refused(_))));
    assert!(matches!(read_nfse(&reply(403, none)), Ok(NfseAnswer::Refused(_))));
    let note = format!(r#"{{"chaveAcesso":"{CHAVE}","nfseXmlGZipB64":"{}"}}"#, packed(NFSE));
    assert!(matches!(read_nfse(&reply(200, note)), Ok(NfseAnswer::Found(issued)) if issued.xml == NFSE));
    for (status, answer) in [(200, Some(true)), (404, Some(false)), (500, None), (403, None)] {
        assert_eq!(read_exists(&reply(status, "")).ok(), answer, "{status}");
    }
}

#[test]
fn an_event_is_registered_refused_and_found() {
    let event = "<evento/>";
    let registered = format!(r#"{{"tipoAmbiente":2,"eventoXmlGZipB64":"{}"}}"#, packed(event));
    assert_eq!(read_event(&reply(201, registered.clone())), Ok(NfseEventAnswer::Registered(event.to_owned())));
    let schema = r#"{"erro":[{"codigo":"RNG6110","descricao":"Falha Schema Xml","complemento":"Id"}]}"#;
    let Ok(NfseEventAnswer::Rejected(said)) = read_event(&reply(400, schema)) else { panic!("a rejection") };
    assert_eq!(said[0].text(), "RNG6110: Falha Schema Xml (Id)");
    assert!(matches!(read_event(&reply(401, schema)), Ok(NfseEventAnswer::Forbidden(_))));
    assert!(read_event(&reply(500, schema)).is_err());
    let twice = STANDARD.encode(packed(event));
    let listed = format!(r#"{{"eventos":[{{"tipoEvento":101101,"arquivoXml":"{twice}"}}]}}"#);
    for body in [registered, listed] {
        let found = read_events(&reply(200, body)).unwrap();
        assert_eq!(found.iter().map(|event| &*event.xml).collect::<Vec<_>>(), [event]);
    }
    assert_eq!(read_events(&reply(404, r#"{"tipoAmbiente":2}"#)), Ok(Vec::new()));
    assert!(read_events(&reply(404, "<html></html>")).is_err());
}
