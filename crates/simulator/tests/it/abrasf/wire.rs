//! Wire formats of the families of providers: messages as elements, headers of SOAP, credentials in the body, messages
//! without a wrapper, 1.00.

use super::bench::{
    DADOS, IM, ProviderBench, Rps, codes, deep, escaped, fault, hall, inf_cancellation, number_of, prestador, rps,
    signed,
};
use crate::bench::CNPJ;
use fiscal::abrasf::UnsignedMessage;
use fiscal::document::SignedElement;
use simulator::abrasf::MunicipalTaxpayer;

const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";

fn soap(header: &str, body: &str) -> String {
    format!("<Envelope xmlns=\"{SOAP}\">{header}<Body>{body}</Body></Envelope>")
}

/// ISSNet 2.04: elements, and a query that wraps its content.
fn issnet(operation: &str, message: &str) -> (String, String) {
    let header = format!("<cabecalho xmlns=\"{DADOS}\" versao=\"2.04\"><versaoDados>2.04</versaoDados></cabecalho>");
    let inside =
        format!("<nfseCabecMsg xmlns=\"\">{header}</nfseCabecMsg><nfseDadosMsg xmlns=\"\">{message}</nfseDadosMsg>");
    let body = format!("<{operation} xmlns=\"http://nfse.abrasf.org.br\">{inside}</{operation}>");
    (format!("http://nfse.abrasf.org.br/{operation}"), soap("", &body))
}

fn per_cent(number: u32) -> Rps {
    rps(number)
        .with("<Aliquota>0.02", "<Aliquota>2.00")
        .with("<Tomador>", "<TomadorServico>")
        .with("</Tomador>", "</TomadorServico>")
        .with("<ItemListaServico>1.07", "<ItemListaServico>01.07")
}

/// A lot of 2.04, with its prestador outside of the RPS.
fn lot_204(hall: &ProviderBench, rps: &Rps) -> String {
    let inside = hall.signed_rps(rps);
    let lot = format!(
        "<LoteRps Id=\"L1\" versao=\"2.04\"><NumeroLote>1</NumeroLote>{}<QuantidadeRps>1</QuantidadeRps><ListaRps>{inside}</ListaRps></LoteRps>",
        prestador()
    );
    hall.sign(&format!("<EnviarLoteRpsEnvio xmlns=\"{DADOS}\">{lot}</EnviarLoteRpsEnvio>"), "L1")
}

#[tokio::test]
async fn messages_as_elements_are_verified_where_they_stand() {
    let hall = hall("issnet-2.04", issnet).await;
    let answer = hall.ask("RecepcionarLoteRps", &lot_204(&hall, &per_cent(1))).await;
    let protocol = answer.text_at("Protocolo").unwrap_or_else(|| panic!("{answer:?}"));
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(protocol)).await;
    let inf = deep(&answer, "InfNfse").unwrap_or_else(|| panic!("{answer:?}"));
    // 2.04 does not repeat the prestador.
    assert!(
        inf.at("PrestadorServico/RazaoSocial").is_some() && inf.at("PrestadorServico/IdentificacaoPrestador").is_none()
    );
    assert!(inf.at("DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico/TomadorServico").is_some());
    assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(1)).await, ["E160"]);
    let inside = hall
        .query(1)
        .replace("<IdentificacaoRps>", "<Pedido><IdentificacaoRps>")
        .replace("</Prestador>", "</Prestador></Pedido>");
    // The query is signed as a whole too.
    assert_eq!(hall.codes("ConsultarNfsePorRps", &inside).await, ["E174"]);
    let whole = SignedElement { element: 0..inside.len(), id: String::new() };
    let signed = signed(UnsignedMessage { xml: inside, signatures: vec![whole] }, &hall.bench.certificate);
    assert!(deep(&hall.ask("ConsultarNfsePorRps", &signed).await, "InfNfse").is_some());
}

#[tokio::test]
async fn a_prefix_declared_around_elements_breaks_their_signatures() {
    // With inclusive C14N a namespace declared on an ancestor is part of the signed bytes.
    fn prefixed(operation: &str, message: &str) -> (String, String) {
        let (action, body) = issnet(operation, message);
        (action, body.replacen("<Envelope xmlns=", "<Envelope xmlns:nfse=\"http://nfse.abrasf.org.br\" xmlns=", 1))
    }
    let hall = hall("issnet-2.04", prefixed).await;
    let codes = hall.codes("RecepcionarLoteRps", &lot_204(&hall, &per_cent(1))).await;
    assert_eq!(codes, ["E174", "E174"]);
}

/// Pronim 2.02: its header in the header of SOAP.
fn pronim(operation: &str, message: &str) -> (String, String) {
    let header = "<Header><cabecalho xmlns=\"http://tempuri.org/\" versao=\"2.02\"><versaoDados>2.02</versaoDados></cabecalho></Header>";
    let body =
        format!("<{operation} xmlns=\"http://tempuri.org/\"><xmlEnvio>{}</xmlEnvio></{operation}>", escaped(message));
    let service = if operation.starts_with("Consultar") { "INFSEConsultas" } else { "INFSEGeracao" };
    (format!("http://tempuri.org/{service}/{operation}"), soap(header, &body))
}

