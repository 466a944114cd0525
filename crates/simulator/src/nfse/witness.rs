//! What the national services were asked and what they answered, written down for who judges both against the official
//! documents of the interface.
//!
//! A line of JSON per request. A call that no service knows is written down too. An answer that a fault spoiled is left
//! out: it is meant to be wrong.

use super::address::{Address, Host};
use http::{Method, StatusCode, Uri};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The file, once there is one.
#[derive(Default)]
pub(crate) struct Witness(OnceLock<Mutex<File>>);

/// A call as it came.
#[derive(Debug, Serialize)]
pub(super) struct Call {
    service: &'static str,
    method: String,
    /// Behind the address of the service.
    path: String,
    query: Option<String>,
    media: String,
    body: String,
}

impl Call {
    fn of(address: &Address, method: &Method, uri: &Uri, media: &str) -> Call {
        Call {
            service: match address.host {
                Host::Sefin | Host::Municipality(_) => "sefin",
                Host::Adn => "adn",
                Host::Parameters => "parametros",
            },
            method: method.to_string(),
            path: address.behind(),
            query: uri.query().map(str::to_owned),
            media: media.to_owned(),
            body: String::new(),
        }
    }
    pub(super) fn with_body(mut self, body: &[u8]) -> Call {
        self.body = String::from_utf8_lossy(body).into_owned();
        self
    }
}

impl Witness {
    /// Appends to a file from now on; the first one stays.
    pub(crate) fn write_to(&self, file: &Path) -> io::Result<()> {
        let file = OpenOptions::new().create(true).append(true).open(file)?;
        self.0.get_or_init(|| Mutex::new(file));
        Ok(())
    }
    /// A call, when somebody wants to know.
    pub(super) fn call(&self, address: &Address, method: &Method, uri: &Uri, media: &str) -> Option<Call> {
        self.0.get().map(|_| Call::of(address, method, uri, media))
    }
    /// Writes a call down, with its answer when that is what the service says.
    pub(super) fn saw(&self, call: Option<&Call>, answer: Option<(StatusCode, &str, &[u8])>) {
        let (Some(file), Some(call)) = (self.0.get(), call) else { return };
        let answer = answer.map_or(Value::Null, |(status, media, body)| {
            json!({ "status": status.as_u16(), "media": media, "body": String::from_utf8_lossy(body) })
        });
        let mut line = json!(call);
        if let Some(members) = line.as_object_mut() {
            members.insert("answer".to_owned(), answer);
        }
        // one write, so that the lines of two processes do not mix
        let written = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("{line}\n").as_bytes());
        if let Err(error) = written {
            tracing::error!(%error, "o registro das chamadas da NFS-e não pôde ser escrito");
        }
    }
}
