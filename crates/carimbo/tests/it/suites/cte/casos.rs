//! The golden cases of the CT-e and CT-e OS, each issued by the running service and authorised by the simulator: HTTP,
//! worker, mutual TLS. libxml2 and xmlsec1 validate each.
//!
//! Both clocks stand at the moment the cases were written for. Companies are registered as the cases have them, also at
//! the simulator.

use std::collections::BTreeMap;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Value, json};
use simulator::pki::{CertificateSubject, Validity};

use crate::support::app::{PASSWORD, TestApp, ended};
use crate::support::client::Client;
use crate::support::judge;
use testkit::broken::cte::{BROKEN_PAYLOADS, BrokenPayload};
use testkit::cases::cte::Case;
use testkit::cases::{self, MOMENT};

const DAY: i64 = 86_400;

/// The examples from before the reform, which are refused by now, and groups that no classification of these models has
/// yet.
const SHOWN_ONLY: &[&str] = &[
    "exemplo_pessoas_registro_estadual",
    "exemplo_sem_reforma",
    "ibscbs_diferimento_e_devolucao",
    "ibscbs_tributacao_regular",
];

/// Returns the company of a case: everything besides the `nota`, and the model.
fn company_of(case: &Case) -> String {
    let mut input = case.input.clone();
    for own in ["nota", "nCT", "cCT", "tpEmis", "contingencia", "sign"] {
        input.as_object_mut().unwrap().shift_remove(own);
    }
    input.to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_golden_transport_is_issued_and_authorised() {
    let app = TestApp::start().await;
    app.stand_at(MOMENT.parse().unwrap()).await;
    let mut companies: BTreeMap<String, Client> = BTreeMap::new();
    let (mut authorised, mut wrong) = (0, Vec::new());
    for case in cases::cte::all().into_iter().filter(|case| !SHOWN_ONLY.iter().any(|name| case.folder.ends_with(name)))
    {
        let company = company_of(&case);
        if !companies.contains_key(&company) {
            let client = registered(&app, &case, companies.len()).await;
            companies.insert(company.clone(), client);
        }
        match difference(&app, &companies[&company], &case).await {
            None => authorised += 1,
            Some(why) => wrong.push(format!("{}: {why}", case.folder.file_name().unwrap().display())),
        }
    }
    assert!(wrong.is_empty(), "{} beside {authorised}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{authorised} transports authorised");
    assert!(authorised >= 62, "{authorised} are few");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rejection_that_a_caller_can_write_is_told_before_and_answered_after() {
    let app = TestApp::start().await;
    app.stand_at(MOMENT.parse().unwrap()).await;
    let mut companies: BTreeMap<String, Client> = BTreeMap::new();
    let (mut issued, mut refused, mut wrong) = (Vec::new(), 0, Vec::new());
    for row in BROKEN_PAYLOADS {
        let case = row.case();
        let company = company_of(&case);
        if !companies.contains_key(&company) {
            let client = registered(&app, &case, companies.len()).await;
            companies.insert(company.clone(), client);
        }
        let client = &companies[&company];
        let body = json!({ "cpf_cnpj": case.input["emitente"]["CNPJCPF"], "nota": case.input["nota"] });
        let answer = client.post("/v1/cte/emitir", &body).await;
        match answer.status.as_u16() {
            202 => issued.push((row, client.clone(), answer.json())),
            422 if names(&answer.json()["erros"], row.campo, None) => refused += 1,
            _ => wrong.push(format!("{} at {}: {}", row.cStat, row.campo, answer.text())),
        }
    }
    let told = issued.len();
    for (row, client, accepted) in issued {
        let job = ended(&client, &accepted).await;
        wrong.extend(difference_of(row, &accepted["avisos"], &job["nota"]));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{told} rejections told before and answered after, {refused} refused by the service itself");
    app.finish().await;
}

/// In the last hour of 2026 it is 2027 by UTC: rates are those of the year that `dhEmi` writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rates_of_a_year_hold_until_its_last_hour_where_the_issuer_is() {
    let app = TestApp::start().await;
    app.stand_at("2026-12-31T23:00:00-03:00".parse().unwrap()).await;
    let mut case = cases::cte::base("cte");
    case.input["nota"]["identificacao"].as_object_mut().unwrap().shift_remove("dhEmi");
    let client = registered(&app, &case, 0).await;
    let rates = |[ibs_uf, ibs_mun, cbs]: [[&str; 2]; 3]| {
        let part = |[aliquota, valor]: [&str; 2]| json!({ "valor_bc": 1320, "aliquota": aliquota, "valor": valor });
        let mut nota = case.input["nota"].clone();
        for (name, of) in [("ibs_uf", ibs_uf), ("ibs_mun", ibs_mun), ("cbs", cbs)] {
            nota["imposto"]["ibscbs"][name] = part(of);
        }
        nota
    };
    let of_2026 = rates([["0.10", "1.32"], ["0.00", "0.00"], ["0.90", "11.88"]]);
    let of_2027 = rates([["0.05", "0.66"], ["0.05", "0.66"], ["8.70", "114.84"]]);
    let issuer = &case.input["emitente"]["CNPJCPF"];
    for (moment, month, right, wrong) in [
        ("2026-12-31T23:30:00-03:00", "2612", &of_2026, &of_2027),
        ("2027-01-01T00:01:00-03:00", "2701", &of_2027, &of_2026),
    ] {
        app.stand_at(moment.parse().unwrap()).await;
        let refused = authorised(&client, issuer, wrong).await.unwrap_err();
        assert!(refused.starts_with("316 "), "{moment}: {refused}");
        let job = authorised(&client, issuer, right).await.unwrap_or_else(|why| panic!("{moment}: {why}"));
        assert_eq!(&job["nota"]["chave"].as_str().unwrap()[2..6], month);
    }
    app.finish().await;
}

/// `true` if a list names the field with this code.
fn names(list: &Value, campo: &str, cStat: Option<u16>) -> bool {
    let code = cStat.map_or(Value::Null, |cStat| json!(cStat));
    list.as_array().into_iter().flatten().any(|one| one["campo"] == campo && one["codigo_status"] == code)
}

/// Returns the fault: the rule was not predicted, or the authority's code is not the first predicted one.
fn difference_of(row: &BrokenPayload, avisos: &Value, nota: &Value) -> Option<String> {
    let first = avisos.as_array().into_iter().flatten().find(|aviso| aviso["codigo_status"].is_u64());
    let right = names(avisos, row.campo, Some(row.cStat))
        && nota["status"] == "rejeitada"
        && first.is_some_and(|first| first["codigo_status"] == nota["codigo_status"]);
    (!right).then(|| format!("{} at {}: {nota} after {avisos}", row.cStat, row.campo))
}

/// Registers a tenant with the company of a case. No other case uses its numbers.
pub(super) async fn registered(app: &TestApp, case: &Case, place: usize) -> Client {
    let record = &case.input["emitente"];
    let text = |name: &str| record[name].as_str().map_or_else(|| record[name].to_string(), str::to_owned);
    let cpf_cnpj: String = text("CNPJCPF").chars().filter(char::is_ascii_alphanumeric).collect();
    let tenant = app.tenant().await;
    let company = json!({
        "cpf_cnpj": cpf_cnpj, "nome_razao_social": record["xNome"], "inscricao_estadual": record["IE"], "crt": record["CRT"],
        "endereco": {
            "logradouro": record["xLgr"], "numero": record["nro"], "bairro": record["xBairro"], "codigo_municipio": text("cMun"),
            "cidade": record["xMun"], "uf": record["UF"], "cep": record["CEP"], "codigo_pais": record["cPais"], "pais": record["xPais"]
        }
    });
    tenant.test.post("/v1/empresas", &company).await.ok(201);
    let live = case.input["ambiente"] == "producao";
    let first = 1000 * place + 1001;
    let serie = case.input.get("serie").and_then(Value::as_u64).unwrap_or(1);
    let configuration = json!({
        "ambiente": if live { 1 } else { 2 }, "serie": serie, "proximo_numero": first, "cte_os": { "proximo_numero": first },
        "rntrc": case.input["rntrc"], "taf": case.input["taf"]
    });
    let client = if live { &tenant.live } else { &tenant.test };
    client.put(&format!("/v1/empresas/{cpf_cnpj}/cte"), &configuration).await.ok(200);
    let written = MOMENT.parse::<Timestamp>().unwrap().as_second();
    let validity = Validity { from: written - 30 * DAY, until: written + 1500 * DAY };
    let subject = CertificateSubject::new(&text("xNome"), &cpf_cnpj).valid(validity);
    let pfx = STANDARD.encode(app.pki.issue(&subject, PASSWORD).unwrap());
    let upload = json!({ "certificado": pfx, "senha": PASSWORD });
    client.put(&format!("/v1/empresas/{cpf_cnpj}/certificado"), &upload).await.ok(200);
    client.clone()
}

/// Returns the fault in the outcome of a case.
async fn difference(app: &TestApp, client: &Client, case: &Case) -> Option<String> {
    let issuer = &case.input["emitente"]["CNPJCPF"];
    let mut expected = fs::read_to_string(case.folder.join("expected.xml")).unwrap();
    let mut nota = case.input["nota"].to_string();
    // a document that is complemented or substituted is issued first
    for named in [named(&expected, "<infCteComp><chCTe>"), named(&expected, "<infCteSub><chCte>")].concat() {
        let base = cases::cte::base(if case.modelo() == 57 { "cte" } else { "cte_os" });
        let original = authorised(client, issuer, &base.input["nota"]).await.unwrap_or_else(|why| panic!("{why}"));
        let chave = original["nota"]["chave"].as_str().unwrap();
        if expected.contains("<infCteSub>") {
            disagreed(app, &base, chave).await;
        }
        (nota, expected) = (nota.replace(&named, chave), expected.replace(&named, chave));
    }
    let job = match authorised(client, issuer, &serde_json::from_str(&nota).unwrap()).await {
        Ok(job) => job,
        Err(why) => return Some(why),
    };
    let issued = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    match case.modelo() {
        57 => judge::accepts_proc_cte(&issued, &app.ca_file()),
        _ => judge::accepts_proc_cte_os(&issued, &app.ca_file()),
    }
    let (issued, expected) = (caller_s(&issued), caller_s(&expected));
    (issued != expected).then(|| format!("issued\n{issued}\nexpected\n{expected}"))
}

/// Keys that a document names behind this text.
fn named(xml: &str, behind: &str) -> Vec<String> {
    let named = xml.split(behind).skip(1).filter_map(|rest| rest.split('<').next());
    named.map(str::to_owned).collect()
}

/// Registers the payer's disagreement with the service, from its own account: a document can be substituted only after
/// that.
pub(super) async fn disagreed(app: &TestApp, base: &Case, chave: &str) {
    let role = if base.modelo() == 57 { "remetente" } else { "tomador" };
    let mut payer = cases::cte::base("cte");
    payer.input["emitente"] = base.input["nota"][role].clone();
    payer.input["emitente"]["CRT"] = json!(3);
    let client = registered(app, &payer, 900).await;
    let said = json!({ "cpf_cnpj": payer.input["emitente"]["CNPJCPF"], "chave": chave, "tipo": "desacordo", "dados": { "xObs": "Não é o valor combinado" } });
    let job = ended(&client, &client.post("/v1/cte/eventos", &said).await.ok(202)).await;
    assert_eq!(job["status"], "completed", "{job}");
}

/// Returns the job once it is authorised, or the fault.
async fn authorised(client: &Client, issuer: &Value, nota: &Value) -> Result<Value, String> {
    let answer = client.post("/v1/cte/emitir", &json!({ "cpf_cnpj": issuer, "nota": nota })).await;
    if answer.status != 202 {
        return Err(answer.text());
    }
    let job = ended(client, &answer.json()).await;
    match job["nota"]["status"] == "autorizada" {
        true => Ok(job),
        false => Err(format!("{} {} {}", job["nota"]["codigo_status"], job["nota"]["motivo_status"], job["erro"])),
    }
}

/// Removes the parts that only the service decides: number, code, key, instant, emission mode, program.
fn caller_s(xml: &str) -> String {
    let inside = xml.split_once("<infCte ").and_then(|(_, rest)| rest.split_once("</infCte>"));
    let document = inside.unwrap_or_else(|| panic!("no infCte in {xml}")).0;
    let (_, mut document) = document.split_once('>').map(|(head, rest)| (head, rest.to_owned())).unwrap();
    for tag in ["cCT", "nCT", "cDV", "dhEmi", "tpEmis", "verProc", "dhCont", "xJust", "hashCSRT", "serie"] {
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
