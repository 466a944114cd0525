//! Calls to the provider: its metadata and keys, stored for an hour, the exchange of a code, the userinfo.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{HeaderValue, Method, header};
use josekit::jwk::JwkSet;
use outbound::{AddressPolicy, ClientOptions, HttpRequest, OutboundClient, TargetUrl};
use serde::Deserialize;
use tokio::sync::{Mutex, Semaphore};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::id_token::{self, EmailClaims, ExpectedClaims, ProvenIdentity};
use super::metadata::ProviderMetadata;
use super::{OidcFailure, OidcFlow, OidcSettings};
use crate::rate_limiter::RateLimiter;
use crate::token::TokenSigner;

/// The configured provider.
pub(crate) struct OidcProvider {
    settings: OidcSettings,
    client: OutboundClient,
    reach: AddressPolicy,
    known: Mutex<KnownProvider>,
    under_way: Semaphore,
    visits: RateLimiter,
}

/// Metadata and keys, with the times of their last fetches.
#[derive(Default)]
struct KnownProvider {
    metadata: Option<(Arc<ProviderMetadata>, Instant)>,
    keys: Option<(Arc<JwkSet>, Instant)>,
    /// Last fetch for a token whose key was unknown.
    searched: Option<Instant>,
    failed: Option<(OidcFailure, Instant)>,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: Zeroizing<String>,
    access_token: Option<Zeroizing<String>>,
}

impl OidcProvider {
    /// The operator configured the issuer, so it may be anywhere.
    pub(crate) fn new(settings: OidcSettings) -> anyhow::Result<OidcProvider> {
        let extra_anchors_pem = settings.extra_anchors_pem.clone();
        let client = OutboundClient::new(ClientOptions { extra_anchors_pem, ..ClientOptions::default() })?;
        let (reach, known) = (AddressPolicy::anywhere(), Mutex::default());
        let (under_way, visits) = (Semaphore::new(MOST_AT_ONCE), RateLimiter::new(MOST_VISITS, 60));
        Ok(OidcProvider { settings, client, reach, known, under_way, visits })
    }

    pub(crate) fn settings(&self) -> &OidcSettings {
        &self.settings
    }

    /// Admits a visit from an address, or returns the time until one is admitted: each visit may be a call to the
    /// provider.
    pub(crate) fn admit(&self, address: IpAddr) -> Result<(), Duration> {
        let digest = openssl::sha::sha256(address.to_string().as_bytes());
        let mut visitor = [0; 16];
        visitor.copy_from_slice(&digest[..16]);
        let standing = self.visits.consume(Uuid::from_bytes(visitor), Instant::now());
        standing.and_then(|standing| standing.refused_for).map_or(Ok(()), Err)
    }

    /// Address at the provider where a sign-in begins.
    pub(crate) async fn authorization_url(
        &self,
        flow: &OidcFlow,
        keys: &TokenSigner,
        redirect_uri: &str,
    ) -> Result<String, OidcFailure> {
        let metadata = self.metadata().await?;
        let made = || -> anyhow::Result<String> {
            let challenge = URL_SAFE_NO_PAD.encode(openssl::sha::sha256(flow.verifier(keys)?.as_bytes()));
            let query = form_urlencoded::Serializer::new(String::new())
                .append_pair("response_type", "code")
                .append_pair("client_id", &self.settings.client_id)
                .append_pair("redirect_uri", redirect_uri)
                .append_pair("scope", "openid email profile")
                .append_pair("state", &flow.state(keys)?)
                .append_pair("nonce", &flow.nonce(keys)?)
                .append_pair("code_challenge", &challenge)
                .append_pair("code_challenge_method", "S256")
                .finish();
            let endpoint = &metadata.authorization_endpoint;
            let between = if endpoint.contains('?') { '&' } else { '?' };
            Ok(format!("{endpoint}{between}{query}"))
        };
        made().map_err(|error| OidcFailure::Unreachable(error.to_string()))
    }

