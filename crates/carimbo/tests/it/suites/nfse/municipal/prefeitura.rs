//! The city hall as the company configures it: credentials, an address of its own, required codes, separate
//! environments.

use std::net::IpAddr;
use std::sync::Arc;

use authority::table::{AuthorityRole, AuthorityService, EndpointTable};
use outbound::{AddressPolicy, NameResolver, ResolveFuture};
use serde_json::{Value, json};
use server::WebhookSettings;

use super::{NUMERIC, Tenant, TestApp, ended, issued, job_when};
use crate::support::municipal_services::{LAVRAS, ROUTE, configuration, provider, service, there};

/// Fiorilli, which requires user and password beside the message.
const JARU: &str = "1100114";
/// A município of WebISS, which requires a code of cancellation.
const CACOAL: &str = "1100049";

#[tokio::test]
async fn credentials_go_where_the_city_hall_wants_them_and_nowhere_else() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let settings = json!({ "codigo_municipio": JARU, "provedor": "fiorilli", "versao": "2.00" });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    let refusal = tenant.test.post(ROUTE, &there(JARU, "K1")).await.refused(422, "empresa_sem_configuracao");
    assert!(refusal["mensagem"].as_str().unwrap().contains("prefeitura.login e prefeitura.senha"), "{refusal}");
    let registered = json!({ "IM": "12345", "acesso": ["loja-do-centro", "s3nha-da-prefeitura"] });
    app.control.put(&format!("/_sim/municipal/contribuintes/{NUMERIC}"), &registered).await.ok(200);
    let wrong = json!({ "prefeitura": { "login": "loja-do-centro", "senha": "outra-senha-qualquer" } });
    tenant.test.put(&configuration(), &wrong).await.ok(200);
    let accepted = tenant.test.post(ROUTE, &there(JARU, "K2")).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["rejeicoes"][0]["codigo_status"], "E157", "{job:#}");
    let right = json!({ "prefeitura": { "senha": "s3nha-da-prefeitura" } });
    let kept = tenant.test.put(&configuration(), &right).await.ok(200);
    assert!(!kept.to_string().contains("s3nha"), "{kept}");
    let job = issued(&tenant, &there(JARU, "K3")).await;
    let asked = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(asked["numero"], job["nota"]["numero"]);
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    let cancelled = ended(&tenant.test, &tenant.test.post("/v1/nfse/cancelar", &cancel).await.ok(202)).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled:#}");
    for tipo in ["xml", "xml_dps", "xml_cancelamento", "log"] {
        let file = tenant.test.get(&format!("/v1/nfse/{}/file/{tipo}", job["job_id"].as_str().unwrap())).await;
        assert_eq!(file.status.as_u16(), 200, "{tipo}: {}", file.text());
        for secret in ["s3nha-da-prefeitura", "outra-senha-qualquer"] {
            assert!(!file.text().contains(secret), "{tipo}: {}", file.text());
        }
    }
    assert!(!app.dump().await.contains("s3nha-da-prefeitura"));
    app.finish().await;
}

#[tokio::test]
async fn the_code_of_a_cancellation_that_nobody_said_is_told() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let settings =
        json!({ "codigo_municipio": CACOAL, "provedor": "webiss", "versao": "2.02", "aliquota": "percentual" });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    for (referencia, motivo, codigo) in [("Z1", json!(2), "2"), ("Z2", Value::Null, "1")] {
        let job = issued(&tenant, &there(CACOAL, referencia)).await;
        let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "codigo_motivo": motivo,
            "justificativa": "Serviço que não foi prestado" });
        let accepted = tenant.test.post("/v1/nfse/cancelar", &cancel).await.ok(202);
        let told = &accepted["avisos"][0];
        assert_eq!(
            (&told["campo"], &told["codigo"]),
            (&json!("codigo_cancelamento"), &json!("assumido_padrao")),
            "{accepted:#}"
        );
        assert!(told["mensagem"].as_str().unwrap().contains(&format!("\"{codigo}\"")), "{told}");
        let cancelled = ended(&tenant.test, &accepted).await;
        assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled:#}");
        let xml = tenant.test.get(&format!("/v1/nfse/{}/file/xml_cancelamento", job["job_id"].as_str().unwrap())).await;
        assert!(xml.text().contains(&format!("<CodigoCancelamento>{codigo}<")), "{}", xml.text());
    }
    let job = issued(&tenant, &there(CACOAL, "Z3")).await;
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "codigo_cancelamento": 4,
        "justificativa": "Serviço que não foi prestado" });
    let accepted = tenant.test.post("/v1/nfse/cancelar", &cancel).await.ok(202);
    assert_eq!(accepted["avisos"], json!([]), "what was said is no remark: {accepted:#}");
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}

