//! Tenant A with one object of every kind, tenant B with some of its own, and identifiers that do not exist.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::app::{Tenant, TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::users::{SENHA, User, bearer, login, user, user_with};
use store::accounts::Permissao;

/// A well-formed number of a company that is not registered.
const NOBODYS: &str = "45723174000110";

/// Both tenants.
pub(super) struct World {
    app: TestApp,
    pub(super) a: Side,
    pub(super) b: Side,
    pub(super) a_known: Known,
    pub(super) b_known: Known,
    pub(super) nobodys: Known,
    b_user: User,
    /// Places of A whose values B may see.
    shared: &'static [&'static str],
}

/// A tenant by either of its credentials.
pub(super) struct Side {
    pub(super) key: Client,
    pub(super) session: Client,
}

/// Identifiers of a tenant, by their placeholders in the table's requests.
pub(super) struct Known(Vec<(&'static str, String)>);

impl Known {
    /// A request with the identifiers in it.
    pub(super) fn put_into(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (place, value)| text.replace(place, value))
    }

    /// The places again, instead of the identifiers.
    pub(super) fn taken_out_of(&self, text: &str) -> String {
        self.0
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .fold(text.to_owned(), |text, (place, value)| text.replace(value, place))
    }
}

impl Side {
    /// Returns the objects that the tenant can see, without members that change on being read.
    pub(super) async fn everything(&self) -> Vec<Value> {
        let mut seen = Vec::new();
        for path in ["/v1/empresas?limite=100", "/v1/auth/api-keys", "/v1/auth/auditoria", "/v1/cotas"] {
            let mut answer = self.session.get(path).await.lasting();
            if let Some(Value::Array(keys)) = answer.get_mut("api_keys") {
                keys.iter_mut().for_each(|key| key["ultimo_uso_em"] = Value::Null);
            }
            seen.push(answer);
        }
        for path in ["/v1/notas", "/v1/webhooks/segredo", "/v1/empresas/numeracao"] {
            seen.push(self.key.get(path).await.lasting());
        }
        seen
    }
}

impl World {
    pub(super) async fn new() -> World {
        let app = TestApp::start().await;
        let (a, b) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
        let (a_user, b_user) = (user(&app, &a).await, user(&app, &b).await);
        let (a_session, b_session) =
            (bearer(&app, &login(&app, &a_user).await), bearer(&app, &login(&app, &b_user).await));
        let a_known = known(&a, &a_session, &a_user, NUMERIC, "PEDIDODEA").await;
        let b_known = known(&b, &b_session, &b_user, ALPHANUMERIC, "PEDIDODEB").await;
        let (a, b) = (Side { key: a.test, session: a_session }, Side { key: b.test, session: b_session });
        World { app, a, b, a_known, b_known, nobodys: nobodys(), b_user, shared: &["<senha>"] }
    }

    /// A tenant with two companies: A is its key, B a person whose only role is the strongest, in the other company.
    pub(super) async fn of_companies() -> World {
        let app = TestApp::start().await;
        let tenant = app.issuer(NUMERIC).await;
        app.company(&tenant, ALPHANUMERIC).await;
        let (a_user, b_user) =
            (user(&app, &tenant).await, user_with(&app, &tenant, Permissao::Administrador, Some(ALPHANUMERIC)).await);
        let whole = bearer(&app, &login(&app, &a_user).await);
        let a_known = known(&tenant, &whole, &a_user, NUMERIC, "PEDIDODEA").await;
        let b_known = known(&tenant, &whole, &b_user, ALPHANUMERIC, "PEDIDODEB").await;
        let limited = async || bearer(&app, &login(&app, &b_user).await);
        let b = Side { key: limited().await, session: limited().await };
        let a = Side { key: tenant.test, session: whole };
        World { app, a, b, a_known, b_known, nobodys: nobodys(), b_user, shared: &["<senha>", "<tenant>"] }
    }

    /// Objects of A's company, without members that change on being read.
    pub(super) async fn everything_of_company(&self) -> Vec<Value> {
        let mut seen = Vec::new();
        for path in [
            format!("/v1/empresas/{NUMERIC}"),
            format!("/v1/notas?emitente={NUMERIC}"),
            format!("/v1/empresas/numeracao?cnpj={NUMERIC}"),
            self.a_known.put_into("/v1/nfe/<job>/eventos"),
        ] {
            seen.push(self.a.key.get(&path).await.lasting());
        }
        seen
    }

    /// Logs B in once more: some routes end the session that calls them.
    pub(super) async fn fresh_session(&self) -> Client {
        bearer(&self.app, &login(&self.app, &self.b_user).await)
    }

    /// Nothing that only A could know stands in an answer to B.
    #[track_caller]
    pub(super) fn assert_nothing_of_a(&self, route: &str, text: &str) {
        for (place, value) in self.a_known.0.iter().filter(|(place, _)| !self.shared.contains(place)) {
            assert!(!text.contains(value.as_str()), "{route} shows {place} of A: {text}");
        }
    }

    pub(super) async fn finish(self) {
        self.app.finish().await;
    }
}

/// Issues a note with a reference and a webhook; gives all identifiers.
async fn known(tenant: &Tenant, session: &Client, user: &User, company: &str, reference: &str) -> Known {
    let mut emission = body::emission(company);
    emission["referencia_externa"] = json!(reference);
    emission["webhook_url"] = json!("https://receptor.invalid/gancho");
    let job = issued(&tenant.test, &emission).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let deliveries = tenant.test.get("/v1/webhooks/entregas").await.json();
    let mut waiting = body::emission(company);
    waiting["nota"]["produtos"][0]["cProd"] = json!("ESPERA");
    let prepared = tenant.test.post("/v1/nfe/preparar", &waiting).await.ok(200);
    let delivery = deliveries["entregas"][0]["id"].as_str().map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let key = session.post("/v1/auth/api-keys", &json!({ "nome": format!("chave {reference}") })).await.ok(201);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Known(vec![
        ("<job>", text(&job["job_id"])),
        ("<chave>", text(&job["nota"]["chave"])),
        ("<company>", company.to_owned()),
        ("<ref>", reference.to_owned()),
        ("<key>", text(&key["id"])),
        ("<token>", text(&prepared["token_confirmacao"])),
        ("<prefix>", text(&key["prefixo"])),
        ("<delivery>", delivery),
        ("<user>", user.id.to_string()),
        ("<email>", user.email.clone()),
        ("<tenant>", tenant.id.to_string()),
        ("<senha>", SENHA.to_owned()),
    ])
}

fn nobodys() -> Known {
    let id = || Uuid::now_v7().to_string();
    Known(vec![
        ("<job>", id()),
        ("<chave>", "35261111222333000181550010000099991000099997".to_owned()),
        ("<company>", NOBODYS.to_owned()),
        ("<ref>", "PEDIDODENINGUEM".to_owned()),
        ("<key>", id()),
        ("<token>", format!("crb_conf_{:064}", 0)),
        ("<delivery>", id()),
        ("<user>", id()),
    ])
}
