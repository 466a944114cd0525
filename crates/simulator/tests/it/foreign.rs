//! Messages of other clients, byte for byte: the habits of sped-nfe (PHP), typed by us from its public behaviour.

use crate::bench::{Bench, CNPJ, Note, batch, code, payload, start, verdict};
use crate::raw;
use authority::sefaz::{self, TaxpayerQuery};
use authority::table::{AuthorityRole, AuthorityService};
use base64::Engine as _;
use bytes::Bytes;
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use http_body_util::{BodyExt as _, Full};
use signing::Certificate;
use std::io::Write as _;

/// A request in the envelope of sped-nfe: one line, `soap` as prefix, two unused declarations, `action` in the media
/// type.
async fn post(bench: &Bench, path: &str, service: &str, method: &str, message: &str) -> (u16, Vec<u8>) {
    let envelope = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:soap=\"http://www.w3.org/2003/05/soap-envelope\"><soap:Body>{message}\
         </soap:Body></soap:Envelope>"
    );
    post_envelope(bench, &bench.certificate, (path, service, method), envelope).await
}

pub(crate) async fn post_envelope(
    bench: &Bench,
    certificate: &Certificate,
    (path, service, method): (&str, &str, &str),
    envelope: String,
) -> (u16, Vec<u8>) {
    let action = format!("\"http://www.portalfiscal.inf.br/nfe/wsdl/{service}/{method}\"");
    let (mut sender, _) = raw::connect(bench, Some(certificate), None).await.unwrap();
    let request = http::Request::post(format!("{path}/{service}"))
        .header("Host", "127.0.0.1")
        .header("Content-Type", format!("application/soap+xml;charset=utf-8;action={action}"))
        .header("SOAPAction", action)
        .body(Full::new(Bytes::from(envelope)))
        .unwrap();
    let reply = sender.send_request(request).await.unwrap();
    let status = reply.status().as_u16();
    (status, reply.into_body().collect().await.unwrap().to_bytes().to_vec())
}

pub(crate) fn inside(service: &str, element: &str, content: &str) -> String {
    format!("<{element} xmlns=\"http://www.portalfiscal.inf.br/nfe/wsdl/{service}\">{content}</{element}>")
}

fn gzipped(text: &str) -> String {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap())
}

#[tokio::test]
async fn the_register_is_asked_by_the_action_of_the_tables_of_clients() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    let service = "CadConsultaCadastro4";
    let asked = format!(
        "<ConsCad xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"2.00\"><infCons><xServ>CONS-CAD</xServ><UF>SP</UF><CNPJ>{CNPJ}</CNPJ>\
         </infCons></ConsCad>"
    );
    for method in ["consultaCadastro4", "consultaCadastro"] {
        let (status, reply) =
            post(&bench, "/nfe/sp/hom", service, method, &inside(service, "nfeDadosMsg", &asked)).await;
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&reply));
        assert_eq!(payload(&reply).text_at("infCons/cStat"), Some("111"), "{method}");
    }
    let (status, _) =
        post(&bench, "/nfe/sp/hom", service, "consultaCadastro5", &inside(service, "nfeDadosMsg", &asked)).await;
    assert_eq!(status, 500);
}

#[tokio::test]
async fn who_issued_here_is_in_the_register_unless_it_is_closed() {
    let bench = start().await;
    let endpoint = bench
        .table
        .endpoint(Uf::SP, 55, TpAmb::Homologacao, AuthorityService::ConsultaCadastro, AuthorityRole::Normal)
        .unwrap();
    let call = sefaz::cadastro(&endpoint, Uf::SP, &TaxpayerQuery::Number(CnpjCpf::parse(CNPJ).unwrap()));
    let search = async || sefaz::read_cadastro(&bench.send(&call).await.unwrap()).unwrap();
    assert_eq!(search().await.cStat, 259);
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    let found = search().await;
    assert_eq!((found.cStat, found.found.len(), found.found[0].UF.as_str()), (111, 1, "SP"));
    bench.simulator.configure(|settings| settings.cadastro_aberto = false);
    assert_eq!(search().await.cStat, 259);
}

#[tokio::test]
async fn a_batch_comes_packed() {
    let bench = start().await;
    let service = "NFeAutorizacao4";
    let signed = bench.sign(&Note::new(1));
    let message = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{}", batch(&[&signed], "1"));
    let send = async |content: &str| {
        let element = inside(service, "nfeDadosMsgZip", content);
        let (status, reply) = post(&bench, "/nfe/sp/hom", service, "nfeAutorizacaoLoteZip", &element).await;
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&reply));
        payload(&reply)
    };
    assert_eq!(verdict(&send(&gzipped(&message)).await).0, 100);
    assert_eq!(verdict(&send(&gzipped(&message)).await).0, 204);
    let packed = gzipped(&message);
    for broken in ["", "não é base64", "QUJDRA==", &packed[..packed.len() / 2 / 4 * 4]] {
        assert_eq!(code(&send(broken).await), 416, "{broken}");
    }
    // Some kilobytes that unpack to 64 MB.
    assert_eq!(code(&send(&gzipped(&" ".repeat(64 << 20))).await), 214);
    assert_eq!(code(&send(&gzipped(&format!("{message}{}", " ".repeat(600 << 10)))).await), 214);
}

#[tokio::test]
async fn an_svc_takes_notes_of_the_states_that_opened_it() {
    let bench = start().await;
    let endpoint =
        |service| bench.table.endpoint(Uf::SP, 55, TpAmb::Homologacao, service, AuthorityRole::Contingency).unwrap();
    let status = sefaz::NFE.status(&endpoint(AuthorityService::StatusServico), TpAmb::Homologacao, Uf::SP);
    let mut note = Note::new(1);
    note.tpEmis = 6;
    let signed = bench.sign(&note);
    let send = sefaz::NFE.authorize(&endpoint(AuthorityService::Autorizacao), 1, &signed);
    for (open, expected) in [(Some(vec!["RJ"]), [114, 114]), (Some(vec!["RJ", "SP"]), [107, 100])] {
        bench.simulator.configure(|settings| {
            settings.svc_abertas = open.map(|open| open.into_iter().map(str::to_owned).collect());
        });
        let told = [code(&bench.ask_call(&status).await), verdict(&bench.ask_call(&send).await).0];
        assert_eq!(told, expected);
    }
}
