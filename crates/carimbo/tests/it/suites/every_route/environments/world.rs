//! A company with one object of every kind in production, and identifiers that do not exist.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::app::{PASSWORD, Tenant, TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC, number};
use crate::support::client::Client;
use crate::support::services::rendered;
use crate::support::transports::cargo;
use crate::support::users::session;

/// A tenant whose company is in production.
pub(super) struct World {
    app: TestApp,
    pub(super) tenant: Tenant,
    /// A user's session in homologação.
    pub(super) session: Client,
    pub(super) known: Known,
    pub(super) nobodys: Known,
}

/// Identifiers, by their place in the table's requests.
pub(super) struct Known(Vec<(&'static str, String)>);

impl Known {
    /// A request with the identifiers in it.
    pub(super) fn put_into(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (place, value)| text.replace(place, value))
    }

    /// The places again, instead of the identifiers.
    pub(super) fn taken_out_of(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (place, value)| text.replace(value, place))
    }
}

/// Identifiers that are not secret: lists that homologação may read contain them.
const SHARED: [&str; 5] = ["<company>", "<key>", "<certificate>", "<logo>", "<nobodys>"];

impl World {
    pub(super) async fn new() -> World {
        let app = TestApp::start().await;
        let (tenant, other) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
        let own = issued(&tenant.test, &body::emission(NUMERIC)).await;
        assert_eq!(own["ambiente"], "homologacao");
        for (tenant, company) in [(&tenant, NUMERIC), (&other, ALPHANUMERIC)] {
            tenant.live.put(&format!("/v1/empresas/{company}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
        }
        let mut known = issue(&tenant).await;
        known.push(("<received>", receive(&tenant, &other).await));
        known.push(("<received_cte>", receive_transport(&tenant, &other).await));
        known.push(("<received_nfse>", receive_service(&tenant, &other).await));
        let certificate =
            json!({ "certificado": STANDARD.encode(app.pfx(NUMERIC, 365)), "senha": PASSWORD }).to_string();
        known.push(("<certificate>", certificate));
        known.push(("<logo>", STANDARD.encode(include_bytes!("../../empresas/logo.png"))));
        known.push(("<company>", NUMERIC.to_owned()));
        known.push(("<nobodys>", NOBODYS.to_owned()));
        let session = session(&app, &tenant).await;
        World { app, tenant, session, known: Known(known), nobodys: nobodys() }
    }

    /// Returns the objects that production's own credential sees.
    pub(super) async fn production(&self) -> Vec<Value> {
        let mut seen = Vec::new();
        let job = format!("/v1/nfe/consultar/{}", self.known.put_into("<job>"));
        let company = format!("/v1/empresas/{NUMERIC}");
        for path in [
            job.as_str(),
            "/v1/notas?ambiente=producao",
            "/v1/nfe/recebidas?ambiente=producao",
            &company,
            "/v1/cte/recebidos?ambiente=producao",
            "/v1/nfse/recebidas?ambiente=producao",
        ] {
            seen.push(self.tenant.live.get(path).await.lasting());
        }
        let numbers = self.tenant.live.get("/v1/empresas/numeracao").await.ok(200);
        seen.extend(
            numbers["numeracao"].as_array().unwrap().iter().filter(|row| row["ambiente"] == "producao").cloned(),
        );
        // a homologação configuration of another type of document is its own to change
        seen[3]["configuracoes"]["nfce"] = Value::Null;
        seen[3]["atualizado_em"] = Value::Null;
        seen
    }

    #[track_caller]
    pub(super) fn assert_nothing_of_production(&self, route: &str, text: &str) {
        for (place, value) in self.known.0.iter().filter(|(place, _)| !SHARED.contains(place)) {
            assert!(!text.contains(value.as_str()), "{route} shows {place} of production: {text}");
        }
    }

    pub(super) async fn finish(self) {
        self.app.finish().await;
    }
}

/// A note with a reference, a webhook and a correction; a job that failed; a token of an assisted emission.
async fn issue(tenant: &Tenant) -> Vec<(&'static str, String)> {
    let mut emission = body::emission(NUMERIC);
    emission["referencia_externa"] = json!("DEPRODUCAO1");
    emission["webhook_url"] = json!("https://receptor.invalid/gancho");
    emission["nota"]["produtos"][0]["vUnCom"] = number("6.00");
    emission["nota"]["produtos"][0]["vProd"] = number("120.00");
    emission["nota"]["pagamentos"][0]["vPag"] = number("120.00");
    let job = issued(&tenant.live, &emission).await;
    assert_eq!((&job["ambiente"], &job["nota"]["status"]), (&json!("producao"), &json!("autorizada")), "{job}");
    let correction =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "correcao": "O volume é de vinte cadernos." });
    let event = tenant.live.post("/v1/nfe/carta-correcao", &correction).await.ok(202);
    ended(&tenant.live, &event).await;
    let mut taken = emission.clone();
    taken["referencia_externa"] = json!("DEPRODUCAO2");
    taken["nota"]["identificacao"]["nNF"] = job["nota"]["numero"].clone();
    let failed = issued(&tenant.live, &taken).await;
    assert_eq!((&failed["status"], &failed["ambiente"]), (&json!("failed"), &json!("producao")), "{failed}");
    let mut waiting = body::emission(NUMERIC);
    waiting["nota"]["produtos"][0]["cProd"] = json!("ESPERA");
    let prepared = tenant.live.post("/v1/nfe/preparar", &waiting).await.ok(200);
    let delivery = tenant.live.get("/v1/webhooks/entregas").await.ok(200)["entregas"][0]["id"].clone();
    let keys = tenant.live.get("/v1/auth/api-keys").await.ok(200);
    let key =
        keys["api_keys"].as_array().unwrap().iter().find(|key| key["ambiente"] == "producao").unwrap()["id"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    vec![
        ("<job>", text(&job["job_id"])),
        ("<chave>", text(&job["nota"]["chave"])),
        ("<event>", text(&event["job_id"])),
        ("<failed>", text(&failed["job_id"])),
        ("<ref>", "DEPRODUCAO1".to_owned()),
        ("<delivery>", text(&delivery)),
        ("<token>", text(&prepared["token_confirmacao"])),
        ("<key>", text(&key)),
    ]
}

/// A note of another company to this one; gives its key.
async fn receive(tenant: &Tenant, other: &Tenant) -> String {
    let mut emission = body::emission(ALPHANUMERIC);
    emission["nota"]["destinatario"]["CNPJCPF"] = json!(NUMERIC);
    let sent = issued(&other.live, &emission).await;
    assert_eq!((&sent["ambiente"], &sent["nota"]["status"]), (&json!("producao"), &json!("autorizada")), "{sent}");
    tenant.live.post("/v1/nfe/recebidas/sincronizar", &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    let listed = tenant.live.get("/v1/nfe/recebidas").await.ok(200);
    assert_eq!(listed["notas"][0]["chave"], sent["nota"]["chave"], "{listed}");
    sent["nota"]["chave"].as_str().unwrap().to_owned()
}

/// A transport by another company that this one pays for; gives its key.
async fn receive_transport(tenant: &Tenant, other: &Tenant) -> String {
    let settings = json!({ "ambiente": 1, "crt": 1, "serie": "1", "rntrc": "12345678" });
    other.live.put(&format!("/v1/empresas/{ALPHANUMERIC}/cte"), &settings).await.ok(200);
    let mut emission = cargo();
    emission["cpf_cnpj"] = json!(ALPHANUMERIC);
    emission["nota"]["remetente"]["CNPJCPF"] = json!(NUMERIC);
    emission["nota"]["documentos"]["nfe"] = json!([NOBODYS]);
    let accepted = other.live.post("/v1/cte/emitir", &emission).await.ok(202);
    let sent = ended(&other.live, &accepted).await;
    assert_eq!((&sent["ambiente"], &sent["nota"]["status"]), (&json!("producao"), &json!("autorizada")), "{sent:#}");
    tenant.live.post("/v1/cte/recebidos/sincronizar", &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    let listed = tenant.live.get("/v1/cte/recebidos").await.ok(200);
    assert_eq!(listed["notas"][0]["chave"], sent["nota"]["chave"], "{listed}");
    sent["nota"]["chave"].as_str().unwrap().to_owned()
}

/// A service by another company that this one takes; gives its key.
async fn receive_service(tenant: &Tenant, other: &Tenant) -> String {
    let settings = json!({ "ambiente": 1, "codigo_municipio": "3550308", "serie": "1", "provedor": "nacional",
        "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    other.live.put(&format!("/v1/empresas/{ALPHANUMERIC}/nfse"), &settings).await.ok(200);
    let accepted = other.live.post("/v1/nfse/emitir", &rendered(ALPHANUMERIC, NUMERIC, "SERVICO1")).await.ok(202);
    let sent = ended(&other.live, &accepted).await;
    assert_eq!((&sent["ambiente"], &sent["nota"]["status"]), (&json!("producao"), &json!("autorizada")), "{sent:#}");
    tenant.live.post("/v1/nfse/recebidas/sincronizar", &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    let listed = tenant.live.get("/v1/nfse/recebidas").await.ok(200);
    assert_eq!(listed["notas"][0]["chave"], sent["nota"]["chave"], "{listed}");
    sent["nota"]["chave"].as_str().unwrap().to_owned()
}

const NOBODYS: &str = "35261111222333000181550010000099991000099997";

fn nobodys() -> Known {
    let id = || Uuid::now_v7().to_string();
    Known(vec![
        ("<job>", id()),
        ("<chave>", NOBODYS.to_owned()),
        ("<event>", id()),
        ("<failed>", id()),
        ("<ref>", "DENINGUEM1".to_owned()),
        ("<delivery>", id()),
        ("<received>", "35261111222333000181550010000099981000099988".to_owned()),
        ("<received_cte>", "35261111222333000181570010000099981000099989".to_owned()),
        ("<received_nfse>", "35503082211222333000181000000000999826111234567890".to_owned()),
        ("<company>", NUMERIC.to_owned()),
    ])
}
