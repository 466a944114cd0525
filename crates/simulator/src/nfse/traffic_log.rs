//! Log of the requests and answers of the national services, for a check of both against the official documents of the
//! interface.
//!
//! A line of JSON per request, also of one that no service knows. Answers spoiled by a fault are left out: they are
//! wrong on purpose.

use super::address::{NationalAddress, NationalHost};
use http::{Method, StatusCode, Uri};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The file, once logging was started.
#[derive(Default)]
pub(crate) struct TrafficLog(OnceLock<Mutex<File>>);

/// A logged request.
#[derive(Debug, Serialize)]
pub(super) struct LoggedCall {
    service: &'static str,
    method: String,
    /// Path behind the address of the service.
    path: String,
    query: Option<String>,
    media: String,
    body: String,
}

impl LoggedCall {
    fn of(address: &NationalAddress, method: &Method, uri: &Uri, media: &str) -> LoggedCall {
        LoggedCall {
            service: match address.host {
                NationalHost::Sefin | NationalHost::Municipality(_) => "sefin",
                NationalHost::Adn => "adn",
                NationalHost::Parameters => "parametros",
            },
            method: method.to_string(),
            path: address.path_below_host(),
            query: uri.query().map(str::to_owned),
            media: media.to_owned(),
            body: String::new(),
        }
    }
    pub(super) fn with_body(mut self, body: &[u8]) -> LoggedCall {
        self.body = String::from_utf8_lossy(body).into_owned();
        self
    }
}

impl TrafficLog {
    /// Starts logging to a file; a second call changes nothing.
    pub(crate) fn write_to(&self, file: &Path) -> io::Result<()> {
        let file = OpenOptions::new().create(true).append(true).open(file)?;
        self.0.get_or_init(|| Mutex::new(file));
        Ok(())
    }
    /// The record of a request, when logging was started.
    pub(super) fn start_record(
        &self,
        address: &NationalAddress,
        method: &Method,
        uri: &Uri,
        media: &str,
    ) -> Option<LoggedCall> {
        self.0.get().map(|_| LoggedCall::of(address, method, uri, media))
    }
    /// Logs a request, with its answer when no fault spoiled it.
    pub(super) fn log_call(&self, call: Option<&LoggedCall>, answer: Option<(StatusCode, &str, &[u8])>) {
        let (Some(file), Some(call)) = (self.0.get(), call) else { return };
        let answer = answer.map_or(Value::Null, |(status, media, body)| {
            json!({ "status": status.as_u16(), "media": media, "body": String::from_utf8_lossy(body) })
        });
        let mut line = json!(call);
        if let Some(members) = line.as_object_mut() {
            members.insert("answer".to_owned(), answer);
        }
        // A single write, so that the lines of two processes do not mix.
        let written = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("{line}\n").as_bytes());
        if let Err(error) = written {
            tracing::error!(%error, "o registro das chamadas da NFS-e não pôde ser escrito");
        }
    }
}
