//! The golden cases of `crates/fiscal/tests/golden`, each issued by the running service and authorised by the
//! simulator: HTTP, worker, mutual TLS.
//!
//! Both clocks stand at the moment the cases were written for, so that they do not age. Companies are registered as the
//! cases have them, also at the simulator, which knows no others.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use simulator::pki::{CertificateSubject, Validity};
use tokio::sync::Semaphore;

use crate::support::app::{PASSWORD, TestApp, ended};
use crate::support::client::Client;
use testkit::cases::nfe::Case;
use testkit::cases::{self, MOMENT};

const DAY: i64 = 86_400;

/// A company as some cases have it: its key in the tests' own list.
type Company = (String, u64, &'static str, u64);

fn company_of(case: &Case) -> Company {
    let number = |name: &str, default: u64| case.input.get(name).and_then(Value::as_u64).unwrap_or(default);
    let record = Value::Object(case.company()).to_string();
    (record, number("serie", 1), case.ambiente().word(), number("modelo", 55))
}

/// Returns the instant of emission of a case.
fn moment(case: &Case) -> Timestamp {
    let nota = &case.input["nota"];
    let said = ["identificacao", "ide"].iter().find_map(|group| nota[*group]["dhEmi"].as_str());
    said.unwrap_or(MOMENT).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_golden_case_is_issued_and_authorised() {
    let app = TestApp::start().await;
    app.control
        .send(http::Method::PATCH, "/_sim/configuracao", &[], r#"{"cadastro_aberto":false}"#.into())
        .await
        .ok(200);
    let mut by_moment: BTreeMap<Timestamp, Vec<Case>> = BTreeMap::new();
    for case in cases::nfe::all() {
        by_moment.entry(moment(&case)).or_default().push(case);
    }
    let mut companies: BTreeMap<Company, Client> = BTreeMap::new();
    let (mut issued, mut wrong) = (0, Vec::new());
    for (moment, cases) in by_moment {
        app.stand_at(moment).await;
        let at_once = Arc::new(Semaphore::new(12));
        let mut running = Vec::new();
        for case in cases {
            let company = company_of(&case);
            if !companies.contains_key(&company) {
                let client = registered(&app, &case, companies.len()).await;
                companies.insert(company.clone(), client);
            }
            let (client, at_once) = (companies[&company].clone(), Arc::clone(&at_once));
            running.push(tokio::spawn(async move {
                let _one = at_once.acquire().await.unwrap();
                difference(&client, &case).await.map(|why| format!("{}: {why}", case.folder.display()))
            }));
        }
        issued += running.len();
        for case in running {
            wrong.extend(case.await.unwrap());
        }
    }
    assert!(wrong.is_empty(), "{} of {issued} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(issued >= 220, "{issued} cases are few");
    app.finish().await;
}

/// Registers a tenant with the company of a case: configured, certified, and known to the authority. No other case uses
/// its numbers.
async fn registered(app: &TestApp, case: &Case, place: usize) -> Client {
    let record = case.company();
    let text =
        |name: &str| record.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let cpf_cnpj = text("CNPJCPF").or_else(|| text("CPF")).or_else(|| text("CNPJ")).unwrap();
    let cpf_cnpj: String = cpf_cnpj.chars().filter(char::is_ascii_alphanumeric).collect();
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body(&cpf_cnpj, &record)).await.ok(201);
    let (_, serie, _, modelo) = company_of(case);
    let ambiente = case.ambiente();
    let mut configuration =
        json!({ "ambiente": ambiente.code(), "serie": serie.to_string(), "proximo_numero": 1000 * place + 1001 });
    if modelo == 65 {
        configuration["csc_id"] = json!(CSC_ID);
        configuration["csc"] = json!(CSC);
    }
    tenant.test.put(&format!("/v1/empresas/{cpf_cnpj}/{}", tipo(modelo)), &configuration).await.ok(200);
    let written: Timestamp = MOMENT.parse().unwrap();
    let validity = Validity { from: written.as_second() - 30 * DAY, until: written.as_second() + 1500 * DAY };
    let subject = CertificateSubject::new(&text("xNome").unwrap(), &cpf_cnpj).valid(validity);
    let upload =
        json!({ "certificado": STANDARD.encode(app.pki.issue(&subject, PASSWORD).unwrap()), "senha": PASSWORD });
    tenant.live.put(&format!("/v1/empresas/{cpf_cnpj}/certificado"), &upload).await.ok(200);
    let taxpayer = json!({ "ie": [text("IE").unwrap()], "csc": { CSC_ID: { "csc": CSC } } });
    app.control.put(&format!("/_sim/contribuintes/{cpf_cnpj}"), &taxpayer).await.ok(200);
    if ambiente == TpAmb::Producao { tenant.live } else { tenant.test }
}

/// Secret that a company and its authority share for the QR code of an NFC-e (CSC), and its number.
const CSC_ID: &str = "000001";
const CSC: &str = "CSC-DOS-CASOS-0123456789";

/// `nfe` or `nfce`.
fn tipo(modelo: u64) -> &'static str {
    if modelo == 65 { "nfce" } else { "nfe" }
}

/// The company's record under the API's names.
fn body(cpf_cnpj: &str, record: &Map<String, Value>) -> Value {
    let of = |name: &str| record.get(name).cloned().unwrap_or_default();
    let cMun = of("cMun").to_string();
    json!({
        "cpf_cnpj": cpf_cnpj, "nome_razao_social": of("xNome"), "inscricao_estadual": of("IE"), "crt": of("CRT"), "fone": of("Fone"),
        "endereco": {
            "logradouro": of("xLgr"), "numero": of("nro"), "bairro": of("xBairro"), "codigo_municipio": cMun.trim_matches('"'),
            "cidade": of("xMun"), "uf": of("UF"), "cep": of("CEP"), "codigo_pais": of("cPais"), "pais": of("xPais")
        }
    })
}

/// Returns the fault in the outcome of a case.
async fn difference(client: &Client, case: &Case) -> Option<String> {
    let record = case.company();
    let cpf_cnpj = record.get("CNPJCPF").or_else(|| record.get("CPF")).cloned().unwrap();
    let path = format!("/v1/{}/emitir", tipo(company_of(case).3));
    let answer = client.post(&path, &json!({ "cpf_cnpj": cpf_cnpj, "nota": case.input["nota"] })).await;
    if answer.status != 202 {
        return Some(answer.text());
    }
    let job = ended(client, &answer.json()).await;
    if job["nota"]["status"] != "autorizada" {
        return Some(format!("{} {} {}", job["nota"]["motivo_status"], job["nota"]["campo"], job["erro"]));
    }
    let issued = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    let expected = fs::read_to_string(case.folder.join("expected.xml")).unwrap();
    let (issued, expected) = (caller_s(&issued), caller_s(&expected));
    (issued != expected).then(|| format!("issued\n{issued}\nexpected\n{expected}"))
}

/// Removes the parts that only the service decides: number, code, key, emission mode, program, and what depends on
/// them.
fn caller_s(xml: &str) -> String {
    let inside = xml.split_once("<infNFe ").and_then(|(_, rest)| rest.split_once("</infNFe>"));
    let mut document = inside.unwrap_or_else(|| panic!("no infNFe in {xml}")).0.to_owned();
    if let Some((_, rest)) = document.split_once('>') {
        document = rest.to_owned();
    }
    for tag in ["cNF", "nNF", "cDV", "tpEmis", "verProc", "dhCont", "xJust", "hashCSRT"] {
        document = without(&document, tag);
    }
    document
}

/// An XML text without the elements of a name.
fn without(xml: &str, tag: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut parts = xml.split(open.as_str());
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(close.as_str()).map_or(part, |(_, rest)| rest));
    }
    kept
}

#[test]
fn what_the_service_decides_is_left_out_and_nothing_else() {
    let xml = r#"<NFe><infNFe Id="NFe1" versao="4.00"><ide><cNF>12</cNF><natOp>VENDA</natOp><nNF>7</nNF></ide></infNFe></NFe>"#;
    assert_eq!(caller_s(xml), "<ide><natOp>VENDA</natOp></ide>");
}
