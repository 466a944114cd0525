//! Causes of failed connections in Portuguese; libraries name them in English.

use std::error::Error as StdError;
use std::io::{self, ErrorKind};

/// Names the cause of a failed connection, read or write.
pub fn of_io(error: &io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::ConnectionRefused => "conexão recusada",
        ErrorKind::ConnectionReset => "a conexão foi interrompida do outro lado",
        ErrorKind::ConnectionAborted => "a conexão foi abandonada",
        ErrorKind::BrokenPipe | ErrorKind::NotConnected => "a conexão já estava fechada",
        ErrorKind::TimedOut => "sem resposta",
        ErrorKind::HostUnreachable => "não há caminho até o servidor",
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => "não há caminho até a rede",
        ErrorKind::AddrNotAvailable | ErrorKind::AddrInUse => "esta máquina não tem porta livre",
        ErrorKind::PermissionDenied => "esta máquina não permite a conexão",
        ErrorKind::UnexpectedEof => "a conexão foi fechada antes do fim",
        _ => {
            return error
                .raw_os_error()
                .map_or_else(|| "falha de rede".to_owned(), |code| format!("erro {code} do sistema"));
        }
    };
    words.to_owned()
}

/// Cause of a name without address: resolvers report an absent name and a missing answer alike.
pub const UNRESOLVED: &str = "o nome não existe, ou o DNS não respondeu";

/// Names the cause of an HTTP exchange that ended without an answer.
pub fn of_http(error: &hyper::Error) -> String {
    if let Some(io) = source_of(error) {
        return of_io(io);
    }
    let words = match error {
        error if error.is_parse_too_large() => "cabeçalhos grandes demais",
        error if error.is_parse() || error.is_parse_status() => "o que veio não é HTTP",
        error if error.is_timeout() => "sem resposta",
        error if error.is_incomplete_message() => "a conexão foi fechada antes do fim",
        error if error.is_canceled() || error.is_closed() => "a conexão foi fechada",
        _ => "a troca foi interrompida",
    };
    words.to_owned()
}

fn source_of<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e io::Error> {
    let mut source = Some(error);
    while let Some(inner) = source {
        if let Some(io) = inner.downcast_ref::<io::Error>() {
            return Some(io);
        }
        source = inner.source();
    }
    None
}

/// Names the cause of a TLS failure by OpenSSL's reason; an unknown reason is quoted.
pub fn of_tls(reason: &str) -> String {
    let lower = reason.to_lowercase();
    match TLS.iter().find(|(part, _)| lower.contains(part)) {
        Some((_, words)) => format!("{words} (\"{reason}\")"),
        None => format!("o OpenSSL diz \"{reason}\""),
    }
}

/// Parts of OpenSSL's reasons, the longer before the shorter.
const TLS: [(&str, &str); 15] = [
    ("wrong version number", "o que responde nesta porta não é TLS"),
    ("packet length too long", "o que responde nesta porta não é TLS"),
    ("http request", "o que responde nesta porta não é TLS"),
    ("protocol version", "a versão de TLS foi recusada"),
    ("unsupported protocol", "a versão de TLS foi recusada"),
    ("certificate required", "o servidor pede um certificado"),
    ("certificate expired", "o servidor diz que o certificado venceu"),
    ("certificate revoked", "o servidor diz que o certificado foi revogado"),
    ("certificate unknown", "o servidor não aceita o certificado"),
    ("bad certificate", "o servidor não aceita o certificado"),
    ("unknown ca", "o servidor não conhece quem emitiu o certificado"),
    ("handshake failure", "não há cifra ou versão de TLS em comum"),
    ("no shared cipher", "não há cifra em comum"),
    ("unrecognized name", "o servidor não atende por este nome"),
    ("unexpected eof", "a conexão foi fechada antes do fim"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_in_portuguese() {
        assert_eq!(of_io(&io::Error::from_raw_os_error(111)), "conexão recusada");
        assert_eq!(of_io(&io::Error::from_raw_os_error(113)), "não há caminho até o servidor");
        assert_eq!(of_io(&io::Error::from_raw_os_error(5)), "erro 5 do sistema");
        assert_eq!(of_io(&io::Error::other("no such thing")), "falha de rede");
        assert!(of_tls("sslv3 alert handshake failure").starts_with("não há cifra"));
        assert_eq!(of_tls("bad mac"), "o OpenSSL diz \"bad mac\"");
    }

    #[tokio::test]
    async fn a_connection_that_ends_is_told_as_closed() {
        let (client, server) = tokio::io::duplex(1_024);
        let (mut sender, driver) =
            hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(client)).await.unwrap();
        tokio::spawn(driver);
        drop(server);
        let request = hyper::Request::new(http_body_util::Empty::<bytes::Bytes>::new());
        let told = of_http(&sender.send_request(request).await.unwrap_err());
        assert!(told.starts_with("a conexão"), "{told}");
    }
}
