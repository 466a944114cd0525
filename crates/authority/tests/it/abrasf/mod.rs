//! Municipal providers: the requests of every row as golden files, and signatures verified inside the envelope by
//! xmlsec1.
//!
//! `UPDATE_GOLDEN=1 cargo test -p authority --test it abrasf` writes the files: a new row needs its file.

mod goldens;
mod rows;

use crate::folder::Folder;
use crate::pki::Authority;
use authority::abrasf::{
    AbrasfOperation, ArgumentEncoding, MunicipalIssuer, ProviderChoice, ProviderCredentials, ProviderRow,
    ProviderTable, ResolvedProvider, call,
};
use authority::table::{AuthorityService, EndpointTable};
use fiscal::abrasf::message::{CancellationRequest, cancel, query_lote, query_rps};
use fiscal::document::SignedElement as Place;
use fiscal::value::{CnpjCpf, TpAmb};
use fiscal::xml::{self, Element};
use signing::{Certificate, ElementToSign, SigningAlgorithm, sign_elements};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

fn company() -> Arc<MunicipalIssuer> {
    Arc::new(MunicipalIssuer {
        document: CnpjCpf::parse("11222333000181").unwrap(),
        inscricao_municipal: Some("12345".to_owned()),
        credentials: ProviderCredentials {
            login: "usuario".to_owned().into(),
            senha: "senha<&>".to_owned().into(),
            token: "token".to_owned().into(),
        },
    })
}

/// A row with an address, turned on regardless of the table.
fn resolved(row: &ProviderRow) -> ResolvedProvider {
    let on = format!("[abrasf.provider.\"{}\".\"{}\"]\noff = false", row.provider, row.version);
    let table = EndpointTable::with_overrides(&on).unwrap();
    let said = ProviderChoice {
        provedor: Some(&row.provider),
        versao: Some(&row.version),
        url: Some("https://prefeitura.example/ws"),
        aliquota: Some("percentual"),
        modo: None,
    };
    table.providers().resolve(3_550_308, TpAmb::Producao, &said).unwrap()
}

fn signed(xml: String, places: &[Place], certificate: &Certificate) -> String {
    let places: Vec<ElementToSign> =
        places.iter().map(|place| ElementToSign { element: place.element.clone(), id: place.id.clone() }).collect();
    sign_elements(SigningAlgorithm::Sha1, xml, &places, certificate).unwrap().xml
}

/// A batch of one RPS with two signatures, one inside of the other; each signed element declares its own namespace.
fn lote(namespace: &str, root: &str, certificate: &Certificate) -> String {
    let inf = format!(
        "<InfDeclaracaoPrestacaoServico xmlns=\"{namespace}\" Id=\"R1\"><Discriminacao>a &amp; b &lt;c&gt; ção</Discriminacao></InfDeclaracaoPrestacaoServico>"
    );
    let lote = format!("<LoteRps xmlns=\"{namespace}\" Id=\"L1\"><ListaRps><Rps>{inf}</Rps></ListaRps></LoteRps>");
    let xml = format!("<{root} xmlns=\"{namespace}\">{lote}</{root}>");
    let place = |element: &str, id: &str| {
        let from = xml.find(element).unwrap();
        Place { element: from..from + element.len(), id: id.to_owned() }
    };
    let places = [place(&inf, "R1"), place(&lote, "L1")];
    signed(xml.clone(), &places, certificate)
}

/// Text that the provider verifies: the envelope as received, or the text inside it.
fn judged(row: &ProviderRow, operation: AbrasfOperation, body: String) -> String {
    let Some(argument) = row.data_argument.as_ref().filter(|_| row.content != ArgumentEncoding::Tree) else {
        return body;
    };
    let argument = argument.replace("{Mensagem}", operation.message());
    let envelope = xml::read(body.as_bytes()).unwrap();
    innermost(&envelope, &argument).unwrap().text().to_owned()
}

/// Innermost element of a name: an argument may have the name of the request around it.
fn innermost<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    find(element, name).map(|found| innermost(found, name).unwrap_or(found))
}

fn find<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    element.children().find_map(|child| if child.name == name { Some(child) } else { find(child, name) })
}

/// Result of xmlsec1 for a signature of a text, counted from the beginning.
fn verdict(folder: &Folder, text: &str, number: usize) -> Output {
    let file = folder.write("mensagem.xml", text);
    let mut command = Command::new("xmlsec1");
    command.args(["--verify", "--enabled-key-data", "x509", "--trusted-pem"]);
    command.arg(folder.path().join("raiz.pem"));
    for name in ["InfRps", "InfDeclaracaoPrestacaoServico", "LoteRps", "InfPedidoCancelamento", "SubstituicaoNfse"] {
        command.args(["--id-attr:Id", name, "--id-attr:id", name]);
    }
    command.args(["--node-xpath", &format!("(//*[local-name()='Signature'])[{number}]")]).arg(&file);
    command.output().unwrap_or_else(|error| panic!("xmlsec1: {error}; instale com cargo xtask test tools"))
}

