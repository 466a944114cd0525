//! A small HTTP client with a persistent connection, cheap enough to load the service.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A client with one persistent connection.
pub(crate) struct BenchClient {
    reader: BufReader<TcpStream>,
    host: String,
    key: String,
}

/// The answer to a request.
pub(crate) struct BenchAnswer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// Cookies that were set, as `name=value`.
    pub(crate) cookies: Vec<String>,
}

impl BenchAnswer {
    /// Returns the body as JSON, or an error for any other status.
    pub(crate) fn json(&self, status: u16) -> Result<Value> {
        let text = String::from_utf8_lossy(&self.body);
        ensure!(self.status == status, "HTTP {} instead of {status}: {text}", self.status);
        serde_json::from_str(&text).with_context(|| text.into_owned())
    }
}

impl BenchClient {
    /// Connects to `http://host:port`.
    pub(crate) fn connect(base: &str, key: &str) -> Result<Self> {
        let host = base.strip_prefix("http://").context("only http")?.to_owned();
        let stream = TcpStream::connect(&host).with_context(|| host.clone())?;
        stream.set_nodelay(true)?;
        Ok(Self { reader: BufReader::new(stream), host, key: key.to_owned() })
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> Result<BenchAnswer> {
        self.send_with(method, path, "", body)
    }

    /// Sends a form with a cookie.
    pub(crate) fn send_form(&mut self, path: &str, cookie: &str, fields: &str) -> Result<BenchAnswer> {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{fields}",
            fields.len(),
            host = self.host
        );
        self.reader.get_mut().write_all(request.as_bytes())?;
        self.read()
    }

    /// Sends a request with additional header lines, each with its line end.
    pub(crate) fn send_with(&mut self, method: &str, path: &str, head: &str, body: &str) -> Result<BenchAnswer> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-API-Key: {}\r\n{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            self.key,
            body.len()
        );
        self.reader.get_mut().write_all(request.as_bytes())?;
        self.read()
    }

    fn read(&mut self) -> Result<BenchAnswer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok()).with_context(|| first.clone())?;
        let (mut length, mut chunked, mut cookies) = (0, false, Vec::new());
        loop {
            let line = self.line()?;
            if let Some((_, cookie)) = line.split_once(": ").filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie")) {
                cookies.extend(cookie.split(';').next().map(str::to_owned));
            }
            let line = line.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
        }
        let body = if chunked { self.chunks()? } else { self.exactly(length)? };
        Ok(BenchAnswer { status, body, cookies })
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(self.line()?.trim(), 16)?;
            body.extend(self.exactly(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        Ok(body)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.reader.read_line(&mut line)? > 0, "the connection was closed");
        Ok(line.trim_end().to_owned())
    }
}
