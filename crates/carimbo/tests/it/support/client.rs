//! HTTP in and out, and nothing else.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::support::contract;

/// A client of one base address, perhaps with a key.
#[derive(Clone)]
pub(crate) struct Client {
    hyper: Hyper<HttpConnector, Full<Bytes>>,
    pub(crate) base_url: String,
    pub(crate) api_key: Option<String>,
    /// The whole value of the header.
    pub(crate) authorization: Option<String>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) bytes: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
    /// The body without what differs from one request, or one second, to the next.
    pub(crate) fn lasting(&self) -> Value {
        let mut body: Value = serde_json::from_slice(&self.bytes).unwrap_or_else(|_| self.text().into());
        for name in ["requisicao_id", "dias_para_expirar"] {
            leave_out(&mut body, name);
        }
        body
    }
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Text of a page that was found.
    #[track_caller]
    pub(crate) fn ok_text(&self) -> String {
        assert_eq!(self.status.as_u16(), 200, "{}", self.text());
        self.text()
    }

    /// A success of this status; gives the body.
    #[track_caller]
    pub(crate) fn ok(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self.json()
    }

    /// A refusal of this status and code, with everything an error body must have; gives the body.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, codigo: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let body = self.json();
        assert_eq!(body["codigo"], codigo, "{body}");
        assert_eq!(body["type"], format!("/docs/erros/{codigo}"));
        assert_eq!(body["status"], status);
        assert_eq!(body["sucesso"], false);
        assert_eq!(body["mensagem"], body["detail"]);
        assert_eq!(body["requisicao_id"], self.header("x-request-id"));
        assert!(body["title"].is_string() && body["instance"].is_string() && body["erros"].is_array(), "{body}");
        for problem in body["erros"].as_array().unwrap() {
            let members: Vec<&String> = problem.as_object().unwrap().keys().collect();
            assert_eq!(members, ["campo", "codigo", "mensagem", "sugestao"]);
        }
        body
    }
}

impl Client {
    pub(crate) fn new(base_url: &str) -> Client {
        let hyper = Hyper::builder(TokioExecutor::new()).build_http();
        Client { hyper, base_url: base_url.to_owned(), api_key: None, authorization: None }
    }
    pub(crate) fn with_key(&self, key: &str) -> Client {
        Client { api_key: Some(key.to_owned()), ..self.clone() }
    }
    pub(crate) fn with_token(&self, token: &str) -> Client {
        Client { authorization: Some(format!("Bearer {token}")), ..self.clone() }
    }
    /// Returns a client with this key for another address.
    pub(crate) fn at(&self, base_url: &str) -> Client {
        Client { base_url: base_url.to_owned(), ..self.clone() }
    }
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Bytes::new()).await
    }
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, &JSON, Bytes::from(body.to_string())).await
    }
    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, &[], Bytes::new()).await
    }
    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, &JSON, Bytes::from(body.to_string())).await
    }

    /// Anything at all.
    pub(crate) async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Bytes) -> Answer {
        let answer = self.look(method.clone(), path, headers, body).await;
        contract::record(&method, path, &answer);
        answer
    }

    /// Requests a page that the OpenAPI document does not describe; the call is not recorded.
    pub(crate) async fn look(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Bytes) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base_url));
        if let Some(key) = &self.api_key {
            request = request.header("x-api-key", key);
        }
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.hyper.request(request.body(Full::new(body)).unwrap()).await.expect("the service answers");
        let status = response.status();
        let headers = response.headers().iter();
        let headers =
            headers.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
        let headers = headers.fold(BTreeMap::new(), |mut all: BTreeMap<String, String>, (name, value)| {
            all.entry(name).and_modify(|before| *before = format!("{before}, {value}")).or_insert(value);
            all
        });
        Answer { status, headers, bytes: response.into_body().collect().await.unwrap().to_bytes() }
    }
}

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

fn leave_out(value: &mut Value, name: &str) {
    match value {
        Value::Object(members) => {
            members.remove(name);
            members.values_mut().for_each(|member| leave_out(member, name));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| leave_out(item, name)),
        _ => {}
    }
}