fn holds(folder: &Folder, text: &str, signatures: usize, what: &str) {
    for number in 1..=signatures {
        let output = verdict(folder, text, number);
        assert!(output.status.success(), "{what}, {number}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn signatures_hold_in_the_envelope_of_every_row() {
    let folder = Folder::new();
    let root = Authority::root("Raiz");
    folder.write("raiz.pem", root.pem());
    let certificate = root.client("EMPRESA:11222333000181");
    let company = company();
    let mut styles = BTreeSet::new();
    for row in ProviderTable::builtin().rows() {
        let resolved = resolved(row);
        let endpoint = resolved.endpoint(AuthorityService::Autorizacao, &company).unwrap();
        let operation = AbrasfOperation::from_name(endpoint.name).unwrap();
        let message = lote(&row.data_namespace, &format!("{}Envio", operation.message()), &certificate);
        let body = String::from_utf8(call(&endpoint, &message).body).unwrap();
        holds(&folder, &judged(row, operation, body), 2, &row.name());
        styles.insert(format!("{:?} {:?} {}", row.soap, row.content, row.declaration));
        if let Some(endpoint) = resolved.endpoint(AuthorityService::RecepcaoEvento, &company) {
            let what = CancellationRequest {
                numero: "15",
                municipio: 3_550_308,
                prestador: company.prestador(),
                codigo: Some("1"),
                motivo: "1",
                justificativa: "Erro de digitação no valor",
            };
            let asked = cancel(&resolved.dialect, &what);
            let signatures = asked.signatures.len();
            let message = signed(asked.xml, &asked.signatures, &certificate);
            let body = String::from_utf8(call(&endpoint, &message).body).unwrap();
            let operation = AbrasfOperation::CancelarNfse;
            holds(&folder, &judged(row, operation, body), signatures, &format!("{} cancelamento", row.name()));
        }
    }
    assert!(styles.len() >= 5, "{styles:?}");
}

/// The signature covers the message alone, so it is valid outside of the envelope too.
#[test]
fn signatures_of_questions_hold_for_who_takes_the_message_out() {
    let folder = Folder::new();
    let root = Authority::root("Raiz");
    folder.write("raiz.pem", root.pem());
    let certificate = root.client("EMPRESA:11222333000181");
    let (company, mut judged) = (company(), 0);
    let rps = "RPS3550308-11222333000181-1-1-77-12345".parse().unwrap();
    for row in ProviderTable::builtin().rows() {
        let resolved = resolved(row);
        let mut questions = vec![(AuthorityService::ConsultaProtocolo, query_rps(&resolved.dialect, &rps))];
        if row.operations.contains(&AbrasfOperation::ConsultarLoteRps) {
            let question = query_lote(&resolved.dialect, company.prestador(), "P<1>");
            questions.push((AuthorityService::RetAutorizacao, question));
        }
        for (service, question) in questions {
            let endpoint = resolved.endpoint(service, &company).unwrap();
            let signatures = question.signatures.len();
            let message = signed(question.xml, &question.signatures, &certificate);
            let body = String::from_utf8(call(&endpoint, &message).body).unwrap();
            let taken = match row.content {
                ArgumentEncoding::Tree => {
                    body.find(&message).map(|at| body[at..at + message.len()].to_owned()).unwrap()
                }
                ArgumentEncoding::Cdata | ArgumentEncoding::Escaped => {
                    self::judged(row, AbrasfOperation::from_name(endpoint.name).unwrap(), body)
                }
            };
            holds(&folder, &taken, signatures, &format!("{} {}", row.name(), endpoint.name));
            judged += signatures;
        }
    }
    // ISSNet and ISSSJP one each, DSF 2.03, Giss and Ginfes both
    assert_eq!(judged, 8);
}

/// Every operation of a row, as sent.
fn requests(row: &ProviderRow) -> String {
    let resolved = resolved(row);
    let mut text = String::new();
    for operation in &row.operations {
        let endpoint = resolved.endpoint_of(*operation, &company()).unwrap();
        let root = format!("{}Envio", operation.message());
        let call = call(&endpoint, &format!("<{root} xmlns=\"{}\">…</{root}>", row.data_namespace));
        let headers: String = call.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let body = String::from_utf8(call.body).unwrap();
        text.push_str(&format!("{} {}\n{headers}\n{body}\n\n", call.method.word(), call.url));
    }
    text
}

#[test]
fn every_row_has_its_golden_requests_and_every_file_its_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/abrasf");
    let mut files = BTreeSet::new();
    for row in ProviderTable::builtin().rows() {
        let name = format!("{}-{}.txt", row.provider, row.version);
        let (file, requests) = (folder.join(&name), requests(row));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, &requests).unwrap();
        }
        let golden = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(golden, requests, "{name}: UPDATE_GOLDEN=1 writes it");
        files.insert(name);
    }
    let found = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), files);
}