/// Starts with the city halls at their own addresses, without a template: a company's address is called as it stands.
async fn without_template(reach: AddressPolicy) -> (TestApp, String) {
    let mut base = String::new();
    let app = TestApp::start_with(|parts| {
        let (uf, ambiente) = (fiscal::value::Uf::MG, fiscal::value::TpAmb::Homologacao);
        let found = parts.table.endpoint(
            uf,
            fiscal::tipo::DPS,
            ambiente,
            AuthorityService::ConsultaCadastro,
            AuthorityRole::National,
        );
        base = found.unwrap().url.split("/nfse/").next().unwrap().to_owned();
        parts.table = EndpointTable::with_overrides("").unwrap();
        parts.webhooks = WebhookSettings { reach, resolver: Arc::new(Inner), ..WebhookSettings::default() };
    })
    .await;
    (app, base)
}

/// A resolver that leads every name into a private network.
struct Inner;

impl NameResolver for Inner {
    fn resolve<'r>(&'r self, _host: &'r str) -> ResolveFuture<'r> {
        Box::pin(async { Ok(vec![IpAddr::from([10, 0, 0, 7])]) })
    }
}

/// Registers a company with plain ABRASF, by the manual, at an address of its own. SiapNet's city hall uses it.
async fn by_itself(app: &TestApp, url: &str) -> Tenant {
    let tenant = provider(app).await;
    let settings = json!({ "provedor": "abrasf", "versao": "2.01", "aliquota": "percentual", "url_homologacao": url });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    tenant
}

#[tokio::test]
async fn a_city_hall_without_a_row_is_called_at_the_address_that_the_company_gives() {
    let (app, base) = without_template(AddressPolicy::public().with_plain_loopback(true)).await;
    let tenant = by_itself(&app, &format!("{base}/municipal/siapnet-2.01/{LAVRAS}/hom")).await;
    let job = issued(&tenant, &there(LAVRAS, "U1")).await;
    let log = tenant.test.get(&format!("/v1/nfse/{}/file/log", job["job_id"].as_str().unwrap())).await.text();
    assert!(log.contains("MUNICIPIO-3138203-"), "an address of one company has a name of its own: {log}");
    let asked = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(asked["numero"], job["nota"]["numero"]);
    let status = app.anonymous().get("/status").await.text();
    assert!(!status.contains("MUNICIPIO-3138203-"), "nor is it anybody else's business: {status}");
    app.finish().await;
}

#[tokio::test]
async fn an_address_into_an_inner_network_is_refused_by_its_text_and_by_what_its_name_leads_to() {
    let (mut app, base) = without_template(AddressPolicy::public()).await;
    let tenant = by_itself(&app, "https://nota.cidade.mg.gov.br/ws").await;
    for inner in [&base, "https://10.0.0.7/nfse", "https://169.254.169.254/latest", "https://prefeitura.internal/x"] {
        for member in ["url_homologacao", "url_producao"] {
            let refused = tenant.test.put(&configuration(), &json!({ member: inner })).await.refused(422, "validacao");
            assert_eq!(refused["erros"][0]["campo"], *member, "{refused}");
        }
    }
    // a public name that resolves to a private network: nothing is sent, and the job names the reason
    let accepted = tenant.test.post(ROUTE, &there(LAVRAS, "I1")).await.ok(202);
    let says = |job: &Value| job["erro_detalhe"]["codigo"] == "falha_de_conexao";
    let job = job_when(&tenant.test, &accepted, says).await;
    assert!(job["erro"].as_str().unwrap().contains("10.0.0.7"), "{job:#}");
    assert_eq!(super::notes(&app).await, 0);
    let asked = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await;
    asked.refused(503, "indisponivel");
    // it waits for an address that may be called
    app.stop().await;
}

