//! The HTTPS listener: TLS 1.2 and 1.3 with client certificates, one task per connection, and connections that can be
//! reset.
//!
//! The handshake accepts every certificate; it is judged afterwards, so that 280, 281 and 283 can be answered by their
//! numbers.
//! Must not know: SOAP, documents.

use crate::credential::CertificateFacts;
use crate::faults::FaultType;
use crate::pki::Pki;
use crate::router;
use crate::settings::NoCertificate;
use crate::simulator_state::SimulatorState;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use openssl::ssl::{Ssl, SslAcceptor, SslMethod, SslVerifyMode, SslVersion};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_openssl::SslStream;

const HANDSHAKE: Duration = Duration::from_secs(10);

/// The acceptors, one per answer to a missing certificate.
pub(crate) struct TlsAcceptors {
    required: SslAcceptor,
    optional: SslAcceptor,
}

impl TlsAcceptors {
    pub(crate) fn new(pki: &Pki) -> anyhow::Result<TlsAcceptors> {
        let required = SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT;
        Ok(TlsAcceptors { required: acceptor(pki, required)?, optional: acceptor(pki, SslVerifyMode::PEER)? })
    }
}

fn acceptor(pki: &Pki, mode: SslVerifyMode) -> anyhow::Result<SslAcceptor> {
    let mut builder = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls_server())?;
    builder.set_min_proto_version(Some(SslVersion::TLS1_2))?;
    builder.set_certificate(&pki.server().certificate)?;
    builder.set_private_key(&pki.server().key)?;
    builder.add_extra_chain_cert(pki.root().clone())?;
    builder.add_client_ca(pki.root())?;
    builder.set_session_id_context(b"simulador")?;
    builder.set_verify_callback(mode, |_, _| true);
    builder.check_private_key()?;
    Ok(builder.build())
}

/// Accepts connections until the stop signal.
pub(crate) async fn serve(
    world: Arc<SimulatorState>,
    listener: TcpListener,
    acceptors: TlsAcceptors,
    mut stop: watch::Receiver<bool>,
) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.changed() => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "conexão não aceita");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let no_certificate = world.settings().sem_certificado;
        let acceptor = match no_certificate {
            NoCertificate::AlertaTls => &acceptors.required,
            NoCertificate::Http403 | NoCertificate::CStat280 => &acceptors.optional,
        };
        match Ssl::new(acceptor.context()) {
            Ok(ssl) => {
                tokio::spawn(connection(Arc::clone(&world), stream, ssl, stop.clone()));
            }
            Err(error) => tracing::error!(%error, "TLS indisponível"),
        }
    }
}

async fn connection(world: Arc<SimulatorState>, stream: TcpStream, ssl: Ssl, stop: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    // Subscribes here, so that no hang-up is missed between the handshake and the first request.
    let hang_up = world.closing_signal();
    let reset = Arc::new(AtomicBool::new(false));
    let mut wire = ResettableStream { stream, reset: Arc::clone(&reset) };
    match world.faults.draw_connection() {
        Some(FaultType::TlsFailure) => {
            let _ = wire.write_all(b"isto nao e TLS\r\n").await;
            return;
        }
        Some(_) => {
            reset.store(true, Ordering::Release);
            return;
        }
        None => {}
    }
    let Ok(mut stream) = SslStream::new(ssl, wire) else { return };
    match tokio::time::timeout(HANDSHAKE, Pin::new(&mut stream).accept()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::debug!(%error, "handshake recusado");
            return;
        }
        Err(_) => return,
    }
    let credential = stream
        .ssl()
        .peer_certificate()
        .and_then(|certificate| certificate.to_der().ok())
        .and_then(|der| world.examiner.read_der(&der));
    requests(world, stream, credential, reset, ConnectionEnd { hang_up, stop }).await;
}

/// Signals that end a connection.
struct ConnectionEnd {
    hang_up: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
}

async fn requests(
    world: Arc<SimulatorState>,
    stream: SslStream<ResettableStream>,
    credential: Option<Arc<CertificateFacts>>,
    reset: Arc<AtomicBool>,
    mut ended: ConnectionEnd,
) {
    let service = service_fn(|request| router::handle(&world, credential.clone(), &reset, request));
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    loop {
        tokio::select! {
            done = connection.as_mut() => {
                if let Err(error) = done {
                    tracing::debug!(%error, "conexão encerrada");
                }
                return;
            }
            _ = ended.hang_up.changed() => connection.as_mut().graceful_shutdown(),
            _ = ended.stop.changed() => connection.as_mut().graceful_shutdown(),
        }
    }
}

/// A TCP stream that is reset on drop when `reset` is set, as by a crashed server; else it is closed.
pub(crate) struct ResettableStream {
    stream: TcpStream,
    reset: Arc<AtomicBool>,
}

impl Drop for ResettableStream {
    fn drop(&mut self) {
        if self.reset.load(Ordering::Acquire) {
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for ResettableStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for ResettableStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.reset.load(Ordering::Acquire) {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
