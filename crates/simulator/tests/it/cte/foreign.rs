//! Messages of a client that shares no code with ours: the envelopes of the manual, typed by us, and answers validated
//! by the official schemas.

use super::bench::{Freight, FreightEvent};
use crate::bench::{Bench, start};
use crate::raw;
use crate::schemas::assert_valid;
use base64::Engine as _;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use std::io::Write as _;

/// The message of a service and its address.
struct ForeignMessage<'l> {
    service: &'l str,
    operation: &'l str,
    /// Service in the namespace of the message.
    namespace: &'l str,
    content: &'l str,
}

async fn post(bench: &Bench, letter: &ForeignMessage<'_>) -> String {
    let wsdl = |service: &str| format!("http://www.portalfiscal.inf.br/cte/wsdl/{service}");
    let ForeignMessage { service, operation, namespace, content } = letter;
    let envelope = format!(
        "<soap12:Envelope xmlns:soap12=\"http://www.w3.org/2003/05/soap-envelope\"><soap12:Body>\n<cteDadosMsg xmlns=\"{}\">{content}\
         </cteDadosMsg>\n</soap12:Body></soap12:Envelope>",
        wsdl(namespace)
    );
    let (mut sender, _) = raw::connect(bench, Some(&bench.certificate), None).await.unwrap();
    let request = http::Request::post(format!("/cte/rs/hom/{service}"))
        .header("Host", "127.0.0.1")
        .header(
            "Content-Type",
            format!("application/soap+xml; charset=utf-8; action=\"{}/{operation}\"", wsdl(service)),
        )
        .body(Full::new(Bytes::from(envelope)))
        .unwrap();
    let reply = sender.send_request(request).await.unwrap();
    assert_eq!(reply.status(), 200);
    let text = String::from_utf8(reply.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap();
    let open = format!("<{operation}Result xmlns=\"{}\">", wsdl(service));
    let (_, rest) = text.split_once(&open).unwrap_or_else(|| panic!("{text}"));
    rest.split_once(&format!("</{operation}Result>")).unwrap().0.to_owned()
}

async fn send(bench: &Bench, service: &str, operation: &str, content: &str) -> String {
    post(bench, &ForeignMessage { service, operation, namespace: service, content }).await
}

fn gzipped(text: &str) -> String {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap())
}

fn asked(root: &str, fields: &str) -> String {
    format!("<{root} xmlns=\"http://www.portalfiscal.inf.br/cte\" versao=\"4.00\">{fields}</{root}>")
}

fn query(chave: &str) -> String {
    asked("consSitCTe", &format!("<tpAmb>2</tpAmb><xServ>CONSULTAR</xServ><chCTe>{chave}</chCTe>"))
}

#[tokio::test]
async fn a_document_comes_as_base64_of_its_gzip_and_nothing_else_unpacks() {
    let bench = start().await;
    let signed = Freight::cargo(1).signed(&bench);
    let declared = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{signed}");
    let cases = [
        (gzipped(&declared), 100),
        (gzipped(&signed), 204),
        (signed.replace("<?xml", ""), 244),
        (base64::engine::general_purpose::STANDARD.encode(&signed), 244),
        ("H4sIAAAAAAAA".to_owned(), 244),
        (gzipped(&" ".repeat(64 << 20)), 214),
        (gzipped(&format!("{signed}{}", " ".repeat(600 << 10))), 214),
        (gzipped("<CTe>"), 243),
        (gzipped(&declared.replace("UTF-8", "ISO-8859-1")), 402),
        (gzipped("<outro/>"), 215),
        (gzipped(&signed.replacen("versao=\"4.00\"", "versao=\"3.00\"", 1)), 239),
        (gzipped(&signed.replacen("<ide>", "<ide> ", 1)), 599),
        (gzipped(&signed.replacen("<cUF>43</cUF>", "", 1)), 215),
    ];
    for (content, expected) in cases {
        let reply = send(&bench, "CTeRecepcaoSincV4", "cteRecepcao", &content).await;
        assert!(reply.contains(&format!("<cStat>{expected}</cStat>")), "{expected}: {reply}");
        assert_valid("cte/retCTe_v4.00.xsd", &reply);
    }
}

/// SVRS answers so.
#[tokio::test]
async fn the_67_in_the_element_of_the_57_is_244() {
    let bench = start().await;
    let content = gzipped(&Freight::passengers(1).signed(&bench));
    let letter = |namespace| ForeignMessage {
        service: "CTeRecepcaoOSV4",
        operation: "cteRecepcaoOS",
        namespace,
        content: &content,
    };
    for (namespace, expected) in [("CTeRecepcaoSincV4", 244), ("CTeRecepcaoOSV4", 100)] {
        let reply = post(&bench, &letter(namespace)).await;
        assert!(reply.contains(&format!("<cStat>{expected}</cStat>")), "{reply}");
        assert_valid("cte/retCTeOS_v4.00.xsd", &reply);
    }
}

#[tokio::test]
async fn every_answer_to_a_question_is_valid() {
    let bench = start().await;
    let freight = Freight::cargo(1);
    assert_eq!(bench.carried(&freight).await.0, 100);
    let chave = freight.chave();
    let nProt = bench.protocol_of(&chave);
    let consult = async |content: &str| send(&bench, "CTeConsultaV4", "cteConsultaCT", content).await;
    let mut replies = vec![
        (100, consult(&query(chave.as_str())).await),
        (217, consult(&query(Freight::cargo(2).chave().as_str())).await),
        (236, consult(&query("43261111222333000181570010000001011202611018")).await),
        (731, consult(&query("43251111222333000181570010000001011202611019")).await),
        (215, consult(&gzipped(&query(chave.as_str()))).await),
    ];
    assert_eq!(bench.report(&FreightEvent::cancellation(chave, &nProt)).await.0, 135);
    let told = consult(&query(chave.as_str())).await;
    let (head, event) = told.split_once("<procEventoCTe").unwrap();
    let event = event.split_once("</retConsSitCTe>").unwrap().0;
    // The schema of the query leaves one strict wildcard for an event of whatever version: the event is validated by
    // its own.
    replies.push((101, format!("{head}</retConsSitCTe>")));
    let event = format!("<procEventoCTe xmlns=\"http://www.portalfiscal.inf.br/cte\"{event}");
    assert_valid("cte/procEventoCTe_v4.00.xsd", &event);
    for (expected, reply) in &replies {
        assert!(reply.contains(&format!("<cStat>{expected}</cStat>")), "{expected}: {reply}");
        assert_valid("cte/retConsSitCTe_v4.00.xsd", reply);
    }
    for (uf, expected) in [("43", 107), ("35", 410)] {
        let content = asked("consStatServCTe", &format!("<tpAmb>2</tpAmb><cUF>{uf}</cUF><xServ>STATUS</xServ>"));
        let reply = send(&bench, "CTeStatusServicoV4", "cteStatusServicoCT", &content).await;
        assert!(reply.contains(&format!("<cStat>{expected}</cStat>")), "{reply}");
        assert_valid("cte/retConsStatServCTe_v4.00.xsd", &reply);
    }
    for content in ["<eventoCTe/>", "<x", ""] {
        let reply = send(&bench, "CTeRecepcaoEventoV4", "cteRecepcaoEvento", content).await;
        assert_valid("cte/retEventoCTe_v4.00.xsd", &reply);
    }
}
