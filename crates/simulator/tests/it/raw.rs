//! A bare TLS and HTTP/1.1 client, for requests that the product's transport would not send.

use crate::bench::Bench;
use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use openssl::ssl::{SslConnector, SslMethod, SslVersion};
use signing::Certificate;
use std::pin::Pin;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_openssl::SslStream;

pub(crate) type Sender = SendRequest<Full<Bytes>>;

/// A connection to the simulator, with or without certificate, of one TLS version or of any; the task ends with the
/// connection.
pub(crate) async fn connect(
    bench: &Bench,
    certificate: Option<&Certificate>,
    version: Option<SslVersion>,
) -> Result<(Sender, JoinHandle<()>), String> {
    let mut builder = SslConnector::builder(SslMethod::tls_client()).unwrap();
    builder.set_min_proto_version(version).unwrap();
    builder.set_max_proto_version(version).unwrap();
    for root in openssl::x509::X509::stack_from_pem(bench.simulator.pki().ca_pem()).unwrap() {
        builder.cert_store_mut().add_cert(root).unwrap();
    }
    if let Some(certificate) = certificate {
        builder.set_certificate(certificate.leaf()).unwrap();
        builder.set_private_key(certificate.key()).unwrap();
    }
    let ssl = builder.build().configure().unwrap().into_ssl("127.0.0.1").unwrap();
    let stream = TcpStream::connect(bench.simulator.https_url().replace("https://", "")).await.unwrap();
    let mut stream = SslStream::new(ssl, stream).unwrap();
    Pin::new(&mut stream).connect().await.map_err(|error| error.to_string())?;
    let (sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let task = tokio::spawn(async move {
        let _ = connection.await;
    });
    Ok((sender, task))
}
