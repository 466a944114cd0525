//! Replies validated by libxml2 with the official schemas: `CARIMBO_SCHEMAS`, or `target/schemas` as `cargo xtask
//! schemas` lays it out.

use crate::bench::{Bench, CNPJ, Note, batch, start};
use authority::table::AuthorityService;
use simulator::faults::{Fault, FaultType};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn schemas() -> PathBuf {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/schemas");
    let dir = std::env::var_os("CARIMBO_SCHEMAS").map_or_else(|| PathBuf::from(workspace), PathBuf::from);
    assert!(dir.join("nfe").is_dir(), "não há schemas em {}: rode `cargo xtask schemas`", dir.display());
    dir
}

/// The payload of a reply, exactly as it came.
fn payload_text(reply: &[u8]) -> String {
    let text = String::from_utf8(reply.to_vec()).unwrap();
    let from = text.find("<nfeResultMsg").unwrap();
    let from = from + text[from..].find('>').unwrap() + 1;
    text[from..text.find("</nfeResultMsg>").unwrap()].to_owned()
}

#[track_caller]
pub(crate) fn assert_valid(schema: &str, xml: &str) {
    let mut child = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .arg(schemas().join(schema))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("xmllint (Debian: libxml2-utils) é preciso: {error}"));
    child.stdin.take().unwrap().write_all(xml.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{schema}: {}\n{xml}", String::from_utf8_lossy(&output.stderr));
}

impl Bench {
    async fn text(&self, service: AuthorityService, payload: &str) -> String {
        payload_text(&self.send(&self.call(service, payload)).await.unwrap().body)
    }
}

fn nfe(root: &str, fields: &str) -> String {
    format!("<{root} xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\">{fields}</{root}>")
}

#[tokio::test]
async fn every_answer_to_an_authorisation_is_valid() {
    let bench = start().await;
    let ask = async |note: Note| bench.text(AuthorityService::Autorizacao, &batch(&[&bench.sign(&note)], "1")).await;
    let mut replies = vec![
        ask(Note::new(1)).await,
        ask(Note::new(1)).await,
        ask(Note::new(1).cNF(10_203_040)).await,
        ask(Note::new(2).xProd("X [SIM:cStat=302]")).await,
        ask(Note::new(3).xProd("X [SIM:cStat=610]")).await,
        ask(Note::new(4).xProd("X [SIM:cStat=103]")).await,
        ask(Note::new(5).xProd("X [SIM:cStat=999]")).await,
    ];
    for payload in ["<quebrado>", "<outro/>", &nfe("enviNFe", "<idLote>x</idLote>")] {
        replies.push(bench.text(AuthorityService::Autorizacao, payload).await);
    }
    for cStat in [108, 109, 225, 280, 565, 588] {
        bench.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(cStat));
        replies.push(ask(Note::new(6)).await);
    }
    let bent = [
        Fault::new(FaultType::WrongDigval),
        Fault::new(FaultType::NoDigval),
        Fault::new(FaultType::OddSuccess).cStat(199),
        Fault::new(FaultType::OtherDocument),
        Fault::new(FaultType::OtherDocument).cStat(610),
    ];
    for (nNF, fault) in (7..).zip(bent) {
        bench.simulator.add_fault(fault);
        replies.push(ask(Note::new(nNF)).await);
    }
    replies.iter().for_each(|reply| assert_valid("nfe/retEnviNFe_v4.00.xsd", reply));
}

#[tokio::test]
async fn every_answer_to_a_query_is_valid() {
    let bench = start().await;
    let query =
        |chave: &str| nfe("consSitNFe", &format!("<tpAmb>2</tpAmb><xServ>CONSULTAR</xServ><chNFe>{chave}</chNFe>"));
    let ask = async |payload: String| bench.text(AuthorityService::ConsultaProtocolo, &payload).await;
    let note = Note::new(1);
    let mut replies = vec![ask(query(note.chave().as_str())).await, ask(query("123")).await, ask("<x".into()).await];
    assert_eq!(bench.issue(&note).await.0, 100);
    replies.push(ask(query(note.chave().as_str())).await);
    replies.push(ask(query(note.clone().cNF(10_203_040).chave().as_str())).await);
    for kind in [FaultType::NoDigval, FaultType::OtherDocument] {
        bench.simulator.add_fault(Fault::new(kind));
        replies.push(ask(query(note.chave().as_str())).await);
    }
    let (event, event_reply) = cancelled(&bench, &note).await;
    assert_valid("evento/retEnvEvento_v1.00.xsd", &event_reply);
    assert_valid("evento/envEvento_v1.00.xsd", &event);
    replies.push(ask(query(note.chave().as_str())).await);
    assert!(replies.last().unwrap().contains("<procEventoNFe"));
    replies.iter().for_each(|reply| assert_valid("nfe/retConsSitNFe_v4.00.xsd", reply));
}