    /// Exchanges a code for the identity it stands for.
    pub(crate) async fn identity(
        &self,
        code: &str,
        flow: &OidcFlow,
        keys: &TokenSigner,
        redirect_uri: &str,
        now: i64,
    ) -> Result<ProvenIdentity, OidcFailure> {
        let _place = self.under_way.try_acquire().map_err(|_| OidcFailure::Busy)?;
        let broken = |error: anyhow::Error| OidcFailure::Unreachable(error.to_string());
        let metadata = self.metadata().await?;
        let verifier = flow.verifier(keys).map_err(broken)?;
        let nonce = flow.nonce(keys).map_err(broken)?;
        let answer = self.exchange(&metadata, code, &verifier, redirect_uri).await?;
        let jwks = self.keys_for(&metadata, &answer.id_token).await?;
        let (issuer, client_id) = (metadata.issuer.as_str(), self.settings.client_id.as_str());
        let expected = ExpectedClaims { issuer, client_id, nonce: &nonce, now };
        let proven = id_token::verify(&answer.id_token, &jwks, &expected)?;
        match (&proven.email, &metadata.userinfo_endpoint, &answer.access_token) {
            (None, Some(endpoint), Some(token)) => self.with_userinfo(proven, endpoint, token).await,
            _ => Ok(proven),
        }
    }

    /// The stored metadata, or freshly fetched ones.
    pub(crate) async fn metadata(&self) -> Result<Arc<ProviderMetadata>, OidcFailure> {
        let mut known = self.known.lock().await;
        if let Some((metadata, fetched)) = &known.metadata
            && fetched.elapsed() < STORED_FOR
        {
            return Ok(Arc::clone(metadata));
        }
        if let Some((failure, at)) = &known.failed
            && at.elapsed() < FAILURE_STANDS_FOR
        {
            let older = known.metadata.as_ref().map(|(older, _)| Arc::clone(older));
            return older.ok_or_else(|| failure.clone());
        }
        let issuer = &self.settings.issuer;
        let url = format!("{issuer}/.well-known/openid-configuration");
        let read = self.fetch(&url, HttpRequest::get()).await.and_then(|body| ProviderMetadata::read(&body, issuer));
        match read {
            Ok(fresh) => {
                let fresh = Arc::new(fresh);
                known.failed = None;
                known.metadata = Some((Arc::clone(&fresh), Instant::now()));
                Ok(fresh)
            }
            Err(failure) => {
                // sign-ins wait for this lock: a provider that is down is asked once in a while, not by each of them
                known.failed = Some((failure.clone(), Instant::now()));
                known.metadata.as_ref().map(|(older, _)| Arc::clone(older)).ok_or(failure)
            }
        }
    }

    async fn exchange(
        &self,
        metadata: &ProviderMetadata,
        code: &str,
        verifier: &str,
        redirect_uri: &str,
    ) -> Result<TokenAnswer, OidcFailure> {
        let request = self.exchange_request(metadata, code, verifier, redirect_uri)?;
        let body = self.fetch(&metadata.token_endpoint, request).await?;
        serde_json::from_slice(&body)
            .map_err(|_| OidcFailure::Refused("O provedor não deu nenhuma identidade (id_token)."))
    }

    fn exchange_request(
        &self,
        metadata: &ProviderMetadata,
        code: &str,
        verifier: &str,
        redirect_uri: &str,
    ) -> Result<HttpRequest, OidcFailure> {
        let client_id = &self.settings.client_id;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("code_verifier", verifier);
        let mut request = HttpRequest::get();
        match &self.settings.client_secret {
            Some(secret) if metadata.takes_secret_in_form() => {
                form.append_pair("client_id", client_id).append_pair("client_secret", secret.reveal());
            }
            Some(secret) => {
                request.headers.insert(header::AUTHORIZATION, basic(client_id, secret.reveal())?);
            }
            None => {
                form.append_pair("client_id", client_id);
            }
        }
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        request.headers.insert(header::CONTENT_TYPE, form_type);
        (request.method, request.body) = (Method::POST, Bytes::from(form.finish()));
        Ok(request)
    }

