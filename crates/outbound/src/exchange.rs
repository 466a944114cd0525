//! An HTTP request on an open stream, and its answer.

use crate::connect::OpenStream;
use crate::reason;
use crate::target::TargetUrl;
use crate::{FailureKind, HttpRequest, HttpResponse, RequestFailure};
use bytes::Bytes;
use http::header::{CONNECTION, HOST};
use http::{HeaderValue, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::error::Error as StdError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

pub(crate) type WireRequest = hyper::Request<Full<Bytes>>;

/// Builds the HTTP request from the caller's.
pub(crate) fn request(target: &TargetUrl, request: HttpRequest) -> Result<WireRequest, RequestFailure> {
    let impossible = |why: &dyn StdError| RequestFailure {
        kind: FailureKind::Closed,
        cause: format!("pedido impossível para {}: {why}", target.host()),
    };
    let host = HeaderValue::from_str(target.host_header()).map_err(|error| impossible(&error))?;
    let path: Uri = target.path().parse().map_err(|error| impossible(&error))?;
    let mut prepared = hyper::Request::new(Full::new(request.body));
    *prepared.method_mut() = request.method;
    *prepared.uri_mut() = path;
    *prepared.headers_mut() = request.headers;
    prepared.headers_mut().insert(HOST, host);
    prepared.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    Ok(prepared)
}

pub(crate) async fn run(
    target: &TargetUrl,
    connection: OpenStream,
    request: WireRequest,
    at_most: usize,
) -> Result<HttpResponse, RequestFailure> {
    let exchanged = match connection {
        OpenStream::Plain(tcp) => exchange(tcp, request, at_most).await,
        OpenStream::Tls(tls) => exchange(tls, request, at_most).await,
    };
    exchanged.map_err(|error| RequestFailure {
        kind: FailureKind::Closed,
        cause: format!(
            "a conexão com {} terminou antes da resposta completa ({})",
            target.host(),
            reason::of_http(&error)
        ),
    })
}

async fn exchange<S>(stream: S, request: WireRequest, at_most: usize) -> Result<HttpResponse, hyper::Error>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, driver) =
        http1::Builder::new().max_buf_size(MAX_HEADER_BYTES).handshake(TokioIo::new(stream)).await?;
    // ends with this exchange, even when the server goes on sending
    let _driver = AbortOnDrop(tokio::spawn(async move {
        if let Err(error) = driver.await {
            tracing::debug!(%error, "connection ended");
        }
    }));
    let response = sender.send_request(request).await?;
    let (parts, mut rest) = response.into_parts();
    let mut body = Vec::new();
    let mut cut = false;
    while let Some(frame) = rest.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        let room = at_most - body.len();
        cut = data.len() > room;
        body.extend_from_slice(&data[..data.len().min(room)]);
        if cut {
            break;
        }
    }
    Ok(HttpResponse { status: parts.status, headers: parts.headers, body, cut })
}

/// Aborts the task on drop.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

const MAX_HEADER_BYTES: usize = 64 << 10;