/// Request and reply of a cancellation.
async fn cancelled(bench: &Bench, note: &Note) -> (String, String) {
    let chave = note.chave();
    let nProt = bench.simulator.documents(None)[0].nProt.clone();
    let envelope = fiscal::event::EventEnvelope {
        chave,
        ambiente: fiscal::value::TpAmb::Homologacao,
        autor: fiscal::value::CnpjCpf::parse(CNPJ).unwrap(),
        dhEvento: &Note::new(1).dhEmi(),
        nSeqEvento: 1,
    };
    let detail = fiscal::event::EventDetail::Cancelamento { nProt: &nProt, xJust: "Pedido cancelado pelo cliente" };
    let (xml, id) = fiscal::event::build(&envelope, &detail);
    let signed = signing::sign(xml, &id, &bench.certificate).unwrap().xml;
    let request = format!(
        "<envEvento xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"1.00\"><idLote>1</idLote>{signed}</envEvento>"
    );
    let reply = bench.text(AuthorityService::RecepcaoEvento, &request).await;
    assert!(reply.contains("<cStat>135</cStat>"), "{reply}");
    (request, reply)
}

#[tokio::test]
async fn every_other_answer_is_valid() {
    let bench = start().await;
    let status = nfe("consStatServ", "<tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ>");
    assert_valid("nfe/retConsStatServ_v4.00.xsd", &bench.text(AuthorityService::StatusServico, &status).await);
    assert_valid("nfe/retConsStatServ_v4.00.xsd", &bench.text(AuthorityService::StatusServico, "<x/>").await);
    let (one, two) = (bench.sign(&Note::new(1)), bench.sign(&Note::new(2)));
    let received = bench.text(AuthorityService::Autorizacao, &batch(&[&one, &two], "0")).await;
    assert_valid("nfe/retEnviNFe_v4.00.xsd", &received);
    let nRec = received.split("<nRec>").nth(1).unwrap().get(..15).unwrap();
    let receipt = |nRec: &str| nfe("consReciNFe", &format!("<tpAmb>2</tpAmb><nRec>{nRec}</nRec>"));
    for nRec in [nRec, "351000000009999", "x"] {
        assert_valid(
            "nfe/retConsReciNFe_v4.00.xsd",
            &bench.text(AuthorityService::RetAutorizacao, &receipt(nRec)).await,
        );
    }
    assert_valid("nfe/retInutNFe_v4.00.xsd", &bench.text(AuthorityService::Inutilizacao, "<x/>").await);
    assert_valid("evento/retEnvEvento_v1.00.xsd", &bench.text(AuthorityService::RecepcaoEvento, "<x/>").await);
}

#[tokio::test]
async fn every_answer_of_the_distribution_is_valid() {
    let bench = start().await;
    let endpoint = bench.table.endpoint(
        fiscal::value::Uf::SP,
        55,
        fiscal::value::TpAmb::Homologacao,
        AuthorityService::DistribuicaoDFe,
        authority::table::AuthorityRole::National,
    );
    let endpoint = endpoint.unwrap();
    let ask = async |wanted: authority::sefaz::RequestedDocuments| {
        let company = fiscal::value::CnpjCpf::parse(CNPJ).unwrap();
        let ambiente = fiscal::value::TpAmb::Homologacao;
        let call = authority::sefaz::NFE.distribution(&endpoint, ambiente, None, company, wanted).unwrap();
        let text = String::from_utf8(bench.send(&call).await.unwrap().body).unwrap();
        let from = text.find("<retDistDFeInt").unwrap();
        text[from..text.find("</nfeDistDFeInteresseResult>").unwrap()].to_owned()
    };
    let mut received = Note::new(1).of(CNPJ);
    received.dest = format!("<CNPJ>{CNPJ}</CNPJ>");
    let mut from_outside = Note::new(2).of("99999999000191");
    from_outside.dest = format!("<CNPJ>{CNPJ}</CNPJ>");
    let other = crate::bench::certificate(
        bench.simulator.pki(),
        &simulator::pki::CertificateSubject::new("OUTRA", "99999999000191"),
    );
    assert_eq!(bench.verdict(&bench.sign_as(&from_outside, &other)).await.0, 100);
    assert_eq!(bench.issue(&received).await.0, 100);
    let call = authority::sefaz::NFE.distribution(
        &endpoint,
        fiscal::value::TpAmb::Homologacao,
        None,
        fiscal::value::CnpjCpf::parse(CNPJ).unwrap(),
        authority::sefaz::RequestedDocuments::Nsu(1),
    );
    let answer = authority::sefaz::NFE.read_distribution(&bench.send(&call.unwrap()).await.unwrap()).unwrap();
    assert_valid("distribuicao/resNFe_v1.01.xsd", answer.documents[0].content.as_ref().unwrap());
    bench.simulator.add_fault(Fault::new(FaultType::HighNsu).nsu(999_999_999).after(2));
    let replies = [
        ask(authority::sefaz::RequestedDocuments::Nsu(1)).await,
        ask(authority::sefaz::RequestedDocuments::Nsu(7)).await,
        ask(authority::sefaz::RequestedDocuments::After(0)).await,
        ask(authority::sefaz::RequestedDocuments::After(0)).await,
    ];
    assert!(replies[2].contains("<docZip NSU=\"000000000000001\""), "{}", replies[2]);
    assert!(replies[3].contains("<cStat>656</cStat>"), "{}", replies[3]);
    replies.iter().for_each(|reply| assert_valid("distribuicao/retDistDFeInt_v1.01.xsd", reply));
}