#[tokio::test]
async fn a_header_of_soap_is_asked_for() {
    let hall = hall("pronim-2.02", pronim).await;
    let answer = hall.ask("EnviarLoteRpsSincrono", &hall.lot(&[rps(1)])).await;
    assert!(number_of(&answer) > 0);
    let (action, body) = pronim("ConsultarNfsePorRps", &hall.query(1));
    let without =
        body.split_once("<Header>").map(|(head, rest)| format!("{head}{}", rest.split_once("</Header>").unwrap().1));
    let reply = hall.post_text(&action, without.unwrap()).await.unwrap();
    assert!(fault(&reply).contains("soap:Header"), "{}", fault(&reply));
}

/// Fiorilli: operations in small letters, elements, user and password beside the message.
fn fiorilli(operation: &str, message: &str) -> (String, String) {
    let body = format!(
        "<w:{operation} xmlns:w=\"http://ws.issweb.fiorilli.com.br/\">{message}<username>maria</username><password>segredo</password></w:{operation}>"
    );
    // The prefix is declared around the message, and signed with it.
    (operation.to_owned(), soap("", &body))
}

fn fiorilli_plain(operation: &str, message: &str) -> (String, String) {
    let body = format!(
        "<{operation} xmlns=\"http://ws.issweb.fiorilli.com.br/\">{message}<username>maria</username><password>segredo</password></{operation}>"
    );
    (operation.to_owned(), soap("", &body))
}

#[tokio::test]
async fn user_and_password_are_judged() {
    let hall = hall("fiorilli-2.01", fiorilli_plain).await;
    let known = |senha: &str| MunicipalTaxpayer {
        IM: Some(IM.to_owned()),
        acesso: Some(("maria".into(), senha.into())),
        ..MunicipalTaxpayer::default()
    };
    let register = |senha: &str| {
        hall.bench.simulator.configure(|settings| {
            settings.municipal.contribuintes.insert(CNPJ.to_owned(), known(senha));
        });
    };
    register("outra");
    assert_eq!(hall.codes("consultarNfsePorRps", &hall.query(1)).await, ["E157"]);
    register("segredo");
    assert_eq!(hall.codes("consultarNfsePorRps", &hall.query(1)).await, ["E4"]);
    let rps = rps(1).with("<Aliquota>0.02", "<Aliquota>2.00");
    let answer = hall.ask("recepcionarLoteRpsSincrono", &hall.lot(&[rps])).await;
    assert!(number_of(&answer) > 0);
    let (action, body) = fiorilli("consultarNfsePorRps", &hall.query(1));
    assert!(hall.post_text(&action, body).await.unwrap().status.is_success());
}

const BETHA: &str = "http://www.betha.com.br/e-nota-contribuinte-ws";

/// Betha 1.00: the message alone in the Body.
fn betha(_operation: &str, message: &str) -> (String, String) {
    (String::new(), soap("", message))
}

#[tokio::test]
async fn the_first_version_goes_by_lot_and_polls() {
    let hall = hall("betha-1.00", betha).await.dados(BETHA);
    let alone = rps(1).first().replacen("<Rps>", &format!("<Rps xmlns=\"{BETHA}\">"), 1);
    let signed = hall.sign(&alone, "R1").replacen(&format!(" xmlns=\"{BETHA}\""), "", 1);
    let lot = format!(
        "<LoteRps Id=\"L1\" versao=\"1.00\"><NumeroLote>1</NumeroLote><Cnpj>{CNPJ}</Cnpj><InscricaoMunicipal>{IM}</InscricaoMunicipal><QuantidadeRps>1\
         </QuantidadeRps><ListaRps>{signed}</ListaRps></LoteRps>"
    );
    let lot = hall.sign(&format!("<EnviarLoteRpsEnvio xmlns=\"{BETHA}\">{lot}</EnviarLoteRpsEnvio>"), "L1");
    let answer = hall.ask("RecepcionarLoteRps", &lot).await;
    assert_eq!(answer.namespace, BETHA);
    let protocol = answer.text_at("Protocolo").unwrap_or_else(|| panic!("{answer:?}")).to_owned();
    let of_first = |message: &str| message.replace("<CpfCnpj>", "").replace("</CpfCnpj>", "");
    let query = of_first(&hall.query_lot(&protocol));
    let state =
        hall.ask("ConsultarSituacaoLoteRps", &query.replace("ConsultarLoteRps", "ConsultarSituacaoLoteRps")).await;
    assert_eq!((state.text_at("NumeroLote"), state.text_at("Situacao")), (Some("1"), Some("4")));
    let result = hall.ask("ConsultarLoteRps", &query).await;
    assert!(result.child("Situacao").is_none());
    let inf = deep(&result, "InfNfse").unwrap();
    assert_eq!(inf.text_at("Servico/Valores/ValorIss"), Some("20.00"));
    assert_eq!(inf.text_at("TomadorServico/RazaoSocial"), Some("FULANO DE TAL"));
    let number = number_of(&result);
    let pedido = of_first(&inf_cancellation(number))
        .replace("<CMotivo>1</CMotivo><XMotivo>Valor informado errado na nota</XMotivo>", "");
    let pedido = hall.sign(&format!("<Pedido xmlns=\"{BETHA}\">{pedido}</Pedido>"), &format!("N{number}"));
    let message = format!("<CancelarNfseEnvio xmlns=\"{BETHA}\">{pedido}</CancelarNfseEnvio>");
    let cancelled = hall.ask("CancelarNfse", &message).await;
    assert!(deep(&cancelled, "DataHoraCancelamento").is_some(), "{:?}", codes(&cancelled));
}
