//! `/v1/exportacoes`: the month for the accountant. The archive is opened by Python, and its sums are compared with the
//! totals that the documents state.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::{judge, retail, services};

const PATH: &str = "/v1/exportacoes";
const DAY: i64 = 86_400;

/// The days around now.
fn request(app: &TestApp, cpf_cnpj: &str) -> Value {
    let day =
        |days: i64| jiff::Timestamp::from_second(app.clock_s() + days * DAY).unwrap().to_string()[..10].to_owned();
    json!({ "cpf_cnpj": cpf_cnpj, "de": day(-2), "ate": day(1) })
}

/// Asks for an export, and waits until it is done.
pub(crate) async fn exported(client: &Client, request: &Value) -> Value {
    let accepted = client.post(PATH, request).await.ok(202);
    let path = accepted["consulta"].as_str().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let export = client.get(path).await.ok(200);
        if !matches!(export["status"].as_str(), Some("pendente" | "em_andamento")) {
            return export;
        }
        assert!(Instant::now() < deadline, "the export does not end: {export}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The entries of an archive, read by Python, which checks every CRC.
fn unzipped(app: &TestApp, zip: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let path = app.dir.join("exportado.zip");
    std::fs::write(&path, zip).unwrap();
    let script = "import base64, json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                  print(json.dumps([[i.filename, base64.b64encode(z.read(i)).decode()] for i in z.infolist()]))";
    let output = Command::new("python3").args(["-c", script]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let entries: Vec<(String, String)> = serde_json::from_slice(&output.stdout).unwrap();
    let count = entries.len();
    let read: BTreeMap<_, _> =
        entries.into_iter().map(|(name, content)| (name, STANDARD.decode(content).unwrap())).collect();
    assert_eq!(read.len(), count, "two entries have one name");
    read
}

/// The rows of a table, without its header.
fn rows(entries: &BTreeMap<String, Vec<u8>>, name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(entries[name].clone()).unwrap();
    let text = text.strip_prefix('\u{feff}').expect("a byte order mark");
    text.lines().skip(1).map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

/// A decimal with a comma, or a point, in cents.
fn cents(text: &str) -> i64 {
    let (whole, rest) = text.split_once([',', '.']).unwrap_or((text, "0"));
    let rest = format!("{rest:0<2}");
    whole.parse::<i64>().unwrap() * 100 + rest[..2].parse::<i64>().unwrap()
}

/// The last value of a tag: that of the document's totals.
fn total(xml: &str, tag: &str) -> i64 {
    let (_, rest) = xml.rsplit_once(&format!("<{tag}>")).unwrap_or_else(|| panic!("no {tag}: {xml}"));
    cents(rest.split('<').next().unwrap())
}

async fn bytes(client: &Client, path: &Value) -> Vec<u8> {
    let answer = client.get(path.as_str().unwrap()).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    answer.bytes.to_vec()
}

async fn world(app: &TestApp) -> Tenant {
    let tenant = retail::seller(app).await;
    services::configure(&tenant).await;
    tenant
}

/// A month of an account: jobs of documents that are kept, cancelled, of retail, of services, and after a gap.
struct Month {
    client: Client,
    kept: Value,
    gone: Value,
    sale: Value,
    service: Value,
    last: Value,
}

async fn month(app: &TestApp) -> Month {
    let client = world(app).await.test;
    let kept = issued(&client, &body::emission(NUMERIC)).await;
    let gone = issued(&client, &body::emission(NUMERIC)).await;
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let sale = ended(&client, &accepted).await;
    let accepted = client.post("/v1/nfse/emitir", &services::service()).await.ok(202);
    let service = ended(&client, &accepted).await;
    let why = json!({ "cpf_cnpj": NUMERIC, "chave": gone["nota"]["chave"], "justificativa": "Venda desfeita a pedido do comprador" });
    let accepted = client.post("/v1/nfe/cancelar", &why).await.ok(202);
    ended(&client, &accepted).await;
    let range = json!({ "cpf_cnpj": NUMERIC, "numero_inicial": 3, "numero_final": 4, "justificativa": "Numeração pulada por falha do sistema" });
    let accepted = client.post("/v1/nfe/inutilizar", &range).await.ok(202);
    ended(&client, &accepted).await;
    let last = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(last["nota"]["numero"], 5, "{last}");
    Month { client, kept, gone, sale, service, last }
}

#[tokio::test]
async fn a_period_is_exported_whole() {
    let app = TestApp::start().await;
    let Month { client, kept, gone, sale, service, last } = month(&app).await;
    let mut asked = request(&app, NUMERIC);
    asked["com_pdf"] = json!(true);
    let export = exported(&client, &asked).await;
    assert_eq!(
        (&export["status"], &export["documentos"], &export["documentos_prontos"]),
        (&json!("concluida"), &json!(5), &json!(5)),
        "{export}"
    );
    let file = client.get(export["arquivo"].as_str().unwrap()).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "application/zip"));
    assert_eq!(file.header("content-length"), export["bytes"].to_string());
    let entries = unzipped(&app, &file.bytes);
    for name in entries.keys() {
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-./".contains(letter)), "{name}");
        assert!(!name.contains("..") && !name.starts_with('/'), "{name}");
    }

    // every XML byte for byte
    let mut sums = [0; 2];
    for (job, folder, root) in [
        (&kept, "nfe/autorizadas", "procNFe"),
        (&last, "nfe/autorizadas", "procNFe"),
        (&gone, "nfe/canceladas", "procNFe"),
        (&sale, "nfce/autorizadas", "procNFe"),
        (&service, "nfse/autorizadas", "NFSe"),
    ] {
        let name = format!("{folder}/{}-{root}.xml", job["nota"]["chave"].as_str().unwrap());
        let xml = bytes(&client, &job["arquivos"]["xml"]).await;
        assert_eq!(entries.get(&name), Some(&xml), "{name} of {:?}", entries.keys());
        if folder.ends_with("autorizadas") && root == "procNFe" {
            let xml = String::from_utf8(xml).unwrap();
            sums[0] += total(&xml, "vProd");
            sums[1] += total(&xml, "vICMS");
        }
    }
    let chave = gone["nota"]["chave"].as_str().unwrap();
    let event =
        bytes(&client, &json!(format!("/v1/nfe/{}/file/xml_cancelamento", gone["job_id"].as_str().unwrap()))).await;
    assert_eq!(entries[&format!("nfe/eventos/{chave}-cancelamento-procEventoNFe.xml")], event);
    let pdf = &entries[&format!("nfe/pdf/{}-danfe.pdf", kept["nota"]["chave"].as_str().unwrap())];
    assert!(pdf.starts_with(b"%PDF"));

    // the sums are those of the documents' own totals, without the cancelled one
    check_tables(&entries, sums);
    app.finish().await;
}

/// Checks the tables of a month against the sums of its goods.
fn check_tables(entries: &BTreeMap<String, Vec<u8>>, sums: [i64; 2]) {
    let taxes = rows(entries, "totais.csv");
    let sum = |imposto: &str, column: usize| -> i64 {
        let of_goods = taxes.iter().filter(|row| row[0] != "nfse" && row[3] == imposto);
        of_goods.map(|row| cents(&row[column])).sum()
    };
    assert_eq!([sum("Itens", 5), sum("ICMS", 7)], sums, "{taxes:?}");
    assert!(sums[0] > 0 && taxes.iter().any(|row| row[0] == "nfse" && row[3] == "ISSQN"), "{taxes:?}");
    let documents = rows(entries, "resumo.csv");
    let found: Vec<_> = documents.iter().map(|row| row[..3].join(" ")).collect();
    assert_eq!(found, ["nfce autorizada 1", "nfe autorizada 2", "nfe cancelada 1", "nfse autorizada 1"]);

    // the voided numbers, and no other gap
    assert_eq!(rows(entries, "lacunas.csv"), [["nfe", "1", "3", "4", "2", "inutilizado"]]);
    let voids = rows(entries, "inutilizadas.csv");
    assert_eq!((voids.len(), voids[0][..5].join(" ")), (1, "nfe 1 3 4 2".to_owned()), "{voids:?}");
    assert!(entries.keys().any(|name| name.starts_with("nfe/inutilizacoes/")), "{:?}", entries.keys());
    assert!(String::from_utf8_lossy(&entries["LEIA-ME.txt"]).contains("homologação"));
}

#[tokio::test]
async fn an_export_has_the_types_and_joined_forms_that_were_requested() {
    let app = TestApp::start().await;
    let Month { client, kept, gone, last, .. } = month(&app).await;
    let mut asked = request(&app, NUMERIC);
    asked["tipos"] = json!(["nfce"]);
    asked["pdf_unico"] = json!(true);
    let export = exported(&client, &asked).await;
    let entries = unzipped(&app, &bytes(&client, &export["arquivo"]).await);
    let others: Vec<_> = entries.keys().filter(|name| name.contains('/') && !name.starts_with("nfce/")).collect();
    assert!(others.is_empty() && export["documentos"] == 1, "{others:?} {export}");
    let pdf = &entries["nfce/pdf/formularios-0001.pdf"];
    assert!(judge::text_of_pdf(pdf).contains("NFC-e"), "{}", judge::text_of_pdf(pdf));
    // both notes in one
    asked["tipos"] = json!(["nfe"]);
    let export = exported(&client, &asked).await;
    let entries = unzipped(&app, &bytes(&client, &export["arquivo"]).await);
    let text = judge::text_of_pdf(&entries["nfe/pdf/formularios-0001.pdf"]).replace([' ', '\n'], "");
    for job in [&kept, &gone, &last] {
        assert!(text.contains(job["nota"]["chave"].as_str().unwrap()), "{text}");
    }
    app.finish().await;
}

#[tokio::test]
async fn an_export_is_of_its_account_and_environment_and_ends() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let export = exported(&tenant.test, &request(&app, NUMERIC)).await;
    let path = format!("{PATH}/{}", export["exportacao_id"].as_str().unwrap());
    let file = format!("{path}/arquivo");
    let other = app.issuer(ALPHANUMERIC).await;
    for stranger in [&other.test, &tenant.live] {
        stranger.get(&path).await.refused(404, "nao_encontrado");
        stranger.get(&file).await.refused(404, "nao_encontrado");
        stranger.delete(&path).await.refused(404, "nao_encontrado");
        assert_eq!(stranger.get(PATH).await.ok(200)["total"], 0);
    }
    // another account's company is unknown; production has none of these documents
    other.test.post(PATH, &request(&app, NUMERIC)).await.refused(404, "nao_encontrado");
    let live = exported(&tenant.live, &request(&app, NUMERIC)).await;
    assert_eq!((&live["status"], &live["documentos"]), (&json!("concluida"), &json!(0)), "{live}");
    assert_eq!(tenant.test.get(PATH).await.ok(200)["total"], 1);
    // after a week the file is gone
    app.clock.forward(8 * DAY);
    let gone = tenant.test.get(&file).await.refused(410, "exportacao_expirada");
    assert!(gone["detail"].as_str().unwrap().contains("prazo"), "{gone}");
    assert_eq!(tenant.test.get(&path).await.ok(200)["status"], "expirada");
    tenant.test.delete(&path).await.ok(200);
    tenant.test.get(&path).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn what_is_no_period_is_refused() {
    // without workers nothing is made: the first one stays unfinished
    let app = TestApp::start_with(|parts| parts.worker = None).await;
    let client = app.issuer(NUMERIC).await.test;
    let with = |name: &str, value: Value| {
        let mut body = json!({ "cpf_cnpj": NUMERIC, "de": "2026-11-01", "ate": "2026-11-30" });
        body[name] = value;
        body
    };
    for (name, value) in [
        ("de", json!("2026-11-31")),
        ("de", json!("2026-11-01T00:00:00Z")),
        ("ate", json!("2026-10-31")),
        ("cpf_cnpj", json!("11222333000182")),
        ("tipos", json!(["mdfe"])),
        ("tipos", json!([])),
        ("com_pdf", json!("sim")),
    ] {
        client.post(PATH, &with(name, value)).await.refused(422, "validacao");
    }
    client.post(PATH, &with("de", Value::Null)).await.refused(400, "campo_obrigatorio");
    client.post(PATH, &with("de", json!("2025-11-29"))).await.refused(400, "periodo_excedido");
    let accepted = client.post(PATH, &with("com_pdf", json!(false))).await.ok(202);
    let path = accepted["consulta"].as_str().unwrap();
    client.get(&format!("{path}/arquivo")).await.refused(409, "arquivo_indisponivel");
    client.post(PATH, &with("com_pdf", json!(true))).await.refused(409, "estado_invalido");
    client.delete(path).await.ok(200);
    client.post(PATH, &with("com_pdf", json!(true))).await.ok(202);
    app.finish().await;
}
