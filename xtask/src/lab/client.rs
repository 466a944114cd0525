//! HTTP/1.1 by hand, on a socket with a chosen source address: for correct and for faulty requests.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// A client with one persistent connection.
pub(crate) struct LabClient {
    reader: BufReader<TcpStream>,
    host: String,
    key: String,
    from: Ipv4Addr,
    /// The service announced that it closes the connection: it answered before it had read everything.
    closing: bool,
}

/// The answer to a request.
pub(crate) struct LabAnswer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl LabAnswer {
    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| self.text())
    }
}

/// Opens a bare connection to `host:port`, from an address of this machine's loopback range.
pub(crate) fn socket(host: &str, from: Ipv4Addr) -> Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    let to: SocketAddr = host.parse().with_context(|| host.to_owned())?;
    ensure!(to.ip().is_loopback(), "{to} is not this machine");
    socket.connect_timeout(&to.into(), IO_TIMEOUT)?;
    let stream = TcpStream::from(socket);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IO_TIMEOUT))?;
    stream.set_write_timeout(Some(IO_TIMEOUT))?;
    Ok(stream)
}

impl LabClient {
    /// Connects from the default address. An empty key is not sent.
    pub(crate) fn connect(host: &str, key: &str) -> Result<LabClient> {
        LabClient::from(host, key, Ipv4Addr::LOCALHOST)
    }

    /// Connects from another address of the loopback range.
    pub(crate) fn from(host: &str, key: &str, from: Ipv4Addr) -> Result<LabClient> {
        let reader = BufReader::new(socket(host, from)?);
        Ok(LabClient { reader, host: host.to_owned(), key: key.to_owned(), from, closing: false })
    }

    /// Sends JSON and waits for the whole answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: &[u8]) -> Result<LabAnswer> {
        let key = if self.key.is_empty() { String::new() } else { format!("X-API-Key: {}\r\n", self.key) };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{key}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        if self.closing {
            self.reader = BufReader::new(socket(&self.host, self.from)?);
        }
        let answer = self.raw(head.as_bytes(), body)?;
        self.closing = answer.header("connection") == Some("close");
        Ok(answer)
    }

    /// Sends these bytes as they are and reads an answer. A server may answer and close before it has read everything.
    pub(crate) fn raw(&mut self, head: &[u8], body: &[u8]) -> Result<LabAnswer> {
        let stream = self.reader.get_mut();
        let written = stream.write_all(head).and_then(|()| stream.write_all(body));
        let answer = if head.starts_with(b"HEAD ") { self.head() } else { self.read() };
        answer.or_else(|error| written.map_err(anyhow::Error::from).and(Err(error)))
    }

    /// Sends a GET and expects success.
    pub(crate) fn get(&mut self, path: &str) -> Result<Value> {
        self.send_for_json("GET", path, &Value::Null)
    }

    /// Sends JSON, no body for null, and expects success.
    pub(crate) fn send_for_json(&mut self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.send(method, path, body.as_bytes()).with_context(|| format!("{method} {path}"))?;
        ensure!(answer.status < 300, "{method} {path}: {} {}", answer.status, answer.text());
        if answer.body.is_empty() { Ok(Value::Null) } else { answer.json() }
    }

    /// Reads one answer.
    fn read(&mut self) -> Result<LabAnswer> {
        let mut answer = self.head()?;
        // 100 Continue and other 1xx precede the answer
        while answer.status < 200 {
            answer = self.head()?;
        }
        answer.body = self.body(&answer)?;
        Ok(answer)
    }

    /// Reads status and headers.
    fn head(&mut self) -> Result<LabAnswer> {
        let first = self.line()?;
        let status: u16 = first.split(' ').nth(1).and_then(|code| code.parse().ok()).with_context(|| first.clone())?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Ok(LabAnswer { status, headers, body: Vec::new() })
    }

    fn body(&mut self, head: &LabAnswer) -> Result<Vec<u8>> {
        if head.status == 204 || head.status == 304 {
            return Ok(Vec::new());
        }
        if head.header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
            return self.chunks();
        }
        let length = head.header("content-length").map_or(Ok(0), str::parse)?;
        self.exactly(length)
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
        ensure!(length <= LARGEST, "an answer of {length} bytes: what came is no answer to what was asked");
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        Ok(body)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = Vec::new();
        ensure!(self.reader.read_until(b'\n', &mut line)? > 0, "{CLOSED}");
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }
}

/// Message when the peer has closed the connection.
pub(crate) const CLOSED: &str = "the connection was closed";
/// Largest allowed answer, in bytes.
const LARGEST: usize = 1 << 30;
/// Timeout of connecting, and of each read and write.
const IO_TIMEOUT: Duration = Duration::from_secs(40);
