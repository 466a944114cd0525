//! Everything that has a secret, done once well and once badly.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};

use super::Secrets;
use crate::support::app::{PASSWORD, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::client::{Answer, Client};
use crate::support::municipal_services;
use crate::support::provider::{CLIENT, Provider, SECRET, parameters};
use crate::support::second_factor::turn_on_at;

/// The start of the run.
pub(super) struct Run {
    pub(super) base_url: String,
    pub(super) key: String,
    pub(super) senha: String,
    pub(super) pfx: Vec<u8>,
    pub(super) provider: Provider,
}

/// Answers that must be free of secrets, each with a name for the failure.
type Answers = Vec<(String, Vec<u8>)>;

const CITY_HALL: &str = "s3nha-da-prefeitura";
const CSC: &str = "CSC-SECRETO-0123456789";
const NEW_PASSWORD: &str = "outra senha secreta";
const WRONG_PASSWORD: &str = "uma senha errada";
const WRONG_PFX_PASSWORD: &str = "outra senha do arquivo";
const PANEL_CSC: &str = "CSC-DO-PAINEL-9876543210";

impl Run {
    /// Runs everything; secrets made on the way are added to `secrets`.
    pub(super) async fn everything(&self, secrets: &mut Secrets) -> Answers {
        let client = Client::new(&self.base_url).with_key(&self.key);
        secrets.hold("the new login password", NEW_PASSWORD);
        secrets.hold("the wrong login password", WRONG_PASSWORD);
        secrets.hold("the CSC", CSC);
        secrets.hold("the password at the city hall", CITY_HALL);
        let mut answers = self.company(&client).await;
        answers.extend(self.panel(secrets).await);
        answers.extend(documents(&client).await);
        answers.extend(sales(&client).await);
        answers.extend(services(&client).await);
        answers.extend(self.people(secrets).await);
        self.provider_sign_in(secrets).await;
        self.second_factor(secrets).await;
        answers.extend(webhooks(&client, secrets).await);
        self.over_http_2().await;
        answers
    }

    /// Registration, configurations, certificate.
    async fn company(&self, client: &Client) -> Answers {
        client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
        let company = format!("/v1/empresas/{NUMERIC}");
        client.put(&format!("{company}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
        let nfce = json!({ "ambiente": 2, "csc_id": "1", "csc": CSC });
        let wrong = json!({ "ambiente": 7, "csc_id": [], "csc": CSC });
        let path = format!("{company}/certificado");
        let good = json!({ "certificado": STANDARD.encode(&self.pfx), "senha": PASSWORD });
        let cut = json!({ "certificado": STANDARD.encode(&self.pfx[..self.pfx.len() - 1]), "senha": PASSWORD });
        let typed = json!({ "certificado": [STANDARD.encode(&self.pfx)], "senha": { "x": PASSWORD } });
        let broken = good.to_string();
        let broken = Bytes::from(broken[..broken.len() - 3].to_owned());
        let mut answers = Vec::new();
        for body in [
            json!({ "prefeitura": { "login": "loja", "senha": CITY_HALL } }),
            json!({ "provedor": "x", "prefeitura": { "senha": CITY_HALL } }),
            json!({ "prefeitura": { "senha": [CITY_HALL] } }),
        ] {
            answers.push(told("a configuration of NFS-e", &client.put(&format!("{company}/nfse"), &body).await));
        }
        answers.extend([
            told("the CSC's answer", &client.put(&format!("{company}/nfce"), &nfce).await),
            told("a wrong CSC", &client.put(&format!("{company}/nfce"), &wrong).await),
            told("a good upload", &client.put(&path, &good).await),
            told("a broken file", &client.put(&path, &cut).await),
            told("a wrong type", &client.put(&path, &typed).await),
            told("a cut body", &client.send(Method::PUT, &path, &[JSON], broken).await),
            told("the company", &client.get(&company).await),
            told("the companies", &client.get("/v1/empresas").await),
            told("the certificates", &client.get("/v1/empresas/certificados").await),
        ]);
        answers
    }

    /// Secrets that a person sends through the forms of the panel.
    async fn panel(&self, secrets: &mut Secrets) -> Answers {
        secrets.hold("a wrong password of the certificate", WRONG_PFX_PASSWORD);
        secrets.hold("the CSC of the panel", PANEL_CSC);
        let client = Client::new(&self.base_url);
        let mut person = Browser { client, cookies: BTreeMap::new(), told: String::new() };
        let entered = person.enter("dono@exemplo.com.br", &self.senha, "homologacao").await;
        assert_eq!(entered.status.as_u16(), 303, "{}", entered.text());
        let company = format!("/painel/empresas/{NUMERIC}");
        let (certificate, sales) = (format!("{company}/certificado"), format!("{company}/tipos/nfce"));
        let proof = proof(&person.get(&certificate).await);
        let cut = &self.pfx[..self.pfx.len() - 1];
        let mut answers = Vec::new();
        for (name, pfx, senha) in [
            ("an upload with a wrong password", self.pfx.as_slice(), WRONG_PFX_PASSWORD),
            ("an upload that was cut", cut, PASSWORD),
            ("an upload to confirm", &self.pfx, PASSWORD),
        ] {
            let parts =
                [("prova", "", proof.as_bytes()), ("certificado", "a.pfx", pfx), ("senha", "", senha.as_bytes())];
            let answer = person.upload(&certificate, &parts).await;
            answers.push(told(name, &answer));
            if answer.status.as_u16() == 303 {
                let offer = answer.header("location").to_owned();
                answers.push(told("the upload's page", &person.get(&offer).await));
                answers.push(told("its confirmation", &person.post(&offer, &[("prova", &proof)]).await));
                answers.push(told("its second confirmation", &person.post(&offer, &[("prova", &proof)]).await));
            }
        }
        assert_eq!(answers.len(), 6, "the good upload was refused");
        for serie in ["x", "7"] {
            let fields = [("prova", proof.as_str()), ("ambiente", "homologacao"), ("serie", serie), ("csc", PANEL_CSC)];
            answers.push(told("a configuration in the panel", &person.post(&sales, &fields).await));
        }
        // the CSC that the sales of this run are signed with
        let fields = [("prova", proof.as_str()), ("ambiente", "homologacao"), ("csc_id", "1"), ("csc", CSC)];
        answers.push(told("the CSC in the panel", &person.post(&sales, &fields).await));
        for page in [&company, &certificate, &sales, &format!("{company}/producao")] {
            answers.push(told(page, &person.get(page).await));
        }
        answers
    }

    /// Logins, tokens, keys.
    async fn people(&self, secrets: &mut Secrets) -> Answers {
        let anonymous = Client::new(&self.base_url);
        let login = async |senha: &str| {
            anonymous.post("/v1/auth/login", &json!({ "email": "dono@exemplo.com.br", "senha": senha })).await
        };
        let mut answers = vec![told("a wrong login", &login(WRONG_PASSWORD).await)];
        let session = |token: &Value| anonymous.with_token(token.as_str().unwrap());
        let first = login(&self.senha).await.ok(200)["token"].clone();
        let switched =
            session(&first).post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.ok(200)["token"]
                .clone();
        let made = session(&switched).post("/v1/auth/api-keys", &json!({})).await.ok(201);
        let body = json!({ "senha_atual": self.senha, "senha_nova": NEW_PASSWORD });
        let last = session(&switched).put("/v1/auth/senha", &body).await.ok(200)["token"].clone();
        let typed = json!({ "senha_atual": [self.senha], "senha_nova": { "x": NEW_PASSWORD } });
        answers.push(told("a wrong change", &session(&last).put("/v1/auth/senha", &typed).await));
        answers.push(told("an ended token", &session(&first).get("/v1/auth/me").await));
        for path in ["/v1/auth/me", "/v1/auth/api-keys", "/v1/auth/auditoria"] {
            answers.push(told(path, &session(&last).get(path).await));
        }
        answers.push(told("a logout", &session(&last).post("/v1/auth/logout", &json!({})).await));
        let in_the_wrong_place = anonymous.with_token(made["chave"].as_str().unwrap());
        answers.push(told("a key as a token", &in_the_wrong_place.get("/v1/auth/me").await));
        for (name, token) in [("the first token", first), ("the second token", switched), ("the last token", last)] {
            // the first part is the same for every token
            let (_, own) = token.as_str().unwrap().split_once('.').unwrap();
            secrets.hold(name, own);
        }
        secrets.hold("the key made by the API", made["chave"].as_str().unwrap());
        answers
    }

    /// A sign-in by the provider, to which the client's secret and a code go.
    async fn provider_sign_in(&self, secrets: &mut Secrets) {
        let mut browser = self.browser();
        let url = browser.get("/painel/entrar/oidc").await.header("location").to_owned();
        let flow = browser.cookies["carimbo_oidc"].clone();
        self.provider.say(self.provider.person(&url, "sub-1", "dono@exemplo.com.br"));
        let state = parameters(&url)["state"].clone();
        let back = format!("/painel/entrar/oidc/retorno?code=codigo-do-provedor&state={state}");
        let entered = browser.get(&back).await;
        assert_eq!((entered.status.as_u16(), self.provider.exchanges()), (200, 1), "{}", entered.text());
        let (_, cookie) = browser.cookies[SESSION].split_once('.').unwrap();
        secrets.hold("the cookie of the panel", cookie);
        secrets.hold("the cookie of a sign-in", &flow);
        secrets.hold("the code of the provider", "codigo-do-provedor");
        secrets.hold("the client's secret", SECRET);
        let encoded = SECRET.replace(' ', "+");
        secrets.hold("the client's header", &STANDARD.encode(format!("{CLIENT}:{encoded}")));
        secrets.hold("the client's secret in a form", &encoded);
    }

    fn browser(&self) -> Browser {
        Browser { client: Client::new(&self.base_url), cookies: BTreeMap::new(), told: String::new() }
    }

    /// A second factor turned on, and used once well and once badly. Its pages show it to its user alone.
    async fn second_factor(&self, secrets: &mut Secrets) {
        let mut person = self.browser();
        let entered = person.enter("dono@exemplo.com.br", NEW_PASSWORD, "homologacao").await;
        assert_eq!(entered.header("location"), "/painel", "{}", entered.text());
        let now = jiff::Timestamp::now().as_second();
        let (held, recovery) = turn_on_at(&mut person, NEW_PASSWORD, now).await;
        secrets.hold("the secret of the second factor", &held.spelled);
        let mut browser = self.browser();
        browser.enter("dono@exemplo.com.br", NEW_PASSWORD, "homologacao").await;
        let token = proof(&browser.get("/painel/entrar/codigo").await);
        let wrong =
            browser.post("/painel/entrar/codigo", &[("prova", &token), ("codigo", "aaaa-bbbb-cccc-dddd")]).await;
        assert_eq!(wrong.status, 401, "{}", wrong.text());
        let right = browser.post("/painel/entrar/codigo", &[("prova", &token), ("codigo", &recovery[0])]).await;
        assert_eq!(right.status, 303, "{}", right.text());
        for code in &recovery {
            secrets.hold("a recovery code", code);
            secrets.hold("a recovery code without hyphens", &code.replace('-', ""));
            secrets.hold("a recovery code in capitals", &code.replace('-', "").to_uppercase());
        }
    }

    /// Sends headers over HTTP/2, where other code logs them.
    async fn over_http_2(&self) {
        let stream = tokio::net::TcpStream::connect(self.base_url.strip_prefix("http://").unwrap()).await.unwrap();
        let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let request = Request::get("http://carimbo/v1/empresas").header("x-api-key", &self.key);
        let answer = sender.send_request(request.body(Full::<Bytes>::default()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.into_body().collect().await.unwrap();
        drop(sender);
        connection.await.unwrap().unwrap();
    }
}

/// A note issued, cancelled, and its files; a note that cannot be built.
async fn documents(client: &Client) -> Answers {
    let job = issued(client, &body::emission(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let id = job["job_id"].as_str().unwrap();
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": id, "justificativa": "pedido desfeito pelo cliente" });
    let cancelled = ended(client, &client.post("/v1/nfe/cancelar", &cancel).await.ok(202)).await;
    let mut wrong = body::emission(NUMERIC);
    wrong["nota"]["produtos"][0]["vProd"] = json!("palavra-do-corpo");
    client.post("/v1/nfe/emitir", &wrong).await.refused(422, "documento_invalido");
    vec![
        ("the job".to_owned(), job.to_string().into_bytes()),
        ("the cancellation".to_owned(), cancelled.to_string().into_bytes()),
        told("the log of the job", &client.get(&format!("/v1/nfe/{id}/file/log")).await),
        told("the document", &client.get(&format!("/v1/nfe/{id}/file/xml")).await),
    ]
}

/// Sales whose QR code the CSC is hashed into: one that is authorised, one offline, one that the CSC is wrong for, one
/// that cannot be built.
async fn sales(client: &Client) -> Answers {
    let sold = async |request: &Value| {
        let job = ended(client, &client.post("/v1/nfce/emitir", request).await.ok(202)).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        job
    };
    let request = body::counter_sale(NUMERIC);
    let mut offline = request.clone();
    offline["nota"]["identificacao"]["tpEmis"] = json!(9);
    let mut answers = Vec::new();
    for (name, job) in [("a sale", sold(&request).await), ("a sale offline", sold(&offline).await)] {
        answers.push((name.to_owned(), job.to_string().into_bytes()));
        for kind in ["xml", "log", "pdf"] {
            let path = format!("/v1/nfce/{}/file/{kind}", job["job_id"].as_str().unwrap());
            let answer = client.get(&path).await;
            assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
            if kind == "log" {
                // the hash with the CSC is in the document, and need not appear elsewhere
                let code = job["nota"]["qrcode"].as_str().unwrap();
                let hash = code.rsplit('|').next().unwrap();
                assert!(hash.len() >= 8 && !answer.text().contains(hash), "{}", answer.text());
                assert!(answer.text().contains("Pedido: POST"), "the history says something");
            }
            answers.push(told(&format!("{name}'s {kind}"), &answer));
        }
    }
    let mut strange = request.clone();
    strange["nota"]["csc"] = json!(CSC);
    strange["nota"]["produtos"] = json!([]);
    answers.push(told("a check of fields", &client.post("/v1/nfce/verificar-campos", &request).await));
    answers.push(told("a sale that cannot be built", &client.post("/v1/nfce/emitir", &strange).await));
    answers
}

/// Issues a note at a city hall that requires user and password beside each message, whatever its outcome.
async fn services(client: &Client) -> Answers {
    let configuration = format!("/v1/empresas/{NUMERIC}/nfse");
    let settings = json!({ "provedor": "fiorilli", "versao": "2.00", "codigo_municipio": "1100114", "inscricao_municipal": "12345",
        "regime": { "opSimpNac": 1, "regEspTrib": 0 }, "prefeitura": { "login": "loja", "senha": CITY_HALL } });
    client.put(&configuration, &settings).await.ok(200);
    let mut answers = Vec::new();
    for (referencia, says) in [("S1", "Suporte"), ("S2", "Suporte [SIM:codigo=E45]")] {
        let mut body = municipal_services::there("1100114", referencia);
        body["nota"]["servico"]["discriminacao"] = json!(says);
        let job = ended(client, &client.post(municipal_services::ROUTE, &body).await.ok(202)).await;
        answers.push((format!("a service, {says}"), job.to_string().into_bytes()));
        for kind in ["xml", "xml_dps", "log", "pdf"] {
            let path = format!("/v1/nfse/{}/file/{kind}", job["job_id"].as_str().unwrap());
            answers.push(told(&format!("the {kind} of a service, {says}"), &client.get(&path).await));
        }
    }
    answers.push(told(
        "a question for an RPS",
        &client.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await,
    ));
    answers.push(told(
        "the older cancellation",
        &client
            .post(
                &format!("/v1/nfse/{NUMERIC}/cancelar"),
                &json!({ "numero": 1, "justificativa": "Serviço que não foi prestado" }),
            )
            .await,
    ));
    answers
}

/// The secret that signs webhooks, shown to its owner alone, and rotated.
async fn webhooks(client: &Client, secrets: &mut Secrets) -> Answers {
    for answer in [client.get(WEBHOOKS).await, client.post(WEBHOOKS, &json!({})).await, client.get(WEBHOOKS).await] {
        let text = answer.text();
        for secret in text.split('"').filter(|word| word.starts_with("whsec_") && word.len() > 20) {
            secrets.hold("a webhook secret", secret.trim_start_matches("whsec_"));
        }
    }
    vec![told("the deliveries", &client.get("/v1/webhooks/entregas").await)]
}

fn told(name: &str, answer: &Answer) -> (String, Vec<u8>) {
    (name.to_owned(), answer.bytes.to_vec())
}

const JSON: (&str, &str) = ("content-type", "application/json");
const WEBHOOKS: &str = "/v1/webhooks/segredo";