    /// Keys that have the one of a token. Providers change theirs: an unknown one is fetched at once, but no more than
    /// once a minute.
    async fn keys_for(&self, metadata: &ProviderMetadata, token: &str) -> Result<Arc<JwkSet>, OidcFailure> {
        let head = id_token::head(token)?;
        let mut known = self.known.lock().await;
        if let Some((keys, fetched)) = &known.keys {
            let is_known = head.is_signed_by_one_of(keys);
            let is_searched = known.searched.is_some_and(|searched| searched.elapsed() < KEYS_AGAIN_AFTER);
            if fetched.elapsed() < STORED_FOR && (is_known || is_searched) {
                return Ok(Arc::clone(keys));
            }
            if !is_known {
                known.searched = Some(Instant::now());
            }
        }
        let body = self.fetch(&metadata.jwks_uri, HttpRequest::get()).await?;
        let keys = JwkSet::from_bytes(&body)
            .map_err(|_| OidcFailure::Unreachable("as chaves do provedor não se podem ler".to_owned()))?;
        let keys = Arc::new(keys);
        known.keys = Some((Arc::clone(&keys), Instant::now()));
        Ok(keys)
    }

    /// The identity with the e-mail of the userinfo endpoint, which must be of the same subject (Core §5.3.2).
    async fn with_userinfo(
        &self,
        proven: ProvenIdentity,
        endpoint: &str,
        token: &str,
    ) -> Result<ProvenIdentity, OidcFailure> {
        let mut request = HttpRequest::get();
        let bearer = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut bearer = bearer.map_err(|_| OidcFailure::Refused("O provedor deu um token que não se pode usar."))?;
        bearer.set_sensitive(true);
        request.headers.insert(header::AUTHORIZATION, bearer);
        let body = self.fetch(endpoint, request).await?;
        match serde_json::from_slice::<EmailClaims>(&body) {
            Ok(claims) if claims.sub == proven.subject => Ok(claims.identity(&proven.issuer)),
            _ => Err(OidcFailure::Refused("O provedor respondeu sobre outra pessoa.")),
        }
    }

    /// Body of a 200 answer.
    async fn fetch(&self, url: &str, mut request: HttpRequest) -> Result<Vec<u8>, OidcFailure> {
        let target = TargetUrl::parse(url, &self.reach)
            .map_err(|refused| OidcFailure::Unreachable(format!("um endereço do provedor {refused}")))?;
        request.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        (request.within, request.at_most) = (WITHIN, LARGEST);
        let is_exchange = request.method == Method::POST;
        let answer = self.client.send(&target, &self.reach, request).await;
        let answer = answer.map_err(|failure| OidcFailure::Unreachable(failure.cause))?;
        if is_exchange && answer.status.is_client_error() {
            tracing::warn!(status = answer.status.as_u16(), host = target.host(), "the sign-in provider refused");
            return Err(OidcFailure::Refused(
                "O provedor recusou o pedido deste serviço: o código já foi usado ou venceu, ou oidc.cliente e oidc.segredo não conferem.",
            ));
        }
        if answer.status != http::StatusCode::OK || answer.cut {
            let status = answer.status.as_u16();
            return Err(OidcFailure::Unreachable(format!("{} respondeu {status}", target.host())));
        }
        Ok(answer.body)
    }
}

/// RFC 6749 §2.3.1: both parts are encoded as in a form.
fn basic(client_id: &str, secret: &str) -> Result<HeaderValue, OidcFailure> {
    let part = |text: &str| Zeroizing::new(form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>());
    let pair = Zeroizing::new(format!("{}:{}", *part(client_id), *part(secret)));
    let value = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair.as_bytes())));
    let mut value = value.map_err(|_| OidcFailure::Refused("oidc.segredo não se pode enviar."))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Visits of an address in a minute: thirty people behind one address sign in twice.
const MOST_VISITS: u32 = 120;
/// Exchanges at once.
const MOST_AT_ONCE: usize = 16;
const STORED_FOR: Duration = Duration::from_secs(3600);
/// Time after which an issuer that is down is asked again.
const FAILURE_STANDS_FOR: Duration = Duration::from_secs(5);
const KEYS_AGAIN_AFTER: Duration = Duration::from_secs(60);
const WITHIN: Duration = Duration::from_secs(5);
/// Largest answer, bytes.
const LARGEST: usize = 256 * 1024;
