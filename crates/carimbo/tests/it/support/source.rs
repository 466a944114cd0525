//! An external source of lookups: a real HTTP server on loopback with configured answers, which records its requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lookup::LookupOptions;
use lookup::source::read_list;
use serde_json::Value;
use store::lookups::PublicRegister;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The answer to a request of a path.
#[derive(Clone)]
pub(crate) enum Says {
    /// A status and JSON.
    Json(u16, Value),
    /// A whole answer, byte for byte.
    Bytes(String),
    /// Nothing, and stays.
    Nothing,
}

/// The server. It ends with the test's runtime.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) url: String,
    script: Arc<Mutex<HashMap<String, Says>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Source {
    pub(crate) async fn start() -> Source {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let source = Source { url, script: Arc::default(), asked: Arc::default() };
        let serving = source.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().speak(stream));
            }
        });
        source
    }

    /// From now on.
    pub(crate) fn says(&self, path: &str, says: Says) {
        self.script.lock().unwrap().insert(path.to_owned(), says);
    }

    /// Paths asked for so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    async fn speak(self, mut stream: TcpStream) {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read(&mut byte).await.unwrap_or_default() == 0 {
                return;
            }
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        let path = head.split(' ').nth(1).unwrap().to_owned();
        let says = self.script.lock().unwrap().get(&path).cloned();
        self.asked.lock().unwrap().push(path);
        let text = match says {
            Some(Says::Json(status, body)) => answer(status, &body.to_string()),
            Some(Says::Bytes(text)) => text,
            Some(Says::Nothing) => std::future::pending().await,
            None => answer(404, "{}"),
        };
        let _ = stream.write_all(text.as_bytes()).await;
    }
}

pub(crate) fn answer(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Sources of CEP and CNPJ by name and server, in their order, with little patience.
pub(crate) fn sources(cep: &[(&str, &str)], cnpj: &[(&str, &str)]) -> LookupOptions {
    let list = |register, entries: &[(&str, &str)]| {
        let entries: Vec<String> = entries.iter().map(|(name, url)| format!("{name}={url}/{name}/{{chave}}")).collect();
        read_list(register, &entries.join(",")).unwrap()
    };
    let (cep, cnpj) = (list(PublicRegister::Cep, cep), list(PublicRegister::Cnpj, cnpj));
    LookupOptions { cep, cnpj, within: Duration::from_secs(10), ..LookupOptions::default() }
}
