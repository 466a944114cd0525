//! Users who can log in, and tokens made by other hands than the service's.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fiscal::value::CnpjCpf;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use serde_json::{Value, json};
use store::accounts::Permissao;
use store::audit::Actor;
use store::roles::RoleGrant;
use store::users::NewUser;
use uuid::Uuid;

use crate::support::app::{Tenant, TestApp};
use crate::support::client::Client;

pub(crate) const SENHA: &str = " uma senha de teste ";

/// A user of a tenant.
pub(crate) struct User {
    pub(crate) id: Uuid,
    pub(crate) email: String,
}

/// Adds a user with `SENHA` to a tenant.
pub(crate) async fn user(app: &TestApp, tenant: &Tenant) -> User {
    let email = format!("{}@pessoas.com.br", Uuid::now_v7());
    let new = NewUser { email: email.clone(), nome: Some("Ana".to_owned()), senha_hash: hash() };
    let id = app.store.create_user(tenant.id, new, &Actor::operator(), 0).await.unwrap();
    User { id, email }
}

/// Adds a user with one role, in one company or in every one.
pub(crate) async fn user_with(app: &TestApp, tenant: &Tenant, role: Permissao, company: Option<&str>) -> User {
    let user = user(app, tenant).await;
    let company = company.map(|company| CnpjCpf::parse(company).unwrap());
    let grant = RoleGrant { company, role };
    app.store.put_grant(tenant.id, user.id, grant, &Actor::operator(), 0).await.unwrap();
    if company.is_some() {
        app.store.remove_grant(tenant.id, user.id, None, &Actor::operator(), 0).await.unwrap();
    }
    user
}

/// The hash of `SENHA`, made once: it takes its time in a debug build.
fn hash() -> String {
    use argon2::password_hash::PasswordHasher as _;
    static HASH: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    HASH.get_or_init(|| argon2::Argon2::default().hash_password(SENHA.as_bytes()).unwrap().to_string()).clone()
}

/// Logs in; gives the answer.
pub(crate) async fn login(app: &TestApp, user: &User) -> Value {
    let body = json!({ "email": user.email, "senha": SENHA });
    app.anonymous().post("/v1/auth/login", &body).await.ok(200)
}

/// A client with the token of an answer.
pub(crate) fn bearer(app: &TestApp, answer: &Value) -> Client {
    app.anonymous().with_token(answer["token"].as_str().unwrap())
}

/// A client in a session of a fresh user of the tenant, in homologação.
pub(crate) async fn session(app: &TestApp, tenant: &Tenant) -> Client {
    bearer(app, &login(app, &user(app, tenant).await).await)
}

/// The parts of a token: header, payload, and whether the signature is that of the service's key.
pub(crate) fn opened(app: &TestApp, token: &str) -> (Value, Value, bool) {
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, mac] = parts.as_slice() else { panic!("a JWT has three parts: {token}") };
    let decoded = |part: &str| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
    (decoded(header), decoded(payload), *mac == signature(app, &format!("{header}.{payload}")))
}

/// A token with other claims, rightly signed.
pub(crate) fn resigned(app: &TestApp, token: &str, change: impl FnOnce(&mut Value)) -> String {
    let (header, mut payload, _) = opened(app, token);
    change(&mut payload);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(&payload));
    format!("{signed}.{}", signature(app, &signed))
}

fn signature(app: &TestApp, text: &str) -> String {
    let key = PKey::hmac(app.store.token_key().unwrap().as_slice()).unwrap();
    let mac = Signer::new(MessageDigest::sha256(), &key).unwrap().sign_oneshot_to_vec(text.as_bytes()).unwrap();
    URL_SAFE_NO_PAD.encode(mac)
}