/// Number 1 of one environment is another RPS than number 1 of the other (migration 0025), of a DPS as well.
#[tokio::test]
async fn the_number_of_a_test_is_free_in_production() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let url = json!({ "ambiente": 1, "serie": "1", "proximo_numero": 1 });
    assert_eq!(issued(&tenant, &service("P1")).await["nota"]["numero_dps"], 1);
    tenant.live.put(&configuration(), &url).await.ok(200);
    let live = async |path: &str, body: &Value| {
        let accepted = tenant.live.post(path, body).await.ok(202);
        assert_eq!(accepted["ambiente"], "producao", "{accepted}");
        let job = ended(&tenant.live, &accepted).await;
        assert_eq!((&job["nota"]["status"], &job["nota"]["numero_dps"]), (&json!("autorizada"), &json!(1)), "{job:#}");
    };
    live(ROUTE, &service("P2")).await;
    assert_eq!(super::notes(&app).await, 2);
    // the national layout, likewise
    let national = json!({ "ambiente": 2, "provedor": "nacional", "codigo_municipio": "3550308", "serie": "9" });
    tenant.live.put(&configuration(), &national).await.ok(200);
    let accepted = tenant.test.post("/v1/nfse/emitir", &crate::support::services::another("P3")).await.ok(202);
    assert_eq!(ended(&tenant.test, &accepted).await["nota"]["numero_dps"], 1);
    tenant.live.put(&configuration(), &json!({ "ambiente": 1, "serie": "9" })).await.ok(200);
    live("/v1/nfse/emitir", &crate::support::services::another("P4")).await;
    app.finish().await;
}

/// A note that is not known here has the number: it may be this sale's, so no document is called rejected, and the next
/// takes the next number.
#[tokio::test]
async fn a_number_of_a_note_that_is_not_known_here_leaves_the_sale_in_doubt() {
    let app = TestApp::start().await;
    let (other, tenant) = (provider(&app).await, provider(&app).await);
    let theirs = issued(&other, &service("X1")).await;
    let mut body = service("X2");
    body["nota"]["servico"]["valores"]["valor_servicos"] = json!(900);
    let job = ended(&tenant.test, &tenant.test.post(ROUTE, &body).await.ok(202)).await;
    let codigo = &job["erro_detalhe"]["codigo"];
    assert_eq!((&job["status"], codigo), (&json!("failed"), &json!("em_duvida")), "{job:#}");
    assert_eq!(job["nota"]["numero"], Value::Null, "{job:#}");
    let said = job["erro"].as_str().unwrap();
    assert!(said.contains(&format!("NFS-e {}", theirs["nota"]["numero"])), "{said}");
    assert_eq!(issued(&tenant, &service("X3")).await["nota"]["numero_dps"], 2);
    app.finish().await;
}

/// Returns the text of a PDF without blanks: the letters of a watermark stand apart.
pub(super) fn written(pdf: &[u8]) -> String {
    crate::support::judge::text_of_pdf(pdf).split_whitespace().collect()
}

#[tokio::test]
async fn the_printed_form_says_what_the_city_hall_wrote() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &service("F1")).await;
    let path = format!("/v1/nfse/{}/file/pdf", job["job_id"].as_str().unwrap());
    let pdf = tenant.test.get(&path).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    let text = written(&pdf.bytes);
    let nota = &job["nota"];
    for holds in [
        nota["numero"].to_string().as_str(),
        nota["codigo_verificacao"].as_str().unwrap(),
        "1.500,00",
        "SEMVALORFISCAL",
    ] {
        assert!(text.contains(holds), "{holds}: {text}");
    }
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    ended(&tenant.test, &tenant.test.post("/v1/nfse/cancelar", &cancel).await.ok(202)).await;
    let text = written(&tenant.test.get(&path).await.bytes);
    assert!(text.contains("CANCELADA"), "{text}");
    app.finish().await;
}

/// A client that expects the outcome in the first answer, by each of the four routes.
#[tokio::test]
async fn the_older_routes_answer_the_end_in_the_same_call() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let route = |act: &str| format!("/v1/nfse/{NUMERIC}/{act}");
    let first = tenant.test.post(&route("emitir"), &service("A1")).await.ok(200);
    let second = tenant.test.post(&route("emitir/json/sync"), &service("A2")).await.ok(200);
    for (job, numero) in [(&first, 1), (&second, 2)] {
        assert_eq!(
            (&job["status"], &job["nota"]["status"], &job["nota"]["numero_dps"]),
            (&json!("completed"), &json!("autorizada"), &json!(numero)),
            "{job:#}"
        );
    }
    let cancel = json!({ "job_id": first["job_id"], "justificativa": "Serviço que não foi prestado" });
    let cancelled = tenant.test.post(&route("cancelar"), &cancel).await.ok(200);
    assert_eq!((&cancelled["operacao"], &cancelled["nota"]["status"]), (&json!("cancelamento"), &json!("cancelada")));
    for (numero, situacao) in [(1, "cancelada"), (2, "autorizada"), (3, "nao_encontrada")] {
        let found = tenant.test.post(&route("consultar"), &json!({ "numero_rps": numero })).await.ok(200);
        assert_eq!(found["situacao"], situacao, "{found:#}");
    }
    app.finish().await;
}
