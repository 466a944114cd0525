//! A provider of OpenID Connect whose answers a test chooses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::sign::Signer;
use serde_json::{Value, json};
use server::oidc::{ClientSecret, OidcSettings};

pub(crate) const CLIENT: &str = "carimbo";
pub(crate) const SECRET: &str = "s3gredo do cliente";

/// The next answer of the provider.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) claims: Value,
    /// Algorithm named in the header; signed by RS256, or by the client's secret for HS256.
    pub(crate) alg: &'static str,
    /// Challenge of the sign-in, which the verifier must match.
    pub(crate) challenge: String,
    /// Address that the code was sent to, which the exchange must name.
    pub(crate) redirect_uri: String,
}

struct Inner {
    said: Mutex<Option<Said>>,
    keys: Mutex<Vec<PKey<Private>>>,
    /// Replaces members of the metadata.
    altered: Mutex<Value>,
    issuer: String,
    exchanges: Mutex<u32>,
}

/// The running provider.
pub(crate) struct Provider {
    inner: Arc<Inner>,
    task: tokio::task::JoinHandle<()>,
}

impl Provider {
    pub(crate) async fn start() -> Provider {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let (held, altered) = (Mutex::new(vec![fresh_key()]), Mutex::new(json!({})));
        let inner =
            Arc::new(Inner { said: Mutex::default(), keys: held, altered, issuer, exchanges: Mutex::default() });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(Arc::clone(&inner));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Provider { inner, task }
    }

    pub(crate) fn settings(&self) -> OidcSettings {
        OidcSettings {
            issuer: self.inner.issuer.clone(),
            client_id: CLIENT.to_owned(),
            client_secret: Some(ClientSecret::new(SECRET)),
            label: "Login da Loja".to_owned(),
            domains: Vec::new(),
            matches_email: true,
            extra_anchors_pem: None,
        }
    }

    /// Claims of a person, right for a sign-in whose authorization URL this is.
    pub(crate) fn person(&self, url: &str, subject: &str, email: &str) -> Said {
        let query = parameters(url);
        let now = jiff::Timestamp::now().as_second();
        let claims = json!({
            "iss": self.inner.issuer, "aud": CLIENT, "sub": subject, "exp": now + 300, "iat": now,
            "nonce": query["nonce"], "email": email, "email_verified": true,
        });
        let (challenge, redirect_uri) = (query["code_challenge"].clone(), query["redirect_uri"].clone());
        Said { claims, alg: "RS256", challenge, redirect_uri }
    }

    pub(crate) fn say(&self, said: Said) {
        *self.inner.said.lock().unwrap() = Some(said);
    }

    /// Signs by a new key from now on; the old one leaves the set.
    pub(crate) fn rotate(&self) {
        self.inner.keys.lock().unwrap().push(fresh_key());
    }

    /// Publishes metadata with these members.
    pub(crate) fn publish(&self, altered: Value) {
        *self.inner.altered.lock().unwrap() = altered;
    }

    pub(crate) fn exchanges(&self) -> u32 {
        *self.inner.exchanges.lock().unwrap()
    }

    pub(crate) fn stop(&self) {
        self.task.abort();
    }
}

fn fresh_key() -> PKey<Private> {
    PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap()
}

impl Inner {
    /// The newest key, and its id.
    fn key(&self) -> (PKey<Private>, String) {
        let keys = self.keys.lock().unwrap();
        (keys.last().unwrap().clone(), keys.len().to_string())
    }
}

/// Parameters of a URL.
pub(crate) fn parameters(url: &str) -> BTreeMap<String, String> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

async fn metadata(State(inner): State<Arc<Inner>>) -> Json<Value> {
    let at = |path: &str| format!("{}/{path}", inner.issuer);
    let mut shown = json!({
        "issuer": inner.issuer, "authorization_endpoint": at("auth"), "token_endpoint": at("token"),
        "jwks_uri": at("keys"), "end_session_endpoint": at("end"),
    });
    let altered = inner.altered.lock().unwrap().clone();
    shown.as_object_mut().unwrap().extend(altered.as_object().unwrap().clone());
    Json(shown)
}

async fn keys(State(inner): State<Arc<Inner>>) -> Json<Value> {
    let (key, kid) = inner.key();
    let rsa = key.rsa().unwrap();
    let part = |number: &openssl::bn::BigNumRef| URL_SAFE_NO_PAD.encode(number.to_vec());
    Json(json!({ "keys": [{ "kty": "RSA", "use": "sig", "kid": kid, "n": part(rsa.n()), "e": part(rsa.e()) }] }))
}

async fn token(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: String) -> (StatusCode, Json<Value>) {
    *inner.exchanges.lock().unwrap() += 1;
    let said = inner.said.lock().unwrap().take();
    let pair = format!("{CLIENT}:{}", SECRET.replace(' ', "+"));
    let proven = headers.get("authorization").and_then(|value| value.to_str().ok())
        == Some(&format!("Basic {}", STANDARD.encode(pair)));
    let form: BTreeMap<String, String> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let verifier = form.get("code_verifier").map_or("", String::as_str);
    let challenge = URL_SAFE_NO_PAD.encode(openssl::sha::sha256(verifier.as_bytes()));
    match said {
        Some(said)
            if proven
                && challenge == said.challenge
                && form["redirect_uri"] == said.redirect_uri
                && form["grant_type"] == "authorization_code" =>
        {
            let (key, kid) = inner.key();
            let head = json!({ "alg": said.alg, "kid": kid });
            let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            let signed = format!("{}.{}", part(&head), part(&said.claims));
            let key = if said.alg == "HS256" { PKey::hmac(SECRET.as_bytes()).unwrap() } else { key };
            let mut signer = Signer::new(MessageDigest::sha256(), &key).unwrap();
            let mac = signer.sign_oneshot_to_vec(signed.as_bytes()).unwrap();
            let mac = if said.alg == "none" { String::new() } else { URL_SAFE_NO_PAD.encode(mac) };
            let token = format!("{signed}.{mac}");
            (StatusCode::OK, Json(json!({ "id_token": token, "access_token": "a", "token_type": "Bearer" })))
        }
        _ => (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))),
    }
}
