//! A browser without scripts: stores cookies, sends forms as a page of ours would, follows no redirect by itself.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use http::Method;

use crate::support::app::{Tenant, TestApp};
use crate::support::client::{Answer, Client};
use crate::support::users::{SENHA, User, user};

/// A browser with its cookies.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) client: Client,
    pub(crate) cookies: BTreeMap<String, String>,
    /// The last answer's `Set-Cookie`; several are separated by commas.
    pub(crate) told: String,
}

/// The session's cookie.
pub(crate) const SESSION: &str = "carimbo_painel";

impl Browser {
    pub(crate) fn new(app: &TestApp) -> Browser {
        Browser { client: app.anonymous().clone(), cookies: BTreeMap::new(), told: String::new() }
    }

    /// Logs in a user of a tenant.
    pub(crate) async fn of(app: &TestApp, tenant: &Tenant, ambiente: &str) -> (Browser, User) {
        let user = user(app, tenant).await;
        let mut browser = Browser::new(app);
        let entered = browser.enter(&user.email, SENHA, ambiente).await;
        assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/painel"), "{}", entered.text());
        (browser, user)
    }

    /// Logs in a user of homologação.
    pub(crate) async fn of_user(app: &TestApp, user: &User) -> Browser {
        let mut browser = Browser::new(app);
        let entered = browser.enter(&user.email, SENHA, "homologacao").await;
        assert_eq!(entered.status.as_u16(), 303, "{}", entered.text());
        browser
    }

    /// Submits the login form.
    pub(crate) async fn enter(&mut self, email: &str, senha: &str, ambiente: &str) -> Answer {
        let proof = proof(&self.get("/painel/entrar").await);
        let fields = [("prova", proof.as_str()), ("email", email), ("senha", senha), ("ambiente", ambiente)];
        self.post("/painel/entrar", &fields).await
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        let cookies = self.line();
        let answer = self.client.look(Method::GET, path, &[("cookie", cookies.as_str())], "".into()).await;
        self.keep(&answer);
        answer
    }

    /// Submits a form of a page of ours.
    /// The page at an address, once it shows this.
    pub(crate) async fn page_when(&mut self, address: &str, shown: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let page = self.get(address).await.ok_text();
            if page.contains(shown) {
                return page;
            }
            assert!(Instant::now() < deadline, "never {shown}: {page}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.client.base_url.clone();
        self.post_from(Some(&origin), path, fields).await
    }

    /// Submits a form of a page of this origin.
    pub(crate) async fn post_from(&mut self, origin: Option<&str>, path: &str, fields: &[(&str, &str)]) -> Answer {
        let cookies = self.line();
        let mut headers = vec![("cookie", cookies.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        headers.extend(origin.map(|origin| ("origin", origin)));
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let answer = self.client.look(Method::POST, path, &headers, body.into()).await;
        self.keep(&answer);
        answer
    }

    /// Submits a form with files, each with its name, file name and content; a field has no file name.
    pub(crate) async fn upload(&mut self, path: &str, parts: &[(&str, &str, &[u8])]) -> Answer {
        let origin = self.client.base_url.clone();
        self.upload_from(&origin, path, parts).await
    }

    /// Submits a form with files of a page of this origin.
    pub(crate) async fn upload_from(&mut self, origin: &str, path: &str, parts: &[(&str, &str, &[u8])]) -> Answer {
        let cookies = self.line();
        let headers = [
            ("cookie", cookies.as_str()),
            ("content-type", "multipart/form-data; boundary=----fim"),
            ("origin", origin),
        ];
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let file = if file.is_empty() { String::new() } else { format!("; filename=\"{file}\"") };
            let head = format!("------fim\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
            body.extend([head.as_bytes(), content, b"\r\n"].concat());
        }
        body.extend(b"------fim--\r\n");
        let answer = self.client.look(Method::POST, path, &headers, body.into()).await;
        self.keep(&answer);
        answer
    }

    /// Opens a prepared act, and decides on it.
    pub(crate) async fn decide(&mut self, address: &str, decisao: &str, motivo: &str) -> Answer {
        let proof = proof(&self.get("/painel").await);
        self.post(address, &[("prova", &proof), ("decisao", decisao), ("motivo", motivo)]).await
    }

    fn line(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn keep(&mut self, answer: &Answer) {
        let Some(told) = answer.headers.get("set-cookie") else { return };
        self.told.clone_from(told);
        for cookie in told.split(", ") {
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// The hidden field of the forms of a page.
#[track_caller]
pub(crate) fn proof(page: &Answer) -> String {
    let text = page.text();
    let (_, rest) = text.split_once("name=\"prova\" value=\"").unwrap_or_else(|| panic!("no form: {text}"));
    rest.split('"').next().unwrap().to_owned()
}
