//! The golden cases of the national NFS-e, each issued by the running service and authorised by the Sefin of the
//! simulator: HTTP, worker, REST over mutual TLS. libxml2 and xmlsec1 validate each note and its declaration.
//!
//! Both clocks stand at the moment the cases were written for. Companies are registered as the cases have them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Value, json};
use simulator::pki::{CertificateSubject, Validity};
use tokio::sync::Semaphore;

use crate::support::app::{PASSWORD, TestApp, ended};
use crate::support::client::Client;
use crate::support::judge::{self, Kind};
use testkit::broken::nfse::{BROKEN_PAYLOADS, BrokenPayload};
use testkit::cases::nfse::Case;
use testkit::cases::{self, MOMENT};

const DAY: i64 = 86_400;

/// The case that the Sefin refuses as it is (E0713): it was written for its digest.
const FOR_ITS_DIGEST: &str = "exemplo_assinatura";

/// Digests of its canonical form, as two other programs computed them.
const DIGESTS: [(&str, &str); 2] =
    [("sha1", "5WAiZEOnj5yBo1LJmcUKcM+ZLYM="), ("sha256", "lrf/eayQhJiX9JNGbsfU4iT87zfzdD9Ayj894xjc9Eg=")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_golden_declaration_is_issued_and_authorised() {
    let app = TestApp::start().await;
    app.stand_at(later()).await;
    let mut desk = Desk::default();
    let at_once = Arc::new(Semaphore::new(8));
    let mut running = Vec::new();
    for case in cases::nfse::all().into_iter().filter(|case| case.name() != FOR_ITS_DIGEST) {
        let (client, at_once) = (desk.client(&app, &case).await, Arc::clone(&at_once));
        running.push(tokio::spawn(async move {
            let _one = at_once.acquire().await.unwrap();
            (case.name(), became(&client, case).await)
        }));
    }
    let (mut made, mut wrong) = (Vec::new(), Vec::new());
    for case in running {
        match case.await.unwrap() {
            (name, Ok(files)) => made.push((name, files)),
            (name, Err(why)) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{} beside {}:\n{}", wrong.len(), made.len(), wrong.join("\n"));
    assert!(made.len() >= 60, "{} are few", made.len());
    let files =
        |which: fn(&Files) -> &String| made.iter().map(move |(name, files)| (name.as_str(), which(files).as_str()));
    judge::accepts_all(Kind::Nfse, files(|files| &files.nfse), &app.ca_file());
    judge::accepts_all(Kind::Dps, files(|files| &files.dps), &app.ca_file());
    println!("{} declarations authorised", made.len());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_of_the_signature_has_its_digest_when_the_service_signs_it() {
    for (assinatura, digest) in DIGESTS {
        signed_by(assinatura, digest).await;
    }
}

async fn signed_by(assinatura: &str, digest: &str) {
    let app = TestApp::start().await;
    app.stand_at(later()).await;
    let case = cases::nfse::all().into_iter().find(|case| case.name() == FOR_ITS_DIGEST).unwrap();
    let case = case.with(&json!({ "configuracao": { "assinatura": assinatura } }));
    let client = Desk::default().client(&app, &case).await;
    let refused = ended(&client, &posted(&client, &case).await.ok(202)).await;
    assert_eq!(refused["nota"]["codigo_status"], "E0713", "{refused}");
    let off = json!({ "nfse": { "regras": { "E0713": "off" } } });
    app.control.send(http::Method::PATCH, "/_sim/configuracao", &[], off.to_string().into()).await.ok(200);
    let files = became(&client, case).await.unwrap_or_else(|why| panic!("{why}"));
    assert!(files.dps.contains(&format!("<DigestValue>{digest}</DigestValue>")), "{}", files.dps);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rejection_that_a_caller_can_write_is_told_before_and_answered_after() {
    let app = TestApp::start().await;
    app.stand_at(later()).await;
    let mut desk = Desk::default();
    let (mut issued, mut refused, mut wrong) = (Vec::new(), 0, Vec::new());
    for row in BROKEN_PAYLOADS {
        let mut case = numbered_by_us(row.broken());
        if row.codigo == "E0008" {
            // the clocks go on
            case.input["nota"]["dhEmi"] = json!("2026-11-20T12:00:00-03:00");
        }
        let client = desk.client(&app, &case).await;
        let answer = posted(&client, &case).await;
        match answer.status.as_u16() {
            202 => issued.push((row, client, answer.json())),
            422 if names(&answer.json()["erros"], row.campo, None) => refused += 1,
            _ => wrong.push(format!("{} at {}: {}", row.codigo, row.campo, answer.text())),
        }
    }
    let told = issued.len();
    for (row, client, accepted) in issued {
        let job = ended(&client, &accepted).await;
        wrong.extend(difference_of(row, &accepted["avisos"], &job));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{told} rejections told before and answered after, {refused} refused by the service itself");
    app.finish().await;
}

/// `true` if a list names the field with this code.
fn names(list: &Value, campo: &str, codigo: Option<&str>) -> bool {
    let code = codigo.map_or(Value::Null, |codigo| json!(codigo));
    list.as_array().into_iter().flatten().any(|one| one["campo"] == campo && one["codigo_status"] == code)
}

/// Returns the fault: the rule was not predicted at its field, or the Sefin's list does not have it.
fn difference_of(row: &BrokenPayload, avisos: &Value, job: &Value) -> Option<String> {
    let nota = &job["nota"];
    let listed = nota["rejeicoes"].as_array().into_iter().flatten().find(|one| one["codigo_status"] == row.codigo);
    let right = names(avisos, row.campo, Some(row.codigo))
        && nota["status"] == "rejeitada"
        && listed.is_some_and(|one| one["campo"] == row.campo);
    (!right).then(|| format!("{} at {}: {job} after {avisos}", row.codigo, row.campo))
}

/// Accounts of a test, by the company of a case: everything besides the `nota` and its number.
#[derive(Default)]
struct Desk(BTreeMap<String, Client>);

impl Desk {
    async fn client(&mut self, app: &TestApp, case: &Case) -> Client {
        let company = json!([case.input["emitente"], case.input["configuracao"]]).to_string();
        if !self.0.contains_key(&company) {
            let client = registered(app, case, self.0.len()).await;
            self.0.insert(company.clone(), client);
        }
        self.0[&company].clone()
    }
}

/// Registers a tenant with the company of a case. No other case uses its numbers.
async fn registered(app: &TestApp, case: &Case, place: usize) -> Client {
    let record = &case.input["emitente"];
    let text = |name: &str| record[name].as_str().map_or_else(|| record[name].to_string(), str::to_owned);
    let cpf_cnpj = text("CNPJCPF");
    let tenant = app.tenant().await;
    let company = json!({
        "cpf_cnpj": cpf_cnpj, "nome_razao_social": record["xNome"], "inscricao_municipal": record["IM"], "crt": record["CRT"],
        "endereco": {
            "logradouro": record["xLgr"], "numero": record["nro"], "bairro": record["xBairro"], "codigo_municipio": text("cMun"),
            "cidade": record["xMun"], "uf": record["UF"], "cep": record["CEP"]
        }
    });
    tenant.test.post("/v1/empresas", &company).await.ok(201);
    let mut configuration = case.input["configuracao"].clone();
    configuration["ambiente"] = json!(2);
    configuration["provedor"] = json!("nacional");
    configuration["serie"] = json!("1");
    configuration["proximo_numero"] = json!(1000 * place + 1001);
    tenant.test.put(&format!("/v1/empresas/{cpf_cnpj}/nfse"), &configuration).await.ok(200);
    let written = MOMENT.parse::<Timestamp>().unwrap().as_second();
    let validity = Validity { from: written - 30 * DAY, until: written + 1500 * DAY };
    let subject = CertificateSubject::new(&text("xNome"), &cpf_cnpj).valid(validity);
    let upload =
        json!({ "certificado": STANDARD.encode(app.pki.issue(&subject, PASSWORD).unwrap()), "senha": PASSWORD });
    tenant.test.put(&format!("/v1/empresas/{cpf_cnpj}/certificado"), &upload).await.ok(200);
    tenant.test
}

async fn posted(client: &Client, case: &Case) -> crate::support::client::Answer {
    let body = json!({ "cpf_cnpj": case.input["emitente"]["CNPJCPF"], "nota": case.input["nota"] });
    client.post("/v1/nfse/emitir", &body).await
}

/// Two minutes after the cases were written: an instant counts as future (E0008) until a minute has passed.
fn later() -> Timestamp {
    MOMENT.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_mins(2)
}

/// Files of a case: the note as it is handed out, and the declaration alone.
struct Files {
    nfse: String,
    dps: String,
}

/// Returns the files of a case once it is authorised, or the fault.
async fn became(client: &Client, mut case: Case) -> Result<Files, String> {
    let mut expected = fs::read_to_string(case.folder.join("expected.xml")).unwrap();
    if let Some(named) = named(&expected) {
        // the substituted note is issued first, and referred to by its actual key
        let before = authorised(client, &original(&case)).await?;
        let chave = before["nota"]["chave"].as_str().unwrap();
        expected = expected.replace(&named, chave);
        case.input["nota"] = serde_json::from_str(&case.input["nota"].to_string().replace(&named, chave)).unwrap();
    }
    let job = authorised(client, &case).await?;
    let nfse = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    let path = format!("/v1/nfse/{}/file/xml_dps", job["job_id"].as_str().unwrap());
    let dps = client.get(&path).await.text();
    let inside = dps.split_once("?>").map_or(dps.as_str(), |(_, document)| document);
    if !nfse.contains(inside) {
        return Err(format!("the declaration is not in the note as it was signed\n{dps}\n{nfse}"));
    }
    // the worked examples are complete: they must match to the byte
    let whole = case.name().starts_with("exemplo_");
    let said = if whole { inf } else { caller_s };
    let (issued, expected) = (said(&dps), said(&expected));
    if issued == expected { Ok(Files { nfse, dps }) } else { Err(format!("issued\n{issued}\nexpected\n{expected}")) }
}

/// Returns the key of the note that a declaration substitutes.
fn named(xml: &str) -> Option<String> {
    Some(xml.split_once("<chSubstda>")?.1.split('<').next()?.to_owned())
}

/// Returns the case without its substitution, under the next number.
fn original(case: &Case) -> Case {
    let case = Case { folder: case.folder.clone(), input: case.input.clone() };
    inside(numbered_by_us(case), json!({ "subst": null }))
}

/// Returns the case under the next number, whatever its own: cases of a test must not share one.
fn numbered_by_us(case: Case) -> Case {
    inside(case, json!({ "nDPS": null }))
}

/// A case with a patch on its `infDPS`, wherever it stands.
fn inside(case: Case, patch: Value) -> Case {
    let nota = &case.input["nota"];
    let patch = match (nota.get("infDPS"), nota.get("dps")) {
        (Some(_), _) => json!({ "infDPS": patch }),
        (_, Some(_)) => json!({ "dps": { "infDPS": patch } }),
        _ => patch,
    };
    case.with(&json!({ "nota": patch }))
}

/// Returns the job once it is authorised, or the fault.
async fn authorised(client: &Client, case: &Case) -> Result<Value, String> {
    let answer = posted(client, case).await;
    if answer.status != 202 {
        return Err(answer.text());
    }
    let job = ended(client, &answer.json()).await;
    match job["nota"]["status"] == "autorizada" {
        true => Ok(job),
        false => Err(format!("{} {} {}", job["nota"], job["nota"]["rejeicoes"], job["erro"])),
    }
}

/// The signed element.
fn inf(xml: &str) -> String {
    let inside = xml.split_once("<infDPS ").and_then(|(_, rest)| rest.split_once("</infDPS>"));
    inside.unwrap_or_else(|| panic!("no infDPS in {xml}")).0.to_owned()
}

/// Removes the parts that only the service decides: Id, number, series, instant, program.
fn caller_s(xml: &str) -> String {
    let inside = inf(xml);
    let (_, mut document) = inside.split_once('>').map(|(head, rest)| (head, rest.to_owned())).unwrap();
    for tag in ["dhEmi", "verAplic", "serie", "nDPS"] {
        document = without(&document, tag);
    }
    document
}

/// An XML text without the first element of a name.
fn without(xml: &str, tag: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let Some((before, rest)) = xml.split_once(open.as_str()) else { return xml.to_owned() };
    format!("{before}{}", rest.split_once(close.as_str()).map_or("", |(_, after)| after))
}
